/* What if: words that people type must mean what they say or be refused by the word that is wrong, and a projection
 * must be the measured run where nothing is changed, the ideal run where the network is gone, and never longer for a
 * smaller factor. Two runs with a slow process that was put there must come out as they would have been without.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/method/analysis/analysis.h"
#include "core/formats/api/load.h"
#include "core/metrics/replay/project.h"
#include "gen_log.h"
#include "tap.h"

static struct err err;

static void must(enum err_code code)
{
	if (code != ERR_OK)
		bail_out("%s", err.text);
}

/* --- words --- */

static void reads(const char *text, const char *means)
{
	struct what_if w = {.count = 0}, again = {.count = 0};
	char back[1200], twice[1200];

	if (!ok(what_if_parse(&w, text, &err) == ERR_OK, "\"%s\" is understood", text)) {
		diag("%s", err.text);
		return;
	}
	what_if_text(&w, back, sizeof back);
	is_str(back, means, "... as");
	ok(!what_if_parse(&again, back, &err) && (what_if_text(&again, twice, sizeof twice), !strcmp(back, twice)), "... which reads the same");
}

static void refused(const char *text, const char *sentence)
{
	struct what_if w = {.count = 1, .list = {{.kind = WHAT_BALANCE}}};

	is_int(what_if_parse(&w, text, &err), ERR_USAGE, "\"%s\" is refused", text);
	is_str(err.text, sentence, "... by");
	ok(w.count == 1, "... and nothing of it is kept");
}

static void words(void)
{
	reads("network=0", "network=0");
	reads("  Network \t= 0.0 ", "network=0");
	reads("network x 0.5", "network x 0.5");
	reads("network*.5,balance", "network x 0.5, balance");
	reads("MPI_Allreduce=0", "MPI_Allreduce=0");
	reads("Allreduce x2", "MPI_Allreduce x 2");
	reads("rank 17 x 0.9, ranks 0 - 3 x 0.9", "rank 17 x 0.9, ranks 0-3 x 0.9");
	reads("rank 17x0.9", "rank 17 x 0.9");
	reads("phase 4 * 0.5,rank 1 = 0", "phase 4 x 0.5, rank 1 x 0");
	refused("", "incomplete change: expected network, an MPI function, rank, ranks, phase or balance");
	refused("netwrok=0", "cannot read 'netwrok=0': expected network, an MPI function, rank, ranks, phase or balance");
	refused("balance, slower", "cannot read 'slower': expected network, an MPI function, rank, ranks, phase or balance");
	refused("balance,,network=0", "unexpected ',': expected network, an MPI function, rank, ranks, phase or balance");
	refused("rank x 0.9", "cannot read 'x': expected a rank, as in rank 17 x 0.9");
	refused("ranks 3-1 x 2", "cannot read '3-1': the last rank is below the first");
	refused("rank 99999999999 x 2", "cannot read '99999999999': the number is too large");
	refused("network", "incomplete change: expected x and a factor, as in x 0.5, or =0");
	refused("network x -1", "cannot read '-1': expected a factor from 0 to 1000000");
	refused("network x fast", "cannot read 'fast': expected a number, as in x 0.5");
	refused("network = 0.5", "cannot read '0.5': expected 0 after =; write other factors as x 0.5");
	refused("balance network=0", "cannot read 'network=0': expected a comma or the end");
	refused("phase four x 1", "cannot read 'four': expected the number of a phase, as in phase 4 x 0.5");
	refused("balance,balance,balance,balance,balance,balance,balance,balance,balance,balance,balance,balance,balance,balance,balance,balance",
		"too many changes: expected at most 16");
}

/* Bytes at random, many of them pieces of the grammar: refused or understood, and what is understood reads the same
 * again. */
