/* Tick classes: ticks interned by content, so that equal ticks are compared once.
 *
 * Two ticks are of one class if they hold the same processes with the same event types (and, with
 * CLASSES_SIZES, the same sizes). Classes are numbered from 0 by first appearance and compared exactly,
 * not by hash alone. Internal to the core: BBPs and phases build on it.
 *
 * With a team (trace_team()) the classes are those of whole ticks, the same on all ranks: each rank tells its own parts
 * of ticks apart as a whole trace's are, exactly, and the numbers of parts are put together (team_intern.h). So nothing
 * rests on a hash that nobody checked.
 */
#ifndef PAS2P_TICK_CLASSES_H
#define PAS2P_TICK_CLASSES_H

#include "logical.h"

enum classes_of {
	CLASSES_TYPES = 0,
	CLASSES_SIZES = 1,
	CLASSES_SENDS_ONLY = 2 /* receives in a tick do not count (lamport order has mixed ticks) */
};

struct tick_classes {
	uint32_t *of;      /* class of the i-th tick asked for */
	uint32_t *example; /* per class: a tick (of the logical trace) that is of it */
	uint32_t count;
};

/* The classes of n ticks: ticks[i], or all ticks 0 .. n-1 if ticks is NULL. Holds meetings (team.h). */
enum err_code tick_classes_init(struct tick_classes *c, const struct logical *l, const uint32_t *ticks, uint32_t n,
				unsigned flags, const struct job *job, enum job_stage stage, struct err *e);
void tick_classes_release(struct tick_classes *c);

/* Walk the cells of a tick that count: events with their processes. */
struct tick_walk {
	const struct logical *l;
	uint32_t at, end;
	bool sends_only;
};
static inline struct tick_walk tick_walk(const struct logical *l, uint32_t tick, bool sends_only)
{
	/* In `pas2p` order a send tick has nothing to leave out. */
	bool mixed = l->order == ORDER_LAMPORT || !l->tick_sends[tick];

	return (struct tick_walk){l, l->tick_first[tick], l->tick_first[tick + 1], sends_only && mixed};
}
static inline uint32_t tick_next(struct tick_walk *w) /* NO_EVENT at the end */
{
	while (w->at < w->end) {
		uint32_t ev = w->l->order_of[w->at++];

		if (!w->sends_only || EVENT_KIND(w->l->trace->type[ev]) != EVENT_RECEIVE)
			return ev;
	}
	return NO_EVENT;
}

#endif
