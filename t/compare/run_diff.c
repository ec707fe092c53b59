/* Two runs compared: people decide by it whether a change of program, library or machine changed what the program does.
 * So the verdict and the first difference are held against a search through all cells, the edits against a table of all
 * distances; clocks, threads and the way a trace was put together must not count; exchanging the runs exchanges what
 * was removed and added; and aligned ticks and hunks must hold every change once.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/mem.h"
#include "core/formats/api/load.h"
#include "core/io/source.h"
#include "core/compare/diff/diff.h"
#include "gen.h"
#include "gen_run.h"
#include "tap.h"

struct side {
	struct trace *t;
	struct analysis *a;
};

static void analyse(struct side *s, unsigned wants)
{
	struct settings settings;
	struct err e;

	settings_init(&settings);
	if (!s->t || analysis_new(&s->a, s->t, &settings, NULL, wants, NULL, &e))
		bail_out("no analysis");
}

static struct side side_of_file(const char *path, unsigned wants)
{
	struct side s = {0};
	struct err e;

	if (trace_load(&s.t, &path, 1, NULL, NULL, &e))
		bail_out("%s", e.text);
	analyse(&s, wants);
	return s;
}

static void side_release(struct side *s)
{
	analysis_unref(s->a);
	trace_free(s->t);
}

static struct run_diff *diff_of(const struct side *a, const struct side *b, bool strict, uint32_t effort)
{
	const struct diff_options options = {.strict = strict, .effort = effort};
	struct run_diff *d;
	struct err e;

	if (run_diff_new(&d, a->a, b->a, &options, NULL, &e) || run_diff_edit(d, NULL, &e))
		bail_out("%s", e.text);
	return d;
}

static void print_type(const struct run_diff *d, enum diff_side side, uint32_t event, struct out *out)
{
	const struct diff_cell cell = run_diff_cell(d, side, event);

	run_diff_print_cell(d, side, &cell, TYPES_IN_FILES, out);
}

/* ---- by the page ---- */

static bool same_type(const struct run_diff *d, uint32_t a, uint32_t b)
{
	struct out x, y;
	bool same;

	out_init(&x);
	out_init(&y);
	print_type(d, DIFF_A, a, &x);
	print_type(d, DIFF_B, b, &y);
	same = strcmp(x.text, y.text) == 0;
	out_release(&x);
	out_release(&y);
	return same;
}

/* All cells, tick by tick, process by process. */
static enum diff_verdict search(const struct run_diff *d, struct diff_first *first)
{
	const struct logical *a = d->run[DIFF_A].l, *b = d->run[DIFF_B].l;
	enum diff_verdict verdict = DIFF_IDENTICAL;

	*first = (struct diff_first){0};
	for (uint32_t tick = 0; tick < a->tick_count || tick < b->tick_count; tick++)
		for (uint32_t p = 0; p < d->process_count; p++) {
			uint32_t x = tick < a->tick_count ? logical_event_at(a, tick, p) : NO_EVENT;
			uint32_t y = tick < b->tick_count ? logical_event_at(b, tick, p) : NO_EVENT;
			enum diff_verdict cell = DIFF_IDENTICAL;

			if ((x == NO_EVENT) != (y == NO_EVENT) || (x != NO_EVENT && !same_type(d, x, y)))
				cell = DIFF_STRUCTURE;
			else if (x != NO_EVENT && trace_size(a->trace, x) != trace_size(b->trace, y))
				cell = DIFF_SIZES;
			if (cell != DIFF_IDENTICAL && !first->there)
				*first = (struct diff_first){.there = true, .tick = tick, .process = p, .event = {x, y}};
			verdict = cell > verdict ? cell : verdict;
		}
	return verdict;
}

