/* Building a call log: the records of each process, paired into outermost calls and user states, thread by thread
 * (docs/metrics.md 1, 7).
 *
 *     call_builds_init(&b, &arena, loaded);
 *     watch = call_builds_watch(&b);       for whoever reads the trace (trace_make.h)
 *     call_builds_merge(&b, log, job, &e); the log of a trace whose reading has ended
 *     call_builds_release(&b);
 *
 * What is open: at most one call (an MPI call, or the tracer's write outside of one), with what began inside of it; and
 * the user states, of which the topmost has the time. Each process is built by itself, so that threads may share them;
 * call_merge.c puts them together. */
#ifndef PAS2P_CALL_BUILD_H
#define PAS2P_CALL_BUILD_H

#include <stddef.h>

#include "call_clocks.h"
#include "call_log.h"
#include "call_overlap.h"
#include "call_posts.h"
#include "call_tree.h"
#include "core/trace/trace_make.h"

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

struct list_build {
	int32_t thread;
	double start, now;
	double since;            /* useful time that has not been told to the topmost state begins here; OPEN_NONE only */
	enum open_call open;     /* the last call is open */
	uint32_t outer;          /* symbol of the MPI call that is open */
	uint32_t tracers;        /* writes of the tracer that are open, begun outside of MPI */
	uint32_t top;            /* node of the topmost user state */
	struct call_block *blocks, *block; /* the first and the last one */
	struct logged_call *last;
	uint32_t count;          /* calls */
	struct call_made made;   /* by the call that is open */
	double began;            /* the MPI call that is open: when, as its record has it, and which one that is */
	uint32_t began_record;
	uint32_t held;           /* the last collective right in it, from 1, in its process's clocks; 0: none */
	struct open_states users;
	struct open_states inside; /* begun within the MPI call that is open */
	struct useful_piece *pieces; /* calls and nodes as they are here */
	uint32_t piece_count;
	size_t piece_cap;
	struct overlap overlap;
	struct call_tree tree;
	double cpu;              /* NAN: no readings */
	uint64_t unpaired, too_deep;
	bool without_end;        /* the last call is */
	uint32_t first, at;      /* while processes are put together: its first call, and another one, in the log */
	bool states_seen, users_seen;
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
	struct thread_list lists; /* struct list_build; by number of thread once all is told */
	struct list_build *current; /* of the record that is told */
	struct event_run *runs;
	struct list_build *last_list; /* of the last run */
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
	struct clocks_build clocks;
	uint64_t records, most;  /* told; as many as were loaded */
	uint32_t events;
	bool over;               /* nothing more is told to it: the trace was loaded up to here only, or there is no memory */
	bool changed;            /* it is not what was loaded */
};

struct call_builds {
	struct arena *names;
	const struct trace *loaded; /* what is told must be of it; NULL: it is made of the same reading */
	struct call_symbols symbols;
	struct process_build *of; /* per process */
	uint32_t process_count;
};

void call_builds_init(struct call_builds *b, struct arena *names, const struct trace *loaded);
void call_builds_release(struct call_builds *b);
struct make_watch call_builds_watch(struct call_builds *b);

/* All is told: what is open lasts until its thread's last record. False: no memory. */
bool call_builds_finish(struct call_builds *b);

/* Was all told that was loaded, and nothing else? */
bool call_builds_are_whole(const struct call_builds *b);

/* All is told that is in log->trace: finishes, and makes the log of it, which empties what was built. ERR_LIMIT,
 * ERR_CANCELLED, ERR_MEMORY. Where ranks share the trace all come to it, and the code is agreed. */
enum err_code call_builds_merge(struct call_builds *b, struct call_log *log, const struct job *job, struct err *e);

/* A process is put together with others: what it takes is free. */
void process_build_release(struct process_build *b);

#endif
