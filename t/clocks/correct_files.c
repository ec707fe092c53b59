/* The corrected trace as a file: whatever it came as (byte order, blocks, local files, old versions), it is the same
 * records with other times, whole or not there at all, and says what was done. Real traces keep their logical times and
 * phases.
 */
#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "clock_case.h"
#include "core/method/analysis/analysis.h"
#include "core/base/mem.h"
#include "core/formats/clog2/clog2.h"
#include "core/formats/api/load.h"
#include "gen.h"
#include "gen_run.h"
#include "gen_script.h"
#include "tap.h"

static struct err err;
static bool unwritten;
static const struct clock_correct_options usual = {CLOCK_AUTO, CLOCK_AMORTISE};

static void must(enum err_code code)
{
	if (code)
		bail_out("%s", err.text);
}

static struct clock_correct_figures put_right_by(const char *const *from, uint32_t count, const char *to, struct clock_correct_options o,
						 double latency)
{
	struct clock_case c = clock_case_open_all(from, count, latency);
	struct clock_correct_figures f;

	must(clock_correct_file(to, &f, &c.points, c.bounds, &o, &unwritten, NULL, &err));
	clock_case_close(&c);
	return f;
}

static struct clock_correct_figures put_right(const char *const *from, uint32_t count, const char *to, struct clock_correct_options o)
{
	return put_right_by(from, count, to, o, 0);
}

static bool same_bytes(const char *a, const char *b)
{
	struct gen_bytes x = gen_slurp(a), y = gen_slurp(b);
	bool same = x.size == y.size && !memcmp(x.bytes, y.bytes, x.size);

	free(x.bytes);
	free(y.bytes);
	return same;
}

static uint32_t files_here(void)
{
	DIR *d = opendir(".");
	uint32_t n = 0;

	while (d && readdir(d))
		n++;
	closedir(d);
	return n;
}

/* ---- one run in many forms ---- */

static void forms(void)
{
	static const double shift[] = {0, -3.25, 2.5, .125, 40, -1e-3};
	static const struct gen_script_options forms[] = {
		{.shift = shift}, {.shift = shift, .little_endian = true}, {.shift = shift, .block_size = 512},
		{.shift = shift, .block_size = 1000, .little_endian = true}, {.shift = shift, .block_size = 1 << 20}};
	struct clock_correct_figures f;
	const char *from = "form.clog2";

	for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
		clock_case_write(from, gen_script_random(8, GEN_SCRIPT_TIDY, &forms[i]));
		f = put_right(&from, 1, i ? "form-other.clog2" : "form-first.clog2", usual);
		if (i)
			ok(same_bytes("form-first.clog2", "form-other.clog2"), "form %zu of a run gives the same file", i);
		else
			ok(f.steps, "there is something to put right (%llu)", (unsigned long long)f.violations);
	}
}

/* Of both, events and their times. */
static bool same_events(const struct trace *a, const struct trace *b, double apart)
{
	if (a->event_count != b->event_count || a->process_count != b->process_count)
		return false;
	for (uint32_t p = 0; p < a->process_count; p++)
		if (a->processes[p].records != b->processes[p].records)
			return false;
	for (uint32_t e = 0; e < a->event_count; e++)
		if (a->type[e] != b->type[e] || trace_size(a, e) != trace_size(b, e) || a->match[e] != b->match[e] ||
		    !(fabs(a->time[e] - b->time[e]) <= apart) || trace_tag(a, e) != trace_tag(b, e) ||
		    a->comms[trace_comm(a, e)].size != b->comms[trace_comm(b, e)].size)
			return false;
	return true;
}

