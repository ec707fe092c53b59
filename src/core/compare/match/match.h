/* Which phases of two runs correspond (docs/internals/compare-rules.md, "Corresponding phases"). Compare, diff, study
 * and the workbench all ask this one.
 *
 *     phase_match_new(&m, a, b, progress, &e);           a, b: struct run_phases, which must outlive it
 *     for (i = 0; i < m->count; i++) ... m->groups[i] ...
 *     phase_match_free(m);
 *
 * Ids never count, except for the order in which phases appeared. Between equal numbers of processes the cells of
 * phases are compared, otherwise the roles of their rows. The result is groups of phases of A and of B; most have one
 * of each. Every one of the PHASE_MATCH_MOST heaviest phases of a side is in exactly one group; the lighter ones are
 * `others`, as a sum.
 */
#ifndef PAS2P_CORE_COMPARE_MATCH_MATCH_H
#define PAS2P_CORE_COMPARE_MATCH_MATCH_H

#include "core/method/analysis/analysis.h"
#include "core/models/graph/program_model.h"
#include "core/io/out.h"
#include "core/models/fit/measurements.h"
#include "core/method/analysis/run_phases.h"
#include "core/base/progress.h"

/* ---- steps ---- */

/* What each process does in one occurrence of a phase, in the words of the language of models
 * (docs/explain/models-language.md, "Phases as models").
 *
 * A process's part begins with its first send or collective of the occurrence and ends before its first one behind
 * it, as its time does (docs/explain/method.md, "Entry, exit and duration"); receives between them belong to it. A step
 * is a message, a collective or nothing, and what is computed after it.
 *
 * Left out are receives whose message was sent before the occurrence, and messages from or to whoever is not known.
 * Sends that are received later stay: a sender does not wait. Collectives of a part of the processes are said by
 * messages, since the language has none: each of q members sends to the one 1, 2, 4 ... places after it and receives
 * from the one as many before it, so that none leaves before all are there. Their tag is -1. So a receive waits for
 * nothing that is sent later: the steps cannot deadlock.
 *
 * For a trace that the ranks of a team share (core/trace/remote.h) all ranks come to phase_steps_init(), which is a
 * collective step, and rank 0 has the steps: events are then those of what it was told (match_int.h). On the others
 * there is nothing to be read.
 */

#define STEPS_TAG (-1) /* of messages that stand for a collective */

struct phase_step {
	bool lead;         /* of messages that stand for a collective: the first of its first member */
	uint8_t kind;      /* enum model_node_kind: NODE_SEND, NODE_RECV, a collective; NODE_COMPUTE: nothing */
	int32_t tag;
	uint32_t peer;     /* of messages */
	uint64_t bytes;    /* of collectives the most of any member; 0 where it is not known */
	uint32_t op;       /* of collectives: index into the trace's, where its name is not the kind's; otherwise UINT32_MAX */
	uint32_t event;    /* that it comes from */
	double compute;    /* what passes after it but for messages, s */
};

struct phase_steps {
	const struct trace *trace;    /* whose events they are */
	struct trace *cut;            /* the same, if it is one's own; otherwise NULL */
	uint32_t occurrence;          /* index into the phases' occurrences */
	uint32_t process_count;
	uint32_t *from, *to;          /* per process: its events of the occurrence */
	struct phase_step *step;      /* process by process */
	size_t *first;                /* process_count + 1 */
	uint64_t left_receives;       /* whose message was sent before */
	uint64_t left_unknown;        /* messages whose other end is not known */
	uint64_t left_alone;          /* collectives of one process, or whose members are not all in the occurrence */
	uint64_t apart;               /* collectives of a part of the processes */
	uint64_t unreceived;          /* messages that are received after it, or never */
};

/* ERR_MEMORY, ERR_CANCELLED. To be released in any case. */
enum err_code phase_steps_init(struct phase_steps *s, const struct analysis *a, uint32_t occurrence,
			       const struct progress *progress, struct err *e);
void phase_steps_release(struct phase_steps *s);
/* The trace goes, and the steps stay. */
void phase_steps_leave_trace(struct phase_steps *s);

/* ---- classes ---- */

/* Processes that do the same in an occurrence: their steps are one branch of its graph
 * (docs/explain/models-language.md, "Phases as models").
 *
 * Two do the same if their steps have the same kinds, bytes and tags, and whom they talk to can be said for both in
 * one way: a rank, a distance from the own rank, a sum with it, or a distance around a ring of all. What they compute
 * may differ: a class has the means.
 */

enum peer_how {
	PEER_RANK,     /* value */
	PEER_DISTANCE, /* rank + value */
	PEER_SUM,      /* value - rank */
	PEER_AROUND    /* rank + value, and after the last process the first; value from -p/2 to p/2 */
};

struct class_step {
	const struct phase_step *what;   /* of the class's first process */
	uint8_t how;
	int64_t peer;
	double compute;                  /* mean over its processes */
};

struct phase_class {
	const uint32_t *member;          /* processes, ascending */
	uint32_t count;
	struct class_step *step;
	size_t steps;
};

struct phase_classes {
	struct phase_class *items;       /* by first process; processes without a step are in none */
	uint32_t count;
	uint32_t *order;                 /* processes, class by class */
	struct class_step *steps;
};

/* The steps must outlive them. ERR_MEMORY. */
enum err_code phase_classes_init(struct phase_classes *c, const struct phase_steps *s, struct err *e);
void phase_classes_release(struct phase_classes *c);

