#include "probe_wait.h"

#include <stdio.h>

#include "probe_clock.h"

#define NAP 1e-3 /* s between two looks of who waits */

void *must(void *p)
{
	if (!p) {
		fprintf(stderr, "pas2p: there is no memory to measure with\n");
		MPI_Abort(MPI_COMM_WORLD, 1);
	}
	return p;
}

static void asleep(MPI_Request *r)
{
	int done = 0;

	for (;;) {
		MPI_Test(r, &done, MPI_STATUS_IGNORE);
		if (done)
			return;
		clock_sleep(NAP);
	}
}

void meet(MPI_Comm comm)
{
	MPI_Request r;

	MPI_Ibarrier(comm, &r);
	asleep(&r);
}

void receive_asleep(void *to, int bytes, int from, int tag, MPI_Comm comm)
{
	MPI_Request r;

	MPI_Irecv(to, bytes, MPI_BYTE, from, tag, comm, &r);
	asleep(&r);
}
