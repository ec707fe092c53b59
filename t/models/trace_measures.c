/* What a trace says messages and collectives took must be what its page says, found by going through plain lists of
 * calls: fits, machines and predictions are made of these rows, and nobody would see a wrong one among millions. Shown
 * on random runs and on the samples; and that clocks which cannot be compared give nothing, that what is rare is told,
 * that memory stays bounded, and that memory may fail anywhere.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "core/formats/api/load.h"
#include "core/io/source.h"
#include "core/models/fit/fit.h"
#include "gen.h"
#include "gen_script.h"
#include "naive_metrics.h"
#include "tap.h"

static struct err err;

static void must(enum err_code code)
{
	if (code)
		bail_out("%s", err.text);
}

/* ---- naively ---- */

struct row {
	char group[32];
	double bytes, p, seconds;
};

static struct row *rows;
static size_t row_count, row_room;

static void add(const char *op, const char *where, double bytes, double p, double seconds)
{
	if (row_count == row_room) {
		row_room = row_room ? 2 * row_room : 64;
		rows = realloc(rows, row_room * sizeof *rows);
		if (!rows)
			bail_out("no memory");
	}
	rows[row_count] = (struct row){.bytes = bytes, .p = p, .seconds = seconds};
	snprintf(rows[row_count++].group, sizeof rows->group, "%s %s", op, where);
}

static uint32_t process_of(const struct naive_metrics *m, uint32_t event)
{
	return m->list[m->where[event].list].process;
}

static const struct naive_call *call_of(const struct naive_metrics *m, uint32_t event)
{
	return &m->list[m->where[event].list].call[m->where[event].call];
}

static const char *where_of(const struct naive_metrics *m, uint32_t a, uint32_t b)
{
	return strcmp(m->process[a].host, m->process[b].host) ? "inter" : "intra";
}

static bool is_plain(const struct naive_call *c)
{
	for (uint32_t i = 0; i < c->dones; i++)
		if (c->done[i].collective)
			return false;
	return c->events == 1 && *c->name;
}

static void naive_message(const struct naive_metrics *m, const struct naive_call *c, uint32_t process, const struct fit *recv)
{
	const struct trace *t = m->trace;
	uint32_t event = c->event[0], other = t->match[event], kind = EVENT_KIND(t->type[event]);
	const char *where;
	double sent, got;

	if (kind == EVENT_COLLECTIVE || other == NO_EVENT || trace_size(t, event) == SIZE_UNKNOWN || process_of(m, other) == process)
		return;
	where = where_of(m, process, process_of(m, other));
	if (kind == EVENT_SEND && !recv && !strcmp(c->name, "Send"))
		add("send", where, trace_size(t, event), 2, c->end - c->start);
	if (kind == EVENT_SEND && !recv && !strcmp(c->name, "Isend"))
		add("isend", where, trace_size(t, event), 2, c->end - c->start);
	if (kind != EVENT_RECEIVE)
		return;
	sent = m->where[other].time;
	got = m->where[event].time;
	if (recv) {
		struct fit_value v;

		fit_at(recv, (double[]){trace_size(t, event)}, &v);
		if (!strcmp(where, "intra") && c->start >= sent + fmax(0, v.value))
			add("copy", where, trace_size(t, event), 2, c->end - c->start);
	} else if (c->start <= sent && got >= sent) {
		add("recv", where, trace_size(t, event), 2, got - sent);
	}
}

