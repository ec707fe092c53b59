#include "same_run.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/method/analysis/analysis.h"
#include "core/base/mem.h"
#include "core/formats/convert.h"
#include "core/formats/api/load.h"
#include "core/io/source.h"
#include "gen_calls.h"
#include "tap.h"

void same_run_load(struct same_run *run, const char *const *paths, uint32_t count)
{
	struct err e = {0};
	enum err_code code = record_log_load(&run->log, &run->trace, paths, count, NULL, 0, NULL, &e);

	if (!run->trace)
		bail_out("%s: %d %s", paths[0], code, e.text);
}

void same_run_load_bytes(struct same_run *run, const void *bytes, size_t size)
{
	struct source source;
	struct err e = {0};

	if (source_open_memory(&source, "run.clog2", bytes, size, &e))
		bail_out("%s", e.text);
	record_log_load_sources(&run->log, &run->trace, &source, 1, NULL, 0, NULL, &e);
	if (!run->trace)
		bail_out("%s", e.text);
	source_release(&source);
}

void same_run_odd(struct same_run *run)
{
	struct gen_calls *g = gen_calls_new(2, NULL);
	struct gen_bytes bytes;

	for (int32_t p = 0; p < 2; p++) {
		double late = p * 0.25;

		gen_thread(g, 0);
		gen_mark(g, p, late);
		gen_begin(g, p, 1 + late, "solve");
		gen_cpu(g, p, 1.5 + late, 0.25);
		gen_begin(g, p, 2 + late, "MPI_Irecv");
		gen_end(g, p, 2.125 + late, "MPI_Irecv");
		gen_begin(g, p, 3 + late, "MPI_Isend");
		gen_message(g, p, 3 + late, true, 1 - p, 100, 5);
		gen_end(g, p, 3.5 + late, "MPI_Isend");
		gen_cpu(g, p, 3.75 + late, 1.5);
		gen_begin(g, p, 4 + late, "MPI_Waitall");
		gen_begin(g, p, 4.25 + late, "inside");
		gen_message(g, p, 5 + late, false, 1 - p, 100, 5);
		gen_end(g, p, 5.5 + late, "MPI_Waitall");
		gen_end(g, p, 5.75 + late, "inside");
		gen_rooted(g, p, 6 + late, 6.5 + late, "MPI_Bcast", 1);
		gen_cpu(g, p, 6.75 + late, 3);
		gen_end(g, p, 7 + late, "solve");
		gen_thread(g, 1);
		gen_begin(g, p, 7 + late, "MPI_Send");
		gen_message(g, p, 7.125 + late, true, 1 - p, 8, 6);
		gen_end(g, p, 7.25 + late, "MPI_Send");
		gen_begin(g, p, 8 + late, "MPI_Recv");
		gen_message(g, p, 8.5 + late, false, 1 - p, 8, 6);
		gen_end(g, p, 8.75 + late, "MPI_Recv");
	}
	gen_thread(g, 0);
	gen_begin(g, 0, 9, "MPI_Send");
	gen_message(g, 0, 9.125, true, 1, 16, 7);
	gen_mark(g, 0, 10);
	gen_mark(g, 1, 10.5);
	bytes = gen_calls_bytes(g);
	same_run_load_bytes(run, bytes.bytes, bytes.size);
	mem_free(bytes.bytes);
}

void same_run_release(struct same_run *run)
{
	record_log_free(run->log);
	trace_free(run->trace);
}

void same_run_convert(const struct same_run *from, const char *to, const char *folder, const char *name, char *path,
		      struct same_run *made)
{
	const struct format_writer *writer = convert_writer(to);
	struct convert_run run = {.trace = from->trace, .log = from->log, .to = INFINITY, .rate = 1e9};
	struct err e = {0};
	enum err_code code;

