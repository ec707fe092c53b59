/* A run's phases with their content, of an analysed trace (docs/internals/compare-rules.md, "Notation"). One pass over
 * the events. */
#ifndef PAS2P_CORE_METHOD_ANALYSIS_PHASE_CONTENT_H
#define PAS2P_CORE_METHOD_ANALYSIS_PHASE_CONTENT_H

#include "analysis.h"
#include "core/base/progress.h"
#include "run_phases.h"

/* a: with ANALYSIS_PHASES. The result keeps nothing of it. ERR_MEMORY, ERR_CANCELLED. For a trace that the ranks of a
 * team share (core/trace/remote.h) all ranks call it, which is a collective step, and rank 0 gets it; on the others
 * *out is NULL. */
enum err_code phase_content_new(struct run_phases **out, const struct analysis *a, const struct progress *progress, struct err *e);

#endif
