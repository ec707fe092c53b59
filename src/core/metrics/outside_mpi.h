/* What a process did while it was outside of MPI: its time there is called computing, but a process that sleeps, or that
 * has to wait for a processor, does not compute. Where the trace has readings of the CPU clock and our tracer has told
 * how long the process waited (docs/tracer.md), these are told apart (docs/metrics.md 1). */
#ifndef PAS2P_OUTSIDE_MPI_H
#define PAS2P_OUTSIDE_MPI_H

#include "core/trace/trace.h"

enum outside_use {
	OUTSIDE_UNKNOWN,
	OUTSIDE_COMPUTING, /* it had a processor for at least half of its time outside of MPI */
	OUTSIDE_IDLE,      /* it did not, and did not want one: it slept, or waited for a file */
	OUTSIDE_SHARED     /* it did not, mostly because others had it */
};

/* useful, cpu: s outside of MPI, of wall time and of processor time; cpu NAN: there are no readings. */
enum outside_use outside_use(const struct process_node *node, double useful, double cpu);

const char *outside_use_name(enum outside_use use); /* "computing", "idle", "shared"; NULL: unknown */

/* "was idle outside MPI: 1.20 ms of processor time in 1.02 s", for OUTSIDE_IDLE and OUTSIDE_SHARED; "" for others.
 * Returns text, OUTSIDE_TEXT bytes. */
#define OUTSIDE_TEXT 128
char *outside_use_text(enum outside_use use, double useful, double cpu, char *text);

#endif
