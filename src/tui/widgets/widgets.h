/* Small widgets that know neither views nor the model: a prompt, filters of rows, axes of plots, graphs in cells,
 * completion of paths. Lists are in list.h, plots in plot.h, units in units.h.
 */
#ifndef PAS2P_TUI_WIDGETS_WIDGETS_H
#define PAS2P_TUI_WIDGETS_WIDGETS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/models/graph/graph.h"
#include "tui/screen/canvas.h"
#include "units.h"
#include "core/base/err.h"
#include "core/base/query.h"

/* ---- graph_cells ---- */

/* A program's graph in cells: a column for each class of processes, time downwards, the critical path marked
 * (core/models/graph/graph.h).
 *
 * One node a row: rectangles of code, triangles up and down for messages, a knob for collectives, a corner for what
 * holds others; right of it its time. Above each column whose it is and when it ends. View, text and picture are the
 * same cells.
 */

#define GRAPH_COLUMN_LEAST 22 /* cells that a column has at least, */
#define GRAPH_COLUMN_MOST 44  /* and at most */

/* The number of columns that fit into that many cells, and the width of each. */
uint32_t graph_cells_columns(const struct graph *g, int w, int *column);

/* Columns from `left` on, the graph's rows from `top` on; the pane's first row is the heads'. */
void graph_cells_draw(const struct graph *g, struct pane p, uint32_t left, uint32_t top);

/* ---- path_complete ---- */

/* Completing the name of a file that is to be opened. */

/* The nth name, in byte order, that goes on from what was typed: folders (with a slash), and files that end so (in one
 * of the endings, if there are several, with blanks between). Names that could not be shown as they are, and hidden
 * ones unless a dot was typed, are left out. False: there are not so many. */
bool path_complete(const char *typed, const char *endings, int nth, char *out, size_t size);

/* ---- plot_axis ---- */

/* Axes of plots: where a value lies, at which values the ticks are, and how they are written. Nothing here draws.
 *
 * Ticks are round: multiples of 1, 2 or 5 times a power of ten (bytes: of a power of two), and on log axes such numbers
 * themselves. They lie inside of the range, their labels never touch, and no two say the same.
 */

enum plot_scale {
	SCALE_LINEAR,
	SCALE_LOG,
	SCALE_ROOT,     /* of the distance from the lower end: small values have more room */
	SCALE_ROOT_BACK /* of the distance from the upper end */
};

enum plot_unit { PLOT_NUMBER, PLOT_COUNT, PLOT_SECONDS, PLOT_BYTES, PLOT_SHARE /* a fraction, shown in percent */ };

struct plot_axis {
	double from, to;  /* NAN: whatever the data need */
	enum plot_scale scale;
	enum plot_unit unit;
	bool hidden;      /* not drawn */
};

#define PLOT_TICKS 64

struct plot_tick {
	double value;
	int cell;             /* its place, from the lower end of the axis */
	int label;            /* where its label begins, likewise; up an axis: `cell` */
	char text[UNIT_TEXT];
};

/* How labels stand to their ticks, and so which of them have room. */
enum plot_labels {
	LABELS_UP,     /* each in the row of its tick */
	LABELS_UNDER,  /* in a row of their own, with the tick over their middle */
	LABELS_BESIDE  /* to the right of the tick in the same row, to the left where the axis ends */
};

/* A range that can be drawn: a NAN or infinite end gives way to 0 or 1, equal ends move apart, ends in the wrong order
 * are exchanged; a log axis lies above 0. */
void plot_axis_settle(struct plot_axis *a);
/* The range goes outwards to round values. */
void plot_axis_round(struct plot_axis *a);

/* 0 at the lower end to 1 at the upper end; less or more beyond; NAN where the value has no place (NAN; not above 0 on
 * a log axis). */
double plot_axis_place(const struct plot_axis *a, double value);
/* The cell of a place on an axis of n cells, each drawn with `sub` dots. */
int plot_axis_cell(double place, int n, int sub);

/* Ticks for an axis of so many cells, from the lower end on; returns how many. */
int plot_axis_ticks(const struct plot_axis *a, int cells, enum plot_labels labels, struct plot_tick ticks[PLOT_TICKS]);

