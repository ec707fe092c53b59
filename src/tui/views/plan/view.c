/* The plan: the cost and the error of designs of windows, and the best one within the budget. Enter takes the design
 * under the cursor as settings. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/mem.h"
#include "core/base/order.h"
#include "plan_int.h"
#include "tui/panes/panes.h"
#include "tui/widgets/plot.h"
#include "tui/widgets/units.h"

static struct plan_view *self(struct view *v)
{
	return (struct plan_view *)v;
}

/* Where the cursor is at first: on the choice, or on the cheapest where none fits. */
static uint32_t first_row(const struct plan *p)
{
	uint32_t least = 0;

	for (uint32_t i = 1; i < p->count; i++)
		if (p->candidate[i].cost < p->candidate[least].cost)
			least = i;
	return p->choice < 0 ? least : (uint32_t)p->choice;
}

static void plan_forget(struct plan_view *s)
{
	made_unref(s->of);
	s->of = NULL;
	s->plan = NULL;
}

static void plan_take(struct plan_view *s)
{
	struct model *m = s->view.model;
	struct list *l = &s->view.list;

	if (!run_plan_current(m)) {
		plan_forget(s);
		return;
	}
	if (s->of == run_plan_now(m))
		return;
	plan_forget(s);
	s->of = made_ref(run_plan_now(m));
	s->plan = s->of->plan;
	if (plan_plot_make(s)) {
		list_refresh(l, &s->drawn.source, s, s->plan->count, UINT32_MAX);
		list_select(l, first_row(s->plan));
	} else {
		plan_forget(s);
		snprintf(m->plan.failure, sizeof m->plan.failure, "Not enough memory for a plan.");
	}
}

/* --- the rows --- */

enum { P_CHOICE = PLAN_COLUMNS };

static const struct column_look drawn_columns[] = {
	{"choice", "", .width = 1, .id = P_CHOICE}, {.id = PLAN_WINDOWS, .width = 7}, {.id = PLAN_SECONDS, .width = 8},
	{.id = PLAN_COST, .width = 8}, {.id = PLAN_COST_SHARE, .width = 8}, {.id = PLAN_SPREAD, .width = 7},
	{.title = "± 95 %", .width = 7, .priority = 1, .id = PLAN_HALF}, {.id = PLAN_FITS, .width = 9, .priority = 3}, {.title = "best", .width = 4, .priority = 2, .id = PLAN_FRONTIER},
	{.id = PLAN_CHECKPOINTS, .width = 11, .priority = 4}, {.id = PLAN_MEASURED, .width = 8, .priority = 5}, {.id = PLAN_REPLAY, .width = 8, .priority = 6},
	{.id = PLAN_LEFT, .width = 4, .priority = 7}, {.id = PLAN_MISFIT, .width = 7, .priority = 8},
};

static void plan_field(const void *ctx, uint32_t row, int column, struct field *f)
{
	const struct plan_view *s = ctx;
	const struct plan_candidate *c = &s->plan->candidate[row];
	bool chosen = s->plan->choice == (int)row;

	f->role = c->fits ? ROLE_DEFAULT : ROLE_DIM;
	if (drawn_columns[column].id == P_CHOICE) {
		snprintf(f->text, sizeof f->text, "%s", chosen ? "○" : "");
		f->role = ROLE_BETTER;
		return;
	}
	drawn_field(&s->drawn, s->plan, row, column, f);
	f->attr = chosen ? ATTR_BOLD : 0;
}

static double plan_key(const void *ctx, uint32_t row, int column)
{
	const struct plan_view *s = ctx;

	return drawn_columns[column].id == P_CHOICE ? s->plan->choice == (int)row : drawn_key(&s->drawn, s->plan, row, column);
}

static void open_plan(struct view *v)
{
	struct plan_view *s = self(v);

	drawn_list_init(&s->drawn, &plan_columns, drawn_columns, sizeof drawn_columns / sizeof *drawn_columns, plan_field, plan_key);
}

