/* A trace with its times put right: what was promised of the new times must hold of every trace, or conclusions are
 * drawn from what never was. Shown on the page's vectors, against a second implementation that was written from the
 * page, and as properties of random runs by random clocks.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "clock_case.h"
#include "core/method/analysis/analysis.h"
#include "core/base/mem.h"
#include "core/clocks/correct/correct_int.h"
#include "core/formats/api/load.h"
#include "gen.h"
#include "gen_run.h"
#include "gen_script.h"
#include "tap.h"

#define SLACK 1e-9 /* s: what sums may differ by */

static struct err err;
static bool unwritten;

static void must(enum err_code code)
{
	if (code)
		bail_out("%s", err.text);
}

static struct clock_correction *correct(const struct clock_case *c, enum clock_method method, double amortise)
{
	struct clock_correction *out;

	must(clock_correction_new(&out, &c->points, c->bounds, &(struct clock_correct_options){method, amortise}, NULL, &err));
	return out;
}

static struct clock_correct_figures write_corrected(const char *from, const char *to, enum clock_method method, double amortise)
{
	struct clock_case c = clock_case_open(from, 0);
	struct clock_correct_figures f;

	must(clock_correct_file(to, &f, &c.points, c.bounds, &(struct clock_correct_options){method, amortise}, &unwritten, NULL, &err));
	clock_case_close(&c);
	return f;
}

/* ---- the page's vectors ---- */

static void times_are(const struct clock_correction *c, uint32_t process, const char *expected, const char *name)
{
	char text[256];
	size_t n = 0;

	for (size_t i = c->first[process]; i < c->first[process + 1]; i++)
		n += (size_t)snprintf(text + n, sizeof text - n, "%s%.4f", n ? " " : "", c->time[i]);
	is_str(text, expected, "%s", name);
}

static struct clock_case vector(struct gen_script *g)
{
	clock_case_write("vector.clog2", gen_script_bytes(g));
	return clock_case_open("vector.clog2", 0);
}

static void vectors(void)
{
	struct gen_script *g = gen_script_new(2, &(struct gen_script_options){0});
	static const double at[] = {0, .5, .9};
	struct clock_correction *c;
	struct clock_case x;

	for (size_t i = 0; i < 3; i++)
		script_solo(g, 1, at[i]);
	script_received(g, 1, .99, 0, 0, 8);
	script_sent(g, 0, 1, 1, 0, 8);
	script_solo(g, 1, 1.2);
	script_solo(g, 1, 3);
	x = vector(g);
	c = correct(&x, CLOCK_CLC, .01);
	times_are(c, 1, "0.0001 0.5051 0.9091 1.0000 1.2079 3.0000", "G");
	times_are(c, 0, "1.0000", "G, the sender stays");
	is_u64(c->figures.abrupt, 0, "G, nothing abrupt");
	is_double(c->figures.largest, .01, SLACK, "G, largest");
	is_u64(c->figures.violations, 1, "G, one violation");
	is_u64(c->figures.steps, TRACE_CLOCKS_CLC, "G, the controlled logical clock alone");
	is_u64(c->figures.moved, 5, "G, moved");
	clock_correction_free(c);
	clock_case_close(&x);

	g = gen_script_new(2, &(struct gen_script_options){0});
	script_solo(g, 1, 0);
	script_solo(g, 1, .5);
	script_sent(g, 1, .9, 0, 0, 8);
	script_received(g, 0, .905, 1, 0, 8);
	script_received(g, 1, .99, 0, 0, 8);
	script_sent(g, 0, 1, 1, 0, 8);
	script_solo(g, 1, 1.2);
	script_solo(g, 1, 3);
	x = vector(g);
	c = correct(&x, CLOCK_CLC, .01);
	times_are(c, 1, "0.0000 0.5010 0.9050 1.0000 1.2079 3.0000", "H");
	is_u64(c->figures.abrupt, 1, "H, one abrupt interval");
	is_double(c->figures.abrupt_worst, .0041, SLACK, "H, by so much");
	clock_correction_free(c);
	clock_case_close(&x);

	g = gen_script_new(2, &(struct gen_script_options){0});
	script_enter(g, 1, .9, "MPI_Send");
	script_sent(g, 1, .9, 0, 0, 8);
	script_leave(g, 1, .9, "MPI_Send");
	script_received(g, 0, .905, 1, 0, 8);
	script_received(g, 1, .99, 0, 0, 8);
	script_sent(g, 0, 1, 1, 0, 8);
	x = vector(g);
	c = correct(&x, CLOCK_CLC, .01);
	times_are(c, 1, "0.9050 0.9050 0.9091 1.0000", "H, the call's end behind the send");
	clock_correction_free(c);
	clock_case_close(&x);

	g = gen_script_new(3, &(struct gen_script_options){0});
	script_enter(g, 0, 1.0, "MPI_Barrier");
	script_enter(g, 1, 1.2, "MPI_Barrier");
	script_leave(g, 1, 1.3, "MPI_Barrier");
	script_enter(g, 2, 1.45, "MPI_Barrier");
	script_leave(g, 0, 1.5, "MPI_Barrier");
	script_leave(g, 2, 1.6, "MPI_Barrier");
	x = vector(g);
	is_u64(clock_case_violations(&x), 1, "I, one violation");
	c = correct(&x, CLOCK_CLC, .01);
	times_are(c, 0, "1.0000 1.5000", "I, the first stays");
	times_are(c, 1, "1.3490 1.4500", "I, the one that left too early");
	times_are(c, 2, "1.4500 1.6000", "I, the last stays");
	clock_correction_free(c);
	clock_case_close(&x);
}

