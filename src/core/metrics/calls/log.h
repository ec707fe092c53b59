/* The call log: what each thread of each process did, one outermost call after the other, with the events of each; and
 * the tree of user states that they were made in (docs/reference/metrics.md, "Time breakdown", "Ideal network" and
 * "Rows"). Waits, replay and rows are made of it.
 *
 *     call_log_load(&log, &trace, paths, count, &options, progress, &e);  with the trace, in one reading
 *     call_log_new(&log, trace, progress, &e);  of a trace that is loaded: reads its files once more
 *     call_log_free(log);
 *
 * Lists: one for each (process, thread) that has records; those of process p are [list_first[p], list_first[p + 1]), by
 * thread number. The first of a process is the one whose account is the process's (`account`); the others take part in
 * relations only. The calls of list l are [lists[l].first, lists[l].end), in order of time and without overlap:
 * outermost MPI calls, the tracer's writes outside of them (ACCOUNT_TRACER), and messages outside of any call, as calls
 * of no length. What lies between two calls, before the first (from lists[l].start) and after the last (to
 * lists[l].stop) is useful. Times never step back within a list: that of a record is at least that of the one before
 * it.
 *
 * Events: those that thread made in call c are the events e of the process with call_of[e] == c; a list's events are in
 * the order of its calls, so that a walk along both meets them in turn. The first is in the call itself.
 *
 * Tree: node 0 is the program. A node is a path of user states; each MPI function is a leaf below the state that was
 * topmost where it was called. Times of a state between calls are in `stays`, by process and then node, each once.
 *
 * For a trace that ranks of a team share (trace->remote) each rank has the lists, calls, stays and pieces of its local
 * processes; list_first[] of any other says that it has none. Nodes with their counts, `unpaired`, `too_deep`,
 * `states_seen` and `users_seen` are of the whole trace, and the same as without a team.
 *
 * Memory: 24 bytes per call, 16 for each change of the topmost user state outside of calls and for each event at which
 * a clock had stepped back, 4 per event, one for each call's flags, 12 per nonblocking collective whose completion is
 * known, and for each gathered call. Immutable once made; the trace must outlive it.
 */
#ifndef PAS2P_CORE_METRICS_CALLS_LOG_H
#define PAS2P_CORE_METRICS_CALLS_LOG_H

#include <stdbool.h>
#include <stdint.h>

#include "calls.h"
#include "core/base/search.h"
#include "core/trace/mpi_functions.h"
#include "core/base/err.h"
#include "core/base/progress.h"
#include "core/base/mem.h"
#include "core/trace/trace.h"

#define NO_LOGGED_CALL UINT32_MAX

enum node_kind { NODE_PROGRAM, NODE_USER, NODE_MPI };

struct call_node {
	uint32_t parent;       /* of node 0: 0 */
	uint32_t depth;        /* of node 0: 0 */
	const char *name;      /* safe text: "(program)", "solve", "MPI_Send"; "(no call)": messages outside of any call; "(tracer)" */
	enum node_kind kind;   /* (no call) and (tracer) are NODE_MPI */
	enum account_kind time; /* of a NODE_MPI: what its calls' time is */
	unsigned traits;       /* of a NODE_MPI: mpi_functions.h */
	uint64_t count;        /* user state: its starts; MPI function: its calls in account lists; program: processes */
	uint64_t unfinished;   /* user states that never end */
};

/* For a leaf: is it an MPI function? Otherwise the log made it for the tracer's writes, or for messages outside of
 * calls, and its time belongs to its state. */
static inline bool call_node_is_function(const struct call_node *node)
{
	return node->kind == NODE_MPI && node->name[0] != '(';
}

/* Flags of a call: all eight bits are used. */
enum {
	CALL_HIDDEN_BEFORE = 1, /* a nonblocking receive is pending all through the useful time before it */
	CALL_WITHOUT_END = 2,   /* it has no end in the trace */
	CALL_ROOT_KNOWN = 4,    /* the trace says who is the root of its collective */
	CALL_ROOT = 8,          /* its process is */
	CALL_COMPLETES = 16,    /* nonblocking collectives are known to complete in it */
	CALL_NOT_ANALYSED = 32, /* something may complete in it that waits for others, and nothing says what */
	CALL_GATHERS = 64,      /* it is made together with others, and it is known for whom it waits (gatherings.h) */
	CALL_PROBES = 128       /* it is a probe, and call_log_probed() knows for which message */
};

/* A nonblocking collective that completes in a call: the trace says which (docs/internals/tracer.md, "What completes
 * when"). */
struct completed_collective {
	uint32_t call, event;  /* the event lies in the call that began it */
	unsigned traits;       /* of the completion: mpi_functions.h */
};

