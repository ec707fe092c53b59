/* The bounds of clocks: the page's vectors, to the last printed digit. Who corrects a trace by them trusts that the
 * truth is inside. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/base/mem.h"
#include "core/clocks/bounds/bounds.h"
#include "tap.h"

#define MOST 64

/* A trace of messages, each told by its two stamps; and records without any. */
struct script {
	uint32_t processes, messages, count[8];
	struct told {
		uint32_t from, to;
		double sent, received;
	} told[MOST];
	double first[8], last[8];
};

static void seen(struct script *s, uint32_t process, double at)
{
	if (s->processes <= process)
		s->processes = process + 1;
	s->first[process] = s->count[process] && s->first[process] < at ? s->first[process] : at;
	s->last[process] = s->count[process] && s->last[process] > at ? s->last[process] : at;
	s->count[process]++;
}

static void message(struct script *s, uint32_t from, double sent, uint32_t to, double received)
{
	s->told[s->messages++] = (struct told){from, to, sent, received};
	seen(s, from, sent);
	seen(s, to, received);
}

typedef double clock_of(uint32_t process, double t);

/* As the page says: there and back, 10 us each way. */
static void exchange(struct script *s, clock_of *clock, uint32_t p, uint32_t q, double at)
{
	message(s, p, clock(p, at), q, clock(q, at + 10e-6));
	message(s, q, clock(q, at + 20e-6), p, clock(p, at + 30e-6));
}

static struct trace *make(const struct script *s, uint32_t extra)
{
	struct trace *t;
	struct err e;
	uint32_t n[8], next[8];

	for (uint32_t p = 0; p < s->processes; p++)
		n[p] = s->count[p];
	if (extra < 8)
		n[extra] = 0; /* it has records, but no events */
	if (trace_new(&t, s->processes, n, &e))
		bail_out("%s", e.text);
	for (uint32_t p = 0; p < s->processes; p++) {
		next[p] = t->first[p];
		t->processes[p].start = s->first[p];
		t->processes[p].end = s->last[p];
		t->processes[p].records = s->count[p];
	}
	for (uint32_t i = 0; i < s->messages; i++) {
		const struct told *m = &s->told[i];
		uint32_t send = next[m->from]++, receive = next[m->to]++;

		t->time[send] = m->sent;
		t->type[send] = EVENT_SEND | (m->to + 1);
		t->match[send] = receive;
		t->time[receive] = m->received;
		t->type[receive] = EVENT_RECEIVE | (m->from + 1);
		t->match[receive] = send;
	}
	t->end = 110;
	return t;
}

static struct clock_bounds *solve(const struct trace *t)
{
	const struct clock_times times = {.trace = t};
	const struct clock_options o = {.windows = CLOCK_WINDOWS};
	struct clock_bounds *b = NULL;
	struct err e;

	if (clock_bounds_new(&b, &times, &o, NULL, &e))
		bail_out("%s", e.text);
	return b;
}

/* Rounding leaves some zeros below 0. */
static double us(double seconds)
{
	return fabs(seconds) < 5e-8 ? 0 : seconds * 1e6;
}

static void says(const struct clock_bounds *b, uint32_t process, uint32_t border, const char *expected, const char *name)
{
	char text[128];
	size_t at = (size_t)process * b->borders + border;

	snprintf(text, sizeof text, "%.1f [%.1f, %.1f]", us(b->offset[at]), us(b->low[at]), us(b->high[at]));
	is_str(text, expected, "%s", name);
}

static void rates(const struct clock_bounds *b, uint32_t process, const char *expected, const char *name)
{
	char text[128];

	snprintf(text, sizeof text, "%.1f [%.1f, %.1f]", us(b->rate[process]), us(b->rate_low[process]), us(b->rate_high[process]));
	is_str(text, expected, "%s", name);
}

