/* A part of any trace is what the whole one has of it, whatever is wrong with the trace: random runs with threads,
 * several communicators, lost messages, mismatches and cycles; local files of runs that were shifted and crashed; runs
 * with relations that their format gives; and all of these with bytes changed or missing.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gen.h"
#include "gen_prv.h"
#include "gen_run.h"
#include "gen_script.h"
#include "part_case.h"
#include "tap.h"

#define SCRIPTS CASES(500)
#define TEXTS CASES(200)
#define EARLY CASES(20)
#define RUNS CASES(150)
#define DAMAGED CASES(300)

static uint32_t ranks_of(uint64_t seed)
{
	return 2 + (uint32_t)(seed % 8);
}

static bool same(const struct gen_bytes *bytes, uint32_t count, uint64_t seed)
{
	struct part_input in = {.bytes = bytes, .count = count, .threads = 1 + (unsigned)(seed / 7 % 3)};
	bool is = part_is_same(&in, ranks_of(seed));

	if (!is)
		diag("seed %llu, %u ranks", (unsigned long long)seed, ranks_of(seed));
	return is;
}

static struct gen_bytes script_of(uint64_t seed)
{
	struct gen_script_options o = {.threads = seed % 5 == 4 ? 2 : 0, .little_endian = seed % 11 == 3, .block_size = seed % 3 ? 512 : 0};

	return gen_script_random(seed, (enum gen_script_kind)(seed % 4), &o);
}

static struct gen_bytes text_of(uint64_t seed)
{
	char *text = gen_prv(seed, (unsigned)seed % 3);

	return (struct gen_bytes){(uint8_t *)text, strlen(text)};
}

static void test_scripts(void)
{
	int good = 0;

	for (uint64_t seed = 1; seed <= SCRIPTS; seed++) {
		struct gen_bytes b = script_of(seed);

		good += same(&b, 1, seed);
		free(b.bytes);
	}
	is_int(good, SCRIPTS, "random runs");
}

static void test_texts(void)
{
	int good = 0;

	for (uint64_t seed = 1; seed <= TEXTS; seed++) {
		struct gen_bytes b = text_of(seed);

		good += same(&b, 1, seed);
		free(b.bytes);
	}
	is_int(good, TEXTS, "runs whose format relates messages");
}

/* Many messages that arrive before they are sent, of which the first few are noted: in the order in which a whole trace
 * comes to their ends. */
static struct gen_bytes early_of(uint64_t seed)
{
	enum { SIZE = 8192, TASKS = 6, MESSAGES = 60 };
	char *text = malloc(SIZE);
	uint64_t state = seed;
	size_t n;

	if (!text)
		abort();
	n = (size_t)snprintf(text, SIZE, "#Paraver (01/01/2024 at 00:00):100000_ns:1(6):1:%d(1:1,1:1,1:1,1:1,1:1,1:1)\n", TASKS);
	for (unsigned i = 0; i < MESSAGES; i++) {
		unsigned from = gen_below(&state, TASKS), to = (from + 1 + gen_below(&state, TASKS - 1)) % TASKS, at = 1000 + 100 * i;

		n += (size_t)snprintf(text + n, SIZE - n, "3:%u:1:%u:1:%u:%u:%u:1:%u:1:%u:%u:8:1\n", from + 1, from + 1, at, at, to + 1, to + 1,
				      at - gen_below(&state, 90), at - 1 - gen_below(&state, 90));
	}
	return (struct gen_bytes){(uint8_t *)text, n};
}

static void test_early(void)
{
	int good = 0;

	for (uint64_t seed = 1; seed <= EARLY; seed++) {
		struct gen_bytes b = early_of(seed);

		good += same(&b, 1, seed);
		free(b.bytes);
	}
	is_int(good, EARLY, "runs whose messages arrive before they are sent");
}

/* Merged or as local files, of which one may be missing; intercommunicators in all. */
static bool run_same(uint64_t seed)
{
	uint64_t state = seed;
	struct gen_run r = {.processes = 4 + 2 * (int32_t)gen_below(&state, 7), .rounds = 2 + (int)gen_below(&state, 6), .big_endian = seed % 2,
			    .unshifted = seed % 5 == 0, .crashed = seed % 3 == 0, .constants = seed % 7 == 0};
	struct gen_bytes files[64];
	uint32_t count = 1;
	bool is;

	if (seed % 2) {
		count = (uint32_t)r.processes;
		for (uint32_t i = 0; i < count; i++)
			files[i] = gen_run_local(&r, (int32_t)i);
	} else {
		r.crashed = false;
		r.at = (int32_t)gen_below(&state, (uint32_t)r.processes);
		r.fault = (enum gen_fault)(seed / 2 % (GEN_SILENT + 1));
		files[0] = gen_run_finalized(&r);
	}
	is = same(files, count > 1 && seed % 5 == 1 ? count - 1 : count, seed);
	for (uint32_t i = 0; i < count; i++)
		free(files[i].bytes);
	return is;
}

static void test_runs(void)
{
	int good = 0;

	for (uint64_t seed = 1; seed <= RUNS; seed++)
		good += run_same(seed);
	is_int(good, RUNS, "merged and local files");
}

/* Bytes changed, or the end missing. What cannot be loaded is refused by all. */
static void test_damage(void)
{
	int good = 0;

	for (uint64_t seed = 1; seed <= DAMAGED; seed++) {
		uint64_t state = seed * 31;
		struct gen_bytes b = seed % 3 ? script_of(seed % 60 + 1) : text_of(seed % 60 + 1);

		if (seed % 4 == 0)
			b.size -= gen_below(&state, (uint32_t)b.size);
		else
			for (uint32_t k = 1 + gen_below(&state, 5); k-- > 0;)
				b.bytes[gen_below(&state, (uint32_t)b.size)] = (uint8_t)gen_below(&state, 256);
		good += same(&b, 1, seed);
		free(b.bytes);
	}
	is_int(good, DAMAGED, "damaged files");
}

int main(void)
{
	test_scripts();
	test_texts();
	test_early();
	test_runs();
	test_damage();
	return done_testing();
}
