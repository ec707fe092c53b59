/* Declarations that only the files of src/tui/views/metrics use. Each part begins with its own description. */
#ifndef PAS2P_TUI_VIEWS_METRICS_METRICS_INT_H
#define PAS2P_TUI_VIEWS_METRICS_METRICS_INT_H

#include <stdbool.h>
#include <stdint.h>

#include "tui/screen/canvas.h"
#include "tui/screen/keys.h"
#include "core/lists/metrics.h"
#include "tui/views/view.h"
#include "tui/widgets/units.h"

/* ---- what_if_sliders ---- */

/* What if, turned by keys: a line each for the network, a rank, a phase and balance, and beside them the measured and
 * the projected figures.
 *
 * The sliders have no factors of their own: they show those of the change that is asked for (the model's projected),
 * and turning one asks again. So what was typed is taken over where a slider is of the same thing; all else of it stays
 * as it was typed.
 */

struct metrics_view;

struct what_if_sliders {
	bool open;
	int selected;              /* line */
	uint32_t rank, phase;      /* that can be turned; phase 0: there is none (yet) */
};

/* Of the rank and the phase under the cursor, otherwise of those that a typed text names, otherwise of the heaviest and
 * the one that loses most. */
void what_if_sliders_open(struct metrics_view *s);
void what_if_sliders_update(struct metrics_view *s);       /* after new metrics: names what is there */
unsigned what_if_sliders_act(struct metrics_view *s, enum action a); /* reaction bits; REACT_ACCEPT: to type the change */
int what_if_sliders_rows(const struct metrics_view *s);    /* 0: they are not open */
bool what_if_sliders_compare(const struct metrics_view *s); /* the figures have room beside the sliders */
void what_if_sliders_draw(const struct metrics_view *s, struct pane p);

/* ---- metrics_view ---- */

/* The metrics, inside: how efficient the run is, what of that is lost where, and to whom (docs/reference/metrics.md).
 *
 *     view.c             keys, and where everything stands
 *     tree.c             the hierarchy of factors, as rows
 *     reason.c           beside it: what the selected factor is made of
 *     bars.c             below: where the time of each process went
 *     rows.c             one step in: what is guilty of a factor, by process, state, phase or cause
 *     places.c           from such a row to its place in the trace
 *     what_if_sliders.c    what would be, turned by keys
 *
 * All of it is the model's spending; the view holds references to what its lists were made of.
 */

enum metrics_page { METRICS_HIERARCHY, METRICS_GUILTY, METRICS_DIAGNOSIS };
enum guilty_by { GUILTY_BY_PROCESS, GUILTY_BY_STATE, GUILTY_BY_PHASE, GUILTY_BY_CAUSE, GUILTY_BYS };

/* In the order of the tree. */
enum metrics_factor {
	FACTOR_PARALLEL, FACTOR_BALANCE, FACTOR_NODES, FACTOR_INSIDE, FACTOR_COMMUNICATION, FACTOR_SERIALISATION, FACTOR_TRANSFER,
	FACTOR_TRACER, METRICS_FACTORS
};

#define METRICS_TREE_COLUMNS 3

/* Looking for the call, or the occurrence of a phase, in which a row cost most. */
struct metrics_search {
	bool busy;
	uint32_t row;
	uint32_t list, call;       /* those to be looked at next */
	uint32_t at_list, at_call; /* the costliest so far */
	double cost;               /* below 0: there is none */
	uint64_t calls;            /* of the row, looked at */
	double *sums;              /* by occurrence; owned; NULL: it is a call that is looked for */
	uint32_t span;             /* of the list's process, at the call */
};

struct metrics_view {
	struct view view;          /* its list is of the factors */
	enum metrics_page page;
	enum guilty_by by;
	bool shares;               /* times are shown as shares */
	uint64_t serial;           /* of the spending that all below is of */
	struct spent *run;         /* a reference; NULL: not there yet */
	struct spent_phases *phases; /* as above */

	uint8_t factors[METRICS_FACTORS]; /* that there are */
	uint32_t factor_count;
	struct column_look tree_columns[METRICS_TREE_COLUMNS];
	struct row_source tree;

	double *useful;            /* by process, for the plot; owned */

	struct list lists[GUILTY_BYS];
	struct drawn_list drawn[GUILTY_BYS];
	struct shown_table written;
	struct metrics_processes_list processes;
	struct metrics_states_list states;
	struct metrics_phases_list of_phases;
	struct metrics_causes_list causes;
	char path[METRICS_PATH_SIZE];
	struct what_if_sliders sliders;
	struct metrics_search search;

	/* Layout, made by update; a height of 0: there is no room for it. */
	int w, h, tree_w, tree_h, bars_h, notes_h, sliders_h;
	int text_top, text_lines;  /* of the diagnosis */
};

/* --- factors --- */

enum metrics_factor metrics_selected(const struct metrics_view *s);
const char *metrics_factor_name(enum metrics_factor f);
double metrics_factor_value(const struct run_metrics *m, enum metrics_factor f);
void metrics_tree_make(struct metrics_view *s);
void metrics_tree_lay_out(struct metrics_view *s);
void metrics_tree_draw(const struct metrics_view *s, struct pane p);
bool metrics_tree_table(struct metrics_view *s, struct view_table *t);

/* A time as it is shown: seconds, or the share that it has of total time. */
const char *metrics_time_text(const struct metrics_view *s, double seconds, char buf[UNIT_TEXT]);

/* "most r0 4.91 ms · least r1 4.50 ms": who computes so; "" if that is not known. */
void metrics_ends_text(const struct run_metrics *m, char *text, size_t size);
void metrics_reason_draw(const struct metrics_view *s, struct pane p);
int metrics_bars_rows(const struct metrics_view *s);     /* that all processes would have */
void metrics_bars_draw(const struct metrics_view *s, struct pane p);

/* --- rows --- */

void metrics_rows_init(struct metrics_view *s);
void metrics_rows_make(struct metrics_view *s);          /* of what has come */
void metrics_rows_release(struct metrics_view *s);
void metrics_rows_sort(struct metrics_view *s);          /* by what is lost, the most first */
void metrics_rows_sort_by(struct metrics_view *s, int column); /* an id of the list's columns; the most first */
bool metrics_rows_there(const struct metrics_view *s);   /* those by which they are shown */
const char *metrics_guilty_by(enum guilty_by by);
/* What a row lost to a factor, process-seconds; NAN: not known. */
double metrics_row_lost(const struct metrics_view *s, enum guilty_by by, uint32_t row, enum metrics_factor f);
/* What the rows that are shown lost together; with what no cause is known of. */
double metrics_rows_lost(const struct metrics_view *s, enum metrics_factor f);
bool metrics_guilty_table(struct metrics_view *s, bool all, struct view_table *t);

/* Go to where a row cost most: looks for it, some milliseconds at a time (the view's work), then goes there; what has
 * been done is the model's message. */
unsigned metrics_go(struct metrics_view *s, uint32_t row);
unsigned metrics_go_on(struct metrics_view *s, unsigned ms);
void metrics_stay(struct metrics_view *s); /* not any more */

#endif
