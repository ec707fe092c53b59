/* The clocks: the offset of each with its uncertainty, and messages that arrive before they were sent. Enter goes from
 * a process to its pairs, and from a pair to its worst message in the timeline. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "clocks_int.h"
#include "core/base/mem.h"
#include "core/lists/clocks.h"
#include "tui/model/describe.h"
#include "tui/panes/panes.h"
#include "tui/widgets/plot.h"

#define TITLE 2
#define LIST_LEAST 4  /* rows of the list, its head included, before there is a plot */
#define PLOT_LEAST 7

static struct clocks_view *self(struct view *v)
{
	return (struct clocks_view *)v;
}

static void open_clocks(struct view *v)
{
	struct clocks_view *s = self(v);

	out_init(&s->shifts);
	list_init(&s->pair_list);
	clocks_rows_init(s);
}

static void close_clocks(struct view *v)
{
	struct clocks_view *s = self(v);

	out_release(&s->shifts);
	list_release(&s->pair_list);
	mem_free(s->pair);
}

static struct list *list_clocks(struct view *v)
{
	return self(v)->in_pairs ? &self(v)->pair_list : &v->list;
}

static void show_clocks(struct view *v)
{
	struct clocks_view *s = self(v);

	s->in_pairs = false;
	if (s->report)
		list_select(&v->list, v->model->cursor.process);
}

/* --- layout --- */

/* The plot gets what the list leaves, and half at most of what it would like. */
static void clocks_lay_out(struct clocks_view *s, int h)
{
	int rows = (int)view_list(&s->view)->total + 1, room;

	s->title = h > TITLE + 2 ? TITLE : 0;
	room = h - s->title;
	s->plot_h = 0;
	if (room >= LIST_LEAST + PLOT_LEAST) {
		s->plot_h = room - rows > room / 2 ? room - rows : room / 2;
		s->plot_h = s->plot_h < PLOT_LEAST ? PLOT_LEAST : s->plot_h;
	}
	s->list_h = room - s->plot_h;
}

static void update_clocks(struct view *v, int w, int h)
{
	struct clocks_view *s = self(v);
	struct model *m = v->model;

	run_clocks_update(m);
	if (s->report != run_clocks_report(m)) {
		s->report = run_clocks_report(m);
		s->in_pairs = false;
		if (s->report) {
			clocks_rows_take(s);
			list_refresh(&v->list, &s->processes.source, s, s->report->trace->process_count, UINT32_MAX);
			show_clocks(v);
		}
	}
	if (!s->report)
		return;
	clocks_rows_fit(s, w);
	clocks_lay_out(s, h);
	list_fit(view_list(v), s->list_h - 1);
}

/* --- on the screen --- */

static struct pane list_pane_clocks(const struct view *v, struct pane p)
{
	const struct clocks_view *s = (const struct clocks_view *)v;

	return pane_part(p, 0, s->title, p.w, s->list_h);
}

/* "317 clock violations in 6 720 messages · 4.7 % · worst -722 ns" */
static void count_text(const struct violation_count *c, const char *what, char *text, size_t size)
{
	char all[UNIT_TEXT], violated[UNIT_TEXT], share[UNIT_TEXT], worst[UNIT_TEXT];

	unit_count(all, c->all);
	if (c->violated)
		snprintf(text, size, "%s clock violation%s in %s %s%s · %s · worst %s", unit_count(violated, c->violated),
			 c->violated == 1 ? "" : "s", all, what, c->all == 1 ? "" : "s",
			 unit_share(share, (double)c->violated / (double)c->all, 1), unit_time(worst, c->worst));
	else
		snprintf(text, size, "%s%s %s%s", c->all ? "no clock violation in " : "", all, what, c->all == 1 ? "" : "s");
}

