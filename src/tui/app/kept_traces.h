/* Traces that were left for another one: how they were left, and as many of them as memory is worth it as they were
 * loaded, so that going back costs nothing. How a trace was left stays for all of them; what was loaded goes, those
 * first that were left the longest ago, beyond KEPT_MOST traces and a quarter of the machine's memory.
 */
#ifndef PAS2P_TUI_KEPT_TRACES_H
#define PAS2P_TUI_KEPT_TRACES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/io/out.h"
#include "core/settings/settings.h"
#include "history.h"
#include "kept_lists.h"

#define KEPT_MOST 4

struct leaving;
struct session_loaded;
struct trace;

struct kept_trace {
	uint32_t id;                   /* of its run */
	struct settings settings;
	struct history history;
	struct out state;              /* place, view and marks: app_state_write() */
	struct kept_lists lists;
	struct leaving *leaving;       /* owned: what went on of it is still being stopped, and `loaded` is not known; NULL: it is */
	struct session_loaded *loaded; /* owned; NULL: it is read again */
	uint64_t bytes;                /* of memory that it takes, about */
	uint64_t files;                /* files_fingerprint() when they were opened */
};

struct kept_traces {
	struct kept_trace *list;       /* owned; the one left last is the last */
	uint32_t count;
	size_t room;
	uint64_t most_bytes;           /* of what is loaded, all together */
};

void kept_traces_init(struct kept_traces *k);
void kept_traces_release(struct kept_traces *k);

/* Takes over what the trace holds, also without memory for it. */
void kept_traces_put(struct kept_traces *k, const struct kept_trace *trace);
struct kept_trace *kept_traces_find(const struct kept_traces *k, uint32_t id); /* NULL: it was not left yet */
void kept_traces_drop(struct kept_traces *k, uint32_t id);
/* What is loaded, for the caller, which waits for the end of what went on of it; NULL: nothing is, or the files are
 * others by now. */
struct session_loaded *kept_trace_take(struct kept_trace *trace, uint64_t files);

/* Of a loaded trace, with what is made of it; twice: it is loaded with other times, too. */
uint64_t kept_trace_bytes(const struct trace *t, bool twice);

/* Tells files from what they become when somebody writes to them, by size, time and inode. */
uint64_t files_fingerprint(const char *const *paths, uint32_t count);

#endif