/* ---- the page once more, as it reads: what is wanted is raised until nothing changes ---- */

struct naive {
	const struct clock_case *c;
	struct clock_records r;
	double *s, *t;          /* given, and what becomes of it */
	size_t n;
	double amortise;
	bool settled;
};

static size_t where(const struct naive *x, uint32_t event)
{
	const struct trace *t = x->c->trace;
	const struct clock_times *times = x->c->times;
	size_t first = x->r.first[trace_process_of(t, event)];

	for (uint32_t i = 0; i < times->sent_count; i++)
		if (times->sent[i].event == event)
			return first + times->sent[i].record;
	return first + clock_records_of_event(&x->r, trace_process_of(t, event), event);
}

/* The end of a collective that holds its members; SIZE_MAX: it is none such. */
static size_t end_of(const struct naive *x, uint32_t event)
{
	const struct trace *t = x->c->trace;
	const struct clock_times *times = x->c->times;

	for (uint32_t i = 0; i < times->held_count; i++)
		if (times->held[i].event == event && x->c->points.first_member[i] != NO_MEMBERS &&
		    !(x->c->points.barriers && strcmp(t->colls[EVENT_INDEX(t->type[event])].op, "Barrier") != 0))
			return x->r.first[trace_process_of(t, event)] + times->held[i].record;
	return SIZE_MAX;
}

static void raise_to(struct naive *x, size_t i, double to)
{
	if (to > x->t[i] + SLACK / 1e3) {
		x->t[i] = to;
		x->settled = false;
	}
}

static void raise_forward(struct naive *x)
{
	const struct trace *t = x->c->trace;

	for (uint32_t p = 0; p < t->process_count; p++)
		for (size_t i = x->r.first[p] + 1; i < x->r.first[p + 1]; i++)
			raise_to(x, i, x->t[i - 1] + (1 - x->amortise) * (x->s[i] - x->s[i - 1]));
	for (uint32_t e = 0; e < t->event_count; e++) {
		if (EVENT_KIND(t->type[e]) == EVENT_RECEIVE && t->match[e] != NO_EVENT)
			raise_to(x, where(x, e), x->t[where(x, t->match[e])] + x->c->points.latency);
		if (EVENT_KIND(t->type[e]) == EVENT_COLLECTIVE && end_of(x, e) != SIZE_MAX)
			for (uint32_t other = t->match[e]; other != e; other = t->match[other])
				raise_to(x, end_of(x, e), x->t[where(x, other)] + x->c->points.latency);
	}
}

