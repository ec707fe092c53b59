/* Runs: how a program scales, by its runs on several numbers of processes. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/base/mem.h"
#include "core/base/text.h"
#include "runs_int.h"
#include "tui/widgets/bars.h"
#include "tui/widgets/units.h"

#define PLOT_LEAST_H 8
#define PLOT_LEAST_W 44
#define SOME_ROWS 5      /* of figures, below a plot if there is no room for all */
#define SPARK_MOST 24    /* numbers of processes */

static struct runs_view *self(struct view *v)
{
	return (struct runs_view *)v;
}

static void close_runs(struct view *v)
{
	mem_free(self(v)->curves.room);
	derived_release(&self(v)->diagnosis);
	mem_free(self(v)->rows);
}

static void show_runs(struct view *v)
{
	v->model->runs->wanted = true;
}

/* The first is for who sees one plot at a time. */
static const struct hint hints[] = {
	{ACTION_NEXT_PANE, ACTION_NONE, "plot"},
	{ACTION_LEFT, ACTION_RIGHT, "run"},
	{ACTION_ENTER, ACTION_NONE, "open"},
	{ACTION_SCALING, ACTION_NONE, "strong, weak"},
	{ACTION_LOG_AXES, ACTION_NONE, "log"},
	{ACTION_DIAGNOSIS, ACTION_NONE, "diagnosis"},
	{ACTION_RUN_REMOVE, ACTION_NONE, "remove"},
	{ACTION_NONE, ACTION_NONE, NULL},
};

/* --- what stands where --- */

static uint32_t say_count(const struct runs *r)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < r->count; i++)
		n += r->list[i].say[0] != 0;
	return n;
}

/* Plots above the figures: both where they have room, otherwise one; and if there is none for all figures below it,
 * those have a page of their own. */
static void runs_lay_out(struct runs_view *s, int w, int h)
{
	int room = h - RUNS_TITLE, all = 1 + RUNS_ROWS + (int)say_count(s->view.model->runs);
	bool beside = w >= 2 * PLOT_LEAST_W + 1;

	s->w = w;
	s->plots = beside ? 2 : 1;
	s->pages = s->view.model->runs->count > 1 && room < PLOT_LEAST_H + all;
	if (s->view.model->runs->count == 1) {
		s->table_h = room; /* there is nothing to plot */
	} else if (!s->pages) {
		s->table_h = all;
		if (s->page == RUNS_FIGURES)
			s->page = RUNS_SPEEDUP;
	} else if (s->page == RUNS_FIGURES || room < PLOT_LEAST_H) {
		s->table_h = room;
	} else {
		s->table_h = room - PLOT_LEAST_H > 1 + SOME_ROWS ? 1 + SOME_ROWS : room - PLOT_LEAST_H;
	}
	s->plot_h = room - s->table_h;
	s->view.hints = s->view.model->runs->count > 1 && (s->pages || s->plots == 1) ? hints : hints + 1;
}

/* The rows of figures that are seen. */
static void fit_rows(struct runs_view *s)
{
	uint32_t seen = s->table_h > 1 ? (uint32_t)s->table_h - 1 : 1, last = seen < RUNS_ROWS ? RUNS_ROWS - seen : 0;

	if (s->top > last)
		s->top = last;
}

static void update_runs(struct view *v, int w, int h)
{
	struct runs_view *s = self(v);
	struct model *m = v->model;

	if (!m->analysis)
		return;
	runs_work(m);
	if (s->serial != m->runs->serial || s->log_made != s->log) {
		runs_curves_make(&s->curves, m->runs, s->log);
		s->serial = m->runs->serial;
		s->log_made = s->log;
	}
	if (s->diagnosing)
		runs_text_update(s);
	runs_lay_out(s, w, h);
	fit_rows(s);
}

/* --- drawing --- */

static void draw_reading(const struct runs_view *s, struct pane p, int *right)
{
	const struct runs *r = s->view.model->runs;
	char text[256], safe[100];
	bool known;
	double part;

	for (uint32_t i = 0; i < r->count; i++) {
		if (r->list[i].state != RUN_READING)
			continue;
		part = runs_progress(s->view.model, &known);
		text_safe(safe, sizeof safe, run_name(&r->list[i]), SIZE_MAX, TEXT_UTF8);
		snprintf(text, sizeof text, known ? "reading %s %d %%" : "reading %s", safe, (int)(part * 100));
		*right -= pane_text_right(p, *right, 0, ROLE_WARN, 0, text) + 2;
	}
}

