/* The overview, inside: the run in a page. What it does repeatedly, how well, where its time goes, what to do next;
 * and, if there is room, its phases, routines and processes with their extremes.
 *
 *     view.c               keys, clicks, the cursor on the page's items
 *     facts.c              what is known so far, and why the rest is not
 *     layout.c             where everything stands, from the size and what is known
 *     lines.c              the page's lines
 *     loops.c              the reading or the structure: words that fold, and the iterations of the main loop
 *     reading.c            what the words of the reading are, say and lead to
 *     blocks.c             phases, routines, processes
 *     jump.c               from an item to the view that shows more of it
 *     export.c             the facts as a table
 *
 * All of it is the model's and shared; the view holds references to what the page was made of. The figures are those
 * of core/reports/reports.h, from the parts that there are: a line whose part is being made again is dim until it is
 * there.
 */
#ifndef PAS2P_TUI_VIEWS_OVERVIEW_OVERVIEW_INT_H
#define PAS2P_TUI_VIEWS_OVERVIEW_OVERVIEW_INT_H

#include "core/reports/reports.h"
#include "tui/views/view.h"
#include "tui/widgets/units.h"

/* What the cursor can stand on: the lines of the page in their order, then the rows of the blocks below. */
enum overview_line {
	PAGE_STRUCTURE, PAGE_PATTERNS, PAGE_TIME, PAGE_EFFICIENCY, PAGE_PHASES, PAGE_ITERATION, PAGE_LOST, PAGE_SLOWEST, PAGE_HEAVIEST, PAGE_SIGNATURE,
	PAGE_WARNINGS, PAGE_NEXT, PAGE_LINES,
	PAGE_PHASE = PAGE_LINES, PAGE_ROUTINE, PAGE_PROCESS
};

struct overview_item {
	enum overview_line line;
	uint32_t index;            /* of a row: the phase's id, the state row's number, the first process */
	uint32_t end;              /* of a row of processes: after its last */
	int block;                 /* which block it is a row of; -1: a line */
	int x, y, w, h;            /* on the page */
};

/* A word of the structure where it stands: x and row from the structure's own corner. */
struct overview_word {
	uint32_t word;             /* of program_structure, or of the reading */
	int x, row, w;
	bool folded;               /* what is in it does not follow */
	bool parted;               /* of a reading: a ";" follows */
};

enum overview_block_kind { BLOCK_PHASES, BLOCK_ROUTINES, BLOCK_PROCESSES, BLOCKS };

struct overview_block {
	int x, y, w, h;            /* on the page, its title included; a height of 0: it is not there */
	int pitch;                 /* rows for each item */
};

/* What the page was made of, by the model's serials. */
struct overview_of {
	const struct trace *trace;
	uint64_t analysis, structure, spending, plan, measured;
};

struct overview_view {
	struct view view;

	/* What is known: made when something has come. */
	struct overview_of of;
	const struct analysis *analysis;   /* references, NULL: not there (yet) */
	struct program_structure *structure;
	struct spent *run;
	struct spent_phases *phases;
	struct run_plan *plan;
	bool known;                        /* `facts` are */
	struct overview facts;

	/* Rows of the blocks, the largest first: ids of phases, numbers of state rows. Owned. */
	uint32_t *phase_order, *state_order;
	uint32_t phase_rows, state_rows;

	/* The reading: in place of the structure, unless numbers are asked for. Owned. */
	const struct analysis *read;       /* a reference: the latest that had names; NULL: there are none (yet) */
	struct structure_word *reading;
	uint32_t reading_words;
	uint64_t readings;                 /* grows with each that is another */
	bool numbers;

	/* What is shown of the two: which loops are folded (by loop of the folding), and the words that are seen. Owned. */
	bool *folded;
	struct overview_word *words;
	uint32_t word_count;
	int word_rows;                     /* that they take */
	bool words_cut;                    /* there are more than are laid out */
	uint64_t words_of;                 /* what the folding is of: overview_words_serial() */
	bool main_found;                   /* the cursor was put on their main loop, which may come later than they do */
	int words_w;                       /* that they were laid out for */

	/* Iterations, several a column if there are more than columns. Owned. */
	double *bars, *outliers;           /* the longest of each column; the same where one of them stands out, otherwise 0 */
	uint32_t bar_count;
	double *marks;                     /* of the plot: x of those that stand out, all along their bars, and then y */
	uint32_t mark_count;
	uint64_t bars_of;                  /* serial of the structure that they are of, + 1 */
	int bars_w;

	/* The cursor. */
	uint32_t at;                       /* item */
	uint32_t word, iteration, step;    /* place among words; iteration and step from 0 */

