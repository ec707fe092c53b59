/* What `pas2p metrics` prints for people: figures by program with the diagnosis, and the tables of rows. At most 80
 * columns wide, unless a name or a number needs more; nothing is cut.
 */
#ifndef PAS2P_METRICS_TABLE_H
#define PAS2P_METRICS_TABLE_H

#include "core/base/unit.h"
#include "core/study/metrics_report.h"

#define METRICS_WIDTH 80

/* By program: metrics as rows, runs as columns; account, critical path, diagnosis, notes. */
void metrics_table(struct out *o, const struct metrics_report *r, const struct diagnosis_settings *asked);

/* By process, state, phase or cause: a table a run, then the notes. */
enum err_code metrics_rows_table(struct out *o, const struct metrics_report *r, size_t width, const struct job *job, struct err *e);

/* Of both: what was done to the times of a run, if anything. */
void metrics_table_clocks(struct out *o, const struct metrics_run *run, int indent);

/* Of both: what metrics cannot say, or say with care. */
void metrics_table_notes(struct out *o, const struct metrics_report *r);

#endif
