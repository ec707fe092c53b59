/* The metrics, naively: every definition of the metrics written down as it reads, over plain lists of records. Slow and
 * obviously correct; what the core computes in one pass is compared against it.
 *
 *     struct naive_metrics *m = naive_metrics_new(bytes, size, NULL);
 *     ... m->program.factors.load_balance, m->process[p].account.useful, m->node[i].row ...
 *     naive_metrics_free(m);
 *
 * It pairs states itself. Of the core it takes the records one by one, and the trace: which event is related to which.
 * Phases are those of the core. One finalized file, one MPI_COMM_WORLD. Absent figures are NAN. CPU samples are left
 * out. All functions end the program where something cannot be; that is fine in a test.
 */
#ifndef PAS2P_NAIVE_METRICS_H
#define PAS2P_NAIVE_METRICS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/settings/settings.h"
#include "core/trace/trace.h"

#define NAIVE_NONE UINT32_MAX

enum naive_kind {
	NAIVE_USEFUL, NAIVE_SEND, NAIVE_RECEIVE, NAIVE_WAIT, NAIVE_COLLECTIVE, NAIVE_OTHER_MPI, NAIVE_UNTRACED, NAIVE_TRACER,
	NAIVE_KINDS
};

enum naive_reason { NAIVE_LATE_SENDER, NAIVE_LATE_RECEIVER, NAIVE_COLLECTIVE_WAIT, NAIVE_REASONS };

/* Where something was begun that is complete now. */
struct naive_done {
	uint32_t list, call;
	bool collective, message;
	uint32_t event;       /* of a collective */
};

/* An outermost MPI call, or a message record outside any. */
struct naive_call {
	double start, end;
	const char *name;     /* "Send"; "": there was no call around the message */
	enum naive_kind kind;
	uint32_t *event, events;            /* of the trace */
	uint32_t sends, receives;           /* records of messages within it, whether events or not */
	uint32_t node;                      /* its leaf; of the account's thread */
	double late[NAIVE_REASONS], sync;   /* -INFINITY: no such wait */
	enum naive_reason reason;
	bool hidden;                        /* the gap before it is */
	bool told;                          /* its cargo has room for the number of what it begins */
	uint32_t posted, joined;            /* what it begins with a number; of that collectives */
	struct naive_done *done;            /* what completes in it that has a number */
	uint32_t dones, messages_done;      /* of that receives, whether they were begun anywhere or not */
	double entry, exit;                 /* E and X of the ideal run */
	bool entered, left;
	uint64_t *need;                     /* what it depends on, whose entry is enough: list << 32 | call */
	uint32_t needs;
};

/* A moment between two records: from the one to the other, with what was open. */
struct naive_moment {
	double from, to;
	enum naive_kind kind;
	uint32_t call;        /* that is open, or the next one; NAIVE_NONE: neither */
	uint32_t node;        /* leaf of the call, or topmost user state */
	bool in_call;
};

/* Of one thread of a process. */
struct naive_list {
	uint32_t process;
	int32_t thread;
	uint32_t records;
	double start, end;
	struct naive_call *call;
	uint32_t calls;
	struct naive_moment *moment;
	uint32_t moments;
	struct naive_open *open; /* states, while records are read */
	uint32_t opens;
	uint32_t outermost;      /* the call that is open, or NAIVE_NONE */
	double ideal_end;
};

struct naive_account {
	double kind[NAIVE_KINDS];
	double time, communication, sync, transfer, hidden, overlap;
	double by_reason[NAIVE_REASONS];
	double replay;        /* sum of X(c) - E(c) of the calls that begin in it */
};

struct naive_factors {
	double load_balance, communication_balance, communication_efficiency, parallel_efficiency, serialisation_efficiency,
		transfer_efficiency, tracer_efficiency;
};

struct naive_row {
	struct naive_account *of;  /* per process */
	struct naive_account all;  /* their sum; overlap of all */
	struct naive_factors factors;
	double time_max, ideal_time_max, share, imbalance;
	uint32_t heaviest;
};

/* A node of the call tree. */
struct naive_node {
	uint32_t parent;      /* NAIVE_NONE: the program */
	const char *name;     /* "(program)", a user state's, "MPI_Send" */
	enum naive_node_kind { NAIVE_PROGRAM, NAIVE_USER, NAIVE_MPI } kind;
	uint32_t depth;
	uint64_t count, unfinished;
	double exclusive;
	struct naive_row row;
};

struct naive_phase_row {
	uint32_t phase;       /* 0: before; NAIVE_NONE: after */
	uint32_t weight;
	struct naive_row row;
};

struct naive_process {
	uint32_t list;        /* of its account, or NAIVE_NONE: it has no records */
	char host[21];        /* "": not known */
	double start, end, outside, idle, ideal_end;
	struct naive_account account;
	uint64_t sends, receives, collectives, bytes_sent;
};

struct naive_metrics {
	struct trace *trace;
	struct settings settings;
	uint32_t processes;
	struct naive_process *process;
	struct naive_list *list;
	uint32_t lists;
	struct naive_place { uint32_t list, call, root; double time; } *where; /* per event of the trace; root: a process, or NAIVE_NONE */
	uint64_t unpaired;       /* calls without an end, finals without a start */
	uint64_t back;           /* records whose clock had stepped back */
	uint64_t broken;         /* dependences dropped in the ideal run */

	double t0, last, runtime, ideal_runtime, outside; /* t0 and last: of all records, as they are stamped */
	double useful_mean, useful_max, idle, average_parallelism, load_balance_nodes, load_balance_inside;
	uint32_t nodes;          /* hosts; 0: one is not known */
	uint64_t messages, bytes, collectives, unrelated;
	struct naive_row program;

	struct naive_node *node; /* node[0] is the program */
	uint32_t node_count;
	struct naive_phase_row *phase; /* before, phases by id, after */
	uint32_t phase_count;
	struct naive_states *states; /* as read: names are there */
};

struct naive_choices {
	int64_t rendezvous;      /* bytes; below 0: never */
	bool rooted_all;
};

/* Everything of the file whose bytes these are, under the settings' defaults. choices NULL: never, observed. */
struct naive_metrics *naive_metrics_new(const void *bytes, size_t size, const struct naive_choices *choices);
void naive_metrics_free(struct naive_metrics *m);

/* The node of that path below the program, parts separated by '/'; NULL: none. */
const struct naive_node *naive_metrics_node(const struct naive_metrics *m, const char *path);
/* What the path of a node is, the program's name left out but of itself; in buf. */
const char *naive_metrics_path(const struct naive_metrics *m, uint32_t node, char *buf, size_t size);

/* Do all E and X satisfy their equations? How many do not. */
uint32_t naive_metrics_unsolved(const struct naive_metrics *m);

#endif
