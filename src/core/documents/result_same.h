/* Which phase of its trace a measured one is: one rule for results beside each other, a study's runs, and results
 * beside the trace.
 *
 * Ids say it where tables were made with the same settings. Else a phase is the same if it has as many occurrences, as
 * many ticks, and the same time in the trace, which no other set of occurrences has; and times are of one kind
 * (phase_time). What phases hold is not asked: two sets of occurrences may hold the same and have taken other times.
 * Phases of other traces correspond by what they hold (core/compare/match/match.h).
 */
#ifndef PAS2P_RESULT_SAME_H
#define PAS2P_RESULT_SAME_H

#include "result.h"

/* Times of the same occurrences: compilers round sums differently, other occurrences differ by far more. */
bool result_same_time(double traced, double time);

/* Whether a phase of one result of a trace is a phase of another result of that trace; of results that do not say their
 * settings ids count. */
bool result_same_phase(const struct result *a, const struct result_phase *x, const struct result *b, const struct result_phase *y);

/* A trace's phases as they are with some settings, to find measured ones among. */
struct traced_phase {
	uint32_t id;           /* from 1 */
	uint32_t weight, ticks;
	double time;
};

struct traced_phases {
	const struct settings *settings;
	struct traced_phase *list; /* ids from 1 when it is sorted */
	uint32_t count;
};

/* Once all are there: by weight and ticks. */
void traced_phases_sort(struct traced_phases *t);
/* The id of the one that was measured; 0: none, or several that cannot be told apart. */
uint32_t traced_phases_find(const struct traced_phases *t, const struct result *r, const struct result_phase *m);

#endif
