#include "lists.h"

#include "core/metrics/rows/tracing_cost.h"
#include "core/trace/calls.h"
#include "core/trace/far.h"

static const struct process *process(const struct processes_list *l, uint32_t row)
{
	return &l->trace->processes[row];
}

/* Without records there is no time. */
static struct cell if_any(const struct processes_list *l, uint32_t row, double seconds)
{
	return process(l, row)->records ? cell_real(seconds) : cell_empty();
}

static struct cell spent(const struct processes_list *l, uint32_t row, enum time_kind kind)
{
	/* Without calls nothing is known of what a process did. */
	if (!trace_has_calls(l->trace))
		return cell_empty();
	return if_any(l, row, process(l, row)->by_kind[kind]);
}

#define LIST processes
#define LIST_NAME "processes"
#define LIST_OF struct processes_list
#define LIST_DEF "core/lists/list_processes.def"
#include "core/table/list.inc"

_Static_assert(PROCESS_TRACER - PROCESS_COMPUTE + 1 == TIME_KINDS, "a column for each kind of time");
