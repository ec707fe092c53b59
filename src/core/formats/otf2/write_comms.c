/* Communicators of an archive that is written: their numbers, and the ranks of processes on them. */
#include <stdlib.h>
#include <string.h>

#include "core/base/mem.h"
#include "core/base/search.h"
#include "otf2_int.h"

/* Two communicators that are the ends of one message are the sides of an intercommunicator. */
static void find_sides(struct otf2_write_comms *comms)
{
	const struct trace *t = comms->trace;

	for (uint32_t c = 0; c < t->comm_count; c++)
		comms->other[c] = UINT32_MAX;
	for (uint32_t p = 0; p < t->process_count; p++)
		for (uint32_t e = t->first[p]; e < t->first[p + 1]; e++) {
			uint32_t mine = trace_comm(t, e), far;

			if (EVENT_KIND(t->type[e]) != EVENT_SEND || t->match[e] == NO_EVENT)
				continue;
			far = trace_comm(t, t->match[e]);
			if (far != mine && comms->other[mine] == UINT32_MAX && comms->other[far] == UINT32_MAX) {
				comms->other[mine] = far;
				comms->other[far] = mine;
			}
		}
}

static void write_comms_number(struct otf2_write_comms *comms)
{
	const struct trace *t = comms->trace;
	uint32_t self = OTF2_UNDEFINED_COMM;

	for (uint32_t c = 0; c < t->comm_count; c++) {
		bool of_one = !strcmp(t->comms[c].kind, "self");

		if (of_one && !t->comms[c].events)
			comms->ref[c] = OTF2_UNDEFINED_COMM;
		else if (of_one && self != OTF2_UNDEFINED_COMM)
			comms->ref[c] = self;
		else
			comms->ref[c] = comms->count++;
		if (of_one && comms->ref[c] != OTF2_UNDEFINED_COMM)
			self = comms->ref[c];
	}
	for (uint32_t c = 0; c < t->comm_count; c++)
		comms->inter[c] = comms->other[c] == UINT32_MAX ? OTF2_UNDEFINED_COMM : comms->other[c] < c ? comms->inter[comms->other[c]] :
			comms->count++;
	comms->missing = !t->comm_count;
	comms->count += comms->missing;
}

static int by_process(const void *a, const void *b, void *members)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
	uint32_t p = ((const uint32_t *)members)[x], q = ((const uint32_t *)members)[y];

	return p != q ? (p > q) - (p < q) : (x > y) - (x < y);
}

enum err_code otf2_write_comms_init(struct otf2_write_comms *comms, const struct trace *t, struct err *e)
{
	uint64_t members = 0;

	*comms = (struct otf2_write_comms){.trace = t};
	for (uint32_t c = 0; c < t->comm_count; c++)
		if (t->comms[c].members + (uint64_t)t->comms[c].size > members)
			members = t->comms[c].members + (uint64_t)t->comms[c].size;
	comms->ref = mem_alloc(t->comm_count, sizeof *comms->ref);
	comms->other = mem_alloc(t->comm_count, sizeof *comms->other);
	comms->inter = mem_alloc(t->comm_count, sizeof *comms->inter);
	comms->plain = mem_alloc(t->comm_count, sizeof *comms->plain);
	comms->by_process = mem_alloc(members, sizeof *comms->by_process);
	if (!comms->ref || !comms->other || !comms->inter || !comms->plain || !comms->by_process)
		return err_memory(e, "the communicators");
	find_sides(comms);
	write_comms_number(comms);
	for (uint32_t c = 0; c < t->comm_count; c++) {
		const struct comm_info *comm = &t->comms[c];
		uint32_t *ranks = comms->by_process + comm->members;

		comms->plain[c] = true;
		for (uint32_t i = 0; i < comm->size; i++) {
			ranks[i] = i;
			comms->plain[c] = comms->plain[c] && t->comm_members[comm->members + i] == i;
		}
		if (comm->size && !comms->plain[c])
			qsort_r(ranks, comm->size, sizeof *ranks, by_process, t->comm_members + comm->members);
	}
	return ERR_OK;
}

void otf2_write_comms_release(struct otf2_write_comms *comms)
{
	mem_free(comms->ref);
	mem_free(comms->other);
	mem_free(comms->inter);
	mem_free(comms->plain);
	mem_free(comms->by_process);
}

static uint32_t rank_on(const struct otf2_write_comms *comms, uint32_t comm, uint32_t process)
{
	const struct trace *t = comms->trace;
	const uint32_t *members = t->comm_members + t->comms[comm].members, *ranks = comms->by_process + t->comms[comm].members;
	uint32_t low, size = t->comms[comm].size;

	if (comms->plain[comm])
		return process < size ? process : OTF2_UNDEFINED_UINT32;
	low = SEARCH_PAST(i, 0, size, members[ranks[i]] < process);
	return low < size && members[ranks[low]] == process ? ranks[low] : OTF2_UNDEFINED_UINT32;
}

struct otf2_partner otf2_write_comms_partner(const struct otf2_write_comms *comms, uint32_t comm, uint32_t process)
{
	struct otf2_partner partner = {comms->missing ? 0 : comms->ref[comm], OTF2_UNDEFINED_UINT32};
	uint32_t far;

	if (process == NO_PROCESS)
		return partner;
	if (comms->missing) {
		partner.rank = process;
		return partner;
	}
	partner.rank = rank_on(comms, comm, process);
	if (partner.rank != OTF2_UNDEFINED_UINT32 || comms->other[comm] == UINT32_MAX)
		return partner;
	far = rank_on(comms, comms->other[comm], process);
	return far == OTF2_UNDEFINED_UINT32 ? partner : (struct otf2_partner){comms->inter[comm], far};
}
