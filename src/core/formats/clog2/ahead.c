#include "clog2_int.h"

#include <string.h>

/* The blocks of a file that is as its preamble says are not larger; others are opened first. */
#define MOST_BLOCK (4u << 20)

enum err_code ahead_scan(struct ahead *ahead, struct loader *loader, const struct source *source, int file_index, struct err *e)
{
	const struct job *job = loader->maker->job;
	struct chunk *c = &ahead->chunk;
	enum err_code code = ERR_OK;
	uint8_t maybe[DEFS_DIRECT];
	struct clog2_block b;
	uint64_t size;
	bool more = clog2_guess(&ahead->file, source) && ahead->file.block_size <= MOST_BLOCK;

	if (more) {
		ahead->file.file_index = file_index;
		defs_maybe_table(&loader->defs, maybe);
		code = chunk_init(c, loader, &ahead->file, 0, ahead->file.block_count, e);
		c->unsized = &ahead->file;
	}
	clog2_block_init(&b);
	while (!code && more) {
		more = chunk_scan(c, maybe, &b);
		if (c->code)
			code = c->code, *e = c->err;
		else if (job_stopped(job))
			code = err_set(e, ERR_CANCELLED, "stopped before any event was read");
		if ((b.index & 63) == 0)
			job_progress(job, JOB_SCAN, source_taken(source, b.offset), source->file_size);
	}
	clog2_block_release(&b);
	return code ? code : source_find_size(source, &size, job, e);
}

bool ahead_take(struct ahead *ahead, struct chunk *chunk, const struct clog2_file *file)
{
	const struct clog2_file *guess = &ahead->file;
	struct chunk *c = &ahead->chunk;
	bool same = c->done && guess->source == file->source && guess->header_size == file->header_size && guess->big_endian == file->big_endian &&
		guess->block_size == file->block_size && guess->finalized == file->finalized &&
		(guess->ended == file->ended || !c->asked_ended) &&
		(guess->block_count == file->block_count || (c->cut && c->done <= file->block_count));

	if (!same)
		return false;
	*chunk = *c;
	*c = (struct chunk){0};
	chunk->f = file;
	chunk->unsized = NULL;
	return true;
}
