/* The ideal run says what a network that costs nothing would leave, and figures are published by it: it must be the
 * least solution of the page's equations to the last digit, whatever the order of processing. Compared with a fixed
 * point that goes over all calls again and again until nothing changes and looks at every member of every collective,
 * on logs that can happen and on logs whose calls wait for each other in circles. Replayed with nothing changed a run
 * must be what it was. The critical path must tile the ideal run.
 */
#include <math.h>
#include <stdlib.h>

#include "core/formats/api/load.h"
#include "core/io/source.h"
#include "core/metrics/replay/replay.h"
#include "core/trace/mpi_functions.h"
#include "gen_calls.h"
#include "gen_log.h"
#include "tap.h"

static struct err err;

static void must(enum err_code code)
{
	if (code != ERR_OK)
		bail_out("%s", err.text);
}

/* --- the fixed point --- */

#define MOST 700

struct fixed {
	double enter[MOST], exit[MOST];
	bool depends[MOST][MOST], dropped[MOST][MOST];
	uint32_t broken;
	double runtime;
};

static bool counts(const struct call_log *log, const struct replay_rules *rules, uint32_t c, uint32_t e, uint32_t m)
{
	unsigned traits = log->nodes[log->calls[c].node].traits, theirs = log->nodes[log->calls[log->call_of[m]].node].traits;

	switch (EVENT_KIND(log->trace->type[e])) {
	case EVENT_RECEIVE:
		return true;
	case EVENT_SEND:
		return theirs & MPI_POSTS_AND_RECEIVES &&
		       (traits & MPI_SYNCHRONOUS || (traits & MPI_BLOCKING_SEND && trace_size(log->trace, e) > rules->rendezvous));
	default:
		return traits & MPI_WAITS_FOR_ALL ||
		       (traits & MPI_ROOTED && (rules->rooted_all || log->calls[log->call_of[m]].start <= log->calls[c].end));
	}
}

static void find_dependences(struct fixed *f, const struct call_log *log, const struct replay_rules *rules)
{
	const struct trace *t = log->trace;

	for (uint32_t e = 0; e < t->event_count; e++) {
		uint32_t c = log->call_of[e], m = t->match[e];

		for (; m != NO_EVENT && m != e; m = t->match[m]) {
			if (log->call_of[m] != c && counts(log, rules, c, e, m))
				f->depends[c][log->call_of[m]] = true;
			if (EVENT_KIND(t->type[e]) != EVENT_COLLECTIVE)
				break;
		}
	}
}

static double naive_gap(const struct call_log *log, const struct call_list *l, uint32_t c)
{
	return fmax(0, (c == l->end ? l->stop : log->calls[c].start) - (c == l->first ? l->start : log->calls[c - 1].end));
}

/* Once over all calls; true: something was found. */
static bool once_over(struct fixed *f, const struct call_log *log, double t0)
{
	bool more = false;

	for (uint32_t i = log->list_count; i-- > 0;) { /* another order than the core's */
		const struct call_list *l = &log->lists[i];

		for (uint32_t c = l->first; c < l->end; c++) {
			double before = c == l->first ? l->start - t0 : f->exit[c - 1], latest;

			if (isnan(f->enter[c]) && !isnan(before)) {
				f->enter[c] = before + naive_gap(log, l, c);
				more = true;
			}
			latest = f->enter[c];
			for (uint32_t d = 0; d < log->call_count; d++)
				if (f->depends[c][d] && !f->dropped[c][d])
					latest = isnan(latest) || isnan(f->enter[d]) ? NAN : fmax(latest, f->enter[d]);
			if (isnan(f->exit[c]) && !isnan(latest)) {
				f->exit[c] = latest;
				if (log->nodes[log->calls[c].node].time == ACCOUNT_TRACER)
					f->exit[c] += log->calls[c].end - log->calls[c].start;
				more = true;
			}
		}
	}
	return more;
}

static struct fixed *fixed_point(const struct call_log *log, const struct replay_rules *rules)
{
	struct fixed *f = calloc(1, sizeof *f);
	double t0 = INFINITY;

	if (!f || log->call_count > MOST)
		bail_out("a log too large for the naive replay");
	for (uint32_t c = 0; c < log->call_count; c++)
		f->enter[c] = f->exit[c] = NAN;
	for (uint32_t i = 0; i < log->list_count; i++)
		t0 = fmin(t0, log->lists[i].start);
	find_dependences(f, log, rules);
	for (;;) {
		uint32_t first = NO_LOGGED_CALL;

		while (once_over(f, log, t0))
			;
		for (uint32_t c = 0; c < log->call_count; c++)
			if (!isnan(f->enter[c]) && isnan(f->exit[c]) &&
			    (first == NO_LOGGED_CALL || log->calls[c].start < log->calls[first].start))
				first = c;
		if (first == NO_LOGGED_CALL)
			break;
		for (uint32_t d = 0; d < log->call_count; d++)
			if (f->depends[first][d] && isnan(f->enter[d])) {
				f->dropped[first][d] = true;
				f->broken++;
			}
	}
	for (uint32_t i = 0; i < log->list_count; i++) {
		const struct call_list *l = &log->lists[i];
		double end = (l->first == l->end ? l->start - t0 : f->exit[l->end - 1]) + naive_gap(log, l, l->end);

		f->runtime = i ? fmax(f->runtime, end) : end;
	}
	return f;
}

