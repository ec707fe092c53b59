#include "clog2_int.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/map.h"
#include "core/base/mem.h"
#include "core/base/order.h"

#define NONE UINT32_MAX

/* ---- numbers ---- */

static bool is_kind(const struct trace *t, uint32_t comm, const char *kind)
{
	return !strcmp(t->comms[comm].kind, kind) && t->comms[comm].size;
}

static uint32_t first_member(const struct trace *t, uint32_t comm)
{
	return t->comm_members[t->comms[comm].members];
}

/* A communicator is the world of its members, or the self of one, if it is the first one of that kind. */
static void number_own(struct convert_comms *c, bool *world_seen, bool *self_seen)
{
	const struct trace *t = c->trace;

	for (uint32_t i = 0; i < t->comm_count; i++) {
		uint32_t p;

		c->number[i] = -1;
		if (!is_kind(t, i, "world") && !is_kind(t, i, "self"))
			continue;
		p = first_member(t, i);
		if (p >= t->process_count)
			continue;
		if (is_kind(t, i, "world") && !world_seen[t->processes[p].world]) {
			world_seen[t->processes[p].world] = true;
			c->number[i] = (int32_t)t->processes[p].world;
		} else if (is_kind(t, i, "self") && !self_seen[p]) {
			self_seen[p] = true;
			c->number[i] = (int32_t)(c->world_count + p);
		}
	}
}

struct use {
	double time;
	uint32_t comm;
	bool used;
};

static int by_use(const void *a, const void *b)
{
	const struct use *x = a, *y = b;

	if (x->used != y->used)
		return y->used - x->used;
	if (x->used && x->time != y->time)
		return x->time < y->time ? -1 : 1;
	return (x->comm > y->comm) - (x->comm < y->comm);
}

static void number_others(struct convert_comms *c, struct use *uses)
{
	const struct trace *t = c->trace;
	uint32_t n = 0;

	for (uint32_t i = 0; i < t->comm_count; i++)
		uses[i] = (struct use){.comm = i};
	for (uint32_t event = 0; event < t->event_count; event++) {
		uint32_t comm = trace_comm(t, event);

		if (comm >= t->comm_count)
			continue;
		if (!uses[comm].used || t->time[event] < uses[comm].time)
			uses[comm].time = t->time[event];
		uses[comm].used = true;
	}
	for (uint32_t i = 0; i < t->comm_count; i++)
		if (c->number[i] < 0)
			uses[n++] = uses[i];
	SORT(uses, n, by_use);
	for (uint32_t k = 0; k < n; k++) {
		c->number[uses[k].comm] = (int32_t)(c->world_count + t->process_count + k);
		c->by_number[k] = uses[k].comm;
	}
	c->other_count = n;
}

static bool number_all(struct convert_comms *c)
{
	const struct trace *t = c->trace;
	bool *seen = mem_zero((size_t)c->world_count + t->process_count, sizeof *seen);
	struct use *uses = mem_alloc(t->comm_count, sizeof *uses);
	bool done = seen && uses;

	if (done) {
		number_own(c, seen, seen + c->world_count);
		number_others(c, uses);
	}
	mem_free(seen);
	mem_free(uses);
	return done;
}

static bool find_ranks(struct convert_comms *c)
{
	const struct trace *t = c->trace;

	for (uint32_t k = 0; k < c->other_count; k++) {
		const struct comm_info *comm = &t->comms[c->by_number[k]];

		for (uint32_t i = 0; i < comm->size; i++) {
			uint32_t *at = map_at(c->ranks, c->by_number[k], t->comm_members[comm->members + i]);

			if (!at)
				return false;
			if (!*at)
				*at = i + 1;
		}
	}
	return true;
}

enum err_code convert_comms_init(struct convert_comms *c, const struct trace *t, struct err *e)
{
	*c = (struct convert_comms){.trace = t, .world_count = 1};
	for (uint32_t p = 0; p < t->process_count; p++)
		if (t->processes[p].world >= c->world_count)
			c->world_count = t->processes[p].world + 1;
	c->number = mem_alloc(t->comm_count, sizeof *c->number);
	c->by_number = mem_alloc(t->comm_count, sizeof *c->by_number);
	c->ranks = map_new();
	if (!c->number || !c->by_number || !c->ranks || !number_all(c) || !find_ranks(c))
		return err_memory(e, "the communicators");
	return ERR_OK;
}

