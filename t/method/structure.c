/* The structure of a run is what a person reads first of it, and what faces fold, mark and jump in: so its line must be
 * that of the folding, its words must be the line's, each where it says it is, and an occurrence must be found in its
 * iteration. Shown on runs made for each part, held against naive scans on random runs, and read off the traces of
 * benchmarks.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/method/analysis/analysis.h"
#include "core/base/mem.h"
#include "core/formats/api/load.h"
#include "core/method/windows/structure.h"
#include "fold_line.h"
#include "gen.h"
#include "naive_fold.h"
#include "tap.h"
#include "window_case.h"

#define MOST 1200

/* A run of phases that last as long as they say: id seconds each, except for those above 20, which last 1e-4 and are
 * not relevant. */
struct run {
	struct window_case made;
	struct settings settings;
	uint32_t n, phase[MOST];
	double duration[MOST];
};

static void finish(struct run *r)
{
	settings_init(&r->settings);
	window_case_init(&r->made, r->n, r->phase, r->duration, 1, &r->settings);
}

static struct run *run_of(const char *line)
{
	struct run *r = calloc(1, sizeof *r);
	uint32_t *s;

	if (!r)
		bail_out("no room for a run");
	s = fold_line_unfolded(line, &r->n);
	if (r->n > MOST)
		bail_out("a longer run than expected");
	for (uint32_t i = 0; i < r->n; i++) {
		r->phase[i] = s[i];
		r->duration[i] = s[i] > 20 ? 1e-4 : s[i];
	}
	free(s);
	finish(r);
	return r;
}

static void run_free(struct run *r)
{
	window_case_release(&r->made);
	free(r);
}

static struct structure *structure_of(const struct run *r, enum structure_kind kind)
{
	struct structure *s;
	struct err e;

	if (structure_new(&s, r->made.clockwork, &r->made.phases, r->made.figures, NULL, &r->settings, kind, NULL, &e))
		bail_out("%s", e.text);
	return s;
}

/* free() it. */
static char *line_of(const struct structure *s)
{
	struct out out;
	char *line;

	out_init(&out);
	structure_text(s, &out);
	line = strdup(out.len ? out.text : "");
	if (out.failed || !line)
		bail_out("no memory for a line");
	out_release(&out);
	return line;
}

static struct structure_word *words_of(const struct structure *s, uint32_t depth, uint32_t *count)
{
	struct structure_word *words;
	struct err e;

	if (structure_words(&words, count, s, depth, &e))
		bail_out("%s", e.text);
	return words;
}

/* Words as a line; free() it. */
static char *joined(const struct structure *s, uint32_t depth)
{
	uint32_t n;
	struct structure_word *words = words_of(s, depth, &n);
	struct out out;
	char *line;

	out_init(&out);
	for (uint32_t i = 0; i < n; i++) {
		if (i && structure_words_apart(&words[i - 1], &words[i]))
			out_str(&out, " ");
		structure_word_text(s, &words[i], &out);
	}
	line = strdup(out.len ? out.text : "");
	if (out.failed || !line)
		bail_out("no memory for a line");
	out_release(&out);
	mem_free(words);
	return line;
}

/* --- lines and words --- */

static void is_joined(const struct structure *s, uint32_t depth, const char *expected)
{
	char *line = joined(s, depth);

	is_str(line, expected, "words %u deep", depth);
	free(line);
}

static void deep_and_shallow(void)
{
	struct run *r = run_of("1 7 14(8 5(3 2*2) 4) 6 3(1 2)");
	struct structure *s = structure_of(r, STRUCTURE_SHORTEST);
	char *line = line_of(s);

	is_str(line, "1 7 14(8 5(3 2*2) 4) 6 3(1 2)", "the line");
	is_joined(s, UINT32_MAX, "1 7 14(8 5(3 2*2) 4) 6 3(1 2)");
	is_joined(s, 2, "1 7 14(8 5(3 2*2) 4) 6 3(1 2)");
	is_joined(s, 1, "1 7 14(8 5(...) 4) 6 3(1 2)");
	is_joined(s, 0, "1 7 14(...) 6 3(...)");
	free(line);
	structure_free(s);
	run_free(r);
}

static void is_cut(const struct structure *s, size_t width, const char *expected)
{
	struct out out;

	out_init(&out);
	out_str(&out, "> ");
	structure_loop_cut(s->loops->exact, s->main.loop, width, &out);
	is_str(out.text, expected, "the loop in %zu characters", width);
	ok(out.len <= width + 2 || width < 3, "fits");
	out_release(&out);
}

