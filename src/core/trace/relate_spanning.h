/* Relating collectives of communicators that have members on several ranks (docs/scale.md 2).
 *
 *     s = spanning_new(t);
 *     spanning_count(s, comm, members, longest, &e);  of each communicator with collectives here
 *     spanning_meet(s, &e);                           a meeting
 *     spanning_has(s, comm)                           has it collectives on other ranks, too?
 *     spanning_tell(s, comm, ...);                    of each such one, in order
 *     spanning_relate(s, notes, &e);                  a meeting: t->far has the instances that span ranks
 *     spanning_free(s);
 *
 * The instances of a communicator are shared out among the ranks that have some, by ranges of k. A rank closes the
 * rings of its own members and tells, of each ring, its type and how many are in it: 8 bytes. Who relates an instance
 * tells each what its home is: the lowest rank that takes part; and the lowest one whether it is odd.
 */
#ifndef PAS2P_RELATE_SPANNING_H
#define PAS2P_RELATE_SPANNING_H

#include "trace.h"

struct spanning;

/* The collectives of one member of a communicator: places in the sorted list. */
struct spanning_member {
	uint32_t begin, end;
};

struct spanning *spanning_new(struct trace *t); /* NULL: no memory */
void spanning_free(struct spanning *s);         /* NULL is fine */

/* longest: collectives of the busiest member. */
enum err_code spanning_count(struct spanning *s, uint32_t comm, uint32_t members, uint32_t longest, struct err *e);
enum err_code spanning_meet(struct spanning *s, struct err *e);
bool spanning_has(const struct spanning *s, uint32_t comm);

/* room: for twice as many numbers as there are processes. */
enum err_code spanning_tell(struct spanning *s, uint32_t comm, const uint32_t *sorted, const struct spanning_member *members, uint32_t count,
			    uint32_t *room, struct err *e);
enum err_code spanning_relate(struct spanning *s, struct notes *notes, struct err *e);

#endif
