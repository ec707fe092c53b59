#include "list_clocks_time.h"

static const struct bin_violations *bin(const struct clocks_list *l, uint32_t row)
{
	return &l->report->violations->bin[row];
}

#define LIST_DEF "list_clocks_time.def"
#define LIST_STRUCT struct clocks_list
#include "column_table.h"

const struct list_table clocks_times_columns = {"clocks-times", columns, CLOCKS_TIME_COLUMNS};
