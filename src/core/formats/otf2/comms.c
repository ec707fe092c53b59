#include "load.h"

#include <stdlib.h>

#include "core/base/order.h"

/* Members of intercommunicators, and communicators of MPI_COMM_SELF, are listed more than once: at most as many times
 * this as are defined. */
#define OFTEN 64

static void number_ranks(struct otf_comms *comms, const struct otf_world *world, struct notes *notes)
{
	const struct otf_defs *defs = comms->defs;

	for (size_t i = 0; i < defs->members_count; i++)
		comms->ranks[i] = NO_PROCESS;
	for (uint32_t g = 0; g < defs->group_count; g++) {
		const struct otf_group *group = &defs->groups[g];

		if (group->paradigm != OTF2_PARADIGM_MPI || group->type == OTF2_GROUP_TYPE_COMM_SELF || !world->mpi)
			continue;
		for (uint32_t i = 0; i < group->count; i++) {
			uint64_t rank = g == defs->world ? i : defs->members[group->first + i];

			if (group->type != OTF2_GROUP_TYPE_COMM_GROUP && g != defs->world)
				continue;
			if (rank < world->process_count)
				comms->ranks[group->first + i] = (uint32_t)rank;
			else
				notes_add(notes, NOTE_BAD_COMM, NOTE_NOWHERE,
					  "rank %u of a communicator is rank %llu of MPI_COMM_WORLD, which has "
					  	"%u", i, (unsigned long long)rank,
					  world->process_count);
		}
	}
	for (uint32_t p = 0; p < world->process_count; p++)
		comms->ranks[defs->members_count + p] = p;
}

static bool look_at_group(const struct otf_defs *defs, uint32_t ref, size_t *first, uint32_t *count, bool *self)
{
	uint32_t at = otf_refs_get(&defs->group_at, ref);

	if (at == OTF2_NOWHERE || defs->groups[at].paradigm != OTF2_PARADIGM_MPI)
		return false;
	*first = defs->groups[at].first;
	*count = defs->groups[at].count;
	*self = defs->groups[at].type == OTF2_GROUP_TYPE_COMM_SELF;
	return true;
}

static bool has_all(const struct otf_comms *comms, const struct otf_comm_entry *entry, uint32_t processes)
{
	if (entry->inter || entry->self || entry->count != processes)
		return false;
	for (uint32_t i = 0; i < processes; i++)
		if (comms->ranks[entry->ranks + i] != i)
			return false;
	return true;
}

/* Definitions in order of reference. */
struct comm_order {
	uint32_t ref, place;
};

ORDER_BY(compare_order, struct comm_order, UP(ref))

/* Which definitions are communicators, and what of. */
static struct comm_order *look_at_all(struct otf_comms *comms, uint32_t processes, uint32_t *count, uint32_t *world)
{
	const struct otf_defs *defs = comms->defs;
	struct comm_order *order = mem_alloc(defs->comm_count, sizeof *order);

	*count = 0;
	*world = OTF2_NOWHERE;
	for (uint32_t i = 0; order && i < defs->comm_count; i++) {
		const struct otf_comm *def = &defs->comms[i];
		struct otf_comm_entry *entry = &comms->list[i];
		bool self = false;

		*entry = (struct otf_comm_entry){.comm = NO_COMM, .inter = def->inter};
		if (otf_refs_get(&defs->comm_at, def->ref) != i || !look_at_group(defs, def->group, &entry->ranks, &entry->count, &entry->self) ||
		    (def->inter && (entry->self || !look_at_group(defs, def->other, &entry->others, &entry->other_count, &self) || self)))
			continue;
		order[(*count)++] = (struct comm_order){def->ref, i};
	}
	if (order && *count)
		SORT(order, *count, compare_order);
	for (uint32_t i = 0; order && i < *count && *world == OTF2_NOWHERE; i++)
		if (has_all(comms, &comms->list[order[i].place], processes))
			*world = order[i].place;
	return order;
}

static void add_ranks(struct trace *t, struct comm_info *comm, const uint32_t *ranks, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++)
		if (ranks[i] != NO_PROCESS)
			t->comm_members[comm->members + comm->size++] = ranks[i];
}

/* Where the members of groups lie in trace->comm_members: all processes, each group's, then those of
 * intercommunicators. */
struct laid_out {
	uint32_t *first, *size; /* per group */
	uint32_t next;
};

static bool comms_lay_out(struct laid_out *out, struct trace *t, const struct otf_comms *comms)
{
	const struct otf_defs *defs = comms->defs;

	out->first = mem_alloc(defs->group_count, sizeof *out->first);
	out->size = mem_alloc(defs->group_count, sizeof *out->size);
	if (!out->first || !out->size)
		return false;
	for (uint32_t p = 0; p < t->process_count; p++)
		t->comm_members[p] = p;
	out->next = t->process_count;
	for (uint32_t g = 0; g < defs->group_count; g++) {
		struct comm_info all = {.members = out->next};

		add_ranks(t, &all, comms->ranks + defs->groups[g].first, defs->groups[g].count);
		out->first[g] = all.members;
		out->size[g] = all.size;
		out->next += all.size;
	}
	return true;
}

