#include "preload.h"

#include <stdlib.h>
#include <unistd.h>

#include "call.h"

#define RECORDS 9u         /* of a turn: five of a call that sends, four of one that does not */
#define TURN_BYTES (5 * LEN_CARGO + 3 * LEN_BARE + LEN_MSG)
#define TURNS 64u          /* of a batch: one block has room for it */
#define BATCHES 16u
#define COLD 5u            /* single turns */
#define WALK_LEAST (1u << 20)
#define WALK_MOST (4u << 20)
#define CACHE_LINE 64u
#define LEAST 1e-12        /* as the trace has it, in whole picoseconds; a clock that ticks too rarely shows 0 */
#define MOST 1e-4          /* what is more was no record */

static void log_call(enum call_id id, unsigned flags)
{
	struct call c = {.cm = comm_find(real.world), .start = call_starts[id], .record = true};
	struct clock_moment at = moment_now();

	record_begin(&c, flags, 8, c.cm->rank, 0, &at);
	record_end(&c, NULL);
}

/* s of as many turns, of which nothing stays. */
static double turns_take(unsigned turns)
{
	const size_t used = buffer.used;
	const double last = buffer.last, start = clock_now();
	double took;

	for (unsigned i = 0; i < turns; i++) {
		log_call(CALL_Send, CALL_SENDS);
		log_call(CALL_Wait, 0);
	}
	took = clock_now() - start;
	buffer.used = used;
	buffer.last = last;
	return took;
}

/* Bytes that are more than a core's own caches hold. */
static size_t walk_size(void)
{
	long cache = sysconf(_SC_LEVEL2_CACHE_SIZE);

	return cache < WALK_LEAST / 2 ? WALK_LEAST : cache > WALK_MOST / 2 ? WALK_MOST : 2 * (size_t)cache;
}

static void walk_over(const volatile uint8_t *memory, size_t size)
{
	for (size_t i = 0; i < size; i += CACHE_LINE)
		(void)memory[i];
}

static int by_size(const void *a, const void *b)
{
	const double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

struct record_cost record_cost_measure(void)
{
	const size_t size = walk_size();
	struct record_cost cost;
	double least = 1, cold[COLD];
	uint8_t *memory;

	/* No block may end in between. */
	if (buffer.used + TURNS * TURN_BYTES + BUFFER_CALL + BUFFER_SPARE >= BUFFER_BLOCK)
		return (struct record_cost){0, 0};
	memory = malloc(size);
	if (!memory)
		return (struct record_cost){0, 0};
	memset(memory, 1, size); /* or all of its pages were one */
	for (unsigned i = 0; i < BATCHES; i++) {
		double took = turns_take(TURNS);

		least = took < least ? took : least;
	}
	for (unsigned i = 0; i < COLD; i++) {
		walk_over(memory, size);
		cold[i] = turns_take(1);
	}
	free(memory);
	qsort(cold, COLD, sizeof *cold, by_size);
	cost = (struct record_cost){least / (TURNS * RECORDS), cold[COLD / 2] / RECORDS};
	if (cost.high < cost.low)
		cost.high = cost.low;
	return cost.low >= LEAST && cost.high <= MOST ? cost : (struct record_cost){0, 0};
}
