#include "clock_members.h"

#include <math.h>
#include <string.h>

#include "core/base/mem.h"

struct finding {
	struct clock_points *p;
	const struct trace *trace;
	uint32_t *rank_of;   /* per process: in the communicator at hand */
	bool *distrusted;    /* per communicator: some calls on it do not agree */
	uint32_t made;       /* of member[] */
};

static const struct coll_type *type_of(const struct trace *t, uint32_t event)
{
	return &t->colls[EVENT_INDEX(t->type[event])];
}

static void know_ranks(struct finding *f, const struct comm_info *comm)
{
	for (uint32_t r = 0; r < comm->size; r++)
		f->rank_of[f->trace->comm_members[comm->members + r]] = r;
}

/* Its rank, which know_ranks() has told. A damaged trace may have calls of processes that are not members. */
static bool is_member(const struct finding *f, const struct comm_info *comm, uint32_t process)
{
	uint32_t rank = f->rank_of[process];

	return rank < comm->size && f->trace->comm_members[comm->members + rank] == process;
}

/* The instance that an entry is of: all of its members, or none. */
static void take_instance(struct finding *f, uint32_t entry)
{
	const struct trace *t = f->trace;
	const struct clock_times *c = f->p->times;
	uint32_t begun = c->held[entry].event, event = begun, count = 0;
	uint32_t comm = type_of(t, begun)->comm;
	const struct comm_info *info = &t->comms[comm];
	bool whole = true;

	know_ranks(f, info);
	do {
		if (event == NO_EVENT || t->type[event] != t->type[begun] || clock_times_held(c, event) == NO_ENTRY ||
		    !is_member(f, info, trace_process_of(t, event))) {
			whole = false;
			break;
		}
		event = t->match[event];
	} while (++count <= info->size && event != begun);
	if (!whole || count != info->size) {
		f->distrusted[comm] = true;
		return;
	}
	do {
		uint32_t at = clock_times_held(c, event), rank = f->rank_of[trace_process_of(t, event)];

		f->p->rank[at] = rank;
		f->p->first_member[at] = f->made;
		f->p->member[f->made + rank] = at;
		event = t->match[event];
	} while (event != begun);
	f->made += count;
}

/* What holds nobody after all: on a communicator that is not trusted, or where some member gave nothing. */
static void drop(struct finding *f)
{
	struct clock_points *p = f->p;
	const struct clock_times *c = p->times;

	for (uint32_t i = 0; i < c->held_count; i++) {
		uint32_t first = p->first_member[i], comm = type_of(f->trace, c->held[i].event)->comm;

		if (first == NO_MEMBERS || !(f->distrusted[comm] || isnan(c->held[i].time)))
			continue;
		for (uint32_t r = 0; r < f->trace->comms[comm].size; r++)
			p->first_member[p->member[first + r]] = NO_MEMBERS;
	}
}

enum err_code clock_members_find(struct clock_points *p, struct err *e)
{
	const struct trace *t = p->times->trace;
	uint32_t n = p->times->held_count;
	struct finding f = {p, t, mem_zero(t->process_count, sizeof *f.rank_of), mem_zero(t->comm_count, sizeof *f.distrusted), 0};
	bool room;

	p->rank = mem_alloc(n, sizeof *p->rank);
	p->first_member = mem_alloc(n, sizeof *p->first_member);
	p->member = mem_zero(n, sizeof *p->member);
	room = f.rank_of && f.distrusted && p->rank && p->first_member && p->member;
	if (room) {
		memset(p->first_member, 0xff, n * sizeof *p->first_member);
		for (uint32_t i = 0; i < n; i++) {
			const struct comm_info *comm = &t->comms[type_of(t, p->times->held[i].event)->comm];

			if (p->first_member[i] == NO_MEMBERS && comm->size > 1 && strcmp(comm->kind, "inter") != 0)
				take_instance(&f, i);
		}
		drop(&f);
	}
	mem_free(f.rank_of);
	mem_free(f.distrusted);
	return room ? ERR_OK : err_memory(e, "the collectives");
}