static void clocks_draw_title(const struct clocks_view *s, struct pane p)
{
	const struct clock_report *r = s->report;
	const struct clock_bounds *b = r->bounds;
	char text[320], misfit[UNIT_TEXT], more[160];

	count_text(&r->violations->messages, "message", text, sizeof text);
	if (b->windows > 1)
		snprintf(text + strlen(text), sizeof text - strlen(text), " · %u windows", (unsigned)b->windows);
	text_drop_facts(text, p.w - 2);
	pane_text_in(p, 1, 0, p.w - 2, r->violations->messages.violated ? ROLE_WARN : ROLE_TITLE, 0, text);
	text[0] = 0;
	if (s->in_pairs)
		snprintf(text, sizeof text, "pairs of %s", unit_rank((char[UNIT_TEXT]){""}, s->of));
	if (times_are_corrected(s->view.model))
		snprintf(text + strlen(text), sizeof text - strlen(text), "%srecorded times", text[0] ? " · " : "");
	if (b->components > 1)
		snprintf(text + strlen(text), sizeof text - strlen(text), "%s%u groups of ranks without messages between them; reference: the lowest rank of each",
			 text[0] ? " · " : "", (unsigned)b->components);
	if (b->forced)
		snprintf(text + strlen(text), sizeof text - strlen(text), "%sbounds of %u pair%s contradict each other, by up to %s",
			 text[0] ? " · " : "", (unsigned)b->forced, b->forced == 1 ? "" : "s", unit_time(misfit, b->misfit));
	if (b->barriers)
		snprintf(text + strlen(text), sizeof text - strlen(text), "%sonly barriers are used of the collectives", text[0] ? " · " : "");
	if (r->violations->collective.all) {
		count_text(&r->violations->collective, "collective end", more, sizeof more);
		snprintf(text + strlen(text), sizeof text - strlen(text), "%s%s", text[0] ? " · " : "", more);
	}
	text_drop_facts(text, p.w - 2);
	pane_text_in(p, 1, 1, p.w - 2, b->forced ? ROLE_WARN : ROLE_DIM, 0, text);
}

static void draw_plot(const struct clocks_view *s, struct pane p)
{
	const struct clock_report *r = s->report;
	struct plot_series series = {.name = NULL, .kind = PLOT_BARS, .role = ROLE_WARN, .count = s->bin_count, .y = s->bins};
	struct plot plot = PLOT_INIT;

	if (!r->violations->messages.violated || !s->bin_count) {
		pane_text_in(p, 1, 1, p.w - 2, ROLE_DIM, 0, r->violations->messages.all ? "No message arrives before it was sent."
			     : "No messages, so the clock offsets are unknown.");
		return;
	}
	plot.title = "clock violations over time";
	plot.series = &series;
	plot.series_count = 1;
	plot.x.unit = PLOT_SECONDS;
	plot.x.from = 0;
	plot.x.to = r->violations->bin[r->violations->bin_count - 1].end - r->violations->bin[0].start;
	plot.y.unit = PLOT_COUNT;
	plot.y.from = 0;
	plot_draw(&plot, p);
}

static void draw_clocks(const struct view *v, struct pane p)
{
	static const struct waiting comparing = {PROGRESS_READ, "Comparing the clocks…", "compares the clocks"};
	const struct clocks_view *s = (const struct clocks_view *)v;

	if (!s->report) {
		waiting_draw(&comparing, v->model, &v->model->clocks, v->model->clocks.failure, p);
		return;
	}
	if (s->title)
		clocks_draw_title(s, p);
	list_draw(s->in_pairs ? &s->pair_list : &v->list, &clocks_drawn(s)->source, s, list_pane_clocks(v, p));
	if (s->plot_h)
		draw_plot(s, pane_part(p, 1, s->title + s->list_h, p.w - 1, s->plot_h));
}

/* --- keys --- */

static unsigned act_waiting(struct model *m, enum action a)
{
	if (a == ACTION_BACK && derived_busy(&m->clocks)) {
		derived_cancel(&m->clocks);
		return REACT_DONE;
	}
	if (a == ACTION_BACK || a == ACTION_CLOCKS)
		return REACT_CLOSE;
	if (a != ACTION_ENTER || !m->clocks.failure[0])
		return REACT_IGNORED;
	derived_again(&m->clocks);
	return REACT_DONE;
}

