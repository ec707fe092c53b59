#include "clocks_measured_table.h"

#include <math.h>
#include <stdio.h>

#include "cli/plural.h"
#include "core/base/number.h"
#include "core/base/unit.h"
#include "core/table/rows.h"

#define CELLS 11
#define CELL 256
#define LOCAL_CELLS 5

struct shown {
	const struct clock_measured *m;
	double unit;             /* s: of the offsets */
	int decimals;
	char text[CELLS][CELL];
	size_t at;
};

static void put(struct shown *s, double v, int decimals)
{
	char *to = s->text[s->at++];

	if (!isfinite(v)) {
		snprintf(to, CELL, "-");
		return;
	}
	number_fixed(fabs(v) < pow(10, -decimals) / 2 ? 0 : v, decimals, to, CELL); /* no "-0.0" */
}

static void put_text(struct shown *s, const char *text)
{
	snprintf(s->text[s->at++], CELL, "%s", text);
}

static void give(const struct shown *s, struct cell *cells)
{
	for (size_t k = 0; k < s->at; k++)
		cells[k] = cell_text(s->text[k]);
}

static double apart(double middle, double low, double high)
{
	return fmax(high - middle, middle - low);
}

static enum err_code unit_row(void *arg, uint64_t i, struct cell *cells, bool *keep, struct err *e)
{
	struct shown *s = arg;
	const struct clock_unit *u = &s->m->unit[i];
	const struct clock_link *l = i ? &s->m->link[i - 1] : NULL;

	(void)keep;
	(void)e;
	s->at = 0;
	put(s, (double)i, 0);
	put_text(s, u->host);
	put(s, u->ranks, 0);
	put(s, u->offset / s->unit, s->decimals);
	put(s, apart(u->offset, u->low, u->high) / s->unit, s->decimals);
	put(s, u->rate * 1e6, 3);
	put(s, apart(u->rate, u->rate_low, u->rate_high) * 1e6, 3);
	put(s, l ? l->minimum * 1e6 : (double)NAN, 3);
	put(s, l ? l->mean * 1e6 : (double)NAN, 3);
	put(s, i ? u->error * 1e6 : (double)NAN, 3);
	put_text(s, !i ? "-" : u->agrees ? "yes" : "no");
	give(s, cells);
	return ERR_OK;
}

static enum err_code clock_row(void *arg, uint64_t i, struct cell *cells, bool *keep, struct err *e)
{
	struct shown *s = arg;
	const struct clock_unit *u = &s->m->unit[0];
	const struct clock_local *c = &u->local[i];

	(void)keep;
	(void)e;
	s->at = 0;
	put_text(s, c->name);
	put(s, c->resolution * 1e9, 1);
	put(s, c->cost * 1e9, 1);
	put(s, c->cost_cold * 1e9, 1);
	put(s, c->cost * u->frequency, 0);
	give(s, cells);
	return ERR_OK;
}

static enum err_code to_out(void *arg, const char *bytes, size_t n, struct err *e)
{
	struct out *o = arg;

	out_add(o, bytes, n);
	return o->failed ? err_memory(e, "the table") : ERR_OK;
}

/* A unit for the largest offset, and as many digits as the surest one deserves. */
static void find_unit(struct shown *s)
{
	double largest = 0, surest = INFINITY;

	for (uint32_t i = 1; i < s->m->unit_count; i++) {
		const struct clock_unit *u = &s->m->unit[i];
		double width = apart(u->offset, u->low, u->high);

		largest = fmax(largest, fabs(u->offset));
		if (width > 0)
			surest = fmin(surest, width);
	}
	s->unit = largest >= 10 ? 1 : largest >= 10e-3 ? 1e-3 : 1e-6;
	s->decimals = isfinite(surest) ? (int)ceil(1 - log10(surest / s->unit)) : 1;
	s->decimals = s->decimals < 0 ? 0 : s->decimals > 9 ? 9 : s->decimals;
}

static void sentences(struct out *o, const struct clock_measured *m)
{
	char text[UNIT_TEXT];

	out_printf(o, "%u unit%s, clock %s, schedule %s: %u samples of %u exchanges in %s\n", m->unit_count, plural(m->unit_count), m->clock,
		   m->schedule, m->samples, m->exchanges, unit_measured(text, m->seconds, UNIT_MICROSECONDS));
	if (m->unit_count == 1)
		out_str(o, "all processes share one clock\n");
	else
		out_printf(o, "verification: %s, largest error %s\n", m->verified ? "all agree" : "not all agree",
			   isfinite(m->error_maximum) ? unit_measured(text, m->error_maximum, UNIT_MICROSECONDS) : "unknown");
	if (m->misfit > 0)
		out_printf(o, "no line fits in %u window%s: bounds hold to within %s\n", m->windows, plural(m->windows),
			   unit_measured(text, m->misfit, UNIT_MICROSECONDS));
	out_str(o, "\n");
}

enum err_code clocks_measured_table(struct out *o, const struct clock_measured *m, const struct job *job, struct err *e)
{
	static const char *const units[] = {"offset [us]", "offset [ms]", "offset [s]"};
	struct shown s = {.m = m};
	const struct rows_sink sink = {to_out, o};
	struct column_look columns[CELLS] = {
		{"unit", "unit", .align = LOOK_RIGHT}, {"host", "host", .align = LOOK_LEFT}, {"ranks", "ranks", .align = LOOK_RIGHT},
		{"offset", NULL, .align = LOOK_RIGHT}, {"width", "+-", .align = LOOK_RIGHT}, {"rate", "rate [ppm]", .align = LOOK_RIGHT},
		{"rate_width", "+-", .align = LOOK_RIGHT}, {"minimum", "half trip [us]", .align = LOOK_RIGHT}, {"mean", "mean [us]", .align = LOOK_RIGHT},
		{"error", "error [us]", .align = LOOK_RIGHT}, {"agrees", "agrees", .align = LOOK_LEFT},
	};
	static const struct column_look local[LOCAL_CELLS] = {
		{"clock", "clock of unit 0", .align = LOOK_LEFT}, {"resolution", "resolution [ns]", .align = LOOK_RIGHT}, {"cost", "cost [ns]", .align = LOOK_RIGHT},
		{"cost_cold", "cold [ns]", .align = LOOK_RIGHT}, {"cost_cycles", "cost [cycles]", .align = LOOK_RIGHT},
	};
	struct rows rows = {.columns = columns, .column_count = CELLS, .row_count = m->unit_count, .row = unit_row, .arg = &s};
	enum err_code code;

	find_unit(&s);
	columns[3].title = units[s.unit >= 1 ? 2 : s.unit >= 1e-3 ? 1 : 0];
	sentences(o, m);
	code = rows_write(&rows, ROWS_TABLE, TEXT_ASCII, 0, &sink, job, e);
	if (code)
		return code;
	out_str(o, "\n");
	rows = (struct rows){.columns = local, .column_count = LOCAL_CELLS, .row_count = m->unit[0].local_count, .row = clock_row, .arg = &s};
	return rows_write(&rows, ROWS_TABLE, TEXT_ASCII, 0, &sink, job, e);
}
