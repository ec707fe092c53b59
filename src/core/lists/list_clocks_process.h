/* The list of processes and their clocks: a row is a process, row i that of rank i (docs/clocks.md, "Output"). */
#ifndef PAS2P_LIST_CLOCKS_PROCESS_H
#define PAS2P_LIST_CLOCKS_PROCESS_H

#include "list_clocks.h"

enum clocks_process_column {
#define COLUMN(id, ...) CLOCKS_PROCESS_##id,
#include "list_clocks_process.def"
	CLOCKS_PROCESS_COLUMNS
};

extern const struct list_table clocks_processes_columns;

#endif
