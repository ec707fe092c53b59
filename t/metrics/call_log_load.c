/* A call log that is made while its trace is loaded must be the one that a second reading of the same bytes gives,
 * field by field, and the trace the one that loading alone gives: pas2p metrics takes the first way, the workbench the
 * second, and both show the same numbers. Shown on real traces, on random runs with clocks that step back and states
 * without ends, on what is cut, damaged and given in several files, however many threads read; and when reading is
 * stopped, memory ends, or a file changes.
 */
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/formats/api/load.h"
#include "core/formats/api/open.h"
#include "core/io/source.h"
#include "core/metrics/calls/log.h"
#include "gen_calls.h"
#include "gen_script.h"
#include "gen_series.h"
#include "gen.h"
#include "tap.h"

static struct err err;

static void must(enum err_code code)
{
	if (code)
		bail_out("%s", err.text);
}

/* NAN too. */
static bool same(double a, double b)
{
	return !memcmp(&a, &b, sizeof a);
}

#define COLUMN(name) (a->event_count && memcmp(a->name, b->name, (size_t)a->event_count * sizeof *a->name) != 0)

static uint32_t traces_differ(const struct trace *a, const struct trace *b)
{
	uint32_t bad = 0;

	if (a->process_count != b->process_count || a->event_count != b->event_count || a->state_count != b->state_count ||
	    a->notes.n != b->notes.n || a->file_count != b->file_count)
		return 1000;
	for (uint32_t p = 0; p < a->process_count; p++) {
		const struct process *x = &a->processes[p], *y = &b->processes[p];

		bad += a->first[p + 1] != b->first[p + 1] || x->threads != y->threads || x->records != y->records ||
		       !same(x->start, y->start) || !same(x->end, y->end) || memcmp(x->by_kind, y->by_kind, sizeof x->by_kind) != 0;
	}
	bad += COLUMN(time) + COLUMN(compute) + COLUMN(type) + COLUMN(size_code) + COLUMN(envelope) + COLUMN(match);
	for (uint32_t s = 0; s < a->state_count; s++)
		bad += strcmp(a->states[s].name, b->states[s].name) != 0 || a->states[s].count != b->states[s].count ||
		       !same(a->states[s].inclusive, b->states[s].inclusive) || !same(a->states[s].exclusive, b->states[s].exclusive);
	for (size_t i = 0; i < a->notes.n; i++)
		bad += a->notes.list[i].kind != b->notes.list[i].kind || strcmp(a->notes.list[i].text, b->notes.list[i].text) != 0;
	return bad + (a->damaged != b->damaged) + (a->partial != b->partial) + (a->compute_source != b->compute_source) +
	       (a->record_count != b->record_count) + !same(a->start, b->start) + !same(a->end, b->end) +
	       (a->lost_sends != b->lost_sends) + (a->lost_receives != b->lost_receives) + (a->collective_count != b->collective_count);
}

static uint32_t lists_differ(const struct call_list *x, const struct call_list *y)
{
	return (x->process != y->process) + (x->thread != y->thread) + (x->first != y->first) + (x->end != y->end) +
	       (x->first_piece != y->first_piece) + (x->end_piece != y->end_piece) + (x->last_node != y->last_node) +
	       !same(x->start, y->start) + !same(x->stop, y->stop) + (x->account != y->account) + !same(x->cpu, y->cpu) +
	       !same(x->untraced, y->untraced) +
	       (x->known.posts != y->known.posts) + (x->known.nonblocking != y->known.nonblocking);
}

static uint32_t nodes_differ(const struct call_node *x, const struct call_node *y)
{
	return (x->parent != y->parent) + (x->depth != y->depth) + (strcmp(x->name, y->name) != 0) + (x->kind != y->kind) +
	       (x->time != y->time) + (x->traits != y->traits) + (x->count != y->count) + (x->unfinished != y->unfinished);
}

