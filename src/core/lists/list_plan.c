#include "list_plan.h"

static const struct plan_candidate *of(const struct plan *p, uint32_t row)
{
	return &p->candidate[row];
}

#define COLUMN(id, name, title, unit, kind, in, help, value) \
	static struct cell value_of_##id(const void *list, uint32_t row) \
	{ \
		const struct plan *l = list; \
 \
		return value; \
	}
#include "list_plan.def"

static const struct list_column columns[] = {
#define COLUMN(id, name, title, unit, kind, in, help, value) \
	{name, title, unit, COLUMN_##kind, in, help, value_of_##id},
#include "list_plan.def"
};

const struct list_table plan_columns = {"plan", columns, PLAN_COLUMNS};
