/* A run as windows see it: one occurrence after another, each with the time at which it is entered (docs/windows.md 1).
 *
 *     window_run_init(&r, clockwork, phases, figures, &settings, &e);   all of which stay as long as r
 *     window_run_join(&r, job, &e);                                     with a team: by all ranks
 *     ... window_choice, planner ...
 *     window_run_release(&r);
 *
 * Occurrences are counted from 0 here; u[count] is where the last one ends. Times are seconds.
 *
 * With a team (trace_team()) windows are rank 0's to lay. The times at which occurrences are entered are known to every
 * rank, what processes take to its own rank alone: rank 0 gets it by window_run_join(), and what else it would have to
 * ask for on the way. Who needs no more than u[] does without.
 */
#ifndef PAS2P_WINDOW_RUN_H
#define PAS2P_WINDOW_RUN_H

#include <stdbool.h>
#include <stdint.h>

#include "core/base/err.h"
#include "core/figures/figures.h"
#include "core/phases/phases.h"
#include "core/settings/settings.h"

#define WINDOW_SLACK 1e-9 /* in every comparison of times */

/* What stands for a relevant phase that no window holds. Found when it is first asked for. */
struct window_extra {
	bool known;
	uint32_t count;
	uint32_t occurrence[2];
	double lasts; /* by u */
	double time;  /* the phase time that they give */
};

struct window_run {
	const struct clockwork *clockwork;
	const struct phases *phases;
	const struct figures *figures;
	enum representative representative;
	uint32_t count;
	double *u;         /* count + 1: mean over processes of when each is entered */
	double *reached;   /* count: the largest u so far, for clocks step back */
	uint32_t parts;    /* 1; with the `slowest` phase time the number of processes */
	/* What each occurrence adds to its phase's time: with one part `duration`, with several of[]. */
	double *duration;
	struct window_part { uint32_t process; double seconds; } *part;
	size_t *part_first; /* count + 1 */
	double start, whole; /* u of the first, and what lies between that and the end */
	double aet;
	struct window_extra *extra; /* per phase, by id - 1 */
	bool *is_relevant;  /* per phase */
	uint32_t *relevant; /* those that are: id - 1 */
	uint32_t relevant_count;
	uint32_t *place;    /* per phase, by id - 1, with a team: its representative, 0: nobody asks for it. NULL: found where it is asked for */
};

enum err_code window_run_init(struct window_run *r, const struct clockwork *c, const struct phases *p, const struct figures *f,
			      const struct settings *s, const struct job *job, struct err *e);
/* Meets (team.h). */
enum err_code window_run_join(struct window_run *r, const struct job *job, struct err *e);
void window_run_release(struct window_run *r);

/* The first occurrence, of all, with u >= at; count if there is none. */
uint32_t window_run_at(const struct window_run *r, double at);

/* Adds what the occurrence takes to sum[0], or to the sum of each process. */
static inline void window_run_add(const struct window_run *r, uint32_t occurrence, double *sum)
{
	if (r->parts == 1) {
		sum[0] += r->duration[occurrence];
		return;
	}
	for (size_t k = r->part_first[occurrence]; k < r->part_first[occurrence + 1]; k++)
		sum[r->part[k].process] += r->part[k].seconds;
}

/* Takes it off again. */
static inline void window_run_take(const struct window_run *r, uint32_t occurrence, double *sum)
{
	if (r->parts == 1) {
		sum[0] -= r->duration[occurrence];
		return;
	}
	for (size_t k = r->part_first[occurrence]; k < r->part_first[occurrence + 1]; k++)
		sum[r->part[k].process] -= r->part[k].seconds;
}

/* What stands for a phase, by its index: with a team of rank 0 alone, once ranks have joined. */
enum err_code window_run_extra(const struct window_extra **out, struct window_run *r, uint32_t phase, struct err *e);

#endif
