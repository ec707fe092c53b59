/* The panel of models: a slider for each parameter, and the value of T, with its value before the last change beside
 * it. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/models/graph/predict.h"
#include "models_int.h"
#include "tui/screen/glyphs.h"
#include "tui/widgets/bars.h"
#include "tui/widgets/paragraph.h"
#include "tui/widgets/units.h"

#define NAME_W 10
#define VALUE_W 11
#define TRACK_MOST 24

/* --- sliders --- */

static double knob_part_of(const struct models_knob *k, double v)
{
	if (k->log && k->low > 0 && v > 0)
		return log(v / k->low) / log(k->high / k->low);
	return (v - k->low) / (k->high - k->low);
}

static void draw_slider(const struct models_view *s, struct pane p, int y, uint32_t i)
{
	const struct models *m = models_of(s);
	const struct models_knob *k = &m->knob[i];
	bool here = m->selected == i, focus = here && s->focus == FOCUS_PANEL;
	int at = 3 + NAME_W + VALUE_W + 1, track = p.w - at - 1, knob;
	struct interval v = models_knob_value(m, i);
	char text[64];

	if (here)
		pane_put(p, 1, y, GLYPH_POINTER, s->focus == FOCUS_PANEL ? ROLE_KEY : ROLE_TITLE, 0);
	pane_text_in(p, 3, y, NAME_W, here ? ROLE_TITLE : ROLE_DEFAULT, 0, k->name);
	models_knob_text(m, i, text, sizeof text);
	pane_text_right(p, 3 + NAME_W + VALUE_W, y, here ? ROLE_VALUE : ROLE_DEFAULT, 0, text);
	if (track < 3 || !(k->high > k->low) || (!k->known && k->kind < KNOB_FORM))
		return;
	track = track > TRACK_MOST ? TRACK_MOST : track;
	knob = (int)(fmin(fmax(knob_part_of(k, interval_middle(v)), 0), 1) * (track - 1) + 0.5);
	for (int x = 0; x < track; x++)
		pane_put(p, at + x, y, x == knob ? GLYPH_KNOB : x < knob ? GLYPH_TRACK_DONE : GLYPH_TRACK,
			 x == knob ? (here ? ROLE_SLIDER : ROLE_DEFAULT) : ROLE_RULE, 0);
	if (focus)
		pane_stress(p, at + knob, y, 1, ATTR_CURSOR);
}

/* --- figures --- */

const char *models_time_text(char buf[3 * UNIT_TEXT], struct interval v)
{
	char low[UNIT_TEXT], high[UNIT_TEXT];

	unit_figure_time(high, v.hi);
	unit_figure_time(low, v.lo);
	if (interval_is_point(v) || !strcmp(low, high))
		snprintf(buf, 3 * UNIT_TEXT, "%s", high);
	else
		snprintf(buf, 3 * UNIT_TEXT, "[%s, %s]", low, high);
	return buf;
}

#define NOW_END 25 /* columns */

/* Returns the rows that it took: what was before stands beside, or below where two intervals have no room in a line. */
static int draw_figure(const struct models *m, struct pane p, int y, const char *name, struct interval now,
		       const struct interval *before,
		       enum role role)
{
	char text[3 * UNIT_TEXT], was[3 * UNIT_TEXT] = "";
	int end, below;

	pane_text_in(p, 3, y, NAME_W, ROLE_DEFAULT, 0, name);
	models_time_text(text, now);
	if (before)
		models_time_text(was, *before);
	end = 7 + text_width(text) > NOW_END ? 7 + text_width(text) : NOW_END;
	pane_text_right(p, end, y, models_current(m) ? role : ROLE_DIM, 0, text);
	below = before && end + 1 + text_width(was) > p.w - 1;
	if (below)
		pane_text_right(p, end, y + 1, ROLE_DIM, 0, was);
	else
		pane_text_right(p, p.w - 1, y, ROLE_DIM, 0, was);
	return 1 + below;
}

static const struct interval *before_of(const struct models *m, const char *name)
{
	for (uint32_t i = 0; m->before.known && i < m->before.loads; i++)
		if (!strcmp(m->before.load[i].name, name))
			return &m->before.load[i].time;
	return NULL;
}

