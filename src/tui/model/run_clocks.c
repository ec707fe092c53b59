#include "run_clocks.h"

#include <stdio.h>

#include "core/base/mem.h"
#include "model.h"
#include "tui/jobs/background.h"

#define BINS 50 /* of violations over time, as many as pas2p clocks has */

struct clocks_task {
	struct task task;
	const struct trace *trace;
	struct clock_report *report;
	struct clock_arrows *arrows;
};

static enum err_code make_clocks(struct task *t, const struct job *job, struct err *e)
{
	static const struct clock_report_options plain = {
		.reference = REFERENCE_ANY, .resolution = RESOLUTION_AUTO, .windows = CLOCK_WINDOWS, .bins = BINS, .medians = true,
	};
	struct clocks_task *x = (struct clocks_task *)t;
	enum err_code code = clock_report_new(&x->report, x->trace, NULL, &plain, job, e);

	return code ? code : clock_arrows_new(&x->arrows, x->report, job, e);
}

static void free_task(struct task *t)
{
	struct clocks_task *x = (struct clocks_task *)t;

	clock_arrows_free(x->arrows);
	clock_report_free(x->report);
	mem_free(x);
}

static void ask(struct model *m)
{
	struct clocks_task *x = mem_zero(1, sizeof *x);

	m->clocks.asked = true;
	if (!x) {
		snprintf(m->clocks.failure, sizeof m->clocks.failure, "Not enough memory to compare the clocks.");
		return;
	}
	x->task = (struct task){make_clocks, free_task};
	x->trace = m->recorded;
	background_ask(m->background, BACKGROUND_CLOCKS, &x->task);
}

static void take(struct model *m)
{
	struct model_clocks *c = &m->clocks;
	struct err e;
	struct clocks_task *x = (struct clocks_task *)background_take(m->background, BACKGROUND_CLOCKS, &e);

	if (x) {
		run_clocks_release(c);
		*c = (struct model_clocks){.asked = true, .report = x->report, .arrows = x->arrows};
		x->report = NULL;
		x->arrows = NULL;
		free_task(&x->task);
	} else if (e.code) {
		snprintf(c->failure, sizeof c->failure, "%s", e.code == ERR_CANCELLED ? "Stopped." : e.text);
	}
}

void run_clocks_update(struct model *m)
{
	if (!m->background || !m->recorded)
		return;
	take(m);
	if (!m->clocks.asked)
		ask(m);
}

bool run_clocks_busy(const struct model *m)
{
	return m->background && background_state(m->background, BACKGROUND_CLOCKS).busy;
}

void run_clocks_cancel(struct model *m)
{
	background_cancel(m->background, BACKGROUND_CLOCKS);
}

void run_clocks_again(struct model *m)
{
	m->clocks.failure[0] = 0;
	m->clocks.asked = false;
}

void run_clocks_release(struct model_clocks *c)
{
	clock_arrows_free(c->arrows);
	clock_report_free(c->report);
	*c = (struct model_clocks){.asked = false};
}
