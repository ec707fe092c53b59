/* Sensitivity: how the analysis answers over the whole range of one threshold, for the strip under the knobs.
 *
 *     struct sensitivity_point points[N];
 *     sensitivity_run(SETTING_volume, N, analysis, show, &strip, job, &e);    show() is called point by point
 *
 * The range is 0 to 20 % for volume and compute, 0 to 10 % for relevance, 50 to 100 % for events. Points are the
 * closer together the smaller the threshold (for events: the nearer to 100 %), since there most changes: half of
 * the strip is the first quarter of the range, and the default of 5 % lies in the middle.
 *
 * Points come coarse to fine: both ends, the middle, the quarters and so on, so that the strip has its shape early.
 *
 * Cost: each point is an analysis that reuses all that its threshold does not touch: for relevance, and for
 * compute where it decides nothing, the figures alone (O(occurrences)); else one search for phases (a tenth of a
 * second for a million events), or one labelling of blocks. Memory: two analyses at a time.
 */
#ifndef PAS2P_SENSITIVITY_H
#define PAS2P_SENSITIVITY_H

#include <stdbool.h>
#include <stdint.h>

#include "analysis.h"
#include "core/base/err.h"
#include "core/base/job.h"
#include "core/settings/settings.h"

struct sensitivity_point {
	double value;              /* of the threshold */
	uint32_t phases, relevant;
	double coverage, pete, set_share; /* fractions of AET; NAN: not defined */
};

/* Which settings have such a range: volume, compute, events, relevance. */
bool sensitivity_has(enum setting_id knob);

/* The value of point i of n (2 or more), to a millionth; and the place of a value on the strip, from 0 (left) to 1,
 * where what is outside of the range lies at its end. The place of point i is i / (n - 1). */
double sensitivity_value(enum setting_id knob, uint32_t i, uint32_t n);
double sensitivity_place(enum setting_id knob, double value);

/* What a curve depends on: *s with the knob, and all that cannot change it, set to defaults. A curve may be kept as
 * long as this stays settings_equal() and the trace is the same. */
struct settings sensitivity_key(const struct settings *settings, enum setting_id knob);

/* Compute n points around `base` (an analysis with phases), whose other settings hold. point() is called from this
 * thread for each as it is ready. On ERR_CANCELLED and other errors those told already stand. Progress is told as
 * JOB_MEASURE, in points. */
enum err_code sensitivity_run(enum setting_id knob, uint32_t n, const struct analysis *base,
			      void (*point)(void *arg, uint32_t i, const struct sensitivity_point *p), void *arg,
			      const struct job *job, struct err *e);

#endif
