/* Processes that do the same in an occurrence: their steps are one branch of its graph (docs/models.md 9).
 *
 * Two do the same if their steps have the same kinds, bytes and tags, and whom they talk to can be said for both in one way: a rank, a
 * distance from the own rank, a sum with it, or a distance around a ring of all. What they compute may differ: a class has the means.
 */
#ifndef PAS2P_PHASE_CLASSES_H
#define PAS2P_PHASE_CLASSES_H

#include "phase_steps.h"

enum peer_how {
	PEER_RANK,     /* value */
	PEER_DISTANCE, /* rank + value */
	PEER_SUM,      /* value - rank */
	PEER_AROUND    /* rank + value, and behind the last process the first; value from -p/2 to p/2 */
};

struct class_step {
	const struct phase_step *what;   /* of the class's first process */
	uint8_t how;
	int64_t peer;
	double compute;                  /* mean over its processes */
};

struct phase_class {
	const uint32_t *member;          /* processes, ascending */
	uint32_t count;
	struct class_step *step;
	size_t steps;
};

struct phase_classes {
	struct phase_class *items;       /* by first process; processes without a step are in none */
	uint32_t count;
	uint32_t *order;                 /* processes, class by class */
	struct class_step *steps;
};

/* The steps must outlive them. ERR_MEMORY. */
enum err_code phase_classes_init(struct phase_classes *c, const struct phase_steps *s, struct err *e);
void phase_classes_release(struct phase_classes *c);

#endif
