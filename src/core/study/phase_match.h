/* Which phases of two runs correspond (docs/studies.md 3). Compare, diff, study and the workbench all ask this one.
 *
 *     phase_match_new(&m, a, b, job, &e);                a, b: struct run_phases, which must outlive it
 *     for (i = 0; i < m->count; i++) ... m->groups[i] ...
 *     phase_match_free(m);
 *
 * Ids never count, but for the order in which phases appeared. Between equal numbers of processes the cells of phases
 * are compared, otherwise the roles of their rows. The result is groups of phases of A and of B; most have one of each.
 * Every one of the PHASE_MATCH_MOST heaviest phases of a side is in exactly one group; the lighter ones are `others`,
 * as a sum.
 */
#ifndef PAS2P_PHASE_MATCH_H
#define PAS2P_PHASE_MATCH_H

#include "phase_similarity.h"

#define PHASE_MATCH_MOST 1000

/* A phase or several that correspond as one: weights add up, times are means over all occurrences. */
struct phase_side {
	uint32_t *ids;            /* ascending; none: only the other side has it */
	uint32_t count;
	uint64_t weight;
	double time, compute;     /* s; 0 without phases */
	double total;             /* sum of weight * time, s */
};

enum phase_matched {
	MATCHED_IN_ORDER, MATCHED_OUT_OF_ORDER, /* how the pair was found that the group grew from */
	MATCHED_ONLY_A, MATCHED_ONLY_B
};

struct phase_group {
	enum phase_matched how;
	uint32_t pair_a, pair_b;  /* its ids; 0: none */
	double similarity;        /* S of that pair; NAN: only on one side */
	struct phase_side a, b;
};

struct phase_match {
	struct arena arena;
	const struct run_phases *a, *b;
	struct phase_group *groups; /* with both sides, in order of their first ids of A; then only A, only B, each in order of ids */
	uint32_t count;
	uint32_t both, only_a, only_b; /* how many of each */
	struct phase_side others_a, others_b; /* ids and what they add up to */
};

enum err_code phase_match_new(struct phase_match **out, const struct run_phases *a, const struct run_phases *b,
			      const struct job *job, struct err *e);
void phase_match_free(struct phase_match *m); /* NULL is fine */

/* Share of a run's AET in groups with both sides; NAN without an AET above 0. */
double phase_match_share(const struct phase_match *m, bool of_b);

#endif
