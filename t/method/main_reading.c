/* The main loop of a run that has a reading: a user counts what the program does, so it must be the program's loop and
 * not what thresholds make of it. Its iterations are drawn on occurrences of phases: in order, none empty, none over
 * another, each from its first event on. Shown on traces of known programs, on programs made for each part of the rule,
 * and with phases that iterations do not fit into.
 */
#include <stdlib.h>
#include <string.h>

#include "core/base/mem.h"
#include "core/formats/api/load.h"
#include "core/method/analysis/analysis.h"
#include "core/method/windows/structure.h"
#include "gen.h"
#include "tap.h"

static struct structure *structure_of(struct analysis **a, const struct trace *t, unsigned want)
{
	struct settings settings;
	struct structure *s;
	struct err e = {0};

	settings_init(&settings);
	if (analysis_new(a, t, &settings, NULL, ANALYSIS_PHASES | want, NULL, &e) ||
	    structure_new(&s, (*a)->clockwork, (*a)->phases, (*a)->figures, (*a)->patterns, &settings, STRUCTURE_SHORTEST, NULL, &e))
		bail_out("%s", e.text);
	return s;
}

static void is_main(const struct structure *s, uint32_t iterations, bool of_reading, const char *expected, const char *what)
{
	struct out text;

	is_int(s->main.iterations, iterations, "%s: its iterations", what);
	if (!s->main.iterations)
		return;
	out_init(&text);
	structure_main_text(s, &text);
	is_str(text.text, expected, "%s: its main loop", what);
	ok((s->main.patterns != NULL) == of_reading, "%s: is of the %s", what, of_reading ? "reading" : "exact structure");
	out_release(&text);
}

static bool is_drawn(const struct main_loop *m, uint32_t occurrences)
{
	for (uint32_t i = 0; i < m->iterations; i++)
		if (m->from[i] >= m->to[i] || m->to[i] > occurrences || (i && m->from[i] < m->to[i - 1]))
			return false;
	return true;
}

/* --- traces --- */

static void benchmarks(void)
{
	static const struct {
		const char *path, *loop;
		uint32_t iterations;
	} each[] = {
		{"sample-traces/cg.S.4.clog2", "15 x [ pair exchange ^1 8 B; 25 x [ pair exchange ^1 4 KB; transpose 2x2; 2 x pair exchange ^1 8 B ]; "
		 "pair exchange ^1 4 KB; transpose 2x2; pair exchange ^1 8 B; pair exchange ^1 16 B ]", 15},
		{"sample-traces/lu.S.4.clog2", "49 x [ sweep from 0; sweep from 3; halo 2x2 ]", 49},
		{"sample-traces/is.S.4.clog2", "11 x [ allreduce; 2 x all-to-all ]", 11},
		{"sample-traces/syncclk.4.clog2", "200 x ring shift by 1", 200},
		{"sample-traces/lammps-before.2.clog2.xz", "47 x [ allreduce; 44 x pair exchange ^1 ]", 47},
		{"t/traces/sweep3d.50.6.clog2.xz", "12 x [ sweep from 5; sweep from 1; sweep from 4; sweep from 0; 2 x allreduce ]", 12},
	};

	for (size_t i = 0; i < sizeof each / sizeof *each; i++) {
		struct structure *s;
		struct analysis *a;
		struct trace *t;
		struct err e = {0};
		double sum = 0;

		trace_load(&t, &each[i].path, 1, NULL, NULL, &e);
		if (!t)
			bail_out("%s", e.text);
		s = structure_of(&a, t, ANALYSIS_PATTERNS);
		is_main(s, each[i].iterations, true, each[i].loop, each[i].path);
		ok(is_drawn(&s->main, a->phases->occurrence_count), "%s: iterations follow one another", each[i].path);
		for (uint32_t k = 0; k < s->main.iterations; k++)
			sum += s->main.seconds[k];
		is_double(sum / a->figures->aet, s->main.share, 1e-12, "%s: its share is that of their times", each[i].path);
		structure_free(s);
		analysis_unref(a);
		trace_free(t);
	}
}

/* --- programs --- */

enum { RANKS = 4 };

static void all(struct gen *g, const char *op)
{
	gen_event first = 0;

	for (uint32_t p = 0; p < RANKS; p++) {
		gen_event e = gen_collective(g, p, op, 0, 8);

		if (p)
			gen_relate(g, first, e);
		else
			first = e;
		gen_spend(g, p, 1e-3);
	}
}

