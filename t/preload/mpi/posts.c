/* Roots, and numbers of what is begun and completed later: receives by every completing call, out of order, cancelled,
 * freed, from nobody; nonblocking collectives, on several communicators, some complete at once; persistent receives;
 * what was begun while records were off. Says the numbers that the trace must have: lines "rank,post,N", "rank,done,N",
 * and "rank,root,OP,ROOT". posts [ROUNDS]; posts empty: collectives that are complete at once, whose handles MPI
 * libraries use for others too. */
#include "said.h"

static int posted;

static int post(void)
{
	char line[64];

	snprintf(line, sizeof line, "%d,post,%d\n", said_rank, ++posted);
	said_line(line);
	return posted;
}

static void done(int number)
{
	char line[64];

	snprintf(line, sizeof line, "%d,done,%d\n", said_rank, number);
	said_line(line);
}

static void root(const char *op, int of)
{
	char line[64];

	snprintf(line, sizeof line, "%d,root,%s,%d\n", said_rank, op, of);
	said_line(line);
}

#define W MPI_COMM_WORLD
#define NO MPI_STATUS_IGNORE
static char in[8][64], out[64];
static int a[64], b[64];
static int next, previous;

static void receives(void)
{
	MPI_Request r[8];
	MPI_Status s[8];
	int n[8], index, flag, count, indices[8];

	/* In the array's order, whatever that of the posts. */
	for (int i = 0; i < 4; i++) {
		MPI_Irecv(in[i], 64, MPI_CHAR, previous, i, W, &r[3 - i]);
		n[3 - i] = post();
	}
	MPI_Irecv(in[4], 64, MPI_CHAR, MPI_PROC_NULL, 4, W, &r[4]);
	for (int i = 0; i < 4; i++)
		MPI_Send(out, 10 + i, MPI_CHAR, next, i, W);
	MPI_Waitall(5, r, MPI_STATUSES_IGNORE);
	for (int i = 0; i < 4; i++)
		done(n[i]);
	/* One after the other, as they come: the second tag first. */
	for (int i = 0; i < 2; i++) {
		MPI_Irecv(in[i], 64, MPI_CHAR, MPI_ANY_SOURCE, i, W, &r[i]);
		n[i] = post();
	}
	MPI_Send(out, 10, MPI_CHAR, next, 1, W);
	MPI_Waitany(2, r, &index, NO);
	done(n[index]);
	MPI_Send(out, 10, MPI_CHAR, next, 0, W);
	do
		MPI_Testany(2, r, &index, &flag, NO);
	while (!flag);
	done(n[index]);
	for (int i = 0; i < 2; i++) {
		MPI_Irecv(in[i], 64, MPI_CHAR, previous, i, W, &r[i]);
		n[i] = post();
		MPI_Send(out, 10, MPI_CHAR, next, i, W);
	}
	do {
		MPI_Testsome(2, r, &count, indices, s);
		for (int k = 0; k < count && count != MPI_UNDEFINED; k++)
			done(n[indices[k]]);
	} while (count == 0);
	while (r[0] != MPI_REQUEST_NULL || r[1] != MPI_REQUEST_NULL) {
		MPI_Waitsome(2, r, &count, indices, MPI_STATUSES_IGNORE);
		for (int k = 0; k < count; k++)
			done(n[indices[k]]);
	}
	MPI_Irecv(in[0], 64, MPI_CHAR, previous, 9, W, &r[0]);
	n[0] = post();
	MPI_Cancel(&r[0]);
	MPI_Wait(&r[0], NO);
	done(n[0]);
	MPI_Irecv(in[0], 64, MPI_CHAR, previous, 8, W, &r[0]);
	n[0] = post();
	MPI_Send(out, 10, MPI_CHAR, next, 8, W);
	do
		MPI_Test(&r[0], &flag, NO);
	while (!flag);
	done(n[0]);
}

static void persistent(void)
{
	MPI_Request r[4];
	int n[3];

	for (int i = 0; i < 2; i++)
		MPI_Recv_init(in[i], 64, MPI_CHAR, previous, i, W, &r[i]);
	MPI_Send_init(out, 20, MPI_CHAR, next, 1, W, &r[2]);
	MPI_Recv_init(in[3], 64, MPI_CHAR, MPI_PROC_NULL, 0, W, &r[3]);
	for (int round = 0; round < 3; round++) {
		MPI_Startall(4, r);
		n[0] = post();
		n[1] = post();
		MPI_Send(out, 21, MPI_CHAR, next, 0, W);
		MPI_Waitall(4, r, MPI_STATUSES_IGNORE);
		done(n[0]);
		done(n[1]);
		MPI_Start(&r[1]);
		n[1] = post();
		MPI_Send(out, 22, MPI_CHAR, next, 1, W);
		MPI_Wait(&r[1], NO);
		done(n[1]);
		MPI_Wait(&r[0], NO); /* not active */
	}
	for (int i = 0; i < 4; i++)
		MPI_Request_free(&r[i]);
}