static uint32_t logs_differ(const struct call_log *a, const struct call_log *b)
{
	uint32_t bad = 0, processes = a->trace->process_count, events = a->trace->event_count;

	if (a->list_count != b->list_count || a->call_count != b->call_count || a->node_count != b->node_count ||
	    a->stay_count != b->stay_count || a->piece_count != b->piece_count || processes != b->trace->process_count ||
	    events != b->trace->event_count)
		return 1000;
	bad += memcmp(a->list_first, b->list_first, ((size_t)processes + 1) * sizeof *a->list_first) != 0;
	bad += a->call_count && memcmp(a->flags, b->flags, a->call_count) != 0;
	bad += events && memcmp(a->call_of, b->call_of, (size_t)events * sizeof *a->call_of) != 0;
	for (uint32_t l = 0; l < a->list_count; l++)
		bad += lists_differ(&a->lists[l], &b->lists[l]);
	for (uint32_t c = 0; c < a->call_count; c++)
		bad += !same(a->calls[c].start, b->calls[c].start) || !same(a->calls[c].end, b->calls[c].end) ||
		       a->calls[c].node != b->calls[c].node || a->calls[c].first_event != b->calls[c].first_event;
	for (uint32_t i = 0; i < a->piece_count; i++)
		bad += !same(a->pieces[i].until, b->pieces[i].until) || a->pieces[i].call != b->pieces[i].call ||
		       a->pieces[i].node != b->pieces[i].node;
	for (uint32_t n = 0; n < a->node_count; n++)
		bad += nodes_differ(&a->nodes[n], &b->nodes[n]);
	for (uint32_t s = 0; s < a->stay_count; s++)
		bad += a->stays[s].process != b->stays[s].process || a->stays[s].node != b->stays[s].node ||
		       !same(a->stays[s].useful, b->stays[s].useful) || !same(a->stays[s].hidden, b->stays[s].hidden);
	return bad + (a->unpaired != b->unpaired) + (a->too_deep != b->too_deep) +
	       (a->states_seen != b->states_seen) + (a->users_seen != b->users_seen) + (a->threaded != b->threaded);
}

static bool times_differ(const struct clock_event_time *a, const struct clock_event_time *b, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++)
		if (a[i].event != b[i].event || a[i].record != b[i].record || !same(a[i].time, b[i].time))
			return true;
	return false;
}

static uint32_t clocks_differ(const struct call_clocks *a, const struct call_clocks *b, uint32_t processes)
{
	uint32_t bad = 0;

	if (a->sent_count != b->sent_count || a->held_count != b->held_count ||
	    memcmp(a->first_step, b->first_step, ((size_t)processes + 1) * sizeof *a->first_step) != 0 ||
	    memcmp(a->first_seen, b->first_seen, ((size_t)processes + 1) * sizeof *a->first_seen) != 0)
		return 1000;
	for (uint32_t i = 0; i < a->first_step[processes]; i++)
		bad += a->steps[i].event != b->steps[i].event || a->steps[i].record != b->steps[i].record ||
		       !same(a->steps[i].later, b->steps[i].later) || !same(a->steps[i].shift, b->steps[i].shift);
	for (uint32_t i = 0; i < a->first_seen[processes]; i++)
		bad += a->seen[i].event != b->seen[i].event || !same(a->seen[i].time, b->seen[i].time) ||
		       !same(a->seen[i].low, b->seen[i].low) || !same(a->seen[i].high, b->seen[i].high);
	for (uint32_t p = 0; p < processes; p++)
		bad += a->coarse[p] != b->coarse[p];
	return bad + times_differ(a->sent, b->sent, a->sent_count) + times_differ(a->held, b->held, a->held_count);
}

/* What was compared in all, so that no part of this can come to nothing unseen. */
static struct { uint32_t runs, refused, damaged, calls, roots, threaded, backward, held; } seen;

static void count(const struct trace *t, const struct call_log *log)
{
	seen.runs++;
	seen.damaged += t->damaged;
	seen.calls += log->call_count;
	seen.threaded += log->threaded;
	seen.held += log->clocks.held_count;
	for (uint32_t c = 0; c < log->call_count; c++)
		seen.roots += (log->flags[c] & CALL_ROOT_KNOWN) != 0;
	for (size_t i = 0; i < t->notes.n; i++)
		seen.backward += t->notes.list[i].kind == NOTE_TIME_BACKWARD;
}

/* What the log of clocks alone has that this one has not. */
static uint32_t clocks_alone_differ(const struct call_log *log, const struct source *sources, uint32_t n, unsigned threads)
{
	struct trace_options o = {.threads = threads};
	struct call_log *clocks;
	struct trace *t;
	enum err_code code = call_log_load_clocks_sources(&clocks, &t, sources, n, &o, NULL, &err);
	uint32_t bad = !t || !clocks || (code && code != ERR_DAMAGED);

	bad = bad ? bad : traces_differ(t, log->trace) + clocks_differ(&clocks->clocks, &log->clocks, t->process_count) + clocks->call_count;
	call_log_free(clocks);
	trace_free(t);
	return bad;
}

