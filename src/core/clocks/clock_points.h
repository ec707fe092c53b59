/* What messages, collectives and measurements by the tracer say of clocks: one inequality each (docs/clocks.md 2).
 *
 *     clock_points_init(&p, &times, latency, barriers, &e);
 *     clock_points_visit(&p, add, arg, job, &e);          as often as wanted: the same points in the same order
 *     clock_points_release(&p);
 *
 * Pairs are numbered from 0 as they come, and are the same each time. Of each pair, points of either direction come by the stamps of
 * its higher process, as far as those rise.
 */
#ifndef PAS2P_CLOCK_POINTS_H
#define PAS2P_CLOCK_POINTS_H

#include "clock_times.h"

struct clock_points {
	const struct clock_times *times;
	double latency;            /* s that a message takes at least */
	bool barriers;             /* of collectives, barriers only */
	uint64_t *doubtful;        /* a bit an event: messages whose relation is; NULL: none is */
	/* Per entry of times->held: its rank, and where the members of its instance begin in member[], which has entries of times->held by
	 * rank. NO_MEMBERS: nothing follows from it. */
	uint32_t *rank, *first_member, *member;
};
#define NO_MEMBERS UINT32_MAX

/* D is what must be added to q's stamp to get p's, p < q: at q's stamp x it is at least y (least), or at most. False: no memory. */
struct clock_point {
	uint32_t pair, p, q;
	bool least;
	double x, y;
};
typedef bool clock_point_add(void *arg, const struct clock_point *point);

enum err_code clock_points_init(struct clock_points *p, const struct clock_times *times, double latency, bool barriers, struct err *e);
void clock_points_release(struct clock_points *p);

enum err_code clock_points_visit(const struct clock_points *p, clock_point_add *add, void *arg, const struct job *job, struct err *e);

#endif
