/* A machine as a model: the time of operations and messages, and its nodes (docs/explain/models-language.md, "Machine
 * files").
 *
 * read makes it from a file. Times are seconds, intervals all of them. Not changed by evaluation. Texts are safe, and
 * the arena's. Where processes lie is core/models/graph/graph_int.h's: a group's cores and count come from a file and
 * may be any number, so nothing here is as long as they are.
 */
#ifndef PAS2P_CORE_MODELS_MACHINE_MACHINE_H
#define PAS2P_CORE_MODELS_MACHINE_MACHINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base/mem.h"
#include "core/models/language/language.h"
#include "core/base/err.h"
#include "core/base/progress.h"
#include "core/models/language/formula.h"
#include "core/io/out.h"

/* ---- machine ---- */

struct machine_op { /* `ops`, and `memory` by read, write, copy */
	const char *name;
	struct interval seconds;
	struct place place;
};

struct machine_nodes { /* `count` equal nodes */
	uint64_t count;        /* at least 1 */
	uint64_t cores;        /* 0: not given */
	struct interval speed; /* above 0: compute and ops take 1/speed as long */
	struct machine_op *ops; /* what differs from the machine's */
	uint32_t op_count;
	struct place place;
};

struct machine {
	struct arena arena;
	const char *file, *name;  /* NULL: none */
	struct machine_op *ops;   /* with memory's */
	uint32_t op_count;
	struct expression_functions functions;
	uint64_t network;         /* messages at once; 0: any number */
	struct machine_nodes *nodes; /* at least one group */
	uint32_t group_count;
};

void machine_init(struct machine *m);
void machine_release(struct machine *m);

/* An operation's time on the nodes of a group, before their speed; NULL: it has none. */
const struct machine_op *machine_op(const struct machine *m, uint32_t group, const char *name);

/* ---- measured ---- */

/* A machine, measured: what operations and memory take (docs/explain/models-language.md, "Machine files").
 *
 *     machine_measure(&m, shared, progress, &e);
 *
 * Of each operation the interval from what it takes among independent ones to what it takes where each needs the one
 * before: between these lies what a program sees. No time is below an eighth of a cycle, since no processor begins more
 * than eight operations of one kind in a cycle. Operations are in registers except for access (a load from the first
 * cache, whose value is the next one's index) and assign (a store and its value's next use); compare is with a choice
 * by its outcome; mod of real numbers is the library's. compare, access and assign without a type are as little as the
 * least of the types and as much as the most. Seconds, memory's per byte.
 */

enum machine_figure {
#define MACHINE_OP(name, operation, type) MACHINE_##name,
#include "ops.def"
	MACHINE_OPS,
	MACHINE_BEFORE_MEMORY = MACHINE_OPS - 1,
#define MACHINE_MEMORY(name) MACHINE_##name,
#include "ops.def"
	MACHINE_FIGURES
};

struct machine_range {
	double low, high;
};

struct machine_measured {
	char host[128];
	uint32_t cores;       /* that this process may use */
	double buffer;        /* bytes of the memory that was gone through */
	double cycle;         /* s: the least that one of a chain of additions took; 0: not known, of other nodes */
	double shared;        /* one core's memory time over that of one among all at once; NAN: not measured */
	bool disturbed;       /* something else ran meanwhile: the intervals are wide for that */
	struct machine_range figure[MACHINE_FIGURES];
};

const char *machine_figure_name(enum machine_figure f);

/* The machine's name, safe text without blanks. */
void machine_host(char *to, uint32_t size);

/* Takes some seconds, and one more with `shared` (all cores at once). ERR_CANCELLED, ERR_MEMORY. */
enum err_code machine_measure(struct machine_measured *m, bool shared, const struct progress *progress, struct err *e);

/* ---- other_machine ---- */

/* A model's times on another machine than the one they were measured on (docs/internals/model-rules.md, "Predictions in
 * files", `--base`): compute times go by the operations that both have, the rest by what a message of the mean size
 * takes.
 */

struct other_machine {
	bool asked;
	bool lacks_ops;          /* the machines have no operation in common: compute times stay as they are */
	bool lacks_recv;         /* one has no recv: the rest stays as it is */
	struct interval *factors; /* S by group of the new machine's nodes */
	struct library libraries[2];  /* of base and new machine */
	struct formula_run runs[2];
	uint32_t recv[2];
};

