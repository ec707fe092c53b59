#include "list_plan.h"

static const struct plan_candidate *candidate(const struct plan *p, uint32_t row)
{
	return &p->candidate[row];
}

#define LIST_DEF "list_plan.def"
#define LIST_STRUCT struct plan
#include "column_table.h"

const struct list_table plan_columns = {"plan", columns, PLAN_COLUMNS};
