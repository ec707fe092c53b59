/* Who was in each collective that holds its members, by rank (docs/clocks.md 1). Internal to clock_points. */
#ifndef PAS2P_CLOCK_MEMBERS_H
#define PAS2P_CLOCK_MEMBERS_H

#include "clock_points.h"

/* Fills rank, first_member and member: of collectives on intracommunicators of more than one process, whose members all
 * called the same one, where all calls of all members of that communicator agree. */
enum err_code clock_members_find(struct clock_points *p, struct err *e);

#endif
