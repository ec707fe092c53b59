/* What the parts of one evaluation share: the point, the program, the machine, and what has gathered so far
 * (docs/models.md 8).
 *
 * Before a process's nodes are evaluated run_home() says where it is. Loads of resources are sums over all processes;
 * those of processors are gathered by process, and of the network here.
 */
#ifndef PAS2P_MODELS_RUN_H
#define PAS2P_MODELS_RUN_H

#include "evaluate.h"
#include "formula.h"
#include "other_machine.h"
#include "placement.h"
#include "program.h"
#include "recorder.h"
#include "transfers.h"

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

#endif
