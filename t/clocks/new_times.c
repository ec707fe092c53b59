/* A trace with its times put right without a file is, to the last bit, the one that is loaded from the file that pas2p
 * clocks --correct writes: its columns, its totals, and all that is read of its files again. What has nothing to put
 * right stays as it is.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "clock_case.h"
#include "core/base/mem.h"
#include "core/clocks/correct/correct.h"
#include "core/clocks/report.h"
#include "core/formats/clog2/clog2.h"
#include "core/metrics/calls/log.h"
#include "core/metrics/maps/maps.h"
#include "gen.h"
#include "gen_run.h"
#include "gen_script.h"
#include "tap.h"

static struct err err;

static void must(enum err_code code)
{
	if (code && code != ERR_DAMAGED)
		bail_out("%s", err.text);
}

static struct trace *load(const char *const *paths, uint32_t count, struct trace_times *times, unsigned threads)
{
	const struct trace_options o = {.threads = threads, .times = times};
	struct trace *t = NULL;

	must(trace_load(&t, paths, count, &o, NULL, &err));
	if (!t)
		bail_out("%s", err.text);
	return t;
}

static struct trace_times *times_of(const char *const *paths, uint32_t count)
{
	struct trace_times *times;

	must(clock_new_times_load(&times, paths, count, NULL, NULL, &err));
	return times;
}

/* ---- are two traces the same? ---- */

/* Sums over processes, too: they are added up in the same order. NULL: they are. */
static const char *differ(const struct trace *a, const struct trace *b)
{
	if (a->event_count != b->event_count || a->process_count != b->process_count || a->state_count != b->state_count)
		return "sizes";
	if (memcmp(a->time, b->time, a->event_count * sizeof *a->time))
		return "times";
	if (memcmp(a->compute, b->compute, a->event_count * sizeof *a->compute))
		return "compute times";
	if (memcmp(a->match, b->match, a->event_count * sizeof *a->match))
		return "relations";
	if (a->start != b->start || a->end != b->end || a->clocks != b->clocks || a->compute_source != b->compute_source)
		return "the whole";
	for (uint32_t p = 0; p < a->process_count; p++) {
		const struct process *x = &a->processes[p], *y = &b->processes[p];

		if (x->start != y->start || x->end != y->end || x->records != y->records || memcmp(x->by_kind, y->by_kind, sizeof x->by_kind))
			return "processes";
	}
	for (uint32_t k = 0; k < a->state_count; k++)
		if (strcmp(a->states[k].name, b->states[k].name) || a->states[k].count != b->states[k].count ||
		    a->states[k].inclusive != b->states[k].inclusive || a->states[k].exclusive != b->states[k].exclusive)
			return "states";
	return NULL;
}

static bool same_notes(const struct trace *a, const struct trace *b)
{
	for (int k = 0; k < NOTE_KIND_COUNT; k++)
		if (a->notes.count[k] != b->notes.count[k] && k != NOTE_UNFINALIZED)
			return false;
	return true;
}

static const char *logs_differ(const struct call_log *a, const struct call_log *b)
{
	if (a->list_count != b->list_count || a->call_count != b->call_count || a->piece_count != b->piece_count)
		return "sizes";
	for (uint32_t i = 0; i < a->list_count; i++)
		if (a->lists[i].start != b->lists[i].start || a->lists[i].stop != b->lists[i].stop)
			return "lists";
	for (uint32_t i = 0; i < a->call_count; i++)
		if (a->calls[i].start != b->calls[i].start || a->calls[i].end != b->calls[i].end || a->calls[i].first_event != b->calls[i].first_event)
			return "calls";
	for (uint32_t i = 0; i < a->piece_count; i++)
		if (a->pieces[i].until != b->pieces[i].until)
			return "pieces";
	return NULL;
}

