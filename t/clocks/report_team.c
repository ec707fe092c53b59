/* What the ranks of a team find out together of clocks must be what one process finds, to the last digit: bounds,
 * violations, windows, medians. Each rank reads the records of its local processes; what it is told of the others must
 * not be missed anywhere. And ranks fail together: where one of them runs out of memory or is stopped, all of them end,
 * and say the same.
 */
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "clock_case.h"
#include "clock_team.h"
#include "gen.h"
#include "gen_clocks.h"
#include "gen_prv.h"
#include "gen_run.h"
#include "gen_script.h"
#include "tap.h"

#define SCRIPTS CASES(150)
#define TEXTS CASES(40)
#define SKEWS CASES(24)
#define PLANTED CASES(150)
#define DAMAGED CASES(60)

static const uint32_t sizes[] = {2, 3, 4, 7};
static char path[] = "/tmp/pas2p-clocks-team.XXXXXX", made[sizeof path + 8];

static bool same_by(struct clock_asked asked, uint32_t ranks, const char *what)
{
	return team_same(&(struct team_case){.name = what, .run = clock_team_report, .arg = &asked}, 1u << ranks);
}

/* Each file that matches is a run; `set`: all of them are one. Under a sanitizer each has one size of team. */
static void test_files(const char *pattern, bool set)
{
	glob_t found;

	if (glob(pattern, 0, NULL, &found))
		return;
	for (size_t i = 0; i < (set ? 1 : found.gl_pathc); i++)
		for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
			if (SANITIZED && k != i % (sizeof sizes / sizeof *sizes))
				continue;
			ok(same_by(clock_asked_of((const char *const *)&found.gl_pathv[i], set ? (uint32_t)found.gl_pathc : 1), sizes[k], found.gl_pathv[i]),
			   "%u ranks of %s", sizes[k], set ? pattern : found.gl_pathv[i]);
		}
	globfree(&found);
}

/* One of each kind of what may be asked for. */
static struct clock_asked ask(const char *const *file, uint64_t seed)
{
	struct clock_asked asked = clock_asked_of(file, 1);

	asked.threads = 1 + (unsigned)(seed / 5 % 3);
	asked.options.latency = seed % 4 == 1 ? 1e-6 : 0;
	asked.options.resolution = seed % 5 == 2 ? 1e-6 : RESOLUTION_AUTO;
	asked.options.windows = seed % 6 == 3 ? 1 : CLOCK_WINDOWS;
	asked.options.bins = (uint32_t)(seed % 9);
	asked.options.medians = seed % 3 != 0;
	asked.options.reference = seed % 7 == 4 ? 2 : REFERENCE_ANY;
	return asked;
}

static bool same(const char *file, uint64_t seed)
{
	char what[40];

	snprintf(what, sizeof what, "seed %llu", (unsigned long long)seed);
	return same_by(ask(&file, seed), 2 + (uint32_t)(seed % 6), what);
}

/* Clocks that contradict each other: several windows, forced pairs, barriers alone. */
static void test_skewed(void)
{
	static const char *const from[] = {"sample-traces/coll.6.clog2", "sample-traces/cg.S.4.clog2", "sample-traces/comms.6.clog2",
					   "sample-traces/is.S.4.clog2"};
	int good = 0;

	for (uint64_t seed = 1; seed <= SKEWS; seed++) {
		clock_case_skew(from[seed % 4], made, seed, seed % 3 ? 1e-3 : 10);
		good += same(made, seed);
	}
	is_int(good, SKEWS, "runs with clocks that are off, run off and step");
}

static void test_planted(void)
{
	int good = 0;

	for (uint64_t seed = 1; seed <= PLANTED; seed++) {
		clock_case_write(made, gen_clocks(seed));
		good += same(made, seed);
	}
	is_int(good, PLANTED, "runs with clocks that are synchronised, measured, contradicted, and with messages and collectives that do not fit");
}

static struct gen_bytes script_of(uint64_t seed)
{
	static const char *const hosts[] = {"one", "two", "two", "three", "one", "two", "three", "one"};
	struct gen_script_options o = {.threads = seed % 5 == 4 ? 2 : 0, .block_size = seed % 3 ? 512 : 0, .hosts = seed % 2 ? hosts : NULL};

	return gen_script_random(seed, (enum gen_script_kind)(seed % 4), &o);
}

static struct gen_bytes text_of(uint64_t seed)
{
	char *text = gen_prv(seed, (unsigned)seed % 3);

	return (struct gen_bytes){(uint8_t *)text, strlen(text)};
}

static void test_random(void)
{
	int good = 0;

	for (uint64_t seed = 1; seed <= SCRIPTS; seed++) {
		clock_case_write(made, script_of(seed));
		good += same(made, seed);
	}
	is_int(good, SCRIPTS, "random runs");
	good = 0;
	for (uint64_t seed = 1; seed <= TEXTS; seed++) {
		clock_case_write(made, text_of(seed));
		good += same(made, seed);
	}
	is_int(good, TEXTS, "runs whose format relates messages");
}

static void test_runs(void)
{
	int good = 0, all = 0;

	for (int fault = GEN_NO_FAULT; fault <= GEN_SILENT; fault++)
		for (int32_t processes = 4; processes <= 12; processes += 8, all++) {
			const struct gen_run r = {.processes = processes, .rounds = 6, .fault = (enum gen_fault)fault, .at = fault % 4};

			clock_case_write(made, gen_run_finalized(&r));
			good += same(made, (uint64_t)all);
		}
	is_int(good, all, "runs with communicators that overlap, intact and each with a fault");
}

static void test_damage(void)
{
	int good = 0;

	for (uint64_t seed = 1; seed <= DAMAGED; seed++) {
		uint64_t state = seed * 31;
		struct gen_bytes b = script_of(seed % 60 + 1);

		if (seed % 4 == 0)
			b.size -= gen_below(&state, (uint32_t)b.size);
		else
			for (uint32_t k = 1 + gen_below(&state, 5); k-- > 0;)
				b.bytes[gen_below(&state, (uint32_t)b.size)] = (uint8_t)gen_below(&state, 256);
		clock_case_write(made, b);
		good += same(made, seed);
	}
	is_int(good, DAMAGED, "damaged files");
}

static void test_failing(void)
{
	static const uint64_t seeds[] = {1, 7, 9}; /* several windows, barriers alone, steps */
	static const char *const names[] = {"several windows", "barriers alone", "steps"};
	const char *file = made;

	for (size_t i = 0; i < sizeof seeds / sizeof *seeds; i++) {
		struct clock_asked asked = clock_asked_of(&file, 1);

		clock_case_write(made, gen_clocks(seeds[i]));
		team_fails(&(struct team_case){.name = names[i], .run = clock_team_report, .arg = &asked, .loads = true}, 3, 200);
	}
}

int main(void)
{
	if (!mkdtemp(path))
		bail_out("no folder");
	snprintf(made, sizeof made, "%s/made", path);
	test_files("sample-traces/*.clog2", false);
	test_files("sample-traces/*.otf2", false);
	test_files("sample-traces/*.prv", false);
	test_files("sample-traces/unfinalized.m240.abortme.*", true);
	test_files(TEST_TRACES "/*.clog2", false);
	test_files(TEST_TRACES "/unfinalized/unfinalized.m246.killme.*", true);
	test_skewed();
	test_planted();
	test_random();
	test_runs();
	test_damage();
	test_failing();
	unlink(made);
	rmdir(path);
	return done_testing();
}
