#include "calls_int.h"

#include "core/base/map.h"
#include "core/base/mem.h"

static uint32_t tree_add_node(struct call_tree *tree, struct tree_node node)
{
	struct tree_node *nodes = mem_grow(tree->nodes, tree->count, &tree->cap, sizeof *nodes);

	if (!nodes)
		return NO_NODE;
	tree->nodes = nodes;
	nodes[tree->count] = node;
	return tree->count++;
}

bool call_tree_init(struct call_tree *tree)
{
	*tree = (struct call_tree){.children = map_new()};
	return tree->children && tree_add_node(tree, (struct tree_node){.symbol = SYMBOL_PROGRAM}) == 0;
}

void call_tree_release(struct call_tree *tree)
{
	map_free(tree->children);
	mem_free(tree->nodes);
	*tree = (struct call_tree){0};
}

uint32_t call_tree_child_slow(struct call_tree *tree, uint32_t parent, uint32_t symbol)
{
	uint32_t *at = map_at(tree->children, parent, symbol);

	if (!at)
		return NO_NODE;
	if (!*at) {
		uint32_t node = tree_add_node(tree, (struct tree_node){.parent = parent, .symbol = symbol,
							     .depth = tree->nodes[parent].depth + 1});

		if (node == NO_NODE)
			return NO_NODE;
		*at = node;
	}
	tree->recent[symbol % TREE_RECENT].parent = parent;
	tree->recent[symbol % TREE_RECENT].node = *at;
	return *at;
}