static double clock_a(uint32_t p, double t) { return p ? t + 5e-3 : t; }
static double clock_b(uint32_t p, double t) { return p ? t + 5e-3 + 50e-6 * t : t; }
static double clock_c(uint32_t p, double t) { return p == 0 ? t : p == 1 ? t + 2e-3 : t - 3e-3; }
static double clock_f(uint32_t p, double t) { return p && t > 50 ? t + 1e-3 : t; }

int main(void)
{
	struct script s = {0};
	struct trace *t;
	struct clock_bounds *b;

	exchange(&s, clock_a, 0, 1, 0);
	exchange(&s, clock_a, 0, 1, 100);
	b = solve(t = make(&s, 8));
	says(b, 1, 0, "-5000.0 [-5010.0, -4990.0]", "A, start");
	says(b, 1, 1, "-5000.0 [-5010.0, -4990.0]", "A, end");
	rates(b, 1, "0.0 [-0.2, 0.2]", "A, rate");
	is_u64(b->windows, 1, "A, one line does");
	clock_bounds_free(b);
	trace_free(t);

	s = (struct script){0};
	for (int i = 0; i < 3; i++)
		exchange(&s, clock_b, 0, 1, 50 * i);
	b = solve(t = make(&s, 8));
	says(b, 1, 0, "-5000.0 [-5010.0, -4990.0]", "B, start");
	says(b, 1, 1, "-10000.0 [-10010.0, -9990.0]", "B, end");
	rates(b, 1, "-50.0 [-50.2, -49.8]", "B, rate");
	clock_bounds_free(b);
	trace_free(t);

	s = (struct script){0};
	exchange(&s, clock_c, 0, 1, 0);
	exchange(&s, clock_c, 1, 2, 1);
	exchange(&s, clock_c, 0, 1, 100);
	exchange(&s, clock_c, 1, 2, 101);
	b = solve(t = make(&s, 8));
	says(b, 1, 0, "-2000.0 [-2010.0, -1990.0]", "C, start of 1");
	says(b, 2, 0, "3000.0 [2979.8, 3020.2]", "C, start of 2");
	says(b, 2, 1, "3000.0 [2980.0, 3020.0]", "C, end of 2");
	rates(b, 2, "0.0 [-0.4, 0.4]", "C, rate of 2");
	clock_bounds_free(b);
	trace_free(t);

	s = (struct script){0};
	message(&s, 0, 0, 1, .00501);
	message(&s, 0, 50, 1, 50.00502);
	message(&s, 0, 100, 1, 100.00501);
	b = solve(t = make(&s, 8));
	says(b, 1, 0, "-5010.0 [-5010.0, inf]", "D, start");
	says(b, 1, 1, "-5010.0 [-5010.0, inf]", "D, end");
	clock_bounds_free(b);
	trace_free(t);

	s = (struct script){0};
	exchange(&s, clock_a, 0, 1, 0);
	exchange(&s, clock_a, 0, 1, 100);
	seen(&s, 2, 1);
	seen(&s, 2, 90);
	b = solve(t = make(&s, 2));
	says(b, 1, 0, "-5000.0 [-5010.0, -4990.0]", "E, start of 1");
	says(b, 2, 0, "0.0 [0.0, 0.0]", "E, a lone process");
	is_u64(b->component[2], 2, "E, a component by itself");
	is_u64(b->components, 2, "E, of two");
	clock_bounds_free(b);
	trace_free(t);

	s = (struct script){0};
	for (int i = 0; i <= 10; i++)
		if (i != 5)
			exchange(&s, clock_f, 0, 1, 10 * i);
	b = solve(t = make(&s, 8));
	is_u64(b->windows, 2, "F, two windows");
	says(b, 1, 0, "0.0 [-10.0, 10.0]", "F, start");
	says(b, 1, 1, "0.0 [-15.0, 15.0]", "F, before the step");
	says(b, 1, 2, "-1000.0 [-1015.0, -985.0]", "F, behind it");
	says(b, 1, 3, "-1000.0 [-1010.0, -990.0]", "F, end");
	ok(fabs(b->at[1] - 50.000015) < 1e-9, "F, the border");
	clock_bounds_free(b);
	trace_free(t);
	return done_testing();
}
