#include "naive.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "core/trace/trace.h"
#include "naive_parts.h"

void *naive_room(size_t count, size_t size)
{
	void *p = calloc(count + 1, size);

	if (!p) {
		fprintf(stderr, "no memory for the naive implementation\n");
		exit(255);
	}
	return p;
}

uint32_t naive_at(const struct naive *n, uint32_t k, uint32_t process)
{
	return n->cell[(size_t)k * n->processes + process];
}

bool naive_close_enough(double a, double b, double share)
{
	return fabs(a - b) <= share * (a > b ? a : b);
}

bool naive_sizes_similar(uint64_t a, uint64_t b, double volume)
{
	if (a == SIZE_UNKNOWN || b == SIZE_UNKNOWN)
		return true;
	return naive_close_enough(a, b, volume);
}

/* --- `collectives: ignore` --- */

/* The compute time after an event runs to the next event that counts: it takes over that of the
 * collectives between. What follows the last of all is no more than known. */
static struct trace *without_collectives(const struct trace *t)
{
	uint32_t *counts = naive_room(t->process_count, sizeof *counts);
	uint32_t *moved = naive_room(t->event_count, sizeof *moved);
	struct trace *n;

	for (uint32_t p = 0; p < t->process_count; p++)
		for (uint32_t e = t->first[p]; e < t->first[p + 1]; e++)
			if (!naive_is_collective(t, e))
				counts[p]++;
	if (trace_new(&n, t->process_count, counts, NULL) != ERR_OK)
		exit(255);
	for (uint32_t p = 0; p < t->process_count; p++) {
		uint32_t to = n->first[p];

		n->processes[p].records = t->processes[p].records;
		n->processes[p].work_end = t->processes[p].work_end;
		for (uint32_t e = t->first[p]; e < t->first[p + 1]; e++) {
			if (naive_is_collective(t, e))
				continue;
			moved[e] = to;
			n->time[to] = t->time[e];
			n->type[to] = t->type[e];
			n->size_code[to] = t->size_code[e];
			trace_set_envelope(n, to, trace_comm(t, e), trace_tag(t, e));
			n->match[to] = t->match[e];
			n->compute[to] = t->compute[e];
			for (uint32_t f = e + 1; f < t->first[p + 1] && naive_is_collective(t, f); f++)
				n->compute[to] += isnan(t->compute[f]) ? 0 : t->compute[f];
			to++;
		}
	}
	for (uint32_t e = 0; e < n->event_count; e++)
		if (n->match[e] != NO_EVENT)
			n->match[e] = moved[n->match[e]];
	if (trace_copy_large_sizes(n, t, NULL) != ERR_OK)
		exit(255);
	n->start = t->start;
	n->end = t->end;
	free(counts);
	free(moved);
	return n;
}

/* --- all of it --- */

struct naive *naive_new(const struct trace *t, const struct settings *s)
{
	struct naive *n = naive_room(1, sizeof *n);

	n->s = *s;
	n->t = t;
	n->processes = t->process_count;
	if (s->collectives == COLLECTIVES_IGNORE)
		n->t = n->own = without_collectives(t);
	naive_order(n);
	naive_tick(n);
	naive_label(n);
	n->occurrence = naive_room(n->ticks, sizeof *n->occurrence);
	n->phase = naive_room(n->ticks, sizeof *n->phase);
	if (s->similarity == SIMILARITY_PHASE)
		naive_search(n);
	else
		naive_join(n);
	naive_measure(n);
	return n;
}

struct naive *naive_from_labels(const uint32_t *given, uint32_t blocks)
{
	struct naive *n = naive_room(1, sizeof *n);

	n->blocks = blocks;
	n->label = naive_room((size_t)blocks + 1, sizeof *n->label);
	n->occurrence = naive_room(blocks, sizeof *n->occurrence);
	n->phase = naive_room(blocks, sizeof *n->phase);
	for (uint32_t i = 1; i <= blocks; i++)
		n->label[i] = given[i];
	naive_join(n);
	return n;
}

void naive_free(struct naive *n)
{
	if (!n)
		return;
	trace_free(n->own);
	free(n->lt);
	free(n->tick);
	free(n->cut);
	free(n->cell);
	free(n->label);
	free(n->occurrence);
	free(n->phase);
	free(n);
}