static void local_files(bool big_endian)
{
	const struct gen_run r = {.processes = 4, .rounds = 10, .big_endian = big_endian, .constants = true};
	static const char *const part[] = {"part0.clog2", "part1.clog2", "part2.clog2", "part3.clog2"};
	const char *whole = "whole.clog2", *out = "whole-out.clog2", *parts = "parts-out.clog2";
	const struct clock_correct_options clc = {CLOCK_CLC, .01};
	struct clock_correct_figures f;
	struct clock_case a, b, from;

	clock_case_write(whole, gen_run_finalized(&r));
	for (int32_t p = 0; p < 4; p++)
		clock_case_write(part[p], gen_run_local(&r, p));
	/* Its clocks agree: messages that must have taken longer make work. */
	f = put_right_by(&whole, 1, out, clc, 1);
	ok(f.violations && f.moved && !f.left, "%llu violations are put right", (unsigned long long)f.violations);
	put_right_by(part, 4, parts, clc, 1);
	from = clock_case_open_all(part, 4, 0);
	a = clock_case_open(out, 0);
	b = clock_case_open(parts, 0);
	ok(b.trace->files[0].finalized && b.trace->files[0].big_endian && !strcmp(b.trace->files[0].format, "CLOG-02.44"),
	   "local files become a finalized, big-endian one");
	ok(same_events(a.trace, b.trace, 0), "what they say is what the whole one says");
	ok(same_events(from.trace, b.trace, INFINITY), "no record is lost, no message is another's");
	is_u64(notes_total(&b.trace->notes, NOTE_WARNING) + notes_total(&b.trace->notes, NOTE_DAMAGE), 0, "nothing is odd about it");
	clock_case_close(&a);
	clock_case_close(&b);
	clock_case_close(&from);
}

/* Up to 02.20: 16-byte headers with the world rank, no communicators, the message in another order. */
static uint8_t *old_record(uint8_t *at, double time, int32_t type, int32_t rank)
{
	clog2_pack_f64(at, time);
	clog2_pack_i32(at + 8, type);
	clog2_pack_i32(at + 12, rank);
	return at + 16;
}

static uint8_t *old_message(uint8_t *at, double time, int32_t rank, int32_t partner, bool send)
{
	const int32_t payload[] = {send ? -101 : -102, 5, partner, 0, 8, 0};

	at = old_record(at, time, CLOG2_MSGEVT, rank);
	for (size_t i = 0; i < 6; i++)
		at += clog2_pack_i32(at, payload[i]);
	return at;
}

static void old_versions(void)
{
	struct gen_bytes b = {calloc(1, 1024 + 4096), 1024 + 4096};
	uint8_t *at = b.bytes + 1024;
	const char *from = "form.clog2", *to = "form-other.clog2";
	const struct gen_run r = {.processes = 4, .rounds = 10, .minor = 40};
	struct clock_correct_figures f;
	struct clock_case before, after;

	sprintf((char *)b.bytes, "CLOG-02.20%cis_big_endian=%cTRUE %cblock_size=%c4096", 0, 0, 0, 0);
	for (int i = 0; i < 5; i++) {
		at = old_message(at, i + .1, 1, 0, false);
		at = old_message(at, i + .2, 0, 1, true);
		at = old_message(at, i + .3, 1, 0, true);
		at = old_message(at, i + .4, 0, 1, false);
	}
	old_record(at, 1e8, CLOG2_ENDLOG, 0);
	clock_case_write(from, b);
	f = put_right(&from, 1, to, usual);
	is_u64(f.violations, 5, "02.20: violations");
	before = clock_case_open(from, 0);
	after = clock_case_open(to, 0);
	ok(same_events(before.trace, after.trace, INFINITY), "02.20: the same events");
	is_u64(clock_case_violations(&after), 0, "02.20: no violation is left");
	clock_case_close(&before);
	clock_case_close(&after);

	clock_case_write(from, gen_run_finalized(&r));
	put_right(&from, 1, to, usual);
	before = clock_case_open(from, 0);
	after = clock_case_open(to, 0);
	ok(same_events(before.trace, after.trace, 0), "02.40: the same events");
	ok(!strcmp(after.trace->files[0].format, "CLOG-02.44"), "02.40: as 02.44");
	clock_case_close(&before);
	clock_case_close(&after);
}

