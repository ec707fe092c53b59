/* Logical times and ticks, naively. */
#include <stdio.h>
#include <stdlib.h>

#include "naive_parts.h"

/* --- logical times --- */

#define NOT_YET UINT32_MAX

/* The process's next event without a logical time, or NO_EVENT. */
static uint32_t pending(const struct naive *n, uint32_t process)
{
	for (uint32_t e = n->t->first[process]; e < n->t->first[process + 1]; e++)
		if (n->lt[e] == NOT_YET)
			return e;
	return NO_EVENT;
}

static bool related(const struct naive *n, uint32_t event)
{
	return n->t->match[event] != NO_EVENT && !n->cut[event];
}

static bool is_pending(const struct naive *n, uint32_t event)
{
	return pending(n, trace_process_of(n->t, event)) == event;
}

/* An event whose process's earlier ones all have their logical time: may it get its own? */
static bool ready(const struct naive *n, uint32_t event)
{
	if (!related(n, event))
		return true;
	if (naive_is_receive(n->t, event))
		return n->lt[n->t->match[event]] != NOT_YET;
	if (naive_is_collective(n->t, event))
		for (uint32_t m = n->t->match[event]; m != event; m = n->t->match[m])
			if (!n->cut[m] && !is_pending(n, m))
				return false;
	return true;
}

/* What a send would get in this place. */
static uint32_t lt_of_send(const struct naive *n, uint32_t event)
{
	uint32_t lt = 0;

	for (uint32_t e = n->t->first[trace_process_of(n->t, event)]; e < event; e++) {
		uint32_t after = n->lt[e] + 1;

		if (n->s.order == ORDER_PAS2P && naive_is_receive(n->t, e))
			after = n->lt[e];
		if (after > lt)
			lt = after;
	}
	return lt;
}

static void assign(struct naive *n, uint32_t event)
{
	uint32_t lt = lt_of_send(n, event);

	if (related(n, event) && naive_is_receive(n->t, event)) {
		uint32_t arrival = n->lt[n->t->match[event]] + 1;

		if (n->s.order == ORDER_PAS2P || arrival > lt)
			lt = arrival;
	}
	if (related(n, event) && naive_is_collective(n->t, event)) {
		for (uint32_t m = n->t->match[event]; m != event; m = n->t->match[m])
			if (!n->cut[m] && lt_of_send(n, m) > lt)
				lt = lt_of_send(n, m);
		for (uint32_t m = n->t->match[event]; m != event; m = n->t->match[m])
			if (!n->cut[m])
				n->lt[m] = lt;
	}
	n->lt[event] = lt;
}

static bool step(struct naive *n)
{
	uint32_t worst = NO_EVENT;

	for (uint32_t p = 0; p < n->processes; p++) {
		uint32_t e = pending(n, p);

		if (e == NO_EVENT)
			continue;
		if (ready(n, e)) {
			assign(n, e);
			return true;
		}
		if (worst == NO_EVENT || n->t->time[e] < n->t->time[worst])
			worst = e;
	}
	if (worst == NO_EVENT)
		return false;
	n->cut[worst] = true;
	n->broken++;
	return true;
}

void naive_order(struct naive *n)
{
	uint32_t events = n->t->event_count;

	n->lt = naive_room(events, sizeof *n->lt);
	n->cut = naive_room(events, sizeof *n->cut);
	for (uint32_t e = 0; e < events; e++)
		n->lt[e] = NOT_YET;
	while (step(n))
		;
}

/* --- ticks --- */

/* Does receive a go before receive b, of one process and one logical time? By source, communicator, tag,
 * number of the send; those without a send come last among these, by their own number. */
static bool goes_before(const struct trace *t, uint32_t a, uint32_t b)
{
	uint32_t key[2][5];

	for (int i = 0; i < 2; i++) {
		uint32_t e = i ? b : a, named = t->match[e] != NO_EVENT ? t->match[e] : e;

		key[i][0] = EVENT_INDEX(t->type[e]);
		key[i][1] = trace_comm(t, e);
		key[i][2] = (uint32_t)trace_tag(t, e) ^ 0x80000000u; /* negative tags first */
		key[i][3] = t->match[e] == NO_EVENT;
		key[i][4] = trace_number_of(t, trace_process_of(t, named), named);
	}
	for (int i = 0; i < 5; i++)
		if (key[0][i] != key[1][i])
			return key[0][i] < key[1][i];
	return a < b;
}

/* Which of its process's receives at its logical time this one is, from 0. */
static uint32_t place_of_receive(const struct naive *n, uint32_t event)
{
	uint32_t p = trace_process_of(n->t, event), place = 0;

	for (uint32_t e = n->t->first[p]; e < n->t->first[p + 1]; e++)
		if (e != event && naive_is_receive(n->t, e) && n->lt[e] == n->lt[event] && goes_before(n->t, e, event))
			place++;
	return place;
}

void naive_tick(struct naive *n)
{
	const struct trace *t = n->t;
	uint32_t last = 0;

	n->tick = naive_room(t->event_count, sizeof *n->tick);
	for (uint32_t e = 0; e < t->event_count; e++)
		if (n->lt[e] > last)
			last = n->lt[e];
	for (uint32_t lt = 0; lt <= last; lt++) {
		uint32_t receives = 0;
		bool others = false;

		for (uint32_t e = 0; e < t->event_count; e++) {
			if (n->lt[e] != lt)
				continue;
			if (n->s.order == ORDER_PAS2P && naive_is_receive(t, e)) {
				uint32_t place = place_of_receive(n, e);

				n->tick[e] = n->ticks + place;
				if (place + 1 > receives)
					receives = place + 1;
			} else {
				others = true;
			}
		}
		for (uint32_t e = 0; e < t->event_count; e++)
			if (n->lt[e] == lt && !(n->s.order == ORDER_PAS2P && naive_is_receive(t, e)))
				n->tick[e] = n->ticks + receives;
		n->ticks += receives + others;
	}
	n->cell = naive_room((size_t)n->ticks * n->processes, sizeof *n->cell);
	for (size_t i = 0; i < (size_t)n->ticks * n->processes; i++)
		n->cell[i] = NO_EVENT;
	for (uint32_t e = 0; e < t->event_count; e++) {
		uint32_t *at = &n->cell[(size_t)n->tick[e] * n->processes + trace_process_of(t, e)];

		if (*at != NO_EVENT) {
			fprintf(stderr, "the naive implementation has put two events into one cell\n");
			exit(255);
		}
		*at = e;
	}
}