static const char *timelines_differ(const struct timeline *a, const struct timeline *b)
{
	if (a->calls != b->calls || a->cut != b->cut || a->lost != b->lost)
		return "sizes";
	for (uint32_t p = 0; p < a->trace->process_count; p++) {
		const struct timeline_process *x = &a->processes[p], *y = &b->processes[p];

		if (x->count != y->count || x->start != y->start || x->end != y->end)
			return "processes";
		for (uint32_t i = 0; i < x->count; i++)
			if (x->calls[i].start != y->calls[i].start || x->calls[i].end != y->calls[i].end)
				return "calls";
	}
	return NULL;
}

/* What is read of the files once more. */
static void same_again(const struct trace *a, const struct trace *b, const char *name)
{
	struct timeline *x, *y;
	struct call_log *l, *m;

	must(call_log_new(&l, a, NULL, &err));
	must(call_log_new(&m, b, NULL, &err));
	is_str(logs_differ(l, m), NULL, "%s: its call log", name);
	must(timeline_new(&x, l, NULL, &err));
	must(timeline_new(&y, m, NULL, &err));
	is_str(timelines_differ(x, y), NULL, "%s: its timeline", name);
	timeline_free(x);
	timeline_free(y);
	call_log_free(l);
	call_log_free(m);
}

/* And in one reading with its calls. */
static void same_beside(const char *const *paths, uint32_t count, struct trace_times *times, const struct trace *b, const char *name)
{
	const struct trace_options o = {.times = times};
	struct call_log *log, *other;
	struct trace *t;

	must(call_log_load(&log, &t, paths, count, &o, NULL, &err));
	must(call_log_new(&other, b, NULL, &err));
	is_str(differ(t, b), NULL, "%s: read with its calls", name);
	is_str(logs_differ(log, other), NULL, "%s: and they", name);
	call_log_free(log);
	call_log_free(other);
	trace_free(t);
}

static bool same_bytes(const char *a, const char *b)
{
	struct gen_bytes x = gen_slurp(a), y = gen_slurp(b);
	bool same = x.size == y.size && !memcmp(x.bytes, y.bytes, x.size);

	free(x.bytes);
	free(y.bytes);
	return same;
}

/* Who corrects a trace that has other times already gets the file of those. */
static void same_file(const struct trace *t, const char *file, const char *name)
{
	static const struct clock_correct_options usual = {CLOCK_AUTO, CLOCK_AMORTISE};
	const struct clock_report_options plain = {.reference = REFERENCE_ANY, .resolution = RESOLUTION_AUTO, .windows = CLOCK_WINDOWS, .bins = 1};
	struct clock_report *r;
	struct call_log *log;
	bool unwritten;

	must(call_log_new(&log, t, NULL, &err));
	must(clock_report_new(&r, log, &plain, NULL, &err));
	must(clock_report_correct(r, "again.clog2", &usual, &unwritten, NULL, &err));
	is_u64(r->correction.steps, 0, "%s: has nothing more to put right", name);
	ok(same_bytes("again.clog2", file), "%s: is written as that file", name);
	clock_report_free(r);
	call_log_free(log);
}

/* ---- the file and the setting ---- */

static void compare(const char *const *paths, uint32_t count, const char *name, bool expected)
{
	static const struct clock_correct_options usual = {CLOCK_AUTO, CLOCK_AMORTISE};
	const char *file = "corrected.clog2";
	struct clock_case c = clock_case_open_all(paths, count, 0);
	struct clock_correct_figures f;
	struct trace_times *times = times_of(paths, count), *later;
	struct trace *own, *of_file;
	bool unwritten;

	must(clock_correct_file(file, &f, &c.points, c.bounds, &usual, &unwritten, NULL, &err));
	own = load(paths, count, times, 3);
	of_file = load(&file, 1, NULL, 1);
	ok(own->times == times && times->figures.steps == f.steps && times->figures.left == f.left && times->figures.largest == f.largest,
	   "%s: is said to have other times, by %g s at most", name, f.largest);
	if (expected)
		ok(f.steps, "%s: there is something to put right", name);
	is_str(differ(own, of_file), NULL, "%s: is the corrected file", name);
	ok(same_notes(own, of_file), "%s: with its notes", name);
	if (f.steps) {
		is_str(differ(c.trace, own), "times", "%s: and not what was recorded", name);
		must(clock_new_times(&later, c.log, NULL, &err));
		ok(!memcmp(later->time, times->time, times->first[times->process_count] * sizeof *times->time), "%s: of a loaded trace they are the same", name);
		trace_times_unref(later);
	} else {
		is_str(differ(c.trace, own), NULL, "%s: is what was recorded", name);
	}
	same_again(own, of_file, name);
	if (!f.left)
		same_file(own, file, name);
	same_beside(paths, count, times, of_file, name);
	trace_times_unref(times);
	trace_free(own);
	trace_free(of_file);
	clock_case_close(&c);
}