static unsigned show_pairs(struct clocks_view *s, uint32_t process)
{
	const struct clock_violations *v = s->report->violations;
	struct model *m = s->view.model;
	uint32_t *pair = mem_resize(s->pair, v->pair_count + 1, sizeof *pair), n = 0;

	if (!pair) {
		snprintf(m->message, sizeof m->message, "Not enough memory for the pairs.");
		return REACT_DONE;
	}
	s->pair = pair;
	for (uint32_t i = 0; i < v->pair_count; i++)
		if (v->pair[i].from == process || v->pair[i].to == process)
			pair[n++] = i;
	if (!n) {
		snprintf(m->message, sizeof m->message, "%s has no messages.", unit_rank((char[UNIT_TEXT]){""}, process));
		return REACT_DONE;
	}
	s->in_pairs = true;
	s->of = process;
	list_refresh(&s->pair_list, &s->pairs.source, s, n, UINT32_MAX);
	list_act(&s->pair_list, ACTION_FIRST);
	return REACT_DONE;
}

static unsigned show_worst(struct clocks_view *s, const struct pair_violations *pair)
{
	struct model *m = s->view.model;
	const struct clock_arrow *worst = clock_arrow_worst(run_clocks_arrows(m), s->report->trace, pair->from, pair->to);

	if (!worst) {
		snprintf(m->message, sizeof m->message, "No message from %s arrives at %s before it was sent.", unit_rank((char[UNIT_TEXT]){""}, pair->from),
			 unit_rank((char[UNIT_TEXT]){""}, pair->to));
		return REACT_DONE;
	}
	m->wanted.arrow = worst;
	return REACT_JUMPED | react_show(VIEW_TIMELINE);
}

static unsigned act_clocks(struct view *v, enum action a)
{
	struct clocks_view *s = self(v);
	uint32_t row;

	if (!s->report)
		return act_waiting(v->model, a);
	if (list_act(view_list(v), a))
		return REACT_DONE;
	switch (a) {
	case ACTION_BACK:
		if (!s->in_pairs)
			return REACT_CLOSE;
		s->in_pairs = false;
		return REACT_DONE;
	case ACTION_CLOCKS:
		return REACT_CLOSE;
	case ACTION_ENTER:
		row = list_row(view_list(v));
		if (row == UINT32_MAX)
			return REACT_DONE;
		return s->in_pairs ? show_worst(s, &s->report->violations->pair[s->pair[row]]) : show_pairs(s, row);
	default:
		return REACT_IGNORED;
	}
}

static void interval_text(const struct clock_report *r, uint32_t process, uint32_t border, char *text, size_t size)
{
	double low = clock_report_low(r, process, border), high = clock_report_high(r, process, border);
	char o[UNIT_TEXT], l[UNIT_TEXT], h[UNIT_TEXT];

	snprintf(text, size, "%s [%s, %s]", unit_time(o, clock_report_offset(r, process, border)), isnan(low) ? "-" : unit_time(l, low),
		 isnan(high) ? "-" : unit_time(h, high));
}

/* "rank 1 · 317 of 1 680 received too early · 1.00 µs [390 ns, 1.61 µs] at start · 995 ns [658 ns, 1.33 µs] at end" */
static void process_status(const struct clocks_view *s, uint32_t row, char *text, size_t size)
{
	const struct process_violations *found = &s->report->violations->process[row];
	char start[4 * UNIT_TEXT], end[4 * UNIT_TEXT], n[UNIT_TEXT], all[UNIT_TEXT];

	snprintf(text, size, "%s", unit_rank((char[UNIT_TEXT]){""}, row));
	if (!clock_report_has_clock(s->report, row)) {
		snprintf(text + strlen(text), size - strlen(text), " has no records");
		return;
	}
	if (found->sent.violated)
		snprintf(text + strlen(text), size - strlen(text), " · %s of %s sends too late", unit_count(n, found->sent.violated),
			 unit_count(all, found->sent.all));
	if (found->received.violated)
		snprintf(text + strlen(text), size - strlen(text), " · %s of %s receives too early",
			 unit_count(n, found->received.violated), unit_count(all, found->received.all));
	if (found->collective.violated)
		snprintf(text + strlen(text), size - strlen(text), " · %s of %s collectives ended too early",
			 unit_count(n, found->collective.violated), unit_count(all, found->collective.all));
	if (s->report->bounds->component[row] == row) {
		snprintf(text + strlen(text), size - strlen(text), " · reference of the offsets");
		return;
	}
	interval_text(s->report, row, 0, start, sizeof start);
	interval_text(s->report, row, s->report->bounds->borders - 1, end, sizeof end);
	snprintf(text + strlen(text), size - strlen(text), " · %s at start · %s at end", start, end);
}

