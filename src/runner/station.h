/* A station: one running job, its control file, and the wait for what its ranks do. */
#ifndef PAS2P_STATION_H
#define PAS2P_STATION_H

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>

#include "board.h"
#include "core/base/err.h"
#include "core/base/job.h"
#include "launch.h"
#include "nest.h"
#include "plan.h"

/* What is to be run and how, the same for every launch. */
struct mission {
	const struct launch *launch;
	const struct job_plan *plan;
	struct nest_cpus cpus;    /* processors that the job may use */
	double timeout;           /* s without any progress of any rank before a run is given up */
	double pause;             /* s before each checkpoint but the first is restored */
	/* a directory that all nodes share, for the control file; NULL: this machine's memory */
	const char *control;
	const char *signature;    /* the signature's folder, absolute, for drivers with checkpoints; NULL: none */
	int signature_fd;         /* open on it */
	const uint64_t *calls;    /* that each rank had made in all when the signature was made; NULL: not known */
	bool show_output;         /* the job's output goes to stderr */
	const struct job *job;
	void (*say)(void *arg, const char *text); /* a line on how things go; may be NULL */
	void *say_arg;
};

void mission_say(const struct mission *m, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* Moments in a restored job's life; what lies between them is a cost or the job's own (cost.h). */
enum station_moment {
	MOMENT_BEGAN,    /* the driver was called */
	MOMENT_NEST,     /* the nest is there */
	MOMENT_FILES,    /* and so are the job's files in it */
	MOMENT_MOVING,   /* its ranks go on */
	MOMENT_MEASURED, /* the last of them has measured */
	MOMENT_SEEN,     /* the watch has seen that */
	MOMENT_GONE,     /* the job has been ended */
	MOMENT_MOMENTS
};

struct station {
	const struct mission *mission;
	struct nest *nest;        /* NULL: nothing runs */
	struct nest_child child;  /* the launcher */
	struct board board;
	char folder[PATH_MAX];    /* what the driver made outside of the nest, to be removed; "": nothing */
	int folder_fd;            /* open on it */
	char log[PATH_MAX];       /* the job's output as the runner sees it; "": shown */
	double times[MOMENT_MOMENTS]; /* s, of clock_seconds(); 0: not come to */
};

void station_note(struct station *s, enum station_moment moment);

enum station_goal {
	STATION_STOPPED,   /* every rank is at the cut, or is blocked in an MPI call and gets no further */
	STATION_MEASURED,  /* every rank has measured the part of the plan (PLAN_EVERY_PART: all of them) */
	STATION_ENDED      /* the job has ended, and well */
};

/* Wait for the goal; `number`: the cut, or the part. ERR_USAGE where the program is not the table's (process
 * count, calls), ERR_IO where the job failed or got stuck: the sentence names ranks, where they are, and the job's last
 * words. */
enum err_code station_watch(struct station *s, enum station_goal goal, uint32_t number, struct err *e);

#endif
