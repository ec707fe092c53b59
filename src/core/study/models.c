#include "study.h"

#include <math.h>
#include <string.h>

#include "core/base/parallel.h"
#include "core/io/out.h"

#define WHOLE_WITHIN 0.5 /* of every run's weight */

const char *study_of_name(enum study_of of)
{
	static const char *const names[STUDY_OFS] = {"weight", "time", "compute", "total", "bytes"};

	return names[of];
}

/* ---- what is varied ---- */

static bool same_combination(const struct study_models *m, uint32_t run, uint32_t other)
{
	for (uint32_t i = 0; i < m->split_count; i++)
		if (strcmp(study_value(m->study, run, m->splits[i])->text, study_value(m->study, other, m->splits[i])->text) != 0)
			return false;
	return true;
}

static const char *label_of(struct study_models *m, uint32_t run)
{
	struct out out;
	const char *label;

	out_init(&out);
	out_str(&out, "");
	for (uint32_t i = 0; i < m->split_count; i++)
		out_printf(&out, "%s%s=%s", i ? " " : "", m->study->axes[m->splits[i]].name, study_value(m->study, run, m->splits[i])->text);
	label = out.failed ? NULL : arena_strndup(&m->arena, out.text ? out.text : "", out.len);
	out_release(&out);
	return label;
}

static enum err_code find_combinations(struct study_models *m, struct err *e)
{
	uint32_t runs = m->study->runs->count;

	m->combination_of = arena_alloc(&m->arena, runs * sizeof *m->combination_of);
	m->example = arena_alloc(&m->arena, runs * sizeof *m->example);
	m->label = arena_alloc(&m->arena, runs * sizeof *m->label);
	if (!m->combination_of || !m->example || !m->label)
		return err_memory(e, "the models");
	for (uint32_t run = 0; run < runs; run++) {
		uint32_t c = 0;

		while (c < m->combinations && !same_combination(m, run, m->example[c]))
			c++;
		m->combination_of[run] = c;
		if (c < m->combinations)
			continue;
		m->example[c] = run;
		m->label[c] = label_of(m, run);
		m->combinations++;
		if (!m->label[c])
			return err_memory(e, "the models");
	}
	return ERR_OK;
}

static enum err_code find_axes(struct study_models *m, struct err *e)
{
	const struct study *s = m->study;

	m->numbers = arena_alloc(&m->arena, s->axis_count * sizeof *m->numbers);
	m->splits = arena_alloc(&m->arena, s->axis_count * sizeof *m->splits);
	if (!m->numbers || !m->splits)
		return err_memory(e, "the models");
	for (uint32_t i = 0; i < s->axis_count; i++) {
		if (s->axes[i].number)
			m->numbers[m->number_count++] = i;
		else if (s->axes[i].varies)
			m->splits[m->split_count++] = i;
	}
	return find_combinations(m, e);
}

/* A run's place, with room for m->number_count. */
static void study_run_at(const struct study_models *m, uint32_t run, double *x)
{
	for (uint32_t i = 0; i < m->number_count; i++)
		x[i] = study_value(m->study, run, m->numbers[i])->number;
}

/* ---- one quantity ---- */

static double member_value_of(const struct study_member *member, enum study_of of)
{
	switch (of) {
	case STUDY_WEIGHT: return (double)member->weight;
	case STUDY_TIME: return member->time;
	case STUDY_COMPUTE: return member->compute;
	case STUDY_TOTAL: return member->total;
	default: return member->bytes;
	}
}

/* What is fitted: `of` of a family, or a figure of each run. */
struct wanted_fit {
	struct study_fits *to;
	const struct study_family *family; /* NULL: a figure of the runs */
	enum study_of of;
	const double *figure;
};

static enum err_code wanted_measure(const struct study_models *m, const struct wanted_fit *w, struct err *e)
{
	const struct study *s = m->study;
	double x[STUDY_PARAMETERS];
	uint32_t count = w->family ? w->family->count : s->runs->count;
	enum err_code code = ERR_OK;

	for (uint32_t i = 0; !code && i < count; i++) {
		uint32_t run = w->family ? w->family->members[i].run : i;

		if (run == m->left_out)
			continue;
		study_run_at(m, run, x);
		code = measurements_add(&w->to->measured, m->label[m->combination_of[run]], x,
					w->family ? member_value_of(&w->family->members[i], w->of) : w->figure[run], e);
	}
	return code;
}

