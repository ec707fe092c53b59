#include "study.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "core/base/unit.h"

static const struct study_value nothing = {NAN, NAN, NAN};

/* ---- the place ---- */

static enum err_code take_place(struct study_prediction *p, const struct study_parameters *place, struct err *e)
{
	const struct study *s = p->models->study;
	struct study_parameter *at = arena_alloc(&p->arena, s->axis_count * sizeof *at);

	if (!at)
		return err_memory(e, "the prediction");
	p->at = at;
	for (uint32_t i = 0; i < place->count; i++)
		if (!study_parameter_find(&s->runs->list[0].parameters, place->list[i].name))
			return err_set(e, ERR_USAGE, "unknown parameter %s: no run has it", place->list[i].name);
	for (uint32_t k = 0; k < s->axis_count; k++) {
		const struct study_parameter *asked = study_parameter_find(place, s->axes[k].name);

		at[k] = asked ? *asked : *study_value(s, 0, k);
		if (s->axes[k].number && isnan(at[k].number))
			return err_set(e, ERR_USAGE, "%s is '%.60s': expected a number, as all runs have", s->axes[k].name, at[k].text);
		if (!s->axes[k].number && !s->axes[k].varies && strcmp(at[k].text, study_value(s, 0, k)->text) != 0)
			return err_set(e, ERR_USAGE, "no run has %s=%.60s", s->axes[k].name, at[k].text);
	}
	return ERR_OK;
}

static enum err_code find_combination(struct study_prediction *p, struct err *e)
{
	const struct study_models *m = p->models;
	char asked[256] = "";
	size_t n = 0;

	for (uint32_t c = 0; c < m->combinations; c++) {
		bool same = true;

		for (uint32_t i = 0; same && i < m->split_count; i++)
			same = !strcmp(study_value(m->study, m->example[c], m->splits[i])->text, p->at[m->splits[i]].text);
		p->combination = c;
		if (same)
			return ERR_OK;
	}
	for (uint32_t i = 0; i < m->split_count && n < sizeof asked; i++)
		n += (size_t)snprintf(asked + n, sizeof asked - n, "%s%.40s=%.60s", i ? " and " : "", m->study->axes[m->splits[i]].name,
				      p->at[m->splits[i]].text);
	return err_set(e, ERR_USAGE, "no run has %s", asked);
}

/* ---- warnings ---- */

#define WARNINGS 5  /* kinds of them */
#define SENTENCE 400

static void prediction_warn(struct study_prediction *p, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

static void prediction_warn(struct study_prediction *p, const char *fmt, ...)
{
	char text[SENTENCE];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof text, fmt, ap);
	va_end(ap);
	p->warnings[p->warning_count] = arena_strndup(&p->arena, text, strlen(text));
	p->warning_count++;
}

/* What the models that took part have to be told about. */
struct doubts {
	double worst;            /* error */
	uint32_t poor;           /* models with an error above FIT_POOR */
	char worst_of[64], undefined[64];
	uint32_t undefined_count;
};

static void doubts_look_at(struct study_prediction *p, struct doubts *d, const struct fit *fit, const struct fit_value *v, const char *of)
{
	p->extrapolation = v->extrapolation > p->extrapolation ? v->extrapolation : p->extrapolation;
	if (isnan(v->value) && !d->undefined_count++)
		snprintf(d->undefined, sizeof d->undefined, "%s", of);
	d->poor += fit_is_poor(fit);
	if (fit_is_poor(fit) && fit->error > d->worst) {
		d->worst = fit->error;
		snprintf(d->worst_of, sizeof d->worst_of, "%s", of);
	}
}

/* ---- the sum ---- */

/* A model's value and bounds, none below 0. */
static struct study_value fits_value_of(struct study_prediction *p, struct doubts *d, const struct study_fits *fits, const char *of)
{
	const struct study_models *m = p->models;
	struct fit_value v;

