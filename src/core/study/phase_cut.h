/* What one occurrence of a phase holds, cut out of a trace that the ranks of a team share (trace_far.h), as a small
 * trace at rank 0: for phase_steps.h, which goes from process to process along messages and collectives.
 *
 * Of each process it has the events [from, to) and, where there is one, the event that follows. Relations among these
 * events are as in the whole trace. An event whose other end, or some member of whose collective, lies outside is
 * related to an event of process 0 before from[0]; there are as many of them as that takes, and they mean nothing else.
 * An event that is related to none is so here.
 *
 * Names are those of the trace that it was cut out of, which must outlive it. The occurrence's events travel, 40 bytes
 * each.
 */
#ifndef PAS2P_PHASE_CUT_H
#define PAS2P_PHASE_CUT_H

#include "core/trace/trace_far.h"

/* from, to: of process_count elements; of one's own processes, the rank's events of the occurrence. On rank 0 they
 * become those of
 * *out, of all processes; on the others *out is NULL. Of a trace with `far`; a meeting (team.h). ERR_MEMORY, ERR_LIMIT. */
enum err_code phase_cut(struct trace **out, const struct trace *t, uint32_t *from, uint32_t *to, struct err *e);

#endif
