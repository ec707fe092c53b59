/* Replay: the run again, with its order of calls and what they depend on kept, and other times
 * (docs/reference/metrics.md, "Ideal network").
 *
 * The ideal run: calls take no time but wait for what they depend on. Local time (useful, the tracer's) stays.
 *
 *     E(first call) = start - t0 + local time before it        E(c) = X(previous call) + local time before c
 *     X(c) = max( E(c), E(d) for every d that c depends on )   [+ what the call itself takes, where something is changed]
 *
 * where t0 is the trace's earliest record. The result is the least solution, so that no order of processing shows in
 * it. Where calls wait for each other in a circle (a damaged trace), the pending call that began first drops the
 * dependences that hold it up.
 *
 * With a `change` it is the measured run instead of the ideal one: each call also keeps what it took beyond waiting
 * (its transfer), and depends on exactly what section 3 takes for its wait: with nothing changed this gives every call
 * its traced times again, to rounding, wherever clocks agree. The change says what is different.
 *
 * Cost: O(calls + relations, each with the log of its collective's members); all members of a collective are one
 * instance, not pairs. 8 bytes per call stay; 8 for each collective event beside its instances', and where computing is
 * changed 8 a call, while it is made. Immutable once made; the log must outlive it.
 */
#ifndef PAS2P_CORE_METRICS_REPLAY_REPLAY_H
#define PAS2P_CORE_METRICS_REPLAY_REPLAY_H

#include <stddef.h>
#include <stdint.h>

#include "core/metrics/calls/remote.h"
#include "core/metrics/calls/log.h"
#include "core/metrics/waits/waits.h"
#include "core/base/err.h"

/* ---- replay ---- */

#define REPLAY_NEVER UINT64_MAX

struct replay_rules {
	bool rooted_all;     /* rooted collectives need all members, too; else those that began before it returned; of these, where
	                        the trace says who is the root, only that, or only the root waits */
	uint64_t rendezvous; /* sends of more bytes wait for their receive; REPLAY_NEVER: only Ssend does */
};

/* What is different from the measured run. Either function may be NULL: as it was. */
struct replay_change {
	/* The useful seconds that the stretch from `from` to `to` of list l takes now, where it took to - from. */
	double (*useful)(const void *arg, uint32_t list, double from, double to);
	/* What MPI call c takes beyond waiting, where it took `transfer`. Of no tracer's write: that is local time. */
	double (*call)(const void *arg, uint32_t list, uint32_t call, double transfer);
	const void *arg;
	/* The change is to the ideal run: calls take no time and depend on what they do there, and `call` is not asked. */
	bool ideal;
};

/* A dependence that was left out to get out of a circle. */
struct replay_dropped {
	uint32_t call;
	struct call_at on;
};

/* A rank, and how it numbers a remote instance. */
struct replay_latest {
	uint32_t rank, instance;
};

struct replay {
	const struct call_log *log;
	struct replay_rules rules;
	double t0;          /* the trace's earliest record */
	double runtime;     /* the largest of `end` */
	double *exit;       /* X per call, s from t0 */
	double *end;        /* per list: X(last call) + the list's own time after it */
	struct replay_dropped *dropped; /* by call, then by what it does not wait for; each once */
	uint32_t dropped_count;
	uint64_t broken;    /* so many, on all ranks */
	double *arrived, *came; /* of a log that ranks of a team share: what other ranks told of theirs (replay_int.h); otherwise NULL */
	struct replay_latest *latest; /* as above: per remote instance, of a member that was entered last the lowest rank */
};

/* change NULL: the ideal run (waits may be NULL for any ideal one). rules are for the ideal run only; NULL: the
 * defaults. ERR_MEMORY, ERR_CANCELLED. */
enum err_code replay_new(struct replay **out, const struct call_log *log, const struct waits *waits,
			 const struct replay_rules *rules, const struct replay_change *change, const struct progress *progress, struct err *e);
/* The same with the log's instances, for who has them: they are not made again. */
struct instances;
enum err_code replay_new_among(struct replay **out, const struct call_log *log, const struct waits *waits, const struct instances *m,
			       const struct replay_rules *rules, const struct replay_change *change, const struct progress *progress,
			       struct err *e);
void replay_free(struct replay *r); /* NULL is fine */

/* X of the call before this one of list l. */
static inline double replay_reached(const struct replay *r, const struct call_list *l, uint32_t call)
{
	return call == l->first ? l->start - r->t0 : r->exit[call - 1];
}