/* A call that all members of a communicator make together: which one of those there. */
struct gathered_call {
	uint32_t call, comm, number;
};

/* In neighbourhood collectives on a communicator the process receives from that one; NO_PROCESS: from nobody. */
struct neighbour {
	uint32_t process, comm, from;
};

struct logged_call {
	double start, end;
	uint32_t node;         /* a leaf of the tree */
	uint32_t first_event;  /* of the trace: the first that it made; NO_EVENT: none */
};

/* Useful time before a call up to where another user state became topmost. */
struct useful_piece {
	double until;
	uint32_t call, node;   /* call: before it; the list's `end`: after its last one */
};

struct call_list {
	uint32_t process;
	int32_t thread;
	uint32_t first, end;   /* its calls */
	uint32_t first_piece, end_piece; /* its pieces */
	uint32_t last_node;    /* topmost after its last call and piece */
	double start, stop;    /* its first and last record */
	bool account;
	double cpu;            /* s on the process CPU clock outside MPI calls; NAN: no CPU samples. Of account lists */
	double untraced;       /* s in MPI_Pcontrol. Of account lists */
	struct overlap_known known;
};

/* An event that is later than its record says: the clock had stepped back. */
struct late_event {
	uint32_t event;
	double time;
};

/* Useful and tracer's time that a process spent with a node topmost, outside of calls. */
struct node_stay {
	uint32_t process, node;
	double useful, hidden;
};

struct call_log {
	struct arena arena;    /* names */
	const struct trace *trace;
	struct call_list *lists;
	uint32_t list_count;
	uint32_t *list_first;  /* process_count + 1 */
	struct logged_call *calls;
	uint8_t *flags;        /* per call */
	uint32_t call_count;
	struct useful_piece *pieces; /* by list and time; where the same state is topmost all through there are none */
	uint32_t piece_count;
	struct call_clocks clocks; /* what judges the clocks */
	uint32_t *call_of;     /* per event of the trace; NO_LOGGED_CALL: it was not found again */
	struct late_event *late; /* by event */
	uint32_t late_count;
	struct completed_collective *completed; /* by call, then as told */
	uint32_t completed_count;
	struct gathered_call *gathered; /* by call */
	uint32_t gathered_count;
	struct neighbour *neighbours; /* by process, communicator */
	uint32_t neighbour_count;
	struct call_node *nodes;
	uint32_t node_count;
	struct node_stay *stays;
	uint32_t stay_count;
	uint64_t unpaired;     /* calls without end (user states: their nodes' `unfinished`), ends of any state without start */
	uint64_t too_deep;     /* starts of user states deeper than 256: they count to the 256th */
	bool states_seen;      /* some MPI call is in the trace; otherwise there is no account, only times */
	bool users_seen;       /* some user state is */
	bool threaded;         /* some process has several lists */
	struct gatherings *gatherings; /* who made gathered calls together, on any rank (gatherings.h); NULL: there are none */
	struct call_remote *remote; /* of a trace that ranks of a team share: what is known of the others' calls (remote.h); otherwise NULL */
};

struct source;
struct trace_options;

/* What trace_load() gives, and says (core/formats/api/load.h), and the log of it: both where that is ERR_OK, or
 * ERR_DAMAGED with a trace. For a trace that is partial, ERR_CANCELLED, there is no log. Where the log fails, so does
 * all. */
enum err_code call_log_load(struct call_log **out, struct trace **trace, const char *const *paths, uint32_t count,
			    const struct trace_options *o, const struct progress *progress, struct err *e);
enum err_code call_log_load_sources(struct call_log **out, struct trace **trace, const struct source *sources, uint32_t count,
				    const struct trace_options *o, const struct progress *progress, struct err *e);

/* The same with a log that has its `clocks` alone: no lists, no calls, no tree. For whoever only asks about clocks
 * (core/clocks), in half the memory. */
enum err_code call_log_load_clocks(struct call_log **out, struct trace **trace, const char *const *paths, uint32_t count,
				   const struct trace_options *o, const struct progress *progress, struct err *e);
enum err_code call_log_load_clocks_sources(struct call_log **out, struct trace **trace, const struct source *sources, uint32_t count,
					   const struct trace_options *o, const struct progress *progress, struct err *e);

/* The same of a trace that is there. ERR_IO if a file is gone or is not what was loaded, ERR_CANCELLED, ERR_MEMORY. A
 * trace that was not loaded from files is its events, each a call of no length. */
enum err_code call_log_new(struct call_log **out, const struct trace *t, const struct progress *progress, struct err *e);
enum err_code call_log_new_sources(struct call_log **out, const struct trace *t, const struct source *sources, uint32_t count,
				   const struct progress *progress, struct err *e);
void call_log_free(struct call_log *log); /* NULL is fine */

