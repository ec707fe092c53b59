/* Declarations that only the files of src/core/models/graph use. Each part begins with its own description. */
#ifndef PAS2P_CORE_MODELS_GRAPH_GRAPH_INT_H
#define PAS2P_CORE_MODELS_GRAPH_GRAPH_INT_H

#include <stdbool.h>
#include <stdint.h>

#include "core/models/language/formula.h"
#include "program.h"
#include "evaluate.h"
#include "core/models/machine/machine.h"
#include "program_model.h"
#include "core/models/language/model_document.h"
#include "core/io/tree_out.h"
#include "core/base/err.h"
#include "core/base/index.h"
#include "core/models/language/language.h"

/* ---- bounds_sum ---- */

/* Sums of times as expressions: so many of each term, like ones together. Private to bounds*.c.
 *
 * A term is a tree that is no sum, known by its text. Sums are values: their parts lie in the maker's arena, by
 * number of the term, and never change. No term is below 0, so that a sum all of whose parts another has is never
 * greater.
 */

struct bounds_term {
	const struct expression *x;
	const char *text;
};

struct bounds_terms {
	struct expression_maker maker;
	struct bounds_term *items;
	size_t count, cap;
	struct index by_text;
};

struct bounds_part {
	uint32_t term;
	double n;
};

struct bounds_sum {
	const struct bounds_part *parts;
	uint32_t count;
};

void bounds_terms_release(struct bounds_terms *t);

/* n of a tree; nothing if it is 0. */
struct bounds_sum bounds_one(struct bounds_terms *t, double n, const struct expression *x);
struct bounds_sum bounds_add(struct bounds_terms *t, struct bounds_sum a, struct bounds_sum b);
/* n times a sum: n is a tree. */
struct bounds_sum bounds_times(struct bounds_terms *t, const struct expression *n, struct bounds_sum a);
struct bounds_sum bounds_divide(struct bounds_terms *t, struct bounds_sum a, const struct expression *by);
/* The greatest, without those that another one contains. */
struct bounds_sum bounds_greatest(struct bounds_terms *t, const struct bounds_sum *sums, uint32_t count);
/* Whether b has all that a has. */
bool bounds_contains(struct bounds_sum b, struct bounds_sum a);
const struct expression *bounds_tree(struct bounds_terms *t, struct bounds_sum a);

/* ---- placement ---- */

/* Which node each process runs on (docs/explain/models-language.md, "Machine files"): in rank order node 0's cores,
 * node 1's ...; when all are full, from node 0 again.
 *
 * Nodes are numbered through the machine's groups. On several nodes, cores that are not given are one; a single node
 * without has any number. Without a machine all run on one node of speed 1.
 */

struct home {
	uint32_t node, group;
};

struct placement {
	struct home *homes; /* by rank */
	uint32_t process_count;
	uint32_t node_count; /* those that have processes */
};

enum err_code placement_init(struct placement *p, const struct machine *m, uint32_t processes, struct err *e);
void placement_release(struct placement *p);

/* For a group's nodes. Speed [1, 1] and 0 cores (any number) without a machine. */
struct interval placement_speed(const struct machine *m, uint32_t group);
uint64_t placement_cores(const struct machine *m, uint32_t group);

/* Each rank's part of all speed, by the means of intervals, as share() has it; NULL: no memory. To be freed with
 * mem_free(). */
double *placement_shares(const struct placement *p, const struct machine *m);

/* ---- transfers ---- */

/* The time of messages and collectives: the functions of model and machine, and substitutes for missing ones
 * (docs/explain/models-language.md, "Machine files").
 */

enum transfer_kind { TRANSFER_SEND, TRANSFER_ISEND, TRANSFER_RECV, TRANSFER_COPY, TRANSFER_KINDS };

struct program_run;

struct transfers {
	uint32_t of[TRANSFER_KINDS][2];     /* functions by far and near (ranks on one node); LIBRARY_NONE: there is none */
	uint32_t collective[NODE_KINDS];
	bool stood_in[NODE_KINDS + TRANSFER_KINDS]; /* told already */
};

/* Finds the functions and binds what the program uses; before the formulas can be evaluated. */
enum err_code transfers_init(struct transfers *t, struct program *p, struct err *e);