/* raw = time + shift, before and after. */
static void shifts(void)
{
	const struct gen_run r = {.processes = 4, .rounds = 10, .constants = true};
	struct gen_reading before, after;
	struct gen_bytes x, y;
	const char *skewed = "shift.clog2";
	uint32_t seen = 0, kept = 0, moved = 0, back_before = 0, back_after = 0;

	clock_case_write("true.clog2", gen_run_finalized(&r));
	clock_case_skew("true.clog2", skewed, 3, 1);
	put_right(&skewed, 1, "shift-out.clog2", usual);
	x = gen_slurp(skewed);
	y = gen_slurp("shift-out.clog2");
	before = gen_read(x.bytes, x.size);
	after = gen_read(y.bytes, y.size);
	for (size_t i = 1; i < before.n; i++)
		back_before += before.list[i].time < before.list[i - 1].time;
	for (size_t i = 1; i < after.n; i++)
		back_after += after.list[i].time < after.list[i - 1].time;
	is_u64(back_before, 0, "records of all kinds come by time");
	is_u64(back_after, 0, "and do so by their new times");
	is_u64(after.breaks, 0, "each block begins as the one before it announces");
	is_int(after.end, CLOG2_END_LOG, "the log ends");
	ok(after.end_time == 1e8, "as logs do");
	for (size_t i = 0; i < before.n; i++)
		for (size_t k = 0; before.list[i].type == CLOG2_TIMESHIFT && k < after.n; k++)
			if (after.list[k].type == CLOG2_TIMESHIFT && after.list[k].rank == before.list[i].rank) {
				double was = clog2_f64(true, x.bytes + before.list[i].offset + 24);
				double is = clog2_f64(true, y.bytes + after.list[k].offset + 24);

				seen++;
				moved += before.list[i].time != after.list[k].time;
				kept += fabs(before.list[i].time + was - (after.list[k].time + is)) < 1e-12;
			}
	is_u64(seen, 4, "each process has a shift");
	ok(moved, "of which some are moved");
	is_u64(kept, seen, "and time + shift is what it was");
	gen_reading_free(&before);
	gen_reading_free(&after);
	free(x.bytes);
	free(y.bytes);
}

/* ---- steps and windows ---- */

static void steps(void)
{
	struct gen_script *g = gen_script_new(2, &(struct gen_script_options){0});
	struct clock_correction *c;
	struct clock_case x;
	double before = -INFINITY;
	uint32_t back = 0;

	for (int i = 0; i <= 10; i++) {
		double t = 10 * i, ahead = i > 5 ? 1e-3 : 0;

		if (i == 5)
			continue;
		script_sent(g, 0, t, 1, 0, 8);
		script_received(g, 1, t + 10e-6 + ahead, 0, 0, 8);
		script_sent(g, 1, t + 20e-6 + ahead, 0, 0, 8);
		script_received(g, 0, t + 30e-6, 1, 0, 8);
		script_solo(g, 1, t + 5 + ahead);
	}
	clock_case_write("step.clog2", gen_script_bytes(g));
	x = clock_case_open("step.clog2", 0);
	must(clock_correction_new(&c, &x.points, x.bounds, &(struct clock_correct_options){CLOCK_LINEAR, .01}, NULL, &err));
	is_u64(c->figures.steps, TRACE_CLOCKS_LINEAR, "a clock that stepped: linear");
	is_u64(c->figures.violations, 5, "violations of five messages");
	is_u64(c->figures.violations_after_linear, 0, "none after it");
	is_double(c->figures.largest, 1e-3, 2e-5, "moved by the step");
	for (size_t i = c->first[1]; i < c->first[2]; i++) {
		back += c->time[i] < before;
		before = c->time[i];
	}
	is_u64(back, 0, "and nothing steps back");
	clock_correction_free(c);
	clock_case_close(&x);
}

