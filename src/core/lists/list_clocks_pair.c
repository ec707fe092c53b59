#include "list_clocks_pair.h"

static const struct pair_violations *pair(const struct clocks_list *l, uint32_t row)
{
	return &l->report->violations->pair[row];
}

#define COLUMN(...) COLUMN_VALUE(struct clocks_list, __VA_ARGS__)
#include "list_clocks_pair.def"

static const struct list_column columns[] = {
#define COLUMN COLUMN_ROW
#include "list_clocks_pair.def"
};

const struct list_table clocks_pairs_columns = {"clocks-pairs", columns, CLOCKS_PAIR_COLUMNS};
