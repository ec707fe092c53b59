/* The record log: every record of a run, process by process in the order in which each made them, for who writes the
 * run in another format. What an event is (partner, size, tag, communicator, match) is in the trace; the log has what
 * the trace does not keep: all calls and user states, readings of the CPU clock, and what completes and meets by numbers.
 *
 *     record_log_load(&log, &trace, paths, count, &options, job, &e);   with the trace, in one reading
 *     record_cursor_init(&c, log, process);  while (record_cursor_next(&c, &record)) ...  record_cursor_release(&c);
 *     record_log_free(log);
 *
 * Several cursors may be open at once, one per process: who merges processes opens all. Each needs a buffer of
 * RECORD_CHUNK bytes.
 *
 * Memory: records are packed, some 8 bytes each, and kept in memory up to a budget; what is beyond goes to a file
 * without a name in $TMPDIR. Immutable once made; the trace must outlive it.
 */
#ifndef PAS2P_RECORD_LOG_H
#define PAS2P_RECORD_LOG_H

#include <stdbool.h>
#include <stdint.h>

#include "core/base/err.h"
#include "core/base/job.h"
#include "core/trace/trace.h"

#define RECORD_CHUNK 16384

enum record_kind {
	RECORD_ENTER,          /* a state begins: an MPI call, a user state, the tracer's writing */
	RECORD_LEAVE,          /* the topmost one of that kind ends; starts without ends and ends without starts occur */
	RECORD_EVENT,          /* an event of the trace; a collective right after the RECORD_ENTER of its call, at the same time */
	RECORD_READING,        /* the CPU clock of the thread shows `seconds` */
	RECORD_OTHER           /* something else that only start, end and count of records follow from */
};

/* What a record says by numbers (docs/tracer.md, "What completes when", "What is made together"): the start of a call, or
 * the collective that it is; the start of the state around a message; a RECORD_OTHER. */
enum {
	RECORD_BEGINS = 8,     /* `count` requests begin here, from `request` on; request 0: none, but it would say */
	RECORD_COMPLETES = 16, /* `request` completes here */
	RECORD_MEETS = 32,     /* it is the call `number` of those that all members of `comm` make together */
	RECORD_NEIGHBOUR = 64  /* the process receives from `number`, NO_PROCESS: nobody, in neighbourhood collectives on `comm` */
};

/* What a state is. */
struct record_state {
	const char *name, *colour; /* safe text; "MPI_Send" */
	bool mpi, tracer;
	enum time_kind time;       /* of a call: what its time goes into */
	unsigned says;             /* RECORD_BEGINS and others that its starts have */
};

struct record {
	enum record_kind kind;
	int32_t thread;
	double time;           /* s, as the trace has times: exactly that of its event; where a clock steps back, it does */
	uint32_t state;        /* enter, leave: index of the log's states, of which each occurs */
	uint32_t event;        /* of the trace */
	uint32_t root;         /* of a collective: a process; NO_PROCESS: it has none, or it is not known */
	uint64_t received;     /* of a collective: bytes that the process got; UINT64_MAX: not known */
	bool empty;            /* of a collective: it is recorded that the process gave nothing; a size of 0 without that is not known */
	double seconds;        /* of a reading; only those that are of use where the trace's compute times come from them */
	unsigned says;         /* RECORD_BEGINS and others; what follows goes with them */
	uint32_t request, count, comm, number;
};

struct record_log;
struct record_pack;
struct record_store;
struct source;
struct thread_list;
struct trace_options;

/* As call_log_load() (core/metrics/call_log.h): what trace_load() gives, and says, and the log where that is ERR_OK, or
 * ERR_DAMAGED with a trace. ERR_IO also: $TMPDIR
 * is full. `budget`: bytes of records that are kept in memory; 0: as many as is usual. */
enum err_code record_log_load(struct record_log **out, struct trace **trace, const char *const *paths, uint32_t count,
			      const struct trace_options *o, uint64_t budget, const struct job *job, struct err *e);
enum err_code record_log_load_sources(struct record_log **out, struct trace **trace, const struct source *sources, uint32_t count,
				      const struct trace_options *o, uint64_t budget, const struct job *job, struct err *e);
void record_log_free(struct record_log *log); /* NULL is fine */

/* Before the first cursor: no collective is an event any more. Their calls stay, as those of collectives of one process
 * do. */
void record_log_ignore_collectives(struct record_log *log);

const struct record_state *record_log_states(const struct record_log *log, uint32_t *count);
/* Some record has the root of a collective, or says that its process gave nothing. */
bool record_log_tells_collectives(const struct record_log *log);
/* Nonblocking calls whose request has a number in the trace, by which the call that completes it is known. */
uint64_t record_log_requests(const struct record_log *log);
/* Calls that the members of a communicator make together, by their numbers. */
uint64_t record_log_meetings(const struct record_log *log);
/* RECORD_BEGINS and others that some RECORD_OTHER says. */
unsigned record_log_others_say(const struct record_log *log);

struct record_cursor {
	const struct record_log *log;
	uint32_t process;
	const struct record_pack *pack; /* where the records are */
	const struct record_store *store;
	struct record_reading *reading; /* the cursor's own */
	struct err err;        /* of reading the file back: the cursor ends, and this says why */
};

enum err_code record_cursor_init(struct record_cursor *cursor, const struct record_log *log, uint32_t process, struct err *e);
/* Of records that were taken out of the process's (record_log_split()). */
enum err_code record_cursor_init_pack(struct record_cursor *cursor, const struct record_log *log, uint32_t process, const struct record_pack *pack,
				      const struct record_store *store, struct err *e);
bool record_cursor_next(struct record_cursor *cursor, struct record *record);
void record_cursor_release(struct record_cursor *cursor);

/* A process's records once more, in `store`, thread by thread, so that who wants one thread's does not read all: for
 * each thread that has some a struct record_pack in `threads`, which is the caller's to free, also after an error.
 * ERR_CANCELLED, ERR_IO, ERR_MEMORY. */
enum err_code record_log_split(const struct record_log *log, uint32_t process, struct record_store *store, struct thread_list *threads,
			       const struct job *job, struct err *e);
uint64_t record_log_budget(const struct record_log *log); /* bytes that it keeps in memory */

#endif
