/* Who made others wait, and by doing what: every second of waiting must be charged once, to the process at the root of
 * the chain. Compared with a search that cuts time at every boundary of every list and follows the chain again in each
 * cut, for each wait. Two runs with a slow process that was put there must name it, also where its lateness reached
 * others through a third.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/method/analysis/analysis.h"
#include "core/base/order.h"
#include "core/formats/api/load.h"
#include "core/metrics/waits/waits.h"
#include "gen_log.h"
#include "tap.h"

static struct err err;

static void must(enum err_code code)
{
	if (code != ERR_OK)
		bail_out("%s", err.text);
}

/* --- the search --- */

struct naive_causes {
	struct cause list[20000];
	uint32_t count;
	double unresolved, sync;
};

static bool waits_at(const struct waits *w, uint32_t c, double t)
{
	const struct logged_call *call = &w->log->calls[c];

	return t > call->start && t < fmin(call->start + w->sync[c], call->end);
}

struct asked {
	double t;
	uint32_t node;
};

static void node_at(void *arg, uint32_t node, double from, double to)
{
	struct asked *a = arg;

	if (from < a->t && a->t < to)
		a->node = node;
}

static void charge(struct naive_causes *n, const struct waits *w, const struct phase_spans *spans, uint32_t list, double t, double seconds)
{
	const struct call_log *log = w->log;
	const struct call_list *l = &log->lists[list];
	struct cause at = {.process = l->process};
	uint32_t c = l->first, i;
	bool inside;

	if (t < l->start || t > l->stop) {
		n->unresolved += seconds;
		return;
	}
	while (c < l->end && log->calls[c].end < t)
		c++;
	inside = c < l->end && log->calls[c].start < t;
	if (inside)
		at.node = log->calls[c].node;
	else {
		struct asked asked = {t, 0};

		call_log_gap_nodes(log, list, c, node_at, &asked);
		at.node = asked.node;
	}
	if (spans)
		for (i = spans->first[l->process]; i < spans->first[l->process + 1] && spans->spans[i].from <= t; i++)
			at.phase = spans->spans[i].phase;
	if (inside && log->nodes[at.node].time != ACCOUNT_TRACER)
		at.in_calls = seconds;
	else
		at.useful = seconds;
	for (i = 0; i < n->count; i++)
		if (n->list[i].process == at.process && n->list[i].node == at.node && n->list[i].phase == at.phase) {
			n->list[i].useful += at.useful;
			n->list[i].in_calls += at.in_calls;
			return;
		}
	if (n->count == 20000)
		bail_out("too many causes for the naive search");
	n->list[n->count++] = at;
}

/* Where the chain from this list ends at time t; UINT32_MAX: nowhere. */
static uint32_t chase(const struct waits *w, uint32_t list, double t)
{
	const struct call_log *log = w->log;

	for (uint32_t steps = 0; steps <= log->list_count; steps++) {
		const struct call_list *l = &log->lists[list];
		uint32_t c = l->first;

		while (c < l->end && !waits_at(w, c, t))
			c++;
		if (c == l->end)
			return list;
		list = call_log_list_of(log, waits_for(w, c));
	}
	return UINT32_MAX;
}

static struct naive_causes *search(const struct waits *w, const struct phase_spans *spans)
{
	const struct call_log *log = w->log;
	uint32_t stretches = spans ? spans->first[spans->process_count] : 0, n = 0;
	double *cuts = calloc((size_t)log->call_count * 3 + log->list_count * 2 + stretches + log->piece_count + 1, sizeof *cuts);
	struct naive_causes *found = calloc(1, sizeof *found);

	if (!found || !cuts)
		bail_out("no memory");
	for (uint32_t c = 0; c < log->call_count; c++) {
		cuts[n++] = log->calls[c].start;
		cuts[n++] = fmin(log->calls[c].start + w->sync[c], log->calls[c].end);
		cuts[n++] = log->calls[c].end;
	}
	for (uint32_t l = 0; l < log->list_count; l++) {
		cuts[n++] = log->lists[l].start;
		cuts[n++] = log->lists[l].stop;
	}
	for (uint32_t i = 0; i < stretches; i++)
		if (isfinite(spans->spans[i].from))
			cuts[n++] = spans->spans[i].from;
	for (uint32_t i = 0; i < log->piece_count; i++)
		cuts[n++] = log->pieces[i].until;
	qsort(cuts, n, sizeof *cuts, order_double);
	for (uint32_t l = 0; l < log->list_count; l++)
		for (uint32_t c = log->lists[l].first; log->lists[l].account && c < log->lists[l].end; c++) {
			found->sync += w->sync[c];
			for (uint32_t i = 0; w->sync[c] > 0 && i + 1 < n; i++) {
				double t = (cuts[i] + cuts[i + 1]) / 2;
				uint32_t root;

				if (!(cuts[i] < cuts[i + 1]) || !waits_at(w, c, t))
					continue;
				root = chase(w, l, t);
				if (root == UINT32_MAX)
					found->unresolved += cuts[i + 1] - cuts[i];
				else
					charge(found, w, spans, root, t, cuts[i + 1] - cuts[i]);
			}
		}
	free(cuts);
	return found;
}