static void bytes(void)
{
	static const char *const pieces[] = {"network", "rank", "ranks", "phase", "balance", "x", "=", "0", "0.5", ",", " ", "-", "MPI_Send",
					     "3", "1e3", "*", "\x1b", "\xff", "Bcast", "1e999"};
	uint64_t state = 5;
	uint32_t understood = 0, bad = 0;

	for (int i = 0; i < 200000; i++) {
		char text[200] = "", back[1200], twice[1200];
		struct what_if w = {.count = 0}, again = {.count = 0};
		uint32_t n = gen_below(&state, 10);

		for (uint32_t k = 0; k < n; k++) {
			char one[2] = {(char)(1 + gen_below(&state, 255)), 0};

			strcat(text, gen_below(&state, 12) ? pieces[gen_below(&state, sizeof pieces / sizeof *pieces)] : one);
		}
		err.text[0] = '\0';
		if (what_if_parse(&w, text, &err)) {
			bad += w.count || !*err.text || strchr(err.text, '\x1b') || strchr(err.text, '\n');
			continue;
		}
		understood++;
		what_if_text(&w, back, sizeof back);
		bad += what_if_parse(&again, back, &err) != ERR_OK;
		what_if_text(&again, twice, sizeof twice);
		bad += strcmp(back, twice) != 0;
		what_if_text(&w, twice, 1 + gen_below(&state, 20)); /* cut, not overrun */
	}
	ok(!bad && understood > 1000, "200000 texts at random, %u of them understood (%u wrongly)", understood, bad);
}

/* --- projections --- */

static struct projection *project(const struct waits *w, const struct phase_spans *spans, const char *text)
{
	struct what_if what = {.count = 0};
	struct projection *p;

	must(what_if_parse(&what, text, &err));
	must(project_new(&p, w, spans, &what, NULL, &err));
	return p;
}

static double runtime(const struct waits *w, const struct phase_spans *spans, const char *text)
{
	struct projection *p = project(w, spans, text);
	double runtime = p->runtime;

	project_free(p);
	return runtime;
}

static uint32_t check_run(struct call_log *log)
{
	static const char *const smaller[][2] = {{"network x 0.3", "network x 0.7"}, {"rank 0 x 0.2", "rank 0 x 0.8"}, {"network=0", "network x 0.1"},
						 {"ranks 0-1 x 0.5", "rank 1 x 1"}, {"network=0, rank 1 x 0.5", "network=0"}};
	struct waits *w;
	struct replay *ideal;
	struct projection *p;
	struct account a;
	uint32_t bad = 0;

	must(waits_new(&w, log, NULL, &err));
	must(replay_new(&ideal, log, NULL, NULL, NULL, NULL, &err));
	bad += runtime(w, NULL, "network=0") != ideal->runtime || runtime(w, NULL, "network x 0.5, network=0") != ideal->runtime;
	for (size_t i = 0; i < sizeof smaller / sizeof *smaller; i++)
		bad += runtime(w, NULL, smaller[i][0]) > runtime(w, NULL, smaller[i][1]) + 1e-9;
	p = project(w, NULL, "network x 1, rank 0 x 1");
	for (uint32_t l = 0; l < log->list_count; l++) {
		waits_account(w, l, &a);
		bad += fabs(p->useful[log->lists[l].process] - a.by_kind[ACCOUNT_USEFUL]) > 1e-9;
		bad += fabs(p->communication[log->lists[l].process] - account_communication(&a)) > 1e-9;
		bad += fabs(p->replay->end[l] + p->replay->t0 - log->lists[l].stop) > 1e-9;
	}
	project_free(p);
	replay_free(ideal);
	waits_free(w);
	gen_log_free(log);
	return bad;
}

static void at_random(void)
{
	uint32_t bad = 0;

	for (uint64_t seed = 1; seed <= 200; seed++)
		bad += check_run(gen_log_run(seed, seed % 2));
	ok(!bad, "a factor of 1 changes nothing, network=0 is the ideal run, and less never takes longer (%u do not hold)", bad);
}