static enum err_code fit_sets(const struct study_models *m, struct study_fits *f, const struct progress *progress, struct err *e)
{
	enum err_code code = ERR_OK;

	f->fit = mem_zero(f->sets.count, sizeof *f->fit);
	f->set_of = mem_alloc(m->combinations, sizeof *f->set_of);
	if (!f->fit || !f->set_of)
		return err_memory(e, "the models");
	for (uint32_t c = 0; c < m->combinations; c++) {
		f->set_of[c] = STUDY_NO_SET;
		for (uint32_t k = 0; k < f->sets.count; k++)
			if (!strcmp(f->sets.set[k].name, m->label[c]))
				f->set_of[c] = k;
	}
	for (uint32_t k = 0; !code && k < f->sets.count; k++) {
		struct fit_points points = measured_set_points(&f->sets.set[k]);

		code = fit_make(&f->fit[k], &points, &(struct fit_options){.kind = FIT_AUTO}, progress, e);
		f->made += !code;
	}
	return code;
}

static enum err_code wanted_make(const struct study_models *m, const struct wanted_fit *w, const struct progress *progress, struct err *e)
{
	const char *names[STUDY_PARAMETERS];
	enum err_code code;

	for (uint32_t i = 0; i < m->number_count; i++)
		names[i] = m->study->axes[m->numbers[i]].name;
	code = measurements_init(&w->to->measured, names, m->number_count, e);
	if (!code)
		code = wanted_measure(m, w, e);
	if (!code)
		code = measurements_sets(&w->to->measured, VALUE_MEAN, &w->to->sets, e);
	return code ? code : fit_sets(m, w->to, progress, e);
}

static void fits_release(struct study_fits *f)
{
	for (uint32_t i = 0; i < f->made; i++)
		fit_release(&f->fit[i]);
	mem_free(f->fit);
	mem_free(f->set_of);
	measured_sets_release(&f->sets);
	measurements_release(&f->measured);
	*f = (struct study_fits){0};
}

const struct fit *study_fit(const struct study_fits *f, uint32_t combination)
{
	return f->fit && f->set_of[combination] != STUDY_NO_SET ? &f->fit[f->set_of[combination]] : NULL;
}

bool study_fits_at(const struct study_models *m, const struct study_fits *f, uint32_t combination, const double *x, struct fit_value *v)
{
	const struct fit *fit = study_fit(f, combination);
	double own[FIT_PARAMETERS];

	if (!fit)
		return false;
	/* A fit's parameters are names of its measurements, which are the numbers in their order. */
	for (uint32_t k = 0; k < fit->parameters; k++)
		for (uint32_t i = 0; i < m->number_count; i++)
			if (fit->parameter[k] == f->measured.parameter[i])
				own[k] = x[i];
	fit_at(fit, own, v);
	return true;
}

bool study_weight_is_whole(const struct study_models *m, const struct study_family *f, uint32_t combination)
{
	const struct study_fits *fits = &m->of[f->id - 1][STUDY_WEIGHT];
	double x[STUDY_PARAMETERS];
	struct fit_value v;

	for (uint32_t i = 0; i < f->count; i++) {
		uint32_t run = f->members[i].run;

		if (run == m->left_out || m->combination_of[run] != combination)
			continue;
		study_run_at(m, run, x);
		if (!study_fits_at(m, fits, combination, x, &v) || !(fabs(v.value - (double)f->members[i].weight) <= WHOLE_WITHIN))
			return false;
	}
	return true;
}

/* ---- all of them ---- */

static bool is_wanted(const struct study_family *f, enum study_of of, unsigned wants)
{
	bool shows = wants & STUDY_SHOWS && of != STUDY_BYTES;
	bool predicts = f->everywhere && wants & (STUDY_PREDICTS | STUDY_WRITES) &&
			(f->stable ? of == STUDY_WEIGHT || of == STUDY_TIME : of == STUDY_TOTAL);
	bool writes = f->everywhere && wants & STUDY_WRITES && (of == STUDY_COMPUTE || of == STUDY_BYTES || of == STUDY_TIME);

	return shows || predicts || writes;
}

