/* Models out of their files, with the files that they include (docs/explain/models-language.md, "Model files").
 *
 * A file is a model (pas2p_model: 1) or functions and blocks alone (pas2p_functions: 1, as pas2p fit writes them): then
 * the program is NULL. `include` takes the functions and blocks of other files, and of models the parameters and
 * resources too; the paths are those from the including file. What a file defines itself goes before what it includes
 * under that name; two files beside each other that define one name are an error. A file is read once however often it
 * is included; only regular files are, of at most 4 MiB each and MODEL_FILES together. A file that includes itself, by
 * whatever way, is an error.
 *
 * The program of an included model is not taken: its functions are what it is included for.
 */
#ifndef PAS2P_CORE_MODELS_GRAPH_MODEL_READ_H
#define PAS2P_CORE_MODELS_GRAPH_MODEL_READ_H

#include <stddef.h>

#include "core/base/err.h"
#include "program_model.h"

#define MODEL_FILES 32

/* ERR_FORMAT with file, line and what was found there: "matmul.yaml: line 14: unknown node 'dance'; nodes are
 * compute, ops, ...". On an error nothing is kept. */
enum err_code model_read(struct program_model *m, const char *path, struct err *e);
/* From a text, which cannot include files; `name` is for sentences. */
enum err_code model_parse(struct program_model *m, const char *name, const char *text, size_t size, struct err *e);

/* Which of the files that belong to models a file is, from how it begins: cheap, and safe to ask of anything
 * (docs/internals/model-rules.md, "Models in the workbench"). */

enum model_file {
	MODEL_FILE_NONE,         /* none of them, or nothing that can be read */
	MODEL_FILE_MODEL,        /* pas2p_model, or pas2p_functions alone */
	MODEL_FILE_MACHINE,      /* pas2p_machine */
	MODEL_FILE_MEASUREMENTS  /* comma-separated values under a line of names */
};

/* Reads the first few kilobytes of a regular file; of anything else nothing. */
enum model_file model_file_kind(const char *path);

#endif
