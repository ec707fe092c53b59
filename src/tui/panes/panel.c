#include "panes.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "tui/screen/glyphs.h"
#include "tui/widgets/units.h"

/* All but clocks, which phases do not depend on: it is at the head of the screen. */
static const enum setting_id places[] = {
	SETTING_volume, SETTING_compute, SETTING_events, SETTING_relevance, SETTING_order, SETTING_similarity,
	SETTING_collectives, SETTING_absent, SETTING_compute_of, SETTING_phase_time, SETTING_representative,
	SETTING_warmup_sends, SETTING_warmup_seconds, SETTING_sample_seconds,
	SETTING_windows, SETTING_window_seconds, SETTING_window_rare, SETTING_window_span, SETTING_window_align,
};
#define PLACES ((int)(sizeof places / sizeof *places))
#define SHORT_CHOICES 7 /* behind the knobs: those that have keys */
#define WARMUPS 3 /* behind the choices: what is exported */
#define WINDOWS 5 /* and behind those */

enum setting_id panel_setting(int place)
{
	return places[(place % PLACES + PLACES) % PLACES];
}

int panel_place(enum setting_id id)
{
	for (int i = 0; i < PLACES; i++)
		if (places[i] == id)
			return i;
	return 0;
}

struct summary panel_summary(const struct analysis *a)
{
	struct summary s;
	const struct windows *w;

	if (!a || !a->phases || !a->figures)
		return (struct summary){0};
	s = (struct summary){
		.valid = true,
		.phases = a->phases->count,
		.relevant = a->figures->relevant,
		.coverage = a->figures->coverage,
		.set = a->figures->set,
		.pet = a->figures->pet,
		.pete = a->figures->pete,
		.aet = a->figures->aet,
		.share_of = settings_share_of(&a->settings, ""),
	};
	w = a->windows;
	if (!w)
		return s;
	s.windows = true;
	s.checkpoints = w->count;
	s.pet_scaled = w->estimate.pet_scaled;
	s.half = w->estimate.half;
	s.spread = w->spread;
	s.cost = windows_cost(w, 0, a->settings.warmup_seconds);
	s.gap = windows_gap(w);
	s.measured = w->count;
	s.off = w->pete_scaled;
	return s;
}

static double step_of(enum setting_id id, bool coarse)
{
	switch (id) {
	case SETTING_volume:
	case SETTING_compute: return coarse ? 0.05 : 0.005;
	case SETTING_events: return coarse ? 0.05 : 0.01;
	case SETTING_relevance: return coarse ? 0.01 : 0.001;
	case SETTING_warmup_sends: return coarse ? 10 : 1;
	case SETTING_window_rare:
	case SETTING_window_span: return coarse ? 0.1 : 0.01;
	case SETTING_warmup_seconds:
	case SETTING_window_seconds:
	case SETTING_sample_seconds: return coarse ? 0.1 : 0.01;
	default: return 1;
	}
}

void panel_turn(struct settings *s, enum setting_id id, int steps, bool coarse)
{
	const struct setting_info *i = setting_info(id);
	double v = settings_number(s, id);

	if (i->kind == SETTING_CHOICE) {
		int n = (int)i->max + 1;

		v = (double)((((int)v + steps) % n + n) % n);
	} else {
		/* Rounded, so that ten steps up and ten down come out where they began. */
		v = round((v + steps * step_of(id, coarse)) * 1e6) / 1e6;
	}
	settings_set_number(s, id, v < i->min ? i->min : v > i->max ? i->max : v);
}

/* Where a fraction stands on its slider, 0 to 1: the small values of three of the knobs get more room. */
static double slider_place(enum setting_id id, double v)
{
	return id == SETTING_events || id == SETTING_window_rare || id == SETTING_window_span ? v : sqrt(v);
}

