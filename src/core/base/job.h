/* A job: how a long step of the core reports progress and learns that it should stop.
 *
 * The core knows nothing of terminals, threads or Ctrl-C: it calls back. Every step that can take
 * longer than a few milliseconds takes a `const struct job *` (NULL: no reports, never cancelled) and
 * polls job_stopped() every few thousand items; a stopped step returns ERR_CANCELLED and has freed or
 * kept in a valid state all that it made.
 *
 * Callbacks may be called from any thread that the core runs, never from two at once for one job.
 */
#ifndef PAS2P_JOB_H
#define PAS2P_JOB_H

#include <stdbool.h>
#include <stdint.h>

enum job_stage {
	JOB_SCAN,    /* definitions and communicators; unit: bytes */
	JOB_READ,    /* records to events; unit: bytes */
	JOB_RELATE,  /* sends to receives, collectives; unit: events */
	JOB_ORDER,   /* logical times; unit: events */
	JOB_TICKS,   /* unit: events */
	JOB_BBPS,    /* unit: BBPs */
	JOB_PHASES,  /* unit: ticks */
	JOB_FOLD,    /* phases to loops; unit: periods */
	JOB_MEASURE, /* unit: phases */
	JOB_TUNE,    /* thresholds that are tried; unit: searches for phases */
	JOB_PLAN,    /* unit: designs of windows */
	JOB_RUNS,    /* of a study, loaded; unit: runs */
	JOB_MATCH,   /* phases of two runs; unit: phases */
	JOB_FIT,     /* unit: models */
	JOB_METRICS, /* unit: calls */
	JOB_CLOCKS,  /* unit: events */
	JOB_DIFF,    /* unit: events, then processes */
	JOB_BENCH,   /* times of a machine; unit: ms */
	JOB_WRITE,   /* unit: rows */
	JOB_GLANCE,  /* what files of a folder are; unit: files */
	JOB_STAGES
};

struct job {
	void (*progress)(void *arg, enum job_stage stage, uint64_t done, uint64_t total); /* may be NULL */
	bool (*stopped)(void *arg);                                                        /* may be NULL */
	void *arg;
};

static inline bool job_stopped(const struct job *j)
{
	return j && j->stopped && j->stopped(j->arg);
}

static inline void job_progress(const struct job *j, enum job_stage stage, uint64_t done, uint64_t total)
{
	if (j && j->progress)
		j->progress(j->arg, stage, done, total);
}

const char *job_stage_name(enum job_stage stage); /* "reading", "relating", ... */

#endif
