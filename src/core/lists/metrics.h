/* The lists of metrics (docs/reference/metrics.md, "JSON and YAML"): runs, their processes, routines, phases, patterns,
 * and causes of waiting. Each has the columns of metrics_account.def, most those of metrics_factors.def, and its own.
 *
 * Where a trace has no account (no MPI call is in it), all that an account would say is empty, never 0.
 */
#ifndef PAS2P_LIST_METRICS_H
#define PAS2P_LIST_METRICS_H

#include "core/metrics/rows/metrics_rows.h"
#include "core/metrics/maps/maps.h"
#include "core/table/columns.h"
#include "core/trace/trace.h"

/* METRICS_SHARED: accounts and factors; METRICS_OWN: what a list has besides. METRICS_PATH: what csv writes in
 * place of a list. METRICS_PEERS: of processes, whom each has to do with, which the workbench shows. METRICS_GAIN:
 * what takes a replay a row. METRICS_TABLE: what tables alone say, as a share of something else. */
enum { METRICS_OWN = 1, METRICS_SHARED = 2, METRICS_PATH = 4, METRICS_PEERS = 8, METRICS_GAIN = 16, METRICS_TABLE = 32 };
#define METRICS_ALL (METRICS_OWN | METRICS_SHARED)
#define METRICS_PATH_SIZE 4096

/* ---- runs: what `pas2p metrics` says of each by program (docs/reference/metrics.md, "Efficiency factors" and "Scaling
 * runs") ---- */

enum metrics_run_column {
#define COLUMN(id, ...) METRICS_RUN_##id,
#include "metrics_run.def"
	METRICS_RUN_COLUMNS
};

struct metrics_run_figures {
	const char *file;
	const struct run_metrics *metrics; /* of which the log is not asked for */
	enum compute_source compute;
	double speedup, efficiency, serial_fraction, computation_scaling, global_efficiency; /* NAN: not known */
};

struct metrics_runs_list {
	const struct metrics_run_figures *run;
	uint32_t count;
};

/* ---- a run's processes (docs/reference/metrics.md, "Rows") ---- */

enum metrics_process_column {
#define COLUMN(id, ...) METRICS_PROCESS_##id,
#include "metrics_process.def"
	METRICS_PROCESS_COLUMNS
};

struct metrics_processes_list {
	const struct run_metrics *metrics;
	const struct process_rows *rows;
	const double *critical; /* by process: s of the critical path; NULL: not known */
	const double *gain;     /* by process: s that the run wins if it computes 10 % less; NULL: not asked for */
	const struct process_peers *peers; /* NULL: not asked for */
	const double *caused;   /* by process: s that others waited because of it; NULL: not known */
};

/* ---- its routines and MPI functions, the call tree: depth first ---- */

enum metrics_state_column {
#define COLUMN(id, ...) METRICS_STATE_##id,
#include "metrics_state.def"
	METRICS_STATE_COLUMNS
};

struct metrics_states_list {
	const struct run_metrics *metrics;
	const struct state_rows *rows;
	char *path; /* METRICS_PATH_SIZE bytes for the path of the row at hand; the caller's */
};

/* ---- its phases: before, 1, 2, ..., after ---- */

enum metrics_phase_column {
#define COLUMN(id, ...) METRICS_PHASE_##id,
#include "metrics_phase.def"
	METRICS_PHASE_COLUMNS
};

struct metrics_phases_list {
	const struct run_metrics *metrics;
	const struct phase_rows *rows;
};

/* ---- its patterns: by time, then what no pattern has ---- */

enum metrics_pattern_column {
#define COLUMN(id, ...) METRICS_PATTERN_##id,
#include "metrics_pattern.def"
	METRICS_PATTERN_COLUMNS
};

struct metrics_patterns_list {
	const struct run_metrics *metrics;
	const struct pattern_rows *rows;
};

/* ---- what made processes wait (docs/reference/metrics.md, "Root causes"): the largest first ----
 *
 *     metrics_causes_init(&l, causes, log, path, &e);
 *     metrics_causes_release(&l);
 */

enum metrics_cause_column {
#define COLUMN(id, ...) METRICS_CAUSE_##id,
#include "metrics_cause.def"
	METRICS_CAUSE_COLUMNS
};

/* A process, a routine and a phase; computing and calls apart. */
struct metrics_cause {
	const struct cause *cause;
	bool in_calls;
	double waiting; /* s of others' */
};

struct metrics_causes_list {
	const struct causes *causes;
	const struct call_log *log;
	struct metrics_cause *row; /* owned */
	uint32_t count;
	char *path;                /* METRICS_PATH_SIZE bytes for the row at hand; the caller's */
};

enum err_code metrics_causes_init(struct metrics_causes_list *l, const struct causes *causes, const struct call_log *log, char *path,
				  struct err *e);
void metrics_causes_release(struct metrics_causes_list *l);

extern const struct list_table metrics_runs_columns, metrics_processes_columns, metrics_states_columns, metrics_phases_columns,
	metrics_patterns_columns, metrics_causes_columns;

#endif
