/* Beside the call log, which is read with the trace (log.h, the room's centre): the account of a time, what a log
 * keeps for the clocks, and the factors of efficiency.
 */
#ifndef PAS2P_CORE_METRICS_CALLS_CALLS_H
#define PAS2P_CORE_METRICS_CALLS_CALLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/trace/trace.h"

/* ---- account ---- */

/* The account: where a process's time went (docs/reference/metrics.md, "Time breakdown").
 *
 * Every moment between a process's first record and its last is of one kind, so kinds add up to `end - start`. Waiting
 * (sync) is the first seconds of a communication call; what is left of communication is transfer. All in seconds;
 * accounts add up.
 */

enum account_kind {
	ACCOUNT_USEFUL,    /* outside MPI and the tracer: the program computes */
	ACCOUNT_SEND, ACCOUNT_RECEIVE, ACCOUNT_WAIT, ACCOUNT_COLLECTIVE, /* communication, by the outermost call's group */
	ACCOUNT_OTHER_MPI,
	ACCOUNT_UNTRACED,  /* inside MPI_Pcontrol: nothing is known */
	ACCOUNT_TRACER,    /* outside MPI: the tracer writes its buffer */
	ACCOUNT_KINDS
};

/* Why a call waited. Ties go to the first. */
enum wait_reason { WAIT_LATE_SENDER, WAIT_LATE_RECEIVER, WAIT_COLLECTIVE, WAIT_REASONS };

struct account {
	double by_kind[ACCOUNT_KINDS];
	double by_reason[WAIT_REASONS];
	double hidden;     /* useful time under a pending nonblocking receive, or collective whose completion is recorded */
	double not_analysed; /* in calls that may wait for others, where it is not known whether it was waiting (core/metrics/waits/not_analysed.h) */
	double not_analysed_transfer; /* of that: in communication */
};

void account_add(struct account *to, const struct account *from);
void account_add_share(struct account *to, const struct account *from, double share);
/* Of what kind the waiting in a call is whose time else is of that kind: to wait for others is communication, also
 * where what they do together is not, as with files. */
static inline enum account_kind account_waiting(enum account_kind kind)
{
	return kind == ACCOUNT_OTHER_MPI ? ACCOUNT_COLLECTIVE : kind;
}
static inline void account_call(struct account *a, enum account_kind kind, double time, double waiting)
{
	double elsewhere = account_waiting(kind) == kind ? 0 : waiting;

	a->by_kind[kind] += time - elsewhere;
	a->by_kind[account_waiting(kind)] += elsewhere;
}
double account_time(const struct account *a);          /* of all kinds */
double account_communication(const struct account *a); /* send, receive, wait, collective */
double account_sync(const struct account *a);
double account_transfer(const struct account *a);      /* communication - sync */
/* What people are shown beside `not_analysed`, which has parts of both: transfer and other MPI without it. */
double account_moving(const struct account *a);
double account_other_mpi(const struct account *a);

/* What a trace can say of overlap: of one process, or of all of them taken together. */
struct overlap_known {
	bool posts;        /* some receive was posted by a nonblocking call */
	bool nonblocking;  /* some call whose completion is not recorded: a nonblocking send or collective */
};
/* hidden / (hidden + communication); NAN where it is not defined or not known. */
double account_overlap(const struct account *a, struct overlap_known known);

/* ---- clocks ---- */

/* What a call log keeps for whoever judges the clocks (core/clocks), as the records have it: a log's own times never
 * step back, these may.
 *
 * A persistent send was started when its outermost call began; a collective that holds its members till all are there
 * ends when its outermost call does; a clock that was synchronised more than once has a step at each; some tracers
 * measure the clocks; and a clock that stamps in whole microseconds shows it.
 *
 * Built by process (struct clocks_build, told record by record), then merged into one list of all processes. For a
 * trace that ranks of a team share a rank has what its local processes did. Immutable once merged.
 */

struct clock_event_time {
	uint32_t event;
	uint32_t record;    /* that has the time: from 0, within the event's process */
	double time;
};

/* A clock was synchronised: from that event of the process on, its raw clock showed `shift` more than its stamps, and
 * its stamps are so much later than its first shift makes them. */
struct clock_step {
	uint32_t event;     /* number of the trace */
	uint32_t record;    /* from 0, within its process */
	double later;       /* of the first: 0 */
	double shift;
};

/* The tracer measured a process's clock: at that time of it, rank 0's less it lies between low and high. Steps are
 * taken out. */
struct clock_seen {
	uint32_t event;     /* the first one of the process that comes behind; otherwise where the next process's begin */
	double time, low, high;
};

