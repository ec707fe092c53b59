/* What a test program says that it did, for comparison with its trace, event by event.
 *
 * Lines "rank,number,kind,type,peer,size,comm,tag" as `pas2p events --format csv` has them, with a name of the
 * program's own for the communicator; one file per rank in the folder $SAID, nothing without it. Peers are world ranks.
 */
#ifndef SAID_H
#define SAID_H

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static int said_rank, said_size, said_count;
static char *said_text;
static size_t said_used, said_cap;

static inline void said_begin(void)
{
	MPI_Comm_rank(MPI_COMM_WORLD, &said_rank);
	MPI_Comm_size(MPI_COMM_WORLD, &said_size);
}

static inline void said_line(const char *line)
{
	size_t n = strlen(line);

	if (said_used + n + 1 > said_cap) {
		said_cap = 2 * (said_cap + n + 1024);
		said_text = realloc(said_text, said_cap);
		if (!said_text)
			abort();
	}
	memcpy(said_text + said_used, line, n + 1);
	said_used += n;
}

static inline void said_send(int peer, long size, const char *comm, int tag)
{
	char line[256];

	snprintf(line, sizeof line, "%d,%d,send,+%d,%d,%ld,%s,%d\n", said_rank, ++said_count, peer + 1,
		 peer, size, comm, tag);
	said_line(line);
}

/* size < 0: it cannot be known. */
static inline void said_receive(int peer, long size, const char *comm, int tag)
{
	char line[256], number[24] = "";

	if (size >= 0)
		snprintf(number, sizeof number, "%ld", size);
	snprintf(line, sizeof line, "%d,%d,receive,-%d,%d,%s,%s,%d\n", said_rank, ++said_count, peer + 1,
		 peer, number, comm, tag);
	said_line(line);
}

static inline void said_collective(const char *op, long size, const char *comm)
{
	char line[256];

	snprintf(line, sizeof line, "%d,%d,collective,C%s,,%ld,%s,\n", said_rank, ++said_count, op, size, comm);
	said_line(line);
}

/* Before MPI_Finalize. */
static inline void said_end(void)
{
	const char *folder = getenv("SAID");
	char name[4096];
	FILE *f;

	if (!folder)
		return;
	snprintf(name, sizeof name, "%s/%06d", folder, said_rank);
	f = fopen(name, "w");
	if (!f || (said_used && fwrite(said_text, 1, said_used, f) != said_used) || fclose(f) != 0)
		MPI_Abort(MPI_COMM_WORLD, 9);
}

/* The program's argument number i, or what it is without. */
static inline int said_argument(int argc, char **argv, int i, int otherwise)
{
	return argc > i ? atoi(argv[i]) : otherwise;
}

/* Compute for about so many microseconds. */
static inline double said_work(int microseconds)
{
	static volatile double sunk = 1;
	double x = sunk;

	for (long i = 0; i < 400L * microseconds; i++)
		x = x * 1.0000001 + 1e-9;
	sunk = x;
	return x;
}

#endif