static void close_plan(struct view *v)
{
	plan_forget(self(v));
	mem_free(self(v)->points);
}

/* --- on the screen --- */

static const struct table_and_plot_room room_for = {.list_least = 5, .plot_least = 8, .list_beside = 92};

static void update_plan(struct view *v, int w, int h)
{
	struct plan_view *s = self(v);
	struct model *m = v->model;

	run_plan_update(m);
	plan_take(s);
	table_and_plot_lay_out(&s->lay, &room_for, s->plan ? (int)s->plan->count + 1 : 1, w, h);
	list_fit(&v->list, s->lay.list_h - 1);
}

static void draw_waiting(const struct plan_view *s, struct pane p)
{
	static const struct waiting planning = {PROGRESS_PLAN, "Trying numbers and lengths of windows…", "plans"};

	waiting_draw(&planning, s->view.model, &s->view.model->plan, s->view.model->plan.failure, p);
}

/* A sentence in two rows at most, broken at a blank. */
static void draw_sentence(struct pane p, int y, enum role role, const char *text)
{
	size_t n = strlen(text), room = p.w > 2 ? (size_t)p.w - 2 : 0, at = room;
	char first[256];

	if (n <= room) {
		pane_text(p, 1, y, role, 0, text);
		return;
	}
	while (at && text[at] != ' ')
		at--;
	at = at ? at : room;
	snprintf(first, sizeof first, "%.*s", (int)at, text);
	pane_text(p, 1, y, role, 0, first);
	pane_text_in(p, 1, y + 1, p.w - 2, role, 0, text + at + (text[at] == ' '));
}

static void candidate_describe(const struct plan *p, uint32_t row, char *text, size_t size)
{
	const struct plan_candidate *c = &p->candidate[row];
	char n[UNIT_TEXT], cost[UNIT_TEXT], share[UNIT_OF_TEXT], spread[UNIT_TEXT], half[UNIT_TEXT], each[UNIT_TEXT];

	snprintf(text, size, "%u windows of %s · cost %s, %s · typical error %s", (unsigned)c->windows, unit_time(each, c->seconds),
		 unit_time(cost, c->cost), unit_multiple_of(share, c->cost_share, 1, "the run time"), unit_multiple(spread, c->spread, 1));
	if (!isnan(c->half))
		snprintf(text + strlen(text), size - strlen(text), " · expected ± %s", unit_multiple(half, c->half, 1));
	snprintf(text + strlen(text), size - strlen(text), " · %s checkpoint%s", unit_count(n, c->checkpoints),
		 c->checkpoints == 1 ? "" : "s");
}

static void plan_draw_title(const struct plan_view *s, struct pane p)
{
	const struct plan *plan = s->plan;
	char text[256], share[UNIT_TEXT], time[UNIT_TEXT], restore[UNIT_TEXT], warmup[UNIT_TEXT];
	int x = 1;

	x += pane_text(p, x, 0, ROLE_TITLE, 0, "budget");
	snprintf(text, sizeof text, " %s of the run time", unit_percent(share, plan->budget.share));
	x += pane_text(p, x, 0, ROLE_VALUE, 0, text);
	snprintf(text, sizeof text, "%s%s · per checkpoint %s restore + %s warm-up", plan->aet > 0 ? ", " : "",
		 plan->aet > 0 ? unit_time(time, plan->budget.share * plan->aet) : "", unit_time(restore, plan->budget.restore),
		 unit_time(warmup, plan->warmup));
	text_drop_facts(text, p.w - 1 - x);
	pane_text_in(p, x, 0, p.w - 1 - x, ROLE_DIM, 0, text);
	if (plan->choice < 0) {
		char gap[PLAN_TEXT];

		draw_sentence(p, 1, ROLE_WARN, plan_gap(plan, gap));
		return;
	}
	x = 1 + pane_text(p, 1, 1, ROLE_TITLE, 0, "chosen ");
	x += pane_text(p, x, 1, ROLE_BETTER, 0, "○ ");
	candidate_describe(plan, (uint32_t)plan->choice, text, sizeof text);
	text_drop_facts(text, p.w - 1 - x);
	pane_text_in(p, x, 1, p.w - 1 - x, ROLE_DEFAULT, 0, text);
}

