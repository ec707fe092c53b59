/* A run's phases folded into loops are the program's structure, and windows follow them: so the folding must be
 * exactly what its rule says, though it is found in another way. It is held against the rule taken literally, on
 * sequences of many kinds, against the known loops of benchmarks, and against itself: unfolding gives the sequence
 * back.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/method/analysis/analysis.h"
#include "core/base/mem.h"
#include "core/formats/api/load.h"
#include "core/base/fold.h"
#include "fold_line.h"
#include "gen.h"
#include "naive_fold.h"
#include "tap.h"

static struct fold *folded(const uint32_t *s, uint32_t n)
{
	struct fold *f;
	struct err e;

	if (fold_new(&f, s, n, NULL, &e))
		bail_out("%s", e.text);
	return f;
}

static bool unfolds(const struct fold *f, const uint32_t *s, uint32_t n)
{
	uint32_t *back = calloc((size_t)n + 1, sizeof *back);
	bool same;

	if (!back)
		bail_out("no memory");
	fold_unfold(f, back);
	same = f->length == n && memcmp(back, s, n * sizeof *s) == 0;
	free(back);
	return same;
}

/* No two loops are equal, bodies name only loops before them, and what is said of a loop's length is true. */
static bool sound(const struct fold *f)
{
	for (uint32_t k = 0; k < f->loop_count; k++) {
		const struct fold_loop *l = &f->loops[k];
		uint64_t ids = 0;

		for (uint32_t i = 0; i < l->length; i++) {
			uint32_t symbol = f->symbols[l->body + i];

			if (symbol >= f->id_count + k)
				return false;
			ids += fold_is_loop(f, symbol) ? (uint64_t)fold_loop(f, symbol)->count * fold_loop(f, symbol)->unfolded : 1;
		}
		if (ids != l->unfolded || l->count < 2 || l->length < 1 || l->length > FOLD_PERIOD)
			return false;
		for (uint32_t j = 0; j < k; j++)
			if (f->loops[j].count == l->count && f->loops[j].length == l->length &&
			    !memcmp(f->symbols + f->loops[j].body, f->symbols + l->body, l->length * sizeof *f->symbols))
				return false;
	}
	return true;
}

/* --- what is known --- */

static const struct line {
	const char *name, *line;
} lines[] = {
	{"cg.S.4", "1 2 25(3 2*2) 3 2 4 14(2 25(3 2*2) 3 2 5) 2 25(3 2*2) 3 2 6"},
	{"bt.S.4", "6*1 2*2 2*3 2*4 5 6 7 8 9 10 59(2*2 2*3 2*4 5 6 7 8 9 11) 2*2 2*3 2*4 5 6 7 8 9 12 2*2 2*3 4 13"},
	{"sp.S.4", "4*1 2*2 2*3 2*4 5 6 7 8 9 10 99(2*2 2*3 2*4 5 6 7 8 9 11) 2*2 2*3 2*4 5 6 7 8 9 12 2*2 2*3 4 13"},
	{"lu.S.4", "10*1 2*2 3 10*4 5 10*6 7 2*8 10*4 5 49(10*6 7 9 10 10*11) 10*6 12 13 2*14 15 2*16 14"},
	{"mg.S.8", "1 6*2 3 39*4 5 2(2*6 2*7 2*8 2*4) 2*9 2*10 2*11 2*12 2*13 2*14 2*15 2*16 2*17 2(2*18 2*19 2*20) "
		   "2(2*15 2*16 2*17) 2(2*12 2*13 2*14) 2(2*9 2*10 2*11) 2(2*6 2*7 2*8) 2*6 2*7 8 21 39*4 5 2*6 2*7 8 21 2*6 2*7 2*8 "
		   "2*4 4(2*9 2*10 2*11 2*12 2*13 2*14 2*15 2*16 2*17 2(2*18 2*19 2*20) 2(2*15 2*16 2*17) 2(2*12 2*13 2*14) "
		   "2(2*9 2*10 2*11) 3(2*6 2*7 2*8)) 4 22"},
	{"sweep3d.50.6", "2(1 2) 11(20*3 4 5 4 6 19*3 7 20*3 4 8 21*6 9 2*10) 20*3 4 5 4 6 19*3 7 20*3 4 8 21*6 9 10 11 8*10"},
	{"ft.S.4", "5*1 2 3 6*4"},
	{"is.S.4", "1 11*2 3 4"},
	{"nonblock.4", "8(1 2 3 2 4 5) 6"},
	{"persist.4.m246", "20(1 2)"},
	{"latesender.4", "20*1 2"},
};

