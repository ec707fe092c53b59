#include "open_study.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/base/mem.h"
#include "core/base/text.h"
#include "model.h"
#include "run_list.h"

/* --- in the background --- */

static bool study_can(const void *from)
{
	return ((const struct model *)from)->study->path != NULL;
}

static void study_begin(void *made, const void *from)
{
	const struct model *m = from;
	struct studied *d = made;

	d->path = mem_strdup(m->study->path);
	d->threads = m->runs->threads;
	d->settings = m->settings;
	study_file_init(&d->file);
}

static bool study_is_of(const void *made, const void *from)
{
	const struct studied *d = made;
	const struct model *m = from;

	return (!d->path || !strcmp(d->path, m->study->path)) && settings_equal(&d->settings, &m->settings);
}

static enum err_code study_make(void *made, const struct progress *progress, struct err *e)
{
	struct studied *d = made;
	enum err_code code = d->path ? study_file_read(&d->file, d->path, e) : err_memory(e, "the study");

	if (!code)
		code = study_load(&d->runs, &d->file, &d->settings, d->threads, NULL, progress, e);
	if (!code)
		code = study_new(&d->study, d->file.name, &d->runs, d->settings.relevance, progress, e);
	if (!code)
		code = study_models_make(&d->models, d->study, STUDY_PREDICTS | STUDY_SHOWS, STUDY_ALL_RUNS, d->threads, progress, e);
	return code;
}

static void study_release(void *made)
{
	struct studied *d = made;

	study_models_release(&d->models);
	study_free(d->study);
	study_runs_release(&d->runs);
	study_file_release(&d->file);
	mem_free(d->path);
}

static const struct derived_kind study_kind = {"the study", sizeof(struct studied), study_can, study_begin, study_is_of, study_make, study_release};

void open_study_init(struct open_study *s)
{
	*s = (struct open_study){.serial = 1};
}

void open_study_release(struct open_study *s)
{
	derived_release(&s->derived);
	mem_free(s->path);
	mem_free(s->places);
	*s = (struct open_study){0};
}

enum err_code open_study_file(struct open_study *s, const char *path, struct settings *settings, const bool *keep, struct err *e)
{
	struct settings now = *settings;
	struct study_file file;
	char *copy;
	enum err_code code;

	study_file_init(&file);
	code = study_file_read(&file, path, e);
	for (enum setting_id id = 0; !code && id < SETTING_COUNT; id++)
		if (file.given[id] && !(keep && keep[id]))
			settings_copy(&now, &file.settings, id);
	study_file_release(&file);
	if (!code)
		code = settings_check(&now, e);
	if (code)
		return code;
	copy = mem_strdup(path);
	if (!copy)
		return err_memory(e, "the study");
	derived_forget(&s->derived);
	mem_free(s->path);
	*s = (struct open_study){.derived = s->derived, .path = copy, .serial = s->serial + 1, .made_serial = s->made_serial, .of = s->of, .log = s->log};
	*settings = now;
	return ERR_OK;
}

/* --- the place --- */

/* The first place that the file asks for, otherwise the first run's. */
static void begin_place(struct open_study *s)
{
	const struct study *t = s->made->study;
	const struct study_parameters *place = s->made->file.place_count ? &s->made->file.places[0] : NULL;

	s->like = 0;
	for (uint32_t k = 0; k < t->axis_count; k++) {
		const struct study_parameter *asked = place ? study_parameter_find(place, t->axes[k].name) : NULL;
		double first = study_value(t, 0, k)->number;

		s->at[k] = asked && t->axes[k].number && !isnan(asked->number) ? asked->number : first;
	}
	for (uint32_t i = 0; place && i < place->count; i++) {
		uint32_t run = 0;

		if (!isnan(place->list[i].number))
			continue;
		while (run + 1 < t->runs->count) {
			const struct study_parameter *has = study_parameter_find(&t->runs->list[run].parameters, place->list[i].name);

			if (has && !strcmp(has->text, place->list[i].text))
				break;
			run++;
		}
		s->like = run;
	}
	s->placed = true;
	s->place_count = 0;
	s->begun++;
}