/* "rank 0 to rank 1 · 317 of 1 264 arrive too early, worst -722 ns" */
static void pair_status(const struct clocks_view *s, uint32_t row, char *text, size_t size)
{
	const struct pair_violations *pair = &s->report->violations->pair[s->pair[row]];
	char n[UNIT_TEXT], all[UNIT_TEXT], worst[UNIT_TEXT];

	if (!pair->messages.violated) {
		snprintf(text, size, "%s to %s · no message arrives before it was sent", unit_rank((char[UNIT_TEXT]){""}, pair->from), unit_rank((char[UNIT_TEXT]){""}, pair->to));
		return;
	}
	snprintf(text, size, "%s to %s · %s of %s arrive too early, worst %s", unit_rank((char[UNIT_TEXT]){""}, pair->from), unit_rank((char[UNIT_TEXT]){""}, pair->to),
		 unit_count(n, pair->messages.violated), unit_count(all, pair->messages.all), unit_time(worst, pair->messages.worst));
}

static void status_clocks(const struct view *v, char *text, size_t size, int room)
{
	const struct clocks_view *s = (const struct clocks_view *)v;
	uint32_t row = s->report ? list_row(s->in_pairs ? &s->pair_list : &v->list) : UINT32_MAX;

	text[0] = 0;
	if (row == UINT32_MAX)
		return;
	if (s->in_pairs)
		pair_status(s, row, text, size);
	else
		process_status(s, row, text, size);
	text_drop_facts(text, room);
}

/* --- rows --- */

static const struct row_source *rows_clocks(const struct view *v)
{
	const struct clocks_view *s = (const struct clocks_view *)v;

	return s->report ? &clocks_drawn(s)->source : NULL;
}

static bool value_shown_pair(const struct view *v, uint32_t row, int column, struct cell *c, char text[VALUE_TEXT])
{
	const struct clocks_view *s = (const struct clocks_view *)v;

	(void)text;
	*c = shown_column(&s->written, column)->value(&s->rows, s->pair[row]);
	return true;
}

/* With all: every pair of the run, not this process's. */
static bool table_clocks(struct view *v, bool all, struct view_table *t)
{
	struct clocks_view *s = self(v);
	const struct list *l = view_list(v);

	if (!s->report)
		return false;
	s->written = (struct shown_table){.list = &s->rows};
	shown_pick(&s->written, s->in_pairs ? &clocks_pairs_columns : &clocks_processes_columns, CLOCKS_ALL, false);
	table_of_list(t, &s->written, s->in_pairs ? "the pairs" : NULL, l, all);
	if (s->in_pairs && all)
		t->rows = s->report->violations->pair_count;
	else if (s->in_pairs)
		t->value = value_shown_pair;
	return true;
}

static const struct hint hints[] = {
	{ACTION_ENTER, ACTION_NONE, "pairs, then worst message"},
	{ACTION_SORT, ACTION_SORT_REVERSE, "sort"},
	{ACTION_EXPORT_ROWS, ACTION_NONE, "rows to a file"},
	{ACTION_CORRECTED_TIME, ACTION_NONE, "corrected times"},
	{ACTION_WRITE_CORRECTED, ACTION_NONE, "write corrected"},
	{ACTION_BACK, ACTION_NONE, "back"},
	{ACTION_NONE, ACTION_NONE, NULL},
};

const struct view_ops view_clocks = {
	.size = sizeof(struct clocks_view),
	.hints = hints,
	.open = open_clocks,
	.close = close_clocks,
	.show = show_clocks,
	.update = update_clocks,
	.draw = draw_clocks,
	.act = act_clocks,
	.status = status_clocks,
	.rows = rows_clocks,
	.table = table_clocks,
	.list_pane = list_pane_clocks,
	.list = list_clocks,
};