/* Of the programs that are samples their traces say so; and all of these lines stay themselves. */
static void known(void)
{
	for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
		uint32_t n, *s = fold_line_unfolded(lines[i].line, &n);
		struct fold *f = folded(s, n);
		char *line = fold_line(f);

		is_str(line, lines[i].line, "%s: the loops of its phases", lines[i].name);
		ok(unfolds(f, s, n) && sound(f), "%s: unfolds", lines[i].name);
		free(line);
		fold_free(f);
		free(s);
	}
}

static void traces(void)
{
	static const char *const samples[] = {"cg.S.4", "lu.S.4", "ft.S.4", "is.S.4", "nonblock.4", "persist.4.m246", "latesender.4"};

	for (size_t i = 0; i < sizeof samples / sizeof *samples; i++) {
		char path[128];
		const char *paths[] = {path}, *expected = NULL;
		struct settings settings;
		struct trace *t;
		struct analysis *a;
		struct fold *f;
		struct err e = {0};
		uint32_t *s;
		char *line;

		for (size_t k = 0; k < sizeof lines / sizeof *lines; k++)
			if (!strcmp(lines[k].name, samples[i]))
				expected = lines[k].line;
		snprintf(path, sizeof path, "sample-traces/%s.clog2", samples[i]);
		settings_init(&settings);
		trace_load(&t, paths, 1, NULL, NULL, &e);
		if (!t || analysis_new(&a, t, &settings, NULL, ANALYSIS_PHASES, NULL, &e))
			bail_out("%s", e.text);
		s = calloc(a->phases->occurrence_count, sizeof *s);
		if (!s)
			bail_out("no memory");
		for (uint32_t k = 0; k < a->phases->occurrence_count; k++)
			s[k] = a->phases->occurrences[k].phase;
		f = folded(s, a->phases->occurrence_count);
		line = fold_line(f);
		is_str(line, expected, "%s: the structure of its trace", samples[i]);
		free(line);
		free(s);
		fold_free(f);
		analysis_unref(a);
		trace_free(t);
	}
}

/* --- against the rule --- */

#define MOST 400

static uint32_t write_noise(uint32_t *s, uint32_t n, uint32_t ids, uint64_t *state)
{
	for (uint32_t i = 0; i < n; i++)
		s[i] = 1 + gen_below(state, ids);
	return n;
}

/* Loops in loops, each body with symbols of its own or of all. */
static uint32_t write_loops(uint32_t *s, uint32_t room, uint32_t ids, uint32_t depth, uint64_t *state)
{
	uint32_t n = 0, parts = 1 + gen_below(state, 4);

	for (uint32_t k = 0; k < parts && n < room; k++) {
		uint32_t from = n, times = 1 + gen_below(state, 6);

		if (depth && gen_below(state, 3))
			n += write_loops(s + n, (room - n) / (gen_below(state, 2) ? 1 : times), ids, depth - 1, state);
		else
			s[n++] = 1 + gen_below(state, ids);
		for (uint32_t length = n - from; times > 1 && n + length <= room; times--, n += length)
			memcpy(s + n, s + from, length * sizeof *s);
	}
	return n;
}

/* A word of a morphism: letter l becomes images[l], again and again. */
static uint32_t write_word(uint32_t *s, uint32_t room, const char *const *images)
{
	uint32_t n = 1, *next = calloc(room + 8, sizeof *next);

	if (!next)
		bail_out("no memory");
	s[0] = 0;
	for (uint32_t before = 0; n < room && n != before; ) {
		uint32_t m = 0;

		before = n;
		for (uint32_t i = 0; i < n && m < room; i++)
			for (const char *c = images[s[i]]; *c && m < room; c++)
				next[m++] = (uint32_t)(*c - '0');
		memcpy(s, next, m * sizeof *s);
		n = m;
	}
	free(next);
	return n;
}

