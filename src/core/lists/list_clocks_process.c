#include "list_clocks_process.h"

#include "core/io/out.h"

static const struct process_violations *found(const struct clocks_list *l, uint32_t row)
{
	return &l->report->violations->process[row];
}

static uint32_t last(const struct clocks_list *l)
{
	return l->report->bounds->borders - 1;
}

static struct cell rate(const struct clocks_list *l, uint32_t row, const double *of)
{
	return clock_report_has_clock(l->report, row) && isfinite(of[row]) ? cell_real(of[row]) : cell_empty();
}

static struct cell shifts(const struct clocks_list *l, uint32_t row)
{
	const struct clock_times *t = &l->report->times;

	if (t->first_step[row] == t->first_step[row + 1])
		return cell_empty();
	l->shifts->len = 0;
	for (uint32_t i = t->first_step[row]; i < t->first_step[row + 1]; i++) {
		if (i > t->first_step[row])
			out_str(l->shifts, " ");
		out_double(l->shifts, t->steps[i].shift);
	}
	return cell_text(l->shifts->text); /* the caller sees whether that failed */
}

#define LIST clocks_processes
#define LIST_NAME "clocks-processes"
#define LIST_OF struct clocks_list
#define LIST_DEF "core/lists/list_clocks_process.def"
#include "core/table/list.inc"
