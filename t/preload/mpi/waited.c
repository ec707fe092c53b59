/* Programs know best how long they waited: each case begins in step, then ranks come late by so many units, and each stamps when it
 * made the call and when that returned. Each case is a region of its name, so that its waiting can be asked of the trace.
 * At the end, with records switched off, rank 0 prints "CASE SECONDS": how long all ranks waited for the last of those that they
 * need, as far as that came before they returned.
 *
 * waited FILE UNIT: FILE is made and removed; UNIT in milliseconds. Four ranks.
 */
#define _POSIX_C_SOURCE 200809L
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define W MPI_COMM_WORLD
#define RANKS 4
#define CASES 80
#define ALL 15u

static struct { double in, out; } stamps[CASES];
static unsigned needs[CASES];     /* a bit for each rank that this one waits for */
static const char *names[CASES];
static int cases, rank, unit;

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* late: four digits, the units that each rank comes late. */
static void begin(const char *name, const char *late, unsigned whom)
{
	struct timespec t = {0, (late[rank] - '0') * unit * 1000000L};

	MPI_Barrier(W);
	MPI_Pcontrol(1, name);
	names[cases] = name;
	needs[cases] = whom;
	nanosleep(&t, NULL);
	stamps[cases].in = now();
}

static void end(void)
{
	stamps[cases].out = now();
	MPI_Pcontrol(-1, names[cases]);
	cases++;
}

#define CASE(name, late, whom, call) do { begin(name, late, whom); call; end(); } while (0)

/* A case in which some ranks wait in a call and others send: `sends` is stamped as the call that the others wait for. */
#define MESSAGE(name, late, receiver, source, comm, probes, takes) do { \
	begin(name, late, rank == (receiver) ? 1u << (source) : 0); \
	if (rank == (source)) \
		MPI_Send(&x, 1, MPI_INT, receiver, 7, comm); \
	if (rank == (receiver)) { probes; } \
	end(); \
	if (rank == (receiver)) { takes; } } while (0)

static void probes(void)
{
	int x = rank, y = 0, z = 0;
	MPI_Status s;
	MPI_Message m;
	MPI_Comm copy;
	MPI_Request r;

	MPI_Comm_dup(W, &copy);
	MESSAGE("probe", "0100", 0, 1, W, MPI_Probe(1, 7, W, &s), MPI_Recv(&y, 1, MPI_INT, 1, 7, W, MPI_STATUS_IGNORE));
	MESSAGE("probe_any", "0020", 3, 2, copy, MPI_Probe(MPI_ANY_SOURCE, MPI_ANY_TAG, copy, &s),
		(MPI_Get_count(&s, MPI_INT, &z), MPI_Recv(&y, z, MPI_INT, s.MPI_SOURCE, s.MPI_TAG, copy, &s)));
	MESSAGE("mprobe", "2000", 1, 0, W, MPI_Mprobe(0, 7, W, &m, &s), MPI_Mrecv(&y, 1, MPI_INT, &m, &s));
	MESSAGE("mprobe_any", "0001", 2, 3, copy, MPI_Mprobe(MPI_ANY_SOURCE, 7, copy, &m, &s), MPI_Mrecv(&y, 1, MPI_INT, &m, &s));
	/* What was sent to itself before is taken behind the probe: by a call that does not receive the probed message. */
	MPI_Isend(&x, 1, MPI_INT, rank, 9, W, &r);
	MESSAGE("probe_send", "0010", 0, 2, W, MPI_Probe(2, 7, W, &s),
		(MPI_Send(&x, 0, MPI_INT, 1, 8, W), MPI_Recv(&y, 1, MPI_INT, 2, 7, W, &s)));
	if (rank == 1)
		MPI_Recv(&y, 0, MPI_INT, 0, 8, W, &s);
	MPI_Recv(&y, 1, MPI_INT, rank, 9, W, &s);
	MPI_Wait(&r, &s);
	MESSAGE("probe_early", "1000", 0, 3, W, MPI_Probe(3, 7, W, &s), MPI_Recv(&y, 1, MPI_INT, 3, 7, W, &s));
	MESSAGE("probe_irecv", "0100", 3, 1, W, MPI_Probe(1, 7, W, &s),
		(MPI_Irecv(&y, 1, MPI_INT, 1, 7, W, &r), MPI_Wait(&r, &s)));
	MESSAGE("mprobe_imrecv", "0100", 2, 1, W, MPI_Mprobe(1, 7, W, &m, &s),
		(MPI_Imrecv(&y, 1, MPI_INT, &m, &r), MPI_Wait(&r, &s)));
	MPI_Comm_free(&copy);
}

