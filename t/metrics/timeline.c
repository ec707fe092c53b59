/* The timeline must be honest at every zoom: what a cell says of a window is what a sum over all calls in it says,
 * however many calls or processes share the cell; kinds add up to the time that the trace covers. Shown on runs that
 * are written here, whose calls are therefore known without reading them, and on real traces, where the whole run must
 * give the totals that loading found. Threads that call at once and clocks that step back must not count time twice.
 * Message lines are compared with a search through all messages.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gen.h"
#include "gen_clog2.h"
#include "core/formats/api/load.h"
#include "core/io/source.h"
#include "tap.h"
#include "core/metrics/maps/maps.h"

static struct err err;

static void must(enum err_code code)
{
	if (code != ERR_OK)
		bail_out("%s", err.text);
}

/* --- runs whose calls are known --- */

#define PROCESSES 5
#define CALLS 700

static const struct known {
	const char *name;
	enum time_kind kind;
} known[] = {
	{"MPI_Send", TIME_SEND}, {"MPI_Recv", TIME_RECEIVE}, {"MPI_Wait", TIME_WAIT}, {"MPI_Barrier", TIME_COLLECTIVE},
	{"MPI_Comm_rank", TIME_OTHER_MPI},
};
#define KNOWN (sizeof known / sizeof *known)

struct run {
	struct { double start, end; enum time_kind kind; const char *name; } call[PROCESSES][CALLS];
	uint32_t count[PROCESSES];
	double start[PROCESSES], end[PROCESSES]; /* of records */
	struct gen_bytes bytes;
	struct source source;
	struct trace *trace;
	struct call_log *log;
	struct timeline *timeline;
};

static double fraction(uint64_t *state)
{
	return gen_below(state, 1u << 30) / (double)(1u << 30);
}

static void write_call(struct clog2_writer *w, struct run *r, int32_t p, int32_t thread, double *now, uint64_t *state)
{
	uint32_t which = gen_below(state, KNOWN), inner = gen_below(state, 6);
	int n = clog2_known_state(known[which].name);
	struct clog2_head h = {*now, 0, p, thread};
	uint32_t *count = &r->count[p];

	clog2_write_bare(w, h, 2 * n);
	r->call[p][*count].start = h.time;
	if (inner == 0) { /* a call in the call, of another kind */
		int m = clog2_known_state(known[(which + 1) % KNOWN].name);

		h.time += 1e-5 * fraction(state);
		clog2_write_bare(w, h, 2 * m);
		h.time += 1e-5 * fraction(state);
		clog2_write_bare(w, h, 2 * m + 1);
	}
	h.time += gen_below(state, 5) ? 1e-4 * fraction(state) : 0;
	clog2_write_bare(w, h, 2 * n + 1);
	r->call[p][*count].end = h.time;
	r->call[p][*count].kind = known[which].kind;
	r->call[p][(*count)++].name = known[which].name;
	*now = h.time + (gen_below(state, 5) ? 1e-4 * fraction(state) : 0);
}