static bool as_the_rule_says(const uint32_t *s, uint32_t n, const char *kind, uint64_t seed)
{
	struct fold *f = folded(s, n);
	char *line = fold_line(f), *expected = naive_fold(s, n);
	bool same = !strcmp(line, expected), back = unfolds(f, s, n), good = sound(f);

	if (!same)
		diag("%s, seed %llu:\n got      %s\n expected %s", kind, (unsigned long long)seed, line, expected);
	if (!back || !good)
		diag("%s, seed %llu: %s", kind, (unsigned long long)seed, back ? "the loops are not sound" : "does not unfold");
	free(line);
	free(expected);
	fold_free(f);
	return same && back && good;
}

static void against_the_rule(void)
{
	static const char *const fibonacci[] = {"01", "0"}, *const thue_morse[] = {"01", "10"}, *const square_free[] = {"012", "02", "1"};
	static const char *const *const words[] = {fibonacci, thue_morse, square_free};
	uint32_t s[MOST];
	uint32_t n = 0;
	bool good = true;

	for (uint64_t seed = 1; seed <= 3000 && good; seed++) {
		uint64_t state = seed;

		n = write_noise(s, gen_below(&state, 160), 1 + gen_below(&state, 5), &state);
		good = as_the_rule_says(s, n, "noise", seed);
	}
	ok(good, "few ids in no order fold as the rule says");
	for (uint64_t seed = 1; seed <= 4000 && good; seed++) {
		uint64_t state = seed * 977;
		uint32_t ids = 1 + gen_below(&state, 6);

		n = write_loops(s, 20 + gen_below(&state, MOST - 20), ids, 4, &state);
		for (uint32_t noise = gen_below(&state, 2) ? gen_below(&state, 4) : 0; noise; noise--)
			s[gen_below(&state, n)] = 1 + gen_below(&state, ids + 1);
		good = as_the_rule_says(s, n, "loops", seed);
	}
	ok(good, "loops in loops, with noise in them, fold as the rule says");
	for (uint64_t seed = 1; seed <= 400 && good; seed++) {
		uint64_t state = seed * 31;
		uint32_t period = 1 + gen_below(&state, 60);

		n = MOST;
		for (uint32_t i = 0; i < n; i++)
			s[i] = i < period ? gen_below(&state, 4) : gen_below(&state, 50) ? s[i - period] : gen_below(&state, 4);
		good = as_the_rule_says(s, n, "a period", seed);
	}
	ok(good, "a period with faults folds as the rule says");
	for (uint32_t k = 0; k < 3; k++)
		for (uint32_t room = 1; room <= MOST && good; room += 1 + room / 8) {
			n = write_word(s, room, words[k]);
			good = as_the_rule_says(s, n, "a word", k * 1000 + room);
		}
	ok(good, "Fibonacci, Thue-Morse and square-free words fold as the rule says");
}

static void edges(void)
{
	static const uint32_t any[] = {UINT32_MAX, 0, UINT32_MAX, 0, UINT32_MAX, 0, 7, 7, UINT32_MAX - 1};
	enum { LONG = 2 * FOLD_PERIOD + 2 };
	uint32_t *s = calloc(LONG, sizeof *s);
	struct fold *f = folded(NULL, 0);
	char *line;

	if (!s)
		bail_out("no memory");
	ok(f->length == 0 && f->top_count == 0 && f->loop_count == 0, "nothing folds into nothing");
	fold_free(f);
	f = folded(any, 1);
	ok(f->top_count == 1 && !fold_is_loop(f, f->top[0]) && fold_id(f, f->top[0]) == UINT32_MAX, "one id is itself");
	fold_free(f);
	f = folded(any, 9);
	line = fold_line(f);
	is_str(line, "3(4294967295 0) 2*7 4294967294", "ids may be any numbers");
	ok(unfolds(f, any, 9), "and come back");
	free(line);
	fold_free(f);
	for (uint32_t over = 0; over < 2; over++) {
		uint32_t period = FOLD_PERIOD + over;

		for (uint32_t i = 0; i < 2 * period; i++)
			s[i] = 5 + i % period;
		f = folded(s, 2 * period);
		is_int(f->top_count, over ? 2 * period : 1, "a period of %u is %s", period, over ? "too long" : "found");
		ok(unfolds(f, s, 2 * period) && sound(f), "and unfolds");
		fold_free(f);
	}
	free(s);
}

