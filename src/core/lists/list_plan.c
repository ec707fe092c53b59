#include "lists.h"

static const struct plan_candidate *candidate(const struct plan *p, uint32_t row)
{
	return &p->candidate[row];
}

#define LIST plan
#define LIST_NAME "plan"
#define LIST_OF struct plan
#define LIST_DEF "core/lists/list_plan.def"
#include "core/table/list.inc"