/* --- the core against it --- */

struct seen {
	const struct fixed *f;
	uint32_t call, times[MOST], wrong;
};

static bool see(void *arg, uint32_t call)
{
	struct seen *s = arg;

	s->times[call]++;
	s->wrong += !s->f->depends[s->call][call];
	return true;
}

/* Pieces are in order, contiguous, of the log's own times, and add up. */
static uint32_t check_path(const struct replay *r)
{
	const struct call_log *log = r->log;
	struct critical_path *p;
	uint32_t bad = 0;
	double at = 0;

	must(critical_new(&p, r, NULL, &err));
	for (uint32_t i = 0; i < p->count; i++) {
		const struct critical_piece *piece = &p->pieces[i];
		const struct call_list *l = &log->lists[piece->list];

		bad += piece->from != at || !(piece->to > piece->from) || piece->call < l->first || piece->call > l->end;
		at = piece->to;
		switch (piece->what) {
		case CRITICAL_USEFUL:
			bad += fabs(piece->to - piece->from - naive_gap(log, l, piece->call)) > 1e-9 || piece->to != replay_entry(r, l, piece->call);
			break;
		case CRITICAL_TRACER:
			bad += log->nodes[log->calls[piece->call].node].time != ACCOUNT_TRACER;
			break;
		default:
			bad += i != 0 || piece->call != l->first || piece->to != l->start - r->t0;
		}
	}
	bad += at != r->runtime && log->list_count;
	critical_free(p);
	return bad;
}

static uint64_t broken, waited;

static uint32_t check_rules(const struct call_log *log, const struct replay_rules *rules)
{
	struct fixed *f = fixed_point(log, rules);
	struct replay *r;
	uint32_t bad = 0;

	must(replay_new(&r, log, NULL, rules, NULL, NULL, &err));
	bad += r->broken != f->broken || r->runtime != f->runtime;
	broken += f->broken;
	for (uint32_t c = 0; c < log->call_count; c++) {
		struct seen s = {.f = f, .call = c};
		uint32_t ways = 1; /* by message, and by each collective */

		for (uint32_t e = 0; e < log->trace->event_count; e++)
			ways += log->call_of[e] == c && EVENT_KIND(log->trace->type[e]) == EVENT_COLLECTIVE;
		bad += r->exit[c] != f->exit[c] || replay_entry(r, &log->lists[call_log_list_of(log, c)], c) != f->enter[c];
		waited += r->exit[c] > f->enter[c];
		replay_dependences(log, rules, c, see, &s);
		bad += s.wrong;
		for (uint32_t d = 0; d < log->call_count; d++) {
			bad += (s.times[d] > 0) != f->depends[c][d] || s.times[d] > ways;
			bad += replay_dropped(r, c, (struct call_at){0, d}) != f->dropped[c][d];
		}
	}
	bad += check_path(r);
	replay_free(r);
	free(f);
	return bad;
}

static void against_the_fixed_point(void)
{
	static const struct replay_rules rules[] = {{false, REPLAY_NEVER}, {true, REPLAY_NEVER}, {true, 50}, {false, 0}};
	uint32_t bad = 0;

	for (uint64_t seed = 1; seed <= 60; seed++) {
		struct call_log *log = gen_log_run(seed, seed % 2);

		bad += check_rules(log, &rules[seed % 4]);
		gen_log_free(log);
	}
	ok(!bad && waited > 100, "runs that can happen: X, E, dependences and the critical path as defined (%u are not)", bad);
	broken = 0;
	for (uint64_t seed = 1; seed <= 600; seed++) {
		struct call_log *log = gen_log_wild(seed);

		bad += check_rules(log, &rules[seed % 4]);
		gen_log_free(log);
	}
	ok(!bad && broken > 100, "logs of anything: the same, with %u dependences left out to get out of circles", (unsigned)broken);
}

/* --- with nothing changed --- */

static uint32_t check_unchanged(const struct call_log *log)
{
	const struct replay_change none = {.arg = NULL};
	struct waits *w;
	struct replay *r, *ideal;
	uint32_t bad = 0;
	double end = 0;

	must(waits_new(&w, log, NULL, &err));
	must(replay_new(&r, log, w, NULL, &none, NULL, &err));
	must(replay_new(&ideal, log, NULL, NULL, NULL, NULL, &err));
	for (uint32_t c = 0; c < log->call_count; c++)
		bad += fabs(r->exit[c] + r->t0 - log->calls[c].end) > 1e-9;
	for (uint32_t l = 0; l < log->list_count; l++)
		end = fmax(end, log->lists[l].stop);
	bad += fabs(r->runtime + r->t0 - end) > 1e-9 || r->broken;
	bad += ideal->runtime > r->runtime + 1e-9;
	replay_free(r);
	replay_free(ideal);
	waits_free(w);
	return bad;
}

