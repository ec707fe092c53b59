/* The summary, inside: what `pas2p info` says, as one page of lines that view_summary.c makes and summary_draw.c shows.
 */
#ifndef PAS2P_TUI_SUMMARY_VIEW_H
#define PAS2P_TUI_SUMMARY_VIEW_H

#include "../core/stats.h"
#include "view.h"

#define SUMMARY_GROUPS 64 /* rows of processes at most, and of the matrix */

enum summary_line {
	LINE_BLANK, LINE_TITLE, LINE_FACT, LINE_NOTE_KIND, LINE_NOTE, LINE_LEGEND, LINE_TIME, LINE_MATRIX_HEAD, LINE_MATRIX,
	LINE_SIZE, LINE_SIZE_UNKNOWN, LINE_COLLECTIVE, LINE_STATE
};

enum summary_section { SECTION_RUN, SECTION_NOTES, SECTION_TIME, SECTION_MATRIX, SECTION_SIZES, SECTION_COLLECTIVES,
		       SECTION_STATES };

/* What of the trace has to be counted; made in the background. */
struct counts {
	struct comm_matrix matrix;
	struct size_histogram sizes;
	struct coll_stats *colls; /* owned */
	uint32_t coll_count;
	uint32_t *states;         /* those that occur, most exclusive time first; owned */
	uint32_t state_count;
};

struct summary_view {
	struct view view;
	struct counts *counts;    /* owned; NULL until counted */
	uint32_t asked;           /* groups of the matrix asked for; 0: not yet */
	char failure[ERR_TEXT];
	bool bytes;               /* the matrix shows bytes, not messages */
	uint32_t column;          /* of the matrix, under the cursor */
	struct {
		uint8_t kind;
		uint32_t index;
	} *lines;                 /* owned */
	uint32_t line_count;
	size_t line_cap;
	uint64_t made_for;        /* what the lines were made of */
	uint32_t top, cur;
	int w, h;
};

static inline uint32_t summary_rows(const struct model *m)
{
	uint32_t n = model_processes(m);

	return n < SUMMARY_GROUPS ? n : SUMMARY_GROUPS;
}

/* Note number i: those of the trace, then of its logical order. NULL: there is none. */
const struct note *summary_note(const struct model *m, uint32_t i);
/* "P3", or "P9–16" for row r of n. */
const char *summary_group(const struct model *m, uint32_t r, uint32_t n, char buf[48]);
/* What a row of processes spent, and the sum of their spans. */
double summary_times(const struct model *m, uint32_t row, double by_kind[TIME_KINDS]);

void summary_draw(const struct view *v, struct pane p);

#endif
