/* What a rank does outside of MPI, and how it ends. outside HOW
 *   sleep      rank 1 sleeps, the others wait for it      busy   all compute: as much processor time each
 *   none N     no MPI at all, exit status N
 *   half       rank 0 is in MPI_Init when rank 1 is killed before it, as its mark says (src/preload/job_marks.h)
 *   _exit N    all leave right behind MPI_Init, so that nothing can be saved; kill: likewise by SIGKILL
 *   after N    all is well, except for the exit status
 *   one N      rank 1 leaves by exit(N) while the others wait for it, who have written no record yet
 */
#include <mpi.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static double used(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void leave_before(void)
{
	const char *rank = getenv("OMPI_COMM_WORLD_RANK"), *mark = getenv("PAS2P_LOADED");
	struct stat st;

	if (!rank)
		rank = getenv("PMI_RANK");
	if (!rank || atoi(rank) != 1)
		return;
	while (!mark || stat(mark, &st) != 0 || st.st_size == 0)
		;
	kill(getpid(), SIGKILL);
}

int main(int argc, char **argv)
{
	const char *how = argc > 1 ? argv[1] : "busy";
	int rank, status = argc > 2 ? atoi(argv[2]) : 0;

	if (strcmp(how, "none") == 0)
		return status;
	if (strcmp(how, "half") == 0)
		leave_before();
	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	if (strcmp(how, "_exit") == 0)
		_exit(status);
	if (strcmp(how, "kill") == 0)
		kill(getpid(), SIGKILL);
	MPI_Barrier(MPI_COMM_WORLD);
	if (strcmp(how, "sleep") == 0 && rank == 1)
		usleep(300000);
	if (strcmp(how, "one") == 0 && rank == 1)
		exit(status);
	if (strcmp(how, "busy") == 0)
		for (double until = used() + 0.2; used() < until;)
			;
	MPI_Barrier(MPI_COMM_WORLD);
	MPI_Finalize();
	return status;
}
