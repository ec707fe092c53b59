#include "list_metrics_run.h"

static const struct metrics_run_figures *run(const struct metrics_runs_list *l, uint32_t row)
{
	return &l->run[row];
}

static const struct run_metrics *metrics(const struct metrics_runs_list *l, uint32_t row)
{
	return run(l, row)->metrics;
}

static const struct account *account(const struct metrics_runs_list *l, uint32_t row)
{
	return metrics(l, row)->has_account ? &metrics(l, row)->account : NULL;
}

static double whole_time(const struct metrics_runs_list *l, uint32_t row)
{
	return metrics(l, row)->time;
}

static struct cell spent(const struct metrics_runs_list *l, uint32_t row, enum account_kind k)
{
	return metrics_spent(account(l, row), k);
}

static struct cell summed(const struct metrics_runs_list *l, uint32_t row, double (*sum)(const struct account *))
{
	return metrics_summed(account(l, row), sum);
}

static double overlap(const struct metrics_runs_list *l, uint32_t row)
{
	const struct account *a = account(l, row);

	return a ? account_overlap(a, metrics(l, row)->known) : (double)NAN;
}

static struct cell reason(const struct metrics_runs_list *l, uint32_t row, enum wait_reason r)
{
	const struct account *a = account(l, row);

	return a ? cell_real(a->by_reason[r]) : cell_empty();
}

/* Of no message it is known: then nor is the sum. */
static struct cell bytes_known(const struct run_metrics *m)
{
	return m->messages && m->unknown_sizes == m->messages ? cell_empty() : cell_whole(m->bytes);
}

#define factor(l, row, which) cell_figure(metrics(l, row)->factors.which)

#define COLUMN(...) COLUMN_VALUE(struct metrics_runs_list, __VA_ARGS__)
#include "list_metrics_run.def"

static const struct list_column columns[] = {
#define COLUMN COLUMN_ROW
#include "list_metrics_run.def"
};

const struct list_table metrics_runs_columns = {"metrics", columns, METRICS_RUN_COLUMNS};

_Static_assert(METRICS_RUN_TRACER - METRICS_RUN_USEFUL + 1 == ACCOUNT_KINDS, "a column for each kind of time");
_Static_assert(METRICS_RUN_COLUMNS <= LIST_COLUMNS, "room for every column");
