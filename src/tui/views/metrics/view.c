/* The metrics: the hierarchy of efficiency factors, the parts of each, and the time breakdown of each process; one step
 * in, the causes of a factor's loss; and the diagnosis as text. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/base/mem.h"
#include "metrics_int.h"
#include "tui/panes/panes.h"
#include "tui/widgets/paragraph.h"

#define TREE_LEAST 50
#define TREE_MOST 84
#define TEXT_LEAST 4 /* lines for the diagnosis under the tree */

static struct metrics_view *self(struct view *v)
{
	return (struct metrics_view *)v;
}

/* Enter opens the rows that say most of the factor. */
#define FACTOR_HINTS(rows) { \
	{ACTION_ENTER, ACTION_NONE, rows}, \
	{ACTION_DIAGNOSIS, ACTION_NONE, "diagnosis"}, \
	{ACTION_SHARES, ACTION_NONE, "shares"}, \
	{ACTION_WHAT_IF, ACTION_NONE, "what if"}, \
	{ACTION_EXPORT_ROWS, ACTION_NONE, "rows to a file"}, \
	{ACTION_NONE, ACTION_NONE, NULL}, \
}
static const struct hint factor_hints[GUILTY_BYS][6] = {
	[GUILTY_BY_PROCESS] = FACTOR_HINTS("ranks"), [GUILTY_BY_STATE] = FACTOR_HINTS("call paths"),
	[GUILTY_BY_PHASE] = FACTOR_HINTS("phases"), [GUILTY_BY_CAUSE] = FACTOR_HINTS("root causes"),
};

static const struct hint guilty_hints[] = {
	{ACTION_ENTER, ACTION_NONE, "most expensive"},
	{ACTION_ROWS_BY, ACTION_NONE, "list by"},
	{ACTION_SORT, ACTION_SORT_REVERSE, "sort"},
	{ACTION_SHARES, ACTION_NONE, "shares"},
	{ACTION_FILTER, ACTION_NONE, "filter"},
	{ACTION_EXPORT_ROWS, ACTION_NONE, "rows to a file"},
	{ACTION_BACK, ACTION_NONE, "factors"},
	{ACTION_NONE, ACTION_NONE, NULL},
};

static const struct hint text_hints[] = {
	{ACTION_UP, ACTION_DOWN, "scroll"},
	{ACTION_BACK, ACTION_NONE, "factors"},
	{ACTION_NONE, ACTION_NONE, NULL},
};

static const struct hint slider_hints[] = {
	{ACTION_UP, ACTION_DOWN, "choose"},
	{ACTION_LEFT, ACTION_RIGHT, "change"},
	{ACTION_ENTER, ACTION_NONE, "type it"},
	{ACTION_BACK, ACTION_NONE, "close"},
	{ACTION_NONE, ACTION_NONE, NULL},
};

static void open_metrics(struct view *v)
{
	metrics_rows_init(self(v));
}

static void metrics_forget(struct metrics_view *s)
{
	metrics_stay(s);
	made_unref(s->phases);
	made_unref(s->run);
	s->phases = NULL;
	s->run = NULL;
}

static void close_metrics(struct view *v)
{
	metrics_rows_release(self(v));
	mem_free(self(v)->useful);
	metrics_forget(self(v));
}

/* --- what has come --- */

static void take_useful(struct metrics_view *s)
{
	const struct run_metrics *m = s->run->metrics;
	double *useful = m->has_account ? mem_resize(s->useful, m->processes, sizeof *useful) : NULL;

	if (!useful)
		return;
	s->useful = useful;
	for (uint32_t i = 0; i < m->processes; i++)
		useful[i] = m->of_process[i].by_kind[ACCOUNT_USEFUL];
}

static void metrics_take_run(struct metrics_view *s)
{
	const struct model *m = s->view.model;

	if (s->serial == spending_serial(m))
		return;
	s->serial = spending_serial(m);
	metrics_forget(s);
	s->run = made_ref(spent_run(m));
	if (!s->run)
		return;
	s->phases = made_ref(spent_phases(m));
	take_useful(s);
	metrics_tree_make(s);
	metrics_rows_make(s);
}

/* --- where everything stands --- */

