/* Gatherings: calls that all members of a communicator make together and that are no events (docs/reference/metrics.md,
 * "Waiting"): fences, what is done with a file by all who opened it, making communicators and windows; and
 * neighbourhood collectives, whose members wait for some of the others alone. The trace numbers them on their
 * communicator (docs/internals/tracer.md).
 *
 * Each rank of a team knows the members on all of them. Memory: 40 bytes per member, on each rank. Immutable once made.
 */
#ifndef PAS2P_CORE_METRICS_CALLS_GATHERINGS_H
#define PAS2P_CORE_METRICS_CALLS_GATHERINGS_H

#include "remote.h"

struct gathered {
	uint32_t comm, number, process;
	struct remote_member member;
};

struct gatherings {
	struct gathered *members;  /* by communicator, number, start, rank and call */
	uint32_t *by_process;      /* places of members: by communicator, number, process, and the earliest first */
	uint32_t count;
};

/* Those of a log that is complete but for this, into log->gatherings; NULL where the trace has none. Where ranks
 * share the trace all come to it; an agreed code: ERR_MEMORY, ERR_LIMIT. */
enum err_code gatherings_new(struct call_log *log, struct err *e);
void gatherings_free(struct gatherings *g); /* NULL is fine */

/* The member that a call waits for in its gathering: the last one to arrive before the call returned, the lowest of
 * several at the same time. In a neighbourhood collective only members that the process receives from count. NULL: it
 * waits for no member. */
const struct remote_member *gatherings_last(const struct call_log *log, uint32_t call);

#endif
