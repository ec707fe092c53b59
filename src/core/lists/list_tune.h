/* The list of settings that cover more of a run with fewer phases: a row is one of tune's (core/analysis/tune.h). */
#ifndef PAS2P_LIST_TUNE_H
#define PAS2P_LIST_TUNE_H

#include "core/table/columns.h"
#include "core/analysis/tune.h"

/* Files have all columns; a table those that decide something of phases, or of blocks. */
enum { TUNE_ALL = 1, TUNE_OF_PHASES = 2, TUNE_OF_BLOCKS = 4, TUNE_TABLES = TUNE_OF_PHASES | TUNE_OF_BLOCKS };

enum tune_column {
#define COLUMN(id, ...) TUNE_##id,
#include "list_tune.def"
	TUNE_COLUMNS
};

extern const struct list_table tune_columns; /* its list is a const struct tune */

#endif