static unsigned half_of(void)
{
	return rank < 2 ? 3u : 12u;
}

static void windows(void)
{
	int memory[4] = {0}, x = rank, failed, *p;
	MPI_Win w, v, h;
	MPI_Comm half;

	MPI_Comm_split(W, rank / 2, 0, &half);
	CASE("win_allocate", "1000", ALL, MPI_Win_allocate(4 * sizeof x, sizeof x, MPI_INFO_NULL, W, &p, &w));
	CASE("win_allocate_shared", "0100", ALL, MPI_Win_allocate_shared(4 * sizeof x, sizeof x, MPI_INFO_NULL, W, &p, &v));
	/* One half after the other: Open MPI's osc/rdma names its memory by the communicator's number, which both halves share. */
	for (int turn = 0; turn < 2; turn++) {
		if (rank / 2 == turn)
			MPI_Win_allocate(4 * sizeof x, sizeof x, MPI_INFO_NULL, half, &p, &h);
		MPI_Barrier(W);
	}
	CASE("fence", "0010", ALL, MPI_Win_fence(0, w));
	MPI_Put(&x, 1, MPI_INT, (rank + 1) % RANKS, 0, 1, MPI_INT, w);
	CASE("fence_put", "0001", ALL, MPI_Win_fence(0, w));
	CASE("fence_other", "0200", ALL, MPI_Win_fence(0, v));
	CASE("fence_half", "2001", half_of(), MPI_Win_fence(0, h));
	CASE("fence_half_again", "0110", half_of(), MPI_Win_fence(0, h));
	CASE("fence_steps", "0123", ALL, MPI_Win_fence(0, w));
	CASE("fence_last", "0100", ALL, MPI_Win_fence(MPI_MODE_NOSUCCEED, w));
	MPI_Win_fence(MPI_MODE_NOSUCCEED, v);
	MPI_Win_fence(MPI_MODE_NOSUCCEED, h);
	CASE("win_free", "0010", ALL, MPI_Win_free(&w));
	MPI_Win_free(&v);
	MPI_Comm_free(&half);
	CASE("win_free_half", "1000", half_of(), MPI_Win_free(&h));
	/* Not all that can allocate windows can make them of any memory. */
	MPI_Comm_set_errhandler(W, MPI_ERRORS_RETURN);
	CASE("win_create", "0100", ALL, failed = MPI_Win_create(memory, sizeof memory, sizeof x, MPI_INFO_NULL, W, &w));
	MPI_Comm_set_errhandler(W, MPI_ERRORS_ARE_FATAL);
	if (failed)
		cases--;
	else
		MPI_Win_free(&w);
}

