/* The homes of collectives that span ranks of a team (trace_far.h), for who looks for the largest value that their
 * members bring.
 *
 * A rank whose members have all come to an instance tells its home the largest of their values (far_homes_come()). When
 * all ranks have, the largest of all goes back to each of them, by the number that it has for the instance:
 * far_homes_next() until there is no more. It holds no meeting, and sends nothing: that is the caller's. 24 bytes for
 * each rank that has come and others have not.
 */
#ifndef PAS2P_FAR_HOMES_H
#define PAS2P_FAR_HOMES_H

#include "trace_far.h"

struct far_homes;

struct far_come {
	uint64_t value;
	uint32_t rank, instance; /* instance: as that rank numbers it */
};

/* NULL: no memory. */
struct far_homes *far_homes_new(const struct trace *t);
void far_homes_free(struct far_homes *h); /* NULL is fine */

/* number: of an instance whose home is here. True: all ranks have come. Where there is no memory, far_homes_failed()
 * from then on. */
bool far_homes_come(struct far_homes *h, uint32_t number, struct far_come come);
bool far_homes_failed(const struct far_homes *h);

/* A rank that had come has another value now. */
void far_homes_change(struct far_homes *h, uint32_t number, uint32_t rank, uint64_t value);

/* Of an instance to which all have come: who brought the largest value, of several the lowest rank; and all that have
 * come, who are forgotten by that. False: nobody is left. */
struct far_come far_homes_largest(const struct far_homes *h, uint32_t number);
bool far_homes_next(struct far_homes *h, uint32_t number, struct far_come *come);

#endif
