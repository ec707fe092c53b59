/* What any stretch of time and any processes spent, from sums over the calls of a log: computing, waiting, moving data,
 * what is not analysed, other; what was sent; the longest call; who waited most.
 *
 *     call_sums_new(&sums, log, waits, job, &e);       waits NULL: there is no account
 *     call_sums_between(sums, 0, 63, t0, t1, &totals);
 *     call_sums_free(sums);
 *
 * Times are those of the log. A stretch is [t0, t1): a call has in it what lies between, and of its waiting, which is
 * its first seconds (docs/metrics.md 3), what of that does; a message is in the stretch in which it was sent. So
 * stretches that meet add up to the whole, and the whole run's is its account (docs/metrics.md 1).
 *
 * Cost: making it, one pass over calls and events; a stretch, O(log calls + 32) per list: some microseconds. Memory: 60
 * bytes for every 16 calls. Immutable once made; log and waits must outlive it.
 */
#ifndef PAS2P_CALL_SUMS_H
#define PAS2P_CALL_SUMS_H

#include "call_log.h"
#include "waits.h"

/* Kinds as people ask for them. Other: the rest of MPI, the tracer, what was not traced. */
enum spent_kind { SPENT_COMPUTE, SPENT_WAITING, SPENT_MOVING, SPENT_NOT_ANALYSED, SPENT_OTHER, SPENT_KINDS };
const char *spent_kind_name(enum spent_kind k); /* "compute", "waiting", "moving", "not analysed", "other" */

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

enum err_code call_sums_new(struct call_sums **out, const struct call_log *log, const struct waits *waits, const struct job *job,
			    struct err *e); /* ERR_MEMORY, ERR_CANCELLED */
void call_sums_free(struct call_sums *s);   /* NULL is fine */

/* The same a part of the processes after the other, by number: begun with CALL_TOTALS_NONE. */
#define CALL_TOTALS_NONE {.longest = NO_LOGGED_CALL, .waits_most = NO_PROCESS}
void call_sums_add(const struct call_sums *s, uint32_t first, uint32_t last, double t0, double t1, struct call_totals *to);

/* Processes first to last, both included; t0 < t1, of which either may be infinite. */
void call_sums_between(const struct call_sums *s, uint32_t first, uint32_t last, double t0, double t1, struct call_totals *out);

#endif