/* The same place and events, and cells that say what these are. */
static bool same_first(const struct run_diff *d, const struct diff_first *want)
{
	const struct diff_first *got = &d->first;
	bool same = got->there == want->there && got->tick == want->tick && got->process == want->process;

	for (int side = DIFF_A; same && side <= DIFF_B; side++) {
		const struct diff_cell *cell = &got->cell[side];
		uint32_t event = want->event[side];

		same = got->event[side] == event && cell->there == (want->there && event != NO_EVENT);
		if (same && cell->there)
			same = cell->size == trace_size(d->run[side].l->trace, event) && cell->tick == d->run[side].l->tick[event];
	}
	return same;
}

/* Fewest edits of a process, by the table of all distances. */
static uint32_t distance(const struct run_diff *d, uint32_t p)
{
	const struct trace *a = d->run[DIFF_A].l->trace, *b = d->run[DIFF_B].l->trace;
	const uint32_t *x = d->run[DIFF_A].sequence + a->first[p], *y = d->run[DIFF_B].sequence + b->first[p];
	uint32_t n = a->first[p + 1] - a->first[p], m = b->first[p + 1] - b->first[p], result;
	uint32_t *row = calloc((size_t)m + 1, sizeof *row);

	for (uint32_t k = 0; k <= m; k++)
		row[k] = k;
	for (uint32_t i = 1; i <= n; i++) {
		uint32_t corner = row[0];

		row[0] = i;
		for (uint32_t k = 1; k <= m; k++) {
			uint32_t above = row[k], best = (above < row[k - 1] ? above : row[k - 1]) + 1;

			if (run_diff_key(d, DIFF_A, x[i - 1]) == run_diff_key(d, DIFF_B, y[k - 1]))
				best = corner;
			corner = above;
			row[k] = best;
		}
	}
	result = row[m];
	free(row);
	return result;
}

/* ---- runs that differ a little ---- */

enum change { CHANGE_NOTHING, CHANGE_SIZES, CHANGE_TYPES, CHANGE_RUN, CHANGES };

/* The same run twice, of which the second is then changed. */
static void two_runs(uint64_t seed, enum change change, struct side *a, struct side *b)
{
	enum gen_kind kind = (enum gen_kind)(seed % GEN_KINDS);
	uint64_t state = seed * 7 + 1;
	uint32_t changes = 1 + gen_below(&state, 4);

	*a = (struct side){.t = gen_random(seed, kind)};
	*b = (struct side){.t = gen_random(change == CHANGE_RUN ? seed + GEN_KINDS : seed, kind)};
	for (uint32_t i = 0; i < changes && b->t->event_count; i++) {
		uint32_t event = gen_below(&state, b->t->event_count);

		if (change == CHANGE_SIZES)
			b->t->size_code[event] += 1 + gen_below(&state, 100);
		if (change == CHANGE_TYPES && EVENT_KIND(b->t->type[event]) != EVENT_COLLECTIVE)
			b->t->type[event] = EVENT_KIND(b->t->type[event]) | (1 + gen_below(&state, b->t->process_count));
	}
	analyse(a, ANALYSIS_ORDER);
	analyse(b, ANALYSIS_ORDER);
}

struct sums { uint64_t removed, added, resized; };

static struct sums sums_of(const struct run_diff *d)
{
	struct sums s = {0};

	for (uint32_t p = 0; p < d->process_count; p++) {
		s.removed += d->processes[p].script.removed;
		s.added += d->processes[p].script.added;
		s.resized += d->processes[p].resized;
	}
	return s;
}

/* The walk gives every event of both sides once, in order, and keeps what is equal. */
static bool walks_well(const struct run_diff *d, uint32_t p)
{
	struct diff_walk w = diff_walk(d, p);
	uint32_t i = d->run[DIFF_A].l->trace->first[p], k = d->run[DIFF_B].l->trace->first[p];
	bool well = true;

	while (diff_next(&w)) {
		if (w.a != NO_EVENT)
			well = well && w.a == d->run[DIFF_A].sequence[i++];
		if (w.b != NO_EVENT)
			well = well && w.b == d->run[DIFF_B].sequence[k++];
		if (w.a != NO_EVENT && w.b != NO_EVENT)
			well = well && same_type(d, w.a, w.b);
	}
	return well && i == d->run[DIFF_A].l->trace->first[p + 1] && k == d->run[DIFF_B].l->trace->first[p + 1];
}

