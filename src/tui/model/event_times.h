/* An event's two times where corrected ones are shown (docs/clocks.md 4.6): those, and the one that was recorded; and
 * how sure its process's clock is.
 *
 *     event_times_text(m, event, text, size);      "rank 1 #3 · 0.035768 s, was 0.035767 s · clock by 1.00 µs [402 ns, 1.61 µs] · moved 1.00 µs"
 *
 * Both are from the run's start by the clocks that are shown, so that they differ by what the event was moved by. In
 * brackets is what is certain (docs/clocks.md 2), which the model's clocks know: until they do, that they are being
 * compared stands there.
 */
#ifndef PAS2P_TUI_EVENT_TIMES_H
#define PAS2P_TUI_EVENT_TIMES_H

#include "model.h"

/* Were times of the trace that is shown put right? */
bool times_are_corrected(const struct model *m);

/* Event: of the logical trace. "" while times are as recorded. */
void event_times_text(struct model *m, uint32_t event, char *text, size_t size);
/* Of an event that a person opens, and of the other end that the cursor goes to (NO_EVENT: there is none): the model's
 * message. */
void event_times_tell(struct model *m, uint32_t event, uint32_t other);

#endif
