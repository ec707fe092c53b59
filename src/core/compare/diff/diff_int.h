/* Declarations that only the files of src/core/compare/diff use. Each part begins with its own description. */
#ifndef PAS2P_CORE_COMPARE_DIFF_DIFF_INT_H
#define PAS2P_CORE_COMPARE_DIFF_DIFF_INT_H

#include "diff.h"

/* ---- strict_types ---- */

/* Types that tell messages apart by tag and communicator, too: what --strict compares (docs/internals/compare-rules.md,
 * "Logical difference"). Internal to run_diff.
 *
 * A message's communicator is told as a collective's is: by its members, and as the k-th with these members in the
 * order of the trace's numbers, counting those on which messages are sent. Types are numbered over both runs, in
 * diff_run.key; of runs that a team shares each rank numbers those of its local events, while communicators are
 * numbered alike by all. Making them is a collective step.
 */

enum err_code strict_types_make(struct run_diff *d, const struct progress *progress, struct err *e);
void strict_types_release(struct diff_run *r);

/* What a message's type has besides: " tag 7 on 0,1,2,3 1". For a collective nothing. */
void strict_types_print(const struct diff_run *r, const struct diff_cell *cell, struct out *out);

/* Index into comms.list of what an event is on; UINT32_MAX: not known. */
uint32_t strict_types_comm(const struct diff_run *r, uint32_t event);

/* ---- align ---- */

enum err_code diff_stopped(const struct progress *progress, struct err *e);

/* ---- votes ---- */

/* Which tick of B each tick of A corresponds to, if only it is looked at: the one that most of its events are kept
 * with, if that is more than half of them; otherwise some of those, or NO_TICK. Internal to diff_align.
 *
 * A vote of majority goes through a tick's events by process and remembers one candidate at a time. Of runs that the
 * ranks of a team share the votes go from rank to rank, whose processes follow one another, many ticks at a time and
 * each rank at other ticks: so it comes to the same for every number of ranks.
 */

/* to: of as many elements as A has ticks. x: with partners. Collective. */
enum err_code diff_votes(uint32_t *to, const struct diff_align *x, const struct progress *progress, struct err *e);

#endif
