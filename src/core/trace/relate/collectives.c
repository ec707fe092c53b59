/* Relating collectives: the k-th of a communicator on each member belong together (docs/explain/method.md, "Messages
 * and collectives").
 *
 * The instances of one communicator do not touch each other, so threads share them by k. For a trace that is on several
 * ranks, communicators whose members have them all on one rank are that rank's alone (relate_int.h).
 */
#include "core/base/parallel.h"
#include "relate.h"
#include "relate_int.h"
#include "core/trace/remote.h"
#include "core/trace/trace.h"

struct comm_relating {
	struct trace *t;
	uint32_t comm, expected;
	const uint32_t *sorted;  /* all collectives, by communicator, process and number */
	struct spanning_member *members;
	uint32_t count, longest; /* members; collectives of the busiest one */
	uint32_t *lists;         /* 2 * process_count per part */
	struct notes *notes;     /* per part */
	unsigned parts;
};

/* The k-th collectives of all members, in list: those of one type belong together. */
static void relate_instance(const struct comm_relating *relating, uint32_t k, uint32_t *list, uint32_t n, struct notes *notes)
{
	struct trace *t = relating->t;
	bool agree = instance_agrees(t, list, n);

	if (!agree || n != relating->expected)
		instance_note(notes, t, &(struct instance_odd){relating->comm, k, list[0], n, relating->expected, agree});
	if (!agree)
		instance_sort(t, list, n);
	for (uint32_t begin = 0; begin < n;)
		begin = instance_close(t, list, n, begin);
}

static void relate_part(void *arg, unsigned part)
{
	const struct comm_relating *relating = arg;
	uint32_t *list = relating->lists + (size_t)part * 2 * relating->t->process_count, *active = list + relating->t->process_count;
	uint32_t end = (uint32_t)((uint64_t)relating->longest * (part + 1) / relating->parts), left = relating->count;

	for (uint32_t i = 0; i < relating->count; i++)
		active[i] = i;
	for (uint32_t k = (uint32_t)((uint64_t)relating->longest * part / relating->parts); k < end; k++) {
		uint32_t n = 0;

		for (uint32_t j = 0; j < left; j++) {
			const struct spanning_member *m = &relating->members[active[j]];

			if (k < m->end - m->begin) {
				active[n] = active[j];
				list[n++] = relating->sorted[m->begin + k];
			}
		}
		left = n;
		relate_instance(relating, k, list, n, &relating->notes[part]);
	}
}

static void relate_comm(struct comm_relating *relating, struct notes *notes)
{
	struct trace *t = relating->t;

	relating->expected = t->comms[relating->comm].size > relating->count ? t->comms[relating->comm].size : relating->count;
	relating->parts = relating->longest > 64 ? t->threads : 1;
	for (unsigned i = 0; i < relating->parts; i++)
		notes_init(&relating->notes[i]);
	parallel_run(relating->parts, relate_part, relating);
	for (unsigned i = 0; i < relating->parts; i++) {
		notes_append(notes, &relating->notes[i]);
		notes_release(&relating->notes[i]);
	}
}

/* All collectives by communicator: a counting sort, each part of the processes on a thread. */
struct comm_sorting {
	const struct trace *t;
	unsigned parts;
	uint32_t *at;     /* per part and communicator: how many, then the place of the next in the list */
	uint32_t *sorted; /* NULL: count */
};

static void sort_part(void *arg, unsigned part)
{
	const struct comm_sorting *sorting = arg;
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
	struct comm_sorting sorting = {.t = t, .parts = t->threads};
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

/* The members of relating->comm, whose collectives begin in the sorted list at `at`; returned is where they end. */
static uint32_t find_members(struct comm_relating *relating, uint32_t at, uint32_t end)
{
	const struct trace *t = relating->t;

	relating->count = relating->longest = 0;
	while (at < end) {
		uint32_t limit = t->first[trace_process_of(t, relating->sorted[at]) + 1], begin = at;

		while (at < end && relating->sorted[at] < limit)
			at++;
		relating->members[relating->count++] = (struct spanning_member){begin, at};
		if (at - begin > relating->longest)
			relating->longest = at - begin;
	}
	return at;
}

/* Each communicator, in turn: that of spanning, if any, or here. */
static enum err_code relate_comms(struct comm_relating *relating, const uint32_t *ends, struct spanning *spanning, struct notes *notes,
				  struct err *e)
{
	enum err_code code = ERR_OK;

	for (uint32_t at = 0; !code && relating->comm < relating->t->comm_count; relating->comm++) {
		at = find_members(relating, at, ends[relating->comm]);
		if (!relating->count)
			continue;
		if (spanning && spanning_has(spanning, relating->comm))
			code = spanning_send(spanning, relating->comm, relating->sorted, relating->members, relating->count, relating->lists, e);
		else
			relate_comm(relating, notes);
	}
	return code;
}

/* Which communicators have how many members with how many collectives here. */
static enum err_code count_comms(struct comm_relating *relating, const uint32_t *ends, struct spanning *spanning, struct err *e)
{
	enum err_code code = ERR_OK;

	for (uint32_t at = 0; !code && relating->comm < relating->t->comm_count; relating->comm++) {
		at = find_members(relating, at, ends[relating->comm]);
		if (relating->count)
			code = spanning_count(spanning, relating->comm, relating->count, relating->longest, e);
	}
	relating->comm = 0;
	return code;
}

/* Communicators of several ranks, after and beside those of this one alone. */
static enum err_code relate_team(struct comm_relating *relating, const uint32_t *ends, enum err_code code, struct notes *notes, struct err *e)
{
	struct trace *t = relating->t;
	struct spanning *spanning = code ? NULL : spanning_new(t);
	struct notes found[2]; /* of the rank alone, of several */

	notes_init(&found[0]);
	notes_init(&found[1]);
	if (!code)
		code = spanning ? count_comms(relating, ends, spanning, e) : err_memory(e, "relating collectives");
	code = code ? team_agree(t->remote->team, code, e) : spanning_exchange(spanning, e);
	if (!code) {
		code = relate_comms(relating, ends, spanning, &found[0], e);
		code = code ? team_agree(t->remote->team, code, e) : spanning_relate(spanning, &found[1], e);
	}
	if (!code)
		notes_merge_ordered(notes, found, 2);
	notes_release(&found[0]);
	notes_release(&found[1]);
	spanning_free(spanning);
	return code;
}

enum err_code relate_collectives(struct trace *t, struct notes *notes, struct err *e)
{
	struct comm_relating relating = {.t = t, .parts = t->threads};
	uint32_t *ends = mem_zero((size_t)t->comm_count + 1, sizeof *ends);
	uint32_t *sorted = ends ? sort_by_comm(t, ends) : NULL;
	enum err_code code;

	relating.members = mem_alloc(t->process_count, sizeof *relating.members);
	relating.lists = mem_alloc((size_t)t->process_count * 2 * relating.parts, sizeof *relating.lists);
	relating.notes = mem_alloc(relating.parts, sizeof *relating.notes);
	relating.sorted = sorted;
	code = sorted && relating.members && relating.lists && relating.notes ? ERR_OK : err_memory(e, "relating collectives");
	if (t->remote)
		code = relate_team(&relating, ends, code, notes, e);
	else if (!code)
		code = relate_comms(&relating, ends, NULL, notes, e);
	mem_free(ends);
	mem_free(sorted);
	mem_free(relating.members);
	mem_free(relating.lists);
	mem_free(relating.notes);
	return code;
}
