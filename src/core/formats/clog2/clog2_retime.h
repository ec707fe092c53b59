/* A CLOG2 trace once more, with other times: a finalized, big-endian CLOG-02.44 of the same records, whatever the files
 * are.
 *
 * Each process's records stay in their order; processes are merged by time (ties: the smaller rank). Shifts of clocks
 * are raised by what the time there was lowered by, so that raw = time + shift still holds. Left out is what reading
 * leaves out: records of no process. Added to rank 0, before its definitions: a constant that says how times were
 * corrected, now and before.
 */
#ifndef PAS2P_CLOG2_RETIME_H
#define PAS2P_CLOG2_RETIME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base/err.h"
#include "core/base/job.h"
#include "core/io/source.h"

struct clog2_new_times {
	uint32_t process_count;
	const size_t *first;   /* process_count + 1 */
	const double *time;    /* of records, as a watch is told them (trace_make.h) */
	unsigned steps;        /* as trace->clocks */
	void *room;            /* 8 bytes a record, aligned for them, that may be written over; NULL: it is allocated */
};

/* The file is replaced whole or not at all; it may be one of the sources. ERR_IO: it cannot be written, or the sources
 * have changed; ERR_LIMIT: a time is outside of what CLOG2 holds; ERR_FORMAT: they are not CLOG2; ERR_CANCELLED,
 * ERR_MEMORY.
 * *unwritten: it is the new file that an error is of. */
enum err_code clog2_retime(const char *path, const struct source *sources, uint32_t count, const struct clog2_new_times *times,
			   bool *unwritten, const struct job *job, struct err *e);

#endif
