#include "commands_int.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cli/plural.h"
#include "core/base/unit.h"
#include "core/lists/clocks.h"
#include "core/table/shown.h"

/* ---- sentences ---- */

static const char *time_text(char buf[UNIT_TEXT], double s)
{
	return s == 0 ? strcpy(buf, "0") : unit_time(buf, s);
}

static void violations_print_count(struct out *o, const struct violation_count *c, const char *what)
{
	char all[UNIT_TEXT], violated[UNIT_TEXT], share[UNIT_TEXT], worst[UNIT_TEXT];

	out_printf(o, "%s %s%s, %s clock violation%s", unit_count(all, c->all), what, plural(c->all), unit_count(violated, c->violated),
		   plural(c->violated));
	if (c->violated)
		out_printf(o, " (%s)", unit_share(share, (double)c->violated / (double)c->all, 1));
	if (c->all)
		out_printf(o, ", worst %s", time_text(worst, c->worst));
}

bool clocks_warning(const struct clock_report *r, unsigned *i, char *text, size_t size)
{
	const struct clock_bounds *b = r->bounds;
	char misfit[UNIT_TEXT];

	for (; *i < 3; ++*i) {
		if (*i == 0 && b->components > 1)
			snprintf(text, size, "%" PRIu32 " components without messages between them: offsets are relative to the lowest rank of each",
				 b->components);
		else if (*i == 1 && b->forced)
			snprintf(text, size, "%" PRIu32 " pair%s with contradicting bounds: the offsets are accurate to %s only", b->forced,
				 plural(b->forced), time_text(misfit, b->misfit));
		else if (*i == 2 && b->barriers)
			snprintf(text, size, "of all collectives only barriers are used: the others contradict a constant drift");
		else
			continue;
		++*i;
		return true;
	}
	return false;
}

static void say_method(const struct clock_correct_figures *f, char *text, size_t size)
{
	char largest[UNIT_TEXT], moved[UNIT_TEXT], linear[UNIT_TEXT], after[48] = "";

	if (!f->steps) {
		snprintf(text, size, "nothing to correct: the trace was written with unchanged times");
		return;
	}
	if (f->steps & TRACE_CLOCKS_LINEAR)
		snprintf(after, sizeof after, "; %s clock violation%s after the linear step", unit_count(linear, f->violations_after_linear),
			 plural(f->violations_after_linear));
	snprintf(text, size, "corrected: %s; %s record%s shifted by up to %s%s", trace_clocks_name(f->steps), unit_count(moved, f->moved),
		 plural(f->moved), time_text(largest, f->largest), after);
}

bool clocks_correction(const struct clock_report *r, unsigned *i, char *text, size_t size)
{
	const struct clock_correct_figures *f = &r->correction;
	char worst[UNIT_TEXT], n[UNIT_TEXT];

	for (; r->corrected && *i < 5; ++*i) {
		if (*i == 0 && r->trace->clocks)
			snprintf(text, size, "the trace was already corrected: %s", trace_clocks_name(r->trace->clocks));
		else if (*i == 1)
			say_method(f, text, size);
		else if (*i == 2 && f->abrupt)
			snprintf(text, size, "%s abrupt interval%s: up to %s longer than --amortise allows", unit_count(n, f->abrupt),
				 plural(f->abrupt), time_text(worst, f->abrupt_worst));
		else if (*i == 3 && f->broken)
			snprintf(text, size, "%s dependence%s dropped: events wait for each other in a cycle", unit_count(n, f->broken),
				 plural(f->broken));
		else if (*i == 4 && f->left)
			snprintf(text, size, "%s clock violation%s", unit_count(n, f->left), f->left == 1 ? " remains" : "s remain");
		else
			continue;
		++*i;
		return true;
	}
	return false;
}

static void sentences(struct out *o, const struct clock_report *r)
{
	const struct clock_bounds *b = r->bounds;
	char misfit[UNIT_TEXT], text[160];
	unsigned i = 0;

	violations_print_count(o, &r->violations->messages, "message");
	out_str(o, "\n");
	if (r->violations->collective.all) {
		violations_print_count(o, &r->violations->collective, "collective end");
		out_str(o, "\n");
	}
	if (!isnan(clock_report_misfit(r)))
		out_printf(o, "largest contradiction %s%s", time_text(misfit, clock_report_misfit(r)), b->windows != 1 ? ", " : "\n");
	if (b->windows != 1)
		out_printf(o, "%" PRIu32 " time window%s\n", b->windows, plural(b->windows));
	while (clocks_warning(r, &i, text, sizeof text))
		out_printf(o, "%s\n", text);
	i = 0;
	while (clocks_correction(r, &i, text, sizeof text))
		out_printf(o, "%s\n", text);
	out_str(o, "\n");
}

