/* One run in two formats: converted, read again, and held against what it was made of. */
#ifndef PAS2P_SAME_RUN_H
#define PAS2P_SAME_RUN_H

#include <stddef.h>

#include "core/records/records.h"

struct same_run {
	struct trace *trace;
	struct record_log *log;
	char lost[1000];     /* what was said to be lost where it was converted: "what: count; " of each; without colours */
};

/* Load a run, or bail out. Damage is fine. */
void same_run_load(struct same_run *run, const char *const *paths, uint32_t count);
void same_run_load_bytes(struct same_run *run, const void *bytes, size_t size);
void same_run_release(struct same_run *run);

/* What the format in between cannot hold. */
struct same_limits {
	bool comms;          /* communicators of messages are kept */
	bool partners;       /* messages without partner are left out */
	double moved;        /* ns that times may be off, beside rounding */
};

/* Write `from` in the format into a folder of the test's, and read it again. path: the file that was read; room for
 * PATH_MAX. Bails out where that fails. */
void same_run_convert(const struct same_run *from, const char *to, const char *folder, const char *name, char *path,
		      struct same_run *made);

/* A run with what real ones seldom have together: two threads, CPU samples, user states that overlap calls, a call
 * without an end, a collective with a known root, a message to nobody. */
void same_run_odd(struct same_run *run);

/* Checks, under that name: processes, events one by one, logical times, ticks, phases and weights. */
void same_run_is(const struct same_run *made, const struct same_run *from, const struct same_limits *limits, const char *name);

#endif