/* With `mean`, two threads call at once and clocks step back. */
static void make_run(struct run *r, uint64_t seed, bool mean)
{
	struct clog2_write_options o = gen_clog2_options(44, true, true, 4096);
	FILE *file = tmpfile();
	struct clog2_writer w;
	uint64_t state = seed;
	double now[PROCESSES][2];

	memset(r, 0, sizeof *r);
	if (!file)
		bail_out("no temporary file");
	o.world_size = PROCESSES;
	must(clog2_writer_init(&w, fileno(file), &o, &err));
	for (int32_t p = 0; p < PROCESSES; p++) {
		struct clog2_comm c = {.etype = 0, .icomm = 0, .rank = p, .wrank = p};
		double begin = p * 0.001;

		c.gid.bytes[0] = 1;
		clog2_write_comm(&w, (struct clog2_head){0, 0, p, 0}, &c);
		now[p][0] = now[p][1] = begin;
		r->start[p] = begin;
		clog2_write_bare(&w, (struct clog2_head){begin, 0, p, 0}, 6001);
	}
	for (int i = 0; i < CALLS * 3; i++) {
		int32_t p = (int32_t)gen_below(&state, PROCESSES - 1),
			thread = mean && !gen_below(&state, 3); /* the last one never calls */

		if (r->count[p] == CALLS || r->count[p] > 40u * (uint32_t)(p + 1) * (uint32_t)(p + 1))
			continue;
		if (mean && !gen_below(&state, 40))
			now[p][thread] -= 1e-3 * fraction(&state);
		write_call(&w, r, p, thread, &now[p][thread], &state);
	}
	for (int32_t p = 0; p < PROCESSES; p++) {
		r->end[p] = fmax(now[p][0], now[p][1]) + 0.002;
		clog2_write_bare(&w, (struct clog2_head){r->end[p], 0, p, 0}, 6001);
	}
	must(clog2_writer_finish(&w, true, &err));
	clog2_writer_release(&w);
	r->bytes = gen_slurp_fd(fileno(file));
	fclose(file);
	must(source_open_memory(&r->source, "run", r->bytes.bytes, r->bytes.size, &err));
	must(call_log_load_sources(&r->log, &r->trace, &r->source, 1, NULL, NULL, &err));
	must(timeline_new(&r->timeline, r->log, NULL, &err));
}

static void free_run(struct run *r)
{
	timeline_free(r->timeline);
	call_log_free(r->log);
	trace_free(r->trace);
	source_release(&r->source);
	free(r->bytes.bytes);
}

static double overlap(double a0, double a1, double b0, double b1)
{
	double d = fmin(a1, b1) - fmax(a0, b0);

	return d > 0 ? d : 0;
}

/* Seconds by kind, from what was written. */
static double written(const struct run *r, uint32_t first, uint32_t last, double t0, double t1, double kind[TIME_KINDS])
{
	double covered = 0;

	memset(kind, 0, TIME_KINDS * sizeof *kind);
	for (uint32_t p = first; p <= last; p++) {
		double here = overlap(r->start[p], r->end[p], t0, t1), calls = 0;

		for (uint32_t i = 0; i < r->count[p]; i++) {
			double d = overlap(r->call[p][i].start, r->call[p][i].end, t0, t1);

			kind[r->call[p][i].kind] += d;
			calls += d;
		}
		kind[TIME_COMPUTE] += here - calls;
		covered += here;
	}
	return covered;
}

/* One cell, and how much of it is covered. */
static double share_of(const struct timeline *tl, uint32_t first, uint32_t last, double t0, double t1, double share[TIME_KINDS])
{
	double (*cell)[TIME_KINDS] = (double (*)[TIME_KINDS])share, covered = 0;

	timeline_row(tl, first, last, t0, t1, 1, cell);
	for (int k = 0; k < TIME_KINDS; k++)
		covered += share[k];
	return covered;
}

/* Windows of every size: whole runs down to less than a call, inside, across the ends, and outside. */
static void any_window(uint64_t *state, uint32_t *first, uint32_t *last, double *t0, double *t1)
{
	*first = gen_below(state, PROCESSES);
	*last = *first + gen_below(state, PROCESSES - *first);
	*t0 = -0.01 + 0.12 * fraction(state);
	*t1 = *t0 + 0.15 * pow(10, -7.0 * fraction(state));
}

