#include "list_clocks_time.h"

static const struct bin_violations *bin(const struct clocks_list *l, uint32_t row)
{
	return &l->report->violations->bin[row];
}

#define LIST clocks_times
#define LIST_NAME "clocks-times"
#define LIST_OF struct clocks_list
#define LIST_DEF "core/lists/list_clocks_time.def"
#include "core/table/list.inc"
