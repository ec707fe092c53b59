/* The processes of the trace: those that occur in records. The number in the preamble is compared with them. */
#include "clog2_int.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/order.h"

/* A single record may be one whose rank is damaged; a process logs more. Up to 02.20 a record can count twice. */
#define SINGLE 1
#define SINGLE_OLD 2

static bool has_world_rank(const struct comms *comms, uint32_t file, uint32_t rank)
{
	uint32_t comm = map_get(comms->names, comms_name_key(file, 0), 0);

	return comm && map_get(comms->members, comm - 1, rank);
}

/* Ranks of the world without a COMMEVT of their own (its block may be lost): the world's number is 0 and its ranks
 * are world ranks, so records on it can still be told apart. */
static void adopt_world_ranks(struct loader *loader, uint64_t limit)
{
	uint64_t name, rank;
	uint32_t count;

	for (size_t i = 0; map_each(loader->counts, &i, &name, &rank, &count);) {
		const struct clog2_file *file = &loader->files[name >> 32];

		if ((uint32_t)name == 0 && rank < limit &&
		    (count > SINGLE || !file->finalized || file->header_size == 16))
			comms_adopt(&loader->comms, file, (int32_t)rank, &loader->maker->trace->notes);
	}
	for (size_t i = 0; map_each(loader->comms.named, &i, &name, &rank, &count);)
		if (rank < limit)
			comms_adopt(&loader->comms, &loader->files[name], (int32_t)rank, &loader->maker->trace->notes);
}

/* The highest rank of a world that records name, + 1. */
static uint64_t ranks_named(const struct comms *comms, uint32_t world)
{
	uint64_t comm, rank, n = 0;
	uint32_t index;

	for (size_t i = 0; map_each(comms->members, &i, &comm, &rank, &index);)
		if (index && comms->worlds[index - 1] >> 32 == world && (uint32_t)comms->worlds[index - 1] >= n)
			n = (uint64_t)(uint32_t)comms->worlds[index - 1] + 1;
	return n;
}

#define odd_size(loader, file, ...) \
	notes_add(&(loader)->maker->trace->notes, NOTE_BAD_PREAMBLE, (struct note_place){(int32_t)(file), -1, -1, 0, -1}, \
		  __VA_ARGS__)

/* ---- messages to ranks that log nothing ---- */

/* Mark the ranks from `from` up to, not including, `to` that a message names as its partner on the world. */
static enum err_code look_for_partners(struct loader *loader, uint8_t *addressed, uint64_t from, uint64_t to,
				       struct err *e)
{
	const struct clog2_file *file = &loader->files[0];
	struct clog2_block block;
	enum err_code code = ERR_OK;

	clog2_block_init(&block);
	for (uint64_t k = 0; k < loader->blocks[0] && !code && !loader->stopped; k++) {
		struct clog2_step step = {0};

		code = clog2_block_read(file, k, &block, e);
		while (!code && clog2_block_step(&block, &step)) {
			struct clog2_rec rec;
			struct clog2_msg message;

			if (step.type != CLOG2_MSGEVT)
				continue;
			clog2_decode(&block, step.at, &rec);
			clog2_get_msg(file, &rec, &message);
			if (message.icomm == 0 && message.rank >= 0 && (uint64_t)message.rank >= from &&
			    (uint64_t)message.rank < to)
				addressed[(uint64_t)message.rank - from] = 1;
		}
		if ((k & 15) == 15)
			loader->stopped = progress_stopped(loader->maker->progress);
	}
	clog2_block_release(&block);
	return code;
}

/* The preamble claims more ranks than log: those are believed that messages name, as far as they follow each other. */
static enum err_code silent_ranks(struct loader *loader, uint64_t logging, uint64_t stated, uint64_t *size, struct err *e)
{
	uint64_t most = loader->total_bytes / 24, to = stated < most ? stated : most;
	uint8_t *addressed;
	enum err_code code;

