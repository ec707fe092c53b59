/* Communicators, adding: the information of the records, weighed if records contradict themselves or each other. */
#include "comms.h"

#include <string.h>

#include "core/base/map.h"

/* What a COMMEVT says, by its etype. */
enum { COMM_WORLD = 0, COMM_SELF = 1, COMM_FREED = 10, COMM_INTRA = 100, COMM_LOCAL = 101, COMM_REMOTE = 102, COMM_INTER = 1000 };

static uint32_t add_entry(struct comms *comms, const struct clog2_gid *gid, int32_t icomm, const char *kind)
{
	struct comm_entry *list = mem_grow(comms->list, comms->count, &comms->cap, sizeof *list);

	if (!list) {
		comms->memory_failed = true;
		return NO_COMM;
	}
	comms->list = list;
	list[comms->count] = (struct comm_entry){.gid = *gid, .icomm = icomm, .kind = kind, .highest = -1};
	return comms->count++;
}

/* The communicator that a record names, made where it is new. In a file of its own numbers the GID decides. */
static uint32_t name_comm(struct comms *comms, const struct clog2_file *file, const struct clog2_comm *payload,
			  const char *kind, struct note_place place, struct notes *notes)
{
	uint64_t words[4];
	uint32_t comm, *by_name, *by_gid;

	by_name = map_at(comms->names, comms_name_key((uint32_t)file->file_index, payload->icomm), 0);
	if (!by_name) {
		comms->memory_failed = true;
		return NO_COMM;
	}
	if (*by_name) {
		comm = *by_name - 1;
		if (memcmp(comms->list[comm].gid.bytes, payload->gid.bytes, sizeof payload->gid.bytes) &&
		    file->finalized)
			notes_add(notes, NOTE_BAD_COMM, place, "communicator %d has two different identities",
				  payload->icomm);
		return comm;
	}
	if (file->finalized) {
		comm = add_entry(comms, &payload->gid, payload->icomm, kind);
		if (comm != NO_COMM)
			*by_name = comm + 1;
		return comm;
	}
	memcpy(words, payload->gid.bytes, sizeof words);
	by_gid = map_at(comms->gids, words[0] ^ (words[1] * 0x9e3779b97f4a7c15u),
			words[2] ^ (words[3] * 0xff51afd7ed558ccdu));
	if (!by_gid) {
		comms->memory_failed = true;
		return NO_COMM;
	}
	if (!*by_gid) {
		comm = add_entry(comms, &payload->gid, payload->icomm, kind);
		if (comm == NO_COMM)
			return NO_COMM;
		*by_gid = comm + 1;
	}
	*by_name = *by_gid;
	return *by_gid - 1;
}

static void add_member(struct comms *comms, uint32_t comm, int32_t rank, uint64_t process, struct note_place place,
		       struct notes *notes)
{
	/* Until comms_finish() the map holds an index into worlds[], which is then an unsorted list. */
	uint32_t *at = map_at(comms->members, comm, (uint32_t)rank);

	if (!at) {
		comms->memory_failed = true;
		return;
	}
	if (*at) {
		if (comms->worlds[*at - 1] != process)
			notes_add(notes, NOTE_BAD_COMM, place, "rank %d of communicator %d is two processes, %u and %u", rank, comms->list[comm].icomm, (uint32_t)comms->worlds[*at - 1],
				  (uint32_t)process);
		return;
	}
	{
		uint64_t *worlds = mem_grow(comms->worlds, comms->process_count, &comms->world_cap, sizeof *worlds);

		if (!worlds) {
			comms->memory_failed = true;
			return;
		}
		comms->worlds = worlds;
		worlds[comms->process_count++] = process;
	}
	*at = comms->process_count;
	comms->list[comm].members++;
	if (rank > comms->list[comm].highest)
		comms->list[comm].highest = rank;
}

/* The process that logged a COMMEVT, by the record's header; false: that is nobody known. */
static bool by_header(const struct comms *comms, const struct clog2_file *file, const struct clog2_rec *rec,
		      uint64_t *process)
{
	uint32_t parent = map_get(comms->names, comms_name_key((uint32_t)file->file_index, rec->icomm), 0);
	uint32_t member = parent ? map_get(comms->members, parent - 1, (uint32_t)rec->rank) : 0;

	if (member)
		*process = comms->worlds[member - 1];
	return member;
}

