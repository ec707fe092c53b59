/* The runs, inside: speedup and efficiency over processes (plot.c), the figures of each run as a column
 * and the diagnosis as text (table.c), and what keys do (view.c). The runs themselves are the
 * model's (tui/model/run_list.h).
 */
#ifndef PAS2P_TUI_VIEWS_RUNS_RUNS_INT_H
#define PAS2P_TUI_VIEWS_RUNS_RUNS_INT_H

#include "core/lists/metrics.h"
#include "tui/model/runs_work.h"
#include "tui/views/view.h"

#define RUNS_TITLE 2 /* rows */

enum runs_page { RUNS_SPEEDUP, RUNS_EFFICIENCY, RUNS_FIGURES, RUNS_PAGES };

/* What the plots are made of: one array, in parts. */
struct runs_curves {
	double *room;                      /* owned */
	uint32_t runs, counts, grid;       /* values of each part */
	double *n, *speedup, *efficiency;  /* each run */
	double *best_n, *best_speedup, *best_efficiency; /* the shortest run of each number of processes */
	double *fraction;                  /* its serial fraction */
	double *at, *ideal, *bar, *law, *one, *level, *law_efficiency; /* over the range of the axis, speedups and efficiencies */
	bool has_law;
	double from, to;                   /* the range */
};

struct runs_view {
	struct view view;
	enum runs_page page;               /* of those that there is room for */
	bool log;
	uint32_t top;                      /* the first row of figures that is seen */
	struct runs_curves curves;
	uint64_t serial;                   /* of the runs that they were made of */
	bool log_made;
	/* The diagnosis. */
	bool diagnosing;                   /* it is shown */
	struct derived diagnosis;
	uint32_t text_top;
	/* For a file; owned: a row each of the runs with figures. */
	struct shown_table written;
	struct metrics_run_figures *rows;
	struct metrics_runs_list list;
	uint64_t rows_serial;              /* of the runs that they are of */
	/* Layout, made by update. */
	int w, plot_h, plots, table_h;     /* plots: side by side */
	bool pages;                        /* Tab goes from one to the next */
};

/* Curves of the runs as they are; false: no memory, and none are drawn. */
bool runs_curves_make(struct runs_curves *c, const struct runs *r, bool log);
void runs_plot_draw(const struct runs_view *v, enum runs_page page, struct pane p);

#define RUNS_ROWS 12 /* figures of a run, without its name */
void runs_table_draw(const struct runs_view *v, struct pane p);
uint32_t runs_table_columns(int w); /* runs that a table of that width shows */
uint32_t runs_table_first(const struct runs *r, int w); /* the first that it shows */

/* The diagnosis, in lines as long as there is room. */
const char *runs_text(const struct runs_view *v);         /* NULL: being made, or failed */
const char *runs_text_failure(const struct runs_view *v); /* "": none */
void runs_text_ask(struct runs_view *v);                  /* unless it is there */
void runs_text_update(struct runs_view *v);
void runs_text_draw(const struct runs_view *v, struct pane p);

#endif
