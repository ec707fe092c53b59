#include "calls.h"

#include <math.h>
#include <string.h>

#include "core/base/mem.h"
#include "core/trace/mpi_functions.h"

#define ENOUGH 1000  /* records from which on a clock's resolution shows */
#define MOST 0.99    /* of the differences */

void call_clocks_release(struct call_clocks *c)
{
	mem_free(c->sent);
	mem_free(c->held);
	mem_free(c->steps);
	mem_free(c->first_step);
	mem_free(c->seen);
	mem_free(c->first_seen);
	mem_free(c->coarse);
	*c = (struct call_clocks){0};
}

void clocks_build_release(struct clocks_build *b)
{
	mem_free(b->sent);
	mem_free(b->held);
	mem_free(b->steps);
	mem_free(b->seen);
	*b = (struct clocks_build){0};
}

/* The place of one more in the list that the pointer at `list` is of; NULL: no memory. */
static void *clock_list_add(void *list, uint32_t *count, size_t *cap, size_t size)
{
	void *first;
	char *grown;

	memcpy(&first, list, sizeof first);
	grown = mem_grow(first, *count, cap, size);
	if (!grown)
		return NULL;
	memcpy(list, &grown, sizeof grown);
	return grown + (*count)++ * size;
}

/* ---- one process ---- */

bool clocks_build_sent(struct clocks_build *b, uint32_t event, uint32_t record, double began)
{
	struct clock_event_time *sent = clock_list_add(&b->sent, &b->sent_count, &b->sent_cap, sizeof *sent);

	if (sent)
		*sent = (struct clock_event_time){event, record, began};
	return sent != NULL;
}

bool clocks_build_held(struct clocks_build *b, uint32_t event)
{
	struct held_build *held = clock_list_add(&b->held, &b->held_count, &b->held_cap, sizeof *held);

	if (held)
		*held = (struct held_build){event, 0, false, NAN};
	return held != NULL;
}

bool clocks_build_step(struct clocks_build *b, uint32_t events, uint32_t records, double raw_later)
{
	struct clock_step *step = clock_list_add(&b->steps, &b->step_count, &b->step_cap, sizeof *step);

	if (step)
		*step = (struct clock_step){events, records, b->step_count > 1 ? raw_later - b->steps[0].shift : 0, raw_later};
	return step != NULL;
}

bool clocks_build_seen(struct clocks_build *b, uint32_t events, double low, double high)
{
	double later = b->step_count ? b->steps[b->step_count - 1].later : 0;
	struct clock_seen *seen = clock_list_add(&b->seen, &b->seen_count, &b->seen_cap, sizeof *seen);

	if (seen)
		*seen = (struct clock_seen){events, b->time + later, low - later, high - later};
	return seen != NULL;
}

/* ---- all processes ---- */

bool call_clocks_init(struct call_clocks *c, uint32_t process_count)
{
	c->first_step = mem_zero((size_t)process_count + 1, sizeof *c->first_step);
	c->first_seen = mem_zero((size_t)process_count + 1, sizeof *c->first_seen);
	c->coarse = mem_zero(process_count, sizeof *c->coarse);
	return c->first_step && c->first_seen && c->coarse;
}

bool clocks_merge_init(struct clocks_merge *m, const struct trace *t)
{
	*m = (struct clocks_merge){.holds = mem_zero(t->coll_count, sizeof *m->holds)};
	for (uint32_t i = 0; m->holds && i < t->coll_count; i++) {
		const struct mpi_collective *collective = mpi_collective(t->colls[i].op);

		if (collective && collective->traits & MPI_HOLDS_ALL)
			m->holds[i] = strcmp(t->colls[i].op, "Barrier") ? HOLDS_GIVERS : HOLDS_ALL;
	}
	return m->holds;
}

void clocks_merge_release(struct clocks_merge *m)
{
	mem_free(m->holds);
}

static bool held_add(struct call_clocks *c, struct clocks_merge *m, const struct held_build *h, const struct trace *t, uint32_t event)
{
	enum collective_holds holds = EVENT_KIND(t->type[event]) == EVENT_COLLECTIVE ? m->holds[EVENT_INDEX(t->type[event])] : HOLDS_NOBODY;
	struct clock_event_time *held;

	if (holds == HOLDS_NOBODY)
		return true;
	held = clock_list_add(&c->held, &c->held_count, &m->held_cap, sizeof *held);
	if (held)
		*held = (struct clock_event_time){event, h->end_record, h->empty && holds == HOLDS_GIVERS ? NAN : h->end};
	return held != NULL;
}

/* In times that were corrected it is no longer true what the tracer measured. */
static bool seen_add(struct call_clocks *c, struct clocks_merge *caps, const struct clocks_build *b, const struct trace *t, uint32_t process)
{
	uint32_t count = c->first_seen[process];

	for (uint32_t i = 0; !t->clocks && i < b->seen_count; i++) {
		struct clock_seen *seen = clock_list_add(&c->seen, &count, &caps->seen_cap, sizeof *seen);

		if (!seen)
			return false;
		*seen = b->seen[i];
		seen->event += t->first[process];
	}
	c->first_seen[process + 1] = count;
	return true;
}

bool call_clocks_add(struct call_clocks *c, struct clocks_merge *caps, const struct clocks_build *b, const struct trace *t, uint32_t process,
		     uint64_t records)
{
	uint32_t first = t->first[process], events = t->first[process + 1] - first, count = c->first_step[process];

	for (uint32_t i = 0; i < b->sent_count && b->sent[i].event < events; i++) {
		struct clock_event_time *sent = clock_list_add(&c->sent, &c->sent_count, &caps->sent_cap, sizeof *sent);

		if (!sent)
			return false;
		*sent = b->sent[i];
		sent->event += first;
	}
	for (uint32_t i = 0; i < b->held_count && b->held[i].event < events; i++)
		if (!held_add(c, caps, &b->held[i], t, first + b->held[i].event))
			return false;
	for (uint32_t i = 0; i < b->step_count; i++) {
		struct clock_step *step = clock_list_add(&c->steps, &count, &caps->step_cap, sizeof *step);

		if (!step)
			return false;
		*step = b->steps[i];
		step->event += first;
	}
	c->first_step[process + 1] = count;
	c->coarse[process] = records >= ENOUGH && b->differences && (double)b->whole > MOST * (double)b->differences;
	return seen_add(c, caps, b, t, process);
}
