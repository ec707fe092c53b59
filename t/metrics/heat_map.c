/* A heat map is looked at instead of thousands of calls, so each cell must be what the calls in it add up to. Every
 * cell of random runs, messy ones with clocks that step back and threads among them, is compared with an integration
 * over all calls for that cell alone, by columns of time and of ticks, for windows and for whole runs; the cells of a
 * whole run add up to its account.
 */
#include <math.h>
#include <stdlib.h>

#include "core/method/analysis/analysis.h"
#include "core/base/mem.h"
#include "core/formats/api/load.h"
#include "core/io/source.h"
#include "core/metrics/maps/maps.h"
#include "gen.h"
#include "gen_log.h"
#include "gen_script.h"
#include "tap.h"

static struct err err;

static void must(enum err_code code)
{
	if (code != ERR_OK)
		bail_out("%s", err.text);
}

/* --- the definition --- */

#define PIECES 8192

struct stretch {
	double from, to;
};

/* The stretches of a process's time that a column is. */
struct column {
	struct stretch *part;
	uint32_t count;
};

static double within(const struct column *c, double from, double to)
{
	double time = 0;

	for (uint32_t i = 0; i < c->count; i++)
		time += fmax(0, fmin(to, c->part[i].to) - fmax(from, c->part[i].from));
	return time;
}

struct asked {
	const struct heat_from *from;
	uint32_t columns, ticks;  /* of the map */
	double t0, t1;            /* columns of time */
	bool whole;
};

static double edge(const struct asked *a, uint32_t c)
{
	return c == a->columns ? a->t1 : a->t0 + (a->t1 - a->t0) * c / a->columns;
}

static bool has_tick(const struct asked *a, uint32_t c, uint32_t tick)
{
	uint64_t n = a->ticks, first = (c * n + a->columns - 1) / a->columns, end = ((c + 1) * n + a->columns - 1) / a->columns;

	return tick >= a->from->first_tick + first && tick < a->from->first_tick + end;
}

static const struct trace *events_of(const struct asked *a)
{
	return a->from->ticks ? a->from->ticks->trace : a->from->log->trace;
}

/* Event ev's time: it does not step back. */
static double when(const struct trace *t, uint32_t process, uint32_t ev)
{
	double now = -INFINITY;

	for (uint32_t i = t->first[process]; i <= ev; i++)
		now = fmax(now, t->time[i]);
	return now;
}

/* When the time of event number n of a process begins. */
static double begins(const struct asked *a, uint32_t process, uint32_t n)
{
	const struct call_log *log = a->from->log;
	const struct trace *t = log->trace;
	double now = -INFINITY;
	uint32_t at = 0;

	for (uint32_t ev = t->first[process]; ev < t->first[process + 1] && at <= n; ev++) {
		uint32_t call = log->call_of[ev];

		if (events_of(a) != t && EVENT_KIND(t->type[ev]) == EVENT_COLLECTIVE)
			continue;
		now = fmax(now, call != NO_LOGGED_CALL && log->calls[call].first_event == ev && log->calls[call].start < t->time[ev]
					? log->calls[call].start : t->time[ev]);
		at++;
	}
	return now;
}

static bool event_in(const struct asked *a, uint32_t process, uint32_t ev, uint32_t c)
{
	double now;

	if (a->from->ticks)
		return has_tick(a, c, a->from->ticks->tick[ev]);
	now = when(events_of(a), process, ev);
	if (now == a->t1)
		return a->whole && c + 1 == a->columns;
	return now >= edge(a, c) && now < edge(a, c + 1);
}

static void column_of(const struct asked *a, uint32_t process, uint32_t c, struct column *out)
{
	const struct trace *t = events_of(a);

	out->count = 0;
	if (!a->from->ticks) {
		out->part[out->count++] = (struct stretch){edge(a, c), edge(a, c + 1)};
		return;
	}
	for (uint32_t ev = t->first[process]; ev < t->first[process + 1] && out->count < PIECES; ev++)
		if (has_tick(a, c, a->from->ticks->tick[ev]))
			out->part[out->count++] = (struct stretch){
				ev == t->first[process] ? -INFINITY : begins(a, process, ev - t->first[process]),
				ev + 1 == t->first[process + 1] ? INFINITY : begins(a, process, ev + 1 - t->first[process])};
}

