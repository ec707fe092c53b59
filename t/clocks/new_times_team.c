/* The times that the setting `clocks: corrected` stands for are one process's work, and all ranks of a team must see
 * the trace with them: what rank 0 has made is told to all, to the last bit, and each rank's part of the trace is what
 * the whole one has with these times. Where they cannot be made all ranks say why.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "clock_case.h"
#include "core/base/mem.h"
#include "core/clocks/clock_new_times.h"
#include "core/team/team_threads.h"
#include "gen_clocks.h"
#include "part_case.h"
#include "tap.h"

#define MOST 7

static char path[] = "/tmp/pas2p-new-times-team.XXXXXX";

struct asking {
	const char *file;
	const struct trace_times *times; /* of the whole */
	const struct trace *whole;
	bool same[MOST];
	enum err_code code[MOST];
	char why[MOST][PART_WHY];
};

static bool same_bytes(const void *a, const void *b, size_t n)
{
	return !n || !memcmp(a, b, n);
}

static bool same_times(const struct trace_times *a, const struct trace_times *b)
{
	if (a->figures.steps != b->figures.steps || !same_bytes(&a->figures.largest, &b->figures.largest, sizeof a->figures.largest) ||
	    a->figures.left != b->figures.left || a->process_count != b->process_count || !a->first != !b->first)
		return false;
	return !a->first || (same_bytes(a->first, b->first, (a->process_count + (size_t)1) * sizeof *a->first) &&
			     same_bytes(a->time, b->time, a->first[a->process_count] * sizeof *a->time));
}

static void rank(void *arg, const struct team *team)
{
	struct asking *asking = arg;
	struct trace_options o = {.threads = 1, .team = team};
	struct trace_times *times = NULL;
	struct trace *t = NULL;
	struct err e = {0};
	enum err_code code = clock_new_times_load(&times, &asking->file, 1, &o, NULL, &e);

	asking->code[team->rank] = code;
	snprintf(asking->why[team->rank], PART_WHY, "%s", e.text);
	if (!asking->whole || code) {
		trace_times_unref(times);
		return;
	}
	o.times = times;
	asking->same[team->rank] = same_times(times, asking->times);
	code = trace_load(&t, &asking->file, 1, &o, NULL, &e);
	if (!t || (code && code != ERR_DAMAGED) || part_differs(t, asking->whole, asking->why[team->rank]))
		asking->same[team->rank] = false;
	trace_free(t);
	trace_times_unref(times);
}

static bool is_same(const char *file, uint32_t ranks)
{
	struct asking asking = {.file = file};
	struct trace_options o = {.threads = 1};
	struct trace_times *times;
	struct trace *whole;
	struct err e;
	bool same = true;

	if (clock_new_times_load(&times, &file, 1, &o, NULL, &e))
		bail_out("%s: %s", file, e.text);
	o.times = times;
	trace_load(&whole, &file, 1, &o, NULL, &e);
	if (!whole)
		bail_out("%s: %s", file, e.text);
	asking.times = times;
	asking.whole = whole;
	if (!team_threads_run(ranks, rank, &asking))
		bail_out("no team");
	for (uint32_t r = 0; r < ranks; r++) {
		if (!asking.same[r])
			diag("rank %u of %u: %s", r, ranks, asking.why[r]);
		same = same && asking.same[r];
	}
	trace_free(whole);
	trace_times_unref(times);
	return same;
}

int main(void)
{
	static const char *const files[] = {"sample-traces/cg.S.4.clog2", "sample-traces/lu.S.4.clog2", "sample-traces/coll.6.clog2",
					    "sample-traces/one_rank.1.clog2", "sample-traces/nonblock.4.prv"};
	struct asking missing = {.file = "sample-traces/none.clog2"};
	int good = 0, fd = mkstemp(path);
	bool together = true;

	if (fd < 0)
		bail_out("no file");
	close(fd);
	for (size_t i = 0; i < sizeof files / sizeof *files; i++)
		ok(is_same(files[i], 2 + (uint32_t)i), "%s", files[i]);
	for (uint64_t seed = 1; seed <= 20; seed++) {
		clock_case_write(path, gen_clocks(seed));
		good += is_same(path, 2 + (uint32_t)(seed % 6));
	}
	is_int(good, 20, "runs with clocks of their own");
	unlink(path);

	if (!team_threads_run(3, rank, &missing))
		bail_out("no team");
	for (int r = 0; r < 3; r++)
		together = together && missing.code[r] == ERR_IO && strstr(missing.why[r], "none.clog2");
	ok(together, "a file that is not there is an error on all ranks");
	return done_testing();
}
