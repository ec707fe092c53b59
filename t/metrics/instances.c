/* The members of a collective must stand in the order in which they came, however many there are and however they are
 * found: waits and the replay take the last that came in time by a binary search. Instances of all sizes around those
 * at which sorting changes its way are compared with the definition, which looks at all pairs; and a caller that has
 * the instances gets the same result as one that has not.
 */
#include <string.h>

#include "core/metrics/waits/instances.h"
#include "core/metrics/replay/replay.h"
#include "core/metrics/waits/waits.h"
#include "gen_log.h"
#include "tap.h"

#define ROUNDS 4

enum shape { AS_IT_COMES, ASCENDING, DESCENDING, TOGETHER, SHAPES };

static struct err err;

static void must(enum err_code code)
{
	if (code != ERR_OK)
		bail_out("%s", err.text);
}

/* Barriers of all processes; of each the start is within its second. */
static struct call_log *barriers(uint32_t processes, enum shape shape)
{
	uint64_t state = processes * 8 + shape;
	struct gen_log *g = gen_log_new(processes);
	gen_event ring[ROUNDS];

	for (uint32_t p = 0; p < processes; p++) {
		gen_log_list(g, p, 0, 0, ROUNDS + 1);
		for (uint32_t round = 0; round < ROUNDS; round++) {
			double late[SHAPES] = {gen_below(&state, processes), p, processes - 1 - p, 0};
			gen_event e = gen_log_collective(g, gen_log_call(g, "MPI_Barrier", round + late[shape] / processes, round + 1), "Barrier");

			if (p)
				gen_log_relate(g, ring[round], e);
			else
				ring[round] = e;
		}
	}
	return gen_log_made(g);
}

/* By the start of their calls, then by event: how many of the instance's others come before this one. */
static uint32_t naive_place(const struct call_log *log, uint32_t event)
{
	double start = log->calls[log->call_of[event]].start;
	uint32_t before = 0;

	for (uint32_t ev = log->trace->match[event]; ev != event; ev = log->trace->match[ev]) {
		double other = log->calls[log->call_of[ev]].start;

		before += other < start || (other == start && ev < event);
	}
	return before;
}

static uint32_t wrong_places(const struct call_log *log, const struct instances *m)
{
	uint32_t bad = m->count != log->trace->event_count;

	for (uint32_t ev = 0; ev < log->trace->event_count; ev++) {
		uint32_t place = instances_place(m, ev), first;

		if (place == NO_PLACE)
			return ++bad;
		first = m->first[m->instance[place]];
		bad += place - first != naive_place(log, ev) || instances_call(m, place) != log->call_of[ev];
		bad += m->first[m->instance[place] + 1] - first != log->trace->process_count;
	}
	return bad;
}

static uint32_t different_with(const struct call_log *log, const struct instances *m)
{
	struct waits *alone, *w;
	struct replay *replayed, *r;
	uint32_t bad;

	must(waits_new(&alone, log, NULL, &err));
	must(waits_new_among(&w, log, m, NULL, &err));
	must(replay_new(&replayed, log, alone, NULL, NULL, NULL, &err));
	must(replay_new_among(&r, log, w, m, NULL, NULL, NULL, &err));
	bad = memcmp(alone->sync, w->sync, log->call_count * sizeof *w->sync) != 0;
	bad += memcmp(replayed->exit, r->exit, log->call_count * sizeof *r->exit) != 0;
	replay_free(r);
	replay_free(replayed);
	waits_free(w);
	waits_free(alone);
	return bad;
}

static void sizes(void)
{
	static const uint32_t of[] = {1, 2, 3, 15, 16, 17, 31, 32, 33, 47, 48, 49, 63, 64};

	for (enum shape shape = 0; shape < SHAPES; shape++) {
		static const char *const names[] = {"in any order", "in order", "the other way round", "all at once"};
		uint32_t bad = 0, different = 0;

		for (size_t i = 0; i < sizeof of / sizeof *of; i++) {
			struct call_log *log = barriers(of[i], shape);
			struct instances m;

			must(instances_init(&m, log, NULL, &err));
			bad += wrong_places(log, &m);
			different += different_with(log, &m);
			instances_release(&m);
			gen_log_free(log);
		}
		ok(!bad, "members come %s: each has its place", names[shape]);
		ok(!different, "... waits and the replay are what they are without");
	}
}

static void memory(void)
{
	struct call_log *log = barriers(50, AS_IT_COMES);
	struct instances m;
	enum err_code code = ERR_MEMORY;
	bool clean = true;
	long n;

	for (n = 0; code == ERR_MEMORY && n < 100; n++) {
		mem_fail_after(n);
		code = instances_init(&m, log, NULL, &err);
		if (code)
			clean = clean && !m.call && !mem_live();
		mem_fail_after(-1);
	}
	ok(code == ERR_OK && n > 9 && clean, "%ld allocations fail one after the other: told, and nothing is there", n - 1);
	instances_release(&m);
	gen_log_free(log);
}

int main(void)
{
	sizes();
	memory();
	return done_testing();
}
