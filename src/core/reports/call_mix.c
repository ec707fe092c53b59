#include "reports.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/mem.h"
#include "core/base/order.h"

ORDER_BY(compare_names, struct called_function, TEXT(name))

/* How often it is called depends on time. */
static bool polls(const char *name)
{
	return !strncmp(name, "MPI_Test", 8) || !strncmp(name, "MPI_Iprobe", 10) || !strncmp(name, "MPI_Improbe", 11) ||
	       !strncmp(name, "MPI_Request_get_status", 22);
}

enum err_code call_mix_init(struct call_mix *m, const struct trace *t, struct err *e)
{
	*m = (struct call_mix){.list = mem_alloc((size_t)t->state_count + 1, sizeof *m->list), .processes = t->process_count};
	if (!m->list)
		return err_memory(e, "the functions of a run");
	for (uint32_t i = 0; i < t->state_count; i++) {
		const struct state_total *s = &t->states[i];
		struct called_function *f = &m->list[m->count];

		if (!s->mpi || s->solo || !s->count)
			continue;
		snprintf(f->name, sizeof f->name, "%s", s->name);
		f->calls = polls(s->name) ? 0 : s->count;
		f->seconds = s->exclusive > 0 ? s->exclusive : 0;
		m->calls += f->calls;
		m->seconds += f->seconds;
		m->count++;
	}
	SORT(m->list, m->count, compare_names);
	return ERR_OK;
}

void call_mix_release(struct call_mix *m)
{
	mem_free(m->list);
	*m = (struct call_mix){0};
}

static const struct called_function *call_mix_find(const struct call_mix *m, const struct called_function *f)
{
	return m->count ? bsearch(f, m->list, m->count, sizeof *m->list, compare_names) : NULL;
}

/* Of the seconds of a, the share that is in functions that b calls as well. NAN: it has none. */
static double call_mix_shared(const struct call_mix *a, const struct call_mix *b)
{
	double shared = 0;

	for (uint32_t i = 0; i < a->count; i++)
		shared += call_mix_find(b, &a->list[i]) ? a->list[i].seconds : 0;
	return a->seconds > 0 ? shared / a->seconds : (double)NAN;
}

/* The share of their calls that is alike: 1, both call the same functions in the same proportions. NAN: one has none. */
static double call_mix_alike(const struct call_mix *a, const struct call_mix *b)
{
	double alike = 0;

	if (!a->calls || !b->calls)
		return NAN;
	for (uint32_t i = 0; i < a->count; i++) {
		const struct called_function *other = call_mix_find(b, &a->list[i]);

		if (other)
			alike += fmin((double)a->list[i].calls / (double)a->calls, (double)other->calls / (double)b->calls);
	}
	return alike;
}

bool call_mix_differs(const struct call_mix *a, const struct call_mix *b)
{
	if (a->processes < 2 || b->processes < 2 || !a->count || !b->count)
		return false;
	return call_mix_shared(a, b) < CALL_MIX_ALIKE || call_mix_shared(b, a) < CALL_MIX_ALIKE || call_mix_alike(a, b) < CALL_MIX_ALIKE;
}
