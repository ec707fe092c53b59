/* Bounds of clocks on random traces whose clocks are known: the truth is within them, whatever the skew; they are as
 * wide whatever the skew; a message more never widens them; and they are never tighter, and hardly wider, than the
 * linear programme over all processes at once. Who believes a bound that the truth is not within draws wrong
 * conclusions, with confidence. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/mem.h"
#include "core/clocks/bounds/bounds.h"
#include "gen.h"
#include "tap.h"

#define MOST_PROCESSES 6
#define MOST_MESSAGES 400
#define LENGTH 100.0 /* s */

static uint64_t state = 40;

static double uniform(double from, double to)
{
	return from + (to - from) * (gen_below(&state, 1u << 30) / (double)(1u << 30));
}

/* ---- clocks that are known ---- */

/* Process p shows t + offset + rate * t + (t > `when`: step + slew * (t - when)) at the true time t. */
struct true_clock {
	double offset, rate, when, step, slew;
};

static double shown(const struct true_clock *c, double t)
{
	return t + c->offset + c->rate * t + (t > c->when ? c->step + c->slew * (t - c->when) : 0);
}

/* What must be added to p's clock when the reference, process 0, shows T: its clock is the true one. */
static double true_offset(const struct true_clock *c, double T)
{
	return T - shown(c, T);
}

/* ---- traces ---- */

struct sent {
	uint32_t from, to;
	double at, arrives; /* true times */
};

struct run {
	uint32_t processes, messages;
	double latency;          /* that is known; messages take more */
	struct sent sent[MOST_MESSAGES];
	struct true_clock clock[MOST_PROCESSES];
};

struct moment {
	double time;
	uint32_t message;
	bool send;
};

static int by_time(const void *a, const void *b)
{
	const struct moment *x = a, *y = b;

	return x->time < y->time ? -1 : x->time > y->time;
}

/* With one message less, if `without` is one: its records are then such without an event. */
static struct trace *make(const struct run *r, uint32_t without)
{
	uint32_t n[MOST_PROCESSES] = {0}, send_of[MOST_MESSAGES], next[MOST_PROCESSES];
	struct moment moments[2 * MOST_MESSAGES];
	struct trace *t;
	struct err e;
	uint32_t count = 0;

	for (uint32_t m = 0; m < r->messages; m++) {
		moments[count++] = (struct moment){r->sent[m].at, m, true};
		moments[count++] = (struct moment){r->sent[m].arrives, m, false};
		if (m != without) {
			n[r->sent[m].from]++;
			n[r->sent[m].to]++;
		}
	}
	qsort(moments, count, sizeof *moments, by_time);
	if (trace_new(&t, r->processes, n, &e))
		bail_out("%s", e.text);
	for (uint32_t p = 0; p < r->processes; p++) {
		next[p] = t->first[p];
		t->processes[p].start = shown(&r->clock[p], 0);
		t->processes[p].end = shown(&r->clock[p], LENGTH);
		t->processes[p].records = n[p] + 2;
		t->start = fmin(t->start, t->processes[p].start);
		t->end = fmax(t->end, t->processes[p].end);
	}
	for (uint32_t i = 0; i < count; i++) {
		const struct sent *s = &r->sent[moments[i].message];
		uint32_t here = moments[i].send ? s->from : s->to, there = moments[i].send ? s->to : s->from, event;

		if (moments[i].message == without)
			continue;
		event = next[here]++;
		t->time[event] = shown(&r->clock[here], moments[i].time);
		t->type[event] = (moments[i].send ? EVENT_SEND : EVENT_RECEIVE) | (there + 1);
		if (moments[i].send) {
			send_of[moments[i].message] = event;
		} else {
			t->match[event] = send_of[moments[i].message];
			t->match[t->match[event]] = event;
		}
	}
	return t;
}

