/* The comparison, inside: two phases or two basic blocks side by side, why they are not similar, and which others were
 * nearest to the left one. view_compare.c computes, compare_merge.c asks what would come of merging the two, compare_draw.c shows. Two runs side by side are in pair_half.h.
 */
#ifndef PAS2P_TUI_COMPARE_VIEW_H
#define PAS2P_TUI_COMPARE_VIEW_H

#include "core/analysis/why.h"
#include "tui/views/view.h"

#define COMPARE_MISSES 100
#define COMPARE_TICKS 256 /* shown at most */

/* Two runs: what is looked at (pair_half.h). */
struct pair_half {
	struct list groups;      /* of phases: rows of the waterfall, or of the matching where there is none */
	uint64_t serial;         /* of the model's pair, as the list was made */
	bool placed;             /* the cursor went to the first difference */
	uint64_t of;             /* serial of the comparison: whose first difference, and whose columns */
	bool was_aligned;
	uint32_t at, process;    /* cursor: aligned ticks, and process */
	uint32_t first[2];       /* the first aligned tick that is shown, left and right; different after a jump to a group */
	uint32_t at_right;       /* the right side's cursor then */
	uint32_t first_process;
	bool bars;               /* the waterfall */
	/* Layout and what is drawn, made by update. */
	int w, h, cell, cells, rows, list_rows;
	int line_rows;           /* below the list: events from the cursor on, as lines of a diff; 0: there is no room */
	uint64_t density[512];
	uint64_t densest;
	int strip;               /* columns of it */
};

/* What would come of the thresholds at which the two would merge. */
struct compare_merged {
	struct made made;
	const struct analysis *analysis; /* a reference */
	struct settings settings;
	bool blocks;
	uint32_t phases, labels;
	double coverage;
};

struct compare_merge {
	bool possible;             /* some thresholds would do, and they are not set already */
	struct settings settings;  /* with them */
	struct derived trying;
};

struct compare_view {
	struct view view;
	bool runs;               /* two runs, neither phases nor blocks */
	struct pair_half beside;
	bool blocks;             /* basic blocks, not phases */
	uint32_t a, b;           /* ids of phases, numbers of blocks; 0: none */
	uint64_t chosen_in;      /* serial of the analysis in which a and b were ids; 0: nothing chosen yet */
	uint32_t tick_of_a, tick_of_b; /* where they begin: by that they are found again in another analysis */

	/* The nearest to `a`, made in the background. */
	struct derived nearest;
	const struct why_miss *misses; /* the view's list is of these */
	uint32_t miss_count;     /* 0: they are not of what is compared, or there are none */
	uint32_t miss_seen;      /* the one that the list's cursor was on */
	bool misses_ready;       /* or there is a failure */

	/* What is drawn, made by update. */
	uint64_t serial;
	bool ready;
	uint32_t for_a, for_b;
	bool for_blocks;
	struct why_windows windows;
	struct why_bbps pair;
	struct compare_merge merge;
	uint32_t offset;         /* first send tick shown of both windows */
	uint32_t detail;         /* first process shown */
	uint32_t ticks[2][COMPARE_TICKS], tick_count[2];
	uint32_t offset_made;
	int w, h, rows, list_rows;
};

/* Lines above the cells, between them and the list. */
#define COMPARE_HEAD 6

void compare_merge_update(struct compare_view *s);
/* "volume 7.5 %: 546 → 512 phases, coverage +1.2"; "" where there is nothing to tell. */
void compare_merge_text(const struct compare_view *s, char *text, size_t size);
/* True: the model's planned settings are those. Else nothing would do, and the model's message says so. */
bool compare_merge_take(struct compare_view *s);
void compare_draw(const struct view *v, struct pane p);

#endif
