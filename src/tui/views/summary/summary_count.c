/* What the summary counts, in the background: one pass over the events for each. */
#include <stdio.h>

#include "core/base/mem.h"
#include "tui/jobs/background.h"
#include "summary_view.h"

struct counting {
	struct task task;
	const struct trace *trace;
	uint32_t groups;
	struct counts *counts;
};

void summary_free_counts(struct counts *c)
{
	if (!c)
		return;
	comm_matrix_release(&c->matrix);
	mem_free(c->pairs);
	mem_free(c->colls);
	states_list_release(&c->states);
	mem_free(c);
}

static enum err_code count(struct task *task, const struct job *job, struct err *e)
{
	struct counting *c = (struct counting *)task;
	struct counts *n = mem_zero(1, sizeof *n);
	enum err_code code;

	if (!n)
		return err_memory(e, "the summary");
	code = comm_matrix_init(&n->matrix, c->trace, c->groups, c->groups, job, e);
	if (!code)
		code = comm_pairs(&n->pairs, &n->pair_count, c->trace, job, e);
	if (!code)
		code = size_histogram(&n->sizes, c->trace, job, e);
	if (!code)
		code = coll_stats(&n->colls, &n->coll_count, c->trace, job, e);
	if (!code)
		code = states_list_init(&n->states, c->trace, e);
	if (code)
		summary_free_counts(n);
	else
		c->counts = n;
	return code;
}

static void free_counting(struct task *t)
{
	summary_free_counts(((struct counting *)t)->counts);
	mem_free(t);
}

void summary_ask(struct summary_view *s, uint32_t groups)
{
	struct counting *c = mem_zero(1, sizeof *c);

	s->asked = groups;
	s->asked_of = s->view.model->trace;
	s->failure[0] = 0;
	if (!c) {
		snprintf(s->failure, sizeof s->failure, "Not enough memory to count messages.");
		return;
	}
	c->task = (struct task){count, free_counting};
	c->trace = s->view.model->trace;
	c->groups = groups;
	background_ask(s->view.model->background, BACKGROUND_SUMMARY, &c->task);
}

bool summary_take(struct summary_view *s)
{
	struct err e;
	struct counting *c = (struct counting *)background_take(s->view.model->background, BACKGROUND_SUMMARY, &e);

	if (!c) {
		if (e.code)
			snprintf(s->failure, sizeof s->failure, "%s", e.code == ERR_CANCELLED ? "Stopped." : e.text);
		return false;
	}
	summary_free_counts(s->counts);
	s->counts = c->counts;
	c->counts = NULL;
	free_counting(&c->task);
	return true;
}
