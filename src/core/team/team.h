/* A team: the ranks that analyse one trace together, each with the events of some of its processes (docs/scale.md 1).
 * No MPI in it: a team is alone, threads of one process (tests), or the ranks of an MPI job (src/mpi, a plug-in).
 *
 * All ranks run the same code and come to the same meetings in the same order: each function below that takes a team is
 * one. At a meeting failures are told: who cannot go on calls team_agree() with its error instead of whatever the
 * others come to, and all of them get an error there, the sentence of the lowest rank that failed, with "rank 3: "
 * before it if it is not rank 0. So a function that holds meetings returns an agreed code: an error on all ranks or on
 * none; what fails locally inside goes through team_agree() before it is returned, once.
 *
 * A team can break: a rank cannot meet the others at all (MPI fails, or the user does not want to wait for them any
 * longer). It learns that at a meeting, as an error that the others do not have; every later meeting gives it the same
 * at once, so that it comes to its end like after any other error. There it asks team_broken(), and ends the team by
 * team_stop() instead of leaving it: the others wait no longer, or are ended themselves.
 *
 * NULL is the team of one that all stages have by default: meetings with oneself, at no cost and without a copy.
 * Nothing that comes out depends on how many ranks there are. Sums of doubles are therefore made by groups of processes
 * (MAKE_GROUPS) and added in the order of groups, never by team_reduce().
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

/* What a kind of team does; only team.c calls them. All but the last are collective; reduce() has an agree() before it.
 * What the first three return is whether the meeting was held: an error is of a team that is broken for this rank, and
 * text says how, with the rank (ERR_CANCELLED: it was asked to stop while it waited). */
