#include "commands_int.h"

#include <math.h>

#include "cli/plural.h"
#include "core/base/unit.h"
#include "core/lists/list_clocks.h"
#include "core/table/shown.h"

static const struct column_look of_unit[] = {
	{.id = CLOCKS_UNIT_UNIT}, {.id = CLOCKS_UNIT_HOST}, {.id = CLOCKS_UNIT_RANKS}, {.id = CLOCKS_UNIT_OFFSET, .as = AS_TIME},
	{.id = CLOCKS_UNIT_WITHIN, .as = AS_WITHIN}, {.id = CLOCKS_UNIT_RATE, .title = "rate [ppm]", .as = AS_MICRO, .decimals = 3},
	{.id = CLOCKS_UNIT_RATE_WITHIN, .as = AS_MICRO, .decimals = 3},
	{.id = CLOCKS_UNIT_HALF_TRIP, .title = "half trip [us]", .as = AS_MICRO, .decimals = 3},
	{.id = CLOCKS_UNIT_MEAN_TRIP, .title = "mean [us]", .as = AS_MICRO, .decimals = 3},
	{.id = CLOCKS_UNIT_ERROR, .title = "error [us]", .as = AS_MICRO, .decimals = 3}, {.id = CLOCKS_UNIT_AGREES},
};
static const struct column_look of_clock[] = {
	{.id = CLOCKS_LOCAL_NAME}, {.id = CLOCKS_LOCAL_RESOLUTION, .title = "resolution [ns]", .as = AS_NANO, .decimals = 1},
	{.id = CLOCKS_LOCAL_COST, .title = "cost [ns]", .as = AS_NANO, .decimals = 1},
	{.id = CLOCKS_LOCAL_COST_COLD, .title = "cold [ns]", .as = AS_NANO, .decimals = 1}, {.id = CLOCKS_LOCAL_COST_CYCLES},
};

static struct shown_units units_of(const struct clock_measured *m)
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
	struct shown_table units = {.people = true, .list = m, .rows = m->unit_count, .units = units_of(m)};
	struct shown_table clocks = {.people = true, .list = &m->unit[0], .rows = m->unit[0].local_count};
	const struct rows_sink sink = rows_to_out(o);
	enum err_code code;

	shown_looks(&units, &clocks_units_columns, of_unit, sizeof of_unit / sizeof *of_unit);
	shown_looks(&clocks, &clocks_locals_columns, of_clock, sizeof of_clock / sizeof *of_clock);
	sentences(o, m);
	code = shown_write(&units, ROWS_TABLE, TEXT_ASCII, 0, &sink, job, e);
	out_str(o, "\n");
	return code ? code : shown_write(&clocks, ROWS_TABLE, TEXT_ASCII, 0, &sink, job, e);
}
