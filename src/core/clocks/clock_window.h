/* One window of the clocks' bounds: what the hulls of all pairs in it say of each process (docs/clocks.md 2.3 to 2.5).
 * Internal to clock_bounds. */
#ifndef PAS2P_CLOCK_WINDOW_H
#define PAS2P_CLOCK_WINDOW_H

#include "clock_closure.h"

/* What is still to be added to a process's mapped stamps, at the window's start and its end. */
struct clock_left {
	struct clock_range start, end, rise;
	double start_estimate, end_estimate;
	bool bound;              /* by something, on one side at least */
};

struct clock_window {
	double from, to, tolerance;
	uint32_t forced;         /* pairs that no line fits */
	double misfit;           /* the largest crossing */
};

/* hulls: per pair of the graph, settled. left: per process. The window's times and its tolerance are given, the rest is
 * found. */
enum err_code clock_window_solve(struct clock_window *w, struct clock_left *left, const struct clock_graph *g,
				 const struct pair_hulls *hulls, const uint32_t *root, struct err *e);

#endif
