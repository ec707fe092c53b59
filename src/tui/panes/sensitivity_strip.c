#include "sensitivity_strip.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/base/mem.h"
#include "core/analysis/sensitivity.h"
#include "tui/jobs/background.h"
#include "tui/screen/glyphs.h"
#include "panel.h"
#include "tui/widgets/units.h"

/* Points are written by the task's thread and read by the drawing one once they are told ready. */
struct curve {
	atomic_int references;
	const struct trace *trace;
	struct settings key;
	enum setting_id knob;
	bool asked;                /* some task is at it, or has filled it */
	struct sensitivity_point points[CURVE_POINTS];
	atomic_bool ready[CURVE_POINTS];
	atomic_bool done;
};

struct filling {
	struct task task;
	struct analysis *base; /* a reference */
	struct curve *curve;   /* a reference */
	const struct job *job;
};

static void unref(struct curve *c)
{
	if (c && atomic_fetch_sub(&c->references, 1) == 1)
		mem_free(c);
}

static void show(void *arg, uint32_t i, const struct sensitivity_point *p)
{
	struct filling *f = arg;
	uint32_t done = 0;

	if (!atomic_load(&f->curve->ready[i])) { /* else told before it was stopped the last time, and being read */
		f->curve->points[i] = *p;
		atomic_store(&f->curve->ready[i], true);
	}
	for (uint32_t k = 0; k < CURVE_POINTS; k++)
		done += atomic_load(&f->curve->ready[k]);
	job_progress(f->job, JOB_MEASURE, done, CURVE_POINTS); /* wakes the drawing thread */
}

static enum err_code fill(struct task *t, const struct job *job, struct err *e)
{
	struct filling *f = (struct filling *)t;
	enum err_code code;

	f->job = job;
	code = sensitivity_run(f->curve->knob, CURVE_POINTS, f->base, show, f, job, e);
	atomic_store(&f->curve->done, !code);
	return code;
}

static void free_filling(struct task *t)
{
	struct filling *f = (struct filling *)t;

	analysis_unref(f->base);
	unref(f->curve);
	mem_free(f);
}

const char *measure_name(enum measure m)
{
	static const char *const names[MEASURES] = {"phases", "relevant", "coverage", "PETE"};

	return names[m];
}

/* The curve for the present settings to the front; a new one if there is none yet. */
static struct curve *find(struct sensitivity_strip *s, const struct model *m)
{
	struct settings key = sensitivity_key(&m->settings, s->knob);
	struct curve *c = NULL;
	int i;

	for (i = 0; i < CURVES; i++)
		if (s->curves[i] && s->curves[i]->knob == s->knob && s->curves[i]->trace == m->trace &&
		    settings_equal(&s->curves[i]->key, &key))
			break;
	if (i < CURVES) {
		c = s->curves[i];
	} else {
		c = mem_zero(1, sizeof *c);
		if (!c)
			return NULL;
		atomic_init(&c->references, 1);
		c->trace = m->trace;
		c->key = key;
		c->knob = s->knob;
		i = CURVES - 1;
		unref(s->curves[i]);
	}
	memmove(s->curves + 1, s->curves, (size_t)i * sizeof *s->curves);
	s->curves[0] = c;
	return c;
}

static void ask(struct curve *c, const struct model *m)
{
	struct filling *f = mem_zero(1, sizeof *f);

	c->asked = true;
	if (!f)
		return;
	f->task = (struct task){fill, free_filling};
	f->base = analysis_ref((struct analysis *)(uintptr_t)m->analysis);
	f->curve = c;
	atomic_fetch_add(&c->references, 1);
	background_ask(m->background, BACKGROUND_STRIP, &f->task);
}

void sensitivity_strip_update(struct sensitivity_strip *s, struct model *m, enum setting_id knob)
{
	struct task *t;
	struct curve *before = s->curves[0], *c;
	struct err e;

	s->has = sensitivity_has(knob) && m->trace && m->background && m->analysis && m->analysis->figures;
	if (!s->has)
		return;
	s->knob = knob;
	t = background_take(m->background, BACKGROUND_STRIP, &e); /* the points are in the curve already */
	if (t)
		t->free(t);
	c = find(s, m);
	if (!c)
		return;
	if (c != before && before && before->asked && !atomic_load(&before->done)) {
		/* What was being computed is not what is looked at now; it goes on if one comes back. */
		background_cancel(m->background, BACKGROUND_STRIP);
		before->asked = false;
	}
	/* The first result of new settings goes before the strip: the base must have them, too. */
	if (!c->asked && !m->busy) {
		struct settings have = sensitivity_key(&m->analysis->settings, knob);

		if (settings_equal(&have, &c->key))
			ask(c, m);
	}
}