	if (!study_fits_at(m, fits, p->combination, p->x, &v))
		return nothing;
	doubts_look_at(p, d, study_fit(fits, p->combination), &v, of);
	if (isnan(v.value))
		return nothing;
	return (struct study_value){v.value < 0 ? 0 : v.value, v.low < 0 ? 0 : v.low, v.high < 0 ? 0 : v.high};
}

/* Measured apart from the phases, an AET may be less than they are: then nothing is left in that run, beside which a
 * fit of relative errors sees no other, and has no error. What is left lies between nothing and the most that one of
 * the runs has. */
static struct study_value value_of_rest(struct study_prediction *p, struct doubts *d)
{
	const struct study_models *m = p->models;
	struct study_value v = fits_value_of(p, d, &m->rest, "the remaining time");

	if (isnan(v.value) || !isnan(v.low))
		return v;
	v.low = 0;
	v.high = v.value;
	for (uint32_t i = 0; i < m->study->runs->count; i++)
		if (i != m->left_out && m->combination_of[i] == p->combination)
			v.high = fmax(v.high, m->study->rest[i]);
	return v;
}

static struct study_value rounded(struct study_value v)
{
	double whole = floor(v.value + 0.5);

	return (struct study_value){whole, v.low > whole ? whole : v.low, v.high < whole ? whole : v.high};
}

static void study_value_add(struct study_value *sum, const struct study_value *v)
{
	sum->value += v->value;
	sum->low += v->low;
	sum->high += v->high;
}

static void predict_part(struct study_prediction *p, struct doubts *d, struct study_part *part)
{
	const struct study_models *m = p->models;
	const struct study_family *f = part->family;
	struct study_fits *of = m->of[f->id - 1];
	char name[64];

	part->weight = part->time = nothing;
	if (!f->stable) {
		snprintf(name, sizeof name, "the total of phase family %" PRIu32, f->id);
		part->total = fits_value_of(p, d, &of[STUDY_TOTAL], name);
		return;
	}
	snprintf(name, sizeof name, "the weight of phase family %" PRIu32, f->id);
	part->weight = fits_value_of(p, d, &of[STUDY_WEIGHT], name);
	if (study_weight_is_whole(m, f, p->combination))
		part->weight = rounded(part->weight);
	snprintf(name, sizeof name, "the time of phase family %" PRIu32, f->id);
	part->time = fits_value_of(p, d, &of[STUDY_TIME], name);
	part->total = (struct study_value){part->weight.value * part->time.value, part->weight.low * part->time.low,
					   part->weight.high * part->time.high};
}

static void warn_far(struct study_prediction *p)
{
	if (isinf(p->extrapolation))
		prediction_warn(p, "the parameters are outside the range of the runs: the prediction is a rough guess");
	else if (p->extrapolation > FIT_FAR)
		prediction_warn(p, "the parameters are %.*g times beyond the range of the runs: the prediction is a rough guess",
		     p->extrapolation < 1e6 && p->extrapolation >= 1000 ? 6 : 3, p->extrapolation);
}

static void warn_all(struct study_prediction *p, const struct doubts *d)
{
	char share[UNIT_TEXT];

	if (d->undefined_count)
		prediction_warn(p, "%s is undefined for these parameters%s", d->undefined, d->undefined_count > 1 ? ", and so are other fits" : "");
	warn_far(p);
	if (d->poor)
		prediction_warn(p, "%" PRIu32 " fit%s a cross-validation error above 10 %%; the largest is that of %s: %s", d->poor,
		     d->poor == 1 ? " has" : "s have", d->worst_of, unit_multiple(share, d->worst, 1));
	if (p->apart)
		prediction_warn(p, "the prediction from phases and the whole-run fit disagree: their intervals do not overlap");
	for (uint32_t i = 0; i < p->models->study->axis_count; i++) {
		const struct study_axis *a = &p->models->study->axes[i];

		if (a->varies || !a->number || p->at[i].number == study_value(p->models->study, 0, i)->number)
			continue;
		prediction_warn(p, "%s has no effect: it is the same in all runs", a->name);
		return; /* one is enough */
	}
}