/* Four processes compute and meet; one of them takes 9 s instead of 3. */
static void planted(uint32_t slow)
{
	struct gen_log *g = gen_log_new(4);
	struct call_log *log;
	struct waits *w;
	struct what_if what = {.count = 0};
	const struct project_part parts[] = {{PROJECT_PROCESS, 0}, {PROJECT_PROCESS, 1}, {PROJECT_PROCESS, 2}, {PROJECT_PROCESS, 3}};
	struct projection *p;
	double gains[4];
	char text[40];

	for (uint32_t round = 0, p2 = 0; p2 < 4; p2++, round = 0) {
		gen_log_list(g, p2, 0, 0, 21);
		for (; round < 2; round++)
			gen_log_collective(g, gen_log_call(g, "MPI_Allreduce", round * 10 + (p2 == slow ? 9 : 3), round * 10 + 10), "Allreduce");
	}
	for (uint32_t round = 0; round < 2; round++)
		for (uint32_t other = 1; other < 4; other++)
			gen_log_relate(g, round, other * 2 + round);
	log = gen_log_made(g);
	must(waits_new(&w, log, NULL, &err));
	is_double(runtime(w, NULL, "rank 0 x 1"), 21, 1e-9, "process %u is slow: the run as it was", slow);
	snprintf(text, sizeof text, "rank %u x 0.3333333333333333", slow);
	p = project(w, NULL, text);
	/* Each round: 3 s of all, 1 s of the Allreduce beyond waiting; then 1 s to the end. */
	is_double(p->runtime, 3 + 1 + 3 + 1 + 1, 1e-9, "... as fast as the others, all are through in 9 s");
	is_double(p->communication[slow] + p->communication[3], 4, 1e-9, "... and nobody waits");
	project_free(p);
	/* All wait for the slow one, which computes 9 s before each of both; behind them all take 1 s to the end. */
	must(project_gains(gains, parts, 4, 0.9, w, NULL, NULL, &err));
	is_double(gains[slow], 0.9 * 2, 1e-9, "... 10 %% less of the slow process brings 10 %% of its computing before collectives");
	is_double(gains[3], slow == 3 ? gains[slow] : 0, 1e-12, "... of another one nothing");
	is_double(runtime(w, NULL, "Allreduce=0"), 19, 1e-9, "... without what the Allreduce takes beyond waiting");
	is_int(what_if_parse(&what, "rank 4 x 2", &err), ERR_OK, "rank 4 can be asked for");
	is_int(project_new(&p, w, NULL, &what, NULL, &err), ERR_USAGE, "... but is refused");
	is_str(err.text, "unknown rank 4: expected 0 to 3", "... by");
	what.count = 0;
	must(what_if_parse(&what, "Bcast=0", &err));
	is_int(project_new(&p, w, NULL, &what, NULL, &err), ERR_USAGE, "a function that is not called is refused");
	is_str(err.text, "the trace has no calls of MPI_Bcast", "... by");
	what.count = 0;
	must(what_if_parse(&what, "balance", &err));
	is_int(project_new(&p, w, NULL, &what, NULL, &err), ERR_USAGE, "balance without phases is refused");
	waits_free(w);
	gen_log_free(log);
}

/* --- phases of a real run --- */

/* Each row's gain is the difference of two projections, asked for in words. */
static void gains(const struct call_log *log, const struct waits *w, const struct phase_spans *spans, double unchanged)
{
	const struct project_part parts[] = {{PROJECT_PROCESS, 0}, {PROJECT_PROCESS, 1}, {PROJECT_PHASE, 1}, {PROJECT_NODE, 0}};
	const char *const texts[] = {"rank 0 x 0.9", "rank 1 x 0.9", "phase 1 x 0.9", "ranks 0-3 x 0.9"};
	struct project_part functions[64];
	double gain[64];
	uint32_t n = 0, wrong = 0;

	must(project_gains(gain, parts, 4, 0.9, w, spans, NULL, &err));
	for (uint32_t i = 0; i < 4; i++)
		is_double(gain[i], unchanged - runtime(w, spans, texts[i]), 1e-11, "... %s", texts[i]);
	for (uint32_t i = 0; i < log->node_count && n < 64; i++)
		if (call_node_is_function(&log->nodes[i]))
			functions[n++] = (struct project_part){PROJECT_NODE, i};
	must(project_gains(gain, functions, n, 0.9, w, spans, NULL, &err));
	for (uint32_t i = 0; i < n; i++) {
		char text[WHAT_NAME + 16];

		snprintf(text, sizeof text, "%s x 0.9", log->nodes[functions[i].which].name);
		wrong += !(fabs(gain[i] - (unchanged - runtime(w, spans, text))) < 1e-11);
	}
	ok(n && !wrong, "... and each of %u functions", (unsigned)n);
}