static void known_runs(void)
{
	uint32_t bad_calls = 0, bad_shares = 0, bad_rows = 0, bad_lists = 0, bad_at = 0, calls = 0;
	double largest = 0;

	for (uint64_t seed = 1; seed <= 6; seed++) {
		uint64_t state = seed;
		struct run r;

		make_run(&r, seed, false);
		for (uint32_t p = 0; p < PROCESSES; p++) {
			const struct timeline_process *q = &r.timeline->processes[p];

			bad_calls += q->merged || q->count != r.count[p] || q->start != r.start[p] || q->end != r.end[p];
			for (uint32_t i = 0; i < q->count && i < r.count[p]; i++) {
				const struct logged_call *c = &q->calls[i];

				bad_calls += c->start != r.call[p][i].start || c->end != r.call[p][i].end;
				bad_calls += timeline_kind(r.timeline, c) != r.call[p][i].kind ||
					     strcmp(timeline_call_name(r.timeline, c), r.call[p][i].name) != 0;
			}
			calls += q->count;
		}
		for (int i = 0; i < 3000; i++) {
			double share[TIME_KINDS], row[7][TIME_KINDS], want[TIME_KINDS], t0, t1, covered, got;
			uint32_t first, last, cells = 1 + gen_below(&state, 7);

			any_window(&state, &first, &last, &t0, &t1);
			covered = written(&r, first, last, t0, t1, want);
			got = share_of(r.timeline, first, last, t0, t1, share);
			bad_shares += fabs(got * (t1 - t0) * (last - first + 1) - covered) > 1e-12;
			for (int k = 0; k < TIME_KINDS; k++) {
				double off = fabs(share[k] * (t1 - t0) * (last - first + 1) - want[k]);

				largest = fmax(largest, off);
				bad_shares += off > 1e-12;
				got -= share[k];
			}
			bad_shares += fabs(got) > 1e-8;
			timeline_row(r.timeline, first, last, t0, t1, cells, row);
			for (uint32_t c = 0; c < cells; c++) {
				share_of(r.timeline, first, last, t0 + (t1 - t0) * c / cells,
					       t0 + (t1 - t0) * (c + 1) / cells, share);
				for (int k = 0; k < TIME_KINDS; k++)
					bad_rows += fabs(row[c][k] - share[k]) > 1e-7;
			}
		}
		for (int i = 0; i < 2000; i++) {
			uint32_t p = gen_below(&state, PROCESSES), first, n, near, want = 0, from = NO_CALL;
			const struct logged_call *c = r.timeline->processes[p].calls;
			double t0, t1, best = INFINITY;

			any_window(&state, &first, &n, &t0, &t1);
			n = timeline_calls(r.timeline, p, t0, t1, &first);
			near = timeline_call_at(r.timeline, p, t0);
			for (uint32_t k = 0; k < r.timeline->processes[p].count; k++) {
				double end = c[k].end;

				if (end >= t0 && c[k].start <= t1) {
					from = from == NO_CALL ? k : from;
					want++;
				}
				best = fmin(best, fmax(0, fmax(c[k].start - t0, t0 - end)));
			}
			bad_lists += n != want || (n && first != from);
			bad_at += (near == NO_CALL) != (best == INFINITY);
			if (near != NO_CALL)
				bad_at += fmax(0, fmax(c[near].start - t0, t0 - c[near].end)) != best;
		}
		free_run(&r);
	}
	is_int(bad_calls, 0, "%u calls are those written, with their states and kinds", calls);
	is_int(bad_shares, 0, "shares of any window are sums over all calls (to %.1g s)", largest);
	is_int(bad_rows, 0, "a row is its cells");
	is_int(bad_lists, 0, "the calls of a window are all that touch it");
	is_int(bad_at, 0, "the call at a time is the nearest");
}

static void mean_runs(void)
{
	uint32_t bad = 0, bad_shares = 0, cut = 0;

	for (uint64_t seed = 1; seed <= 6; seed++) {
		uint64_t state = seed;
		struct run r;

		make_run(&r, seed, true);
		for (uint32_t p = 0; p < PROCESSES; p++) {
			const struct timeline_process *q = &r.timeline->processes[p];
			double past = q->start;

			for (uint32_t i = 0; i < q->count; i++) {
				bad += q->calls[i].start < past;
				past = q->calls[i].end;
			}
			bad += past > q->end;
		}
		cut += (uint32_t)(r.timeline->cut + r.timeline->lost);
		for (int i = 0; i < 2000; i++) {
			double share[TIME_KINDS], got, sum = 0, t0, t1;
			uint32_t first, last;

			any_window(&state, &first, &last, &t0, &t1);
			got = share_of(r.timeline, first, last, t0, t1, share);
			for (int k = 0; k < TIME_KINDS; k++) {
				bad_shares += share[k] < 0 || share[k] > 1 + 1e-9;
				sum += share[k];
			}
			bad_shares += fabs(sum - got) > 1e-9 || got > 1 + 1e-9;
		}
		free_run(&r);
	}
	is_int(bad, 0, "threads and clocks that step back: calls in order, none over another");
	ok(cut > 50, "%u of them were cut for it, or lost", cut);
	is_int(bad_shares, 0, "and no time counts twice");
}

