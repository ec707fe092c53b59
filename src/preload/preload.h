/* The preloaded library: what its parts share. It is one source, built for each MPI implementation.
 *
 *     calls.def      the functions that are wrapped
 *     wrappers.c     the wrappers (wrappers.inc: those that MPI 4 has twice); requests.c: those around requests
 *     call.h         what every wrapper does before and after the call
 *     preload.c      MPI_Init to MPI_Finalize, Pcontrol, Abort, signals, definitions
 *     states.c       user states: regions     functions.c    user states: functions     symbols.c    their names
 *     comms.c        communicators      clocks.c     wall and CPU clocks     buffer.c     records in blocks, local file
 *     sync.c         clocks of other nodes              node.c       who shares this node's processors
 *     record_cost.c    what a record costs here
 *     merge.c        one file of all    real.c       the MPI library         control.h    the checkpoint runner's side
 *
 * Only outermost calls make records: `self.depth` counts how deep this thread is in MPI calls, since MPI
 * libraries call MPI functions themselves.
 *
 * Where a call's records lie in time: the entry CPU sample and the state's start before the call, the state's end and
 * the exit CPU sample after it, so that the library's own work falls into the state, not into the program's computing.
 * A spill to disk is logged as MPE does (CLOG_Buffer_write2disk), between the state's end and the exit CPU sample.
 */
#ifndef PAS2P_PRELOAD_H
#define PAS2P_PRELOAD_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#include "buffer.h"
#include "clocks.h"
#include "real.h"
#include "core/io/settle.h"

/* ---- record_cost ---- */

/* What it costs this process to log a record, measured once in MPI_Init (docs/internals/tracer.md, "Cost of tracing"). */

/* s a record: with warm caches, and where a core's own caches hold something else. Both 0: not known. */
struct record_cost {
	double low, high;
};

/* Logs the records of calls and takes them back: before anything else can log, and before signals are caught. A few
 * milliseconds. */
struct record_cost record_cost_measure(void);

enum call_id {
#define CALL(name, state, colour, format) CALL_##name,
#include "calls.def"
#undef CALL
	CALL_Pcontrol, /* the state that spans the time while MPI_Pcontrol has switched records off */
	CALL_COUNT
};

struct call_info {
	const char *name;
	int state;         /* MPE2's number, or -1 */
	const char *colour;
	const char *format; /* of the cargo of its start */
};
extern const struct call_info call_infos[CALL_COUNT];

/* Event types: known states have 2s and 2s+1; the others are user states in the order of the list. */
#define ETYPE_USER 600
#define STATE_USER 300
#define ETYPE_COMPUTE 5000
#define ETYPE_POSTED 5001
#define ETYPE_COMPLETED 5002
#define ETYPE_CLOCK 5003
#define ETYPE_NODE 5004
#define ETYPE_NEIGHBOUR 5005
#define ETYPE_SIZE 5006
#define ETYPE_SEND (-101)
#define ETYPE_CONST (-201)
#define ETYPE_RECEIVE (-102)
#define ETYPE_COMM_INIT (-10)
#define ETYPE_COMM_FINAL (-9)
#define STATE_ISEND_WAITED 250
#define STATE_IRECV_WAITED 251
#define STATE_SPILL 280
#define STATE_SYNC 281
#define ETYPE_SYNC (2 * STATE_SYNC)
#define NAME_ISEND_WAITED "MPE_Isend_waited"
#define NAME_IRECV_WAITED "MPE_Irecv_waited"
#define NAME_SPILL "CLOG_Buffer_write2disk"
#define NAME_SYNC "PAS2P_sync_clocks"
#define NAME_CLOCK "PAS2P_clock"
#define NAME_NODE "PAS2P_processors"
#define NAME_NEIGHBOUR "PAS2P_neighbour"
#define NAME_SIZE "PAS2P_size"
#define NAME_COMPUTE "PAS2P_compute"
#define NAME_COST_LOW "PAS2P_record_cost_low_ps"
#define NAME_COST_HIGH "PAS2P_record_cost_high_ps"
#define NAME_POSTED "PAS2P_posted"
#define NAME_COMPLETED "PAS2P_completed"
#define COLOUR_ISEND_WAITED "magenta"
#define COLOUR_IRECV_WAITED "DarkOrange"
#define COLOUR_SPILL "maroon"
#define COLOUR_SYNC "gold"
#define COLOUR_EVENT "white"
#define FORMAT_CLOCK "low=%E high=%E"
#define FORMAT_SIZE "size=%l"
#define FORMAT_NODE "node=%d ranks=%d cpus=%d waited=%E"
#define FORMAT_COMPUTE "cpu=%E"
#define FORMAT_POSTED "request=%d count=%d"
#define FORMAT_REQUEST "request=%d"
#define FORMAT_NEIGHBOUR "rank=%d"
extern int32_t call_starts[CALL_COUNT]; /* final = start + 1 */
int32_t call_state(enum call_id id);

