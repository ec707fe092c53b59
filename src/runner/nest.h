/* The nest: where a job lives, so that nothing of it is left behind whatever happens.
 *
 * A keeper process between the runner and the job starts commands, adopts what they leave, and ends everything when it
 * is told to, when the runner goes away (even by kill -9), and before it ends itself:
 *
 *     nest_open(&n, NEST_PLAIN, &e);                      or NEST_APART
 *     nest_start(n, &command, &child, &e);                several may run at once
 *     while (child.running) nest_wait(n, 50, &e);
 *     left = nest_close(n, true);                         0: no process is left
 *
 * NEST_PLAIN needs no privilege: the keeper is the job's subreaper. NEST_APART (root) gives the job namespaces of its
 * own (processes, mounts, IPC, host name, network with only lo), where the keeper is process 1, and a tmpfs on
 * /dev/shm; mounts made inside end with it. Process numbers of commands are those inside.
 */
#ifndef PAS2P_NEST_H
#define PAS2P_NEST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "core/base/err.h"
#include "core/base/job.h"

#define NEST_CPUS 1024

enum nest_kind { NEST_PLAIN, NEST_APART };

struct nest_cpus {
	bool given;
	uint64_t bits[NEST_CPUS / 64];
};

/* A command: strings are copied. Its input is /dev/null, and it has a session of its own. */
struct nest_command {
	const char *const *argv;  /* ends with NULL */
	/* "NAME=value" on top of the runner's own environment; "NAME" takes it away; NULL: none */
	const char *const *env;
	const char *directory;    /* NULL: where the runner is */
	/* stdout and stderr go to this file (absolute, made anew); NULL: the runner's stderr */
	const char *output;
	struct nest_cpus cpus;    /* processors that it may use */
	bool private_files;       /* what it makes is for its user alone (umask 077) */
};

struct nest_child {
	pid_t pid;
	bool running;
	int status;               /* as waitpid() gives it, once it runs no more */
	struct nest_child *next;  /* the nest's */
};

struct nest;

enum err_code nest_open(struct nest **n, enum nest_kind kind, struct err *e);

/* child must live until it runs no more or the nest is closed. */
enum err_code nest_start(struct nest *n, const struct nest_command *c, struct nest_child *child, struct err *e);

/* Take in what has ended, waiting at most so many milliseconds for something. ERR_IO if the keeper is gone. */
enum err_code nest_wait(struct nest *n, int milliseconds, struct err *e);

/* Mount directory or file `from` at `to` as well (NEST_APART; both as seen inside; `to` must exist). */
enum err_code nest_bind(struct nest *n, const char *from, const char *to, struct err *e);

/* Another tmpfs on the directory `to`. */
enum err_code nest_tmpfs(struct nest *n, const char *to, struct err *e);

/* Let the numbers of the processes from here on be above 1000, so that those of a job are free where a restorer and its
 * helpers have the low ones (NEST_APART). */
enum err_code nest_high_pids(struct nest *n, struct err *e);

/* Start a command and wait until it has ended. ERR_CANCELLED if the job (NULL: none) says stop. */
enum err_code nest_run(struct nest *n, const struct nest_command *c, int *status, const struct job *job, struct err *e);

/* Watch a process that is none of those started, once it is the keeper's child (a restored one). */
void nest_adopt(struct nest *n, pid_t pid, struct nest_child *child);

/* If the runner goes away without nest_close() (kill -9), remove this folder of its own once all has ended. */
enum err_code nest_remove_later(struct nest *n, const char *folder, struct err *e);

/* Where the nest's files are seen from outside: "" or "/proc/PID/root". */
const char *nest_root(const struct nest *n);

/* Processes in the nest besides the keeper; 0 if that cannot be told. */
unsigned nest_population(const struct nest *n);

/* End all: gently gives the running commands a few seconds after SIGTERM to tidy up. Returns the number of processes
 * that could not be ended. NULL is fine. */
unsigned nest_close(struct nest *n, bool gently);

#endif