static void single_loops(void)
{
	struct run *r = run_of("1 7 14(8 5(3 2*2) 4 9 10) 6");
	struct structure *s = structure_of(r, STRUCTURE_SHORTEST);
	struct out out;

	is_int(s->main.iterations, 14, "the outer loop is the main one");
	out_init(&out);
	structure_loop_text(s->loops->exact, s->main.loop, UINT32_MAX, &out);
	is_str(out.text, "14(8 5(3 2*2) 4 9 10)", "a loop alone");
	out.len = 0;
	structure_loop_text(s->loops->exact, s->main.loop, 0, &out);
	is_str(out.text, "14(8 5(...) 4 9 10)", "with those inside folded");
	out.len = 0;
	structure_loop_text(s->loops->exact, s->main.loop, 1, &out);
	is_str(out.text, "14(8 5(3 2*2) 4 9 10)", "with one more of them not");
	out_release(&out);
	is_cut(s, 19, "> 14(8 5(...) 4 9 10)");
	is_cut(s, 18, "> 14(8 5(...) 4 ...");
	is_cut(s, 17, "> 14(8 5(...) 4 ...");
	is_cut(s, 16, "> 14(8 5(...) ...");
	is_cut(s, 14, "> 14(8 ...");
	is_cut(s, 8, "> 14(8 ...");
	is_cut(s, 7, "> ...");
	is_cut(s, 0, "> ...");
	structure_free(s);
	run_free(r);
}

static void where_words_are(void)
{
	/* Phase 30 is not relevant. Loops: 0 is 2*2, 1 is 5(3 2*2), ... in the order in which they are found. */
	struct run *r = run_of("30 1 5(3 2*2) 30 4 6(1 2)");
	struct structure *s = structure_of(r, STRUCTURE_EXACT);
	const struct fold *f = s->shown->fold;
	uint32_t n;
	struct structure_word *w = words_of(s, UINT32_MAX, &n);

	is_int(n, 12, "words of all occurrences");
	ok(w[0].first == 0 && fold_id(f, w[0].symbol) == 30 && w[0].loop == STRUCTURE_NO_LOOP && w[0].times == 1, "a phase");
	ok(w[2].opens && w[2].times == 5 && w[2].first == 2 && w[2].depth == 0 && fold_loop(f, w[2].symbol)->count == 5, "a loop opens");
	ok(w[3].depth == 1 && w[3].first == 2 && fold_id(f, w[3].symbol) == 3, "what is in it");
	ok(w[4].first == 3 && w[4].times == 2 && fold_id(f, w[4].symbol) == 2 && f->loops[w[4].loop].count == 2 && !w[4].opens &&
	   !w[4].closes, "a phase repeated names its loop");
	ok(w[5].closes && w[5].symbol == w[2].symbol && w[5].first == 2 && w[5].depth == 0, "the loop closes");
	ok(w[6].first == 17 && fold_id(f, w[6].symbol) == 30, "what follows stands behind all of its iterations");
	mem_free(w);
	structure_free(s);
	s = structure_of(r, STRUCTURE_RELEVANT);
	w = words_of(s, UINT32_MAX, &n);
	is_int(n, 10, "words of the relevant ones");
	ok(w[0].first == 1 && w[1].first == 2 && w[2].first == 2 && w[3].first == 3 && w[4].first == 2, "what was dropped is counted");
	ok(w[5].first == 18 && w[6].first == 19 && w[7].first == 19 && w[8].first == 20, "everywhere");
	mem_free(w);
	structure_free(s);
	run_free(r);
}

