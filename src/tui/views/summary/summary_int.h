/* The summary, inside: what `pas2p info` says, as a page of sections.
 *
 *     count.c           counts messages, sizes and collectives in the background, and finds who waited for whom once that
 *                       is asked for
 *     page.c            the page: its rows as a list, which can be searched and filtered, and where each line stands
 *     tables.c          the sections as tables, to export
 *     draw.c            shows the page
 *     view.c            what keys do
 */
#ifndef PAS2P_TUI_VIEWS_SUMMARY_SUMMARY_INT_H
#define PAS2P_TUI_VIEWS_SUMMARY_SUMMARY_INT_H

#include "core/base/unit.h"
#include "core/lists/lists.h"
#include "core/metrics/maps/traffic.h"
#include "core/metrics/waits/waited_pairs.h"
#include "tui/views/view.h"

#define SUMMARY_GROUPS 64    /* rows of processes at most, and of the matrix */
#define SUMMARY_TWO_W 150    /* from here on the sections stand in two columns */

enum summary_line {
	LINE_BLANK, LINE_TITLE, LINE_FACT, LINE_NOTE_KIND, LINE_NOTE, LINE_LEGEND, LINE_TIME, LINE_MATRIX_HEAD, LINE_MATRIX,
	LINE_SIZE, LINE_SIZE_UNKNOWN, LINE_COLLECTIVE, LINE_STATE, LINE_KINDS
};

enum summary_section { SECTION_RUN, SECTION_NOTES, SECTION_TIME, SECTION_MATRIX, SECTION_SIZES, SECTION_COLLECTIVES,
		       SECTION_STATES, SECTIONS };

#define SUMMARY_FACTS 5 /* the last one is there only where the trace says what tracing cost */

/* What of the trace has to be counted; made in the background. */
struct counts {
	struct made made;
	const struct trace *trace;
	uint32_t groups;          /* of the matrix */
	struct comm_matrix matrix;
	struct comm_pair *pairs;  /* the same in full, to export; owned */
	uint32_t pair_count;
	struct size_histogram sizes;
	struct coll_stats *colls; /* owned */
	uint32_t coll_count;
	struct states_list states; /* owned */
};

/* Who waited for whom: rows waited, columns are for whom. Grouped as comm_matrix is. */
struct waited {
	struct made made;
	struct spent *run;          /* a reference */
	uint32_t groups;
	double *cell;               /* owned */
	double most;
	struct waited_pairs *pairs; /* the same in full, to export; owned */
};

enum matrix_of { MATRIX_MESSAGES, MATRIX_BYTES, MATRIX_WAITED, MATRIX_COUNT };

/* A row of the page: what it shows, and which of those. */
struct summary_row {
	uint8_t kind;             /* enum summary_line */
	uint32_t index;
};

/* A line where it stands: y from the page's start, in one of the columns. */
struct summary_place {
	struct summary_row what;
	uint32_t row;             /* of the page's list; UINT32_MAX: a title or the like */
	uint8_t column;
	uint32_t y;
};

struct summary_view {
	struct view view;         /* its list is of the page's rows */
	struct derived counting, waiting;
	uint32_t groups;          /* of the matrix, as asked for */
	const struct counts *counts; /* NULL until counted */
	enum matrix_of matrix;    /* what it shows */
	const struct waited *waited; /* NULL: not known (yet) */
	uint32_t column;          /* of the matrix, under the cursor */
	struct summary_row *rows; /* owned */
	uint32_t row_count;
	size_t row_cap;
	uint64_t made_for;        /* what the rows were made of */
	struct summary_place *lines; /* of what is shown, by section; owned */
	uint32_t line_count;
	size_t line_cap;
	uint32_t at;              /* the cursor's line */
	uint32_t top, height;     /* of the window, of the page */
	int columns, w, h;
	uint32_t *order;          /* rows of a table that are exported; owned */
	struct processes_list of_processes;
	struct shown_table written; /* the columns of that table, where it is a list of core/lists */
};

static inline uint32_t summary_rows(const struct model *m)
{
	uint32_t n = model_processes(m);

	return n < SUMMARY_GROUPS ? n : SUMMARY_GROUPS;
}

/* Begins to count, and takes what has come of it (true: there is something new). */
bool summary_count(struct summary_view *s);
/* The matrix shows waits, and they are known. */
static inline bool summary_shows_waited(const struct summary_view *s)
{
	return s->matrix == MATRIX_WAITED && s->waited && s->counts && s->waited->groups == s->counts->matrix.rows;
}

/* The page: makes its rows again; lays out its lines after anything that may change which rows are shown. */
extern const struct row_source summary_source;
void summary_line_of(const void *view, uint32_t row, char *line, size_t size);
void summary_make_rows(struct summary_view *s);
void summary_lay_out(struct summary_view *s);
enum summary_section summary_section_of(enum summary_line kind);
/* The row under the cursor; LINE_BLANK: none. */
struct summary_row summary_here(const struct summary_view *s);
/* The part of the view's pane that a column of sections has. */
struct pane summary_column(const struct summary_view *s, struct pane p, int column);

/* The section under the cursor as a table: all of it, or those of its rows that belong to rows of the page shown. */
bool summary_table(struct view *v, bool all, struct view_table *t);

/* Note number i: those of the trace, then of its logical order. NULL: there is none. */
const struct note *summary_note(const struct model *m, uint32_t i);
/* The trace that a note's event is of: the order of a trace without its collectives counts that one's events. */
const struct trace *summary_note_trace(const struct model *m, const struct note *n);
/* "r1 #70", the rank and its event from 1; "r1" without an event. False: the note names no process. */
bool summary_place(const struct model *m, const struct note *n, char *text, size_t size);
uint64_t summary_note_count(const struct model *m, enum note_kind kind);
/* "r2", or "r8–15" for row r of n. */
const char *summary_group(const struct model *m, uint32_t r, uint32_t n, char buf[UNIT_TEXT]);
/* What a row of processes spent, and the sum of their spans. */
double summary_times(const struct model *m, uint32_t row, double by_kind[TIME_KINDS]);
/* Texts of rows: fact i, whose name is returned; the sizes of a bin. */
uint32_t summary_facts(const struct model *m);
const char *summary_fact(const struct model *m, uint32_t i, char *text, size_t size);
const char *summary_sizes(uint32_t bin, char *text, size_t size);

void summary_draw(const struct view *v, struct pane p);
/* The matrix's column that is drawn at x of a column of sections. */
uint32_t summary_matrix_column(const struct summary_view *s, struct pane p, int x);

#endif