/* Along a ring and some chords, both ways, so that all are connected. */
static void random_messages(struct run *r, uint32_t processes, uint32_t messages)
{
	r->processes = processes;
	r->messages = messages;
	for (uint32_t m = 0; m < messages; m++) {
		struct sent *s = &r->sent[m];
		uint32_t next = gen_below(&state, 4) ? 1 : 1 + gen_below(&state, processes - 1);

		s->from = gen_below(&state, processes);
		s->to = (s->from + next) % processes;
		if (gen_below(&state, 2)) {
			uint32_t from = s->from;

			s->from = s->to;
			s->to = from;
		}
		s->at = uniform(0, LENGTH - 1e-3);
		s->arrives = s->at + 5e-6 + uniform(0, 1) * uniform(0, 1) * 60e-6;
	}
}

static void random_clocks(struct run *r, double offset, double rate)
{
	for (uint32_t p = 0; p < r->processes; p++)
		r->clock[p] = p ? (struct true_clock){uniform(-offset, offset), uniform(-rate, rate), INFINITY, 0, 0}
				: (struct true_clock){.when = INFINITY};
}

static struct clock_bounds *solve_on(const struct run *r, uint32_t without, uint32_t windows, unsigned threads)
{
	struct trace *t = make(r, without);
	const struct clock_times times = {.trace = t};
	const struct clock_options o = {.windows = windows, .latency = r->latency};
	struct clock_bounds *b = NULL;
	struct err e;

	t->threads = threads;
	if (clock_bounds_new(&b, &times, &o, NULL, &e))
		bail_out("%s", e.text);
	trace_free(t);
	return b;
}

static struct clock_bounds *solve(const struct run *r, uint32_t without, uint32_t windows)
{
	return solve_on(r, without, windows, 1);
}

static double width(const struct clock_bounds *b, uint32_t p, uint32_t k)
{
	return b->high[p * b->borders + k] - b->low[p * b->borders + k];
}

/* Stamps of 1000 s are good to 1e-13 s, sums of them a little less. */
#define ROUNDED 3e-9

static uint32_t outside(const struct run *r, const struct clock_bounds *b, uint32_t k)
{
	uint32_t bad = 0;

	for (uint32_t p = 0; p < r->processes; p++) {
		size_t at = (size_t)p * b->borders + k;
		double o = true_offset(&r->clock[p], b->at[k]);

		bad += !(b->low[at] <= o + ROUNDED && o <= b->high[at] + ROUNDED);
		bad += !(b->low[at] <= b->offset[at] + ROUNDED && b->offset[at] <= b->high[at] + ROUNDED);
	}
	return bad;
}

/* ---- properties ---- */

static void truth_and_skew(void)
{
	uint32_t bad = 0, uneven = 0, wider = 0, bounds = 0, several = 0, rates = 0;

	for (int round = 0; round < 150; round++) {
		static struct run r;
		struct clock_bounds *plain, *skewed, *less;
		uint32_t without;

		random_messages(&r, 2 + gen_below(&state, MOST_PROCESSES - 1), 60 + gen_below(&state, MOST_MESSAGES - 60));
		without = gen_below(&state, r.messages);
		r.latency = round % 3 ? 0 : 4e-6;
		random_clocks(&r, 0, 0);
		plain = solve(&r, UINT32_MAX, CLOCK_WINDOWS);
		bad += outside(&r, plain, 0) + outside(&r, plain, 1);
		random_clocks(&r, round % 2 ? 1000 : 1, 1e-4);
		skewed = solve(&r, UINT32_MAX, CLOCK_WINDOWS);
		less = solve(&r, without, CLOCK_WINDOWS);
		several += plain->windows > 1 || skewed->windows > 1 || less->windows > 1 || skewed->misfit > 0;
		for (uint32_t k = 0; k < 2 && skewed->windows == 1 && plain->windows == 1; k++) {
			bad += outside(&r, skewed, k);
			for (uint32_t p = 0; p < r.processes; p++) {
				double of = width(plain, p, k);

				bounds++;
				if (of < 1e-3) /* beyond, what holds them is the largest rate that a clock has, against the coarse map */
					uneven += fabs(width(skewed, p, k) - of) > .01 * of + ROUNDED;
				wider += less->windows == 1 && width(skewed, p, k) > width(less, p, k) * 1.0001 + ROUNDED;
			}
		}
		for (uint32_t p = 0; p < r.processes && skewed->windows == 1; p++) {
			double rate = (true_offset(&r.clock[p], skewed->end) - true_offset(&r.clock[p], skewed->start)) /
				      (skewed->end - skewed->start);

			rates += !(skewed->rate_low[p] <= rate + 1e-10 && rate <= skewed->rate_high[p] + 1e-10);
		}
		clock_bounds_free(plain);
		clock_bounds_free(skewed);
		clock_bounds_free(less);
	}
	is_u64(several, 0, "clocks that are lines need one");
	ok(!bad && bounds > 900, "the truth is within %u bounds, and so is the estimate: %u are not", bounds, bad);
	is_u64(rates, 0, "so it is within those of the rate");
	is_u64(uneven, 0, "bounds are as wide whatever the skew");
	is_u64(wider, 0, "one more message never widens them");
}

