/* Every collective of MPI 3, blocking, nonblocking and of neighbours, with the bytes that each process contributes. */
#include "said.h"

#define SAY(op, size) (said_size > 1 ? said_collective(op, size, "world") : (void)0)
#define SAY_ON(op, size, comm) (said_size > 1 ? said_collective(op, size, comm) : (void)0)

static int a[4096], b[4096];
static int counts[64], displs[64], total;
static MPI_Request r;

static void rooted(MPI_Comm w, int root)
{
	int me = said_rank == root, n = said_size, mine = counts[said_rank];

	MPI_Bcast(a, 11, MPI_INT, root, w);
	SAY("Bcast", me ? 44 : 0);
	MPI_Gather(a, 3, MPI_INT, b, 3, MPI_INT, root, w);
	SAY("Gather", 12);
	MPI_Gatherv(a, mine, MPI_INT, b, counts, displs, MPI_INT, root, w);
	SAY("Gatherv", 4 * mine);
	MPI_Scatter(a, 5, MPI_INT, b, 5, MPI_INT, root, w);
	SAY("Scatter", me ? 20 * n : 0);
	MPI_Scatterv(a, counts, displs, MPI_INT, b, mine, MPI_INT, root, w);
	SAY("Scatterv", me ? 4 * total : 0);
	MPI_Reduce(a, b, 7, MPI_INT, MPI_SUM, root, w);
	SAY("Reduce", 28);
	MPI_Gather(me ? MPI_IN_PLACE : (void *)a, 3, MPI_INT, b, 3, MPI_INT, root, w);
	SAY("Gather", 12);

	MPI_Ibcast(a, 11, MPI_INT, root, w, &r);
	SAY("Ibcast", me ? 44 : 0);
	MPI_Wait(&r, MPI_STATUS_IGNORE);
	MPI_Igather(a, 3, MPI_INT, b, 3, MPI_INT, root, w, &r);
	SAY("Igather", 12);
	MPI_Wait(&r, MPI_STATUS_IGNORE);
	MPI_Igatherv(a, mine, MPI_INT, b, counts, displs, MPI_INT, root, w, &r);
	SAY("Igatherv", 4 * mine);
	MPI_Wait(&r, MPI_STATUS_IGNORE);
	MPI_Iscatter(a, 5, MPI_INT, b, 5, MPI_INT, root, w, &r);
	SAY("Iscatter", me ? 20 * n : 0);
	MPI_Wait(&r, MPI_STATUS_IGNORE);
	MPI_Iscatterv(a, counts, displs, MPI_INT, b, mine, MPI_INT, root, w, &r);
	SAY("Iscatterv", me ? 4 * total : 0);
	MPI_Wait(&r, MPI_STATUS_IGNORE);
	MPI_Ireduce(a, b, 7, MPI_INT, MPI_SUM, root, w, &r);
	SAY("Ireduce", 28);
	MPI_Wait(&r, MPI_STATUS_IGNORE);
}