static void files(const char *name)
{
	char mine[64], theirs[64];
	MPI_Status s;
	MPI_File f;
	MPI_Comm half;

	memset(mine, 'a' + rank, sizeof mine);
	CASE("file_open", "0100", ALL, MPI_File_open(W, name, MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &f));
	CASE("file_set_view", "0010", ALL, MPI_File_set_view(f, 0, MPI_BYTE, MPI_BYTE, "native", MPI_INFO_NULL));
	CASE("file_write_at_all", "1000", ALL, MPI_File_write_at_all(f, 64 * rank, mine, 64, MPI_BYTE, &s));
	CASE("file_write_all", "0001", ALL, MPI_File_write_all(f, mine, 64, MPI_BYTE, &s));
	CASE("file_sync", "0100", ALL, MPI_File_sync(f));
	CASE("file_read_at_all", "0010", ALL, MPI_File_read_at_all(f, 64 * rank, theirs, 64, MPI_BYTE, &s));
	CASE("file_read_all", "0200", ALL, MPI_File_read_all(f, theirs, 1, MPI_BYTE, &s));
	CASE("file_close", "0001", ALL, MPI_File_close(&f));
	MPI_Comm_split(W, rank % 2, 0, &half);
	CASE("file_open_half", "0100", rank % 2 ? 10u : 5u,
	     MPI_File_open(half, name, MPI_MODE_RDWR, MPI_INFO_NULL, &f));
	CASE("file_close_half", "1000", rank % 2 ? 10u : 5u, MPI_File_close(&f));
	MPI_Comm_free(&half);
	MPI_Barrier(W);
	if (rank == 0)
		MPI_File_delete(name, MPI_INFO_NULL);
}

static void communicators(void)
{
	int dims[2] = {2, 2}, no[2] = {0, 0}, keep[2] = {1, 0}, one = 1, to = (rank + 1) % RANKS, from = (rank + 3) % RANKS;
	int index[RANKS] = {2, 4, 6, 8}, edges[2 * RANKS] = {1, 3, 0, 2, 1, 3, 0, 2};
	MPI_Comm c, d, half, inter;
	MPI_Group group, some;

	CASE("comm_dup", "0100", ALL, MPI_Comm_dup(W, &c));
	CASE("comm_dup_with_info", "1000", ALL, MPI_Comm_dup_with_info(c, MPI_INFO_NULL, &d));
	MPI_Comm_free(&d);
	CASE("comm_split", "0012", ALL, MPI_Comm_split(c, rank / 2, 0, &half));
	CASE("comm_dup_half", "0110", half_of(), MPI_Comm_dup(half, &d));
	CASE("comm_free", "0100", half_of(), MPI_Comm_free(&d));
	CASE("comm_split_type", "0001", ALL, MPI_Comm_split_type(W, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &d));
	MPI_Comm_free(&d);
	MPI_Comm_group(W, &group);
	CASE("comm_create", "2000", ALL, MPI_Comm_create(W, group, &d));
	MPI_Comm_free(&d);
	MPI_Group_incl(group, 2, (int[]){0, 1}, &some);
	CASE("comm_create_group", "1000", rank < 2 ? 3u : 0, if (rank < 2) MPI_Comm_create_group(W, some, 5, &d));
	if (rank < 2)
		MPI_Comm_free(&d);
	CASE("cart_create", "0100", ALL, MPI_Cart_create(W, 2, dims, no, 0, &d));
	CASE("cart_sub", "0010", ALL, MPI_Cart_sub(d, keep, &inter));
	MPI_Comm_free(&inter);
	MPI_Comm_free(&d);
	CASE("graph_create", "0001", ALL, MPI_Graph_create(W, RANKS, index, edges, 0, &d));
	MPI_Comm_free(&d);
	CASE("dist_graph_create", "0100", ALL,
	     MPI_Dist_graph_create(W, 1, &rank, &one, &to, MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &d));
	MPI_Comm_free(&d);
	CASE("dist_graph_adjacent", "1000", ALL, MPI_Dist_graph_create_adjacent(W, 1, &from, MPI_UNWEIGHTED, 1, &to, MPI_UNWEIGHTED,
		MPI_INFO_NULL, 0, &d));
	MPI_Comm_free(&d);
	CASE("intercomm_create", "0010", half_of(), MPI_Intercomm_create(half, 0, W, rank < 2 ? 2 : 0, 6, &inter));
	MPI_Comm_free(&inter);
	MPI_Comm_free(&half);
	MPI_Comm_free(&c);
	MPI_Group_free(&group);
	MPI_Group_free(&some);
}

