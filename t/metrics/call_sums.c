/* What a stretch of time spent must be what a sum over all calls and events says, for every stretch and every
 * processes: people read off it where time goes in what they look at. Random logs, also of ones that cannot happen, and
 * real traces are compared with the definition written down as it reads; the whole run is its account, and stretches
 * that meet add up to it.
 */
#include <math.h>
#include <stdlib.h>

#include "core/formats/api/load.h"
#include "core/metrics/maps/maps.h"
#include "core/metrics/rows/rows.h"
#include "gen_log.h"
#include "tap.h"

static struct err err;

static void must(enum err_code code)
{
	if (code != ERR_OK)
		bail_out("%s", err.text);
}

static double part(double a, double b, double t0, double t1)
{
	double from = a > t0 ? a : t0, to = b < t1 ? b : t1;

	return to > from ? to - from : 0;
}

/* Every call, and every event, looked at. */
static struct call_totals naive(const struct call_log *log, const struct waits *w, uint32_t first, uint32_t last, double t0, double t1)
{
	struct call_totals n = {.longest = NO_LOGGED_CALL, .waits_most = NO_PROCESS};
	const struct trace *t = log->trace;

	for (uint32_t l = 0; l < log->list_count; l++) {
		const struct call_list *list = &log->lists[l];
		double calls = 0, waited = 0;

		if (list->process < first || list->process > last)
			continue;
		for (uint32_t c = list->first; c < list->end; c++) {
			const struct logged_call *call = &log->calls[c];
			enum account_kind kind = log->nodes[call->node].time;
			double all = part(call->start, call->end, t0, t1), wait = part(call->start, call->start + w->sync[c], t0, t1);
			bool here = all > 0 || (call->start >= t0 && call->start < t1);

			if (here && call_node_is_function(&log->nodes[call->node]) &&
			    (n.longest == NO_LOGGED_CALL || call->end - call->start > log->calls[n.longest].end - log->calls[n.longest].start))
				n.longest = c;
			if (!list->account)
				continue;
			calls += all;
			if (call_is_not_analysed(log, c)) {
				waited += wait;
				n.by_kind[SPENT_WAITING] += wait;
				n.by_kind[SPENT_NOT_ANALYSED] += all - wait;
				continue;
			}
			if (kind == ACCOUNT_OTHER_MPI || kind == ACCOUNT_UNTRACED || kind == ACCOUNT_TRACER) {
				n.by_kind[SPENT_OTHER] += all;
				continue;
			}
			waited += wait;
			n.by_kind[SPENT_WAITING] += wait;
			n.by_kind[SPENT_MOVING] += all - wait;
		}
		if (!list->account)
			continue;
		n.covered += part(list->start, list->stop, t0, t1);
		n.by_kind[SPENT_COMPUTE] += part(list->start, list->stop, t0, t1) - calls;
		if (waited > n.waited + 1e-12) {
			n.waited = waited;
			n.waits_most = list->process;
		}
	}
	for (uint32_t e = t->first[first]; e < t->first[last + 1]; e++) {
		double at = call_log_event_time(log, e);

		if (EVENT_KIND(t->type[e]) != EVENT_SEND || log->call_of[e] == NO_LOGGED_CALL || at < t0 || at >= t1)
			continue;
		n.messages++;
		n.bytes += trace_size(t, e) == SIZE_UNKNOWN ? 0 : trace_size(t, e);
	}
	return n;
}

static uint32_t wrong(const struct call_totals *a, const struct call_totals *b)
{
	uint32_t bad = 0;

	for (int k = 0; k < SPENT_KINDS; k++)
		bad += !(fabs(a->by_kind[k] - b->by_kind[k]) < 1e-9 * (1 + fabs(b->covered)));
	bad += !(fabs(a->covered - b->covered) < 1e-9 * (1 + b->covered));
	bad += a->messages != b->messages || a->bytes != b->bytes || a->longest != b->longest;
	/* Of two that waited as long to a rounding either may be named. */
	bad += fabs(a->waited - b->waited) > 1e-9 || (a->waits_most != b->waits_most && a->waited > b->waited + 1e-12);
	return bad;
}

static void sums_between(const struct call_sums *s, uint32_t first, uint32_t last, double t0, double t1, struct call_totals *out)
{
	*out = (struct call_totals)CALL_TOTALS_NONE;
	call_sums_add(s, first, last, t0, t1, out);
}

struct seen {
	uint32_t stretches, bad;
	uint64_t messages;
	double waiting;
};

static void check_stretches(const struct call_log *log, const struct waits *w, uint64_t seed, uint32_t count, struct seen *seen)
{
	struct call_sums *s;
	uint32_t n = log->trace->process_count;
	double begin = INFINITY, end = -INFINITY;

	must(call_sums_new(&s, log, w, NULL, &err));
	for (uint32_t l = 0; l < log->list_count; l++) {
		begin = fmin(begin, log->lists[l].start);
		end = fmax(end, log->lists[l].stop);
	}
	for (uint32_t i = 0; i < count && begin < end; i++) {
		uint32_t first = gen_below(&seed, n), last = first + gen_below(&seed, n - first);
		double a = begin + (end - begin) * gen_below(&seed, 1001) / 1000, b = begin + (end - begin) * gen_below(&seed, 1001) / 1000;
		struct call_totals is, should;

		if (log->call_count && i % 4 == 1) { /* bounds where something is */
			a = log->calls[gen_below(&seed, log->call_count)].start;
			b = log->calls[gen_below(&seed, log->call_count)].end;
		}
		if (i % 9 == 0)
			first = 0, last = n - 1;
		if (a > b) {
			double x = a;

			a = b;
			b = x;
		}
		b = i % 5 == 0 ? (double)INFINITY : b;
		a = i % 10 == 0 ? -(double)INFINITY : a;
		if (!(a < b))
			continue;
		sums_between(s, first, last, a, b, &is);
		should = naive(log, w, first, last, a, b);
		seen->bad += wrong(&is, &should);
		seen->stretches++;
		seen->messages += is.messages;
		seen->waiting += is.waited;
	}
	call_sums_free(s);
}

