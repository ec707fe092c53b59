#include "list_clocks_time.h"

static const struct bin_violations *bin(const struct clocks_list *l, uint32_t row)
{
	return &l->report->violations->bin[row];
}

#define COLUMN(...) COLUMN_VALUE(struct clocks_list, __VA_ARGS__)
#include "list_clocks_time.def"

static const struct list_column columns[] = {
#define COLUMN COLUMN_ROW
#include "list_clocks_time.def"
};

const struct list_table clocks_times_columns = {"clocks-times", columns, CLOCKS_TIME_COLUMNS};
