/* Who makes the parts of an overview, where nobody has them yet: for commands and reports (docs/overview.md).
 *
 *     overview_run_init(&r, trace, analysis, NULL, job, &e);
 *     ... r.overview ...
 *     overview_run_release(&r);
 *
 * The costly one is the call log, which reads the trace's files once more: as long as loading did; the plan is a pass
 * over the occurrences for each of some seventy designs; all else is cheap. Trace and analysis (with phases) must
 * outlive it, and it must not move.
 */
#ifndef PAS2P_OVERVIEW_MAKE_H
#define PAS2P_OVERVIEW_MAKE_H

#include "metrics_run.h"
#include "overview.h"

#define OVERVIEW_ROWS (METRICS_PROCESSES | METRICS_STATES | METRICS_PHASES | METRICS_CAUSES)

struct overview_run {
	struct metrics_run own;        /* where none was given */
	const struct metrics_run *metrics;
	struct waited_pairs *pairs;    /* NULL: the trace has no account */
	struct structure *structure;
	struct plan *plan;             /* NULL: the settings have windows */
	struct table_measure measure;
	struct comm_pair heaviest;
	struct overview overview;
};

/* metrics: of this trace, if there are some; rows that it lacks are added to it, of this analysis as those that it has
 * must be. NULL: they are made, by the rules that `pas2p metrics` has where nothing is asked for. ERR_MEMORY,
 * ERR_CANCELLED, ERR_IO. */
enum err_code overview_run_init(struct overview_run *r, const struct trace *t, const struct analysis *a, struct metrics_run *metrics,
				const struct job *job, struct err *e);
void overview_run_release(struct overview_run *r);

#endif