/* A resource's T_r as a bar against T. */
static void draw_load(const struct models *m, struct pane p, int y, uint32_t i)
{
	const struct models_load *l = &m->now.load[i];
	bool bottleneck = i == m->now.bottleneck;
	char text[3 * UNIT_TEXT], name[64];
	const struct interval *before = before_of(m, l->name);
	int bar = p.w - NOW_END - 2 - 10;

	snprintf(name, sizeof name, "T %s", l->name);
	pane_text_in(p, 3, y, NAME_W + 2, bottleneck ? ROLE_WARN : ROLE_DEFAULT, 0, name);
	unit_figure_time(text, l->time.hi);
	pane_text_right(p, NOW_END, y, models_current(m) ? bottleneck ? ROLE_WARN : ROLE_DEFAULT : ROLE_DIM, 0, text);
	if (bar >= 4 && m->now.time.hi > 0)
		bar_draw_eighths(p, NOW_END + 1, y, bar > 12 ? 12 : bar, l->time.hi / m->now.time.hi, bottleneck ? ROLE_WARN :
				 ROLE_SLIDER);
	if (before)
		pane_text_right(p, p.w - 1, y, ROLE_DIM, 0, unit_figure_time(text, before->hi));
}

static int fit_rows(const struct models_view *s)
{
	return s->fit.of ? 3 : 0;
}

static bool has_program(const struct models *m)
{
	return m->program && m->program->model.program;
}

#define NOTE_ROWS 2
#define MEASURED_ROWS 2 /* its error, and whether it lies in the interval */

static int figure_rows(const struct models_view *s)
{
	const struct models *m = models_of(s);

	int below = m->before.known && !(interval_is_point(m->now.time) && interval_is_point(m->before.time)) ? 2 : 0;

	return (has_program(m) ? m->now.known ? 4 + below + (int)m->now.loads + (m->measured ? MEASURED_ROWS : 0) + (m->now.notes ? NOTE_ROWS : 0) : 2 : 0) + fit_rows(s);
}

/* Those that can be turned here; returns how many, and which of them is the selected one. */
static int knobs_here(const struct models *m, uint32_t list[MODELS_KNOBS], int *selected)
{
	int n = 0;

	*selected = 0;
	for (uint32_t i = 0; i < m->knobs; i++) {
		if (!models_knob_here(m, i))
			continue;
		if (i == m->selected)
			*selected = n;
		list[n++] = i;
	}
	return n;
}

int models_panel_rows(const struct models_view *s)
{
	uint32_t list[MODELS_KNOBS];
	int selected;

	return knobs_here(models_of(s), list, &selected) + figure_rows(s) + 1;
}

static int draw_fit(const struct models_view *s, struct pane p, int y)
{
	const struct fit_look *c = &s->fit;
	char text[160], value[3][UNIT_TEXT];

	pane_text(p, 1, y, ROLE_HEADER, 0, "fit");
	snprintf(text, sizeof text, "CV error %s · max %s", unit_figure_percent(value[0], c->of->fit.error),
		 unit_figure_percent(value[1], c->of->fit.max_error));
	pane_text_in(p, 6, y++, p.w - 7, c->of->fit.error > FIT_POOR ? ROLE_WARN : ROLE_DEFAULT, 0, text);
	pane_text(p, 3, y, ROLE_DEFAULT, 0, "value");
	if (isnan(c->at.low))
		snprintf(text, sizeof text, "%s", unit_figure_time(value[0], c->at.value));
	else
		snprintf(text, sizeof text, "%s  [%s, %s]", unit_figure_time(value[0], c->at.value),
			 unit_figure_time(value[1], c->at.low),
			 unit_figure_time(value[2], c->at.high));
	pane_text_in(p, 9, y++, p.w - 10, ROLE_VALUE, 0, text);
	if (c->at.extrapolation > 1) {
		snprintf(text, sizeof text, isinf(c->at.extrapolation) ? "extrapolated" :
			 "extrapolated %.3g times beyond the points", c->at.extrapolation);
		pane_text_in(p, 3, y, p.w - 4, c->at.extrapolation > FIT_FAR ? ROLE_WARN : ROLE_DIM, 0, text);
	}
	return y + 1;
}