static void all_to_all(MPI_Comm w)
{
	int n = said_size, mine = counts[said_rank], ones[64], steps[64], bytes[64];
	MPI_Datatype types[64];

	for (int i = 0; i < n; i++) {
		ones[i] = 2;
		steps[i] = 2 * i;
		bytes[i] = 8 * i;
		types[i] = MPI_INT;
	}
	MPI_Barrier(w);
	SAY("Barrier", 0);
	MPI_Allgather(a, 6, MPI_INT, b, 6, MPI_INT, w);
	SAY("Allgather", 24);
	MPI_Allgatherv(a, mine, MPI_INT, b, counts, displs, MPI_INT, w);
	SAY("Allgatherv", 4 * mine);
	MPI_Alltoall(a, 3, MPI_INT, b, 3, MPI_INT, w);
	SAY("Alltoall", 12 * n);
	MPI_Alltoallv(a, ones, steps, MPI_INT, b, ones, steps, MPI_INT, w);
	SAY("Alltoallv", 8 * n);
	MPI_Alltoallw(a, ones, bytes, types, b, ones, bytes, types, w);
	SAY("Alltoallw", 8 * n);
	MPI_Allreduce(a, b, 9, MPI_INT, MPI_SUM, w);
	SAY("Allreduce", 36);
	MPI_Allreduce(MPI_IN_PLACE, b, 2, MPI_DOUBLE, MPI_SUM, w);
	SAY("Allreduce", 16);
	MPI_Reduce_scatter(a, b, counts, MPI_INT, MPI_SUM, w);
	SAY("Reduce_scatter", 4 * total);
	MPI_Reduce_scatter_block(a, b, 4, MPI_INT, MPI_SUM, w);
	SAY("Reduce_scatter_block", 16 * n);
	MPI_Scan(a, b, 13, MPI_INT, MPI_SUM, w);
	SAY("Scan", 52);
	MPI_Exscan(a, b, 14, MPI_INT, MPI_SUM, w);
	SAY("Exscan", 56);

	MPI_Ibarrier(w, &r);
	SAY("Ibarrier", 0);
	MPI_Wait(&r, MPI_STATUS_IGNORE);
	MPI_Iallgather(a, 6, MPI_INT, b, 6, MPI_INT, w, &r);
	SAY("Iallgather", 24);
	MPI_Wait(&r, MPI_STATUS_IGNORE);
	MPI_Iallgatherv(a, mine, MPI_INT, b, counts, displs, MPI_INT, w, &r);
	SAY("Iallgatherv", 4 * mine);
	MPI_Wait(&r, MPI_STATUS_IGNORE);
	MPI_Ialltoall(a, 3, MPI_INT, b, 3, MPI_INT, w, &r);
	SAY("Ialltoall", 12 * n);
	MPI_Wait(&r, MPI_STATUS_IGNORE);
	MPI_Ialltoallv(a, ones, steps, MPI_INT, b, ones, steps, MPI_INT, w, &r);
	SAY("Ialltoallv", 8 * n);
	MPI_Wait(&r, MPI_STATUS_IGNORE);
	MPI_Ialltoallw(a, ones, bytes, types, b, ones, bytes, types, w, &r);
	SAY("Ialltoallw", 8 * n);
	MPI_Wait(&r, MPI_STATUS_IGNORE);
	MPI_Iallreduce(a, b, 9, MPI_INT, MPI_SUM, w, &r);
	SAY("Iallreduce", 36);
	MPI_Wait(&r, MPI_STATUS_IGNORE);
	MPI_Ireduce_scatter(a, b, counts, MPI_INT, MPI_SUM, w, &r);
	SAY("Ireduce_scatter", 4 * total);
	MPI_Wait(&r, MPI_STATUS_IGNORE);
	MPI_Ireduce_scatter_block(a, b, 4, MPI_INT, MPI_SUM, w, &r);
	SAY("Ireduce_scatter_block", 16 * n);
	MPI_Wait(&r, MPI_STATUS_IGNORE);
	MPI_Iscan(a, b, 13, MPI_INT, MPI_SUM, w, &r);
	SAY("Iscan", 52);
	MPI_Wait(&r, MPI_STATUS_IGNORE);
	MPI_Iexscan(a, b, 14, MPI_INT, MPI_SUM, w, &r);
	SAY("Iexscan", 56);
	MPI_Wait(&r, MPI_STATUS_IGNORE);
}

static void neighbours(void)
{
	int dims[1] = {said_size}, periods[1] = {1}, two[2] = {3, 4}, same[2] = {4, 3}, at[2] = {0, 4};
	MPI_Aint bytes[2] = {0, 16};
	MPI_Datatype types[2] = {MPI_INT, MPI_INT};
	MPI_Comm ring;

	MPI_Cart_create(MPI_COMM_WORLD, 1, dims, periods, 0, &ring);
	MPI_Neighbor_allgather(a, 3, MPI_INT, b, 3, MPI_INT, ring);
	SAY_ON("Neighbor_allgather", 12, "ring");
	MPI_Neighbor_alltoall(a, 3, MPI_INT, b, 3, MPI_INT, ring);
	SAY_ON("Neighbor_alltoall", 24, "ring");
	MPI_Neighbor_alltoallv(a, two, at, MPI_INT, b, same, at, MPI_INT, ring);
	SAY_ON("Neighbor_alltoallv", 28, "ring");
	MPI_Neighbor_alltoallw(a, two, bytes, types, b, same, bytes, types, ring);
	SAY_ON("Neighbor_alltoallw", 28, "ring");
	MPI_Ineighbor_allgather(a, 3, MPI_INT, b, 3, MPI_INT, ring, &r);
	SAY_ON("Ineighbor_allgather", 12, "ring");
	MPI_Wait(&r, MPI_STATUS_IGNORE);
	MPI_Ineighbor_alltoall(a, 3, MPI_INT, b, 3, MPI_INT, ring, &r);
	SAY_ON("Ineighbor_alltoall", 24, "ring");
	MPI_Wait(&r, MPI_STATUS_IGNORE);
	MPI_Ineighbor_alltoallv(a, two, at, MPI_INT, b, same, at, MPI_INT, ring, &r);
	SAY_ON("Ineighbor_alltoallv", 28, "ring");
	MPI_Wait(&r, MPI_STATUS_IGNORE);
	MPI_Comm_free(&ring);
}

int main(int argc, char **argv)
{
	MPI_Init(&argc, &argv);
	said_begin();
	for (int i = 0; i < said_size; i++) {
		counts[i] = i + 1;
		displs[i] = total;
		total += counts[i];
	}
	rooted(MPI_COMM_WORLD, 0);
	rooted(MPI_COMM_WORLD, said_size - 1);
	all_to_all(MPI_COMM_WORLD);
	neighbours();
	/* Over one process: no event. */
	MPI_Allreduce(a, b, 1, MPI_INT, MPI_SUM, MPI_COMM_SELF);
	MPI_Barrier(MPI_COMM_SELF);
	said_end();
	MPI_Finalize();
	return 0;
}
