/* What the tracer measured of clocks (events PAS2P_clock) bounds them, with or without messages, once or where a clock
 * stepped; what is no measurement, or is of times that were corrected since, does not. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "clock_case.h"
#include "core/base/mem.h"
#include "tap.h"

#define CLOCK 5003
#define US 1e-6

static char path[] = "/tmp/pas2p-measured.XXXXXX";

/* One clock of process 1 is 5 ms ahead, and 2 is alone. */
struct given {
	bool messages;         /* an exchange at 0 and 100, 10 us each way */
	double low, high;      /* of each measurement, against the truth */
	int measurements;      /* evenly from 1 to 99 */
	double rate;           /* of process 1 */
	bool bare, unnamed, corrected, shifted, of_root;
};

static void message(struct clog2_writer *w, int32_t from, double sent, int32_t to, double received, int32_t tag)
{
	struct clog2_msg send = {-101, 0, to, tag, 8}, receive = {-102, 0, from, tag, 8};

	clog2_write_msg(w, (struct clog2_head){sent, 0, from, 0}, &send);
	clog2_write_msg(w, (struct clog2_head){received, 0, to, 0}, &receive);
}

static double clock_1(const struct given *g, double t)
{
	return t + 5e-3 + g->rate * t;
}

static void exchange(struct clog2_writer *w, const struct given *g, double t)
{
	message(w, 0, t, 1, clock_1(g, t + 10 * US), 1);
	message(w, 1, clock_1(g, t + 20 * US), 0, t + 30 * US, 2);
}

/* From 50 on the file's times of process 1 are 1 s earlier than its clock by the first shift. */
static void measure(struct clog2_writer *w, const struct given *g, double t)
{
	double step = g->shifted && t > 50 ? 1 : 0, at = clock_1(g, t) - step, truth = t - at;
	struct clog2_head h = {at, 0, g->of_root ? 0 : 1, 0};
	uint8_t cargo[32] = {0};

	clog2_pack_f64(cargo, truth + g->low);
	clog2_pack_f64(cargo + 8, truth + g->high);
	if (g->of_root)
		h.time = t;
	if (g->bare)
		clog2_write_bare(w, h, CLOCK);
	else
		clog2_write_cargo(w, h, CLOCK, cargo);
}

static void begin(struct clog2_writer *w, const struct given *g)
{
	for (int32_t p = 0; p < 3; p++) {
		struct clog2_head h = {p ? 6e-3 : 0, 0, p, 0};
		struct clog2_comm world = {0, 0, p, p, {{0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 'h'}}};

		clog2_write_comm(w, h, &world);
		if (g->shifted && p == 1)
			clog2_write_timeshift(w, h, 0);
		clog2_write_bare(w, h, -10);
	}
}

static void finish(struct clog2_writer *w, const struct given *g)
{
	struct clog2_eventdef event = {CLOCK, "white", "", "low=%E high=%E"};
	struct clog2_constdef corrected = {-201, 2, CLOG2_CLOCKS};
	struct clog2_head h = {101, 0, 0, 0};

	snprintf(event.name, sizeof event.name, "%s", g->unnamed ? "something" : "PAS2P_clock");
	for (int32_t p = 0; p < 3; p++)
		clog2_write_bare(w, (struct clog2_head){101, 0, p, 0}, -9);
	clog2_write_eventdef(w, h, &event);
	if (g->corrected)
		clog2_write_constdef(w, h, &corrected);
}

static void put(const struct given *g)
{
	struct clog2_write_options o = gen_clog2_options(44, true, true, 65536);
	FILE *f = fopen(path, "w+b");
	struct clog2_writer w;
	struct err e;

	if (!f || clog2_writer_init(&w, fileno(f), &o, &e))
		bail_out("a trace cannot be written");
	begin(&w, g);
	if (g->messages)
		exchange(&w, g, 1);
	for (int i = 0; i < g->measurements; i++) {
		double t = g->measurements == 1 ? 50 : 1 + 98.0 * i / (g->measurements - 1);

		if (g->shifted && t > 50 && i && 1 + 98.0 * (i - 1) / (g->measurements - 1) <= 50)
			clog2_write_timeshift(&w, (struct clog2_head){clock_1(g, t) - 1, 0, 1, 0}, 1);
		measure(&w, g, t);
	}
	if (g->messages)
		exchange(&w, g, 99.5);
	finish(&w, g);
	if (clog2_writer_finish(&w, true, &e))
		bail_out("%s", e.text);
	clog2_writer_release(&w);
	fclose(f);
}

