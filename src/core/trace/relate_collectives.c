/* Relating collectives: the k-th of a communicator on each member belong together (docs/method.md 1.1).
 *
 * The instances of one communicator do not touch each other, so threads share them by k.
 */
#include <stdlib.h>

#include "relate.h"
#include "core/base/parallel.h"
#include "trace_part.h"

/* The collectives of one member of a communicator: places in the sorted list. */
struct member {
	uint32_t begin, end;
};

struct relating {
	struct trace *t;
	uint32_t comm, expected;
	const uint32_t *sorted;  /* all collectives, by communicator, process and number */
	struct member *members;
	uint32_t count, longest; /* members; collectives of the busiest one */
	uint32_t *lists;         /* 2 * process_count per part */
	struct notes *notes;     /* per part */
	unsigned parts;
};

/* Close a ring of events through match[]. */
static void close_ring(struct trace *t, const uint32_t *events, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++)
		t->match[events[i]] = events[i + 1 < n ? i + 1 : 0];
}

static int compare_types(const void *a, const void *b, void *trace)
{
	const struct trace *t = trace;
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	if (t->type[x] != t->type[y])
		return t->type[x] < t->type[y] ? -1 : 1;
	return x < y ? -1 : x > y;
}

/* The k-th collectives of all members, in list: those of one type belong together. */
static void relate_instance(const struct relating *relating, uint32_t *list, uint32_t n, struct notes *notes)
{
	struct trace *t = relating->t;
	uint32_t p = trace_process_of(t, list[0]);
	bool agree = true;

	for (uint32_t i = 1; agree && i < n; i++)
		agree = t->type[list[i]] == t->type[list[0]];
	if (!agree || n != relating->expected) {
		char name[40];

		notes_add(notes, NOTE_COLLECTIVE_MISMATCH,
			  (struct note_place){-1, (int32_t)p, -1, -1, list[0] - t->first[p]},
			  agree ? "%s on communicator %d: %u of its %u members take part" :
				  "%s on communicator %d: the %u of %u members that take part do not agree on the operation",
			  trace_type_name(t, t->type[list[0]], name, sizeof name), t->comms[relating->comm].number, n, relating->expected);
	}
	if (agree) {
		close_ring(t, list, n);
		return;
	}
	qsort_r(list, n, sizeof *list, compare_types, t);
	for (uint32_t begin = 0, i = 1; i <= n; i++)
		if (i == n || t->type[list[i]] != t->type[list[begin]]) {
			close_ring(t, list + begin, i - begin);
			begin = i;
		}
}

static void relate_part(void *arg, unsigned part)
{
	const struct relating *relating = arg;
	uint32_t *list = relating->lists + (size_t)part * 2 * relating->t->process_count, *active = list + relating->t->process_count;
	uint32_t end = (uint32_t)((uint64_t)relating->longest * (part + 1) / relating->parts), left = relating->count;

	for (uint32_t i = 0; i < relating->count; i++)
		active[i] = i;
	for (uint32_t k = (uint32_t)((uint64_t)relating->longest * part / relating->parts); k < end; k++) {
		uint32_t n = 0;

		for (uint32_t j = 0; j < left; j++) {
			const struct member *m = &relating->members[active[j]];

			if (k < m->end - m->begin) {
				active[n] = active[j];
				list[n++] = relating->sorted[m->begin + k];
			}
		}
		left = n;
		relate_instance(relating, list, n, &relating->notes[part]);
	}
}

static void relate_comm(struct relating *relating)
{
	struct trace *t = relating->t;

	relating->expected = t->comms[relating->comm].size > relating->count ? t->comms[relating->comm].size : relating->count;
	relating->parts = relating->longest > 64 ? t->threads : 1;
	for (unsigned i = 0; i < relating->parts; i++)
		notes_init(&relating->notes[i]);
	parallel_run(relating->parts, relate_part, relating);
	for (unsigned i = 0; i < relating->parts; i++) {
		notes_append(&t->notes, &relating->notes[i]);
		notes_release(&relating->notes[i]);
	}
}

/* All collectives by communicator: a counting sort, each part of the processes on a thread. */
struct sorting {
	const struct trace *t;
	unsigned parts;
	uint32_t *at;     /* per part and communicator: how many, then the place of the next in the list */
	uint32_t *sorted; /* NULL: count */
};

static void sort_part(void *arg, unsigned part)
{
	const struct sorting *sorting = arg;
	const struct trace *t = sorting->t;
	uint32_t *at = sorting->at + (size_t)part * t->comm_count, first, end;

	trace_part(t, part, sorting->parts, &first, &end);
	first = t->first[first];
	end = t->first[end];
	if (!sorting->sorted) {
		for (uint32_t i = first; i < end; i++)
			if (EVENT_KIND(t->type[i]) == EVENT_COLLECTIVE)
				at[trace_comm(t, i)]++;
		return;
	}
	for (uint32_t i = first; i < end; i++)
		if (EVENT_KIND(t->type[i]) == EVENT_COLLECTIVE)
			sorting->sorted[at[trace_comm(t, i)]++] = i;
}

/* *ends, per communicator, says where its own end. */
static uint32_t *sort_by_comm(const struct trace *t, uint32_t *ends)
{
	struct sorting sorting = {.t = t, .parts = t->threads};
	uint32_t total = 0;

	sorting.at = mem_zero((size_t)t->comm_count * sorting.parts, sizeof *sorting.at);
	if (!sorting.at)
		return NULL;
	parallel_run(sorting.parts, sort_part, &sorting);
	for (uint32_t c = 0; c < t->comm_count; c++) {
		for (unsigned i = 0; i < sorting.parts; i++) {
			uint32_t *at = &sorting.at[(size_t)i * t->comm_count + c], n = *at;

			*at = total;
			total += n;
		}
		ends[c] = total;
	}
	sorting.sorted = mem_alloc(total, sizeof *sorting.sorted);
	if (sorting.sorted && total)
		parallel_run(sorting.parts, sort_part, &sorting);
	mem_free(sorting.at);
	return sorting.sorted;
}

enum err_code relate_collectives(struct trace *t, struct err *e)
{
	struct relating relating = {.t = t, .parts = t->threads};
	uint32_t *ends = mem_zero((size_t)t->comm_count + 1, sizeof *ends);
	uint32_t *sorted = ends ? sort_by_comm(t, ends) : NULL;
	bool made;

	relating.members = mem_alloc(t->process_count, sizeof *relating.members);
	relating.lists = mem_alloc((size_t)t->process_count * 2 * relating.parts, sizeof *relating.lists);
	relating.notes = mem_alloc(relating.parts, sizeof *relating.notes);
	made = sorted && relating.members && relating.lists && relating.notes;
	relating.sorted = sorted;
	for (uint32_t at = 0; made && relating.comm < t->comm_count; relating.comm++) {
		relating.count = relating.longest = 0;
		while (at < ends[relating.comm]) {
			uint32_t limit = t->first[trace_process_of(t, sorted[at]) + 1], begin = at;

			while (at < ends[relating.comm] && sorted[at] < limit)
				at++;
			relating.members[relating.count++] = (struct member){begin, at};
			if (at - begin > relating.longest)
				relating.longest = at - begin;
		}
		if (relating.count)
			relate_comm(&relating);
	}
	mem_free(ends);
	mem_free(sorted);
	mem_free(relating.members);
	mem_free(relating.lists);
	mem_free(relating.notes);
	return made ? ERR_OK : err_memory(e, "relating collectives");
}