/* --- real traces --- */

static void real(const char *const *paths, uint32_t count)
{
	double share[TIME_KINDS], worst = 0;
	struct timeline *tl;
	struct call_log *log;
	struct trace *t;
	uint32_t bad = 0;

	if (call_log_load(&log, &t, paths, count, NULL, NULL, &err) != ERR_OK && !log)
		bail_out("%s", err.text);
	must(timeline_new(&tl, log, NULL, &err));
	for (uint32_t p = 0; p < t->process_count; p++) {
		double span = t->processes[p].end - t->processes[p].start;

		if (!(span > 0))
			continue;
		share_of(tl, p, p, t->start - 1, t->end + 1, share);
		for (int k = 0; k < TIME_KINDS; k++) {
			double off = fabs(share[k] * (t->end - t->start + 2) - t->processes[p].by_kind[k]);

			worst = fmax(worst, off / span);
			bad += off > 2e-7 * span;
		}
	}
	ok(!bad && tl->calls > 0,
	   "%s: the totals of loading, from %llu calls (to %.1g)", paths[0], (unsigned long long)tl->calls, worst);
	timeline_free(tl);
	call_log_free(log);
	trace_free(t);
}

static void real_traces(void)
{
	static const char *const one[] = {"sample-traces/cg.S.4.clog2",
					  "sample-traces/lu.S.4.clog2",
					  "sample-traces/comms.6.clog2",
					  "sample-traces/userstates.3.clog2",
					  "sample-traces/nonblock.4.clog2",
					  "sample-traces/little_endian.comms.6.clog2"};
	static const char *const several[] = {"sample-traces/unfinalized.m240.abortme.rank0000.clog2",
					      "sample-traces/unfinalized.m240.abortme.rank0001.clog2",
					      "sample-traces/unfinalized.m240.abortme.rank0002.clog2",
					      "sample-traces/unfinalized.m240.abortme.rank0003.clog2"};

	for (size_t i = 0; i < sizeof one / sizeof *one; i++)
		real(&one[i], 1);
	real(several, 4);
}

/* What must hold of any timeline; returns how often it does not. */
static uint32_t broken_rules(const struct timeline *tl)
{
	const struct trace *t = tl->trace;
	double share[TIME_KINDS], got, sum = 0;
	uint32_t bad = 0;

	for (uint32_t p = 0; p < t->process_count; p++) {
		const struct timeline_process *q = &tl->processes[p];
		double past = q->start;

		for (uint32_t i = 0; i < q->count; i++) {
			bad += !(q->calls[i].start >= past);
			past = q->calls[i].end;
		}
		bad += past > q->end;
	}
	if (t->process_count && t->end > t->start) {
		got = share_of(tl, 0, t->process_count - 1, t->start, t->end, share);
		for (int k = 0; k < TIME_KINDS; k++)
			sum += share[k];
		bad += !(fabs(sum - got) < 1e-6) || got > 1 + 1e-9;
	}
	return bad;
}

static bool stop(void *arg)
{
	int *left = arg;

	return --*left < 0;
}

