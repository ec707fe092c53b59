/* Who made a call wait: what the views of places say of the call under the cursor, and the key that follows a wait to
 * the call that was waited for, and from there to its root (core/metrics/waits/waits.h). */
#ifndef PAS2P_TUI_WAIT_ROOTS_H
#define PAS2P_TUI_WAIT_ROOTS_H

#include "model.h"

/* The outermost call that a process is in at a time (as the trace's clocks say); of two that meet there, the later.
 * NO_LOGGED_CALL: none, or the calls are not known yet. */
uint32_t wait_call_at(const struct model *m, uint32_t process, double time);
/* The call of an event of the analysed trace. */
uint32_t wait_call_of(const struct model *m, uint32_t event);

/* " · waited 20.1 ms for r2, late sender · cause: rank 2 computing in solve, phase 4"; "" if it did not wait. */
void wait_describe(const struct model *m, uint32_t call, char *text, size_t size);

/* The first event of a call, else the one nearest to its start (lists[list].end: to the list's end). */
struct trace_place wait_place_of(const struct model *m, uint32_t list, uint32_t call);

/* Follow the wait of a call: the cursor goes to what it waited for; asked again there, to the root. What was found, or
 * why there is nothing, is the model's message. True: the cursor has moved, and `time` is where (as the trace's clocks
 * say). */
bool wait_follow(struct model *m, uint32_t call, double *time);

#endif