static void ring(struct gen *g, uint64_t size)
{
	for (uint32_t p = 0; p < RANKS; p++)
		gen_send(g, p, (p + 1) % RANKS, size);
	for (uint32_t p = 0; p < RANKS; p++) {
		gen_receive(g, p, (p + RANKS - 1) % RANKS, size);
		gen_spend(g, p, 1e-3);
	}
}

/* What does not repeat: each time another operation. */
static void once(struct gen *g, uint32_t times)
{
	static const char *const ops[] = {"Bcast", "Reduce", "Scan", "Gather", "Scatter", "Allgather", "Alltoall", "Barrier", "Exscan", "Gatherv",
					  "Scatterv", "Allgatherv"};

	if (times > sizeof ops / sizeof *ops)
		bail_out("not so many operations");
	for (uint32_t i = 0; i < times; i++)
		all(g, ops[i]);
}

static struct trace *looping(uint32_t times, uint32_t before)
{
	struct gen *g = gen_new(RANKS);

	once(g, before);
	for (uint32_t i = 0; i < times; i++) {
		all(g, "Allreduce");
		ring(g, 1000);
	}
	return gen_trace(g);
}

static void is_program(struct trace *t, uint32_t iterations, bool of_reading, const char *expected, const char *what)
{
	struct analysis *a;
	struct structure *s = structure_of(&a, t, ANALYSIS_PATTERNS);

	is_main(s, iterations, of_reading, expected, what);
	ok(is_drawn(&s->main, a->phases->occurrence_count), "%s: iterations follow one another", what);
	structure_free(s);
	analysis_unref(a);
	trace_free(t);
}

static void programs(void)
{
	struct gen *g;

	is_program(looping(5, 3), 5, true, "5 x [ allreduce; ring shift by 1 ]", "five times");
	is_program(looping(4, 3), 0, true, "", "four times");
	is_program(looping(5, 10), 5, true, "5 x [ allreduce; ring shift by 1 ]", "half of the run");
	is_program(looping(5, 11), 5, false, "5*2", "less than half: the exact structure");
	/* Twice the same loop: its places count together. */
	g = gen_new(RANKS);
	for (uint32_t i = 0; i < 12; i++) {
		if (i == 6)
			once(g, 1);
		all(g, "Allreduce");
		ring(g, 1000);
	}
	is_program(gen_trace(g), 12, true, "6 x [ allreduce; ring shift by 1 ]", "two places");
	/* An outer loop that goes round three times. */
	g = gen_new(RANKS);
	for (uint32_t i = 0; i < 3; i++) {
		all(g, "Barrier");
		for (uint32_t k = 0; k < 7; k++) {
			all(g, "Allreduce");
			ring(g, 1000);
		}
	}
	is_program(gen_trace(g), 21, true, "7 x [ allreduce; ring shift by 1 ]", "the outer one goes round too seldom");
	/* Both go round often enough. */
	g = gen_new(RANKS);
	for (uint32_t i = 0; i < 6; i++) {
		all(g, "Barrier");
		for (uint32_t k = 0; k < 7; k++)
			ring(g, 1000);
	}
	is_program(gen_trace(g), 6, true, "6 x [ barrier; 7 x ring shift by 1 ]", "the outer one");
	g = gen_new(RANKS);
	once(g, 2);
	for (uint32_t k = 0; k < 9; k++)
		ring(g, 1000);
	is_program(gen_trace(g), 9, true, "9 x ring shift by 1", "a single pattern");
	/* Ten rings, then five times two collectives: as many events. */
	g = gen_new(RANKS);
	for (uint32_t k = 0; k < 10; k++)
		ring(g, 1000);
	for (uint32_t k = 0; k < 5; k++) {
		all(g, "Barrier");
		all(g, "Bcast");
	}
	is_program(gen_trace(g), 5, true, "5 x [ barrier; broadcast ]", "of two halves the one that is more than a single pattern");
}

/* --- on phases --- */

struct drawing {
	struct trace *trace;
	struct logical *logical;
	struct patterns *patterns;
	struct occurrence *occurrences;
	struct phases phases;
};

/* Twenty times a collective and a ring shift: three ticks each. */
static void drawing_begin(struct drawing *d)
{
	struct err e = {0};

	*d = (struct drawing){.trace = looping(20, 0)};
	if (logical_new(&d->logical, d->trace, ORDER_PAS2P, COLLECTIVES_EVENTS, NULL, &e) || patterns_new(&d->patterns, d->trace, NULL, &e))
		bail_out("%s", e.text);
	is_int(d->logical->tick_count, 60, "three ticks in an iteration");
	d->occurrences = calloc(d->logical->tick_count, sizeof *d->occurrences);
	if (!d->occurrences)
		bail_out("no memory");
	d->phases.occurrences = d->occurrences;
}

