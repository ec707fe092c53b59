/* Two threads that each go round a ring of their own, with MPI_THREAD_MULTIPLE. Without it the program says so by
 * ending with 77. The order between the threads is the machine's. threads [ROUNDS] */
#include <pthread.h>

#include "said.h"

static int rounds, next, previous;
static MPI_Comm comms[2];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *go_round(void *argument)
{
	int t = *(int *)argument;
	const char *name = t ? "thread1" : "thread0";
	char out[2048], in[2048];

	memset(out, 0, sizeof out);
	for (int i = 0; i < rounds; i++) {
		MPI_Request r;
		int sum, one = 1;

		MPI_Irecv(in, sizeof in, MPI_CHAR, previous, 5, comms[t], &r);
		MPI_Send(out, 200 * t + 20 * said_rank + i % 20 + 1, MPI_CHAR, next, 5, comms[t]);
		MPI_Wait(&r, MPI_STATUS_IGNORE);
		MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, comms[t]);
		pthread_mutex_lock(&lock);
		said_send(next, 200 * t + 20 * said_rank + i % 20 + 1, name, 5);
		said_receive(previous, 200 * t + 20 * previous + i % 20 + 1, name, 5);
		if (said_size > 1)
			said_collective("Allreduce", 4, name);
		pthread_mutex_unlock(&lock);
	}
	return NULL;
}

int main(int argc, char **argv)
{
	int provided, id[2] = {0, 1};
	pthread_t threads[2];

	MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
	said_begin();
	if (provided < MPI_THREAD_MULTIPLE) {
		MPI_Finalize();
		return 77;
	}
	rounds = said_argument(argc, argv, 1, 50);
	next = (said_rank + 1) % said_size;
	previous = (said_rank + said_size - 1) % said_size;
	for (int i = 0; i < 2; i++)
		MPI_Comm_dup(MPI_COMM_WORLD, &comms[i]);
	for (int i = 0; i < 2; i++)
		pthread_create(&threads[i], NULL, go_round, &id[i]);
	for (int i = 0; i < 2; i++)
		pthread_join(threads[i], NULL);
	said_end();
	MPI_Finalize();
	return 0;
}
