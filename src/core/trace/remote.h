/* The parts of a trace that are on other ranks of a team (docs/internals/scale.md 2).
 *
 * A rank's trace has all processes, communicators, kinds and totals, but the events of its local processes alone:
 * trace_local(), a range of whole groups (MAKE_GROUPS; trace_owners()); all others have none (first[p] ==
 * first[p + 1]). Event numbers are local to the rank; the number of an event within its process is the same everywhere.
 * event_count and the columns cover only the local events; send_count, receive_count, collective_count, record_count,
 * lost_sends, lost_receives, start, end, comms, states, processes and all_events cover the whole trace.
 *
 * If the other end of a message is on another rank, match[] is REMOTE_EVENT + i, and message[i] gives the place of that
 * end. The ring of a collective (match[]) closes over its local members; if it also has members on other ranks,
 * instance[] lists it by its first local member. A trace that is not shared has no struct trace_remote (trace->remote
 * is NULL) and no such match.
 */
#ifndef PAS2P_CORE_TRACE_REMOTE_H
#define PAS2P_CORE_TRACE_REMOTE_H

#include "core/team/team.h"
#include "trace.h"

#define REMOTE_EVENT (UINT32_C(1) << 31) /* a rank has fewer events than that; NO_EVENT is none of these */

struct remote_message {
	uint32_t event;          /* here */
	uint32_t rank, other;    /* the event there, as it numbers its own */
};

/* An instance of a collective with members on several ranks. Its owner, the lowest of these ranks, sends the result to
 * all of them. */
struct remote_instance {
	uint32_t event;          /* its first member here */
	uint32_t owner, number;  /* the same on all ranks; numbers count from 0 at each owner */
};

struct trace_remote {
	const struct team *team;
	uint32_t *owner_first;   /* per rank, team->size + 1: its first process. A rank may have none */
	uint64_t all_events;
	uint32_t *events;        /* of each process, wherever they are; NULL: of a trace that was not loaded so */
	struct remote_message *message; /* by event */
	uint32_t message_count;
	struct remote_instance *instance; /* by event */
	uint32_t instance_count;
	uint32_t *owned_ranks;   /* per instance that this rank owns: the number of ranks with members */
	uint32_t owned_count;
};

/* Only for a trace with `remote`: a whole trace may have events with such numbers. */
static inline bool is_remote(uint32_t match)
{
	return match >= REMOTE_EVENT && match != NO_EVENT;
}

/* The team of a trace; NULL: it is whole. */
static inline const struct team *trace_team(const struct trace *t)
{
	return t->remote ? t->remote->team : NULL;
}

/* Events of the whole trace. */
static inline uint64_t trace_all_events(const struct trace *t)
{
	return t->remote ? t->remote->all_events : t->event_count;
}

/* Events of a process of the trace as it was loaded. */
static inline uint32_t trace_events_of(const struct trace *t, uint32_t process)
{
	return t->remote && t->remote->events ? t->remote->events[process] : t->first[process + 1] - t->first[process];
}

/* The local processes, whose events this rank has: [*begin, *end). */
void trace_local(const struct trace *t, uint32_t *begin, uint32_t *end);

/* The rank that owns a process. Binary search. */
uint32_t trace_owner(const struct trace_remote *remote, uint32_t process);

/* Distribute the processes over ranks: first[0 .. ranks] are ranges of whole groups of processes
 * (docs/internals/scale.md 1) with about the same number of events each. The result depends only on `events`, the
 * events of each process. */
void trace_owners(uint32_t *first, uint32_t ranks, uint32_t processes, const uint64_t *events);

/* Complete a list by process: each rank brings the elements of its local processes, and gets all. It is a collective
 * step if t has `remote`, and returns the team's code. */
enum err_code trace_share(const struct trace *t, void *list, size_t element, struct err *e);

/* The remote message of an event whose match[] says that it has one. */
static inline const struct remote_message *remote_message(const struct trace *t, uint32_t match)
{
	return &t->remote->message[match - REMOTE_EVENT];
}

/* The instance whose first local member is `event`; NULL: all its members are local. Binary search. */
const struct remote_instance *remote_instance(const struct trace *t, uint32_t event);

/* For trace_without_collectives(): n is the part of t that stays on this rank, and event e became moved[e]; fills in
 * n->remote. Matches keep the numbers of t. It takes collective steps. */
enum err_code trace_remote_without(struct trace *n, const struct trace *t, const uint32_t *moved, struct err *e);

void trace_remote_free(struct trace_remote *remote); /* NULL is fine */

#endif
