/* Who waited for whom, in the background. */
#include <math.h>
#include <stdio.h>

#include "core/base/mem.h"
#include "tui/jobs/background.h"
#include "summary_view.h"

struct waiting_task {
	struct task task;
	struct spent *run; /* a reference */
	uint32_t groups;
	struct waited *waited;
};

void summary_free_waited(struct waited *w)
{
	if (!w)
		return;
	mem_free(w->cell);
	waited_pairs_free(w->pairs);
	mem_free(w);
}

static enum err_code find_waited(struct task *task, const struct job *job, struct err *e)
{
	struct waiting_task *x = (struct waiting_task *)task;
	uint32_t n = x->run->log->trace->process_count, groups = x->groups;
	struct waited *w = mem_zero(1, sizeof *w);
	enum err_code code;

	x->waited = w;
	if (w) {
		w->groups = groups;
		w->cell = mem_zero((size_t)groups * groups, sizeof *w->cell);
	}
	if (!w || !w->cell)
		return err_memory(e, "who waited for whom");
	code = waited_pairs_new(&w->pairs, x->run->metrics->waits, job, e);
	for (uint32_t i = 0; !code && i < w->pairs->count; i++) {
		const struct waited_pair *p = &w->pairs->pair[i];

		w->cell[(size_t)matrix_group(p->process, groups, n) * groups + matrix_group(p->other, groups, n)] += p->seconds;
	}
	for (size_t i = 0; i < (size_t)groups * groups; i++)
		w->most = fmax(w->most, w->cell[i]);
	return code;
}

static void free_task(struct task *t)
{
	struct waiting_task *x = (struct waiting_task *)t;

	summary_free_waited(x->waited);
	made_unref(x->run);
	mem_free(x);
}

void summary_ask_waited(struct summary_view *s)
{
	struct model *m = s->view.model;
	struct waiting_task *x;

	if (s->waited && s->waited_of != spent_run(m)) {
		summary_free_waited(s->waited);
		s->waited = NULL;
		s->made_for = 0;
	}
	if ((s->waited_asked == s->asked && s->waited_of == spent_run(m)) || !spent_run(m) || !spent_run(m)->metrics->has_account)
		return;
	x = mem_zero(1, sizeof *x);
	s->waited_asked = s->asked;
	s->waited_of = spent_run(m);
	if (!x)
		return;
	x->task = (struct task){find_waited, free_task};
	x->run = made_ref(spent_run(m));
	x->groups = s->asked;
	background_ask(m->background, BACKGROUND_WAITED, &x->task);
}

bool summary_take_waited(struct summary_view *s)
{
	struct model *m = s->view.model;
	struct err e;
	struct waiting_task *x = (struct waiting_task *)background_take(m->background, BACKGROUND_WAITED, &e);

	if (!x) {
		if (e.code)
			snprintf(m->message, sizeof m->message, "%s", e.code == ERR_CANCELLED ? "Stopped." : e.text);
		return false;
	}
	summary_free_waited(s->waited);
	s->waited = x->waited;
	x->waited = NULL;
	free_task(&x->task);
	return true;
}
