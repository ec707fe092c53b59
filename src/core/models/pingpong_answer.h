/* The answer of the program that measures messages and machines inside a job, as text among whatever else the job
 * printed.
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
#ifndef PAS2P_PINGPONG_ANSWER_H
#define PAS2P_PINGPONG_ANSWER_H

#include <stddef.h>
#include <stdint.h>

#include "core/base/err.h"
#include "machine_measured.h"

enum pingpong_op {
#define PINGPONG_OP(name, who) PINGPONG_##name,
#include "pingpong_ops.def"
#undef PINGPONG_OP
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

#endif