/* E of a call of list l in the ideal run; call == l->end: the list's end there. */
static inline double replay_entry(const struct replay *r, const struct call_list *l, uint32_t call)
{
	return replay_reached(r, l, call) + call_log_gap(r->log, l, call);
}

/* Was this dependence left out? Binary search. */
bool replay_dropped(const struct replay *r, uint32_t call, struct call_at on);

/* The calls that call c depends on in the ideal run (docs/reference/metrics.md, "Ideal network"), told to `tell` until
 * it says false: never c itself, and each once, or once for its messages and once for each collective that it shares
 * with c. O(events of c and of the calls at the other ends). */
void replay_dependences(const struct call_log *log, const struct replay_rules *rules, uint32_t call,
			bool (*tell)(void *arg, uint32_t call), void *arg);

/* ---- critical ---- */

/* The critical path of the ideal run: the chain of computing that makes it as long as it is (docs/reference/metrics.md,
 * "Critical path").
 *
 * From the end of the list that ends last, back in time: what lies before a call is on the path; where a call waited,
 * the path goes on before the call that it waited for, on that call's process. Where a call's own process is as late as
 * what it depends on, the path stays with it; of several others equally late it goes to the lowest call. Pieces add up
 * to the ideal run time: a shorter one of them makes the run shorter, as long as no other chain takes over.
 */

enum critical_what {
	CRITICAL_USEFUL,     /* computing before `call` */
	CRITICAL_TRACER,     /* the tracer's write that `call` is */
	CRITICAL_LATE_START  /* the list had no record yet: only the first piece can be so */
};

struct critical_piece {
	uint32_t list;
	uint32_t call;      /* the piece lies before it, or is it; lists[list].end: after the last one */
	enum critical_what what;
	double from, to;    /* in the ideal run, s from t0; to > from */
	uint32_t place;     /* which of all pieces it is */
};

struct critical_path {
	struct critical_piece *pieces; /* in order of time: the first from 0, each from where the one before it ends */
	uint32_t count;
	uint32_t all;       /* pieces on all ranks: `count`, where the log is whole */
};

/* r is an ideal run. Consecutive pieces of one list are not joined. For a log that ranks of a team share each rank gets
 * the pieces of its own lists; all come to it, and the path is handed from rank to rank at a collective step for each
 * message and collective on it that was waited for from elsewhere. */
enum err_code critical_new(struct critical_path **out, const struct replay *r, const struct progress *progress, struct err *e);
void critical_free(struct critical_path *p); /* NULL is fine */

/* ---- what_if ---- */

/* What if: one or more things that could be changed in a run, as people write them (docs/reference/metrics.md, "What-if
 * changes"). project.h says what the run would be then.
 *
 *     network=0              nothing is transferred: the ideal run
 *     network x 0.5          what calls take beyond waiting is halved
 *     MPI_Allreduce=0        the same of one function; also x F
 *     rank 17 x 0.9          the computing of a process; ranks 0-3 x 0.9 of several
 *     phase 4 x 0.5          the computing within the occurrences of a phase
 *     balance                in every occurrence of every phase each process computes as long as all do on average
 *
 * Several, separated by commas or given one after the other, all hold; factors on the same time multiply.
 */

enum what_kind { WHAT_NETWORK, WHAT_FUNCTION, WHAT_RANKS, WHAT_PHASE, WHAT_BALANCE };

#define WHAT_NAME 64
#define WHAT_FACTOR_MOST 1e6

struct what {
	enum what_kind kind;
	double factor;           /* 0 to WHAT_FACTOR_MOST; of balance: not used */
	uint32_t first, last;    /* of ranks; `first` of a phase: its id */
	char function[WHAT_NAME]; /* "MPI_Allreduce" */
};

#define WHAT_MOST 16

struct what_if {
	struct what list[WHAT_MOST];
	uint32_t count;
};

/* Add what a text says; blanks and the case of words do not matter, "*" is as "x", "Allreduce" as "MPI_Allreduce".
 * ERR_USAGE: which word was not understood and what would be; *w is then as it was. */
enum err_code what_if_parse(struct what_if *w, const char *text, struct err *e);
/* "rank 17 x 0.9, balance": as what_if_parse() takes it, cut at size - 1. */
void what_if_text(const struct what_if *w, char *text, size_t size);

#endif
