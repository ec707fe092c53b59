/* Relating a trace's events: sends to receives, FIFO per channel, and the calls of a collective to each other (docs/method.md 1.1).
 *
 * trace_relate() fills match[], counts events by kind, communicator and what is left without a relation, and notes what
 * is odd. It runs on t->threads threads; what comes out does not depend on how many. The job is told how far messages are;
 * a stop is not asked for, since what was read before one is a whole trace only once it is related.
 */
#ifndef PAS2P_RELATE_H
#define PAS2P_RELATE_H

#include "core/base/job.h"
#include "trace.h"

/* A message whose partner's communicator is not its own: the remote side of an intercommunicator. */
struct remote_message {
	uint32_t process, number; /* number from 0 within its process */
	uint32_t comm;            /* the partner's side */
};

/* `remote` is sorted in place; it may be NULL if there are none. */
enum err_code trace_relate(struct trace *t, struct remote_message *remote, size_t count, const struct job *job, struct err *e);

/* Its two halves, each in a file of its own. */
enum err_code relate_messages(struct trace *t, struct remote_message *remote, size_t count, const struct job *job, struct err *e);
enum err_code relate_collectives(struct trace *t, struct err *e);

#endif
