#include "gen_exchange.h"

#include "gen.h"
#include "gen_script.h"

#define MOST_PROCESSES 64
#define SIZE 8
#define CALL 0x1p-14 /* s: an MPI call */
#define STEP 0x1p-10 /* s: a send and the computing after it */

/* The others' ranks, in any order. */
static void shuffle(int32_t *from, int32_t process, int32_t processes, uint64_t *seed)
{
	int32_t n = 0;

	for (int32_t r = 0; r < processes; r++)
		if (r != process)
			from[n++] = r;
	for (int32_t left = n; left > 1; left--) {
		int32_t i = (int32_t)gen_below(seed, (uint32_t)left), other = from[i];

		from[i] = from[left - 1];
		from[left - 1] = other;
	}
}

static void send_to_all(struct gen_script *g, int32_t processes, double *time)
{
	for (int32_t i = 0; i < processes - 1; i++, *time += STEP)
		for (int32_t p = 0; p < processes; p++) {
			script_enter(g, p, *time, "MPI_Send");
			script_sent(g, p, *time, i < p ? i : i + 1, 0, SIZE);
			script_leave(g, p, *time + CALL, "MPI_Send");
		}
}

static void receive_from_all(struct gen_script *g, int32_t processes, uint64_t *seed, double *time)
{
	int32_t from[MOST_PROCESSES][MOST_PROCESSES];

	for (int32_t p = 0; p < processes; p++)
		shuffle(from[p], p, processes, seed);
	for (int32_t i = 0; i < processes - 1; i++, *time += CALL)
		for (int32_t p = 0; p < processes; p++) {
			script_enter(g, p, *time, "MPI_Recv");
			script_received(g, p, *time + CALL, from[p][i], 0, SIZE);
			script_leave(g, p, *time + CALL, "MPI_Recv");
		}
}

struct gen_bytes gen_exchange(const struct gen_exchange *x)
{
	struct gen_script *g = gen_script_new(x->processes, &(struct gen_script_options){0});
	uint64_t seed = x->seed;
	double time = 0;

	for (uint32_t i = 0; i < x->iterations; i++) {
		send_to_all(g, x->processes, &time);
		receive_from_all(g, x->processes, &seed, &time);
		time += x->computes_last ? STEP : 0;
	}
	return gen_script_bytes(g);
}