static uint64_t new_world(struct comms *comms, uint32_t comm)
{
	uint32_t *list;

	if (comms->list[comm].world)
		return comms->list[comm].world - 1;
	list = mem_grow(comms->world_comm, comms->world_count, &comms->world_comm_cap, sizeof *list);
	if (!list) {
		comms->memory_failed = true;
		return 0;
	}
	comms->world_comm = list;
	list[comms->world_count] = comm;
	comms->list[comm].world = ++comms->world_count;
	return comms->world_count - 1;
}

/* A local file is written by one process, which says at its beginning which one it is. */
static void add_owner(struct comms *comms, uint32_t comm, int32_t rank, uint32_t file)
{
	uint32_t *at = map_at(comms->owners, comm, (uint32_t)rank);

	if (!at) {
		comms->memory_failed = true;
	} else if (!*at) {
		*at = file + 1;
	} else if (*at != file + 1 && !comms->twice) {
		comms->twice = true;
		comms->twice_files[0] = *at - 1;
		comms->twice_files[1] = file;
		comms->twice_rank = rank;
	}
}

/* A process says three times which rank of its world it is: in the header, as its rank, and as its world rank. Two that
 * agree decide. */
static bool world_rank(const struct clog2_rec *rec, struct clog2_comm *payload, struct note_place place,
		       struct notes *notes)
{
	int32_t said[3] = {rec->rank, payload->rank, payload->wrank};
	int32_t rank = payload->rank == payload->wrank ? payload->rank : rec->rank;
	bool told = rank == payload->rank || rank == payload->wrank;

	payload->rank = payload->wrank = rank;
	if (told && rank >= 0 && rank == said[0] && rank == said[1] && rank == said[2])
		return true;
	if (told && rank >= 0)
		notes_add(notes, NOTE_DOUBTFUL_COMM, place,
			  "a record of MPI_COMM_WORLD has rank %d, world rank %d, and rank %d in its header; pas2p "
			  	"uses rank %d",
			  said[1], said[2], said[0], rank);
	else
		notes_add(notes, NOTE_BAD_COMM, place,
			  "a record of MPI_COMM_WORLD has rank %d, world rank %d, and rank %d in its header; pas2p "
			  	"ignores it",
			  said[1], said[2], said[0]);
	return told && rank >= 0;
}

/* The world of this identity, NO_COMM: there is none yet. */
static uint32_t known_world(const struct comms *comms, const struct clog2_gid *gid)
{
	for (uint32_t w = 0; w < comms->world_count; w++)
		if (!memcmp(comms->list[comms->world_comm[w]].gid.bytes, gid->bytes, sizeof gid->bytes))
			return comms->world_comm[w];
	return NO_COMM;
}

/* In header and payload a world has the same number. Where they differ, the one that is known, or 0, which all but
 * joined files give it, is right. */
static void world_number(const struct comms *comms, const struct clog2_file *file, const struct clog2_rec *rec,
			 struct clog2_comm *payload, struct note_place place, struct notes *notes)
{
	int32_t said = payload->icomm;
	uint32_t known;

	if (payload->icomm == rec->icomm)
		return;
	known = known_world(comms, &payload->gid);
	if (!payload->icomm || !rec->icomm)
		payload->icomm = 0;
	else if (known != NO_COMM &&
		 map_get(comms->names, comms_name_key((uint32_t)file->file_index, rec->icomm), 0) == known + 1)
		payload->icomm = rec->icomm;
	notes_add(notes, NOTE_DOUBTFUL_COMM, place,
		  "a record of MPI_COMM_WORLD has communicator %d, and %d in its header; pas2p uses %d", said,
		  rec->icomm, payload->icomm);
}

static void add_world(struct comms *comms, const struct clog2_file *file, const struct clog2_rec *rec,
		      struct clog2_comm *payload, struct note_place place, struct notes *notes)
{
	uint32_t comm;

	if (!world_rank(rec, payload, place, notes))
		return;
	world_number(comms, file, rec, payload, place, notes);
	comm = name_comm(comms, file, payload, "world", place, notes);
	if (comm == NO_COMM)
		return;
	if (!file->finalized)
		add_owner(comms, comm, payload->rank, (uint32_t)file->file_index);
	add_member(comms, comm, payload->rank, new_world(comms, comm) << 32 | (uint32_t)payload->wrank, place, notes);
}

static void add_doubt(struct comms *comms, uint32_t comm, const struct clog2_comm *payload, uint64_t header,
		      struct note_place place)
{
	struct comm_doubt *list = mem_grow(comms->doubts, comms->doubt_count, &comms->doubt_cap, sizeof *list);