/* Ticks ascend, each once; and looking around in it finds every row with changes. */
static bool aligned_well(const struct diff_align *x)
{
	uint64_t parts[7], sum = 0, found = 0;
	uint32_t next[2] = {0, 0};
	bool well = true;

	for (uint32_t i = 0; i < x->row_count; i++)
		for (int side = DIFF_A; side <= DIFF_B; side++)
			if (x->rows[i].tick[side] != NO_TICK)
				well = well && x->rows[i].tick[side] == next[side]++ && x->row_of[side][x->rows[i].tick[side]] == i;
	for (int side = DIFF_A; side <= DIFF_B; side++)
		well = well && next[side] == x->d->run[side].l->tick_count;
	for (uint32_t row = diff_align_next(x, NO_ROW); row != NO_ROW; row = diff_align_next(x, row))
		found += x->rows[row].changes;
	for (uint32_t row = diff_align_previous(x, NO_ROW); row != NO_ROW; row = diff_align_previous(x, row))
		found += x->rows[row].changes;
	diff_align_density(x, parts, 7);
	for (int i = 0; i < 7; i++)
		sum += parts[i];
	return well && sum == x->changes && found == 2 * x->changes;
}

/* Each change stands in one hunk, and hunks stand more than three ticks apart. */
static bool hunks_well(const struct diff_align *x, const struct sums *want)
{
	struct sums told = {0}, lines = {0};
	struct hunk h = {.end = 0};
	uint32_t end[2] = {0, 0};
	bool well = true, begun = false;

	while (hunk_next(&h, x)) {
		told.removed += h.removed;
		told.added += h.added;
		told.resized += h.resized;
		for (struct hunk_line line = {0}; hunk_line_next(&line, &h, x);) {
			lines.removed += line.mark == '-';
			lines.added += line.mark == '+';
			lines.resized += line.mark == '~';
			well = well && line.process < x->d->process_count && (line.mark != '-' || line.event[DIFF_B] == NO_EVENT);
		}
		for (int side = DIFF_A; side <= DIFF_B; side++) {
			bool has = x->rows[h.first].tick[side] != NO_TICK;

			if (begun && has)
				well = well && h.tick[side] - end[side] >= HUNK_NEAR;
			end[side] = h.tick[side] + h.ticks[side];
		}
		begun = true;
	}
	return well && !memcmp(&told, want, sizeof told) && !memcmp(&lines, want, sizeof lines);
}

