/* The layout of the screen and the parts that all views share: header, tabs, panel, run strip, status, hints. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "app_int.h"
#include "core/base/text.h"
#include "tui/screen/glyphs.h"
#include "tui/widgets/bars.h"
#include "tui/widgets/units.h"

static const char *choice(const struct settings *s, enum setting_id id, char buf[UNIT_TEXT])
{
	settings_get(s, id, buf, UNIT_TEXT);
	return buf;
}

/* Of the header, if there is no trace. */
static const char *app_title(const struct app *a)
{
	return a->study.path ? path_name(a->study.path) : a->picker.alone && !a->models.program && !a->models.readings ? "pas2p" : app_models_title(a);
}

#define CHANGED_LEAST 10 /* "12 changed" */
#define TIME_NAMED 60    /* columns from which the header names the run time */

/* Settings that are others than those that the same command would have, and the key that ends that. Returns columns. */
static int draw_changed(const struct app *a, struct pane p, int x, int room)
{
	struct settings defaults;
	char text[160], key[16] = "";
	int from = x, keys = 0;

	settings_init(&defaults);
	/* Where the key means that, and leads there. */
	if (action_info(ACTION_DEFAULTS)->scope & view_info(a->work.here)->scope && settings_equal(&defaults, &a->work.options->settings))
		keymap_first(&a->shell.keymap, ACTION_DEFAULTS, key);
	if (*key)
		keys = 2 + text_width(key) + 1 + text_width("defaults");
	if (room < CHANGED_LEAST + keys)
		keys = 0;
	app_changed_title(a, room - keys, text, sizeof text);
	if (!*text || text_width(text) > room)
		return 0;
	x += pane_text(p, x, 0, ROLE_WARN, 0, text);
	if (keys) {
		x += 2 + pane_text(p, x + 2, 0, ROLE_KEY, 0, key);
		x += 1 + pane_text(p, x + 1, 0, ROLE_DIM, 0, "defaults");
	}
	return x - from;
}

static void draw_header(const struct app *a, struct pane p)
{
	const struct trace *t = a->work.model.trace;
	char n[UNIT_TEXT], right[160], o[UNIT_TEXT], s[UNIT_TEXT];
	int brief, changed;
	int x = 1, room, w;
	uint32_t place, of;

	snprintf(right, sizeof right, "%s · %s · collectives %s", choice(&a->work.model.settings, SETTING_order, o),
		 choice(&a->work.model.settings, SETTING_similarity, s),
		 a->work.model.settings.collectives == COLLECTIVES_EVENTS ? "on" : "off");
	w = text_width(right);
	room = p.w - 2;
	x += pane_text_in(p, x, 0, room / 2 > 20 ? room / 2 : room, ROLE_TITLE, 0, a->work.path_count ? path_name(a->work.paths[0]) : app_title(a));
	if (!a->work.path_count)
		return;
	if (app_open_place(a, &place, &of)) {
		snprintf(n, sizeof n, "  %u of %u", (unsigned)place, (unsigned)of);
		x += pane_text(p, x, 0, ROLE_KEY, 0, n);
	}
	/* Order and similarity keep their place, if there is room for both. */
	brief = w - text_width(strstr(right, " · coll"));
	if (p.w - 1 - brief - 3 - (x + 2) < CHANGED_LEAST)
		brief = 0;
	changed = draw_changed(a, p, x + 2, p.w - 1 - brief - 3 - (x + 2));
	x += changed ? 2 + changed : 0;
	if (t) {
		char facts[3][64], corrected[160];

		snprintf(facts[0], sizeof facts[0], "  %u %s", (unsigned)t->process_count,
			 t->process_count == 1 ? "process" : "processes");
		snprintf(facts[1], sizeof facts[1], "  %s events", unit_count(n, t->event_count));
		snprintf(facts[2], sizeof facts[2], "  %s%s", p.w < TIME_NAMED ? "" : "run time ", trace_has_time(t) ? unit_time(n, trace_aet(t)) : "-");
		/* What was done to the times stands before what follows from them, and of that the run time has room first. */
		app_corrected_title(a, p.w - x - 3 - text_width(facts[2]), corrected, sizeof corrected);
		if (corrected[0])
			x += 2 + pane_text(p, x + 2, 0, ROLE_WARN, 0, corrected);
		for (int i = 0; i < 3; i++)
			if (x + text_width(facts[i]) + (corrected[0] && i < 2 ? text_width(facts[2]) : 0) < p.w - (changed ? brief + 3 : 0))
				x += pane_text(p, x, 0, ROLE_DIM, 0, facts[i]);
		if ((t->damaged || t->partial) && x + 10 < p.w)
			x += pane_text(p, x, 0, ROLE_WARN, 0, t->damaged ? "  damaged" : "  partial");
	}
	if (x + w + 3 > p.w) {
		*strstr(right, " · coll") = 0;
		w = text_width(right);
	}
	if (x + w + 3 <= p.w)
		pane_text_right(p, p.w - 1, 0, ROLE_DIM, 0, right);
}

