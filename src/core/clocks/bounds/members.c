#include "bounds_int.h"

#include <math.h>
#include <string.h>

#include "core/base/mem.h"
#include "core/trace/remote.h"

struct member_finding {
	struct clock_points *p;
	const struct trace *trace;
	uint32_t *rank_of;   /* per process: in the communicator at hand */
	uint32_t *next;      /* per process: the entry after the last one that was looked for, as a rule the next one that is */
	uint32_t *entry;     /* of the instance at hand, as they come; room for one a process */
	uint32_t known;      /* that communicator, from 1 */
	bool *distrusted;    /* per communicator: some calls on it do not agree */
	uint32_t made;       /* of member[] */
	struct clock_spanning *spanning; /* the points'; NULL: the trace is whole */
};

static const struct coll_type *type_of(const struct trace *t, uint32_t event)
{
	return &t->colls[EVENT_INDEX(t->type[event])];
}

static void know_ranks(struct member_finding *f, uint32_t comm)
{
	const struct comm_info *info = &f->trace->comms[comm];

	for (uint32_t r = 0; f->known != comm + 1 && r < info->size; r++)
		f->rank_of[f->trace->comm_members[info->members + r]] = r;
	f->known = comm + 1;
}

/* Its rank, which know_ranks() has told. A damaged trace may have calls of processes that are not members. */
static bool is_member(const struct member_finding *f, const struct comm_info *comm, uint32_t process)
{
	uint32_t rank = f->rank_of[process];

	return rank < comm->size && f->trace->comm_members[comm->members + rank] == process;
}

static uint32_t held_entry(struct member_finding *f, uint32_t process, uint32_t event)
{
	const struct clock_times *c = f->p->times;
	uint32_t at = f->next[process];

	if (at >= c->held_count || c->held[at].event != event)
		at = clock_times_held(c, event);
	if (at != NO_ENTRY)
		f->next[process] = at + 1;
	return at;
}

/* The entries of all members in the instance that begins with an event: how many; 0: something is amiss. *first:
 * of their events. */
static uint32_t find_entries(struct member_finding *f, const struct comm_info *comm, uint32_t begun, uint32_t *first)
{
	const struct trace *t = f->trace;
	uint32_t event = begun, count = 0;

	*first = begun;
	do {
		uint32_t process, at;

		if (event == NO_EVENT || t->type[event] != t->type[begun] || count == comm->size || count == t->process_count)
			return 0;
		process = trace_process_of(t, event);
		at = is_member(f, comm, process) ? held_entry(f, process, event) : NO_ENTRY;
		if (at == NO_ENTRY)
			return 0;
		f->p->rank[at] = f->rank_of[process];
		f->entry[count++] = at;
		*first = event < *first ? event : *first;
		event = t->match[event];
	} while (event != begun);
	return count;
}

/* The instance that an entry is of: all of its members, or none. member[] has them by rank, or where some are
 * elsewhere as they come. False: no memory. */
static bool take_instance(struct member_finding *f, uint32_t entry)
{
	const struct trace *t = f->trace;
	struct clock_points *p = f->p;
	uint32_t begun = p->times->held[entry].event, comm = type_of(t, begun)->comm, first, count;
	const struct comm_info *info = &t->comms[comm];
	const struct remote_instance *spans;

	know_ranks(f, comm);
	count = find_entries(f, info, begun, &first);
	spans = count && f->spanning ? remote_instance(t, first) : NULL;
	if (!count || (count != info->size && !spans)) {
		f->distrusted[comm] = true;
		return true;
	}
	for (uint32_t i = 0; i < count; i++) {
		uint32_t at = f->entry[i];

		p->first_member[at] = f->made;
		p->member[f->made + (spans ? i : p->rank[at])] = at;
		if (!spans)
			p->stamps[f->made + p->rank[at]] = (struct clock_stamps){t->time[p->times->held[at].event], p->times->held[at].time};
	}
	f->made += count;
	return !spans || clock_spanning_add(f->spanning, spans, f->made - count, count);
}

/* What holds nobody after all: on a communicator that is not trusted, or where some member gave nothing. */
static void members_drop(struct member_finding *f)
{
	struct clock_points *p = f->p;
	const struct clock_times *c = p->times;

	for (uint32_t i = 0; i < c->held_count; i++) {
		uint32_t first = p->first_member[i], comm = type_of(f->trace, c->held[i].event)->comm;

		if (first == NO_MEMBERS || !(f->distrusted[comm] || isnan(c->held[i].time)))
			continue;
		if (f->spanning && f->spanning->of[i] != NO_MEMBERS)
			continue; /* that has been done */
		for (uint32_t r = 0; r < f->trace->comms[comm].size; r++)
			p->first_member[p->member[first + r]] = NO_MEMBERS;
	}
}

static bool take_instances(struct member_finding *f)
{
	const struct trace *t = f->trace;
	const struct clock_points *p = f->p;
	bool done = true;

	for (uint32_t i = 0; done && i < p->times->held_count; i++) {
		const struct comm_info *comm = &t->comms[type_of(t, p->times->held[i].event)->comm];

		if (p->first_member[i] == NO_MEMBERS && comm->size > 1 && strcmp(comm->kind, "inter") != 0)
			done = take_instance(f, i);
	}
	return done;
}

static bool members_make_room(struct member_finding *f)
{
	struct clock_points *p = f->p;
	uint32_t n = p->times->held_count;

	f->rank_of = mem_zero(f->trace->process_count, sizeof *f->rank_of);
	f->distrusted = mem_zero(f->trace->comm_count, sizeof *f->distrusted);
	p->rank = mem_alloc(n, sizeof *p->rank);
	p->first_member = mem_alloc(n, sizeof *p->first_member);
	p->member = mem_zero(n, sizeof *p->member);
	p->stamps = mem_alloc(n, sizeof *p->stamps);
	f->next = mem_zero(f->trace->process_count, sizeof *f->next);
	f->entry = mem_alloc(f->trace->process_count, sizeof *f->entry);
	if (!f->rank_of || !f->distrusted || !f->next || !f->entry || !p->rank || !p->first_member || !p->member || !p->stamps)
		return false;
	memset(p->first_member, 0xff, n * sizeof *p->first_member);
	return true;
}

/* The members that are here; with a team, what of them is elsewhere. */
static enum err_code members_find(struct member_finding *f, struct err *e)
{
	const struct team *team = trace_team(f->trace);
	enum err_code code = members_make_room(f) ? ERR_OK : err_memory(e, "the collectives");

	if (!code && team) {
		f->spanning = f->p->spanning = clock_spanning_new(f->p, e);
		code = f->spanning ? ERR_OK : e->code;
	}
	if (!code && !take_instances(f))
		code = err_memory(e, "the collectives");
	if (!team)
		return code;
	return code ? team_agree(team, code, e) : clock_spanning_exchange(f->spanning, team, f->distrusted, e);
}

enum err_code clock_members_find(struct clock_points *p, struct err *e)
{
	struct member_finding f = {.p = p, .trace = p->times->trace};
	enum err_code code = members_find(&f, e);

	if (!code)
		members_drop(&f);
	mem_free(f.rank_of);
	mem_free(f.distrusted);
	mem_free(f.next);
	mem_free(f.entry);
	return code;
}
