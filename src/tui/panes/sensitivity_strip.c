#include "panes.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/base/mem.h"
#include "core/method/analysis/analysis.h"
#include "tui/jobs/background.h"
#include "tui/widgets/plot.h"
#include "tui/widgets/units.h"

#define PLOT_SIDES 7 /* columns of a plot that are not its values: a mark at each side, the scale's name */
#define PLOT_ROWS 6  /* at most: four of bars, the mark, the scale */
#define FLAT_ROWS 3  /* where all bars are equal */

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

struct curve_task {
	struct task task;
	const struct analysis *base; /* a reference */
	struct curve *curve;   /* a reference */
	const struct progress *progress;
};

static void unref(struct curve *c)
{
	if (c && atomic_fetch_sub(&c->references, 1) == 1)
		mem_free(c);
}

static void curve_show_point(void *arg, uint32_t i, const struct sensitivity_point *p)
{
	struct curve_task *f = arg;
	uint32_t done = 0;

	if (!atomic_load(&f->curve->ready[i])) { /* else told before it was stopped the last time, and being read */
		f->curve->points[i] = *p;
		atomic_store(&f->curve->ready[i], true);
	}
	for (uint32_t k = 0; k < CURVE_POINTS; k++)
		done += atomic_load(&f->curve->ready[k]);
	progress_report(f->progress, PROGRESS_MEASURE, done, CURVE_POINTS); /* wakes the drawing thread */
}

static enum err_code curve_fill(struct task *t, const struct progress *progress, struct err *e)
{
	struct curve_task *f = (struct curve_task *)t;
	enum err_code code;

	f->progress = progress;
	code = sensitivity_run(f->curve->knob, CURVE_POINTS, f->base, curve_show_point, f, progress, e);
	atomic_store(&f->curve->done, !code);
	return code;
}

static void free_filling(struct task *t)
{
	struct curve_task *f = (struct curve_task *)t;

	analysis_unref(f->base);
	unref(f->curve);
	mem_free(f);
}

const char *measure_name(enum measure m)
{
	static const char *const names[MEASURES] = {"phases", "relevant", "coverage"};

	return names[m];
}

/* The curve for the present settings to the front; a new one if there is none yet. */
static struct curve *curve_find(struct sensitivity_strip *s, const struct model *m)
{
	struct settings key = sensitivity_key(&m->settings, s->knob);
	struct curve *curve = NULL;
	int i;

	for (i = 0; i < CURVES; i++)
		if (s->curves[i] && s->curves[i]->knob == s->knob && s->curves[i]->trace == m->trace &&
		    settings_equal(&s->curves[i]->key, &key))
			break;
	if (i < CURVES) {
		curve = s->curves[i];
	} else {
		curve = mem_zero(1, sizeof *curve);
		if (!curve)
			return NULL;
		atomic_init(&curve->references, 1);
		curve->trace = m->trace;
		curve->key = key;
		curve->knob = s->knob;
		i = CURVES - 1;
		unref(s->curves[i]);
	}
	memmove(s->curves + 1, s->curves, (size_t)i * sizeof *s->curves);
	s->curves[0] = curve;
	return curve;
}

static void curve_ask(struct curve *c, const struct model *m)
{
	struct curve_task *f = mem_zero(1, sizeof *f);

	c->asked = true;
	if (!f)
		return;
	f->task = (struct task){curve_fill, free_filling};
	f->base = analysis_ref(m->analysis);
	f->curve = c;
	atomic_fetch_add(&c->references, 1);
	background_ask(m->background, m->slots.curve, &f->task);
}

