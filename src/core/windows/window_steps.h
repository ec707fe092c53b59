/* What windows consist of, call by call: patterns and steps (docs/phase-table.md).
 *
 * A pattern is what one occurrence does: its phase and how many calls (docs/method.md 6.1) each process makes in it.
 * Distinct ones are few, so a window is written as steps: this pattern so many times, then that one. Patterns are
 * counted from 0 by their first appearance in the windows' order. With a team (trace_team()) all ranks come to the
 * same.
 */
#ifndef PAS2P_WINDOW_STEPS_H
#define PAS2P_WINDOW_STEPS_H

#include "windows.h"

struct window_step {
	uint32_t pattern, times;
};

struct window_steps {
	uint32_t processes;
	uint32_t *phase;       /* per pattern: id */
	uint32_t *sends;       /* [pattern][process] */
	uint32_t patterns;
	struct window_step *step;
	uint32_t *first;       /* windows + 1: the steps of window w are [first[w], first[w + 1]) */
};

/* Meets (team.h). */
enum err_code window_steps_init(struct window_steps *s, const struct windows *w, const struct clockwork *c, const struct phases *p,
				const struct job *job, struct err *e);
void window_steps_release(struct window_steps *s);

#endif
