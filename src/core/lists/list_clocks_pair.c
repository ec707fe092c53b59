#include "list_clocks_pair.h"

static const struct pair_violations *pair(const struct clocks_list *l, uint32_t row)
{
	return &l->report->violations->pair[row];
}

#define LIST_DEF "list_clocks_pair.def"
#define LIST_STRUCT struct clocks_list
#include "column_table.h"

const struct list_table clocks_pairs_columns = {"clocks-pairs", columns, CLOCKS_PAIR_COLUMNS};