static void describe_series(const struct runs *r, char *text, size_t size)
{
	uint32_t last = r->known ? r->figures[r->known - 1].processes : 0;
	size_t n;

	snprintf(text, size, " · %u run%s", r->count, r->count == 1 ? "" : "s");
	if (!r->known)
		return;
	n = strlen(text);
	if (r->counts > 1)
		snprintf(text + n, size - n, " on %u – %u processes", r->figures[0].processes, last);
	else
		snprintf(text + n, size - n, " on %u process%s", last, last == 1 ? "" : "es");
	n = strlen(text);
	if (r->reference != NO_RUN && r->known > 1)
		snprintf(text + n, size - n, " · speedup against %u process%s", r->figures[r->reference].processes,
			 r->figures[r->reference].processes == 1 ? "" : "es");
}

/* What the serial fractions say. */
static void describe_far(const struct runs *r, char *text, size_t size)
{
	const struct diagnosis *d = &r->diagnosis;
	char value[UNIT_TEXT];
	size_t n;

	snprintf(text, size, "%s", unit_percent(value, d->far.serial_fraction));
	n = strlen(text);
	if (d->far.trend != TREND_NONE)
		n += (size_t)snprintf(text + n, size - n, " %s", trend_name(d->far.trend));
	if (!isnan(d->far.limit))
		n += (size_t)snprintf(text + n, size - n, " · limit: %.3g times faster", d->far.limit);
	if (d->far.projections)
		snprintf(text + n, size - n, " · %u processes: speedup %.3g (%s)", d->far.projection[0].processes,
			 d->far.projection[0].speedup, unit_percent(value, d->far.projection[0].efficiency));
}

static void describe_slower(const struct runs *r, char *text, size_t size)
{
	struct out out;

	out_init(&out);
	diagnosis_slower_text(&r->diagnosis, &out);
	snprintf(text, size, "%s", out.failed ? "" : out.text);
	out_release(&out);
}

/* Runs of another program than the reference's, by their calls: then no sentence on scaling is true. False: there are
 * none. */
static bool describe_others(const struct runs *r, char *text, size_t size)
{
	const struct run *first = NULL;
	uint32_t others = 0;
	char safe[100];

	for (uint32_t i = 0; i < r->shown; i++) {
		const struct run *run = &r->list[r->order[i]];

		others += run->other_program;
		if (run->other_program && !first)
			first = run;
	}
	if (!first)
		return false;
	text_safe(safe, sizeof safe, run_name(first), SIZE_MAX, TEXT_UTF8);
	if (others == 1)
		snprintf(text, size, "%s looks like another program · speedup compares runs of one program", safe);
	else
		snprintf(text, size, "%u runs look like other programs, first %s · speedup compares runs of one program", others, safe);
	return true;
}

static void runs_draw_title(const struct runs_view *s, struct pane p)
{
	const struct runs *r = s->view.model->runs;
	int x = 1, right = p.w - 1;
	char text[512], spark[SPARK_MOST * 4 + 1], equals[SCALING_TEXT];

	draw_reading(s, p, &right);
	x += pane_text(p, x, 0, ROLE_TITLE, 0, r->known > 1 && r->counts < 2 ? "no scaling" : r->kind == SCALING_WEAK ? "weak scaling" : "strong scaling");
	describe_series(r, text, sizeof text);
	text_drop_facts(text, right - x);
	pane_text_in(p, x, 0, right - x, ROLE_DIM, 0, text);
	x = 1;
	if (r->count == 1) {
		pane_text_in(p, x, 1, p.w - 2, ROLE_KEY, 0, "Scaling needs more runs; :add FILE adds one.");
		return;
	}
	if (describe_others(r, text, sizeof text)) {
		text_drop_facts(text, p.w - 1 - x);
		pane_text_in(p, x, 1, p.w - 1 - x, ROLE_WARN, 0, text);
		return;
	}
	if (!r->known || isnan(r->diagnosis.far.serial_fraction)) {
		if (r->known > 1 && r->counts < 2)
			pane_text_in(p, x, 1, p.w - 2, ROLE_DIM, 0, *scaling_equals_text(&r->figures[0], equals) ? equals :
				     "All runs have the same number of processes; scaling needs different numbers.");
		return;
	}
	if (r->diagnosis.far.slower) {
		describe_slower(r, text, sizeof text);
		text_drop_facts(text, p.w - 1 - x);
		pane_text_in(p, x, 1, p.w - 1 - x, ROLE_WARN, 0, text);
		return;
	}
	x += pane_text(p, x, 1, ROLE_TITLE, 0, "serial fraction ");
	if (s->curves.counts && s->curves.counts <= SPARK_MOST) {
		sparkline_text(s->curves.fraction, (int)s->curves.counts, spark, sizeof spark);
		x += pane_text(p, x, 1, ROLE_SLIDER, 0, spark) + 1;
	}
	describe_far(r, text, sizeof text);
	text_drop_facts(text, p.w - 1 - x);
	pane_text_in(p, x, 1, p.w - 1 - x, ROLE_DEFAULT, 0, text);
}