#define TAB_GAP 3   /* between tabs; fewer blanks go before titles do */
#define TAB_HELP 7  /* columns for the key of the help */

enum tab_titles { TITLES_WHOLE, TITLES_BRIEF, TITLES_HERE };

static const char *tab_title(const struct app *a, enum view_id v, enum tab_titles titles)
{
	if (a->work.tab == v || titles == TITLES_WHOLE)
		return view_info(v)->title;
	return titles == TITLES_BRIEF ? view_info(v)->brief : NULL;
}

/* The columns that all tabs take without what lies between them. */
static int tabs_width(const struct app *a, enum tab_titles titles)
{
	int w = 1 + TAB_HELP;

	for (int v = 0; v < VIEW_TABS; v++) {
		const char *title = tab_title(a, (enum view_id)v, titles);
		char key[16];

		w += text_width(keymap_first(&a->shell.keymap, view_info((enum view_id)v)->action, key)) + (title ? 1 + text_width(title) : 0);
	}
	return a->work.here < VIEW_TABS ? w : w + text_width(view_info(a->work.here)->title) + TAB_GAP;
}

void app_tab_places(const struct app *a, int w, struct tab_place place[VIEW_TABS])
{
	enum tab_titles titles = TITLES_WHOLE;
	int gap, x = 1;

	while (titles < TITLES_HERE && tabs_width(a, titles) + VIEW_TABS > w)
		titles++;
	gap = titles == TITLES_HERE ? 1 : (w - tabs_width(a, titles)) / VIEW_TABS;
	if (gap > TAB_GAP)
		gap = TAB_GAP;
	for (int v = 0; v < VIEW_TABS; v++) {
		const char *title = tab_title(a, (enum view_id)v, titles);
		char key[16];

		place[v].x = x;
		place[v].title = title;
		place[v].w = text_width(keymap_first(&a->shell.keymap, view_info((enum view_id)v)->action, key)) +
			     (title ? 1 + text_width(title) : 0);
		x += place[v].w + gap;
	}
}

static void draw_tabs(const struct app *a, struct pane p)
{
	struct tab_place place[VIEW_TABS];
	char key[16];
	int x = 1;

	app_tab_places(a, p.w, place);
	for (int v = 0; v < VIEW_TABS; v++) {
		const struct view_info *i = view_info((enum view_id)v);

		x = place[v].x + pane_text(p, place[v].x, 0, ROLE_KEY, 0, keymap_first(&a->shell.keymap, i->action, key)) + 1;
		if (place[v].title)
			pane_text(p, x, 0, a->work.tab == (enum view_id)v ? ROLE_TAB_HERE : ROLE_TAB, 0, place[v].title);
		x = place[v].x + place[v].w + 1;
	}
	if (a->work.here >= VIEW_TABS)
		x += pane_text(p, x, 0, ROLE_TAB_HERE, 0, view_info(a->work.here)->title) + 3;
	if (p.w > x + 6) {
		x = p.w - 1 - pane_text_right(p, p.w - 1, 0, ROLE_TAB, 0, "help") - 1;
		pane_text_right(p, x, 0, ROLE_KEY, 0, keymap_first(&a->shell.keymap, ACTION_HELP, key));
	}
}

