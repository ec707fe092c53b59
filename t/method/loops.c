/* Windows that follow a loop's iterations say twice as much of a run as windows anywhere; and an iteration is what
 * users count. So which loop is the main one, and where its iterations lie, must be what the rules say: shown on
 * runs made for each part of them, against the rules taken literally on random runs, and on a benchmark.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/method/analysis/analysis.h"
#include "core/base/mem.h"
#include "core/formats/api/load.h"
#include "core/method/windows/loops.h"
#include "core/method/windows/windows.h"
#include "fold_line.h"
#include "gen.h"
#include "naive_fold.h"
#include "tap.h"

#define IDS 16
#define MOST 2400

/* A run: phases in order, and how long each occurrence lasts. */
struct run {
	struct phases phases;
	struct occurrence occurrences[MOST];
	bool relevant[IDS];
	double u[MOST + 1];
	double aet;
};

static double duration_of(uint32_t id)
{
	return id;
}

/* Occurrences of phase k last k seconds. */
static struct run *run_of(const char *line, const char *irrelevant)
{
	struct run *r = calloc(1, sizeof *r);
	uint32_t n, *s = fold_line_unfolded(line, &n);

	if (!r || n > MOST)
		bail_out("no room for a run");
	r->phases = (struct phases){.count = IDS, .occurrences = r->occurrences, .occurrence_count = n};
	for (uint32_t i = 0; i < n; i++) {
		r->occurrences[i] = (struct occurrence){s[i], i, i};
		r->u[i + 1] = r->u[i] + duration_of(s[i]);
	}
	r->aet = r->u[n];
	for (uint32_t id = 1; id <= IDS; id++)
		r->relevant[id - 1] = true;
	while (*irrelevant) {
		char *after;

		r->relevant[strtoul(irrelevant, &after, 10) - 1] = false;
		irrelevant = after + (*after == ' ');
	}
	free(s);
	return r;
}

static struct loop_iterations main_of(const struct run *r, double window_seconds)
{
	struct loop_iterations x;
	struct err e;

	if (loops_main(&x, &r->phases, r->relevant, r->u, r->aet, window_seconds, NULL, &e))
		bail_out("%s", e.text);
	return x;
}

/* "1-3 3-5": stretches, as text. */
static const char *stretches(const uint32_t *from, const uint32_t *to, uint32_t count)
{
	static char text[MOST * 12];
	char *p = text;

	*p = '\0';
	for (uint32_t i = 0; i < count; i++)
		p += sprintf(p, "%s%u-%u", i ? " " : "", from[i], to[i]);
	return text;
}

static void is_main(const struct run *r, double window_seconds, const char *expected, bool exact, const char *what)
{
	struct loop_iterations x = main_of(r, window_seconds);

	is_str(stretches(x.from, x.to, x.count), expected, "%s", what);
	if (x.count)
		is_int(x.exact, exact, "%s: %s folding", what, exact ? "the exact" : "the relevant");
	loop_iterations_release(&x);
}

/* --- the rule's parts --- */

static void the_example(void)
{
	static const double last[] = {1, 2, .5, 2, .7, 3, .5, 2, .6, 2, .5, 2};
	struct run *r = run_of("1 2 3 2 3 2 3 2 3 2 3 2", "");
	struct loop_iterations x;

	for (int i = 0; i < 12; i++)
		r->u[i + 1] = r->u[i] + last[i];
	r->aet = 16.8;
	x = main_of(r, 2.6);
	is_str(stretches(x.from, x.to, x.count), "1-3 3-5 5-7 7-9 9-11", "the example's iterations: occurrences 2-3 to 10-11");
	is_double(x.mean, 2.76, 1e-12, "their mean");
	is_double(x.share, 0.821429, 5e-7, "their share");
	ok(x.exact, "of the exact folding");
	loop_iterations_release(&x);
	is_main(r, 1.38, "1-3 3-5 5-7 7-9 9-11", true, "a mean of two windows");
	is_main(r, 1.38 - 0.4e-9, "1-3 3-5 5-7 7-9 9-11", true, "a mean of two windows, but for a rounding");
	is_main(r, 1.38 - 0.6e-9, "", true, "a longer mean");
	r->aet = 13.8 / 0.7;
	is_main(r, 2.6, "1-3 3-5 5-7 7-9 9-11", true, "a share of 0.7");
	r->aet = 13.8 / 0.6999;
	is_main(r, 2.6, "", true, "a smaller share");
	r->aet = 0;
	is_main(r, 2.6, "", true, "no run time, no share");
	r->aet = NAN;
	is_main(r, 2.6, "", true, "an unknown run time");
	free(r);
}