/* Whether there are user states is of interest where rows are states. */
static uint64_t note_count(const struct metrics_view *s, int note)
{
	bool states = s->page == METRICS_GUILTY && s->by == GUILTY_BY_STATE;

	return note == METRIC_NOTE_NO_USER_STATES && !states ? 0 : s->run->metrics->notes[note];
}

static int notes_of(const struct metrics_view *s)
{
	int n = 0;

	for (int i = 0; i < METRIC_NOTES; i++)
		n += note_count(s, i) > 0;
	return n;
}

/* A line of title, the sliders of what if, then tree and reason, the bars, a line for notes. Bars have what the tree
 * leaves, and half of a high screen at most. */
static void metrics_lay_out(struct metrics_view *s, int w, int h)
{
	int tree = (int)s->factor_count + 1, bars = metrics_bars_rows(s) + 1, room;

	s->w = w;
	s->h = h;
	s->notes_h = spending_failure(s->view.model)[0] || projected_failure(s->view.model)[0] || notes_of(s) ? 1 : 0;
	s->sliders_h = s->page == METRICS_DIAGNOSIS ? 0 : what_if_sliders_rows(s);
	if (s->sliders_h > h - 1)
		s->sliders_h = h - 1;
	room = h - 1 - s->notes_h - s->sliders_h;
	s->bars_h = room - tree > room / 2 ? room - tree : room / 2;
	if (s->bars_h > room / 2 && room / 2 >= tree)
		s->bars_h = room / 2;
	else if (s->bars_h > room - tree)
		s->bars_h = room - tree;
	if (s->bars_h > bars)
		s->bars_h = bars;
	if (s->bars_h < 2 || bars < 2)
		s->bars_h = 0;
	s->tree_h = room - s->bars_h;
	s->tree_w = w * 45 / 100 < TREE_LEAST ? TREE_LEAST : w * 45 / 100 > TREE_MOST ? TREE_MOST : w * 45 / 100;
	if (s->tree_w > w)
		s->tree_w = w;
	metrics_tree_lay_out(s);
	list_fit(&s->lists[s->by], h - 2 - s->sliders_h);
}

static enum guilty_by first_by(enum metrics_factor f);
static void show_rows(struct metrics_view *s, enum guilty_by by);

/* What another view wants to be seen here. */
static void take_wanted(struct metrics_view *s)
{
	static const enum metrics_factor factors[] = {
		[WANTED_FACTORS] = FACTOR_PARALLEL, [WANTED_WAITS] = FACTOR_SERIALISATION, [WANTED_BALANCE] = FACTOR_BALANCE,
		[WANTED_TRANSFER] = FACTOR_TRANSFER, [WANTED_OTHER] = FACTOR_PARALLEL,
	};
	enum wanted_metrics what = s->view.model->wanted.metrics;

	if (what == WANTED_NO_METRICS)
		return;
	s->view.model->wanted.metrics = WANTED_NO_METRICS;
	s->page = METRICS_HIERARCHY;
	for (uint32_t i = 0; i < s->factor_count; i++)
		if (s->factors[i] == factors[what])
			list_select(&s->view.list, i);
	if (what == WANTED_OTHER) {
		show_rows(s, GUILTY_BY_STATE);
		metrics_rows_sort_by(s, METRICS_STATE_TIME); /* what is no communication loses nothing by a factor's name */
	} else if (what != WANTED_FACTORS) {
		show_rows(s, first_by(metrics_selected(s)));
	}
}

/* The answers stand next to their topics, or below them if the pane is narrow. Returns the lines. */
static int diagnosis_draw(struct pane p, int top, enum role role, const char *text)
{
	char narrow[4096];
	size_t used = 0;

	if (p.w >= 3 * DIAGNOSIS_INDENT)
		return paragraph_draw(p, top, DIAGNOSIS_INDENT, role, text);
	narrow[0] = 0;
	while (*text && used < sizeof narrow) {
		size_t n = strcspn(text, "\n"), topic = n < DIAGNOSIS_INDENT ? n : DIAGNOSIS_INDENT, answer = topic;

		while (topic && text[topic - 1] == ' ')
			topic--;
		used += (size_t)snprintf(narrow + used, sizeof narrow - used, "%.*s%s%s%.*s\n", (int)topic, text, topic && answer < n ? "\n" : "",
					 answer < n ? "  " : "", (int)(n - answer), text + answer);
		text += n + (text[n] == '\n');
	}
	return paragraph_draw(p, top, 2, role, narrow);
}