/* Around a ring nobody answers, but all are bound both ways; along a line all are bound on one side. */
static void one_direction(void)
{
	uint32_t bad = 0, half = 0, whole = 0, forced = 0;

	for (int round = 0; round < 100; round++) {
		static struct run r;
		struct clock_bounds *b;
		bool ring = round % 2;

		random_messages(&r, 3 + gen_below(&state, 4), MOST_MESSAGES);
		random_clocks(&r, 1000, 1e-4);
		for (uint32_t m = 0; m < r.messages; m++) {
			r.sent[m].from = gen_below(&state, r.processes - !ring);
			r.sent[m].to = (r.sent[m].from + 1) % r.processes;
			/* So fast that nothing hides what is rounded or left out. */
			r.sent[m].arrives = r.sent[m].at + 1e-8 + uniform(0, 1) * uniform(0, 1) * 2e-6;
		}
		b = solve(&r, UINT32_MAX, CLOCK_WINDOWS);
		forced += b->forced;
		for (uint32_t k = 0; k < b->borders; k++) {
			bad += outside(&r, b, k);
			for (uint32_t p = 1; p < r.processes; p++) {
				size_t at = (size_t)p * b->borders + k;

				half += isinf(b->high[at]) && isfinite(b->low[at]);
				whole += isfinite(b->high[at]) && isfinite(b->low[at]);
			}
		}
		clock_bounds_free(b);
	}
	ok(!bad && half > 200 && whole > 200 && !forced, "one direction only: the truth is within %u half bounds and %u whole ones: %u are not, %u forced",
	   half, whole, bad, forced);
}

static void latency(void)
{
	uint32_t bad = 0, wider = 0;

	for (int round = 0; round < 40; round++) {
		static struct run r;
		struct clock_bounds *b, *known;

		random_messages(&r, 4, MOST_MESSAGES);
		random_clocks(&r, 1000, 1e-4);
		r.latency = 0;
		b = solve(&r, UINT32_MAX, CLOCK_WINDOWS);
		r.latency = 5e-6;
		known = solve(&r, UINT32_MAX, CLOCK_WINDOWS);
		for (uint32_t k = 0; k < 2; k++) {
			bad += outside(&r, known, k);
			for (uint32_t p = 1; p < r.processes; p++)
				wider += !(width(known, p, k) < width(b, p, k) - 9e-6);
		}
		clock_bounds_free(b);
		clock_bounds_free(known);
	}
	is_u64(bad, 0, "a latency that messages do take keeps the truth within");
	is_u64(wider, 0, "and narrows bounds by it, both ways");
}

/* MPE may set a clock while the program runs: taken out, nothing is left of it. Stamps that are whole microseconds say
 * less. */