	if (!writer)
		bail_out("no writer of %s", to);
	snprintf(path, PATH_MAX, "%s/%s%s", folder, name, writer->ending ? writer->ending : "");
	code = convert_output_new(&run.output, path, writer, true, NULL, &e);
	if (!code)
		code = convert_write(&run, writer, &e);
	if (code)
		bail_out("%s: %s", path, e.text);
	convert_output_free(run.output);
	made->lost[0] = '\0';
	for (uint32_t i = 0; i < run.loss_count; i++) {
		size_t n = strlen(made->lost);

		if (strcmp(run.losses[i].what, "colours of states") != 0)
			snprintf(made->lost + n, sizeof made->lost - n, "%s: %llu; ", run.losses[i].what, (unsigned long long)run.losses[i].count);
	}
	if (!writer->ending) {
		size_t n = strlen(path);

		snprintf(path + n, PATH_MAX - n, "/%s", writer->sign);
	}
	same_run_load(made, (const char *const[]){path}, 1);
}

/* ---- events ---- */

/* Of each event how many MPI calls were made since the one before: each end of one may be off by half a nanosecond. */
static uint32_t *calls_after(const struct same_run *run)
{
	const struct trace *t = run->trace;
	uint32_t *calls = mem_zero(t->event_count + 1, sizeof *calls), count;
	const struct record_state *states = record_log_states(run->log, &count);

	for (uint32_t p = 0; p < t->process_count; p++) {
		struct record_cursor cursor;
		struct record record;
		struct err e;
		uint32_t last = NO_EVENT;

		if (record_cursor_init(&cursor, run->log, p, &e))
			bail_out("%s", e.text);
		while (record_cursor_next(&cursor, &record))
			if (record.kind == RECORD_EVENT)
				last = record.event;
			else if (last != NO_EVENT && (record.kind != RECORD_ENTER || states[record.state].mpi || states[record.state].tracer))
				calls[last]++;
		record_cursor_release(&cursor);
	}
	return calls;
}

struct pairing {
	const struct trace *a, *b;     /* made, from */
	uint32_t *of_b;                /* the event of `made` that one of `from` became; NO_EVENT: left out */
	uint32_t *comm;                /* of `from`: what it is called in `made`; UINT32_MAX: not seen */
};

static bool left_out(const struct trace *t, uint32_t event, const struct same_limits *limits)
{
	return limits->partners && EVENT_KIND(t->type[event]) != EVENT_COLLECTIVE && t->match[event] == NO_EVENT;
}

static bool pair_events(struct pairing *x, const struct same_limits *limits, const char *name)
{
	bool same = is_int(x->a->process_count, x->b->process_count, "%s: processes", name);

	for (uint32_t p = 0; same && p < x->b->process_count; p++) {
		uint32_t at = x->a->first[p];

		for (uint32_t e = x->b->first[p]; e < x->b->first[p + 1]; e++)
			x->of_b[e] = left_out(x->b, e, limits) ? NO_EVENT : at++;
		if (at != x->a->first[p + 1]) {
			diag("process %u has %u events, not %u", p, x->a->first[p + 1] - x->a->first[p], at - x->a->first[p]);
			same = false;
		}
	}
	return ok(same, "%s: as many events", name);
}

/* Communicators are called what they like, but each always the same. */
static bool same_comm(struct pairing *x, uint32_t a, uint32_t b)
{
	if (x->comm[b] == UINT32_MAX)
		x->comm[b] = a;
	return x->comm[b] == a;
}

static const char *difference(struct pairing *x, uint32_t a, uint32_t b, const struct same_limits *limits)
{
	const struct trace *s = x->a, *t = x->b;
	bool collective = EVENT_KIND(t->type[b]) == EVENT_COLLECTIVE;
	uint64_t size = trace_size(t, b) == SIZE_UNKNOWN ? 0 : trace_size(t, b), made = trace_size(s, a) == SIZE_UNKNOWN ? 0 : trace_size(s, a);

	if (EVENT_KIND(s->type[a]) != EVENT_KIND(t->type[b]))
		return "kind";
	if (collective && strcmp(s->colls[EVENT_INDEX(s->type[a])].op, t->colls[EVENT_INDEX(t->type[b])].op) != 0)
		return "operation";
	if (!collective && s->type[a] != t->type[b])
		return "partner";
	if (made != size)
		return "size";
	if (trace_tag(s, a) != trace_tag(t, b))
		return "tag";
	if (t->match[b] == NO_EVENT ? s->match[a] != NO_EVENT : s->match[a] != x->of_b[t->match[b]])
		return "match";
	if ((collective || limits->comms) && !same_comm(x, trace_comm(s, a), trace_comm(t, b)))
		return "communicator";
	if (!(fabs((s->time[a] - s->start) - (t->time[b] - t->start)) * 1e9 <= 1.01 + limits->moved))
		return "time";
	return NULL;
}

