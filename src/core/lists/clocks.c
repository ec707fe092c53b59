#include "clocks.h"

#include <math.h>
#include <string.h>

#include "core/io/out.h"

/* Half of a range about what is in it: how far the truth may be from the estimate. */
static struct cell within(double middle, double low, double high)
{
	return isfinite(middle) && isfinite(low) && isfinite(high) ? cell_real(fmax(high - middle, middle - low)) : cell_empty();
}

/* ---- processes ---- */

static struct cell offset_within(const struct clocks_list *l, uint32_t row, uint32_t border)
{
	return within(clock_report_offset(l->report, row, border), clock_report_low(l->report, row, border),
		      clock_report_high(l->report, row, border));
}

static const struct process_violations *violations_of(const struct clocks_list *l, uint32_t row)
{
	return &l->report->violations->process[row];
}

static uint32_t last_border(const struct clocks_list *l)
{
	return l->report->bounds->borders - 1;
}

static struct cell clock_rate_cell(const struct clocks_list *l, uint32_t row, const double *of)
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
#define LIST_DEF "core/lists/clocks_process.def"
#include "core/table/list.inc"

/* ---- pairs, and parts of the run ---- */

static const struct pair_violations *clock_pair_row(const struct clocks_list *l, uint32_t row)
{
	return &l->report->violations->pair[row];
}

#define LIST clocks_pairs
#define LIST_NAME "clocks-pairs"
#define LIST_OF struct clocks_list
#define LIST_DEF "core/lists/clocks_pair.def"
#include "core/table/list.inc"

static const struct bin_violations *clock_bin_row(const struct clocks_list *l, uint32_t row)
{
	return &l->report->violations->bin[row];
}

#define LIST clocks_times
#define LIST_NAME "clocks-times"
#define LIST_OF struct clocks_list
#define LIST_DEF "core/lists/clocks_time.def"
#include "core/table/list.inc"

/* ---- units, and what reading their clocks takes ---- */

static struct cell known(double v)
{
	return isfinite(v) ? cell_real(v) : cell_empty();
}

/* The unit's look at the clock that was measured. */
static const struct clock_local *local(const struct clock_measured *m, uint32_t row)
{
	static const struct clock_local none = {"", NAN, NAN, NAN};
	const struct clock_unit *unit = &m->unit[row];
	const char *name = !strcmp(m->clock, "tsc") ? "tsc" : !strcmp(m->clock, "mpi") ? "MPI_Wtime" : "clock_gettime";

	for (uint32_t i = 0; i < unit->local_count; i++)
		if (strcmp(unit->local[i].name, name) == 0)
			return &unit->local[i];
	return &none;
}

/* To its parent; the reference has none. */
static struct cell link_time(const struct clock_measured *m, uint32_t row, bool mean)
{
	return row ? known(mean ? m->link[row - 1].mean : m->link[row - 1].minimum) : cell_empty();
}

#define LIST clocks_units
#define LIST_NAME "clocks-units"
#define LIST_OF struct clock_measured
#define LIST_DEF "core/lists/clocks_unit.def"
#include "core/table/list.inc"

#define LIST clocks_locals
#define LIST_NAME "clocks"
#define LIST_OF struct clock_unit
#define LIST_DEF "core/lists/clocks_local.def"
#include "core/table/list.inc"
