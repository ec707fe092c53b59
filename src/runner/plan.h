/* The plan: what a phase table asks of the ranks of a job.
 *
 * Only the relevant phases count. Phases whose checkpoints lie at one place share one cut; cuts are in the order in
 * which the ranks reach them. What is measured of a phase are its spans: its representative occurrence, and the samples that
 * the table has of it. The plan points into the table, which must outlive it.
 */
#ifndef PAS2P_PLAN_H
#define PAS2P_PLAN_H

#include <stdbool.h>
#include <stdint.h>

#include "core/base/err.h"
#include "core/documents/table.h"

struct span {
	uint32_t phase;               /* index in the plan */
	const uint32_t *entry, *exit; /* per rank */
};

struct plan {
	uint32_t ranks, phase_count, cut_count;
	bool collectives;                  /* are numbered, as the table was made with them */
	const struct table_phase **phases; /* as the table has them */
	uint32_t *cut_of;                  /* of phase i: its cut */
	const struct table_phase **cuts;   /* some phase whose checkpoint the cut is */
	struct span *spans;                /* as the ranks reach their entries */
	uint32_t span_count;
};

/* ERR_USAGE if the table has no relevant phase, ERR_FORMAT if its cuts cross each other. */
enum err_code plan_make(struct plan *p, const struct table *t, struct err *e);
void plan_release(struct plan *p);

/* How many spans phase i has. */
uint32_t plan_spans_of(const struct plan *p, uint32_t phase);

#endif
