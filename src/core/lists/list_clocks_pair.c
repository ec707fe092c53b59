#include "list_clocks_pair.h"

static const struct pair_violations *pair(const struct clocks_list *l, uint32_t row)
{
	return &l->report->violations->pair[row];
}

#define LIST clocks_pairs
#define LIST_NAME "clocks-pairs"
#define LIST_OF struct clocks_list
#define LIST_DEF "core/lists/list_clocks_pair.def"
#include "core/table/list.inc"
