/* How similar two phases of two runs are: S (docs/studies.md 3).
 *
 * Between equal numbers of processes rows are compared cell by cell, otherwise by roles. S is a number from 0 to 1, and
 * 1 for equal content. Rows of both runs are interned first, so that most of what is compared many times is compared
 * once.
 *
 * Similarities of rows are whole multiples of 2^-40: so sums of them do not depend on the order of processes or rows,
 * and what is equally similar is found to be.
 */
#ifndef PAS2P_PHASE_SIMILARITY_H
#define PAS2P_PHASE_SIMILARITY_H

#include "core/analysis/run_phases.h"
#include "core/base/job.h"

/* The least S of phases that correspond. */
#define PHASE_LEAST_BY_CELLS 0.5
#define PHASE_LEAST_BY_ROLES 0.4

/* The phases of two runs, prepared to be compared with each other. Not for several threads at once. */
struct phase_measure;
enum err_code phase_measure_new(struct phase_measure **out, const struct run_phases *a, const struct run_phases *b, struct err *e);
void phase_measure_free(struct phase_measure *m); /* NULL is fine */

/* *s: S of a->list[x] and b->list[y] where it is `least` or more, else 0; impossible pairs cost little.
 * ERR_CANCELLED. */
enum err_code phase_measure_pair(struct phase_measure *m, uint32_t x, uint32_t y, double least, double *s, const struct job *job,
				 struct err *e);

/* Of two rows by roles alone. */
double role_row_similarity(const struct content_row *x, double mean_message_x, const struct content_row *y, double mean_message_y);

#endif