	*size = logging;
	if (to <= logging)
		return ERR_OK;
	addressed = mem_zero(to - logging, 1);
	if (!addressed)
		return err_memory(e, "the processes");
	code = look_for_partners(loader, addressed, logging, to, e);
	while (*size < to && addressed[*size - logging])
		++*size;
	mem_free(addressed);
	return code;
}

/* ---- how many there are ---- */

/* For a whole file with one world: the ranks that log or that messages name. */
static enum err_code whole_world(struct loader *loader, uint64_t *size, struct err *e)
{
	uint64_t stated = (uint64_t)loader->files[0].world_size, named, dense = 0;
	uint64_t most = loader->total_bytes / 24, limit = stated && stated < most ? stated : most;
	enum err_code code;

	adopt_world_ranks(loader, limit);
	while (has_world_rank(&loader->comms, 0, (uint32_t)dense))
		dense++;
	/* Ranks count from 0 without gaps: one above both the others and the preamble's number is none. */
	limit = dense > limit ? dense : limit;
	if (ranks_named(&loader->comms, 0) > limit)
		notes_add(&loader->maker->trace->notes, NOTE_BAD_COMM, NOTE_NOWHERE,
			  "records have %u ranks of MPI_COMM_WORLD above %llu, which it does not have",
			  comms_limit(&loader->comms, (uint32_t)limit), (unsigned long long)limit - 1);
	named = ranks_named(&loader->comms, 0);
	*size = named;
	if (stated && stated < named)
		odd_size(loader, 0, "the preamble gives %llu processes, but %llu have records; pas2p uses these", (unsigned long long)stated, (unsigned long long)named);
	if (stated <= named)
		return ERR_OK;
	code = silent_ranks(loader, named, stated, size, e);
	if (!code && *size < stated && !loader->stopped)
		odd_size(loader, 0, "the preamble gives %llu processes, but the records show %llu; pas2p uses these", (unsigned long long)stated, (unsigned long long)*size);
	return code;
}

/* For a file of before 02.30, which has neither a number nor communicators: ranks with more than one record, if any
 * has. */
static uint64_t old_world(struct loader *loader)
{
	uint64_t name, rank, most = loader->total_bytes / 16, n = 0;
	uint32_t count;

	for (uint32_t least = SINGLE_OLD + 1; !n && least; least--)
		for (size_t i = 0; map_each(loader->counts, &i, &name, &rank, &count);)
			if ((uint32_t)name == 0 && rank >= n && rank < most && count >= least)
				n = rank + 1;
	adopt_world_ranks(loader, n);
	return n;
}

/* Of local files, some of which may be missing: what most of them say, as far as there can be so many; their own ranks
 * at least. */
static enum err_code local_world(struct loader *loader, uint64_t *size, struct err *e)
{
	int32_t *said = mem_alloc(loader->file_count, sizeof *said);
	uint64_t most = loader->total_bytes / 24, stated = 0;
	uint32_t best = 0;

	if (!said)
		return err_memory(e, "the processes");
	for (uint32_t i = 0; i < loader->file_count; i++)
		said[i] = loader->files[i].world_size;
	SORT(said, loader->file_count, order_i32);
	for (uint32_t i = 0, run = 0; i < loader->file_count; i++) {
		run = i && said[i] == said[i - 1] ? run + 1 : 1;
		if (said[i] > 0 && run > best) {
			best = run;
			stated = (uint64_t)said[i];
		}
	}
	mem_free(said);
	for (uint32_t i = 0; i < loader->file_count; i++)
		if (loader->files[i].world_size && (uint64_t)loader->files[i].world_size != stated)
			odd_size(loader, i, "the preamble gives %d processes, but other files of the run give %llu", loader->files[i].world_size, (unsigned long long)stated);
	*size = stated < most ? stated : most;
	adopt_world_ranks(loader, *size);
	if (stated && ranks_named(&loader->comms, 0) > stated && loader->comms.world_count <= 1)
		odd_size(loader, 0, "the preamble gives %llu processes, but rank %llu has records",
			 (unsigned long long)stated, (unsigned long long)ranks_named(&loader->comms, 0) - 1);
	return ERR_OK;
}

