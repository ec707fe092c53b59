/* What made run B longer or shorter than run A, as rows that add up exactly (docs/studies.md 4).
 *
 * Swapping A and B changes signs only. Times are s; what only one side has is 0 on the other. The AET of both must be
 * defined.
 */
#ifndef PAS2P_WATERFALL_H
#define PAS2P_WATERFALL_H

#include "core/analysis/analysis.h"
#include "phase_match.h"

enum waterfall_kind { WATERFALL_GROUP, WATERFALL_ONLY_A, WATERFALL_ONLY_B, WATERFALL_OTHERS, WATERFALL_OUTSIDE };

struct waterfall_row {
	enum waterfall_kind kind;
	const struct phase_group *group;      /* NULL: others, outside */
	double change;                        /* s, B - A */
	double by_weight, by_compute, by_rest; /* of WATERFALL_GROUP, adding up to change; else NAN */
	uint32_t rank;                        /* process whose time in it changed most; NO_PROCESS: not known */
};

struct waterfall {
	struct waterfall_row *rows; /* groups by abs(change) descending, then ids; then others, where there are any; then outside */
	uint32_t count;
	double change;              /* AET of B - AET of A */
};

/* analyses: what a and b of the match were made of, for the ranks; NULL (a table stands for a trace), and runs with
 * different numbers of processes: no ranks. The match must outlive it. Of analyses of traces that the ranks of a team
 * share all ranks come to it, which meets (team.h): rank 0 has the match and gets the waterfall, the others give NULL
 * and get NULL. */
enum err_code waterfall_new(struct waterfall **out, const struct phase_match *m, const struct analysis *a, const struct analysis *b,
			    const struct job *job, struct err *e);
void waterfall_free(struct waterfall *w); /* NULL is fine */

#endif
