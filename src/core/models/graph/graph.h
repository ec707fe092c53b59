/* A model's program at one point as a DP*Graph: a column for each class of processes that do the same, in it what
 * they do from top to bottom (docs/explain/models-language.md, "Evaluation"): rectangles of code, triangles up where a
 * message leaves and down where it is needed, collectives across all columns, and loops once, with how often they run.
 *
 *     graph_make(&g, &(struct evaluate_input){...}, &e);
 *     for (i = 0; i < g.node_count; i++) ... g.node[i] at column g.node[i].column, row g.node[i].row, indented by g.node[i].depth ...
 *     graph_release(&g);                                       in any case
 *
 * Nodes are in the order of drawing: by column, and by row within a column. All columns share the rows: a message is
 * sent in a row above the one where it is received, and a collective is in the same row everywhere. A group (a loop, a
 * called block) has a separate row, directly above its content, which is one level deeper. Of conditions only the
 * executed branch is kept. A group without messages is one rectangle.
 *
 * Processes are of one class if they do the same nodes as often and with the same times; whom they talk to may
 * differ, and is that of the class's first process. Times are those of the evaluation's contention.
 *
 * The graph points into the model, which must outlive it.
 */
#ifndef PAS2P_CORE_MODELS_GRAPH_GRAPH_H
#define PAS2P_CORE_MODELS_GRAPH_GRAPH_H

#include "evaluate.h"
#include "core/models/language/language.h"
#include "core/io/out.h"
#include "core/table/rows.h"
#include "predict.h"

/* ---- bounds ---- */

/* The bounds of a program's time as expressions: T_0, its time where nobody waits for a resource, and for each
 * resource T_r, how long it is needed divided by how many there are (docs/explain/models-language.md, "Evaluation", "As
 * expressions").
 *
 *     code = bounds_make(&bounds, &in, &e);
 *     ... bounds.items[0].text: "sum_double + mpy_int + n*sum_double" ...
 *     bounds_release(&bounds);
 *
 * Expressions are in the language of models: of the model's parameters, the functions of model and machine, and the
 * names of operations. What depends on values (branches by rank, which message comes last where that cannot be said)
 * is as it is at the point. The values are evaluate()'s.
 */

struct bound {
	const char *name;              /* T_0, T_disk, T_cpu0 */
	bool is_node;                  /* of a node's processors */
	const struct expression *x;
	const char *text;
	struct interval value;
	uint32_t nodes;                /* of a node: how many have the same, from this one on; otherwise 1 */
};

struct bounds_name { /* of an operation that stands in expressions */
	const char *name;
	struct interval value;
};

struct bounds {
	struct arena arena;
	struct bound *items;           /* T_0, then the resources' that are needed */
	uint32_t count;
	const char *text;              /* "max(T_0, T_disk)" */
	struct interval value;         /* of T: the greatest of all */
	struct bounds_name *names;
	uint32_t name_count;
	bool partial;                  /* T_0 lacks paths that are not the longest at this point */
	struct outcome outcome;
};

/* Errors as evaluate()'s; ERR_LIMIT also where the expressions would be too long, ERR_FORMAT if there are none. */
enum err_code bounds_make(struct bounds *t, const struct evaluate_input *in, struct err *e);
void bounds_release(struct bounds *t);

/* ---- bounds_write ---- */

/* T_0, the T_r and T as expressions with their values, as text, rows or a document (docs/internals/model-rules.md,
 * "Predictions in files"). */

void bounds_write_text(const struct bounds *t, struct out *out);
enum err_code bounds_write_csv(const struct bounds *t, const struct rows_sink *sink, struct err *e);
enum err_code bounds_write_tree(const struct bounds *t, const struct evaluate_input *in, bool json, struct out *out, struct err *e);

/* ---- graph ---- */

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
	double times;                /* of a loop: how often it runs when it is entered the first time; otherwise 1 */
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

/* What stands in or beside a node: its name, otherwise what it is: "multiply", "compute", "send 1", "loop x 100". */
void graph_label(const struct graph_node *n, char *text, size_t size);

/* ---- prediction_write ---- */

/* A prediction as a document or as rows (docs/internals/model-rules.md, "Predictions in files").
 *
 * JSON and YAML hold all of it. csv and the table have a row for each combination; a table shows one time where both
 * ends agree to nine digits, and notes below, each once.
 */

enum err_code prediction_write_tree(const struct prediction *p, bool json, struct out *out, struct err *e);
enum err_code prediction_write_rows(const struct prediction *p, enum rows_format format, const struct rows_sink *sink, struct err *e);
/* How many measured times lie in their intervals, and how many have none: up to two lines; none where nothing was
 * measured. */
void prediction_write_inside(const struct prediction *p, struct out *out);
/* The distinct notes of all rows, a line each with `prefix` in front. */
void prediction_write_notes(const struct prediction *p, const char *prefix, struct out *out);

#endif