/* Why a setting decides nothing now: "bbp only"; "" if it does. */
static const char *setting_only_where(const struct settings *s, enum setting_id id)
{
	if (settings_matters(s, id))
		return "";
	if (setting_info(id)->opener == SETTING_windows)
		return "windows only";
	return s->similarity == SIMILARITY_PHASE ? "bbp only" : "phase only";
}

static void draw_knob(const struct panel *panel, const struct model *m, struct pane p, int y, enum setting_id id)
{
	bool here = panel->selected == id, idle = !settings_matters(&m->settings, id);
	enum role role = idle ? ROLE_DIM : ROLE_DEFAULT;
	int track = p.w - 23, knob;
	char value[UNIT_TEXT];

	if (here)
		pane_put(p, 1, y, GLYPH_POINTER, panel->focus ? ROLE_KEY : ROLE_TITLE, 0);
	pane_text(p, 3, y, here && !idle ? ROLE_TITLE : role, 0, setting_info(id)->key);
	unit_setting(&m->settings, id, value, sizeof value);
	pane_text_right(p, 21, y, here && !idle ? ROLE_VALUE : role, here && idle && panel->focus ? ATTR_CURSOR : 0, value);
	if (idle)
		pane_text(p, 22, y, ROLE_DIM, 0, setting_only_where(&m->settings, id));
	if (track < 3 || idle)
		return;
	if (track > 24)
		track = 24;
	knob = (int)(slider_place(id, settings_number(&m->settings, id)) * (track - 1) + 0.5);
	for (int i = 0; i < track; i++)
		pane_put(p, 22 + i, y, i == knob ? GLYPH_KNOB : i < knob ? GLYPH_TRACK_DONE : GLYPH_TRACK,
			 i == knob ? (here ? ROLE_SLIDER : ROLE_DEFAULT) : ROLE_RULE, 0);
	if (here && panel->focus)
		pane_stress(p, 22 + knob, y, 1, ATTR_CURSOR);
}

static enum action action_of(enum setting_id id)
{
	return action_find(setting_info(id)->key);
}

static void draw_choice(const struct panel *panel, const struct model *m, struct pane p, int y, enum setting_id id)
{
	bool here = panel->selected == id, idle = !settings_matters(&m->settings, id);
	enum role role = idle ? ROLE_DIM : ROLE_DEFAULT;
	char value[UNIT_TEXT], key[16];
	int x = 19;

	if (here)
		pane_put(p, 1, y, GLYPH_POINTER, panel->focus ? ROLE_KEY : ROLE_TITLE, 0);
	pane_text(p, 3, y, here && !idle ? ROLE_TITLE : role, 0, setting_info(id)->key);
	unit_setting(&m->settings, id, value, sizeof value);
	x += pane_text(p, x, y, here && !idle ? ROLE_VALUE : role, here && panel->focus ? ATTR_CURSOR : 0, value) + 1;
	pane_text(p, x, y, ROLE_DIM, 0, setting_only_where(&m->settings, id));
	pane_text_right(p, p.w - 1, y, ROLE_KEY, 0, keymap_first(m->keymap, action_of(id), key));
}

/* Seven choices in two lines, by key and value. */
static void draw_choices_short(const struct panel *panel, const struct model *m, struct pane p, int y)
{
	int x = 1;

	for (int i = PANEL_KNOBS; i < PANEL_KNOBS + SHORT_CHOICES; i++) {
		enum setting_id id = places[i];
		char value[UNIT_TEXT], key[16];
		int need;

		unit_setting(&m->settings, id, value, sizeof value);
		keymap_first(m->keymap, action_of(id), key);
		need = text_width(key) + 1 + text_width(value);
		if (x > 1 && x + need > p.w) {
			x = 1;
			y++;
		}
		x += pane_text(p, x, y, ROLE_KEY, 0, key) + 1;
		x += pane_text(p, x, y, !settings_matters(&m->settings, id) ? ROLE_DIM : panel->selected == id ? ROLE_VALUE : ROLE_DEFAULT,
			       panel->selected == id && panel->focus ? ATTR_CURSOR : 0, value) + 2;
	}
}

