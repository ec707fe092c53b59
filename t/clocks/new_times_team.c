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
#include "core/clocks/correct/correct.h"
#include "gen_clocks.h"
#include "part_case.h"
#include "tap.h"
#include "team_drive.h"

static char path[] = "/tmp/pas2p-new-times-team.XXXXXX";

struct asking {
	const char *file;
	const struct trace_times *times; /* of the whole */
	const struct trace *whole;
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

static enum err_code correct(void *arg, const struct team *team, const struct progress *progress, struct out *said, struct err *e)
{
	const struct asking *asking = arg;
	struct trace_options o = {.threads = 1, .team = team};
	struct trace_times *times = NULL;
	char why[PART_WHY] = "times";
	struct trace *t = NULL;
	bool same;
	enum err_code code = clock_new_times_load(&times, &asking->file, 1, &o, progress, e), loaded;

	(void)said;
	if (code || !team) {
		trace_times_unref(times);
		return code;
	}
	o.times = times;
	same = same_times(times, asking->times);
	loaded = trace_load(&t, &asking->file, 1, &o, NULL, e);
	same = t && (!loaded || loaded == ERR_DAMAGED) && !part_differs(t, asking->whole, why) && same;
	trace_free(t);
	trace_times_unref(times);
	return same ? ERR_OK : team_differs(e, why);
}

static bool is_same(const char *file, uint32_t ranks)
{
	struct asking asking = {.file = file};
	struct trace_options o = {.threads = 1};
	struct trace_times *times;
	struct trace *whole;
	struct err e;
	bool same;

	if (clock_new_times_load(&times, &file, 1, &o, NULL, &e))
		bail_out("%s: %s", file, e.text);
	o.times = times;
	trace_load(&whole, &file, 1, &o, NULL, &e);
	if (!whole)
		bail_out("%s: %s", file, e.text);
	asking.times = times;
	asking.whole = whole;
	same = team_same(&(struct team_case){.name = file, .run = correct, .arg = &asking}, 1u << ranks);
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

	ok(team_same(&(struct team_case){.name = missing.file, .run = correct, .arg = &missing}, 1u << 3), "a file that is not there is an error on all ranks");
	return done_testing();
}
