/* Who is the root of a collective. Only the root's own record says so (50100003), so the others learn it from its place:
 * each member of a communicator makes the same operations of it in the same order, and the k-th of one is the k-th of
 * all.
 */
#ifndef PAS2P_PRV_ROOTS_H
#define PAS2P_PRV_ROOTS_H

#include "prv_arrange.h"

/* The k-th of an operation, from 0, of a communicator. */
struct prv_root {
	uint32_t comm, op;     /* of prv_kinds.h */
	uint32_t number;
	uint32_t process;      /* NO_PROCESS: several say that it is them */
};

struct prv_roots {
	struct prv_root *list; /* by communicator, operation and number; of those without a root there is none */
	size_t count;
};

/* Of what threads have as `rooted`, which is freed. Notes what members do not agree on. With a team, which meets here,
 * of all processes. Release it also after an error. */
enum err_code prv_roots_find(struct prv_roots *roots, const struct prv_arranged *all, struct maker *maker, struct err *e);
void prv_roots_release(struct prv_roots *roots);

/* NO_PROCESS: it is not known. */
uint32_t prv_root_of(const struct prv_roots *roots, uint32_t comm, uint32_t op, uint32_t number);

#endif