enum better { LESS_IS_BETTER, MORE_IS_BETTER, NEITHER };

static void draw_difference(struct pane p, int x, int y, double now, double before, const char *text, enum better b)
{
	bool good = b == LESS_IS_BETTER ? now < before : now > before;

	if (text[0])
		pane_text_right(p, x, y, b == NEITHER ? ROLE_DIM : good ? ROLE_BETTER : ROLE_WORSE, 0, text);
}

static void draw_figure(struct pane p, int y, const char *name, const char *now, const char *before, bool stale)
{
	pane_text(p, 1, y, ROLE_DEFAULT, 0, name);
	pane_text_right(p, 20, y, stale ? ROLE_DIM : ROLE_VALUE, 0, now);
	pane_text_right(p, 30, y, ROLE_DIM, 0, before);
}

/* "-3", "+12 186" */
static const char *difference(char buf[UNIT_TEXT], uint32_t now, uint32_t before)
{
	char n[UNIT_TEXT];

	unit_count(n, now < before ? before - now : now - before);
	snprintf(buf, UNIT_TEXT, "%c%.20s", now < before ? '-' : '+', n);
	return buf;
}

static void draw_count(const struct panel *panel, struct pane p, int y, const char *name, uint32_t now, uint32_t before,
		       enum better b, bool stale)
{
	char n[UNIT_TEXT], o[UNIT_TEXT] = "", d[UNIT_TEXT] = "";

	unit_count(n, now);
	if (panel->before.valid) {
		unit_count(o, before);
		if (now != before)
			difference(d, now, before);
	}
	draw_figure(p, y, name, n, o, stale);
	draw_difference(p, p.w - 1, y, now, before, d, b);
}

static void draw_share(const struct panel *panel, struct pane p, int y, const char *name, double now, double before,
		       enum better b, bool stale)
{
	char n[UNIT_TEXT], o[UNIT_TEXT] = "", d[UNIT_TEXT] = "";

	unit_figure_percent(n, now);
	if (panel->before.valid) {
		unit_figure_percent(o, before);
		if (fabs(now - before) >= 0.0005)
			snprintf(d, sizeof d, "%+.1f", (now - before) * 100);
	}
	draw_figure(p, y, name, n, o, stale);
	draw_difference(p, p.w - 1, y, now, before, d, b);
}

static void draw_time(const struct panel *panel, struct pane p, int y, const char *name, double now, double before,
		      const char *note, bool stale)
{
	char n[UNIT_TEXT], o[UNIT_TEXT] = "";

	unit_figure_time(n, now);
	if (panel->before.valid)
		unit_figure_time(o, before);
	draw_figure(p, y, name, n, o, stale);
	pane_text_right(p, p.w - 1, y, ROLE_DIM, 0, note);
}

/* What a signature would be off by. */
static void draw_measure(const struct panel *panel, struct pane p, int y, bool stale)
{
	const struct summary *n = &panel->now, *o = &panel->before;
	struct panel without = *panel;

	without.before.valid = o->valid && o->measured;
	if (n->measured)
		draw_share(&without, p, y, "exp. error", n->off, o->off, LESS_IS_BETTER, stale);
	else
		draw_figure(p, y, "exp. error", n->measuring ? "…" : "–", "", stale);
}

