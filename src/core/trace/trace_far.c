#include "trace_far.h"

#include <stdlib.h>
#include <string.h>

#include "trace_make.h"

void trace_own(const struct trace *t, uint32_t *begin, uint32_t *end)
{
	*begin = t->far ? t->far->owner_first[t->far->team->rank] : 0;
	*end = t->far ? t->far->owner_first[t->far->team->rank + 1] : t->process_count;
}

uint32_t trace_owner(const struct trace_far *far, uint32_t process)
{
	uint32_t low = 0, high = far->team->size; /* the answer is in [low, high): the last that does not begin behind it */

	while (low + 1 < high) {
		uint32_t mid = low + (high - low) / 2;

		if (far->owner_first[mid] <= process)
			low = mid;
		else
			high = mid;
	}
	return low;
}

/* The first process of a group: p is of group p * MAKE_GROUPS / processes. */
static uint32_t group_first(uint32_t group, uint32_t processes)
{
	return (uint32_t)(((uint64_t)group * processes + MAKE_GROUPS - 1) / MAKE_GROUPS);
}

void trace_owners(uint32_t *first, uint32_t ranks, uint32_t processes, const uint64_t *events)
{
	uint64_t total = 0, before = 0;
	uint32_t rank = 0;

	for (uint32_t p = 0; p < processes; p++)
		total += events[p];
	first[0] = 0;
	for (uint32_t g = 0; g < MAKE_GROUPS; g++) {
		uint32_t begin = group_first(g, processes), end = group_first(g + 1, processes);
		uint64_t here = 0;

		if (begin == end)
			continue;
		for (uint32_t p = begin; p < end; p++)
			here += events[p];
		/* A group goes to the rank in whose share its middle lies. */
		while (rank + 1 < ranks && (before + here / 2) * ranks >= total * (rank + 1) && begin > first[rank])
			first[++rank] = begin;
		before += here;
	}
	while (rank < ranks)
		first[++rank] = processes;
}

const struct far_instance *far_instance(const struct trace *t, uint32_t event)
{
	const struct trace_far *far = t->far;
	uint32_t low = 0, high = far ? far->instance_count : 0;

	while (low < high) {
		uint32_t mid = low + (high - low) / 2;

		if (far->instance[mid].event == event)
			return &far->instance[mid];
		if (far->instance[mid].event < event)
			low = mid + 1;
		else
			high = mid;
	}
	return NULL;
}

/* ---- other numbers of events ---- */

static int compare_others(const void *a, const void *b, void *list)
{
	const struct far_message *message = list, *x = message + *(const uint32_t *)a, *y = message + *(const uint32_t *)b;

	if (x->rank != y->rank)
		return x->rank < y->rank ? -1 : 1;
	return x->other < y->other ? -1 : x->other > y->other;
}

/* What goes to each rank: the new numbers of events here whose other end is there, in their order; in one array. */
static bool put_moved(const struct trace_far *far, const uint32_t *moved, struct team_bytes *to)
{
	uint32_t *at = mem_alloc(far->message_count, sizeof *at);

	if (!at)
		return false;
	for (uint32_t i = 0; i < far->message_count; i++)
		to[far->message[i].rank].n += sizeof *at;
	for (uint32_t r = 0; r < far->team->size; r++) {
		to[r].bytes = at;
		at += to[r].n / sizeof *at;
		to[r].n = 0;
	}
	for (uint32_t i = 0; i < far->message_count; i++) {
		struct team_bytes *its = &to[far->message[i].rank];

		((uint32_t *)its->bytes)[its->n / sizeof *at] = moved[far->message[i].event];
		its->n += sizeof *at;
	}
	return true;
}

/* Each rank has told them in the order of its events: that of far_message.other. */
static void take_moved(struct trace_far *far, const struct trace_far *of, const struct team_bytes *from, uint32_t *order)
{
	for (uint32_t i = 0; i < of->message_count; i++)
		order[i] = i;
	if (of->message_count)
		qsort_r(order, of->message_count, sizeof *order, compare_others, of->message);
	for (uint32_t i = 0, k = 0; i < of->message_count; i++) {
		struct far_message *message = &far->message[order[i]];

		k = i && of->message[order[i - 1]].rank == message->rank ? k + 1 : 0;
		message->other = ((const uint32_t *)from[message->rank].bytes)[k];
	}
}

enum err_code trace_far_move(struct trace *n, const struct trace *t, const uint32_t *moved, enum err_code code, struct err *e)
{
	const struct trace_far *of = t->far;
	uint32_t ranks = of->team->size;
	struct trace_far *far = mem_zero(1, sizeof *far);
	struct team_bytes *to = mem_zero(ranks, sizeof *to), *from = mem_zero(ranks, sizeof *from);
	uint32_t *order = mem_alloc(of->message_count, sizeof *order);

	if (far) {
		far->team = of->team;
		far->owner_first = mem_alloc((size_t)ranks + 1, sizeof *far->owner_first);
		far->message = mem_alloc(of->message_count, sizeof *far->message);
	}
	if (!code && (!far || !far->owner_first || !far->message || !to || !from || !order || !put_moved(of, moved, to)))
		code = err_memory(e, "the trace without its collectives");
	code = code ? team_agree(of->team, code, e) : team_exchange(of->team, to, from, e);
	if (!code) {
		memcpy(far->owner_first, of->owner_first, ((size_t)ranks + 1) * sizeof *far->owner_first);
		far->all_events = of->all_events - t->collective_count;
		far->message_count = of->message_count;
		for (uint32_t i = 0; i < of->message_count; i++)
			far->message[i] = (struct far_message){moved[of->message[i].event], of->message[i].rank, 0};
		take_moved(far, of, from, order);
		n->far = far;
		far = NULL;
	}
	trace_far_free(far);
	if (to)
		mem_free(to[0].bytes);
	if (from)
		team_bytes_free(from, ranks);
	mem_free(to);
	mem_free(from);
	mem_free(order);
	return code;
}

void trace_far_free(struct trace_far *far)
{
	if (!far)
		return;
	mem_free(far->owner_first);
	mem_free(far->message);
	mem_free(far->instance);
	mem_free(far->home_ranks);
	mem_free(far);
}