static void all_places_together(void)
{
	struct run *r = run_of("3(1 2) 4 3(1 2) 1", "");

	is_main(r, 3, "0-2 2-4 4-6 7-9 9-11 11-13", true, "a loop at two places is one, with six iterations");
	free(r);
	r = run_of("3(1 2) 4 2(1 2) 1", "");
	is_main(r, 3, "", true, "loops of different counts are not");
	free(r);
	r = run_of("4(3 1) 1 2", "");
	is_main(r, 9, "", true, "four iterations are too few");
	free(r);
}

static void longest(void)
{
	struct run *r = run_of("6(5*2 3)", "");

	is_main(r, 7, "0-6 6-12 12-18 18-24 24-30 30-36", true, "the longest mean");
	is_main(r, 2, "0-1 1-2 2-3 3-4 4-5 6-7 7-8 8-9 9-10 10-11 12-13 13-14 14-15 15-16 16-17 18-19 19-20 20-21 21-22 22-23 "
		      "24-25 25-26 26-27 27-28 28-29 30-31 31-32 32-33 33-34 34-35", true,
		"a repeated phase is a loop: where outer iterations are too long, the inner ones");
	free(r);
	r = run_of("5*2 5*3", "");
	for (int i = 1; i <= 10; i++)
		r->u[i] = i;
	r->aet = 6; /* so that both have a share of 0.83 */
	is_main(r, 3, "0-1 1-2 2-3 3-4 4-5", true, "of equal means the first");
	r->u[10] += 5 * 0.5e-9;
	is_main(r, 3, "0-1 1-2 2-3 3-4 4-5", true, "half a nanosecond more is equal");
	r->u[10] += 5 * 1.0e-9;
	is_main(r, 3, "5-6 6-7 7-8 8-9 9-10", true, "more is more");
	free(r);
	r = run_of("5(1 2) 5*3", ""); /* the second is found first: its period is shorter */
	r->aet = 20;
	is_main(r, 3, "0-2 2-4 4-6 6-8 8-10", true, "of equal means the first in the run");
	free(r);
}

static void relevant_ones(void)
{
	struct run *r = run_of("9 1 2 1 2 8 1 2 1 8 2 1 2 7 7 4", "7 8 9");

	is_main(r, 9, "1-3 3-6 6-8 8-11 11-15", false, "dropped occurrences belong to the iteration before them");
	free(r);
	r = run_of("9 1 2 1 2 8 1 2 1 8 2 1 2 7 7", "7 8 9");
	is_main(r, 9, "1-3 3-6 6-8 8-11 11-15", false, "the last iteration goes to the run's end");
	free(r);
	r = run_of("9 10(1 2)", "9");
	is_main(r, 9, "1-3 3-5 5-7 7-9 9-11 11-13 13-15 15-17 17-19 19-21", true, "of equal means the exact folding's");
	free(r);
	r = run_of("10(1 2)", "1 2");
	is_main(r, 9, "0-2 2-4 4-6 6-8 8-10 10-12 12-14 14-16 16-18 18-20", true, "nothing is relevant");
	free(r);
}

static void shown(void)
{
	struct run *r = run_of("9 1 2 1 2 8 1 2 1 8 2 1 2 7 7 4", "7 8 9");
	uint64_t state = 9;
	struct loops *l;
	struct err e;

	if (loops_new(&l, &r->phases, r->relevant, NULL, &e))
		bail_out("%s", e.text);
	ok(loops_shown(l) == l->exact && l->exact->exact && !l->relevant->exact, "few symbols: the exact folding is shown");
	is_int(l->relevant->fold->top_count, 2, "the relevant one is there");
	loops_free(l);
	/* Noise between iterations. */
	for (uint32_t i = 0; i < 200; i++)
		r->occurrences[i] = (struct occurrence){i % 2 ? 5 + gen_below(&state, 3) : 1, i, i};
	r->phases.occurrence_count = 200;
	memset(r->relevant + 4, 0, 3 * sizeof *r->relevant);
	if (loops_new(&l, &r->phases, r->relevant, NULL, &e))
		bail_out("%s", e.text);
	ok(l->exact->fold->top_count > 64 && l->relevant->fold->top_count == 1, "noise does not fold");
	ok(loops_shown(l) == l->relevant, "many symbols: the shorter is shown");
	loops_free(l);
	memset(r->relevant, 0, sizeof r->relevant);
	if (loops_new(&l, &r->phases, r->relevant, NULL, &e))
		bail_out("%s", e.text);
	ok(l->relevant->fold->top_count == 0 && loops_shown(l) == l->exact, "nothing is relevant: nothing is not shorter");
	loops_free(l);
	if (loops_new(&l, &r->phases, NULL, NULL, &e))
		bail_out("%s", e.text);
	ok(l->relevant == l->exact, "all relevant: one folding serves as both");
	loops_free(l);
	free(r);
}