static void draw_sentences(const struct runs_view *s, struct pane p, int y)
{
	const struct runs *r = s->view.model->runs;

	for (uint32_t i = 0; i < r->shown; i++) {
		const struct run *run = &r->list[r->order[i]];
		char text[ERR_TEXT + 128], safe[100];

		text_safe(safe, sizeof safe, run_name(run), SIZE_MAX, TEXT_UTF8);
		snprintf(text, sizeof text, "%s: %s", safe, run->say);
		if (run->say[0])
			pane_text_in(p, 1, y++, p.w - 2, ROLE_WARN, 0, text);
	}
}

static void draw_plots(const struct runs_view *s, struct pane p)
{
	int w = s->plots > 1 ? (p.w - 1) / 2 : p.w;

	if (!s->curves.counts)
		return;
	if (s->plots == 1) {
		runs_plot_draw(s, s->page == RUNS_EFFICIENCY ? RUNS_EFFICIENCY : RUNS_SPEEDUP, pane_part(p, 1, 0, w - 2, p.h));
		return;
	}
	runs_plot_draw(s, RUNS_SPEEDUP, pane_part(p, 1, 0, w - 2, p.h));
	runs_plot_draw(s, RUNS_EFFICIENCY, pane_part(p, w + 1, 0, p.w - w - 2, p.h));
}

static void draw_runs(const struct view *v, struct pane p)
{
	const struct runs_view *s = (const struct runs_view *)v;
	struct pane below = pane_part(p, 0, RUNS_TITLE, p.w, p.h - RUNS_TITLE);

	runs_draw_title(s, p);
	if (s->diagnosing) {
		runs_text_draw(s, below);
		return;
	}
	draw_plots(s, pane_part(below, 0, 0, p.w, s->plot_h));
	runs_table_draw(s, pane_part(below, 0, s->plot_h, p.w, s->table_h));
	if (s->table_h > 1 + RUNS_ROWS)
		draw_sentences(s, below, s->plot_h + 1 + RUNS_ROWS);
}

/* --- keys --- */

static unsigned act_text(struct runs_view *s, enum action a)
{
	switch (a) {
	case ACTION_UP: s->text_top -= s->text_top > 0; return REACT_DONE;
	case ACTION_DOWN: s->text_top += runs_text(s) != NULL; return REACT_DONE;
	case ACTION_BACK:
		if (!runs_text(s))
			derived_cancel(&s->diagnosis);
		s->diagnosing = false;
		return REACT_DONE;
	case ACTION_DIAGNOSIS: s->diagnosing = false; return REACT_DONE;
	case ACTION_ENTER:
		if (*runs_text_failure(s))
			runs_text_ask(s);
		return REACT_DONE;
	default: return REACT_IGNORED;
	}
}

static unsigned next_page(struct runs_view *s)
{
	if (!s->pages && s->plots > 1)
		return REACT_IGNORED;
	s->page = (enum runs_page)((s->page + 1) % RUNS_PAGES);
	if (s->plots > 1 && s->page == RUNS_EFFICIENCY)
		s->page = RUNS_FIGURES; /* it stands beside the first */
	s->top = 0;
	return REACT_DONE;
}

static void turn_scaling(struct model *m)
{
	struct runs *r = m->runs;

	r->kind = r->kind == SCALING_STRONG ? SCALING_WEAK : SCALING_STRONG;
	runs_settle(r);
	snprintf(m->message, sizeof m->message, "%s", r->kind == SCALING_WEAK ? "Weak scaling: the problem grows with the number of processes." :
		 "Strong scaling: the same problem on more processes.");
}

static unsigned act_runs(struct view *v, enum action a)
{
	struct runs_view *s = self(v);
	struct runs *r = v->model->runs;

	if (s->diagnosing && a != ACTION_SCALING)
		return act_text(s, a);
	switch (a) {
	case ACTION_LEFT: runs_select(r, r->selected ? r->selected - 1 : 0); return REACT_DONE;
	case ACTION_RIGHT: runs_select(r, r->selected + 1); return REACT_DONE;
	case ACTION_FIRST: runs_select(r, 0); return REACT_DONE;
	case ACTION_LAST: runs_select(r, r->count); return REACT_DONE;
	case ACTION_UP: s->top -= s->top > 0; return REACT_DONE;
	case ACTION_DOWN: s->top++; return REACT_DONE; /* update brings it back */
	case ACTION_NEXT_PANE: return next_page(s);
	case ACTION_SCALING: turn_scaling(v->model); return REACT_DONE;
	case ACTION_LOG_AXES: s->log = !s->log; return REACT_DONE;
	case ACTION_DIAGNOSIS:
		s->diagnosing = true;
		runs_text_ask(s);
		return REACT_DONE;
	case ACTION_ENTER: return REACT_DONE | REACT_ACCEPT;
	case ACTION_BACK: return runs_stop(v->model) ? REACT_DONE : REACT_IGNORED;
	default: return REACT_IGNORED;
	}
}

