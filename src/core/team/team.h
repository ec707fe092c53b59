/* A team: the ranks that analyse one trace together, each with the events of some of its processes
 * (docs/internals/scale.md 1). It does not use MPI itself: a team is one rank alone, threads of one process (tests), or
 * the ranks of an MPI job (src/mpi, a plug-in).
 *
 * All ranks run the same code and take the same collective steps in the same order: each function below that takes a
 * team is one. Failures are exchanged in these steps: a rank that cannot go on calls team_agree() with its error
 * instead of the step that the others take, and all ranks get an error there. Its sentence is that of the lowest rank
 * that failed, after "rank 3: " if that is not rank 0. So a function that takes collective steps returns an agreed
 * code: an error on all ranks or on none. An error that occurs on one rank inside such a function goes through
 * team_agree() once before it is returned.
 *
 * A team can break: a rank cannot reach the others at all (MPI fails, or the user does not want to wait for them any
 * longer). The rank learns this in a collective step, as an error that the others do not have. Every later step returns
 * the same error at once, so that the rank ends as after any other error. At its end it asks team_broken(), and ends
 * the team by team_stop() instead of leaving it: the others stop waiting, or are ended themselves.
 *
 * NULL is the team of one rank, the default of all stages: its collective steps cost nothing and copy nothing. No
 * result depends on the number of ranks. Sums of doubles are therefore made by groups of processes (MAKE_GROUPS) and
 * added in the order of groups, never by team_reduce().
 */
#ifndef PAS2P_CORE_TEAM_TEAM_H
#define PAS2P_CORE_TEAM_TEAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base/err.h"

/* ---- team ---- */

/* Bytes of one rank for another; n 0: nothing. */
struct team_bytes {
	void *bytes;
	size_t n;
};

enum team_operation {
	TEAM_SUM,     /* modulo 2^64 */
	TEAM_MAX,
	TEAM_MIN,
	TEAM_OR,
	TEAM_SUM_128  /* modulo 2^128: pairs of numbers, the low one first */
};

/* The operations of a kind of team; only team.c calls them. All but the last are collective; an agree() precedes each
 * reduce(). The first three return whether the step took place: an error means that the team is broken for this rank,
 * and text says how, with the rank (ERR_CANCELLED: it was asked to stop while it waited). */
struct team_kind {
	/* *worst: the rank's own code, then that of the lowest rank with an error; text likewise (ERR_TEXT bytes); *rank:
	 * that rank. ERR_OK: none has one. */
	enum err_code (*agree)(void *of, enum err_code *worst, char *text, uint32_t *rank);
	/* First an agree() of the ranks without an error, together with those that are in agree() itself. If all agree:
	 * to[r] is sent to rank r; from[r], in memory of mem_alloc() that the caller owns, came from it (a copy of the
	 * rank's own). At the end an agree() on ranks that had no memory. */
	enum err_code (*exchange)(void *of, const struct team_bytes *to, struct team_bytes *from, enum err_code *worst, char *text, uint32_t *rank);
	enum err_code (*reduce)(void *of, uint64_t *list, size_t n, enum team_operation by, char *text);
	void (*release)(void *of);
	/* The job ends, with this exit status; it may not return. */
	void (*stop)(void *of, int status);
};

struct team {
	uint32_t rank, size;
	const struct team_kind *kind;
	void *of;
	struct err *broken; /* code 0: it is not */
	/* The bytes that collective steps sent from this rank to others, and the number of these steps; for measurements.
	 */
	uint64_t *bytes_sent, *steps;
};

static inline uint32_t team_size(const struct team *t)
{
	return t ? t->size : 1;
}

static inline uint32_t team_rank(const struct team *t)
{
	return t ? t->rank : 0;
}

/* Is this rank cut off from the others? The error that it got says why. */
static inline bool team_broken(const struct team *t)
{
	return team_size(t) > 1 && t->broken->code;
}

/* End a team that is broken. It may not return. */
void team_stop(const struct team *t, int status);

/* Each rank calls it with its own code: ERR_OK, or an error whose sentence is in e. Returns the team's code. */
enum err_code team_agree(const struct team *t, enum err_code code, struct err *e);

/* to and from have `size` elements. from is filled in; free each with mem_free(), or all with team_bytes_free(). A rank
 * also sends to itself. With NULL: from[0] is a copy of to[0]. */
enum err_code team_exchange(const struct team *t, const struct team_bytes *to, struct team_bytes *from, struct err *e);
void team_bytes_free(struct team_bytes *list, uint32_t n);

/* The numbers of all ranks, element by element, in place; n is the same on all. */
enum err_code team_reduce(const struct team *t, uint64_t *list, size_t n, enum team_operation by, struct err *e);
/* The same for doubles that are not NAN; only TEAM_MAX and TEAM_MIN. */
enum err_code team_reduce_double(const struct team *t, double *list, size_t n, enum team_operation by, struct err *e);
/* The same for uint32_t by TEAM_SUM, TEAM_MAX, TEAM_MIN or TEAM_OR; a sum that does not fit wraps. It works in pieces,
 * so that it takes little memory. */