struct cell {
	double time, compute, waiting, bytes, messages;
	double total;   /* that shares are of */
	bool events;
	double *phase;  /* s, by id */
};

static void add_to_cell(const struct asked *a, uint32_t process, uint32_t c, struct cell *cell)
{
	const struct call_log *log = a->from->log;
	const struct trace *t = events_of(a);
	const struct phase_spans *s = a->from->spans;
	static struct stretch parts[PIECES];
	struct column column = {.part = parts};

	column_of(a, process, c, &column);
	for (uint32_t i = log->list_first[process]; i < log->list_first[process + 1]; i++) {
		const struct call_list *l = &log->lists[i];

		if (i > log->list_first[process])
			break;
		cell->time += within(&column, l->start, l->stop);
		for (uint32_t k = l->first; k <= l->end; k++)
			cell->compute += within(&column, k == l->first ? l->start : log->calls[k - 1].end,
						k == l->end ? l->stop : log->calls[k].start);
		for (uint32_t k = l->first; k < l->end; k++)
			cell->waiting += within(&column, log->calls[k].start, log->calls[k].start + a->from->waits->sync[k]);
		for (uint32_t k = s->first[process]; k < s->first[process + 1]; k++)
			if (s->spans[k].phase != SPAN_AFTER)
				cell->phase[s->spans[k].phase] +=
					within(&column, fmax(l->start, s->spans[k].from),
					       k + 1 < s->first[process + 1] ? fmin(l->stop, s->spans[k + 1].from) : l->stop);
	}
	for (uint32_t ev = t->first[process]; ev < t->first[process + 1]; ev++) {
		if (!event_in(a, process, ev, c))
			continue;
		cell->events = true;
		if (EVENT_KIND(t->type[ev]) != EVENT_SEND)
			continue;
		cell->messages++;
		cell->bytes += trace_size(t, ev) == SIZE_UNKNOWN ? 0 : trace_size(t, ev);
	}
}

/* --- comparing --- */

static uint64_t cells, filled;

static bool close_to(double x, double y)
{
	return isnan(x) ? isnan(y) : fabs(x - y) <= 1e-9 * fmax(1, fabs(y));
}

static bool phase_is_right(double id, const struct cell *cell, uint32_t phases)
{
	double most = 0;

	if (!(cell->time > 1e-12))
		return isnan(id) || cell->time > 0;
	for (uint32_t i = 1; i <= phases; i++)
		most = fmax(most, cell->phase[i]);
	if (id == 0)
		return most <= 1e-12;
	return id >= 1 && id <= phases && cell->phase[(uint32_t)id] >= most - 1e-9;
}

static bool is_right(enum heat_measure measure, double v, const struct cell *cell, uint32_t phases)
{
	bool some = cell->time > 1e-12;

	filled += v > 0;
	switch (measure) {
	case HEAT_PHASE: return phase_is_right(v, cell, phases);
	case HEAT_COMPUTE: return some ? close_to(v, cell->compute / cell->total) : isnan(v) || cell->time > 0;
	case HEAT_WAITING: return some ? close_to(v, cell->waiting / cell->total) : isnan(v) || cell->time > 0;
	case HEAT_BYTES: return close_to(v, some || cell->events ? cell->bytes : NAN);
	default: return close_to(v, some || cell->events ? cell->messages : NAN);
	}
}

