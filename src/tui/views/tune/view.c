/* Tune: a background search for settings that cover more of the run with fewer phases. Enter takes the settings of the
 * row under the cursor. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/base/mem.h"
#include "tui/panes/panes.h"
#include "tui/widgets/bars.h"
#include "tui/widgets/plot.h"
#include "tui/widgets/units.h"
#include "tune_int.h"

static struct tune_view *self(struct view *v)
{
	return (struct tune_view *)v;
}

/* Is it what is set now? */
static bool is_now(const struct model *m, const struct settings *point)
{
	const struct settings *s = &m->settings;

	return settings_same_phases(s, point) && !(s->relevance < point->relevance || s->relevance > point->relevance);
}

/* --- the rows --- */

enum { T_MARK = TUNE_COLUMNS };

/* With the threshold beside volume that decides something of phases, or of blocks. */
#define DRAWN_COLUMNS(second, absent_yields) { \
	{"mark", "", .width = 2, .id = T_MARK}, {.id = TUNE_FOR, .width = 10}, {.id = TUNE_RELEVANT, .width = 8}, \
	{.id = TUNE_COVERAGE, .width = 8}, {.id = TUNE_OFF, .width = 10}, {.id = TUNE_PETE, .width = 7, .priority = 5}, \
	{.id = TUNE_SET, .width = 8, .priority = 4}, {.id = TUNE_PHASES, .width = 6, .priority = 3}, {.id = TUNE_VOLUME, .width = 7}, \
	{.id = second, .width = 7}, {.id = TUNE_RELEVANCE, .width = 9}, {.id = TUNE_ORDER, .width = 7, .priority = 1}, \
	{.id = TUNE_ABSENT, .width = 9, .priority = absent_yields}, \
}
static const struct column_look of_phases[] = DRAWN_COLUMNS(TUNE_EVENTS, 2), of_blocks[] = DRAWN_COLUMNS(TUNE_COMPUTE, 6);

/* The setting that a column shows, a threshold with all digits that it is set to; SETTING_COUNT: it shows none. */
static enum setting_id setting_of(int id)
{
	switch (id) {
	case TUNE_VOLUME: return SETTING_volume;
	case TUNE_COMPUTE: return SETTING_compute;
	case TUNE_EVENTS: return SETTING_events;
	case TUNE_RELEVANCE: return SETTING_relevance;
	case TUNE_ORDER: return SETTING_order;
	case TUNE_ABSENT: return SETTING_absent;
	default: return SETTING_COUNT;
	}
}

static void tune_field(const void *ctx, uint32_t row, int column, struct field *f)
{
	const struct tune_view *s = ctx;
	const struct model *m = s->view.model;
	const struct tune *t = &s->found;
	const struct settings *settings = &t->points[row].settings;
	const struct column_look *drawn = &s->drawn.look[column];
	enum setting_id shown = setting_of(drawn->id);
	bool now = is_now(m, settings), best = row == t->best;

	if (drawn->id == T_MARK) {
		snprintf(f->text, sizeof f->text, "%s%s", best ? "○" : "", now ? "●" : "");
		f->role = best ? ROLE_BETTER : ROLE_WARN;
		return;
	}
	drawn_field(&s->drawn, t, row, column, f);
	f->attr = now || best ? ATTR_BOLD : 0;
	if (shown == SETTING_COUNT)
		return;
	unit_setting(settings, shown, f->text, sizeof f->text);
	if (!settings_matters(settings, shown)) /* with this similarity */
		f->role = ROLE_DIM;
}

static double tune_key(const void *ctx, uint32_t row, int column)
{
	const struct tune_view *s = ctx;
	const struct tune *t = &s->found;

	if (s->drawn.look[column].id == TUNE_FOR)
		return t->points[row].levels;
	return s->drawn.look[column].id == T_MARK ? row == t->best : drawn_key(&s->drawn, t, row, column);
}

