/* What the causal passes of a team's ranks have to tell each other (docs/scale.md 3).
 *
 * Each rank orders the events of its own processes as if there were no others (logical_order.c). Where an event waits
 * for one of another rank, it waits for news from here:
 *
 *     logical_far_tell()    a send here has its LT, and its receive is on another rank
 *     logical_far_lt()      the LT of a send there, once it is known here
 *     logical_far_come()    all members here of a collective that has others elsewhere have come to it; its home collects the largest
 *                           values of the ranks, and when all have come it tells them the largest of all
 *     logical_far_news()    what has come, one by one; whom it wakes runs
 *     logical_far_meet()    when nothing here can go on: all ranks tell each other what they have collected. It is one meeting
 *
 * At a meeting where no rank has anything to tell, nothing goes on anywhere: all is done, or relations form a cycle,
 * and of the events that are next on their process that with the smallest time, then process, is cut by its rank.
 * Placing an event never keeps another one from being placed, so that whatever runs first, the same events have got the
 * same LTs by then: those of the pass over the whole trace.
 */
#ifndef PAS2P_LOGICAL_FAR_H
#define PAS2P_LOGICAL_FAR_H

#include <stdbool.h>
#include <stdint.h>

#include "core/trace/trace_far.h"

/* Where a rank's pass stands, and where those of all do. */
struct far_state {
	double time;           /* of the event that would be cut */
	uint32_t process;      /* whose it is, NO_PROCESS: none is pending */
	uint32_t number;       /* of it within its process */
	event_type type;
	uint32_t largest;      /* of the LTs that the processes' next sends would get */
	uint32_t mixed;        /* 1: something here is of several epochs that must not be */
};

/* An event here that is waited for there, or an instance of a collective. */
struct far_news {
	uint32_t event;        /* the receive whose send has its LT; NO_EVENT: it is a collective */
	uint32_t instance;     /* as logical_far_come() was told */
	uint32_t lt;           /* of the collective */
};

struct logical_far;

/* Holds no meeting. NULL: no memory. An LT is told with its epoch (epochs.h); it counts from there. */
struct logical_far *logical_far_new(const struct trace *t);
void logical_far_free(struct logical_far *f); /* NULL is fine */

/* The LT of the send of a receive with that match, which is far; NO_EVENT: it is not known yet. */
uint32_t logical_far_lt(const struct logical_far *f, uint32_t match);
uint32_t logical_far_epoch(const struct logical_far *f, uint32_t match);
/* It will be asked for, or told, soon. */
void logical_far_fetch(const struct logical_far *f, uint32_t match);

/* All that is told fails silently where there is no memory; then this is true. */
bool logical_far_failed(const struct logical_far *f);
void logical_far_tell(struct logical_far *f, uint32_t match, uint32_t lt, uint32_t epoch);
/* `instance` is returned with the news; largest: of the values of those that wait. */
void logical_far_come(struct logical_far *f, const struct far_instance *x, uint32_t instance, uint32_t largest, uint32_t epoch);
/* Of those that had come, one has left: the largest of those that still wait, 0 if none. */
void logical_far_leave(struct logical_far *f, const struct far_instance *x, uint32_t largest);

/* False: there is no more. */
bool logical_far_news(struct logical_far *f, struct far_news *news);

/* Tell what there is to tell: is it nothing? Then `own` at the meeting has to be up to date. */
bool logical_far_quiet(const struct logical_far *f);
/* *still: no rank had anything to tell, and *all is what of all ranks' is cut next; else there may be news. Returns the
 * team's code. */
enum err_code logical_far_meet(struct logical_far *f, const struct far_state *own, struct far_state *all, bool *still, struct err *e);

#endif
