/* The calls on other ranks of a team that the call log of a rank's local processes knows (docs/internals/scale.md 3):
 * those at the other ends of its remote messages, and those of the other members of its collectives.
 *
 * Each rank numbers the calls and lists of its local processes from 0, in the order of processes. Ranks have
 * consecutive ranges of processes, so that pairs (rank, call) are in the order of the numbers that a log of the whole
 * trace has. Nodes are the same on all ranks, and the same as in a whole log: a node number says what a call is,
 * wherever it was made.
 *
 * message[i] is of trace->remote->message[i], collective[i] of trace->remote->instance[i]. A collective in which nobody
 * who waits for its members left before the last of them had come, on any rank, has `last` alone, which then is all
 * that anyone waits for. Of any other all members are listed, on each rank that has one: in the order of places
 * (core/metrics/waits/instances.h), which is by start, rank, and event there.
 *
 * Memory: 16 bytes per remote message, 48 per remote instance, and 16 for each member of an instance that somebody left
 * early. Between ranks: 24 bytes per remote message; for each instance and each rank in it 48 bytes there and 48 back.
 * Immutable once made. A log of the whole trace has none.
 */
#ifndef PAS2P_CORE_METRICS_CALLS_REMOTE_H
#define PAS2P_CORE_METRICS_CALLS_REMOTE_H

#include "log.h"
#include "core/trace/remote.h"

/* A call of any rank. */
struct call_at {
	uint32_t rank, call;  /* as that rank numbers its own; call NO_LOGGED_CALL: none */
};

struct remote_call {
	double start;
	uint32_t call, node;  /* call NO_LOGGED_CALL: it lies in none. Its rank is the remote message's */
};

/* A member of a collective on any rank. */
struct remote_member {
	double start;         /* of its call */
	struct call_at at;
};

struct remote_collective {
	struct remote_member last; /* the latest; of those that came as late the first one, which is of the lowest rank */
	struct remote_member root; /* at.call NO_LOGGED_CALL: not known */
	uint32_t members;          /* on all ranks */
	uint32_t first, count;     /* all of them in call_remote.members; count 0: `last` is enough */
};

struct call_remote {
	struct remote_call *message;
	struct remote_collective *collective;
	struct remote_member *members;
	uint32_t member_count;
};

/* For a log that is complete but for this, of a trace with `remote`. All ranks come to it; an agreed code: ERR_MEMORY.
 */
enum err_code call_remote_new(struct call_remote **out, const struct call_log *log, struct err *e);
void call_remote_free(struct call_remote *remote); /* NULL is fine */

/* The call at the other end of a message whose match[] is remote. */
static inline const struct remote_call *call_remote_message(const struct call_log *log, uint32_t match)
{
	return &log->remote->message[match - REMOTE_EVENT];
}

/* The remote collective of an instance, by its first local member event; NULL: all its members are local. Binary
 * search. */
static inline const struct remote_collective *call_remote_collective(const struct call_log *log, uint32_t first_event)
{
	const struct remote_instance *i = log->remote ? remote_instance(log->trace, first_event) : NULL;

	return i ? &log->remote->collective[i - log->trace->remote->instance] : NULL;
}

/* Members that came by `until`, as far as it matters: how many of members[first ...] did. For a collective with count >
 * 0. Binary search. */
uint32_t call_remote_until(const struct call_remote *remote, const struct remote_collective *collective, double until);

/* The last one that came by `until`, of those as late the lowest; NULL: none did. */
const struct remote_member *call_remote_last(const struct call_remote *remote, const struct remote_collective *collective, double until);

static inline bool call_at_is_before(struct call_at a, struct call_at b)
{
	return a.rank != b.rank ? a.rank < b.rank : a.call < b.call;
}

#endif
