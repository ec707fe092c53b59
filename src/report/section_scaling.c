/* Several runs: how they scale, and what limits them. */
#include <math.h>
#include <stdio.h>

#include "core/base/mem.h"
#include "report_int.h"
#include "tui/widgets/svg.h"

#define MOST_RUNS 24 /* columns of the table */

struct curves {
	uint32_t count;
	double *x, *y[4];
};

static bool curves_init(struct curves *c, uint32_t count)
{
	double *room = mem_alloc((size_t)count * 5, sizeof *room);

	c->count = count;
	c->x = room;
	for (int i = 0; room && i < 4; i++)
		c->y[i] = room + (size_t)(i + 1) * count;
	return room != NULL;
}

static bool any_known(const double *y, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++)
		if (!isnan(y[i]))
			return true;
	return false;
}

static void scaling_draw_plot(struct sheet *s, struct plot *plot, const char *caption, bool wide_range)
{
	plot->x.unit = PLOT_COUNT;
	if (wide_range)
		plot->x.scale = SCALE_LOG;
	if (!page_picture(&s->page, caption, false))
		return;
	plot_svg(plot, caption, 380, 240, s->page.out);
	page_picture_end(&s->page);
}

static void speedup(struct sheet *s, const struct curves *c, bool wide_range)
{
	struct plot_series series[] = {
		{.name = "ideal", .kind = PLOT_CURVE, .role = ROLE_DIM, .dashed = true, .count = c->count, .x = c->x, .y = c->y[1]},
		{.name = "speedup", .kind = PLOT_CURVE, .role = ROLE_SEND, .count = c->count, .x = c->x, .y = c->y[0]},
		{.kind = PLOT_POINTS, .role = ROLE_SEND, .silent = true, .count = c->count, .x = c->x, .y = c->y[0]},
	};
	struct plot plot = PLOT_INIT;

	plot.series = series;
	plot.series_count = 3;
	if (wide_range)
		plot.y.scale = SCALE_LOG;
	scaling_draw_plot(s, &plot, "Speedup by number of processes", wide_range);
}

static void efficiency(struct sheet *s, const struct curves *c, bool wide_range)
{
	struct plot_series series[] = {
		{.name = "efficiency", .kind = PLOT_CURVE, .role = ROLE_SEND, .count = c->count, .x = c->x, .y = c->y[2]},
		{.name = "parallel efficiency", .kind = PLOT_CURVE, .role = ROLE_COMPUTE, .count = c->count, .x = c->x, .y = c->y[3]},
	};
	bool both = any_known(c->y[2], c->count);
	struct plot plot = PLOT_INIT;

	plot.series = both ? series : series + 1;
	plot.series_count = both ? 2 : 1;
	plot.y = (struct plot_axis){.from = 0, .to = 1, .unit = PLOT_SHARE};
	for (uint32_t i = 0; i < c->count; i++)
		plot.y.to = fmax(plot.y.to, fmax(c->y[2][i], c->y[3][i]));
	scaling_draw_plot(s, &plot, "Efficiency by number of processes", wide_range);
}

static void pictures(struct sheet *s, const struct metrics_report *r)
{
	struct curves c;
	double reference = r->reference != NO_RUN ? (double)r->run[r->reference]->figures.processes : 1;
	bool wide_range;

	if (!curves_init(&c, r->count)) {
		s->page.out->failed = true;
		return;
	}
	for (uint32_t i = 0; i < r->count; i++) {
		const struct scaling_run *f = &r->run[i]->figures;

		c.x[i] = f->processes;
		c.y[0][i] = f->speedup;
		c.y[1][i] = isnan(r->serial) ? f->processes / reference : f->processes;
		c.y[2][i] = f->efficiency;
		c.y[3][i] = f->parallel_efficiency;
	}
	wide_range = c.x[r->count - 1] >= 8 * c.x[0];
	if (c.x[r->count - 1] > c.x[0]) {
		page_pictures(&s->page);
		if (any_known(c.y[0], r->count))
			speedup(s, &c, wide_range);
		if (any_known(c.y[2], r->count) || any_known(c.y[3], r->count))
			efficiency(s, &c, wide_range);
		page_pictures_end(&s->page);
	}
	mem_free(c.x);
}

/* ---- the table ---- */

static const struct {
	const char *name;
	enum metrics_run_column column;
	bool factor;
} lines[] = {
	{"processes", METRICS_RUN_PROCESSES, false},
	{"run time", METRICS_RUN_RUNTIME, false},
	{"speedup", METRICS_RUN_SPEEDUP, false},
	{"efficiency", METRICS_RUN_EFFICIENCY, true},
	{"serial fraction", METRICS_RUN_SERIAL_FRACTION, false},
	{"global efficiency", METRICS_RUN_GLOBAL_EFFICIENCY, true},
	{"computation scaling", METRICS_RUN_COMPUTATION_SCALING, true},
	{"parallel efficiency", METRICS_RUN_PARALLEL_EFFICIENCY, true},
	{"load balance", METRICS_RUN_LOAD_BALANCE, true},
	{"communication", METRICS_RUN_COMMUNICATION_EFFICIENCY, true},
	{"serialisation", METRICS_RUN_SERIALISATION_EFFICIENCY, true},
	{"transfer", METRICS_RUN_TRANSFER_EFFICIENCY, true},
};

