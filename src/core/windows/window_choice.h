/* Where windows lie: of 64 candidates the one that says the trace's own phase times best (docs/windows.md 1).
 *
 *     window_choice_make(&c, &run, &design, &loop, job, &e);
 *     ... c.stretch[0 .. c.count) are the regular windows ...
 *     window_choice_release(&c);
 *
 * Without a loop to follow, candidate m shifts all windows by (m - 1/2)/64 of what is free between two; with one,
 * windows begin where iterations do, and m says which. Its misfit: by how much the times of the measured phases are
 * off, weighted.
 */
#ifndef PAS2P_WINDOW_CHOICE_H
#define PAS2P_WINDOW_CHOICE_H

#include "core/base/job.h"
#include "loops.h"
#include "window_run.h"

#define WINDOW_CANDIDATES 64

struct window_design {
	uint32_t windows;
	double seconds, rare, span;
};

struct window_stretch { uint32_t first, end; }; /* occurrences [first, end), from 0 */

struct window_choice {
	uint32_t candidate;   /* from 1; 0: there are no occurrences */
	double offset;        /* NAN with a loop */
	double misfit, spread;
	struct window_stretch *stretch;
	uint32_t count;
	uint32_t group;       /* iterations a window; 0: no loop */
	/* Per phase, by id - 1. */
	enum window_how { WINDOW_NOT, WINDOW_REGULAR, WINDOW_EXTRA, WINDOW_LEFT } *how; /* NOT: not relevant */
};

/* `loop` with count 0, or NULL: none. */
enum err_code window_choice_make(struct window_choice *c, struct window_run *r, const struct window_design *d,
				 const struct loop_iterations *loop, const struct job *job, struct err *e);
void window_choice_release(struct window_choice *c);

#endif