void sensitivity_strip_update(struct sensitivity_strip *s, struct model *m, enum setting_id knob)
{
	struct task *t;
	struct curve *before = s->curves[0], *curve;
	struct err e;

	s->has = sensitivity_has(knob) && m->trace && m->background && m->analysis && m->analysis->figures;
	if (!s->has)
		return;
	s->knob = knob;
	t = background_take(m->background, m->slots.curve, &e); /* the points are in the curve already */
	if (t)
		t->free(t);
	curve = curve_find(s, m);
	if (!curve)
		return;
	if (curve != before && before && before->asked && !atomic_load(&before->done)) {
		/* What was being computed is not what is looked at now; it goes on if one comes back. */
		background_cancel(m->background, m->slots.curve);
		before->asked = false;
	}
	/* The first result of new settings goes before the strip: the base must have them, too. */
	if (!curve->asked && !m->busy) {
		struct settings have = sensitivity_key(&m->analysis->settings, knob);

		if (settings_equal(&have, &curve->key))
			curve_ask(curve, m);
	}
}

static double point_value_of(const struct sensitivity_point *p, enum measure m)
{
	switch (m) {
	case MEASURE_PHASES: return p->phases;
	case MEASURE_RELEVANT: return p->relevant;
	default: return p->coverage;
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

/* The range of the knob, its small values (for events: the large ones) with more room. */
static struct plot_axis axis_of(enum setting_id knob)
{
	return (struct plot_axis){
		.from = sensitivity_value(knob, 0, CURVE_POINTS),
		.to = sensitivity_value(knob, CURVE_POINTS - 1, CURVE_POINTS),
		.scale = knob == SETTING_events ? SCALE_ROOT_BACK : SCALE_ROOT,
		.unit = PLOT_SHARE,
	};
}

/* Counts from nothing, so that heights compare; shares over what they span, for they differ little. */
static struct plot_axis height_of(enum measure m, double least, double most)
{
	struct plot_axis y = {.from = 0, .to = most > 0 ? most : 1, .hidden = true};

	if (m > MEASURE_RELEVANT && most > least)
		y.from = least;
	else if (m > MEASURE_RELEVANT)
		y.to *= 2;
	return y;
}

/* A column for each place: the nearest point that is ready. */
static void draw_curve(const struct sensitivity_strip *s, const struct model *m, struct pane p, int w, double least,
		       double most)
{
	const struct curve *c = s->curves[0];
	double value[CURVE_POINTS];
	struct plot_series series = {.kind = PLOT_BARS, .role = ROLE_HEADER, .count = (uint32_t)w, .y = value};
	struct plot plot = PLOT_INIT;

	for (int i = 0; i < w; i++) {
		uint32_t at = nearest(c, (double)i / (w - 1));

		value[i] = at < CURVE_POINTS ? point_value_of(&c->points[at], s->measure) : (double)NAN;
	}
	plot.x = axis_of(s->knob);
	plot.y = height_of(s->measure, least, most);
	plot.series = &series;
	plot.series_count = 1;
	plot.mark = settings_number(&m->settings, s->knob);
	plot_draw(&plot, p);
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

/* Header, then the plot: with room a row for the mark alone, and taller bars if they differ. */
void sensitivity_strip_draw(const struct sensitivity_strip *s, const struct model *m, struct pane p)
{
	const struct curve *curve = s->curves[0];
	int w = p.w - PLOT_SIDES < CURVE_POINTS ? p.w - PLOT_SIDES : CURVE_POINTS, rows, x;
	char a[UNIT_TEXT], b[UNIT_TEXT], key[16];
	double least = INFINITY, most = -INFINITY;
	uint32_t done = 0;

	if (s->has && !settings_matters(&m->settings, s->knob)) {
		draw_idle(s, m, p);
		return;
	}
	if (!s->has || !curve || curve->knob != s->knob || w < 8 || p.h < 2)
		return;
	for (uint32_t i = 0; i < CURVE_POINTS; i++) {
		double v;

		if (!atomic_load(&curve->ready[i]))
			continue;
		v = point_value_of(&curve->points[i], s->measure);
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
	rows = most > least ? PLOT_ROWS : FLAT_ROWS;
	draw_curve(s, m, pane_part(p, 0, 1, w + PLOT_SIDES, p.h - 1 < rows ? p.h - 1 : rows), w, least, most);
}

void sensitivity_strip_release(struct sensitivity_strip *s)
{
	for (int i = 0; i < CURVES; i++) {
		unref(s->curves[i]);
		s->curves[i] = NULL;
	}
}
