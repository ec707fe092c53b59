/* Tune: which thresholds tell more of a run in fewer phases. A bounded search over the knobs, and its frontier: what
 * cannot be better in one respect without being worse in another.
 *
 *     tune_run(&tune, analysis, better, arg, job, &e);    better() is called whenever the frontier has changed
 *     ... tune.points[i].settings ...
 *     tune_release(&tune);
 *
 * Tried are the combinations of the two thresholds that decide which phases there are (volume, and events or compute,
 * by what `similarity` says) over the ranges that the sensitivity strip has, and with each of them thresholds of
 * relevance down to 0.05 %; all other settings are the analysis's own. That is some ninety searches for phases, each of
 * which reuses what its thresholds do not touch; relevance costs nothing more. They come coarse to fine, so that a
 * frontier is there early.
 *
 * Three things are asked for: few relevant phases, since each is measured; little of the run outside of them (PETE);
 * and representatives that stand for their phases, since loose thresholds join what differs: what a signature's
 * prediction of this run would be off by. Points that differ by less than matters (a seventh of the phases, a per cent
 * of the run, five of the error) count as equal, and of those the one that is closest to the analysis's settings is
 * kept.
 */
#ifndef PAS2P_TUNE_H
#define PAS2P_TUNE_H

#include <stdint.h>

#include "analysis.h"
#include "core/base/err.h"
#include "core/base/job.h"
#include "core/settings/settings.h"

struct tune_point {
	struct settings settings;
	uint32_t phases, relevant;
	double coverage, pete;     /* fractions of the AET */
	double set;                /* s */
	double off;                /* error of the prediction from the representatives' times, a fraction of the AET */
};

struct tune {
	struct tune_point *points; /* the frontier, by relevant phases ascending, then by pete */
	uint32_t count;
	size_t room;
	uint32_t tried, searches;  /* searches done, and all */
	uint32_t best;             /* the point to begin with; not defined without points. Of those that leave out at most 5 % of the run, the
	                              one of the fewest phases that is off by no more than the settings to start from, or 5 % */
};

/* base: with phases, and figures that have an AET (else ERR_USAGE, and why). better() may be NULL; it is called from
 * this thread. On ERR_CANCELLED and other errors what was found stands. Progress is told as JOB_MEASURE, in
 * searches. */
enum err_code tune_run(struct tune *out, const struct analysis *base, void (*better)(void *arg, const struct tune *tune), void *arg,
		       const struct job *job, struct err *e);
void tune_release(struct tune *tune);

#endif