static void update_metrics(struct view *v, int w, int h)
{
	struct metrics_view *s = self(v);

	spending_update(v->model);
	projected_update(v->model);
	metrics_take_run(s);
	if (!s->run)
		return;
	what_if_sliders_update(s);
	take_wanted(s);
	metrics_lay_out(s, w, h);
	if (s->page == METRICS_DIAGNOSIS && s->phases) {
		s->text_lines = diagnosis_draw((struct pane){.w = w - 2}, 0, ROLE_DEFAULT, s->phases->diagnosis);
		if (s->text_top > s->text_lines - (h - 1))
			s->text_top = s->text_lines - (h - 1);
		s->text_top = s->text_top < 0 ? 0 : s->text_top;
	}
	v->hints = s->sliders_h ? slider_hints : s->page == METRICS_GUILTY ? guilty_hints : s->page == METRICS_DIAGNOSIS ? text_hints :
		   factor_hints[first_by(metrics_selected(s))];
}

/* --- drawing --- */

/* What would be, beside what is. */
static void draw_projected(const struct metrics_view *s, struct pane p, int x)
{
	const struct model *m = s->view.model;
	const struct projected_run *would = projected_changed(m), *unchanged = projected_unchanged(m);
	char text[512], a[UNIT_TEXT], b[UNIT_TEXT], c[UNIT_TEXT], d[UNIT_TEXT], of[UNIT_TEXT];
	bool more;

	x += pane_text_in(p, x, 0, p.w / 2, ROLE_DIM, 0, " · if ");
	snprintf(text, sizeof text, "%s", m->projected.text);
	more = text_drop(text, ", ", p.w / 3);
	x += pane_text_in(p, x, 0, p.w / 3, ROLE_VALUE, 0, text);
	if (more)
		x += pane_text(p, x, 0, ROLE_DIM, 0, ", …");
	if (!would) {
		pane_text_in(p, x, 0, p.w - x - 1, projected_failure(m)[0] ? ROLE_WARN : ROLE_DIM, 0, projected_failure(m)[0] ? "" : " …");
		return;
	}
	snprintf(text, sizeof text, ": %s (%+.1f %% of %s unchanged) · parallel eff. %s · load balance %s · communication eff. %s",
		 unit_time(a, would->runtime), unchanged->runtime > 0 ? 100 * (would->runtime / unchanged->runtime - 1) : 0,
		 unit_time(of, unchanged->runtime), unit_figure_percent(b, would->factors.parallel_efficiency),
		 unit_figure_percent(c, would->factors.load_balance), unit_figure_percent(d, would->factors.communication_efficiency));
	text_drop_facts(text, p.w - 1 - x);
	pane_text_in(p, x, 0, p.w - 1 - x, would->runtime < unchanged->runtime ? ROLE_BETTER : ROLE_WORSE, 0, text);
}

static void metrics_draw_title(const struct metrics_view *s, struct pane p)
{
	const struct run_metrics *m = s->run->metrics;
	double all = m->total;
	double unknown = run_metrics_not_analysed(m);
	char text[256], a[UNIT_TEXT], b[UNIT_TEXT], part[64] = "";
	int x = 1;

	x += pane_text(p, x, 0, ROLE_TITLE, 0, "run time ");
	x += pane_text(p, x, 0, ROLE_VALUE, 0, unit_figure_time(a, m->runtime));
	if (s->view.model->projected.change.count && !what_if_sliders_compare(s)) {
		draw_projected(s, p, x);
		return;
	}
	text[0] = 0;
	if (unknown >= 0.0005)
		snprintf(part, sizeof part, " · not analysed %s", unit_percent(a, unknown));
	if (m->has_account && all > 0)
		snprintf(text, sizeof text, " · computation %s · waiting %s%s%s · transfer %s · other %s · ideal network %s",
			 unit_percent(a, m->account.by_kind[ACCOUNT_USEFUL] / all), unknown >= 0.0005 && account_sync(&m->account) > 0 ? "at least " : "",
			 unknown > 0 && !(account_sync(&m->account) > 0) ? "unknown" : unit_percent(b, account_sync(&m->account) / all), part,
			 unit_percent((char[UNIT_TEXT]){""}, account_moving(&m->account) / all),
			 unit_percent((char[UNIT_TEXT]){""}, fmax(0, 1 - (m->account.by_kind[ACCOUNT_USEFUL] + account_sync(&m->account) + account_moving(&m->account) +
									      m->account.not_analysed) / all)),
			 unit_figure_time((char[UNIT_TEXT]){""}, m->ideal_runtime));
	text_drop_facts(text, p.w - 1 - x);
	pane_text_in(p, x, 0, p.w - 1 - x, ROLE_DIM, 0, text);
}

