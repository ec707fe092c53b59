/* Arrows that go back are what the report counts, one by one: as many of each process and pair, the worst of a pair as
 * bad as it says, each with the two events that it lies between, so that a screen shows no other than pas2p clocks
 * tells; and stopping or lack of memory gives an error, never some of them. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/mem.h"
#include "core/clocks/arrows.h"
#include "core/formats/api/load.h"
#include "gen_calls.h"
#include "gen_run.h"
#include "gen_series.h"
#include "tap.h"

static struct err err;
static char folder[] = "/tmp/pas2p-arrows.XXXXXX", file[80];

static void must(enum err_code code)
{
	if (code)
		bail_out("%s", err.text);
}

static struct call_log *calls; /* of what load() has loaded */

static struct trace *load(const char *path, struct clock_report **r)
{
	static const struct clock_report_options plain = {.reference = REFERENCE_ANY, .resolution = RESOLUTION_AUTO,
							  .windows = CLOCK_WINDOWS, .bins = 7};
	struct trace *t;

	must(call_log_load(&calls, &t, &path, 1, NULL, NULL, &err));
	must(clock_report_new(r, calls, &plain, NULL, &err));
	return t;
}

/* Of each process: messages sent, received, ends of collectives. */
static bool same_counts(const struct clock_report *r, const struct clock_arrows *a)
{
	const struct trace *t = r->trace;
	uint64_t (*n)[3] = mem_zero(t->process_count, sizeof *n);
	bool same = n != NULL;

	for (uint32_t i = 0; same && i < a->count; i++) {
		const struct clock_arrow *x = &a->list[i];

		n[trace_process_of(t, x->from)][0] += !x->collective;
		n[trace_process_of(t, x->to)][1 + x->collective]++;
		same = x->came < x->left && clock_arrow_of(a, x->to) == x && (!i || a->list[i - 1].to < x->to) &&
		       (x->collective ? trace_process_of(t, x->from) != trace_process_of(t, x->to) : t->match[x->to] == x->from);
	}
	for (uint32_t p = 0; same && p < t->process_count; p++) {
		const struct process_violations *v = &r->violations->process[p];

		same = n[p][0] == v->sent.violated && n[p][1] == v->received.violated && n[p][2] == v->collective.violated;
	}
	mem_free(n);
	return same;
}

static bool same_pairs(const struct clock_report *r, const struct clock_arrows *a)
{
	for (uint32_t k = 0; k < r->violations->pair_count; k++) {
		const struct pair_violations *pair = &r->violations->pair[k];
		const struct clock_arrow *x = clock_arrow_worst(a, r->trace, pair->from, pair->to);

		if (!x != !pair->messages.violated || (x && x->came - x->left != pair->messages.worst))
			return false;
	}
	return true;
}

/* Where the arrows of each process begin from a time on; only where clocks run forward. */
static void from_times(const char *path)
{
	struct clock_arrows *a;
	struct clock_report *r;
	struct trace *t = load(path, &r);
	double longest = 0;
	bool same = true;

	must(clock_arrows_new(&a, r, NULL, &err));
	for (uint32_t i = 0; i < a->count; i++)
		longest = fmax(longest, a->list[i].left - a->list[i].came);
	is_double(a->longest, longest, 0, "%s: the longest way back", path);
	for (uint32_t p = 0; p < t->process_count; p++)
		for (int k = -1; k <= 20; k++) {
			double time = t->start + (t->end - t->start) * k / 19;
			uint32_t want = 0;

			for (uint32_t i = 0; i < a->count; i++)
				want += a->list[i].to < t->first[p] || (a->list[i].to < t->first[p + 1] && a->list[i].came < time);
			same = same && clock_arrows_from(a, t, p, time) == want;
		}
	ok(same, "%s: those from a time on", path);
	clock_arrows_free(a);
	clock_report_free(r);
	call_log_free(calls);
	trace_free(t);
}

static uint32_t as_reported(const char *path, const char *name)
{
	struct clock_arrows *a;
	struct clock_report *r;
	struct trace *t = load(path, &r);
	uint32_t n;

	must(clock_arrows_new(&a, r, NULL, &err));
	n = a->count;
	is_u64(n, clock_report_found(r), "%s: as many as are reported", name);
	ok(same_counts(r, a), "%s: of the same processes", name);
	ok(same_pairs(r, a), "%s: and the worst of each pair", name);
	clock_arrows_free(a);
	clock_report_free(r);
	call_log_free(calls);
	trace_free(t);
	return n;
}

