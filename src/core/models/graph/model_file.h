/* Which of the files that belong to models a file is, from how it begins: cheap, and safe to ask of anything
 * (docs/models.md 11). */
#ifndef PAS2P_CORE_MODELS_GRAPH_MODEL_FILE_H
#define PAS2P_CORE_MODELS_GRAPH_MODEL_FILE_H

enum model_file {
	MODEL_FILE_NONE,         /* none of them, or nothing that can be read */
	MODEL_FILE_MODEL,        /* pas2p_model, or pas2p_functions alone */
	MODEL_FILE_MACHINE,      /* pas2p_machine */
	MODEL_FILE_MEASUREMENTS  /* comma-separated values under a line of names */
};

/* Reads the first few kilobytes of a regular file; of anything else nothing. */
enum model_file model_file_kind(const char *path);

#endif