static void phases(const char *path)
{
	struct settings settings;
	struct trace *t;
	struct call_log *log;
	struct waits *w;
	struct analysis *a;
	struct phase_spans *spans;
	struct projection *p, *same;
	struct what_if none = {.count = 0};
	double work = 0, before = 0, T;

	settings_init(&settings);
	must(trace_load(&t, &path, 1, NULL, NULL, &err));
	must(call_log_new(&log, t, NULL, &err));
	must(waits_new(&w, log, NULL, &err));
	must(analysis_new(&a, t, &settings, NULL, ANALYSIS_PHASES, NULL, &err));
	must(phase_spans_new(&spans, NULL, a->clockwork, a->phases, NULL, &err));
	T = runtime(w, spans, "phase 1 x 1");
	ok(runtime(w, spans, "phase 1 x 0.5") <= T && runtime(w, spans, "phase 1 x 2") >= T, "%s: a phase that computes less", path);
	must(project_new(&same, w, spans, &none, NULL, &err));
	is_double(same->runtime, T, 1e-9, "... nothing changed is a factor of 1");
	gains(log, w, spans, T);
	p = project(w, spans, "balance");
	for (uint32_t i = 0; i < t->process_count; i++) {
		work += p->useful[i];
		before += same->useful[i];
	}
	is_double(work, before, 1e-9 * before, "... balanced, all work is still done");
	ok(runtime(w, spans, "network=0, balance") <= p->runtime + 1e-9, "... and without a network it takes no longer");
	project_free(p);
	must(what_if_parse(&none, "phase 4000000 x 2", &err));
	is_int(project_new(&p, w, spans, &none, NULL, &err), ERR_USAGE, "... a phase that is not there is refused");
	project_free(same);
	phase_spans_free(spans);
	analysis_unref(a);
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
	struct what_if what = {.count = 0};
	struct waits *w;
	struct projection *p;
	enum err_code code = ERR_MEMORY;
	const struct project_part part = {PROJECT_NODE, 0};
	bool clean = true;
	double gain;
	long n;

	must(waits_new(&w, log, NULL, &err));
	must(what_if_parse(&what, "rank 0 x 0.5", &err));
	for (n = 0; code == ERR_MEMORY && n < 100; n++) {
		mem_fail_after(n);
		code = project_new(&p, w, NULL, &what, NULL, &err);
		if (code)
			clean = clean && !p && !mem_live();
		mem_fail_after(-1);
	}
	ok(code == ERR_OK && n > 8 && clean, "%ld allocations fail one after the other: told, and nothing is left", n - 1);
	project_free(p);
	for (n = 0, clean = true, code = ERR_MEMORY; code == ERR_MEMORY && n < 100; n++) {
		mem_fail_after(n);
		code = project_gains(&gain, &part, 1, 0.9, w, NULL, NULL, &err);
		clean = clean && (!code || !mem_live());
		mem_fail_after(-1);
	}
	ok(code == ERR_OK && n > 8 && clean, "%ld of a gain fail likewise", n - 1);
	is_int(project_gains(&gain, &part, 1, 0.9, w, NULL, &progress, &err), ERR_CANCELLED, "a gain is stopped");
	is_int(project_new(&p, w, NULL, &what, &progress, &err), ERR_CANCELLED, "stopped");
	ok(!p, "... with nothing made");
	waits_free(w);
	gen_log_free(log);
}

int main(void)
{
	words();
	bytes();
	at_random();
	planted(0);
	planted(2);
	phases("sample-traces/cg.S.4.clog2");
	phases("sample-traces/latesender.4.clog2");
	memory_and_cancelling();
	return done_testing();
}
