/* Communicators made in every way; on each a message from everyone to its next one, whose size says from whom to whom
 * (world ranks) on which communicator, and a collective. Needs at least 2 processes. */
#include "said.h"

static int made;
static char out[65536], in[65536];

static int size_of(int from, int to)
{
	return 1000 * (made % 50) + 32 * from + to + 1;
}

/* In rank order the world ranks of the communicator (remote: of the other side). */
static void members(MPI_Comm comm, int remote, int *world)
{
	MPI_Group all, group;
	int n, ranks[64];

	MPI_Comm_group(MPI_COMM_WORLD, &all);
	if (remote)
		MPI_Comm_remote_group(comm, &group);
	else
		MPI_Comm_group(comm, &group);
	MPI_Group_size(group, &n);
	for (int i = 0; i < n; i++)
		ranks[i] = i;
	MPI_Group_translate_ranks(group, n, ranks, all, world);
	MPI_Group_free(&group);
	MPI_Group_free(&all);
}

static void use(MPI_Comm comm, const char *name)
{
	int rank, n, world[64], next, previous;
	MPI_Request r;

	made++;
	if (comm == MPI_COMM_NULL)
		return;
	MPI_Comm_rank(comm, &rank);
	MPI_Comm_size(comm, &n);
	members(comm, 0, world);
	next = (rank + 1) % n;
	previous = (rank + n - 1) % n;
	MPI_Irecv(in, sizeof in, MPI_CHAR, MPI_ANY_SOURCE, made, comm, &r);
	MPI_Send(out, size_of(said_rank, world[next]), MPI_CHAR, next, made, comm);
	said_send(world[next], size_of(said_rank, world[next]), name, made);
	MPI_Wait(&r, MPI_STATUS_IGNORE);
	said_receive(world[previous], size_of(world[previous], said_rank), name, made);
	MPI_Barrier(comm);
	if (n > 1)
		said_collective("Barrier", 0, name);
}

/* Over an intercommunicator: my rank to the same rank of the other side, if it has one. */
static void use_inter(MPI_Comm comm, const char *name)
{
	int rank, n, world[64];

	made++;
	MPI_Comm_rank(comm, &rank);
	MPI_Comm_remote_size(comm, &n);
	members(comm, 1, world);
	if (rank < n) {
		MPI_Sendrecv(out, size_of(said_rank, world[rank]), MPI_CHAR, rank, made, in, sizeof in, MPI_CHAR, rank,
			     made, comm, MPI_STATUS_IGNORE);
		said_send(world[rank], size_of(said_rank, world[rank]), name, made);
		said_receive(world[rank], size_of(world[rank], said_rank), name, made);
	}
}

int main(int argc, char **argv)
{
	MPI_Comm dup, info, split, reversed, typed, even, group, cart, row, graph, adjacent, later[2], half, inter,
		other, merged;
	MPI_Group all, some;
	MPI_Request r[2];
	int dims[2] = {0, 0}, periods[2] = {1, 1}, keep[2] = {0, 1}, index[64], edges[128], next, previous;
	int ranks[64], n = 0;

	MPI_Init(&argc, &argv);
	said_begin();
	next = (said_rank + 1) % said_size;
	previous = (said_rank + said_size - 1) % said_size;
	use(MPI_COMM_WORLD, "world");
	MPI_Comm_dup(MPI_COMM_WORLD, &dup);
	use(dup, "dup");
	MPI_Comm_dup_with_info(dup, MPI_INFO_NULL, &info);
	use(info, "info");
	MPI_Comm_split(MPI_COMM_WORLD, said_rank % 2, 0, &split);
	use(split, said_rank % 2 ? "odd" : "even");
	MPI_Comm_split(dup, 0, -said_rank, &reversed);
	use(reversed, "reversed");
	MPI_Comm_split(reversed, said_rank == 0 ? MPI_UNDEFINED : 1, 0, &even);
	use(even, "without0");
	MPI_Comm_split_type(reversed, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &typed);
	use(typed, "shared");
	MPI_Comm_group(MPI_COMM_WORLD, &all);
	for (int i = said_size - 1; i >= 0; i -= 2)
		ranks[n++] = i;
	MPI_Group_incl(all, n, ranks, &some);
	if (even != MPI_COMM_NULL)
		MPI_Comm_free(&even);
	MPI_Comm_create(MPI_COMM_WORLD, some, &even);
	use(even, "created");
	group = MPI_COMM_NULL;
	if ((said_size - 1 - said_rank) % 2 == 0)
		MPI_Comm_create_group(MPI_COMM_WORLD, some, 3, &group);
	use(group, "grouped");
	MPI_Dims_create(said_size, 2, dims);
	MPI_Cart_create(reversed, 2, dims, periods, 0, &cart);
	use(cart, "cart");
	MPI_Cart_sub(cart, keep, &row);
	{
		char name[32];
		int rank;

		MPI_Comm_rank(cart, &rank);
		snprintf(name, sizeof name, "row%d", rank / dims[1]);
		use(row, name);
	}
	for (int i = 0; i < said_size; i++) {
		index[i] = 2 * (i + 1);
		edges[2 * i] = (i + 1) % said_size;
		edges[2 * i + 1] = (i + said_size - 1) % said_size;
	}
	MPI_Graph_create(MPI_COMM_WORLD, said_size, index, edges, 0, &graph);
	use(graph, "graph");
	MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 1, &previous, MPI_UNWEIGHTED, 1, &next, MPI_UNWEIGHTED,
				       MPI_INFO_NULL, 0, &adjacent);
	use(adjacent, "adjacent");
	MPI_Comm_idup(MPI_COMM_WORLD, &later[0], &r[0]);
	MPI_Comm_idup(MPI_COMM_WORLD, &later[1], &r[1]);
	if (said_rank % 2) {
		MPI_Wait(&r[1], MPI_STATUS_IGNORE);
		MPI_Wait(&r[0], MPI_STATUS_IGNORE);
	} else {
		MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
	}
	use(later[0], "later0");
	use(later[1], "later1");

	/* Two sides, of which the upper is reversed; between them; that again; and both merged. */
	MPI_Comm_split(MPI_COMM_WORLD, said_rank < said_size / 2, said_rank < said_size / 2 ? 0 : -said_rank, &half);
	use(half, said_rank < said_size / 2 ? "lower" : "upper");
	MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, said_rank < said_size / 2 ? said_size - 1 : 0, 77, &inter);
	use_inter(inter, said_rank < said_size / 2 ? "lower" : "upper");
	MPI_Comm_dup(inter, &other);
	use_inter(other, said_rank < said_size / 2 ? "lower2" : "upper2");
	MPI_Intercomm_merge(inter, said_rank < said_size / 2, &merged);
	use(merged, "merged");

	/* A handle that comes again is another communicator. */
	MPI_Comm_free(&dup);
	MPI_Comm_dup(split, &dup);
	use(dup, said_rank % 2 ? "odd2" : "even2");
	MPI_Comm_free(&dup);
	MPI_Comm_free(&merged);
	MPI_Comm_disconnect(&other);
	MPI_Comm_free(&inter);
	said_end();
	MPI_Finalize();
	return 0;
}
