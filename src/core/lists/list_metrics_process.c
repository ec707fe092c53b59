#include "list_metrics_process.h"

static const struct process_row *found(const struct metrics_processes_list *l, uint32_t row)
{
	return &l->rows->row[row];
}

static const struct account *account(const struct metrics_processes_list *l, uint32_t row)
{
	return l->metrics->has_account ? &found(l, row)->account : NULL;
}

static double whole_time(const struct metrics_processes_list *l, uint32_t row)
{
	return found(l, row)->time;
}

static struct cell spent(const struct metrics_processes_list *l, uint32_t row, enum account_kind k)
{
	return metrics_spent(account(l, row), k);
}

static struct cell summed(const struct metrics_processes_list *l, uint32_t row, double (*sum)(const struct account *))
{
	return metrics_summed(account(l, row), sum);
}

static double overlap(const struct metrics_processes_list *l, uint32_t row)
{
	const struct account *a = account(l, row);

	return a ? account_overlap(a, found(l, row)->known) : (double)NAN;
}

static const struct process *in_trace(const struct metrics_processes_list *l, uint32_t row)
{
	return &l->metrics->log->trace->processes[found(l, row)->process];
}

/* Of a process without records nothing is known. */
static bool is_there(const struct metrics_processes_list *l, uint32_t row)
{
	return in_trace(l, row)->records > 0;
}

static const struct process_peer *peer(const struct metrics_processes_list *l, uint32_t row)
{
	return &l->peers->of[found(l, row)->process];
}

static struct cell cell_process(uint32_t process)
{
	return process == NO_PROCESS ? cell_empty() : cell_whole(process);
}

#define COLUMN(...) COLUMN_VALUE(struct metrics_processes_list, __VA_ARGS__)
#include "list_metrics_process.def"

static const struct list_column columns[] = {
#define COLUMN COLUMN_ROW
#include "list_metrics_process.def"
};

const struct list_table metrics_processes_columns = {"process-metrics", columns, METRICS_PROCESS_COLUMNS};
_Static_assert(METRICS_PROCESS_COLUMNS <= LIST_COLUMNS, "room for every column");