static void real_traces(const char *samples)
{
	static const char *const names[] = {"cg.S.4", "anysrc.5", "is.S.4", "coll.6", "comms.6", "little_endian.comms.6", "nonblock.4", "persist.4.m246",
					    "sendrecv.4", "syncclk.4", "pcontrol.4", "userstates.3", "one_rank.1", "thesis-smg.4"};
	static const bool has[] = {true, true, false, false, false, false, false, false, false, true, true, false, false, false};
	const char *skewed = "skewed.clog2", *from;
	char path[4096], name[64];

	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		snprintf(path, sizeof path, "%s/%s.clog2", samples, names[i]);
		from = path;
		compare(&from, 1, names[i], has[i]);
		snprintf(name, sizeof name, "%s, skewed", names[i]);
		clock_case_skew(path, skewed, 5, i % 2 ? .01 : 100);
		compare(&skewed, 1, name, strcmp(names[i], "one_rank.1") != 0);
	}
}

/* Clocks of local files have shifts of their own, which their records do not show. */
static void local_files(void)
{
	static const char *const part[] = {"part0.clog2", "part1.clog2", "part2.clog2", "part3.clog2"};
	const struct gen_run r = {.processes = 4, .rounds = 10, .constants = true};
	struct trace_times *times;
	struct trace *own;

	for (int32_t p = 0; p < 4; p++)
		clock_case_write(part[p], gen_run_local(&r, p));
	compare(part, 4, "local files", false);
	/* Their clocks agree; other times they can have all the same. */
	own = load(part, 4, NULL, 1);
	times = times_of(part, 4);
	times->figures.steps = TRACE_CLOCKS_LINEAR;
	times->first = calloc(5, sizeof *times->first);
	times->time = calloc(own->record_count, sizeof *times->time);
	for (uint32_t p = 0; p < 4; p++) {
		times->first[p + 1] = times->first[p] + own->processes[p].records;
		for (size_t i = 0; i < own->processes[p].records; i++)
			times->time[times->first[p] + i] = 1000 * p + (double)i;
	}
	trace_free(own);
	own = load(part, 4, times, 2);
	for (uint32_t p = 0; p < 4; p++)
		ok(own->processes[p].start == 1000 * p && own->processes[p].end == 1000 * p + (double)own->processes[p].records - 1,
		   "process %u has the times that it was given", p);
	is_double(own->end, own->processes[3].end, 0, "and so the run ends");
	trace_free(own);
	free(times->first);
	free(times->time);
	times->first = NULL;
	times->time = NULL;
	trace_times_unref(times);
}

