/* Requests: what the completing call must know of the call that made them.
 *
 * Only requests that can put something into the trace when they complete or are started are remembered: receives,
 * collectives, persistent sends, receives and collectives, and MPI_Comm_idup. A completing call looks its requests up
 * before the MPI library sees them (it overwrites them), and logs those that completed, in the order in which the call
 * names them, with the source, tag and size that the status tells.
 *
 * Each nonblocking receive and collective has a number, from 1, each process its own. It stands where the thing is
 * begun: in the cargo of the start of MPI_Irecv, MPI_Ibcast and so on; for the persistent receives that a call starts,
 * in one event PAS2P_posted, the first number and how many follow on each other. And where it ends: with a message, in
 * the cargo of the start of the state MPE_Irecv_waited around that; without one (collectives, cancelled or freed
 * receives), in an event PAS2P_completed. 0: it has none, because nothing will come of it (MPI_PROC_NULL, collectives
 * of one process).
 */
#ifndef PAS2P_REQUESTS_H
#define PAS2P_REQUESTS_H

#include "call.h"

enum request_kind { REQUEST_NONE, REQUEST_RECEIVE, REQUEST_PERSISTENT_SEND, REQUEST_PERSISTENT_RECEIVE,
		    REQUEST_PERSISTENT_COLLECTIVE, REQUEST_EXCHANGE, REQUEST_IDUP,
		    REQUEST_COLLECTIVE };

struct request {
	uint64_t key;
	uint64_t serial;   /* tells it from a later request that the MPI library gave the same handle */
	enum request_kind kind;
	bool active;       /* persistent: started */
	bool cancelled;    /* MPI_Cancel was called */
	struct comm *cm;
	bool parts;        /* partitioned receive: what comes is known beforehand, and the status need not tell */
	enum call_id begins; /* persistent collective: the nonblocking one that MPI_Start makes of it */
	int peer, tag;     /* sends; receives in parts and of exchanges; persistent collective: peer is its root */
	int64_t bytes;
	MPI_Comm *made;    /* idup */
	uint32_t number;
	uint32_t post;     /* its number, while it is active; 0: none */
};

void request_add(MPI_Request handle, const struct request *r);

/* A nonblocking collective that the call has begun, with a number. */
void request_begun(MPI_Request handle, const struct call *c);

/* Message handles of Mprobe: which communicator. */
void message_add(MPI_Message message, struct comm *cm);
struct comm *message_take(MPI_Message message);

/* The message that a blocking receive got; false: none (MPI_PROC_NULL, or it cannot be named). */
bool received_of(struct received *got, struct comm *cm, MPI_Status *status);

#endif
