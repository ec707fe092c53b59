/* The chosen value of the selected family, or T, over one parameter: the runs, the model with its interval, and the
 * requested point. All other parameters have their values at that point; runs with other values are dim. */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "core/base/mem.h"
#include "core/base/number.h"
#include "core/io/out.h"
#include "core/models/fit/write.h"
#include "study_int.h"
#include "tui/widgets/units.h"

static enum study_of models_of_quantity(enum studied_of of)
{
	static const enum study_of names[] = {STUDY_WEIGHT, STUDY_TIME, STUDY_COMPUTE, STUDY_TOTAL};

	return names[of];
}

/* Fits of what is shown; of T, which is a sum, none. */
static const struct study_fits *fits_of(const struct open_study *o)
{
	const struct study_family *f = open_study_family(o);

	return f && o->of != STUDIED_T ? &o->made->models.of[f->id - 1][models_of_quantity(o->of)] : NULL;
}

static uint32_t number_of_axis(const struct open_study *o)
{
	const struct study_models *m = &o->made->models;
	uint32_t i = 0;

	while (i + 1 < m->number_count && m->numbers[i] != o->axis)
		i++;
	return i;
}

/* Whether a run is on the line that is drawn: there all other parameters are the place's. */
static bool is_on_line(const struct open_study *o, uint32_t run)
{
	const struct study *t = o->made->study;

	if (o->made->models.combination_of[run] != open_study_combination(o))
		return false;
	for (uint32_t k = 0; k < t->axis_count; k++) {
		double v = study_value(t, run, k)->number;

		if (k != o->axis && t->axes[k].number && t->axes[k].varies && (v < o->at[k] || v > o->at[k]))
			return false;
	}
	return true;
}

static bool take_points(struct study_view *s)
{
	struct open_study *o = study_of(s);
	const struct study *t = o->made->study;
	uint32_t n = t->runs->count;
	double *room = mem_resize(s->curve.px, (size_t)n * 4, sizeof *room);

	s->curve.points = s->others = 0;
	if (!room)
		return false;
	s->curve.px = room;
	s->curve.py = room + n;
	s->other_x = room + 2 * (size_t)n;
	s->other_y = room + 3 * (size_t)n;
	for (uint32_t r = 0; r < n; r++) {
		double x = study_value(t, r, o->axis)->number, y = studied_value(o->made, open_study_family(o), r, o->of);

		if (isnan(y))
			continue;
		if (is_on_line(o, r)) {
			s->curve.px[s->curve.points] = x;
			s->curve.py[s->curve.points++] = y;
		} else {
			s->other_x[s->others] = x;
			s->other_y[s->others++] = y;
		}
	}
	return true;
}

/* The axis has room for all runs, wherever they are. */
static void set_range(struct study_view *s)
{
	struct fit_curve all = s->curve;
	double low = INFINITY, high = -INFINITY, ends[2];

	for (uint32_t i = 0; i < all.points; i++) {
		low = fmin(low, all.px[i]);
		high = fmax(high, all.px[i]);
	}
	for (uint32_t i = 0; i < s->others; i++) {
		low = fmin(low, s->other_x[i]);
		high = fmax(high, s->other_x[i]);
	}
	ends[0] = low;
	ends[1] = high;
	all.px = ends;
	all.points = low <= high ? 2 : 0;
	fit_curve_range(&all);
	all.px = s->curve.px;
	all.points = s->curve.points;
	s->curve = all;
}

static void sample_fit(struct study_view *s, const struct study_fits *fits)
{
	const struct open_study *o = study_of(s);
	const struct study_models *m = &o->made->models;
	uint32_t c = open_study_combination(o), axis = number_of_axis(o);
	double x[STUDY_PARAMETERS];
	struct fit_value v;

	s->fit = study_fit(fits, c);
	s->sampled = s->curve.samples;
	open_study_at(o, x);
	if (!study_fits_at(m, fits, c, x, &s->asked))
		return;
	s->band = !isnan(s->asked.low);
	for (uint32_t i = 0; i < s->curve.samples; i++) {
		x[axis] = s->curve.x[i];
		if (study_fits_at(m, fits, c, x, &v))
			fit_curve_sample(&s->curve, i, &v);
	}
}

static struct fit_value study_fit_value(const struct study_value *v)
{
	return (struct fit_value){.value = v->value, .low = v->low, .high = v->high};
}

void study_plot_update(struct study_view *s)
{
	const struct open_study *o = study_of(s);
	const struct study_fits *fits = fits_of(o);

	s->fit = NULL;
	s->band = false;
	s->asked = (struct fit_value){.value = (double)NAN, .low = (double)NAN, .high = (double)NAN};
	s->curve.samples = s->sampled = 0;
	s->curve.log = o->log;
	s->curve.place = o->at[o->axis];
	if (!take_points(s))
		return;
	set_range(s);
	if (fits) {
		sample_fit(s, fits);
	} else if (s->predicted) {
		s->asked = study_fit_value(&s->prediction.time);
		s->band = !isnan(s->asked.low);
	}
}

