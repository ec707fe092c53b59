#include "record_cost.h"

#include <stdlib.h>

#include "call.h"

#define RECORDS 9u         /* of a turn: five of a call that sends, four of one that does not */
#define TURN_BYTES (5 * LEN_CARGO + 3 * LEN_BARE + LEN_MSG)
#define TURNS 64u          /* of a batch: one block has room for it */
#define BATCHES 16u
#define COLD 21u           /* single turns */
#define CACHE_LINE 64u
#define LEAST 1e-12        /* as the trace has it, in whole picoseconds; a clock that ticks too rarely shows 0 */
#define MOST 1e-4          /* what is more was no record */

static void log_call(enum call_id id, unsigned flags)
{
	struct call c = {.cm = comm_find(real.world), .start = call_starts[id], .record = true};
	struct moment at = moment_now();

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

/* The buffer's memory, which is more than the caches next to the processor hold. */
static void walk_over_caches(void)
{
	const volatile uint8_t *p = buffer.memory;

	for (size_t i = 0; i < (size_t)BUFFER_BLOCKS * BUFFER_BLOCK; i += CACHE_LINE)
		(void)p[i];
}

static int by_size(const void *a, const void *b)
{
	const double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

struct record_cost record_cost_measure(void)
{
	struct record_cost cost;
	double least = 1, cold[COLD];

	/* No block may end in between. */
	if (buffer.used + TURNS * TURN_BYTES + BUFFER_CALL + BUFFER_SPARE >= BUFFER_BLOCK)
		return (struct record_cost){0, 0};
	for (unsigned i = 0; i < BATCHES; i++) {
		double took = turns_take(TURNS);

		least = took < least ? took : least;
	}
	for (unsigned i = 0; i < COLD; i++) {
		walk_over_caches();
		cold[i] = turns_take(1);
	}
	qsort(cold, COLD, sizeof *cold, by_size);
	cost = (struct record_cost){least / (TURNS * RECORDS), cold[COLD / 2] / RECORDS};
	if (cost.high < cost.low)
		cost.high = cost.low;
	return cost.low >= LEAST && cost.high <= MOST ? cost : (struct record_cost){0, 0};
}