/* MPE set the second clock wrong by 5 ms in the middle of the run, and says so. */
static void synchronised(void)
{
	const struct clog2_write_options o = {.minor = 44, .big_endian = true, .finalized = true, .block_size = 65536, .world_size = 2,
					      .max_threads = 1};
	FILE *file = fopen("synchronised.clog2", "w+");
	struct clock_correction *c;
	struct clog2_writer w;
	struct clock_case x;
	double worst = 0;

	if (!file || clog2_writer_init(&w, fileno(file), &o, &err))
		bail_out("a trace cannot be written");
	for (int32_t p = 0; p < 2; p++) {
		struct clog2_comm world = {.etype = 0, .icomm = 0, .rank = p, .wrank = p, .gid = {{1, 2, 3}}};

		clog2_write_timeshift(&w, (struct clog2_head){0, 0, p, 0}, 0);
		clog2_write_comm(&w, (struct clog2_head){0, 0, p, 0}, &world);
	}
	for (int i = 0; i < 20; i++) {
		double t = 1 + i, wrong = i >= 10 ? 5e-3 : 0;
		const struct clog2_msg there = {-101, 0, 1, 0, 8}, here = {-102, 0, 0, 0, 8}, back = {-101, 0, 0, 0, 8}, again = {-102, 0, 1, 0, 8};

		if (i == 10)
			clog2_write_timeshift(&w, (struct clog2_head){t + wrong, 0, 1, 0}, -5e-3);
		clog2_write_msg(&w, (struct clog2_head){t, 0, 0, 0}, &there);
		clog2_write_msg(&w, (struct clog2_head){t + 10e-6 + wrong, 0, 1, 0}, &here);
		clog2_write_msg(&w, (struct clog2_head){t + 20e-6 + wrong, 0, 1, 0}, &back);
		clog2_write_msg(&w, (struct clog2_head){t + 30e-6, 0, 0, 0}, &again);
	}
	must(clog2_writer_finish(&w, true, &err));
	clog2_writer_release(&w);
	fclose(file);
	x = clock_case_open("synchronised.clog2", 0);
	is_u64(x.bounds->windows, 1, "a clock that was set wrong is one line all the same");
	must(clock_correction_new(&c, &x.points, x.bounds, &(struct clock_correct_options){CLOCK_AUTO, .01}, NULL, &err));
	is_u64(c->figures.violations, 10, "ten violations from then on");
	is_u64(c->figures.violations_after_linear, 0, "none once that is taken out");
	for (size_t i = 0; i < 20; i++) {
		worst = fmax(worst, fabs(c->time[c->first[1] + 2 * i] - (1 + (double)i + 10e-6)));
		worst = fmax(worst, fabs(c->time[c->first[1] + 2 * i + 1] - (1 + (double)i + 20e-6)));
	}
	ok(worst < 1e-6, "all times are the true ones (%g)", worst);
	clock_correction_free(c);
	clock_case_close(&x);
}

/* A persistent send is recorded after it was started; it may have arrived by then. */
static void persistent(double received, uint64_t violations, const char *expected)
{
	struct gen_script *g = gen_script_new(2, &(struct gen_script_options){0});
	struct clock_correction *c;
	struct clock_case x;
	char text[128];

	script_solo(g, 0, .5);
	script_enter(g, 0, 1, "MPI_Start");
	script_sent(g, 0, 1.2, 1, 0, 8);
	script_leave(g, 0, 1.3, "MPI_Start");
	script_solo(g, 1, .5);
	script_received(g, 1, received, 0, 0, 8);
	script_solo(g, 1, 3);
	clock_case_write("step.clog2", gen_script_bytes(g));
	x = clock_case_open("step.clog2", 0);
	must(clock_correction_new(&c, &x.points, x.bounds, &(struct clock_correct_options){CLOCK_CLC, .1}, NULL, &err));
	is_u64(c->figures.violations, violations, "a persistent send received at %g", received);
	snprintf(text, sizeof text, "%.3f %.3f | %.3f %.3f", c->time[c->first[0] + 1], c->time[c->first[0] + 2], c->time[c->first[1]],
		 c->time[c->first[1] + 1]);
	is_str(text, expected, "its start binds, not its record");
	clock_correction_free(c);
	clock_case_close(&x);
}

/* ---- what goes wrong ---- */

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
	struct clock_case c = clock_case_open("shift.clog2", 0);
	uint32_t cancelled = 0, finished = 0, kept = 0, before = files_here();

	clock_case_write("keep.clog2", gen_slurp("true.clog2"));
	before = files_here();
	for (uint32_t n = 1; n < 40; n++) {
		struct stopping s = {n};
		struct progress progress = {.stopped = stop_at, .arg = &s};
		struct clock_correct_figures f;
		enum err_code code = clock_correct_file("keep.clog2", &f, &c.points, c.bounds, &usual, &unwritten, &progress, &err);

		cancelled += code == ERR_CANCELLED;
		finished += !code;
		if (code && code != ERR_CANCELLED)
			bail_out("%s", err.text);
		if (!code)
			break;
		kept += same_bytes("keep.clog2", "true.clog2");
	}
	ok(cancelled >= 3, "stopped in %u places", cancelled);
	is_u64(kept, cancelled, "the file is as before each time");
	is_u64(finished, 1, "and then whole");
	is_u64(files_here(), before, "nothing lies about");
	clock_case_close(&c);
}