/* Bytes changed at random: what loads has a timeline. Loading that was stopped: likewise, of what was read. */
static void damaged(void)
{
	struct gen_bytes b = gen_slurp("sample-traces/latesender.4.clog2");
	const char *path = "sample-traces/cg.S.4.clog2";
	uint64_t state = 5;
	uint32_t bad = 0, loaded = 0, partial = 0;

	for (int i = 0; i < 400; i++) {
		uint8_t *bytes = malloc(b.size);
		size_t size = i % 4 ? b.size : 1024 + gen_below(&state, (uint32_t)b.size - 1024);
		struct timeline *tl = NULL;
		struct call_log *log;
		struct source s;
		struct trace *t;

		if (!bytes)
			bail_out("no memory");
		memcpy(bytes, b.bytes, b.size);
		for (uint32_t k = gen_below(&state, 30) + 1; k > 0; k--)
			bytes[1024 + gen_below(&state, 20000)] = (uint8_t)gen_below(&state, 256);
		must(source_open_memory(&s, "bytes", bytes, size, &err));
		call_log_load_sources(&log, &t, &s, 1, NULL, NULL, &err);
		if (t) {
			loaded++;
			if (!log || timeline_new(&tl, log, NULL, &err) != ERR_OK)
				bad++;
			else
				bad += broken_rules(tl);
			timeline_free(tl);
			call_log_free(log);
		}
		trace_free(t);
		source_release(&s);
		free(bytes);
	}
	free(b.bytes);
	ok(!bad && loaded > 300, "%u damaged traces have timelines", loaded);
	for (int n = 0; n < 60; n++) {
		int left = n;
		struct progress progress = {.stopped = stop, .arg = &left};
		struct timeline *tl;
		struct call_log *log;
		struct trace *t;

		trace_load(&t, &path, 1, NULL, &progress, &err);
		if (t && t->partial) {
			partial++;
			must(call_log_new(&log, t, NULL, &err));
			must(timeline_new(&tl, log, NULL, &err));
			bad += broken_rules(tl);
			timeline_free(tl);
			call_log_free(log);
		}
		trace_free(t);
	}
	ok(!bad && partial > 0, "so have %u that were not loaded to their end", partial);
}

/* --- messages --- */

static bool under_way(const struct trace *t, uint32_t ev, double t0, double t1)
{
	uint32_t other = t->match[ev];

	return fmin(t->time[ev], t->time[other]) < t1 && fmax(t->time[ev], t->time[other]) > t0;
}

static bool has_end(const struct trace *t, uint32_t ev, uint32_t first, uint32_t last)
{
	uint32_t p = trace_process_of(t, ev), q = trace_process_of(t, t->match[ev]);

	return (p >= first && p <= last) || (q >= first && q <= last);
}

static void messages(void)
{
	static struct timeline_message got[4096];
	uint32_t bad = 0, found = 0, thinned = 0;

	for (uint64_t seed = 1; seed <= 400; seed++) {
		struct trace *t = gen_random(seed, (enum gen_kind)(seed % GEN_KINDS));
		uint64_t state = seed;
		struct timeline *tl;
		struct call_log *log;

		must(call_log_new(&log, t, NULL, &err));
		must(timeline_new(&tl, log, NULL, &err));
		for (int i = 0; i < 20; i++) {
			uint32_t first = gen_below(&state, t->process_count);
			uint32_t last = first + gen_below(&state, t->process_count - first);
			double t0 = t->start + trace_aet(t) * (fraction(&state) * 1.2 - 0.1),
			       t1 = t0 + trace_aet(t) * fraction(&state);
			uint32_t want = 0, few = 1 + gen_below(&state, 9);
			struct timeline_messages m = timeline_messages(tl, first, last, t0, t1, got, 4096);

			for (uint32_t ev = 0; ev < t->event_count; ev++)
				want += EVENT_KIND(t->type[ev]) == EVENT_SEND && t->match[ev] != NO_EVENT &&
					under_way(t, ev, t0, t1) && has_end(t, ev, first, last);
			bad += m.count != want || m.all != want || m.estimated;
			for (uint32_t k = 0; k < m.count; k++) {
				bad += EVENT_KIND(t->type[got[k].send]) != EVENT_SEND ||
				       t->match[got[k].send] != got[k].receive;
				bad += !under_way(t, got[k].send, t0, t1) || !has_end(t, got[k].send, first, last);
				for (uint32_t j = 0; j < k; j++)
					bad += got[j].send == got[k].send;
			}
			found += want;
			m = timeline_messages(tl, first, last, t0, t1, got, few);
			bad += m.all != want || m.count > few || m.count < (want < few ? want : (few + 1) / 2);
			for (uint32_t k = 0; k < m.count; k++)
				bad += t->match[got[k].send] != got[k].receive || !under_way(t, got[k].send, t0, t1);
			thinned += want > few;
		}
		timeline_free(tl);
		call_log_free(log);
		trace_free(t);
	}
	is_int(bad, 0, "the messages of any window are all that are under way in it, each once (%u)", found);
	ok(found > 1000 && thinned > 500, "and of too many some are picked");
}

