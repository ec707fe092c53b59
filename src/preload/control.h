/* Control: what the preloaded library does for the checkpoint runner.
 *
 * The same library serves two modes, told apart by the environment:
 *
 *     PAS2P_TRACE=FILE   trace mode: the wrappers write records (preload.h); nothing here is called
 *     PAS2P_CONTROL=...  control mode: no records; calls are counted, and the hooks below are called
 *
 * "Counted calls" are those that docs/explain/method.md, "Entry, exit and duration" numbers, per process and over all
 * its threads: sends that are not to MPI_PROC_NULL (a persistent one when it is started, each of a Startall by itself;
 * Sendrecv once), and outermost collectives over more than one process. Fortran included. MPI_Pcontrol does not stop
 * the counting.
 *
 * Who calls what: the wrappers call these; control.c implements them. With more than one thread, numbers are
 * given out in the order in which control_before() is called: the wrappers hold a lock over taking the number and the
 * call of control_before(), so it never runs twice at once, and n grows by one from call to call. Blocking in it
 * thus stops every thread at its next counted call. control_after(), control_blocked() may be called from any thread,
 * unlocked.
 *
 *     MPI_Init        control_init(rank, size)         MPI is usable, nothing counted yet
 *     a counted call  control_before(n); control_blocked(true); PMPI_...; control_blocked(false); control_after(n)
 *     other blocking  control_blocked(true); PMPI_Wait...; control_blocked(false)
 *     a poll          PMPI_Test...; control_polled() if it found nothing
 *     MPI_Finalize    control_finalize()               before PMPI_Finalize
 */
#ifndef PAS2P_CONTROL_H
#define PAS2P_CONTROL_H

#include <stdbool.h>
#include <stdint.h>

/* Is PAS2P_CONTROL set? Asked once, at MPI_Init. */
bool control_active(void);

/* Whether collectives are numbered too: not where the phase table was made without them. Set by control_init(). */
extern bool control_collectives;

/* At the end of MPI_Init and MPI_Init_thread. */
void control_init(int rank, int size);

/* The process is about to make its counted call number n, from 1. */
void control_before(uint64_t n);

/* Counted call number n has returned. For a Startall of several sends: before and after of each number run around
 * the one call, all the befores first. */
void control_after(uint64_t n);

/* Around every outermost MPI call that can wait for another process: true on entry, false on return. */
void control_blocked(bool inside);

/* After every poll (Test, Iprobe and the like) that found nothing. */
void control_polled(void);

/* Before PMPI_Finalize. */
void control_finalize(void);

#endif
