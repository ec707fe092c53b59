/* Tune: which settings cover more of a run with fewer phases. A bounded search over the settings that decide which
 * phases there are, and its rows: the frontier, where nothing can be better in one respect without being worse in
 * another, and the fewest phases at some levels of coverage.
 *
 *     tune_run(&tune, analysis, better, arg, progress, &e);  better() is called whenever the rows have changed
 *     ... tune.points[i].settings ...
 *     tune_release(&tune);
 *
 * The search tries all combinations of
 *   - volume, up to 100 %,
 *   - events, from 50 % (similarity: phase), or compute, up to 100 % (similarity: bbp),
 *   - order, and absent where it matters,
 *   - and with each of them thresholds of relevance from 10 % down to 0.05 %,
 * and the values of the analysis's own settings beside those of the grid. All other settings stay the analysis's:
 * similarity and collectives decide what a phase and an event is, so that phases of one kind cannot stand for those
 * of the other. Grids have geometric steps, since most changes where thresholds are small.
 *
 * Cost: some 570 searches for phases at most, 340 of blocks. Each reuses what its settings do not touch: only another
 * order makes another logical trace, once, which is kept beside the analysis's own; volumes between which no two
 * sizes of the trace lie are one search (analysis_int.h); relevance costs nothing. They come coarse to fine, the
 * analysis's own order and absent first, so that a frontier is there early.
 *
 * Three things are asked for: few relevant phases, since each is measured; little of the run outside of them (PETE);
 * and representatives that stand for their phases, since loose thresholds join what differs: what a signature's
 * prediction of this run would be off by. Points that differ by less than matters (a seventh of the phases, a per
 * cent of the run, five of the error) count as equal, and of those the one that is closest to the analysis's settings
 * is kept. At each level of coverage the row is that of the fewest relevant phases, however near others are; of as
 * many the one with the smaller error, then with the coverage nearest to 100 %, then the closest.
 */
#ifndef PAS2P_CORE_METHOD_ANALYSIS_TUNE_H
#define PAS2P_CORE_METHOD_ANALYSIS_TUNE_H

#include <stdint.h>

#include "analysis.h"
#include "core/base/err.h"
#include "core/base/progress.h"
#include "core/settings/settings.h"

#define TUNE_LEVELS 3
extern const double tune_levels[TUNE_LEVELS]; /* of coverage: 0.9, 0.95, 0.98 */

struct tune_point {
	struct settings settings;
	uint32_t phases, relevant;
	double coverage, pete;     /* fractions of the AET */
	double set;                /* s */
	double off;                /* error of the prediction from the representatives' times, a fraction of the AET */
	unsigned levels;           /* bit i: the fewest relevant phases at a coverage of tune_levels[i] or more */
};

struct tune {
	struct tune_point *points; /* the rows, by relevant phases ascending, then by pete */
	uint32_t count;
	size_t room;
	uint32_t tried, searches;  /* searches done, and all */
	uint32_t best;             /* the point to begin with; not defined without points. Of those that leave out at most 5 % of the run, the
	                              one of the fewest phases that is off by no more than the settings to start from, or 5 % */
};

/* The settings that the search turns; all others are those to start from. */
#define TUNE_TURNS 6
extern const enum setting_id tune_turns[TUNE_TURNS];

/* The row of a level; NULL: no settings that were tried reach it. */
const struct tune_point *tune_at_level(const struct tune *tune, int level);
/* The row with the largest coverage; NULL: there are no rows. */
const struct tune_point *tune_widest(const struct tune *tune);

/* base: with phases, and figures that have an AET (else ERR_USAGE, and why). better() may be NULL; it is called from
 * this thread. On ERR_CANCELLED and other errors what was found stands. Progress is told as PROGRESS_TUNE, in
 * searches. */
enum err_code tune_run(struct tune *out, const struct analysis *base, void (*better)(void *arg, const struct tune *tune), void *arg,
		       const struct progress *progress, struct err *e);
void tune_release(struct tune *tune);

#endif
