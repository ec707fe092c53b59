/* The list of what made processes wait (docs/metrics.md, "Root of waits"): the largest first.
 *
 *     metrics_causes_init(&l, causes, log, path, &e);
 *     metrics_causes_release(&l);
 */
#ifndef PAS2P_LIST_METRICS_CAUSE_H
#define PAS2P_LIST_METRICS_CAUSE_H

#include "list_metrics.h"
#include "list_metrics_state.h"

enum metrics_cause_column {
#define COLUMN(id, ...) METRICS_CAUSE_##id,
#include "list_metrics_cause.def"
	METRICS_CAUSE_COLUMNS
};

/* A process, a routine and a phase; computing and calls apart. */
struct metrics_cause {
	const struct cause *cause;
	bool in_calls;
	double waiting; /* s of others' */
};

struct metrics_causes_list {
	const struct causes *causes;
	const struct call_log *log;
	struct metrics_cause *row; /* owned */
	uint32_t count;
	char *path;                /* METRICS_PATH_SIZE bytes for the row at hand; the caller's */
};

enum err_code metrics_causes_init(struct metrics_causes_list *l, const struct causes *causes, const struct call_log *log, char *path,
				  struct err *e);
void metrics_causes_release(struct metrics_causes_list *l);

extern const struct list_table metrics_causes_columns;

#endif
