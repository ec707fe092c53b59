/* A place of the trace in words; when what is there begins, and when its times were put right; who a call waited for. */
#ifndef PAS2P_TUI_DESCRIBE_H
#define PAS2P_TUI_DESCRIBE_H

#include "model.h"

/* "rank 0 #2 send to rank 1 · tick 3 ... · phase 4, occurrence 5 of 6 · iteration 7 of 49"; brief: with signs for
 * words. There is an analysis. */
void place_describe(const struct model *m, struct trace_place place, bool brief, char *text, size_t size);

/* As much of it as has room, with the phase's name: rather where a place lies in the run than its logical time, compute
 * time, size or time. */
void place_describe_in(const struct model *m, struct trace_place at, int room, char *text, size_t size);

/* "send to rank 1", "receive from an unknown process", "Allreduce"; brief: with signs for words. */
void event_kind_text(const struct trace *t, event_type type, bool brief, char *what, size_t size);

/* Which occurrence of its phase occurrence `at` is, from 1; *of: of how many. */
uint32_t occurrence_number(const struct phases *p, uint32_t at, uint32_t *of);

/* ---- moments ---- */

/* When something of the whole run begins: an iteration, an occurrence of a phase. Processes enter it at different
 * times by their own clocks; it begins when the earliest of them does, and that one is named, so that the moment can
 * be found again:
 *
 *     moment_of_tick(l, occurrence->first)      what screens print, by moment_text()
 *     moment_find(m, seconds, within, &place)   what :goto does with it
 */

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

/* ---- event_times ---- */

/* An event's two times where corrected ones are shown (docs/explain/clocks-bounds.md, "Corrected times"): those, and
 * the one that was recorded; and how sure its process's clock is.
 *
 *     event_times_text(m, event, text, size);      "rank 1 #3 · 0.035768 s, was 0.035767 s · clock by 1.00 µs [402 ns, 1.61 µs] · moved 1.00 µs"
 *
 * Both are from the run's start by the clocks that are shown, so that they differ by what the event was moved by. In
 * brackets is what is certain (docs/explain/clocks-bounds.md, "Bounds"), which the model's clocks know: until they do,
 * that they are being compared stands there.
 */

/* Were times of the trace that is shown put right? */
bool times_are_corrected(const struct model *m);

/* Event: of the logical trace. "" while times are as recorded. */
void event_times_text(struct model *m, uint32_t event, char *text, size_t size);
/* For an event that a person opens, and of the other end that the cursor goes to (NO_EVENT: there is none): the model's
 * message. */
void event_times_tell(struct model *m, uint32_t event, uint32_t other);

/* ---- wait_roots ---- */

/* Who made a call wait: what the views of places say of the call under the cursor, and the key that follows a wait to
 * the call that was waited for, and from there to its root (core/metrics/waits/waits.h). */

/* The outermost call that a process is in at a time (as the trace's clocks say); of two that meet there, the later.
 * NO_LOGGED_CALL: none, or the calls are not known yet. */
uint32_t wait_call_at(const struct model *m, uint32_t process, double time);
/* The call of an event of the analysed trace. */
uint32_t wait_call_of(const struct model *m, uint32_t event);

/* " · waited 20.1 ms for rank 2 (brief: r2), late sender · cause: rank 2 computing in solve, phase 4"; "" if it did not wait. */
void wait_describe(const struct model *m, uint32_t call, bool brief, char *text, size_t size);

/* The first event of a call, otherwise the one nearest to its start (lists[list].end: to the list's end). */
struct trace_place wait_place_of(const struct model *m, uint32_t list, uint32_t call);

/* Follow the wait of a call: the cursor goes to what it waited for; asked again there, to the root. What was found, or
 * why there is nothing, is the model's message. True: the cursor has moved, and `time` is where (as the trace's clocks
 * say). */
bool wait_follow(struct model *m, uint32_t call, double *time);

#endif
