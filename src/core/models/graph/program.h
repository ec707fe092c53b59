/* A model's program ready to be run: names looked up, formulas bound, and what is known of each part beforehand
 * (docs/explain/models-language.md, "Evaluation").
 *
 * The tree has the model's shape, a `struct code` for each node. Values behind names that belong to processes
 * (arguments of blocks, indices) lie in one array of intervals: a block's frame begins with its arguments, behind them
 * are the indices of its loops by their nesting; a called block's frame lies behind the caller's. Messages inside par
 * or use, unknown names, and cycles of blocks are refused here. The code holds caches, so that one program belongs to
 * one evaluation.
 */
#ifndef PAS2P_CORE_MODELS_GRAPH_PROGRAM_H
#define PAS2P_CORE_MODELS_GRAPH_PROGRAM_H

#include <stdbool.h>
#include <stdint.h>

#include "core/models/language/formula.h"
#include "core/models/machine/machine.h"
#include "program_model.h"
#include "core/base/err.h"
#include "core/base/index.h"
#include "core/models/language/language.h"

#define PROGRAM_DEPTH 1000 /* of nodes in nodes, through blocks */
#define BLOCK_DEPTH 64     /* of blocks that call blocks, as functions */
#define OPERANDS 3

/* Which operand of a node is what. */
enum operand_role {
	OPERAND_VALUE = 0,         /* compute, if; loop and par without an index */
	OPERAND_PEER = 0,          /* messages */
	OPERAND_FIRST = 0,         /* loop and par with an index */
	OPERAND_LAST = 1,
	OPERAND_BYTES = 1,         /* messages and collectives */
	OPERAND_SPLIT_COMPUTE = 1, /* compute */
	OPERAND_SPLIT_BYTES = 2,
	OPERAND_TAG = 2,           /* messages */
	OPERAND_ROOT = 2           /* collectives */
};

struct operand {
	const struct formula *formula; /* NULL: not given */
	bool fixed;                    /* the same for all processes wherever they are */
	bool known;                    /* `value` is it */
	struct interval value;
};

/* What a message of so many bytes takes, as it was last asked for at a node; one for each of far and near. */
struct transfer {
	bool known;
	struct interval bytes, send, recv, copy;
};

struct cost_kept { /* of a part that is the same for all processes of a group of nodes */
	struct interval free, nested, *loads;
};

struct code {
	const struct model_node *node;
	uint8_t kind;
	bool messages;         /* messages or collectives are inside */
	bool rank, locals;     /* what is inside names rank, or values that the frame has outside of it */
	bool index_named;      /* the body of loop or par names its index */
	bool index_polynomial; /* and no otherwise than polynomials do */
	bool told;             /* that a value below 0 was met */
	struct operand operand[OPERANDS];
	struct operand *many;  /* counts of ops, arguments of call */
	uint32_t *ops;         /* of ops: numbers of operations */
	uint32_t lowest;       /* the first value of the frame that is named inside */
	uint32_t slot;         /* of the index in the frame */
	uint32_t resource;     /* of use */
	struct routine *block; /* of call */
	const struct routine *routine; /* that it stands in */
	struct cost_kept *kept; /* by group; NULL: none yet */
	struct transfer transfer[2];
	struct code *body, *otherwise, *next;
};

struct routine { /* a block, or the program */
	const struct model_block *block; /* NULL: the program */
	struct code *body;
	uint32_t frame;     /* values in it */
	uint32_t frames;    /* and in all frames from here on */
	uint32_t levels;    /* of nodes in nodes, with those of blocks that are called */
	uint32_t calls;     /* blocks in blocks */
	bool messages, rank;
	uint8_t state;      /* not yet bound, being bound, bound */
	uint8_t *polynomial; /* by argument: not known, yes, no */
};

struct program {
	struct arena arena;
	struct library library; /* of model and machine */
	const char **parameters;
	struct routine *routines; /* blocks, then the program */
	struct routine *main;
	const char **ops;         /* all that are named in ops */
	uint32_t op_count, op_cap;
	bool used[NODE_KINDS];
	bool split;               /* some compute has it */
};

