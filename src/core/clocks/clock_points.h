/* What messages, collectives and measurements by the tracer say of clocks: one inequality each (docs/clocks.md 2).
 *
 *     clock_points_init(&p, &times, latency, barriers, &e);
 *     clock_points_visit(&p, &share, add, arg, &e);       as often as wanted: the same points in the same order
 *     clock_points_release(&p);
 *
 * Threads share the work by processes: each visits a part. Pairs are numbered from 0 as they come, within the part that
 * its higher process is of, and are the same each time; one part behind the other they are the same with any number of
 * parts. Of each pair, points of either direction come by the stamps of its higher process, as far as those rise.
 * Of a trace that ranks share, each visits the points of its own processes, as higher ones, and clock_points_init() is
 * a meeting; one rank behind the other pairs are the same with any number of ranks, too.
 */
#ifndef PAS2P_CLOCK_POINTS_H
#define PAS2P_CLOCK_POINTS_H

#include "clock_times.h"
#include "core/base/parallel.h"

struct clock_points {
	const struct clock_times *times;
	double latency;            /* s that a message takes at least */
	bool barriers;             /* of collectives, barriers only */
	uint64_t *doubtful;        /* a bit an event: messages whose relation is; NULL: none is */
	/* Per entry of times->held: its rank, and where the members of its instance begin in member[], which has entries of
	 * times->held by rank. NO_MEMBERS: nothing follows from it. */
	uint32_t *rank, *first_member, *member;
	struct clock_spanning *spanning; /* of instances with members on other ranks (clock_spanning.h): member[] has those here, by process, from
	                          * first_member on. NULL: there are none */
};
#define NO_MEMBERS UINT32_MAX

/* D is what must be added to q's stamp to get p's, p < q: at q's stamp x it is at least y (least), or at most. False:
 * no memory. */
struct clock_point {
	uint32_t pair, p, q;
	bool least;
	double x, y;
};
typedef bool clock_point_add(void *arg, const struct clock_point *point);

/* One thread's share of a visit: part 0 .. parts - 1. */
struct clock_share {
	unsigned part, parts;
	struct parallel_stop *stop;
};

enum err_code clock_points_init(struct clock_points *p, const struct clock_times *times, double latency, bool barriers, struct err *e);
void clock_points_release(struct clock_points *p);

enum err_code clock_points_visit(const struct clock_points *p, const struct clock_share *share, clock_point_add *add, void *arg, struct err *e);

#endif