/* What the trace does not support: the first of the notes, and how many more there are. */
static void draw_note(const struct metrics_view *s, struct pane p, int y)
{
	int n = notes_of(s), right = p.w - 1;
	char text[ERR_TEXT + 128], a[UNIT_TEXT], key[16];

	if (spending_failure(s->view.model)[0]) {
		const char *why = spending_failure(s->view.model);

		snprintf(text, sizeof text, "%.*s Its phases are unknown; %s tries again.", (int)strcspn(why, "\n"), why,
			 keymap_first(s->view.model->keymap, ACTION_DIAGNOSIS, key));
		pane_text_in(p, 1, y, p.w - 2, ROLE_WARN, 0, text);
		return;
	}
	if (projected_failure(s->view.model)[0]) {
		pane_text_in(p, 1, y, p.w - 2, ROLE_WARN, 0, projected_failure(s->view.model));
		return;
	}
	if (n > 1) {
		snprintf(text, sizeof text, "%d more notes: %s", n - 1, keymap_first(s->view.model->keymap, ACTION_DIAGNOSIS, key));
		right -= pane_text_right(p, right, y, ROLE_DIM, 0, text) + 2;
	}
	for (int i = 0; i < METRIC_NOTES; i++)
		if (note_count(s, i)) {
			snprintf(text, sizeof text, "%s × %s", unit_count(a, note_count(s, i)), metric_note_meaning((enum metric_note)i));
			pane_text_in(p, 1, y, right - 1, ROLE_WARN, 0, text);
			return;
		}
}

/* As much of the diagnosis as there is room for. */
static void draw_summary(const struct metrics_view *s, struct pane p)
{
	int lines = diagnosis_draw(pane_part(p, 0, 0, p.w, p.h - 1), 0, ROLE_DIM, s->phases->diagnosis);
	char key[16];

	if (lines <= p.h)
		diagnosis_draw(p, 0, ROLE_DIM, s->phases->diagnosis);
	else
		pane_textf(p, 2, p.h - 1, ROLE_DIM, 0, "… %s: complete text", keymap_first(s->view.model->keymap, ACTION_DIAGNOSIS, key));
}

static void draw_hierarchy(const struct metrics_view *s, struct pane p)
{
	int below = 1 + (int)s->factor_count + 2, side = p.w - s->tree_w - 2, top = 1 + s->sliders_h;

	metrics_draw_title(s, p);
	metrics_tree_draw(s, pane_part(p, 0, top, s->tree_w, s->tree_h < (int)s->factor_count + 1 ? s->tree_h : (int)s->factor_count + 1));
	if (s->phases && s->tree_h - below > TEXT_LEAST)
		draw_summary(s, pane_part(p, 1, s->sliders_h + below, s->tree_w - 2, s->tree_h - below));
	if (side >= 20)
		metrics_reason_draw(s, pane_part(p, s->tree_w + 1, top, side, s->tree_h > 1 ? s->tree_h - (s->tree_h > 8) : 1));
	if (s->bars_h)
		metrics_bars_draw(s, pane_part(p, 0, top + s->tree_h, p.w, s->bars_h));
	if (s->notes_h)
		draw_note(s, p, p.h - 1);
}

/* What time the factor counts as lost: metrics_row_lost(). */
static const char *lost_as(enum metrics_factor f)
{
	static const char *const texts[METRICS_FACTORS] = {
		[FACTOR_PARALLEL] = "idle", [FACTOR_BALANCE] = "imbalance", [FACTOR_NODES] = "imbalance", [FACTOR_INSIDE] = "imbalance",
		[FACTOR_COMMUNICATION] = "communication", [FACTOR_SERIALISATION] = "waiting", [FACTOR_TRANSFER] = "transfer", [FACTOR_TRACER] = "tracer",
	};

	return texts[f];
}

