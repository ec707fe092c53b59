/* The list of results: a row is what a signature measured on some machine, as an evaluation of predictions has it. */
#ifndef PAS2P_LIST_RESULTS_H
#define PAS2P_LIST_RESULTS_H

#include "core/table/columns.h"
#include "core/documents/result.h"

enum { RESULTS_ALL = 1 };

enum result_column {
#define COLUMN(id, ...) RESULT_COLUMN_##id,
#include "list_results.def"
	RESULT_COLUMNS
};

struct results_text { /* of the row at hand */
	char similarity[SETTING_NAME_SIZE], order[SETTING_NAME_SIZE];
};

struct results_list {
	const struct result *results;
	struct results_text *text;
};

extern const struct list_table results_columns;

#endif