static double charged, through_others;

/* The causes of single waits add up to the same. */
static double each_wait(const struct waits *w)
{
	const struct call_log *log = w->log;
	struct wait_cause one[400];
	double sum = 0;

	for (uint32_t l = 0; l < log->list_count; l++)
		for (uint32_t c = log->lists[l].first; log->lists[l].account && c < log->lists[l].end; c++) {
			uint32_t n = causes_of(w, c, one, 400);

			for (uint32_t i = 0; i < n; i++) {
				sum += one[i].seconds;
				through_others += one[i].through ? one[i].seconds : 0;
				if (i && one[i].seconds > one[i - 1].seconds)
					return NAN;
			}
		}
	return sum;
}

static uint32_t check(const struct waits *w, const struct phase_spans *spans)
{
	struct naive_causes *n = search(w, spans);
	struct causes *c;
	uint32_t bad = 0;
	double sum = 0, small = 1e-9 * (1 + n->sync);

	must(causes_new(&c, w, spans, NULL, &err));
	for (uint32_t i = 0; i < c->count; i++) {
		bool found = false;

		sum += c->list[i].useful + c->list[i].in_calls;
		for (uint32_t k = 0; k < n->count && !found; k++)
			found = n->list[k].process == c->list[i].process && n->list[k].node == c->list[i].node &&
				n->list[k].phase == c->list[i].phase && fabs(n->list[k].useful - c->list[i].useful) < small &&
				fabs(n->list[k].in_calls - c->list[i].in_calls) < small;
		bad += !found && c->list[i].useful + c->list[i].in_calls > small;
	}
	bad += fabs(c->unresolved - n->unresolved) > small || fabs(sum + c->unresolved - c->sync) > small || fabs(c->sync - n->sync) > small;
	bad += !(fabs(each_wait(w) - sum) < small);
	charged += sum;
	causes_free(c);
	free(n);
	return bad;
}

static void at_random(void)
{
	uint32_t bad = 0;

	for (uint64_t seed = 1; seed <= 150; seed++) {
		struct call_log *log = gen_log_run(seed, seed % 2);
		struct waits *w;

		must(waits_new(&w, log, NULL, &err));
		bad += check(w, NULL);
		waits_free(w);
		gen_log_free(log);
	}
	ok(!bad && charged > 100 && through_others > 10, "runs that can happen: %.0f s of waiting, %.0f s of them through others, are charged as "
	   "followed one by one (%u are not)", charged, through_others, bad);
	charged = 0;
	for (uint64_t seed = 1; seed <= 500; seed++) {
		struct call_log *log = gen_log_wild(seed);
		struct waits *w;

		must(waits_new(&w, log, NULL, &err));
		bad += check(w, NULL);
		waits_free(w);
		gen_log_free(log);
	}
	ok(!bad && charged > 100, "logs of anything: the same (%u are not)", bad);
}

/* --- a slow process that was put there --- */

/* Process `slow` computes 9 s longer than the others before it sends to the next, which sends to the one after it, and
 * all meet. */
static void planted(uint32_t processes, uint32_t slow)
{
	struct gen_log *g = gen_log_new(processes);
	struct call_log *log;
	gen_event ring = GEN_NONE;
	struct waits *w;
	struct causes *c;
	struct wait_cause one[4];
	double its = 0, sync = 0;
	uint32_t n;

	for (uint32_t p = 0; p < processes; p++) {
		double came = p == slow ? 10 : 1, sent = p == slow ? 10 : 1;
		uint32_t call;
		gen_event e;

		gen_log_list(g, p, 0, 0, 30);
		gen_log_state(g, "solve");
		if (p > slow) {
			call = gen_log_call(g, "MPI_Recv", 1, 10 + (p - slow));
			gen_log_receive(g, call, p - 1, 8);
			sent = came = 10 + (p - slow);
		}
		if (p >= slow && p + 1 < processes) {
			call = gen_log_call(g, "MPI_Send", sent, sent + 0.5);
			gen_log_send(g, call, p + 1, 8);
			came = sent + 0.5;
		}
		call = gen_log_call(g, "MPI_Barrier", came, 20);
		e = gen_log_collective(g, call, "Barrier");
		if (ring == GEN_NONE)
			ring = e;
		else
			gen_log_relate(g, ring, e);
	}
	log = gen_log_made(g);
	must(waits_new(&w, log, NULL, &err));
	must(causes_new(&c, w, NULL, NULL, &err));
	for (uint32_t i = 0; i < c->count; i++) {
		sync += c->list[i].useful + c->list[i].in_calls;
		if (c->list[i].process == slow && !strcmp(log->nodes[c->list[i].node].name, "solve"))
			its += c->list[i].useful;
	}
	is_double(sync, c->sync, 1e-9, "process %u of %u is slow: all waiting has a cause", slow, processes);
	is_double(its, 9.0 * (processes - 1), 1e-9, "... and it made each of the others wait 9 s by computing in solve");
	n = causes_of(w, log->lists[processes - 1].first, one, 4);
	ok(n && one[0].list == slow && !one[0].in_call && fabs(one[0].seconds - 9) < 1e-9 && one[0].through == processes - 2 - slow,
	   "... the last process waited for it through all that are between them");
	causes_free(c);
	waits_free(w);
	gen_log_free(log);
}

