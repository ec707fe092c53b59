/* When something of the whole run begins: an iteration, an occurrence of a phase. Processes enter it at different
 * times by their own clocks; it begins when the earliest of them does, and that one is named, so that the moment can
 * be found again:
 *
 *     moment_of_tick(l, occurrence->first)      what screens print, by moment_text()
 *     moment_find(m, seconds, within, &place)   what :goto does with it
 */
#ifndef PAS2P_TUI_MOMENTS_H
#define PAS2P_TUI_MOMENTS_H

#include "model.h"

struct moment {
	double seconds;   /* from the run's first record on */
	uint32_t process;
};

struct moment moment_of_tick(const struct logical *l, uint32_t tick);

#define MOMENT_TEXT 64
#define MOMENT_PRECISION 1e-6 /* s: what is seen of one */
const char *moment_text(struct moment at, char text[MOMENT_TEXT]); /* "0.003585 s (rank 1)" */

/* The occurrence, of all, that begins nearest to a time and no further than `within` from it; false: none does. */
bool moment_find(const struct model *m, double seconds, double within, struct trace_place *to);

#endif
