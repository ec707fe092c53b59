#include "model.h"

#include <string.h>


static const struct what_if no_change = {.count = 0};

/* What a projection is made of. */
struct projecting {
	const struct model *model;
	const struct what_if *change;
};

static bool projection_can(const void *from)
{
	return spent_phases(((const struct projecting *)from)->model) != NULL;
}

static void projection_begin(void *made, const void *from)
{
	const struct projecting *f = from;
	struct projected_run *p = made;

	p->of = made_ref(spent_phases(f->model));
	p->change = *f->change;
}

static bool projection_is_of(const void *made, const void *from)
{
	const struct projecting *f = from;
	const struct projected_run *p = made;

	return p->of == spent_phases(f->model) && !memcmp(&p->change, f->change, sizeof p->change);
}

static enum err_code projection_make(void *made, const struct progress *progress, struct err *e)
{
	struct projected_run *p = made;
	const struct run_metrics *m = p->of->run->metrics;
	struct projection *x;
	enum err_code code;

	if (!m->has_account)
		return err_set(e, ERR_USAGE, "the trace has no MPI calls to project");
	code = project_new(&x, m->waits, p->of->spans, &p->change, progress, e);
	if (code)
		return code;
	p->runtime = x->runtime;
	p->factors = projection_factors(x, m->processes);
	project_free(x);
	return ERR_OK;
}

static void projection_release(void *made)
{
	made_unref(((struct projected_run *)made)->of);
}

static const struct derived_kind projection_kind = {
	"a projection", sizeof(struct projected_run), projection_can, projection_begin, projection_is_of, projection_make, projection_release,
};

void projected_change(struct model *m, const struct what_if *change)
{
	struct projected *p = &m->projected;

	p->change = *change;
	what_if_text(change, p->text, sizeof p->text);
	if (projected_failure(m)[0]) {
		derived_again(&p->changed);
		derived_again(&p->unchanged);
	}
}

enum err_code projected_ask(struct model *m, const char *text, struct err *e)
{
	struct what_if change = no_change;
	enum err_code code = *text ? what_if_parse(&change, text, e) : ERR_OK;

	if (!code)
		projected_change(m, &change);
	return code;
}

void projected_update(struct model *m)
{
	struct projected *p = &m->projected;

	if (!p->change.count)
		return;
	derived_update(&p->changed, &projection_kind, m->background, &(struct projecting){m, &p->change});
	derived_update(&p->unchanged, &projection_kind, m->background, &(struct projecting){m, &no_change});
}

/* Until those of other phases are there, the old ones stay. */
const struct projected_run *projected_changed(const struct model *m)
{
	const struct projected_run *changed = m->projected.changed.now, *unchanged = m->projected.unchanged.now;

	return changed && unchanged && changed->of == unchanged->of && !memcmp(&changed->change, &m->projected.change, sizeof changed->change)
		? changed : NULL;
}

const struct projected_run *projected_unchanged(const struct model *m)
{
	return projected_changed(m) ? m->projected.unchanged.now : NULL;
}

const char *projected_failure(const struct model *m)
{
	const struct projected *p = &m->projected;

	return !p->change.count ? "" : p->changed.failure[0] ? p->changed.failure : p->unchanged.failure;
}
