/* Samples: the occurrences of a phase that a signature measures.
 *
 * The method measures one, the representative (docs/method.md 6.4). Where a phase's occurrences differ in time, as they
 * do where few ranks make few distinct types, one of them says little about the mean that PET needs. So the setting
 * sample-seconds adds those that begin within that traced time after the representative begins: the program goes on
 * repeating the phase anyway.
 */
#ifndef PAS2P_SAMPLES_H
#define PAS2P_SAMPLES_H

#include "figures.h"

/* How many occurrences are measured, the representative at `place` (from 1) and those that follow it; at least 1. */
uint32_t phase_sample_count(const struct clockwork *c, const struct phases *p, uint32_t id, uint32_t place, double seconds);

/* What measuring `count` occurrences from `place` on gives in the trace itself: their time between sends, s. Meets, and fails
 * only there. */
enum err_code phase_sampled_time(double *seconds, const struct clockwork *c, const struct phases *p, uint32_t id, uint32_t place,
				 uint32_t count, enum phase_time how, struct err *e);

/* Calls made before occurrence i is entered and before it is left: arrays of process_count each, the same on all ranks.
 * Meets, and fails only there. */
enum err_code occurrence_points(const struct clockwork *c, const struct phases *p, uint32_t i, uint32_t *entry, uint32_t *exit,
				struct err *e);

#endif
