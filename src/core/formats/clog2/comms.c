#include "comms.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/map.h"
#include "core/base/order.h"
#include "core/base/search.h"

enum err_code comms_init(struct comms *comms, struct err *e)
{
	*comms = (struct comms){0};
	comms->names = map_new();
	comms->members = map_new();
	comms->gids = map_new();
	comms->inter = map_new();
	comms->owners = map_new();
	comms->named = map_new();
	if (comms->names && comms->members && comms->gids && comms->inter && comms->owners && comms->named)
		return ERR_OK;
	comms_release(comms);
	return err_memory(e, "the communicators");
}

void comms_release(struct comms *comms)
{
	for (uint32_t i = 0; i < comms->count; i++)
		mem_free(comms->list[i].dense);
	mem_free(comms->list);
	map_free(comms->names);
	map_free(comms->members);
	map_free(comms->gids);
	map_free(comms->inter);
	map_free(comms->owners);
	map_free(comms->named);
	mem_free(comms->doubts);
	mem_free(comms->first_name);
	mem_free(comms->worlds);
	mem_free(comms->world_comm);
	*comms = (struct comms){0};
}

static uint32_t process_number(const struct comms *comms, uint64_t key)
{
	return SEARCH_PAST(i, 0, comms->process_count, comms->worlds[i] < key);
}

static enum err_code make_dense(struct comms *comms, struct err *e)
{
	size_t i = 0;
	uint64_t comm, rank;
	uint32_t process;

	for (uint32_t k = 0; k < comms->count; k++) {
		struct comm_entry *entry = &comms->list[k];

		if (entry->highest < 0 || (uint64_t)entry->highest > 4 * (uint64_t)entry->members + 64)
			continue;
		entry->dense = mem_alloc((size_t)entry->highest + 1, sizeof *entry->dense);
		if (!entry->dense)
			return err_memory(e, "the communicators");
		memset(entry->dense, 0xff, ((size_t)entry->highest + 1) * sizeof *entry->dense);
	}
	while (map_each(comms->members, &i, &comm, &rank, &process))
		if (process && comms->list[comm].dense)
			comms->list[comm].dense[rank] = process - 1;
	comms->first_name_count = comms->count;
	comms->first_name = mem_alloc(comms->count, sizeof *comms->first_name);
	if (!comms->first_name)
		return err_memory(e, "the communicators");
	for (uint32_t k = 0; k < comms->count; k++)
		comms->first_name[k] = map_get(comms->names, comms_name_key(0, (int32_t)k), 0) - 1;
	return ERR_OK;
}

/* Members and highest ranks of those that are left (comms_limit()), and their processes behind each other in `to`. */
static size_t count_members(struct comms *comms, uint64_t *to)
{
	uint64_t comm, rank;
	uint32_t index;
	size_t n = 0;

	for (uint32_t k = 0; k < comms->count; k++) {
		comms->list[k].members = 0;
		comms->list[k].highest = -1;
	}
	for (size_t i = 0; map_each(comms->members, &i, &comm, &rank, &index);) {
		if (!index)
			continue;
		to[n++] = comms->worlds[index - 1];
		comms->list[comm].members++;
		if ((int32_t)rank > comms->list[comm].highest)
			comms->list[comm].highest = (int32_t)rank;
	}
	return n;
}

enum err_code comms_finish(struct comms *comms, uint32_t world_size, struct err *e)
{
	uint64_t *unsorted = comms->worlds, *sorted;
	uint32_t kept = 0;
	uint64_t key, rank;
	uint32_t index;
	size_t i = 0, n;

	if (comms->memory_failed)
		return err_memory(e, "the communicators");
	sorted = mem_alloc((size_t)comms->process_count + world_size, sizeof *sorted);
	if (!sorted)
		return err_memory(e, "the processes");
	n = count_members(comms, sorted);
	for (uint32_t k = 0; k < world_size; k++)
		sorted[n++] = k;
	SORT(sorted, n, order_u64);
	for (size_t k = 0; k < n; k++)
		if (!kept || sorted[k] != sorted[kept - 1])
			sorted[kept++] = sorted[k];
	comms->worlds = sorted;
	comms->process_count = kept;
	while (map_each(comms->members, &i, &key, &rank, &index))
		if (index)
			*map_at(comms->members, key, rank) = process_number(comms, unsorted[index - 1]) + 1;
	mem_free(unsorted);
	return make_dense(comms, e);
}

void comms_find_alone(struct comms *comms, bool complete)
{
	for (uint32_t k = 0; k < comms->count; k++) {
		struct comm_entry *entry = &comms->list[k];
		bool world = !strcmp(entry->kind, "world");

		if (!strcmp(entry->kind, "self"))
			entry->alone = true;
		else if (world && comms->world_count <= 1)
			entry->alone = comms->process_count == 1;
		else
			entry->alone = complete && entry->members == 1;
	}
}

int32_t comms_local_side(const struct comms *comms, const struct clog2_file *file, int32_t icomm)
{
	if (file->finalized || !map_get(comms->inter, comms_name_key((uint32_t)file->file_index, icomm), 0))
		return icomm;
	return icomm + 1;
}

int32_t comms_partner_icomm(const struct comms *comms, const struct clog2_file *file, int32_t header_icomm,
			    int32_t msg_icomm)
{
	if (file->finalized || msg_icomm != CLOG2_NULL_COMM)
		return msg_icomm;
	if (map_get(comms->inter, comms_name_key((uint32_t)file->file_index, header_icomm), 0))
		return header_icomm + 2;
	return header_icomm;
}

uint32_t comms_find_slow(const struct comms *comms, uint32_t file, int32_t icomm)
{
	return map_get(comms->names, comms_name_key(file, icomm), 0) - 1;
}

uint32_t comms_process_slow(const struct comms *comms, uint32_t comm, int32_t rank)
{
	return map_get(comms->members, comm, (uint32_t)rank) - 1;
}
