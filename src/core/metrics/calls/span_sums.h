/* Sums over any stretch of time of calls that lie one behind the other: sums at every 16th call, and what is left of
 * them one by one.
 *
 *     span_sums_init(&s, calls, count, 3, add, arg, progress, &e);  add() says what a call has of each of 3 kinds
 *     span_sums_between(&s, &at, t0, t1, add, arg, sums);         adds what lies in [t0, t1)
 *     span_sums_release(&s);
 *
 * Only the first and the last call of a stretch may lie in it in part. O(log calls + 32). Memory: 8 bytes for each
 * kind and 16 calls. The calls must outlive it.
 */
#ifndef PAS2P_CORE_METRICS_CALLS_SPAN_SUMS_H
#define PAS2P_CORE_METRICS_CALLS_SPAN_SUMS_H

#include "log.h"

#define SPAN_EVERY 16
#define SPAN_KINDS 8   /* at most */

/* Add to sums what of that call lies in [t0, t1). */
typedef void span_add(const void *arg, uint32_t call, double t0, double t1, double *sums);

struct span_sums {
	const struct logged_call *calls; /* by time, without overlap */
	uint32_t count;
	unsigned kinds;
	double *before;   /* of the calls before number 16 i: `kinds` each */
};

enum err_code span_sums_init(struct span_sums *s, const struct logged_call *calls, uint32_t count, unsigned kinds, span_add *add, const void *arg,
			     const struct progress *progress, struct err *e); /* ERR_MEMORY, ERR_CANCELLED */
void span_sums_release(struct span_sums *s);

/* The first call from number `low` on that ends at t or later; count: none. It is sought near `low` first. */
uint32_t span_first_ending(const struct span_sums *s, uint32_t low, double t);
/* Likewise that begins at t or later. */
uint32_t span_first_beginning(const struct span_sums *s, uint32_t low, double t);

/* Calls [*first, *end) have time in [t0, t1) or touch t0; *first: where to look from on. */
void span_sums_between(const struct span_sums *s, uint32_t *first, uint32_t *end, double t0, double t1, span_add *add, const void *arg, double *sums);

/* What of a call lies in [t0, t1). */
static inline double span_overlap(double a, double b, double t0, double t1)
{
	double from = a > t0 ? a : t0, to = b < t1 ? b : t1;

	return to > from ? to - from : 0;
}

#endif
