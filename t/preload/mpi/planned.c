/* What MPI 4 adds: persistent collectives, messages in parts, sends and receives in one request, counts of any size.
 * planned [ROUNDS] */
#include "said.h"

#if MPI_VERSION >= 4

#define W MPI_COMM_WORLD
#define NO MPI_INFO_NULL
#define PLANS 22

static int a[4096], b[4096];
static int next, previous;

/* Every persistent collective, started one by one and all at once, among them a send and a receive. */
static void collectives(int rounds)
{
	static const char *const ops[PLANS] = {"Ibcast", "Igather", "Iscatter", "Igatherv", "Iscatterv", "Iallgather",
		"Ialltoall", "Iallgatherv", "Ialltoallv", "Ialltoallw", "Ireduce", "Iallreduce", "Iscan", "Iexscan",
		"Ireduce_scatter_block", "Ireduce_scatter", "Ibarrier", "Ineighbor_allgather", "Ineighbor_alltoall",
		"Ineighbor_allgatherv", "Ineighbor_alltoallv", "Ineighbor_alltoallw"};
	int n = said_size, root = n - 1, me = said_rank == root, mine = said_rank + 1, total = n * (n + 1) / 2;
	int counts[64], displs[64], ones[64], steps[64], bytes[64], two[2] = {3, 4}, same[2] = {4, 3}, at[2] = {0, 4};
	int threes[2] = {3, 3};
	int dims[1] = {n}, periods[1] = {1};
	MPI_Aint far[2] = {0, 16};
	MPI_Datatype types[64];
	MPI_Request r[PLANS + 2];
	MPI_Comm ring;
	int k = 0;

	for (int i = 0; i < n; i++) {
		counts[i] = i + 1;
		displs[i] = i * (i + 1) / 2;
		ones[i] = 2;
		steps[i] = 2 * i;
		bytes[i] = 8 * i;
		types[i] = MPI_INT;
	}
	MPI_Cart_create(W, 1, dims, periods, 0, &ring);
	long sizes[PLANS] = {me ? 44 : 0, 12, me ? 20 * n : 0, 4 * mine, me ? 4 * total : 0, 24, 12 * n, 4 * mine, 8 * n,
		8 * n, 28, 36, 52, 56, 16 * n, 4 * total, 0, 12, 24, 12, 28, 28};

	MPI_Bcast_init(a, 11, MPI_INT, root, W, NO, &r[k++]);
	MPI_Gather_init(a, 3, MPI_INT, b, 3, MPI_INT, root, W, NO, &r[k++]);
	MPI_Scatter_init(a, 5, MPI_INT, b, 5, MPI_INT, root, W, NO, &r[k++]);
	MPI_Gatherv_init(a, mine, MPI_INT, b, counts, displs, MPI_INT, root, W, NO, &r[k++]);
	MPI_Scatterv_init(a, counts, displs, MPI_INT, b, mine, MPI_INT, root, W, NO, &r[k++]);
	MPI_Allgather_init_c(a, 6, MPI_INT, b, 6, MPI_INT, W, NO, &r[k++]);
	MPI_Alltoall_init(a, 3, MPI_INT, b, 3, MPI_INT, W, NO, &r[k++]);
	MPI_Allgatherv_init(a, mine, MPI_INT, b, counts, displs, MPI_INT, W, NO, &r[k++]);
	MPI_Alltoallv_init(a, ones, steps, MPI_INT, b, ones, steps, MPI_INT, W, NO, &r[k++]);
	MPI_Alltoallw_init(a, ones, bytes, types, b, ones, bytes, types, W, NO, &r[k++]);
	MPI_Reduce_init(a, b, 7, MPI_INT, MPI_SUM, root, W, NO, &r[k++]);
	MPI_Allreduce_init_c(a, b, 9, MPI_INT, MPI_SUM, W, NO, &r[k++]);
	MPI_Scan_init(a, b, 13, MPI_INT, MPI_SUM, W, NO, &r[k++]);
	MPI_Exscan_init(a, b, 14, MPI_INT, MPI_SUM, W, NO, &r[k++]);
	MPI_Reduce_scatter_block_init(a, b, 4, MPI_INT, MPI_SUM, W, NO, &r[k++]);
	MPI_Reduce_scatter_init(a, b, counts, MPI_INT, MPI_SUM, W, NO, &r[k++]);
	MPI_Barrier_init(W, NO, &r[k++]);
	MPI_Neighbor_allgather_init(a, 3, MPI_INT, b, 3, MPI_INT, ring, NO, &r[k++]);
	MPI_Neighbor_alltoall_init(a, 3, MPI_INT, b, 3, MPI_INT, ring, NO, &r[k++]);
	MPI_Neighbor_allgatherv_init(a, 3, MPI_INT, b, threes, at, MPI_INT, ring, NO, &r[k++]);
	MPI_Neighbor_alltoallv_init(a, two, at, MPI_INT, b, same, at, MPI_INT, ring, NO, &r[k++]);
	MPI_Neighbor_alltoallw_init(a, two, far, types, b, same, far, types, ring, NO, &r[k++]);
	MPI_Recv_init(b + 2000, 10, MPI_INT, previous, 5, W, &r[k++]);
	MPI_Send_init(a + 2000, 10, MPI_INT, next, 5, W, &r[k++]);
	for (int i = 0; i < rounds; i++) {
		for (int j = 0; j < PLANS; j++) {
			if (i && j == 2)
				continue; /* MPICH 4.0 can start its scatter only once */
			MPI_Start(&r[j]);
			said_collective(ops[j], sizes[j], j < 17 ? "world" : "ring");
			MPI_Wait(&r[j], MPI_STATUS_IGNORE);
		}
		/* A collective is begun before the call, a send logged after it. */
		MPI_Request some[3] = {r[PLANS + 1], r[PLANS], r[11]};

		MPI_Startall(3, some);
		said_collective("Iallreduce", 36, "world");
		said_send(next, 40, "world", 5);
		MPI_Waitall(3, some, MPI_STATUSES_IGNORE);
		said_receive(previous, 40, "world", 5);
	}
	for (int j = 0; j < k; j++)
		MPI_Request_free(&r[j]);
	MPI_Comm_free(&ring);
}

