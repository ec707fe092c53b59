/* The list of thresholds that tell more of a run: a row is a point of the frontier (core/analysis/tune.h). */
#ifndef PAS2P_LIST_TUNE_H
#define PAS2P_LIST_TUNE_H

#include "columns.h"
#include "core/analysis/tune.h"

enum { TUNE_ALL = 1 };

enum tune_column {
#define COLUMN(id, ...) TUNE_##id,
#include "list_tune.def"
	TUNE_COLUMNS
};

extern const struct list_table tune_columns; /* its list is a const struct tune */

#endif
