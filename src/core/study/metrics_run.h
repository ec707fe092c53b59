/* A run that is studied: its trace's figures, and as many of its rows as were asked for (docs/metrics.md 2 and 7).
 *
 *     metrics_run_init(&r, file, log);
 *     metrics_run_lay(&r, analysis, job, &e);                     for rows by phase or cause; before the figures it takes less memory
 *     metrics_run_make(&r, &rules, job, &e);
 *     metrics_run_rows(&r, METRICS_STATES | METRICS_CRITICAL, analysis, job, &e);
 *     metrics_run_shed(&r);       all but the run's own figures; trace and analysis may go
 *     metrics_run_release(&r);
 *
 * Where ranks share the trace all come to each of these that takes a job, and their codes are agreed; rows are rank 0's
 * (metrics_rows.h).
 *
 * The trace must outlive it, up to metrics_run_shed(). Where the trace has no account (run_metrics.h), rows without one
 * are made all the same, and what the replay says is left out.
 */
#ifndef PAS2P_METRICS_RUN_H
#define PAS2P_METRICS_RUN_H

#include "core/analysis/analysis.h"
#include "core/lists/list_metrics.h"
#include "core/trace/trace_times.h"
#include "call_mix.h"
#include "scaling.h"

enum metrics_rows {
	METRICS_PROCESSES = 1,
	METRICS_STATES = 2,
	METRICS_PHASES = 4,   /* takes an analysis with phases, as METRICS_CAUSES does */
	METRICS_CAUSES = 8,
	METRICS_CRITICAL = 16, /* by process */
	METRICS_GAINS = 32    /* of the rows that are there: a replay for each of the first METRICS_GAINED by their part of the critical path */
};

#define METRICS_GAINED 64

struct metrics_run {
	const char *file;             /* the first one, as given */
	enum compute_source compute;
	bool own_times;               /* not those in its files: */
	struct times_figures times;
	const struct run_metrics *metrics; /* of this run: `whole`, or `kept` where that was shed */
	struct run_metrics *whole;
	struct run_metrics kept;
	struct call_log *log;
	struct scaling_run figures;   /* for scaling_fill() */
	struct call_mix calls;        /* also of a run that was shed */
	bool other_program;           /* than the reference, by these */
	/* By what was asked for. */
	unsigned rows;                /* enum metrics_rows: what is there */
	struct process_rows processes;
	struct state_rows states;
	struct phase_spans *spans;
	struct phase_rows phases;
	struct causes *causes;
	struct metrics_causes_list cause_list;
	char path[METRICS_PATH_SIZE]; /* of the row at hand */
	double *critical;             /* by process, s of the critical path; NULL: not known */
	double *gain;                 /* by process, s that the run wins if it computes 10 % less; NAN: not asked for; NULL: not known */
};

/* Takes the log. The room of a run does not move once rows are made. */
void metrics_run_init(struct metrics_run *r, const char *file, struct call_log *log);
/* Lays phases over time: then rows need no more of the analysis than analysis_shed() leaves. Who does not call it has
 * it done with the rows. */
enum err_code metrics_run_lay(struct metrics_run *r, const struct analysis *a, const struct job *job, struct err *e);
enum err_code metrics_run_make(struct metrics_run *r, const struct replay_rules *rules, const struct job *job, struct err *e);
enum err_code metrics_run_rows(struct metrics_run *r, unsigned rows, const struct analysis *a, const struct job *job, struct err *e);
void metrics_run_shed(struct metrics_run *r);
void metrics_run_release(struct metrics_run *r);

#endif