static void test_random(void)
{
	int verdicts[4] = {0}, wrong_verdict = 0, wrong_first = 0, wrong_edits = 0, wrong_walk = 0, wrong_swap = 0, wrong_rows = 0,
	    wrong_hunks = 0, wrong_threads = 0;

	for (uint64_t seed = 0; seed < 400; seed++) {
		struct side a, b;
		struct run_diff *d, *back, *threaded;
		struct diff_align *x;
		struct diff_first first;
		struct sums sums, swapped;
		struct err e;

		two_runs(seed, (enum change)(seed / GEN_KINDS % CHANGES), &a, &b);
		a.t->threads = b.t->threads = 1;
		d = diff_of(&a, &b, seed & 1, 0);
		back = diff_of(&b, &a, seed & 1, 0);
		verdicts[d->verdict]++;
		if (d->verdict == DIFF_PROCESSES) {
			wrong_verdict += a.t->process_count == b.t->process_count || d->processes;
		} else {
			a.t->threads = b.t->threads = 4;
			threaded = diff_of(&a, &b, seed & 1, 0);
			wrong_threads += threaded->verdict != d->verdict || !same_first(threaded, &d->first);
			wrong_verdict += search(d, &first) != d->verdict;
			wrong_first += !same_first(d, &first);
			for (uint32_t p = 0; p < d->process_count; p++) {
				const struct edit_script *s = &d->processes[p].script, *t = &threaded->processes[p].script;

				wrong_edits += s->removed + s->added != distance(d, p);
				wrong_walk += !walks_well(d, p);
				wrong_threads += s->run_count != t->run_count || (s->run_count &&
					memcmp(s->runs, t->runs, s->run_count * sizeof *s->runs));
			}
			sums = sums_of(d);
			swapped = sums_of(back);
			wrong_swap += back->verdict != d->verdict || swapped.removed != sums.added || swapped.added != sums.removed;
			if (diff_align_new(&x, d, NULL, &e))
				bail_out("%s", e.text);
			wrong_rows += !aligned_well(x) || x->changes != sums.removed + sums.added + sums.resized ||
				      (d->verdict <= DIFF_SIZES && x->row_count != a.a->logical->tick_count);
			wrong_hunks += !hunks_well(x, &sums);
			diff_align_free(x);
			run_diff_free(threaded);
		}
		run_diff_free(d);
		run_diff_free(back);
		side_release(&a);
		side_release(&b);
	}
	diag("verdicts: %d %d %d %d", verdicts[0], verdicts[1], verdicts[2], verdicts[3]);
	ok(verdicts[0] > 20 && verdicts[1] > 20 && verdicts[2] > 20 && verdicts[3] > 5, "random runs come to every verdict");
	is_int(wrong_verdict, 0, "the verdict is that of a search through all cells");
	is_int(wrong_first, 0, "and so is the first difference");
	is_int(wrong_edits, 0, "each process takes as few edits as the table of all distances says");
	is_int(wrong_walk, 0, "the script's walk has every event of both, in order, and keeps what is equal");
	is_int(wrong_swap, 0, "exchanging the runs exchanges removed and added");
	is_int(wrong_threads, 0, "threads change nothing");
	is_int(wrong_rows, 0, "aligned ticks ascend, have each tick once, and all changes");
	is_int(wrong_hunks, 0, "hunks have each change once, and lie apart");
}

/* ---- what does not count ---- */

static struct side side_of_bytes(struct gen_bytes *bytes, uint32_t count)
{
	struct source sources[4] = {{0}};
	struct side s = {0};
	struct err e;

	for (uint32_t i = 0; i < count; i++)
		if (source_open_memory(&sources[i], "run", bytes[i].bytes, bytes[i].size, &e))
			bail_out("%s", e.text);
	if (trace_load_sources(&s.t, sources, count, NULL, NULL, &e))
		bail_out("%s", e.text);
	for (uint32_t i = 0; i < count; i++) {
		source_release(&sources[i]);
		free(bytes[i].bytes);
	}
	analyse(&s, ANALYSIS_ORDER);
	return s;
}

static void is_verdict(const struct side *a, const struct side *b, bool strict, enum diff_verdict want, const char *what)
{
	struct run_diff *d = diff_of(a, b, strict, 0);
	struct sums sums = sums_of(d);

	is_str(diff_verdict_name(d->verdict), diff_verdict_name(want), "%s", what);
	if (want == DIFF_IDENTICAL)
		ok(!d->first.there && !sums.removed && !sums.added && !sums.resized, "  without differences or edits");
	run_diff_free(d);
}

static void test_files(void)
{
	struct gen_run shifted = {.processes = 4, .rounds = 12}, unshifted = {.processes = 4, .rounds = 12, .unshifted = true};
	struct gen_bytes whole = gen_run_finalized(&shifted), agree = gen_run_finalized(&unshifted), parts[4];
	struct side a = side_of_bytes(&whole, 1), b = side_of_bytes(&agree, 1), c;

	for (int32_t rank = 0; rank < 4; rank++)
		parts[rank] = gen_run_local(&shifted, rank);
	c = side_of_bytes(parts, 4);
	is_verdict(&a, &b, true, DIFF_IDENTICAL, "clocks that are apart do not count");
	is_verdict(&a, &c, true, DIFF_IDENTICAL, "nor does whether a trace is one file or one of each process");
	side_release(&a);
	side_release(&b);
	side_release(&c);
}

