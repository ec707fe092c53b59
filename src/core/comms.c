#include "comms.h"

#include <stdlib.h>
#include <string.h>

#include "map.h"

/* What a COMMEVT says, by its etype. */
enum { COMM_WORLD = 0, COMM_SELF = 1, COMM_FREED = 10, COMM_INTRA = 100, COMM_LOCAL = 101, COMM_REMOTE = 102, COMM_INTER = 1000 };

enum err_code comms_init(struct comms *c, struct err *e)
{
	*c = (struct comms){0};
	c->names = map_new();
	c->members = map_new();
	c->gids = map_new();
	c->inter = map_new();
	c->owners = map_new();
	if (c->names && c->members && c->gids && c->inter && c->owners)
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
	mem_free(c->first_name);
	mem_free(c->worlds);
	mem_free(c->world_comm);
	*c = (struct comms){0};
}

static uint64_t name_key(uint32_t file, int32_t icomm)
{
	return (uint64_t)file << 32 | (uint32_t)icomm;
}

static uint32_t add_entry(struct comms *c, const struct clog2_gid *gid, int32_t icomm, const char *kind)
{
	struct comm_entry *list = mem_grow(c->list, c->count, &c->cap, sizeof *list);

	if (!list) {
		c->memory_failed = true;
		return NO_COMM;
	}
	c->list = list;
	list[c->count] = (struct comm_entry){.gid = *gid, .icomm = icomm, .kind = kind, .highest = -1};
	return c->count++;
}

/* The communicator that a record names, made where it is new. In a file of its own numbers the GID decides. */
static uint32_t name_comm(struct comms *c, const struct clog2_file *f, const struct clog2_comm *x, const char *kind,
			  struct note_place place, struct notes *notes)
{
	uint64_t words[4];
	uint32_t comm, *by_name, *by_gid;

	by_name = map_at(c->names, name_key((uint32_t)f->file_index, x->icomm), 0);
	if (!by_name) {
		c->memory_failed = true;
		return NO_COMM;
	}
	if (*by_name) {
		comm = *by_name - 1;
		if (memcmp(c->list[comm].gid.bytes, x->gid.bytes, sizeof x->gid.bytes) && f->finalized)
			notes_add(notes, NOTE_BAD_COMM, place, "communicator %d has two different identities", x->icomm);
		return comm;
	}
	if (f->finalized) {
		comm = add_entry(c, &x->gid, x->icomm, kind);
		if (comm != NO_COMM)
			*by_name = comm + 1;
		return comm;
	}
	memcpy(words, x->gid.bytes, sizeof words);
	by_gid = map_at(c->gids, words[0] ^ (words[1] * 0x9e3779b97f4a7c15u), words[2] ^ (words[3] * 0xff51afd7ed558ccdu));
	if (!by_gid) {
		c->memory_failed = true;
		return NO_COMM;
	}
	if (!*by_gid) {
		comm = add_entry(c, &x->gid, x->icomm, kind);
		if (comm == NO_COMM)
			return NO_COMM;
		*by_gid = comm + 1;
	}
	*by_name = *by_gid;
	return *by_gid - 1;
}

static void add_member(struct comms *c, uint32_t comm, int32_t rank, uint64_t process, struct note_place place,
		       struct notes *notes)
{
	/* Until comms_finish() the map holds an index into worlds[], which is then an unsorted list. */
	uint32_t *at = map_at(c->members, comm, (uint32_t)rank);

	if (!at) {
		c->memory_failed = true;
		return;
	}
	if (*at) {
		if (c->worlds[*at - 1] != process)
			notes_add(notes, NOTE_BAD_COMM, place, "rank %d of communicator %d is two processes, %u and %u", rank,
				  c->list[comm].icomm, (uint32_t)c->worlds[*at - 1], (uint32_t)process);
		return;
	}
	{
		uint64_t *worlds = mem_grow(c->worlds, c->process_count, &c->world_cap, sizeof *worlds);

		if (!worlds) {
			c->memory_failed = true;
			return;
		}
		c->worlds = worlds;
		worlds[c->process_count++] = process;
	}
	*at = c->process_count;
	c->list[comm].members++;
	if (rank > c->list[comm].highest)
		c->list[comm].highest = rank;
}

