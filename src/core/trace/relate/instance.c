#include "relate_int.h"

#include <stdlib.h>

bool instance_agrees(const struct trace *t, const uint32_t *events, uint32_t n)
{
	for (uint32_t i = 1; i < n; i++)
		if (t->type[events[i]] != t->type[events[0]])
			return false;
	return true;
}

static int compare_types(const void *a, const void *b, void *trace)
{
	const struct trace *t = trace;
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	if (t->type[x] != t->type[y])
		return t->type[x] < t->type[y] ? -1 : 1;
	return x < y ? -1 : x > y;
}

void instance_sort(const struct trace *t, uint32_t *events, uint32_t n)
{
	qsort_r(events, n, sizeof *events, compare_types, (void *)(uintptr_t)t);
}

uint32_t instance_close(struct trace *t, const uint32_t *events, uint32_t n, uint32_t begin)
{
	uint32_t i = begin;

	for (; i + 1 < n && t->type[events[i + 1]] == t->type[events[begin]]; i++)
		t->match[events[i]] = events[i + 1];
	t->match[events[i]] = events[begin];
	return i + 1;
}

void instance_note(struct notes *notes, const struct trace *t, const struct instance_odd *odd)
{
	uint32_t p = trace_process_of(t, odd->event);
	size_t before = notes->n;
	char name[40];

	notes_add(notes, NOTE_COLLECTIVE_MISMATCH, (struct note_place){-1, (int32_t)p, -1, -1, odd->event - t->first[p]},
		  odd->agree ? "%s on communicator %d: %u of its %u members take part" :
			       "%s on communicator %d: %u of %u members take part, but disagree on the operation",
		  trace_type_text(t, t->type[odd->event], name, sizeof name), t->comms[odd->comm].number, odd->members, odd->expected);
	notes_order(notes, before, odd->comm, odd->k);
}