static void kinds(void)
{
	struct run *r = run_of("30 1 2 30 3(1 2)");
	struct structure *s = structure_of(r, STRUCTURE_SHORTEST);
	char *line = line_of(s);

	ok(s->kind == STRUCTURE_EXACT && s->shown == s->loops->exact, "few symbols: all occurrences");
	is_str(line, "30 1 2 30 3(1 2)", "their line");
	free(line);
	structure_free(s);
	s = structure_of(r, STRUCTURE_RELEVANT);
	line = line_of(s);
	ok(s->kind == STRUCTURE_RELEVANT && s->shown == s->loops->relevant, "the relevant ones, if asked");
	is_str(line, "4(1 2)", "their line");
	free(line);
	structure_free(s);
	run_free(r);
	r = run_of("1 2 3(1 2)");
	s = structure_of(r, STRUCTURE_RELEVANT);
	ok(s->kind == STRUCTURE_RELEVANT, "also where all are");
	structure_free(s);
	run_free(r);
	/* Rare phases between the iterations, in no order. */
	r = calloc(1, sizeof *r);
	if (!r)
		bail_out("no room for a run");
	for (uint64_t state = 9; r->n < 400; r->n++) {
		r->phase[r->n] = r->n % 2 ? 21 + gen_below(&state, 5) : 1;
		r->duration[r->n] = r->n % 2 ? 1e-4 : 1;
	}
	finish(r);
	s = structure_of(r, STRUCTURE_SHORTEST);
	line = line_of(s);
	ok(s->kind == STRUCTURE_RELEVANT, "many symbols: the shorter");
	is_str(line, "200*1", "its line");
	ok(s->main.fold == s->loops->exact->fold && !structure_is_main(s, 0), "its loop is not the main one, which does not depend on relevance");
	free(line);
	structure_free(s);
	run_free(r);
}

/* Nothing, no time, and clocks that step back. */
static void poor_runs(void)
{
	static const enum structure_kind each[] = {STRUCTURE_SHORTEST, STRUCTURE_EXACT, STRUCTURE_RELEVANT};

	for (size_t i = 0; i < sizeof each / sizeof *each; i++) {
		struct run *r = calloc(1, sizeof *r);
		struct structure *s;
		uint32_t n;
		struct structure_word *words;
		char *line;

		if (!r)
			bail_out("no room for a run");
		finish(r);
		s = structure_of(r, each[i]);
		line = line_of(s);
		words = words_of(s, 3, &n);
		is_str(line, "", "no phases: an empty line");
		ok(!n && !s->main.iterations && structure_iteration_of(s, 0) == UINT32_MAX && !structure_stands_out(s, 0),
		   "no words, no iterations");
		mem_free(words);
		free(line);
		structure_free(s);
		window_case_release(&r->made);
		for (r->n = 0; r->n < 24; r->n++)
			r->phase[r->n] = 1 + r->n % 2;
		finish(r);
		s = structure_of(r, each[i]);
		line = line_of(s);
		is_str(line, each[i] == STRUCTURE_RELEVANT ? "" : "12(1 2)", "a run that takes no time has a structure");
		is_int(s->main.iterations, 0, "but no main loop");
		free(line);
		structure_free(s);
		window_case_release(&r->made);
		for (uint32_t k = 0; k < r->n; k++)
			r->duration[k] = k % 6 == 3 ? -1.5 : 1;
		finish(r);
		s = structure_of(r, each[i]);
		line = line_of(s);
		ok(line[0] && s->main.iterations <= 12, "clocks that step back do not matter");
		for (uint32_t k = 0; k < r->n; k++) {
			uint32_t at = structure_iteration_of(s, k);

			if (s->main.iterations && (at == UINT32_MAX || k < s->main.from[at] || k >= s->main.to[at]))
				ok(false, "occurrence %u is in iteration %u", k, at);
		}
		free(line);
		structure_free(s);
		run_free(r);
	}
}

/* --- random runs --- */

/* What words say, against going through them by hand: text, places, and the run that they stand for. */
static bool words_are_the_line(const struct structure *s, const struct run *r, const char *expected)
{
	uint32_t n, length, at = 0;
	struct structure_word *w = words_of(s, UINT32_MAX, &n);
	char *line = line_of(s), *again = joined(s, UINT32_MAX);
	uint32_t *sequence = fold_line_unfolded(line, &length), kept = 0;
	bool same = !strcmp(line, expected) && !strcmp(line, again);

	for (uint32_t i = 0; i < r->n; i++)
		if (s->kind == STRUCTURE_EXACT || s->run.is_relevant[r->phase[i] - 1])
			same = same && kept < length && sequence[kept++] == r->phase[i];
	same = same && kept == length;
	for (uint32_t i = 0; i < n && same; i++) {
		same = w[i].first < r->n && w[i].depth == at - w[i].closes;
		at += w[i].opens - w[i].closes;
		if (!w[i].opens && !w[i].closes)
			same = same && r->phase[w[i].first] == fold_id(s->shown->fold, w[i].symbol) &&
			       (w[i].times > 1) == (w[i].loop != STRUCTURE_NO_LOOP);
		if (i && !w[i].closes)
			same = same && w[i].first >= w[i - 1].first;
	}
	same = same && at == 0;
	mem_free(w);
	free(line);
	free(again);
	free(sequence);
	return same;
}

