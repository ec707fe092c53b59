/* Our tracer says what a record cost it, as an interval over all processes: constants of a trace, one pair in a merged file and one
 * of each process in local ones. What cannot be is noted, and then nothing is known; a trace without them says nothing, which is not
 * 0. What tracing cost is records times that, and what the tracer recorded of itself, once.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/formats/api/load.h"
#include "core/io/source.h"
#include "core/metrics/rows/tracing_cost.h"
#include "gen_clog2.h"
#include "tap.h"

#define LOW "PAS2P_record_cost_low_ps"
#define HIGH "PAS2P_record_cost_high_ps"
#define PROCESSES 2
#define STEPS 10
#define SPILL 560
#define CALL 180 /* MPI_Send */

struct said {
	const char *name;
	int32_t value;
};

/* Each process makes STEPS calls of 1 s, one every 2 s; the first writes its buffer for half a second between two of them. */
static struct trace *made(const struct said *said, size_t n)
{
	struct clog2_write_options o = gen_clog2_options(44, true, true, 4096);
	struct clog2_statedef spill = {.state = SPILL / 2, .start = SPILL, .final = SPILL + 1, .name = "CLOG_Buffer_write2disk"};
	struct clog2_statedef call = {.state = CALL / 2, .start = CALL, .final = CALL + 1, .name = "MPI_Send"};
	struct trace_options options = {.threads = 1};
	FILE *file = tmpfile();
	struct trace *t = NULL;
	struct source source;
	struct clog2_writer w;
	struct gen_bytes b;
	struct err e;

	o.world_size = PROCESSES;
	if (!file || clog2_writer_init(&w, fileno(file), &o, &e))
		bail_out("no file to write to");
	for (int32_t p = 0; p < PROCESSES; p++) {
		struct clog2_comm world = {0, 0, p, p, {{1, 2, 3, 200}}};

		clog2_write_comm(&w, (struct clog2_head){0, 0, p, 0}, &world);
	}
	for (int i = 0; i < STEPS; i++)
		for (int32_t p = 0; p < PROCESSES; p++) {
			clog2_write_bare(&w, (struct clog2_head){2 * i, 0, p, 0}, CALL);
			clog2_write_bare(&w, (struct clog2_head){2 * i + 1, 0, p, 0}, CALL + 1);
			if (i || p)
				continue;
			clog2_write_bare(&w, (struct clog2_head){1.25, 0, p, 0}, SPILL);
			clog2_write_bare(&w, (struct clog2_head){1.75, 0, p, 0}, SPILL + 1);
		}
	clog2_write_statedef(&w, (struct clog2_head){.time = 2 * STEPS}, &spill);
	clog2_write_statedef(&w, (struct clog2_head){.time = 2 * STEPS}, &call);
	for (size_t i = 0; i < n; i++) {
		struct clog2_constdef constant = {.etype = -201, .value = said[i].value};

		snprintf(constant.name, sizeof constant.name, "%s", said[i].name);
		clog2_write_constdef(&w, (struct clog2_head){.time = 2 * STEPS}, &constant);
	}
	if (clog2_writer_finish(&w, true, &e))
		bail_out("%s", e.text);
	clog2_writer_release(&w);
	b = gen_slurp_fd(fileno(file));
	fclose(file);
	if (source_open_memory(&source, "costs", b.bytes, b.size, &e) || trace_load_sources(&t, &source, 1, &options, NULL, &e))
		bail_out("%s", e.text);
	source_release(&source);
	free(b.bytes);
	return t;
}

static void unknown(const struct said *said, size_t n, uint64_t notes, const char *what)
{
	struct trace *t = made(said, n);
	struct tracing_cost c = tracing_cost_run(t), first = tracing_cost_process(t, 0);
	char text[TRACING_TEXT];

	ok(!c.known && !first.known, "%s: not known", what);
	ok(isnan(c.time[0]) && isnan(c.time[1]) && isnan(c.share[0]) && isnan(c.share[1]), "%s: which is not 0", what);
	is_str(tracing_cost_text(t, &c, text), "", "%s: nothing is said", what);
	is_u64(t->notes.count[NOTE_BAD_DEFINITION], notes, "%s: noted %u times", what, (unsigned)notes);
	trace_free(t);
}

