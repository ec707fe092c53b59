/* Declarations that only the files of src/core/metrics/calls use. Each part begins with its own description. */
#ifndef PAS2P_CORE_METRICS_CALLS_CALLS_INT_H
#define PAS2P_CORE_METRICS_CALLS_CALLS_INT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "symbols.h"
#include "log.h"
#include "core/trace/mpi_functions.h"
#include "calls.h"
#include "core/trace/make/trace_make.h"
#include "core/team/team.h"

/* ---- tree ---- */

/* The tree of user states and what is called in them, while it is made: nodes by parent and symbol, numbered in the
 * order in which they come. Of one thread of one process, and then of all. */

struct tree_node {
	uint32_t parent, symbol, depth;
	uint64_t count, unfinished;
	double useful, hidden; /* while it is topmost, outside of calls */
};

#define TREE_RECENT 16
#define NO_NODE UINT32_MAX

struct call_tree {
	struct tree_node *nodes;
	uint32_t count;
	size_t cap;
	struct map *children;  /* parent, symbol -> node */
	struct { uint32_t parent, node; } recent[TREE_RECENT]; /* by symbol */
};

/* With node 0, the program. False: no memory. */
bool call_tree_init(struct call_tree *tree);
void call_tree_release(struct call_tree *tree);

uint32_t call_tree_child_slow(struct call_tree *tree, uint32_t parent, uint32_t symbol);

/* The node, made if there is none yet. NO_NODE: no memory. */
static inline uint32_t call_tree_child(struct call_tree *tree, uint32_t parent, uint32_t symbol)
{
	uint32_t node = tree->recent[symbol % TREE_RECENT].node;

	if (node && tree->recent[symbol % TREE_RECENT].parent == parent && tree->nodes[node].symbol == symbol)
		return node;
	return call_tree_child_slow(tree, parent, symbol);
}

/* ---- posts ---- */

/* What a process has begun and not completed yet, by the numbers that its trace gives it (docs/internals/tracer.md,
 * "Request numbers"): nonblocking receives and collectives. Numbers come from a file: any may come twice, or never.
 * Of what has the same number the last one stands. Memory: 32 bytes for each that is open, whatever their numbers are.
 * */

struct list_build;

struct call_post {
	uint32_t request;        /* from 1 */
	uint32_t count;          /* so many, with this number and those that follow */
	uint32_t call, event;    /* the call of the list that began it; the collective that it is, NO_EVENT: receives */
	struct list_build *list;
	uint32_t left;           /* call_posts' own: so many of them are open */
};

struct call_posts {
	struct call_post *slots; /* single ones, by number; request 0: free */
	uint32_t room, used;     /* room: 0 or a power of two */
	struct call_post *ranges; /* several at once; the last ones are looked at first */
	uint32_t range_count;
	size_t range_cap;
};

/* False: no memory. */
bool call_posts_add(struct call_posts *p, struct call_post post);
/* The one that has this number is not open any more. False: none has. */
bool call_posts_take(struct call_posts *p, uint32_t request, struct call_post *out);
void call_posts_release(struct call_posts *p);

/* ---- overlap ---- */

/* Computing under communication: which stretches between the calls of a list lie under a pending receive or
 * nonblocking collective (docs/reference/metrics.md, "Overlap").
 *
 * Told each outermost call in order, it keeps what each posts and completes; at the end it marks the calls before which
 * something is pending. Most traces do not say which receive a completion belongs to, and the set of moments with
 * something pending does not depend on it. Where they do (posts), it is told from where to where each receive or
 * collective was pending.
 *
 * Of what else completes in a call that may wait for others (nonblocking collectives that are not numbered or that
 * nothing analyses, one-sided operations and files with requests) nothing says in which. It marks the calls that it may
 * be, so that nobody takes their time for transfer: those that complete nothing known, from where the first one begins
 * until as many have come as began, sends among them; or one MPI_Waitall. */

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

/* ---- build ---- */

/* Building a call log: the records of each process, paired into outermost calls and user states, thread by thread
 * (docs/reference/metrics.md, "Time breakdown" and "Rows").
 *
 *     call_builds_init(&b, &arena, loaded);
 *     watch = call_builds_watch(&b);       for whoever reads the trace (core/trace/make/trace_make.h)
 *     call_builds_merge(&b, log, progress, &e); the log of a trace whose reading has ended
 *     call_builds_release(&b);
 *
 * What is open: at most one call (an MPI call, or the tracer's write outside of one), with what began inside of it; and
 * the user states, of which the topmost has the time. Each process is built by itself, so that threads may share them;
 * merge.c puts them together. */

struct open_state {
	uint32_t symbol, node;
	bool counted;            /* a node's start; not one that is too deep */
};

struct open_states {
	struct open_state *list;
	uint32_t depth;
	size_t cap;
};

enum open_call { OPEN_NONE, OPEN_MPI, OPEN_TRACER };

/* Calls, as they come: an array that grows would be copied, and leave holes. */
struct call_block {
	struct call_block *next;
	uint32_t count, cap;
	struct logged_call calls[]; /* nodes and events as they are in the list and the process */
};
struct call_block *call_block_free(struct call_block *block); /* returns the next one */