/* All times of a message from a send or isend: what its sender waits, recv and copy. At least 0 all of them. */
enum err_code transfers_message(struct program_run *r, struct code *c, struct interval bytes, bool near, const struct transfer **t);
enum err_code transfers_collective(struct program_run *r, struct code *c, struct interval bytes, struct interval *v);

/* ---- run ---- */

/* The state that all parts of one evaluation share: the point, the program, the machine, and the results so far
 * (docs/explain/models-language.md, "Evaluation").
 *
 * Before a process's nodes are evaluated run_home() says where it is. Loads of resources are sums over all processes;
 * those of processors are gathered by process, and of the network here.
 */

struct program_run {
	const struct evaluate_input *in;
	struct recorder *recorder;  /* of what processes do; NULL: nobody wants to know */
	struct program program;
	struct formula_run formulas;
	struct placement placement;
	struct transfers transfers;
	struct other_machine other;
	double *shares;
	uint32_t process_count;

	uint32_t resource_count;
	struct interval *counts;    /* of resources */
	uint32_t *held;             /* resources: how many uses of it are around */
	struct interval network;    /* its load */

	uint32_t rank, group;       /* of the process whose nodes are evaluated */
	struct interval speed;
	uint64_t cores;
	struct interval *locals;    /* room for all frames; processes with messages have their own */
	struct interval *frame;     /* of what is evaluated now */
	struct interval **scratch;  /* loads: resources, then the processor; by level */
	uint32_t scratch_count, scratch_used;
	uint64_t clipped;           /* values below 0, and counts: so often */
	uint64_t nodes;             /* executed */
	size_t kept;                /* bytes in caches */

	struct arena *arena;        /* of notes */
	struct out_notes {
		const char **text;
		size_t count, cap;
	} notes;
	struct err *e;
};

/* All that an evaluation needs of its input; in, recorder, e and arena are set. To be released in any case. */
enum err_code run_prepare(struct program_run *r);
void run_release(struct program_run *r);

#define RUN_LOADS(r) ((r)->resource_count + 1) /* of a vector: the resources', then the processor's */

void run_home(struct program_run *r, uint32_t rank);

static inline void run_frame(struct program_run *r, struct interval *frame)
{
	r->frame = frame;
	r->formulas.values.locals = frame;
}

enum err_code run_value(struct program_run *r, struct operand *o, struct interval *v);
/* The same where only one whole number will do: a rank, a tag, a bound. `what` is its name. */
enum err_code run_whole(struct program_run *r, struct code *c, struct operand *o, const char *what, double *v);

/* A sentence for the result; not twice in a row for one place. ERR_MEMORY. */
enum err_code run_note(struct program_run *r, const struct place *at, const char *fmt, ...) __attribute__((format(printf, 3, 4)));
/* A value below 0 counts as 0: told once for a node. */
enum err_code run_clip(struct program_run *r, struct code *c, const char *what, struct interval *v);
enum err_code run_count_node(struct program_run *r);

/* ---- bounds_work ---- */

/* Parts of a program without messages as expressions: their time where nobody waits, and how long they need each
 * resource (docs/explain/models-language.md, "Evaluation", the table). Private to bounds*.c.
 *
 * The same walk as work_cost.c's, with trees for values. Names of the program stay names where they are parameters;
 * arguments of blocks are what they were called with, indices keep a name of their own, rank is its number. What an
 * operand's value decides (branches that are not taken, counts below 0) is decided at the point of the run, of indices
 * over all of their range.
 */

#define BOUNDS_SYMBOLS (PROGRAM_DEPTH + EXPRESSION_ARGUMENTS * (BLOCK_DEPTH + 1))

struct bounds_symbol {
	const char *name;           /* in the model */
	const struct expression *x; /* what it stands for */
	bool index;                 /* whose name x is */
};

struct bounding {
	struct program_run *run;
	struct bounds_terms terms;
	bool numbers;               /* what names rank is a number, where it is one */
	struct bounds_symbol symbols[BOUNDS_SYMBOLS];
	uint32_t symbol_count, scope; /* scope: the first of the block */
	bool *named;                /* operations of the program whose names stand in expressions */
};

/* The loads of all processes together: of the model's resources, of each node's processors, of the network. */
static inline uint32_t bounds_load(const struct program_run *r, enum load_kind kind, uint32_t index)
{
	return kind == LOAD_RESOURCE ? index : r->resource_count + (kind == LOAD_NODE ? index : r->placement.node_count);
}