static void raise_backward(struct naive *x)
{
	const struct trace *t = x->c->trace;
	double *limit = malloc(x->n * sizeof *limit);

	for (size_t i = 0; i < x->n; i++)
		limit[i] = INFINITY;
	for (uint32_t e = 0; e < t->event_count; e++) {
		if (EVENT_KIND(t->type[e]) == EVENT_SEND && t->match[e] != NO_EVENT)
			limit[where(x, e)] = fmin(limit[where(x, e)], x->t[where(x, t->match[e])] - x->c->points.latency);
		if (EVENT_KIND(t->type[e]) == EVENT_COLLECTIVE && end_of(x, e) != SIZE_MAX)
			for (uint32_t other = t->match[e]; other != e; other = t->match[other])
				limit[where(x, e)] = fmin(limit[where(x, e)], x->t[end_of(x, other)] - x->c->points.latency);
	}
	for (uint32_t p = 0; p < t->process_count; p++)
		for (size_t i = x->r.first[p + 1]; i-- > x->r.first[p] + 1;)
			raise_to(x, i - 1, fmin(limit[i - 1], x->t[i] - (1 + x->amortise) * (x->s[i] - x->s[i - 1])));
	free(limit);
}

/* All records by the page; NULL if it never settles: there is a cycle. */
static double *naive_times(const struct clock_case *c, const double *given, double amortise)
{
	struct naive x = {.c = c, .amortise = amortise};
	uint32_t rounds = 0;

	must(clock_records_read(&x.r, c->trace, NULL, &err));
	x.n = x.r.first[c->trace->process_count];
	x.s = malloc((x.n + 1) * sizeof *x.s);
	x.t = malloc((x.n + 1) * sizeof *x.t);
	memcpy(x.s, given, x.n * sizeof *x.s);
	for (uint32_t p = 0; p < c->trace->process_count; p++)
		for (size_t i = x.r.first[p] + 1; i < x.r.first[p + 1]; i++)
			x.s[i] = fmax(x.s[i], x.s[i - 1]);
	memcpy(x.t, x.s, x.n * sizeof *x.t);
	for (bool back = false; rounds < 2 * x.n + 10; rounds++) {
		x.settled = true;
		if (back)
			raise_backward(&x);
		else
			raise_forward(&x);
		if (x.settled && back)
			break;
		back = back || x.settled;
	}
	free(x.s);
	clock_records_release(&x.r);
	if (!x.settled) {
		free(x.t);
		return NULL;
	}
	return x.t;
}

/* ---- random runs ---- */

static struct clock_case random_case(uint64_t seed, bool messy, double scale)
{
	const struct gen_script_options o = {.threads = 2};

	clock_case_write("true.clog2", gen_script_random(seed, messy ? GEN_SCRIPT_MESSY : GEN_SCRIPT_TIDY, &o));
	clock_case_skew("true.clog2", "skewed.clog2", seed * 77, scale);
	return clock_case_open("skewed.clog2", 0);
}

static void against_naive(void)
{
	uint32_t compared = 0, same = 0, cycles = 0;

	for (uint64_t seed = 1; seed <= 80; seed++) {
		struct clock_case c = random_case(seed, seed % 3 == 0, seed % 2 ? .05 : 2);
		double amortise = seed % 4 ? .01 : .2;
		struct clock_correction *got = correct(&c, CLOCK_CLC, amortise);
		struct clock_records r;
		double *wanted, *recorded;
		bool differs = false;

		must(clock_records_read(&r, c.trace, NULL, &err));
		if (got->figures.broken || !got->figures.steps) {
			cycles += got->figures.broken > 0;
		} else {
			recorded = malloc((r.first[c.trace->process_count] + 1) * sizeof *recorded);
			clock_records_copy(recorded, &r);
			wanted = naive_times(&c, recorded, amortise);
			free(recorded);
			compared++;
			for (size_t i = 0; wanted && i < r.first[c.trace->process_count]; i++)
				if (!(fabs(wanted[i] - got->time[i]) < SLACK) && !differs) {
					differs = true;
					diag("seed %llu, record %zu: %.9f, by the page %.9f", (unsigned long long)seed, i, got->time[i],
					     wanted[i]);
				}
			same += wanted && !differs;
			free(wanted);
		}
		clock_records_release(&r);
		clock_correction_free(got);
		clock_case_close(&c);
	}
	ok(compared >= 40, "%u random runs have something to put right, %u a cycle", compared, cycles);
	is_u64(same, compared, "all as the page says");
}