static double value_of(const struct sensitivity_point *p, enum measure m)
{
	switch (m) {
	case MEASURE_PHASES: return p->phases;
	case MEASURE_RELEVANT: return p->relevant;
	case MEASURE_COVERAGE: return p->coverage;
	default: return p->pete;
	}
}

static const char *value_text(char buf[UNIT_TEXT], double v, enum measure m)
{
	return m <= MEASURE_RELEVANT ? unit_count(buf, (uint64_t)v) : unit_figure_percent(buf, v);
}

/* The nearest ready point to a place on the strip; CURVE_POINTS if none is. Equally near: the left one. */
static uint32_t nearest(const struct curve *c, double place)
{
	uint32_t best = CURVE_POINTS;
	double least = INFINITY;

	for (uint32_t i = 0; i < CURVE_POINTS; i++) {
		double away = fabs((double)i / (CURVE_POINTS - 1) - place);

		if (atomic_load(&c->ready[i]) && away < least - 1e-12) {
			least = away;
			best = i;
		}
	}
	return best;
}

/* Where the scale has ticks, in percent: both ends first, then those that matter more. */
static const double *ticks_of(enum setting_id knob, int *n)
{
	static const double to_20[] = {0, 20, 5, 1, 10, 2}, to_10[] = {0, 10, 1, 5, 2, 0.5};
	static const double from_50[] = {50, 100, 80, 90, 70, 95, 60, 99};

	*n = knob == SETTING_events ? (int)(sizeof from_50 / sizeof *from_50) : (int)(sizeof to_20 / sizeof *to_20);
	return knob == SETTING_events ? from_50 : knob == SETTING_relevance ? to_10 : to_20;
}

/* A tick and its value to the right of it, at the end to the left; those that would touch another are left out. */
static void draw_scale(const struct sensitivity_strip *s, struct pane p, int y, int w)
{
	bool taken[CURVE_POINTS + 2] = {false};
	int n;
	const double *ticks = ticks_of(s->knob, &n);

	for (int i = 0; i < n; i++) {
		int at = (int)(sensitivity_place(s->knob, ticks[i] / 100) * (w - 1) + 0.5), from = at, to;
		bool last = at == w - 1, free = true;
		char text[UNIT_TEXT];

		snprintf(text, sizeof text, last ? "%g %%" : "%g", ticks[i]);
		to = at + text_width(text);
		if (last) {
			from = at - text_width(text);
			to = at;
		}
		for (int x = from - 1; x <= to + 1; x++)
			free = free && (x < 0 || x >= w || !taken[x]);
		if (!free || from < 0 || to >= w)
			continue;
		for (int x = from; x <= to; x++)
			taken[x] = true;
		pane_put(p, 1 + at, y, GLYPH_VLINE, ROLE_RULE, 0);
		pane_text(p, 1 + from + !last, y, ROLE_DIM, 0, text);
	}
	pane_text(p, 1 + w + 1, y, ROLE_DIM, 0, "root"); /* of the value, or of its distance from 100 % */
}

/* The column of the present value: -1 and w where it lies beyond the scale. */
static int mark_of(const struct sensitivity_strip *s, const struct model *m, int w)
{
	double v = settings_number(&m->settings, s->knob);

	if (v < sensitivity_value(s->knob, 0, CURVE_POINTS) - 1e-9)
		return -1;
	if (v > sensitivity_value(s->knob, CURVE_POINTS - 1, CURVE_POINTS) + 1e-9)
		return w;
	return (int)(sensitivity_place(s->knob, v) * (w - 1) + 0.5);
}