static void naive_collective(const struct naive_metrics *m, const struct naive_call *c)
{
	static const char *const ops[] = {"barrier", "bcast", "reduce", "allreduce", "gather", "scatter", "allgather", "alltoall"};
	const struct trace *t = m->trace;
	uint32_t first = c->event[0], size = t->comms[trace_comm(t, first)].size, members = 0;
	double last = -INFINITY, sum = 0, bytes = -1;
	const char *op = NULL, *where = "intra";

	for (size_t i = 0; i < sizeof ops / sizeof *ops; i++)
		if (!strcasecmp(ops[i], c->name))
			op = ops[i];
	if (EVENT_KIND(t->type[first]) != EVENT_COLLECTIVE || !op)
		return;
	for (uint32_t e = first; !members || e != first; e = t->match[e]) {
		const struct naive_call *of = call_of(m, e);

		if (e < first || !is_plain(of))
			return; /* told by the first one */
		last = fmax(last, of->start);
		if (!strcmp(where_of(m, process_of(m, first), process_of(m, e)), "inter"))
			where = "inter";
		if (trace_size(t, e) != SIZE_UNKNOWN)
			bytes = fmax(bytes, trace_size(t, e));
		members++;
	}
	if (members < 2 || members != size)
		return;
	for (uint32_t e = first, i = 0; i < members; e = t->match[e], i++)
		sum += fmax(0, call_of(m, e)->end - last);
	if (!strcmp(op, "barrier"))
		bytes = 0;
	else if (!strcmp(op, "scatter") || !strcmp(op, "alltoall"))
		bytes = floor(bytes / size);
	if (bytes >= 0)
		add(op, where, bytes, size, sum / members);
}

static void naive_calls(const struct naive_metrics *m, const struct fit *recv)
{
	for (uint32_t l = 0; l < m->lists; l++)
		for (uint32_t c = 0; c < m->list[l].calls; c++) {
			const struct naive_call *call = &m->list[l].call[c];

			if (!is_plain(call))
				continue;
			naive_message(m, call, m->list[l].process, recv);
			if (!recv)
				naive_collective(m, call);
		}
}

/* What `recv` says on one host, of this run's rows. */
static bool naive_fit(struct fit *fit, struct measurements *m, struct measured_sets *sets, size_t from)
{
	size_t n = 0;

	must(measurements_init(m, (const char *const[]){"bytes"}, 1, &err));
	for (size_t i = from; i < row_count; i++)
		if (!strcmp(rows[i].group, "recv intra")) {
			must(measurements_add(m, "", &rows[i].bytes, rows[i].seconds, &err));
			n++;
		}
	if (n < 30) {
		measurements_release(m);
		return false;
	}
	must(measurements_sets(m, VALUE_MEAN, sets, &err));
	struct fit_points points = measured_set_points(&sets->set[0]);
	must(fit_make(fit, &points, &(struct fit_options){0}, NULL, &err));
	return true;
}

static int by_row(const void *a, const void *b)
{
	const struct row *x = a, *y = b;
	int names = strcmp(x->group, y->group);

	if (names)
		return names;
	if (x->bytes != y->bytes)
		return x->bytes < y->bytes ? -1 : 1;
	if (x->p != y->p)
		return x->p < y->p ? -1 : 1;
	return x->seconds < y->seconds ? -1 : x->seconds > y->seconds;
}

static int by_seconds(const void *a, const void *b)
{
	const struct row *x = a, *y = b;

	return x->seconds < y->seconds ? -1 : x->seconds > y->seconds;
}

static bool compares_hosts(const char *group)
{
	return strstr(group, " inter") && strncmp(group, "send", 4) != 0 && strncmp(group, "isend", 5) != 0;
}

/* Of the rows of a run, those of groups between hosts whose median is 0: no clock is good enough for them. */
static void drop_short(size_t from)
{
	size_t n = from;

	qsort(rows + from, row_count - from, sizeof *rows, by_row);
	for (size_t i = from, end; i < row_count; i = end) {
		for (end = i; end < row_count && !strcmp(rows[end].group, rows[i].group); end++)
			;
		qsort(rows + i, end - i, sizeof *rows, by_seconds);
		if (compares_hosts(rows[i].group) && rows[i + (end - i - 1) / 2].seconds + rows[i + (end - i) / 2].seconds <= 0)
			continue;
		memmove(rows + n, rows + i, (end - i) * sizeof *rows);
		n += end - i;
	}
	row_count = n;
}

static void naive_run(struct gen_bytes b)
{
	struct naive_metrics *m = naive_metrics_new(b.bytes, b.size, NULL);
	struct measurements of;
	struct measured_sets sets;
	struct fit fit;
	size_t from = row_count;

	naive_calls(m, NULL);
	if (naive_fit(&fit, &of, &sets, from)) {
		naive_calls(m, &fit);
		fit_release(&fit);
		measured_sets_release(&sets);
		measurements_release(&of);
	}
	naive_metrics_free(m);
	drop_short(from);
}

