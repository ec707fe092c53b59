#include "list_clocks_time.h"

static const struct bin_violations *bin(const struct clocks_list *l, uint32_t row)
{
	return &l->report->violations->bin[row];
}

#define COLUMN(id, name, title, unit, kind, in, help, value) \
	static struct cell value_of_##id(const void *list, uint32_t row) \
	{ \
		const struct clocks_list *l = list; \
 \
		return value; \
	}
#include "list_clocks_time.def"

static const struct list_column columns[] = {
#define COLUMN(id, name, title, unit, kind, in, help, value) {name, title, unit, COLUMN_##kind, in, help, value_of_##id},
#include "list_clocks_time.def"
};

const struct list_table clocks_times_columns = {"clocks-times", columns, CLOCKS_TIME_COLUMNS};
