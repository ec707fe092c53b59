/* The list of calls and states: those that occur in a trace, most exclusive time first. */
#ifndef PAS2P_LIST_STATES_H
#define PAS2P_LIST_STATES_H

#include "core/table/columns.h"
#include "core/base/err.h"
#include "core/trace/trace.h"

enum { STATES_ALL = 1 };

enum state_column {
#define COLUMN(id, ...) STATE_##id,
#include "list_states.def"
	STATE_COLUMNS
};

struct states_list {
	const struct trace *trace;
	uint32_t *state;   /* of each row, its index in the trace; owned */
	uint32_t count;    /* rows */
};

enum err_code states_list_init(struct states_list *l, const struct trace *t, struct err *e);
void states_list_release(struct states_list *l);

extern const struct list_table states_columns;

#endif