/* MPE set the second clock wrong by 5 ms in the middle of the run, and says so. */
static void write_synchronised(const char *path)
{
	const struct clog2_write_options o = {.minor = 44, .big_endian = true, .finalized = true, .block_size = 65536, .world_size = 2,
					      .max_threads = 1};
	const struct clog2_msg sent[] = {{-101, 0, 1, 0, 8}, {-101, 0, 0, 0, 8}}, received[] = {{-102, 0, 1, 0, 8}, {-102, 0, 0, 0, 8}};
	FILE *file = fopen(path, "w+");
	struct clog2_writer w;

	if (!file || clog2_writer_init(&w, fileno(file), &o, &err))
		bail_out("a trace cannot be written");
	for (int32_t p = 0; p < 2; p++) {
		struct clog2_comm world = {.etype = 0, .icomm = 0, .rank = p, .wrank = p, .gid = {{1, 2, 3}}};

		clog2_write_timeshift(&w, (struct clog2_head){0, 0, p, 0}, 0);
		clog2_write_comm(&w, (struct clog2_head){0, 0, p, 0}, &world);
	}
	for (int i = 0; i < 20; i++) {
		double t = 1 + i, wrong = i >= 10 ? 5e-3 : 0;

		if (i == 10)
			clog2_write_timeshift(&w, (struct clog2_head){t + wrong, 0, 1, 0}, -5e-3);
		clog2_write_msg(&w, (struct clog2_head){t, 0, 0, 0}, &sent[0]);
		clog2_write_msg(&w, (struct clog2_head){t + 10e-6 + wrong, 0, 1, 0}, &received[1]);
		clog2_write_msg(&w, (struct clog2_head){t + 20e-6 + wrong, 0, 1, 0}, &sent[1]);
		clog2_write_msg(&w, (struct clog2_head){t + 30e-6, 0, 0, 0}, &received[0]);
	}
	must(clog2_writer_finish(&w, true, &err));
	clog2_writer_release(&w);
	fclose(file);
}

/* A clock that was synchronised is told as of the new times: what has no step any more is no step. */
static void synchronised(void)
{
	const char *file = "first.clog2";
	struct clock_times clocks;
	struct trace_times *times;
	struct call_log *log;
	struct trace *t;

	write_synchronised(file);
	compare(&file, 1, "a clock set wrong", true);
	times = times_of(&file, 1);
	t = load(&file, 1, times, 1);
	must(call_log_new(&log, t, NULL, &err));
	must(clock_times_init(&clocks, log, 0, &err));
	is_u64(clocks.first_step[2] - clocks.first_step[1], 2, "its steps are told");
	for (uint32_t i = clocks.first_step[1]; i < clocks.first_step[2]; i++)
		is_double(clocks.steps[i].later, 0, 1e-6, "and are none any more");
	is_u64(clocks.steps[clocks.first_step[1] + 1].record, 20, "where they were");
	clock_times_release(&clocks);
	call_log_free(log);
	trace_times_unref(times);
	trace_free(t);
}

/* ---- what cannot be ---- */

static void refusals(void)
{
	const char *first = "first.clog2", *second = "second.clog2";
	const struct gen_run small = {.processes = 4, .rounds = 10}, large = {.processes = 4, .rounds = 20};
	struct trace_times *times, *again;
	struct trace_options o;
	struct call_log *log;
	struct trace *t;

	clock_case_write(second, gen_run_finalized(&small));
	clock_case_skew(second, first, 3, 1);
	times = times_of(&first, 1);
	t = load(&first, 1, times, 1);
	must(call_log_new(&log, t, NULL, &err));
	is_int(clock_new_times(&again, log, NULL, &err), ERR_USAGE, "a corrected trace is not corrected once more");
	ok(strstr(err.text, "already corrected") && !again, "but told so: %s", err.text);
	call_log_free(log);
	trace_free(t);
	clock_case_write(second, gen_run_finalized(&large));
	o = (struct trace_options){.threads = 1, .times = times};
	is_int(trace_load(&t, &second, 1, &o, NULL, &err), ERR_DAMAGED, "times of another trace");
	ok(strstr(err.text, "differ from those whose times were corrected") != NULL, "%s", err.text);
	trace_free(t);
	trace_times_unref(times);
	second = "nowhere.clog2";
	is_int(clock_new_times_load(&times, &second, 1, NULL, NULL, &err), ERR_IO, "no file");
	ok(!times, "no times");
}

struct stopping {
	uint32_t left;
};

static bool stop_at(void *arg)
{
	struct stopping *s = arg;

	return s->left == 0 || --s->left == 0;
}