/* More than is looked at: an estimate, and lines from all over the window. */
static void many_messages(void)
{
	enum { MANY = 200000 };
	const uint32_t events[2] = {MANY, MANY};
	struct timeline_message got[100];
	struct timeline_messages m;
	struct timeline *tl;
	struct call_log *log;
	struct trace *t;
	uint32_t halves[2] = {0};

	must(trace_new(&t, 2, events, &err));
	for (uint32_t i = 0; i < MANY; i++) {
		t->type[i] = EVENT_SEND | 2;
		t->type[MANY + i] = EVENT_RECEIVE | 1;
		t->match[i] = MANY + i;
		t->match[MANY + i] = i;
		t->time[i] = i * 1e-6;
		t->time[MANY + i] = (i + 1) * 1e-6;
	}
	t->end = MANY * 1e-6;
	must(call_log_new(&log, t, NULL, &err));
	must(timeline_new(&tl, log, NULL, &err));
	m = timeline_messages(tl, 0, 1, t->start, t->end, got, 100);
	for (uint32_t i = 0; i < m.count; i++)
		halves[t->time[got[i].send] > (t->start + t->end) / 2]++;
	ok(m.estimated && m.all > 190000 && m.all < 210000, "of 200000 messages an estimate is made: %llu",
	   (unsigned long long)m.all);
	ok(m.count >= 50 && halves[0] * 3 > m.count && halves[1] * 3 > m.count,
	   "lines are picked from all of the window");
	timeline_free(tl);
	call_log_free(log);
	trace_free(t);
}

/* --- what goes wrong --- */

static void wrong(void)
{
	const char *path = "sample-traces/cg.S.4.clog2";
	struct progress progress = {.stopped = stop};
	struct timeline *tl;
	struct call_log *log;
	struct trace *t;
	uint32_t stops = 0, bad = 0;
	int left;

	must(call_log_load(&log, &t, &path, 1, NULL, NULL, &err));
	progress.arg = &left;
	for (int n = 0; n < 100; n++) {
		left = n;
		if (timeline_new(&tl, log, &progress, &err) == ERR_OK) {
			timeline_free(tl);
			break;
		}
		stops += err.code == ERR_CANCELLED;
		bad += err.code != ERR_CANCELLED || tl;
	}
	ok(stops > 1 && !bad, "it can be stopped at %u places", stops);
	bad = 0;
	for (long n = 0; n < 3000; n += 1 + n / 8) {
		enum err_code code;

		mem_fail_after(n);
		code = timeline_new(&tl, log, NULL, &err);
		mem_fail_after(-1);
		bad += code != ERR_OK && (code != ERR_MEMORY || tl);
		timeline_free(tl);
		if (code == ERR_OK)
			break;
	}
	is_int(bad, 0, "without memory it says so");
	call_log_free(log);
	trace_free(t);
}

int main(void)
{
	known_runs();
	mean_runs();
	real_traces();
	damaged();
	messages();
	many_messages();
	wrong();
	return done_testing();
}