struct fits_making {
	const struct study_models *models;
	struct wanted_fit *list;
	uint32_t count;
	const struct progress *progress;
	struct parallel_stop stop;
	atomic_uint next;
	struct err *errors;        /* per thread */
	uint32_t *at;              /* per thread: which of the list failed; UINT32_MAX: none */
	enum err_code *codes;
};

struct fits_part {
	struct fits_making *making;
	unsigned number;
};

static bool part_stopped(void *arg)
{
	const struct fits_part *p = arg;

	return parallel_stopped(&p->making->stop, p->number);
}

static void make_part(void *arg, unsigned number)
{
	struct fits_making *k = arg;
	struct fits_part p = {k, number};
	const struct progress progress = {.stopped = part_stopped, .arg = &p};

	while (!k->codes[number] && !part_stopped(&p)) {
		uint32_t i = atomic_fetch_add(&k->next, 1);

		if (i >= k->count)
			return;
		if (number == 0)
			progress_report(k->progress, PROGRESS_FIT, i, k->count);
		k->codes[number] = wanted_make(k->models, &k->list[i], &progress, &k->errors[number]);
		k->at[number] = i;
	}
}

/* The first that failed, whichever thread met it. */
static enum err_code outcome(const struct fits_making *k, struct err *e)
{
	uint32_t first = UINT32_MAX;
	enum err_code code = ERR_OK;

	for (unsigned i = 0; i < PARALLEL_MOST; i++) {
		if (!k->codes[i] || k->at[i] >= first)
			continue;
		first = k->at[i];
		code = k->codes[i];
		*e = k->errors[i];
	}
	if (!code && atomic_load(&k->stop.stopped))
		code = err_set(e, ERR_CANCELLED, "the study was stopped");
	return code;
}

static enum err_code make_all(struct study_models *m, struct wanted_fit *list, uint32_t count, unsigned threads, const struct progress *progress,
			      struct err *e)
{
	struct fits_making k = {.models = m, .list = list, .count = count, .progress = progress, .stop = {.progress = progress}};
	unsigned parts = parallel_threads(threads, count < PARALLEL_MOST ? count : PARALLEL_MOST);
	enum err_code code;

	k.errors = mem_zero(PARALLEL_MOST, sizeof *k.errors);
	k.at = mem_zero(PARALLEL_MOST, sizeof *k.at);
	k.codes = mem_zero(PARALLEL_MOST, sizeof *k.codes);
	if (k.errors && k.at && k.codes) {
		parallel_run(parts ? parts : 1, make_part, &k);
		code = outcome(&k, e);
	} else {
		code = err_memory(e, "the models");
	}
	mem_free(k.errors);
	mem_free(k.at);
	mem_free(k.codes);
	return code;
}

enum err_code study_models_make(struct study_models *m, const struct study *s, unsigned wants, uint32_t left_out, unsigned threads,
				const struct progress *progress, struct err *e)
{
	struct wanted_fit *list = mem_alloc((size_t)s->family_count * STUDY_OFS + 2, sizeof *list);
	uint32_t count = 0;
	enum err_code code;

	*m = (struct study_models){.study = s, .left_out = left_out};
	arena_init(&m->arena);
	m->of = mem_zero(s->family_count, sizeof *m->of);
	code = list && m->of ? find_axes(m, e) : err_memory(e, "the models");
	if (!code) {
		for (uint32_t i = 0; i < s->family_count; i++)
			for (enum study_of of = 0; of < STUDY_OFS; of++)
				if (is_wanted(&s->families[i], of, wants))
					list[count++] = (struct wanted_fit){&m->of[i][of], &s->families[i], of, NULL};
		list[count++] = (struct wanted_fit){&m->rest, NULL, STUDY_TIME, s->rest};
		list[count++] = (struct wanted_fit){&m->aet, NULL, STUDY_TIME, s->aet};
		code = make_all(m, list, count, threads, progress, e);
	}
	mem_free(list);
	if (code)
		study_models_release(m);
	return code;
}

void study_models_release(struct study_models *m)
{
	for (uint32_t i = 0; m->of && i < m->study->family_count; i++)
		for (enum study_of of = 0; of < STUDY_OFS; of++)
			fits_release(&m->of[i][of]);
	mem_free(m->of);
	fits_release(&m->rest);
	fits_release(&m->aet);
	arena_release(&m->arena);
	*m = (struct study_models){0};
}