/* ---- compared ---- */

static void add_run(struct trace_measures *r, struct gen_bytes b, double clock_error)
{
	struct source source;
	struct trace *trace;
	struct call_log *log;

	must(source_open_memory(&source, "run", b.bytes, b.size, &err));
	must(call_log_load_sources(&log, &trace, &source, 1, NULL, NULL, &err));
	trace->clock_error = clock_error;
	must(trace_measures_add(r, log, NULL, &err));
	call_log_free(log);
	trace_free(trace);
	source_release(&source);
}

/* Naive rows of groups that are to be there, in order. clocks: between hosts, too. */
static void sift(bool clocks)
{
	size_t n = 0;

	qsort(rows, row_count, sizeof *rows, by_row);
	for (size_t i = 0, end; i < row_count; i = end) {
		for (end = i; end < row_count && !strcmp(rows[end].group, rows[i].group); end++)
			;
		if (end - i < 30 || (compares_hosts(rows[i].group) && !clocks))
			continue;
		memmove(rows + n, rows + i, (end - i) * sizeof *rows);
		n += end - i;
	}
	row_count = n;
}

static void compare(struct trace_measures *r, bool clocks, const char *what)
{
	struct measurements m;
	struct row *got;
	size_t wrong = 0, copies = 0, groups = 0;

	sift(clocks);
	if (trace_measures_take(r, &m, &err)) {
		is_int((long long)row_count, 0, "%s: nothing is there naively either", what);
		return;
	}
	got = calloc(m.rows, sizeof *got);
	for (size_t i = 0; got && i < m.rows; i++) {
		got[i] = (struct row){.bytes = m.at[2 * i], .p = m.at[2 * i + 1], .seconds = m.value[i]};
		snprintf(got[i].group, sizeof got->group, "%s", m.group[m.of[i]]);
	}
	if (!got)
		bail_out("no memory");
	qsort(got, m.rows, sizeof *got, by_row);
	is_int((long long)m.rows, (long long)row_count, "%s: as many rows", what);
	for (size_t i = 0; i < m.rows && i < row_count; i++) {
		wrong += strcmp(got[i].group, rows[i].group) != 0 || got[i].bytes != rows[i].bytes || got[i].p != rows[i].p ||
			 fabs(got[i].seconds - rows[i].seconds) > 1e-9 * fabs(rows[i].seconds) + 1e-12;
		copies += !strncmp(got[i].group, "copy", 4);
		groups += !i || strcmp(got[i].group, got[i - 1].group) != 0;
	}
	is_int((long long)wrong, 0, "%s: all of them the same, %zu groups, %zu of copy", what, groups, copies);
	free(got);
	measurements_release(&m);
}

static void finish(struct trace_measures *r)
{
	trace_measures_release(r);
	free(rows);
	rows = NULL;
	row_count = row_room = 0;
}

static void random_runs(enum gen_script_kind kind, double clock_error, const char *what)
{
	struct trace_measures r;

	must(trace_measures_init(&r, &err));
	for (uint64_t seed = 1; seed <= CASES(100); seed++) {
		struct gen_bytes b = gen_script_random(seed, kind, &(struct gen_script_options){0});

		naive_run(b);
		add_run(&r, b, clock_error);
		free(b.bytes);
	}
	compare(&r, clock_error > 0, what);
	finish(&r);
}

static void samples(void)
{
	static const char *const names[] = {"cg.S.4", "lu.S.4", "anysrc.5", "coll.6.m246", "comms.6", "nonblock.4", "sendrecv.4", "ft.S.4"};

	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		struct trace_measures r;
		struct gen_bytes b;
		char path[100];

		snprintf(path, sizeof path, "sample-traces/%s.clog2", names[i]);
		b = gen_slurp(path);
		must(trace_measures_init(&r, &err));
		naive_run(b);
		add_run(&r, b, 0);
		compare(&r, false, names[i]);
		finish(&r);
		free(b.bytes);
	}
}

/* ---- by hand ---- */