static void shifted_and_coarse(void)
{
	uint32_t differ = 0, bad = 0;

	for (int round = 0; round < 40; round++) {
		static struct run r;
		const struct clock_options o = {.windows = 1};
		double resolution[4] = {1e-6, 1e-6, 1e-6, 1e-6};
		struct clock_step steps[2];
		uint32_t first_step[5] = {0, 0, 0, 2, 2};
		struct clock_times times = {.steps = steps, .first_step = first_step};
		struct clock_bounds *plain, *b = NULL;
		struct trace *t;
		struct err e;

		random_messages(&r, 4, MOST_MESSAGES);
		for (uint32_t m = 0; m < r.messages; m++) /* so fast that what is rounded shows */
			r.sent[m].arrives = r.sent[m].at + 1e-8 + uniform(0, 1) * 1e-6;
		random_clocks(&r, 1, 1e-5);
		plain = solve(&r, UINT32_MAX, 1);
		t = make(&r, UINT32_MAX);
		times.trace = t;
		steps[0] = (struct clock_step){.event = t->first[2], .shift = .5};
		steps[1] = (struct clock_step){.event = t->first[2] + 20, .later = 2e-3, .shift = .5 + 2e-3};
		for (uint32_t event = steps[1].event; event < t->first[3]; event++)
			t->time[event] -= steps[1].later;
		if (clock_bounds_new(&b, &times, &o, NULL, &e))
			bail_out("%s", e.text);
		for (uint32_t i = 0; i < 8; i++)
			differ += fabs(b->low[i] - plain->low[i]) > 1e-9 || fabs(b->high[i] - plain->high[i]) > 1e-9 || b->forced;
		clock_bounds_free(b);
		for (uint32_t event = 0; event < t->event_count; event++) /* rounded down, as gettimeofday() does */
			t->time[event] = floor((t->time[event] + (event >= steps[1].event && event < t->first[3] ? 2e-3 : 0)) * 1e6) / 1e6;
		times = (struct clock_times){.trace = t, .resolution = resolution};
		if (clock_bounds_new(&b, &times, &o, NULL, &e))
			bail_out("%s", e.text);
		bad += outside(&r, b, 0) + outside(&r, b, 1);
		clock_bounds_free(b);
		clock_bounds_free(plain);
		trace_free(t);
	}
	is_u64(differ, 0, "what a clock was set by is taken out");
	is_u64(bad, 0, "with what stamps are rounded by the truth is within");
}

/* A clock that changes where two windows meet is a line in each. */
static void steps_and_slews(void)
{
	uint32_t bad = 0, split = 0, misfits = 0;

	for (int round = 0; round < 60; round++) {
		static struct run r;
		struct clock_bounds *b;
		struct true_clock *c;

		random_messages(&r, 2 + gen_below(&state, 3), MOST_MESSAGES);
		random_clocks(&r, 1000, 5e-5);
		/* The coarse map cannot tell on which side of a step it was what happened just there. */
		for (uint32_t m = 0; m < r.messages; m++) {
			double past = fmod(r.sent[m].at, LENGTH / 4), by = past < .1 ? .1 : past > LENGTH / 4 - .1 ? -.1 : 0;

			r.sent[m].at += by;
			r.sent[m].arrives += by;
		}
		c = &r.clock[1 + gen_below(&state, r.processes - 1)];
		c->when = LENGTH / (round % 2 ? 2 : 4);
		if (round % 3)
			c->step = uniform(5e-4, 5e-2);
		else
			c->slew = uniform(2e-5, 5e-5);
		b = solve(&r, UINT32_MAX, CLOCK_WINDOWS);
		split += b->windows == (round % 2 ? 2 : 4);
		misfits += b->misfit > 0;
		for (uint32_t k = 0; k < b->borders && !(b->misfit > 0); k++) {
			/* At a border each side has the clock of its side. */
			double when = c->when;

			if (fabs(b->at[k] - when) < 1e-6)
				c->when = k % 2 ? b->at[k] + 1e-6 : b->at[k] - 1e-6;
			bad += outside(&r, b, k);
			c->when = when;
		}
		clock_bounds_free(b);
	}
	ok(split > 50 && misfits < 5, "steps and slews: %u of 60 have the windows that they need, %u do not fit", split, misfits);
	is_u64(bad, 0, "and the truth is within the bounds of each window");
}

/* ---- against the linear programme over all processes ---- */

#define UNKNOWNS 4  /* offsets at start and end of processes 1 and 2 */
#define ROWS 128

/* Sum of a[i] * x[i] >= c */
struct inequality {
	double a[UNKNOWNS], c;
};