static enum err_code prediction_add_up(struct study_prediction *p, struct err *e)
{
	struct doubts d = {0};

	p->extrapolation = 1;
	for (uint32_t i = 0; i < p->part_count; i++) {
		predict_part(p, &d, &p->parts[i]);
		study_value_add(&p->time, &p->parts[i].total);
	}
	p->rest = value_of_rest(p, &d);
	study_value_add(&p->time, &p->rest);
	p->direct = fits_value_of(p, &d, &p->models->aet, "the run time");
	p->apart = p->time.high < p->direct.low || p->direct.high < p->time.low;
	warn_all(p, &d);
	for (uint32_t i = 0; i < p->warning_count; i++)
		if (!p->warnings[i])
			return err_memory(e, "the prediction");
	return ERR_OK;
}

static enum err_code prediction_make_room(struct study_prediction *p, struct err *e)
{
	const struct study *s = p->models->study;
	uint32_t n = 0;

	for (uint32_t i = 0; i < s->family_count; i++)
		n += s->families[i].everywhere;
	p->parts = arena_alloc(&p->arena, n * sizeof *p->parts);
	p->x = arena_alloc(&p->arena, p->models->number_count * sizeof *p->x);
	p->warnings = arena_alloc(&p->arena, WARNINGS * sizeof *p->warnings);
	if (!p->parts || !p->x || !p->warnings)
		return err_memory(e, "the prediction");
	for (uint32_t i = 0; i < s->family_count; i++)
		if (s->families[i].everywhere)
			p->parts[p->part_count++].family = &s->families[i];
	return ERR_OK;
}

enum err_code study_predict(struct study_prediction *p, const struct study_models *m, const struct study_parameters *place, struct err *e)
{
	enum err_code code;

	*p = (struct study_prediction){.models = m};
	arena_init(&p->arena);
	code = take_place(p, place, e);
	if (!code)
		code = find_combination(p, e);
	if (!code)
		code = prediction_make_room(p, e);
	if (!code) {
		for (uint32_t i = 0; i < m->number_count; i++)
			p->x[i] = p->at[m->numbers[i]].number;
		code = prediction_add_up(p, e);
	}
	if (code)
		study_prediction_release(p);
	return code;
}

void study_prediction_release(struct study_prediction *p)
{
	arena_release(&p->arena);
	*p = (struct study_prediction){0};
}

/* ---- each from the others ---- */

#define ROUNDING 1e-9 /* the least error that a fit has: an interval without width holds what was summed in another order */

static enum err_code check_run(const struct study *s, struct study_checked *c, unsigned threads, const struct progress *progress, struct err *e)
{
	struct study_prediction p;
	struct study_models m;
	enum err_code code = study_models_make(&m, s, STUDY_PREDICTS, c->run, threads, progress, e);

	if (code)
		return code;
	code = study_predict(&p, &m, &s->runs->list[c->run].parameters, e);
	if (!code) {
		c->predicted = p.time;
		c->error = fit_off(p.time.value, c->measured);
		c->within = c->measured * (1 + ROUNDING) >= p.time.low && c->measured * (1 - ROUNDING) <= p.time.high;
		study_prediction_release(&p);
	}
	study_models_release(&m);
	return code;
}

enum err_code study_check(const struct study *s, struct study_checked *list, unsigned threads, const struct progress *progress, struct err *e)
{
	enum err_code code = ERR_OK;

	for (uint32_t i = 0; !code && i < s->runs->count; i++) {
		list[i] = (struct study_checked){.run = i, .measured = s->aet[i]};
		code = check_run(s, &list[i], threads, progress, e);
	}
	return code;
}