/* Does nothing if there is no base. `values` are the parameters'. To be released in any case. */
enum err_code other_machine_init(struct other_machine *o, const struct machine *base, const struct machine *machine,
				 const char *const *parameters, uint32_t parameter_count, const struct interval *values,
				 const struct progress *progress, struct err *e);
void other_machine_release(struct other_machine *o);

/* c S + (t - c) M for t on the base, of which c is computing, on a node of the group; `bytes` NULL: there is no
 * split. */
enum err_code other_machine_time(struct other_machine *o, uint32_t group, struct interval t, struct interval compute,
				 const struct interval *bytes, struct interval *result, struct err *e);

/* ---- pingpong_answer ---- */

/* The answer of the program that measures messages and machines inside a job, as text within the job's output.
 *
 * Lines that have the words "pas2p-pingpong" are the answer's, wherever in the line they begin; other lines are none of
 * it:
 *
 *     pas2p-pingpong run VERSION RANKS NODES HOST LIBRARY  its blanks are _
 *     pas2p-pingpong clock RESOLUTION                  of messages: seconds
 *     pas2p-pingpong cut OP P BYTES                    sizes above were left out: they would have needed too much memory
 *     pas2p-pingpong x OP WHERE BYTES P SECONDS        a repetition
 *     pas2p-pingpong node RANK CORES SHARED BUFFER DISTURBED HOST
 *     pas2p-pingpong op NAME LOW HIGH                  of the node before; every operation, in the table's order
 *     pas2p-pingpong end LINES                         lines before this one
 *
 * VERSION 1.
 */

enum pingpong_op {
#define PINGPONG_OP(name, who) PINGPONG_##name,
#include "core/models/fit/pingpong_ops.def"
	PINGPONG_OP_COUNT
};
const char *pingpong_op_name(enum pingpong_op op);
bool pingpong_op_is_pair(enum pingpong_op op);
/* PINGPONG_OP_COUNT: there is none of this name. */
enum pingpong_op pingpong_op_find(const char *name, size_t n);

struct pingpong_row {
	enum pingpong_op op;
	bool inter;          /* not on one node */
	uint64_t bytes;
	uint32_t p;
	double seconds;
};

struct pingpong_cut {
	enum pingpong_op op;
	uint32_t p;
	uint64_t bytes;
};

struct pingpong_answer {
	uint32_t ranks, nodes;  /* that the job had */
	char host[128];         /* rank 0's, safe text */
	char library[128];      /* the MPI, as it calls itself */
	double resolution;      /* s; NAN: no messages were measured */
	struct pingpong_row *row;
	size_t rows, row_cap;
	struct pingpong_cut *cut;
	size_t cuts, cut_cap;
	struct machine_measured *machine; /* of nodes, in order of rank */
	size_t machines, machine_cap;
};

/* `text` is cut into words. ERR_FORMAT: there is no answer, or not all of it, or it is none that this version knows. *a
 * is released then. */
enum err_code pingpong_answer_read(struct pingpong_answer *a, char *text, size_t size, struct err *e);
void pingpong_answer_release(struct pingpong_answer *a);

/* ---- read ---- */

/* Machines out of their files (docs/explain/models-language.md, "Machine files"). */

/* From a regular file of at most 4 MiB; ERR_FORMAT with line and what was found there. On an error nothing is kept. */
enum err_code machine_read(struct machine *m, const char *path, struct err *e);
/* From a text; `name` is for sentences. */
enum err_code machine_parse(struct machine *m, const char *name, const char *text, size_t size, struct err *e);

/* A machine as a file (docs/explain/models-language.md, "Machine files"): what was measured, for pas2p predict and for
 * people. */

/* The functions of messages, a line each ("  send(bytes): ..."), from the rows of an answer: fits as pas2p fit makes
 * them, with the error to be expected. Pairs on one node are NAME_local where others were measured too. Of collectives,
 * those over several nodes if there are any. */
enum err_code machine_functions(struct out *functions, const struct pingpong_answer *a, const struct progress *progress, struct err *e);

/* `machines`, of which there is at least one, are those of the nodes in order of rank: the operations are those of the
 * fastest, and with `nodes` or where `shared` was measured it says what nodes there are; of two after each other whose
 * speeds differ by at most 5 % and that have as many cores it is one row. functions: as machine_functions() made them;
 * NULL or "": none. */
enum err_code machine_write(struct out *out, const struct machine_measured *machines, size_t count, bool nodes, const char *functions,
			    struct err *e);

#endif
