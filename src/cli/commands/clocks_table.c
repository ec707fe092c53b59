#include "clocks_table.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cli/plural.h"
#include "core/base/number.h"
#include "core/base/unit.h"
#include "core/table/rows.h"

#define CELLS 12
#define CELL 64
#define DIGITS 9 /* behind the point at most: a nanosecond of a second */

struct shown {
	const struct clock_report *report;
	enum clocks_by by;
	bool hosts;              /* there are several */
	double unit;             /* s: of the offsets */
	int decimals;
	struct column_look columns[CELLS];
	char title[CELLS][32];
	char text[CELLS][CELL];
	size_t count, at;
};

static const char *const nothing = "-";

/* ---- sentences ---- */

static const char *time_text(char buf[UNIT_TEXT], double s)
{
	return s == 0 ? strcpy(buf, "0") : unit_measured(buf, s, UNIT_MICROSECONDS);
}

static void counts(struct out *o, const struct violation_count *c, const char *what)
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
			snprintf(text, size, "%" PRIu32 " components: nothing connects them, and each has offsets against its own lowest rank",
				 b->components);
		else if (*i == 1 && b->forced)
			snprintf(text, size, "%" PRIu32 " forced pair%s: no line fits, and bounds hold to within %s", b->forced,
				 plural(b->forced), time_text(misfit, b->misfit));
		else if (*i == 2 && b->barriers)
			snprintf(text, size, "of the collectives only barriers are trusted: with the others no line fits");
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
		snprintf(text, size, "nothing to correct: the trace was written with the times that it has");
		return;
	}
	if (f->steps & TRACE_CLOCKS_LINEAR)
		snprintf(after, sizeof after, "; linear left %s violation%s", unit_count(linear, f->violations_after_linear),
			 plural(f->violations_after_linear));
	snprintf(text, size, "corrected: %s; %s record%s moved, by %s at most%s", trace_clocks_name(f->steps), unit_count(moved, f->moved),
		 plural(f->moved), time_text(largest, f->largest), after);
}

