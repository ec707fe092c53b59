/* Rows of several lines, where few processes leave room: heat has bars that are higher, and below each event a column
 * for how long was computed before it and, once that is known, one for how long its call waited. They are as high as
 * the root of their part of the longest one that is seen, for that may be a thousand times the others; the foot says
 * how long it is. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "grid_int.h"
#include "tui/model/describe.h"
#include "tui/screen/glyphs.h"
#include "tui/widgets/units.h"

#define PITCH_MOST 12
#define BARS_MOST 8
#define PITCH_OPEN 4 /* from which on a line between processes is blank */

static const struct waits *waits_of(const struct model *m)
{
	return spent_run(m) && spent_run(m)->metrics ? spent_run(m)->metrics->waits : NULL;
}

/* With a blank line between rows of several, and one for the legend of heat. */
static void lay_out_bars(struct grid *g, int h)
{
	uint64_t n = ((uint64_t)model_processes(g->view.model) + g->spread - 1) / g->spread, rows = (uint64_t)(h - g->ruler - 1);

	if (h - g->ruler < 2 || !n || rows / n < 2)
		return;
	g->pitch = rows / n < BARS_MOST ? (int)(rows / n) : BARS_MOST;
	if (g->bands > 1 && !g->iterations && rows >= n * (uint64_t)g->pitch + 1) /* bars do not touch the shares */
		g->ruler++;
	g->process_cells = (h - g->ruler) / g->pitch;
}

void grid_lay_out_tall(struct grid *g, int h)
{
	uint32_t n = model_processes(g->view.model);
	int rows = h - g->ruler - 1, lines; /* with one for the foot */

	g->pitch = 1;
	g->compute_lines = g->wait_lines = 0;
	if (!g->transposed && (grid_heats(g) || grid_counts(g)))
		lay_out_bars(g, h);
	if (g->transposed || g->cell == 1 || !n || rows < 2 || (uint32_t)rows / n < 2)
		return;
	g->pitch = (uint32_t)rows / n < PITCH_MOST ? (int)((uint32_t)rows / n) : PITCH_MOST;
	lines = g->pitch - 1 - (g->pitch >= PITCH_OPEN);
	g->wait_lines = waits_of(g->view.model) ? lines / 2 : 0;
	g->compute_lines = g->wait_lines ? g->wait_lines : lines;
	g->process_cells = (h - g->ruler) / g->pitch;
}

int grid_bar_lines(const struct grid *g)
{
	return g->transposed || g->pitch == 1 ? 1 : g->pitch - 1;
}

void grid_bar_draw(struct pane p, int x, int y, int w, int lines, int eighths, enum role role)
{
	for (int k = lines - 1; k >= 0 && eighths > 0; k--, eighths -= 8)
		pane_hline(p, x, y + k, w, GLYPH_BLOCK_1 + (uint32_t)(eighths < 8 ? eighths : 8) - 1, role);
}

/* Seconds of waiting in the call of an event. */
static double wait_of(const struct model *m, const struct waits *w, uint32_t event)
{
	uint32_t call = w ? wait_call_of(m, event) : NO_LOGGED_CALL;

	return call == NO_LOGGED_CALL ? 0 : w->sync[call];
}

/* The event in a cell, or NO_EVENT. */
static uint32_t event_of(const struct grid *g, int i, int j)
{
	const struct model *m = g->view.model;
	uint64_t tick = g->first_tick + (uint64_t)i, process = g->first_process + (uint64_t)j;

	return tick < model_ticks(m) && process < model_processes(m) ?
		logical_event_at(m->analysis->logical, (uint32_t)tick, (uint32_t)process) : NO_EVENT;
}

/* A column of blocks in the lines from y on. */
static void draw_bar(const struct grid *g, struct pane p, int x, int y, int lines, double part, enum role role)
{
	int eighths = part > 0 ? (int)ceil(sqrt(part) * lines * 8 - 1e-9) : 0;

	grid_bar_draw(p, x, y, g->cell - 1, lines, eighths, role);
}

static void draw_labels(const struct grid *g, struct pane p, double compute, double wait)
{
	char a[UNIT_TEXT], b[UNIT_TEXT], text[128];

	for (int j = 0; j < g->process_cells && g->first_process + (uint32_t)j < model_processes(g->view.model); j++) {
		int y = g->ruler + j * g->pitch + g->compute_lines;

		pane_text(p, 1, y, ROLE_DIM, 0, "comp");
		if (g->wait_lines)
			pane_text(p, 1, y + g->wait_lines, ROLE_DIM, 0, "wait");
	}
	snprintf(text, sizeof text, "longest on screen: compute %s", unit_time(a, compute));
	if (g->wait_lines)
		snprintf(text + strlen(text), sizeof text - strlen(text), " · waiting %s", unit_time(b, wait));
	snprintf(text + strlen(text), sizeof text - strlen(text), " · root scale");
	text_drop_facts(text, p.w - 2);
	pane_text_in(p, 1, p.h - 1, p.w - 2, ROLE_DIM, 0, text);
}

void grid_draw_tall(const struct grid *g, struct pane p)
{
	const struct model *m = g->view.model;
	const struct trace *t = m->analysis->logical->trace;
	const struct waits *w = g->wait_lines ? waits_of(m) : NULL;
	double compute = 0, wait = 0;

	if (!g->compute_lines)
		return;
	for (int pass = 0; pass < 2; pass++) /* first how long the longest are */
		for (int i = 0; i < g->tick_cells; i++)
			for (int j = 0; j < g->process_cells; j++) {
				uint32_t e = event_of(g, i, j);
				int x = g->gutter + i * g->cell, y = g->ruler + j * g->pitch + 1;
				double waited = e == NO_EVENT ? 0 : wait_of(m, w, e), computed = e == NO_EVENT || isnan(t->compute[e]) ? 0 : t->compute[e];

				if (!pass) {
					compute = computed > compute ? computed : compute;
					wait = waited > wait ? waited : wait;
				} else {
					draw_bar(g, p, x, y, g->compute_lines, compute > 0 ? computed / compute : 0, ROLE_COMPUTE);
					draw_bar(g, p, x, y + g->compute_lines, g->wait_lines, wait > 0 ? waited / wait : 0, ROLE_WAIT);
				}
			}
	draw_labels(g, p, compute, wait);
}