/* Times that drift, by process; numbers of communicators that another library gave. */
static void test_real(void)
{
	struct side a = side_of_file("sample-traces/comms.6.clog2", ANALYSIS_ORDER), b = {0};
	const char *path = "sample-traces/comms.6.clog2";
	struct err e;

	if (trace_load(&b.t, &path, 1, NULL, NULL, &e))
		bail_out("%s", e.text);
	for (uint32_t i = 0; i < b.t->event_count; i++) {
		uint32_t p = trace_process_of(b.t, i);

		b.t->time[i] = b.t->time[i] * (1 + 1e-4 * p) + 0.3 * p * p;
	}
	for (uint32_t i = 0; i < b.t->comm_count; i++)
		b.t->comms[i].number = b.t->comms[i].number * 3 + 1000;
	analyse(&b, ANALYSIS_ORDER);
	is_verdict(&a, &b, true, DIFF_IDENTICAL, "drifting clocks and other numbers of communicators do not count");
	side_release(&b);
	side_release(&a);
}

static void test_strict(void)
{
	struct side a = {.t = gen_cg(6)}, b = {.t = gen_cg(6)};
	struct run_diff *d;
	struct out text;

	for (uint32_t i = 0; i < b.t->event_count; i++)
		if (!trace_set_envelope(b.t, i, trace_comm(b.t, i), trace_tag(b.t, i) + (trace_number_of(b.t, trace_process_of(b.t, i), i) == 5)))
			bail_out("the trace keeps no other tag");
	analyse(&a, ANALYSIS_ORDER);
	analyse(&b, ANALYSIS_ORDER);
	is_verdict(&a, &b, false, DIFF_IDENTICAL, "tags do not count");
	is_verdict(&a, &b, true, DIFF_STRUCTURE, "unless all is strict");
	d = diff_of(&a, &b, true, 0);
	out_init(&text);
	print_type(d, DIFF_B, d->first.event[DIFF_B], &text);
	ok(strstr(text.text, " tag 1 on "), "then a type says its tag: %s", text.text);
	out_release(&text);
	run_diff_free(d);
	side_release(&a);
	side_release(&b);
}

/* ---- more edits than are looked for; stopping ---- */

static void test_beyond(void)
{
	struct side a = side_of_file("sample-traces/cg.S.4.clog2", ANALYSIS_ORDER), b = side_of_file("sample-traces/lu.S.4.clog2", ANALYSIS_ORDER);
	struct run_diff *d = diff_of(&a, &b, false, 100), *all = diff_of(&a, &b, false, DIFF_EFFORT_MOST);
	struct diff_align *x;
	struct hunk h = {.end = 0};
	struct err e;

	ok(d->beyond && d->processes[0].script.beyond && !d->processes[0].script.removed, "two programs are beyond a small effort");
	ok(!all->beyond && all->processes[0].script.removed > 100, "and not beyond a large one");
	ok(d->first.there && d->first.tick == all->first.tick && d->first.process == all->first.process, "the first difference is the same");
	if (diff_align_new(&x, d, NULL, &e))
		bail_out("%s", e.text);
	ok(aligned_well(x) && x->changes, "ticks are aligned all the same, by their cells");
	ok(!hunk_next(&h, x), "what no edits are known of is in no hunk");
	diff_align_free(x);
	run_diff_free(d);
	run_diff_free(all);
	side_release(&a);
	side_release(&b);
}

static bool stop_at_once(void *arg)
{
	(void)arg;
	return true;
}

static void test_stopped(void)
{
	const struct progress progress = {.stopped = stop_at_once};
	const struct diff_options options = {0};
	struct side a = {.t = gen_cg(6)}, b = {.t = gen_smg(6)};
	struct run_diff *d;
	struct err e;

	analyse(&a, ANALYSIS_ORDER);
	analyse(&b, ANALYSIS_ORDER);
	is_int(run_diff_new(&d, a.a, b.a, &options, &progress, &e), ERR_CANCELLED, "it stops when asked");
	ok(!d, "and leaves nothing");
	if (run_diff_new(&d, a.a, b.a, &options, NULL, &e))
		bail_out("%s", e.text);
	is_int(run_diff_edit(d, &progress, &e), ERR_CANCELLED, "edits stop, too");
	run_diff_free(d);
	side_release(&a);
	side_release(&b);
}