/* Of several worlds in one file the preamble's number is that of the largest, and of no use. */
static void joined_worlds(struct loader *loader)
{
	uint64_t stated = (uint64_t)loader->files[0].world_size, largest = 0;

	adopt_world_ranks(loader, stated);
	for (uint32_t w = 0; w < loader->comms.world_count; w++) {
		uint64_t n = ranks_named(&loader->comms, w);

		largest = n > largest ? n : largest;
	}
	if (stated && stated < largest)
		odd_size(loader, 0, "the preamble gives %llu processes in the largest world, but %llu have records",
			 (unsigned long long)stated, (unsigned long long)largest);
}

enum err_code load_world(struct loader *loader, struct err *e)
{
	uint64_t size = 0;
	enum err_code code = ERR_OK;

	comms_settle(&loader->comms, &loader->maker->trace->notes);
	if (loader->files[0].header_size == 16)
		size = old_world(loader);
	else if (!loader->files[0].finalized)
		code = local_world(loader, &size, e);
	else if (loader->comms.world_count > 1)
		joined_worlds(loader);
	else
		code = whole_world(loader, &size, e);
	if (!code && loader->stopped)
		return err_set(e, ERR_CANCELLED, "stopped before any event was read");
	return code ? code : comms_finish(&loader->comms, loader->comms.world_count > 1 ? 0 : (uint32_t)size, e);
}

/* ---- the communicator table ---- */

#define odd_table(loader, ...) \
	notes_add(&(loader)->maker->trace->notes, NOTE_BAD_TABLE, \
		  (struct note_place){0, -1, -1, (int64_t)(loader)->files[0].commtable, -1}, __VA_ARGS__)

/* Every entry against the communicator of its number; into `listed` those that the table has. */
static bool check_entries(struct loader *loader, const struct clog2_commentry *list, uint32_t n, struct map *listed)
{
	for (uint32_t i = 0; i < n; i++) {
		uint32_t comm = comms_find_slow(&loader->comms, 0, list[i].icomm), *at = map_at(listed, (uint32_t)list[i].icomm, 0);

		if (!at)
			return false;
		*at = 1;
		if (comm == NO_COMM)
			odd_table(loader, "the communicator table has communicator %d, but no record has it",
				  list[i].icomm);
		else if (memcmp(list[i].gid.bytes, loader->comms.list[comm].gid.bytes, sizeof list[i].gid.bytes))
			odd_table(loader, "the communicator table and the records describe communicator %d differently",
				  list[i].icomm);
	}
	return true;
}

enum err_code load_check_table(struct loader *loader, struct err *e)
{
	struct clog2_commentry *list;
	struct map *listed;
	struct err gone;
	uint32_t n;
	bool kept;

	if (!loader->files[0].finalized || !loader->files[0].commtable)
		return ERR_OK;
	/* It was whole when the file was opened; whether that has changed is asked at the end. */
	if (clog2_commtable(&loader->files[0], &list, &n, &gone))
		return gone.code == ERR_MEMORY ? err_memory(e, "the communicator table") : ERR_OK;
	if (!n && loader->comms.count) {
		odd_table(loader, "the communicator table is empty, but the records have %u "
			  "communicators", loader->comms.count);
		mem_free(list);
		return ERR_OK;
	}
	listed = map_new();
	kept = listed && check_entries(loader, list, n, listed);
	for (uint32_t k = 0; kept && k < loader->comms.count; k++)
		if (!map_get(listed, (uint32_t)loader->comms.list[k].icomm, 0))
			odd_table(loader, "the communicator table lacks communicator %d, which records "
				  "have", loader->comms.list[k].icomm);
	map_free(listed);
	mem_free(list);
	return kept ? ERR_OK : err_memory(e, "the communicator table");
}
