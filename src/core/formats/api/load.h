/* Loading: whatever the file is, a trace.
 *
 * trace_load() reads files by their paths, trace_load_sources() bytes from anywhere. Both give one whole trace of one
 * finalized or joined file, or of several local files of one run: events related, compute times computed. On ERR_OK,
 * and on ERR_DAMAGED and ERR_CANCELLED, *out may hold a (partial) usable trace, with e's sentence for the latter two;
 * on every other code it is NULL. Oddities are in out->notes.
 *
 * With a team it is a collective step: each rank reads the files and keeps the events of its local processes
 * (core/trace/remote.h), and the code is the same on all; ERR_USAGE if some have other files before them than rank 0.
 */
#ifndef PAS2P_CORE_FORMATS_API_LOAD_H
#define PAS2P_CORE_FORMATS_API_LOAD_H

#include "core/trace/trace.h"

struct make_watch;
struct team;
struct source;
struct trace_times;

struct trace_options {
	unsigned threads;        /* 0: as many as useful */
	const struct make_watch *watch; /* gets the records that are read (core/trace/make/trace_make.h); NULL: there is none. The trace is the same */
	const char *counter;     /* that compute times come from (`compute-counter`); NULL, "": none. ERR_USAGE if the trace has no such */
	const struct team *team; /* whose ranks share the trace (core/trace/remote.h); NULL: none, all of it
	                          is loaded here. A watch is told what the local processes did */
	struct trace_times *times; /* that its records have (core/trace/times.h); NULL: those in the files */
	const struct trace *beside; /* with a team: one that the same team has loaded. A process is of the rank that it is of there, if both have as many;
	                          NULL: there is none */
};

/* Is one of them at least a trace, as its format says? */
enum err_code trace_known(bool *known, const struct source *sources, uint32_t count, struct err *e);

enum err_code trace_load(struct trace **out, const char *const *paths, uint32_t count, const struct trace_options *o,
			 const struct progress *progress, struct err *e);
enum err_code trace_load_sources(struct trace **out, const struct source *sources, uint32_t count,
				 const struct trace_options *o, const struct progress *progress, struct err *e);

/* Read the files for the watch alone. *out, on ERR_OK, is a trace that has processes and no events. ERR_CANCELLED gives
 * none. */
enum err_code trace_load_watched(struct trace **out, const struct source *sources, uint32_t count, const struct trace_options *o,
				 const struct progress *progress, struct err *e);

/* The files of a loaded trace once more: source_release_files(), as many as it has. */
enum err_code trace_open_files(struct source **sources, const struct trace *t, struct err *e);

#endif