static inline uint32_t bounds_load_count(const struct program_run *r)
{
	return bounds_load(r, LOAD_NETWORK, 0) + 1;
}

struct bounds_work {
	struct bounds_sum free;
	struct bounds_sum *loads;   /* RUN_LOADS(): resources', then the processor's */
};

/* false: the maker's code says why. */
bool bounds_work_init(struct bounding *b, struct bounds_work *w);
/* Adds a chain, or one node. Not by the node's speed: that is the caller's. */
enum err_code bounds_chain(struct bounding *b, struct code *chain, struct bounds_work *w);
enum err_code bounds_node(struct bounding *b, struct code *c, struct bounds_work *w);
/* A process's work: by the speed of its node. */
void bounds_by_speed(struct bounding *b, struct bounds_work *w);

/* The same of what counts as 0 below 0. */
const struct expression *bounds_count(struct bounding *b, const struct expression *x, struct operand *o, struct interval *value);
/* What a name stands for from now on, until symbol_count is what it was. */
void bounds_let(struct bounding *b, const char *name, const struct expression *x, bool index);
/* A block's arguments, in the frame as well; the scope and count that were go to *scope and *count. */
enum err_code bounds_open(struct bounding *b, struct code *call, uint32_t *scope, uint32_t *count);
void bounds_close(struct bounding *b, struct code *call, uint32_t scope, uint32_t count);

/* ---- bounds_clocks ---- */

/* When processes that send messages end, as expressions: the greatest of the paths that lead there
 * (docs/explain/models-language.md, "Evaluation"). Private to bounds*.c.
 *
 * A path is a sum of parts of the program and times of messages, with its value at the point. Paths that another one
 * contains are left out whatever the values are. If more than BOUNDS_PATHS are left, those that are not the longest
 * at the point are left out, too, and the clock is `partial`.
 */

#define BOUNDS_PATHS 8
#define BOUNDS_ACTIONS 20000 /* messages, and parts of the program between them, of all processes */

struct bounds_path {
	struct bounds_sum sum;
	struct interval value;
};

struct bounds_clock {
	struct bounds_path path[BOUNDS_PATHS + 1];
	uint32_t count;
	bool partial;
};

void bounds_join(struct bounding *b, struct bounds_clock *to, const struct bounds_path *path);

/* Leaves the longest path of each end of the interval. */
void bounds_longest(struct bounds_clock *c);

/* The ends of all processes together; what they need is added to the loads, which are by bounds_load(). */
enum err_code bounds_clocks(struct bounding *b, struct bounds_clock *end, struct bounds_sum *loads);

/* ---- model_nodes ---- */

/* A program's nodes out of YAML (docs/explain/models-language.md, "Model files"): what model_read.c reads the lists of
 * blocks and programs with. */

/* A list of nodes, or a single one, as a chain. */
enum err_code nodes_read(const struct model_document *d, const struct yaml_node *list, struct model_node **first);

/* ---- prediction_parts ---- */

/* What documents and tables of predictions have in common. Private to prediction_write.c and bounds_write.c. */

/* "2.5", "2 - 3": seconds to nine digits. */
#define PREDICTED_TEXT 80
const char *predicted_text(char text[PREDICTED_TEXT], struct interval v);

/* "pas2p_prediction: 1", with the names of model and machine; machine NULL: null. */
void tree_put_prediction(struct tree_out *t, const char *kind, const struct program_model *m, const struct machine *machine);
/* The values of the model's parameters at one point. */
void tree_put_parameters(struct tree_out *t, const struct program_model *m, const struct interval *values);
void tree_put_interval(struct tree_out *t, const char *key, struct interval v);

/* ---- processes ---- */

/* Processes that send messages: each runs until it waits, and again when what it waits for is there
 * (docs/explain/models-language.md, "Evaluation").
 *
 * Which message a receive gets does not depend on time, so that the order in which processes are run changes nothing.
 * At the end of each iteration of a loop with messages a process pauses until no other can go on: so few messages are
 * under way whatever runs ahead, and there steady looks whether all go on in step. Every process has its stack of
 * frames in one array, of as many as the program is deep: bounded, and said before it is taken.
 */

