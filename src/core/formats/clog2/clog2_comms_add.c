/* Communicators, adding: what the records say, weighed where they contradict themselves or each other. */
#include "clog2_comms.h"

#include <string.h>

#include "core/base/map.h"

/* What a COMMEVT says, by its etype. */
enum { COMM_WORLD = 0, COMM_SELF = 1, COMM_FREED = 10, COMM_INTRA = 100, COMM_LOCAL = 101, COMM_REMOTE = 102, COMM_INTER = 1000 };

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

	by_name = map_at(c->names, comms_name_key((uint32_t)f->file_index, x->icomm), 0);
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
			notes_add(notes, NOTE_BAD_COMM, place, "rank %d of communicator %d stands for two processes, "
				  "%u and %u", rank, c->list[comm].icomm, (uint32_t)c->worlds[*at - 1],
				  (uint32_t)process);
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

/* The process that logged a COMMEVT, by the record's header; false: that is nobody known. */
static bool by_header(const struct comms *c, const struct clog2_file *f, const struct clog2_rec *r, uint64_t *process)
{
	uint32_t parent = map_get(c->names, comms_name_key((uint32_t)f->file_index, r->icomm), 0);
	uint32_t member = parent ? map_get(c->members, parent - 1, (uint32_t)r->rank) : 0;

	if (member)
		*process = c->worlds[member - 1];
	return member;
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

/* A process says three times which rank of its world it is: in the header, as its rank, and as its world rank. Two that
 * agree decide. */
static bool world_rank(const struct clog2_rec *r, struct clog2_comm *x, struct note_place place, struct notes *notes)
{
	int32_t said[3] = {r->rank, x->rank, x->wrank};
	int32_t rank = x->rank == x->wrank ? x->rank : r->rank;
	bool told = rank == x->rank || rank == x->wrank;

	x->rank = x->wrank = rank;
	if (told && rank >= 0 && rank == said[0] && rank == said[1] && rank == said[2])
		return true;
	if (told && rank >= 0)
		notes_add(notes, NOTE_DOUBTFUL_COMM, place,
			  "a record of MPI_COMM_WORLD gives rank %d, world rank %d, and rank %d in its header; taken as rank %d",
			  said[1], said[2], said[0], rank);
	else
		notes_add(notes, NOTE_BAD_COMM, place,
			  "a record of MPI_COMM_WORLD gives rank %d, world rank %d, and rank %d in its header; left out",
			  said[1], said[2], said[0]);
	return told && rank >= 0;
}

/* The world of this identity, NO_COMM: there is none yet. */
static uint32_t known_world(const struct comms *c, const struct clog2_gid *gid)
{
	for (uint32_t w = 0; w < c->world_count; w++)
		if (!memcmp(c->list[c->world_comm[w]].gid.bytes, gid->bytes, sizeof gid->bytes))
			return c->world_comm[w];
	return NO_COMM;
}

/* In header and payload a world has the same number. Where they differ, the one that is known, or 0, which all but joined
 * files give it, is right. */
static void world_number(const struct comms *c, const struct clog2_file *f, const struct clog2_rec *r, struct clog2_comm *x,
			 struct note_place place, struct notes *notes)
{
	int32_t said = x->icomm;
	uint32_t known;

	if (x->icomm == r->icomm)
		return;
	known = known_world(c, &x->gid);
	if (!x->icomm || !r->icomm)
		x->icomm = 0;
	else if (known != NO_COMM && map_get(c->names, comms_name_key((uint32_t)f->file_index, r->icomm), 0) == known + 1)
		x->icomm = r->icomm;
	notes_add(notes, NOTE_DOUBTFUL_COMM, place,
		  "a record of MPI_COMM_WORLD names communicator %d, and %d in its header; taken as %d", said, r->icomm, x->icomm);
}

static void add_world(struct comms *c, const struct clog2_file *f, const struct clog2_rec *r, struct clog2_comm *x,
		      struct note_place place, struct notes *notes)
{
	uint32_t comm;

	if (!world_rank(r, x, place, notes))
		return;
	world_number(c, f, r, x, place, notes);
	comm = name_comm(c, f, x, "world", place, notes);
	if (comm == NO_COMM)
		return;
	if (!f->finalized)
		add_owner(c, comm, x->rank, (uint32_t)f->file_index);
	add_member(c, comm, x->rank, new_world(c, comm) << 32 | (uint32_t)x->wrank, place, notes);
}

static void add_doubt(struct comms *c, uint32_t comm, const struct clog2_comm *x, uint64_t header, struct note_place place)
{
	struct comm_doubt *list = mem_grow(c->doubts, c->doubt_count, &c->doubt_cap, sizeof *list);

	if (!list) {
		c->memory_failed = true;
		return;
	}
	c->doubts = list;
	list[c->doubt_count++] = (struct comm_doubt){comm, x->rank, x->wrank, header, place};
}

/* Who made a record of another communicator, its header says (in a joined file world ranks are not unique) and its world
 * rank says again. */
static void add_other(struct comms *c, const struct clog2_file *f, const struct clog2_rec *r, const struct clog2_comm *x,
		      const char *kind, struct note_place place, struct notes *notes)
{
	uint64_t process;
	bool known = by_header(c, f, r, &process);
	uint32_t comm;

	if (!known && (x->wrank < 0 || (f->world_size && x->wrank >= f->world_size))) {
		notes_add(notes, NOTE_BAD_COMM, place, "a member of communicator %d has world rank %d", x->icomm, x->wrank);
		return;
	}
	comm = name_comm(c, f, x, kind, place, notes);
	if (comm == NO_COMM)
		return;
	if (known && (uint32_t)process != (uint32_t)x->wrank) {
		add_doubt(c, comm, x, process, place);
		return;
	}
	if (!known)
		notes_add(notes, NOTE_DOUBTFUL_COMM, place,
			  "a record of communicator %d names rank %d of communicator %d, but no process has that rank; "
			  "taken as rank %d", x->icomm, r->rank, r->icomm, x->wrank);
	if (!known && r->icomm == 0 && r->rank == x->wrank) {
		/* Its record of the world is lost, but here it says twice which rank it is. */
		uint32_t *at = map_at(c->named, (uint32_t)f->file_index, (uint32_t)x->wrank);

		if (at)
			*at = 1;
		else
			c->memory_failed = true;
	}
	add_member(c, comm, x->rank, known ? process : (uint32_t)x->wrank, place, notes);
}

void comms_add(struct comms *c, const struct clog2_file *f, const struct clog2_rec *r, struct notes *notes)
{
	struct note_place place = {f->file_index, -1, (int64_t)((r->offset - CLOG2_PREAMBLE) / f->block_size),
				   (int64_t)r->offset, -1};
	struct clog2_comm x;

	if (f->header_size == 16) {
		/* No communicators: all are ranks of the world. */
		struct clog2_comm world = {.etype = COMM_WORLD, .icomm = 0, .rank = r->rank, .wrank = r->rank};

		x = world;
	} else {
		clog2_get_comm(f, r, &x);
	}
	if (x.etype != COMM_WORLD && x.etype != COMM_REMOTE && (x.rank < 0 || x.icomm == CLOG2_NULL_COMM))
		return; /* a process that is not in the new communicator */
	switch (x.etype) {
	case COMM_WORLD:
		add_world(c, f, r, &x, place, notes);
		return;
	case COMM_SELF:
		add_other(c, f, r, &x, "self", place, notes);
		return;
	case COMM_INTRA:
	case COMM_LOCAL:
		add_other(c, f, r, &x, "intra", place, notes);
		return;
	case COMM_REMOTE:
		/* Names the other side's communicator; its members log themselves. */
		if (!f->finalized)
			name_comm(c, f, &x, "intra", place, notes);
		return;
	case COMM_INTER:
		if (!f->finalized) {
			uint32_t *at = map_at(c->inter, comms_name_key((uint32_t)f->file_index, x.icomm), 0);

			if (at)
				*at = 1;
			else
				c->memory_failed = true;
		}
		add_other(c, f, r, &x, "inter", place, notes);
		return;
	case COMM_FREED:
		return;
	default:
		notes_add(notes, NOTE_DOUBTFUL_COMM, place, "a communicator record has type %d, which does not exist; "
			  "left out", x.etype);
	}
}

/* ---- records that contradict themselves ---- */

/* Who is in which communicator: (world of the process and communicator, world rank) -> 1; and whose MPI_COMM_SELF is known. */
#define ANY_SELF NO_COMM

static bool note_member(struct map *in, const struct comms *c, uint32_t comm, uint64_t process)
{
	uint32_t *at = map_at(in, (process >> 32) << 32 | comm, (uint32_t)process), *self;

	if (at)
		*at = 1;
	if (!at || strcmp(c->list[comm].kind, "self"))
		return at;
	self = map_at(in, (process >> 32) << 32 | ANY_SELF, (uint32_t)process);
	if (self)
		*self = 1;
	return self;
}

static bool is_member(const struct map *in, const struct comms *c, uint32_t comm, uint64_t process)
{
	if (!strcmp(c->list[comm].kind, "self"))
		comm = ANY_SELF;
	return map_get(in, (process >> 32) << 32 | comm, (uint32_t)process);
}

static struct map *make_members(const struct comms *c)
{
	struct map *in = map_new();
	uint64_t comm, rank;
	uint32_t index;
	bool kept = in;

	for (size_t i = 0; kept && map_each(c->members, &i, &comm, &rank, &index);)
		kept = note_member(in, c, (uint32_t)comm, c->worlds[index - 1]);
	if (kept)
		return in;
	map_free(in);
	return NULL;
}

/* Header and world rank name two processes: the right one exists, and is not in the communicator by another record. */
static void settle(struct comms *c, struct map *in, const struct comm_doubt *d, struct notes *notes)
{
	uint64_t world = d->header >> 32, other = world << 32 | (uint32_t)d->wrank, process = d->header;
	bool exists = world < c->world_count && map_get(c->members, c->world_comm[world], (uint32_t)d->wrank);
	uint32_t taken = map_get(c->members, d->comm, (uint32_t)d->rank);
	bool told = true;

	if (taken && (c->worlds[taken - 1] == d->header || (exists && c->worlds[taken - 1] == other))) {
		process = c->worlds[taken - 1];
	} else if (exists) {
		bool here = is_member(in, c, d->comm, d->header), there = is_member(in, c, d->comm, other);

		told = here != there;
		if (here && !there)
			process = other;
	}
	notes_add(notes, told ? NOTE_DOUBTFUL_COMM : NOTE_BAD_COMM, d->place,
		  "rank %d of communicator %d has world rank %d, but rank %u by the record's header; taken as rank %u", d->rank,
		  c->list[d->comm].icomm, d->wrank, (uint32_t)d->header, (uint32_t)process);
	add_member(c, d->comm, d->rank, process, d->place, notes);
	if (!note_member(in, c, d->comm, process))
		c->memory_failed = true;
}

void comms_settle(struct comms *c, struct notes *notes)
{
	struct map *in;

	if (!c->doubt_count || c->memory_failed)
		return;
	in = make_members(c);
	if (!in)
		c->memory_failed = true;
	for (size_t i = 0; in && i < c->doubt_count; i++)
		settle(c, in, &c->doubts[i], notes);
	map_free(in);
	c->doubt_count = 0;
}

uint32_t comms_limit(struct comms *c, uint32_t first)
{
	uint64_t comm, rank;
	uint32_t index, dropped = 0;

	for (size_t i = 0; map_each(c->members, &i, &comm, &rank, &index);)
		if (index && c->worlds[index - 1] >> 32 == 0 && (uint32_t)c->worlds[index - 1] >= first) {
			*map_at(c->members, comm, rank) = 0;
			dropped += c->world_count && comm == c->world_comm[0];
		}
	return dropped;
}

void comms_adopt(struct comms *c, const struct clog2_file *f, int32_t rank, struct notes *notes)
{
	struct clog2_comm x = {.etype = COMM_WORLD, .rank = rank, .wrank = rank};
	uint32_t comm = map_get(c->names, comms_name_key((uint32_t)f->file_index, 0), 0);

	if (!comm && !f->finalized && c->world_count) {
		/* A local file whose first block is lost is of the same run as the others. */
		uint32_t *at = map_at(c->names, comms_name_key((uint32_t)f->file_index, 0), 0);

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
