/* The timeline: what each process did in physical time, for any window at any zoom. A view of a call log.
 *
 *     timeline_new(&tl, log, job, &e);
 *     timeline_row(tl, 0, 63, t0, t1, 200, cells);         64 processes in a row of 200 cells: share of time by kind
 *     timeline_calls(tl, p, t0, t1, &first);               zoomed in: the calls themselves
 *     timeline_messages(tl, 0, 63, t0, t1, ...);           and the lines between them
 *
 * The calls of a process are its log's outermost MPI calls and tracer's writes, in order of time and without overlap: where threads call at once, a call
 * begins where the one before it ends (`cut` counts those). Between calls a process computes, from its first record to its last.
 *
 * Memory: 56 bytes for every 16 calls, and 24 a call of a process with several threads; 16 bytes for every 64 events.
 * Cost of a cell: O(log calls) per process, below a microsecond, whatever the zoom; of a row, O(cells + log calls) per
 * process. So a screen of 200 x 50 cells over 1 024 processes takes about 20 ms.
 *
 * Immutable once made, readable from any thread; the log and its trace must outlive it.
 */
#ifndef PAS2P_TIMELINE_H
#define PAS2P_TIMELINE_H

#include <stdbool.h>
#include <stdint.h>

#include "call_log.h"
#include "span_sums.h"

#define NO_CALL UINT32_MAX

struct timeline_process {
	const struct logged_call *calls;
	uint32_t count;
	struct logged_call *merged; /* what `calls` is, of several threads; NULL: the log's own */
	double start, end;   /* of its records */
	struct span_sums sums; /* time by kind */
};

struct timeline {
	const struct trace *trace;
	const struct call_log *log;
	struct timeline_process *processes; /* trace->process_count */
	bool known;                /* the trace has calls: else nothing is known of any time */
	uint64_t calls, cut, lost; /* lost: calls wholly within others */
	double *block_from, *block_to;      /* of 64 events each: earliest and latest time of their messages' ends */
};

enum err_code timeline_new(struct timeline **out, const struct call_log *log, const struct job *job, struct err *e); /* ERR_CANCELLED, ERR_MEMORY */
void timeline_free(struct timeline *tl); /* NULL is fine */

/* What a call's time is. */
enum time_kind timeline_kind(const struct timeline *tl, const struct logged_call *call);
const char *timeline_call_name(const struct timeline *tl, const struct logged_call *call); /* "MPI_Send", "tracer" */

/* The share of the time of the processes first to last (both included) in each of `cells` windows of equal length between t0 and t1 (t0 < t1) that went into
 * each kind. They add up to the share that the trace covers (without calls all are 0): 1, or less where some process has not begun or has ended. Times
 * are the trace's, as trace->start and end. */
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
