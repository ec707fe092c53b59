/* The list of a run's routines and MPI functions, the call tree (docs/metrics.md 7): depth first. */
#ifndef PAS2P_LIST_METRICS_STATE_H
#define PAS2P_LIST_METRICS_STATE_H

#include "core/io/out.h"
#include "list_metrics.h"

enum metrics_state_column {
#define COLUMN(id, ...) METRICS_STATE_##id,
#include "list_metrics_state.def"
	METRICS_STATE_COLUMNS
};

#define METRICS_PATH_SIZE 4096

struct metrics_states_list {
	const struct run_metrics *metrics;
	const struct state_rows *rows;
	char *path; /* METRICS_PATH_SIZE bytes for the path of the row at hand; the caller's */
};

extern const struct list_table metrics_states_columns;

#endif
