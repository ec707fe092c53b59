#include "trace_split.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/trace/times.h"

/* How a whole trace is divided. */
struct division {
	const struct trace *whole;
	uint32_t *owner_first, ranks;
};

static void *must(void *p)
{
	if (!p) {
		fprintf(stderr, "no memory to split a trace\n");
		exit(255);
	}
	return p;
}

static void *copy(const void *list, size_t count, size_t size)
{
	void *made = must(mem_alloc(count, size));

	if (count)
		memcpy(made, list, count * size);
	return made;
}

static struct division divide(const struct trace *whole, uint32_t ranks)
{
	struct division d = {whole, must(mem_zero(ranks + 1, sizeof *d.owner_first)), ranks};
	uint64_t *events = must(mem_alloc(whole->process_count, sizeof *events));

	for (uint32_t p = 0; p < whole->process_count; p++)
		events[p] = whole->first[p + 1] - whole->first[p];
	trace_owners(d.owner_first, ranks, whole->process_count, events);
	mem_free(events);
	return d;
}

/* The rank that has an event of the whole trace, and how it numbers it. */
static uint32_t rank_of(const struct division *d, uint32_t event, uint32_t *number)
{
	uint32_t rank = 0;

	while (event >= d->whole->first[d->owner_first[rank + 1]])
		rank++;
	*number = event - d->whole->first[d->owner_first[rank]];
	return rank;
}

/* An instance of a collective, seen from a rank. */
struct seen {
	uint32_t first;       /* the lowest member of all */
	uint32_t first_here, next_here; /* the lowest of the rank's, and that behind `event` in the ring; NO_EVENT: none */
	uint32_t ranks;
};

static struct seen look(const struct division *d, uint32_t event, uint32_t rank)
{
	struct seen s = {event, NO_EVENT, NO_EVENT, 0};
	bool *has = must(mem_zero(d->ranks, sizeof *has));
	uint32_t m = event;

	do {
		uint32_t number, its;

		m = d->whole->match[m];
		its = rank_of(d, m, &number);
		s.ranks += !has[its];
		has[its] = true;
		s.first = m < s.first ? m : s.first;
		if (its == rank) {
			s.first_here = m < s.first_here ? m : s.first_here;
			s.next_here = s.next_here == NO_EVENT ? m : s.next_here;
		}
	} while (m != event);
	mem_free(has);
	return s;
}

/* The columns of the events [begin, end), but match[]. */
static void copy_columns(struct trace *t, const struct trace *whole, uint32_t begin, uint32_t n)
{
	t->time = copy(whole->time + begin, n, sizeof *t->time);
	t->compute = copy(whole->compute + begin, n, sizeof *t->compute);
	t->type = copy(whole->type + begin, n, sizeof *t->type);
	t->size_code = copy(whole->size_code + begin, n, sizeof *t->size_code);
	t->envelope = copy(whole->envelope + begin, n, sizeof *t->envelope);
	t->tag = whole->tag ? copy(whole->tag + begin, n, sizeof *t->tag) : NULL;
	t->match = must(mem_alloc(n, sizeof *t->match));
}

static void copy_tables(struct trace *t, const struct trace *whole)
{
	uint32_t members = 0;

	for (uint32_t c = 0; c < whole->comm_count; c++)
		if (whole->comms[c].members + whole->comms[c].size > members)
			members = whole->comms[c].members + whole->comms[c].size;
	arena_init(&t->arena);
	t->files = copy(whole->files, whole->file_count, sizeof *t->files);
	notes_init(&t->notes);
	notes_append(&t->notes, &whole->notes);
	t->processes = copy(whole->processes, whole->process_count, sizeof *t->processes);
	t->large_sizes = copy(whole->large_sizes, whole->large_size_count, sizeof *t->large_sizes);
	t->large_size_count = whole->large_size_count;
	t->colls = copy(whole->colls, whole->coll_count, sizeof *t->colls);
	t->comms = copy(whole->comms, whole->comm_count, sizeof *t->comms);
	t->comm_members = copy(whole->comm_members, members, sizeof *t->comm_members);
	t->states = copy(whole->states, whole->state_count, sizeof *t->states);
	t->counters = copy(whole->counters, whole->counter_count, sizeof *t->counters);
	t->times = trace_times_ref(whole->times);
}