enum err_code team_reduce_u32(const struct team *t, uint32_t *list, size_t n, enum team_operation by, struct err *e);

/* The sum of n over the ranks before this one, and, if total is not NULL, over all. */
enum err_code team_scan(const struct team *t, uint64_t n, uint64_t *before, uint64_t *total, struct err *e);

/* The bytes of all ranks at rank 0: from[r] is of rank r. On the other ranks from[] is empty. */
enum err_code team_gather(const struct team *t, const void *bytes, size_t n, struct team_bytes *from, struct err *e);
/* The same with a message of mem_alloc(), which is freed: `code` is the result of making it, and take(arg) reads from[]
 * at rank 0. If take() returns false there was no memory for `what`. All received bytes are freed. */
enum err_code team_collect(const struct team *t, enum err_code code, void *message, size_t n, struct team_bytes *from, bool (*take)(void *arg),
			   void *arg, const char *what, struct err *e);
/* Every rank's bytes at every rank. */
enum err_code team_gather_all(const struct team *t, const void *bytes, size_t n, struct team_bytes *from, struct err *e);
/* Rank 0's n bytes at every rank, in place; n is the same on all. */
enum err_code team_broadcast(const struct team *t, void *bytes, size_t n, struct err *e);
/* An array of rank 0 at every rank, however long it is there: *count and *list (mem_alloc(), the caller's) are filled
 * in on the others. */
enum err_code team_broadcast_list(const struct team *t, void **list, size_t *count, size_t element, struct err *e);

/* ---- team_intern ---- */

/* Number things of which every rank of a team has a part, so that two things have the same number only if all their
 * parts are equal. */

/* of[i], on entry: a number for this rank's part of thing i, so that two parts are equal if and only if their numbers
 * are; any numbers. Afterwards the same of the whole things, and the same on all ranks: from 0 by first appearance.
 * *count: how many different ones there are. n is the same on all ranks. All ranks call it (team); with NULL the
 * numbers are those of the parts.
 *
 * Pairs of ranks put their numbers together, then pairs of pairs, so that rank 0 looks up n numbers log2(size)
 * times. */
enum err_code team_intern(const struct team *t, uint32_t *of, uint32_t n, uint32_t *count, struct err *e);

/* ---- team_mail ---- */

/* Mail between the ranks of a team while each works by itself, and the state of every rank: for work that ends when no
 * rank can continue (docs/internals/scale.md 3).
 *
 *     team_mail_put()     numbers for another rank, whenever there are some; they stand together, in the order in which they were put
 *     team_mail_exchange()    when a rank can do no more by itself: all tell what they have collected, and a state. It is one collective step
 *     team_mail_rest()    what has come and was not taken yet, rank by rank; team_mail_take() goes on behind so many numbers of it
 *
 * If no rank had anything to send in such a step, all stand still: no message is under way that could let a rank
 * continue. Then the caller decides from the states of all ranks what to do.
 */

struct team_mail;

/* state: bytes that every rank tells of itself at each collective step. Not a collective step. NULL: no memory. */
struct team_mail *team_mail_new(const struct team *team, size_t state);
void team_mail_free(struct team_mail *m); /* NULL is fine */

/* n numbers for a rank that is not this one. It fails silently if there is no memory: then team_mail_failed(), and the
 * next collective step does. */
void team_mail_put(struct team_mail *m, uint32_t rank, const uint32_t *list, size_t n);
bool team_mail_failed(const struct team_mail *m);

/* Nothing was put since the last collective step: if it is so everywhere, the next one will find all standing still. */
bool team_mail_quiet(const struct team_mail *m);

/* Mail that arrived earlier and was not taken is lost. *still: no rank had anything to send. Returns the team's code.
 */
enum err_code team_mail_exchange(struct team_mail *m, const void *state, bool *still, struct err *e);

/* The state that a rank sent in the last collective step; also for this rank. */
const void *team_mail_state(const struct team_mail *m, uint32_t rank);

/* The numbers of the lowest rank that has told some that were not taken: *n of them, *rank's. NULL: there are no
 * more. */
const uint32_t *team_mail_rest(struct team_mail *m, uint32_t *rank, size_t *n);
void team_mail_take(struct team_mail *m, size_t n);

/* ---- alike ---- */

/* What has to be the same on all ranks, before they come to collective steps that take it to be so: which command with
 * which options, settings, files. Each rank compares its own with rank 0's.
 *
 *     team_fact(&facts, "--order", "lamport");   always in one order: names are for the sentence
 *     code = team_alike(team, &facts, code, "...", &e);
 */

struct team_pack;

/* NULL: it has no value, which is another one than "". A failure sticks, and is told at the collective step. */
void team_fact(struct team_pack *facts, const char *name, const char *value);

/* A collective step. code, *e: what a rank has come to before it. ERR_USAGE: a rank's facts are others than rank 0's,
 * as the first of them in which they differ says, with `advice` for a person. The facts go. */
enum err_code team_alike(const struct team *t, struct team_pack *facts, enum err_code code, const char *advice, struct err *e);

#endif
