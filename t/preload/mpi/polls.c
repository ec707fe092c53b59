/* Polls that find nothing: rank 0 tests and probes, every way there is, for messages that rank 1 sends only after
 * computing a while. Prints how many polls rank 0 made and how long it polled, in seconds: "polls 812345 in 1.2".
 */
#define _POSIX_C_SOURCE 200809L
#include "said.h"

#define ROUNDS 6
#define TAG 5

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

int main(int argc, char **argv)
{
	double x = 1, began;
	long polls = 0;
	int word = 7;

	MPI_Init(&argc, &argv);
	said_begin();
	if (said_rank == 1) {
		for (int round = 0; round < ROUNDS; round++) {
			MPI_Recv(&word, 1, MPI_INT, 0, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
			said_receive(0, 4, "world", TAG);
			for (began = now(); now() - began < 0.05;)
				x = x * 0.999 + 1e-3;
			MPI_Send(&x, 1, MPI_DOUBLE, 0, TAG, MPI_COMM_WORLD);
			said_send(0, 8, "world", TAG);
		}
	} else {
		double polling = 0;

		for (int round = 0; round < ROUNDS; round++) {
			MPI_Request request = MPI_REQUEST_NULL;
			MPI_Message message;
			int found = 0, index, done = 0, indices[1];

			MPI_Send(&word, 1, MPI_INT, 1, TAG, MPI_COMM_WORLD);
			said_send(1, 4, "world", TAG);
			if (round < 4)
				MPI_Irecv(&x, 1, MPI_DOUBLE, 1, TAG, MPI_COMM_WORLD, &request);
			for (began = now(); !found; polls++) {
				switch (round) {
				case 0: MPI_Test(&request, &found, MPI_STATUS_IGNORE); break;
				case 1: MPI_Testany(1, &request, &index, &found, MPI_STATUS_IGNORE); break;
				case 2: MPI_Testall(1, &request, &found, MPI_STATUSES_IGNORE); break;
				case 3:
					MPI_Testsome(1, &request, &done, indices, MPI_STATUSES_IGNORE);
					found = done > 0;
					break;
				case 4: MPI_Iprobe(1, TAG, MPI_COMM_WORLD, &found, MPI_STATUS_IGNORE); break;
				default: MPI_Improbe(1, TAG, MPI_COMM_WORLD, &found, &message, MPI_STATUS_IGNORE);
				}
			}
			polling += now() - began;
			if (round == 4)
				MPI_Recv(&x, 1, MPI_DOUBLE, 1, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
			else if (round == 5)
				MPI_Mrecv(&x, 1, MPI_DOUBLE, &message, MPI_STATUS_IGNORE);
			said_receive(1, 8, "world", TAG);
		}
		printf("polls %ld in %f\n", polls, polling);
	}
	said_end();
	MPI_Finalize();
	return 0;
}
