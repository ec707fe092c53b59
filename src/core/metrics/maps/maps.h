/* Views of a call log over time and processes: the timeline, sums over any stretch, heat maps, and whom each process
 * has to do with.
 */
#ifndef PAS2P_CORE_METRICS_MAPS_MAPS_H
#define PAS2P_CORE_METRICS_MAPS_MAPS_H

#include <stdbool.h>
#include <stdint.h>

#include "core/metrics/calls/log.h"
#include "core/metrics/waits/waits.h"
#include "core/method/logical/logical.h"
#include "core/metrics/calls/phase_spans.h"
#include "core/trace/trace.h"
#include "core/metrics/calls/span_sums.h"

/* ---- call_sums ---- */

/* The time that any processes spent in any stretch of time, from sums over the calls of a log: computation, waiting,
 * transfer, time that is not analysed, other MPI; also the bytes sent, the longest call, and the process that waited
 * most.
 *
 *     call_sums_new(&sums, log, waits, progress, &e);  waits NULL: there is no account
 *     struct call_totals totals = CALL_TOTALS_NONE;
 *     call_sums_add(sums, 0, 63, t0, t1, &totals);
 *     call_sums_free(sums);
 *
 * Times are those of the log. A stretch is [t0, t1): the part of a call within it counts, and the part of its waiting,
 * which is at its beginning (docs/reference/metrics.md, "Waiting"); a message counts in the stretch in which it was
 * sent. So adjacent stretches add up to the whole, and the sums of the whole run are its time breakdown
 * (docs/reference/metrics.md, "Time breakdown").
 *
 * Cost: making it, one pass over calls and events; a stretch, O(log calls + 32) per list: some microseconds. Memory: 60
 * bytes for every 16 calls. Immutable once made; log and waits must outlive it.
 */

/* Kinds as people ask for them. Other: the rest of MPI, the tracer, what was not traced. */
enum spent_kind { SPENT_COMPUTE, SPENT_WAITING, SPENT_MOVING, SPENT_NOT_ANALYSED, SPENT_OTHER, SPENT_KINDS };
const char *spent_kind_name(enum spent_kind k); /* "computation", "waiting", "transfer", "not analysed", "other" */

struct call_totals {
	double by_kind[SPENT_KINDS]; /* s, over the processes' account lists; NAN: there is no account */
	double covered;              /* s that the trace has of them: what the kinds add up to */
	uint64_t messages, bytes;    /* sent; bytes of those of known size */
	uint32_t longest;            /* of the MPI calls that have time in it the one that took longest, all of it counted, of several the
	                              * first; NO_LOGGED_CALL: there is none */
	uint32_t waits_most;         /* the process that waited longest, of several the first; NO_PROCESS: none waited */
	double waited;               /* s that it did */
};

struct call_sums;

enum err_code call_sums_new(struct call_sums **out, const struct call_log *log, const struct waits *waits, const struct progress *progress,
			    struct err *e); /* ERR_MEMORY, ERR_CANCELLED */
void call_sums_free(struct call_sums *s);   /* NULL is fine */

/* Processes first to last, both included; t0 < t1, of which either may be infinite. Added to what processes before them
 * had, to nothing at first. */
#define CALL_TOTALS_NONE {.longest = NO_LOGGED_CALL, .waits_most = NO_PROCESS}
void call_sums_add(const struct call_sums *s, uint32_t first, uint32_t last, double t0, double t1, struct call_totals *to);

/* ---- heat_map ---- */

/* Heat maps of the whole run: what each process (or group of processes) had in each stretch of the run.
 *
 *     heat_map_new(&h, HEAT_WAITING, &from, rows, columns, progress, &e);
 *     h->value[row * h->columns + column], h->most
 *     heat_map_free(h);
 *
 * A row is so many processes, or as many as matrix_first() (traffic.h) gives it; there are no more rows than processes.
 * Columns are equal stretches of physical time, from the run's first record to its last, or of ticks (no more than
 * there are). On each process the time of a tick is from its event there (the start of the call that it is the first
 * of) to its next event; its first event's begins with its first record, its last one's ends with its last. So cells
 * tile a process's time either way. One pass over calls and events for all rows; O(calls + events + processes x
 * columns), and memory for the cells and one row's phases. Immutable once made.
 *
 * Values: HEAT_PHASE the id of the phase that has most of the cell's time, the lowest of several (0: none has any);
 * HEAT_COMPUTE and HEAT_WAITING the share of the cell's time (processes x width; in columns of ticks that of its
 * ticks); HEAT_BYTES and HEAT_MESSAGES what was sent, at the sends. NAN: none of the cell's processes has records
 * there, or (compute, waiting) the trace has no MPI calls. Times and shares are of the lists with an account, events
 * of all threads. A clock that steps back stands still until it is past.
 */

enum heat_measure { HEAT_PHASE, HEAT_COMPUTE, HEAT_WAITING, HEAT_BYTES, HEAT_MESSAGES, HEAT_MEASURES };
const char *heat_measure_name(enum heat_measure m);  /* "phase", "compute", "waiting", "bytes", "messages" */