/* Three members of a barrier, of which the last to begin ended the second's. */
static void barrier(double second, double third, double ends, uint32_t want, const char *name)
{
	struct gen_calls *g = gen_calls_new(3, NULL);
	struct clock_arrows *a;
	struct clock_report *r;
	struct trace *t;

	gen_call(g, 0, 1.0, 1.5, "MPI_Barrier");
	gen_call(g, 1, second, 1.3, "MPI_Barrier");
	gen_call(g, 2, third, ends, "MPI_Barrier");
	gen_file(file, gen_calls_bytes(g));
	t = load(file, &r);
	must(clock_arrows_new(&a, r, NULL, &err));
	is_u64(a->count, want, "%s: so many", name);
	ok(same_counts(r, a), "%s: as reported", name);
	if (want == 1 && a->count == 1) {
		ok(a->list[0].collective && trace_process_of(t, a->list[0].from) == 2 && trace_process_of(t, a->list[0].to) == 1,
		   "%s: from the last to begin, to the one that ended before", name);
		is_double(a->list[0].left, third, 1e-9, "%s: begun then", name);
		is_double(a->list[0].came, 1.3, 1e-9, "%s: ended before", name);
	}
	clock_arrows_free(a);
	clock_report_free(r);
	call_log_free(calls);
	trace_free(t);
}

static bool stop(void *arg)
{
	int *left = arg;

	return --*left < 0;
}

static void wrong(const char *path)
{
	struct clock_arrows *a;
	struct clock_report *r;
	struct trace *t = load(path, &r);
	uint32_t failed = 0, bad = 0;
	int left = 0;
	struct progress progress = {.stopped = stop, .arg = &left};

	is_int(clock_arrows_new(&a, r, &progress, &err), ERR_CANCELLED, "stopped");
	ok(!a, "... there are none");
	for (long n = 0;; n++) {
		enum err_code code;

		mem_fail_after(n);
		code = clock_arrows_new(&a, r, NULL, &err);
		mem_fail_after(-1);
		failed += code == ERR_MEMORY;
		bad += code && (code != ERR_MEMORY || a);
		clock_arrows_free(a);
		if (!code || n > 2000)
			break;
	}
	ok(failed > 3 && !bad, "without memory it says so, %u times", failed);
	clock_report_free(r);
	call_log_free(calls);
	trace_free(t);
}

int main(void)
{
	static const char *const samples[] = {"lu.S.4", "pcontrol.4", "syncclk.4", "persist.4.m246", "userstates.3", "one_rank.1", "anysrc.5"};
	struct gen_run skewed = {.processes = 6, .rounds = 20}, cycle = skewed;

	if (!mkdtemp(folder))
		bail_out("no directory");
	snprintf(file, sizeof file, "%s/run.clog2", folder);
	is_u64(as_reported("sample-traces/cg.S.4.clog2", "cg"), 317, "cg: known ones");
	for (size_t i = 0; i < sizeof samples / sizeof *samples; i++) {
		char path[80];

		snprintf(path, sizeof path, "sample-traces/%s.clog2", samples[i]);
		as_reported(path, samples[i]);
	}
	from_times("sample-traces/cg.S.4.clog2");
	from_times("sample-traces/lu.S.4.clog2");
	from_times("sample-traces/one_rank.1.clog2");
	gen_file(file, gen_run_finalized(&skewed));
	as_reported(file, "shifted clocks");
	cycle.at = 2;
	cycle.fault = GEN_TIME_BACK;
	gen_file(file, gen_run_finalized(&cycle));
	ok(as_reported(file, "a clock that jumps back") > 0, "there are some");
	barrier(1.2, 1.45, 1.6, 1, "a barrier");
	barrier(1.0, 1.0, 1.6, 0, "all begin at once");
	barrier(1.2, 1.51, 1.6, 2, "two ended before");
	barrier(1.2, 1.45, 1.1, 2, "a clock that steps back within");
	wrong("sample-traces/lu.S.4.clog2");
	remove(file);
	ok(!rmdir(folder), "nothing else is left");
	return done_testing();
}