static void nothing_changed(void)
{
	uint32_t bad = 0;

	for (uint64_t seed = 1; seed <= 300; seed++) {
		struct call_log *log = gen_log_run(seed, seed % 2);

		bad += check_unchanged(log);
		gen_log_free(log);
	}
	ok(!bad, "with nothing changed every call ends when it did, and the ideal run takes no longer (%u do not)", bad);
}

/* --- the page's --- */

static void check_page(struct gen_bytes bytes, double want, const char *name)
{
	struct source source;
	struct trace *t;
	struct call_log *log;
	struct replay *r;

	must(source_open_memory(&source, "run", bytes.bytes, bytes.size, &err));
	must(trace_load_sources(&t, &source, 1, NULL, NULL, &err));
	must(call_log_new_sources(&log, t, &source, 1, NULL, &err));
	must(replay_new(&r, log, NULL, NULL, NULL, NULL, &err));
	is_double(r->runtime, want, 1e-9, "%s: ideal run time", name);
	ok(!check_path(r) && !check_unchanged(log), "... its critical path tiles it; unchanged, the run is what it was");
	replay_free(r);
	call_log_free(log);
	trace_free(t);
	source_release(&source);
	free(bytes.bytes);
}

static void real_traces(void)
{
	static const struct { const char *file; double ideal, sync; } rows[] = {
		{"sample-traces/cg.S.4.clog2", 0.00961673, 0.0716518},
		{"sample-traces/ep.S.4.clog2", 0.0838009, 0.0121972},
		{"sample-traces/latesender.4.clog2", 0.453449, 1.10773},
		{"sample-traces/nonblock.4.clog2", 0.0443932, 0.00639004},
		{"sample-traces/userstates.3.clog2", 0.0141674, 0.00724012},
		{TEST_TRACES "/sweep3d.50.6.clog2", 0.312699, 1.44605},
	};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		const char *path = rows[i].file;
		struct trace *t;
		struct call_log *log;
		struct waits *w;
		struct replay *r;
		double sync = 0;

		if (trace_load(&t, &path, 1, NULL, NULL, &err)) {
			skip(3, "%s is not here", path);
			continue;
		}
		must(call_log_new(&log, t, NULL, &err));
		must(waits_new(&w, log, NULL, &err));
		must(replay_new(&r, log, NULL, NULL, NULL, NULL, &err));
		for (uint32_t c = 0; c < log->call_count; c++)
			sync += w->sync[c];
		is_double(r->runtime, rows[i].ideal, rows[i].ideal * 1e-5, "%s: ideal run time", path);
		is_double(sync, rows[i].sync, rows[i].sync * 1e-5, "... waiting");
		ok(!check_path(r) && !r->broken, "... its critical path tiles it");
		replay_free(r);
		waits_free(w);
		call_log_free(log);
		trace_free(t);
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
	struct call_log *log = gen_log_wild(8);
	struct replay *r = NULL;
	struct critical_path *p = NULL;
	enum err_code code = ERR_MEMORY;
	bool clean = true;
	long n;

	for (n = 0; code == ERR_MEMORY && n < 100; n++) {
		mem_fail_after(n);
		code = replay_new(&r, log, NULL, NULL, NULL, NULL, &err);
		if (!code)
			code = critical_new(&p, r, NULL, &err);
		if (code)
			replay_free(r);
		if (code)
			clean = clean && !mem_live();
		mem_fail_after(-1);
	}
	ok(code == ERR_OK && n > 8 && clean && r->broken, "%ld allocations fail one after the other: told, and nothing is left", n - 1);
	critical_free(p);
	replay_free(r);
	is_int(replay_new(&r, log, NULL, NULL, NULL, &progress, &err), ERR_CANCELLED, "stopped");
	ok(!r, "... with nothing made");
	gen_log_free(log);
}

static void nothing(void)
{
	struct call_log *log = gen_log_made(gen_log_new(0));
	struct replay *r;
	struct critical_path *p;

	must(replay_new(&r, log, NULL, NULL, NULL, NULL, &err));
	must(critical_new(&p, r, NULL, &err));
	ok(r->runtime == 0 && !p->count, "a trace of nothing takes no time");
	critical_free(p);
	replay_free(r);
	gen_log_free(log);
}

int main(void)
{
	check_page(gen_tiny(NULL, 0), 15, "tiny");
	check_page(gen_twisted(NULL, 0), 15.75, "twisted");
	against_the_fixed_point();
	nothing_changed();
	real_traces();
	memory_and_cancelling();
	nothing();
	return done_testing();
}
