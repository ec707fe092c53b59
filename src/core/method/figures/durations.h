/* Durations by process: of occurrences, one by one, touching only the processes that do something in them; of local
 * processes, with a team. Internal to the figures. */
#ifndef PAS2P_CORE_METHOD_FIGURES_DURATIONS_H
#define PAS2P_CORE_METHOD_FIGURES_DURATIONS_H

#include "clockwork.h"

struct durations {
	const struct clockwork *c;
	const struct phases *p;
	bool stretches;     /* of phases of blocks, by their stretches; otherwise between sends */
	/* Per process, valid for the occurrence looked at: */
	uint32_t *seen;     /* stamp: occurrence + 1 */
	uint32_t *entered;  /* its first send or collective in it */
	uint32_t *left;     /* its last one in it */
	double *sum;        /* stretches: of its events in it */
	/* The processes seen, in the order met. */
	uint32_t *active;
	uint32_t active_count;
};

enum duration_kind { DURATION_OF_PHASES, DURATION_BETWEEN_SENDS };
enum err_code durations_init(struct durations *d, const struct clockwork *c, const struct phases *p, enum duration_kind kind, struct err *e);
void durations_release(struct durations *d);

/* Look at occurrence i: fills active[] and what durations_of() needs. A process not active has duration 0. */
void durations_look(struct durations *d, uint32_t i);
double durations_of(const struct durations *d, uint32_t process);

#endif
