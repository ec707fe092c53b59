#include "analysis.h"

#include <math.h>

/* From the value at place 0 to that at place 1; distances from the dense end grow with the square of the place's. */
struct sensitivity_range {
	enum setting_id knob;
	double from, to;
	bool dense_at_end;
};

static const struct sensitivity_range ranges[] = {
	{SETTING_volume, 0, 0.2, false},
	{SETTING_compute, 0, 0.2, false},
	{SETTING_relevance, 0, 0.1, false},
	{SETTING_events, 0.5, 1, true},
};

static const struct sensitivity_range *range_of(enum setting_id knob)
{
	for (size_t i = 0; i < sizeof ranges / sizeof *ranges; i++)
		if (ranges[i].knob == knob)
			return &ranges[i];
	return NULL;
}

bool sensitivity_has(enum setting_id knob)
{
	return range_of(knob) != NULL;
}

double sensitivity_value(enum setting_id knob, uint32_t i, uint32_t n)
{
	const struct sensitivity_range *r = range_of(knob);
	double at = n > 1 ? (double)i / (n - 1) : 0;

	if (!r)
		return 0;
	if (r->dense_at_end)
		at = 1 - (1 - at) * (1 - at);
	else
		at *= at;
	/* Finer than a millionth nobody sets: 5 % shall be 0.05, and not a neighbour of it. */
	return round((r->from + (r->to - r->from) * at) * 1e6) / 1e6;
}

struct settings sensitivity_key(const struct settings *settings, enum setting_id knob)
{
	struct settings key = *settings, def;

	settings_init(&def);
	settings_copy(&key, &def, knob);
	key.representative = def.representative;
	key.warmup_sends = def.warmup_sends;
	key.warmup_seconds = def.warmup_seconds;
	key.sample_seconds = def.sample_seconds;
	key.windows = def.windows;
	for (enum setting_id id = 0; id < SETTING_COUNT; id++)
		if (!settings_matters(settings, id))
			settings_copy(&key, &def, id);
	return key;
}

struct sensitivity_series {
	enum setting_id knob;
	uint32_t n, done;
	const struct analysis *base;
	struct analysis *last;   /* the latest: what it has, the next one reuses */
	const struct progress *outer;
	struct progress inner;   /* of one point: stops with the outer one, and has no progress of its own to tell */
	void (*point)(void *arg, uint32_t i, const struct sensitivity_point *p);
	void *arg;
};

static bool outer_stopped(void *arg)
{
	const struct sensitivity_series *r = arg;

	return progress_stopped(r->outer);
}

static enum err_code sensitivity_run_point(struct sensitivity_series *r, uint32_t i, struct err *e)
{
	struct settings settings = r->base->settings;
	struct sensitivity_point p = {.value = sensitivity_value(r->knob, i, r->n)};
	const struct figures *f;
	struct analysis *a;
	enum err_code code;

	if (progress_stopped(r->outer))
		return err_set(e, ERR_CANCELLED, "stopped while trying thresholds");
	settings_set_number(&settings, r->knob, p.value);
	settings.windows = 0; /* no point tells of them */
	code = analysis_new(&a, r->base->source, &settings, r->last ? r->last : r->base, ANALYSIS_PHASES, &r->inner, e);
	if (code)
		return code;
	analysis_unref(r->last);
	r->last = a;
	f = a->figures;
	p.phases = f->count;
	p.relevant = f->relevant;
	p.coverage = f->coverage;
	p.pete = f->pete;
	p.set_share = f->set / f->aet;
	r->point(r->arg, i, &p);
	progress_report(r->outer, PROGRESS_MEASURE, ++r->done, r->n);
	return ERR_OK;
}

enum err_code sensitivity_run(enum setting_id knob, uint32_t n, const struct analysis *base,
			      void (*point)(void *arg, uint32_t i, const struct sensitivity_point *p), void *arg,
			      const struct progress *progress, struct err *e)
{
	struct sensitivity_series r = {.knob = knob, .n = n, .base = base, .outer = progress, .point = point, .arg = arg};
	enum err_code code;
	uint32_t step = 1;

	if (!sensitivity_has(knob) || n < 2)
		return err_set(e, ERR_USAGE, "%s cannot be tried at %u points", setting_info(knob)->key, n);
	r.inner = (struct progress){.stopped = outer_stopped, .arg = &r};
	code = sensitivity_run_point(&r, 0, e);
	if (!code)
		code = sensitivity_run_point(&r, n - 1, e);
	while (step < n / 2)
		step *= 2;
	/* Every number between is an odd multiple of one power of two. */
	for (; step; step /= 2)
		for (uint32_t i = step; !code && i < n - 1; i += 2 * step)
			code = sensitivity_run_point(&r, i, e);
	analysis_unref(r.last);
	return code;
}
