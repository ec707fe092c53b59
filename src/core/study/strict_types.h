/* Types that tell messages apart by tag and communicator, too: what --strict compares (docs/studies.md 2). Internal to
 * run_diff.
 *
 * A message's communicator is told as a collective's is: by its members, and as the k-th with these members in the
 * order of the trace's numbers, counting those on which messages are sent. Types are numbered over both runs, in
 * diff_run.key; of runs that a team shares each rank numbers those of its own events, while communicators are numbered
 * alike by all. Making them meets.
 */
#ifndef PAS2P_STRICT_TYPES_H
#define PAS2P_STRICT_TYPES_H

#include "run_diff.h"

enum err_code strict_types_make(struct run_diff *d, const struct job *job, struct err *e);
void strict_types_release(struct diff_run *r);

/* What a message's type has besides: " tag 7 on 0,1,2,3 1". Of a collective nothing. */
void strict_types_print(const struct diff_run *r, const struct diff_cell *cell, struct out *out);

/* Index into comms.list of what an event is on; UINT32_MAX: not known. */
uint32_t strict_types_comm(const struct diff_run *r, uint32_t event);

#endif