/* --- against the rules --- */

/* Each loop of a line by its text, with its iterations. */
struct naive_loop {
	char text[MOST * 3];
	uint32_t from[MOST], to[MOST], count, depth;
};

struct naive_loops {
	struct naive_loop list[64];
	uint32_t count;
};

static const char *end_of_symbol(const char *p)
{
	int depth = 0;

	for (; *p && (depth || (*p != ' ' && *p != ')')); p++)
		depth += *p == '(' ? 1 : *p == ')' ? -1 : 0;
	return p;
}

static struct naive_loop *loop_called(struct naive_loops *x, const char *text, size_t length, uint32_t depth)
{
	struct naive_loop *l = NULL;

	for (uint32_t i = 0; i < x->count; i++)
		if (strlen(x->list[i].text) == length && !strncmp(x->list[i].text, text, length))
			l = &x->list[i];
	if (!l) {
		if (x->count == 64)
			bail_out("more loops than expected");
		l = &x->list[x->count++];
		snprintf(l->text, sizeof l->text, "%.*s", (int)length, text);
		l->count = 0;
		l->depth = depth;
	}
	return l;
}

/* Go through a line, with all repetitions; returns where it ends in the run. */
static uint32_t go_through(struct naive_loops *x, const char *p, uint32_t at, uint32_t depth)
{
	while (*p && *p != ')') {
		const char *end = end_of_symbol(p);
		char *body;
		uint32_t times = (uint32_t)strtoul(p, &body, 10);

		if (*body == '*' || *body == '(') {
			struct naive_loop *l = loop_called(x, p, (size_t)(end - p), depth);

			for (uint32_t k = 0; k < times; k++) {
				uint32_t i = l->count++;

				l->from[i] = at;
				at = *body == '*' ? at + 1 : go_through(x, body + 1, at, depth + 1);
				l->to[i] = at;
			}
		} else
			at++;
		p = end + (*end == ' ');
	}
	return at;
}

/* Is candidate a before b, where means are equal? */
static bool sooner(const struct naive_loop *a, bool a_exact, const struct naive_loop *b, bool b_exact)
{
	if (a_exact != b_exact)
		return a_exact;
	if (a->to[0] != b->to[0])
		return a->to[0] < b->to[0];
	return a->depth > b->depth;
}