/* What it is made of; what a measure does not need may be NULL. */
struct heat_from {
	const struct call_log *log;        /* always */
	const struct waits *waits;         /* waiting; NULL: it is not known */
	const struct phase_spans *spans;   /* phase */
	const struct logical *ticks;       /* NULL: columns are of time. Else [first_tick, end_tick), of the same run; collectives may be out */
	uint32_t first_tick, end_tick;     /* the end may lie behind the run's */
	uint32_t each;                     /* processes a row, and as many rows as that takes; 0: rows by matrix_first() */
	double from, to;                   /* columns of time: [from, to), s, the trace's own; from >= to: the whole run */
};

struct heat_map {
	enum heat_measure measure;
	uint32_t rows, columns, processes;
	double *value;
	double most;                       /* the largest value; 0: there is none above 0 */
	double from, to;                   /* columns of time: what they reach over */
};

enum err_code heat_map_new(struct heat_map **out, enum heat_measure measure, const struct heat_from *from, uint32_t rows,
			   uint32_t columns, const struct progress *progress, struct err *e);
void heat_map_free(struct heat_map *h); /* NULL is fine */

/* ---- process_peers ---- */

/* Whom each process has to do with: how many others it exchanges messages with, which of them most, and whom it waited
 * for most (docs/reference/metrics.md, "Waiting").
 *
 * A partner is another process that it sends to or receives from; the heaviest is the one with most bytes of known size
 * both ways, then most messages, then the lowest. A wait is for the process of the call that came late (waits_for()).
 * O(events + calls x log members); immutable once made.
 */

struct process_peer {
	uint32_t partners;
	uint32_t heaviest;            /* NO_PROCESS: it has none */
	uint64_t bytes, messages;     /* both ways with that one */
	uint32_t waited_for;          /* NO_PROCESS: it waited for nobody, or that is not known */
	double waited;                /* s for that one */
};

struct process_peers {
	struct process_peer *of;      /* per process */
	uint32_t count;
};

/* w NULL: waits are not known. */
enum err_code process_peers_new(struct process_peers **out, const struct trace *t, const struct waits *w, const struct progress *progress,
				struct err *e);
void process_peers_free(struct process_peers *p); /* NULL is fine */

/* ---- timeline ---- */

/* The timeline: what each process did in physical time, for any window at any zoom. A view of a call log.
 *
 *     timeline_new(&tl, log, progress, &e);
 *     timeline_row(tl, 0, 63, t0, t1, 200, cells);         64 processes in a row of 200 cells: share of time by kind
 *     timeline_calls(tl, p, t0, t1, &first);               zoomed in: the calls themselves
 *     timeline_messages(tl, 0, 63, t0, t1, ...);           and the lines between them
 *
 * The calls of a process are its log's outermost MPI calls and tracer's writes, in order of time and without overlap:
 * where threads call at once, a call begins where the one before it ends (`cut` counts those). Between calls a
 * process computes, from its first record to its last.
 *
 * Memory: 56 bytes for every 16 calls, and 24 a call of a process with several threads; 16 bytes for every 64 events.
 * Cost of a cell: O(log calls) per process, below a microsecond, whatever the zoom; of a row, O(cells + log calls) per
 * process. So a screen of 200 x 50 cells over 1 024 processes takes about 20 ms.
 *
 * Immutable once made, readable from any thread; the log and its trace must outlive it.
 */

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

enum err_code timeline_new(struct timeline **out, const struct call_log *log, const struct progress *progress, struct err *e); /* ERR_CANCELLED, ERR_MEMORY */
void timeline_free(struct timeline *tl); /* NULL is fine */

/* What a call's time is. */
enum time_kind timeline_kind(const struct timeline *tl, const struct logged_call *call);
const char *timeline_call_name(const struct timeline *tl, const struct logged_call *call); /* "MPI_Send", "tracer" */

/* The share of the time of the processes first to last (both included) in each of `cells` windows of equal length
 * between t0 and t1 (t0 < t1) that went into each kind. They add up to the share that the trace covers (without
 * calls all are 0): 1, or less where some process has not begun or has ended. Times are the trace's, as
 * trace->start and end. */
void timeline_row(const struct timeline *tl, uint32_t first, uint32_t last, double t0, double t1, uint32_t cells,
		  double (*share)[TIME_KINDS]);

/* The calls of a process that have time within [t0, t1] or touch it: how many, from number *first. O(log calls). */
uint32_t timeline_calls(const struct timeline *tl, uint32_t process, double t0, double t1, uint32_t *first);
/* The call in which t lies, otherwise the one nearest to it; NO_CALL if the process has none. */
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
 * each once, up to `most` of them, evenly picked if there are more. Looks at 150 000 events at most (some
 * milliseconds): where the window holds more, at evenly picked ones. */
struct timeline_messages timeline_messages(const struct timeline *tl, uint32_t first, uint32_t last, double t0,
					   double t1, struct timeline_message *out, uint32_t most);

#endif
