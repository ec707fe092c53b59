/* The plan: what a phase table asks of the ranks of a job.
 *
 * What is measured from one checkpoint is a part: a window, or, where the table has none, a relevant phase by its
 * representative occurrence and the samples that the table has of it. Parts whose checkpoints lie at one place share
 * one cut; cuts are in the order in which the ranks reach them. A part consists of spans, which are occurrences of
 * phases.
 *
 * Spans begin and end at boundaries. These are in the order of the run, and have a count on every rank: how many calls
 * it has made there. What two spans have between them is one boundary. The plan points into the table, which must
 * outlive it.
 */
#ifndef PAS2P_PLAN_H
#define PAS2P_PLAN_H

#include <stdbool.h>
#include <stdint.h>

#include "core/base/err.h"
#include "core/documents/table.h"

struct plan_part {
	uint32_t number;          /* of the window, from 1, or the phase's id */
	uint32_t first, last;     /* occurrences of a window */
	struct phase_points points; /* of the window or the representative; the table's */
	uint32_t cut;
	uint32_t span_from, span_to;  /* its spans */
	uint32_t from, to;        /* the boundaries of these, and what lies between them */
};

struct span { uint32_t start, end; }; /* boundaries; nothing lies between those of a window's */

struct job_plan {
	uint32_t ranks, part_count, cut_count, span_count, boundary_count;
	bool collectives;         /* are numbered, as the table was made with them */
	bool windows;             /* parts are windows */
	struct plan_part *parts;  /* as the table has them */
	const struct plan_part **cuts; /* some part whose checkpoint the cut is */
	struct span *spans;       /* part by part */
	uint32_t *counts;         /* [rank][boundary] */
	uint64_t calls;           /* of all ranks in the trace */
};

/* What it means if a job makes other calls than the plan's. */
#define PLAN_OTHER_RUN "this is another program or another input than the table's, or its calls come as its messages come"

#define PLAN_EVERY_PART UINT32_MAX       /* instead of a part: all of them */

/* ERR_USAGE if the table has nothing to measure, ERR_FORMAT if its cuts or boundaries cross each other. */
enum err_code plan_make(struct job_plan *p, const struct table *t, struct err *e);
void plan_release(struct job_plan *p);

/* How far the rank must come: all boundaries of the part before this one. Where it makes no call in an occurrence there
 * is nothing to be measured, and at the end of a part it need not be waited for. */
uint32_t plan_needed(const struct job_plan *p, uint32_t part, uint32_t rank);

/* "phase 3", "window 5 (occurrences 20 to 31)" */
#define PLAN_NAME 64
const char *plan_name(const struct job_plan *p, const struct plan_part *part, char name[PLAN_NAME]);

#endif
