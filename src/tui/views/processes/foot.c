/* A column over all processes: its mean, and the processes with the lowest and highest value. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/base/mem.h"
#include "processes_int.h"
#include "tui/screen/glyphs.h"

#define ROUNDING 1e-9 /* relative: what sums of times in another order may differ by */

int processes_stands_out(const struct processes_view *s, uint32_t row, int column)
{
	const struct outlier_bounds *b = &s->figures[column].bounds;
	double v = processes_figure(s, row, column);

	if (!s->figures[column].count || !outlier_is(b, v) || fabs(v - b->median) <= ROUNDING * fabs(b->median))
		return 0;
	return v > b->median ? 1 : -1;
}

static void figures_make_column(struct processes_view *s, int column, double *list)
{
	struct process_figures *f = &s->figures[column];
	uint32_t rows = s->run->processes.count;
	double sum = 0;
	struct err e;

	*f = (struct process_figures){.count = 0};
	for (uint32_t row = 0; row < rows; row++) {
		double v = list[row] = processes_figure(s, row, column);

		if (isnan(v))
			continue;
		if (!f->count || v > f->most) {
			f->most = v;
			f->most_row = row;
		}
		if (!f->count || v < f->least) {
			f->least = v;
			f->least_row = row;
		}
		sum += v;
		f->count++;
	}
	if (!f->count || outlier_bounds_of(&f->bounds, list, rows, &e)) {
		f->count = 0;
		return;
	}
	f->mean = sum / f->count;
	for (uint32_t row = 0; row < rows; row++)
		if (processes_stands_out(s, row, column) && !f->outliers++)
			f->outlier_row = row;
}

void processes_figures_make(struct processes_view *s)
{
	double *list = mem_alloc(s->run->processes.count, sizeof *list);

	for (int i = 0; i < s->drawn.source.column_count; i++)
		if (list)
			figures_make_column(s, i, list);
		else
			s->figures[i].count = 0;
	mem_free(list);
}

int processes_foot_lines(const struct processes_view *s)
{
	int lines = 0;

	for (int i = 0; i < s->drawn.source.column_count; i++)
		lines += s->figures[i].count > 0;
	return lines;
}

/* " (+9 %)": by how much it is off the mean; nothing where that says nothing. */
static void off_text(double v, double mean, char text[32])
{
	double off = (v - mean) / mean * 100;

	text[0] = 0;
	if (mean > 0 && fabs(off) < 9999.5)
		snprintf(text, 32, fabs(off) < 9.95 ? " (%+.1f %%)" : " (%+.0f %%)", off);
}

static uint32_t process_at(const struct processes_view *s, uint32_t row)
{
	return s->run->processes.row[row].process;
}

/* Ends without their distance where room is short. */
static void ends_text(const struct processes_view *s, int column, bool far, char *text, size_t size)
{
	const struct process_figures *f = &s->figures[column];
	char mean[UNIT_TEXT], most[UNIT_TEXT], least[UNIT_TEXT], above[32] = "", below[32] = "";

	processes_value_text(s, column, f->mean, mean);
	if (metrics_processes_columns.column[s->drawn.look[column].id].kind == COLUMN_WHOLE && f->mean < 100)
		snprintf(mean, sizeof mean, "%.1f", f->mean);
	processes_value_text(s, column, f->most, most);
	processes_value_text(s, column, f->least, least);
	if (f->count == 1 || !strcmp(most, least)) {
		snprintf(text, size, f->count > 1 ? "%s on all ranks" : "%s", most);
		return;
	}
	off_text(f->most, f->mean, above);
	if (far)
		off_text(f->least, f->mean, below);
	snprintf(text, size, "mean %s · most %s %s%s · least %s %s%s", mean, unit_rank_short((char[UNIT_TEXT]){""}, process_at(s, f->most_row)), most, above,
		 unit_rank_short((char[UNIT_TEXT]){""}, process_at(s, f->least_row)), least, below);
}

static void figures_describe(const struct processes_view *s, int column, char *text, size_t size, int room)
{
	const struct process_figures *f = &s->figures[column];
	size_t len;

	ends_text(s, column, true, text, size);
	if (text_width(text) > room)
		ends_text(s, column, false, text, size);
	len = strlen(text);
	if (f->outliers == 1)
		snprintf(text + len, size - len, " · outlier: %s", unit_rank((char[UNIT_TEXT]){""}, process_at(s, f->outlier_row)));
	else if (f->outliers)
		snprintf(text + len, size - len, " · %u outliers", (unsigned)f->outliers);
	text_drop_facts(text, room);
}

static int title_width(const struct processes_view *s)
{
	int w = 0;

	for (int i = 0; i < s->drawn.source.column_count; i++)
		if (s->figures[i].count && text_width(s->drawn.look[i].title) > w)
			w = text_width(s->drawn.look[i].title);
	return w;
}

static void foot_draw_line(const struct processes_view *s, struct pane p, int y, int column, int x, bool selected)
{
	char text[256];

	figures_describe(s, column, text, sizeof text, p.w - x - 1);
	pane_text(p, 1, y, selected ? ROLE_TITLE : ROLE_HEADER, 0, s->drawn.look[column].title);
	pane_text_in(p, x, y, p.w - x - 1, s->figures[column].outliers ? ROLE_WARN : selected ? ROLE_DEFAULT : ROLE_DIM, 0, text);
}

/* The column that rows are sorted by first; otherwise the first of figures of time. */
void processes_foot_draw(const struct processes_view *s, struct pane p)
{
	int first = s->view.list.sort_column, x = title_width(s) + 3, y = 0;

	if (first < 0 || !s->figures[first].count)
		first = drawn_place(&s->drawn, s->run->metrics->has_account ? METRICS_PROCESS_USEFUL : METRICS_PROCESS_EVENTS);
	if (p.h > 1)
		pane_hline(p, 0, y++, p.w, GLYPH_HLINE, ROLE_RULE);
	if (s->figures[first].count && y < p.h)
		foot_draw_line(s, p, y++, first, x, true);
	for (int i = 0; i < s->drawn.source.column_count && y < p.h; i++)
		if (i != first && s->figures[i].count)
			foot_draw_line(s, p, y++, i, x, false);
}
