/* Windows of a planned signature (core/method/windows/windows.h) as views mark them: which ticks they are, which one
 * a tick is in, and how one looks, regular or extra. Windows are numbered by where they begin, from 0 here and from 1
 * for people. None overlap.
 */
#ifndef PAS2P_TUI_WINDOW_MARKS_H
#define PAS2P_TUI_WINDOW_MARKS_H

#include "model.h"

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