/* All cells; and of a whole run, do they add up to its account? */
static uint32_t check(const struct heat_from *from, uint32_t rows, uint32_t columns)
{
	const struct call_log *log = from->log;
	uint32_t processes = log->trace->process_count, phases = from->spans->phases->count, bad = 0;
	struct heat_map *h[HEAT_MEASURES];
	struct asked a = {.from = from, .t0 = from->from, .t1 = from->to, .whole = !(from->from < from->to)};
	struct cell sum = {0}, all = {.phase = calloc(phases + 1, sizeof *all.phase)};
	double most[HEAT_MEASURES] = {0};

	for (int k = 0; k < HEAT_MEASURES; k++) {
		must(heat_map_new(&h[k], (enum heat_measure)k, from, rows, columns, NULL, &err));
		bad += h[k]->rows != (from->each ? (processes + from->each - 1) / from->each : rows < processes ? rows : processes);
		bad += h[k]->processes != processes;
		bad += h[k]->columns != h[0]->columns || h[k]->columns > columns || h[k]->measure != (enum heat_measure)k;
	}
	a.columns = h[0]->columns;
	if (from->ticks)
		a.ticks = from->end_tick - from->first_tick;
	else
		bad += a.columns != columns;
	if (a.whole) {
		a.t0 = log->trace->start;
		a.t1 = log->trace->end;
	}
	for (uint32_t row = 0; row < h[0]->rows; row++) {
		for (uint32_t c = 0; c < a.columns; c++) {
			struct cell cell = {.phase = calloc(phases + 1, sizeof *cell.phase)};
			uint64_t at = (uint64_t)row * a.columns + c;

			for (uint32_t p = 0; p < processes; p++)
				if ((from->each ? p / from->each : (uint64_t)p * h[0]->rows / processes) == row) {
					add_to_cell(&a, p, c, &cell);
					cell.total += edge(&a, c + 1) - edge(&a, c);
				}
			if (from->ticks)
				cell.total = cell.time;
			for (int k = 0; k < HEAT_MEASURES; k++) {
				bad += !is_right((enum heat_measure)k, h[k]->value[at], &cell, phases);
				most[k] = fmax(most[k], h[k]->value[at]);
				cells++;
			}
			sum.time += cell.time;
			if (cell.time > 0) {
				sum.compute += h[HEAT_COMPUTE]->value[at] * cell.total;
				sum.waiting += h[HEAT_WAITING]->value[at] * cell.total;
			}
			if (!isnan(h[HEAT_BYTES]->value[at])) {
				sum.bytes += h[HEAT_BYTES]->value[at];
				sum.messages += h[HEAT_MESSAGES]->value[at];
			}
			free(cell.phase);
		}
	}
	for (int k = 0; k < HEAT_MEASURES; k++)
		bad += h[k]->most != most[k];
	for (uint32_t p = 0; p < processes; p++) {
		struct account account;

		/* A process without events is in no tick. */
		if (log->list_first[p] == log->list_first[p + 1] ||
		    (from->ticks && from->ticks->trace->first[p] == from->ticks->trace->first[p + 1]))
			continue;
		waits_account(from->waits, log->list_first[p], &account);
		all.time += account_time(&account);
		all.compute += account.by_kind[ACCOUNT_USEFUL];
		all.waiting += account_sync(&account);
	}
	for (uint32_t ev = 0; ev < log->trace->event_count; ev++)
		if (EVENT_KIND(log->trace->type[ev]) == EVENT_SEND) {
			all.messages++;
			all.bytes += trace_size(log->trace, ev) == SIZE_UNKNOWN ? 0 : trace_size(log->trace, ev);
		}
	if (from->ticks ? from->first_tick == 0 && from->end_tick >= from->ticks->tick_count : a.whole)
		bad += !close_to(sum.time, all.time) + !close_to(sum.compute, all.compute) + !close_to(sum.waiting, all.waiting) +
		       !close_to(sum.bytes, all.bytes) + !close_to(sum.messages, all.messages);
	for (int k = 0; k < HEAT_MEASURES; k++)
		heat_map_free(h[k]);
	free(all.phase);
	return bad;
}

/* By ticks and by time, whole and in part. */
static uint32_t check_log(const struct call_log *log, uint64_t seed)
{
	struct settings settings;
	struct analysis *a;
	struct heat_from from = {.log = log};
	struct waits *w;
	struct phase_spans *s;
	uint64_t state = seed;
	uint32_t bad = 0, ticks, part;

	gen_settings(seed, &settings);
	must(analysis_new(&a, log->trace, &settings, NULL, ANALYSIS_PHASES, NULL, &err));
	must(waits_new(&w, log, NULL, &err));
	must(phase_spans_new(&s, log, a->clockwork, a->phases, NULL, &err));
	from.waits = w;
	from.spans = s;
	bad += check(&from, 1 + gen_below(&state, 7), 1 + gen_below(&state, 40));
	if (log->list_count) {
		double start = log->lists[0].start, length = log->lists[0].stop - start;

		from.from = start + length * gen_below(&state, 100) / 100;
		from.to = from.from + length * (1 + gen_below(&state, 100)) / 100;
		bad += check(&from, 1 + gen_below(&state, 7), 1 + gen_below(&state, 40));
	}
	ticks = a->logical->tick_count;
	from.ticks = a->logical;
	from.end_tick = ticks;
	from.each = gen_below(&state, 4);
	bad += check(&from, 1 + gen_below(&state, 7), 1 + gen_below(&state, ticks + 9));
	if (ticks) {
		part = gen_below(&state, ticks);
		from.first_tick = part;
		from.end_tick = part + 1 + gen_below(&state, ticks - part + 5); /* also behind the run's */
		bad += check(&from, 1 + gen_below(&state, 7), 1 + gen_below(&state, 20));
	}
	phase_spans_free(s);
	waits_free(w);
	analysis_unref(a);
	return bad;
}