/* --- a real trace --- */

static void late_senders(void)
{
	const char *path = "sample-traces/latesender.4.clog2";
	struct settings settings;
	struct trace *t;
	struct call_log *log;
	struct waits *w;
	struct analysis *a;
	struct phase_spans *spans;
	struct causes *c;
	double of[4][2] = {{0}};

	settings_init(&settings);
	must(trace_load(&t, &path, 1, NULL, NULL, &err));
	must(call_log_new(&log, t, NULL, &err));
	must(waits_new(&w, log, NULL, &err));
	must(analysis_new(&a, t, &settings, NULL, ANALYSIS_PHASES, NULL, &err));
	must(phase_spans_new(&spans, NULL, a->clockwork, a->phases, NULL, &err));
	ok(!check(w, NULL) && !check(w, spans), "latesender: charged as followed one by one, also by phase");
	must(causes_new(&c, w, NULL, NULL, &err));
	for (uint32_t i = 0; i < c->count; i++) {
		of[c->list[i].process][0] += c->list[i].useful;
		of[c->list[i].process][1] += c->list[i].in_calls;
	}
	is_double(c->sync, 1.10773, 1e-5, "... its waiting");
	is_double(of[1][0], 0.826784, 1e-6, "... process 1 made the others wait by computing: it sends late, and comes late to collectives");
	is_double(of[2][0], 0.201516, 1e-6, "... process 2 by computing before it receives");
	is_double(of[0][0], 0.076205, 1e-6, "... process 0 a little");
	ok(of[3][0] + of[3][1] < 1e-5, "... process 3 made nobody wait");
	is_double(c->unresolved, 0.002889, 1e-6, "... and before a process's first record nothing is known");
	causes_free(c);
	phase_spans_free(spans);
	analysis_unref(a);
	waits_free(w);
	call_log_free(log);
	trace_free(t);
}

/* Where states change between two calls, the one that computes is the cause, not the one that calls next. */
static void nested_states(void)
{
	const char *path = "sample-traces/userstates.3.clog2";
	struct trace *t;
	struct call_log *log;
	struct waits *w;
	struct causes *c;
	double kernel = 0;

	must(trace_load(&t, &path, 1, NULL, NULL, &err));
	must(call_log_new(&log, t, NULL, &err));
	must(waits_new(&w, log, NULL, &err));
	ok(log->piece_count > 0 && !check(w, NULL), "userstates: charged as followed one by one, where states change between calls");
	must(causes_new(&c, w, NULL, NULL, &err));
	for (uint32_t i = 0; i < c->count; i++)
		if (!strncmp(log->nodes[c->list[i].node].name, "Inner kernel", 12))
			kernel += c->list[i].useful;
	ok(kernel > 0.5 * c->sync, "... the kernel, which calls nothing, made most of it (%g of %g s)", kernel, c->sync);
	causes_free(c);
	waits_free(w);
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
	struct waits *w;
	struct causes *c;
	enum err_code code = ERR_MEMORY;
	bool clean = true;
	long n;

	must(waits_new(&w, log, NULL, &err));
	for (n = 0; code == ERR_MEMORY && n < 100; n++) {
		mem_fail_after(n);
		code = causes_new(&c, w, NULL, NULL, &err);
		if (code)
			clean = clean && !c && !mem_live();
		mem_fail_after(-1);
	}
	ok(code == ERR_OK && n > 8 && clean && c->count, "%ld allocations fail one after the other: told, and nothing is left", n - 1);
	causes_free(c);
	is_int(causes_new(&c, w, NULL, &progress, &err), ERR_CANCELLED, "stopped");
	ok(!c, "... with nothing made");
	waits_free(w);
	gen_log_free(log);
}

int main(void)
{
	at_random();
	planted(4, 0);
	planted(6, 2);
	late_senders();
	nested_states();
	memory_and_cancelling();
	return done_testing();
}
