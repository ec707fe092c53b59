/* The timeline: what each process did in physical time, for any window at any zoom.
 *
 *     timeline_new(&tl, trace, job, &e);                   reads the trace's files once more
 *     timeline_share(tl, 0, 63, t0, t1, share);            64 processes in one cell: share of time by kind
 *     timeline_row(tl, 0, 63, t0, t1, 200, cells);         a row of 200 such cells
 *     timeline_calls(tl, p, t0, t1, &first);               zoomed in: the calls themselves
 *     timeline_messages(tl, 0, 63, t0, t1, ...);           and the lines between them
 *
 * Kept are the outermost MPI calls and tracer's writes of each process, in order of time and without overlap: where
 * threads call at once or a clock steps back, a call begins where the one before it ends (`cut` counts those). Between
 * calls a process computes, from its first record to its last.
 *
 * Memory: 16 bytes a call and 56 more for every 32 calls, 18 in all; 16 bytes for every 64 events. Ten million calls
 * take 180 MB. Making it costs one reading of the files (two seconds for ten million calls).
 * Cost of a cell: O(log calls) per process, below a microsecond, whatever the zoom; of a row, O(cells + log calls) per
 * process. So a screen of 200 x 50 cells over 1 024 processes takes about 20 ms.
 *
 * Immutable once made, readable from any thread; the trace must outlive it.
 */
#ifndef PAS2P_TIMELINE_H
#define PAS2P_TIMELINE_H

#include <stdbool.h>
#include <stdint.h>

#include "core/base/err.h"
#include "core/base/job.h"
#include "core/trace/trace.h"

#define TIMELINE_NO_STATE UINT16_MAX
#define NO_CALL UINT32_MAX

struct call {
	double start;
	float duration;   /* rounded down: start + duration is never after the call's end */
	uint16_t state;   /* index into trace->states, or TIMELINE_NO_STATE */
	uint8_t kind;     /* enum time_kind, not TIME_COMPUTE */
	uint8_t cut;      /* its beginning was cut */
};

struct timeline_process {
	struct call *calls;
	uint32_t count;
	double start, end;   /* of its records */
	double (*sums)[TIME_KINDS]; /* time by kind in the calls before number 32 i */
};

struct timeline {
	const struct trace *trace;
	struct timeline_process *processes; /* trace->process_count */
	bool known;                /* the trace has calls: else nothing is known of any time */
	uint64_t calls, cut, lost; /* lost: calls wholly within others */
	double *block_from, *block_to;      /* of 64 events each: earliest and latest time of their messages' ends */
};

/* ERR_IO if a file is gone or is not what was loaded, ERR_CANCELLED, ERR_MEMORY. A trace that was not loaded from files
 * has no calls: *out then knows messages only. */
enum err_code timeline_new(struct timeline **out, const struct trace *t, const struct job *job, struct err *e);
struct source;
enum err_code timeline_new_sources(struct timeline **out, const struct trace *t, const struct source *sources,
				   uint32_t count, const struct job *job, struct err *e);
void timeline_free(struct timeline *tl); /* NULL is fine */

/* The share of the time of the processes first to last (both included) between t0 and t1 (t0 < t1) that went into each
 * kind. They add up to the share that the trace covers (without calls all are 0), which is returned: 1, or less where some process has not begun
 * or has ended. Times are the trace's, as trace->start and end. */
double timeline_share(const struct timeline *tl, uint32_t first, uint32_t last, double t0, double t1,
		      double share[TIME_KINDS]);
/* The same for `cells` windows of equal length. */
void timeline_row(const struct timeline *tl, uint32_t first, uint32_t last, double t0, double t1, uint32_t cells,
		  double (*share)[TIME_KINDS]);

/* The calls of a process that have time within [t0, t1] or touch it: how many, from number *first. O(log calls). */
uint32_t timeline_calls(const struct timeline *tl, uint32_t process, double t0, double t1, uint32_t *first);
/* The call in which t lies, else the one nearest to it; NO_CALL if the process has none. */
uint32_t timeline_call_at(const struct timeline *tl, uint32_t process, double t);

/* A message: the events at both ends. */
struct timeline_message {
	uint32_t send, receive;
};

struct timeline_messages {
	uint32_t count;      /* given */
	uint64_t all;        /* there are */
	bool estimated;      /* `all` is an estimate: not every part of the trace was looked at */
};

/* Messages that are under way at some time between t0 and t1 and have an end on one of the processes first to last,
 * each once, up to `most` of them, evenly picked where there are more. Looks at 150 000 events at most (some
 * milliseconds): where the window holds more, at evenly picked ones. */
struct timeline_messages timeline_messages(const struct timeline *tl, uint32_t first, uint32_t last, double t0,
					   double t1, struct timeline_message *out, uint32_t most);

#endif