/* A key's name as short as it can be shown. */
static const char *arrow(const struct app *a, const char *key)
{
	static const char *const arrows[][2] = {
		{"Left", "←"}, {"Right", "→"}, {"Up", "↑"}, {"Down", "↓"}, {"S-Left", "⇧←"}, {"S-Right", "⇧→"},
	};

	for (size_t i = 0; !a->shell.canvas.ascii && i < sizeof arrows / sizeof *arrows; i++)
		if (!strcmp(arrows[i][0], key))
			return arrows[i][1];
	return key;
}

static void draw_hints(const struct app *a, struct pane p)
{
	static const struct hint panel_hints[] = {
		{ACTION_LEFT, ACTION_RIGHT, "change"},
		{ACTION_PAGE_LEFT, ACTION_PAGE_RIGHT, "coarse"},
		{ACTION_ENTER, ACTION_NONE, "type"},
		{ACTION_DEFAULTS, ACTION_NONE, "defaults"},
		{ACTION_UNDO, ACTION_REDO, "undo, redo"},
		{ACTION_NEXT_PANE, ACTION_NONE, "back"},
		{ACTION_NONE, ACTION_NONE, NULL},
	};
	static const struct hint general_hints[] = {
		{ACTION_KNOB_DOWN, ACTION_KNOB_UP, "change"},
		{ACTION_KNOB_PREVIOUS, ACTION_KNOB_NEXT, "setting"},
		{ACTION_PANEL, ACTION_NONE, "panel"},
		{ACTION_EXPORT, ACTION_NONE, "export"},
		{ACTION_NONE, ACTION_NONE, NULL},
	};
	static const struct hint last_hints[] = {{ACTION_QUIT, ACTION_NONE, "quit"}, {ACTION_NONE, ACTION_NONE, NULL}};
	const struct hint *lists[3] = {a->shell.panel.focus ? panel_hints : a->work.views[a->work.here]->hints,
				       a->shell.panel.focus || (a->work.here >= VIEW_TABS && !workspace_front(&a->work)->ops->alone) || workspace_front(&a->work)->ops->knobs ? NULL : general_hints,
				       last_hints};
	int x = 1;

	for (int l = 0; l < 3; l++) {
		for (const struct hint *h = lists[l]; h && h->action; h++) {
			char one[16], two[16], keys[40];

			keymap_first(&a->shell.keymap, h->action, one);
			snprintf(keys, sizeof keys, "%s%s%s", arrow(a, one), h->other ? " " : "",
				 h->other ? arrow(a, keymap_first(&a->shell.keymap, h->other, two)) : "");
			if (!one[0] || x + text_width(keys) + 1 + text_width(h->what) > p.w - 1)
				continue;
			x += pane_text(p, x, 0, ROLE_KEY, 0, keys) + 1;
			x += pane_text(p, x, 0, ROLE_DIM, 0, h->what) + 2;
		}
	}
}

#define LOADING_ROWS 5 /* with one above and below */

/* How many rows of the view's pane tell how far loading is: all of them, unless the view has something to show by
 * then. */
static int loading_rows(const struct app *a, struct pane p)
{
	const struct view *v = workspace_front(&a->work);

	if (a->work.model.analysis || a->work.here == VIEW_HELP || v->ops->knobs || v->ops->alone)
		return 0;
	return v->ops->early && p.h >= v->ops->early + LOADING_ROWS ? LOADING_ROWS : p.h;
}

#define CORRECTED_BRIEF 9 /* "corrected" */

