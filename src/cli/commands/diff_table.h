/* What `pas2p diff` prints for people and as CSV: the verdict with the groups of phases, the edits of each process, or
 * the hunks. */
#ifndef PAS2P_DIFF_TABLE_H
#define PAS2P_DIFF_TABLE_H

#include "cli/batch.h"
#include "core/study/diff_report.h"

/* Where the runs part and how far: lines over the table of groups. */
void diff_verdict_lines(struct out *o, const struct diff_report *r);

/* The groups of phases and the rest, rows that add up to the change of the run time. */
enum err_code diff_groups(struct batch *b, const struct diff_report *r, struct err *e);
/* A row a process. */
enum err_code diff_edits(struct batch *b, const struct diff_report *r, struct err *e);
/* Like a unified diff; CSV: a row a line. With a team all ranks come to it, which meets (team.h), and rank 0 writes. */
enum err_code diff_hunks(struct batch *b, const struct diff_report *r, struct err *e);

#endif