static void parts(int rounds)
{
	MPI_Request r[2];

	MPI_Precv_init(b, 4, 25, MPI_INT, previous, 6, W, NO, &r[0]);
	MPI_Psend_init(a, 2, 50, MPI_INT, next, 6, W, NO, &r[1]);
	for (int i = 0; i < rounds; i++) {
		int there;

		MPI_Startall(2, r);
		said_send(next, 400, "world", 6);
		MPI_Pready(1, r[1]);
		MPI_Pready_range(0, 0, r[1]);
		MPI_Parrived(r[0], 3, &there);
		MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
		said_receive(previous, 400, "world", 6);
	}
	MPI_Request_free(&r[0]);
	MPI_Request_free(&r[1]);
}

/* MPICH 4.0 does not tell what MPI_Isendrecv received: so its size is not known. */
static long told(const MPI_Status *s, long size)
{
	return s->MPI_SOURCE == previous && s->MPI_TAG == 7 ? size : -1;
}

static void both_ways(void)
{
	MPI_Status s = {.MPI_SOURCE = -1};
	MPI_Comm copy;
	MPI_Request r;

	MPI_Isendrecv(a, 12, MPI_INT, next, 7, b, 20, MPI_INT, previous, 7, W, &r);
	said_send(next, 48, "world", 7);
	MPI_Wait(&r, &s);
	said_receive(previous, told(&s, 48), "world", 7);
	MPI_Isendrecv_replace_c(a, 14, MPI_INT, next, 8, previous, 8, W, &r);
	said_send(next, 56, "world", 8);
	MPI_Wait(&r, MPI_STATUS_IGNORE);
	said_receive(previous, told(&s, 56), "world", 8);
	MPI_Comm_idup_with_info(W, NO, &copy, &r);
	MPI_Wait(&r, MPI_STATUS_IGNORE);
	MPI_Sendrecv_c(a, 5, MPI_INT, next, 9, b, 5, MPI_INT, previous, 9, copy, MPI_STATUS_IGNORE);
	said_send(next, 20, "copy", 9);
	said_receive(previous, 20, "copy", 9);
	MPI_Alltoall_c(a, 2, MPI_INT, b, 2, MPI_INT, copy);
	said_collective("Alltoall", 8 * said_size, "copy");
	MPI_Comm_free(&copy);
}

int main(int argc, char **argv)
{
	int rounds;

	MPI_Init(&argc, &argv);
	said_begin();
	rounds = said_argument(argc, argv, 1, 3);
	next = (said_rank + 1) % said_size;
	previous = (said_rank + said_size - 1) % said_size;
	collectives(rounds);
	parts(rounds);
	both_ways();
	said_end();
	MPI_Finalize();
	return 0;
}

#else

int main(void)
{
	return 77;
}

#endif