/* T against what was measured here: of the interval its middle, and whether it lies inside. */
static void draw_error(const struct models *m, struct pane p, int y)
{
	const char *why;
	double measured = models_measured_here(m, &why), error = (interval_middle(m->now.time) - measured) / measured;
	char text[80], value[2][UNIT_TEXT];
	enum predict_verdict verdict = predict_verdict(m->now.time, measured);

	pane_text(p, 3, y, ROLE_DEFAULT, 0, "error");
	if (isfinite(error)) {
		snprintf(text, sizeof text, "%s of %s", unit_multiple(value[0], error, 1), unit_figure_time(value[1], measured));
		why = text;
	}
	pane_text_in(p, 14, y, p.w - 15, isfinite(error) && models_current(m) ? ROLE_VALUE : ROLE_DIM, 0, why);
	if (isnan(measured))
		return;
	pane_text(p, 3, y + 1, ROLE_DEFAULT, 0, "in interval");
	pane_text_in(p, 15, y + 1, p.w - 16, !models_current(m) || verdict == VERDICT_NONE ? ROLE_DIM : verdict == VERDICT_INSIDE ? ROLE_VALUE :
		     ROLE_WARN, 0, predict_verdict_text(verdict));
}

static void draw_figures(const struct models_view *s, struct pane p)
{
	const struct models *m = models_of(s);
	const struct models_figures *f = &m->now, *b = &m->before;
	int y = 0;

	if (s->fit.of)
		y = draw_fit(s, p, y);
	if (!has_program(m))
		return;
	if (!f->known) {
		pane_text_in(p, 1, y, p.w - 2, m->say[0] ? ROLE_WARN : ROLE_DIM, 0, m->say[0] ? m->say : "…");
		return;
	}
	pane_text_right(p, NOW_END, y, ROLE_HEADER, 0, "now");
	if (b->known)
		pane_text_right(p, p.w - 1, y, ROLE_HEADER, 0, "before");
	y++;
	y += draw_figure(m, p, y, "T", f->time, b->known ? &b->time : NULL, ROLE_VALUE);
	y += draw_figure(m, p, y, "T_0", f->free, b->known ? &b->free : NULL, ROLE_DEFAULT);
	for (uint32_t i = 0; i < f->loads && y < p.h; i++)
		draw_load(m, p, y++, i);
	pane_text(p, 3, y, ROLE_DEFAULT, 0, "bottleneck");
	pane_text_in(p, 14, y++, p.w - 15, f->bottleneck == UINT32_MAX ? ROLE_DIM : ROLE_WARN, 0,
		     f->bottleneck == UINT32_MAX ? "none" : f->load[f->bottleneck].name);
	if (m->measured) {
		draw_error(m, p, y);
		y += MEASURED_ROWS;
	}
	if (f->notes && p.h - y < NOTE_ROWS)
		pane_text_in(p, 1, y, p.w - 2, ROLE_WARN, 0, f->note);
	else if (f->notes)
		paragraph_draw(pane_part(p, 1, y, p.w - 2, p.h - y), 0, 2, ROLE_WARN, f->note);
}

void models_panel_draw(const struct models_view *s, struct pane p)
{
	const struct models *m = models_of(s);
	uint32_t list[MODELS_KNOBS];
	int selected, knobs = knobs_here(m, list, &selected), figures = figure_rows(s), sliders = p.h - figures, top = 0;

	/* Some sliders are always seen; what of the figures has no room is the least of them. */
	if (sliders < 4)
		sliders = p.h < 4 ? p.h : 4;
	if (sliders > knobs)
		sliders = knobs;
	if (selected >= sliders)
		top = selected - sliders + 1;
	for (int y = 0; y < sliders; y++)
		draw_slider(s, p, y, list[top + y]);
	if (p.h - sliders > figures)
		sliders++;
	draw_figures(s, pane_part(p, 0, sliders, p.w, p.h - sliders));
}
