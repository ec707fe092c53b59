/* Sets of local files: whether they are of one run, one of each process, and what of the run they lack. */
#include <string.h>

#include "core/base/text.h"
#include "clog2_int.h"

#define SHOWN 150

static const char *set_name_shown(const struct loader *loader, uint32_t file, char buf[SHOWN])
{
	return text_safe(buf, SHOWN, loader->maker->trace->files[file].path, SIZE_MAX, TEXT_UTF8);
}

/* Which files can be reached from `from` over communicators that they share; files that name none are left out. */
static void reach(const struct loader *loader, uint32_t from, bool *file_reached, bool *comm_reached)
{
	uint64_t name, unused;
	uint32_t comm;
	bool more = true;

	file_reached[from] = true;
	while (more) {
		more = false;
		for (size_t i = 0; map_each(loader->comms.names, &i, &name, &unused, &comm);) {
			bool *file = &file_reached[name >> 32], *at = &comm_reached[comm];

			if (comm && *file != *at)
				more = *file = *at = true;
		}
	}
}

/* The processes of one run share their MPI_COMM_WORLD; those of runs that were spawned, the way to their parents. */
static enum err_code check_one_run(const struct loader *loader, struct err *e)
{
	bool *names = mem_zero(loader->file_count, sizeof *names), *files = mem_zero(loader->file_count, sizeof *files);
	bool *comms = mem_zero((size_t)loader->comms.count + 1, sizeof *comms);
	uint64_t name, unused;
	uint32_t comm, first = 0;
	enum err_code code = ERR_OK;

	if (!names || !files || !comms) {
		code = err_memory(e, "the trace's files");
	} else {
		for (size_t i = 0; map_each(loader->comms.names, &i, &name, &unused, &comm);)
			names[name >> 32] |= comm != 0;
		while (first < loader->file_count && !names[first])
			first++;
		if (first < loader->file_count)
			reach(loader, first, files, comms);
		for (uint32_t i = first; !code && i < loader->file_count; i++) {
			char one[SHOWN], other[SHOWN];

			if (names[i] && !files[i])
				code = err_set(e, ERR_USAGE, "%s and %s are from different runs, because they have no "
					       "common communicator\nhint: open only the local files of one run "
					       "together",
					       set_name_shown(loader, first, one), set_name_shown(loader, i, other));
		}
	}
	mem_free(names);
	mem_free(files);
	mem_free(comms);
	return code;
}

enum err_code load_set_check(const struct loader *loader, struct err *e)
{
	const struct comms *comms = &loader->comms;
	char one[SHOWN], other[SHOWN];

	if (loader->file_count < 2)
		return ERR_OK;
	if (comms->twice)
		return err_set(e, ERR_USAGE, "%s and %s are both the local file of rank %d\nhint: give only one of them",
			       set_name_shown(loader, comms->twice_files[0], one), set_name_shown(loader, comms->twice_files[1], other),
			       comms->twice_rank);
	return check_one_run(loader, e);
}

void load_set_note(struct loader *loader)
{
	struct trace *t = loader->maker->trace;
	uint64_t comm, rank;
	uint32_t file;

	for (uint32_t f = 0; f < loader->file_count; f++) {
		struct note_place place = {(int32_t)f, -1, -1, -1, -1};
		uint32_t process = NO_PROCESS;

		if (t->files[f].finalized)
			continue;
		for (size_t i = 0; map_each(loader->comms.owners, &i, &comm, &rank, &file);)
			if (file == f + 1)
				process = comms_process(&loader->comms, (uint32_t)comm, (int32_t)rank);
		place.process = process == NO_PROCESS ? -1 : (int32_t)process;
		if (process == NO_PROCESS)
			notes_add(&t->notes, NOTE_UNFINALIZED, place, "a local file without the rank that wrote it");
		else if (!t->processes[process].records)
			notes_add(&t->notes, NOTE_UNFINALIZED, place, "the local file of rank %u, which records no call",
				  process);
		else
			notes_add(&t->notes, NOTE_UNFINALIZED, place,
				  "the local file of rank %u, which ends %.6g s before the last one", process,
				  t->end - t->processes[process].end);
	}
}
