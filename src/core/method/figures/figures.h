/* Figures: phase times, relevance, representative, entries and the prediction (docs/explain/method.md, "Phase time").
 *
 * Two steps: figures_new() computes all that a screen shows, cheaply, for every phase; phase_points()
 * computes where one phase's representative is entered, left and checkpointed, as the table exports it.
 *
 * With a team (trace_team()) all ranks have the same of all that is computed here, and all call each function that is
 * marked "Collective." (team.h).
 */
#ifndef PAS2P_CORE_METHOD_FIGURES_FIGURES_H
#define PAS2P_CORE_METHOD_FIGURES_FIGURES_H

#include <stdbool.h>
#include <stdint.h>

#include "core/base/err.h"
#include "core/base/progress.h"
#include "core/method/phases/phases.h"

/* ---- figures ---- */

struct phase_figures {
	double time;               /* phase time, s, by the `phase_time` setting */
	double between_sends;      /* the same for the time that a measurement spans: other than `time` in phases of blocks alone */
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

/* Sums over processes of times at each tick: independent of thresholds, made once per logical trace, it turns a mean
 * phase time into two look-ups per occurrence. Made for SIMILARITY_BBP it serves phases of either kind, otherwise
 * windows alone. Collective. */
struct clockwork;
enum err_code clockwork_new(struct clockwork **out, const struct logical *l, enum similarity similarity, const struct progress *progress, struct err *e);
void clockwork_free(struct clockwork *c);

/* Collective. */
enum err_code figures_new(struct figures **out, const struct clockwork *c, const struct phases *p,
			  const struct settings *settings, const struct progress *progress, struct err *e);
void figures_free(struct figures *f);

/* The duration of an occurrence on a process is, in phases of blocks, the sum of the stretches of its events at the
 * occurrence's ticks: from each to the next, of the last one to where its work ends. In windows it is from entry to
 * exit, which is what is between sends in either kind, and what a measurement can span (docs/explain/method.md, "Entry,
 * exit and duration").
 *
 * Mean over processes of the duration of occurrence i. */
double occurrence_time(const struct clockwork *c, const struct phases *p, uint32_t occurrence);
double occurrence_between_sends(const struct clockwork *c, const struct phases *p, uint32_t occurrence);
/* The largest over processes, and of one process: of a whole trace. */
double occurrence_slowest(const struct clockwork *c, const struct phases *p, uint32_t occurrence);
double occurrence_time_on(const struct clockwork *c, const struct phases *p, uint32_t occurrence, uint32_t process);
double occurrence_between_sends_on(const struct clockwork *c, const struct phases *p, uint32_t occurrence, uint32_t process);

/* The representative occurrence of a phase: its place among the phase's occurrences, from 1. Collective. */
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
/* Collective. */
enum err_code phase_points_init(struct phase_points *pp, const struct clockwork *c, const struct phases *p, uint32_t id,
				const struct settings *settings, struct err *e);
/* The same of a stretch of the run: from occurrence `first` to before `end`, both indices; `occurrence` is 0.
 * Collective. */
enum err_code stretch_points_init(struct phase_points *pp, const struct clockwork *c, const struct phases *p, uint32_t first,
				  uint32_t end, const struct settings *settings, struct err *e);
void phase_points_release(struct phase_points *pp);

/* The cut alone, for an occurrence that starts at tick `first`: the tick c of docs/explain/method.md, "Checkpoints".
 * Collective, and fails only there. */
enum err_code checkpoint_tick(uint32_t *cut, const struct clockwork *c, uint32_t first, const struct settings *settings, struct err *e);

/* ---- modes ---- */

/* Bimodal phases: their occurrences send the same messages, but some take much longer than others. For example, two
 * equal exchanges, one after 3 ms and one after 6 ms of computing, are one such phase.
 *
 * Durations count as logarithms, those of 0 not at all. Of all ways to part them into short and long ones, each at
 * least a tenth and at least five, the one with the least spread within the parts counts. The gap between the parts
 * must be wider than the spread of either, and a factor of 1.2 at least. A twentieth at each end of a part is not
 * looked at. Seconds.
 */

struct phase_modes {
	uint32_t count[2];  /* short, long; 0: they are of one kind */
	double median[2];   /* s */
};

/* n durations, which are sorted. */
struct phase_modes modes_of(double *seconds, uint32_t n);
/* The durations of a phase, mean over processes. */
enum err_code phase_modes_find(struct phase_modes *out, const struct clockwork *c, const struct phases *p, uint32_t id, struct err *e);

/* ---- phase_ranks ---- */

/* Phases by their share of the run, the largest first, of equal ones the lower id: the order of their colours, and of
 * lists for people. */

/* order[i]: the id of the i-th; f->count of them. */
enum err_code phase_ranks(uint32_t *order, const struct figures *f, struct err *e);

/* ---- samples ---- */

/* Samples: the occurrences of a phase that a signature measures.
 *
 * The method measures one, the representative (docs/explain/method.md, "Representative"). Where a phase's occurrences
 * differ in time, as they do where few ranks make few distinct types, one of them says little about the mean that PET
 * needs. So the setting sample-seconds adds those that begin within that traced time after the representative begins:
 * the program goes on repeating the phase anyway.
 */

/* How many occurrences are measured, the representative at `place` (from 1) and those that follow it; at least 1. */
uint32_t phase_sample_count(const struct clockwork *c, const struct phases *p, uint32_t id, uint32_t place, double seconds);

/* What measuring `count` occurrences from `place` on gives in the trace itself: their time between sends, s.
 * Collective, and fails only there. */
enum err_code phase_sampled_time(double *seconds, const struct clockwork *c, const struct phases *p, uint32_t id, uint32_t place,
				 uint32_t count, enum phase_time how, struct err *e);

/* Calls made before occurrence i is entered and before it is left: arrays of process_count each, the same on all ranks.
 * Collective, and fails only there. */
enum err_code occurrence_points(const struct clockwork *c, const struct phases *p, uint32_t i, uint32_t *entry, uint32_t *exit,
				struct err *e);

#endif
