/* The files of an archive's locations, before they are read. With a team each rank examines some of them and all ranks
 * get the results, so that a file that only some ranks can see is there, or missing, for all. */
#include <inttypes.h>
#include <limits.h>
#include <sys/stat.h>

#include "core/base/hash.h"
#include "core/base/mem.h"
#include "core/base/text.h"
#include "core/team/team.h"
#include "core/team/team_pack.h"
#include "load.h"
#include "otf2_int.h"

#define LEAST_EVENT 6      /* bytes of a record of a message or a collective */
#define FILES_A_THREAD 64  /* fewer are not worth one */
#define MOST_PACKED 1032   /* bytes that one byte of a compressed file can be */

static struct note_place thread_place(const struct otf_thread *thread)
{
	return (struct note_place){0, (int32_t)thread->process, -1, -1, -1};
}

static void thread_look_file(const struct otf_archive *archive, struct otf_thread *thread, atomic_bool *no_memory)
{
	char path[PATH_MAX];
	struct otf_chunks chunks = otf_chunks_of(otf_archive_path(archive, path, sizeof path, thread->location, "evt"),
						 archive->event_chunk, OTF_LOOK_HEADERS);
	struct stat file;

	if (chunks.no_memory)
		atomic_store(no_memory, true);
	thread->bytes = chunks.bytes;
	thread->records = archive->event_chunk ? chunks.records : thread->expected;
	thread->unreadable = chunks.missing;
	/* The library would wait for a pipe to be written. */
	thread->no_local = stat(otf_archive_path(archive, path, sizeof path, thread->location, "def"), &file) != 0 || !S_ISREG(file.st_mode);
	thread->local_bytes = thread->no_local ? 0 : (uint64_t)file.st_size;
}

/* Several threads look: there can be many files. */
struct looking {
	struct otf_loader *loader;
	uint64_t first, end;   /* at these of the world's threads */
	struct parallel_stop stop;
	atomic_bool no_memory;
	unsigned parts;
};

static void threads_find_local(struct looking *looking)
{
	const struct team *team = looking->loader->maker->team;
	uint64_t count = looking->loader->world.thread_count;

	looking->first = count * team_rank(team) / team_size(team);
	looking->end = count * (team_rank(team) + 1) / team_size(team);
}

static void look_at_some(void *arg, unsigned part)
{
	struct looking *looking = arg;
	struct otf_world *world = &looking->loader->world;
	uint64_t first = looking->first, count = looking->end - first;

	for (uint64_t i = first + count * part / looking->parts; i < first + count * (part + 1) / looking->parts; i++)
		if (!parallel_stopped(&looking->stop, part))
			thread_look_file(&looking->loader->archive, &world->threads[i], &looking->no_memory);
}

/* ---- what all ranks have seen ---- */

struct sizes_seen {
	uint64_t bytes, records, local_bytes;
	bool unreadable, no_local;
};

/* The anchor and the definitions, as the rank has read them. */
static uint64_t archive_hash(struct otf_loader *loader)
{
	const struct otf_world *world = &loader->world;
	const struct otf_defs *defs = &loader->archive.defs;
	uint64_t h = hash_mix(hash_mix(world->process_count, world->thread_count), hash_mix(defs->ticks, defs->offset));
	struct stat file;

	for (uint32_t i = 0; i < world->thread_count; i++)
		h = hash_mix(hash_mix(h, world->threads[i].location), world->threads[i].expected);
	for (int i = 0; i < 2; i++)
		if (stat(i ? loader->archive.anchor : otf_archive_global(&loader->archive), &file) == 0)
			h = hash_mix(hash_mix(h, (uint64_t)file.st_size),
				     (uint64_t)file.st_mtim.tv_sec * 1000000000 + (uint64_t)file.st_mtim.tv_nsec);
	return h;
}

