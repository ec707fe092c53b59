/* Declarations that only the files of src/runner use. Each part begins with its own description. */
#ifndef PAS2P_RUNNER_RUNNER_INT_H
#define PAS2P_RUNNER_RUNNER_INT_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "runner.h"
#include "launch.h"
#include "core/method/windows/windows.h"

/* ---- cost ---- */

/* What restoring costs: the time that a restored checkpoint takes beyond the warm-up and the measuring of its part of
 * the plan.
 *
 * The driver and whoever watches the job note moments in its station (runner.h: times[]); here they become durations:
 *
 *     struct cost c = {0};
 *     ... d->restore(&s, ...); station_watch(&s, ...); cost_measured(&s, &e); d->kill(&s, false); cost_add(&c, &s);
 *     cost_say(&c, mission);
 *     cost_mean(&c);
 *
 * Seconds, summed over the checkpoints that were added. Warm-up and measuring last from when the ranks may move to when
 * the last one has measured, by its own clock: it is the runner's except for an offset, as both are on one machine.
 */

enum cost_part {
	COST_NEST,     /* namespaces, and what is mounted there */
	COST_FILES,    /* the job's files, its control file */
	COST_RESTORE,  /* the processes */
	COST_NOTICE,   /* from the last rank's measuring until it was seen */
	COST_END,      /* reading the times, ending the job, until nothing is left */
	COST_PARTS
};

struct cost {
	uint32_t checkpoints;
	double parts[COST_PARTS];
	double running; /* warm-up and measuring, of which none is a cost */
};

/* The watch is over: note when the last rank had measured its part. */
enum err_code cost_measured(struct station *s, uint32_t part, struct err *e);

/* The job has been ended: add its checkpoint, unless its driver has not noted all its moments. */
void cost_add(struct cost *c, const struct station *s);

/* Mean seconds of a checkpoint; 0 if none was restored. */
double cost_mean(const struct cost *c);

/* One line on the mean and its parts; nothing if none was restored. */
void cost_say(const struct cost *c, const struct mission *m);

/* ---- linked ---- */

/* Which MPI a program is linked with: what the launcher of a batch system, which starts programs of any, cannot say. */

/* The MPI of the first word after the launcher's that names a program which asks for one's library by itself (ELF, 64
 * bit, of this machine's byte order). Names without a slash are looked up in PATH, relative ones from `directory`
 * (NULL: here). false: there is none; it may still be one that loads it later, or a script. Nothing is executed. */
bool linked_mpi(const char *const *argv, const char *directory, enum mpi_kind *mpi);

/* ---- nest_keeper ---- */

/* The keeper: the process inside a nest. Private to nest.c. */

enum keeper_op { KEEPER_START, KEEPER_BIND, KEEPER_TMPFS, KEEPER_PIDS, KEEPER_REMOVE, KEEPER_END };

/* A request: this head and `size` bytes of NUL-terminated strings. START: directory, output ("": none), env, argv. */
struct keeper_request {
	uint32_t op, size, env_count, argv_count;
	uint32_t gently, private_files;
	struct nest_cpus cpus;
};

/* An answer to the last request (pid: of the new child, or processes left), or unasked that a child has ended. */
struct keeper_answer {
	uint32_t ended;   /* 1: pid has ended with status */
	int32_t pid, status;
	int32_t error;    /* errno, 0: fine */
	uint32_t step;    /* which step failed, for the sentence */
};

enum keeper_step {
	STEP_NONE, STEP_FORK, STEP_DIRECTORY, STEP_OUTPUT, STEP_EXEC, STEP_MOUNT, STEP_TERMINALS, STEP_PROC, STEP_NETWORK
};

/* Run the keeper on its end of the socket; never returns. First it sends one answer: whether the set-up worked. */
_Noreturn void keeper_run(int fd, enum nest_kind kind);

/* Processes whose ancestor is `root`, sent `signal` (0: only counted). */
unsigned keeper_descendants(pid_t root, int signal);

/* Read or write all of it; false at the end or on an error. */
bool keeper_read(int fd, void *to, size_t n);
bool keeper_write(int fd, const void *from, size_t n);

/* ---- settling ---- */

/* Settling: does what is measured get faster while it is being measured? Then the warm-up before it was too short.
 *
 * The occurrences of each regular window that has two or more are halved by number, the middle one counting to the
 * second half; what each half took is divided by what its phases take on average over all windows. A hint, not a proof:
 * a program may itself be slower at the places where its windows begin.
 */

struct settling {
	uint32_t windows;  /* that could be halved */
	uint32_t slower;   /* of them: the first half's quotient is above the second's */
	double ratio;      /* mean of the first halves' quotients over that of the second ones'; NAN: not defined */
	bool late;         /* ratio over 1.1, and slower in all but one, of at least five */
};

struct settling settling_look(const struct estimate_input *in, const struct estimate *x);

#endif
