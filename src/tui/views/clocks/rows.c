/* The rows of processes and of pairs, and the bars: every process's bounds on one axis, so that it is seen which
 * exclude each other. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "clocks_int.h"
#include "core/lists/clocks.h"

#define BAR_LEAST 9
#define BAR_MOST 40   /* a field's text holds so many */
#define OTHERS 67     /* columns that the others want beside it */

/* Drawn by this view alone. */
enum { OWN_NAME = 1000, OWN_UNCERTAINTY, OWN_BAR, OWN_RATE, OWN_VIOLATIONS, OWN_FROM, OWN_TO };

static const struct column_look process_columns[] = {
	{"process", "rank", .width = 7, .id = OWN_NAME}, {NULL, "offset", LOOK_RIGHT, .width = 9, .id = CLOCKS_PROCESS_OFFSET_START},
	{"uncertainty", "± max", LOOK_RIGHT, .width = 8, .priority = 3, .id = OWN_UNCERTAINTY}, {"bounds", "bounds", .width = BAR_LEAST, .priority = 2, .id = OWN_BAR},
	{"rate", "drift ppm", LOOK_RIGHT, .width = 9, .priority = 4, .id = OWN_RATE}, {"violations", "violations", LOOK_RIGHT, .width = 10, .id = OWN_VIOLATIONS},
	{.id = CLOCKS_PROCESS_WORST, .width = 9, .priority = 1}, {.id = CLOCKS_PROCESS_OFFSET_END, .width = 13, .priority = 5},
	{.id = CLOCKS_PROCESS_SENT, .width = 9, .priority = 7}, {.id = CLOCKS_PROCESS_RECEIVED, .width = 9, .priority = 8},
	{.id = CLOCKS_PROCESS_HOST, .width = 16, .priority = 6},
};
#define PROCESS_COLUMNS ((int)(sizeof process_columns / sizeof *process_columns))

static const struct column_look pair_columns[] = {
	{"from", "from", .width = 7, .id = OWN_FROM}, {"to", "to", .width = 7, .id = OWN_TO}, {.id = CLOCKS_PAIR_MESSAGES, .width = 9},
	{.id = CLOCKS_PAIR_VIOLATIONS, .width = 10}, {.id = CLOCKS_PAIR_WORST, .width = 9},
	{.id = CLOCKS_PAIR_MEDIAN, .width = 9, .priority = 1}, {.id = CLOCKS_PAIR_GAP, .width = 9, .priority = 2},
};
#define PAIR_COLUMNS ((int)(sizeof pair_columns / sizeof *pair_columns))

/* All messages and ends of collectives of a process that go back. */
static uint64_t clocks_violations(const struct clocks_view *s, uint32_t process)
{
	const struct process_violations *v = &s->report->violations->process[process];

	return v->sent.violated + v->received.violated + v->collective.violated;
}

/* How far the truth may be from the estimate at the start. NAN: nobody knows. */
static double clocks_uncertainty(const struct clocks_view *s, uint32_t process)
{
	double offset = clock_report_offset(s->report, process, 0), low = clock_report_low(s->report, process, 0);
	double high = clock_report_high(s->report, process, 0);

	return isnan(offset) || isnan(low) || isnan(high) ? (double)NAN : fmax(high - offset, offset - low);
}

static double rate_of(const struct clocks_view *s, uint32_t process)
{
	return clock_report_has_clock(s->report, process) ? s->report->bounds->rate[process] * 1e6 : (double)NAN;
}

/* --- bars --- */

static int bar_width(const struct clocks_view *s)
{
	return s->processes.look[drawn_place(&s->processes, OWN_BAR)].width;
}

static int axis_cell_of(const struct clocks_view *s, double v, int w)
{
	double part = s->axis_to > s->axis_from ? (v - s->axis_from) / (s->axis_to - s->axis_from) : 0.5;

	return (int)(part * (w - 1) + 0.5);
}

/* "├──●──┤"; an arrow where nothing bounds it. */
static void bar_text(const struct clocks_view *s, uint32_t process, char *text, size_t size)
{
	double offset = clock_report_offset(s->report, process, 0), low = clock_report_low(s->report, process, 0);
	double high = clock_report_high(s->report, process, 0);
	int w = bar_width(s), at, from, to;
	size_t n = 0;

	text[0] = 0;
	if (isnan(offset))
		return;
	at = axis_cell_of(s, offset, w);
	from = isnan(low) ? 0 : axis_cell_of(s, low, w);
	to = isnan(high) ? w - 1 : axis_cell_of(s, high, w);
	for (int x = 0; x <= to && n + 4 < size; x++) {
		const char *c = x < from ? " " : x == at ? "●" : x == from ? (isnan(low) ? "←" : "├")
			      : x == to ? (isnan(high) ? "→" : "┤") : "─";

		n += (size_t)snprintf(text + n, size - n, "%s", c);
	}
}