static unsigned ms_since(const struct timespec *start)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (unsigned)((now.tv_sec - start->tv_sec) * 1000 + (now.tv_nsec - start->tv_nsec) / 1000000);
}

bool study_plot_work(struct study_view *s, unsigned ms)
{
	const struct open_study *o = study_of(s);
	struct timespec start;
	struct err e;

	if (!o->made || s->serial != o->serial || s->sampled >= s->curve.samples)
		return false;
	clock_gettime(CLOCK_MONOTONIC, &start);
	do {
		struct study_prediction p;

		if (!open_study_predict(o, s->curve.x[s->sampled], &p, &e)) {
			struct fit_value v = study_fit_value(&p.time);

			fit_curve_sample(&s->curve, s->sampled, &v);
			study_prediction_release(&p);
		}
		s->sampled++;
	} while (s->sampled < s->curve.samples && ms_since(&start) < ms);
	return true;
}

void study_plot_release(struct study_view *s)
{
	mem_free(s->curve.px);
	s->curve.px = NULL;
}

/* --- drawing --- */

/* The parameters that are held: "p = 8, class = S". */
static void describe_held(const struct open_study *o, char *text, size_t size)
{
	const struct study *t = o->made->study;
	size_t n = 0;

	text[0] = 0;
	for (uint32_t k = 0; k < t->axis_count && n < size; k++) {
		if (k == o->axis || !t->axes[k].varies)
			continue;
		if (t->axes[k].number)
			n += (size_t)snprintf(text + n, size - n, ", %.24s = %.6g", t->axes[k].name, o->at[k]);
		else
			n += (size_t)snprintf(text + n, size - n, ", %.24s = %.40s", t->axes[k].name, study_value(t, o->like, k)->text);
	}
}

void study_plot_draw(const struct study_view *s, struct pane p)
{
	const struct open_study *o = study_of(s);
	const struct study *t = o->made->study;
	const char *name = t->axes[o->axis].name;
	const struct study_family *f = open_study_family(o);
	double run = study_value(t, o->run, o->axis)->number;
	/* Beside the cursor stand values of the line, which says nothing of a run elsewhere. */
	struct fit_curve_look look = {.x = fit_curve_unit(name), .y = o->of == STUDIED_WEIGHT ? PLOT_NUMBER : PLOT_SECONDS,
				      .band = s->band, .cursor = is_on_line(o, o->run) ? run : (double)NAN, .mark = run,
				      .other_x = s->other_x, .other_y = s->other_y, .others = s->others, .asked = &s->asked};
	char title[256], held[160];

	describe_held(o, held, sizeof held);
	if (o->of == STUDIED_T)
		snprintf(title, sizeof title, "T by %.40s%s", name, held);
	else
		snprintf(title, sizeof title, "%s of family %u by %.40s%s", studied_of_name(o->of), f ? f->id : 0, name, held);
	look.title = title;
	fit_curve_draw(&s->curve, &look, p);
}

/* A formula for eyes: what a file has in all of its digits has six here. */
static void brief(char *to, size_t size, const char *from)
{
	size_t at = 0;

	while (*from && at + 1 < size) {
		size_t n = strspn(from, "0123456789.");
		double v;

		if (n && from[n] == 'e' && (from[n + 1] == '-' || from[n + 1] == '+'))
			n += 2 + strspn(from + n + 2, "0123456789");
		if (n > 7 && number_parse(from, n, &v)) {
			at += (size_t)snprintf(to + at, size - at, "%.6g", v);
			from += n;
			continue;
		}
		n += strcspn(from + n, "+-*/^()[], ");
		n += from[n] != 0;
		at += (size_t)snprintf(to + at, size - at, "%.*s", (int)n, from);
		from += n;
	}
	to[at < size ? at : size - 1] = 0;
}

void study_plot_draw_foot(const struct study_view *s, struct pane p)
{
	const struct open_study *o = study_of(s);
	char loo[UNIT_TEXT], formula[360], text[400];
	struct out out;

	if (o->of == STUDIED_T) {
		pane_text_in(p, 0, 0, p.w, ROLE_DIM, 0, "sum of all families and the remaining time");
		return;
	}
	if (!s->fit) {
		pane_text_in(p, 0, 0, p.w, ROLE_WARN, 0, "No run has a value here.");
		return;
	}
	out_init(&out);
	fit_expression(s->fit, &out);
	brief(formula, sizeof formula, out.text ? out.text : "");
	snprintf(text, sizeof text, "cross-validation %s · %s", isnan(s->fit->error) ? "-" : unit_figure_percent(loo, s->fit->error),
		 formula);
	out_release(&out);
	pane_text_in(p, 0, 0, p.w, fit_is_poor(s->fit) ? ROLE_WARN : ROLE_DEFAULT, 0, text);
}
