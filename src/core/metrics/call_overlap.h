/* Computing under communication: which stretches between the calls of a list lie under a pending receive
 * (docs/metrics.md 4).
 *
 * Told each outermost call in order, it keeps what each posts and completes; at the end it marks the calls before which
 * something is pending. Most traces do not say which receive a completion belongs to, and the set of moments with
 * something pending does not depend on it. Where they do (call_posts.h), it is told from where to where each receive or
 * collective was pending.
 *
 * Of what else completes in a call that may wait for others (nonblocking collectives that are not numbered or that
 * nothing analyses, one-sided operations and files with requests) nothing says in which. It marks the calls that it may
 * be, so that nobody takes their time for transfer: those that complete nothing known, from where the first one begins
 * until as many have come as began, sends among them; or one MPI_Waitall. */
#ifndef PAS2P_CALL_OVERLAP_H
#define PAS2P_CALL_OVERLAP_H

#include <stddef.h>

#include "call_log.h"
#include "core/trace/mpi_functions.h"

struct overlap_step {
	uint32_t call;
	int32_t completes; /* OVERLAP_POST, OVERLAP_START_ALL, or how many that count */
};

/* Something is pending from the end of the one call to the beginning of the other. */
struct overlap_stretch {
	uint32_t from, to;
};

struct overlap {
	struct overlap_step *steps;
	uint32_t count;
	size_t cap;
	uint64_t open;      /* posted and not completed */
	bool started_all;   /* any number of them may be */
	struct overlap_stretch *stretches; /* in order, and apart from each other */
	uint32_t stretch_count;
	size_t stretch_cap;
	struct overlap_known known;
	uint32_t unseen;    /* begun, and nothing says when it completes */
	bool unseen_waits;  /* some of that may wait for others where it does */
	uint32_t *unseen_in; /* calls in which that may have been */
	uint32_t unseen_count;
	size_t unseen_cap;
};

/* What events a call made. */
struct call_made {
	uint32_t sends, receives, collectives;
	/* Of these, where the trace numbers them: receives that completed, collectives that began. And what it began in
	 * all. */
	uint32_t numbered_receives, numbered_collectives, numbered_posts;
	bool numbered;      /* the trace would number what the call begins */
	bool completed;     /* something that it numbered completed */
};

bool overlap_take(struct overlap *o, uint32_t call, unsigned traits, struct call_made made);

/* False: no memory. */
static inline bool overlap_call(struct overlap *o, uint32_t call, unsigned traits, struct call_made made)
{
	return !(traits & (MPI_UNSEEN_END | MPI_STARTS | MPI_STARTS_ALL | MPI_POSTS_RECEIVE | MPI_COMPLETES | MPI_NONBLOCKING_COLLECTIVE)) ||
	       overlap_take(o, call, traits, made);
}
/* What the call `from` began is complete in the call `to`, the last so far. False: no memory. */
bool overlap_pending(struct overlap *o, uint32_t from, uint32_t to);
void overlap_release(struct overlap *o);

/* May time from here on turn out to be hidden? */
static inline bool overlap_possible(const struct overlap *o)
{
	return o->open || o->started_all;
}

/* Add CALL_HIDDEN_BEFORE and CALL_NOT_ANALYSED to the flags of the list's calls. */
void overlap_mark(const struct overlap *o, uint8_t *flags, uint32_t calls);

#endif
