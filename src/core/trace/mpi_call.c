#include "mpi_call.h"

#include <ctype.h>
#include <string.h>

/* Calls by what they wait for. Names without "MPI_" and, for collectives, without a leading I (nonblocking),
 * "Neighbor_" and a trailing "_c" (large counts). */
static const char *const sends[] = {"Send", "Bsend", "Ssend", "Rsend", "Isend", "Ibsend", "Issend", "Irsend",
				    "Sendrecv", "Sendrecv_replace", "Isendrecv", "Isendrecv_replace", "Start", "Startall", NULL};
static const char *const receives[] = {"Recv", "Irecv", "Probe", "Iprobe", "Mprobe", "Improbe", "Mrecv", "Imrecv", NULL};
static const char *const waits[] = {"Wait", "Waitall", "Waitany", "Waitsome", "Test", "Testall", "Testany", "Testsome", NULL};
static const char *const collectives[] = {"Barrier", "Bcast", "Gather", "Gatherv", "Scatter", "Scatterv", "Allgather",
					  "Allgatherv", "Alltoall", "Alltoallv", "Alltoallw", "Reduce", "Allreduce",
					  "Reduce_scatter", "Reduce_scatter_block", "Scan", "Exscan", NULL};
static const char *const untold[] = {"Ibsend", "Irsend", "Cancel", NULL};

static bool among(const char *const *list, const char *name, size_t n)
{
	for (; *list; list++)
		if (strlen(*list) == n && !memcmp(*list, name, n))
			return true;
	return false;
}

static bool is_collective(const char *op)
{
	size_t n = strlen(op);
	char base[40];

	if (n > 2 && !strcmp(op + n - 2, "_c"))
		n -= 2;
	if (among(collectives, op, n))
		return true;
	if (!strncmp(op, "Neighbor_", 9) || !strncmp(op, "Ineighbor_", 10)) {
		size_t skip = *op == 'I' ? 10 : 9;

		op += skip;
		n -= skip;
	} else if (*op == 'I' && n > 1) {
		op++;
		n--;
	} else {
		return false;
	}
	if (n == 0 || n >= sizeof base)
		return false;
	memcpy(base, op, n);
	base[0] = (char)toupper((unsigned char)base[0]);
	return among(collectives, base, n);
}

struct mpi_call mpi_call(const char *name)
{
	struct mpi_call call = {.op = "", .time = TIME_OTHER_MPI};
	size_t n;

	if (strncmp(name, "MPI_", 4) != 0)
		return call;
	call.op = name + 4;
	n = strlen(call.op);
	call.collective = is_collective(call.op);
	call.starts = !strcmp(call.op, "Start") || !strcmp(call.op, "Startall");
	call.untold = among(untold, call.op, n);
	if (n > 2 && !strcmp(call.op + n - 2, "_c"))
		n -= 2;
	call.time = call.collective             ? TIME_COLLECTIVE
		    : among(sends, call.op, n)    ? TIME_SEND
		    : among(receives, call.op, n) ? TIME_RECEIVE
		    : among(waits, call.op, n)    ? TIME_WAIT
						  : TIME_OTHER_MPI;
	return call;
}