/* How much one reading gives that two do not. */
static uint32_t both_ways(const struct source *sources, uint32_t n, unsigned threads)
{
	struct trace_options o = {.threads = threads};
	struct call_log *log, *again;
	struct trace *t, *alone;
	struct err said;
	enum err_code code = call_log_load_sources(&log, &t, sources, n, &o, NULL, &said);
	uint32_t bad = trace_load_sources(&alone, sources, n, &o, NULL, &err) != code;

	bad += code && strcmp(said.text, err.text) != 0;
	if (!alone || !t) {
		seen.refused++;
		bad += alone != t || log;
	} else {
		must(call_log_new_sources(&again, alone, sources, n, NULL, &err));
		bad += !log || log->trace != t || traces_differ(t, alone) + logs_differ(log, again) + clocks_alone_differ(log, sources, n, threads);
		count(t, again);
		call_log_free(again);
	}
	call_log_free(log);
	trace_free(t);
	trace_free(alone);
	return bad;
}

static uint32_t all_threads(const struct source *sources, uint32_t n)
{
	return both_ways(sources, n, 1) + both_ways(sources, n, 2) + both_ways(sources, n, 3);
}

static uint32_t of_bytes(struct gen_bytes b, size_t size)
{
	struct source s;
	uint32_t bad;

	must(source_open_memory(&s, "bytes", b.bytes, size, &err));
	bad = all_threads(&s, 1);
	source_release(&s);
	return bad;
}

static uint32_t of_made(struct gen_bytes b)
{
	uint32_t bad = of_bytes(b, b.size);

	free(b.bytes);
	return bad;
}

static void of_paths(const char *const *paths, uint32_t n)
{
	struct source *sources;

	must(trace_files_open(&sources, paths, n, &err));
	is_int(all_threads(sources, n), 0, "%s: one reading gives what two give", paths[0]);
	source_release_files(sources, n);
}

static void real(void)
{
	glob_t one, parts;

	if (glob("sample-traces/*[0-9].clog2", 0, NULL, &one) || glob("sample-traces/unfinalized*.clog2", 0, NULL, &parts))
		bail_out("the sample traces are not here");
	for (size_t i = 0; i < one.gl_pathc; i++)
		of_paths((const char *const *)&one.gl_pathv[i], 1);
	of_paths((const char *const *)parts.gl_pathv, (uint32_t)parts.gl_pathc);
	of_paths((const char *const *)parts.gl_pathv + 1, (uint32_t)parts.gl_pathc - 2);
	globfree(&one);
	globfree(&parts);
}

static struct gen_bytes two_threads(void)
{
	struct gen_calls *g = gen_calls_new(2, NULL);

	for (int i = 0; i < 40; i++) {
		gen_thread(g, i % 3 == 1);
		gen_rooted(g, 0, i, i + 0.5, "MPI_Bcast", i % 2);
		gen_thread(g, 0);
		gen_call(g, 1, i - (i % 5 == 0), i + 0.25, "MPI_Bcast"); /* steps back */
	}
	return gen_calls_bytes(g);
}

static void made(void)
{
	struct clog2_write_options little = gen_clog2_options(40, false, true, 4096);
	uint32_t bad = 0;

	is_int(of_made(gen_tiny(NULL, 0)) + of_made(gen_twisted(NULL, 0)) + of_made(gen_twisted(&little, .25)), 0, "the page's runs");
	is_int(of_made(two_threads()), 0, "several threads, known roots, a clock that steps back");
	for (uint64_t seed = 1; seed <= CASES(120); seed++)
		bad += of_made(gen_script_random(seed, seed % 4 ? GEN_SCRIPT_MESSY : GEN_SCRIPT_TIDY,
						 &(struct gen_script_options){.threads = (int32_t)(seed % 3), .little_endian = seed % 7 == 0}));
	is_int(bad, 0, "random runs");
}

static void damaged(void)
{
	static const char *const paths[] = {"sample-traces/latesender.4.clog2", "sample-traces/userstates.3.clog2",
					    "sample-traces/nonblock.4.clog2"};
	uint64_t state = 11;
	uint32_t bad = 0;

	for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
		for (int k = 0; k < 80; k++) {
			struct gen_bytes b = gen_slurp(paths[i]);
			size_t size = k % 4 ? b.size : 1024 + gen_below(&state, (uint32_t)b.size - 1024);

			for (uint32_t n = gen_below(&state, 30); n > 0; n--)
				b.bytes[1024 + gen_below(&state, 20000)] = (uint8_t)gen_below(&state, 256);
			bad += of_bytes(b, size);
			free(b.bytes);
		}
	}
	is_int(bad, 0, "cut and damaged traces");
}

/* --- what ends a reading --- */

static bool stop(void *arg)
{
	int *left = arg;

	return --*left < 0;
}

