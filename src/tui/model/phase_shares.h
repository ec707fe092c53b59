/* Shares of phases: what a column that stands for more than one occurrence is made of, and how that is drawn.
 *
 * Phases are counted by rank, as their marks are; all without a mark of their own are one kind. A column of several
 * rows is stacked by the shares; in a single row, over the columns, each phase has its mark as often as its share is.
 */
#ifndef PAS2P_TUI_PHASE_SHARES_H
#define PAS2P_TUI_PHASE_SHARES_H

#include "model.h"

#define PHASE_KINDS (PHASE_MARKS + 1) /* by rank, then all others */
#define NO_KIND UINT8_MAX

struct phase_shares {
	double share[PHASE_KINDS]; /* they sum up to 1, or to 0 if there is no phase */
	uint32_t kinds;            /* of them that are there */
	uint8_t most;              /* the kind that has most; NO_KIND: none */
};

uint8_t phase_kind(const struct model *m, uint32_t id);
void phase_shares_add(struct phase_shares *s, uint8_t kind, double weight);
void phase_shares_end(struct phase_shares *s); /* weights become shares */
void phase_shares_of_ticks(struct phase_shares *s, const struct model *m, uint32_t from, uint32_t to);

/* Rows from the top, the heaviest phase at the foot, by largest remainder. */
void phase_shares_stack(const struct phase_shares *s, int rows, uint8_t *kinds);

/* The mark of a column in one row. What a column lacks to a phase is owed to it in the next: `owed` is for a whole row,
 * 0 at first. Only phases that a column holds are shown in it. */
uint8_t phase_shares_mark(const struct phase_shares *s, double owed[PHASE_KINDS]);

void phase_kind_draw(struct pane p, int x, int y, uint8_t kind, unsigned attr);

/* An occurrence of a phase as a bracket of w columns, open where it begins before them or ends behind. If there is no
 * room for its number there is none: another name would be another phase. Its name follows if that fits whole. */
void phase_bracket_draw(struct pane p, int x, int y, int w, const struct model *m, uint32_t phase, bool begins, bool ends);

/* "phases 11 (A) 45 %, 6 (B) 41 %, 3 more", as many as have room. */
void phase_shares_text(const struct phase_shares *s, const struct model *m, char *text, size_t size, int room);

/* Item i of n where only `most` can be looked at: each is from anywhere in its part of them. At even distances a rhythm
 * of the phases could hide all but one. */
uint32_t phase_sample(uint32_t first, uint32_t count, uint32_t most, uint32_t i);

/* ---- window_marks ---- */

/* Windows of a planned signature (core/method/windows/windows.h) as views mark them: which ticks they are, which one
 * a tick is in, and how one looks, regular or extra. Windows are numbered by where they begin, from 0 here and from 1
 * for people. None overlap.
 */

enum window_mark { MARK_NONE, MARK_REGULAR, MARK_EXTRA };

const struct windows *model_windows(const struct model *m); /* NULL: the settings ask for none, or there are none */
enum window_mark window_mark_of(const struct window *w);
/* Its ticks: [*from, *to). */
void window_ticks(const struct model *m, const struct window *w, uint32_t *from, uint32_t *to);
uint32_t window_at(const struct model *m, uint32_t tick);    /* UINT32_MAX: none */
/* The first that begins behind a tick; count: there is none. */
uint32_t window_behind(const struct model *m, uint32_t tick);

/* What stands for columns of a row: a regular window goes before an extra one. */
void window_mark_columns(uint8_t *marks, int columns, int from, int to, enum window_mark mark);
void window_marks_draw(struct pane p, int x, int y, const uint8_t *marks, int columns);

/* "window 3 of 9", "extra window 1 of 9" */
#define WINDOW_NAME 48
const char *window_name(const struct windows *w, uint32_t i, char text[WINDOW_NAME]);

#endif