enum preload_mode { PRELOAD_OFF, PRELOAD_TRACE, PRELOAD_CONTROL };

struct preload {
	enum preload_mode mode;   /* OFF before MPI_Init and after MPI_Finalize too */
	bool recording;           /* TRACE, and not switched off by MPI_Pcontrol */
	bool threaded;            /* MPI_THREAD_MULTIPLE: take the lock */
	int rank, size;           /* in MPI_COMM_WORLD */
	int32_t threads;          /* that have made calls */
	uint64_t counted;         /* calls counted (control.h) */
	uint32_t posted;          /* the last number of a nonblocking call (call.h) */
	MPI_Comm comm;            /* the tracer's own copy of MPI_COMM_WORLD */
	bool used[CALL_COUNT];    /* defined in this process's stream */
	bool used_sent, used_waited; /* states 250, 251 */
	bool regions;             /* MPI_Pcontrol names them (functions.h) */
	bool functions;           /* the program's are to be traced (functions.h) */
	uint64_t dropped_calls, dropped_functions; /* of them */
	struct record_cost cost;  /* of this process's records */
	char path[4096];          /* the output */
	char stem[4096];          /* of all other names of this run, which no other run has: buffer.h, merge.c */
	struct settle_seen before; /* rank 0: what stood under the output's name */
};
extern struct preload preload;

extern pthread_mutex_t preload_mutex;

static inline void preload_lock(void)
{
	if (__builtin_expect(preload.threaded, 0))
		pthread_mutex_lock(&preload_mutex);
}

static inline void preload_unlock(void)
{
	if (__builtin_expect(preload.threaded, 0))
		pthread_mutex_unlock(&preload_mutex);
}

/* This thread. */
struct request;
struct thread {
	int depth;               /* in how many MPI calls it is */
	int32_t id;              /* from 0 in order of first call; valid if known */
	bool known;
	bool waiting;            /* it is in functions that are not logged yet (functions.h) */
	struct cpu_clock cpu;
	double polled;           /* s, of its CPU time: in calls that are not logged; readings leave it out (call.h) */
	struct request *requests; /* scratch of requests.c */
	MPI_Status *statuses;
	int scratch;             /* room in both */
};
extern _Thread_local struct thread self __attribute__((tls_model("initial-exec")));

void thread_start(void);

/* Definitions go into every local stream, so that the local files of a crashed run can be read; the merge
 * leaves them out and writes each once. Under the lock. */
void log_definition(double t, int32_t state, int32_t start, const char *colour, const char *name, const char *format);

/* Write the definition of a call's state, or of state 250 or 251, into the local stream, before its first use. */
void define_call(enum call_id id);
void define_known(int32_t state);

/* All records of all processes into one file. False, with a sentence on stderr: the local files are kept. */
bool merge_all(void);

/* ---- node ---- */

/* The node that this process runs on: which other processes are there, the processors that all of them may use
 * together, and how long this one has waited for a processor. In the trace it is an event PAS2P_processors, at the
 * start and at the end of each process (docs/internals/tracer.md); nothing is asked in between. */

/* Collective over the tracer's communicator. Without memory nothing is known, and nothing logged. */
void node_start(void);
void node_log_start(void);
void node_log_end(void);

#endif
