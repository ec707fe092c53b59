#include "logical_split.h"

#include <stdio.h>
#include <string.h>

static bool same(char why[TRACE_SPLIT_WHY], const char *what, uint64_t at, uint64_t got, uint64_t want)
{
	if (got != want)
		snprintf(why, TRACE_SPLIT_WHY, "%s %llu: %llu, expected %llu", what, (unsigned long long)at, (unsigned long long)got,
			 (unsigned long long)want);
	return got == want;
}

static bool same_ticks(const struct logical *l, const struct logical *w, char why[TRACE_SPLIT_WHY])
{
	if (!same(why, "ticks", 0, l->tick_count, w->tick_count) || !same(why, "LTs", 0, l->lt_count, w->lt_count) ||
	    !same(why, "broken relations", 0, l->broken, w->broken))
		return false;
	for (uint32_t k = 0; k < w->tick_count; k++)
		if (!same(why, "sends at tick", k, l->tick_sends[k], w->tick_sends[k]))
			return false;
	for (uint32_t k = 0; k < w->lt_count; k++)
		if (!same(why, "first tick of LT", k, l->lt_first[k], w->lt_first[k]))
			return false;
	return true;
}

static bool same_events(const struct logical *l, const struct logical *w, char why[TRACE_SPLIT_WHY])
{
	for (uint32_t e = 0; e < l->trace->event_count; e++) {
		uint32_t of = trace_split_event(w->trace, l->trace, e);

		if (!same(why, "tick of event", of, l->tick[e], w->tick[of]) ||
		    !same(why, "LT of event", of, logical_lt(l, e), logical_lt(w, of)))
			return false;
	}
	return true;
}

/* The rows: the whole ones without what others have. */
static bool same_rows(const struct logical *l, const struct logical *w, char why[TRACE_SPLIT_WHY])
{
	uint32_t begin = trace_split_event(w->trace, l->trace, 0), end = begin + l->trace->event_count, at = 0;

	if (!same(why, "first of tick", 0, l->tick_first[0], 0))
		return false;
	for (uint32_t k = 0; k < w->tick_count; k++) {
		for (uint32_t i = w->tick_first[k]; i < w->tick_first[k + 1]; i++) {
			uint32_t of = w->order_of[i], process;

			if (of < begin || of >= end)
				continue;
			process = trace_process_of(w->trace, of);
			if (!same(why, "event in order", at, l->order_of[at], of - begin) ||
			    !same(why, "event at tick", k, logical_event_at(l, k, process), of - begin) ||
			    !same(why, "sends before tick", k, logical_sends_before(l, process, k),
				  logical_sends_before(w, process, k)))
				return false;
			at++;
		}
		if (!same(why, "end of tick", k, l->tick_first[k + 1], at))
			return false;
	}
	return true;
}

static bool same_sends(const struct logical *l, const struct logical *w, char why[TRACE_SPLIT_WHY])
{
	uint32_t first, end;

	trace_local(l->trace, &first, &end);
	for (uint32_t p = first; p < end; p++) {
		uint32_t n = w->send_first[p + 1] - w->send_first[p], k = w->tick_count / 2;
		uint32_t there = logical_event_at(w, k, p);

		if (!same(why, "sends of process", p, l->send_first[p + 1] - l->send_first[p], n) ||
		    !same(why, "sends in all of process", p, logical_sends_before(l, p, w->tick_count), n) ||
		    !same(why, "event in the middle, of process", p, trace_split_event(w->trace, l->trace, logical_event_at(l, k, p)),
			  there))
			return false;
		for (uint32_t i = 0; i < n; i++) {
			uint32_t e = l->sends[l->send_first[p] + i];

			if (!same(why, "send", i, trace_split_event(w->trace, l->trace, e), w->sends[w->send_first[p] + i]) ||
			    !same(why, "number of send", i, logical_send_number(l, p, e), i + 1))
				return false;
		}
	}
	return true;
}

static bool same_notes(const struct notes *n, const struct notes *w, char why[TRACE_SPLIT_WHY])
{
	if (!same(why, "notes", 0, n->n, w->n))
		return false;
	for (int k = 0; k < NOTE_KIND_COUNT; k++)
		if (!same(why, "notes of kind", (uint64_t)k, n->count[k], w->count[k]))
			return false;
	for (size_t i = 0; i < w->n; i++) {
		const struct note *x = &n->list[i], *y = &w->list[i];

		if (strcmp(x->text, y->text) != 0) {
			snprintf(why, TRACE_SPLIT_WHY, "note %zu: %s, expected %s", i, x->text, y->text);
			return false;
		}
		if (!same(why, "kind of note", i, x->kind, y->kind) ||
		    !same(why, "event of note", i, (uint64_t)x->event, (uint64_t)y->event) ||
		    !same(why, "process of note", i, (uint32_t)x->process, (uint32_t)y->process))
			return false;
	}
	return true;
}

bool logical_split_is(const struct logical *part, const struct logical *whole, char why[TRACE_SPLIT_WHY])
{
	return same_ticks(part, whole, why) && same_events(part, whole, why) && same_rows(part, whole, why) &&
	       same_sends(part, whole, why) && same_notes(&part->notes, &whole->notes, why);
}
