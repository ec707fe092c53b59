/* The list of phases: a row is a phase, row i that of id i + 1.
 *
 *     phases_list_init(&l, analysis, &e);      `analysis` has phases, and stays as long as the list is used
 *     phases_columns.column[PHASE_SHARE].value(&l, row)
 *     phases_list_release(&l);
 */
#ifndef PAS2P_LIST_PHASES_H
#define PAS2P_LIST_PHASES_H

#include "core/table/columns.h"
#include "core/analysis/analysis.h"
#include "core/io/out.h"

enum { PHASES_BATCH = 1, PHASES_WORKBENCH = 2, PHASES_RESULT = 4, PHASES_WINDOWS = 8, PHASES_WAITING = 16, PHASES_BLOCKS = 32 };

enum phase_column {
#define COLUMN(id, ...) PHASE_##id,
#include "list_phases.def"
	PHASE_COLUMNS
};

/* What a result says of a phase; NAN: nothing. */
struct phase_measured {
	double time, deviation; /* s */
	double ratio;           /* of the time to the traced one */
};

/* The texts of the row at hand. */
struct phases_texts {
	struct out checkpoint, stop, entry, exit, labels;
};
void phases_texts_init(struct phases_texts *t);
void phases_texts_release(struct phases_texts *t);
bool phases_texts_failed(const struct phases_texts *t); /* no memory for one of them */

struct phases_list {
	const struct analysis *analysis;
	/* By row; made by init, owned. NAN where shares are not defined. */
	double *cumulative;  /* share of the relevant phases up to this one, by number */
	double *covered;     /* share of this phase and of all with a larger one */
	/* By row; set by whoever has them, not owned. */
	const struct phase_measured *measured; /* NULL: nothing was measured */
	const double *waiting;                 /* NULL: not known */
	const struct phase_points *points;     /* for the columns from PHASE_OCCURRENCE on, as are the texts */
	struct phases_texts *texts;
	bool ranges;         /* texts as the range over the processes */
};

enum err_code phases_list_init(struct phases_list *l, const struct analysis *a, struct err *e);
void phases_list_release(struct phases_list *l);

extern const struct list_table phases_columns;

#endif
