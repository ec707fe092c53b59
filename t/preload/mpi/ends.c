/* Programs that do not go to their end, or not all the way traced. ends HOW
 *   pcontrol   records are off for a while; a communicator is made meanwhile
 *   many       enough events to spill
 *   abort      MPI_Abort on rank 1 after many events; kill: rank 1 kills itself so that nothing can be saved;
 *   segv       rank 1 writes to nowhere; exit: all leave without MPI_Finalize
 *   fork       half way a child of rank 0 leaves by exit(); then all go on
 */
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "said.h"

static char out[4096], in[4096];
static int next, previous;

static void round_of(int i, MPI_Comm comm, const char *name)
{
	int n = 10 * said_rank + i % 10 + 1, m = 10 * previous + i % 10 + 1;

	MPI_Sendrecv(out, n, MPI_CHAR, next, 1, in, sizeof in, MPI_CHAR, previous, 1, comm, MPI_STATUS_IGNORE);
	if (name) {
		said_send(next, n, name, 1);
		said_receive(previous, m, name, 1);
	}
}

int main(int argc, char **argv)
{
	const char *how = argc > 1 ? argv[1] : "many";
	int many = 6000;

	MPI_Init(&argc, &argv);
	said_begin();
	next = (said_rank + 1) % said_size;
	previous = (said_rank + said_size - 1) % said_size;
	if (strcmp(how, "pcontrol") == 0) {
		MPI_Comm dup;

		round_of(0, MPI_COMM_WORLD, "world");
		MPI_Pcontrol(0);
		for (int i = 0; i < 5; i++)
			round_of(i, MPI_COMM_WORLD, NULL);
		MPI_Comm_dup(MPI_COMM_WORLD, &dup);
		said_work(2000);
		MPI_Pcontrol(1);
		round_of(1, dup, "dup");
		round_of(2, MPI_COMM_WORLD, "world");
		many = 0;
	}
	for (int i = 0; i < many; i++) {
		if (i == 50 && said_rank == 0 && strcmp(how, "fork") == 0) {
			pid_t child = fork();

			if (child == 0)
				exit(0);
			waitpid(child, NULL, 0);
		}
		round_of(i, MPI_COMM_WORLD, "world");
	}
	if (strcmp(how, "exit") == 0)
		exit(3);
	if (said_rank == 1 && strcmp(how, "abort") == 0)
		MPI_Abort(MPI_COMM_WORLD, 3);
	if (said_rank == 1 && strcmp(how, "kill") == 0)
		kill(getpid(), SIGKILL);
	if (said_rank == 1 && strcmp(how, "segv") == 0)
		*(volatile int *)(void *)getenv("NO SUCH VARIABLE") = 1;
	if (strcmp(how, "abort") == 0 || strcmp(how, "kill") == 0 || strcmp(how, "segv") == 0)
		sleep(60);
	said_end();
	MPI_Finalize();
	return 0;
}
