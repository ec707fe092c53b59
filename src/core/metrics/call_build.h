/* Building a call log: the records of one process, paired into outermost calls and user states, thread by thread (docs/metrics.md 1, 7).
 *
 * What is open: at most one call (an MPI call, or the tracer's write outside of one), with what began inside of it; and the user states, of
 * which the topmost has the time. Each process is built by itself, so that threads may share them; call_log.c puts them together. */
#ifndef PAS2P_CALL_BUILD_H
#define PAS2P_CALL_BUILD_H

#include <stddef.h>

#include "call_log.h"
#include "call_overlap.h"
#include "call_posts.h"
#include "call_tree.h"

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

struct list_build {
	struct list_build *next; /* of the same process */
	int32_t thread;
	double start, now;
	double since;            /* useful time that has not been told to the topmost state begins here; OPEN_NONE only */
	enum open_call open;     /* the last call is open */
	uint32_t outer;          /* symbol of the MPI call that is open */
	uint32_t tracers;        /* writes of the tracer that are open, begun outside of MPI */
	uint32_t top;            /* node of the topmost user state */
	struct logged_call *calls; /* nodes and events as they are here */
	uint32_t count;
	size_t cap;
	struct call_made made;   /* by the call that is open */
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

struct process_build {
	const struct call_symbols *symbols;
	const struct trace *trace;
	uint32_t process;
	uint32_t *call_of;       /* of its events: number in its list */
	struct list_build *lists, *current; /* of the record that is told */
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
	uint64_t records, most;  /* told; as many as were loaded */
	uint32_t events;
	bool over;               /* nothing more is told to it: the trace was loaded up to here only, or there is no memory */
	bool changed;            /* it is not what was loaded */
};

void process_build_init(struct process_build *b, const struct trace *t, const struct call_symbols *symbols, uint32_t process,
			uint32_t *call_of);
void process_build_release(struct process_build *b);

/* What the watch is told (trace_make.h), with symbols instead of kinds. False: no memory. */
bool process_build_record(struct process_build *b, int32_t thread, double time);
bool process_build_enter(struct process_build *b, uint32_t symbol);
bool process_build_leave(struct process_build *b, uint32_t symbol);
bool process_build_event(struct process_build *b, uint32_t number, event_type type, double time);
bool process_build_root(struct process_build *b, uint32_t number, bool own);
/* number: of the collective's event, or MAKE_NO_NUMBER. */
bool process_build_begun(struct process_build *b, uint32_t number, uint32_t request, uint32_t count);
bool process_build_completed(struct process_build *b, uint32_t request, bool message);
void process_build_cpu(struct process_build *b, int32_t thread, double seconds);

/* All is told: what is open lasts until its thread's last record. */
bool process_build_finish(struct process_build *b);

#endif
