#include "meetings.h"

#include <stdlib.h>

void meetings_release(struct meetings *m)
{
	mem_free(m->event);
	mem_free(m->instance);
	mem_free(m->first);
	mem_free(m->root);
	mem_free(m->has_place);
	mem_free(m->ranks);
	mem_free(m->place);
	*m = (struct meetings){0};
}

static bool has(const struct meetings *m, uint32_t event)
{
	return m->has_place[event >> 6] >> (event & 63) & 1;
}

static uint32_t rank_of(const struct meetings *m, uint32_t event)
{
	uint64_t below = m->has_place[event >> 6] & ((UINT64_C(1) << (event & 63)) - 1);

	return m->ranks[event >> 6] + (uint32_t)__builtin_popcountll(below);
}

uint32_t meetings_place(const struct meetings *m, uint32_t event)
{
	return has(m, event) ? m->place[rank_of(m, event)] : NO_PLACE;
}

static int compare_came(const void *a, const void *b, void *arg)
{
	const struct call_log *log = arg;
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
	double came_x = log->calls[log->call_of[x]].start, came_y = log->calls[log->call_of[y]].start;

	if (came_x != came_y)
		return came_x < came_y ? -1 : 1;
	return x < y ? -1 : x > y;
}

/* Which events have a place; returns how many. */
static uint32_t find_events(struct meetings *m, uint32_t words)
{
	const struct call_log *log = m->log;
	uint32_t n = 0;

	for (uint32_t w = 0; w < words; w++) {
		uint32_t end = log->trace->event_count - w * 64 < 64 ? log->trace->event_count - w * 64 : 64;

		m->ranks[w] = n;
		for (uint32_t i = 0; i < end; i++) {
			uint32_t ev = w * 64 + i;

			if (EVENT_KIND(log->trace->type[ev]) == EVENT_COLLECTIVE && log->call_of[ev] != NO_LOGGED_CALL)
				m->has_place[w] |= UINT64_C(1) << i;
		}
		n += (uint32_t)__builtin_popcountll(m->has_place[w]);
	}
	return n;
}

/* The instance that `event` is the first of: its members get the next places. */
static void seat(struct meetings *m, uint32_t event, uint32_t *next)
{
	const uint32_t *match = m->log->trace->match;
	uint32_t first = *next, ev = event;

	do {
		if (has(m, ev)) {
			m->instance[*next] = m->instance_count;
			m->event[(*next)++] = ev;
		}
		ev = match[ev];
	} while (ev != event && ev != NO_EVENT);
	qsort_r(m->event + first, *next - first, sizeof *m->event, compare_came, (void *)(uintptr_t)m->log);
	m->root[m->instance_count] = NO_PLACE;
	for (uint32_t i = first; i < *next; i++) {
		m->place[rank_of(m, m->event[i])] = i;
		if (m->log->flags[meetings_call(m, i)] & CALL_ROOT)
			m->root[m->instance_count] = i;
	}
	m->first[m->instance_count++] = first;
}

enum err_code meetings_init(struct meetings *m, const struct call_log *log, const struct job *job, struct err *e)
{
	uint32_t events = log->trace->event_count, words = events / 64 + 1, next = 0;

	*m = (struct meetings){.log = log};
	m->has_place = mem_zero(words, sizeof *m->has_place);
	m->ranks = mem_zero(words, sizeof *m->ranks);
	if (m->has_place && m->ranks) {
		m->count = find_events(m, words);
		m->event = mem_alloc(m->count, sizeof *m->event);
		m->instance = mem_alloc(m->count, sizeof *m->instance);
		m->first = mem_alloc((size_t)m->count + 1, sizeof *m->first);
		m->root = mem_alloc(m->count, sizeof *m->root);
		m->place = mem_alloc(m->count, sizeof *m->place);
	}
	if (!m->event || !m->instance || !m->first || !m->root || !m->place) {
		meetings_release(m);
		return err_memory(e, "the members of collectives");
	}
	for (uint32_t i = 0; i < m->count; i++)
		m->place[i] = NO_PLACE;
	for (uint32_t ev = 0; ev < events; ev++) {
		if (has(m, ev) && m->place[rank_of(m, ev)] == NO_PLACE)
			seat(m, ev, &next);
		if (ev % 8192 == 0 && job_stopped(job)) {
			meetings_release(m);
			return err_set(e, ERR_CANCELLED, "stopped while sorting the members of collectives");
		}
	}
	m->first[m->instance_count] = next;
	return ERR_OK;
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

uint32_t meetings_root(const struct call_log *log, const struct meetings *m, uint32_t call, uint32_t event)
{
	uint32_t root = NO_LOGGED_CALL, place;

	if (EVENT_KIND(log->trace->type[event]) != EVENT_COLLECTIVE || call_log_root_role(log, call) != ROOT_FOR_ROOT)
		return NO_LOGGED_CALL;
	if (!m)
		root = find_root(log, event);
	else if ((place = meetings_place(m, event)) != NO_PLACE && (place = m->root[m->instance[place]]) != NO_PLACE)
		root = meetings_call(m, place);
	return root == NO_LOGGED_CALL || root == call || log->calls[root].start > log->calls[call].end ? NO_LOGGED_CALL : root;
}

uint32_t meetings_until(const struct meetings *m, uint32_t place, double until)
{
	uint32_t low = m->first[m->instance[place]], high = m->first[m->instance[place] + 1], first = low;

	/* Mostly nobody leaves before all have come. */
	if (meetings_start(m, high - 1) <= until)
		return high - 1;
	while (low < high) {
		uint32_t mid = low + (high - low) / 2;

		if (meetings_start(m, mid) <= until)
			low = mid + 1;
		else
			high = mid;
	}
	return low > first ? low - 1 : NO_PLACE;
}

uint32_t meetings_first_as_late(const struct meetings *m, uint32_t place)
{
	uint32_t low = m->first[m->instance[place]], high = place;
	double came = meetings_start(m, place);

	while (low < high) {
		uint32_t mid = low + (high - low) / 2;

		if (meetings_start(m, mid) < came)
			low = mid + 1;
		else
			high = mid;
	}
	return low;
}
