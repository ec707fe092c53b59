/* A team of threads in one process: the same collective steps as in an MPI job, without MPI.
 *
 * team_threads_run() starts `size` threads, calls run(arg, team) on each with its own team, and returns when all have
 * returned. False: no memory, or no threads.
 */
#ifndef PAS2P_TEAM_THREADS_H
#define PAS2P_TEAM_THREADS_H

#include <stdbool.h>

#include "core/team/team.h"

bool team_threads_run(uint32_t size, void (*run)(void *arg, const struct team *team), void *arg);

#endif