/* ---- rows ---- */

#define OF_MESSAGES(list) \
	{.id = list##_MESSAGES, .as = AS_COUNT}, {.id = list##_VIOLATIONS, .as = AS_COUNT}, \
	{.id = list##_WORST, .title = "worst [µs]", .as = AS_MICRO, .decimals = 3}

static const struct column_look of_process[] = {
	{.id = CLOCKS_PROCESS_RANK}, {.id = CLOCKS_PROCESS_HOST, .priority = 3}, {.id = CLOCKS_PROCESS_COMPONENT},
	{.id = CLOCKS_PROCESS_OFFSET_START, .title = "start", .as = AS_TIME}, {.id = CLOCKS_PROCESS_WITHIN_START, .as = AS_WITHIN},
	{.id = CLOCKS_PROCESS_OFFSET_END, .title = "end", .as = AS_TIME}, {.id = CLOCKS_PROCESS_WITHIN_END, .as = AS_WITHIN},
	{.id = CLOCKS_PROCESS_RATE, .title = "drift [ppm]", .as = AS_MICRO, .decimals = 3, .priority = 2},
	{.id = CLOCKS_PROCESS_VIOLATIONS, .as = AS_COUNT}, {.id = CLOCKS_PROCESS_WORST, .title = "worst [µs]", .as = AS_MICRO, .decimals = 3},
};
static const struct column_look of_pair[] = {
	{.id = CLOCKS_PAIR_FROM}, {.id = CLOCKS_PAIR_TO}, OF_MESSAGES(CLOCKS_PAIR),
	{.id = CLOCKS_PAIR_MEDIAN, .title = "median [µs]", .as = AS_MICRO, .decimals = 3},
	{.id = CLOCKS_PAIR_GAP, .title = "gap [µs]", .as = AS_MICRO, .decimals = 3},
};
static const struct column_look of_time[] = {
	{.id = CLOCKS_TIME_START, .title = "start [s]", .decimals = 6}, {.id = CLOCKS_TIME_END, .title = "end [s]", .decimals = 6},
	OF_MESSAGES(CLOCKS_TIME),
};

static struct shown_units units_of(const struct clocks_list *l)
{
	const struct clock_report *r = l->report;
	const struct column *within = &clocks_processes_columns.column[CLOCKS_PROCESS_WITHIN_START];
	struct shown_units units = {.bar = 0};
	double largest = 0, surest = INFINITY;

	for (uint32_t p = 0; p < r->trace->process_count; p++)
		for (uint32_t k = 0; k < r->bounds->borders; k += r->bounds->borders - 1) {
			struct cell width = within[k ? CLOCKS_PROCESS_WITHIN_END - CLOCKS_PROCESS_WITHIN_START : 0].value(l, p);

			largest = fmax(largest, fabs(clock_report_offset(r, p, k)));
			if (width.kind == CELL_REAL && width.real > 0)
				surest = fmin(surest, width.real);
		}
	shown_units_for(&units, largest, surest);
	if (units.second[0] < 1e-3 && units.decimals[0] > 3)
		units.decimals[0] = 3;
	return units;
}

static bool several_hosts(const struct trace *t)
{
	for (uint32_t p = 1; p < t->process_count; p++)
		if (t->processes[p].host && t->processes[0].host && strcmp(t->processes[p].host, t->processes[0].host) != 0)
			return true;
	return false;
}

enum err_code clocks_table(struct sink *to, const struct clock_report *r, enum clocks_by by, const struct progress *progress, struct err *e)
{
	const struct clocks_list list = {.report = r};
	const struct rows_sink sink = rows_to_out(&to->out);
	struct shown_table t = {.people = true, .list = &list};
	size_t from = to->out.len;
	enum err_code code;

	sentences(&to->out, r);
	sink_fit(to, from, 2);
	if (by == CLOCKS_BY_PROCESS) {
		t.units = units_of(&list);
		t.rows = r->trace->process_count;
		shown_looks(&t, &clocks_processes_columns, of_process, sizeof of_process / sizeof *of_process);
		if (!several_hosts(r->trace))
			shown_drop(&t, CLOCKS_PROCESS_HOST);
		if (r->bounds->components < 2)
			shown_drop(&t, CLOCKS_PROCESS_COMPONENT);
	} else if (by == CLOCKS_BY_PAIR) {
		t.rows = r->violations->pair_count;
		shown_looks(&t, &clocks_pairs_columns, of_pair, sizeof of_pair / sizeof *of_pair);
	} else {
		t.rows = r->violations->bin_count;
		shown_looks(&t, &clocks_times_columns, of_time, sizeof of_time / sizeof *of_time);
	}
	code = shown_write(&t, ROWS_TABLE, TEXT_ASCII, sink_width(to), &sink, progress, e);
	if (by == CLOCKS_BY_PROCESS)
		out_str(&to->out, "start, end: offset to add to a rank's clock at the start and end of the run\n"
				  "±: largest possible error of the offset\n");
	return code;
}

static const struct column_look of_unit[] = {
	{.id = CLOCKS_UNIT_UNIT}, {.id = CLOCKS_UNIT_HOST}, {.id = CLOCKS_UNIT_RANKS}, {.id = CLOCKS_UNIT_OFFSET, .as = AS_TIME},
	{.id = CLOCKS_UNIT_WITHIN, .as = AS_WITHIN}, {.id = CLOCKS_UNIT_RATE, .title = "drift [ppm]", .as = AS_MICRO, .decimals = 3},
	{.id = CLOCKS_UNIT_RATE_WITHIN, .as = AS_MICRO, .decimals = 3},
	{.id = CLOCKS_UNIT_HALF_TRIP, .title = "half round trip [µs]", .as = AS_MICRO, .decimals = 3},
	{.id = CLOCKS_UNIT_MEAN_TRIP, .title = "mean [µs]", .as = AS_MICRO, .decimals = 3},
	{.id = CLOCKS_UNIT_ERROR, .title = "error [µs]", .as = AS_MICRO, .decimals = 3}, {.id = CLOCKS_UNIT_AGREES},
};
static const struct column_look of_clock[] = {
	{.id = CLOCKS_LOCAL_NAME}, {.id = CLOCKS_LOCAL_RESOLUTION, .title = "resolution [ns]", .as = AS_NANO, .decimals = 1},
	{.id = CLOCKS_LOCAL_COST, .title = "cost [ns]", .as = AS_NANO, .decimals = 1},
	{.id = CLOCKS_LOCAL_COST_COLD, .title = "cold [ns]", .as = AS_NANO, .decimals = 1}, {.id = CLOCKS_LOCAL_COST_CYCLES},
};

static struct shown_units measured_units(const struct clock_measured *m)
{
	struct shown_units units = {.bar = 0};
	double largest = 0, surest = INFINITY;

	for (uint32_t i = 1; i < m->unit_count; i++) {
		double width = clocks_units_columns.column[CLOCKS_UNIT_WITHIN].value(m, i).real;

		largest = fmax(largest, fabs(m->unit[i].offset));
		if (width > 0)
			surest = fmin(surest, width);
	}
	shown_units_for(&units, largest, surest);
	return units;
}

static void measured_sentences(struct out *o, const struct clock_measured *m)
{
	char text[UNIT_TEXT];

	out_printf(o, "%u unit%s, clock %s, schedule %s: %u samples of %u exchanges in %s\n", m->unit_count, plural(m->unit_count), m->clock,
		   m->schedule, m->samples, m->exchanges, unit_time(text, m->seconds));
	if (m->unit_count == 1)
		out_str(o, "all processes share one clock\n");
	else
		out_printf(o, "verification: %s, largest error %s\n", m->verified ? "all agree" : "not all agree",
			   isfinite(m->error_maximum) ? unit_time(text, m->error_maximum) : "unknown");
	if (m->misfit > 0)
		out_printf(o, "contradicting bounds in %u time window%s, by up to %s\n", m->windows, plural(m->windows),
			   unit_time(text, m->misfit));
	out_str(o, "\n");
}

enum err_code clocks_measured_table(struct out *o, const struct clock_measured *m, const struct progress *progress, struct err *e)
{
	struct shown_table units = {.people = true, .list = m, .rows = m->unit_count, .units = measured_units(m)};
	struct shown_table clocks = {.people = true, .list = &m->unit[0], .rows = m->unit[0].local_count};
	const struct rows_sink sink = rows_to_out(o);
	enum err_code code;

	shown_looks(&units, &clocks_units_columns, of_unit, sizeof of_unit / sizeof *of_unit);
	shown_looks(&clocks, &clocks_locals_columns, of_clock, sizeof of_clock / sizeof *of_clock);
	measured_sentences(o, m);
	code = shown_write(&units, ROWS_TABLE, TEXT_ASCII, 0, &sink, progress, e);
	out_str(o, "\n");
	return code ? code : shown_write(&clocks, ROWS_TABLE, TEXT_ASCII, 0, &sink, progress, e);
}