static void neighbours(void)
{
	int ring[1] = {RANKS}, around[1] = {1}, line[1] = {0}, x[4] = {rank}, y[8], ones[4] = {1, 1, 1, 1}, at[4] = {0, 1, 2, 3};
	int index[RANKS] = {1, 2, 3, 4}, edges[RANKS] = {1, 0, 3, 2};
	int to[1] = {rank + 1}, from[1] = {rank - 1};
	unsigned before = rank ? 1u << (rank - 1) : 0, behind = rank < 3 ? 1u << (rank + 1) : 0;
	unsigned beside = 1u << (rank + 1) % RANKS | 1u << (rank + 3) % RANKS;
	MPI_Aint where[4] = {0, 4, 8, 12};
	MPI_Datatype types[4] = {MPI_INT, MPI_INT, MPI_INT, MPI_INT};
	MPI_Comm c, l, g, d;

	MPI_Cart_create(W, 1, ring, around, 0, &c);
	MPI_Cart_create(W, 1, ring, line, 0, &l);
	MPI_Graph_create(W, RANKS, index, edges, 0, &g);
	MPI_Dist_graph_create_adjacent(W, rank > 0, from, MPI_UNWEIGHTED, rank < 3, to, MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &d);
	CASE("neighbor_ring", "0100", beside, MPI_Neighbor_allgather(x, 1, MPI_INT, y, 1, MPI_INT, c));
	CASE("neighbor_line", "1000", before | behind, MPI_Neighbor_alltoall(x, 1, MPI_INT, y, 1, MPI_INT, l));
	CASE("neighbor_line_steps", "3020", before | behind, MPI_Neighbor_alltoallv(x, ones, at, MPI_INT, y, ones, at, MPI_INT, l));
	CASE("neighbor_graph", "0010", 1u << (rank ^ 1), MPI_Neighbor_allgatherv(x, 1, MPI_INT, y, ones, at, MPI_INT, g));
	CASE("neighbor_directed", "0010", before, MPI_Neighbor_allgather(x, 1, MPI_INT, y, 1, MPI_INT, d));
	CASE("neighbor_directed_last", "0002", before, MPI_Neighbor_alltoallw(x, ones, where, types, y, ones, where, types, d));
	MPI_Comm_free(&c);
	MPI_Comm_free(&l);
	MPI_Comm_free(&g);
	MPI_Comm_free(&d);
}

static double waited(int of, const double (*all)[2 * CASES], const unsigned (*whom)[CASES], int r)
{
	double longest = 0;

	for (int m = 0; m < RANKS; m++) {
		double came = all[m][2 * of];

		if (whom[r][of] & 1u << m && came <= all[r][2 * of + 1] && came - all[r][2 * of] > longest)
			longest = came - all[r][2 * of];
	}
	return longest;
}

int main(int argc, char **argv)
{
	static double all[RANKS][2 * CASES];
	static unsigned whom[RANKS][CASES];

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(W, &rank);
	unit = atoi(argv[2]);
	probes();
	windows();
	files(argv[1]);
	communicators();
	neighbours();
	MPI_Pcontrol(0);
	MPI_Gather(stamps, 2 * CASES, MPI_DOUBLE, all, 2 * CASES, MPI_DOUBLE, 0, W);
	MPI_Gather(needs, CASES, MPI_UNSIGNED, whom, CASES, MPI_UNSIGNED, 0, W);
	for (int i = 0; rank == 0 && i < cases; i++) {
		double sum = 0;

		for (int r = 0; r < RANKS; r++)
			sum += waited(i, (const double (*)[2 * CASES])all, (const unsigned (*)[CASES])whom, r);
		printf("%s %.6f\n", names[i], sum);
	}
	MPI_Finalize();
	return 0;
}
