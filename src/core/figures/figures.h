/* Figures: phase times, relevance, representative, entries and the prediction (docs/method.md 6).
 *
 * Two steps: figures_new() computes all that a screen shows, cheaply, for every phase; phase_points()
 * computes where one phase's representative is entered, left and checkpointed, as the table exports it.
 *
 * With a team (trace_team()) all ranks have the same of all that is computed here, and all call what says that it meets
 * (team.h).
 */
#ifndef PAS2P_FIGURES_H
#define PAS2P_FIGURES_H

#include <stdbool.h>
#include <stdint.h>

#include "core/base/err.h"
#include "core/base/job.h"
#include "core/phases/phases.h"

struct phase_figures {
	double time;               /* phase time, s, by the `phase_time` setting */
	double between_sends;      /* likewise, of what a measurement spans: other than `time` in phases of blocks alone */
	double time_min, time_max; /* over occurrences, of the mean over processes */
	double share;              /* weight * time / AET; NAN without an AET above 0 */
	bool relevant;
};

struct figures {
	struct phase_figures *phase; /* by id - 1 */
	uint32_t count;
	uint32_t relevant;           /* how many are */
	double aet, coverage, set, pet, pet_scaled, pete; /* NAN: not defined */
	double measured_coverage;    /* of the relevant phases' between_sends: what scales a measured prediction */
};

/* Why there is no prediction, where PET is not defined: a clause, "no phase is relevant". */
const char *figures_gap(double aet, uint32_t phases);

/* Sums over processes of times at each tick: independent of thresholds, made once per logical trace, it turns a mean phase
 * time into two look-ups per occurrence. Made for SIMILARITY_BBP it serves phases of either kind, else windows alone. Meets. */
struct clockwork;
enum err_code clockwork_new(struct clockwork **out, const struct logical *l, enum similarity similarity, const struct job *job, struct err *e);
void clockwork_free(struct clockwork *c);

/* Meets. */
enum err_code figures_new(struct figures **out, const struct clockwork *c, const struct phases *p,
			  const struct settings *settings, const struct job *job, struct err *e);
void figures_free(struct figures *f);

/* The duration of an occurrence on a process is, in phases of blocks, the sum of the stretches of its events at the
 * occurrence's ticks: from each to the next, of the last one to where its work ends. In windows it is from entry to exit, which
 * is what is between sends in either kind, and what a measurement can span (docs/method.md 6.1).
 *
 * Mean over processes of the duration of occurrence i. */
double occurrence_time(const struct clockwork *c, const struct phases *p, uint32_t occurrence);
double occurrence_between_sends(const struct clockwork *c, const struct phases *p, uint32_t occurrence);
/* The largest over processes, and of one process: of a whole trace. */
double occurrence_slowest(const struct clockwork *c, const struct phases *p, uint32_t occurrence);
double occurrence_time_on(const struct clockwork *c, const struct phases *p, uint32_t occurrence, uint32_t process);
double occurrence_between_sends_on(const struct clockwork *c, const struct phases *p, uint32_t occurrence, uint32_t process);

/* The representative occurrence of a phase: its place among the phase's occurrences, from 1. Meets. */
enum err_code phase_representative(const struct clockwork *c, const struct phases *p, uint32_t id,
				   enum representative which, uint32_t *place, struct err *e);

/* Where the representative is entered and left, and its checkpoint: arrays of process_count each. */
struct phase_points {
	uint32_t occurrence;       /* place among the phase's occurrences, from 1 */
	uint32_t first, last;      /* its ticks */
	uint32_t checkpoint_tick;
	uint32_t *checkpoint;      /* sends made before the cut */
	uint8_t *before;           /* 1: stop before number checkpoint+1; 0: right after number checkpoint */
	uint32_t *entry, *exit;
};
/* Meets. */
enum err_code phase_points_init(struct phase_points *pp, const struct clockwork *c, const struct phases *p, uint32_t id,
				const struct settings *settings, struct err *e);
/* The same of a stretch of the run: from occurrence `first` to before `end`, both indices; `occurrence` is 0. Meets. */
enum err_code stretch_points_init(struct phase_points *pp, const struct clockwork *c, const struct phases *p, uint32_t first,
				  uint32_t end, const struct settings *settings, struct err *e);
void phase_points_release(struct phase_points *pp);

/* The cut alone, for an occurrence that starts at tick `first`: the tick c of docs/method.md 6.5. Meets, and fails only
 * there. */
enum err_code checkpoint_tick(uint32_t *cut, const struct clockwork *c, uint32_t first, const struct settings *settings, struct err *e);

#endif
