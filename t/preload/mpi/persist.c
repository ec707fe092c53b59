/* Persistent requests of all kinds, inactive ones among those waited for, cancelled and freed ones.
 * persist [ROUNDS [WORK_US]] */
#include "said.h"

int main(int argc, char **argv)
{
	static char out[4][256], in[4][256], buffer[1 << 16];
	MPI_Request r[6];
	int rounds, work, next, previous, n[4], m[4];

	MPI_Init(&argc, &argv);
	said_begin();
	rounds = said_argument(argc, argv, 1, 4);
	work = said_argument(argc, argv, 2, 0);
	next = (said_rank + 1) % said_size;
	previous = (said_rank + said_size - 1) % said_size;
	MPI_Buffer_attach(buffer, sizeof buffer);
	for (int i = 0; i < 4; i++) {
		n[i] = 10 * said_rank + i + 1;
		m[i] = 10 * previous + i + 1;
	}
	MPI_Recv_init(in[0], 256, MPI_CHAR, previous, MPI_ANY_TAG, MPI_COMM_WORLD, &r[0]);
	MPI_Recv_init(in[1], 256, MPI_CHAR, MPI_ANY_SOURCE, 11, MPI_COMM_WORLD, &r[1]);
	MPI_Send_init(out[0], n[0], MPI_CHAR, next, 10, MPI_COMM_WORLD, &r[2]);
	MPI_Ssend_init(out[1], n[1], MPI_CHAR, next, 11, MPI_COMM_WORLD, &r[3]);
	MPI_Send_init(out[2], n[2], MPI_CHAR, MPI_PROC_NULL, 12, MPI_COMM_WORLD, &r[4]);
	MPI_Bsend_init(out[3], n[3], MPI_CHAR, next, 13, MPI_COMM_WORLD, &r[5]);
	for (int i = 0; i < rounds; i++) {
		MPI_Request b;

		said_work(work);
		MPI_Startall(5, r);
		said_send(next, n[0], "world", 10);
		said_send(next, n[1], "world", 11);
		MPI_Waitall(5, r, MPI_STATUSES_IGNORE);
		said_receive(previous, m[0], "world", 10);
		said_receive(previous, m[1], "world", 11);
		MPI_Irecv(in[3], 256, MPI_CHAR, previous, 13, MPI_COMM_WORLD, &b);
		MPI_Start(&r[5]);
		said_send(next, n[3], "world", 13);
		/* r[0] and r[1] are not active: nothing comes of them. */
		MPI_Wait(&r[0], MPI_STATUS_IGNORE);
		MPI_Wait(&r[1], MPI_STATUS_IGNORE);
		MPI_Wait(&r[5], MPI_STATUS_IGNORE);
		MPI_Wait(&b, MPI_STATUS_IGNORE);
		said_receive(previous, m[3], "world", 13);
	}
	for (int i = 0; i < 6; i++)
		MPI_Request_free(&r[i]);
	/* A cancelled receive receives nothing; the next one of that handle is one of its own. */
	for (int i = 0; i < 3; i++) {
		MPI_Status s;
		MPI_Request c;

		MPI_Irecv(in[0], 256, MPI_CHAR, previous, 99, MPI_COMM_WORLD, &c);
		MPI_Cancel(&c);
		MPI_Wait(&c, &s);
		MPI_Irecv(in[0], 256, MPI_CHAR, previous, 98, MPI_COMM_WORLD, &c);
		MPI_Send(out[0], 30 + i, MPI_CHAR, next, 98, MPI_COMM_WORLD);
		said_send(next, 30 + i, "world", 98);
		MPI_Wait(&c, &s);
		said_receive(previous, 30 + i, "world", 98);
	}
	said_end();
	MPI_Finalize();
	return 0;
}