/* headless: there is no line above that says what was done to the times. */
static void draw_status(struct app *a, struct pane p, bool headless)
{
	struct view *v = workspace_front(&a->work);
	const struct list *l = view_list(v);
	const char *what;
	double part = app_work_progress(a, &what);
	bool in_middle = loading_rows(a, a->shell.view_pane) && a->shell.panel_pane.w < p.w;
	char text[512] = "";
	int x = 1, right = p.w - 1;

	if (a->shell.prompt.kind) {
		prompt_draw(&a->shell.prompt, p);
		return;
	}
	if (headless) {
		app_corrected_title(a, CORRECTED_BRIEF, text, sizeof text);
		if (!text[0] && a->work.path_count)
			app_changed_title(a, CHANGED_LEAST, text, sizeof text);
		right -= text[0] ? pane_text_right(p, right, 0, ROLE_WARN, 0, text) + 2 : 0;
		text[0] = 0;
	}
	if (a->work.model.busy && a->work.news.total)
		snprintf(text, sizeof text, app_correcting(a) ? "correcting: %s %d %% · Esc stops" : "%s %d %%",
			 progress_stage_name(a->work.news.stage), (int)(a->work.news.done * 100 / a->work.news.total));
	else if (a->work.model.busy && !a->work.news.loading)
		snprintf(text, sizeof text, "%s", "computing");
	/* Work that is done within a blink is not worth a flicker. */
	if (a->work.model.busy && a->work.news.seconds > 0.2 && !in_middle)
		right -= pane_text_right(p, right, 0, ROLE_WARN, 0, text) + 2;
	if (what) {
		snprintf(text, sizeof text, "%s %d %% · Esc stops", what, (int)(part * 100));
		right -= pane_text_right(p, right, 0, ROLE_WARN, 0, text) + 2;
	}
	if (a->work.model.message[0]) {
		pane_text_in(p, x, 0, right - x, a->shell.message_role, 0, a->work.model.message);
		return;
	}
	if (l->filter && !what && v->ops->rows && v->ops->rows(v)) {
		char n[UNIT_TEXT], of[UNIT_TEXT];

		snprintf(text, sizeof text, "filter: %s of %s rows", unit_count(n, l->shown), unit_count(of, l->total));
		right -= pane_text_right(p, right, 0, ROLE_MATCH, 0, text) + 2;
	}
	text[0] = 0;
	if (a->shell.panel.focus && !v->ops->knobs)
		snprintf(text, sizeof text, "%s: %s", setting_info(a->shell.panel.selected)->key, setting_info(a->shell.panel.selected)->help);
	else if (v->ops->status && (a->work.model.analysis || v->ops->knobs || v->ops->alone))
		v->ops->status(v, text, sizeof text, right - x);
	text_drop_facts(text, right - x);
	pane_text_in(p, x, 0, right - x, ROLE_DEFAULT, 0, text);
}

/* Until there is an analysis: the stage of the work, and how far that is. */
static void draw_loading(const struct app *a, struct pane p)
{
	const struct session_news *n = &a->work.news;
	int w = p.w - 8 < 60 ? p.w - 8 : 60, x = (p.w - w) / 2, y = p.h / 2 - 1;
	bool bytes = n->stage == PROGRESS_SCAN || n->stage == PROGRESS_READ;
	double part = n->total ? (double)n->done / (double)n->total : 0;
	char key[16];

	if (!a->work.path_count) {
		pane_textf(p, 1, y, ROLE_DIM, 0, "No trace is open: run pas2p TRACE, or press %s for a list of traces.",
			   keymap_first(&a->shell.keymap, ACTION_OPEN, key));
		return;
	}
	if (app_correcting(a))
		pane_textf(p, x, y, ROLE_TITLE, 0, "correcting the clocks: %s", progress_stage_name(n->stage));
	else if (bytes)
		pane_textf(p, x, y, ROLE_TITLE, 0, "%s %s", progress_stage_name(n->stage), path_name(a->work.paths[0]));
	else
		pane_textf(p, x, y, n->loading ? ROLE_TITLE : ROLE_DIM, 0, "%s…", progress_stage_name(n->stage));
	/* Work that is done within a blink is not worth a flicker. */
	if (!n->loading && n->seconds < 0.2)
		return;
	progress_bar_draw(p, x, y + 1, w, part);
	if (n->done && n->stage_seconds >= 0.2) {
		char done[UNIT_TEXT], total[UNIT_TEXT], each[UNIT_TEXT], seconds[UNIT_TEXT];
		const char *(*unit)(char buf[UNIT_TEXT], uint64_t v) = bytes ? unit_bytes : unit_count;
		double left = part > 0 && part < 1 ? fmin(ceil(n->stage_seconds * (1 - part) / part), 1e9) : 0;

		pane_textf(p, x, y + 2, ROLE_DIM, 0, "%s of %s · %s/s · %s s left", unit(done, n->done), unit(total, n->total),
			   unit(each, (uint64_t)((double)n->done / n->stage_seconds)), unit_count(seconds, (uint64_t)left));
	}
	if (n->seconds >= 0.2 && (n->loading || app_correcting(a)))
		pane_text(p, x, y + 3, ROLE_DIM, 0, n->loading ? "Esc stops and keeps the part loaded so far." : "Esc stops and keeps the recorded times.");
}