/* The process that logged a COMMEVT: in a joined file world ranks are not unique, so it is inherited from the
 * communicator in the record's header. */
static uint64_t logging_process(const struct comms *c, const struct clog2_file *f, const struct clog2_rec *r, int32_t wrank)
{
	uint32_t parent = map_get(c->names, name_key((uint32_t)f->file_index, r->icomm), 0);
	uint32_t member = parent ? map_get(c->members, parent - 1, (uint32_t)r->rank) : 0;
	uint64_t world = member ? c->worlds[member - 1] >> 32 : 0;

	return world << 32 | (uint32_t)wrank;
}

static uint64_t new_world(struct comms *c, uint32_t comm)
{
	uint32_t *list;

	if (c->list[comm].world)
		return c->list[comm].world - 1;
	list = mem_grow(c->world_comm, c->world_count, &c->world_comm_cap, sizeof *list);
	if (!list) {
		c->memory_failed = true;
		return 0;
	}
	c->world_comm = list;
	list[c->world_count] = comm;
	c->list[comm].world = ++c->world_count;
	return c->world_count - 1;
}

/* A local file is written by one process, which says at its beginning which one it is. */
static void add_owner(struct comms *c, uint32_t comm, int32_t rank, uint32_t file)
{
	uint32_t *at = map_at(c->owners, comm, (uint32_t)rank);

	if (!at) {
		c->memory_failed = true;
	} else if (!*at) {
		*at = file + 1;
	} else if (*at != file + 1 && !c->twice) {
		c->twice = true;
		c->twice_files[0] = *at - 1;
		c->twice_files[1] = file;
		c->twice_rank = rank;
	}
}

void comms_add(struct comms *c, const struct clog2_file *f, const struct clog2_rec *r, struct notes *notes)
{
	struct note_place place = {f->file_index, -1, (int64_t)((r->offset - CLOG2_PREAMBLE) / f->block_size),
				   (int64_t)r->offset, -1};
	struct clog2_comm x;
	uint32_t comm;

	if (f->header_size == 16) {
		/* No communicators: all are ranks of the world. */
		struct clog2_comm world = {.etype = COMM_WORLD, .icomm = 0, .rank = r->rank, .wrank = r->rank};

		x = world;
	} else {
		clog2_get_comm(f, r, &x);
	}
	switch (x.etype) {
	case COMM_WORLD:
	case COMM_SELF:
	case COMM_INTRA:
	case COMM_LOCAL:
	case COMM_INTER:
		if (x.rank < 0 || x.icomm == CLOG2_NULL_COMM)
			return; /* a process that is not in the new communicator */
		if (x.wrank < 0) {
			notes_add(notes, NOTE_BAD_COMM, place, "a member of communicator %d has world rank %d", x.icomm, x.wrank);
			return;
		}
		break;
	case COMM_REMOTE:
		/* Names the other side's communicator; its members log themselves. */
		if (!f->finalized)
			name_comm(c, f, &x, "intra", place, notes);
		return;
	default:
		return;
	}
	if (x.etype == COMM_INTER && !f->finalized) {
		uint32_t *at = map_at(c->inter, name_key((uint32_t)f->file_index, x.icomm), 0);

		if (at)
			*at = 1;
		else
			c->memory_failed = true;
	}
	comm = name_comm(c, f, &x,
			 x.etype == COMM_WORLD  ? "world"
			 : x.etype == COMM_SELF ? "self"
			 : x.etype == COMM_INTER ? "inter"
						 : "intra",
			 place, notes);
	if (comm == NO_COMM)
		return;
	if (x.etype == COMM_WORLD && !f->finalized)
		add_owner(c, comm, x.rank, (uint32_t)f->file_index);
	if (x.etype == COMM_WORLD)
		add_member(c, comm, x.rank, new_world(c, comm) << 32 | (uint32_t)x.wrank, place, notes);
	else
		add_member(c, comm, x.rank, logging_process(c, f, r, x.wrank), place, notes);
}