/* What windows are expected to say of this run, and what they cost. */
static int draw_windows(const struct panel *panel, const struct model *m, struct pane p, int y, bool stale)
{
	const struct summary *n = &panel->now, *o = &panel->before;
	struct panel both = *panel;
	double restore = model_budget(m).restore, cost = n->cost + n->checkpoints * restore;
	char note[2 * UNIT_TEXT] = "", share[UNIT_TEXT];

	both.before.valid = o->valid && o->windows;
	draw_time(&both, p, y++, "predicted", n->pet_scaled, o->pet_scaled, "", stale);
	if (!n->gap && n->aet > 0)
		snprintf(note, sizeof note, "%s", unit_percent(share, n->half / n->aet));
	draw_time(&both, p, y, "± 95 %", n->gap ? (double)NAN : n->half, o->gap ? (double)NAN : o->half, note, stale);
	y++;
	if (n->gap)
		pane_text_in(p, 3, y++, p.w - 4, ROLE_DIM, 0, n->gap);
	if (m->settings.window_span < 1 && y < p.h) {
		snprintf(note, sizeof note, "from the first %s of the run", unit_percent(share, m->settings.window_span));
		pane_text_in(p, 3, y++, p.w - 4, ROLE_DIM, 0, note);
	}
	draw_share(&both, p, y++, "typ. error", n->spread, o->spread, LESS_IS_BETTER, stale);
	draw_count(&both, p, y++, "checkpoints", n->checkpoints, o->checkpoints, NEITHER, stale);
	note[0] = 0;
	if (n->aet > 0)
		snprintf(note, sizeof note, "%s", unit_multiple(share, cost / n->aet, 1));
	draw_time(&both, p, y++, "cost", cost, o->cost + o->checkpoints * restore, note, stale);
	return y;
}

/* `tight`: with windows, only what they say. */
static int draw_figures(const struct panel *panel, const struct model *m, struct pane p, int y, bool tight)
{
	const struct summary *now = &panel->now, *before = &panel->before;
	bool stale = m->busy;
	char note[UNIT_TEXT] = "";

	pane_text_right(p, 20, y, ROLE_HEADER, 0, stale ? "now…" : "now");
	if (before->valid)
		pane_text_right(p, 30, y, ROLE_HEADER, 0, panel->other ? panel->other : "before");
	y++;
	if (!now->valid) {
		pane_text(p, 1, y, ROLE_DIM, 0, m->busy ? "computing…" : "no results yet");
		return y + 1;
	}
	draw_count(panel, p, y++, "phases", now->phases, before->phases, LESS_IS_BETTER, stale);
	if (!tight || !now->windows)
		draw_count(panel, p, y++, "relevant", now->relevant, before->relevant, NEITHER, stale);
	draw_share(panel, p, y++, "coverage", now->coverage, before->coverage, MORE_IS_BETTER, stale);
	if (*now->share_of && !tight && y < p.h)
		pane_text_in(p, 3, y++, p.w - 4, ROLE_DIM, 0, now->share_of);
	if (!isnan(now->set))
		unit_percent(note, now->set / now->aet);
	if (!tight || !now->windows)
		draw_time(panel, p, y++, "signature", now->set, before->set, note, stale);
	if (!isnan(now->pet))
		draw_measure(panel, p, y++, stale);
	else if (y < p.h)
		pane_text_in(p, 1, y++, p.w - 2, ROLE_DIM, 0, figures_gap(now->aet, now->phases));
	return now->windows && !isnan(now->pet) ? draw_windows(panel, m, p, y, stale) : y;
}

static void draw_measured(struct pane p, int y, const char *name, double time, const char *what, double error)
{
	char t[UNIT_TEXT], share[UNIT_TEXT], note[2 * UNIT_TEXT] = "";

	unit_time(t, time);
	if (what)
		snprintf(note, sizeof note, "%s%s", what, error >= 0 ? unit_percent(share, error) : "");
	draw_figure(p, y, name, t, "", false);
	pane_text_right(p, p.w - 1, y, ROLE_DIM, 0, note);
}