static void find_axis(struct clocks_view *s)
{
	double from = INFINITY, to = -INFINITY;

	for (uint32_t p = 0; p < s->report->trace->process_count; p++) {
		double v[] = {clock_report_offset(s->report, p, 0), clock_report_low(s->report, p, 0), clock_report_high(s->report, p, 0)};

		for (int i = 0; i < 3; i++)
			if (isfinite(v[i])) {
				from = fmin(from, v[i]);
				to = fmax(to, v[i]);
			}
	}
	s->axis_from = from <= to ? from : 0;
	s->axis_to = from <= to ? to : 0;
}

void clocks_rows_fit(struct clocks_view *s, int w)
{
	struct column_look *bar = &s->processes.look[drawn_place(&s->processes, OWN_BAR)];
	char from[UNIT_TEXT], to[UNIT_TEXT];

	bar->width = w - OTHERS < BAR_LEAST ? BAR_LEAST : w - OTHERS > BAR_MOST ? BAR_MOST : w - OTHERS;
	snprintf(s->axis, sizeof s->axis, "%s to %s", unit_time(from, s->axis_from), unit_time(to, s->axis_to));
	bar->title = s->report && s->axis_to > s->axis_from && text_width(s->axis) <= bar->width ? s->axis : "bounds";
}

/* --- fields --- */

static void process_field(const void *ctx, uint32_t row, int column, struct field *f)
{
	const struct clocks_view *s = ctx;
	uint64_t violations = clocks_violations(s, row);
	double rate = rate_of(s, row);

	switch (process_columns[column].id) {
	case OWN_NAME:
		unit_rank_short(f->text, row);
		break;
	case OWN_UNCERTAINTY:
		unit_figure_time(f->text, clocks_uncertainty(s, row));
		break;
	case OWN_BAR:
		bar_text(s, row, f->text, sizeof f->text);
		f->role = ROLE_COMPUTE;
		break;
	case OWN_RATE:
		if (isnan(rate))
			snprintf(f->text, sizeof f->text, "-");
		else
			snprintf(f->text, sizeof f->text, "%.3f", fabs(rate) < 5e-4 ? 0 : rate);
		break;
	case OWN_VIOLATIONS:
		unit_count(f->text, violations);
		f->role = violations ? ROLE_WARN : f->role;
		break;
	default:
		drawn_field(&s->processes, &s->rows, row, column, f);
		if (!f->text[0])
			snprintf(f->text, sizeof f->text, "-");
	}
}

static double process_key(const void *ctx, uint32_t row, int column)
{
	const struct clocks_view *s = ctx;
	int id = process_columns[column].id;
	double v = id == OWN_NAME ? row : id == OWN_VIOLATIONS ? (double)clocks_violations(s, row) : id == OWN_RATE ? rate_of(s, row)
		 : id == OWN_UNCERTAINTY ? clocks_uncertainty(s, row) : id == OWN_BAR ? clock_report_offset(s->report, row, 0)
		 : drawn_key(&s->processes, &s->rows, row, column);

	return isnan(v) ? -INFINITY : v;
}

static void pair_field(const void *ctx, uint32_t row, int column, struct field *f)
{
	const struct clocks_view *s = ctx;
	const struct pair_violations *pair = &s->report->violations->pair[s->pair[row]];
	int id = pair_columns[column].id;

	if (id == OWN_FROM || id == OWN_TO) {
		unit_rank_short(f->text, id == OWN_FROM ? pair->from : pair->to);
		return;
	}
	drawn_field(&s->pairs, &s->rows, s->pair[row], column, f);
	if (!f->text[0])
		snprintf(f->text, sizeof f->text, "-");
	if ((id == CLOCKS_PAIR_VIOLATIONS || id == CLOCKS_PAIR_WORST) && pair->messages.violated)
		f->role = ROLE_WARN;
}

static double pair_key(const void *ctx, uint32_t row, int column)
{
	const struct clocks_view *s = ctx;
	const struct pair_violations *pair = &s->report->violations->pair[s->pair[row]];
	int id = pair_columns[column].id;

	return id == OWN_FROM ? pair->from : id == OWN_TO ? pair->to : drawn_key(&s->pairs, &s->rows, s->pair[row], column);
}

void clocks_rows_init(struct clocks_view *s)
{
	drawn_list_init(&s->processes, &clocks_processes_columns, process_columns, PROCESS_COLUMNS, process_field, process_key);
	drawn_list_init(&s->pairs, &clocks_pairs_columns, pair_columns, PAIR_COLUMNS, pair_field, pair_key);
}

void clocks_rows_take(struct clocks_view *s)
{
	const struct clock_violations *v = s->report->violations;

	s->rows = (struct clocks_list){s->report, &s->shifts};
	find_axis(s);
	s->bin_count = v->bin_count < sizeof s->bins / sizeof *s->bins ? v->bin_count : sizeof s->bins / sizeof *s->bins;
	for (uint32_t i = 0; i < s->bin_count; i++)
		s->bins[i] = (double)v->bin[i].messages.violated;
}

const struct drawn_list *clocks_drawn(const struct clocks_view *s)
{
	return s->in_pairs ? &s->pairs : &s->processes;
}