static bool as_the_rule_says(const struct run *r, double window_seconds, uint64_t seed)
{
	static struct naive_loops foldings[2];
	const struct naive_loop *best = NULL;
	bool best_exact = false, same;
	double best_mean = 0, best_share = 0;
	uint32_t n = r->phases.occurrence_count;
	struct loop_iterations x = main_of(r, window_seconds);
	char *text;

	for (int relevant = 0; relevant < 2; relevant++) {
		uint32_t s[MOST], kept[MOST + 1], count = 0;
		struct naive_loops *f = &foldings[relevant];
		char *line;

		for (uint32_t i = 0; i < n; i++)
			if (!relevant || r->relevant[r->occurrences[i].phase - 1]) {
				s[count] = r->occurrences[i].phase;
				kept[count++] = i;
			}
		kept[count] = n;
		line = naive_fold(s, count);
		f->count = 0;
		go_through(f, line, 0, 0);
		free(line);
		for (uint32_t k = 0; k < f->count; k++)
			for (uint32_t i = 0; i < f->list[k].count; i++) {
				f->list[k].from[i] = kept[f->list[k].from[i]];
				f->list[k].to[i] = kept[f->list[k].to[i]];
			}
	}
	/* Durations are whole numbers, so that means are equal or not. */
	for (int relevant = 0; relevant < 2; relevant++)
		for (uint32_t k = 0; k < foldings[relevant].count; k++) {
			const struct naive_loop *l = &foldings[relevant].list[k];
			double sum = 0, mean;

			for (uint32_t i = 0; i < l->count; i++)
				sum += r->u[l->to[i]] - r->u[l->from[i]];
			mean = sum / l->count;
			if (l->count < 5 || sum < 0.7 * r->aet - 1e-9 || mean > 2 * window_seconds + 1e-9)
				continue;
			if (!best || mean > best_mean + 1e-9 ||
			    (mean >= best_mean - 1e-9 && sooner(l, !relevant, best, best_exact))) {
				best = l;
				best_exact = !relevant;
				best_mean = mean;
				best_share = sum / r->aet;
			}
		}
	text = strdup(stretches(x.from, x.to, x.count));
	same = text && !strcmp(text, best ? stretches(best->from, best->to, best->count) : "");
	if (best)
		same = same && x.exact == best_exact && fabs(x.mean - best_mean) < 1e-12 && fabs(x.share - best_share) < 1e-12;
	if (!same)
		diag("seed %llu, windows of %g s:\n got      %s\n expected %s", (unsigned long long)seed, window_seconds, text,
		     best ? stretches(best->from, best->to, best->count) : "none");
	free(text);
	loop_iterations_release(&x);
	return same;
}

static void against_the_rule(void)
{
	bool good = true;
	uint32_t follows = 0;

	for (uint64_t seed = 1; seed <= 2000 && good; seed++) {
		uint64_t state = seed * 7919;
		struct run *r = run_of("", "");
		uint32_t n = 0, room = 20 + gen_below(&state, 200), ids = 2 + gen_below(&state, 5);

		for (uint32_t id = 0; id < ids; id++)
			r->relevant[id] = gen_below(&state, 4) != 0;
		while (n < room) { /* a body, so often; the body repeats itself sometimes, and there is noise */
			uint32_t from = n, times = 1 + gen_below(&state, 12);

			for (uint32_t k = 1 + gen_below(&state, 4); k; k--)
				for (uint32_t id = 1 + gen_below(&state, ids), t = 1 + gen_below(&state, 3); t; t--)
					r->occurrences[n++].phase = id;
			for (uint32_t length = n - from, copies = 1; copies < times && n + length < MOST / 2; copies++) {
				for (uint32_t i = 0; i < length; i++)
					r->occurrences[n + i].phase = r->occurrences[n - length + i].phase;
				n += length;
			}
			if (gen_below(&state, 4) == 0)
				r->occurrences[from + gen_below(&state, n - from)].phase = 1 + gen_below(&state, ids);
		}
		r->phases.occurrence_count = n;
		for (uint32_t i = 0; i < n; i++)
			r->u[i + 1] = r->u[i] + gen_below(&state, 4);
		r->aet = r->u[n];
		for (double s = 0.5; s < 100 && good && r->aet > 0; s *= 3) {
			struct loop_iterations x = main_of(r, s);

			follows += x.count > 0;
			loop_iterations_release(&x);
			good = as_the_rule_says(r, s, seed);
		}
		free(r);
	}
	ok(good && follows > 500, "the loop that windows follow is as the rule says");
}

/* --- the main loop --- */

static void find_main_loop(struct main_loop *m, const struct run *r, const struct loops *l, const double *u, double aet)
{
	struct err e;

	if (main_loop_init(m, &(struct main_loop_run){.exact = l->exact, .tick = r->u, .u = u, .aet = aet}, NULL, &e))
		bail_out("%s", e.text);
}

/* Ticks are those of the line, times too; and whatever else the times are, it is the same loop. */
static void is_main_loop(const char *line, const char *expected, const char *what)
{
	struct run *r = run_of(line, "");
	uint32_t n = r->phases.occurrence_count;
	double *u = calloc((size_t)n + 1, sizeof *u);
	uint64_t state = n + 1;
	bool same = true;
	struct loops *l;
	struct main_loop m;
	struct err e;

	if (!u || loops_new(&l, &r->phases, r->relevant, NULL, &e))
		bail_out("no loops");
	find_main_loop(&m, r, l, r->u, r->aet);
	is_str(stretches(m.from, m.to, m.iterations), expected, "%s", what);
	main_loop_release(&m);
	for (int k = 0; k < 20; k++) {
		for (uint32_t i = 0; i < n; i++)
			u[i + 1] = u[i] + pow(10, gen_below(&state, 7));
		find_main_loop(&m, r, l, u, u[n]);
		same = same && !strcmp(stretches(m.from, m.to, m.iterations), expected);
		main_loop_release(&m);
	}
	ok(same, "%s: whatever it takes", what);
	loops_free(l);
	free(u);
	free(r);
}

