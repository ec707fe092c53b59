#include "gen_series.h"

#include <stdio.h>
#include <stdlib.h>

#include "gen_calls.h"
#include "tap.h"

#define ROUNDS 10
#define LAST 0.01 /* s in the collective of who comes last */

static void mark_ends(struct gen_calls *g, int32_t processes, bool end, double time)
{
	for (int32_t p = 0; p < processes; p++)
		gen_mark(g, p, end ? time : 0);
}

struct gen_bytes gen_series(int32_t processes, const struct clog2_write_options *o)
{
	struct gen_calls *g = gen_calls_new(processes, o);
	double round = (4 + 96.0 / processes) / ROUNDS;

	mark_ends(g, processes, false, 0);
	for (int i = 0; i < ROUNDS; i++)
		for (int32_t p = 0; p < processes; p++) {
			double end = (i + 1) * round, begin = p ? i * round + 9.6 / processes : end - LAST;

			gen_call(g, p, begin, end, "MPI_Allreduce");
		}
	mark_ends(g, processes, true, ROUNDS * round);
	return gen_calls_bytes(g);
}

void gen_file(const char *path, struct gen_bytes b)
{
	FILE *f = fopen(path, "wb");

	if (!f || fwrite(b.bytes, 1, b.size, f) != b.size || fclose(f))
		bail_out("cannot write %s", path);
	free(b.bytes);
}

void gen_series_file(const char *path, int32_t processes)
{
	gen_file(path, gen_series(processes, NULL));
}

void gen_weak_file(const char *path, int32_t processes)
{
	struct gen_calls *g = gen_calls_new(processes, NULL);
	double time = processes == 2 ? 100 : 125;

	mark_ends(g, processes, false, 0);
	for (int32_t p = 0; p < processes; p++)
		gen_call(g, p, 90, time, "MPI_Allreduce");
	mark_ends(g, processes, true, time);
	gen_file(path, gen_calls_bytes(g));
}
