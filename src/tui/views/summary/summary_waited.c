/* Who waited for whom, in the background: a pass over the calls that waited. */
#include <math.h>
#include <stdio.h>

#include "core/base/mem.h"
#include "core/metrics/meetings.h"
#include "tui/jobs/background.h"
#include "summary_view.h"

#define POLL 0xffff /* calls between two looks at the job */

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
	mem_free(w->pairs);
	mem_free(w);
}

/* The waits of a process, added up by whom they were for: `sum` is all 0 before and after. */
static enum err_code add_process(struct waited *w, const struct waits *waits, const struct meetings *meetings, const struct call_list *l,
				 double *sum, const struct job *job, struct err *e)
{
	const struct call_log *log = waits->log;
	uint32_t n = log->trace->process_count;
	void *grown;

	for (uint32_t c = l->first; c < l->end; c++) {
		uint32_t other = waits->sync[c] > 0 ? waits_for_among(waits, meetings, c) : NO_LOGGED_CALL;

		if ((c & POLL) == POLL && job_stopped(job))
			return err_set(e, ERR_CANCELLED, "stopped while looking for waits");
		if (other != NO_LOGGED_CALL)
			sum[log->lists[call_log_list_of(log, other)].process] += waits->sync[c];
	}
	for (uint32_t p = 0; p < n; p++) {
		if (!(sum[p] > 0))
			continue;
		grown = mem_grow(w->pairs, w->pair_count, &w->pair_cap, sizeof *w->pairs);
		if (!grown)
			return err_memory(e, "who waited for whom");
		w->pairs = grown;
		w->pairs[w->pair_count++] = (struct waited_pair){l->process, p, sum[p]};
		w->cell[(size_t)matrix_group(l->process, w->groups, n) * w->groups + matrix_group(p, w->groups, n)] += sum[p];
		w->all += sum[p];
		sum[p] = 0;
	}
	return ERR_OK;
}

static enum err_code find_waited(struct task *task, const struct job *job, struct err *e)
{
	struct waiting_task *x = (struct waiting_task *)task;
	const struct call_log *log = x->run->log;
	struct waited *w = mem_zero(1, sizeof *w);
	double *sum = mem_zero(log->trace->process_count, sizeof *sum);
	struct meetings meetings;
	enum err_code code;

	x->waited = w;
	if (w) {
		w->groups = x->groups;
		w->cell = mem_zero((size_t)x->groups * x->groups, sizeof *w->cell);
	}
	if (!w || !w->cell || !sum) {
		mem_free(sum);
		return err_memory(e, "who waited for whom");
	}
	code = meetings_init(&meetings, log, job, e);
	if (!code) {
		for (uint32_t l = 0; !code && l < log->list_count; l++)
			if (log->lists[l].account)
				code = add_process(w, x->run->metrics->waits, &meetings, &log->lists[l], sum, job, e);
		meetings_release(&meetings);
	}
	for (size_t i = 0; i < (size_t)w->groups * w->groups; i++)
		w->most = fmax(w->most, w->cell[i]);
	mem_free(sum);
	return code;
}

static void free_task(struct task *t)
{
	struct waiting_task *x = (struct waiting_task *)t;

	summary_free_waited(x->waited);
	spent_unref(x->run);
	mem_free(x);
}

void summary_ask_waited(struct summary_view *s)
{
	struct model *m = s->view.model;
	struct waiting_task *x;

	if (s->waited_asked == s->asked || !m->spending.run || !m->spending.run->metrics->has_account)
		return;
	x = mem_zero(1, sizeof *x);
	s->waited_asked = s->asked;
	if (!x)
		return;
	x->task = (struct task){find_waited, free_task};
	x->run = spent_ref(m->spending.run);
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