static void draw_small(const struct app *a, struct pane p)
{
	char text[64];

	snprintf(text, sizeof text, "pas2p needs %dx%d; this is %dx%d.", APP_MIN_W, APP_MIN_H, p.w, p.h);
	if (p.w < text_width(text)) {
		snprintf(text, sizeof text, "need %dx%d", APP_MIN_W, APP_MIN_H);
		if (p.w < text_width(text))
			snprintf(text, sizeof text, "%dx%d", APP_MIN_W, APP_MIN_H);
	}
	pane_text_in(p, 0, p.h / 2, p.w, ROLE_WARN, 0, text);
	if (p.h > 2 && p.h / 2 + 1 < p.h)
		pane_text_in(p, 0, p.h / 2 + 1, p.w, ROLE_DIM, 0, "Q quits");
	(void)a;
}

/* Where everything stands, from the size alone. */
struct screen_layout {
	struct pane header, tabs, view, panel, tutorial, line, strip, status, hints;
	int rule_top, rule_bottom; /* rows; -1: none */
	int aside; /* rows below the thresholds for what the view tells beside itself; 0: none */
};

#define PANEL_LEAST 18 /* rows that the thresholds keep, with their figures */
#define STRIP_LEAST 6 /* that the strip of the selected knob must have beside what the view tells */

/* What the view tells beside itself has what the thresholds can spare. */
static int aside_rows(const struct view *v, struct pane panel, bool beside)
{
	int want = v->ops->aside_rows && beside ? v->ops->aside_rows(v) : 0, room = panel.h - PANEL_LEAST;

	return room < ASIDE_LEAST ? 0 : want < room ? want : room;
}

static struct screen_layout screen_lay_out(const struct app *a, struct pane all)
{
	struct screen_layout l = {0};
	/* Beside the view where both have room; otherwise in its place, while it has the keys. */
	const struct shell *s = &a->shell;
	bool beside = all.w >= SHELL_BESIDE_W;
	bool own = workspace_front(&a->work)->ops->knobs;
	bool alone = workspace_front(&a->work)->ops->alone;
	bool turned = !own && (a->work.here < VIEW_TABS || alone);
	bool panel = s->panel_wanted && turned && (beside || s->panel.focus);
	int marks = own || (alone && !a->work.path_count) ? 0 : all.h >= 16 ? strip_rows(&a->work.model) : 1;
	int lesson = tutorial_rows(&a->tutorial, all.w, all.h);
	int top = 0, bottom = all.h, wide = !panel ? 0 : !beside ? all.w : all.w >= 90 ? PANEL_WIDTH : all.w - 41;

	if (all.h >= 14)
		l.header = pane_part(all, 0, top++, all.w, 1);
	l.tabs = pane_part(all, 0, top++, all.w, 1);
	l.rule_top = all.h >= 18 ? top++ : -1;
	if (all.h >= (lesson ? 30 : 20)) /* the tutorial names keys enough */
		l.hints = pane_part(all, 0, --bottom, all.w, 1);
	l.status = pane_part(all, 0, --bottom, all.w, 1);
	bottom -= marks;
	l.strip = pane_part(all, 0, bottom, all.w, marks);
	if (!panel && turned)
		l.line = pane_part(all, 0, --bottom, all.w, 1);
	l.rule_bottom = all.h >= 18 ? --bottom : -1;
	bottom -= lesson;
	l.tutorial = pane_part(all, 0, bottom, all.w, lesson);
	l.view = pane_part(all, 0, top, !wide || !beside ? all.w : all.w - wide - 1, bottom - top);
	if (wide)
		l.panel = pane_part(all, all.w - wide, top, wide, bottom - top);
	l.aside = aside_rows(workspace_front(&a->work), l.panel, wide && beside);
	return l;
}

/* The thresholds with their strip; while they do not have the keys, what the view tells stands in the strip's place,
 * and below it if there is room for both. */