struct team_kind {
	/* *worst: the rank's own code, then that of the lowest rank with an error; text likewise (ERR_TEXT bytes); *rank:
	 * that rank. ERR_OK: none has one. */
	enum err_code (*agree)(void *of, enum err_code *worst, char *text, uint32_t *rank);
	/* agree() of ranks that are well, with whoever is in agree() itself; then, if all are: to[r] goes to rank r;
	 * from[r], in memory of mem_alloc() that is the caller's, came from it (of oneself: a copy); then agree() on what
	 * ranks failed at, for lack of memory. */
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
	/* What its meetings moved from this rank to others, and how many there were; for measurements. */
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

/* Can this rank meet the others no more? Why says the error that it has had. */
static inline bool team_broken(const struct team *t)
{
	return team_size(t) > 1 && t->broken->code;
}

/* End a team that is broken. It may not return. */
void team_stop(const struct team *t, int status);

/* All come to it, each with what it has come to: ERR_OK, or an error whose sentence is in e. Returns the team's. */
enum err_code team_agree(const struct team *t, enum err_code code, struct err *e);

/* to: of size elements. from: of size elements, filled in; free each with mem_free(), or all with team_bytes_free(). Of
 * oneself to oneself too. With NULL: from[0] is a copy of to[0]. */
enum err_code team_exchange(const struct team *t, const struct team_bytes *to, struct team_bytes *from, struct err *e);
void team_bytes_free(struct team_bytes *list, uint32_t n);

/* The numbers of all ranks, element by element, in place; n is the same on all. */
enum err_code team_reduce(const struct team *t, uint64_t *list, size_t n, enum team_operation by, struct err *e);
/* The same of doubles that are not NAN, by TEAM_MAX or TEAM_MIN alone. */
enum err_code team_reduce_double(const struct team *t, double *list, size_t n, enum team_operation by, struct err *e);
/* The same of uint32_t, by TEAM_SUM, TEAM_MAX, TEAM_MIN or TEAM_OR; a sum that does not fit wraps. In pieces, so that
 * it takes little memory. */
enum err_code team_reduce_u32(const struct team *t, uint32_t *list, size_t n, enum team_operation by, struct err *e);

/* The sum of n over the ranks before this one, and, if total is not NULL, over all. */
enum err_code team_scan(const struct team *t, uint64_t n, uint64_t *before, uint64_t *total, struct err *e);

/* Every rank's bytes at rank 0, from[r] of rank r; on the others from[] is all nothing. */
enum err_code team_gather(const struct team *t, const void *bytes, size_t n, struct team_bytes *from, struct err *e);
/* The same with a message of mem_alloc(), which goes: `code` is what making it has come to, and take(arg) reads from[]
 * at rank 0. False: no memory for `what`. What came is freed. */
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

/* Things that every rank of a team has a part of, told apart by what all ranks have of them, exactly. */

/* of[i], on entry: a number for this rank's part of thing i, so that two parts are equal if and only if their numbers
 * are; any numbers. Afterwards the same of the whole things, and the same on all ranks: from 0 by first appearance.
 * *count: how many different ones there are. n is the same on all ranks. All ranks call it (team); with NULL the
 * numbers are those of the parts.
 *
 * Pairs of ranks put their numbers together, then pairs of pairs, so that rank 0 looks up n numbers log2(size)
 * times. */
enum err_code team_intern(const struct team *t, uint32_t *of, uint32_t n, uint32_t *count, struct err *e);

/* ---- team_mail ---- */

/* What ranks of a team have to tell each other while each goes on by itself, and where all of them stand: for work that
 * comes to an end when nothing goes on anywhere (docs/scale.md 3).
 *
 *     team_mail_put()     numbers for another rank, whenever there are some; they stand together, in the order in which they were put
 *     team_mail_exchange()    when a rank can do no more by itself: all tell what they have collected, and a state. It is one meeting
 *     team_mail_rest()    what has come and was not taken yet, rank by rank; team_mail_take() goes on behind so many numbers of it
 *
 * At a meeting where no rank had anything to tell, all stand still: nothing will come that could move anybody, whatever
 * runs first. What happens then is the caller's, who sees the states of all.
 */

struct team_mail;

/* state: bytes that every rank tells of itself at each meeting. Holds no meeting. NULL: no memory. */
struct team_mail *team_mail_new(const struct team *team, size_t state);
void team_mail_free(struct team_mail *m); /* NULL is fine */

/* n numbers for a rank that is not this one. It fails silently where there is no memory: then team_mail_failed(), and
 * the next meeting does. */
void team_mail_put(struct team_mail *m, uint32_t rank, const uint32_t *list, size_t n);
bool team_mail_failed(const struct team_mail *m);

/* Nothing was put since the last meeting: if it is so everywhere, the next one will find all standing still. */
bool team_mail_quiet(const struct team_mail *m);

/* What came before and was not taken is lost. *still: no rank had anything to tell. Returns the team's code. */
enum err_code team_mail_exchange(struct team_mail *m, const void *state, bool *still, struct err *e);

/* What a rank told of itself at the last meeting; of this one, too. */
const void *team_mail_state(const struct team_mail *m, uint32_t rank);

/* The numbers of the lowest rank that has told some that were not taken: *n of them, *rank's. NULL: there are no
 * more. */
const uint32_t *team_mail_rest(struct team_mail *m, uint32_t *rank, size_t *n);
void team_mail_take(struct team_mail *m, size_t n);

/* ---- alike ---- */

/* What has to be the same on all ranks, before they come to meetings that take it to be so: which command with which
 * options, settings, files. Each rank compares its own with rank 0's.
 *
 *     team_fact(&facts, "--order", "lamport");   always in one order: names are for the sentence
 *     code = team_alike(team, &facts, code, "...", &e);
 */

struct team_pack;

/* NULL: it has no value, which is another one than "". A failure sticks, and is told at the meeting. */
void team_fact(struct team_pack *facts, const char *name, const char *value);

/* A meeting. code, *e: what a rank has come to before it. ERR_USAGE: a rank's facts are others than rank 0's, as the
 * first of them in which they differ says, with `advice` for a person. The facts go. */
enum err_code team_alike(const struct team *t, struct team_pack *facts, enum err_code code, const char *advice, struct err *e);

#endif