static void compare_events(struct pairing *x, const struct same_run *from, const struct same_limits *limits, const char *name)
{
	uint32_t *calls = calls_after(from);
	const char *wrong = NULL;

	for (uint32_t p = 0; !wrong && p < x->b->process_count; p++)
		for (uint32_t e = x->b->first[p]; !wrong && e < x->b->first[p + 1]; e++) {
			double compute = x->b->compute[e], off = calls[e] + 1.01;
			uint32_t next = e + 1;

			if (x->of_b[e] == NO_EVENT)
				continue;
			for (; next < x->b->first[p + 1] && x->of_b[next] == NO_EVENT; next++) {
				compute += isnan(x->b->compute[next]) ? 0 : x->b->compute[next];
				off += calls[next] + 1;
			}
			wrong = difference(x, x->of_b[e], e, limits);
			/* What is unknown since nothing follows may be none, where something follows in the same instant. */
			if (!wrong && isnan(compute) != isnan(x->a->compute[x->of_b[e]]) && (isnan(compute) || compute > 0))
				wrong = "compute time";
			if (!wrong && fabs(x->a->compute[x->of_b[e]] - compute) * 1e9 > off + limits->moved * off)
				wrong = "compute time";
			if (wrong)
				diag("event %u of rank %u: another %s; time %.9f not %.9f, compute time %.9f not %.9f", e - x->b->first[p] + 1, p,
				     wrong, x->a->time[x->of_b[e]], x->b->time[e], x->a->compute[x->of_b[e]], compute);
		}
	ok(!wrong, "%s: the events are the same", name);
	mem_free(calls);
}

/* ---- what is made of them ---- */

static struct analysis *analyse(const struct trace *t)
{
	struct analysis *a;
	struct settings settings;
	struct err e = {0};

	settings_init(&settings);
	if (analysis_new(&a, t, &settings, NULL, ANALYSIS_PHASES, NULL, &e))
		bail_out("%s", e.text);
	return a;
}

static void compare_phases(const struct analysis *a, const struct analysis *b, const char *name)
{
	bool same = is_int(a->phases->count, b->phases->count, "%s: phases", name);

	for (uint32_t i = 0; same && i < b->phases->count; i++)
		if (a->phases->list[i].weight != b->phases->list[i].weight) {
			diag("phase %u has weight %u, not %u", i + 1, a->phases->list[i].weight, b->phases->list[i].weight);
			same = false;
		}
	ok(same, "%s: their weights", name);
}

static void compare_results(const struct pairing *x, const char *name)
{
	struct analysis *a = analyse(x->a), *b = analyse(x->b);
	uint32_t ticks = 0, times = 0;

	for (uint32_t e = 0; e < x->b->event_count; e++) {
		ticks += a->logical->tick[x->of_b[e]] != b->logical->tick[e];
		times += logical_lt(a->logical, x->of_b[e]) != logical_lt(b->logical, e);
	}
	is_int(ticks, 0, "%s: ticks", name);
	is_int(times, 0, "%s: logical times", name);
	compare_phases(a, b, name);
	analysis_unref(a);
	analysis_unref(b);
}

void same_run_is(const struct same_run *made, const struct same_run *from, const struct same_limits *limits, const char *name)
{
	struct pairing x = {.a = made->trace, .b = from->trace, .of_b = mem_zero(from->trace->event_count + 1, sizeof *x.of_b),
			    .comm = mem_alloc(from->trace->comm_count + 1, sizeof *x.comm)};
	bool whole = true;

	for (uint32_t c = 0; c < from->trace->comm_count; c++)
		x.comm[c] = UINT32_MAX;
	if (pair_events(&x, limits, name)) {
		compare_events(&x, from, limits, name);
		for (uint32_t e = 0; e < from->trace->event_count; e++)
			whole = whole && x.of_b[e] != NO_EVENT;
		if (whole)
			compare_results(&x, name);
	}
	mem_free(x.of_b);
	mem_free(x.comm);
}
