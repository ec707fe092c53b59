/* What each process does in one occurrence of a phase, in the words of the language of models (docs/models.md 9).
 *
 * A process's part begins with its first send or collective of the occurrence and ends before its first one behind
 * it, as its time does (docs/method.md 6.1); receives between them belong to it. A step is a message, a collective or
 * nothing, and what is computed after it.
 *
 * Left out are receives whose message was sent before the occurrence, and messages from or to whoever is not known.
 * Sends that are received later stay: a sender does not wait. Collectives of a part of the processes are said by
 * messages, since the language has none: each of q members sends to the one 1, 2, 4 ... places after it and receives
 * from the one as many before it, so that none leaves before all are there. Their tag is -1. So a receive waits for
 * nothing that is sent later: the steps cannot deadlock.
 *
 * Of a trace that the ranks of a team share (trace_far.h) all ranks come to phase_steps_init(), which meets, and rank 0
 * has the steps: events are then those of what it was told (phase_cut.h). On the others there is nothing to be read.
 */
#ifndef PAS2P_PHASE_STEPS_H
#define PAS2P_PHASE_STEPS_H

#include "core/analysis/analysis.h"
#include "core/models/program_model.h"

#define STEPS_TAG (-1) /* of messages that stand for a collective */

struct phase_step {
	bool lead;         /* of messages that stand for a collective: the first of its first member */
	uint8_t kind;      /* enum model_node_kind: NODE_SEND, NODE_RECV, a collective; NODE_COMPUTE: nothing */
	int32_t tag;
	uint32_t peer;     /* of messages */
	uint64_t bytes;    /* of collectives the most of any member; 0 where it is not known */
	uint32_t op;       /* of collectives: index into the trace's, where its name is not the kind's; else UINT32_MAX */
	uint32_t event;    /* that it comes from */
	double compute;    /* what passes after it but for messages, s */
};

struct phase_steps {
	const struct trace *trace;    /* whose events they are */
	struct trace *cut;            /* the same, if it is one's own; else NULL */
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
			       const struct job *job, struct err *e);
void phase_steps_release(struct phase_steps *s);
/* The trace goes, and the steps stay. */
void phase_steps_leave_trace(struct phase_steps *s);

#endif
