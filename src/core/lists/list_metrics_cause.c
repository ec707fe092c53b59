#include "list_metrics_cause.h"

#include <stdlib.h>

#include "core/base/mem.h"
#include "list_metrics_phase.h"

#define COLUMN(...) COLUMN_VALUE(struct metrics_causes_list, __VA_ARGS__)
#include "list_metrics_cause.def"

static const struct list_column columns[] = {
#define COLUMN COLUMN_ROW
#include "list_metrics_cause.def"
};

const struct list_table metrics_causes_columns = {"causes", columns, METRICS_CAUSE_COLUMNS};

/* Ties in the order of the causes: by process, node, phase. */
static int most_waiting(const void *a, const void *b)
{
	const struct metrics_cause *x = a, *y = b;

	if (x->waiting != y->waiting)
		return x->waiting < y->waiting ? 1 : -1;
	if (x->cause != y->cause)
		return x->cause < y->cause ? -1 : 1;
	return x->in_calls - y->in_calls;
}

enum err_code metrics_causes_init(struct metrics_causes_list *l, const struct causes *causes, const struct call_log *log, char *path,
				  struct err *e)
{
	*l = (struct metrics_causes_list){.causes = causes, .log = log, .path = path};
	l->row = mem_alloc(2 * (size_t)causes->count, sizeof *l->row);
	if (!l->row)
		return err_memory(e, "the causes");
	for (uint32_t i = 0; i < causes->count; i++) {
		const struct cause *c = &causes->list[i];

		if (c->useful > 0)
			l->row[l->count++] = (struct metrics_cause){c, false, c->useful};
		if (c->in_calls > 0)
			l->row[l->count++] = (struct metrics_cause){c, true, c->in_calls};
	}
	qsort(l->row, l->count, sizeof *l->row, most_waiting);
	return ERR_OK;
}

void metrics_causes_release(struct metrics_causes_list *l)
{
	mem_free(l->row);
	*l = (struct metrics_causes_list){0};
}
