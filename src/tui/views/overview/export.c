/* The facts of the page as a table: a name and a number each, as files want them. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "overview_int.h"

static const struct column_look columns[] = {{"fact", "fact", .align = LOOK_LEFT}, {"value", "value", .align = LOOK_RIGHT}};
static const struct row_source rows = {columns, sizeof columns / sizeof *columns, NULL, NULL, NULL};

enum fact {
	FACT_RUNTIME, FACT_COMPUTE, FACT_WAITING, FACT_MOVING, FACT_NOT_ANALYSED, FACT_OTHER, FACT_EFFICIENCY, FACT_BALANCE, FACT_COMMUNICATION,
	FACT_SERIALISATION, FACT_TRANSFER, FACT_PHASES, FACT_RELEVANT, FACT_COVERAGE, FACT_PETE, FACT_ITERATIONS, FACT_MEAN, FACT_DEVIATION,
	FACT_OUTLIERS, FACT_WAITED, FACT_LONGEST, FACT_LONGEST_PROCESS, FACT_LONGEST_OTHER, FACT_CAUSE, FACT_CAUSED, FACT_SLOWEST, FACT_SLOWEST_BY, FACT_HEAVY_FROM,
	FACT_HEAVY_TO, FACT_HEAVY_BYTES, FACT_WINDOWS, FACT_COST, FACT_EXPECTED, FACT_WARNINGS, FACTS
};

static const char *const names[FACTS] = {
	"runtime", "compute", "waiting", "moving_data", "not_analysed", "other", "parallel_efficiency", "load_balance", "communication_efficiency",
	"serialisation_efficiency", "transfer_efficiency", "phases", "relevant", "coverage", "pete", "iterations", "iteration_mean",
	"iteration_deviation", "iteration_outliers", "waited", "longest_wait", "longest_wait_process", "longest_wait_for", "cause", "caused", "slowest",
	"slowest_by", "heaviest_from", "heaviest_to", "heaviest_bytes", "windows", "signature_cost", "expected_error", "warnings",
};

static double rank_or_none(uint32_t p)
{
	return p == NO_PROCESS ? (double)NAN : p;
}

static double overview_fact_value(const struct overview *o, enum fact f)
{
	const struct main_loop *m = o->iterations ? &o->of.structure->main : NULL;
	bool phases = o->of.analysis != NULL;

	switch (f) {
	case FACT_RUNTIME: return o->runtime;
	case FACT_COMPUTE: return o->account.compute;
	case FACT_WAITING: return o->account.waiting;
	case FACT_MOVING: return o->account.moving;
	case FACT_NOT_ANALYSED: return o->account.not_analysed;
	case FACT_OTHER: return o->account.other;
	case FACT_EFFICIENCY: return o->factors.parallel_efficiency;
	case FACT_BALANCE: return o->factors.load_balance;
	case FACT_COMMUNICATION: return o->factors.communication_efficiency;
	case FACT_SERIALISATION: return o->factors.serialisation_efficiency;
	case FACT_TRANSFER: return o->factors.transfer_efficiency;
	case FACT_PHASES: return phases ? o->phases : (double)NAN;
	case FACT_RELEVANT: return phases ? o->relevant : (double)NAN;
	case FACT_COVERAGE: return o->coverage;
	case FACT_PETE: return o->pete;
	case FACT_ITERATIONS: return o->of.structure ? o->iterations : (double)NAN;
	case FACT_MEAN: return m ? m->mean : (double)NAN;
	case FACT_DEVIATION: return m ? m->deviation : (double)NAN;
	case FACT_OUTLIERS: return m ? m->outlier_count : (double)NAN;
	case FACT_WAITED: return o->waited;
	case FACT_LONGEST: return o->longest ? o->longest->seconds : (double)NAN;
	case FACT_LONGEST_PROCESS: return o->longest ? rank_or_none(o->longest->process) : (double)NAN;
	case FACT_LONGEST_OTHER: return o->longest ? rank_or_none(o->longest->other) : (double)NAN;
	case FACT_CAUSE: return rank_or_none(o->cause.process);
	case FACT_CAUSED: return o->cause.process == NO_PROCESS ? (double)NAN : culprit_seconds(&o->cause);
	case FACT_SLOWEST: return rank_or_none(o->slowest);
	case FACT_SLOWEST_BY: return o->slowest_by;
	case FACT_HEAVY_FROM: return rank_or_none(o->heavy_from);
	case FACT_HEAVY_TO: return rank_or_none(o->heavy_to);
	case FACT_HEAVY_BYTES: return o->heavy_from == NO_PROCESS ? (double)NAN : (double)o->heavy_bytes;
	case FACT_WINDOWS: return o->signature ? o->windows : (double)NAN;
	case FACT_COST: return o->cost_share;
	case FACT_EXPECTED: return o->expected;
	case FACT_WARNINGS: return (double)(o->notes.warnings + o->notes.damage);
	default: return (double)NAN;
	}
}

static bool fact_is_whole(enum fact f)
{
	switch (f) {
	case FACT_PHASES:
	case FACT_RELEVANT:
	case FACT_ITERATIONS:
	case FACT_OUTLIERS:
	case FACT_LONGEST_PROCESS:
	case FACT_LONGEST_OTHER:
	case FACT_CAUSE:
	case FACT_SLOWEST:
	case FACT_HEAVY_FROM:
	case FACT_HEAVY_TO:
	case FACT_HEAVY_BYTES:
	case FACT_WINDOWS:
	case FACT_WARNINGS: return true;
	default: return false;
	}
}

static bool overview_fact_cell(const struct view *v, uint32_t row, int column, struct cell *c, char text[VALUE_TEXT])
{
	const struct overview_view *s = (const struct overview_view *)v;
	double x = s->known ? overview_fact_value(&s->facts, (enum fact)row) : (double)NAN;

	(void)text;
	*c = column == 0 ? cell_text(names[row]) : !isnan(x) && fact_is_whole((enum fact)row) ? cell_whole((uint64_t)x) : cell_figure(x);
	return true;
}

bool overview_table(struct view *v, bool all, struct view_table *t)
{
	(void)v;
	(void)all;
	*t = (struct view_table){"the overview", &rows, overview_fact_cell, FACTS, NULL, .shown = NULL};
	return true;
}
