/* The table of processes, inside: a row for each with its time, its traffic and whom it has to do with; what stands out
 * of a column is marked, and a mean never stands without the processes at its ends.
 *
 *     view.c                what has come, columns, keys
 *     foot.c                of each column: mean, ends, and what stands out
 */
#ifndef PAS2P_TUI_VIEWS_PROCESSES_PROCESSES_INT_H
#define PAS2P_TUI_VIEWS_PROCESSES_PROCESSES_INT_H

#include "core/base/outliers.h"
#include "core/lists/metrics.h"
#include "tui/views/view.h"
#include "tui/widgets/units.h"

/* A column of figures over all processes that have one. */
struct process_figures {
	uint32_t count;            /* 0: there are none, or the column is none of figures */
	double mean, most, least;
	uint32_t most_row, least_row; /* the first of several */
	struct outlier_bounds bounds;
	uint32_t outliers, outlier_row; /* how many stand out, and the first of them */
};

struct processes_view {
	struct view view;
	uint64_t serial;               /* of the spending that all below is of */
	struct spent *run;             /* a reference; NULL: not there yet */
	struct derived whom;           /* each has to do with */
	const struct process_peers *peers; /* of the run; NULL: being made, or there is a failure */
	double *caused;                /* by process; NULL: not known (yet) */
	struct metrics_processes_list rows;
	struct drawn_list drawn;
	struct shown_table written;
	struct process_figures figures[LIST_COLUMNS]; /* per drawn column */
	int list_h, foot_h;            /* layout, made by update */
};

/* For a row and a drawn column; NAN: it has none. */
double processes_figure(const struct processes_view *s, uint32_t row, int column);
/* As the list shows it. */
void processes_value_text(const struct processes_view *s, int column, double v, char buf[UNIT_TEXT]);
/* Does it stand out? -1: below the others, 1: above them. */
int processes_stands_out(const struct processes_view *s, uint32_t row, int column);

void processes_figures_make(struct processes_view *s);
/* Lines that all columns would have. */
int processes_foot_lines(const struct processes_view *s);
void processes_foot_draw(const struct processes_view *s, struct pane p);

#endif