uint32_t open_study_place(struct open_study *s)
{
	struct study_place *places, now = {.like = s->like};

	if (!s->made || !s->placed)
		return UINT32_MAX;
	for (uint32_t k = 0; k < s->made->study->axis_count; k++)
		now.at[k] = isnan(s->at[k]) ? 0 : s->at[k]; /* of a category: `like` says it */
	for (uint32_t i = s->place_count; i-- > 0;)
		if (!memcmp(&s->places[i], &now, sizeof now))
			return i;
	places = mem_grow(s->places, s->place_count, &s->place_room, sizeof *places);
	if (!places)
		return UINT32_MAX;
	s->places = places;
	places[s->place_count] = now;
	return s->place_count++;
}

void open_study_go(struct open_study *s, uint32_t place)
{
	if (!s->made || place >= s->place_count)
		return;
	for (uint32_t k = 0; k < s->made->study->axis_count; k++)
		if (!isnan(s->at[k]))
			s->at[k] = s->places[place].at[k];
	s->like = s->places[place].like;
	s->serial++;
}

static bool is_better_axis(const struct study_axis *a, bool varies)
{
	return a->number && (a->varies || !varies);
}

static bool any_varies(const struct study *t)
{
	for (uint32_t k = 0; k < t->axis_count; k++)
		if (t->axes[k].number && t->axes[k].varies)
			return true;
	return false;
}

void open_study_next_axis(struct open_study *s)
{
	const struct study *t = s->made->study;
	bool varies = any_varies(t);

	for (uint32_t i = 1; i <= t->axis_count; i++) {
		uint32_t k = (s->axis + i) % t->axis_count;

		if (!is_better_axis(&t->axes[k], varies))
			continue;
		s->axis = k;
		break;
	}
	s->serial++;
}

/* What was selected stays where it still is. */
static void study_show(struct open_study *s, uint32_t axes)
{
	const struct study *t = s->made->study;

	s->made_serial++;
	s->serial++;
	if (!s->placed || axes != t->axis_count)
		begin_place(s);
	if (s->axis >= t->axis_count || !is_better_axis(&t->axes[s->axis], any_varies(t))) {
		s->axis = t->axis_count - 1;
		open_study_next_axis(s);
	}
	if (s->run >= t->runs->count)
		s->run = 0;
	if (s->like >= t->runs->count)
		s->like = 0;
	if (s->family > t->family_count || !s->family)
		s->family = 1;
}

const char *open_study_work(struct model *m)
{
	struct open_study *s = m->study;
	uint32_t axes = s->made ? s->made->study->axis_count : 0;
	bool failed = s->derived.failure[0];

	if (derived_update(&s->derived, &study_kind, m->background, m)) {
		s->made = s->derived.now;
		study_show(s, axes);
	}
	return !failed && s->derived.failure[0] ? s->derived.failure : NULL;
}

/* Whether all runs have whole numbers of it. */
static bool axis_is_whole(const struct study *t, uint32_t axis)
{
	for (uint32_t i = 0; i < t->runs->count; i++) {
		double v = study_value(t, i, axis)->number;

		if (v < floor(v) || v < 0)
			return false;
	}
	return true;
}

/* In the digit-th digit of the value. */
static void step_in(struct open_study *s, int digit, int by)
{
	double v = s->at[s->axis], size, step;
	bool whole = axis_is_whole(s->made->study, s->axis);

	for (; by; by += by > 0 ? -1 : 1) {
		size = fabs(v);
		if (size > 0) {
			int power = (int)floor(log10(size) + 1e-9);

			/* Down from 1000 goes to 990, so that up goes back. */
			if ((by < 0) == (v > 0) && size <= pow(10, power) * (1 + 1e-9))
				power--;
			step = pow(10, power + 1 - digit);
		} else {
			step = 1;
		}
		if (whole && step < 1)
			step = 1;
		v = by > 0 ? floor(v / step + 1e-6) * step + step : ceil(v / step - 1e-6) * step - step;
		if (whole && v < 1)
			v = 1;
	}
	s->at[s->axis] = v;
	s->serial++;
}

