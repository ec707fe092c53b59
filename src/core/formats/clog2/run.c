/* Which run a file is of: a local file's first record of an MPI_COMM_WORLD has the identity that all files of the run
 * have. */
#include "clog2_int.h"

#include <string.h>

#include "clog2.h"
#include "core/trace/notes.h"

#define SEARCHED 8 /* blocks; it stands in the first one, unless that is damaged */
#define WORLD 0    /* the etype of MPI_COMM_WORLD */

static bool find_world(const struct clog2_file *file, struct clog2_block *block, struct format_run *run)
{
	struct clog2_rec rec;
	struct clog2_comm comm;

	while (clog2_block_next(block, &rec)) {
		if (rec.type != CLOG2_COMMEVT)
			continue;
		clog2_get_comm(file, &rec, &comm);
		if (comm.etype != WORLD)
			continue;
		_Static_assert(sizeof comm.gid.bytes == sizeof run->id, "an identity fits");
		memcpy(run->id, comm.gid.bytes, sizeof run->id);
		return true;
	}
	return false;
}

/* Does a file of unknown size say that it is the whole run, and its first block the same? Then its end, which would
 * have to be decompressed for, cannot say otherwise. */
static bool surely_whole(const struct source *source)
{
	struct clog2_file file;
	struct err unwanted;
	struct probe probe = {.file = &file, .e = &unwanted};
	bool whole;

	if (source_size(source) != SOURCE_SIZE_UNKNOWN || !clog2_guess(&file, source) || file.block_size > SOURCE_HEAD || file.minor < 43 ||
	    !file.finalized)
		return false;
	clog2_block_init(&probe.block);
	whole = probe_merged(&probe, false);
	clog2_block_release(&probe.block);
	return whole;
}

enum err_code clog2_run(const struct source *source, struct format_run *run, struct err *e)
{
	struct notes notes;
	struct clog2_file file;
	struct clog2_block block;
	enum err_code code;

	if (surely_whole(source))
		return ERR_OK;
	notes_init(&notes);
	code = clog2_open(&file, source, &notes, e);
	notes_release(&notes);
	/* What is wrong with it is for loading to say, and to bear in a set. */
	if (code == ERR_DAMAGED || code == ERR_FORMAT) {
		run->part = true;
		return ERR_OK;
	}
	if (code || file.finalized)
		return code;
	run->part = true;
	run->known = file.header_size == 16; /* up to 02.20 there is no identity: all are of one run */
	clog2_block_init(&block);
	for (uint64_t k = 0; !run->known && !code && k < file.block_count && k < SEARCHED; k++) {
		code = clog2_block_read(&file, k, &block, e);
		run->known = !code && find_world(&file, &block, run);
	}
	clog2_block_release(&block);
	return code;
}
