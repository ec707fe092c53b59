/* Declarations that only the files of src/core/clocks/correct use. Each part begins with its own description. */
#ifndef PAS2P_CORE_CLOCKS_CORRECT_CORRECT_INT_H
#define PAS2P_CORE_CLOCKS_CORRECT_CORRECT_INT_H

#include "core/trace/trace.h"
#include "core/clocks/bounds/bounds.h"
#include "core/base/progress.h"

/* ---- records ---- */

/* The times of all records of a trace, and which record is which event's (docs/explain/clocks-bounds.md, "Correction").
 *
 *     clock_records_read(&r, trace, progress, &e);  one reading of the trace's files
 *     clock_records_time(&r, p, i)                 record i of process p, in the order of the file, whatever thread it is of
 *     clock_records_release(&r);
 *
 * Records are those that a watch is told (core/trace/make/trace_make.h): no definitions, of communicators neither. 8
 * bytes per record and 4 per event, in blocks, since how many there will be is not known before.
 */

#define RECORDS_BLOCK 1024u

/* The records of one process. */
struct clock_recorded {
	void **time;         /* blocks of double: s, as the trace has them */
	void **of_event;     /* blocks of uint32_t: per event, by its number within the process, its record, from 0 */
	size_t time_cap, event_cap; /* of the lists of blocks */
	size_t records;
	uint32_t events;
};

struct clock_records {
	const struct trace *trace;
	uint32_t process_count;
	struct clock_recorded *process;
	size_t *first;       /* process_count + 1: records of the processes before */
};

/* A trace that was not loaded from files has its events for records. The trace must outlive it. ERR_IO: its files are
 * not what was loaded; ERR_LIMIT: a process has too many records; ERR_USAGE: the trace was not read to its end;
 * ERR_CANCELLED, ERR_MEMORY. */
enum err_code clock_records_read(struct clock_records *out, const struct trace *t, const struct progress *progress, struct err *e);
void clock_records_release(struct clock_records *r);

/* Which record is which event's is not needed any more. */
void clock_records_forget_events(struct clock_records *r);

/* All times, process by process: record i of process p at first[p] + i. */
void clock_records_copy(double *to, const struct clock_records *r);

static inline double clock_records_time(const struct clock_records *r, uint32_t process, size_t record)
{
	const double *block = r->process[process].time[record / RECORDS_BLOCK];

	return block[record % RECORDS_BLOCK];
}

/* The event's record, from 0 within its process. */
static inline uint32_t clock_records_of_event(const struct clock_records *r, uint32_t process, uint32_t event)
{
	uint32_t number = event - r->trace->first[process];
	const uint32_t *block = r->process[process].of_event[number / RECORDS_BLOCK];

	return block[number % RECORDS_BLOCK];
}

/* ---- knots ---- */

/* Where records of different processes bind each other's times: sends and receives, begins and ends of collectives that
 * hold their members (docs/explain/clocks-bounds.md, "Correction"). Internal to clock_correct.
 *
 * A knot is such a record. Knots of a process come by record; several may be of one. A message's knots are both there
 * or none; of a collective all are.
 */

enum knot_kind { KNOT_SEND, KNOT_RECEIVE, KNOT_BEGIN, KNOT_END };

struct knot {
	uint32_t record;     /* from 0 within its process: of a send, the one that has the send time */
	uint32_t what;       /* of a message: the other end's record; of a collective: the entry of times->held */
	event_type kind_process; /* as an event's type: ask knot_kind(), knot_process() */
};

static inline enum knot_kind knot_kind(const struct knot *k)
{
	return (enum knot_kind)(k->kind_process >> 30);
}

/* For a message, the process of the other end. */
static inline uint32_t knot_process(const struct knot *k)
{
	return EVENT_INDEX(k->kind_process);
}

struct clock_knots {
	const struct clock_points *points;
	const struct clock_records *records;
	struct knot *list;
	size_t *first;       /* process_count + 1 */
};

enum err_code clock_knots_init(struct clock_knots *k, const struct clock_points *points, const struct clock_records *records, struct err *e);
void clock_knots_release(struct clock_knots *k);

/* The number, in the list, of the send of a message that the process receives. */
size_t clock_knots_send(const struct clock_knots *k, uint32_t process, const struct knot *receive);

/* For a collective's entry: the first of its member[] entries, which names the instance, and how many it has. */
uint32_t clock_knots_instance(const struct clock_knots *k, uint32_t entry);
uint32_t clock_knots_members(const struct clock_knots *k, uint32_t entry);

/* The two extremes of an instance's times, so that each member has that of all others. */
struct knot_extremes {
	double first, second; /* the largest (of begins) or smallest (of ends), and the next */
	uint32_t entry;       /* whose the first is */
};
void knot_extremes_add(struct knot_extremes *x, uint32_t entry, double time, bool largest);
static inline double knot_extremes_of_others(const struct knot_extremes *x, uint32_t entry)
{
	return x->entry == entry ? x->second : x->first;
}

/* The earliest receive of what was sent at that time, and the latest send of what was received: such that, as computed,
 * receive - send - latency is not below 0. */
double knot_receive_after(double send, double latency);
double knot_send_before(double receive, double latency);

/* How many receives and ends of collectives come before they can, by these times of all records. */
enum err_code clock_knots_violations(const struct clock_knots *k, const double *time, uint64_t *count, struct err *e);

/* ---- controlled ---- */

/* The controlled logical clock: times in which nothing arrives before it was sent, as near to those given as that
 * allows (docs/explain/clocks-bounds.md, "Controlled logical clock"). Internal to clock_correct.
 *
 * Forward, in causal order, a receive is moved as far as it must be, and what follows it in its process comes back to
 * its own times at a rate of `amortise`. Backward, an advance grows over the time before it at that rate, as far as
 * nobody who receives from there is passed. One pass each over all records: O(records + messages).
 */

struct controlled_figures {
	uint64_t abrupt;     /* intervals longer than (1 + amortise) of what they were, since a limit left no room */
	double abrupt_worst; /* s, by how much the worst of them is too long */
	uint64_t broken;     /* receives and ends that were left where they are: they would have to wait for themselves */
};

/* given: of all records, process by process; of each process it is made to rise. out: likewise, the new times.
 * ERR_CANCELLED, ERR_MEMORY. */
enum err_code clock_controlled(double *out, double *given, const struct clock_knots *knots, double amortise, struct controlled_figures *figures,
			       const struct progress *progress, struct err *e);

/* ---- linear ---- */

/* Times by the estimate of a process's clock: piecewise linear, one line a window (docs/explain/clocks-bounds.md,
 * "Linear correction"). Internal to clock_correct. */

/* linear: of all records, process by process. Where a process's recorded times do not step back, these do not
 * either. */
void clock_linear(double *linear, const struct clock_records *records, const struct clock_times *times, const struct clock_bounds *b);

#endif