static bool click_runs(struct view *v, int x, int y)
{
	struct runs_view *s = self(v);
	struct runs *r = v->model->runs;
	uint32_t columns = runs_table_columns(s->w), first = runs_table_first(r, s->w), before = r->selected;
	int column = s->w - (int)columns > 0 && x >= 23 ? (x - 23) / 11 : -1;

	if (s->diagnosing || column < 0 || (uint32_t)column >= columns || y < RUNS_TITLE + s->plot_h || first + (uint32_t)column >= r->shown)
		return false;
	runs_select(r, first + (uint32_t)column);
	return r->selected == before;
}

static void status_runs(const struct view *v, char *text, size_t size, int room)
{
	const struct runs *r = v->model->runs;
	const struct run *run = runs_selected(r);
	char safe[200], time[UNIT_TEXT], key[16];
	size_t n;
	(void)room;

	text[0] = 0;
	if (!run)
		return;
	text_safe(safe, sizeof safe, run->paths[0], SIZE_MAX, TEXT_UTF8);
	if (run->state == RUN_FAILED) {
		snprintf(text, size, "%s", run->say);
		return;
	}
	snprintf(text, size, "%s", safe);
	n = strlen(text);
	if (run->state == RUN_STOPPED)
		n += (size_t)snprintf(text + n, size - n, " · %s; :add reads it again", run->say);
	if (run->path_count > 1)
		n += (size_t)snprintf(text + n, size - n, " and %u more files", run->path_count - 1);
	if (run->state == RUN_KNOWN)
		n += (size_t)snprintf(text + n, size - n, " · %s", unit_figure_time(time, run->metrics.runtime));
	if (run->state == RUN_KNOWN && !run->metrics.has_account)
		n += (size_t)snprintf(text + n, size - n, " · no MPI calls, so only the run time is known");
	if (run == &r->list[r->open])
		snprintf(text + n, size - n, " · the open trace");
	else if (n < size)
		snprintf(text + n, size - n, " · %s opens it", keymap_first(v->model->keymap, ACTION_ENTER, key));
}

/* --- as a file --- */

static bool value_runs(const struct view *v, uint32_t row, int column, struct cell *c, char text[VALUE_TEXT])
{
	const struct runs_view *s = (const struct runs_view *)v;

	(void)text;
	if (s->rows_serial != v->model->runs->serial) /* they have changed since */
		return true;
	*c = shown_column(&s->written, column)->value(&s->list, row);
	return true;
}

/* As `pas2p metrics` has them. */
static bool table_runs(struct view *v, bool all, struct view_table *t)
{
	struct runs_view *s = self(v);
	const struct runs *r = v->model->runs;
	struct metrics_run_figures *rows;
	(void)all;

	if (!r->known)
		return false;
	rows = mem_resize(s->rows, r->known, sizeof *rows);
	if (!rows)
		return false;
	s->rows = rows;
	s->rows_serial = r->serial;
	for (uint32_t i = 0; i < r->known; i++) {
		const struct run *run = &r->list[r->order[i]];
		const struct scaling_run *f = &r->figures[i];

		rows[i] = (struct metrics_run_figures){
			.file = run->paths[0], .metrics = &run->metrics, .compute = run->compute, .speedup = f->speedup,
			.efficiency = f->efficiency, .serial_fraction = f->serial_fraction,
			.computation_scaling = f->computation_scaling, .global_efficiency = f->global_efficiency,
		};
	}
	s->list = (struct metrics_runs_list){rows, r->known};
	s->written = (struct shown_table){.list = &s->list};
	shown_pick(&s->written, &metrics_runs_columns, METRICS_ALL, false);
	*t = (struct view_table){.name = "the runs", .value = value_runs, .rows = r->known, .shown = &s->written};
	return true;
}

const struct view_ops view_runs = {
	.size = sizeof(struct runs_view),
	.hints = hints + 1,
	.close = close_runs,
	.show = show_runs,
	.update = update_runs,
	.draw = draw_runs,
	.act = act_runs,
	.click = click_runs,
	.status = status_runs,
	.table = table_runs,
};