static void stopped(void)
{
	struct gen_bytes b = gen_slurp("sample-traces/cg.S.4.clog2");
	uint32_t bad = 0, stops = 0, partial = 0;
	struct source s;

	must(source_open_memory(&s, "bytes", b.bytes, b.size, &err));
	for (int n = 0; n < 400; n++) {
		int left = n, left_alone = n;
		struct progress progress = {.stopped = stop, .arg = &left}, load_alone = {.stopped = stop, .arg = &left_alone};
		struct trace_options o = {.threads = 1};
		struct trace *t, *alone;
		struct call_log *log;
		enum err_code code = call_log_load_sources(&log, &t, &s, 1, &o, &progress, &err), without;

		without = trace_load_sources(&alone, &s, 1, &o, &load_alone, &err);
		if (!code) {
			call_log_free(log);
			trace_free(t);
			trace_free(alone);
			break;
		}
		stops++;
		partial += t != NULL;
		bad += code != ERR_CANCELLED || log;
		/* Only the log was stopped, after the trace was whole: then there is neither. */
		bad += without ? !t != !alone || (t && traces_differ(t, alone)) : t != NULL;
		trace_free(t);
		trace_free(alone);
	}
	ok(!bad && stops > 5 && stops < 400 && partial > 0,
	   "stopped at %u places, %u times within the events: what loading alone would give, no log", stops, partial);
	source_release(&s);
	free(b.bytes);
}

typedef enum err_code log_load(struct call_log **, struct trace **, const struct source *, uint32_t, const struct trace_options *,
			       const struct progress *, struct err *);

static void no_memory(log_load *load, const char *what)
{
	struct gen_bytes b = gen_slurp("sample-traces/userstates.3.clog2");
	uint32_t bad = 0, left = 0, failed = 0;
	struct source s;

	must(source_open_memory(&s, "bytes", b.bytes, b.size, &err));
	for (long n = 0; n < 3000; n++) {
		struct trace_options o = {.threads = 1};
		struct trace *t;
		struct call_log *log;
		enum err_code code;

		mem_fail_once(n);
		code = load(&log, &t, &s, 1, &o, NULL, &err);
		failed += code == ERR_MEMORY;
		bad += code ? code != ERR_MEMORY || log || t : !log || !t;
		call_log_free(log);
		trace_free(t);
		left += mem_live() != 0;
		if (mem_count() <= n) {
			mem_fail_after(-1);
			break;
		}
	}
	mem_fail_after(-1);
	ok(!bad && !left && failed > 50, "%s: each allocation may fail: %u times neither trace nor log, and nothing is left", what, failed);
	source_release(&s);
	free(b.bytes);
}

/* The log is of the bytes that the trace is of, whatever the file holds afterwards. */
static void changed(void)
{
	char path[] = "/tmp/pas2p-call-log-XXXXXX";
	const char *const paths[] = {path};
	struct gen_bytes b = gen_slurp("sample-traces/cg.S.4.clog2");
	int fd = mkstemp(path);
	struct call_log *log, *again;
	struct trace *t;
	struct source s;

	if (fd < 0)
		bail_out("no temporary file");
	close(fd);
	must(source_open_memory(&s, "bytes", b.bytes, b.size, &err));
	gen_file(path, gen_slurp("sample-traces/cg.S.4.clog2"));
	must(call_log_load(&log, &t, paths, 1, NULL, NULL, &err));
	must(call_log_new(&again, t, NULL, &err));
	is_int(logs_differ(log, again), 0, "of a file: one reading gives what two give");
	call_log_free(again);
	gen_file(path, gen_slurp("sample-traces/lu.S.4.clog2"));
	is_int(call_log_new(&again, t, NULL, &err), ERR_IO, "a second reading of a file that has changed is refused: %s", err.text);
	must(call_log_new_sources(&again, t, &s, 1, NULL, &err));
	is_int(logs_differ(log, again), 0, "what was logged in the first one stands");
	call_log_free(again);
	call_log_free(log);
	trace_free(t);
	unlink(path);
	is_int(call_log_load(&log, &t, paths, 1, NULL, NULL, &err), ERR_IO, "no file, no log");
	ok(!log && !t, "and no trace: %s", err.text);
	source_release(&s);
	free(b.bytes);
}

int main(void)
{
	real();
	made();
	damaged();
	stopped();
	no_memory(call_log_load_sources, "all of a log");
	no_memory(call_log_load_clocks_sources, "its clocks");
	changed();
	ok(seen.runs > 800 + CASES(100) && seen.calls > 100000 && seen.damaged > 100 && seen.roots > 50 && seen.threaded > CASES(50) && seen.backward > 50 && seen.held > 1000,
	   "in all %u runs (%u damaged, %u refused), %u calls, %u with a known root, %u with threads, %u clocks that step back, %u held", seen.runs,
	   seen.damaged, seen.refused, seen.calls, seen.roots, seen.threaded, seen.backward, seen.held);
	return done_testing();
}