/* Those of a definition; MPI_COMM_SELF has one for each process. */
static void define_entry(struct trace *t, const struct otf_comms *comms, struct laid_out *out, uint32_t place, const char *kind)
{
	const struct otf_comm *def = &comms->defs->comms[place];
	struct otf_comm_entry *entry = &comms->list[place];
	struct comm_info comm = {.number = (int32_t)def->ref, .kind = kind};
	uint32_t group = otf_refs_get(&comms->defs->group_at, def->group);

	entry->comm = t->comm_count;
	if (entry->self) {
		comm.size = 1;
		for (uint32_t p = 0; p < t->process_count; p++) {
			comm.members = p;
			t->comms[t->comm_count++] = comm;
		}
		return;
	}
	comm.members = out->first[group];
	comm.size = out->size[group];
	if (entry->inter) {
		comm.members = out->next;
		comm.size = 0;
		add_ranks(t, &comm, comms->ranks + entry->ranks, entry->count);
		add_ranks(t, &comm, comms->ranks + entry->others, entry->other_count);
		out->next += comm.size;
	}
	t->comms[t->comm_count++] = comm;
}

/* Numbers that a file can make large though it is small have a limit. */
static enum err_code count_all(const struct otf_comms *comms, uint32_t processes, const struct comm_order *order, uint32_t n, uint64_t *count,
			       uint64_t *members, struct err *e)
{
	const struct otf_defs *defs = comms->defs;
	uint64_t limit = ((uint64_t)defs->members_count + processes + defs->comm_count) * OFTEN;

	*members = (uint64_t)processes + defs->members_count;
	*count = 1;
	for (uint32_t i = 0; i < n; i++) {
		const struct otf_comm_entry *entry = &comms->list[order[i].place];

		*count += entry->self ? processes : 1;
		*members += entry->inter ? (uint64_t)entry->count + entry->other_count : 0;
	}
	if (*count > limit || *members > limit + processes + defs->members_count || *count >= NO_COMM || *members >= UINT32_MAX)
		return err_set(e, ERR_LIMIT, "the archive defines %llu communicators with %llu members, which is "
			       "implausible",
			       (unsigned long long)*count, (unsigned long long)*members);
	return ERR_OK;
}

static enum err_code comms_define(struct otf_comms *comms, struct maker *maker, struct err *e)
{
	struct trace *t = maker->trace;
	uint32_t n, world;
	uint64_t count = 0, members = 0;
	struct comm_order *order = look_at_all(comms, t->process_count, &n, &world);
	struct laid_out out = {0};
	enum err_code code = order ? count_all(comms, t->process_count, order, n, &count, &members, e) : err_memory(e, "the communicators");

	if (!code)
		code = make_comms(maker, (uint32_t)count, members, e);
	if (!code && !comms_lay_out(&out, t, comms))
		code = err_memory(e, "the communicators");
	if (!code) {
		t->comm_count = 0;
		if (world == OTF2_NOWHERE)
			t->comms[t->comm_count++] = (struct comm_info){.number = -1, .kind = "world", .size = t->process_count};
		for (uint32_t i = 0; i < n; i++) {
			const struct otf_comm_entry *entry = &comms->list[order[i].place];

			if (order[i].place == world)
				comms->world = t->comm_count;
			define_entry(t, comms, &out, order[i].place,
				   order[i].place == world ? "world" : entry->self ? "self" : entry->inter ? "inter" : "intra");
		}
	}
	mem_free(out.first);
	mem_free(out.size);
	mem_free(order);
	return code;
}

enum err_code otf_comms_init(struct otf_comms *comms, const struct otf_world *world, const struct otf_defs *defs,
			      struct maker *maker, struct err *e)
{
	*comms = (struct otf_comms){.defs = defs};
	comms->list = mem_zero(defs->comm_count, sizeof *comms->list);
	comms->ranks = mem_alloc(defs->members_count + world->process_count, sizeof *comms->ranks);
	if (!comms->list || !comms->ranks)
		return err_memory(e, "the communicators");
	number_ranks(comms, world, &maker->trace->notes);
	return comms_define(comms, maker, e);
}

void otf_comms_release(struct otf_comms *comms)
{
	mem_free(comms->list);
	mem_free(comms->ranks);
}

static bool is_member(const uint32_t *ranks, uint32_t count, uint32_t process)
{
	for (uint32_t i = 0; i < count; i++)
		if (ranks[i] == process)
			return true;
	return false;
}

struct otf_comm_view otf_comms_view(const struct otf_comms *comms, uint32_t ref, uint32_t process)
{
	const struct otf_comm_entry *entry = otf_comms_find(comms, ref);
	const uint32_t *ranks, *others;

	if (!entry)
		return (struct otf_comm_view){.comm = NO_COMM};
	if (entry->self)
		return (struct otf_comm_view){entry->comm + process, comms->ranks + comms->defs->members_count + process, 1, 1};
	ranks = comms->ranks + entry->ranks;
	others = comms->ranks + entry->others;
	if (entry->inter && is_member(ranks, entry->count, process))
		return (struct otf_comm_view){entry->comm, others, entry->other_count, entry->count + entry->other_count};
	return (struct otf_comm_view){entry->comm, ranks, entry->count, entry->count + entry->other_count};
}