static void main_loops(void)
{
	is_main_loop("1 6(5*2 3) 1", "1-7 7-13 13-19 19-25 25-31 31-37", "the outermost loop");
	is_main_loop("2(1 2 5(3 4) 5)", "2-4 4-6 6-8 8-10 10-12 15-17 17-19 19-21 21-23 23-25",
		     "the outermost that goes round often enough");
	is_main_loop("5(1 2) 6(3 4) 9", "10-12 12-14 14-16 16-18 18-20 20-22", "the one with half of the ticks");
	is_main_loop("3(5*1 9) 4 3(5*1 9) 4", "0-6 6-12 12-18 19-25 25-31 31-37", "a loop with less than half is not outermost");
	is_main_loop("3(5*2 9) 4 3(5*2 9)", "0-1 1-2 2-3 3-4 4-5 6-7 7-8 8-9 9-10 10-11 12-13 13-14 14-15 15-16 16-17 "
		     "19-20 20-21 21-22 22-23 23-24 25-26 26-27 27-28 28-29 29-30 31-32 32-33 33-34 34-35 35-36",
		     "with just over half it is");
	is_main_loop("5*4 5*5 5*3 5*6", "15-16 16-17 17-18 18-19 19-20", "none has half: the largest");
	is_main_loop("3(1 2) 5 3(1 2) 16 16", "0-2 2-4 4-6 7-9 9-11 11-13", "of counts below five, the iterations together");
	is_main_loop("4(1 2) 3", "", "four iterations are no loop");
	is_main_loop("1 2 3", "", "no loop");
	is_main_loop("", "", "nothing");
	is_main_loop("4(13 14) 1 5(13 14) 2 4(13 14) 1 2 4(13 14)", "0-2 2-4 4-6 6-8 20-22 22-24 24-26 26-28 30-32 32-34 34-36 36-38",
		     "rare phases are not left out");
	is_main_loop("10*6 10(2 4)", "10-12 12-14 14-16 16-18 18-20 20-22 22-24 24-26 26-28 28-30",
		     "of two halves the one that is more than a single phase");
}

static void iterations_measured(void)
{
	static const double last[] = {1, 1.25, 1, 4, 0.75, 1, 1.25, 1, 1, 0.1};
	struct run *r = run_of("10*3 2", "");
	struct loops *l;
	struct main_loop m;
	struct err e;

	for (int i = 0; i < 10; i++)
		r->u[i + 1] = r->u[i] + last[i];
	r->u[11] = r->u[10] + 0.65;
	r->aet = 13;
	if (loops_new(&l, &r->phases, r->relevant, NULL, &e))
		bail_out("%s", e.text);
	find_main_loop(&m, r, l, r->u, r->aet);
	is_int(m.iterations, 10, "ten iterations");
	is_int(l->exact->fold->loops[m.loop].count, 10, "of a loop with that count");
	is_double(m.mean, 1.235, 1e-12, "their mean");
	is_double(m.median, 1, 1e-12, "their median");
	is_double(m.share, 0.95, 1e-12, "their share");
	is_double(m.deviation, 0.97186676041523, 1e-9, "their deviation");
	is_double(m.seconds[3], 4, 1e-12, "one of them");
	/* Distances 0 x 5, 0.25 x 3, 0.9, 3: median 0.125, reach 0.926625. */
	ok(m.outlier_count == 1 && m.outliers[0] == 3, "one outlier, and a short one that is not");
	main_loop_release(&m);
	find_main_loop(&m, r, l, r->u, NAN);
	is_int(m.iterations, 0, "no run time, no main loop");
	loops_free(l);
	free(r);
}