static void drawing_end(struct drawing *d)
{
	free(d->occurrences);
	patterns_free(d->patterns);
	logical_unref(d->logical);
	trace_free(d->trace);
}

/* Occurrences that begin at these ticks. */
static void drawing_cut(struct drawing *d, const uint32_t *ticks, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++)
		d->occurrences[i] = (struct occurrence){1, ticks[i], i + 1 < count ? ticks[i + 1] - 1 : d->logical->tick_count - 1};
	d->phases.occurrence_count = count;
}

static enum err_code drawing_read(const struct drawing *d, struct main_loop *m, struct err *e)
{
	*m = (struct main_loop){0};
	return main_loop_read(m, &(struct main_loop_run){.patterns = d->patterns, .logical = d->logical, .phases = &d->phases}, NULL, e);
}

static bool begins_where_cut(const struct main_loop *m, uint32_t each)
{
	for (uint32_t i = 0; i < m->iterations; i++)
		if (m->from[i] != each * i || m->to[i] != each * (i + 1))
			return false;
	return m->iterations == 20;
}

static void on_phases(void)
{
	struct drawing d;
	struct main_loop m;
	struct err e = {0};
	uint32_t ticks[60], n;
	long at = 0, reached = 1;
	bool well = true;

	drawing_begin(&d);
	for (uint32_t i = 0; i < 60; i++)
		ticks[i] = i;
	drawing_cut(&d, ticks, 60);
	ok(!drawing_read(&d, &m, &e) && m.iterations == 20 && m.from[3] == 9 && m.to[2] == 9 && m.to[19] == 60,
	   "an occurrence for each tick");
	main_loop_release(&m);
	for (uint32_t i = 0; i < 20; i++)
		ticks[i] = 3 * i;
	drawing_cut(&d, ticks, 20);
	ok(!drawing_read(&d, &m, &e) && begins_where_cut(&m, 1), "an occurrence for each iteration");
	main_loop_release(&m);
	/* Borders in the middle of iterations: each begins in the occurrence that holds its first event. */
	for (uint32_t i = 0; i < 20; i++)
		ticks[i] = i ? 3 * i - 1 : 0;
	drawing_cut(&d, ticks, 20);
	ok(!drawing_read(&d, &m, &e) && begins_where_cut(&m, 1), "occurrences that begin a tick before");
	main_loop_release(&m);
	/* Two begin in one occurrence, the next has two. */
	n = 0;
	for (uint32_t i = 0; i < 20; i++)
		if (i != 7)
			ticks[n++] = 3 * i;
		else
			ticks[n++] = 3 * i + 1;
	drawing_cut(&d, ticks, n);
	ok(!drawing_read(&d, &m, &e) && begins_where_cut(&m, 1) && is_drawn(&m, n), "one of twenty begins an occurrence late");
	main_loop_release(&m);
	ticks[12]++;
	drawing_cut(&d, ticks, n);
	ok(!drawing_read(&d, &m, &e) && !m.iterations, "two of twenty are too many");
	main_loop_release(&m);
	for (uint32_t i = 0; i < 10; i++)
		ticks[i] = 6 * i;
	drawing_cut(&d, ticks, 10);
	ok(!drawing_read(&d, &m, &e) && !m.iterations, "occurrences of two iterations");
	main_loop_release(&m);
	drawing_cut(&d, ticks, 1);
	ok(!drawing_read(&d, &m, &e) && !m.iterations, "a single occurrence");
	main_loop_release(&m);
	for (uint32_t i = 0; i < 20; i++)
		ticks[i] = 3 * i;
	drawing_cut(&d, ticks, 20);
	for (; reached; at++) {
		enum err_code code;

		mem_fail_once(at);
		code = drawing_read(&d, &m, &e);
		reached = mem_count() > at;
		well = well && (code ? code == ERR_MEMORY && !m.iterations : m.iterations == 20);
		main_loop_release(&m);
		well = well && mem_live() == 0;
		mem_fail_after(-1);
	}
	ok(well && at > 8, "each of %ld allocations may fail", at - 1);
	drawing_end(&d);
}

int main(void)
{
	benchmarks();
	programs();
	on_phases();
	return done_testing();
}