/* `machine` may be NULL. To be released in any case. */
enum err_code program_init(struct program *p, const struct program_model *m, const struct machine *machine, struct err *e);
void program_release(struct program *p);

/* ---- channels ---- */

/* Messages under way, first in first out for each source, destination and tag (docs/explain/models-language.md,
 * "Evaluation").
 *
 * A message keeps when it can arrive under both views, and what copying it takes; nothing here knows of processes. Each
 * channel says when it was last touched, so that graph_int.h can tell which matter.
 */

/* Clocks of both views: free low, free high, nested low, nested high. */
#define CLOCKS 4

#define NO_MESSAGE UINT32_MAX

struct message {
	double arrival[CLOCKS];
	struct interval copy;
	uint32_t box;  /* that it was sent in, where that is recorded */
	uint32_t next; /* in its channel, or free */
};

struct process_channel {
	double tag;
	uint32_t from, to;
	uint32_t first, last; /* messages; NO_MESSAGE: none is under way */
	uint32_t count;
	uint64_t touched;
};

struct channels {
	struct process_channel *items;
	size_t count, cap;
	struct index index;
	struct message *messages;
	size_t message_count, message_cap; /* with those that are free */
	uint32_t free;
	uint64_t under_way;
	uint64_t now; /* what `touched` becomes */
};

void channels_init(struct channels *c);
void channels_release(struct channels *c);

/* The channel's number, made where there was none; UINT32_MAX: no memory. */
uint32_t channels_find(struct channels *c, uint32_t from, uint32_t to, double tag);
/* A message after the others, to be filled in at once; NULL: no memory. */
struct message *channels_put(struct channels *c, uint32_t channel);
/* Takes the first one out; false: there is none. */
bool channels_take(struct channels *c, uint32_t channel, struct message *m);

/* ---- recorder ---- */

/* What each process did, node by node, while a program was evaluated: what graphs are drawn from (graph.h).
 *
 * Of each node, by the way through loops and blocks that leads to it, the first time is kept with its clocks, and
 * the sum of all times that were executed. Iterations that graph_int.h skips are not executed: their time is in their
 * loop's alone.
 */

#define NO_BOX UINT32_MAX

struct recorded_box {
	const struct model_node *node; /* NULL: the whole process */
	bool messages;                /* it has some inside */
	uint32_t rank, row;           /* row: below all that it comes after, in any process */
	uint32_t parent, first, last, next; /* boxes: around it, in it, behind it */
	uint32_t partner, peer;       /* the box of the message's other end, its rank */
	double times;                 /* of a loop */
	double start[CLOCKS], end[CLOCKS]; /* of the first time */
	double sum[CLOCKS];
	double entered[CLOCKS];       /* this time */
	bool known;                   /* the first time is over */
	bool waited;                  /* recv: its message came last, by the upper end */
};

struct recorder {
	struct recorded_box *box;     /* of process i the whole is box i */
	uint32_t count, most;
	size_t cap;
	uint32_t processes;
	uint32_t *at;                 /* per process: the box that it is in */
	uint32_t *inside;             /* per process: the innermost that holds others */
	uint32_t *row;                /* per process: the last that is taken */
};

enum err_code recorder_begin(struct recorder *r, uint32_t processes, struct err *e);
void recorder_release(struct recorder *r);

/* A process comes to a node (again, where it had to wait), and leaves it. ERR_LIMIT: more than `most` boxes. */
enum err_code recorder_enter(struct recorder *r, uint32_t rank, const struct code *c, const double clock[CLOCKS],
			     struct err *e);
void recorder_leave(struct recorder *r, uint32_t rank, const double clock[CLOCKS]);
/* The node that it has come to holds others, which are next; and at their end. */
void recorder_open(struct recorder *r, uint32_t rank, double times);
void recorder_close(struct recorder *r, uint32_t rank, const double clock[CLOCKS]);
/* Who is at the other end of the message of this node; `box` is where the message was sent. */
void recorder_sent(struct recorder *r, uint32_t rank, uint32_t to);
void recorder_received(struct recorder *r, uint32_t rank, uint32_t from, uint32_t box, bool waited);
/* All processes are in one collective: they stand in one row. */
void recorder_collective(struct recorder *r);

#endif
