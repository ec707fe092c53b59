#include "run_plan.h"

#include <stdio.h>

#include "core/base/mem.h"
#include "model.h"
#include "tui/jobs/background.h"

struct run_plan *run_plan_ref(struct run_plan *p)
{
	atomic_fetch_add(&p->references, 1);
	return p;
}

void run_plan_unref(struct run_plan *p)
{
	if (!p || atomic_fetch_sub(&p->references, 1) > 1)
		return;
	plan_free(p->plan);
	analysis_unref(p->analysis);
	mem_free(p);
}

struct plan_task {
	struct task task;
	struct run_plan *made;
};

static enum err_code make_plan(struct task *t, const struct job *job, struct err *e)
{
	struct run_plan *x = ((struct plan_task *)t)->made;
	const struct analysis *a = x->analysis;

	return plan_new(&x->plan, a->clockwork, a->phases, a->figures, &a->settings, &x->budget, job, e);
}

static void free_task(struct task *t)
{
	run_plan_unref(((struct plan_task *)t)->made);
	mem_free(t);
}

/* What a plan is made of; the settings that it chooses are none of it. */
static bool same(const struct analysis *a, const struct analysis *b)
{
	struct settings x = a->settings;

	x.windows = b->settings.windows;
	x.window_seconds = b->settings.window_seconds;
	x.window_rare = b->settings.window_rare;
	x.sample_seconds = b->settings.sample_seconds;
	return a->phases == b->phases && a->figures == b->figures && a->clockwork == b->clockwork && settings_equal(&x, &b->settings);
}

static bool same_budget(struct plan_budget a, struct plan_budget b)
{
	return !(a.share < b.share || a.share > b.share || a.restore < b.restore || a.restore > b.restore);
}

static void ask(struct model *m)
{
	struct model_plan *s = &m->plan;
	struct plan_task *x = mem_zero(1, sizeof *x);
	struct run_plan *p = mem_zero(1, sizeof *p);

	analysis_unref(s->asked_for);
	s->asked_for = analysis_ref(m->analysis);
	s->budget = model_budget(m);
	s->failure[0] = 0;
	if (!x || !p) {
		mem_free(x);
		mem_free(p);
		snprintf(s->failure, sizeof s->failure, "there is no memory for a plan");
		return;
	}
	atomic_store(&p->references, 1);
	p->analysis = analysis_ref(m->analysis);
	p->budget = s->budget;
	x->task = (struct task){make_plan, free_task};
	x->made = p;
	background_ask(m->background, BACKGROUND_PLAN, &x->task);
}

static void take(struct model *m)
{
	struct model_plan *s = &m->plan;
	struct err e;
	struct plan_task *x = (struct plan_task *)background_take(m->background, BACKGROUND_PLAN, &e);

	if (x) {
		run_plan_unref(s->now);
		s->now = x->made;
		x->made = NULL;
		s->serial++;
		free_task(&x->task);
	} else if (e.code) {
		snprintf(s->failure, sizeof s->failure, "%s", e.code == ERR_CANCELLED ? "planning was stopped" : e.text);
	}
}

void run_plan_update(struct model *m)
{
	const struct model_plan *s = &m->plan;

	if (!m->background || !m->analysis || !m->analysis->phases)
		return;
	take(m);
	if (!s->asked_for || (s->asked_for != m->analysis && !same(s->asked_for, m->analysis)) || !same_budget(s->budget, model_budget(m)))
		ask(m);
}

bool run_plan_is_current(const struct model *m)
{
	const struct run_plan *p = m->plan.now;

	return p && m->analysis && m->analysis->phases && (p->analysis == m->analysis || same(p->analysis, m->analysis)) &&
	       same_budget(p->budget, model_budget(m));
}

bool run_plan_busy(const struct model *m)
{
	return m->background && background_state(m->background, BACKGROUND_PLAN).busy;
}

void run_plan_cancel(struct model *m)
{
	background_cancel(m->background, BACKGROUND_PLAN);
}

void run_plan_again(struct model *m)
{
	m->plan.failure[0] = 0;
	analysis_unref(m->plan.asked_for);
	m->plan.asked_for = NULL;
}

void run_plan_release(struct model_plan *p)
{
	run_plan_unref(p->now);
	analysis_unref(p->asked_for);
	*p = (struct model_plan){.now = NULL};
}