static struct pane list_pane_plan(const struct view *v, struct pane p)
{
	const struct plan_view *s = (const struct plan_view *)v;

	return table_pane(&s->lay, p);
}

static void draw_plan(const struct view *v, struct pane p)
{
	const struct plan_view *s = (const struct plan_view *)v;

	if (!s->plan) {
		draw_waiting(s, p);
		return;
	}
	plan_draw_title(s, p);
	if (s->plan->count)
		list_draw(&v->list, &s->drawn.source, s, list_pane_plan(v, p));
	if (s->lay.plot_h)
		plan_plot_draw(s, plot_pane(&s->lay, p));
}

/* As settings: what would be chosen if the row were the choice. */
static void take_row(const struct plan_view *s, uint32_t row)
{
	struct plan as_choice = *s->plan;
	struct model *m = s->view.model;

	as_choice.choice = (int)row;
	m->planned = m->settings;
	m->planned.sample_seconds = 0;
	plan_apply(&as_choice, &m->planned);
}

static unsigned act_plan(struct view *v, enum action a)
{
	struct plan_view *s = self(v);
	struct model *m = v->model;
	uint32_t row = list_row(&v->list);

	if (s->plan && list_act(&v->list, a))
		return REACT_DONE;
	if (a == ACTION_BACK && !s->plan && !m->plan.failure[0]) {
		derived_cancel(&m->plan);
		return REACT_DONE;
	}
	if (a == ACTION_BACK)
		return REACT_CLOSE;
	if (a != ACTION_ENTER)
		return REACT_IGNORED;
	if (!s->plan) {
		if (m->plan.failure[0])
			derived_again(&m->plan);
		return REACT_DONE;
	}
	if (row >= s->plan->count)
		return REACT_DONE;
	take_row(s, row);
	return REACT_DONE | REACT_ACCEPT | REACT_CLOSE;
}

static void status_plan(const struct view *v, char *text, size_t size, int room)
{
	const struct plan_view *s = (const struct plan_view *)v;
	uint32_t row = list_row(&v->list);
	char measured[UNIT_TEXT], replay[UNIT_TEXT], key[16];
	size_t n;
	(void)room;

	text[0] = 0;
	if (!s->plan || row >= s->plan->count)
		return;
	candidate_describe(s->plan, row, text, size);
	n = strlen(text);
	snprintf(text + n, size - n, " · measured %s · rerun until %s · %s uses it", unit_time(measured, s->plan->candidate[row].measured),
		 unit_time(replay, s->plan->candidate[row].replay), keymap_first(v->model->keymap, ACTION_ENTER, key));
}

static const struct row_source *rows_plan(const struct view *v)
{
	const struct plan_view *s = (const struct plan_view *)v;

	return s->plan ? &s->drawn.source : NULL;
}

static bool table_plan(struct view *v, bool all, struct view_table *t)
{
	struct plan_view *s = self(v);
	const struct list *l = &v->list;

	s->written = (struct shown_table){.list = s->plan};
	shown_pick(&s->written, &plan_columns, PLAN_ALL, true);
	table_of_list(t, &s->written, "the plan", l, all);
	return true;
}

static const struct hint hints[] = {
	{ACTION_ENTER, ACTION_NONE, "use these windows"},
	{ACTION_SORT, ACTION_SORT_REVERSE, "sort"},
	{ACTION_EXPORT_ROWS, ACTION_NONE, "rows to a file"},
	{ACTION_BACK, ACTION_NONE, "back"},
	{ACTION_NONE, ACTION_NONE, NULL},
};