static void collectives(MPI_Comm w, int size, int last)
{
	MPI_Request r[4];
	int n[4];

	MPI_Bcast(a, 4, MPI_INT, last, w);
	root("Bcast", last);
	MPI_Reduce(a, b, 4, MPI_INT, MPI_SUM, 0, w);
	root("Reduce", 0);
	MPI_Ibcast(a, 4, MPI_INT, last, w, &r[0]);
	n[0] = size > 1 ? post() : 0;
	root("Ibcast", last);
	MPI_Iallreduce(a, b, 4, MPI_INT, MPI_SUM, w, &r[1]);
	n[1] = size > 1 ? post() : 0;
	MPI_Igather(a, 1, MPI_INT, b + 32, 1, MPI_INT, 0, w, &r[2]);
	n[2] = size > 1 ? post() : 0;
	root("Igather", 0);
	MPI_Irecv(in[0], 64, MPI_CHAR, previous, 7, W, &r[3]);
	n[3] = post();
	MPI_Send(out, 10, MPI_CHAR, next, 7, W);
	MPI_Waitall(4, r, MPI_STATUSES_IGNORE);
	for (int i = 0; i < 4; i++)
		if (n[i])
			done(n[i]);
	MPI_Ibarrier(w, &r[0]);
	n[0] = size > 1 ? post() : 0;
	MPI_Wait(&r[0], NO);
	if (n[0])
		done(n[0]);
	/* The array's order again, and one of each kind of call. */
	for (int i = 0; i < 2; i++) {
		MPI_Ireduce(a, b + 8 * i, 4, MPI_INT, MPI_SUM, last, w, &r[1 - i]);
		n[1 - i] = size > 1 ? post() : 0;
		root("Ireduce", last);
	}
	MPI_Wait(&r[0], NO);
	if (n[0])
		done(n[0]);
	for (int flag = 0; !flag;)
		MPI_Test(&r[1], &flag, NO);
	if (n[1])
		done(n[1]);
}

/* What is complete when it is posted: the order of `done` is the MPI library's. */
static void empty(void)
{
	MPI_Request r[4];

	for (int i = 0; i < 5; i++) {
		MPI_Ibcast(a, 0, MPI_INT, i % said_size, W, &r[0]);
		done(post());
		root("Ibcast", i % said_size);
		MPI_Isend(out, 3, MPI_CHAR, MPI_PROC_NULL, 0, W, &r[2]);
		MPI_Wait(&r[2], NO);
		MPI_Ireduce(a, b, 0, MPI_INT, MPI_SUM, 0, W, &r[1]);
		done(post());
		root("Ireduce", 0);
		MPI_Ibcast(a, 0, MPI_INT, 0, W, &r[3]);
		done(post());
		root("Ibcast", 0);
		MPI_Irecv(in[0], 64, MPI_CHAR, MPI_PROC_NULL, 0, W, &r[2]);
		MPI_Waitall(4, r, MPI_STATUSES_IGNORE);
	}
}

int main(int argc, char **argv)
{
	MPI_Request r[2];
	MPI_Comm half;
	int rounds, n, size;

	MPI_Init(&argc, &argv);
	said_begin();
	rounds = said_argument(argc, argv, 1, 2);
	next = (said_rank + 1) % said_size;
	previous = (said_rank + said_size - 1) % said_size;
	MPI_Comm_split(W, said_rank % 3 == 0, said_size - said_rank, &half);
	MPI_Comm_size(half, &size);
	if (argc > 1 && strcmp(argv[1], "empty") == 0) {
		empty();
		rounds = 0;
	}
	for (int i = 0; i < rounds; i++) {
		receives();
		persistent();
		collectives(W, said_size, said_size - 1);
		collectives(half, size, size - 1);
		collectives(MPI_COMM_SELF, 1, 0);
	}
	/* Begun while records are off: it has no number, and does not take another's. */
	MPI_Pcontrol(0);
	MPI_Irecv(in[0], 64, MPI_CHAR, previous, 5, W, &r[0]);
	MPI_Ibarrier(W, &r[1]);
	MPI_Pcontrol(1);
	MPI_Send(out, 10, MPI_CHAR, next, 5, W);
	MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
	/* Completed while they are off: that is not said. */
	MPI_Irecv(in[0], 64, MPI_CHAR, previous, 6, W, &r[0]);
	post();
	MPI_Send(out, 10, MPI_CHAR, next, 6, W);
	MPI_Pcontrol(0);
	MPI_Wait(&r[0], NO);
	MPI_Pcontrol(1);
	MPI_Irecv(in[0], 64, MPI_CHAR, previous, 6, W, &r[0]);
	n = post();
	MPI_Send(out, 10, MPI_CHAR, next, 6, W);
	MPI_Wait(&r[0], NO);
	done(n);
	/* Given back before it is complete: nothing is pending any more. */
	MPI_Irecv(in[1], 64, MPI_CHAR, previous, 3, W, &r[0]);
	n = post();
	MPI_Request_free(&r[0]);
	done(n);
	MPI_Send(out, 10, MPI_CHAR, next, 3, W);
	MPI_Barrier(W);
	MPI_Comm_free(&half);
	said_end();
	MPI_Finalize();
	return 0;
}