#define PROCESSES_BYTES ((size_t)2 << 30) /* most for all; as many again for messages under way */

enum process_state {
	PROCESS_READY,      /* will be run */
	PROCESS_PAUSED,     /* at the end of an iteration */
	PROCESS_WAITING,    /* in a receive: `channel` */
	PROCESS_COLLECTIVE, /* in a collective */
	PROCESS_ENDED
};

struct process_frame { /* of a node whose body is run */
	struct code *code;
	double left;   /* iterations that have not begun */
};

struct model_process {
	double clock[CLOCKS];
	struct interval compute;
	struct interval processor; /* load */
	struct code *at;           /* what is next; NULL: the end of a body */
	uint64_t moved;            /* grows with all it does */
	uint32_t frame_count;
	uint32_t base;             /* of the block's frame in its values */
	uint32_t channel;
	uint8_t state;
};

struct open_collective { /* the collective that some are in */
	uint32_t count;     /* processes that are there */
	struct code *code;
	double root;
	struct interval bytes;
	double clock[CLOCKS];
	uint32_t first;     /* who came first */
	uint64_t touched;   /* as a channel's */
};

struct processes {
	struct program_run *run;
	struct model_process *items;
	uint32_t count, ended;
	struct process_frame *frames;   /* frame_room of each process */
	struct interval *values;        /* value_room of each process */
	uint32_t frame_room, value_room;
	struct channels channels;
	struct open_collective open_collective;
	uint32_t *ready, ready_count;   /* a stack */
	uint32_t *paused, paused_count;
	struct interval *loads;         /* of resources */
	bool cache;                     /* costs of parts are kept */
};

static inline struct process_frame *process_frames(const struct processes *p, uint32_t rank)
{
	return p->frames + (size_t)rank * p->frame_room;
}

/* Runs the program on all processes; what they did is in `items`, `loads` and the run. To be released in any case. */
enum err_code processes_run(struct processes *p, struct program_run *run, struct err *e);
void processes_release(struct processes *p);

/* ---- program_index ---- */

/* How the body of a loop depends on the loop's index: not at all, as a polynomial does, or in another way
 * (docs/explain/models-language.md, "Evaluation"). */

/* Sets index_named and index_polynomial of a loop or par over an index, whose body is bound. */
void program_index(struct program *p, struct code *code);

/* ---- steady ---- */

/* Loops with messages in which every iteration takes as long as the one before (docs/explain/models-language.md,
 * "Evaluation").
 *
 * steady_look() is called when all processes have paused or wait. If all processes that moved since a state like this
 * one did some iterations of a loop, and their clocks and their messages under way moved by the same amount, the same
 * repeats, since the system only adds and takes maxima: then all remaining iterations are done at once. (Some
 * iterations, not one: each look costs time, so looks are as frequent as they pay.) Processes that did not move, and
 * messages that no process touched, do not matter.
 */

#define STEADY_STATES 16                   /* remembered, for loops in loops */
#define STEADY_BYTES ((size_t)256 << 20)

struct steady_state;

struct steady {
	struct steady_state *states[STEADY_STATES];
	uint64_t asked;  /* nodes executed when it was last worth looking */
	uint64_t age;
};

enum err_code steady_look(struct steady *s, struct processes *p, struct err *e);
void steady_release(struct steady *s);

/* ---- work_cost ---- */

/* What a part of the program without messages costs: free and nested time, and loads of resources
 * (docs/explain/models-language.md, "Evaluation", the table). */

struct work_cost {
	struct interval free, nested;
	struct interval *loads; /* RUN_LOADS(): resources', then the processor's */
};

/* Adds a chain of nodes to *cost. The frame is the run's. */
enum err_code work_chain(struct program_run *r, struct code *chain, struct work_cost *cost);
/* The same of one node, whatever follows it. */
enum err_code work_node(struct program_run *r, struct code *c, struct work_cost *cost);

/* A vector of loads, all 0, until it is dropped; in the opposite order. */
enum err_code work_loads(struct program_run *r, struct interval **loads);
void work_loads_drop(struct program_run *r);

/* Adds the sum of a loop's body over its index from `from`, `n` times, to *cost: at once where that is exact, otherwise
 * one by one. */
enum err_code work_sum(struct program_run *r, struct code *loop, double from, double n, struct work_cost *cost);

#endif
