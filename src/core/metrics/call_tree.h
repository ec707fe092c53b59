/* The tree of user states and what is called in them, while it is made: nodes by parent and symbol, numbered in the
 * order in which they come. Of one thread of one process, and then of all. */
#ifndef PAS2P_CALL_TREE_H
#define PAS2P_CALL_TREE_H

#include <stddef.h>

#include "call_symbols.h"

struct tree_node {
	uint32_t parent, symbol, depth;
	uint64_t count, unfinished;
	double useful, hidden; /* while it is topmost, outside of calls */
};

#define TREE_RECENT 16
#define NO_NODE UINT32_MAX

struct call_tree {
	struct tree_node *nodes;
	uint32_t count;
	size_t cap;
	struct map *children;  /* parent, symbol -> node */
	struct { uint32_t parent, node; } recent[TREE_RECENT]; /* by symbol */
};

/* With node 0, the program. False: no memory. */
bool call_tree_init(struct call_tree *tree);
void call_tree_release(struct call_tree *tree);

uint32_t call_tree_child_slow(struct call_tree *tree, uint32_t parent, uint32_t symbol);

/* The node, made where there is none yet. NO_NODE: no memory. */
static inline uint32_t call_tree_child(struct call_tree *tree, uint32_t parent, uint32_t symbol)
{
	uint32_t node = tree->recent[symbol % TREE_RECENT].node;

	if (node && tree->recent[symbol % TREE_RECENT].parent == parent && tree->nodes[node].symbol == symbol)
		return node;
	return call_tree_child_slow(tree, parent, symbol);
}

#endif