static bool put_seen(struct team_pack *pack, const struct looking *looking, uint64_t hash)
{
	team_put(pack, &hash, sizeof hash);
	for (uint64_t i = looking->first; i < looking->end; i++) {
		const struct otf_thread *thread = &looking->loader->world.threads[i];
		struct sizes_seen seen;

		memset(&seen, 0, sizeof seen);
		seen.bytes = thread->bytes;
		seen.records = thread->records;
		seen.local_bytes = thread->local_bytes;
		seen.unreadable = thread->unreadable;
		seen.no_local = thread->no_local;
		team_put(pack, &seen, sizeof seen);
	}
	return !pack->failed;
}

static void take_seen(struct otf_loader *loader, const struct team_bytes *from)
{
	struct otf_thread *thread = loader->world.threads;

	for (uint32_t r = 0; r < team_size(loader->maker->team); r++) {
		struct team_take take = {from[r].bytes, from[r].n};
		struct sizes_seen seen;
		uint64_t hash;

		team_take(&take, &hash, sizeof hash);
		for (; team_take(&take, &seen, sizeof seen); thread++) {
			thread->bytes = seen.bytes;
			thread->records = seen.records;
			thread->local_bytes = seen.local_bytes;
			thread->unreadable = seen.unreadable;
			thread->no_local = seen.no_local;
		}
	}
}

/* All ranks know what each of them sent, so that all say the same here. */
static enum err_code differs(struct otf_loader *loader, struct err *e)
{
	char name[200];

	return maker_agreed(loader->maker,
			 err_set(e, ERR_IO, "%s, or its definitions, differ between ranks: is it still being written?",
				 text_safe(name, sizeof name, loader->archive.anchor, SIZE_MAX, TEXT_UTF8)));
}

static enum err_code files_exchange(const struct looking *looking, struct err *e)
{
	struct otf_loader *loader = looking->loader;
	const struct team *team = loader->maker->team;
	struct team_bytes *from = mem_zero(team_size(team), sizeof *from);
	struct team_pack pack = {0};
	uint64_t hash = archive_hash(loader);
	enum err_code code = from && put_seen(&pack, looking, hash) ? ERR_OK : err_memory(e, "the trace's files");
	bool same = true;

	if (!code)
		code = maker_agreed(loader->maker, team_gather_all(team, pack.bytes, pack.n, from, e));
	mem_free(pack.bytes);
	for (uint32_t r = 1; !code && r < team_size(team); r++)
		same = same && from[r].n >= sizeof hash && !memcmp(from[r].bytes, from[0].bytes, sizeof hash);
	if (!code && same)
		take_seen(loader, from);
	else if (!code)
		code = differs(loader, e);
	if (from)
		team_bytes_free(from, team_size(team));
	mem_free(from);
	return code;
}

/* ---- what it means ---- */

static enum err_code nothing_there(struct otf_loader *loader, struct err *e)
{
	struct stat folder;
	char name[200], stem[200];
	bool missing = stat(loader->archive.stem, &folder) != 0;

	text_safe(name, sizeof name, loader->archive.anchor, SIZE_MAX, TEXT_UTF8);
	text_safe(stem, sizeof stem, loader->archive.stem, SIZE_MAX, TEXT_UTF8);
	return err_set(e, ERR_FORMAT, missing ? "%s has definitions only: its folder %s is missing"
					      : "%s has definitions only: its folder %s has no events of any "
					      	"rank", name, stem);
}

/* Some writers define locations before they have counted their records, and never count them: then files have more than
 * is said, in all locations. Else the difference is a file's that is not the one that it was. */
static void check_counts(struct otf_loader *loader)
{
	struct otf_world *world = &loader->world;
	const struct otf_thread *some = NULL;

	for (uint32_t i = 0; i < world->thread_count; i++) {
		const struct otf_thread *thread = &world->threads[i];

		if (thread->unreadable)
			continue;
		if (thread->records <= thread->expected || !loader->archive.event_chunk)
			return;
		some = some ? some : thread;
	}
	if (!some)
		return;
	notes_add(&loader->maker->trace->notes, NOTE_BAD_DEFINITION, NOTE_NOWHERE,
		  "the definitions count %" PRIu64 " records of location %" PRIu64 ", but its file has %" PRIu64 ", "
		  "and so for all locations; pas2p used the counts of the files", some->expected, some->location, some->records);
	for (uint32_t i = 0; i < world->thread_count; i++)
		world->threads[i].expected = world->threads[i].records;
}

