/* The plan: what a phase table asks of the ranks of a job.
 *
 * Only the relevant phases count. Phases whose checkpoints lie at one place share one cut; cuts are in the order in
 * which the ranks reach them. The plan points into the table, which must outlive it.
 */
#ifndef PAS2P_PLAN_H
#define PAS2P_PLAN_H

#include <stdbool.h>
#include <stdint.h>

#include "core/err.h"
#include "core/table.h"

struct plan {
	uint32_t ranks, phase_count, cut_count;
	bool collectives;                  /* are numbered, as the table was made with them */
	const struct table_phase **phases; /* as the table has them */
	uint32_t *cut_of;                  /* of phase i: its cut */
	const struct table_phase **cuts;   /* some phase whose checkpoint the cut is */
};

/* ERR_USAGE if the table has no relevant phase, ERR_FORMAT if its cuts cross each other. */
enum err_code plan_make(struct plan *p, const struct table *t, struct err *e);
void plan_release(struct plan *p);

#endif