static void draw_curve(const struct sensitivity_strip *s, struct pane p, int w, int mark, double least, double most)
{
	const struct curve *c = s->curves[0];

	for (int i = 0; i < w; i++) {
		uint32_t at = nearest(c, (double)i / (w - 1));
		double v;
		int eighths;

		v = at < CURVE_POINTS ? value_of(&c->points[at], s->measure) : (double)NAN;
		if (isnan(v)) {
			pane_put(p, 1 + i, 1, GLYPH_DOT, ROLE_NONE, 0);
			continue;
		}
		/* Counts from nothing, so that heights compare; shares over what they span, for they differ little. */
		if (s->measure <= MEASURE_RELEVANT)
			eighths = most > 0 ? (int)(v / most * 8 + 0.5) : 0;
		else
			eighths = most > least ? 1 + (int)((v - least) / (most - least) * 7 + 0.5) : 4;
		pane_put(p, 1 + i, 1, GLYPH_EIGHTHS(eighths < 1 ? 1 : eighths), i == mark ? ROLE_SLIDER : ROLE_HEADER,
			 i == mark && p.h < 4 ? ATTR_REVERSE : 0);
	}
}

/* A knob that decides nothing has no curve; the reason instead. */
static void draw_idle(const struct sensitivity_strip *s, const struct model *m, struct pane p)
{
	bool phase = m->settings.similarity == SIMILARITY_PHASE;
	char key[16];

	pane_textf(p, 1, 0, ROLE_DIM, 0, "%s compares %s, but", setting_info(s->knob)->key, phase ? "basic blocks" : "phases");
	pane_textf(p, 1, 1, ROLE_DIM, 0, "similarity is %s: without effect", phase ? "phase" : "bbp");
	pane_textf(p, 1, 2, ROLE_DIM, 0, "%s switches it.", keymap_first(m->keymap, ACTION_SIMILARITY, key));
}

/* Header, curve, with room a row for the mark alone, scale. The mark never stands on the scale's numbers. */
void sensitivity_strip_draw(const struct sensitivity_strip *s, const struct model *m, struct pane p)
{
	const struct curve *c = s->curves[0];
	int w = p.w - 7 < CURVE_POINTS ? p.w - 7 : CURVE_POINTS, mark, x;
	char a[UNIT_TEXT], b[UNIT_TEXT], key[16];
	double least = INFINITY, most = -INFINITY;
	uint32_t done = 0;

	if (s->has && !settings_matters(&m->settings, s->knob)) {
		draw_idle(s, m, p);
		return;
	}
	if (!s->has || !c || c->knob != s->knob || w < 8 || p.h < 2)
		return;
	for (uint32_t i = 0; i < CURVE_POINTS; i++) {
		double v;

		if (!atomic_load(&c->ready[i]))
			continue;
		v = value_of(&c->points[i], s->measure);
		least = v < least ? v : least;
		most = v > most ? v : most;
		done++;
	}
	x = 1 + pane_textf(p, 1, 0, ROLE_HEADER, 0, "%s over %s", measure_name(s->measure), setting_info(s->knob)->key);
	if (least > most)
		least = most = (double)NAN; /* no point defines it */
	if (done)
		pane_textf(p, x, 0, ROLE_DIM, 0, ": %s – %s%s", value_text(a, least, s->measure), value_text(b, most, s->measure),
			   done < CURVE_POINTS ? "…" : "");
	else
		pane_text(p, x, 0, ROLE_DIM, 0, "…");
	pane_text_right(p, p.w - 1, 0, ROLE_KEY, 0, keymap_first(m->keymap, ACTION_MEASURE, key));
	mark = mark_of(s, m, w);
	draw_curve(s, p, w, mark, least, most);
	if (mark < 0 || mark >= w)
		pane_put(p, 1 + mark, 1, mark < 0 ? GLYPH_BACK : GLYPH_ARROW, ROLE_SLIDER, 0);
	else if (p.h >= 4)
		pane_put(p, 1 + mark, 2, GLYPH_UP, ROLE_SLIDER, 0);
	if (p.h >= 3)
		draw_scale(s, p, p.h >= 4 ? 3 : 2, w);
}

void sensitivity_strip_release(struct sensitivity_strip *s)
{
	for (int i = 0; i < CURVES; i++) {
		unref(s->curves[i]);
		s->curves[i] = NULL;
	}
}
