/* Which tick of B each tick of A corresponds to, if only it is looked at: the one that most of its events are kept
 * with, if that is more than half of them; else some of those, or NO_TICK. Internal to diff_align.
 *
 * A vote of majority goes through a tick's events by process and remembers one candidate at a time. Of runs that the
 * ranks of a team share the votes go from rank to rank, whose processes follow one another, many ticks at a time and
 * each rank at other ticks: so it comes to the same for every number of ranks.
 */
#ifndef PAS2P_DIFF_VOTES_H
#define PAS2P_DIFF_VOTES_H

#include "diff_align.h"

/* to: of as many elements as A has ticks. x: with partners. Meets. */
enum err_code diff_votes(uint32_t *to, const struct diff_align *x, const struct job *job, struct err *e);

#endif
