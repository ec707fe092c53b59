/* The list of a run's processes and where their time went (docs/metrics.md 7). */
#ifndef PAS2P_LIST_METRICS_PROCESS_H
#define PAS2P_LIST_METRICS_PROCESS_H

#include "core/metrics/process_peers.h"
#include "list_metrics.h"

enum metrics_process_column {
#define COLUMN(id, ...) METRICS_PROCESS_##id,
#include "list_metrics_process.def"
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

extern const struct list_table metrics_processes_columns;

#endif
