#include "projected.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/base/mem.h"
#include "model.h"
#include "tui/jobs/background.h"

struct projecting {
	struct task task;
	struct spent_phases *of; /* a reference */
	struct what_if change;
	struct projection *projection;
	bool asks_unchanged;
	struct projection *unchanged;
};

static enum err_code project(struct task *task, const struct job *job, struct err *e)
{
	static const struct what_if nothing = {.count = 0};
	struct projecting *x = (struct projecting *)task;
	enum err_code code = ERR_OK;

	if (x->asks_unchanged)
		code = project_new(&x->unchanged, x->of->run->metrics->waits, x->of->spans, &nothing, job, e);
	return code ? code : project_new(&x->projection, x->of->run->metrics->waits, x->of->spans, &x->change, job, e);
}

static void free_projecting(struct task *t)
{
	struct projecting *x = (struct projecting *)t;

	project_free(x->projection);
	project_free(x->unchanged);
	made_unref(x->of);
	mem_free(x);
}

void projected_change(struct model *m, const struct what_if *change)
{
	struct projected *p = &m->projected;

	made_unref(p->of);
	p->of = NULL;
	p->known = false;
	p->failure[0] = 0;
	p->change = *change;
	what_if_text(change, p->text, sizeof p->text);
}

enum err_code projected_ask(struct model *m, const char *text, struct err *e)
{
	struct what_if change = {.count = 0};
	enum err_code code = *text ? what_if_parse(&change, text, e) : ERR_OK;

	if (!code)
		projected_change(m, &change);
	return code;
}

static void ask(struct model *m)
{
	struct projected *p = &m->projected;
	struct projecting *x = mem_zero(1, sizeof *x);

	made_unref(p->of);
	p->of = made_ref(spent_phases(m));
	p->failure[0] = 0;
	if (!x) {
		snprintf(p->failure, sizeof p->failure, "Not enough memory for a projection.");
		return;
	}
	x->task = (struct task){project, free_projecting};
	x->of = made_ref(p->of);
	x->change = p->change;
	x->asks_unchanged = p->unchanged_of != p->of;
	background_ask(m->background, BACKGROUND_WHAT_IF, &x->task);
}

static void take(struct model *m)
{
	struct projected *p = &m->projected;
	struct err e;
	struct projecting *x = (struct projecting *)background_take(m->background, BACKGROUND_WHAT_IF, &e);

	if (!x) {
		if (e.code)
			snprintf(p->failure, sizeof p->failure, "%s", e.code == ERR_CANCELLED ? "Stopped." : e.text);
		return;
	}
	if (x->of == p->of && x->unchanged) {
		made_unref(p->unchanged_of);
		p->unchanged_of = made_ref(x->of);
		p->unchanged = x->unchanged->runtime;
		p->unchanged_factors = projection_factors(x->unchanged, x->of->run->metrics->processes);
	}
	if (x->of == p->of && p->unchanged_of == p->of && !memcmp(&x->change, &p->change, sizeof x->change)) {
		p->runtime = x->projection->runtime;
		p->factors = projection_factors(x->projection, x->of->run->metrics->processes);
		p->known = true;
	}
	free_projecting(&x->task);
}

void projected_update(struct model *m)
{
	struct projected *p = &m->projected;

	if (!m->background)
		return;
	take(m);
	if (!p->change.count || !spent_phases(m) || p->of == spent_phases(m))
		return;
	if (spent_run(m)->metrics->has_account)
		ask(m);
	else
		snprintf(p->failure, sizeof p->failure, "the trace has no MPI calls to project");
}

void projected_release(struct projected *p)
{
	made_unref(p->of);
	made_unref(p->unchanged_of);
	*p = (struct projected){.known = false};
}