static bool intersect(const struct inequality *const *at, double x[UNKNOWNS])
{
	double m[UNKNOWNS][UNKNOWNS + 1];

	for (int i = 0; i < UNKNOWNS; i++) {
		memcpy(m[i], at[i]->a, sizeof at[i]->a);
		m[i][UNKNOWNS] = at[i]->c;
	}
	for (int i = 0; i < UNKNOWNS; i++) {
		int most = i;

		for (int j = i + 1; j < UNKNOWNS; j++)
			if (fabs(m[j][i]) > fabs(m[most][i]))
				most = j;
		if (fabs(m[most][i]) < 1e-9)
			return false;
		for (int k = 0; k <= UNKNOWNS; k++) {
			double v = m[i][k];

			m[i][k] = m[most][k];
			m[most][k] = v;
		}
		for (int j = 0; j < UNKNOWNS; j++)
			for (int k = UNKNOWNS; j != i && k >= i; k--)
				m[j][k] -= m[j][i] / m[i][i] * m[i][k];
	}
	for (int i = 0; i < UNKNOWNS; i++)
		x[i] = m[i][UNKNOWNS] / m[i][i];
	return true;
}

static void all_corners(const struct inequality *row, uint32_t n, double low[UNKNOWNS], double high[UNKNOWNS])
{
	for (int i = 0; i < UNKNOWNS; i++) {
		low[i] = INFINITY;
		high[i] = -INFINITY;
	}
	for (uint32_t a = 0; a < n; a++)
		for (uint32_t b = a + 1; b < n; b++)
			for (uint32_t c = b + 1; c < n; c++)
				for (uint32_t d = c + 1; d < n; d++) {
					const struct inequality *const at[] = {&row[a], &row[b], &row[c], &row[d]};
					double x[UNKNOWNS];
					bool holds = intersect(at, x);

					for (uint32_t i = 0; holds && i < n; i++)
						holds = i == a || i == b || i == c || i == d || row[i].a[0] * x[0] + row[i].a[1] * x[1] + row[i].a[2] * x[2] +
							row[i].a[3] * x[3] >= row[i].c - 1e-13;
					for (int i = 0; holds && i < UNKNOWNS; i++) {
						low[i] = fmin(low[i], x[i]);
						high[i] = fmax(high[i], x[i]);
					}
				}
}

/* o of q less o of p, q's at `at`, is at least y (sign 1), or at most. */
static struct inequality tell(uint32_t p, uint32_t q, double part, double y, double sign)
{
	struct inequality l = {{0}, sign * y};

	if (q) {
		l.a[2 * (q - 1)] += sign * (1 - part);
		l.a[2 * (q - 1) + 1] += sign * part;
	}
	if (p) {
		l.a[2 * (p - 1)] -= sign * (1 - part);
		l.a[2 * (p - 1) + 1] -= sign * part;
	}
	return l;
}

static const uint32_t directions[6][2] = {{0, 1}, {1, 0}, {1, 2}, {2, 1}, {0, 2}, {2, 0}};

/* What the messages of one direction say, less what others of them imply. */
static uint32_t corners_of(const struct run *r, int k, const struct clock_bounds *b, struct inequality *row)
{
	uint32_t from = directions[k][0], to = directions[k][1], p = from < to ? from : to, q = from < to ? to : from, n = 0;
	double sign = q == to ? 1 : -1;
	struct hull h = {0};

	for (uint32_t m = 0; m < r->messages; m++) {
		const struct sent *s = &r->sent[m];
		double sends = shown(&r->clock[from], s->at), receives = shown(&r->clock[to], s->arrives);

		if (s->from == from && s->to == to && !hull_add(&h, q == from ? s->at : s->arrives, sends - receives))
			bail_out("no memory");
	}
	hull_settle(&h);
	for (; n < h.count; n++)
		row[n] = tell(p, q, (h.point[n].x - b->start) / (b->end - b->start), sign * h.point[n].y, sign);
	hull_release(&h);
	return n;
}

