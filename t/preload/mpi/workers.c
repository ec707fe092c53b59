/* A master hands out work to whoever asks, with wildcards, probes and matched probes. workers [TASKS [WORK_US]] */
#include "said.h"

#define ASK 1
#define TASK 2
#define STOP 3

static char buf[65536];

static int size_of(int source, int dest, int count)
{
	return 1000 * source + 100 * dest + count % 90 + 1;
}

static void master(int tasks)
{
	int given[64] = {0}, asked[64] = {0}, working = said_size - 1;

	for (int i = 0; working; i++) {
		MPI_Status s;
		MPI_Message m;
		int n, tag;

		if (i % 3 == 0) {
			MPI_Recv(buf, sizeof buf, MPI_CHAR, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &s);
		} else if (i % 3 == 1) {
			MPI_Probe(MPI_ANY_SOURCE, ASK, MPI_COMM_WORLD, &s);
			MPI_Recv(buf, sizeof buf, MPI_CHAR, s.MPI_SOURCE, ASK, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
		} else {
			MPI_Mprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &m, &s);
			MPI_Mrecv(buf, sizeof buf, MPI_CHAR, &m, MPI_STATUS_IGNORE);
		}
		said_receive(s.MPI_SOURCE, size_of(s.MPI_SOURCE, 0, asked[s.MPI_SOURCE]++), "world", ASK);
		tag = tasks-- > 0 ? TASK : STOP;
		n = size_of(0, s.MPI_SOURCE, given[s.MPI_SOURCE]++);
		MPI_Ssend(buf, n, MPI_CHAR, s.MPI_SOURCE, tag, MPI_COMM_WORLD);
		said_send(s.MPI_SOURCE, n, "world", tag);
		working -= tag == STOP;
	}
}

static void worker(int work)
{
	MPI_Status s = {.MPI_TAG = TASK};

	for (int i = 0; s.MPI_TAG != STOP; i++) {
		int n = size_of(said_rank, 0, i), flag = 0;
		MPI_Message m;
		MPI_Request r;

		MPI_Send(buf, n, MPI_CHAR, 0, ASK, MPI_COMM_WORLD);
		said_send(0, n, "world", ASK);
		if (i % 2) {
			MPI_Recv(buf, sizeof buf, MPI_CHAR, 0, MPI_ANY_TAG, MPI_COMM_WORLD, &s);
		} else {
			while (!flag)
				MPI_Improbe(0, MPI_ANY_TAG, MPI_COMM_WORLD, &flag, &m, &s);
			MPI_Imrecv(buf, sizeof buf, MPI_CHAR, &m, &r);
			MPI_Wait(&r, MPI_STATUS_IGNORE);
		}
		said_receive(0, size_of(0, said_rank, i), "world", s.MPI_TAG);
		said_work(work);
	}
}

int main(int argc, char **argv)
{
	MPI_Init(&argc, &argv);
	said_begin();
	if (said_rank == 0)
		master(said_argument(argc, argv, 1, 20));
	else
		worker(said_argument(argc, argv, 2, 0));
	said_end();
	MPI_Finalize();
	return 0;
}