static void draw_guilty(const struct metrics_view *s, struct pane p)
{
	enum metrics_factor f = metrics_selected(s);
	char a[UNIT_TEXT], b[UNIT_TEXT], key[16], text[160];
	int x = 1 + pane_textf(p, 1, 0, ROLE_TITLE, 0, "%s %s", metrics_factor_name(f),
			       unit_figure_percent(a, metrics_factor_value(s->run->metrics, f)));

	if (s->by == GUILTY_BY_CAUSE)
		snprintf(text, sizeof text, " · delay cost ");
	else
		snprintf(text, sizeof text, " · lost time (%s) ", lost_as(f));
	snprintf(text + strlen(text), sizeof text - strlen(text), "%s",
		 metrics_time_text(s, metrics_rows_there(s) ? metrics_rows_lost(s, f) : (double)NAN, b));
	/* The other rows are of what lies between records. */
	if (f == FACTOR_PARALLEL && (s->by == GUILTY_BY_STATE || s->by == GUILTY_BY_PHASE) && s->run->metrics->outside > 0)
		snprintf(text + strlen(text), sizeof text - strlen(text), " · not recorded %s",
			 metrics_time_text(s, s->run->metrics->outside, b));
	if (s->by == GUILTY_BY_CAUSE && s->phases && s->phases->causes && s->phases->causes->unresolved > 0)
		snprintf(text + strlen(text), sizeof text - strlen(text), " · unknown cause %s",
			 metrics_time_text(s, s->phases->causes->unresolved, b));
	snprintf(text + strlen(text), sizeof text - strlen(text), " · by %s, %s: next list", metrics_guilty_by(s->by),
		 keymap_first(s->view.model->keymap, ACTION_ROWS_BY, key));
	if (note_count(s, METRIC_NOTE_NO_USER_STATES))
		snprintf(text + strlen(text), sizeof text - strlen(text), " · MPI functions only");
	text_drop_facts(text, p.w - x - 1);
	pane_text_in(p, x, 0, p.w - x - 1, ROLE_DIM, 0, text);
	if (!metrics_rows_there(s))
		pane_text(p, 1, 2 + s->sliders_h, ROLE_DIM, 0, spending_failure(s->view.model)[0] ? spending_failure(s->view.model) :
			  "Measuring the phases…");
	else if (!s->lists[s->by].total)
		pane_text(p, 1, 2 + s->sliders_h, ROLE_DIM, 0, s->by == GUILTY_BY_CAUSE ? "No rank waited." : "none");
	else
		list_draw(&s->lists[s->by], &s->drawn[s->by].source, s, pane_part(p, 0, 1 + s->sliders_h, p.w, p.h - 1 - s->sliders_h));
}

/* The sentences, then all notes. */
static void draw_diagnosis(const struct metrics_view *s, struct pane p)
{
	char text[512], a[UNIT_TEXT];
	int y;

	pane_text(p, 1, 0, ROLE_TITLE, 0, "diagnosis");
	if (!s->phases) {
		pane_text(p, 1, 2, ROLE_DIM, 0, spending_failure(s->view.model)[0] ? spending_failure(s->view.model) :
			  "Measuring the phases…");
		return;
	}
	p = pane_part(p, 1, 1, p.w - 2, p.h - 1);
	y = diagnosis_draw(p, s->text_top, ROLE_DEFAULT, s->phases->diagnosis) - s->text_top + 1;
	for (int i = 0; i < METRIC_NOTES; i++) {
		if (!note_count(s, i) || y >= p.h)
			continue;
		snprintf(text, sizeof text, "%s × %s: %s", unit_count(a, note_count(s, i)), metric_note_kind((enum metric_note)i),
			 metric_note_meaning((enum metric_note)i));
		y += paragraph_draw(pane_part(p, 0, y, p.w, p.h - y), 0, 8, ROLE_DIM, text);
	}
}

static void draw_metrics(const struct view *v, struct pane p)
{
	static const struct waiting making = {
		PROGRESS_READ, "Reading calls, finding waits, simulating an ideal network…", "measures the run",
	};
	const struct metrics_view *s = (const struct metrics_view *)v;

	if (!s->run)
		waiting_draw(&making, v->model, &v->model->spending.run, spending_failure(v->model), p);
	else if (s->page == METRICS_GUILTY)
		draw_guilty(s, p);
	else if (s->page == METRICS_DIAGNOSIS)
		draw_diagnosis(s, p);
	else
		draw_hierarchy(s, p);
	if (s->run && s->sliders_h)
		what_if_sliders_draw(s, pane_part(p, 0, 1, p.w, s->sliders_h));
}

