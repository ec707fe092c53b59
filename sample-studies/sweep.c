/* A wavefront over a cube of n x n x n cells, as transport codes have it (Sweep3D): a program to study, small enough to read.
 *
 *     sweep N [SWEEPS]
 *
 * Processes lie on a grid of two dimensions; each has all of the third one, in blocks of planes. Angles come in eight octants: each sweeps
 * from another corner of the cube. A block needs what its neighbours upstream have made of it, so it is received from both, computed,
 * and sent on to both downstream. After each sweep of all octants the flux is added up over all processes.
 *
 * The work of a process goes with n^3 / p; the blocks on its way with n, and what each sends with n / sqrt(p).
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { PLANES = 10, ANGLES = 6 };

struct part {
	int nx, ny, n;             /* cells of this process, and planes */
	int up[2], down[2];        /* neighbours in the two dimensions, against and with the positive direction */
	double *flux;              /* [n][ny][nx] */
	double *x, *y, *z;         /* what flows in, and then out: [PLANES][ny], [PLANES][nx], [ny][nx], each times ANGLES */
};

static double *room(size_t count)
{
	double *p = calloc(count, sizeof *p);

	if (!p) {
		fprintf(stderr, "sweep: out of memory\n");
		MPI_Abort(MPI_COMM_WORLD, 1);
	}
	return p;
}

static int share(int n, int parts, int which)
{
	return n / parts + (which < n % parts);
}

/* One cell: what leaves it follows from what enters, by diamond differences without a fix-up. */
static double cell(double *x, double *y, double *z)
{
	double middle = (1.0 + 0.6 * *x + 0.5 * *y + 0.4 * *z) / 2.5;

	*x = 2 * middle - *x;
	*y = 2 * middle - *y;
	*z = 2 * middle - *z;
	return middle;
}

/* A block of planes from `first` on, in the direction of the octant. */
static void compute(struct part *p, int first, int planes, const int forward[3])
{
	for (int angle = 0; angle < ANGLES; angle++)
		for (int c = 0; c < planes; c++) {
			int k = forward[2] ? first + c : p->n - 1 - first - c;

			for (int b = 0; b < p->ny; b++) {
				int j = forward[1] ? b : p->ny - 1 - b;
				double *x = &p->x[(angle * PLANES + c) * p->ny + j];

				for (int a = 0; a < p->nx; a++) {
					int i = forward[0] ? a : p->nx - 1 - a;

					p->flux[((size_t)k * p->ny + j) * p->nx + i] +=
						cell(x, &p->y[(angle * PLANES + c) * p->nx + i], &p->z[(angle * p->ny + j) * p->nx + i]);
				}
			}
		}
}

static void octant(struct part *p, const int forward[3])
{
	int from[2], to[2], count_x = ANGLES * PLANES * p->ny, count_y = ANGLES * PLANES * p->nx;

	for (int d = 0; d < 2; d++) {
		from[d] = forward[d] ? p->up[d] : p->down[d];
		to[d] = forward[d] ? p->down[d] : p->up[d];
	}
	for (int i = 0; i < ANGLES * p->nx * p->ny; i++)
		p->z[i] = 0;
	for (int first = 0; first < p->n; first += PLANES) {
		for (int i = 0; i < count_x; i++)
			p->x[i] = 0;
		for (int i = 0; i < count_y; i++)
			p->y[i] = 0;
		MPI_Recv(p->x, count_x, MPI_DOUBLE, from[0], 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
		MPI_Recv(p->y, count_y, MPI_DOUBLE, from[1], 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
		compute(p, first, p->n - first < PLANES ? p->n - first : PLANES, forward);
		MPI_Send(p->x, count_x, MPI_DOUBLE, to[0], 0, MPI_COMM_WORLD);
		MPI_Send(p->y, count_y, MPI_DOUBLE, to[1], 1, MPI_COMM_WORLD);
	}
}

int main(int argc, char **argv)
{
	int n = argc > 1 ? atoi(argv[1]) : 0, sweeps = argc > 2 ? atoi(argv[2]) : 10;
	int ranks, dims[2] = {0, 0}, periods[2] = {0, 0}, at[2];
	double sum = 0, total = 0;
	struct part p = {.n = n};
	MPI_Comm grid;

	MPI_Init(&argc, &argv);
	MPI_Comm_size(MPI_COMM_WORLD, &ranks);
	MPI_Dims_create(ranks, 2, dims);
	if (n < dims[0] || n > 2000 || sweeps < 1) {
		fprintf(stderr, "usage: sweep N [SWEEPS], N from %d to 2000\n", dims[0]);
		MPI_Abort(MPI_COMM_WORLD, 2);
	}
	MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, 0, &grid); /* ranks stay what they are */
	MPI_Cart_get(grid, 2, dims, periods, at);
	for (int d = 0; d < 2; d++)
		MPI_Cart_shift(grid, d, 1, &p.up[d], &p.down[d]);
	p.nx = share(n, dims[0], at[0]);
	p.ny = share(n, dims[1], at[1]);
	p.flux = room((size_t)n * p.nx * p.ny);
	p.x = room((size_t)ANGLES * PLANES * p.ny);
	p.y = room((size_t)ANGLES * PLANES * p.nx);
	p.z = room((size_t)ANGLES * p.nx * p.ny);
	for (int sweep = 0; sweep < sweeps; sweep++) {
		for (int o = 0; o < 8; o++)
			octant(&p, (int[]){o & 1, o >> 1 & 1, o >> 2 & 1});
		for (size_t i = 0; i < (size_t)n * p.nx * p.ny; i++)
			sum += p.flux[i];
		MPI_Allreduce(&sum, &total, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
	}
	if (at[0] == 0 && at[1] == 0)
		printf("n %d, %d x %d processes, %d sweeps: flux %.6g\n", n, dims[0], dims[1], sweeps, total);
	free(p.flux);
	free(p.x);
	free(p.y);
	free(p.z);
	MPI_Comm_free(&grid);
	MPI_Finalize();
	return 0;
}
