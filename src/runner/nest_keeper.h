/* The keeper: the process inside a nest. Private to nest.c. */
#ifndef PAS2P_NEST_KEEPER_H
#define PAS2P_NEST_KEEPER_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "nest.h"

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

#endif
