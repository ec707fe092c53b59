/* The estimate: what measured windows say of the whole run, and how sure that is (docs/windows.md; jackknife over
 * windows).
 *
 * A window is a stretch of the run that was measured, occurrence by occurrence. Regular windows are spread over the run
 * and stand for it; extra ones hold occurrences of phases that no regular window has. A phase's time is the mean of its
 * occurrences in all regular windows, of an extra phase of those in extra ones; with several parts (the `slowest` phase
 * time: a part a process) times are summed up per part, then the largest counts. PET is the sum of weight times that;
 * scaled PET is PET / coverage.
 *
 * The standard error comes from leaving out one regular window at a time; below three of them there is none. What is
 * not defined is NAN. Times are seconds.
 */
#ifndef PAS2P_ESTIMATE_H
#define PAS2P_ESTIMATE_H

#include <stdbool.h>
#include <stdint.h>

#include "core/base/err.h"

/* What was measured. It belongs to the caller. */
struct estimate_input {
	uint32_t windows;
	const bool *extra;      /* per window */
	const uint32_t *first;  /* windows + 1: the occurrences of window w are [first[w], first[w + 1]) */
	const uint32_t *phase;  /* per occurrence: index of its phase; `phases` or more: of one that PET does not count */
	uint32_t parts;         /* 1, or the number of processes */
	const double *seconds;  /* [occurrence][part] */
	void (*add)(const void *arg, uint32_t occurrence, double *parts); /* or this, unless NULL, which adds them to parts[] */
	const void *arg;
	uint32_t phases;
	const uint32_t *weight; /* per phase */
	double coverage;        /* share of the AET that the measured phases are, by the trace */
	double share;           /* of the run that regular windows are: what is measured whole has no error left */
};

struct phase_estimate {
	bool measured, extra;
	uint32_t occurrences;   /* that were measured */
	uint32_t in_windows;    /* regular windows that hold some; 0 for an extra phase */
	double time;            /* NAN: not measured */
	double se;              /* NAN but where at least two regular windows hold it */
};

#define ESTIMATE_UNSEEN 0.1 /* a larger share is worth a sentence */

struct estimate {
	uint32_t regular;       /* regular windows */
	double pet, pet_scaled; /* pet_scaled 0 without coverage, NAN where that is */
	double se, half, low, high; /* NAN below three regular windows; low is never below 0 */
	uint32_t df;            /* degrees of freedom behind half; 0: se is 0, or there is no interval */
	/* Share of PET that is of phases of which one window, or extra ones, hold a part of the occurrences: leaving out a
	 * window says nothing of how they vary, so that the interval does not know either. */
	double unseen;
	struct phase_estimate *phase; /* per phase, owned */
};

enum err_code estimate_init(struct estimate *out, const struct estimate_input *in, struct err *e);
void estimate_release(struct estimate *x);

/* x is of durations that are means over `runs` runs; pet_scaled has that of each. Widens x by what runs differ. runs >=
 * 2. */
void estimate_over_runs(struct estimate *x, const double *pet_scaled, uint32_t runs);

#endif
