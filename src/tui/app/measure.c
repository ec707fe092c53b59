/* What a signature would measure of the analysis that is shown: it takes a look at every occurrence, so no knob waits
 * for it. Until it is there the panel says so. */
#include "core/base/mem.h"
#include "app_int.h"

struct measure_task {
	struct task task;
	const struct analysis *analysis; /* a reference */
	uint64_t serial;
	struct table_measure measure;
};

static enum err_code measure_task_run(struct task *t, const struct job *job, struct err *e)
{
	struct measure_task *m = (struct measure_task *)t;

	return analysis_measure(&m->measure, m->analysis, job, e);
}

static void free_measuring(struct task *t)
{
	analysis_unref(((struct measure_task *)t)->analysis);
	mem_free(t);
}

void app_measure_ask(struct app *a)
{
	struct measure_task *m;

	a->work.model.measure = (struct table_measure){0};
	if (a->work.model.analysis->windows) /* they are what is measured, and told with the rest */
		return;
	m = mem_zero(1, sizeof *m);
	a->shell.panel.now.measuring = m != NULL;
	if (!m)
		return;
	m->task = (struct task){measure_task_run, free_measuring};
	m->analysis = analysis_ref(a->work.model.analysis);
	m->serial = a->work.model.serial;
	background_ask(a->work.model.background, a->work.model.slots.measure, &m->task);
}

void app_measure_news(struct app *a)
{
	struct err e;
	struct measure_task *m = (struct measure_task *)background_take(a->work.model.background, a->work.model.slots.measure, &e);

	if (!m) {
		a->shell.panel.now.measuring = a->shell.panel.now.measuring && !e.code;
		return;
	}
	if (m->serial == a->work.model.serial) {
		a->work.model.measure = m->measure;
		a->shell.panel.now.measuring = false;
		a->shell.panel.now.measured = m->measure.occurrences;
		a->shell.panel.now.off = m->measure.off;
	}
	free_measuring(&m->task);
}
