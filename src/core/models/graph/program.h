/* A model's program ready to be run: names looked up, formulas bound, and what is known of each part beforehand
 * (docs/models.md 8).
 *
 * The tree has the model's shape, a `struct code` for each node. Values behind names that belong to processes
 * (arguments of blocks, indices) lie in one array of intervals: a block's frame begins with its arguments, behind them
 * are the indices of its loops by their nesting; a called block's frame lies behind the caller's. Messages inside par
 * or use, unknown names, and cycles of blocks are refused here. The code holds caches, so that one program belongs to
 * one evaluation.
 */
#ifndef PAS2P_CORE_MODELS_GRAPH_PROGRAM_H
#define PAS2P_CORE_MODELS_GRAPH_PROGRAM_H

#include "core/models/language/formula.h"
#include "core/models/machine/machine.h"
#include "program_model.h"

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

#endif
