/* Windows: what a planned signature measures, and what that says of the traced run itself (docs/explain/windows.md).
 *
 * A window is a stretch of the run. Regular ones lie evenly over it; extra ones hold occurrences of relevant phases
 * that no regular one has. A phase that would take too long that way is left: not measured, and scaled with the rest.
 *
 * Made by the analysis (core/method/analysis/analysis.h) where the setting `windows` is above 0; immutable. Where
 * each window is entered and left, call by call: steps.
 *
 * With a team (trace_team()) rank 0 lays them and tells all, so that every rank has the same.
 */
#ifndef PAS2P_CORE_METHOD_WINDOWS_WINDOWS_H
#define PAS2P_CORE_METHOD_WINDOWS_WINDOWS_H

#include <stdbool.h>
#include <stdint.h>

#include "core/base/err.h"
#include "core/method/figures/figures.h"
#include "core/method/phases/phases.h"
#include "core/patterns/patterns.h"
#include "core/settings/settings.h"
#include "core/base/progress.h"
#include "loops.h"

/* ---- run ---- */

/* A run as windows see it: one occurrence after another, each with the time at which it is entered
 * (docs/explain/windows.md, "Regular windows").
 *
 *     window_run_init(&r, clockwork, phases, figures, &settings, progress, &e);   all of which stay as long as r
 *     window_run_join(&r, progress, &e);                                with a team: by all ranks
 *     ... window_choice, planner ...
 *     window_run_release(&r);
 *
 * Occurrences are counted from 0 here; u[count] is where the last one ends. Times are seconds.
 *
 * With a team (trace_team()) rank 0 lays the windows. Every rank knows the times at which occurrences are entered, but
 * only the times of its local processes: rank 0 gets the others by window_run_join(), with all other data that it needs
 * later. Callers that need only u[] can do without.
 */

#define WINDOW_SLACK 1e-9 /* in every comparison of times */

/* The substitute for a relevant phase that is in no window. It is found when it is first needed. */
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
			      const struct settings *s, const struct progress *progress, struct err *e);
/* Collective (team.h). */
enum err_code window_run_join(struct window_run *r, const struct progress *progress, struct err *e);
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

/* ---- choice ---- */

/* Where windows lie: of 64 candidates the one that says the trace's own phase times best (docs/explain/windows.md,
 * "Regular windows").
 *
 *     window_choice_make(&c, &run, &design, &loop, progress, &e);
 *     ... c.stretch[0 .. c.count) are the regular windows ...
 *     window_choice_release(&c);
 *
 * Without a loop to follow, candidate m shifts all windows by (m - 1/2)/64 of what is free between two; with one,
 * windows begin where iterations do, and m says which. Its misfit: by how much the times of the measured phases are
 * off, weighted.
 */

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
				 const struct loop_iterations *loop, const struct progress *progress, struct err *e);
void window_choice_release(struct window_choice *c);

/* ---- estimate ---- */

/* The estimate: what measured windows say of the whole run, and how sure that is (docs/explain/windows.md; jackknife
 * over windows).
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

/* ---- main_loop ---- */

/* The main loop of a run: what a user of the program counts ("a time step takes 0.31 ms").
 *
 * It depends on the actions of the program, never on their times, nor on what is relevant or rare:
 *
 *     1. The outermost loop of the reading (patterns.h) with a count of at least five and at least half of the run's
 *        sends and collective calls, those of all processes and of all its places together.
 *     2. If there is none, the outermost loop of the exact folding with a count of at least five and at least half of
 *        the run's ticks.
 *     3. If there is none, the largest loop of the exact folding with at least five iterations in all.
 *
 * In 1 and 2 a loop that repeats a single thing counts only if no other does; of several it is the largest, and of equal
 * ones always the one whose first iteration ends first. It need not be the loop that windows follow (loops.h), which
 * depends on how long windows are. Times are seconds.
 *
 * An iteration of the reading begins with the first occurrence that holds a send or collective call of it. It ends where
 * the next one begins, or what follows the loop. Where more than a twentieth of the iterations would begin no later than
 * the one before, the loop cannot be drawn on phases, and the reading has none.
 */

