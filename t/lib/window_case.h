/* Runs made for windows: given phases and durations, one occurrence behind another, without any search for them.
 *
 *     window_case_init(&c, 12, phases, durations, 1, &settings);
 *     windows_new(&w, c.clockwork, c.phases, c.figures, &settings, NULL, &e);
 *     window_case_release(&c);
 *
 * Each process makes a call (a send) when it enters an occurrence, so that entries are 0, 1, 2, ...
 */
#ifndef PAS2P_WINDOW_CASE_H
#define PAS2P_WINDOW_CASE_H

#include "core/method/figures/figures.h"
#include "core/method/logical/logical.h"
#include "core/method/phases/phases.h"

struct window_case {
	struct trace *trace;
	struct logical *logical;
	struct clockwork *clockwork;
	struct phases phases;
	struct figures *figures;
};

/* Phases from 1 without gaps; duration[occurrence][process]. */
void window_case_init(struct window_case *c, uint32_t n, const uint32_t *phase, const double *duration, uint32_t processes,
		      const struct settings *s);
void window_case_release(struct window_case *c);

#endif
