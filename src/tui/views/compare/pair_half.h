/* Two runs side by side, a half of the comparison (docs/studies.md 7): both grids on aligned ticks with one cursor, a
 * strip of where they differ over the whole run, and below it which phases correspond and what that did to the run
 * time. pair_half.c has places and keys, pair_draw.c the grids, pair_groups.c the list and its bars.
 */
#ifndef PAS2P_TUI_PAIR_HALF_H
#define PAS2P_TUI_PAIR_HALF_H

#include "compare_view.h"

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