struct call_clocks {
	struct clock_event_time *sent; /* persistent sends, by event */
	struct clock_event_time *held; /* collectives that hold their members, by event: when their call ended; NAN: it holds nobody */
	uint32_t sent_count, held_count;
	struct clock_step *steps;      /* those of process p are [first_step[p], first_step[p + 1]), by event */
	uint32_t *first_step;          /* process_count + 1 */
	struct clock_seen *seen;       /* those of process p are [first_seen[p], first_seen[p + 1]), in order; of rank 0 there are none */
	uint32_t *first_seen;          /* process_count + 1 */
	bool *coarse;                  /* per process: it stamps in whole microseconds */
};

void call_clocks_release(struct call_clocks *c);

/* ---- building: one process ---- */

/* A collective: whether it holds its members is known once its trace is. */
struct held_build {
	uint32_t event;       /* its number within the process */
	uint32_t end_record;
	bool empty;           /* the process gave nothing to it */
	double end;           /* NAN: it has none */
};

struct clocks_build {
	double time;          /* of the record told last, as it has it */
	uint64_t differences, whole; /* between records; whole: of whole microseconds */
	struct clock_event_time *sent; /* event: its number within the process, as below */
	struct held_build *held;
	struct clock_step *steps;
	struct clock_seen *seen;
	uint32_t sent_count, held_count, step_count, seen_count;
	size_t sent_cap, held_cap, step_cap, seen_cap;
};

void clocks_build_release(struct clocks_build *b);

/* So close to a whole microsecond is one. */
#define NEARLY_WHOLE (5e-9 * 1e6) /* us */

/* A record; first: of its process. Not nearbyint(): this is done for each record. Beyond 2^52 all are whole. */
static inline void clocks_build_record(struct clocks_build *b, bool first, double time)
{
	double apart = time > b->time ? (time - b->time) * 1e6 : (b->time - time) * 1e6;

	if (apart > 0 && !first) {
		double nearest = apart < 0x1p52 ? (double)(int64_t)(apart + 0.5) : apart, off = apart - nearest;

		b->differences++;
		b->whole += off <= NEARLY_WHOLE && off >= -NEARLY_WHOLE;
	}
	b->time = time;
}

/* False: no memory, here and below. A persistent send; record, began: of its outermost call. */
bool clocks_build_sent(struct clocks_build *b, uint32_t event, uint32_t record, double began);
/* A collective right in its outermost call: b->held[b->held_count - 1], which ends with the call. */
bool clocks_build_held(struct clocks_build *b, uint32_t event);
/* Behind so many events and records of the process. */
bool clocks_build_step(struct clocks_build *b, uint32_t events, uint32_t records, double raw_later);
bool clocks_build_seen(struct clocks_build *b, uint32_t events, double low, double high);

/* All processes, in order, into one list: room for its first_...[] and coarse[], then one process after the other. */
bool call_clocks_init(struct call_clocks *c, uint32_t process_count);
/* Whoever gives nothing may go at once; only barriers are made of nothing. */
enum collective_holds { HOLDS_NOBODY, HOLDS_GIVERS, HOLDS_ALL };
struct clocks_merge {
	size_t sent_cap, held_cap, step_cap, seen_cap;
	enum collective_holds *holds; /* per type of collective */
};
bool clocks_merge_init(struct clocks_merge *m, const struct trace *t);
void clocks_merge_release(struct clocks_merge *m);
bool call_clocks_add(struct call_clocks *c, struct clocks_merge *caps, const struct clocks_build *b, const struct trace *t, uint32_t process,
		     uint64_t records);

/* ---- factors ---- */

/* The factors: of what a run's, a routine's or a phase's efficiency is made (docs/reference/metrics.md, "Efficiency
 * factors"). Fractions, 1 is ideal; NAN: the data does not support it. parallel = load balance x communication,
 * communication = serialisation x transfer. */

#define FACTOR_BAR 0.8 /* a factor or an efficiency below it is poor, unless the user has another bar */

struct factors {
	double load_balance, communication_balance, communication_efficiency, parallel_efficiency;
	double serialisation_efficiency, transfer_efficiency, tracer_efficiency;
};

/* What they are made of, gathered process by process; processes that are not told count as 0. */
struct factors_from {
	uint32_t processes;      /* all of them */
	double useful_sum, useful_max;
	double communication_sum, communication_max;
	double local_max;        /* useful and tracer */
	uint32_t heaviest;       /* the process with the most useful time, the lowest of several */
};
/* Of more processes. */
void factors_join(struct factors_from *f, const struct factors_from *more);
void factors_add(struct factors_from *f, uint32_t process, double useful, double tracer, double communication);

/* whole: the run time, or the row's largest time of a process; ideal: the same of the ideal run. NAN: not known. */
struct factors factors_of(const struct factors_from *f, double whole, double ideal);

#endif
