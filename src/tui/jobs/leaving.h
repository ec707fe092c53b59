/* Leaving a trace: what goes on behind the screen is stopped, waited for and given back by a thread of its own, so that
 * the key that leaves it does not wait.
 *
 *     l = leaving_start(session, background);   takes both over
 *     loaded = leaving_end(l);                  waits until they have ended; frees l
 */
#ifndef PAS2P_TUI_LEAVING_H
#define PAS2P_TUI_LEAVING_H

struct background;
struct leaving;
struct session;
struct session_loaded;

/* The background reads the session's trace, and wakes it. NULL: no memory; then nothing was taken over. */
struct leaving *leaving_start(struct session *s, struct background *b);
struct session_loaded *leaving_end(struct leaving *l); /* as of session_stop_keeping(), for the caller */

#endif
