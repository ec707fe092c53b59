/* Calls that may wait for others without anything here knowing how long (call_is_not_analysed()): one-sided
 * operations, calls of files, communicators and neighbours that the trace does not number, probes of unknown
 * messages, and MPI_Wait and its like where something of that may complete. Accounts have their time; here is which
 * functions it is in, so that nobody reads the waiting that is known as all that there is.
 */
#ifndef PAS2P_CORE_METRICS_WAITS_NOT_ANALYSED_H
#define PAS2P_CORE_METRICS_WAITS_NOT_ANALYSED_H

#include "waits.h"

#define NOT_ANALYSED_NAMED 3

struct not_analysed {
	uint64_t calls;          /* of account lists */
	uint32_t functions;      /* that they are of */
	struct {
		char name[48];   /* "MPI_Win_fence" */
		double seconds;
	} most[NOT_ANALYSED_NAMED]; /* those with most time, then by name; the first `functions` of them */
};

/* Where ranks share the trace it is a collective step, and all have the same. No time is above `most` s. ERR_MEMORY;
 * agreed. */
enum err_code not_analysed_find(struct not_analysed *n, const struct waits *waits, double most, struct err *e);

/* "MPI_Win_fence 53.1 %, MPI_Probe 2.9 % and 3 more": shares of so many seconds. NOT_ANALYSED_TEXT bytes; returns
 * text. */
#define NOT_ANALYSED_TEXT 256
char *not_analysed_text(const struct not_analysed *n, double whole, char *text);

/* Time in such a call beyond what was found to be waiting; of another call nothing. */
static inline double not_analysed_in_call(const struct call_log *log, uint32_t call, double sync)
{
	const struct logged_call *c = &log->calls[call];

	return call_is_not_analysed(log, call) ? c->end - c->start - sync : 0;
}

static inline void not_analysed_add(struct account *a, enum account_kind kind, double seconds)
{
	a->not_analysed += seconds;
	if (kind >= ACCOUNT_SEND && kind <= ACCOUNT_COLLECTIVE)
		a->not_analysed_transfer += seconds;
}

#endif
