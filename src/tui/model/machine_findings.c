#include "machine_findings.h"

#include <stdio.h>

#include "core/base/mem.h"
#include "model.h"
#include "tui/jobs/background.h"

struct doctor_task {
	struct task task;
	const char *program;
	struct doctor_found found;
};

static enum err_code look(struct task *t, const struct job *job, struct err *e)
{
	struct doctor_task *x = (struct doctor_task *)t;

	return doctor_run(x->program, &x->found, job, e);
}

static void free_task(struct task *t)
{
	struct doctor_task *x = (struct doctor_task *)t;

	doctor_found_release(&x->found);
	mem_free(x);
}

void machine_findings_again(struct model *m)
{
	struct machine_findings *f = &m->doctor;
	struct doctor_task *x;

	f->asked = true;
	f->failure[0] = 0;
	if (!f->program) {
		snprintf(f->failure, sizeof f->failure, "pas2p doctor cannot be run from here");
		return;
	}
	x = mem_zero(1, sizeof *x);
	if (!x) {
		snprintf(f->failure, sizeof f->failure, "there is no memory to look");
		return;
	}
	x->task = (struct task){look, free_task};
	x->program = f->program;
	background_ask(m->background, BACKGROUND_DOCTOR, &x->task);
}

static void take(struct model *m)
{
	struct machine_findings *f = &m->doctor;
	struct doctor_task *x;
	struct err e;

	x = (struct doctor_task *)background_take(m->background, BACKGROUND_DOCTOR, &e);
	if (!x) {
		if (e.code)
			snprintf(f->failure, sizeof f->failure, "%s", e.code == ERR_CANCELLED ? "Stopped." : e.text);
		return;
	}
	doctor_found_release(&f->found);
	f->found = x->found;
	f->serial++;
	x->found = (struct doctor_found){0};
	free_task(&x->task);
}

void machine_findings_update(struct model *m)
{
	if (!m->background)
		return;
	take(m);
	if (!m->doctor.asked)
		machine_findings_again(m);
}

bool machine_findings_busy(const struct model *m)
{
	return m->background && background_state(m->background, BACKGROUND_DOCTOR).busy;
}

void machine_findings_cancel(struct model *m)
{
	background_cancel(m->background, BACKGROUND_DOCTOR);
}

void machine_findings_release(struct machine_findings *f)
{
	doctor_found_release(&f->found);
}