struct main_loop {
	uint32_t iterations;  /* at all its places; 0: there is no main loop, and nothing below is said */
	const struct patterns *patterns; /* it is of their reading; NULL: of the exact folding */
	const struct fold *fold; /* of either: fold->loops[loop] has its count and body */
	uint32_t loop;
	double share;         /* of the AET */
	double mean, median;
	double deviation;     /* standard, of all iterations */
	/* In order of the run: occurrences [from, to). */
	const uint32_t *from, *to;
	double *seconds;      /* per iteration; owned */
	/* Iterations, from 0, that differ from the median by more than 5 x 1.4826 times the median difference; owned. */
	uint32_t *outliers;
	uint32_t outlier_count;
	uint32_t *drawn;      /* of the reading: from[] and to[]; owned */
};

/* What it is found in. All of it must outlive it. */
struct main_loop_run {
	const struct folding *exact; /* of the phases' occurrences */
	const double *tick;   /* tick[k] is how many ticks lie before occurrence k, tick[count] the number of all */
	const double *u;      /* as in loops.h */
	double aet;
	const struct patterns *patterns; /* NULL: the run has no reading, and the rest is not looked at */
	const struct logical *logical;   /* of the patterns' trace */
	const struct phases *phases;
};

enum err_code main_loop_init(struct main_loop *out, const struct main_loop_run *r, const struct progress *progress, struct err *e);
void main_loop_release(struct main_loop *m);

/* Of a folding, the loop of 1 and 2, if at[k] is how much lies before place k of its sequence and `whole` is all of it;
 * `any`: that of 3. UINT32_MAX: none. */
enum err_code main_loop_choose(uint32_t *loop, const struct folding *f, const double *at, double whole, bool any, struct err *e);

/* That of the reading alone, without times: iterations, patterns, fold, loop, from, to and drawn. */
enum err_code main_loop_read(struct main_loop *out, const struct main_loop_run *r, const struct progress *progress, struct err *e);

/* ---- windows ---- */

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

/* Collective (team.h). */
enum err_code windows_new(struct windows **out, const struct clockwork *c, const struct phases *p, const struct figures *f,
			  const struct settings *s, const struct progress *progress, struct err *e);
void windows_free(struct windows *w);

/* One design of a run, for whoever looks at several: as windows_new() with its loop, if it is to follow one.
 * With a team: for rank 0 alone. */
enum err_code windows_of(struct windows **out, struct window_run *r, const struct window_design *d,
			 const struct loop_iterations *loop, const struct progress *progress, struct err *e);

/* What measuring them from checkpoints takes, s, where restoring and warming up take so long each. */
double windows_cost(const struct windows *w, double restore, double warmup);

/* Why there is no interval: a clause, "fewer than three windows"; NULL: there is one. */
const char *windows_gap(const struct windows *w);

/* ---- steps ---- */

/* What windows consist of, call by call: patterns and steps (docs/reference/phase-table.md).
 *
 * A pattern is what one occurrence does: its phase and how many calls (docs/explain/method.md, "Entry, exit and
 * duration") each process makes in it. Distinct ones are few, so a window is written as steps: this pattern so many
 * times, then that one. Patterns are counted from 0 by their first appearance in the windows' order. With a team
 * (trace_team()) all ranks come to the same.
 */

struct window_step {
	uint32_t pattern, times;
};

struct window_steps {
	uint32_t processes;
	uint32_t *phase;       /* per pattern: id */
	uint32_t *sends;       /* [pattern][process] */
	uint32_t patterns;
	struct window_step *step;
	uint32_t *first;       /* windows + 1: the steps of window w are [first[w], first[w + 1]) */
};

/* Collective (team.h). */
enum err_code window_steps_init(struct window_steps *s, const struct windows *w, const struct clockwork *c, const struct phases *p,
				const struct progress *progress, struct err *e);
void window_steps_release(struct window_steps *s);

#endif
