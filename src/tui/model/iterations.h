/* The iterations of the run's main loop (model.h) as views mark and name them: which one a tick is in,
 * which ticks one has, and how a row of them looks. Numbered from 0 here and from 1 for people. While the structure is
 * being made there are none.
 */
#ifndef PAS2P_TUI_ITERATIONS_H
#define PAS2P_TUI_ITERATIONS_H

#include "model.h"

#define ITERATION_COLUMNS 3 /* that one must have on average for its bounds to be marked */

uint32_t iteration_count(const struct model *m);   /* 0: there is no main loop, or it is not known yet */
bool iteration_pending(const struct model *m);     /* there were some, and those of the phases shown are being looked for */
uint32_t iteration_at(const struct model *m, uint32_t tick);     /* UINT32_MAX: none */
/* The first that begins behind a tick; the count: there is none. */
uint32_t iteration_behind(const struct model *m, uint32_t tick);
/* Its ticks: [*from, *to). */
void iteration_ticks(const struct model *m, uint32_t i, uint32_t *from, uint32_t *to);
bool iteration_stands_out(const struct model *m, uint32_t i);
/* The first behind i, and round again, that stands out (i UINT32_MAX: from the start); UINT32_MAX: none does. */
uint32_t iteration_next_outlier(const struct model *m, uint32_t i);

/* So many ticks, and seconds, that an iteration has on average; 0: there is none. */
double iteration_mean_ticks(const struct model *m);
double iteration_mean_seconds(const struct model *m);

/* "iteration 7 of 49" */
#define ITERATION_NAME 64
const char *iteration_name(const struct model *m, uint32_t i, char text[ITERATION_NAME]);
/* The same; of one that stands out with ", 0.41 ms, mean 0.27 ms". */
void iteration_describe(const struct model *m, uint32_t i, char *text, size_t size);
/* The same of the ticks [from, to), as a fact behind others: " · iterations 7 – 9 of 49"; "": there are none. */
void iterations_fact(const struct model *m, uint32_t from, uint32_t to, char *text, size_t size);

/* Where there is none to go to: why. */
const char *iteration_gap(const struct model *m);

/* A row of `cells` cells of `cell` columns, of[i] the iteration that cell i is in (UINT32_MAX: none) and `before` that
 * of what lies before the first: a line where one begins, its number if there is room, and "!" before that of one that
 * stands out. */
void iteration_row_draw(struct pane p, int x, int y, const struct model *m, const uint32_t *of, int cells, int cell, uint32_t before);

#endif