static void scaling_print_cell(struct sheet *s, const struct metrics_report *r, uint32_t run, size_t line)
{
	const struct metrics_run_figures f = metrics_report_run(r, run);
	const struct metrics_runs_list list = {&f, 1};
	const struct column *column = &metrics_runs_columns.column[lines[line].column];
	struct cell c = column->value(&list, 0);
	char number[UNIT_TEXT];

	if (c.kind == CELL_WHOLE)
		page_cell(&s->page, unit_count(number, c.whole));
	else if (c.kind != CELL_REAL || (lines[line].column == METRICS_RUN_SERIAL_FRACTION && scaling_is_slower(&r->run[run]->figures)))
		page_cell(&s->page, "-");
	else if (column->kind == COLUMN_SECONDS)
		page_cell(&s->page, unit_figure_time(number, c.real));
	else if (column->kind == COLUMN_SHARE && lines[line].factor && c.real < r->bar)
		page_poor(&s->page, unit_percent(number, c.real));
	else if (column->kind == COLUMN_SHARE)
		page_cell(&s->page, unit_percent(number, c.real));
	else
		page_cell(&s->page, ratio_text(number, c.real));
}

static void table(struct sheet *s, const struct metrics_report *r)
{
	uint32_t runs = r->count < MOST_RUNS ? r->count : MOST_RUNS;
	struct column_look columns[MOST_RUNS + 1] = {{.title = ""}};
	char titles[MOST_RUNS][UNIT_TEXT];

	for (uint32_t i = 0; i < runs; i++) {
		snprintf(titles[i], sizeof titles[i], "run %u", (unsigned)i + 1);
		columns[i + 1] = (struct column_look){.title = titles[i], .align = LOOK_RIGHT};
	}
	page_table(&s->page, columns, runs + 1);
	for (size_t line = 0; line < sizeof lines / sizeof *lines; line++) {
		page_cell(&s->page, lines[line].name);
		for (uint32_t i = 0; i < runs; i++)
			scaling_print_cell(s, r, i, line);
	}
	page_table_end(&s->page);
}

static void scaling_list_runs(struct sheet *s, const struct metrics_report *r)
{
	static const struct column_look columns[] = {{.title = "run", .align = LOOK_RIGHT}, {.title = "file"}, {.title = ""}};
	char number[UNIT_TEXT];

	page_table(&s->page, columns, 3);
	for (uint32_t i = 0; i < r->count; i++) {
		page_cell(&s->page, unit_count(number, i + 1));
		page_name(&s->page, r->run[i]->file);
		page_cell(&s->page, i == r->reference && i == r->looked ? "reference; subject of this report"
				  : i == r->reference && isnan(r->serial) ? "reference" : i == r->looked ? "subject of this report" : "");
	}
	page_table_end(&s->page);
}

void section_scaling(struct sheet *s)
{
	const struct metrics_report *r = s->report->metrics;
	char text[SHEET_TEXT], time[UNIT_TEXT], equals[SCALING_TEXT];

	if (!r || r->count < 2)
		return;
	page_section(&s->page, "scaling", "Scaling");
	if (r->run[0]->figures.processes == r->run[r->count - 1]->figures.processes)
		snprintf(text, sizeof text, "%u runs on the same number of processes.", (unsigned)r->count);
	else
		snprintf(text, sizeof text, "%u runs, %s scaling: %s.", (unsigned)r->count, scaling_kind_name(r->scaling),
			 r->scaling == SCALING_WEAK ? "the problem grows with the processes" : "the same problem on more processes");
	page_sentence(&s->page, text);
	if (!isnan(r->serial)) {
		snprintf(text, sizeof text, "Speedups are relative to a sequential program of %s.", unit_time(time, r->serial));
		page_sentence(&s->page, text);
	}
	for (uint32_t i = 0; i < r->count; i++)
		if (r->run[i]->figures.equals > 1 && (!i || r->run[i]->figures.processes != r->run[i - 1]->figures.processes)) {
			snprintf(text, sizeof text, "%s.", scaling_equals_text(&r->run[i]->figures, equals));
			page_sentence(&s->page, text);
		}
	for (uint32_t i = 0; i < r->count; i++)
		if (r->run[i]->other_program) {
			snprintf(text, sizeof text, "Run %u seems to be another program than the reference: its MPI calls differ. Speedup and efficiency "
				 "compare runs of one program.", (unsigned)i + 1);
			page_sentence(&s->page, text);
		}
	pictures(s, r);
	table(s, r);
	if (r->count > MOST_RUNS) {
		snprintf(text, sizeof text, "The last %u runs are not in the table.", (unsigned)(r->count - MOST_RUNS));
		page_sentence(&s->page, text);
	}
	scaling_list_runs(s, r);
}