/* Relations of the events of a rank. The instances of each owner are numbered by their first members. */
static void relate(struct trace *t, const struct division *d, uint32_t rank, uint32_t begin)
{
	const struct trace *whole = d->whole;
	struct trace_remote *remote = t->remote;
	uint32_t *homed = must(mem_zero(d->ranks, sizeof *homed)), end = begin + t->event_count;

	for (uint32_t e = 0; e < whole->event_count; e++) {
		bool here = e >= begin && e < end;
		uint32_t match = whole->match[e];

		if (EVENT_KIND(whole->type[e]) == EVENT_COLLECTIVE && match != NO_EVENT) {
			struct seen s = look(d, e, rank);
			uint32_t number, owner = rank_of(d, s.first, &number);

			/* The number is given when its first member comes; its first on this rank comes then or later. */
			if (s.ranks > 1 && e == s.first) {
				if (owner == rank)
					remote->owned_ranks[remote->owned_count++] = s.ranks;
				number = homed[owner]++;
				if (s.first_here != NO_EVENT)
					remote->instance[remote->instance_count++] = (struct remote_instance){s.first_here - begin, owner, number};
			}
			if (here)
				t->match[e - begin] = s.next_here - begin;
		} else if (here && match != NO_EVENT && (match < begin || match >= end)) {
			struct remote_message m = {.event = e - begin};

			m.rank = rank_of(d, match, &m.other);
			t->match[e - begin] = REMOTE_EVENT + remote->message_count;
			remote->message[remote->message_count++] = m;
		} else if (here) {
			t->match[e - begin] = match == NO_EVENT ? NO_EVENT : match - begin;
		}
	}
	mem_free(homed);
}

static int compare_instances(const void *a, const void *b)
{
	const struct remote_instance *x = a, *y = b;

	return x->event < y->event ? -1 : x->event > y->event;
}

struct trace *trace_split(const struct trace *whole, const struct team *team)
{
	return trace_split_beside(whole, NULL, team);
}

struct trace *trace_split_beside(const struct trace *whole, const struct trace *beside, const struct team *team)
{
	struct trace *t = must(mem_alloc(1, sizeof *t));
	uint32_t rank = team_rank(team), begin, end;
	struct division d = divide(whole, team_size(team));
	struct err e;

	if (beside && beside->process_count == whole->process_count)
		memcpy(d.owner_first, beside->remote->owner_first, (d.ranks + 1) * sizeof *d.owner_first);
	*t = *whole;
	begin = whole->first[d.owner_first[rank]];
	end = whole->first[d.owner_first[rank + 1]];
	copy_tables(t, whole);
	copy_columns(t, whole, begin, end - begin);
	t->event_count = end - begin;
	t->first = must(mem_alloc(whole->process_count + 1, sizeof *t->first));
	for (uint32_t p = 0; p <= whole->process_count; p++)
		t->first[p] = whole->first[p] < begin ? 0 : (whole->first[p] > end ? end : whole->first[p]) - begin;
	t->process_hint = NULL;
	t->remote = must(mem_zero(1, sizeof *t->remote));
	*t->remote = (struct trace_remote){.team = team, .owner_first = d.owner_first, .all_events = whole->event_count};
	t->remote->message = must(mem_alloc(t->event_count, sizeof *t->remote->message));
	t->remote->instance = must(mem_alloc(t->event_count, sizeof *t->remote->instance));
	t->remote->owned_ranks = must(mem_alloc(t->event_count, sizeof *t->remote->owned_ranks));
	relate(t, &d, rank, begin);
	if (t->remote->instance_count)
		qsort(t->remote->instance, t->remote->instance_count, sizeof *t->remote->instance, compare_instances);
	if (trace_index(t, &e))
		must(NULL);
	return t;
}

uint32_t trace_split_event(const struct trace *whole, const struct trace *part, uint32_t event)
{
	uint32_t begin, end;

	trace_local(part, &begin, &end);
	return event == NO_EVENT ? NO_EVENT : whole->first[begin] + event;
}
