/* The clocks of a process, as a probe reads them, and what a reading of each is like. */
#ifndef PAS2P_PROBE_H
#define PAS2P_PROBE_H

#include <mpi.h>
#include <stdbool.h>
#include <stdint.h>

/* Choose what clock_stamp() reads: "monotonic", "raw", "realtime", "tsc" or "mpi". False: there is no such clock
 * here. */
bool clock_choose(const char *name);

/* For tests, from PAS2P_CLOCK_SKEW "OFFSET,RATE": this process's clock is ahead by so many seconds, times `rank`, and
 * gains. */
void clock_skew(int rank);

/* Now is this clock's zero. What it shows, ns. */
int64_t clock_set_zero(void);

/* A skewed clock gains from the reference's zero on, so that its offset there is known; both zeros as they were
 * shown. */
void clock_skew_from(int64_t reference, int64_t own);

/* ns since the zero; before it is set, of CLOCK_MONOTONIC itself. */
double clock_stamp(void);

/* CLOCK_MONOTONIC, s: to wait by. */
double clock_seconds(void);
void clock_sleep(double seconds);

struct clock_look {
	char name[16];
	double resolution, cost, cost_cold; /* s */
};
#define CLOCK_LOOKS 5
/* tsc and tsc-divided, the same as seconds (if there is one), clock_gettime, MPI_Wtime, gettimeofday. Returns how many.
 * seconds: about as long as it may take. */
int clock_look(struct clock_look look[CLOCK_LOOKS], double seconds);
double clock_interruption(double seconds); /* s, the largest gap between two readings meanwhile */

/* The TSC against CLOCK_MONOTONIC: begin, and Hz with its error after a while. NAN: none. */
void clock_frequency_begin(void);
double clock_frequency(double *error);

/* What programs of ours in the ranks have in common: waiting without keeping a processor busy, which somebody who
 * measures may need. */

void *must(void *p);                /* p, or the job ends for lack of memory */
void meet(MPI_Comm comm);           /* till all are here */
void receive_asleep(void *to, int bytes, int from, int tag, MPI_Comm comm); /* of MPI_BYTE */

#endif
