#include "instances.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/search.h"

#define RUN 16 /* members that are sorted by insertion */

void instances_release(struct instances *m)
{
	mem_free(m->call);
	mem_free(m->instance);
	mem_free(m->first);
	mem_free(m->last);
	mem_free(m->root);
	mem_free(m->remote);
	mem_free(m->has_place);
	mem_free(m->ranks);
	mem_free(m->place);
	*m = (struct instances){0};
}

static bool event_has_place(const struct instances *m, uint32_t event)
{
	return m->has_place[event >> 6] >> (event & 63) & 1;
}

static uint32_t rank_of(const struct instances *m, uint32_t event)
{
	uint64_t below = m->has_place[event >> 6] & ((UINT64_C(1) << (event & 63)) - 1);

	return m->ranks[event >> 6] + (uint32_t)__builtin_popcountll(below);
}

uint32_t instances_place(const struct instances *m, uint32_t event)
{
	return event_has_place(m, event) ? m->place[rank_of(m, event)] : NO_PLACE;
}

/* Which events have a place; returns how many. */
static uint32_t find_events(struct instances *m, uint32_t words)
{
	const struct call_log *log = m->log;
	uint32_t n = 0;

	for (uint32_t w = 0; w < words; w++) {
		uint32_t end = log->trace->event_count - w * 64 < 64 ? log->trace->event_count - w * 64 : 64;

		m->ranks[w] = n;
		for (uint32_t i = 0; i < end; i++) {
			uint32_t ev = w * 64 + i;

			if (EVENT_KIND(log->trace->type[ev]) == EVENT_COLLECTIVE && log->call_of[ev] != NO_LOGGED_CALL) {
				m->has_place[w] |= UINT64_C(1) << i;
				n++;
			}
		}
	}
	return n;
}

/* --- the members of one instance in order --- */

struct collective_member {
	double start;    /* of its call */
	uint32_t call;
	uint32_t rank;   /* of its event among those that have a place: in the events' order */
};

struct seating {
	struct instances *m;
	struct collective_member *members, *spare; /* of one instance; as many again, to merge into */
	size_t count, room, spare_room;
	uint32_t next;   /* place */
	uint32_t lowest; /* event of the instance */
};

static bool member_is_before(const struct collective_member *a, const struct collective_member *b)
{
	return a->start < b->start || (a->start == b->start && a->rank < b->rank);
}

static void insert_each(struct collective_member *members, size_t count)
{
	for (size_t i = 1; i < count; i++) {
		struct collective_member one = members[i];
		size_t at = i;

		for (; at && member_is_before(&one, &members[at - 1]); at--)
			members[at] = members[at - 1];
		members[at] = one;
	}
}

static void members_merge(struct collective_member *to, const struct collective_member *a, const struct collective_member *a_end, const struct collective_member *b,
		  const struct collective_member *b_end)
{
	while (a < a_end && b < b_end)
		*to++ = member_is_before(b, a) ? *b++ : *a++;
	while (a < a_end)
		*to++ = *a++;
	while (b < b_end)
		*to++ = *b++;
}

/* Merging short runs, as there are many instances: this is most of what instances cost. False: no memory. */
static bool sort_members(struct seating *s)
{
	size_t n = s->count;

	for (size_t i = 0; i < n; i += RUN)
		insert_each(s->members + i, n - i < RUN ? n - i : RUN);
	if (n > RUN && s->spare_room < s->room) {
		struct collective_member *grown = mem_resize(s->spare, s->room, sizeof *grown);

		if (!grown)
			return false;
		s->spare = grown;
		s->spare_room = s->room;
	}
	for (size_t run = RUN; run < n; run *= 2) {
		struct collective_member *from = s->members;
		size_t room = s->room;

		for (size_t i = 0; i < n; i += 2 * run) {
			size_t mid = n - i < run ? n : i + run, end = n - i < 2 * run ? n : i + 2 * run;

			members_merge(s->spare + i, from + i, from + mid, from + mid, from + end);
		}
		s->members = s->spare;
		s->room = s->spare_room;
		s->spare = from;
		s->spare_room = room;
	}
	return true;
}

/* The members of event's instance; are they in order as they come? False, too: no memory. */
static bool members_gather(struct seating *s, uint32_t event, bool *sorted)
{
	const struct call_log *log = s->m->log;
	uint32_t ev = event;

	s->count = 0;
	s->lowest = event;
	*sorted = true;
	do {
		if (ev < s->lowest)
			s->lowest = ev;
		if (event_has_place(s->m, ev)) {
			struct collective_member *at = mem_grow(s->members, s->count, &s->room, sizeof *at);

			if (!at)
				return false;
			s->members = at;
			at += s->count++;
			at->call = log->call_of[ev];
			at->start = log->calls[at->call].start;
			at->rank = rank_of(s->m, ev);
			*sorted &= s->count < 2 || member_is_before(at - 1, at);
		}
		ev = log->trace->match[ev];
	} while (ev != event && ev != NO_EVENT);
	return true;
}