static void stopped(void)
{
	const char *file = "first.clog2";
	uint32_t cancelled = 0, odd = 0;

	for (uint32_t n = 1; n < 200; n++) {
		struct stopping s = {n};
		const struct trace_options o = {.threads = 1};
		struct progress progress = {.stopped = stop_at, .arg = &s};
		struct trace_times *times;
		enum err_code code = clock_new_times_load(&times, &file, 1, &o, &progress, &err);

		cancelled += code == ERR_CANCELLED && !times;
		odd += code && (code != ERR_CANCELLED || times);
		trace_times_unref(times);
		if (!code)
			break;
	}
	ok(cancelled >= 3, "stopped in %u places", cancelled);
	is_u64(odd, 0, "each time without times");
}

static void memory(void)
{
	const char *file = "first.clog2";
	const struct trace_options o = {.threads = 1};
	uint32_t failed = 0, odd = 0;
	long live = mem_live();

	for (long n = 0; n < 100000; n++) {
		struct trace_times *times;
		struct trace_options with = o;
		struct trace *t = NULL;
		enum err_code code;

		mem_fail_after(n);
		code = clock_new_times_load(&times, &file, 1, &o, NULL, &err);
		with.times = times;
		if (!code)
			code = trace_load(&t, &file, 1, &with, NULL, &err);
		trace_times_unref(times);
		mem_fail_after(-1);
		trace_free(t);
		odd += (code && code != ERR_MEMORY) || mem_live() != live;
		if (!code)
			break;
		failed++;
	}
	ok(failed > 100, "%u allocations fail, one after the other", failed);
	is_u64(odd, 0, "each is said, and leaves nothing behind");
}

static void damaged(void)
{
	struct gen_bytes whole = gen_slurp("first.clog2");
	uint32_t done = 0;
	uint64_t state = 7;

	for (int i = 0; i < 60; i++) {
		struct gen_bytes b = {malloc(whole.size), 1024 + gen_below(&state, (uint32_t)whole.size - 1024)};
		const char *path = "damaged.clog2";
		struct trace_times *times;
		struct trace *t = NULL;

		memcpy(b.bytes, whole.bytes, b.size);
		clock_case_write(path, b);
		if (!clock_new_times_load(&times, &path, 1, NULL, NULL, &err)) {
			t = load(&path, 1, times, 1);
			done += t->damaged && !t->notes.count[NOTE_FILE_CHANGED];
		}
		trace_times_unref(times);
		trace_free(t);
	}
	free(whole.bytes);
	ok(done > 50, "of 60 cut files %u are corrected as far as they can be read", done);
}

static void sentences(void)
{
	char text[TIMES_SENTENCE];

	is_str(times_sentence(&(struct times_figures){TRACE_CLOCKS_LINEAR | TRACE_CLOCKS_CLC, 8.2e-6, 0}, text),
	       "corrected: linear + clc, largest shift 8.20 µs", "as it is shown");
	is_str(times_sentence(&(struct times_figures){TRACE_CLOCKS_CLC, 12, 2}, text), "corrected: clc, largest shift 12.00 s; 2 clock violations are left", "with what is left");
	is_str(times_sentence(&(struct times_figures){TRACE_CLOCKS_LINEAR, 1e-9, 1}, text), "corrected: linear, largest shift 1.00 ns; 1 clock violation is left",
	       "and one");
	is_str(times_sentence(&(struct times_figures){0}, text), "nothing to correct", "nothing");
}

int main(void)
{
	static const char *const made[] = {"corrected.clog2", "again.clog2", "skewed.clog2", "part0.clog2", "part1.clog2", "part2.clog2", "part3.clog2",
					   "first.clog2", "second.clog2", "damaged.clog2"};
	char folder[] = "/tmp/pas2p-times-XXXXXX", samples[4000];

	if (!realpath("sample-traces", samples) || !mkdtemp(folder) || chdir(folder))
		bail_out("no folder for the test");
	sentences();
	real_traces(samples);
	local_files();
	synchronised();
	refusals();
	stopped();
	memory();
	damaged();
	for (size_t i = 0; i < sizeof made / sizeof *made; i++)
		unlink(made[i]);
	ok(rmdir(folder) == 0, "only what was asked for was written");
	return done_testing();
}