const struct view_ops view_plan = {
	.size = sizeof(struct plan_view),
	.hints = hints,
	.open = open_plan,
	.close = close_plan,
	.update = update_plan,
	.draw = draw_plan,
	.act = act_plan,
	.status = status_plan,
	.rows = rows_plan,
	.table = table_plan,
	.list_pane = list_pane_plan,
};

/* Cost against spread: every design, those that none beats joined, the budget a line, and the row under the cursor. */

struct point {
	double cost, spread;
};

ORDER_BY(by_cost, struct point, UP(cost) UP(spread))

bool plan_plot_make(struct plan_view *s)
{
	uint32_t n = s->plan->count, k = 0;
	double *points = mem_resize(s->points, 4 * (size_t)n + 1, sizeof *points);
	struct point *sorted = mem_alloc(n, sizeof *sorted);

	if (points)
		s->points = points;
	s->frontier = 0;
	if (!points || !sorted) {
		mem_free(sorted);
		return false;
	}
	for (uint32_t i = 0; i < n; i++) {
		points[i] = s->plan->candidate[i].cost_share;
		points[n + i] = s->plan->candidate[i].spread;
		if (s->plan->candidate[i].frontier)
			sorted[k++] = (struct point){points[i], points[n + i]};
	}
	SORT(sorted, k, by_cost);
	for (uint32_t i = 0; i < k; i++) {
		points[2 * n + i] = sorted[i].cost;
		points[3 * n + i] = sorted[i].spread;
	}
	s->frontier = k;
	mem_free(sorted);
	return true;
}

/* Where the best are many times better than the worst, a linear axis would show only the worst. */
static enum plot_scale scale_of_spreads(const struct plan *p)
{
	double least = INFINITY, most = 0;

	for (uint32_t i = 0; i < p->count; i++) {
		least = fmin(least, p->candidate[i].spread);
		most = fmax(most, p->candidate[i].spread);
	}
	return least > 0 && most > 8 * least ? SCALE_LOG : SCALE_LINEAR;
}

void plan_plot_draw(const struct plan_view *s, struct pane p)
{
	const struct plan *plan = s->plan;
	uint32_t n = plan->count, row = list_row(&s->view.list);
	double budget[2] = {plan->budget.share, plan->budget.share}, edge[2] = {NAN, NAN};
	char limit[64], share[UNIT_TEXT];
	struct plot_series series[] = {
		{.name = "best at their cost", .kind = PLOT_CURVE, .role = ROLE_COMPUTE, .count = s->frontier, .x = s->points + 2 * (size_t)n,
		 .y = s->points + 3 * (size_t)n},
		{.name = limit, .kind = PLOT_CURVE, .role = ROLE_WARN, .count = 2, .x = budget, .y = edge},
		{.name = "plans", .kind = PLOT_POINTS, .role = ROLE_DIM, .count = n, .x = s->points, .y = s->points + n},
		{.name = "chosen", .kind = PLOT_POINTS, .role = ROLE_BETTER, .count = 1},
		{.name = "this row", .kind = PLOT_POINTS, .role = ROLE_MATCH, .count = 1},
	};
	struct plot plot = PLOT_INIT;

	plot.title = "typical error by cost, shares of the run time";
	plot.x.scale = SCALE_LOG;
	plot.x.unit = PLOT_SHARE;
	plot.y.unit = PLOT_SHARE;
	plot.y.scale = scale_of_spreads(plan);
	snprintf(limit, sizeof limit, "budget %s", unit_percent(share, plan->budget.share));
	plot_mark_point(&series[3], s->points, n, plan->choice < 0 ? UINT32_MAX : (uint32_t)plan->choice);
	plot_mark_point(&series[4], s->points, n, row);
	plot.series = series;
	plot.series_count = sizeof series / sizeof *series;
	plot_axes(&plot, &plot.x, &plot.y); /* what the designs need; the budget is a line from edge to edge */
	edge[0] = plot.y.from;
	edge[1] = plot.y.to;
	plot_draw(&plot, p);
}