bool clocks_correction(const struct clock_report *r, unsigned *i, char *text, size_t size)
{
	const struct clock_correct_figures *f = &r->correction;
	char worst[UNIT_TEXT], n[UNIT_TEXT];

	for (; r->corrected && *i < 5; ++*i) {
		if (*i == 0 && r->trace->clocks)
			snprintf(text, size, "the trace had been corrected before: %s", trace_clocks_name(r->trace->clocks));
		else if (*i == 1)
			say_method(f, text, size);
		else if (*i == 2 && f->abrupt)
			snprintf(text, size, "%s abrupt interval%s: longer than amortising allows by %s at most", unit_count(n, f->abrupt),
				 plural(f->abrupt), time_text(worst, f->abrupt_worst));
		else if (*i == 3 && f->broken)
			snprintf(text, size, "%s relation%s left out: events wait for each other in a cycle", unit_count(n, f->broken),
				 plural(f->broken));
		else if (*i == 4 && f->left)
			snprintf(text, size, "%s violation%s left", unit_count(n, f->left), plural(f->left));
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

	counts(o, &r->violations->messages, "message");
	if (b->windows != 1)
		out_printf(o, "; %" PRIu32 " window%s", b->windows, plural(b->windows));
	if (!isnan(clock_report_misfit(r)))
		out_printf(o, "%s misfit %s", b->windows != 1 ? "," : ";", time_text(misfit, clock_report_misfit(r)));
	out_str(o, "\n");
	if (r->violations->collective.all) {
		counts(o, &r->violations->collective, "collective end");
		out_str(o, "\n");
	}
	while (clocks_warning(r, &i, text, sizeof text))
		out_printf(o, "%s\n", text);
	i = 0;
	while (clocks_correction(r, &i, text, sizeof text))
		out_printf(o, "%s\n", text);
	out_str(o, "\n");
}

/* ---- cells ---- */

static void put(struct shown *s, const char *text)
{
	snprintf(s->text[s->at++], CELL, "%s", text);
}

static void put_whole(struct shown *s, uint64_t n)
{
	char text[NUMBER_TEXT];

	number_whole(n, text);
	put(s, text);
}

static void put_count(struct shown *s, uint64_t n)
{
	char text[UNIT_TEXT];

	put(s, unit_count(text, n));
}

static void put_fixed(struct shown *s, double v, int decimals)
{
	char text[CELL];

	if (isnan(v)) {
		put(s, nothing);
		return;
	}
	if (fabs(v) < pow(10, -decimals) / 2) /* no "-0.0" */
		v = 0;
	number_fixed(v, decimals, text, sizeof text);
	put(s, text);
}

static void put_us(struct shown *s, double v)
{
	put_fixed(s, v * 1e6, 3);
}

/* ---- columns ---- */

static void column(struct shown *s, const char *title, enum look_align align)
{
	snprintf(s->title[s->count], sizeof s->title[0], "%s", title);
	s->columns[s->count] = (struct column_look){s->title[s->count], s->title[s->count], align, .decimals = 0};
	s->count++;
}

/* The last one gives way where there is little room. */
static void yields(struct shown *s, unsigned char rank)
{
	s->columns[s->count - 1].priority = rank;
}

static const char *unit_name(double unit)
{
	return unit >= 1 ? "s" : unit >= 1e-3 ? "ms" : "us";
}

static void column_offset(struct shown *s, const char *title)
{
	char text[32];

	snprintf(text, sizeof text, "%s [%s]", title, unit_name(s->unit));
	column(s, text, LOOK_RIGHT);
	column(s, "+-", LOOK_RIGHT);
}

/* How far the truth may be from the estimate. NAN: nobody knows. */
static double uncertainty(const struct clock_report *r, uint32_t process, uint32_t border)
{
	double offset = clock_report_offset(r, process, border), low = clock_report_low(r, process, border);
	double high = clock_report_high(r, process, border);

	return isnan(offset) || isnan(low) || isnan(high) ? (double)NAN : fmax(high - offset, offset - low);
}

/* A unit for the largest offset, and as many digits as the surest one deserves. */
static void find_unit(struct shown *s)
{
	const struct clock_report *r = s->report;
	double largest = 0, surest = INFINITY;

	for (uint32_t p = 0; p < r->trace->process_count; p++)
		for (uint32_t k = 0; k < r->bounds->borders; k += r->bounds->borders - 1) {
			double width = uncertainty(r, p, k);

			largest = fmax(largest, fabs(clock_report_offset(r, p, k)));
			if (width > 0)
				surest = fmin(surest, width);
		}
	s->unit = largest >= 10 ? 1 : largest >= 10e-3 ? 1e-3 : 1e-6;
	s->decimals = isfinite(surest) ? (int)ceil(1 - log10(surest / s->unit)) : 1;
	s->decimals = s->decimals < 0 ? 0 : s->decimals > DIGITS ? DIGITS : s->decimals;
	if (s->unit < 1e-3 && s->decimals > 3)
		s->decimals = 3;
}

static bool several_hosts(const struct trace *t)
{
	for (uint32_t p = 1; p < t->process_count; p++)
		if (t->processes[p].host && t->processes[0].host && strcmp(t->processes[p].host, t->processes[0].host) != 0)
			return true;
	return false;
}

static void begin(struct shown *s)
{
	if (s->by == CLOCKS_BY_PROCESS) {
		find_unit(s);
		s->hosts = several_hosts(s->report->trace);
		column(s, "rank", LOOK_RIGHT);
		if (s->hosts) {
			column(s, "host", LOOK_LEFT);
			yields(s, 3);
		}
		if (s->report->bounds->components > 1)
			column(s, "component", LOOK_RIGHT);
		column_offset(s, "start");
		column_offset(s, "end");
		column(s, "rate [ppm]", LOOK_RIGHT);
		yields(s, 2);
	} else if (s->by == CLOCKS_BY_PAIR) {
		column(s, "from", LOOK_RIGHT);
		column(s, "to", LOOK_RIGHT);
		column(s, "messages", LOOK_RIGHT);
	} else {
		column(s, "start [s]", LOOK_RIGHT);
		column(s, "end [s]", LOOK_RIGHT);
		column(s, "messages", LOOK_RIGHT);
	}
	column(s, "violations", LOOK_RIGHT);
	column(s, "worst [us]", LOOK_RIGHT);
	if (s->by == CLOCKS_BY_PAIR) {
		column(s, "median [us]", LOOK_RIGHT);
		column(s, "gap [us]", LOOK_RIGHT);
	}
}

/* ---- rows ---- */

static void put_offset(struct shown *s, uint32_t process, uint32_t border)
{
	put_fixed(s, clock_report_offset(s->report, process, border) / s->unit, s->decimals);
	put_fixed(s, uncertainty(s->report, process, border) / s->unit, s->decimals);
}

static void process_row(struct shown *s, uint32_t process)
{
	const struct clock_report *r = s->report;
	const struct process_violations *v = &r->violations->process[process];

	put_whole(s, process);
	if (s->hosts)
		put(s, r->trace->processes[process].host ? r->trace->processes[process].host : nothing);
	if (r->bounds->components > 1)
		put_whole(s, r->bounds->component[process]);
	put_offset(s, process, 0);
	put_offset(s, process, r->bounds->borders - 1);
	put_fixed(s, clock_report_has_clock(r, process) ? r->bounds->rate[process] * 1e6 : (double)NAN, 3);
	put_count(s, v->sent.violated + v->received.violated + v->collective.violated);
	put_us(s, clock_report_worst(r, process));
}

static void pair_row(struct shown *s, uint32_t k)
{
	const struct pair_violations *pair = &s->report->violations->pair[k];

	put_whole(s, pair->from);
	put_whole(s, pair->to);
	put_count(s, pair->messages.all);
	put_count(s, pair->messages.violated);
	put_us(s, pair->messages.worst);
	put_us(s, pair->median);
	put_us(s, s->report->gap[k]);
}

static void time_row(struct shown *s, uint32_t k)
{
	const struct bin_violations *bin = &s->report->violations->bin[k];

	put_fixed(s, bin->start, 6);
	put_fixed(s, bin->end, 6);
	put_count(s, bin->messages.all);
	put_count(s, bin->messages.violated);
	put_us(s, bin->messages.worst);
}

static enum err_code row(void *arg, uint64_t i, struct cell *cells, bool *keep, struct err *e)
{
	struct shown *s = arg;

	(void)keep;
	(void)e;
	s->at = 0;
	if (s->by == CLOCKS_BY_PROCESS)
		process_row(s, (uint32_t)i);
	else if (s->by == CLOCKS_BY_PAIR)
		pair_row(s, (uint32_t)i);
	else
		time_row(s, (uint32_t)i);
	for (size_t k = 0; k < s->at; k++)
		cells[k] = cell_text(s->text[k]);
	return ERR_OK;
}

enum err_code clocks_table(struct sink *to, const struct clock_report *r, enum clocks_by by, const struct job *job, struct err *e)
{
	struct shown s = {.report = r, .by = by};
	const struct rows_sink sink = rows_to_out(&to->out);
	struct rows rows = {.columns = s.columns, .row = row, .arg = &s};
	size_t from = to->out.len;

	sentences(&to->out, r);
	sink_fit(to, from, 2);
	begin(&s);
	rows.column_count = s.count;
	rows.row_count = by == CLOCKS_BY_PROCESS ? r->trace->process_count
		       : by == CLOCKS_BY_PAIR ? r->violations->pair_count : r->violations->bin_count;
	return rows_write(&rows, ROWS_TABLE, TEXT_ASCII, sink_width(to), &sink, job, e);
}