static void draw_panel(const struct app *a, struct pane all, const struct screen_layout *l)
{
	const struct view *v = workspace_front(&a->work);
	int x = all.w - l->panel.w - 1, aside = a->shell.panel.focus ? 0 : l->aside, h = l->panel.h - aside, y;

	pane_vline(all, x, l->panel.y, l->panel.h, GLYPH_VLINE, ROLE_RULE);
	if (l->rule_top >= 0)
		pane_put(all, x, l->rule_top, GLYPH_TEE_DOWN, ROLE_RULE, 0);
	if (l->rule_bottom >= 0 && !l->tutorial.h)
		pane_put(all, x, l->rule_bottom, GLYPH_TEE_UP, ROLE_RULE, 0);
	y = panel_draw(&a->shell.panel, &a->work.model, pane_part(l->panel, 0, 0, l->panel.w, h));
	y = y < h ? y : h;
	if (!aside || h - y >= STRIP_LEAST) {
		y += h - y > 4;
		sensitivity_strip_draw(&a->shell.sensitivity, &a->work.model, pane_part(l->panel, 0, y, l->panel.w, h - y));
		y = h;
	}
	if (!aside)
		return;
	y += l->panel.h - y > aside; /* what the thresholds left over, except for a line between */
	v->ops->draw_aside(v, pane_part(l->panel, 0, y, l->panel.w, l->panel.h - y));
}

void app_draw(struct app *a)
{
	struct pane all = canvas_pane(&a->shell.canvas);
	struct view *v = workspace_front(&a->work);
	struct screen_layout l;
	int loading;

	canvas_clear(&a->shell.canvas);
	if (all.w < APP_MIN_W || all.h < APP_MIN_H) {
		draw_small(a, all);
		return;
	}
	l = screen_lay_out(a, all);
	a->shell.tabs_pane = l.tabs;
	a->shell.view_pane = l.view;
	a->shell.panel_pane = l.panel;
	a->shell.strip_pane = l.strip;
	loading = loading_rows(a, l.view);
	v->beside = l.aside;
	/* Computing what is seen, then painting it. The grid's window is the strip's, so it is always up to date. */
	program_structure_update(&a->work.model); /* iterations are marked in every view, if only in the strip */
	if (a->work.here != VIEW_GRID)
		a->work.views[VIEW_GRID]->ops->update(a->work.views[VIEW_GRID], l.view.w, l.view.h);
	if (v->ops->update)
		v->ops->update(v, l.view.w, l.view.h - loading);
	if (kept_lists_give(&a->work.lists, v) && v->ops->update)
		v->ops->update(v, l.view.w, l.view.h - loading);
	if (a->work.model.analysis)
		strip_update(&a->shell.strip, &a->work.model, all.w);
	if (l.panel.w)
		sensitivity_strip_update(&a->shell.sensitivity, &a->work.model, a->shell.panel.selected);

	draw_header(a, l.header);
	draw_tabs(a, l.tabs);
	if (l.rule_top >= 0)
		pane_hline(all, 0, l.rule_top, all.w, GLYPH_HLINE, ROLE_RULE);
	if (l.rule_bottom >= 0)
		pane_hline(all, 0, l.rule_bottom, all.w, GLYPH_HLINE, ROLE_RULE);
	if (l.panel.w == all.w)
		; /* nothing of the view is seen */
	else if (loading < l.view.h)
		v->ops->draw(v, pane_part(l.view, 0, 0, l.view.w, l.view.h - loading));
	if (loading && l.panel.w < all.w)
		draw_loading(a, pane_part(l.view, 0, l.view.h - loading, l.view.w, loading));
	if (l.panel.w) {
		draw_panel(a, all, &l);
	}
	if (l.tutorial.h)
		tutorial_draw(&a->tutorial, &a->shell.keymap, a->work.here, l.tutorial);
	if (l.line.w)
		panel_draw_line(&a->shell.panel, &a->work.model, l.line);
	if (l.strip.h)
		strip_draw(&a->shell.strip, &a->work.model, l.strip);
	if (a->shell.prompt.kind == PROMPT_COMMAND)
		palette_draw(a, pane_part(all, 0, l.view.y, all.w, l.view.h));
	draw_status(a, l.status, !l.header.w);
	draw_hints(a, l.hints);
}