static void choose_columns(struct tune_view *s, bool blocks)
{
	drawn_list_init(&s->drawn, &tune_columns, blocks ? of_blocks : of_phases, sizeof of_phases / sizeof *of_phases, tune_field, tune_key);
}

static void open_tune(struct view *v)
{
	choose_columns(self(v), false);
}

static void close_tune(struct view *v)
{
	tune_search_release(self(v));
	mem_free(self(v)->points);
}

/* The cursor stays on its point once it was moved; until then it is on the one to begin with. */
static uint32_t row_to_keep(const struct tune_view *s, const struct tune *t)
{
	for (uint32_t i = 0; s->moved && i < t->count; i++)
		if (settings_equal(&t->points[i].settings, &s->at))
			return i;
	return t->best;
}

static void take_found(struct tune_view *s)
{
	const struct tune *t = &s->found;
	double *points;
	uint32_t keep;

	if (s->serial == s->found_serial)
		return;
	points = mem_resize(s->points, 2 * (size_t)t->count + 1, sizeof *points);
	if (!points)
		return;
	s->points = points;
	for (uint32_t i = 0; i < t->count; i++) {
		points[i] = t->points[i].relevant;
		points[t->count + i] = t->points[i].coverage;
	}
	keep = row_to_keep(s, t);
	s->serial = s->found_serial;
	choose_columns(s, s->from.similarity == SIMILARITY_BBP);
	list_refresh(&s->view.list, &s->drawn.source, s, t->count, UINT32_MAX);
	if (t->count)
		list_select(&s->view.list, keep);
}

/* --- on the screen --- */

static const struct table_and_plot_room room_for = {.list_least = 6, .plot_least = 7, .list_beside = 102};

static void update_tune(struct view *v, int w, int h)
{
	struct tune_view *s = self(v);

	tune_search_update(s);
	take_found(s);
	table_and_plot_lay_out(&s->lay, &room_for, (int)s->found.count + 1, w, h);
	/* Until the cursor is moved, what is around it does not depend on which rows were there before. */
	if (!s->moved)
		v->list.top = v->list.cur - (v->list.cur < (uint32_t)s->lay.list_h / 2 ? v->list.cur : (uint32_t)s->lay.list_h / 2);
	list_fit(&v->list, s->lay.list_h - 1);
}

static void tune_point_describe(const struct tune_point *p, char *text, size_t size)
{
	const char *of = settings_share_of(&p->settings, "");
	char n[UNIT_TEXT], coverage[UNIT_TEXT], off[UNIT_TEXT];

	snprintf(text, size, "%s relevant phase%s %s %s%s%s · expected error %s", unit_count(n, p->relevant), p->relevant == 1 ? "" : "s",
		 p->relevant == 1 ? "covers" : "cover", unit_percent(coverage, p->coverage), *of ? " " : "", of,
		 isnan(p->off) ? "-" : unit_multiple(off, p->off, 1));
}

/* How many phases it takes at each level of coverage. */
static void draw_levels(const struct tune *t, struct pane p)
{
	char text[128], n[UNIT_TEXT], level[UNIT_TEXT];
	int x = 3 + pane_text(p, 3, 2, ROLE_TITLE, 0, "fewest relevant phases ");
	size_t len = 0;

	for (int i = 0; i < TUNE_LEVELS; i++) {
		const struct tune_point *row = tune_at_level(t, i);

		len += (size_t)snprintf(text + len, sizeof text - len, "%sat %s: %s", i ? " · " : "", unit_share(level, tune_levels[i], 0),
					row ? unit_count(n, row->relevant) : "not reached");
	}
	text_drop_facts(text, p.w - 1 - x);
	pane_text_in(p, x, 2, p.w - 1 - x, ROLE_DEFAULT, 0, text);
}

