/* The list of a run's phases and where their time went (docs/metrics.md 7): before, 1, 2, ..., after. */
#ifndef PAS2P_LIST_METRICS_PHASE_H
#define PAS2P_LIST_METRICS_PHASE_H

#include "list_metrics.h"

enum metrics_phase_column {
#define COLUMN(id, ...) METRICS_PHASE_##id,
#include "list_metrics_phase.def"
	METRICS_PHASE_COLUMNS
};

struct metrics_phases_list {
	const struct run_metrics *metrics;
	const struct phase_rows *rows;
};

extern const struct list_table metrics_phases_columns;

/* A phase's number, "before" or "after". */
struct cell metrics_phase_cell(uint32_t phase);

#endif