static void memory(void)
{
	struct clock_case c = clock_case_open("shift.clog2", 0);
	struct clock_correct_figures f;
	uint32_t failed = 0, before;
	long live = mem_live();
	bool odd = false;

	clock_case_write("keep.clog2", gen_slurp("true.clog2"));
	before = files_here();
	for (long n = 0; n < 100000; n++) {
		enum err_code code;

		mem_fail_after(-1);
		live = mem_live();
		mem_fail_after(n);
		code = clock_correct_file("keep.clog2", &f, &c.points, c.bounds, &usual, &unwritten, NULL, &err);
		mem_fail_after(-1);
		if (!code)
			break;
		odd = odd || code != ERR_MEMORY || !err.text[0] || mem_live() != live || !same_bytes("keep.clog2", "true.clog2");
		failed++;
	}
	ok(failed > 100, "%u allocations fail, one after the other", failed);
	ok(!odd, "each is said, and leaves nothing behind");
	is_u64(files_here(), before, "no file lies about");
	clock_case_close(&c);
}

static void correct_damaged(const char *path, uint32_t *written, uint32_t *refused, uint32_t *lost)
{
	struct clock_case c = clock_case_open(path, 0), after;
	struct clock_correct_figures f;
	enum err_code code = clock_correct_file("damaged-out.clog2", &f, &c.points, c.bounds, &usual, &unwritten, NULL, &err);

	if (code && !err.text[0])
		bail_out("no sentence");
	*refused += code != ERR_OK;
	if (!code) {
		++*written;
		after = clock_case_open("damaged-out.clog2", 0);
		*lost += after.trace->event_count != c.trace->event_count;
		clock_case_close(&after);
	}
	clock_case_close(&c);
}

static void damage(void)
{
	struct gen_bytes whole = gen_slurp("shift.clog2");
	uint32_t written = 0, refused = 0, lost = 0;
	uint64_t state = 11;

	for (int i = 0; i < 120; i++) {
		struct gen_bytes b = {malloc(whole.size), whole.size};
		const char *path = "damaged.clog2";
		struct trace *t = NULL;
		enum err_code code;
		bool kept;

		memcpy(b.bytes, whole.bytes, b.size);
		if (i % 3 == 0)
			b.size = 1024 + gen_below(&state, (uint32_t)b.size - 1024);
		for (uint32_t k = gen_below(&state, 6); k-- > 0 && i % 3;)
			b.bytes[1024 + gen_below(&state, (uint32_t)b.size - 1024)] ^= (uint8_t)(1 + gen_below(&state, 255));
		clock_case_write(path, b);
		code = trace_load(&t, &path, 1, NULL, NULL, &err);
		kept = t != NULL;
		trace_free(t);
		if (kept && (!code || code == ERR_DAMAGED))
			correct_damaged(path, &written, &refused, &lost);
	}
	free(whole.bytes);
	ok(written > 60, "of damaged traces %u are written as far as they are readable, %u refused", written, refused);
	is_u64(lost, 0, "with all their events");
}

static void refusals(void)
{
	struct clock_case c = clock_case_open("shift.clog2", 0);
	struct clock_correct_figures f;

	is_int(clock_correct_file("nowhere/out.clog2", &f, &c.points, c.bounds, &usual, &unwritten, NULL, &err), ERR_IO, "a folder that is not there");
	ok(unwritten, "is where nothing can be written");
	is_int(clock_correct_file("out.clog2", &f, &c.points, c.bounds, &(struct clock_correct_options){CLOCK_AUTO, 1}, &unwritten, NULL, &err),
	       ERR_USAGE, "a rate of 1");
	clock_case_write("shift.clog2", gen_slurp("step.clog2"));
	is_int(clock_correct_file("out.clog2", &f, &c.points, c.bounds, &usual, &unwritten, NULL, &err), ERR_IO, "a file that has changed");
	ok(!unwritten, "is what cannot be read");
	ok(access("out.clog2", F_OK) != 0, "of all of these no file comes");
	clock_case_close(&c);
}

/* ---- real traces ---- */