/* --- runs --- */

/* A log of CLOG2 bytes. */
struct read {
	struct gen_bytes bytes;
	struct source source;
	struct trace *t;
	struct call_log *log;
};

static void read_bytes(struct read *r, struct gen_bytes bytes)
{
	r->bytes = bytes;
	must(source_open_memory(&r->source, "run", r->bytes.bytes, r->bytes.size, &err));
	must(trace_load_sources(&r->t, &r->source, 1, NULL, NULL, &err));
	must(call_log_new_sources(&r->log, r->t, &r->source, 1, NULL, &err));
}

static void free_read(struct read *r)
{
	call_log_free(r->log);
	trace_free(r->t);
	source_release(&r->source);
	free(r->bytes.bytes);
}

static void at_random(void)
{
	uint32_t bad = 0;

	for (uint64_t seed = 1; seed <= 60; seed++) {
		struct call_log *log = gen_log_run(seed, seed % 2);

		bad += check_log(log, seed);
		gen_log_free(log);
	}
	ok(!bad && filled > 3000, "runs that can happen: %llu cells as integrated, %llu of them above 0 (%u are not)",
	   (unsigned long long)cells, (unsigned long long)filled, bad);
	cells = filled = 0;
	for (uint64_t seed = 1; seed <= 60; seed++) {
		struct gen_script_options o = {.threads = 1 + (int32_t)(seed % 3)};
		struct read r;

		read_bytes(&r, gen_script_random(seed, seed % 4 ? GEN_SCRIPT_MESSY : GEN_SCRIPT_TIDY, &o));
		bad += check_log(r.log, seed);
		free_read(&r);
	}
	ok(!bad && filled > 3000, "messy files: %llu cells as integrated, %llu of them above 0 (%u are not)",
	   (unsigned long long)cells, (unsigned long long)filled, bad);
}

static struct heat_map *map_of(enum heat_measure m, const struct heat_from *from, uint32_t rows, uint32_t columns)
{
	struct heat_map *h;

	must(heat_map_new(&h, m, from, rows, columns, NULL, &err));
	return h;
}

/* 10 s: it computes to 4, sends to itself at 4 for a second, computes to 10. */
static void one_process(void)
{
	struct gen_log *g = gen_log_new(1);
	struct heat_from from = {0};
	struct heat_map *h;
	struct call_log *log;
	uint32_t c;

	gen_log_list(g, 0, 0, 0, 10);
	c = gen_log_call(g, "MPI_Send", 4, 5);
	gen_log_send(g, c, 0, 64);
	log = gen_log_made(g);
	from.log = log;
	h = map_of(HEAT_COMPUTE, &from, 3, 10);
	is_int(h->rows, 1, "one process is one row, whatever is asked for");
	is_double(h->value[4], 0, 0, "the second in the send has no computing");
	is_double(h->value[3], 1, 0, "... the one before it nothing else");
	heat_map_free(h);
	h = map_of(HEAT_COMPUTE, &from, 1, 2);
	is_double(h->value[0], 0.8, 1e-12, "4 of the first 5 s are computing");
	heat_map_free(h);
	h = map_of(HEAT_BYTES, &from, 1, 10);
	is_double(h->value[4], 64, 0, "64 bytes where the send is");
	is_double(h->value[5], 0, 0, "... none elsewhere");
	is_double(h->most, 64, 0, "... which is the most");
	heat_map_free(h);
	from.from = 8, from.to = 12;
	h = map_of(HEAT_COMPUTE, &from, 1, 4);
	ok(h->value[1] == 1 && isnan(h->value[2]), "behind the last record there is nothing, not 0");
	heat_map_free(h);
	h = map_of(HEAT_WAITING, &from, 1, 4);
	ok(isnan(h->value[0]) && h->most == 0, "what is not known is not 0");
	heat_map_free(h);
	gen_log_free(log);
}