static bool iterations_are_found(const struct structure *s)
{
	const struct main_loop *m = &s->main;

	for (uint32_t k = 0; k <= s->run.count; k++) {
		uint32_t expected = UINT32_MAX;

		for (uint32_t i = 0; i < m->iterations; i++)
			if (m->from[i] <= k && k < m->to[i])
				expected = i;
		if (structure_iteration_of(s, k) != expected)
			return false;
	}
	for (uint32_t i = 0; i <= m->iterations; i++) {
		bool expected = false;

		for (uint32_t k = 0; k < m->outlier_count; k++)
			expected = expected || m->outliers[k] == i;
		if (structure_stands_out(s, i) != expected)
			return false;
	}
	return true;
}

static void random_runs(void)
{
	uint32_t looping = 0, standing_out = 0, dropped = 0;
	bool good = true;

	for (uint64_t seed = 1; seed <= 300 && good; seed++) {
		uint64_t state = seed * 7919;
		struct run *r = calloc(1, sizeof *r);
		uint32_t ids = 2 + gen_below(&state, 5), room = 20 + gen_below(&state, 300);

		if (!r)
			bail_out("no room for a run");
		while (r->n < room) { /* a body, so often, with noise */
			uint32_t from = r->n, times = 1 + gen_below(&state, 12);

			for (uint32_t k = 1 + gen_below(&state, 4); k; k--)
				for (uint32_t id = 1 + gen_below(&state, ids), t = 1 + gen_below(&state, 3); t; t--)
					r->phase[r->n++] = id;
			for (uint32_t length = r->n - from, copies = 1; copies < times && r->n + length < MOST / 2; copies++, r->n += length)
				memcpy(r->phase + r->n, r->phase + r->n - length, length * sizeof *r->phase);
			if (gen_below(&state, 3) == 0)
				r->phase[from + gen_below(&state, r->n - from)] = 1 + gen_below(&state, ids);
		}
		for (uint32_t i = 0; i < r->n; i++)
			r->duration[i] = (r->phase[i] == 2 ? 1e-4 : 1 + gen_below(&state, 3)) * (gen_below(&state, 40) ? 1 : 30);
		finish(r);
		for (int relevant = 0; relevant < 2 && good; relevant++) {
			struct structure *s = structure_of(r, relevant ? STRUCTURE_RELEVANT : STRUCTURE_EXACT);
			uint32_t kept[MOST], count = 0;
			char *naive;

			for (uint32_t i = 0; i < r->n; i++)
				if (!relevant || r->made.figures->phase[r->phase[i] - 1].relevant)
					kept[count++] = r->phase[i];
			naive = naive_fold(kept, count);
			good = words_are_the_line(s, r, naive) && iterations_are_found(s);
			if (!good)
				diag("seed %llu, %s", (unsigned long long)seed, relevant ? "relevant" : "exact");
			looping += s->main.iterations > 0;
			standing_out += s->main.outlier_count > 0;
			dropped += count < r->n;
			free(naive);
			structure_free(s);
		}
		run_free(r);
	}
	ok(good, "lines, words and iterations are what naive scans find");
	ok(looping > 100 && standing_out > 20 && dropped > 50, "with %u main loops, outliers in %u, %u without what is not relevant",
	   looping, standing_out, dropped);
}

/* --- traces --- */