static void tune_draw_title(const struct tune_view *s, struct pane p)
{
	const struct model *m = s->view.model;
	const struct tune *t = &s->found;
	char text[256], key[16];
	int x = 1 + pane_text(p, 1, 0, ROLE_TITLE, 0, "find thresholds ");

	if (derived_busy(&s->looking)) {
		const struct background_state at = derived_state(&s->looking);
		/* The rows say how many there were when they changed last. */
		uint32_t tried = at.stage == PROGRESS_TUNE && at.done > t->tried ? (uint32_t)at.done : t->tried;

		x += pane_textf(p, x, 0, ROLE_DIM, 0, "%u of %u searches, %s stops ", tried, t->searches, keymap_first(m->keymap, ACTION_BACK, key));
		progress_bar_draw(p, x, 0, p.w - 1 - x < 30 ? p.w - 1 - x : 30, t->searches ? (double)tried / t->searches : 0);
	} else {
		snprintf(text, sizeof text, "%u of %u searches · each row is the best in some respect", t->tried, t->searches);
		text_drop_facts(text, p.w - 1 - x);
		pane_text_in(p, x, 0, p.w - 1 - x, ROLE_DIM, 0, text);
	}
	x = 1 + pane_text(p, 1, 1, ROLE_BETTER, 0, "○ ");
	x += pane_text(p, x, 1, ROLE_TITLE, 0, "recommended ");
	tune_point_describe(&t->points[t->best], text, sizeof text);
	text_drop_facts(text, p.w - 1 - x);
	pane_text_in(p, x, 1, p.w - 1 - x, ROLE_DEFAULT, 0, text);
	draw_levels(t, p);
}

static struct pane list_pane_tune(const struct view *v, struct pane p)
{
	const struct tune_view *s = (const struct tune_view *)v;

	return table_pane(&s->lay, p);
}

static void draw_tune(const struct view *v, struct pane p)
{
	const struct tune_view *s = (const struct tune_view *)v;
	static const struct waiting looking = {PROGRESS_TUNE, "Trying thresholds…", "searches"};

	if (!s->found.count || !s->points) {
		waiting_draw(&looking, v->model, &s->looking, s->looking.failure, p);
		return;
	}
	tune_draw_title(s, p);
	list_draw(&v->list, &s->drawn.source, s, list_pane_tune(v, p));
	if (s->lay.plot_h)
		tune_plot_draw(s, plot_pane(&s->lay, p));
}

/* What the search turns: what else was set since it began stays. */
static void take_row(struct model *m, const struct settings *point)
{
	m->planned = m->settings;
	for (size_t i = 0; i < TUNE_TURNS; i++)
		settings_copy(&m->planned, point, tune_turns[i]);
}

static unsigned act_tune(struct view *v, enum action a)
{
	struct tune_view *s = self(v);
	struct model *m = v->model;
	const struct tune *t = &s->found;
	uint32_t row;

	if (t->count && list_act(&v->list, a)) {
		row = list_row(&v->list);
		s->moved = row < t->count;
		if (s->moved)
			s->at = t->points[row].settings;
		return REACT_DONE;
	}
	if (a == ACTION_BACK && derived_busy(&s->looking)) {
		derived_cancel(&s->looking);
		return REACT_DONE;
	}
	if (a == ACTION_BACK)
		return REACT_CLOSE;
	if (a != ACTION_ENTER)
		return REACT_IGNORED;
	row = list_row(&v->list);
	if (row >= t->count) {
		if (s->looking.failure[0])
			derived_again(&s->looking);
		return REACT_DONE;
	}
	take_row(m, &t->points[row].settings);
	return REACT_DONE | REACT_ACCEPT | REACT_CLOSE;
}

