/* Details below the list of phases, if there is room: the durations of the selected phase's occurrences, which its mean
 * hides, the time of each process, the places in the main loop, and the blocks of the phase. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/base/mem.h"
#include "core/method/figures/clockwork.h"
#include "phases_int.h"
#include "tui/model/phase_shares.h"
#include "tui/model/iterations.h"
#include "tui/screen/glyphs.h"
#include "tui/widgets/plot.h"
#include "tui/widgets/bars.h"
#include "tui/widgets/paragraph.h"
#include "tui/widgets/units.h"

#define ROWS_LEAST 7
#define BESIDE_W 72       /* columns for both pictures side by side */
#define BOTH_ROWS 22     /* for two pictures, one over the other */
#define LOG_FROM 20       /* a scale of durations is logarithmic from that ratio of the longest to the shortest on */
#define OCCURRENCES 65536 /* that are looked at for a picture */
#define MEANING_MOST 4    /* rows of what the phase does; one is there always, the pictures have less then */
#define LOOKS 65536       /* at one process in one occurrence */

int details_rows(const struct phases_view *s, int rows)
{
	int left = rows - 1 - (int)(s->view.list.shown < (uint32_t)rows ? s->view.list.shown : (uint32_t)rows);

	return left >= ROWS_LEAST && s->view.list.shown ? left : 0;
}

/* So many, and how many an iteration has. */
static void count_places(struct phase_details *d, const struct phases *p, const struct main_loop *loop)
{
	uint32_t i = 0, here = 0;

	d->before = d->behind = d->within = d->iterations = 0;
	d->least = UINT32_MAX;
	d->most = 0;
	for (uint32_t k = p->phase_first[d->phase - 1]; k < p->phase_first[d->phase]; k++) {
		uint32_t o = p->by_phase[k];

		for (; i < loop->iterations && loop->to[i] <= o; i++, here = 0)
			if (here < d->least)
				d->least = here;
		d->before += !i && (!loop->iterations || o < loop->from[0]);
		d->behind += i > 0 && i == loop->iterations;
		if (i == loop->iterations || o < loop->from[i])
			continue;
		d->within++;
		d->iterations += !here++;
		if (here > d->most)
			d->most = here;
	}
	for (; i < loop->iterations; i++, here = 0)
		if (here < d->least)
			d->least = here;
}

/* Which bin a duration is in: their bounds lie evenly on the scale. */
static void count_durations(struct phase_details *d, const struct analysis *a, int bins)
{
	const struct phases *p = a->phases;
	uint32_t first = p->phase_first[d->phase - 1], all = p->phase_first[d->phase] - first;
	uint32_t n = all < OCCURRENCES ? all : OCCURRENCES;
	const struct phase_figures *g = &a->figures->phase[d->phase - 1];

	d->axis = (struct plot_axis){.from = g->time_min, .to = g->time_max, .unit = PLOT_SECONDS};
	if (g->time_min > 0 && g->time_max > g->time_min * LOG_FROM)
		d->axis.scale = SCALE_LOG;
	plot_axis_settle(&d->axis);
	d->bins = bins;
	memset(d->bin, 0, sizeof d->bin);
	for (uint32_t i = 0; i < n; i++) {
		double place = plot_axis_place(&d->axis, occurrence_time(a->clockwork, p, p->by_phase[phase_sample(first, all, OCCURRENCES, i)]));

		if (!isnan(place))
			d->bin[place < 0 ? 0 : place >= 1 ? bins - 1 : (int)(place * bins)]++;
	}
}