/* What each record touches comes first in this struct and in the process's: with 1024 processes the cache lines of all of
 * them are what building costs. */
struct list_build {
	double now;
	double since;            /* useful time that has not been told to the topmost state begins here; OPEN_NONE only */
	int32_t thread;
	enum open_call open;     /* the last call is open */
	uint32_t outer;          /* symbol of the MPI call that is open */
	uint32_t top;            /* node of the topmost user state */
	uint32_t tracers;        /* writes of the tracer that are open, begun outside of MPI */
	uint32_t count;          /* calls */
	uint32_t held;           /* the last collective right in it, from 1, in its process's clocks; 0: none */
	uint32_t began_record;   /* the MPI call that is open: which record that is, and when, as it has it */
	double began;
	struct open_states inside; /* begun within the MPI call that is open */
	struct call_block *block; /* the last one */
	struct logged_call *last;
	struct call_made made;   /* by the call that is open */
	bool states_seen, users_seen;
	bool without_end;        /* the last call is */
	bool clocks_only;        /* no calls and no user states are kept, and `last` is `no_call` */
	struct call_tree tree;
	struct overlap overlap;
	double start;
	struct call_block *blocks; /* the first one */
	struct logged_call no_call; /* instead of a last call, if there is none */
	struct open_states users;
	struct useful_piece *pieces; /* calls and nodes as they are here */
	uint32_t piece_count;
	size_t piece_cap;
	double cpu;              /* NAN: no CPU samples */
	uint64_t unpaired, too_deep;
	uint32_t first, at;      /* while processes are put together: its first call, and another one, in the log */
};

/* From this event on, the events are of that list. */
struct event_run {
	uint32_t event;
	struct list_build *list;
};

/* A collective whose root is known. */
struct known_root {
	uint32_t event;
	bool own;                /* it is this process */
};

/* A nonblocking collective that completes in a call of a list. */
struct completion {
	struct list_build *list;
	uint32_t call, event;
};

/* A call of a list that all members of a communicator make together. */
struct list_gathered {
	struct list_build *list;
	uint32_t call, comm, number;
};

struct process_build {
	struct list_build *current; /* of the record that is told */
	struct list_build *last_list; /* of the last run */
	uint64_t records, most;  /* told; as many as were loaded */
	uint32_t events;
	bool over;               /* nothing more is told to it: the trace was loaded up to here only, or there is no memory */
	bool changed;            /* it is not what was loaded */
	bool clocks_only;        /* as all of them */
	struct clocks_build clocks;
	struct thread_list lists; /* struct list_build; by number of thread once all is told */
	struct event_run *runs;
	uint32_t run_count;
	size_t run_cap;
	struct known_root *roots;
	uint32_t root_count;
	size_t root_cap;
	struct late_event *late; /* numbered as here */
	uint32_t late_count;
	size_t late_cap;
	struct call_posts posts; /* begun and not completed */
	struct completion *completions;
	uint32_t completion_count;
	size_t completion_cap;
	struct list_gathered *gathered;
	uint32_t gathered_count;
	size_t gathered_cap;
	struct neighbour *neighbours;
	uint32_t neighbour_count;
	size_t neighbour_cap;
};

struct call_builds {
	struct arena *names;
	const struct trace *loaded; /* what is told must be of it; NULL: it is made of the same reading */
	struct call_symbols symbols;
	struct process_build *of; /* per process */
	uint32_t process_count;
	bool clocks_only;        /* set before there is a watch: what judges the clocks is told and kept, nothing else */
};

void call_builds_init(struct call_builds *b, struct arena *names, const struct trace *loaded);
void call_builds_release(struct call_builds *b);
struct make_watch call_builds_watch(struct call_builds *b);

/* All is told: what is open lasts until its thread's last record. False: no memory. */
bool call_builds_finish(struct call_builds *b);

/* All is told that is in log->trace: finishes, and makes the log of it, which empties what was built. ERR_LIMIT,
 * ERR_CANCELLED, ERR_MEMORY. Where ranks share the trace all come to it, and the code is agreed. */
enum err_code call_builds_merge(struct call_builds *b, struct call_log *log, const struct progress *progress, struct err *e);
/* The same of what was built for the clocks only, which the log has then. */
enum err_code call_builds_merge_clocks(struct call_builds *b, struct call_log *log, const struct progress *progress, struct err *e);

/* A process is put together with others: what it takes is free. */
void process_build_release(struct process_build *b);

/* ---- join ---- */

/* The trees that ranks of a team made of their local processes become one, the same on all of them and the same as of a
 * whole trace (log.h). Internal to the call log.
 *
 * A whole log numbers nodes as they come, process by process. Ranks have consecutive ranges of processes: so its tree
 * is rank 0's, and then of each rank's the nodes that no lower one has, in their order.
 */

/* The tree becomes that of all, with counts of all; the log, which is complete except for its nodes, gets their new
 * numbers, and what it says of the whole trace (log.h). All ranks come to it; an agreed code: ERR_MEMORY. */
enum err_code call_join(struct call_tree *tree, struct call_log *log, const struct team *team, struct err *e);

#endif