static void benchmarks(void)
{
	static const struct {
		const char *path, *line;
		uint32_t iterations;
	} each[] = {
		{"sample-traces/cg.S.4.clog2", "1 2 25(3 2*2) 3 2 4 14(2 25(3 2*2) 3 2 5) 2 25(3 2*2) 3 2 6", 14},
		{"sample-traces/lu.S.4.clog2", "10*1 2*2 3 10*4 5 10*6 7 2*8 10*4 5 49(10*6 7 9 10 10*11) 10*6 12 13 2*14 15 2*16 14", 49},
		{"sample-traces/nonblock.4.clog2", "8(1 2 3 2 4 5) 6", 8},
		{"sample-traces/latesender.4.clog2", "20*1 2", 20},
	};

	for (size_t i = 0; i < sizeof each / sizeof *each; i++) {
		struct settings settings;
		struct structure *s;
		struct analysis *a;
		struct trace *t;
		struct err e = {0};
		char *line;
		double sum = 0;

		settings_init(&settings);
		trace_load(&t, &each[i].path, 1, NULL, NULL, &e);
		if (!t || analysis_new(&a, t, &settings, NULL, ANALYSIS_PHASES, NULL, &e) ||
		    structure_new(&s, a->clockwork, a->phases, a->figures, a->patterns, &settings, STRUCTURE_SHORTEST, NULL, &e))
			bail_out("%s", e.text);
		line = line_of(s);
		is_str(line, each[i].line, "%s: its structure", each[i].path);
		is_int(s->main.iterations, each[i].iterations, "%s: the iterations of its main loop", each[i].path);
		for (uint32_t k = 0; k < s->main.iterations; k++)
			sum += s->main.seconds[k];
		ok(s->main.share > 0.5 && s->main.share <= 1, "%s: they are most of the run", each[i].path);
		is_double(sum / a->figures->aet, s->main.share, 1e-12, "%s: by their times", each[i].path);
		free(line);
		structure_free(s);
		analysis_unref(a);
		trace_free(t);
	}
}

/* --- the main loop is the program's, not the machine's --- */

struct found {
	uint32_t iterations, *from, *to;
	char *text;
};

static struct structure *analysed(struct analysis **a, struct trace *t, double relevance, bool reading, struct err *e)
{
	struct settings settings;
	struct structure *s = NULL;

	settings_init(&settings);
	settings.relevance = relevance;
	if (analysis_new(a, t, &settings, NULL, ANALYSIS_PHASES | (reading ? ANALYSIS_PATTERNS : 0), NULL, e) ||
	    structure_new(&s, (*a)->clockwork, (*a)->phases, (*a)->figures, (*a)->patterns, &settings, STRUCTURE_SHORTEST, NULL, e))
		bail_out("%s", e->text);
	return s;
}

static void remember(struct found *f, const struct structure *s)
{
	const struct main_loop *m = &s->main;
	struct out out;

	*f = (struct found){.iterations = m->iterations, .from = calloc((size_t)m->iterations + 1, sizeof *f->from),
			    .to = calloc((size_t)m->iterations + 1, sizeof *f->to)};
	out_init(&out);
	if (m->iterations)
		structure_main_text(s, &out);
	f->text = strdup(out.len ? out.text : "");
	if (!f->from || !f->to || !f->text || out.failed)
		bail_out("no memory");
	for (uint32_t i = 0; i < m->iterations; i++) {
		f->from[i] = m->from[i];
		f->to[i] = m->to[i];
	}
	out_release(&out);
}

static void forget(struct found *f)
{
	free(f->from);
	free(f->to);
	free(f->text);
}

static bool same_loop(const struct found *x, const struct found *y)
{
	return x->iterations == y->iterations && !strcmp(x->text, y->text) &&
	       !memcmp(x->from, y->from, x->iterations * sizeof *x->from) && !memcmp(x->to, y->to, x->iterations * sizeof *x->to);
}

/* Times of a run on quite another machine: each process's in its own order, from a nanosecond to seconds apart. */
static void take_other_times(struct trace *t, uint64_t seed)
{
	t->start = 0;
	t->end = 1;
	for (uint32_t p = 0; p < t->process_count; p++) {
		double now = 0;

		for (uint32_t k = t->first[p]; k < t->first[p + 1]; k++) {
			now += pow(10, (int)gen_below(&seed, 10) - 9);
			t->time[k] = now;
			t->compute[k] = now / 3;
		}
		t->end = fmax(t->end, now);
	}
}

/* Whatever is relevant, and whatever the run takes; true if there is a main loop. */
static bool loop_stays(struct trace *t, const char *name, bool reading, bool *good)
{
	static const double relevances[] = {0.01, 0, 0.001, 0.05, 0.2};
	struct found first = {0};
	bool any;

	for (uint64_t run = 0; run < 4 && *good; run++)
		for (size_t k = 0; k < sizeof relevances / sizeof *relevances && *good; k++) {
			struct analysis *a;
			struct err e = {0};
			struct structure *s;
			struct found f;

			if (run && !k)
				take_other_times(t, run);
			s = analysed(&a, t, relevances[k], reading, &e);
			remember(&f, s);
			if (!first.text) {
				remember(&first, s);
			} else if (!same_loop(&f, &first)) {
				diag("%s, %u other times, relevance %g: %u of %s, not %u of %s", name, (unsigned)run, relevances[k],
				     f.iterations, f.text, first.iterations, first.text);
				*good = false;
			}
			forget(&f);
			structure_free(s);
			analysis_unref(a);
		}
	any = first.iterations > 0;
	forget(&first);
	return any;
}

