/* Declarations that only the files of src/tui/views/compare use. Each part begins with its own description. */
#ifndef PAS2P_TUI_VIEWS_COMPARE_COMPARE_INT_H
#define PAS2P_TUI_VIEWS_COMPARE_COMPARE_INT_H

#include "core/method/analysis/analysis.h"
#include "tui/views/view.h"

/* ---- compare_view ---- */

/* The comparison, inside: two phases or two basic blocks side by side, why they are not similar, and which others
 * were nearest to the left one. view.c computes, merge.c asks what would come of merging the two,
 * draw.c shows. Two runs side by side are in pair_half.
 */

#define COMPARE_MISSES 100
#define COMPARE_TICKS 256 /* shown at most */

/* Two runs: what is looked at (pair_half). */
struct pair_half {
	struct list groups;      /* of phases: rows of the waterfall, or of the matching if there is none */
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
/* "volume 7.5 %: 546 → 512 phases, coverage +1.2"; "" if there is nothing to tell. */
void compare_merge_text(const struct compare_view *s, char *text, size_t size);
/* True: the model's planned settings are those. Else nothing would do, and the model's message says so. */
bool compare_merge_take(struct compare_view *s);
void compare_draw(const struct view *v, struct pane p);

/* ---- pair_half ---- */

/* Two runs side by side, a half of the comparison (docs/internals/compare-rules.md, "Two runs in the workbench"): both
 * grids on aligned ticks with one cursor, a strip of where they differ over the whole run, and below it which phases
 * correspond and what that did to the run time. pair_half.c has places and keys, pair_draw.c the grids, pair_groups.c
 * the list and its bars.
 */

#define PAIR_HEAD 5   /* rows above the cells: names, verdict, counts, strip, ruler */
#define PAIR_GUTTER 5
#define PAIR_BARS_BESIDE 120 /* columns of a pane in which the bars have room beside all numbers */

extern const struct hint pair_hints[];

void pair_open(struct compare_view *s);
void pair_close(struct compare_view *s);
void pair_update(struct compare_view *s, int w, int h);
void pair_draw(const struct compare_view *s, struct pane p);
unsigned pair_act(struct compare_view *s, enum action a);
void pair_status(const struct compare_view *s, char *text, size_t size, int room);
struct pane pair_list_pane(const struct compare_view *s, struct pane p);

/* The aligned ticks: how many, and which ticks stand in one (NO_TICK: none). As long as they are not aligned: tick
 * beside tick. */
uint32_t pair_columns(const struct run_pair *p);
void pair_ticks_at(const struct run_pair *p, uint32_t at, uint32_t tick[2]);
uint32_t pair_event(const struct run_pair *p, int side, uint32_t tick, uint32_t process); /* NO_EVENT: none */
enum diff_change pair_change(const struct run_pair *p, int side, uint32_t event, const uint32_t tick[2], uint32_t process);
const struct logical *pair_logical(const struct run_pair *p, int side); /* NULL: not there yet */
/* The hunk in which a place is, or the last one before it, from 1; 0: none. */
uint32_t pair_hunk_at(const struct pair_ticks *t, uint32_t at);
/* The run that is on a side, as a name; safe text. */
const char *pair_name(const struct model *m, int side, char *safe, size_t size);

/* The list of groups. */
const struct phase_group *pair_group(const struct run_pair *p, uint32_t row); /* NULL: no group of phases */
void pair_groups_refresh(struct compare_view *s);
const struct row_source *pair_rows(const struct compare_view *s);
bool pair_value(const struct compare_view *s, uint32_t row, int column, struct cell *c);
void pair_groups_draw(const struct compare_view *s, struct pane p);

#endif
