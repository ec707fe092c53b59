/* What each process did, node by node, while a program was evaluated: what graphs are drawn from (graph.h).
 *
 * Of each node, by the way through loops and blocks that leads to it, the first time is kept with its clocks, and
 * the sum of all times that were executed. Iterations that graph_int.h skips are not executed: their time is in their
 * loop's alone.
 */
#ifndef PAS2P_CORE_MODELS_GRAPH_RECORDER_H
#define PAS2P_CORE_MODELS_GRAPH_RECORDER_H

#include "channels.h"
#include "program.h"

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
void recorder_meet(struct recorder *r);

#endif