void open_study_step(struct open_study *s, int by)
{
	step_in(s, 2, by);
}

void open_study_step_far(struct open_study *s, int by)
{
	step_in(s, 1, by);
}

static enum err_code set_category(struct open_study *s, uint32_t axis, const struct study_parameter *asked, struct err *e)
{
	const struct study *t = s->made->study;

	for (uint32_t r = 0; r < t->runs->count; r++) {
		bool same = !strcmp(study_value(t, r, axis)->text, asked->text);

		for (uint32_t k = 0; same && k < t->axis_count; k++)
			same = k == axis || t->axes[k].number || !strcmp(study_value(t, r, k)->text, study_value(t, s->like, k)->text);
		if (!same)
			continue;
		s->like = r;
		return ERR_OK;
	}
	return err_set(e, ERR_USAGE, "no run with %s=%.60s and the other parameters as set", asked->name, asked->text);
}

enum err_code open_study_set(struct open_study *s, const char *text, struct err *e)
{
	struct study_file asked;
	struct open_study before = *s;
	enum err_code code;

	study_file_init(&asked);
	code = study_file_at(&asked, text, e);
	for (uint32_t i = 0; !code && i < asked.places[0].count; i++) {
		const struct study_parameter *p = &asked.places[0].list[i];
		const struct study *t = s->made->study;
		uint32_t k = 0;

		while (k < t->axis_count && strcmp(t->axes[k].name, p->name) != 0)
			k++;
		if (k == t->axis_count)
			code = err_set(e, ERR_USAGE, "unknown parameter %s", p->name);
		else if (t->axes[k].number && isnan(p->number))
			code = err_set(e, ERR_USAGE, "%s: expected a number, found '%.60s'", p->name, p->text);
		else if (t->axes[k].number)
			s->at[k] = p->number;
		else
			code = set_category(s, k, p, e);
	}
	study_file_release(&asked);
	if (code)
		*s = before;
	s->serial++;
	return code;
}

static void study_place_at(const struct open_study *s, double on_axis, struct study_parameters *place)
{
	const struct study *t = s->made->study;

	place->count = t->axis_count;
	for (uint32_t k = 0; k < t->axis_count; k++) {
		place->list[k] = *study_value(t, s->like, k);
		place->list[k].name = t->axes[k].name;
		if (t->axes[k].number)
			place->list[k].number = k == s->axis && !isnan(on_axis) ? on_axis : s->at[k];
	}
}

enum err_code open_study_predict(const struct open_study *s, double on_axis, struct study_prediction *p, struct err *e)
{
	struct study_parameters place;

	study_place_at(s, on_axis, &place);
	return study_predict(p, &s->made->models, &place, e);
}

void open_study_at(const struct open_study *s, double *x)
{
	const struct study_models *m = &s->made->models;

	for (uint32_t i = 0; i < m->number_count; i++)
		x[i] = s->at[m->numbers[i]];
}

uint32_t open_study_combination(const struct open_study *s)
{
	return s->made->models.combination_of[s->like];
}

/* --- families --- */

const struct study_family *open_study_family(const struct open_study *s)
{
	const struct study *t = s->made ? s->made->study : NULL;

	return t && s->family && s->family <= t->family_count ? &t->families[s->family - 1] : NULL;
}

const char *studied_of_name(enum studied_of of)
{
	static const char *const names[STUDIED_OFS] = {"weight", "time", "compute", "total", "T"};

	return names[of];
}

double studied_value(const struct studied *d, const struct study_family *f, uint32_t run, enum studied_of of)
{
	const struct study_member *m = f ? study_member_of(f, run) : NULL;

	if (of == STUDIED_T)
		return d->study->aet[run];
	if (!m)
		return (double)NAN;
	switch (of) {
	case STUDIED_WEIGHT: return (double)m->weight;
	case STUDIED_TIME: return m->time;
	case STUDIED_COMPUTE: return m->compute;
	default: return m->total;
	}
}