/* The result that is shown: what it predicts for where it was measured. Three rows, five where they have room. */
static int draw_result(const struct model *m, struct pane p, int y)
{
	const struct result *result = results_shown(&m->results);
	char label[RESULT_LABEL], key[16];
	bool known = result && result->aet > 0, roomy;
	int right = p.w - 1;

	if (!result || p.h - y < 3)
		return y;
	y += p.h - y > 8;
	results_label(result, label);
	right -= pane_text_right(p, right, y, ROLE_KEY, 0, keymap_first(m->keymap, ACTION_RESULT, key)) + 1;
	pane_text_in(p, 1, y++, right - 1, ROLE_HEADER, 0, label);
	roomy = p.h - y >= 5;
	if (roomy)
		draw_measured(p, y++, "signature", result->set, known ? "" : NULL, result->set_share);
	draw_measured(p, y++, "predicted", result->pet, known ? "error " : NULL, result->pete);
	draw_measured(p, y++, "scaled pred.", result->pet_scaled, known ? "error " : NULL, result->pete_scaled);
	if (roomy && result_has_interval(result))
		draw_measured(p, y++, "± 95 %", result->half, !known ? "" : result_held(result) ? "covers it" : "misses it", -1);
	if (roomy && known)
		draw_measured(p, y++, "run time", result->aet, strcmp(result->aet_from, "run") ? "as given" : "measured", -1);
	return y;
}

/* What matters most of the figures, in two lines. */
static void draw_figures_short(const struct panel *panel, struct pane p, int y)
{
	const struct summary *n = &panel->now, *o = &panel->before;
	char a[UNIT_TEXT], b[UNIT_TEXT];
	int x = 1;

	if (!n->valid)
		return;
	x += pane_textf(p, x, y, ROLE_VALUE, 0, "%u phase%s", (unsigned)n->phases, n->phases == 1 ? "" : "s");
	if (o->valid && o->phases != n->phases)
		x += pane_textf(p, x, y, n->phases < o->phases ? ROLE_BETTER : ROLE_WORSE, 0, " %s",
				difference(a, n->phases, o->phases));
	pane_textf(p, x, y, ROLE_DIM, 0, ", %u relevant", (unsigned)n->relevant);
	if (isnan(n->pet))
		pane_text_in(p, 1, y + 1, p.w - 2, ROLE_DIM, 0, figures_gap(n->aet, n->phases));
	else if (*n->share_of)
		pane_textf(p, 1, y + 1, ROLE_DIM, 0, "%s %s", unit_percent(a, n->coverage), n->share_of);
	else
		pane_textf(p, 1, y + 1, ROLE_DIM, 0, "coverage %s  exp. error %s", unit_percent(a, n->coverage),
			   n->measured ? unit_percent(b, n->off) : n->measuring ? "…" : "–");
}

static bool has_windows(const struct panel *panel, const struct model *m)
{
	return m->settings.windows || panel_place(panel->selected) >= PLACES - WINDOWS;
}

/* How many settings there is room for. Those of windows stand there once there are some, or one of them is looked
 * at. */
static int panel_settings_shown(const struct panel *panel, const struct model *m, int rows)
{
	if (rows < 29)
		return PLACES - WINDOWS - WARMUPS;
	return has_windows(panel, m) ? PLACES : PLACES - WINDOWS;
}

