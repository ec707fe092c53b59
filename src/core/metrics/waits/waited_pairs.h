/* Who waited for whom: the time that each process waited for each other one (docs/reference/metrics.md, "Waiting").
 *
 * A wait is for the process of the call that came late (waits_for()). Pairs are by waiting process and then by the
 * other. One pass over the calls; memory by pairs that wait. Immutable once made.
 */
#ifndef PAS2P_CORE_METRICS_WAITS_WAITED_PAIRS_H
#define PAS2P_CORE_METRICS_WAITS_WAITED_PAIRS_H

#include "waits.h"

struct waited_pair {
	uint32_t process, other;
	double seconds;                    /* all of it */
	double by_reason[WAIT_REASONS];
};

struct waited_pairs {
	struct waited_pair *pair;
	uint32_t count;
	uint32_t longest;                  /* the index of the one with the longest wait, of several the first */
	double seconds;                    /* of all pairs */
};

enum err_code waited_pairs_new(struct waited_pairs **out, const struct waits *w, const struct progress *progress, struct err *e);
void waited_pairs_free(struct waited_pairs *p); /* NULL is fine */

/* The one with the longest wait; NULL: nobody waited. */
static inline const struct waited_pair *waited_pairs_longest(const struct waited_pairs *p)
{
	return p->count ? &p->pair[p->longest] : NULL;
}

#endif
