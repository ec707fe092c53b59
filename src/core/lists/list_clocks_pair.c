#include "list_clocks_pair.h"

static const struct pair_violations *pair(const struct clocks_list *l, uint32_t row)
{
	return &l->report->violations->pair[row];
}

#define COLUMN(id, name, title, unit, kind, in, help, value) \
	static struct cell value_of_##id(const void *list, uint32_t row) \
	{ \
		const struct clocks_list *l = list; \
 \
		return value; \
	}
#include "list_clocks_pair.def"

static const struct list_column columns[] = {
#define COLUMN(id, name, title, unit, kind, in, help, value) {name, title, unit, COLUMN_##kind, in, help, value_of_##id},
#include "list_clocks_pair.def"
};

const struct list_table clocks_pairs_columns = {"clocks-pairs", columns, CLOCKS_PAIR_COLUMNS};