	if (!list) {
		comms->memory_failed = true;
		return;
	}
	comms->doubts = list;
	list[comms->doubt_count++] = (struct comm_doubt){comm, payload->rank, payload->wrank, header, place};
}

/* Who made a record of another communicator, its header says (in a joined file world ranks are not unique) and its
 * world rank says again. */
static void add_other(struct comms *comms, const struct clog2_file *file, const struct clog2_rec *rec,
		      const struct clog2_comm *payload, const char *kind, struct note_place place, struct notes *notes)
{
	uint64_t process;
	bool known = by_header(comms, file, rec, &process);
	uint32_t comm;

	if (!known && (payload->wrank < 0 || (file->world_size && payload->wrank >= file->world_size))) {
		notes_add(notes, NOTE_BAD_COMM, place, "a member of communicator %d has world rank %d",
			  payload->icomm, payload->wrank);
		return;
	}
	comm = name_comm(comms, file, payload, kind, place, notes);
	if (comm == NO_COMM)
		return;
	if (known && (uint32_t)process != (uint32_t)payload->wrank) {
		add_doubt(comms, comm, payload, process, place);
		return;
	}
	if (!known)
		notes_add(notes, NOTE_DOUBTFUL_COMM, place,
			  "a record of communicator %d has rank %d of communicator %d, but no process has that rank; "
			  "pas2p uses rank %d", payload->icomm, rec->rank, rec->icomm, payload->wrank);
	if (!known && rec->icomm == 0 && rec->rank == payload->wrank) {
		/* Its record of the world is lost, but here it says twice which rank it is. */
		uint32_t *at = map_at(comms->named, (uint32_t)file->file_index, (uint32_t)payload->wrank);

		if (at)
			*at = 1;
		else
			comms->memory_failed = true;
	}
	add_member(comms, comm, payload->rank, known ? process : (uint32_t)payload->wrank, place, notes);
}

void comms_add(struct comms *comms, const struct clog2_file *file, const struct clog2_rec *rec, struct notes *notes)
{
	struct note_place place = {file->file_index, -1, (int64_t)((rec->offset - CLOG2_PREAMBLE) / file->block_size),
				   (int64_t)rec->offset, -1};
	struct clog2_comm payload;

	if (file->header_size == 16) {
		/* No communicators: all are ranks of the world. */
		struct clog2_comm world = {.etype = COMM_WORLD, .icomm = 0, .rank = rec->rank, .wrank = rec->rank};

		payload = world;
	} else {
		clog2_get_comm(file, rec, &payload);
	}
	if (payload.etype != COMM_WORLD && payload.etype != COMM_REMOTE &&
	    (payload.rank < 0 || payload.icomm == CLOG2_NULL_COMM))
		return; /* a process that is not in the new communicator */
	switch (payload.etype) {
	case COMM_WORLD:
		add_world(comms, file, rec, &payload, place, notes);
		return;
	case COMM_SELF:
		add_other(comms, file, rec, &payload, "self", place, notes);
		return;
	case COMM_INTRA:
	case COMM_LOCAL:
		add_other(comms, file, rec, &payload, "intra", place, notes);
		return;
	case COMM_REMOTE:
		/* Names the other side's communicator; its members log themselves. */
		if (!file->finalized)
			name_comm(comms, file, &payload, "intra", place, notes);
		return;
	case COMM_INTER:
		if (!file->finalized) {
			uint64_t name = comms_name_key((uint32_t)file->file_index, payload.icomm);
			uint32_t *at = map_at(comms->inter, name, 0);

			if (at)
				*at = 1;
			else
				comms->memory_failed = true;
		}
		add_other(comms, file, rec, &payload, "inter", place, notes);
		return;
	case COMM_FREED:
		return;
	default:
		notes_add(notes, NOTE_DOUBTFUL_COMM, place, "a communicator record has the unknown type %d; pas2p "
			  "ignores it", payload.etype);
	}
}

/* ---- records that contradict themselves ---- */

/* Who is in which communicator: (world of the process and communicator, world rank) -> 1; and whose MPI_COMM_SELF is
 * known. */
#define ANY_SELF NO_COMM

static bool note_member(struct map *in, const struct comms *comms, uint32_t comm, uint64_t process)
{
	uint32_t *at = map_at(in, (process >> 32) << 32 | comm, (uint32_t)process), *self;

	if (at)
		*at = 1;
	if (!at || strcmp(comms->list[comm].kind, "self"))
		return at;
	self = map_at(in, (process >> 32) << 32 | ANY_SELF, (uint32_t)process);
	if (self)
		*self = 1;
	return self;
}