/* What section 4 promises; linear: the times before the second step. */
static void promises(const struct clock_case *c, const struct clock_correction *got, const struct clock_correction *linear, double amortise,
		     const char *name)
{
	uint64_t shrunk = 0, stretched = 0, early = 0, swapped = 0;
	double worst = 0;

	for (uint32_t p = 0; p < c->trace->process_count; p++) {
		double before = -INFINITY;

		for (size_t i = got->first[p]; i < got->first[p + 1]; i++) {
			double now = fmax(linear->time[i], before);

			early += got->time[i] < now;
			if (i > got->first[p]) {
				double was = now - before, is = got->time[i] - got->time[i - 1];

				swapped += is < 0;
				shrunk += is < (1 - amortise) * was - SLACK;
				if (is > (1 + amortise) * was + SLACK) {
					stretched++;
					worst = fmax(worst, is - (1 + amortise) * was);
				}
			}
			before = now;
		}
	}
	if (!swapped && !shrunk && !early && stretched <= got->figures.abrupt && worst <= got->figures.abrupt_worst + SLACK)
		return;
	ok(false, "%s: %llu out of order, %llu too short, %llu before linear, %llu too long (said %llu; worst %g, said %g)", name,
	   (unsigned long long)swapped, (unsigned long long)shrunk, (unsigned long long)early, (unsigned long long)stretched,
	   (unsigned long long)got->figures.abrupt, worst, got->figures.abrupt_worst);
}

static bool same_bytes(const char *a, const char *b)
{
	struct gen_bytes x = gen_slurp(a), y = gen_slurp(b);
	bool same = x.size == y.size && !memcmp(x.bytes, y.bytes, x.size);

	free(x.bytes);
	free(y.bytes);
	return same;
}

static bool same_phases(const struct analysis *a, const struct analysis *b)
{
	const struct phases *x = a->phases, *y = b->phases;

	if (x->count != y->count || x->occurrence_count != y->occurrence_count)
		return false;
	for (uint32_t i = 0; i < x->occurrence_count; i++)
		if (x->occurrences[i].phase != y->occurrences[i].phase || x->occurrences[i].first != y->occurrences[i].first ||
		    x->occurrences[i].last != y->occurrences[i].last)
			return false;
	for (uint32_t i = 0; i < x->count; i++) {
		struct phase_points p, q;
		bool same = x->list[i].weight == y->list[i].weight;

		must(phase_points_init(&p, a->clockwork, x, i + 1, &a->settings, &err));
		must(phase_points_init(&q, b->clockwork, y, i + 1, &b->settings, &err));
		same = same && !memcmp(p.entry, q.entry, a->source->process_count * sizeof *p.entry);
		phase_points_release(&p);
		phase_points_release(&q);
		if (!same)
			return false;
	}
	return true;
}

