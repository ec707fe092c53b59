/* A model's program at one point as a DP*Graph: a column for each class of processes that do the same, in it what
 * they do from top to bottom (docs/models.md 8): rectangles of code, triangles up where a message leaves and down
 * where it is needed, collectives across all columns, and loops once, with how often they run.
 *
 *     graph_make(&g, &(struct evaluate_input){...}, &e);
 *     for (i = 0; i < g.node_count; i++) ... g.node[i] at column g.node[i].column, row g.node[i].row, indented by g.node[i].depth ...
 *     graph_release(&g);                                       in any case
 *
 * Nodes are in the order in which they are drawn: by column, and within one by row. Rows are shared by all columns:
 * a message is sent in a row above the one where it is received, a collective stands in one row everywhere. A group
 * (a loop, a block that is called) is a row of its own, directly above what it holds, which is one deeper.
 * Conditions leave what was done. What has no messages inside is one rectangle.
 *
 * Processes are of one class if they do the same nodes as often and with the same times; whom they talk to may
 * differ, and is that of the class's first process. Times are those of the evaluation's contention.
 *
 * The graph points into the model, which must outlive it.
 */
#ifndef PAS2P_GRAPH_H
#define PAS2P_GRAPH_H

#include "evaluate.h"

#define GRAPH_NODES (1u << 20) /* of all processes together, before equal ones are folded */
#define GRAPH_NONE UINT32_MAX

enum graph_shape {
	GRAPH_WORK,    /* a rectangle: code without messages */
	GRAPH_SEND,    /* a triangle up */
	GRAPH_RECV,    /* a triangle down */
	GRAPH_ALL,     /* a collective: both, in every column */
	GRAPH_LOOP,    /* holds what is repeated */
	GRAPH_BLOCK    /* holds what a block does */
};

struct graph_node {
	enum graph_shape shape;
	const struct model_node *node;
	uint32_t column, row, depth;
	uint32_t parent;             /* the loop or block around it; GRAPH_NONE: there is none */
	uint32_t partner;            /* of a recv the send, of a send the recv whose message this is; GRAPH_NONE: in no column, or not received */
	uint32_t peer;               /* the rank at the other end, of messages */
	double times;                /* of a loop: how often it runs when it is entered the first time; else 1 */
	struct interval start, end;  /* of the first time */
	struct interval time;        /* of all times together, waiting included */
	bool waited;                 /* recv: its message came last, at the upper end */
	bool critical;               /* on the way that ends last, at the upper end */
};

struct graph_column {
	uint32_t first;              /* rank of its first process */
	uint32_t count;              /* processes */
	uint32_t node, nodes;        /* its part of the nodes */
	struct interval end;         /* when it ends */
};

struct graph {
	struct graph_node *node;
	uint32_t node_count;
	struct graph_column *column; /* by first rank */
	uint32_t column_count;
	uint32_t *column_of;         /* by rank */
	uint32_t process_count, rows;
	struct outcome outcome;      /* of the evaluation that it was drawn from */
};

/* Errors as evaluate()'s; ERR_LIMIT also where the processes do more than GRAPH_NODES nodes. */
enum err_code graph_make(struct graph *g, const struct evaluate_input *in, struct err *e);
void graph_release(struct graph *g);

/* What stands in or beside a node: its name, else what it is: "multiply", "compute", "send 1", "loop x 100". */
void graph_label(const struct graph_node *n, char *text, size_t size);

#endif
