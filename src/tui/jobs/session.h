/* The session: the worker thread behind the workbench. It loads the trace and computes what is wanted;
 * the thread that draws never does either.
 *
 *     session_start(&s, paths, count, &e);
 *     session_want(s, &settings, ANALYSIS_PHASES, false);   whenever something changes; the latest wins
 *     ... poll(session_fd(s)) ...
 *     session_take(s, &news);                               never blocks for longer than a pointer swap
 *     session_stop(s);
 *
 * Where the settings want corrected clocks, the trace is loaded once more with them, and what is made is of that; both
 * stay, so that going from one to the other costs an analysis; where nothing is to be put right it is the recorded one.
 * Where that fails there is an error, and nothing new. The phase table is always of the recorded times
 * (docs/explain/clocks-bounds.md, "Correction"). Likewise where they want compute times from a counter: for each that
 * was wanted the trace is loaded once, and stays; that is what the table is of, too.
 *
 * With each trace comes its call log, read in the same reading, so that no view reads the files again. Where that
 * would take too much memory there is none, until somebody asks for it.
 *
 * A new wish cancels the work on the one before it, but not the correction if it wants that, too. Results arrive in
 * steps: phases first, then the counts of events, blocks, and the text of the phase table, so that the cheap and
 * visible comes before the costly.
 */
#ifndef PAS2P_TUI_SESSION_H
#define PAS2P_TUI_SESSION_H

#include <stdbool.h>
#include <stdint.h>

#include "core/method/analysis/analysis.h"
#include "core/base/err.h"
#include "core/base/progress.h"
#include "core/metrics/calls/log.h"
#include "core/trace/trace.h"
#include "jobs.h"

struct session;

/* What a session has loaded and made, for another one of the same files to go on from. */
struct session_loaded;
void session_loaded_free(struct session_loaded *loaded); /* NULL is fine */
const struct trace *session_loaded_trace(const struct session_loaded *loaded, bool *twice); /* twice: with corrected times, or with a counter's, too */

struct session_news {
	const struct trace *trace;  /* as recorded; NULL until loaded, and where no paths were given; owned by the session, as that of `analysis` is */
	bool loading, busy;         /* at work on the trace, or on an analysis */
	enum progress_stage stage;  /* of the work */
	uint64_t done, total;
	double seconds, stage_seconds; /* since this work, and this stage of it, began */
	const struct analysis *analysis; /* new since the last call, a reference for the caller; NULL: none */
	struct event_counts *event_counts;  /* the same: the caller frees it */
	char *table;                /* the same for the phase table's text: mem_free() it */
	size_t table_size;
	struct err err;             /* what went wrong since the last call; ERR_OK: nothing */
	bool err_is_load;           /* then: while loading; the trace may be there all the same (damaged, cancelled) */
	bool err_is_clocks;         /* or while correcting its times */
	bool err_is_counter;        /* or while loading it with the counter that is wanted */
};

enum err_code session_start(struct session **out, const char *const *paths, uint32_t count, const char *application,
			    unsigned threads, struct session_loaded *loaded, struct err *e);
void session_wake(struct session *s);     /* make it readable: for news of other workers */
int session_fd(const struct session *s); /* readable when session_take has something to tell */
void session_take(struct session *s, struct session_news *news);
/* The call log of a trace that the session has loaded, which stays as long as the trace; for any thread. One that
 * is not there is read now, while others who ask wait for it. ERR_USAGE: no such trace is loaded. */
enum err_code session_log(struct session *s, const struct trace *t, const struct call_log **log, const struct progress *progress, struct err *e);
void session_want(struct session *s, const struct settings *settings, unsigned want, bool table);
void session_cancel(struct session *s);    /* stop the present work; what is loaded stays */
void session_wait_idle(struct session *s); /* block until there is no work: for scripts */
void session_stop(struct session *s);      /* cancels, joins, frees the trace; NULL is fine */
/* The same, but what is loaded stays: for the caller to give to session_start(), which takes it over also when it
 * fails, or to free. NULL: the trace was not, or not wholly. */
struct session_loaded *session_stop_keeping(struct session *s);

/* Leaving a trace: what goes on in the background is stopped, waited for and given back by a thread of its own, so that
 * the key that leaves it does not wait.
 *
 *     l = leaving_start(session, background);   takes both over
 *     loaded = leaving_end(l);                  waits until they have ended; frees l
 */

struct background;
struct leaving;

/* The background reads the session's trace, and wakes it. NULL: no memory; then nothing was taken over. */
struct leaving *leaving_start(struct session *s, struct background *b);
struct session_loaded *leaving_end(struct leaving *l); /* as of session_stop_keeping(), for the caller */

#endif
