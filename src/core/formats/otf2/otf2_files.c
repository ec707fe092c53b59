/* The files of an archive's locations, before they are read. */
#include <inttypes.h>
#include <limits.h>
#include <sys/stat.h>

#include "core/base/text.h"
#include "otf2_chunks.h"
#include "otf2_load.h"

#define LEAST_EVENT 6      /* bytes of a record of a message or a collective */
#define FILES_A_THREAD 64  /* fewer are not worth one */
#define MOST_PACKED 1032   /* bytes that one byte of a compressed file can be */

static struct note_place place(const struct otf_thread *thread)
{
	return (struct note_place){0, (int32_t)thread->process, -1, -1, -1};
}

static void look(const struct otf_archive *archive, struct otf_thread *thread, atomic_bool *no_memory)
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
	struct parallel_stop stop;
	atomic_bool no_memory;
	unsigned parts;
};

static void look_at_some(void *arg, unsigned part)
{
	struct looking *looking = arg;
	struct otf_world *world = &looking->loader->world;
	uint64_t count = world->thread_count;

	for (uint64_t i = count * part / looking->parts; i < count * (part + 1) / looking->parts; i++)
		if (!parallel_stopped(&looking->stop, part))
			look(&looking->loader->archive, &world->threads[i], &looking->no_memory);
}

static enum err_code nothing_there(struct otf_loader *loader, struct err *e)
{
	struct stat folder;
	char name[200], stem[200];
	bool missing = stat(loader->archive.stem, &folder) != 0;

	text_safe(name, sizeof name, loader->archive.anchor, SIZE_MAX, TEXT_UTF8);
	text_safe(stem, sizeof stem, loader->archive.stem, SIZE_MAX, TEXT_UTF8);
	return err_set(e, ERR_FORMAT, missing ? "%s holds definitions only; its folder %s is missing"
					      : "%s holds definitions only; its folder %s has no events of any rank", name, stem);
}

/* Some writers define locations before they have counted their records, and never count them: then files have more than is said, in all
 * locations. Else the difference is a file's that is not the one that it was. */
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
		  "the definitions count %" PRIu64 " records of location %" PRIu64 ", its file %" PRIu64 ", and so it is in all locations; what the "
		  "files count was used", some->expected, some->location, some->records);
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
			notes_add(notes, NOTE_MISSING_FILE, place(thread), "the event file of location %" PRIu64 " (rank %u), %" PRIu64 ".evt, is missing or empty",
				  thread->location, thread->process, thread->location);
		}
		if (thread->no_local && local)
			notes_add(notes, NOTE_UNFINALIZED, place(thread), "the definitions of location %" PRIu64 " (rank %u), %" PRIu64
				  ".def, are missing: its clock is not aligned", thread->location, thread->process, thread->location);
	}
}

static enum err_code tell_room(struct otf_loader *loader, struct err *e)
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
	struct looking looking = {.loader = loader, .stop.job = loader->maker->job};
	uint64_t *all = &loader->maker->trace->files[0].bytes;
	struct stat global;
	uint32_t readable = 0;

	looking.parts = parallel_threads(loader->maker->threads, world->thread_count / FILES_A_THREAD + 1);
	parallel_run(looking.parts, look_at_some, &looking);
	if (atomic_load(&looking.no_memory))
		return err_memory(e, "the trace's files");
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
	return tell_room(loader, e);
}
