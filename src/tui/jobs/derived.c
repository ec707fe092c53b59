#include "derived.h"

#include <stdio.h>

#include "core/base/mem.h"

void *made_ref(void *made)
{
	if (made)
		atomic_fetch_add(&((struct made *)made)->references, 1);
	return made;
}

void made_unref(void *made)
{
	struct made *m = made;

	if (!m || atomic_fetch_sub(&m->references, 1) > 1)
		return;
	m->kind->release(m);
	mem_free(m);
}

static enum err_code made_run(struct task *t, const struct progress *progress, struct err *e)
{
	struct made *m = (struct made *)t;

	return m->kind->make(m, progress, e);
}

static void made_free(struct task *t)
{
	made_unref(t);
}

static bool made_is_of(const void *made, const void *from)
{
	const struct made *m = made;

	return m && (!m->kind->is_of || m->kind->is_of(m, from));
}

static bool derived_take(struct derived *d)
{
	struct err e;
	struct task *t = background_take(d->background, d->slot, &e);

	if (t && (void *)t == d->asked) {
		made_unref(d->now);
		d->now = t;
		d->serial++;
		return true;
	}
	if (t)
		t->free(t);
	if (e.code && d->asked && d->asked != d->now)
		snprintf(d->failure, sizeof d->failure, "%s", e.code == ERR_CANCELLED ? "Stopped." : e.text);
	return false;
}

static void derived_ask(struct derived *d, const void *from)
{
	struct made *m;

	made_unref(d->asked);
	d->asked = NULL;
	d->failure[0] = 0;
	if (!d->slot)
		d->slot = background_slot_new(d->background);
	m = d->slot ? mem_zero(1, d->kind->size) : NULL;
	if (!m) {
		snprintf(d->failure, sizeof d->failure, "Not enough memory for %s.", d->kind->what);
		return;
	}
	m->task = (struct task){made_run, made_free};
	m->kind = d->kind;
	atomic_init(&m->references, 1);
	d->kind->begin(m, from);
	d->asked = made_ref(m);
	background_ask(d->background, d->slot, &m->task);
}

/* What is shown is again what it was when the latest was made. */
static void derived_go_back(struct derived *d)
{
	derived_cancel(d);
	made_unref(d->asked);
	d->asked = made_ref(d->now);
	d->failure[0] = 0;
}

bool derived_update(struct derived *d, const struct derived_kind *kind, struct background *b, const void *from)
{
	bool came;

	if (!b)
		return false;
	d->kind = kind;
	d->background = b;
	came = d->slot && derived_take(d);
	if ((kind->can && !kind->can(from)) || (d->asked ? made_is_of(d->asked, from) : d->failure[0]))
		return came;
	if (d->asked && made_is_of(d->now, from))
		derived_go_back(d);
	else
		derived_ask(d, from);
	return came;
}

void *derived_current(const struct derived *d, const void *from)
{
	return made_is_of(d->now, from) && (!d->kind->can || d->kind->can(from)) ? d->now : NULL;
}

struct background_state derived_state(const struct derived *d)
{
	return d->slot ? background_state(d->background, d->slot) : (struct background_state){.busy = false};
}

bool derived_busy(const struct derived *d)
{
	return derived_state(d).busy;
}

void derived_cancel(struct derived *d)
{
	if (d->slot)
		background_cancel(d->background, d->slot);
}

void derived_again(struct derived *d)
{
	made_unref(d->asked);
	d->asked = NULL;
	d->failure[0] = 0;
}

void derived_forget(struct derived *d)
{
	derived_cancel(d);
	derived_again(d);
	made_unref(d->now);
	d->now = NULL;
	d->serial++;
}

void derived_leave(struct derived *d)
{
	if (d->asked != d->now && !d->failure[0])
		derived_again(d);
	d->background = NULL;
	d->slot = 0;
}

void derived_release(struct derived *d)
{
	made_unref(d->now);
	made_unref(d->asked);
	*d = (struct derived){.now = NULL};
}