/* The instance that `event` is the first of: its members get the next places. False: no memory. */
static bool instance_seat(struct seating *s, uint32_t event)
{
	struct instances *m = s->m;
	uint32_t first = s->next;
	bool sorted;

	if (!members_gather(s, event, &sorted) || (!sorted && !sort_members(s)))
		return false;
	m->root[m->instance_count] = NO_PLACE;
	for (size_t i = 0; i < s->count; i++) {
		const struct collective_member *one = &s->members[i];

		m->instance[s->next] = m->instance_count;
		m->call[s->next] = one->call;
		m->place[one->rank] = s->next;
		if (m->log->flags[one->call] & CALL_ROOT)
			m->root[m->instance_count] = s->next;
		s->next++;
	}
	if (m->remote) {
		const struct remote_collective *remote = call_remote_collective(m->log, s->lowest);

		m->remote[m->instance_count] = remote ? (uint32_t)(remote - m->log->remote->collective) : NO_PLACE;
	}
	m->last[m->instance_count] = s->members[s->count - 1].start;
	m->first[m->instance_count++] = first;
	return true;
}

static enum err_code seat_all(struct seating *s, const struct progress *progress, struct err *e)
{
	struct instances *m = s->m;
	uint32_t events = m->log->trace->event_count, rank = 0;

	for (uint32_t ev = 0; ev < events; ev++) {
		if (event_has_place(m, ev) && m->place[rank++] == NO_PLACE && !instance_seat(s, ev))
			return err_memory(e, "the members of collectives");
		if (ev % 8192 == 0 && progress_stopped(progress))
			return err_set(e, ERR_CANCELLED, "stopped while sorting the members of collectives");
	}
	m->first[m->instance_count] = s->next;
	return ERR_OK;
}

enum err_code instances_init(struct instances *m, const struct call_log *log, const struct progress *progress, struct err *e)
{
	uint32_t words = log->trace->event_count / 64 + 1;
	struct seating s = {.m = m};
	enum err_code code;

	*m = (struct instances){.log = log};
	m->has_place = mem_zero(words, sizeof *m->has_place);
	m->ranks = mem_zero(words, sizeof *m->ranks);
	if (m->has_place && m->ranks) {
		m->count = find_events(m, words);
		m->call = mem_alloc(m->count, sizeof *m->call);
		m->instance = mem_alloc(m->count, sizeof *m->instance);
		m->first = mem_alloc((size_t)m->count + 1, sizeof *m->first);
		m->last = mem_alloc(m->count, sizeof *m->last);
		m->root = mem_alloc(m->count, sizeof *m->root);
		m->remote = log->remote ? mem_alloc(m->count, sizeof *m->remote) : NULL;
		m->place = mem_alloc(m->count, sizeof *m->place);
	}
	if (!m->call || !m->instance || !m->first || !m->last || !m->root || !m->place || (log->remote && !m->remote)) {
		instances_release(m);
		return err_memory(e, "the members of collectives");
	}
	memset(m->place, 0xff, m->count * sizeof *m->place); /* NO_PLACE */
	code = seat_all(&s, progress, e);
	mem_free(s.members);
	mem_free(s.spare);
	if (code)
		instances_release(m);
	return code;
}

/* Which of the members of event's collective is the root, by going round. */
static uint32_t find_root(const struct call_log *log, uint32_t event)
{
	uint32_t ev = event;

	do {
		uint32_t c = log->call_of[ev];

		if (c != NO_LOGGED_CALL && log->flags[c] & CALL_ROOT)
			return c;
		ev = log->trace->match[ev];
	} while (ev != event && ev != NO_EVENT);
	return NO_LOGGED_CALL;
}

static bool waits_for_root(const struct call_log *log, uint32_t call, struct call_part part)
{
	uint32_t event = part.event;

	return EVENT_KIND(log->trace->type[event]) == EVENT_COLLECTIVE && log->flags[log->call_of[event]] & CALL_ROOT_KNOWN &&
	       call_log_root_role(log, call_log_part_traits(log, call, part), log->call_of[event]) == ROOT_FOR_ROOT;
}

uint32_t instances_root(const struct call_log *log, const struct instances *m, uint32_t call, struct call_part part)
{
	uint32_t root = NO_LOGGED_CALL, event = part.event, place;

	if (!waits_for_root(log, call, part))
		return NO_LOGGED_CALL;
	if (!m)
		root = find_root(log, event);
	else if ((place = instances_place(m, event)) != NO_PLACE && (place = m->root[m->instance[place]]) != NO_PLACE)
		root = instances_call(m, place);
	return root == NO_LOGGED_CALL || root == call || log->calls[root].start > log->calls[call].end ? NO_LOGGED_CALL : root;
}

const struct remote_member *instances_remote_root(const struct call_log *log, const struct remote_collective *remote, uint32_t call, struct call_part part)
{
	const struct remote_member *root = &remote->root;

	if (!waits_for_root(log, call, part) || root->at.call == NO_LOGGED_CALL || root->start > log->calls[call].end ||
	    (root->at.call == call && root->at.rank == team_rank(trace_team(log->trace))))
		return NULL;
	return root;
}

uint32_t instances_until(const struct instances *m, uint32_t place, double until)
{
	uint32_t low, first = m->first[m->instance[place]], high = m->first[m->instance[place] + 1];

	/* Mostly nobody leaves before all have come. */
	if (m->last[m->instance[place]] <= until)
		return high - 1;
	low = SEARCH_PAST(i, first, high, instances_start(m, i) <= until);
	return low > first ? low - 1 : NO_PLACE;
}

uint32_t instances_first_as_late(const struct instances *m, uint32_t place)
{
	double came = instances_start(m, place);

	return SEARCH_PAST(i, m->first[m->instance[place]], place, instances_start(m, i) < came);
}
