/* Steps of classes as nodes of the language, and the functions of what messages took. Internal to the graph of a phase. */
#ifndef PAS2P_PHASE_GRAPH_WRITE_H
#define PAS2P_PHASE_GRAPH_WRITE_H

#include "phase_graph.h"

void phase_graph_write_functions(struct phase_graph *g);
/* ERR_LIMIT: it grows above PHASE_GRAPH_BYTES. */
enum err_code phase_graph_write_block(struct phase_graph *g, struct err *e);

#endif
