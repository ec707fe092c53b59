#include "model.h"


static bool plan_can(const void *from)
{
	const struct model *m = from;

	return m->analysis && m->analysis->phases;
}

static void plan_begin(void *made, const void *from)
{
	const struct model *m = from;
	struct run_plan *p = made;

	p->analysis = analysis_ref(m->analysis);
	p->budget = model_budget(m);
}

/* What a plan is made of; the settings that it chooses are none of it. */
static bool plan_is_of(const void *made, const void *from)
{
	const struct run_plan *p = made;
	const struct model *m = from;
	const struct analysis *a = p->analysis, *b = m->analysis;
	struct plan_budget budget = model_budget(m);
	struct settings x = a->settings;

	x.windows = b->settings.windows;
	x.window_seconds = b->settings.window_seconds;
	x.window_rare = b->settings.window_rare;
	x.sample_seconds = b->settings.sample_seconds;
	return (a == b || (analysis_same_phases(a, b) && settings_equal(&x, &b->settings))) &&
	       !(p->budget.share < budget.share || p->budget.share > budget.share || p->budget.restore < budget.restore ||
		 p->budget.restore > budget.restore);
}

static enum err_code plan_make(void *made, const struct progress *progress, struct err *e)
{
	struct run_plan *p = made;
	const struct analysis *a = p->analysis;

	return plan_new(&p->plan, a->clockwork, a->phases, a->figures, &a->settings, &p->budget, progress, e);
}

static void plan_release(void *made)
{
	struct run_plan *p = made;

	plan_free(p->plan);
	analysis_unref(p->analysis);
}

static const struct derived_kind plan_kind = {"a plan", sizeof(struct run_plan), plan_can, plan_begin, plan_is_of, plan_make, plan_release};

void run_plan_update(struct model *m)
{
	derived_update(&m->plan, &plan_kind, m->background, m);
}

struct run_plan *run_plan_now(const struct model *m)
{
	return m->plan.now;
}

struct run_plan *run_plan_current(const struct model *m)
{
	return derived_current(&m->plan, m);
}