void convert_comms_release(struct convert_comms *c)
{
	mem_free(c->number);
	mem_free(c->by_number);
	map_free(c->ranks);
}

/* ---- members ---- */

struct convert_member convert_world(const struct convert_comms *c, uint32_t process)
{
	const struct process *p = &c->trace->processes[process];

	return (struct convert_member){(int32_t)p->world, p->world_rank};
}

struct convert_member convert_self(const struct convert_comms *c, uint32_t process)
{
	return (struct convert_member){(int32_t)(c->world_count + process), 0};
}

bool convert_member(const struct convert_comms *c, uint32_t comm, uint32_t process, struct convert_member *member)
{
	struct convert_member found;
	uint32_t number;

	if (comm >= c->trace->comm_count)
		return false;
	number = (uint32_t)c->number[comm];
	if (number < c->world_count)
		found = convert_world(c, process);
	else if (number < c->world_count + c->trace->process_count)
		found = convert_self(c, process);
	else
		found = (struct convert_member){(int32_t)number, (int32_t)map_get(c->ranks, comm, process) - 1};
	if ((uint32_t)found.icomm != number || found.rank < 0)
		return false;
	*member = found;
	return true;
}

int32_t convert_world_size(const struct convert_comms *c)
{
	int32_t most = 0;

	for (uint32_t p = 0; p < c->trace->process_count; p++)
		if (c->trace->processes[p].world_rank >= most)
			most = c->trace->processes[p].world_rank + 1;
	return most;
}

/* ---- records ---- */

static void put_u32(uint8_t *at, uint32_t v)
{
	for (int i = 0; i < 4; i++)
		at[i] = (uint8_t)(v >> (24 - 8 * i));
}

/* Made from its number; of a self with the host of its process. */
static struct clog2_gid gid_of(int32_t number, const char *host)
{
	struct clog2_gid gid = {.bytes = {0}};
	size_t n = host ? strlen(host) : 0;

	put_u32(gid.bytes, (uint32_t)number + 1);
	if (n)
		memcpy(gid.bytes + CLOG2_GID_HOST, host, n < sizeof gid.bytes - CLOG2_GID_HOST ? n : sizeof gid.bytes - CLOG2_GID_HOST);
	return gid;
}

static void write_one(const struct convert_comms *c, struct clog2_writer *writer, uint32_t process, int32_t etype,
		      struct convert_member member, const char *host)
{
	struct convert_member world = convert_world(c, process);
	struct clog2_head head = {c->trace->start, world.icomm, world.rank, 0};
	struct clog2_comm payload = {.etype = etype, .icomm = member.icomm, .rank = member.rank, .wrank = world.rank,
				     .gid = gid_of(member.icomm, host)};

	clog2_write_comm(writer, head, &payload);
}

/* For a communicator whose other members are not known, one is known to be there where it has collectives: a process of
 * which there are no records, if there is one. */
static uint32_t absent_member(const struct trace *t, const struct comm_info *comm)
{
	for (uint32_t p = 0; comm->size == 1 && comm->events && p < t->process_count; p++)
		if (!t->processes[p].records && p != t->comm_members[comm->members])
			return p;
	return NONE;
}

void convert_comms_write(const struct convert_comms *c, struct clog2_writer *writer)
{
	const struct trace *t = c->trace;

	for (uint32_t p = 0; p < t->process_count; p++)
		write_one(c, writer, p, 0, convert_world(c, p), NULL);
	for (uint32_t p = 0; p < t->process_count; p++)
		write_one(c, writer, p, 1, convert_self(c, p), t->processes[p].host);
	for (uint32_t k = 0; k < c->other_count; k++) {
		uint32_t comm = c->by_number[k], absent = absent_member(t, &t->comms[comm]);
		int32_t number = c->number[comm];

		for (uint32_t i = 0; i < t->comms[comm].size; i++) {
			uint32_t p = t->comm_members[t->comms[comm].members + i];

			if (p < t->process_count)
				write_one(c, writer, p, 100, (struct convert_member){number, (int32_t)i}, NULL);
		}
		if (absent != NONE)
			write_one(c, writer, absent, 100, (struct convert_member){number, 1}, NULL);
	}
}
