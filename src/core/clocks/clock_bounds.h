/* Clocks: how far each is off, and how sure that is, from what messages and collectives say alone (docs/clocks.md 2 and
 * 3).
 *
 *     clock_bounds_new(&b, &times, &options, job, &e);
 *     b->offset[p * b->borders + k], low[...], high[...]     what must be added to p's clock at reference time at[k]
 *     clock_bounds_free(b);
 *
 * A process's clock is a line in each of `windows` equal stretches of the reference's time; border 2k is where window k
 * begins, 2k + 1 where it ends. Bounds are exact if that holds and relations and latency are right; the estimate
 * besides takes the network for symmetric. Infinite: nothing bounds it on that side. Processes that no chain of
 * messages connects are of different components, each against its root: the reference, else the lowest process; offsets
 * of different components do not compare. Of a trace that ranks share, a meeting: rank 0 has all of it, the others
 * `windows`, `forced` and `barriers` alone. Points may come from elsewhere than a trace, such as from exchanges that
 * were measured: clock_bounds_from(). Seconds throughout. Immutable once made.
 */
#ifndef PAS2P_CLOCK_BOUNDS_H
#define PAS2P_CLOCK_BOUNDS_H

#include "clock_closure.h"
#include "clock_line.h"
#include "clock_points.h"

#define CLOCK_WINDOWS 64     /* at most */
#define CLOCK_RATE 1e-3      /* s/s: a clock that is further off is none; twice what a kernel slews by */
#define CLOCK_LIKELY 1e-4    /* s/s: what estimates look at first */

struct clock_options {
	uint32_t reference;
	double latency;          /* s that a message takes at least */
	uint32_t windows;        /* at most */
};

struct team;

/* Points, wherever they come from. visit() tells those of a part, in the same order each time, pairs numbered from 0 as
 * they come; no pair is of two parts. */
struct clock_source {
	enum err_code (*visit)(const void *arg, const struct clock_share *share, clock_point_add *add, void *to, struct err *e);
	const void *arg;
	uint32_t process_count;
	double start, end;       /* of the reference */
	double largest;          /* of all stamps, by size: what rounding goes by */
	unsigned parts;          /* each is visited by a thread of its own */
	const struct team *team; /* whose ranks have points of pairs of their own each; NULL: all are here */
};

struct clock_pair_figures {
	uint32_t p, q;           /* p < q */
	double gap;              /* s, smallest distance of the hulls: the smallest round trip; INFINITY: one direction only */
};

struct clock_bounds {
	uint32_t process_count, reference;
	double start, end;       /* the reference's first and last record */
	uint32_t windows, borders; /* borders: 2 * windows */
	double *at;              /* per border, reference time */
	uint32_t *component;     /* per process: its root */
	uint32_t components;
	double *offset, *low, *high; /* per process and border */
	double *rate, *rate_low, *rate_high; /* per process: s/s over the whole; bounds NAN with several windows */
	bool barriers;           /* only barriers were trusted, of collectives */
	uint32_t forced;         /* pairs that no line fits, over all windows */
	double misfit;           /* the largest crossing; 0: lines fit */
	struct clock_pair_figures *pair;
	uint32_t pair_count;
};

enum err_code clock_bounds_new(struct clock_bounds **out, const struct clock_times *times, const struct clock_options *o,
			       const struct job *job, struct err *e);
/* Of points that are there, whose latency is the options'; then their `barriers` are the bounds'. */
enum err_code clock_bounds_of(struct clock_bounds **out, struct clock_points *points, const struct clock_options *o, const struct job *job,
			      struct err *e);
/* The options' latency is the points' own affair. */
enum err_code clock_bounds_from(struct clock_bounds **out, const struct clock_source *source, const struct clock_options *o,
				const struct job *job, struct err *e);
void clock_bounds_free(struct clock_bounds *b); /* NULL is fine */

#endif
