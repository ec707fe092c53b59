/* The account: where a process's time went (docs/metrics.md 1).
 *
 * Every moment between a process's first record and its last is of one kind, so kinds add up to `end - start`. Waiting
 * (sync) is the first seconds of a communication call; what is left of communication is transfer. All in seconds;
 * accounts add up.
 */
#ifndef PAS2P_ACCOUNT_H
#define PAS2P_ACCOUNT_H

#include <stdbool.h>

enum account_kind {
	ACCOUNT_USEFUL,    /* outside MPI and the tracer: the program computes */
	ACCOUNT_SEND, ACCOUNT_RECEIVE, ACCOUNT_WAIT, ACCOUNT_COLLECTIVE, /* communication, by the outermost call's group */
	ACCOUNT_OTHER_MPI,
	ACCOUNT_UNTRACED,  /* inside MPI_Pcontrol: nothing is known */
	ACCOUNT_TRACER,    /* outside MPI: the tracer writes its buffer */
	ACCOUNT_KINDS
};

/* Why a call waited. Ties go to the first. */
enum wait_reason { WAIT_LATE_SENDER, WAIT_LATE_RECEIVER, WAIT_COLLECTIVE, WAIT_REASONS };

struct account {
	double by_kind[ACCOUNT_KINDS];
	double by_reason[WAIT_REASONS];
	double hidden;     /* useful time under a pending nonblocking receive */
	double not_analysed; /* in calls that may wait for others, where it is not known whether it was waiting (not_analysed.h) */
	double not_analysed_transfer; /* of that: in communication */
};

void account_add(struct account *to, const struct account *from);
/* Of what kind the waiting in a call is whose time else is of that kind: to wait for others is communication, also where what they
 * do together is not, as with files. */
static inline enum account_kind account_waiting(enum account_kind kind)
{
	return kind == ACCOUNT_OTHER_MPI ? ACCOUNT_COLLECTIVE : kind;
}
static inline void account_call(struct account *a, enum account_kind kind, double time, double waiting)
{
	double elsewhere = account_waiting(kind) == kind ? 0 : waiting;

	a->by_kind[kind] += time - elsewhere;
	a->by_kind[account_waiting(kind)] += elsewhere;
}
double account_time(const struct account *a);          /* of all kinds */
double account_communication(const struct account *a); /* send, receive, wait, collective */
double account_sync(const struct account *a);
double account_transfer(const struct account *a);      /* communication - sync */
/* What people are shown beside `not_analysed`, which has parts of both: transfer and other MPI without it. */
double account_moving(const struct account *a);
double account_other_mpi(const struct account *a);

/* What a trace can say of overlap: of one process, or of all of them taken together. */
struct overlap_known {
	bool posts;        /* some receive was posted by a nonblocking call */
	bool nonblocking;  /* some call whose completion is not recorded: a nonblocking send or collective */
};
/* hidden / (hidden + communication); NAN where it is not defined or not known. */
double account_overlap(const struct account *a, struct overlap_known known);

#endif
