#include "list_plan.h"

static const struct plan_candidate *candidate(const struct plan *p, uint32_t row)
{
	return &p->candidate[row];
}

#define COLUMN(...) COLUMN_VALUE(struct plan, __VA_ARGS__)
#include "list_plan.def"

static const struct list_column columns[] = {
#define COLUMN COLUMN_ROW
#include "list_plan.def"
};

const struct list_table plan_columns = {"plan", columns, PLAN_COLUMNS};