/* The process that a call waits for in a collective with these traits, which its process entered with `post`, if the
 * trace gives the root. A blocking one: `post` is the call itself, with its function's traits. */
enum root_role {
	ROOT_UNKNOWN,  /* it does not, or the collective has none */
	ROOT_FOR_NONE, /* the root that gives, a member that gives to the root */
	ROOT_FOR_ROOT, /* a member that the root gives to */
	ROOT_FOR_ALL   /* the root that all give to */
};
enum root_role call_log_root_role(const struct call_log *log, unsigned traits, uint32_t post);

/* May it wait for others without the waits knowing? */
static inline bool call_is_not_analysed(const struct call_log *log, uint32_t call)
{
	unsigned flags = log->flags[call];

	return flags & CALL_NOT_ANALYSED ||
	       (log->nodes[log->calls[call].node].traits & MPI_NOT_ANALYSED && !(flags & (CALL_GATHERS | CALL_PROBES)));
}

/* The list that a call is of. Binary search. */
uint32_t call_log_list_of(const struct call_log *log, uint32_t call);

/* Events of one call, in order; start with `event` = calls[c].first_event, ends with NO_EVENT. Without several threads
 * they stand together. */
uint32_t call_log_seek_event(const struct call_log *log, uint32_t call, uint32_t event);
static inline uint32_t call_log_next_event(const struct call_log *log, uint32_t call, uint32_t event)
{
	if (log->threaded)
		return call_log_seek_event(log, call, event);
	return event + 1 < log->trace->event_count && log->call_of[event + 1] == call ? event + 1 : NO_EVENT;
}

/* What a call may wait at: its events, in order; then the nonblocking collectives that complete in it. A probe,
 * which has none, waits at the receive of what it found. */
struct call_part {
	uint32_t event;        /* NO_EVENT: after the last part */
	uint32_t completed;    /* its place in log->completed; NOT_COMPLETED: the call made the event itself, or found it */
};
#define NOT_COMPLETED UINT32_MAX

struct call_part call_log_completed(const struct call_log *log, uint32_t call); /* the first one that completes */

/* The receive, in a later call of its list, of the message that a probe found; NO_EVENT: it is not known. */
uint32_t call_log_probed(const struct call_log *log, uint32_t call);

static inline struct call_part call_log_first_part(const struct call_log *log, uint32_t call)
{
	if (log->flags[call] & CALL_PROBES)
		return (struct call_part){call_log_probed(log, call), NOT_COMPLETED};
	if (log->calls[call].first_event != NO_EVENT || !(log->flags[call] & CALL_COMPLETES))
		return (struct call_part){log->calls[call].first_event, NOT_COMPLETED};
	return call_log_completed(log, call);
}

static inline struct call_part call_log_next_part(const struct call_log *log, uint32_t call, struct call_part part)
{
	if (part.completed == NOT_COMPLETED) {
		part.event = call_log_next_event(log, call, part.event);
		return part.event == NO_EVENT && log->flags[call] & CALL_COMPLETES ? call_log_completed(log, call) : part;
	}
	if (++part.completed == log->completed_count || log->completed[part.completed].call != call)
		part.event = NO_EVENT;
	else
		part.event = log->completed[part.completed].event;
	return part;
}

/* Traits of the collective that a part is. */
static inline unsigned call_log_part_traits(const struct call_log *log, uint32_t call, struct call_part part)
{
	return part.completed == NOT_COMPLETED ? log->nodes[log->calls[call].node].traits : log->completed[part.completed].traits;
}

/* When an event was, as its list has it: times do not step back. */
static inline double call_log_event_time(const struct call_log *log, uint32_t event)
{
	uint32_t low = SEARCH_PAST(i, 0, log->late_count, log->late[i].event < event);

	return low < log->late_count && log->late[low].event == event ? log->late[low].time : log->trace->time[event];
}

/* Useful time before call c of list l (c == lists[l].end: after its last one). */
static inline double call_log_gap(const struct call_log *log, const struct call_list *l, uint32_t c)
{
	double from = c == l->first ? l->start : log->calls[c - 1].end;
	double to = c == l->end ? l->stop : log->calls[c].start;

	return to > from ? to - from : 0;
}

/* Which user states had the useful time before call c of list l (c == lists[l].end: after its last one): told to `tell`
 * in order of time, with the node that was topmost. Binary search. */
void call_log_gap_nodes(const struct call_log *log, uint32_t list, uint32_t c,
			void (*tell)(void *arg, uint32_t node, double from, double to), void *arg);

/* What all of a list's time went into, but by_reason and what is not analysed (core/metrics/waits/waits.h). sync:
 * per call of the log, how long it waited; NULL: no call did. */
void call_log_account(const struct call_log *log, const double *sync, uint32_t list, struct account *a);

#endif
