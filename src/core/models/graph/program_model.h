/* A program as a model: parameters, resources, functions, blocks, and a tree of nodes that every process runs
 * (docs/explain/models-language.md, "Model files").
 *
 * model_read.h makes it from a file; who builds one by hand allocates from its arena. It is not changed by evaluation
 * (evaluate.h), so that one may be evaluated by several threads. Texts are safe (text.h) and NUL-terminated; all that
 * is pointed to is the arena's or the expressions' own, and goes with program_model_release().
 *
 * A chain of nodes (by `next`) is what runs one after the other. Nothing here is checked but by what reads it: names of
 * blocks, resources and functions are looked up when the model is evaluated, and errors there have the node's place.
 */
#ifndef PAS2P_CORE_MODELS_GRAPH_PROGRAM_MODEL_H
#define PAS2P_CORE_MODELS_GRAPH_PROGRAM_MODEL_H

#include <stdbool.h>
#include <stdint.h>

#include "core/base/err.h"
#include "core/base/mem.h"
#include "core/models/language/language.h"

enum model_node_kind {
#define NODE(id, name, family, meaning) NODE_##id,
#include "core/models/language/nodes.def"
	NODE_KINDS
};

enum model_family { MODEL_WORK, MODEL_MESSAGE, MODEL_COLLECTIVE, MODEL_STRUCTURE };

struct model_node_info {
	const char *name, *meaning;
	enum model_family family;
};

const struct model_node_info *model_node_info(enum model_node_kind kind);

struct model_operation { /* of ops: so many of one */
	const char *name;
	const struct expression *count;
};

/* Members that a kind does not name are NULL or 0. */
struct model_node {
	enum model_node_kind kind;
	struct place place;
	const char *name;                  /* `name:`; NULL: none */
	const struct expression *value;    /* compute: seconds; loop, par: how often; if: probability or condition */
	const struct expression *split_compute, *split_bytes; /* compute: for another machine (docs/internals/model-rules.md, "Predictions in files") */
	const struct model_operation *operations; /* ops */
	uint32_t operation_count;
	const struct expression *peer;     /* send, isend: to; recv: from */
	const struct expression *bytes;    /* messages and collectives; NULL: 0 */
	const struct expression *tag;      /* messages; NULL: 0 */
	const struct expression *root;     /* collectives; NULL: 0 */
	const char *word;                  /* loop, par: the index, NULL if `value` says how often; use: the resource; call: the block */
	const struct expression *first, *last; /* loop, par with an index */
	const struct expression **arguments;   /* call */
	uint32_t argument_count;
	struct model_node *body;           /* do, loop, use, if: what it holds; par by a list: a chain of NODE_DO, one a branch */
	struct model_node *otherwise;      /* if: `else` */
	struct model_node *next;
};

struct model_parameter {
	const char *name;
	const struct expression *value; /* the default; it may name parameters above it */
	struct place place;
};

struct model_resource {
	const char *name;
	const struct expression *count; /* how many can be in use at once */
	struct place place;
};

struct model_block {
	const char *name;
	const char **arguments;
	uint32_t argument_count;
	struct model_node *body;
	struct place place;
};

struct program_model {
	struct arena arena;
	const char *file, *name;           /* NULL: none */
	const char **files;                /* paths of all that it was read from: the outermost, then what is included */
	uint32_t file_count;
	struct model_parameter *parameters; /* p is among them, if only by its default 1 */
	uint32_t parameter_count;
	struct model_resource *resources;
	uint32_t resource_count;
	struct expression_functions functions;
	struct model_block *blocks;
	uint32_t block_count;
	struct model_node *program;
};

void program_model_init(struct program_model *m);
void program_model_release(struct program_model *m);

/* The index of a parameter, a resource or a block by its name; UINT32_MAX: there is none. */
uint32_t model_parameter(const struct program_model *m, const char *name);
uint32_t model_resource(const struct program_model *m, const char *name);
uint32_t model_block(const struct program_model *m, const char *name);

/* A block that needs no arguments becomes the program. ERR_USAGE: there is no such block, or it has arguments. */
enum err_code model_run_block(struct program_model *m, const char *name, struct err *e);

#endif