/* Mean, shortest and longest in each part of the run. */
static void follow_run(struct phase_details *d, const struct analysis *a)
{
	const struct phases *p = a->phases;
	uint32_t first = p->phase_first[d->phase - 1], all = p->phase_first[d->phase] - first;
	uint32_t n = all < OCCURRENCES ? all : OCCURRENCES, count[DETAIL_BINS] = {0};
	const double *at = a->clockwork->at, processes = a->logical->trace->process_count;
	double whole = at[a->logical->tick_count] / processes;

	for (int i = 0; i < DETAIL_BINS; i++) {
		d->when[i] = whole * (i + 0.5) / DETAIL_BINS;
		d->mean[i] = d->low[i] = d->high[i] = (double)NAN;
	}
	for (uint32_t i = 0; i < n; i++) {
		uint32_t o = p->by_phase[phase_sample(first, all, OCCURRENCES, i)];
		double seconds = occurrence_time(a->clockwork, p, o), place = at[p->occurrences[o].first] / processes / whole;
		int bin = place >= 1 ? DETAIL_BINS - 1 : place > 0 ? (int)(place * DETAIL_BINS) : 0;

		if (!count[bin]++)
			d->mean[bin] = d->low[bin] = d->high[bin] = seconds;
		else
			d->mean[bin] += (seconds - d->mean[bin]) / count[bin];
		d->low[bin] = seconds < d->low[bin] ? seconds : d->low[bin];
		d->high[bin] = seconds > d->high[bin] ? seconds : d->high[bin];
	}
}

static bool time_processes(struct phase_details *d, const struct analysis *a)
{
	const struct phases *p = a->phases;
	uint32_t processes = a->logical->trace->process_count, first = p->phase_first[d->phase - 1];
	uint32_t all = p->phase_first[d->phase] - first, most = LOOKS / (processes + 1) + 1, n = all < most ? all : most;
	double *time = mem_resize(d->time, processes, sizeof *time);

	if (!time)
		return false;
	d->time = time;
	memset(time, 0, processes * sizeof *time);
	d->longest = 0;
	/* A process's ticks lie together: one by one, they are in the cache when they are looked through again. */
	for (uint32_t q = 0; q < processes; q++)
		for (uint32_t i = 0; i < n; i++)
			time[q] += occurrence_time_on(a->clockwork, p, p->by_phase[phase_sample(first, all, most, i)], q) / n;
	for (uint32_t q = 0; q < processes; q++)
		if (time[q] > time[d->longest])
			d->longest = q;
	d->looked_at = n;
	return true;
}

/* Columns for the histogram, where both stand side by side; otherwise all. */
static int left_columns(int w)
{
	return w >= BESIDE_W ? w / 2 : w;
}

void details_update(struct phases_view *s, int w)
{
	struct phase_details *d = &s->details;
	const struct model *m = s->view.model;
	uint32_t row = list_row(&s->view.list);
	const struct structure *structure = program_structure(m);
	static const struct main_loop none;
	int bins = left_columns(w) / 2 < DETAIL_BINS ? left_columns(w) / 2 : DETAIL_BINS;

	if (row == UINT32_MAX || s->inside)
		return;
	if (d->phase == row + 1 && d->serial == m->serial && d->structure == m->structure.serial && d->bins == bins)
		return;
	d->phase = row + 1;
	d->structure = m->structure.serial;
	count_places(d, phases_found(s), structure ? &structure->main : &none);
	count_durations(d, m->analysis, bins > 1 ? bins : 1);
	follow_run(d, m->analysis);
	d->serial = time_processes(d, m->analysis) ? m->serial : 0;
}

