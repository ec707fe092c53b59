/* The comparison, inside: two phases or two basic blocks side by side, why they are not similar, and which others were
 * nearest to the left one. view_compare.c computes, compare_draw.c shows.
 */
#ifndef PAS2P_TUI_COMPARE_VIEW_H
#define PAS2P_TUI_COMPARE_VIEW_H

#include "core/analysis/why.h"
#include "tui/views/view.h"

#define COMPARE_MISSES 100
#define COMPARE_TICKS 256 /* shown at most */

struct compare_view {
	struct view view;
	bool blocks;             /* basic blocks, not phases */
	uint32_t a, b;           /* ids of phases, numbers of blocks; 0: none */
	uint64_t chosen_in;      /* serial of the analysis in which a and b were ids; 0: nothing chosen yet */
	uint32_t tick_of_a, tick_of_b; /* where they begin: by that they are found again in another analysis */

	/* The nearest to `a`, made in the background. */
	struct why_miss misses[COMPARE_MISSES];
	uint32_t miss_count;     /* the view's list is of these */
	uint32_t miss_seen;      /* the one that the list's cursor was on */
	bool misses_ready;
	uint64_t misses_serial;
	uint32_t misses_of;
	bool misses_blocks;

	/* What is drawn, made by update. */
	uint64_t serial;
	bool ready;
	uint32_t for_a, for_b;
	bool for_blocks;
	struct why_windows windows;
	struct why_bbps pair;
	uint32_t offset;         /* first send tick shown of both windows */
	uint32_t detail;         /* first process shown */
	uint32_t ticks[2][COMPARE_TICKS], tick_count[2];
	uint32_t offset_made;
	int w, h, rows, list_rows;
};

/* Lines above the cells, between them and the list. */
#define COMPARE_HEAD 6

void compare_draw(const struct view *v, struct pane p);
/* The ticks of a phase's content. */
void compare_window(const struct phases *p, uint32_t id, uint32_t *first, uint32_t *last);

#endif
