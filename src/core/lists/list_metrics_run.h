/* The list of runs: a row is a run and what `pas2p metrics` says of it by program (docs/metrics.md 2 and 6). */
#ifndef PAS2P_LIST_METRICS_RUN_H
#define PAS2P_LIST_METRICS_RUN_H

#include "core/trace/trace.h"
#include "list_metrics.h"

enum metrics_run_column {
#define COLUMN(id, ...) METRICS_RUN_##id,
#include "list_metrics_run.def"
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

extern const struct list_table metrics_runs_columns;

#endif
