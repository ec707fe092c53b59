/* What `pas2p metrics` says: runs in order with their rows, what they are compared by, and the diagnosis
 * (docs/reference/metrics.md, "JSON and YAML"). metrics_write() makes a document of it, the command line its tables;
 * the workbench has the same runs.
 */
#ifndef PAS2P_CORE_REPORTS_METRICS_REPORT_H
#define PAS2P_CORE_REPORTS_METRICS_REPORT_H

#include "core/lists/metrics.h"
#include "core/metrics/replay/project.h"
#include "reports.h"
#include "core/io/out.h"

enum metrics_by { METRICS_BY_PROGRAM, METRICS_BY_PROCESS, METRICS_BY_STATE, METRICS_BY_PHASE, METRICS_BY_PATTERN, METRICS_BY_CAUSE };
const char *metrics_by_name(enum metrics_by by);   /* "program", ... */
const char *scaling_kind_name(enum scaling_kind k); /* "strong", "weak" */

/* A run with something changed beside what it is. */
struct metrics_changed {
	char text[512];        /* as what_if_text() says it */
	const struct metrics_run *run;
	double runtime, unchanged; /* s: of the changed run, of the replay in which nothing is changed. NAN: not known */
	double runtime_change;     /* runtime / unchanged - 1 */
	struct factors factors, unchanged_factors;
};
/* What a projection means beside that of no change: where clocks disagree, a replay takes longer than what was
 * measured, so that only another replay is the same run. Both NULL: not known. */
void metrics_changed_make(struct metrics_changed *c, const struct metrics_run *run, const struct what_if *w,
			  const struct projection *p, const struct projection *unchanged);

struct metrics_report {
	enum metrics_by by;
	enum scaling_kind scaling;
	double serial;             /* s; NAN: not given */
	struct replay_rules rules;
	double bar;
	const struct metrics_run *const *run; /* in order (scaling_order()) */
	uint32_t count;
	uint32_t reference;        /* index into run; NO_RUN */
	uint32_t looked;           /* the run that the diagnosis and what-if are about */
	const struct metrics_run *before;     /* NULL: not given */
	const struct diagnosis *diagnosis;    /* NULL: not by program */
	const struct metrics_changed *changed; /* NULL: not asked for */
};

/* "not analysed   78.1 % of the total time: MPI_Win_fence 53.1 %, ...: ..."; false: all is analysed. */
bool metrics_not_analysed_text(const struct run_metrics *m, char *text, size_t size);

/* How often a note applies to what is shown of a run: that there are no user states matters to the rows by state
 * only. */
uint64_t metrics_note_count(const struct metrics_report *r, const struct metrics_run *run, enum metric_note n);

/* The figures of run i for its list. */
struct metrics_run_figures metrics_report_run(const struct metrics_report *r, uint32_t i);

/* A run's rows by process, state, phase, pattern or cause; it must not move. path: METRICS_PATH_SIZE bytes for the row at
 * hand. */
struct metrics_list {
	const struct list_table *table;
	const void *list;
	uint32_t count;
	struct metrics_processes_list processes;
	struct metrics_states_list states;
	struct metrics_phases_list phases;
	struct metrics_patterns_list patterns;
};
void metrics_list_init(struct metrics_list *l, enum metrics_by by, const struct metrics_run *run, char *path);

/* The document of `pas2p metrics`, as JSON or YAML (docs/reference/metrics.md, "JSON and YAML"): keys in a fixed order,
 * times in s, shares as fractions, null for what the trace does not support.
 */

#define METRICS_VERSION 2 /* 1: shares were of the time between records */

enum err_code metrics_write(const struct metrics_report *r, struct out *out, bool json, struct err *e);

#endif
