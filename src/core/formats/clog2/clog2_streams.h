/* A trace's records, process by process: where each lies in its files, and when it is to be. Internal to clog2_retime.
 *
 * Records that a watch is told (trace_make.h) get the times that are given for them. All others of a process
 * (definitions, communicators, shifts of the clock) are moved with those around them. 8 bytes a record.
 */
#ifndef PAS2P_CLOG2_STREAMS_H
#define PAS2P_CLOG2_STREAMS_H

#include "clog2_load.h"
#include "clog2_retime.h"

enum other_kind {
	OTHER_RECORD,        /* of the file */
	OTHER_WORLD,         /* made: that the process is of MPI_COMM_WORLD; up to 02.20 files do not say so */
	OTHER_CLOCKS         /* made: how times are corrected */
};

struct clog2_other {
	enum other_kind kind;
	uint32_t process, before; /* so many told records come before it */
	uint32_t next;       /* of the process; UINT32_MAX: none */
	uint64_t at;         /* where it lies */
	double old, time;    /* of the trace; new */
};

struct clog2_streams {
	const struct loader *loader;
	const struct clog2_new_times *times;
	uint64_t *base;      /* per file, and one more: bytes of those before it */
	uint64_t *at;        /* where each told record lies: base of its file + offset */
	struct clog2_other *others;
	uint32_t other_count;
	size_t other_cap;
	uint32_t *first_other; /* per process; UINT32_MAX: none */
	unsigned steps;      /* that the files have been corrected by before */
	int32_t threads;     /* highest number of a thread + 1 */
};

/* ERR_IO: the files are not those that the times are for. */
enum err_code clog2_streams_init(struct clog2_streams *s, const struct loader *loader, const struct clog2_new_times *times,
				 const struct job *job, struct err *e);
void clog2_streams_release(struct clog2_streams *s);

/* The file that a place lies in. */
uint32_t clog2_streams_file(const struct clog2_streams *s, uint64_t at);

#endif