/* `count` messages of 8 bytes, each sent 1 s after the receiver came, received 0.25 s later, by a call of 2 s; the send
 * takes 0.5 s. */
static struct gen_bytes waiting(uint32_t count, const char *const *hosts)
{
	struct gen_script *g = gen_script_new(2, &(struct gen_script_options){.hosts = hosts});

	for (uint32_t i = 0; i < count; i++) {
		double at = 10.0 * i;

		script_enter(g, 1, at, "MPI_Recv");
		script_enter(g, 0, at + 1, "MPI_Send");
		script_sent(g, 0, at + 1, 1, 0, 8);
		script_received(g, 1, at + 1.25, 0, 0, 8);
		script_leave(g, 0, at + 1.5, "MPI_Send");
		script_leave(g, 1, at + 2, "MPI_Recv");
	}
	return gen_script_bytes(g);
}

static void by_hand(const char *const *hosts, double clock_error, uint32_t count, size_t rows_expected, const char *note, const char *what)
{
	struct gen_bytes b = waiting(count, hosts);
	struct trace_measures r;
	struct measurements m;
	enum err_code code;

	must(trace_measures_init(&r, &err));
	add_run(&r, b, clock_error);
	code = trace_measures_take(&r, &m, &err);
	is_int(code, rows_expected ? ERR_OK : ERR_FORMAT, "%s", what);
	if (!code) {
		is_int((long long)m.rows, (long long)rows_expected, "%s: rows", what);
		ok(m.value[0] == 0.5 && m.value[m.rows - 1] == (rows_expected == 30 ? 0.5 : 0.25), "%s: what they took", what);
		measurements_release(&m);
	}
	ok(note ? r.notes.len && strstr(r.notes.text, note) : !r.notes.len, "%s: %s is said", what, note ? note : "nothing");
	trace_measures_release(&r);
	free(b.bytes);
}

static void memory(void)
{
	struct gen_bytes b = gen_slurp("sample-traces/lu.S.4.clog2");
	struct source source;
	struct trace *trace;
	struct call_log *log;
	long n = 0;
	enum err_code code;

	must(source_open_memory(&source, "run", b.bytes, b.size, &err));
	must(call_log_load_sources(&log, &trace, &source, 1, NULL, NULL, &err));
	do {
		struct trace_measures r = {0};
		struct measurements m;
		long live;

		mem_fail_after(n++);
		live = mem_live();
		code = trace_measures_init(&r, &err);
		if (!code)
			code = trace_measures_add(&r, log, NULL, &err);
		if (!code)
			code = trace_measures_take(&r, &m, &err);
		if (!code)
			measurements_release(&m);
		trace_measures_release(&r);
		if (mem_live() != live || (code && code != ERR_MEMORY))
			break;
	} while (code);
	mem_fail_after(-1);
	ok(!code, "memory may end at each of %ld allocations", n);
	call_log_free(log);
	trace_free(trace);
	source_release(&source);
	free(b.bytes);
}

int main(void)
{
	static const char *const two[] = {"a", "b"};

	by_hand(NULL, 0, 30, 60, NULL, "one host");
	by_hand(NULL, 0, 29, 0, "send intra is not fitted: the trace has 29 times, but 30 are needed", "too few");
	by_hand(two, 0, 30, 30, "recv inter is not fitted: the trace has no clock error for its nodes", "two hosts");
	by_hand(two, 0.025, 30, 60, NULL, "two hosts whose clocks agree");
	by_hand(two, 0.026, 30, 30, "recv inter is not fitted: the clock error, up to 2.6e+04 us", "two hosts whose clocks hardly do");
	by_hand(NULL, 0, 5000, 2500 + 2500, NULL, "many: each second is kept");
	random_runs(GEN_SCRIPT_TIDY, 0, "tidy runs on several hosts");
	random_runs(GEN_SCRIPT_NUMBERED, 0, "numbered runs");
	random_runs(GEN_SCRIPT_TIDY, 1e-30, "tidy runs whose clocks agree");
	random_runs(GEN_SCRIPT_NUMBERED, 1e-30, "numbered runs whose clocks agree");
	samples();
	memory();
	return done_testing();
}
