/* Waiting must be what the definition says, call by call: it is what people are told to get rid of. Every call of
 * random logs, also of ones that cannot happen, is compared with the definition written down as it reads, which looks
 * at every member of every collective; so is whom it waited for. The page's runs have the figures that were made by
 * hand.
 */
#include <math.h>
#include <stdlib.h>

#include "core/formats/api/load.h"
#include "core/io/source.h"
#include "core/metrics/waits/instances.h"
#include "core/trace/mpi_functions.h"
#include "core/metrics/waits/waits.h"
#include "gen_calls.h"
#include "gen_log.h"
#include "tap.h"

static struct err err;

static void must(enum err_code code)
{
	if (code != ERR_OK)
		bail_out("%s", err.text);
}

/* --- the definition --- */

struct naive_wait {
	double sync;
	enum wait_reason reason;
	uint32_t by;
};

static void consider(struct naive_wait *w, double waited, enum wait_reason reason, uint32_t by)
{
	bool more = waited > w->sync || (waited == w->sync && waited > 0 && reason < w->reason);

	if (more)
		*w = (struct naive_wait){waited, reason, by};
	else if (waited == w->sync && waited > 0 && reason == w->reason && by < w->by)
		w->by = by;
}

static struct naive_wait naive(const struct call_log *log, uint32_t call)
{
	const struct trace *t = log->trace;
	const struct logged_call *c = &log->calls[call];
	const struct call_node *node = &log->nodes[c->node];
	struct naive_wait w = {0, 0, NO_LOGGED_CALL};

	if (node->time == ACCOUNT_OTHER_MPI || node->time == ACCOUNT_TRACER || node->time == ACCOUNT_UNTRACED)
		return w;
	for (uint32_t e = 0; e < t->event_count; e++) {
		uint32_t kind = EVENT_KIND(t->type[e]), other = t->match[e] == NO_EVENT ? NO_LOGGED_CALL : log->call_of[t->match[e]];

		if (log->call_of[e] != call)
			continue;
		if (kind == EVENT_RECEIVE && other != NO_LOGGED_CALL)
			consider(&w, fmin(log->calls[other].start, c->end) - c->start, WAIT_LATE_SENDER, other);
		if (kind == EVENT_SEND && other != NO_LOGGED_CALL && node->traits & MPI_BLOCKING_SEND &&
		    log->nodes[log->calls[other].node].traits & MPI_POSTS_AND_RECEIVES && log->calls[other].start <= c->end)
			consider(&w, log->calls[other].start - c->start, WAIT_LATE_RECEIVER, other);
		if (kind != EVENT_COLLECTIVE || !(node->traits & (MPI_WAITS_FOR_ALL | MPI_ROOTED)))
			continue;
		for (uint32_t m = t->match[e]; m != e; m = t->match[m])
			if (log->call_of[m] != NO_LOGGED_CALL && log->calls[log->call_of[m]].start <= c->end)
				consider(&w, log->calls[log->call_of[m]].start - c->start, WAIT_COLLECTIVE, log->call_of[m]);
	}
	return w;
}

static uint32_t waiting;

static uint32_t check_log(struct call_log *log)
{
	struct waits *w;
	struct instances m;
	uint32_t bad = 0;

	must(waits_new(&w, log, NULL, &err));
	must(instances_init(&m, log, NULL, &err));
	for (uint32_t c = 0; c < log->call_count; c++) {
		struct naive_wait n = naive(log, c);

		bad += w->sync[c] != n.sync || (n.sync > 0 && w->reason[c] != n.reason);
		bad += waits_for(w, c) != n.by || waits_for_among(w, &m, c) != n.by;
		waiting += n.sync > 0;
	}
	for (uint32_t l = 0; l < log->list_count; l++) {
		struct account a;
		double sync = 0;

		waits_account(w, l, &a);
		for (uint32_t c = log->lists[l].first; c < log->lists[l].end; c++)
			sync += w->sync[c];
		bad += fabs(account_sync(&a) - sync) > 1e-9 || account_transfer(&a) < -1e-9;
	}
	instances_release(&m);
	waits_free(w);
	gen_log_free(log);
	return bad;
}

static void at_random(void)
{
	uint32_t bad = 0;

	for (uint64_t seed = 1; seed <= 150; seed++)
		bad += check_log(gen_log_run(seed, seed % 2));
	ok(!bad && waiting > 300, "runs that can happen: %u waits of calls as defined", waiting);
	waiting = 0;
	for (uint64_t seed = 1; seed <= 600; seed++)
		bad += check_log(gen_log_wild(seed));
	ok(!bad && waiting > 300, "logs of anything: %u waits of calls as defined (%u are not)", waiting, bad);
}

/* --- the page's runs --- */

static void the_page(void)
{
	struct gen_bytes runs[] = {gen_tiny(NULL, 0), gen_twisted(NULL, 0)};

	for (int i = 0; i < 2; i++) {
		struct source source;
		struct trace *t;
		struct call_log *log;
		struct waits *w;
		struct account a[2];

		must(source_open_memory(&source, "run", runs[i].bytes, runs[i].size, &err));
		must(trace_load_sources(&t, &source, 1, NULL, NULL, &err));
		must(call_log_new_sources(&log, t, &source, 1, NULL, &err));
		must(waits_new(&w, log, NULL, &err));
		waits_account(w, 0, &a[0]);
		waits_account(w, 1, &a[1]);
		if (i) {
			is_double(account_sync(&a[0]) + account_sync(&a[1]), 0, 0, "twisted: nobody waits");
		} else {
			is_double(account_sync(&a[0]), 0, 0, "tiny: P0 does not wait");
			is_double(a[1].by_reason[WAIT_LATE_SENDER], 2, 0, "tiny: P1 waits 2 s for P0's send");
			is_double(a[1].by_reason[WAIT_COLLECTIVE], 1, 0, "... and 1 s in the Allreduce");
			is_double(account_transfer(&a[0]), 6, 0, "... transfer of P0");
			is_double(account_transfer(&a[1]), 4, 0, "... and of P1");
		}
		waits_free(w);
		call_log_free(log);
		trace_free(t);
		source_release(&source);
		free(runs[i].bytes);
	}
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
	struct waits *w;
	enum err_code code = ERR_MEMORY;
	bool clean = true;
	long n;

	for (n = 0; code == ERR_MEMORY && n < 100; n++) {
		mem_fail_after(n);
		code = waits_new(&w, log, NULL, &err);
		if (code)
			clean = clean && !w && !mem_live();
		mem_fail_after(-1);
	}
	ok(code == ERR_OK && n > 3 && clean, "%ld allocations fail one after the other: told, and nothing is left", n - 1);
	waits_free(w);
	is_int(waits_new(&w, log, &progress, &err), ERR_CANCELLED, "stopped");
	ok(!w, "... with nothing made");
	gen_log_free(log);
}

int main(void)
{
	at_random();
	the_page();
	memory_and_cancelling();
	return done_testing();
}