static void programmes(void)
{
	uint32_t tighter = 0, wider = 0, compared = 0;
	double most = 0;

	for (int round = 0; round < 40; round++) {
		static struct run r;
		struct inequality row[ROWS];
		uint32_t n = 0;
		struct clock_bounds *b;
		double low[UNKNOWNS], high[UNKNOWNS];

		random_messages(&r, 3, 360);
		/* So little skew that stamps of all clocks are the same part of the run, to far below a bound. */
		random_clocks(&r, 1e-4, 1e-7);
		for (uint32_t m = 0; m < r.messages; m++) {
			/* All pairs alike; one that hardly talks; one pair above all. */
			uint32_t k = round % 3 == 0 || m % 40 == 0 ? gen_below(&state, 6)
				   : gen_below(&state, round % 3 == 1 ? 4 : 2) + (m % 5 == 0 ? 2 : 0);

			r.sent[m].from = directions[k][0];
			r.sent[m].to = directions[k][1];
		}
		b = solve(&r, UINT32_MAX, 1);
		for (int k = 0; k < 6; k++)
			n += corners_of(&r, k, b, row + n);
		for (uint32_t p = 0; p < 3; p++) /* the most that a rate may be */
			for (uint32_t q = p + 1; q < 3; q++)
				for (int sign = -1; sign <= 1; sign += 2) {
					struct inequality start = tell(p, q, 0, 0, -sign), end = tell(p, q, 1, 0, sign);

					row[n] = end;
					for (int i = 0; i < UNKNOWNS; i++)
						row[n].a[i] += start.a[i];
					row[n++].c = -CLOCK_RATE * (b->end - b->start);
				}
		all_corners(row, n, low, high);
		for (int i = 0; i < UNKNOWNS; i++) {
			size_t at = (size_t)(1 + i / 2) * b->borders + i % 2;
			double exact = high[i] - low[i], ours = b->high[at] - b->low[at];

			compared++;
			tighter += b->low[at] > low[i] + ROUNDED || b->high[at] < high[i] - ROUNDED;
			wider += ours > 1.15 * exact + ROUNDED;
			most = fmax(most, ours / exact);
		}
		clock_bounds_free(b);
	}
	ok(!tighter && compared == 160, "no bound is tighter than the exact one: %u of %u", tighter, compared);
	ok(wider * 40 <= compared && most < 1.5, "and hardly wider: %u by more than 15 %%, at most by %.1f %%", wider, (most - 1) * 100);
}

static bool alike(const double *a, const double *b, size_t n)
{
	return !memcmp(a, b, n * sizeof *a);
}

/* Bit by bit, however many threads share the messages. */
static void threads_agree(void)
{
	uint32_t bad = 0, several = 0;

	for (int round = 0; round < 60; round++) {
		static struct run r;
		struct clock_bounds *one, *more;
		size_t n;

		random_messages(&r, 2 + gen_below(&state, MOST_PROCESSES - 1), 60 + gen_below(&state, MOST_MESSAGES - 60));
		r.latency = 0;
		random_clocks(&r, 1, 1e-4);
		for (uint32_t p = 1; round % 2 && p < r.processes; p++)
			r.clock[p] = (struct true_clock){uniform(-1, 1), uniform(-1e-4, 1e-4), uniform(0, LENGTH), 5e-4, 0};
		one = solve_on(&r, UINT32_MAX, CLOCK_WINDOWS, 1);
		more = solve_on(&r, UINT32_MAX, CLOCK_WINDOWS, 2 + gen_below(&state, 6));
		n = (size_t)one->process_count * one->borders;
		several += one->windows > 1;
		bad += one->windows != more->windows || one->forced != more->forced || one->pair_count != more->pair_count ||
		       !alike(one->offset, more->offset, n) || !alike(one->low, more->low, n) || !alike(one->high, more->high, n) ||
		       !alike(one->rate, more->rate, one->process_count);
		for (uint32_t k = 0; k < one->pair_count && k < more->pair_count; k++)
			bad += one->pair[k].p != more->pair[k].p || one->pair[k].q != more->pair[k].q ||
			       !alike(&one->pair[k].gap, &more->pair[k].gap, 1);
		clock_bounds_free(one);
		clock_bounds_free(more);
	}
	ok(!bad && several > 10, "bounds are the same with any number of threads (%u runs in several windows)", several);
}

int main(void)
{
	threads_agree();
	truth_and_skew();
	one_direction();
	latency();
	shifted_and_coarse();
	steps_and_slews();
	programmes();
	return done_testing();
}