static void note_missing(struct otf_loader *loader)
{
	struct otf_world *world = &loader->world;
	struct notes *notes = &loader->maker->trace->notes;
	bool local = false;

	for (uint32_t i = 0; i < world->thread_count; i++)
		local = local || !world->threads[i].no_local;
	for (uint32_t i = 0; i < world->thread_count; i++) {
		const struct otf_thread *thread = &world->threads[i];

		if (thread->unreadable) {
			loader->damaged = true;
			notes_add(notes, NOTE_MISSING_FILE, thread_place(thread), "the event file of location "
									 "%" PRIu64 " (rank %u), %" PRIu64 ".evt, is "
									 "missing or empty",
				  thread->location, thread->process, thread->location);
		}
		if (thread->no_local && local)
			notes_add(notes, NOTE_UNFINALIZED, thread_place(thread), "the definitions of location "
				  "%" PRIu64 " (rank %u), %" PRIu64 ".def, are missing: its clock is not aligned", thread->location, thread->process, thread->location);
	}
}

static enum err_code define_room(struct otf_loader *loader, struct err *e)
{
	struct otf_world *world = &loader->world;
	uint64_t *most = mem_zero(world->process_count, sizeof *most);
	enum err_code code = most ? ERR_OK : err_memory(e, "the trace's events");

	for (uint32_t i = 0; !code && i < world->thread_count; i++) {
		const struct otf_thread *thread = &world->threads[i];
		uint64_t limit = thread->bytes / LEAST_EVENT * (loader->archive.event_chunk ? 1 : MOST_PACKED) + 1;

		if (world->mpi && !thread->unreadable)
			most[thread->process] += thread->records < limit ? thread->records : limit;
	}
	if (!code)
		code = make_room(loader->maker, most, e);
	mem_free(most);
	return code;
}

enum err_code otf_look_at_files(struct otf_loader *loader, struct err *e)
{
	struct otf_world *world = &loader->world;
	struct looking looking = {.loader = loader, .stop.progress = loader->maker->progress};
	uint64_t *all = &loader->maker->trace->files[0].bytes;
	struct stat global;
	uint32_t readable = 0;
	enum err_code code;

	threads_find_local(&looking);
	looking.parts = parallel_threads(loader->maker->threads, (unsigned)((looking.end - looking.first) / FILES_A_THREAD) + 1);
	parallel_run(looking.parts, look_at_some, &looking);
	if (atomic_load(&looking.no_memory))
		return err_memory(e, "the trace's files");
	code = loader->maker->team ? files_exchange(&looking, e) : ERR_OK;
	if (code)
		return code;
	if (stat(otf_archive_global(&loader->archive), &global) == 0)
		*all += (uint64_t)global.st_size;
	for (uint32_t i = 0; i < world->thread_count; i++) {
		loader->total_bytes += world->threads[i].bytes;
		*all += world->threads[i].bytes + world->threads[i].local_bytes;
		readable += !world->threads[i].unreadable;
	}
	if (!readable)
		return nothing_there(loader, e);
	check_counts(loader);
	note_missing(loader);
	return define_room(loader, e);
}

bool otf_refs_init(struct otf_refs *refs)
{
	refs->dense = mem_zero(OTF2_REFS_DENSE, sizeof *refs->dense);
	refs->rest = map_new();
	return refs->dense && refs->rest;
}

void otf_refs_release(struct otf_refs *refs)
{
	mem_free(refs->dense);
	map_free(refs->rest);
}

bool otf_refs_set(struct otf_refs *refs, uint64_t ref, uint32_t place)
{
	uint32_t *at = ref < OTF2_REFS_DENSE ? &refs->dense[ref] : map_at(refs->rest, ref, 0);

	if (at)
		*at = place + 1;
	return at;
}