static void benchmark(void)
{
	const char *paths[] = {"sample-traces/cg.S.4.clog2"};
	struct settings settings;
	struct trace *t;
	struct analysis *a;
	struct loops *l;
	struct main_loop m;
	struct err e = {0};
	double *u;
	bool *relevant;

	settings_init(&settings);
	trace_load(&t, paths, 1, NULL, NULL, &e);
	if (!t || analysis_new(&a, t, &settings, NULL, ANALYSIS_PHASES, NULL, &e))
		bail_out("%s", e.text);
	u = calloc((size_t)a->phases->occurrence_count + 1, sizeof *u);
	relevant = calloc(a->phases->count, sizeof *relevant);
	if (!u || !relevant)
		bail_out("no memory");
	for (uint32_t i = 0; i < a->phases->occurrence_count; i++)
		u[i + 1] = u[i] + occurrence_time(a->clockwork, a->phases, i);
	for (uint32_t i = 0; i < a->phases->count; i++)
		relevant[i] = a->figures->phase[i].relevant;
	if (loops_new(&l, a->phases, relevant, NULL, &e) ||
	    main_loop_init(&m, &(struct main_loop_run){.exact = l->exact, .tick = u, .u = u, .aet = a->figures->aet}, NULL, &e))
		bail_out("%s", e.text);
	is_int(m.iterations, 14, "CG: 14 outer iterations");
	ok(m.share > 0.5 && m.share < 1, "CG: they are most of the run");
	ok(m.seconds[0] > 0 && m.mean > 0 && m.deviation > 0, "CG: they last");
	main_loop_release(&m);
	loops_free(l);
	free(u);
	free(relevant);
	analysis_unref(a);
	trace_free(t);
}

/* --- what goes wrong --- */

static enum err_code all_of_it(const struct run *r, const struct progress *progress, struct err *e)
{
	struct loop_iterations x = {0};
	struct main_loop m = {0};
	struct loops *l = NULL;
	enum err_code code = loops_main(&x, &r->phases, r->relevant, r->u, r->aet, 9, progress, e);

	loop_iterations_release(&x);
	if (code == ERR_OK)
		code = loops_new(&l, &r->phases, r->relevant, progress, e);
	if (code == ERR_OK)
		code = main_loop_init(&m, &(struct main_loop_run){.exact = l->exact, .tick = r->u, .u = r->u, .aet = r->aet}, progress, e);
	main_loop_release(&m);
	loops_free(l);
	return code;
}

static bool out_of_patience(void *arg)
{
	return (*(long *)arg)-- == 0;
}

static void without_memory(void)
{
	struct run *r = run_of("4(13 14) 13 1 14 4(13 14) 2 4(13 14) 1 2 4(13 14)", "1 2");
	long at = 0, reached = 1;
	bool well = true;

	for (; reached; at++) {
		struct err e = {0};
		enum err_code code;

		mem_fail_once(at);
		code = all_of_it(r, NULL, &e);
		reached = mem_count() > at;
		well = well && (code == ERR_OK || (code == ERR_MEMORY && e.text[0])) && mem_live() == 0;
		mem_fail_after(-1);
	}
	ok(well && at > 40, "each of %ld allocations may fail", at - 1);
	free(r);
}

/* A run that is long enough for progress to be asked everywhere. */
static void stopped(void)
{
	enum { N = 1200000 };
	struct run *r = run_of("", "");
	uint64_t state = 3;
	long looks = 0;
	bool well = true;

	r->phases.occurrences = calloc(N, sizeof *r->phases.occurrences);
	if (!r->phases.occurrences)
		bail_out("no memory");
	for (uint32_t i = 0; i < N; i++)
		r->phases.occurrences[i].phase = i < N / 2 ? 1 + i % 3 : 1 + gen_below(&state, 4);
	r->phases.occurrence_count = N;
	r->relevant[2] = false;
	for (;; looks++) {
		long left = looks;
		struct progress progress = {NULL, out_of_patience, &left};
		struct loops *l;
		struct err e = {0};
		enum err_code code;

		mem_fail_after(1000000000);
		code = loops_new(&l, &r->phases, r->relevant, &progress, &e);
		well = well && (code == ERR_OK || (code == ERR_CANCELLED && !l && e.text[0] && mem_live() == 0));
		mem_fail_after(-1);
		if (code == ERR_OK) {
			loops_free(l);
			break;
		}
	}
	ok(well && looks > 10, "it stops when asked, with nothing left behind");
	free(r->phases.occurrences);
	free(r);
}

int main(void)
{
	the_example();
	all_places_together();
	longest();
	relevant_ones();
	shown();
	against_the_rule();
	main_loops();
	iterations_measured();
	benchmark();
	without_memory();
	stopped();
	return done_testing();
}