static void equal_programs(void)
{
	static const char *const traces[] = {
		"sample-traces/cg.S.4.clog2", "sample-traces/lu.S.4.clog2", "sample-traces/ft.S.4.clog2", "sample-traces/is.S.4.clog2",
		"sample-traces/anysrc.5.clog2", "sample-traces/sendrecv.4.clog2", "sample-traces/pcontrol.4.clog2", "sample-traces/nonblock.4.clog2",
		"sample-traces/persist.4.m246.clog2", "t/traces/mg.S.8.clog2.xz", "t/traces/bt.S.4.clog2.xz", "t/traces/sweep3d.50.6.clog2.xz",
	};
	uint32_t loops = 0;
	bool good = true;

	for (size_t i = 0; i < sizeof traces / sizeof *traces && good; i++) {
		struct trace *t;
		struct err e = {0};

		trace_load(&t, &traces[i], 1, NULL, NULL, &e);
		if (!t)
			bail_out("%s", e.text);
		for (int reading = 0; reading < 2; reading++)
			loops += loop_stays(t, traces[i], reading, &good);
		trace_free(t);
	}
	for (uint64_t seed = 1; seed <= 200 && good; seed++) {
		struct trace *t = gen_random(seed, seed % 4 ? GEN_LOOP : GEN_CAUSAL);
		char name[32];

		snprintf(name, sizeof name, "seed %u", (unsigned)seed);
		for (int reading = 0; reading < 2; reading++)
			loops += loop_stays(t, name, reading, &good);
		trace_free(t);
	}
	ok(good, "programs that do the same have the same main loop, whatever they take and whatever is relevant");
	ok(loops > 50, "%u of them have one", loops);
}

/* --- what goes wrong --- */

static void without_memory(void)
{
	struct run *r = run_of("30 1 2 30 1 2 1 2 30 1 2 1 2 5(3 4)");
	long at = 0, reached = 1;
	bool well = true;

	for (; reached; at++) {
		struct structure *s = NULL;
		struct structure_word *words = NULL;
		struct err e = {0};
		struct out out;
		uint32_t n;
		enum err_code code;
		bool lined = true;

		out_init(&out);
		mem_fail_once(at);
		code = structure_new(&s, r->made.clockwork, &r->made.phases, r->made.figures, NULL, &r->settings, STRUCTURE_RELEVANT, NULL, &e);
		if (!code) {
			structure_text(s, &out);
			lined = out.failed || !strcmp(out.text, "5(1 2) 5(3 4)");
			code = structure_words(&words, &n, s, UINT32_MAX, &e);
		}
		reached = mem_count() > at;
		mem_free(words);
		out_release(&out);
		structure_free(s);
		well = well && lined && (!code || (code == ERR_MEMORY && e.text[0])) && mem_live() == 0;
		mem_fail_after(-1);
	}
	ok(well && at > 40, "each of %ld allocations may fail", at - 1);
	run_free(r);
}

static bool at_once(void *arg)
{
	(void)arg;
	return true;
}

static void stopped(void)
{
	enum { N = 600000 };
	struct run *r = run_of("1 2");
	const struct progress progress = {NULL, at_once, NULL};
	struct occurrence *kept = r->made.phases.occurrences;
	struct structure *s = NULL;
	struct err e = {0};
	uint64_t state = 3;

	r->made.phases.occurrences = calloc(N, sizeof *r->made.phases.occurrences);
	if (!r->made.phases.occurrences)
		bail_out("no memory");
	for (uint32_t i = 0; i < N; i++)
		r->made.phases.occurrences[i].phase = 1 + gen_below(&state, 2);
	r->made.phases.occurrence_count = N;
	ok(structure_new(&s, r->made.clockwork, &r->made.phases, r->made.figures, NULL, &r->settings, STRUCTURE_EXACT, &progress, &e) == ERR_CANCELLED &&
	   !s && e.text[0], "it stops when asked");
	free(r->made.phases.occurrences);
	r->made.phases.occurrences = kept;
	run_free(r);
}

int main(void)
{
	deep_and_shallow();
	single_loops();
	where_words_are();
	kinds();
	poor_runs();
	random_runs();
	benchmarks();
	equal_programs();
	without_memory();
	stopped();
	return done_testing();
}
