/* What becomes of batches that other work interrupts (docs/explain/models-language.md, "Machine files"): made here, so
 * that it is known what an operation takes. An interruption only lengthens, yet it must neither make an operation free
 * nor faster than a processor can be, and a loop whose first try is interrupted must not be taken for long enough.
 */
#include <math.h>
#include <string.h>

#include "core/models/machine/machine_int.h"
#include "tap.h"

#define OPERATION 0.2e-9
#define LATENCY 0.8e-9
#define CYCLE 0.4e-9
#define LOOP 50e-6          /* s of the loop itself */
#define OPERATIONS 1e5
#define AWAY 4e-3           /* s of an interruption */

static uint64_t state = 88172645463325252u;

static double draw(void)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return (double)(state >> 11) / 9007199254740992.0;
}

/* Batches of which such parts are interrupted, for some part of an interruption. */
static struct batch_loops batches(double operation, double shorter, double longer)
{
	struct batch_loops b = {.operations = OPERATIONS};

	for (int i = 0; i < BATCHES_COUNTED; i++) {
		double noise = 1 + 0.002 * draw();

		b.shorter[i] = (LOOP + OPERATIONS * operation) * noise + (i < shorter * BATCHES_COUNTED ? AWAY * (0.1 + draw()) : 0);
		b.longer[i] = (LOOP + 2 * OPERATIONS * operation) * noise + (i < longer * BATCHES_COUNTED ? AWAY * (0.1 + draw()) : 0);
	}
	batches_sort(b.shorter);
	batches_sort(b.longer);
	return b;
}

static struct machine_range range(double shorter, double longer)
{
	const struct batch_loops independent = batches(OPERATION, shorter, longer), dependent = batches(LATENCY, shorter, longer);

	return batches_range(&independent, &dependent, CYCLE);
}

struct timed {
	int calls, interrupted; /* that one is: the first, or each so many-th */
	bool each;
};

static double once(void *arg, uint64_t n)
{
	struct timed *t = arg;
	int call = t->calls++;

	return (double)n * 1e-8 + ((t->each ? call % t->interrupted == 0 : call == t->interrupted) ? AWAY : 0);
}

static void lengths(void)
{
	unsigned wrong = 0;

	for (int i = 0; i < 30; i++) {
		struct timed first = {0, i, false}, often = {0, 2 + i, true};

		wrong += fabs((double)batch_length(once, &first, 1e-3) - 1e5) > 1;
		wrong += fabs((double)batch_length(once, &often, 1e-3) - 1e5) > 1;
	}
	is_u64(wrong, 0, "a batch lasts as long as it should, whichever try is interrupted");
}

int main(void)
{
	struct machine_range r = range(0, 0);
	unsigned below = 0, crossed = 0, off = 0;

	is_double(r.low / OPERATION, 1, 0.02, "undisturbed: what an independent operation takes");
	is_double(r.high / LATENCY, 1, 0.02, "and a dependent one");
	r = range(0.7, 0.7);
	is_double(r.low / OPERATION, 1, 0.02, "most batches interrupted: an independent operation takes as long as before");
	ok(r.high > 10 * LATENCY, "the upper end has the interruptions in it");
	r = range(0.7, 0);
	is_double(r.low / OPERATION, 1, 0.02, "interrupted shorter loops make no operation faster");
	r = range(1, 0);
	is_double(r.low, CYCLE / BATCHES_ISSUE, 1e-18, "where every shorter loop is: as fast as a processor can be, not faster");
	ok(r.high >= r.low, "and an interval");
	for (int i = 0; i < 2000; i++) {
		double shorter = draw();

		r = range(shorter, draw());
		below += r.low < CYCLE / BATCHES_ISSUE;
		crossed += r.high < r.low;
		off += shorter < 0.9 && r.low < 0.98 * OPERATION;
	}
	is_u64(below, 0, "never below an eighth of a cycle");
	is_u64(crossed, 0, "always an interval");
	is_u64(off, 0, "and never less than it takes while some batches are left alone");
	lengths();
	return done_testing();
}
