/* Windows: what a planned signature measures, and what that says of the traced run itself (docs/windows.md).
 *
 * A window is a stretch of the run. Regular ones lie evenly over it; extra ones hold occurrences of relevant phases
 * that no regular one has. A phase that would take too long that way is left: not measured, and scaled with the rest.
 *
 * Made by the analysis (analysis.h) where the setting `windows` is above 0; immutable. Where each window is entered and
 * left, call by call: window_steps.h.
 *
 * With a team (trace_team()) rank 0 lays them and tells all, so that every rank has the same.
 */
#ifndef PAS2P_WINDOWS_H
#define PAS2P_WINDOWS_H

#include "estimate.h"
#include "window_choice.h"

struct window {
	bool extra;
	uint32_t first, end;  /* occurrences [first, end), from 0 */
	double start, seconds; /* from the start of the first occurrence of all; traced */
};

struct windows {
	struct window *list;   /* by first */
	uint32_t count, regular; /* all; those that are not extra */
	uint32_t main_iterations, main_group; /* the loop that they follow; 0: none */
	double main_mean, main_share;
	uint32_t candidate;
	double offset, misfit, spread;
	double measured;       /* seconds in all windows */
	double replay;         /* seconds from the first occurrence to the end of the last window */
	double coverage, pete_scaled;
	uint32_t *left;        /* ids of relevant phases that are not measured */
	uint32_t left_count;
	struct estimate estimate; /* phase[id - 1]; the expected prediction: from the trace's own durations */
};

/* Meets (team.h). */
enum err_code windows_new(struct windows **out, const struct clockwork *c, const struct phases *p, const struct figures *f,
			  const struct settings *s, const struct job *job, struct err *e);
void windows_free(struct windows *w);

/* One design of a run, for whoever looks at several: as windows_new() with its loop, if it is to follow one.
 * With a team: for rank 0 alone. */
enum err_code windows_of(struct windows **out, struct window_run *r, const struct window_design *d,
			 const struct loop_iterations *loop, const struct job *job, struct err *e);

/* What measuring them from checkpoints takes, s, where restoring and warming up take so long each. */
double windows_cost(const struct windows *w, double restore, double warmup);

/* Why there is no interval: a clause, "fewer than three windows"; NULL: there is one. */
const char *windows_gap(const struct windows *w);

#endif
