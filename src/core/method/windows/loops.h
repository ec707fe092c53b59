/* The loops of a run: its phases folded (fold.h), where each loop's iterations lie, and the loop that windows
 * follow.
 *
 * Two foldings: the exact one of all occurrences, and that of occurrences of relevant phases, for programs whose
 * rare phases spoil the repetition. A loop is a symbol of its folding, wherever it stands; a repeated phase is one
 * too. An iteration is a stretch [from, to) of occurrences, counted from 0: in the relevant folding from its first
 * relevant occurrence to the next relevant one behind it, or to the run's end, so that what was dropped belongs to
 * the iteration that it falls in.
 *
 *     loops_new(&l, phases, relevant, progress, &e);
 *     loops_pick(&main, l, u, aet, window_seconds, &e);   as often as wanted: a pass over the iterations
 *     loop_iterations_release(&main);
 *     loops_free(l);
 *
 * Times are seconds; u[k] is when occurrence k begins, u[occurrence_count] when the last one ends. Comparisons of
 * times have a slack of 1 ns.
 */
#ifndef PAS2P_CORE_METHOD_WINDOWS_LOOPS_H
#define PAS2P_CORE_METHOD_WINDOWS_LOOPS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base/err.h"
#include "core/base/fold.h"
#include "core/base/progress.h"
#include "core/method/phases/phases.h"

#define LOOPS_SLACK 1e-9      /* s */
#define LOOPS_ITERATIONS 5    /* a loop with fewer is not a main one */

struct folding {
	const struct fold *fold;
	struct fold *owned;   /* the same, or NULL: it belongs to somebody else */
	bool exact;
	/* The iterations of loop k (fold->loops[k]) at all its places, in order of the run: from[i], to[i] for i in
	 * [first[k], first[k + 1]). */
	size_t *first;
	uint32_t *from, *to;
	uint32_t *order;      /* loops, by the end of their first iterations: inner ones before outer ones */
};

/* Fold the occurrences of the phases that are kept, by id - 1; NULL: of all. */
enum err_code folding_new(struct folding **out, const struct phases *p, const bool *keep, const struct progress *progress, struct err *e);
/* The same of a fold that is there, and stays: iterations are then stretches of its sequence. */
enum err_code folding_of(struct folding **out, const struct fold *fold, const struct progress *progress, struct err *e);
void folding_free(struct folding *f); /* NULL is fine */

struct loops {
	uint32_t occurrence_count;
	struct folding *exact, *relevant; /* the same one if all phases are relevant */
};

/* relevant: by id - 1; NULL: all are. */
enum err_code loops_new(struct loops **out, const struct phases *p, const bool *relevant, const struct progress *progress,
			struct err *e);
void loops_free(struct loops *l); /* NULL is fine */

/* The folding to show where none is asked for: the exact one if it has at most 64 symbols at the top, otherwise the
 * shorter, the exact one if they are equally long or nothing is relevant. */
const struct folding *loops_shown(const struct loops *l);

static inline size_t folding_iterations(const struct folding *f, uint32_t loop)
{
	return f->first[loop + 1] - f->first[loop];
}

/* How long all iterations of a loop are together, at[k] being where occurrence k begins: u[], or a count of ticks. */
double folding_length(const struct folding *f, uint32_t loop, const double *at);

/* The iterations that windows follow. */
struct loop_iterations {
	uint32_t count;       /* 0: no loop fits */
	uint32_t *from, *to;  /* occurrence indices from 0, [from, to); owned */
	double mean;          /* s */
	double share;         /* of the AET */
	bool exact;           /* of the exact folding */
};

/* Of the loops of both foldings with at least five iterations, at least 0.7 of the AET and a mean of at most two
 * windows: the one with the longest mean. Equal means: the exact folding's first, then the one whose first iteration
 * ends first. An AET that is not above 0: none. */
enum err_code loops_pick(struct loop_iterations *out, const struct loops *l, const double *u, double aet,
			 double window_seconds, struct err *e);
void loop_iterations_release(struct loop_iterations *x);

/* All in one, where only one window length is asked for. */
enum err_code loops_main(struct loop_iterations *out, const struct phases *p, const bool *relevant /* by id - 1 */,
			 const double *u /* occurrence_count + 1, s */, double aet, double window_seconds,
			 const struct progress *progress, struct err *e);

#endif