/* Phases 2 and 1 have 5 s each. */
static void equal_phases(void)
{
	struct gen_log *g = gen_log_new(1);
	struct phase_span spans[] = {{-INFINITY, SPAN_BEFORE, UINT32_MAX}, {0, 2, 0}, {5, 1, 1}, {10, SPAN_AFTER, UINT32_MAX}};
	uint32_t first[] = {0, 4};
	struct phase_spans s = {.spans = spans, .first = first, .process_count = 1};
	struct heat_from from = {.spans = &s};
	struct heat_map *h;
	struct call_log *log;

	gen_log_list(g, 0, 0, 0, 12);
	log = gen_log_made(g);
	from.log = log;
	h = map_of(HEAT_PHASE, &from, 1, 1);
	is_double(h->value[0], 1, 0, "of phases with as much time the lowest stands");
	heat_map_free(h);
	h = map_of(HEAT_PHASE, &from, 1, 12);
	ok(h->value[4] == 2 && h->value[5] == 1 && h->value[11] == 0 && h->most == 2, "... each where it is; behind them none");
	heat_map_free(h);
	gen_log_free(log);
}

/* Process 1 of 3 has no records; none has calls. */
static void nothing(void)
{
	struct gen_log *g = gen_log_new(3);
	struct heat_from from = {0};
	struct heat_map *h;
	struct call_log *log;

	gen_log_list(g, 0, 0, 1, 5);
	gen_log_list(g, 2, 0, 3, 3);
	log = gen_log_made(g);
	from.log = log;
	h = map_of(HEAT_COMPUTE, &from, 3, 4);
	ok(h->value[0] == 1 && h->value[3] == 1, "without calls all is computing");
	ok(isnan(h->value[4]) && isnan(h->value[10]), "... of processes without time nothing is known");
	heat_map_free(h);
	h = map_of(HEAT_MESSAGES, &from, 3, 4);
	ok(h->value[0] == 0 && isnan(h->value[4]) && h->most == 0, "... and messages are none, or not known");
	heat_map_free(h);
	log->states_seen = false;
	h = map_of(HEAT_COMPUTE, &from, 3, 4);
	ok(isnan(h->value[0]), "a trace without MPI calls does not tell computing from waiting");
	heat_map_free(h);
	h = map_of(HEAT_COMPUTE, &from, 3, 0);
	is_int(h->columns, 0, "no columns: no cells");
	heat_map_free(h);
	gen_log_free(log);
}

static bool yes(void *arg)
{
	(void)arg;
	return true;
}

static void memory_and_cancelling(void)
{
	struct progress progress = {.stopped = yes};
	struct call_log *log = gen_log_run(3, true);
	struct settings settings;
	struct heat_from from = {.log = log};
	struct heat_map *h;
	struct analysis *a;
	struct phase_spans *s;
	enum err_code code = ERR_MEMORY;
	bool clean = true;
	long n;

	settings_init(&settings);
	must(analysis_new(&a, log->trace, &settings, NULL, ANALYSIS_PHASES, NULL, &err));
	must(phase_spans_new(&s, log, a->clockwork, a->phases, NULL, &err));
	from.spans = s;
	for (n = 0; code == ERR_MEMORY && n < 200; n++) {
		mem_fail_after(n);
		code = heat_map_new(&h, HEAT_PHASE, &from, 4, 10, NULL, &err);
		if (code)
			clean = clean && !h && !mem_live();
		mem_fail_after(-1);
	}
	ok(code == ERR_OK && n > 5 && clean, "%ld allocations fail one after the other: told, and nothing is left", n - 1);
	heat_map_free(h);
	for (int k = 0; k < HEAT_MEASURES; k++)
		if (heat_map_new(&h, (enum heat_measure)k, &from, 4, 10, &progress, &err) != ERR_CANCELLED || h)
			clean = false;
	ok(clean, "stopped, with nothing made");
	phase_spans_free(s);
	analysis_unref(a);
	gen_log_free(log);
}

int main(void)
{
	at_random();
	one_process();
	equal_phases();
	nothing();
	memory_and_cancelling();
	return done_testing();
}
