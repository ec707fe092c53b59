/* Whom a process has to do with must be what its messages and waits say: a person looks there next. Every process of
 * random runs is compared with sums over all events and calls for it and each other process.
 */
#include <stdlib.h>

#include "core/metrics/maps/maps.h"
#include "gen_log.h"
#include "tap.h"

static struct err err;

static void must(enum err_code code)
{
	if (code != ERR_OK)
		bail_out("%s", err.text);
}

static uint32_t partners, waited;

/* What p and q sent each other. */
static void exchanged(const struct trace *t, uint32_t p, uint32_t q, uint64_t *bytes, uint64_t *messages)
{
	*bytes = *messages = 0;
	for (uint32_t ev = 0; ev < t->event_count; ev++) {
		uint32_t from = trace_process_of(t, ev), to = EVENT_INDEX(t->type[ev]) - 1;

		if (EVENT_KIND(t->type[ev]) != EVENT_SEND || !((from == p && to == q) || (from == q && to == p)))
			continue;
		*bytes += trace_size(t, ev) == SIZE_UNKNOWN ? 0 : trace_size(t, ev);
		++*messages;
	}
}

static double waited_for(const struct waits *w, uint32_t p, uint32_t q)
{
	const struct call_log *log = w->log;
	const struct call_list *l = log->list_first[p] < log->list_first[p + 1] ? &log->lists[log->list_first[p]] : NULL;
	double seconds = 0;

	for (uint32_t c = l ? l->first : 0; l && c < l->end; c++) {
		uint32_t late = waits_for(w, c);

		if (late != NO_LOGGED_CALL && log->lists[call_log_list_of(log, late)].process == q)
			seconds += w->sync[c];
	}
	return seconds;
}

static uint32_t check(struct call_log *log)
{
	const struct trace *t = log->trace;
	struct process_peers *peers;
	struct waits *w;
	uint32_t bad = 0;

	must(waits_new(&w, log, NULL, &err));
	must(process_peers_new(&peers, t, w, NULL, &err));
	bad += peers->count != t->process_count;
	for (uint32_t p = 0; p < t->process_count; p++) {
		struct process_peer n = {.heaviest = NO_PROCESS, .waited_for = NO_PROCESS};
		const struct process_peer *got = &peers->of[p];

		for (uint32_t q = 0; q < t->process_count; q++) {
			uint64_t bytes, messages;
			double seconds = waited_for(w, p, q);

			exchanged(t, p, q, &bytes, &messages);
			if (seconds > n.waited) {
				n.waited = seconds;
				n.waited_for = q;
			}
			if (q == p || !messages)
				continue;
			n.partners++;
			if (n.heaviest == NO_PROCESS || bytes > n.bytes || (bytes == n.bytes && messages > n.messages)) {
				n.heaviest = q;
				n.bytes = bytes;
				n.messages = messages;
			}
		}
		bad += got->partners != n.partners || got->heaviest != n.heaviest || got->bytes != n.bytes || got->messages != n.messages;
		bad += got->waited_for != n.waited_for || got->waited > n.waited || got->waited < n.waited;
		partners += n.partners;
		waited += n.waited_for != NO_PROCESS;
	}
	process_peers_free(peers);
	waits_free(w);
	gen_log_free(log);
	return bad;
}

static void at_random(void)
{
	uint32_t bad = 0;

	for (uint64_t seed = 1; seed <= 150; seed++)
		bad += check(gen_log_run(seed, true));
	ok(!bad && partners > 300 && waited > 100, "runs that can happen: %u partners, %u that waited (%u are wrong)", partners, waited, bad);
	for (uint64_t seed = 1; seed <= 150; seed++)
		bad += check(gen_log_wild(seed));
	ok(!bad, "logs of anything (%u are wrong)", bad);
}

/* 1 sends to 0 alone, 2 sends nothing: partners are so both ways. */
static void one_way(void)
{
	struct gen_log *g = gen_log_new(3);
	struct process_peers *peers;
	struct call_log *log;

	gen_log_list(g, 0, 0, 0, 9);
	gen_log_receive(g, gen_log_call(g, "MPI_Recv", 1, 4), 1, 8);
	gen_log_list(g, 1, 0, 0, 9);
	gen_log_send(g, gen_log_call(g, "MPI_Send", 3, 4), 0, 8);
	gen_log_list(g, 2, 0, 0, 9);
	log = gen_log_made(g);
	must(process_peers_new(&peers, log->trace, NULL, NULL, &err));
	ok(peers->of[0].partners == 1 && peers->of[0].heaviest == 1 && peers->of[0].bytes == 8, "who only receives has a partner");
	ok(peers->of[2].partners == 0 && peers->of[2].heaviest == NO_PROCESS, "who does neither has none");
	ok(peers->of[0].waited_for == NO_PROCESS, "without waits nobody is known to have been waited for");
	process_peers_free(peers);
	gen_log_free(log);
}

static bool yes(void *arg)
{
	(void)arg;
	return true;
}

static void memory_and_cancelling(void)
{
	struct progress progress = {.stopped = yes};
	struct call_log *log = gen_log_run(3, true);
	struct process_peers *peers;
	struct waits *w;
	enum err_code code = ERR_MEMORY;
	bool clean = true;
	long n;

	must(waits_new(&w, log, NULL, &err));
	for (n = 0; code == ERR_MEMORY && n < 100; n++) {
		mem_fail_after(n);
		code = process_peers_new(&peers, log->trace, w, NULL, &err);
		if (code)
			clean = clean && !peers && !mem_live();
		mem_fail_after(-1);
	}
	ok(code == ERR_OK && n > 3 && clean, "%ld allocations fail one after the other: told, and nothing is left", n - 1);
	process_peers_free(peers);
	is_int(process_peers_new(&peers, log->trace, w, &progress, &err), ERR_CANCELLED, "stopped");
	ok(!peers, "... with nothing made");
	waits_free(w);
	gen_log_free(log);
}

int main(void)
{
	at_random();
	one_way();
	memory_and_cancelling();
	return done_testing();
}
