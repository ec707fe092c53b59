/* The list of what each process does in a basic block (thesis tables 3.2 and 3.5): a row is a process of the block at
 * hand. A process without an event at an end has the type 0 there, and no size; without one at the entry it has no
 * compute time either.
 */
#ifndef PAS2P_LIST_BBP_PROCESSES_H
#define PAS2P_LIST_BBP_PROCESSES_H

#include "bbp_process_facts.h"
#include "core/table/columns.h"
#include "core/analysis/analysis.h"

enum { BBP_PROCESSES_ALL = 1 };

enum bbp_process_column {
#define COLUMN(id, ...) BBP_PROCESS_##id,
#include "list_bbp_processes.def"
	BBP_PROCESS_COLUMNS
};

enum bbp_side { BBP_ENTRY_SIDE, BBP_EXIT_SIDE, BBP_SIDES };

/* Of the row at hand. Start from {0}. */
struct bbp_process_texts {
	uint32_t block, process; /* block 0: none yet */
	struct bbp_cell cell;
	char type[BBP_SIDES][64], shown[BBP_SIDES][64]; /* as files have them, and as tables do */
};

struct bbp_processes_list {
	const struct analysis *analysis; /* has blocks */
	uint32_t block;                  /* the one at hand, from 1 */
	struct bbp_process_texts *texts;
	const struct bbp_process_facts *facts; /* of the block at hand, where ranks share the trace; else NULL */
};

extern const struct list_table bbp_processes_columns;

#endif