static bool near(double a, double b)
{
	return fabs(a - b) < 0.02 * US;
}

/* Bounds of process 1 at 50, in the middle; and whether the truth is within everywhere. */
static void middle(const struct given *g, double *low, double *high, bool *true_within)
{
	struct clock_case c;
	const struct clock_bounds *b;
	const double *l, *h;

	put(g);
	c = clock_case_open(path, 0);
	b = c.bounds;
	l = b->low + b->borders;
	h = b->high + b->borders;
	*true_within = true;
	for (uint32_t k = 0; k < b->borders; k++) {
		double truth = -(5e-3 + g->rate * b->at[k]);

		*true_within = *true_within && l[k] <= truth + 1e-9 && h[k] >= truth - 1e-9;
	}
	*low = (l[0] + l[b->borders - 1]) / 2;
	*high = (h[0] + h[b->borders - 1]) / 2;
	clock_case_close(&c);
}

static void tighter(void)
{
	struct given g = {.messages = true};
	double low, high, low_measured, high_measured;
	bool within;

	middle(&g, &low, &high, &within);
	ok(within && high - low > 19 * US, "messages alone: %.2f us", (high - low) / US);
	g = (struct given){.messages = true, .low = -1 * US, .high = 2 * US, .measurements = 5};
	middle(&g, &low_measured, &high_measured, &within);
	ok(within && high_measured - low_measured < 3.2 * US, "measured: %.2f us", (high_measured - low_measured) / US);
	g.messages = false;
	middle(&g, &low, &high, &within);
	ok(within && near(low, low_measured) && near(high, high_measured), "without messages: the same");
	g.rate = 50e-6;
	middle(&g, &low, &high, &within);
	ok(within && high - low < 3.2 * US, "a clock that is fast, too: %.2f us", (high - low) / US);
	g.shifted = true;
	{
		struct clock_case c;

		put(&g);
		c = clock_case_open(path, 0);
		ok(c.bounds->windows == 1 && !(c.bounds->misfit > 0), "what was synchronised twice is one line all the same");
		clock_case_close(&c);
	}
}

static void ignored(void)
{
	static const struct {
		const char *name;
		struct given g;
	} cases[] = {
		{"by another name", {.messages = true, .low = -US, .high = US, .measurements = 5, .unnamed = true}},
		{"without cargo", {.messages = true, .low = -US, .high = US, .measurements = 5, .bare = true}},
		{"the wrong way round", {.messages = true, .low = US, .high = -US, .measurements = 5}},
		{"no number", {.messages = true, .low = NAN, .high = US, .measurements = 5}},
		{"no end", {.messages = true, .low = -US, .high = INFINITY, .measurements = 5}},
		{"in times that were corrected", {.messages = true, .low = -US, .high = US, .measurements = 5, .corrected = true}},
		{"of rank 0", {.messages = true, .low = -US, .high = US, .measurements = 5, .of_root = true}},
	};
	struct given plain = {.messages = true};
	double low, high, l, h;
	bool within;

	middle(&plain, &low, &high, &within);
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		middle(&cases[i].g, &l, &h, &within);
		ok(within && near(l, low) && near(h, high), "%s: nothing was measured", cases[i].name);
	}
}

static void without_memory(void)
{
	struct given g = {.low = -US, .high = US, .measurements = 50};
	uint32_t failed = 0, bad = 0;
	struct err e;

	put(&g);
	for (long n = 0; n < 4000; n++) {
		const char *file = path;
		struct call_log *log;
		struct trace *t;
		enum err_code code;

		mem_fail_after(n);
		code = call_log_load(&log, &t, &file, 1, NULL, NULL, &e);
		mem_fail_after(-1);
		failed += code == ERR_MEMORY;
		bad += code ? code != ERR_MEMORY || t || log : log->clocks.first_seen[2] != 50;
		call_log_free(log);
		trace_free(t);
		if (!code)
			break;
	}
	ok(failed > 10 && !bad, "without memory it says so, %u times", failed);
}

int main(void)
{
	int fd = mkstemp(path);

	if (fd < 0 || close(fd) != 0)
		bail_out("no temporary file");
	tighter();
	ignored();
	without_memory();
	unlink(path);
	return done_testing();
}
