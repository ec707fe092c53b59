/* Declarations that only the files of src/core/compare/match use. Each part begins with its own description. */
#ifndef PAS2P_CORE_COMPARE_MATCH_MATCH_INT_H
#define PAS2P_CORE_COMPARE_MATCH_MATCH_INT_H

#include "core/trace/remote.h"
#include "core/method/analysis/run_phases.h"

/* ---- cut ---- */

/* What one occurrence of a phase holds, cut out of a trace that the ranks of a team share (core/trace/remote.h), as a
 * small trace at rank 0: for match.h, which goes from process to process along messages and collectives.
 *
 * Of each process it has the events [from, to) and, if there is one, the event that follows. Relations among these
 * events are as in the whole trace. An event whose other end, or some member of whose collective, lies outside is
 * related to an event of process 0 before from[0]; there are as many of them as that takes, and they mean nothing else.
 * An event that is related to none is so here.
 *
 * Names are those of the trace that it was cut out of, which must outlive it. The occurrence's events travel, 40 bytes
 * each.
 */

/* from, to: of process_count elements; of local processes, the rank's events of the occurrence. On rank 0 they become
 * those of *out, of all processes; on the others *out is NULL. For a trace with `remote`; a collective step (team.h).
 * ERR_MEMORY, ERR_LIMIT. */
enum err_code phase_cut(struct trace **out, const struct trace *t, uint32_t *from, uint32_t *to, struct err *e);

/* ---- overlap ---- */

/* What phases of two runs with as many processes can have in common at most: a bound of their similarity that costs no
 * alignment (docs/internals/compare-rules.md, "Corresponding phases").
 *
 * A row of n cells is similar to another one by at most 1/n for each cell that both have, whatever the sizes. So the
 * similarities of rows that are paired add up to no more than, over the cells (process and type) that both phases have,
 * the lesser of what each phase's rows give for it. Which phases of B have a cell is listed once, so that phases
 * without any in common cost nothing.
 */

struct phase_overlap;

/* of_b: B's types as A's. Not for several threads at once. ERR_MEMORY. */
enum err_code phase_overlap_new(struct phase_overlap **out, const struct run_phases *a, const struct run_phases *b, const uint32_t *of_b,
				struct err *e);
void phase_overlap_free(struct phase_overlap *o); /* NULL is fine */

/* The most that similarities of paired rows of a->list[x] and b->list[y] add up to; cheap where x is that of the call
 * before. */
double phase_overlap_most(struct phase_overlap *o, uint32_t x, uint32_t y);

#endif