/* --- keys --- */

static void show_rows(struct metrics_view *s, enum guilty_by by)
{
	s->page = METRICS_GUILTY;
	s->by = by;
	metrics_rows_sort(s);
}

/* The rows that say most of a factor. */
static enum guilty_by first_by(enum metrics_factor f)
{
	switch (f) {
	case FACTOR_BALANCE:
	case FACTOR_NODES:
	case FACTOR_INSIDE: return GUILTY_BY_PROCESS;
	case FACTOR_SERIALISATION: return GUILTY_BY_CAUSE;
	default: return GUILTY_BY_STATE;
	}
}

static unsigned act_text(struct metrics_view *s, enum action a)
{
	int page = s->h > 2 ? s->h - 2 : 1;

	switch (a) {
	case ACTION_UP: s->text_top--; break;
	case ACTION_DOWN: s->text_top++; break;
	case ACTION_PAGE_UP:
	case ACTION_HALF_UP: s->text_top -= page; break;
	case ACTION_PAGE_DOWN:
	case ACTION_HALF_DOWN: s->text_top += page; break;
	case ACTION_FIRST: s->text_top = 0; break;
	case ACTION_LAST: s->text_top = s->text_lines; break;
	case ACTION_BACK:
	case ACTION_DIAGNOSIS: s->page = METRICS_HIERARCHY; break;
	default: return REACT_IGNORED;
	}
	return REACT_DONE;
}

static unsigned act_waiting(struct metrics_view *s, enum action a)
{
	struct model *m = s->view.model;

	if (a == ACTION_BACK && spending_busy(m)) {
		spending_cancel(m);
		return REACT_DONE;
	}
	if (a != ACTION_ENTER || !spending_failure(m)[0])
		return REACT_IGNORED;
	spending_again(m);
	return REACT_DONE;
}

static unsigned act_metrics(struct view *v, enum action a)
{
	struct metrics_view *s = self(v);
	struct model *m = v->model;
	unsigned reaction;
	uint32_t row;

	if (!s->run)
		return act_waiting(s, a);
	metrics_stay(s);
	if (s->sliders.open && s->page != METRICS_DIAGNOSIS && (reaction = what_if_sliders_act(s, a)) != REACT_IGNORED)
		return reaction;
	if (s->page == METRICS_DIAGNOSIS && act_text(s, a))
		return REACT_DONE;
	if (s->page == METRICS_HIERARCHY ? list_act(&v->list, a) : metrics_rows_there(s) && list_act(&s->lists[s->by], a))
		return REACT_DONE;
	switch (a) {
	case ACTION_ENTER:
		if (s->page == METRICS_HIERARCHY) {
			show_rows(s, first_by(metrics_selected(s)));
			return REACT_DONE;
		}
		row = metrics_rows_there(s) ? list_row(&s->lists[s->by]) : UINT32_MAX;
		return row == UINT32_MAX || !model_ticks(m) ? REACT_DONE : metrics_go(s, row);
	case ACTION_BACK:
		if (s->page == METRICS_GUILTY) {
			list_stop(&s->lists[s->by]);
			s->page = METRICS_HIERARCHY;
			return REACT_DONE;
		}
		if (m->projected.change.count) {
			projected_change(m, &(struct what_if){.count = 0});
			return REACT_DONE;
		}
		return act_waiting(s, a);
	case ACTION_ROWS_BY:
		show_rows(s, s->page == METRICS_GUILTY ? (s->by + 1) % GUILTY_BYS : s->by);
		return REACT_DONE;
	case ACTION_DIAGNOSIS:
		if (spending_failure(m)[0])
			spending_again(m);
		s->page = METRICS_DIAGNOSIS;
		s->text_top = 0;
		return REACT_DONE;
	case ACTION_WHAT_IF:
		if (!s->run->metrics->has_account) {
			snprintf(m->message, sizeof m->message, "A projection needs MPI calls; the trace has none.");
			return REACT_DONE;
		}
		if (s->page == METRICS_DIAGNOSIS)
			s->page = METRICS_HIERARCHY;
		what_if_sliders_open(s);
		return REACT_DONE;
	case ACTION_SHARES:
		s->shares = !s->shares;
		snprintf(m->message, sizeof m->message, "Times in %s.", s->shares ? "shares of total time" : "seconds");
		return REACT_DONE;
	default: return REACT_IGNORED;
	}
}