/* ---- the whole report ---- */

static struct diff_report *report_of(const struct side *a, const struct side *b, double min_share, bool phases_only)
{
	const struct diff_asked asked = {.edits = !phases_only, .ticks = !phases_only, .phases = true, .phases_only = phases_only,
					 .min_share = min_share};
	const struct diff_of of[2] = {{.file = "a", .analysis = a->a}, {.file = "b", .analysis = b->a}};
	struct diff_report *r;
	struct err e;

	if (diff_report_new(&r, of, &asked, NULL, &e))
		bail_out("%s", e.text);
	return r;
}

static void test_report(void)
{
	struct side a = side_of_file("sample-traces/cg.S.4.clog2", ANALYSIS_PHASES), b = side_of_file("sample-traces/lu.S.4.clog2", ANALYSIS_PHASES);
	struct diff_report *r = report_of(&a, &b, 0, false), *few = report_of(&a, &b, 0.05, true), *same = report_of(&a, &a, 0, true);
	double sum = 0, sum_few = 0;
	uint32_t small = 0;

	for (uint32_t i = 0; i < r->row_count; i++)
		sum += r->rows[i].change;
	for (uint32_t i = 0; i < few->row_count; i++) {
		sum_few += few->rows[i].change;
		small += few->rows[i].small;
	}
	is_double(sum, r->change, 1e-9 * fmax(r->of[0].aet, r->of[1].aet), "rows add up to the change of the run time");
	is_double(sum_few, r->change, 1e-9 * fmax(r->of[0].aet, r->of[1].aet), "also with the small ones as one row");
	ok(few->row_count < r->row_count && small == 1, "of which there is one");
	is_str(diff_verdict_name(r->verdict), "structure", "two programs are not the same");
	is_str(diff_verdict_name(few->verdict), "structure", "nor by phases");
	is_str(diff_verdict_name(same->verdict), "identical", "a run is itself by phases");
	ok(!few->diff && !few->align, "for which no events are compared");
	ok(!diff_report_beyond(same, 0) && diff_report_beyond(r, 0.1) && !diff_report_beyond(r, 1), "the tolerance is a share of A's run time");
	diff_report_free(r);
	diff_report_free(few);
	diff_report_free(same);
	side_release(&a);
	side_release(&b);
}

/* Every allocation of it fails well. */
static void test_memory(void)
{
	struct side a = {.t = gen_random(4, GEN_LOOP)}, b = {.t = gen_random(7, GEN_LOOP)};
	const struct diff_asked asked = {.options.strict = true, .edits = true, .ticks = true, .phases = true, .min_share = 0.01};
	struct diff_of of[2];
	bool well = true, reached = true;
	long n;

	a.t->threads = b.t->threads = 1;
	analyse(&a, ANALYSIS_PHASES);
	analyse(&b, ANALYSIS_PHASES);
	of[0] = (struct diff_of){.file = "a", .analysis = a.a};
	of[1] = (struct diff_of){.file = "b", .analysis = b.a};
	for (n = 0; reached && n < 100000; n++) {
		struct diff_report *r = NULL;
		struct err e = {0};
		enum err_code code;

		mem_fail_once(n);
		code = diff_report_new(&r, of, &asked, NULL, &e);
		reached = mem_count() > n;
		diff_report_free(r);
		well = well && !mem_live() && (!code || (code == ERR_MEMORY && e.text[0]));
		mem_fail_after(-1);
		if (!well)
			break;
	}
	ok(well && n > 30, "each of %ld allocations fails well", n - 1);
	side_release(&a);
	side_release(&b);
}

int main(void)
{
	test_random();
	test_files();
	test_real();
	test_strict();
	test_beyond();
	test_stopped();
	test_report();
	test_memory();
	return done_testing();
}