static bool same_method(const struct trace *a, const struct trace *b)
{
	struct settings s;
	struct analysis *x, *y;
	bool same = a->event_count == b->event_count;

	if (!same)
		return false;
	settings_init(&s);
	s.representative = REPRESENTATIVE_FIRST;
	must(analysis_new(&x, a, &s, NULL, ANALYSIS_PHASES, NULL, &err));
	must(analysis_new(&y, b, &s, NULL, ANALYSIS_PHASES, NULL, &err));
	same = x->phases->count == y->phases->count &&
	       !memcmp(x->logical->tick, y->logical->tick, a->event_count * sizeof *x->logical->tick);
	for (uint32_t e = 0; same && e < a->event_count; e++)
		same = logical_lt(x->logical, e) == logical_lt(y->logical, e);
	for (uint32_t i = 0; same && i < x->phases->count; i++) {
		struct phase_points p, q;

		must(phase_points_init(&p, x->clockwork, x->phases, i + 1, &s, &err));
		must(phase_points_init(&q, y->clockwork, y->phases, i + 1, &s, &err));
		same = x->phases->list[i].weight == y->phases->list[i].weight &&
		       !memcmp(p.entry, q.entry, a->process_count * sizeof *p.entry);
		phase_points_release(&p);
		phase_points_release(&q);
	}
	analysis_unref(x);
	analysis_unref(y);
	return same;
}

static void real_trace(const char *path, const char *name, double skew)
{
	struct clock_correct_figures f;
	struct clock_case before, after;
	const char *from = path;
	bool barriers;

	if (skew > 0) {
		clock_case_skew(path, "skewed.clog2", 5, skew);
		from = "skewed.clog2";
	}
	before = clock_case_open(from, 0);
	f = put_right(&from, 1, "real.clog2", usual);
	barriers = before.points.barriers;
	after = clock_case_open("real.clog2", 0);
	after.points.barriers = barriers;
	is_u64(f.violations, clock_case_violations(&before), "%s: as many violations as counted", name);
	if (!f.broken)
		is_u64(clock_case_violations(&after), 0, "%s: no violation is left of %llu (linear %llu; largest %.3g)", name,
		       (unsigned long long)f.violations, (unsigned long long)f.violations_after_linear, f.largest);
	ok(f.violations || !f.moved, "%s: without one nothing moves", name);
	ok(same_method(before.trace, after.trace), "%s: logical times, ticks, weights and entries are the same", name);
	clock_case_close(&before);
	clock_case_close(&after);
}

static void real_traces(const char *samples)
{
	static const char *const names[] = {"cg.S.4", "lu.S.4", "is.S.4", "coll.6", "comms.6", "little_endian.comms.6", "nonblock.4",
					    "persist.4.m246", "sendrecv.4", "syncclk.4", "thesis-smg.4", "userstates.3", "one_rank.1"};
	char path[4096], name[64];

	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		snprintf(path, sizeof path, "%s/%s.clog2", samples, names[i]);
		real_trace(path, names[i], 0);
		snprintf(name, sizeof name, "%s, skewed", names[i]);
		real_trace(path, name, i % 2 ? .01 : 100);
	}
}

int main(void)
{
	static const char *const made[] = {
		"form.clog2", "form-first.clog2", "form-other.clog2", "part0.clog2", "part1.clog2", "part2.clog2", "part3.clog2", "whole.clog2",
		"whole-out.clog2", "parts-out.clog2", "true.clog2", "shift.clog2", "shift-out.clog2", "step.clog2", "synchronised.clog2", "keep.clog2",
		"damaged.clog2", "damaged-out.clog2", "skewed.clog2", "real.clog2"};
	char folder[] = "/tmp/pas2p-correct-XXXXXX", samples[4000];

	if (!realpath("sample-traces", samples) || !mkdtemp(folder) || chdir(folder))
		bail_out("no folder for the test");
	forms();
	local_files(false);
	local_files(true);
	old_versions();
	shifts();
	synchronised();
	persistent(1.1, 0, "1.000 1.200 | 0.500 1.100");
	persistent(.9, 1, "1.000 1.200 | 0.560 1.000");
	steps();
	stopped();
	memory();
	damage();
	refusals();
	real_traces(samples);
	for (size_t i = 0; i < sizeof made / sizeof *made; i++)
		unlink(made[i]);
	ok(rmdir(folder) == 0, "only what was asked for was written");
	return done_testing();
}
