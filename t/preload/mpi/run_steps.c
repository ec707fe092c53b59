/* Steps that repeat, for the runner's tests: run_steps STEPS MICROSECONDS [TAIL [MEGABYTES]].
 *
 * Every step computes for about the given time, exchanges 1 KB with the neighbours in a ring, and every fourth one
 * makes an Allreduce. All ranks make the same counted calls: STEPS sends and STEPS/4 collectives. With TAIL
 * the ranks then sleep that many seconds before MPI_Finalize, for tests that interrupt. With MEGABYTES each rank has so
 * much memory, all of it written, which a checkpoint then holds. Rank 0 prints a checksum,
 * so that a run that was stopped and continued is seen to have come to the right end.
 */
#define _POSIX_C_SOURCE 200809L
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static double work(long us, double x)
{
	struct timespec from, t;

	clock_gettime(CLOCK_MONOTONIC, &from);
	do {
		for (int i = 0; i < 200; i++)
			x = x * 0.999999 + 1e-9;
		clock_gettime(CLOCK_MONOTONIC, &t);
	} while ((t.tv_sec - from.tv_sec) * 1000000 + (t.tv_nsec - from.tv_nsec) / 1000 < us);
	return x;
}

static long *fill(size_t words)
{
	long *memory = words ? malloc(words * sizeof *memory) : NULL;

	for (size_t i = 0; memory && i < words; i++)
		memory[i] = (long)(i * 2654435761u + 1);
	return memory;
}

int main(int argc, char **argv)
{
	long steps = argc > 1 ? atol(argv[1]) : 100, us = argc > 2 ? atol(argv[2]) : 100;
	unsigned tail = argc > 3 ? (unsigned)atol(argv[3]) : 0;
	size_t words = argc > 4 ? (size_t)atol(argv[4]) * 1000000 / sizeof(long) : 0;
	long *memory;
	int rank, size;
	long in[128], out[128], sum = 0, all = 0;
	volatile double x = 1;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	memset(out, 0, sizeof out);
	memory = fill(words);
	for (long s = 0; s < steps; s++) {
		x = work(us, x);
		out[0] = s * size + rank;
		MPI_Sendrecv(out, 128, MPI_LONG, (rank + 1) % size, 7, in, 128, MPI_LONG, (rank + size - 1) % size, 7,
			     MPI_COMM_WORLD, MPI_STATUS_IGNORE);
		sum += in[0];
		if (memory)
			memory[(size_t)s * 512 % words] = in[0];
		if (s % 4 == 3)
			MPI_Allreduce(&sum, &all, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
	}
	for (unsigned i = 0; i < tail; i++)
		nanosleep(&(struct timespec){1, 0}, NULL);
	if (rank == 0)
		printf("sum %ld\n", all);
	free(memory);
	MPI_Finalize();
	return 0;
}
