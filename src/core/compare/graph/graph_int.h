/* Steps of classes as nodes of the language. Internal to the block of a phase. */
#ifndef PAS2P_CORE_COMPARE_GRAPH_GRAPH_INT_H
#define PAS2P_CORE_COMPARE_GRAPH_GRAPH_INT_H

#include "graph.h"

/* Into its text. ERR_LIMIT: it grows above PHASE_BLOCK_BYTES. */
enum err_code phase_block_write(struct phase_block *b, const char *name, struct err *e);

#endif