int panel_draw(const struct panel *panel, const struct model *m, struct pane p)
{
	bool roomy = p.h >= 26, brief = roomy && p.h < 46 && has_windows(panel, m);
	bool crowded = brief && results_shown(&m->results); /* the result goes before what windows do not need */
	char key[16], text[64];
	int y = 0;

	pane_text(p, 1, y, ROLE_TITLE, 0, "Settings");
	snprintf(text, sizeof text, "%s %s", keymap_first(m->keymap, ACTION_NEXT_PANE, key),
		 panel->focus ? "back to the view" : "to change");
	pane_text_right(p, p.w - 1, y, ROLE_DIM, 0, text);
	y++;
	for (int i = 0; i < PANEL_KNOBS; i++)
		draw_knob(panel, m, p, y++, places[i]);
	if (p.h < 14) {
		draw_figures_short(panel, p, y);
		if (p.h >= 9)
			draw_choices_short(panel, m, p, y + 2);
		return p.h >= 9 ? y + 4 : p.h;
	}
	y += p.h >= 19;
	if (roomy && !brief) {
		for (int i = PANEL_KNOBS; i < panel_settings_shown(panel, m, p.h); i++)
			draw_choice(panel, m, p, y++, places[i]);
	} else if (!roomy && panel_place(panel->selected) >= PANEL_KNOBS + SHORT_CHOICES) {
		/* What is turned is seen. */
		int from = panel_place(panel->selected);

		for (int i = from < PLACES - 1 ? from : PLACES - 2, n = 0; n < 2; n++)
			draw_choice(panel, m, p, y++, places[i + n]);
	} else {
		draw_choices_short(panel, m, p, y);
		y += 2;
	}
	for (int i = PANEL_KNOBS + SHORT_CHOICES; roomy && brief && i < panel_settings_shown(panel, m, p.h); i++)
		if (!crowded || i >= PLACES - WINDOWS || panel->selected == places[i])
			draw_choice(panel, m, p, y++, places[i]);
	y += p.h >= 20 && !brief;
	return draw_result(m, p, draw_figures(panel, m, p, y, p.h < 18 || crowded));
}

#define SHARE_OF_FROM 72 /* columns: narrower, the knob that is turned needs them */

/* The figures, to the right; returns the column where they begin. */
static int draw_line_figures(const struct panel *panel, struct pane p)
{
	const struct summary *n = &panel->now, *o = &panel->before;
	char covered[UNIT_TEXT], d[UNIT_TEXT], text[2 * UNIT_TEXT];
	int x = p.w - 1;

	if (!n->valid)
		return x;
	if (!isnan(n->coverage) && *n->share_of && p.w >= SHARE_OF_FROM)
		x -= pane_text_right(p, x, 0, ROLE_DIM, 0, n->share_of) + 1;
	if (!isnan(n->coverage))
		x -= pane_text_right(p, x, 0, ROLE_VALUE, 0, unit_percent(covered, n->coverage)) + 2;
	if (o->valid && n->phases != o->phases)
		x -= pane_text_right(p, x, 0, n->phases < o->phases ? ROLE_BETTER : ROLE_WORSE, 0,
				     difference(d, n->phases, o->phases)) + 1;
	snprintf(text, sizeof text, "%s phase%s", unit_count(d, n->phases), n->phases == 1 ? "" : "s");
	return x - pane_text_right(p, x, 0, ROLE_VALUE, 0, text);
}

/* The figures first, then of the knobs the selected one and as many of the others as fit whole. */
void panel_draw_line(const struct panel *panel, const struct model *m, struct pane p)
{
	int end = draw_line_figures(panel, p), x = 1, need[PANEL_KNOBS], left;
	char value[UNIT_TEXT];

	left = end - x;
	for (int i = 0; i < PANEL_KNOBS; i++) {
		unit_setting(&m->settings, places[i], value, sizeof value);
		need[i] = text_width(setting_info(places[i])->key) + 1 + text_width(value) + 2;
		left -= panel->selected == places[i] ? need[i] : 0;
	}
	for (int i = 0; i < PANEL_KNOBS; i++) {
		enum setting_id id = places[i];
		bool here = panel->selected == id;
		enum role role = settings_matters(&m->settings, id) ? ROLE_DEFAULT : ROLE_DIM;

		if (!here && (left -= need[i]) < 0)
			continue;
		unit_setting(&m->settings, id, value, sizeof value);
		x += pane_text(p, x, 0, here ? ROLE_TITLE : ROLE_DIM, 0, setting_info(id)->key) + 1;
		x += pane_text(p, x, 0, here ? ROLE_VALUE : role, here ? ATTR_UNDERLINE : 0, value) + 2;
	}
}
