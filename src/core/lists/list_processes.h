/* The list of processes: a row is a process, row i that of rank i. */
#ifndef PAS2P_LIST_PROCESSES_H
#define PAS2P_LIST_PROCESSES_H

#include "core/table/columns.h"
#include "core/trace/trace.h"

enum { PROCESSES_INFO = 1, PROCESSES_TIME = 2, PROCESSES_FILE = 4 };

enum process_column {
#define COLUMN(id, ...) PROCESS_##id,
#include "list_processes.def"
	PROCESS_COLUMNS
};

struct processes_list {
	const struct trace *trace;
};

extern const struct list_table processes_columns;

#endif