static void status_tune(const struct view *v, char *text, size_t size, int room)
{
	const struct tune_view *s = (const struct tune_view *)v;
	const struct model *m = v->model;
	const struct tune *t = &s->found;
	const struct figures *f = m->analysis ? m->analysis->figures : NULL;
	uint32_t row = list_row(&v->list);
	char key[16], now[UNIT_TEXT];
	size_t n;
	(void)room;

	text[0] = 0;
	if (row >= t->count)
		return;
	tune_point_describe(&t->points[row], text, size);
	n = strlen(text);
	for (size_t i = 0; i < TUNE_TURNS; i++) {
		const struct settings *to = &t->points[row].settings;
		enum setting_id id = tune_turns[i];
		char value[SETTING_NAME_SIZE];

		if (setting_info(id)->kind != SETTING_CHOICE || settings_same(to, &m->settings, id) || !settings_matters(to, id))
			continue;
		settings_get(to, id, value, sizeof value);
		snprintf(text + n, size - n, " · %s %s", setting_info(id)->key, value);
		n = strlen(text);
	}
	if (f && f->relevant)
		snprintf(text + n, size - n, " · now %u cover %s", f->relevant, unit_percent(now, f->coverage));
	n = strlen(text);
	snprintf(text + n, size - n, " · %s uses them", keymap_first(m->keymap, ACTION_ENTER, key));
}

static const struct row_source *rows_tune(const struct view *v)
{
	const struct tune_view *s = (const struct tune_view *)v;

	return s->found.count ? &s->drawn.source : NULL;
}

static bool table_tune(struct view *v, bool all, struct view_table *t)
{
	struct tune_view *s = self(v);
	const struct list *l = &v->list;

	s->written = (struct shown_table){.list = &s->found};
	shown_pick(&s->written, &tune_columns, TUNE_ALL, true);
	table_of_list(t, &s->written, "the thresholds", l, all);
	return true;
}

static const struct hint hints[] = {
	{ACTION_ENTER, ACTION_NONE, "use these settings"},
	{ACTION_SORT, ACTION_SORT_REVERSE, "sort"},
	{ACTION_EXPORT_ROWS, ACTION_NONE, "rows to a file"},
	{ACTION_BACK, ACTION_NONE, "back"},
	{ACTION_NONE, ACTION_NONE, NULL},
};

const struct view_ops view_tune = {
	.size = sizeof(struct tune_view),
	.hints = hints,
	.open = open_tune,
	.close = close_tune,
	.update = update_tune,
	.draw = draw_tune,
	.act = act_tune,
	.status = status_tune,
	.rows = rows_tune,
	.table = table_tune,
	.list_pane = list_pane_tune,
};

/* How much of the run the relevant phases cover, by how many there are: each point of the frontier, the one to
 * begin with, that of the settings now, and the row under the cursor. */

void tune_plot_draw(const struct tune_view *s, struct pane p)
{
	const struct model *m = s->view.model;
	const struct tune *t = &s->found;
	const struct figures *f = m->analysis ? m->analysis->figures : NULL;
	double now[2] = {f ? f->relevant : 0, f ? f->coverage : (double)NAN};
	struct plot_series series[] = {
		{.name = "best", .kind = PLOT_POINTS, .role = ROLE_COMPUTE, .count = t->count, .x = s->points, .y = s->points + t->count},
		{.name = "now", .kind = PLOT_POINTS, .role = ROLE_WARN, .count = 1, .x = &now[0], .y = &now[1]},
		{.name = "recommended", .kind = PLOT_POINTS, .role = ROLE_BETTER, .count = 1},
		{.name = "this row", .kind = PLOT_POINTS, .role = ROLE_MATCH, .count = 1},
	};
	struct plot plot = PLOT_INIT;

	plot.title = "coverage by relevant phases";
	plot.x.scale = SCALE_LOG;
	plot.y.unit = PLOT_SHARE;
	if (!f || !f->relevant || isnan(f->coverage)) {
		series[1].name = NULL;
		series[1].count = 0;
	}
	plot_mark_point(&series[2], s->points, t->count, t->best);
	plot_mark_point(&series[3], s->points, t->count, list_row(&s->view.list));
	plot.series = series;
	plot.series_count = sizeof series / sizeof *series;
	plot_axes(&plot, &plot.x, &plot.y);
	plot_draw(&plot, p);
}