	/* Layout, made by update. */
	struct overview_item *items;       /* owned */
	uint32_t item_count;
	int w, h, page_h, top;             /* the page, and its first row that is seen */
	int bar_y, times_y, words_y, words_h, spark_y, spark_h; /* a height or (bar, times) row below 0: there is no room for it */
	struct overview_block blocks[BLOCKS];
};

#define OVERVIEW_ROOMY 72 /* columns from which labels are whole */

/* Columns before what a line says. */
static inline int overview_label_width(const struct overview_view *s)
{
	return s->w >= OVERVIEW_ROOMY ? 19 : 12;
}

static inline int overview_room(const struct overview_view *s)
{
	int label = overview_label_width(s);

	return s->w > label + 2 ? s->w - label - 1 : 1;
}

/* --- what is known --- */

bool overview_take(struct overview_view *s);       /* asks for what is missing; true: something has come */
void overview_forget(struct overview_view *s);
/* Why a line says nothing yet, or cannot: "being read", "being computed: 40 %", a reason. NULL: it says something. */
const char *overview_why_not(const struct overview_view *s, enum overview_line line, char text[OVERVIEW_TEXT]);
bool overview_is_there(const struct overview_view *s, enum overview_line line); /* what the line is made from */
bool overview_is_old(const struct overview_view *s, enum overview_line line); /* it is of the phases before a knob moved */
/* What the line says, without its plots and words. */
void overview_line_text(const struct overview_view *s, enum overview_line line, char text[OVERVIEW_TEXT]);
/* A step as the workbench does it: its key, and what it is good for. */
enum action overview_step_action(enum overview_step step);

/* --- the reading --- */

void overview_reading_take(struct overview_view *s);    /* of the analysis that is shown, if that has names */
bool overview_reads(const struct overview_view *s);     /* it is shown in place of the structure */
/* The loop of it that is the run's main loop; STRUCTURE_NO_LOOP: none is, or that is not known yet. */
uint32_t overview_reading_main(const struct overview_view *s);
/* Of its words alone: "49 x [", "]", "2 x halo 2x2 8 KB". */
void overview_reading_word_text(const struct overview_view *s, const struct structure_word *w, bool folded, char text[64]);
const struct pattern *overview_word_pattern(const struct overview_view *s, const struct structure_word *w); /* NULL: a loop */
void overview_reading_describe(const struct overview_view *s, const struct structure_word *w, bool folded, char *text, size_t size);
unsigned overview_to_pattern(struct overview_view *s, const struct structure_word *w); /* where it stands for the first time */

/* --- the page --- */

bool overview_has_patterns(const struct overview_view *s); /* or may have: there is a line for them */
void overview_lay_out(struct overview_view *s, int w, int h);
const struct overview_item *overview_here(const struct overview_view *s); /* NULL: nothing is laid out */
int overview_steps_width(const struct overview_view *s); /* in one row */
void overview_lines_draw(const struct overview_view *s, struct pane page);
bool overview_selected(const struct overview_view *s, enum overview_line line, uint32_t index);

/* --- loops --- */

int overview_loops_rows(struct overview_view *s, int room, int rows); /* lays the words out; the rows that they would take */
void overview_loops_draw(const struct overview_view *s, struct pane p); /* in the part of the page that is the structure's */
bool overview_fold(struct overview_view *s);                          /* the loop under the cursor, or unfold it; false: a phase */
uint32_t overview_word_phase(const struct overview_view *s);          /* the phase under the cursor; 0: a loop, or nothing */
const struct structure_word *overview_word_here(const struct overview_view *s); /* under the cursor; NULL: nothing is laid out */
void overview_word_describe(const struct overview_view *s, char *text, size_t size);
void overview_word_move(struct overview_view *s, int by);
void overview_word_click(struct overview_view *s, int x, int y);      /* from the corner of what is seen of it */
void overview_bars_make(struct overview_view *s, int room);
void overview_bars_draw(const struct overview_view *s, struct pane p);
void overview_iteration_describe(const struct overview_view *s, char *text, size_t size);

/* --- blocks --- */

void overview_orders_make(struct overview_view *s);
uint32_t overview_block_rows(const struct overview_view *s, enum overview_block_kind kind); /* that it could show */
void overview_blocks_draw(const struct overview_view *s, struct pane page);
void overview_row_describe(const struct overview_view *s, const struct overview_item *i, char *text, size_t size);

/* --- further --- */

unsigned overview_go(struct overview_view *s);     /* Enter on the cursor's item */
bool overview_table(struct view *v, bool all, struct view_table *t);

#endif
