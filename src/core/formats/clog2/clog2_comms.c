#include "clog2_comms.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/map.h"

enum err_code comms_init(struct comms *c, struct err *e)
{
	*c = (struct comms){0};
	c->names = map_new();
	c->members = map_new();
	c->gids = map_new();
	c->inter = map_new();
	c->owners = map_new();
	c->named = map_new();
	if (c->names && c->members && c->gids && c->inter && c->owners && c->named)
		return ERR_OK;
	comms_release(c);
	return err_memory(e, "the communicators");
}

void comms_release(struct comms *c)
{
	for (uint32_t i = 0; i < c->count; i++)
		mem_free(c->list[i].dense);
	mem_free(c->list);
	map_free(c->names);
	map_free(c->members);
	map_free(c->gids);
	map_free(c->inter);
	map_free(c->owners);
	map_free(c->named);
	mem_free(c->doubts);
	mem_free(c->first_name);
	mem_free(c->worlds);
	mem_free(c->world_comm);
	*c = (struct comms){0};
}

static int compare_u64(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return x < y ? -1 : x > y;
}

static uint32_t process_number(const struct comms *c, uint64_t key)
{
	uint32_t low = 0, high = c->process_count;

	while (low < high) {
		uint32_t mid = low + (high - low) / 2;

		if (c->worlds[mid] < key)
			low = mid + 1;
		else
			high = mid;
	}
	return low;
}

static enum err_code make_dense(struct comms *c, struct err *e)
{
	size_t i = 0;
	uint64_t comm, rank;
	uint32_t process;

	for (uint32_t k = 0; k < c->count; k++) {
		struct comm_entry *x = &c->list[k];

		if (x->highest < 0 || (uint64_t)x->highest > 4 * (uint64_t)x->members + 64)
			continue;
		x->dense = mem_alloc((size_t)x->highest + 1, sizeof *x->dense);
		if (!x->dense)
			return err_memory(e, "the communicators");
		memset(x->dense, 0xff, ((size_t)x->highest + 1) * sizeof *x->dense);
	}
	while (map_each(c->members, &i, &comm, &rank, &process))
		if (process && c->list[comm].dense)
			c->list[comm].dense[rank] = process - 1;
	c->first_name_count = c->count;
	c->first_name = mem_alloc(c->count, sizeof *c->first_name);
	if (!c->first_name)
		return err_memory(e, "the communicators");
	for (uint32_t k = 0; k < c->count; k++)
		c->first_name[k] = map_get(c->names, comms_name_key(0, (int32_t)k), 0) - 1;
	return ERR_OK;
}

/* Members and highest ranks of those that are left (comms_limit()), and their processes behind each other in `to`. */
static size_t count_members(struct comms *c, uint64_t *to)
{
	uint64_t comm, rank;
	uint32_t index;
	size_t n = 0;

	for (uint32_t k = 0; k < c->count; k++) {
		c->list[k].members = 0;
		c->list[k].highest = -1;
	}
	for (size_t i = 0; map_each(c->members, &i, &comm, &rank, &index);) {
		if (!index)
			continue;
		to[n++] = c->worlds[index - 1];
		c->list[comm].members++;
		if ((int32_t)rank > c->list[comm].highest)
			c->list[comm].highest = (int32_t)rank;
	}
	return n;
}

enum err_code comms_finish(struct comms *c, uint32_t world_size, struct err *e)
{
	uint64_t *unsorted = c->worlds, *sorted;
	uint32_t kept = 0;
	uint64_t key, rank;
	uint32_t index;
	size_t i = 0, n;

	if (c->memory_failed)
		return err_memory(e, "the communicators");
	sorted = mem_alloc((size_t)c->process_count + world_size, sizeof *sorted);
	if (!sorted)
		return err_memory(e, "the processes");
	n = count_members(c, sorted);
	for (uint32_t k = 0; k < world_size; k++)
		sorted[n++] = k;
	if (n)
		qsort(sorted, n, sizeof *sorted, compare_u64);
	for (size_t k = 0; k < n; k++)
		if (!kept || sorted[k] != sorted[kept - 1])
			sorted[kept++] = sorted[k];
	c->worlds = sorted;
	c->process_count = kept;
	while (map_each(c->members, &i, &key, &rank, &index))
		if (index)
			*map_at(c->members, key, rank) = process_number(c, unsorted[index - 1]) + 1;
	mem_free(unsorted);
	return make_dense(c, e);
}

void comms_find_alone(struct comms *c, bool complete)
{
	for (uint32_t k = 0; k < c->count; k++) {
		struct comm_entry *x = &c->list[k];
		bool world = !strcmp(x->kind, "world");

		x->alone = !strcmp(x->kind, "self") || (world && c->world_count <= 1 ? c->process_count == 1
								   : complete && x->members == 1);
	}
}

int32_t comms_local_side(const struct comms *c, const struct clog2_file *f, int32_t icomm)
{
	if (f->finalized || !map_get(c->inter, comms_name_key((uint32_t)f->file_index, icomm), 0))
		return icomm;
	return icomm + 1;
}

int32_t comms_partner_icomm(const struct comms *c, const struct clog2_file *f, int32_t header_icomm, int32_t msg_icomm)
{
	if (f->finalized || msg_icomm != CLOG2_NULL_COMM)
		return msg_icomm;
	if (map_get(c->inter, comms_name_key((uint32_t)f->file_index, header_icomm), 0))
		return header_icomm + 2;
	return header_icomm;
}

uint32_t comms_find_slow(const struct comms *c, uint32_t file, int32_t icomm)
{
	return map_get(c->names, comms_name_key(file, icomm), 0) - 1;
}

uint32_t comms_process_slow(const struct comms *c, uint32_t comm, int32_t rank)
{
	return map_get(c->members, comm, (uint32_t)rank) - 1;
}
