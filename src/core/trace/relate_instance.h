/* One instance of a collective: the k-th that members of a communicator call (docs/method.md 1.1). Those of one type
 * belong together, and are a ring through match[].
 */
#ifndef PAS2P_RELATE_INSTANCE_H
#define PAS2P_RELATE_INSTANCE_H

#include "trace.h"

/* Do n events agree on their type? */
bool instance_agrees(const struct trace *t, const uint32_t *events, uint32_t n);

/* By type, and then by number. */
void instance_sort(const struct trace *t, uint32_t *events, uint32_t n);

/* Close the ring of the events from `begin` of the sorted list on; returned is where the next ring begins. */
uint32_t instance_close(struct trace *t, const uint32_t *events, uint32_t n, uint32_t begin);

struct instance_odd {
	uint32_t comm, k, event; /* its first member's */
	uint32_t members, expected;
	bool agree;
};

/* The members do not agree, or are not all there. Noted in the order of communicators and k. */
void instance_note(struct notes *notes, const struct trace *t, const struct instance_odd *odd);

#endif