static void details_draw_title(const struct phases_view *s, struct pane p)
{
	const struct phase_details *d = &s->details;
	const struct phases *found = phases_found(s);
	uint32_t count = found->phase_first[d->phase] - found->phase_first[d->phase - 1], all = iteration_count(s->view.model);
	const struct {
		uint32_t count;
		const char *where;
	} outside[] = {{d->before, "before"}, {d->behind, "after"}, {count - d->before - d->behind - d->within, "between"}};
	const char *what = d->within ? "them" : "the main loop";
	char n[UNIT_TEXT], of[UNIT_TEXT], text[256];
	int x = 1 + pane_textf(p, 1, 0, phase_look(s->view.model, d->phase).role, ATTR_BOLD, "phase %u", (unsigned)d->phase);

	snprintf(text, sizeof text, " · %s %s", unit_count(n, count), count == 1 ? "occurrence" : "occurrences");
	if (d->within && d->least == d->most)
		snprintf(text + strlen(text), sizeof text - strlen(text), " · %s in each of the %s iterations", unit_count(n, d->most),
			 unit_count(of, all));
	else if (d->within)
		snprintf(text + strlen(text), sizeof text - strlen(text), " · up to %s in %s of the %s iterations", unit_count(n, d->most),
			 unit_count(of, d->iterations), unit_count((char[UNIT_TEXT]){""}, all));
	for (size_t i = 0; all && i < sizeof outside / sizeof *outside; i++) {
		if (!outside[i].count)
			continue;
		snprintf(text + strlen(text), sizeof text - strlen(text), " · %s %s %s", unit_count(n, outside[i].count),
			 outside[i].where, what);
		what = d->within ? "them" : "it";
	}
	text_drop_facts(text, p.w - 1 - x);
	pane_text(p, x, 0, ROLE_DIM, 0, text);
}

/* The labels of its blocks that fit; false: it is not made of blocks. */
static bool draw_labels(const struct phases_view *s, struct pane p)
{
	uint32_t count;
	const uint32_t *labels = analysis_labels(s->view.model->analysis, s->details.phase, &count);
	int x = 1, more = text_width(" …");
	char number[UNIT_TEXT];

	if (!count)
		return false;
	x += pane_text(p, x, 0, ROLE_DIM, 0, count == 1 ? "label" : "labels");
	for (uint32_t i = 0; i < count; i++) {
		int w = 1 + snprintf(number, sizeof number, "%u", (unsigned)labels[i]);

		if (x + w + (i + 1 < count ? more : 0) > p.w - 1) {
			pane_text(p, x, 0, ROLE_DIM, 0, " …");
			break;
		}
		pane_text(p, x + 1, 0, ROLE_DEFAULT, 0, number);
		x += w;
	}
	return true;
}

static void draw_durations(const struct phases_view *s, struct pane p)
{
	const struct phase_details *d = &s->details;
	struct plot plot = PLOT_INIT;
	struct plot_series one = {.kind = PLOT_BARS, .role = phase_look(s->view.model, d->phase).role, .silent = true,
				  .count = (uint32_t)d->bins, .y = d->bin};

	plot.title = "durations";
	plot.x = d->axis;
	plot.y.from = 0;
	plot.y.unit = PLOT_COUNT;
	plot.series = &one;
	plot.series_count = 1;
	plot_draw(&plot, p);
}

static void draw_over_run(const struct phases_view *s, struct pane p)
{
	const struct phase_details *d = &s->details;
	struct plot plot = PLOT_INIT;
	struct plot_series one = {.kind = PLOT_POINTS, .role = phase_look(s->view.model, d->phase).role, .silent = true,
				  .count = DETAIL_BINS, .x = d->when, .y = d->mean, .low = d->low, .high = d->high};

	plot.title = "time over the run: mean, shortest, longest";
	plot.x.from = 0;
	plot.x.to = trace_aet(s->view.model->trace);
	plot.x.unit = plot.y.unit = PLOT_SECONDS;
	plot.y.from = d->axis.scale == SCALE_LOG ? d->axis.from : 0;
	plot.y.scale = d->axis.scale;
	plot.series = &one;
	plot.series_count = 1;
	plot_draw(&plot, p);
}

