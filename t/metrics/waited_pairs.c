/* Who waited for whom is what people go and talk to each other about. Of random logs, also of ones that cannot happen,
 * with threads and collectives, each pair's time by reason is the sum of the waits of its calls, asked one by one;
 * pairs are in order, and none is 0.
 */
#include <math.h>
#include <stdlib.h>

#include "core/base/mem.h"
#include "core/metrics/waits/waited_pairs.h"
#include "gen_log.h"
#include "tap.h"

static struct err err;

static void must(enum err_code code)
{
	if (code)
		bail_out("%s", err.text);
}

static uint32_t pairs_seen;

static bool differ(const struct waits *w, const struct waited_pairs *p)
{
	const struct call_log *log = w->log;
	uint32_t n = log->trace->process_count, at = 0;
	double (*sum)[WAIT_REASONS] = calloc((size_t)n * n, sizeof *sum), all = 0, most = 0;
	const struct waited_pair *first = NULL;
	bool bad = false;

	for (uint32_t l = 0; l < log->list_count; l++)
		for (uint32_t c = log->lists[l].first; log->lists[l].account && c < log->lists[l].end; c++) {
			uint32_t other = waits_for(w, c);

			if (other != NO_LOGGED_CALL)
				sum[(size_t)log->lists[l].process * n + log->lists[call_log_list_of(log, other)].process][w->reason[c]] += w->sync[c];
		}
	for (uint32_t i = 0; i < n * n; i++) {
		double seconds = sum[i][0] + sum[i][1] + sum[i][2];
		const struct waited_pair *x;

		if (!(seconds > 0))
			continue;
		if (at >= p->count) {
			bad = true;
			break;
		}
		x = &p->pair[at];
		bad |= x->process != i / n || x->other != i % n || fabs(x->seconds - seconds) > 1e-9;
		for (int r = 0; !bad && r < WAIT_REASONS; r++)
			bad |= fabs(x->by_reason[r] - sum[i][r]) > 1e-9;
		if (!bad && x->seconds > most) {
			most = x->seconds;
			first = x;
		}
		all += seconds;
		at++;
	}
	free(sum);
	pairs_seen += at;
	return bad || at != p->count || fabs(all - p->seconds) > 1e-9 * (1 + all) || waited_pairs_longest(p) != first;
}

static uint32_t check_log(struct call_log *log)
{
	struct waits *w;
	struct waited_pairs *p;
	bool bad;

	must(waits_new(&w, log, NULL, &err));
	must(waited_pairs_new(&p, w, NULL, &err));
	bad = differ(w, p);
	waited_pairs_free(p);
	waits_free(w);
	gen_log_free(log);
	return bad;
}

static bool stop(void *arg)
{
	(void)arg;
	return true;
}

static void memory(void)
{
	const struct progress stopping = {.stopped = stop};
	struct call_log *log = gen_log_run(7, true);
	struct waited_pairs *p;
	struct waits *w;
	uint32_t bad = 0;
	long before, n = 0;

	must(waits_new(&w, log, NULL, &err));
	before = mem_live();
	for (enum err_code code = ERR_MEMORY; code; n++) {
		mem_fail_once(n);
		code = waited_pairs_new(&p, w, NULL, &err);
		mem_fail_after(-1);
		if (!code)
			waited_pairs_free(p);
		bad += (code && code != ERR_MEMORY) || mem_live() != before;
	}
	ok(!bad && n > 4, "each of %ld allocations may fail", n);
	is_int(waited_pairs_new(&p, w, &stopping, &err), ERR_CANCELLED, "it can be stopped");
	is_int(mem_live(), before, "and leaves nothing");
	waits_free(w);
	gen_log_free(log);
}

int main(void)
{
	uint32_t bad = 0;

	for (uint64_t seed = 1; seed <= 150; seed++)
		bad += check_log(gen_log_run(seed, seed % 2));
	ok(!bad && pairs_seen > 150, "runs that can happen: %u pairs", pairs_seen);
	pairs_seen = 0;
	for (uint64_t seed = 1; seed <= 600; seed++)
		bad += check_log(gen_log_wild(seed));
	ok(!bad && pairs_seen > 300, "logs of anything: %u pairs (%u logs differ)", pairs_seen, bad);
	memory();
	return done_testing();
}
