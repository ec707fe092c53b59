/* Logical time and ticks: the trace laid out without its machine's clocks (docs/method.md 2 and 3).
 *
 * From events with relations come logical times, and from them the logical trace: ticks numbered
 * from 0 without gaps, each a row of at most one event per process. Stored by tick (compressed rows):
 * the events of tick k are order[tick_first[k] .. tick_first[k+1]), by process. A tick of receives
 * (TickRecv, only in `pas2p` order) holds only receives; a send tick holds sends and collectives; in
 * `lamport` order a tick may hold all.
 *
 * send_first/sends: the sends and collectives of each process in its order (docs/method.md 6.1: number n of
 * process p is sends[send_first[p] + n - 1]).
 *
 * Of a trace that the ranks of a team share (trace_far.h) LTs, ticks, and what they hold (tick_count, tick_sends,
 * lt_count, lt_first), notes and `broken` are the whole trace's and the same on all ranks; tick, tick_first with
 * order_of, sends and send_first are of the rank's own events: at a tick there may be none. What follows answers for
 * its own processes.
 *
 * Immutable once made; shared by reference count between analyses; readable from any thread.
 */
#ifndef PAS2P_LOGICAL_H
#define PAS2P_LOGICAL_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "core/base/err.h"
#include "core/base/job.h"
#include "core/settings/settings.h"
#include "core/trace/trace.h"

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

/* Order the events of t. The caller keeps t alive as long as the result. Of a trace that ranks share it holds
 * meetings. */
enum err_code logical_new(struct logical **out, const struct trace *t, enum order order, enum collectives collectives,
			  const struct job *job, struct err *e);
/* It never changes, so that a reference is to a const one. NULL is fine. */
const struct logical *logical_ref(const struct logical *l);
void logical_unref(const struct logical *l);

/* An event's logical time, which its tick tells. Binary search. */
uint32_t logical_lt(const struct logical *l, uint32_t event);

/* The event of process p at tick k, NO_EVENT if none. Binary search in the tick's row. */
uint32_t logical_event_at(const struct logical *l, uint32_t tick, uint32_t process);

/* Sends and collectives that p made at ticks before `tick`: the entry numbers of docs/method.md 6.1. */
uint32_t logical_sends_before(const struct logical *l, uint32_t process, uint32_t tick);

/* 1-based number of a send or collective within its process's sends and collectives; 0 for a receive. */
uint32_t logical_send_number(const struct logical *l, uint32_t process, uint32_t event);

#endif