void comms_adopt(struct comms *c, const struct clog2_file *f, int32_t rank, struct notes *notes)
{
	struct clog2_comm x = {.etype = COMM_WORLD, .rank = rank, .wrank = rank};
	uint32_t comm = map_get(c->names, name_key((uint32_t)f->file_index, 0), 0);

	if (!comm && !f->finalized && c->world_count) {
		/* A local file whose first block is lost is of the same run as the others. */
		uint32_t *at = map_at(c->names, name_key((uint32_t)f->file_index, 0), 0);

		if (!at) {
			c->memory_failed = true;
			return;
		}
		*at = comm = c->world_comm[0] + 1;
	}
	if (comm && map_get(c->members, comm - 1, (uint32_t)rank))
		return;
	comm = comm ? comm - 1 : name_comm(c, f, &x, "world", NOTE_NOWHERE, notes);
	if (comm != NO_COMM)
		add_member(c, comm, rank, new_world(c, comm) << 32 | (uint32_t)rank, NOTE_NOWHERE, notes);
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
		if (c->list[comm].dense)
			c->list[comm].dense[rank] = process - 1;
	c->first_name_count = c->count;
	c->first_name = mem_alloc(c->count, sizeof *c->first_name);
	if (!c->first_name)
		return err_memory(e, "the communicators");
	for (uint32_t k = 0; k < c->count; k++)
		c->first_name[k] = map_get(c->names, name_key(0, (int32_t)k), 0) - 1;
	return ERR_OK;
}

enum err_code comms_finish(struct comms *c, uint32_t world_size, struct err *e)
{
	uint64_t *unsorted = c->worlds;
	uint32_t unsorted_count = c->process_count, kept = 0;
	uint64_t key, rank;
	uint32_t index;
	size_t i = 0;

	if (c->memory_failed)
		return err_memory(e, "the communicators");
	c->worlds = mem_alloc((size_t)unsorted_count + world_size, sizeof *c->worlds);
	if (!c->worlds) {
		mem_free(unsorted);
		c->process_count = 0;
		return err_memory(e, "the processes");
	}
	if (unsorted_count)
		memcpy(c->worlds, unsorted, unsorted_count * sizeof *unsorted);
	for (uint32_t k = 0; k < world_size; k++)
		c->worlds[unsorted_count + k] = k;
	qsort(c->worlds, (size_t)unsorted_count + world_size, sizeof *c->worlds, compare_u64);
	for (uint64_t k = 0; k < (uint64_t)unsorted_count + world_size; k++)
		if (!kept || c->worlds[k] != c->worlds[kept - 1])
			c->worlds[kept++] = c->worlds[k];
	c->process_count = kept;
	while (map_each(c->members, &i, &key, &rank, &index))
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
	if (f->finalized || !map_get(c->inter, name_key((uint32_t)f->file_index, icomm), 0))
		return icomm;
	return icomm + 1;
}

int32_t comms_partner_icomm(const struct comms *c, const struct clog2_file *f, int32_t header_icomm, int32_t msg_icomm)
{
	if (f->finalized || msg_icomm != CLOG2_NULL_COMM)
		return msg_icomm;
	if (map_get(c->inter, name_key((uint32_t)f->file_index, header_icomm), 0))
		return header_icomm + 2;
	return header_icomm;
}

uint32_t comms_find_slow(const struct comms *c, uint32_t file, int32_t icomm)
{
	return map_get(c->names, name_key(file, icomm), 0) - 1;
}

uint32_t comms_process_slow(const struct comms *c, uint32_t comm, int32_t rank)
{
	return map_get(c->members, comm, (uint32_t)rank) - 1;
}