static void text_of(const struct said *said, const char *want, const char *what)
{
	struct trace *t = made(said, 2);
	struct tracing_cost c = tracing_cost_run(t);
	char text[TRACING_TEXT];

	is_str(tracing_cost_text(t, &c, text), want, "%s", what);
	trace_free(t);
}

int main(void)
{
	static const struct said one[] = {{LOW, 20000}, {HIGH, 30000}};
	static const struct said of_each[] = {{LOW, 20000}, {HIGH, 25000}, {LOW, 15000}, {HIGH, 60000}, {LOW, 50000}, {HIGH, 55000}};
	static const struct said most[] = {{LOW, 100000000}, {HIGH, 100000000}};
	static const struct said bad[][2] = {
		{{LOW, 0}, {HIGH, 30000}}, {{LOW, 20000}, {HIGH, 0}}, {{LOW, -1}, {HIGH, 30000}}, {{LOW, 20000}, {HIGH, INT32_MIN}},
		{{LOW, 20000}, {HIGH, INT32_MAX}}, {{LOW, 20000}, {HIGH, 100000001}}, {{LOW, 30000}, {HIGH, 20000}},
	};
	static const struct said negative[] = {{LOW, -20000}, {HIGH, -10000}};
	static const struct said damaged[] = {{LOW, 20000}, {HIGH, 25000}, {LOW, -1}, {HIGH, 25000}};
	static const struct said others[] = {{"PAS2P_record_cost", 1}, {"record_cost_low_ps", 1}};
	struct trace *t = made(one, 2);
	struct tracing_cost c = tracing_cost_run(t), first = tracing_cost_process(t, 0), second = tracing_cost_process(t, 1);
	const double total = PROCESSES * (2 * STEPS - 1);

	is_double(t->record_cost_low, 20e-9, 1e-20, "a record costs at least");
	is_double(t->record_cost_high, 30e-9, 1e-20, "and at most");
	is_u64(c.records, PROCESSES * 2 * STEPS + 2, "records of calls and of writes count, definitions do not");
	is_double(c.written, .5, 1e-12, "what the tracer recorded of itself");
	is_double(c.time[0], .5 + 42 * 20e-9, 1e-12, "all of it, at least: writes count once");
	is_double(c.time[1], .5 + 42 * 30e-9, 1e-12, "and at most");
	is_double(c.share[0], c.time[0] / total, 1e-12, "as a share of processes times run time");
	is_double(c.share[1], c.time[1] / total, 1e-12, "and at most");
	is_double(first.time[0] + second.time[0], c.time[0], 1e-12, "processes add up");
	is_double(second.time[1], 20 * 30e-9, 1e-15, "one that did not write");
	is_double(second.share[1], second.time[1] / (2 * STEPS - 1), 1e-15, "a process's share is of the run time");
	trace_free(t);
	text_of(one, "about 1.3 % of the total time, 500 ms: 42 records at 20 to 30 ns each, and 500 ms of buffer writes and clock measurements",
		"in a sentence");
	text_of(most, "about 1.3 % of the total time, 504 ms: 42 records at 100000 ns each, and 500 ms of buffer writes and clock measurements",
		"of one cost");

	t = made(of_each, 6);
	is_double(t->record_cost_low, 15e-9, 1e-20, "of several processes the least");
	is_double(t->record_cost_high, 60e-9, 1e-20, "and the most");
	is_u64(t->notes.count[NOTE_BAD_DEFINITION], 0, "nothing is odd about that");
	trace_free(t);
	t = made(most, 2);
	is_double(t->record_cost_high, 1e-4, 1e-16, "as much as is believed");
	trace_free(t);

	unknown(NULL, 0, 0, "a trace without");
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		char what[80];

		snprintf(what, sizeof what, "from %d to %d ps", bad[i][0].value, bad[i][1].value);
		unknown(bad[i], 2, 1, what);
	}
	unknown(negative, 2, 2, "negative");
	unknown(damaged, 4, 1, "one of several is damaged");
	unknown(one, 1, 1, "one end alone");
	unknown(one + 1, 1, 1, "the other end alone");
	unknown(others, 2, 0, "constants of other names");
	return done_testing();
}