static bool is_member(const struct map *in, const struct comms *comms, uint32_t comm, uint64_t process)
{
	if (!strcmp(comms->list[comm].kind, "self"))
		comm = ANY_SELF;
	return map_get(in, (process >> 32) << 32 | comm, (uint32_t)process);
}

static struct map *make_members(const struct comms *comms)
{
	struct map *in = map_new();
	uint64_t comm, rank;
	uint32_t index;
	bool kept = in;

	for (size_t i = 0; kept && map_each(comms->members, &i, &comm, &rank, &index);)
		kept = note_member(in, comms, (uint32_t)comm, comms->worlds[index - 1]);
	if (kept)
		return in;
	map_free(in);
	return NULL;
}

/* Header and world rank name two processes: the right one exists, and is not in the communicator by another record. */
static void comm_doubt_settle(struct comms *comms, struct map *in, const struct comm_doubt *doubt, struct notes *notes)
{
	uint64_t world = doubt->header >> 32, other = world << 32 | (uint32_t)doubt->wrank, process = doubt->header;
	bool exists = world < comms->world_count &&
		      map_get(comms->members, comms->world_comm[world], (uint32_t)doubt->wrank);
	uint32_t taken = map_get(comms->members, doubt->comm, (uint32_t)doubt->rank);
	bool told = true;

	if (taken && (comms->worlds[taken - 1] == doubt->header || (exists && comms->worlds[taken - 1] == other))) {
		process = comms->worlds[taken - 1];
	} else if (exists) {
		bool here = is_member(in, comms, doubt->comm, doubt->header);
		bool there = is_member(in, comms, doubt->comm, other);

		told = here != there;
		if (here && !there)
			process = other;
	}
	notes_add(notes, told ? NOTE_DOUBTFUL_COMM : NOTE_BAD_COMM, doubt->place,
		  "rank %d of communicator %d has world rank %d, but rank %u in the record's header; pas2p uses rank "
		  	"%u", doubt->rank,
		  comms->list[doubt->comm].icomm, doubt->wrank, (uint32_t)doubt->header, (uint32_t)process);
	add_member(comms, doubt->comm, doubt->rank, process, doubt->place, notes);
	if (!note_member(in, comms, doubt->comm, process))
		comms->memory_failed = true;
}

void comms_settle(struct comms *comms, struct notes *notes)
{
	struct map *in;

	if (!comms->doubt_count || comms->memory_failed)
		return;
	in = make_members(comms);
	if (!in)
		comms->memory_failed = true;
	for (size_t i = 0; in && i < comms->doubt_count; i++)
		comm_doubt_settle(comms, in, &comms->doubts[i], notes);
	map_free(in);
	comms->doubt_count = 0;
}

uint32_t comms_limit(struct comms *comms, uint32_t first)
{
	uint64_t comm, rank;
	uint32_t index, dropped = 0;

	for (size_t i = 0; map_each(comms->members, &i, &comm, &rank, &index);)
		if (index && comms->worlds[index - 1] >> 32 == 0 && (uint32_t)comms->worlds[index - 1] >= first) {
			*map_at(comms->members, comm, rank) = 0;
			dropped += comms->world_count && comm == comms->world_comm[0];
		}
	return dropped;
}

void comms_adopt(struct comms *comms, const struct clog2_file *file, int32_t rank, struct notes *notes)
{
	struct clog2_comm payload = {.etype = COMM_WORLD, .rank = rank, .wrank = rank};
	uint32_t comm = map_get(comms->names, comms_name_key((uint32_t)file->file_index, 0), 0);

	if (!comm && !file->finalized && comms->world_count) {
		/* A local file whose first block is lost is of the same run as the others. */
		uint32_t *at = map_at(comms->names, comms_name_key((uint32_t)file->file_index, 0), 0);

		if (!at) {
			comms->memory_failed = true;
			return;
		}
		*at = comm = comms->world_comm[0] + 1;
	}
	if (comm && map_get(comms->members, comm - 1, (uint32_t)rank))
		return;
	comm = comm ? comm - 1 : name_comm(comms, file, &payload, "world", NOTE_NOWHERE, notes);
	if (comm != NO_COMM)
		add_member(comms, comm, rank, new_world(comms, comm) << 32 | (uint32_t)rank, NOTE_NOWHERE, notes);
}
