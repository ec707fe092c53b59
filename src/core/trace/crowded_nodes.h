/* Nodes where more processes ran than there were processors for, as our tracer tells (docs/tracer.md). */
#ifndef PAS2P_CROWDED_NODES_H
#define PAS2P_CROWDED_NODES_H

#include "trace.h"

struct crowded_nodes {
	uint32_t nodes;                  /* of which something is known */
	uint32_t crowded;                /* of them */
	uint32_t processes, processors;  /* of the one with most processes for a processor; 0: none is crowded */
};

struct crowded_nodes crowded_nodes(const struct trace *t);

/* "4 processes shared 2 processors"; "": none did, or not known. Returns text, CROWDED_TEXT bytes. */
#define CROWDED_TEXT 160
char *crowded_nodes_text(const struct crowded_nodes *c, char *text);

#endif