/* Logical times, ticks, phases of both; and events but their times. */
static bool same_method(const struct trace *a, const struct trace *b)
{
	struct settings s;
	struct analysis *x, *y;
	bool same = a->event_count == b->event_count && a->process_count == b->process_count;

	if (!same)
		return false;
	same = !memcmp(a->type, b->type, a->event_count * sizeof *a->type) &&
	       !memcmp(a->size_code, b->size_code, a->event_count * sizeof *a->size_code) &&
	       !memcmp(a->match, b->match, a->event_count * sizeof *a->match);
	settings_init(&s);
	s.representative = REPRESENTATIVE_FIRST;
	must(analysis_new(&x, a, &s, NULL, ANALYSIS_PHASES, NULL, &err));
	must(analysis_new(&y, b, &s, NULL, ANALYSIS_PHASES, NULL, &err));
	same = same && !memcmp(x->logical->tick, y->logical->tick, a->event_count * sizeof *x->logical->tick);
	for (uint32_t e = 0; same && e < a->event_count; e++)
		same = logical_lt(x->logical, e) == logical_lt(y->logical, e);
	same = same && same_phases(x, y);
	analysis_unref(x);
	analysis_unref(y);
	return same;
}

/* A trace by its clocks, whatever they are: corrected, read again, corrected again. */
static void properties(const char *path, double amortise, bool cycles, bool method, const char *name)
{
	struct clock_case c = clock_case_open(path, 0), after;
	struct clock_correction *both = correct(&c, CLOCK_AUTO, amortise), *linear = NULL;
	struct clock_correct_figures f = write_corrected(path, "out.clog2", CLOCK_AUTO, amortise), again;
	struct clock_points points;

	is_u64(f.violations, clock_case_violations(&c), "%s: violations as counted", name);
	if (both->figures.steps & TRACE_CLOCKS_CLC) {
		linear = correct(&c, CLOCK_LINEAR, amortise);
		if (!(both->figures.steps & TRACE_CLOCKS_LINEAR)) {
			struct clock_records r;

			must(clock_records_read(&r, c.trace, NULL, &err));
			clock_records_copy(linear->time, &r);
			clock_records_release(&r);
		}
		promises(&c, both, linear, amortise, name);
	}
	after = clock_case_open("out.clog2", 0);
	is_u64(after.trace->clocks, f.steps, "%s: the file says how (%s)", name, trace_clocks_name(f.steps));
	is_u64(after.trace->record_count, c.trace->record_count + (f.steps != 0), "%s: the same records", name);
	if (method)
		ok(same_method(c.trace, after.trace), "%s: logical times, ticks and phases are the same", name);
	/* With those collectives that were trusted. */
	clock_points_release(&after.points);
	must(clock_points_init(&points, after.times, 0, c.bounds->barriers, &err));
	after.points = points;
	if (!f.broken && !cycles)
		is_u64(clock_case_violations(&after), 0, "%s: no violation is left of %llu, linear %llu, moved %llu by %g", name,
		       (unsigned long long)f.violations, (unsigned long long)f.violations_after_linear, (unsigned long long)f.moved,
		       f.largest);
	must(clock_correct_file("again.clog2", &again, &after.points, c.bounds, &(struct clock_correct_options){CLOCK_AUTO, amortise}, &unwritten, NULL,
				&err));
	if (!f.broken)
		ok(!again.steps && !again.moved && same_bytes("out.clog2", "again.clog2"), "%s: correcting again changes nothing", name);
	clock_case_close(&after);
	clock_correction_free(both);
	clock_correction_free(linear);
	clock_case_close(&c);
}

static void random_properties(void)
{
	char name[40];

	for (uint64_t seed = 100; seed < 130; seed++) {
		struct clock_case c = random_case(seed, seed % 4 == 3, seed % 5 == 0 ? 1000 : seed % 5 == 1 ? 1e-3 : 1);

		clock_case_close(&c);
		snprintf(name, sizeof name, "run %llu", (unsigned long long)seed);
		properties("skewed.clog2", seed % 2 ? .01 : .05, seed % 4 == 3, true, name);
	}
}

int main(void)
{
	char folder[] = "/tmp/pas2p-correct-XXXXXX";

	if (!mkdtemp(folder) || chdir(folder))
		bail_out("no folder for the test");
	vectors();
	against_naive();
	random_properties();
	for (size_t i = 0; i < 6; i++) {
		static const char *const names[] = {"vector.clog2", "true.clog2", "skewed.clog2", "out.clog2", "again.clog2", "x.clog2"};

		unlink(names[i]);
	}
	rmdir(folder);
	return done_testing();
}