/* Two places of one loop are one symbol; another count makes another. */
static void symbols(void)
{
	static const uint32_t s[] = {1, 2, 1, 2, 9, 1, 2, 1, 2, 8, 1, 2, 1, 2, 1, 2};
	struct fold *f = folded(s, 16);

	is_int(f->loop_count, 2, "two loops");
	ok(f->top_count == 5 && f->top[0] == f->top[2] && f->top[4] != f->top[0], "the same loop at two places is one symbol");
	fold_free(f);
}

/* Loops that are new by one long period repeat with shorter ones, some at once and some after others were folded. */
static void new_loops(void)
{
	static const char *const kept[] = {
		"2(2(1 2 3 4 5 6) 7) 8 2(2(1 2 3 4 5 6) 9 10 11)",
		"2(2(1 2 3 4 5 6) 9 10 11) 8 2(2(1 2 3 4 5 6) 7)",
		"2(2(2(1 2 3 4 5 6) 7) 8 9) 10 2(2(1 2 3 4 5 6) 9 10 11)",
	};

	for (size_t i = 0; i < sizeof kept / sizeof *kept; i++) {
		uint32_t n, *s = fold_line_unfolded(kept[i], &n);
		struct fold *f = folded(s, n);
		char *line = fold_line(f);

		is_str(line, kept[i], "what new loops make repeat is folded");
		ok(as_the_rule_says(s, n, "new loops", i), "as the rule says");
		free(line);
		fold_free(f);
		free(s);
	}
}

/* --- what goes wrong --- */

struct patience {
	long looks;
	uint64_t last_done, last_total;
	bool forwards;
};

static bool out_of_patience(void *arg)
{
	struct patience *p = arg;

	return p->looks-- == 0;
}

static void note(void *arg, enum progress_stage stage, uint64_t done, uint64_t total)
{
	struct patience *p = arg;

	p->forwards = p->forwards && stage == PROGRESS_FOLD && done > p->last_done && done <= total;
	p->last_done = done;
	p->last_total = total;
}

static void stopped(void)
{
	enum { N = 1000000 };
	uint32_t *s = calloc(N, sizeof *s);
	uint64_t state = 5;
	long looks = 0;
	bool well = true;

	if (!s)
		bail_out("no memory");
	write_noise(s, N, 300, &state);
	for (;; looks += 1 + looks / 2) {
		struct patience p = {.looks = looks, .forwards = true};
		struct progress progress = {note, out_of_patience, &p};
		struct fold *f = NULL;
		struct err e = {0};
		enum err_code code;
		long before, left;

		mem_fail_after(1000000000);
		before = mem_live();
		code = fold_new(&f, s, N, &progress, &e);
		left = mem_live() - before;
		mem_fail_after(-1);
		if (code == ERR_OK) {
			ok(p.forwards && p.last_done > 1000, "progress goes forwards to the end");
			fold_free(f);
			break;
		}
		well = well && code == ERR_CANCELLED && !f && e.text[0] && !left;
	}
	ok(well && looks > 10, "folding stops when asked, with nothing left behind");
	free(s);
}

static void without_memory(void)
{
	uint32_t s[MOST], n;
	uint64_t state = 11;
	long at = 0, reached = 1;
	bool well = true;

	n = write_loops(s, MOST, 6, 4, &state);
	for (; reached; at++) {
		struct fold *f = NULL;
		struct err e = {0};
		enum err_code code;
		long left;

		mem_fail_once(at);
		code = fold_new(&f, s, n, NULL, &e);
		reached = mem_count() > at;
		well = well && (code == ERR_OK ? unfolds(f, s, n) : code == ERR_MEMORY && !f && e.text[0] != '\0');
		fold_free(f);
		left = mem_live();
		mem_fail_after(-1);
		well = well && !left;
	}
	ok(well && at > 8, "each of %ld allocations may fail", at - 1);
}

int main(void)
{
	known();
	traces();
	symbols();
	edges();
	against_the_rule();
	new_loops();
	stopped();
	without_memory();
	return done_testing();
}
