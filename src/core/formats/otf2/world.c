#include "otf2_int.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/order.h"

#define TREE_DEEPEST 64

/* The ranks of the world group's members; *process_of: per location group. */
static void rank_groups(struct otf_world *world, const struct otf_defs *defs, uint32_t *process_of, struct notes *notes)
{
	const struct otf_group *members = &defs->groups[defs->world];

	for (uint32_t rank = 0; rank < world->process_count; rank++) {
		uint64_t id = defs->members[members->first + rank];
		uint32_t at = otf_refs_get(&defs->location_at, id), group = OTF2_NOWHERE;

		world->group[rank] = OTF2_NOWHERE;
		if (at != OTF2_NOWHERE)
			group = otf_refs_get(&defs->location_group_at, defs->locations[at].group);
		if (group == OTF2_NOWHERE) {
			notes_add(notes, NOTE_BAD_COMM, NOTE_NOWHERE, "rank %u is location %" PRIu64 ", which "
				  "%s", rank, id,
				  at == OTF2_NOWHERE ? "is not defined" : "is in no defined group");
			continue;
		}
		if (process_of[group] != OTF2_NOWHERE) {
			notes_add(notes, NOTE_BAD_COMM, NOTE_NOWHERE, "location %" PRIu64 " of rank %u is of the process of rank "
				  "%u", id, rank,
				  process_of[group]);
			continue;
		}
		process_of[group] = rank;
		world->group[rank] = group;
	}
}

static void number_groups(struct otf_world *world, const struct otf_defs *defs, uint32_t *process_of)
{
	uint32_t next = 0;

	for (uint32_t g = 0; g < defs->location_group_count; g++)
		if (defs->location_groups[g].type == OTF2_LOCATION_GROUP_TYPE_PROCESS) {
			world->group[next] = g;
			process_of[g] = next++;
		}
}

ORDER_BY(compare_threads, struct otf_thread, UP(process) UP(location))

static void list_threads(struct otf_world *world, const struct otf_defs *defs, const uint32_t *process_of)
{
	for (uint32_t i = 0; i < defs->location_count; i++) {
		const struct otf_location *location = &defs->locations[i];
		uint32_t group = otf_refs_get(&defs->location_group_at, location->group);
		uint32_t process = group == OTF2_NOWHERE ? OTF2_NOWHERE : process_of[group];

		if (location->type == OTF2_LOCATION_TYPE_ACCELERATOR_STREAM)
			world->other_locations[0]++;
		else if (location->type == OTF2_LOCATION_TYPE_METRIC)
			world->other_locations[1]++;
		else if (location->type != OTF2_LOCATION_TYPE_CPU_THREAD || process == OTF2_NOWHERE)
			world->other_locations[2]++;
		else
			world->threads[world->thread_count++] =
				(struct otf_thread){.location = location->id, .expected = location->events, .process = process};
	}
	SORT(world->threads, world->thread_count, compare_threads);
	for (uint32_t p = 0, at = 0; p < world->process_count; p++) {
		world->first[p] = at;
		for (; at < world->thread_count && world->threads[at].process == p; at++)
			world->threads[at].thread = (int32_t)(at - world->first[p]);
		world->first[p + 1] = at;
	}
}

static uint32_t count_processes(const struct otf_defs *defs)
{
	uint32_t n = 0;

	if (defs->world != OTF2_NOWHERE)
		return defs->groups[defs->world].count;
	for (uint32_t g = 0; g < defs->location_group_count; g++)
		n += defs->location_groups[g].type == OTF2_LOCATION_GROUP_TYPE_PROCESS;
	return n;
}

enum err_code otf_world_init(struct otf_world *world, const struct otf_defs *defs, struct notes *notes, struct err *e)
{
	uint32_t *process_of = mem_alloc(defs->location_group_count, sizeof *process_of), n = count_processes(defs);

	*world = (struct otf_world){.process_count = n, .mpi = defs->world != OTF2_NOWHERE};
	world->threads = mem_alloc(defs->location_count, sizeof *world->threads);
	world->first = mem_zero((size_t)n + 1, sizeof *world->first);
	world->group = mem_alloc(n, sizeof *world->group);
	if (!process_of || !world->threads || !world->first || !world->group) {
		mem_free(process_of);
		return err_memory(e, "the processes");
	}
	for (uint32_t g = 0; g < defs->location_group_count; g++)
		process_of[g] = OTF2_NOWHERE;
	if (world->mpi)
		rank_groups(world, defs, process_of, notes);
	else
		number_groups(world, defs, process_of);
	list_threads(world, defs, process_of);
	mem_free(process_of);
	return ERR_OK;
}

void otf_world_release(struct otf_world *world)
{
	mem_free(world->threads);
	mem_free(world->first);
	mem_free(world->group);
}

const char *otf_world_host(const struct otf_world *world, const struct otf_defs *defs, uint32_t process)
{
	uint32_t ref;

	if (world->group[process] == OTF2_NOWHERE)
		return "";
	ref = defs->location_groups[world->group[process]].node;
	for (int depth = 0; depth < TREE_DEEPEST; depth++) {
		uint32_t at = otf_refs_get(&defs->node_at, ref);

		if (at == OTF2_NOWHERE)
			return "";
		if (!strcmp(otf_defs_string(defs, defs->nodes[at].kind), "node"))
			return otf_defs_string(defs, defs->nodes[at].name);
		ref = defs->nodes[at].parent;
	}
	return "";
}
