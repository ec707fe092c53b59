/* Declarations that only the files of src/core/method/analysis use. Each part begins with its own description. */
#ifndef PAS2P_CORE_METHOD_ANALYSIS_ANALYSIS_INT_H
#define PAS2P_CORE_METHOD_ANALYSIS_ANALYSIS_INT_H

#include <stdbool.h>

#include "tune.h"
#include "core/base/err.h"
#include "core/trace/trace.h"

/* ---- tune_frontier ---- */

/* Which of the points that tune tries are kept: the frontier, and the fewest phases at each level of coverage.
 * What is kept does not depend on the order in which points come. Inside of tune. */

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

/* ---- volume_classes ---- */

/* Volumes that make the same phases of a trace: those between which no two of its sizes lie. A program of few
 * sizes, as most are, then takes one search for many volumes. */

/* class[i] of volumes[i], ascending: equal numbers, from 0, for those that agree on each pair of sizes. */
enum err_code volume_classes(uint32_t *class, const struct trace *t, const double *volumes, uint32_t count, struct err *e);

#endif
