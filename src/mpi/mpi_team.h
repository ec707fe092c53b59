/* The analysis as an MPI job: `mpirun -np 2 pas2p phases TRACE` (docs/internals/scale.md 2).
 *
 * A rank learns from what its launcher put into the environment that it is one, and of which MPI: OMPI_COMM_WORLD_SIZE
 * (Open MPI), PMIX_RANK with SLURM_NTASKS (srun --mpi=pmix), PMI_SIZE (MPICH's Hydra, srun --mpi=pmi2); or of none:
 * SLURM_STEP_NUM_TASKS alone (srun --mpi=none). PAS2P_JOB says it where that is wrong: openmpi, mpich, or none, for a
 * program that is alone whatever its environment says.
 */
#ifndef PAS2P_MPI_TEAM_H
#define PAS2P_MPI_TEAM_H

#include "core/base/err.h"
#include "core/team/team.h"

/* What the environment says, without MPI: enough to be silent by. */
struct mpi_place {
	const char *mpi;      /* "openmpi", "mpich"; NULL: of a job of ranks that no MPI brings together, which cannot be joined */
	uint32_t rank, size;  /* size 1: no job, or one of a single rank, which is no different */
};

/* ERR_USAGE: PAS2P_JOB is something else; the place is known all the same. */
enum err_code mpi_place(struct mpi_place *place, struct err *e);

/* Join the job that the place is in, of more than one rank. The team is one for the process's lifetime, until
 * mpi_team_leave() or team_stop(). ERR_IO: there is no plug-in for that MPI (and no team), or it does not work: a team that
 * is to be stopped. A rank for which interrupted() is true waits a second for the others, then the team is broken.
 * ERR_USAGE, the same on all ranks: there is no MPI. */
enum err_code mpi_team_join(const struct mpi_place *place, bool (*interrupted)(void), const struct team **team, struct err *e);
/* Tell the launcher that this rank, which could not join, ends with this status, and the job with it: the others would
 * wait for it for ever. Not all need to be told. */
void mpi_team_abandon(int status);

void mpi_team_leave(const struct team *team); /* all ranks come to it; NULL is fine */

#endif
