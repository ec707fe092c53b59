/* Which of the points that tune tries are kept: the frontier, and the fewest phases at each level of coverage. What is kept does not depend
 * on the order in which points come. Inside of tune. */
#ifndef PAS2P_TUNE_FRONTIER_H
#define PAS2P_TUNE_FRONTIER_H

#include "tune.h"

struct tune_frontier {
	const struct settings *from; /* what closeness is to */
	struct tune_point *points;
	uint32_t count;
	size_t room;
	struct tune_point offer[TUNE_LEVELS];
	bool offered[TUNE_LEVELS];
	bool changed;                /* since the caller said that it has not */
};

enum err_code tune_frontier_add(struct tune_frontier *f, const struct tune_point *p, struct err *e);
/* As rows of a tune; its `best` stays as it was. */
enum err_code tune_frontier_rows(const struct tune_frontier *f, struct tune *out, struct err *e);
void tune_frontier_release(struct tune_frontier *f);

#endif