/* A row for each process, or for groups of them by the longest. */
static void draw_processes(const struct phases_view *s, struct pane p)
{
	const struct phase_details *d = &s->details;
	uint32_t n = model_processes(s->view.model), rows = p.h > 1 ? (uint32_t)p.h - 1 : 1, each = (n + rows - 1) / rows;
	int label = 2 * unit_digits(n) + 4, bar = p.w - label - 11;
	char time[UNIT_TEXT], of[UNIT_TEXT], name[UNIT_TEXT];

	pane_text(p, 0, 0, ROLE_TITLE, 0, each > 1 ? "per rank, the slowest of each group" : "per rank");
	if (d->looked_at < phases_found(s)->phase_first[d->phase] - phases_found(s)->phase_first[d->phase - 1])
		pane_textf(p, each > 1 ? 37 : 10, 0, ROLE_DIM, 0, "in %s occurrence%s", unit_count(of, d->looked_at), d->looked_at == 1 ? "" : "s");
	for (uint32_t q = 0, y = 1; q < n; q += each, y++) {
		uint32_t end = n - q < each ? n : q + each, slow = q;

		for (uint32_t k = q; k < end; k++)
			if (d->time[k] > d->time[slow])
				slow = k;
		pane_text(p, 0, (int)y, slow == d->longest ? ROLE_TITLE : ROLE_HEADER, 0, unit_ranks_short(name, q, end - 1));
		if (bar > 0 && d->time[d->longest] > 0)
			bar_draw_eighths(p, label, (int)y, bar, d->time[slow] / d->time[d->longest],
					 phase_look(s->view.model, d->phase).role);
		pane_text_right(p, p.w, (int)y, ROLE_DEFAULT, 0, unit_time(time, d->time[slow]));
	}
}

int meaning_draw(const struct phases_view *s, struct pane p, bool number)
{
	uint32_t row = list_row(&s->view.list);
	const struct phase_name *called = row == UINT32_MAX ? NULL : phase_name_of(s->view.model->analysis, row + 1);
	char of[32] = "", text[1024];
	int rows;

	if (!called)
		return 0;
	if (number)
		snprintf(of, sizeof of, "phase %u: ", (unsigned)row + 1);
	snprintf(text, sizeof text, "%s%s", of, called->meaning);
	rows = paragraph_draw(p, 0, 2, ROLE_DEFAULT, text);
	if (p.h > 0 && rows > p.h)
		pane_text_right(p, p.w, p.h - 1, ROLE_DIM, 0, " …");
	return p.h > 0 && rows > p.h ? p.h : rows;
}

void details_draw(const struct phases_view *s, struct pane p)
{
	const struct phase_details *d = &s->details;
	int left = left_columns(p.w), meaning = p.h - ROWS_LEAST - 1, top = 2, h, under;
	const struct phase_figures *g;

	if (p.h < ROWS_LEAST || !d->phase || d->serial != s->view.model->serial || d->phase > phases_found(s)->count)
		return;
	pane_hline(p, 0, 0, p.w, GLYPH_HLINE, ROLE_RULE);
	details_draw_title(s, pane_part(p, 0, 1, p.w, 1));
	top += meaning_draw(s, pane_part(p, 1, 2, p.w - 2, meaning < 1 ? 1 : meaning > MEANING_MOST ? MEANING_MOST : meaning), false);
	if (p.h > ROWS_LEAST && draw_labels(s, pane_part(p, 0, top, p.w, 1)))
		top++;
	h = p.h - top;
	under = h >= BOTH_ROWS ? h / 2 : 0;
	g = &s->view.model->analysis->figures->phase[d->phase - 1];
	if (!(g->time_max > g->time_min)) { /* one, or all alike: there is nothing to spread */
		draw_processes(s, pane_part(p, 1, top, p.w - 2, h));
		return;
	}
	h -= under;
	draw_durations(s, pane_part(p, 1, top, left - 2, h));
	if (left < p.w)
		draw_processes(s, pane_part(p, left + 1, top, p.w - left - 2, h - (under > 0)));
	if (under)
		draw_over_run(s, pane_part(p, 1, top + h, p.w - 2, under));
}
