/* A matrix product by rows, small enough to be modelled by hand (docs/explain/models-language.md).
 *
 *     mpicc -O2 -o rows rows.c
 *     mpirun -np 2 ./rows 1000              the program: prints n, p and the seconds that it took
 *     mpirun -np 2 ./rows --parts 200 400   its pieces of computation alone, on all processes at once, as CSV for `pas2p fit`:
 *                                           the processor's time, which does not have in it what others keep the machine busy with
 *
 * Process 0 fills A and B, sends all of B and its share of the rows of A to each other process, multiplies its own rows, and gathers the
 * product. Whoever comes earlier in rank has one row more where they cannot be shared out evenly.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { REPETITIONS = 7 };

static int rank, size;

static double *room(size_t count)
{
	double *m = malloc((count ? count : 1) * sizeof *m);

	if (!m) {
		fprintf(stderr, "rows: not enough memory for %zu numbers\n", count);
		MPI_Abort(MPI_COMM_WORLD, 1);
	}
	return m;
}

static void fill(double *a, double *b, int n)
{
	for (int i = 0; i < n; i++)
		for (int j = 0; j < n; j++) {
			a[(size_t)i * n + j] = 1.0 / (1 + (i * 7 + j * 3) % 11);
			b[(size_t)i * n + j] = (i + j) % 13 - 6;
		}
}

/* c = a b, for that many rows of a and c */
static void multiply(const double *a, const double *b, double *c, int rows, int n)
{
	memset(c, 0, (size_t)rows * n * sizeof *c);
	for (int i = 0; i < rows; i++)
		for (int k = 0; k < n; k++) {
			double x = a[(size_t)i * n + k];

			for (int j = 0; j < n; j++)
				c[(size_t)i * n + j] += x * b[(size_t)k * n + j];
		}
}

static int rows_of(int n, int process)
{
	return n / size + (process < n % size);
}

static double run(int n)
{
	size_t all = (size_t)n * n, mine = (size_t)rows_of(n, rank) * n;
	double *b = room(all), *a = room(rank ? mine : all), *c = room(rank ? mine : all), start;

	MPI_Barrier(MPI_COMM_WORLD);
	start = MPI_Wtime();
	if (rank) {
		MPI_Recv(b, (int)all, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
		MPI_Recv(a, (int)mine, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
		multiply(a, b, c, rows_of(n, rank), n);
		MPI_Send(c, (int)mine, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD);
	} else {
		size_t at = mine;

		fill(a, b, n);
		for (int r = 1; r < size; r++) {
			int theirs = rows_of(n, r) * n;

			MPI_Send(b, (int)all, MPI_DOUBLE, r, 0, MPI_COMM_WORLD);
			MPI_Send(a + at, theirs, MPI_DOUBLE, r, 0, MPI_COMM_WORLD);
			at += (size_t)theirs;
		}
		multiply(a, b, c, rows_of(n, 0), n);
		at = mine;
		for (int r = 1; r < size; r++) {
			int theirs = rows_of(n, r) * n;

			MPI_Recv(c + at, theirs, MPI_DOUBLE, r, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
			at += (size_t)theirs;
		}
	}
	start = MPI_Wtime() - start;
	free(a);
	free(b);
	free(c);
	return start;
}

static void part(const char *name, int n, int rows, double seconds)
{
	double worst;

	MPI_Reduce(&seconds, &worst, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
	if (rank == 0)
		printf("%s,%d,%d,%.9f\n", name, n, rows, worst);
}

static double processor_time(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* What each piece takes where every process does it at the same time, in memory that is touched for the first time as in the program. */
static void parts(int n)
{
	for (int share = 1; share <= 2; share++)
		for (int again = 0; again < REPETITIONS; again++) {
			int rows = n / share;
			double *a = room((size_t)n * n), *b = room((size_t)n * n), *c = room((size_t)n * n), start;

			MPI_Barrier(MPI_COMM_WORLD);
			start = processor_time();
			fill(a, b, n);
			if (share == 1)
				part("fill", n, 1, processor_time() - start);
			MPI_Barrier(MPI_COMM_WORLD);
			start = processor_time();
			multiply(a, b, c, rows, n);
			part("multiply", n, rows, processor_time() - start);
			free(a);
			free(b);
			free(c);
		}
}

int main(int argc, char **argv)
{
	int measure = argc > 1 && strcmp(argv[1], "--parts") == 0;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	if (rank == 0)
		puts(measure ? "part,n,rows,seconds" : "n,p,seconds");
	for (int i = 1 + measure; i < argc; i++) {
		int n = atoi(argv[i]);

		if (n < size || n > 16000) {
			if (rank == 0)
				fprintf(stderr, "rows: '%s' is no size from %d to 16000\n", argv[i], size);
			MPI_Abort(MPI_COMM_WORLD, 2);
		}
		if (measure) {
			parts(n);
			continue;
		}
		for (int again = 0; again < REPETITIONS; again++) {
			double seconds = run(n);

			if (rank == 0)
				printf("%d,%d,%.9f\n", n, size, seconds);
		}
	}
	MPI_Finalize();
	return 0;
}