/* ---- costs ---- */

/* What messages and collectives took in occurrence, as functions of their bytes (docs/explain/models-language.md,
 * "Phases as models"): one law fits them (core/models/fit/fit.h).
 *
 * A trace has the moment of each send, the end of each receive and the begin of each collective, and what is computed
 * after each. Therefore:
 *
 * send   from the send to the next event's begin, less what is computed; where the next event is no receive, since
 *        that may wait
 * recv   from the send to the end of the receive, of those that wait for it already; where none does, the least of any.
 *        Of collectives that messages stand for, a round of theirs
 * copy   of a receive that begins when its message has been sent for longer than `recv`: its length
 * NAME   of a collective: from when its last member comes to where a member goes on, if no receive follows
 *
 * What cannot be seen in the occurrences takes no time. Clocks that are apart can make a time negative: it counts as
 * 0.
 *
 *     phase_costs_init(&c, &e);
 *     phase_costs_add(&c, &steps, progress, &e); ...  each occurrence; its trace may go behind that
 *     phase_costs_fit(&c, progress, &e);
 *     phase_costs_write(&c, &out);                     "  send(b): ..." lines
 *     phase_costs_release(&c);                         in any case
 */

/* Measurements by what they are of: a kind of node; of receives the least of any, how long they took by how long their
 * message had been there, and copies. */
enum { COSTS_ANY_TRANSFER = NODE_KINDS, COSTS_RECEIVES, COSTS_COPIES, COSTS_MEASURED };

struct phase_costs {
	struct measurements measured[COSTS_MEASURED];
	bool used[NODE_KINDS];
	struct out function[NODE_KINDS]; /* by kind: an expression or pieces in `b`; empty: there are none */
	struct out copy;                 /* with recv */
};

enum err_code phase_costs_init(struct phase_costs *c, struct err *e);
enum err_code phase_costs_add(struct phase_costs *c, const struct phase_steps *s, const struct progress *progress, struct err *e);
enum err_code phase_costs_fit(struct phase_costs *c, const struct progress *progress, struct err *e);
void phase_costs_write(const struct phase_costs *c, struct out *out);
void phase_costs_release(struct phase_costs *c);

/* ---- similarity ---- */

/* How similar two phases of two runs are: S (docs/internals/compare-rules.md, "Corresponding phases").
 *
 * Between equal numbers of processes rows are compared cell by cell, otherwise by roles. S is a number from 0 to 1, and
 * 1 for equal content. Rows of both runs are interned first, so that most of what is compared many times is compared
 * once.
 *
 * Similarities of rows are whole multiples of 2^-40: so sums of them do not depend on the order of processes or rows,
 * and what is equally similar is found to be.
 */

/* The least S of phases that correspond. */
#define PHASE_LEAST_BY_CELLS 0.5
#define PHASE_LEAST_BY_ROLES 0.4

/* The phases of two runs, prepared to be compared with each other. Not for several threads at once. */
struct phase_measure;
enum err_code phase_measure_new(struct phase_measure **out, const struct run_phases *a, const struct run_phases *b, struct err *e);
void phase_measure_free(struct phase_measure *m); /* NULL is fine */

/* *s: S of a->list[x] and b->list[y] where it is `least` or more, otherwise 0; impossible pairs cost little.
 * ERR_CANCELLED. */
enum err_code phase_measure_pair(struct phase_measure *m, uint32_t x, uint32_t y, double least, double *s, const struct progress *progress,
				 struct err *e);

/* Of two rows by roles alone. */
double role_row_similarity(const struct content_row *x, double mean_message_x, const struct content_row *y, double mean_message_y);

/* ---- match ---- */

#define PHASE_MATCH_MOST 1000

/* A phase or several that correspond as one: weights add up, times are means over all occurrences. */
struct phase_side {
	uint32_t *ids;            /* ascending; none: only the other side has it */
	uint32_t count;
	uint64_t weight;
	double time, compute;     /* s; 0 without phases */
	double total;             /* sum of weight * time, s */
};

enum phase_matched {
	MATCHED_IN_ORDER, MATCHED_OUT_OF_ORDER, /* how the pair was found that the group grew from */
	MATCHED_ONLY_A, MATCHED_ONLY_B
};

struct phase_group {
	enum phase_matched how;
	uint32_t pair_a, pair_b;  /* its ids; 0: none */
	double similarity;        /* S of that pair; NAN: only on one side */
	struct phase_side a, b;
};

struct phase_match {
	struct arena arena;
	const struct run_phases *a, *b;
	struct phase_group *groups; /* with both sides, in order of their first ids of A; then only A, only B, each in order of ids */
	uint32_t count;
	uint32_t both, only_a, only_b; /* how many of each */
	struct phase_side others_a, others_b; /* ids and what they add up to */
};

enum err_code phase_match_new(struct phase_match **out, const struct run_phases *a, const struct run_phases *b,
			      const struct progress *progress, struct err *e);
void phase_match_free(struct phase_match *m); /* NULL is fine */

/* The phase of A or B that a group is called by: of the pair that it grew from, or the only one. NULL: there is none, or several. */
const struct run_phase *phase_group_named(const struct run_phases *r, const struct phase_group *g, bool of_b);

/* Share of a run's AET in groups with both sides; NAN without an AET above 0. */
double phase_match_share(const struct phase_match *m, bool of_b);

#endif
