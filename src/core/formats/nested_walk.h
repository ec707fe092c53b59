/* A walk: what one thread of a process did, well nested, for writers of formats that have calls as a stack.
 *
 * The record log (record_log.h) has starts and ends of states as they were recorded: ends may be missing, starts too,
 * and user states may overlap calls and each other. In a walk every end is that of the innermost open state, and every
 * state ends:
 *
 * - what is open within a call that ends is ended with it; a user state that was open there and ends later begins once more behind the call;
 * - a user state that ends below another state ends with that one;
 * - what never ends does so at the thread's last record;
 * - an end without a start is left out.
 *
 * Calls (of MPI, and the tracer's writes) so begin and end when they did. Times do not fall. All else comes as it is in
 * the log.
 *
 *     nested_threads_list(&threads, log, trace, job, &e);
 *     nested_walk_init(&walk, log, &threads, i, &e);  while (nested_walk_next(&walk, &step)) ...
 *     walk.err.code: why it ended early, if it did;  nested_walk_release(&walk);
 */
#ifndef PAS2P_NESTED_WALK_H
#define PAS2P_NESTED_WALK_H

#include <stddef.h>

#include "record_log.h"

struct nested_thread {
	uint32_t process;
	int32_t thread;
	struct record_pack *pack; /* its records; NULL: the process has no other, and they are the process's */
};

/* All threads that have records, by process and thread number; of a process without records one with the number 0. */
struct nested_threads {
	struct nested_thread *list;
	uint32_t count;
	size_t cap;
	struct record_store *store; /* of the packs; NULL: there are none */
};

enum err_code nested_threads_list(struct nested_threads *threads, const struct record_log *log, const struct trace *t,
				  const struct job *job, struct err *e);
void nested_threads_release(struct nested_threads *threads);

struct nested_frame {
	uint32_t state;
	bool ended;            /* by its record, below another state */
};

/* What was not as it should be. */
struct nested_odd {
	uint64_t stray;        /* ends without starts */
	uint64_t open;         /* calls without ends */
	uint64_t moved;        /* ends of user states that were put elsewhere, and user states that were begun once more */
	uint64_t lifted;       /* records earlier than the one before them */
};

struct nested_walk {
	struct record_cursor cursor;
	int32_t thread;
	const struct record_state *states;
	uint32_t state_count;
	struct nested_frame *stack;
	size_t depth, depth_cap;
	struct record *steps;  /* to be told next */
	size_t step_count, step_cap, step_next;
	double last;
	bool begun, done;
	struct nested_odd odd;
	struct err err;
};

enum err_code nested_walk_init(struct nested_walk *walk, const struct record_log *log, const struct nested_threads *threads, uint32_t i,
			       struct err *e);
bool nested_walk_next(struct nested_walk *walk, struct record *step);
void nested_walk_release(struct nested_walk *walk);

/* Is a state a call, not one of the user's? */
static inline bool nested_is_call(const struct record_state *state)
{
	return state->mpi || state->tracer;
}

#endif
