/* Progress: a long step of the core reports how far it is, and learns whether it should stop.
 *
 * The core knows nothing of terminals, threads or Ctrl-C: it calls back. Every step that can take longer than a few
 * milliseconds takes a `const struct progress *` (NULL: no reports, never cancelled) and polls progress_stopped() every
 * few thousand items; a stopped step returns ERR_CANCELLED after it has freed everything that it made or left it in a
 * valid state.
 *
 * Callbacks may be called from any thread that the core runs, but never from two threads at once.
 */
#ifndef PAS2P_PROGRESS_H
#define PAS2P_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

#include "err.h"

enum progress_stage {
	PROGRESS_SCAN,    /* definitions and communicators; unit: bytes */
	PROGRESS_READ,    /* records to events; unit: bytes */
	PROGRESS_RELATE,  /* sends to receives, collectives; unit: events */
	PROGRESS_ORDER,   /* logical times; unit: events */
	PROGRESS_TICKS,   /* unit: events */
	PROGRESS_BBPS,    /* unit: BBPs */
	PROGRESS_PHASES,  /* unit: ticks */
	PROGRESS_PATTERNS, /* messages to patterns; unit: events */
	PROGRESS_FOLD,    /* phases to loops; unit: periods */
	PROGRESS_MEASURE, /* unit: phases */
	PROGRESS_TUNE,    /* thresholds that are tried; unit: searches for phases */
	PROGRESS_PLAN,    /* unit: designs of windows */
	PROGRESS_RUNS,    /* of a study, loaded; unit: runs */
	PROGRESS_MATCH,   /* phases of two runs; unit: phases */
	PROGRESS_FIT,     /* unit: models */
	PROGRESS_METRICS, /* unit: calls */
	PROGRESS_CLOCKS,  /* unit: events */
	PROGRESS_DIFF,    /* unit: events, then processes */
	PROGRESS_BENCH,   /* times of a machine; unit: ms */
	PROGRESS_WRITE,   /* unit: rows */
	PROGRESS_GLANCE,  /* what files of a folder are; unit: files */
	PROGRESS_STAGES
};

struct progress {
	void (*report)(void *arg, enum progress_stage stage, uint64_t done, uint64_t total); /* may be NULL */
	bool (*stopped)(void *arg);                                                        /* may be NULL; once true it stays true */
	void *arg;
};

static inline bool progress_stopped(const struct progress *j)
{
	return j && j->stopped && j->stopped(j->arg);
}

static inline void progress_report(const struct progress *j, enum progress_stage stage, uint64_t done, uint64_t total)
{
	if (j && j->report)
		j->report(j->arg, stage, done, total);
}

/* Reports, then asks: ERR_CANCELLED, "stopped while writing", if the step should end. */
enum err_code progress_step(const struct progress *j, enum progress_stage stage, uint64_t done, uint64_t total, struct err *e);

const char *progress_stage_name(enum progress_stage stage); /* "reading", "matching messages", ... */

#endif
