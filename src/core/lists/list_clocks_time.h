/* The list of equal parts of the run, in order (docs/clocks.md, "Output"). */
#ifndef PAS2P_LIST_CLOCKS_TIME_H
#define PAS2P_LIST_CLOCKS_TIME_H

#include "list_clocks.h"

enum clocks_time_column {
#define COLUMN(id, ...) CLOCKS_TIME_##id,
#include "list_clocks_time.def"
	CLOCKS_TIME_COLUMNS
};

extern const struct list_table clocks_times_columns;

#endif