/* --- status --- */

static const char *meaning(enum metrics_factor f)
{
	static const char *const texts[METRICS_FACTORS] = {
		[FACTOR_PARALLEL] = "mean computation / run time",
		[FACTOR_BALANCE] = "mean / largest computation of the ranks",
		[FACTOR_NODES] = "mean / largest computation of the nodes",
		[FACTOR_INSIDE] = "load balance / load balance between nodes",
		[FACTOR_COMMUNICATION] = "largest computation / run time",
		[FACTOR_SERIALISATION] = "largest computation / run time on an ideal network",
		[FACTOR_TRANSFER] = "run time on an ideal network / run time",
		[FACTOR_TRACER] = "efficiency left after the cost of the tracer",
	};

	return texts[f];
}

static void status_metrics(const struct view *v, char *text, size_t size, int room)
{
	const struct metrics_view *s = (const struct metrics_view *)v;
	enum metrics_factor f = metrics_selected(s);
	uint32_t row = metrics_rows_there(s) ? list_row(&s->lists[s->by]) : UINT32_MAX;
	char a[UNIT_TEXT], b[UNIT_TEXT], ends[128];
	double lost;

	text[0] = 0;
	if (!s->run || s->page == METRICS_DIAGNOSIS)
		return;
	if (s->page == METRICS_HIERARCHY) {
		snprintf(text, size, "%s %s · %s", metrics_factor_name(f),
			 unit_figure_percent(a, metrics_factor_value(s->run->metrics, f)), meaning(f));
		metrics_ends_text(s->run->metrics, ends, sizeof ends);
		if (f <= FACTOR_BALANCE && ends[0] && s->run->metrics->processes > 1) /* means of processes */
			snprintf(text + strlen(text), size - strlen(text), " · %s", ends);
		text_drop_facts(text, room);
		return;
	}
	if (row == UINT32_MAX)
		return;
	lost = metrics_row_lost(s, s->by, row, f);
	snprintf(text, size, "%s %s, %s of total time", s->by == GUILTY_BY_CAUSE ? "delay cost" : "lost time", unit_figure_time(a, lost),
		 unit_figure_percent(b, lost / s->run->metrics->total));
}

static const struct row_source *rows_metrics(const struct view *v)
{
	const struct metrics_view *s = (const struct metrics_view *)v;

	if (!s->run || s->page == METRICS_DIAGNOSIS)
		return NULL;
	if (s->page == METRICS_HIERARCHY)
		return &s->tree;
	return metrics_rows_there(s) ? &s->drawn[s->by].source : NULL;
}

static struct list *list_metrics(struct view *v)
{
	struct metrics_view *s = self(v);

	return s->page == METRICS_GUILTY ? &s->lists[s->by] : &v->list;
}

static bool table_metrics(struct view *v, bool all, struct view_table *t)
{
	struct metrics_view *s = self(v);

	return s->page == METRICS_GUILTY ? metrics_guilty_table(s, all, t) : metrics_tree_table(s, t);
}

static struct pane list_pane_metrics(const struct view *v, struct pane p)
{
	const struct metrics_view *s = (const struct metrics_view *)v;
	int top = 1 + s->sliders_h;

	return s->page == METRICS_GUILTY ? pane_part(p, 0, top, p.w, p.h - top) : pane_part(p, 0, top, s->tree_w, s->tree_h);
}

static unsigned work_metrics(struct view *v, unsigned ms)
{
	return self(v)->search.busy ? metrics_go_on(self(v), ms) : REACT_IGNORED;
}

const struct view_ops view_metrics = {
	.size = sizeof(struct metrics_view),
	.hints = factor_hints[GUILTY_BY_STATE],
	.open = open_metrics,
	.close = close_metrics,
	.update = update_metrics,
	.draw = draw_metrics,
	.act = act_metrics,
	.status = status_metrics,
	.rows = rows_metrics,
	.list = list_metrics,
	.table = table_metrics,
	.list_pane = list_pane_metrics,
	.work = work_metrics,
};