static void at_random(void)
{
	struct seen can = {0}, wild = {0};

	for (uint64_t seed = 1; seed <= 300; seed++) {
		bool w = seed % 2;
		struct call_log *log = w ? gen_log_wild(seed) : gen_log_run(seed, seed % 4 == 0);
		struct waits *waits;

		must(waits_new(&waits, log, NULL, &err));
		check_stretches(log, waits, seed, 60, w ? &wild : &can);
		waits_free(waits);
		gen_log_free(log);
	}
	ok(!can.bad && can.messages > 1000 && can.waiting > 100, "runs that can happen: %u stretches as defined (%u are not)", can.stretches, can.bad);
	ok(!wild.bad && wild.messages > 1000 && wild.waiting > 100, "logs of anything: %u stretches as defined (%u are not)", wild.stretches,
	   wild.bad);
}

static void real(const char *path)
{
	static const struct replay_rules rules = {.rendezvous = REPLAY_NEVER};
	struct call_totals all, half, sum = {0};
	struct trace *t = NULL;
	struct call_log *log;
	struct run_metrics *m;
	struct call_sums *s;
	struct seen seen = {0};
	enum err_code code = trace_load(&t, &path, 1, NULL, NULL, &err);

	if (code != ERR_DAMAGED)
		must(code);
	must(call_log_new(&log, t, NULL, &err));
	must(run_metrics_new(&m, log, &rules, NULL, &err));
	check_stretches(log, m->waits, 7, 60, &seen);
	ok(!seen.bad && seen.stretches > 30 && seen.messages, "%s: %u stretches as defined (%u are not)", path, seen.stretches, seen.bad);
	must(call_sums_new(&s, log, m->waits, NULL, &err));
	sums_between(s, 0, t->process_count - 1, -INFINITY, INFINITY, &all);
	is_double(all.by_kind[SPENT_COMPUTE], m->account.by_kind[ACCOUNT_USEFUL], 1e-9, "... the whole run computes what its account says");
	is_double(all.by_kind[SPENT_WAITING], account_sync(&m->account), 1e-9, "... and waits");
	is_double(all.by_kind[SPENT_MOVING], account_moving(&m->account), 1e-9, "... and moves");
	is_double(all.by_kind[SPENT_NOT_ANALYSED], m->account.not_analysed, 1e-9, "... and what is not analysed");
	is_u64(all.messages, m->messages, "... and sends as many messages");
	is_u64(all.bytes, m->bytes, "... and bytes");
	for (int i = 0; i < 16; i++) {
		double from = t->start + (t->end - t->start) * i / 16, to = t->start + (t->end - t->start) * (i + 1) / 16;

		sums_between(s, 0, t->process_count - 1, i ? from : -INFINITY, i < 15 ? to : INFINITY, &half);
		sum.messages += half.messages;
		sum.bytes += half.bytes;
		for (int k = 0; k < SPENT_KINDS; k++)
			sum.by_kind[k] += half.by_kind[k];
	}
	ok(sum.messages == all.messages && sum.bytes == all.bytes, "... and sixteenths have every message once");
	is_double(sum.by_kind[SPENT_WAITING] + sum.by_kind[SPENT_MOVING] + sum.by_kind[SPENT_NOT_ANALYSED] + sum.by_kind[SPENT_OTHER] + sum.by_kind[SPENT_COMPUTE], all.covered, 1e-9,
		  "... and all of its time");
	call_sums_free(s);
	run_metrics_free(m);
	call_log_free(log);
	trace_free(t);
}

/* --- what must not go wrong --- */

static bool yes(void *arg)
{
	(void)arg;
	return true;
}

static void memory_and_cancelling(void)
{
	struct progress progress = {.stopped = yes};
	struct call_log *log = gen_log_run(3, true);
	struct call_totals totals;
	struct call_sums *s;
	enum err_code code = ERR_MEMORY;
	bool clean = true;
	long n;

	for (n = 0; code == ERR_MEMORY && n < 100; n++) {
		mem_fail_after(n);
		code = call_sums_new(&s, log, NULL, NULL, &err);
		if (code)
			clean = clean && !s && !mem_live();
		mem_fail_after(-1);
	}
	ok(code == ERR_OK && n > 3 && clean, "%ld allocations fail one after the other: told, and nothing is left", n - 1);
	sums_between(s, 0, log->trace->process_count - 1, -INFINITY, INFINITY, &totals);
	ok(isnan(totals.by_kind[SPENT_WAITING]) && totals.messages, "without an account there are messages, but no times");
	call_sums_free(s);
	is_int(call_sums_new(&s, log, NULL, &progress, &err), ERR_CANCELLED, "stopped");
	ok(!s, "... with nothing made");
	gen_log_free(log);
}

int main(void)
{
	at_random();
	real("sample-traces/lu.S.4.clog2");
	real("sample-traces/nonblock.4.clog2");
	real("sample-traces/cg.S.4.clog2");
	memory_and_cancelling();
	return done_testing();
}