/* "log", "root"; NULL: linear, about which there is nothing to say. */
const char *plot_scale_name(enum plot_scale s);
/* A value with its unit, in the digits that a reader wants; "-" if it is not known. */
const char *plot_value_text(enum plot_unit unit, double value, char buf[UNIT_TEXT]);

/* ---- prompt ---- */

/* The prompt: one line typed at the foot of the screen, with editing and history. */

#define PROMPT_TEXT 1024
#define PROMPT_LABEL 96
#define PROMPT_HISTORY 50

enum prompt_kind {
	PROMPT_NONE,
	PROMPT_COMMAND,   /* : */
	PROMPT_SEARCH,    /* / */
	PROMPT_FILTER,    /* & */
	PROMPT_VALUE,     /* a knob's value */
	PROMPT_PATH,      /* where to write the phase table */
	PROMPT_ITERATION, /* a number to go to */
	PROMPT_OVERWRITE, /* y or n */
	PROMPT_SETTINGS,  /* y or n */
	PROMPT_KINDS
};

enum prompt_state { PROMPT_TYPING, PROMPT_ACCEPTED, PROMPT_CANCELLED };

struct prompt {
	enum prompt_kind kind;
	char label[PROMPT_LABEL];
	char text[PROMPT_TEXT];  /* UTF-8 */
	size_t len, at;          /* bytes; where the next character goes */
	bool fresh;              /* the text is a proposal: what is typed replaces it */
	char error[160];         /* the mistake in the typed text; the next key clears it */
	struct {
		char *lines[PROMPT_HISTORY]; /* oldest first; owned */
		int n;
	} history[PROMPT_KINDS];
	int recalled;            /* place in the history, n: the line being typed */
	/* For Tab: the next completion of `text`, or false. Set by the owner. */
	bool (*complete)(void *ctx, const char *typed, int nth, char *out, size_t size);
	void *ctx;
	char typed[PROMPT_TEXT]; /* what completion began with */
	int completion;          /* which one is shown; -1: none */
};

bool prompt_is_question(const struct prompt *p); /* that one key answers: y, or any other */
void prompt_init(struct prompt *p);
void prompt_release(struct prompt *p);
void prompt_open(struct prompt *p, enum prompt_kind kind, const char *label, const char *text);
void prompt_close(struct prompt *p);
enum prompt_state prompt_key(struct prompt *p, uint32_t key); /* the text stays until prompt_close */
void prompt_remember(struct prompt *p, enum prompt_kind kind, const char *line); /* as if it had been typed */
void prompt_draw(const struct prompt *p, struct pane pane);

/* ---- rank_word ---- */

/* Processes were once counted from 1 and called P1, P2, ...; they are ranks now, and P3 is rank 2. Whoever still
 * types P3 is to learn that, not to land on another process, or on none, in silence.
 */

/* ERR_USAGE, with the rank that is meant, if text (or an expression, behind its ^) begins with a word that is P and a
 * number from 1. */
enum err_code rank_word_check(const char *text, struct err *e);

/* ---- row_filter ---- */

/* Filters of rows, as a person types them: a regular expression that a row's line must match, or conditions on its
 * columns.
 *
 *     47|238                  lines in which that is found (core/base/query.h)
 *     share > 1%              a column by its name or title, <, <=, >, >=, = or !=, and a value
 *     size>64K & to=r3        both; | is either, and & binds closer
 *
 * Operators and numbers are those of core/base/condition.h, as in --fail-if. Other values are words, which are compared
 * with the text of the row, without regard to case. A name may be shortened if it stays unique. A row without a value
 * in a column meets none of the column's conditions but !=.
 */

struct row_source;
struct row_filter;

/* ERR_USAGE: no such column, no value, or a bad expression: which, and where. */
enum err_code row_filter_new(struct row_filter **out, const char *text, const struct row_source *s, struct err *e);
void row_filter_free(struct row_filter *f); /* NULL is fine */
const char *row_filter_text(const struct row_filter *f); /* as it was typed */

/* line: the row as a regular expression sees it; made only if there is one. */
enum query_result row_filter_match(struct row_filter *f, const struct row_source *s, const void *ctx, uint32_t row,
				   void (*make_line)(void *arg, uint32_t row, char *line, size_t size), void *arg);
/* The sentence for QUERY_GAVE_UP. */
enum err_code row_filter_gave_up(const struct row_filter *f, struct err *e);

#endif
