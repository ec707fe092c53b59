/* Logical time and ticks: the trace laid out without its machine's clocks (docs/explain/method.md, "Logical time" and
 * "Ticks").
 *
 * From events with relations come logical times, and from them the logical trace: ticks numbered
 * from 0 without gaps, each a row of at most one event per process. Stored by tick (compressed rows):
 * the events of tick k are order[tick_first[k] .. tick_first[k+1]), by process. A tick of receives
 * (TickRecv, only in `pas2p` order) holds only receives; a send tick holds sends and collectives; in
 * `lamport` order a tick may hold all.
 *
 * send_first/sends: the sends and collectives of each process in its order (docs/explain/method.md, "Entry, exit and
 * duration": number n of process p is sends[send_first[p] + n - 1]).
 *
 * For a trace that the ranks of a team share (core/trace/remote.h) LTs, ticks, and what they hold (tick_count,
 * tick_sends, lt_count, lt_first), notes and `broken` are the whole trace's and the same on all ranks; tick, tick_first
 * with order_of, sends and send_first are of the rank's local events: at a tick there may be none. What follows answers
 * for its local processes.
 *
 * Immutable once made; shared by reference count between analyses; readable from any thread.
 */
#ifndef PAS2P_CORE_METHOD_LOGICAL_LOGICAL_H
#define PAS2P_CORE_METHOD_LOGICAL_LOGICAL_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "core/base/err.h"
#include "core/base/progress.h"
#include "core/settings/settings.h"
#include "core/trace/trace.h"

/* ---- logical ---- */

struct logical {
	atomic_int references;
	struct logical *self; /* this one: a holder sees it as const, and may be the last */
	const struct trace *trace; /* the events that this is of: as loaded, or `filtered` */
	struct trace *filtered;    /* owned: the trace without collectives, or NULL */
	enum order order;
	enum collectives collectives;

	uint32_t *tick;        /* per event */
	uint32_t tick_count;
	uint32_t *tick_first;  /* tick_count + 1 */
	uint32_t *order_of;    /* events by (tick, process) */
	uint8_t *tick_sends;   /* per tick: 1 if it holds a send or collective */
	uint32_t lt_count;     /* LTs are 0 .. lt_count-1 */
	uint32_t *lt_first;    /* per LT: its first tick; where none has it, that of the next */

	uint32_t *send_first;  /* per process, process_count + 1 */
	uint32_t *sends;       /* events */

	struct notes notes;    /* broken relations */
	uint64_t broken;
};

/* Order the events of t. The caller keeps t alive as long as the result. For a trace that ranks share it takes
 * collective steps. */
enum err_code logical_new(struct logical **out, const struct trace *t, enum order order, enum collectives collectives,
			  const struct progress *progress, struct err *e);
/* It never changes, so that a reference is to a const one. NULL is fine. */
const struct logical *logical_ref(const struct logical *l);
void logical_unref(const struct logical *l);

/* An event's logical time, which its tick tells. Binary search. */
uint32_t logical_lt(const struct logical *l, uint32_t event);

/* The event of process p at tick k, NO_EVENT if none. Binary search in the tick's row. */
uint32_t logical_event_at(const struct logical *l, uint32_t tick, uint32_t process);

/* Sends and collectives that p made at ticks before `tick`: the entry numbers of docs/explain/method.md, "Entry, exit
 * and duration". */
uint32_t logical_sends_before(const struct logical *l, uint32_t process, uint32_t tick);

/* 1-based number of a send or collective within its process's sends and collectives; 0 for a receive. */
uint32_t logical_send_number(const struct logical *l, uint32_t process, uint32_t event);

/* ---- tick_classes ---- */

/* Tick classes: ticks interned by content, so that equal ticks are compared once.
 *
 * Two ticks are of one class if they hold the same processes with the same event types (and, with
 * CLASSES_SIZES, the same sizes). Classes are numbered from 0 by first appearance and compared exactly,
 * not by hash alone. Internal to the core: BBPs and phases build on it.
 *
 * With a team (trace_team()) the classes are those of whole ticks, the same on all ranks: each rank tells its local
 * parts of ticks apart as a whole trace's are, exactly, and the numbers of parts are put together (core/team/team.h).
 * So no result depends on an unchecked hash.
 */

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

/* The classes of n ticks: ticks[i], or all ticks 0 .. n-1 if ticks is NULL. Takes collective steps (team.h). */
enum err_code tick_classes_init(struct tick_classes *c, const struct logical *l, const uint32_t *ticks, uint32_t n,
				unsigned flags, const struct progress *progress, enum progress_stage stage, struct err *e);
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
