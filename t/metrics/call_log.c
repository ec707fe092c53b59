/* The call log must account for every second of every process once: what was computing, what was in which call, of
 * which user state, and what was hidden under a pending receive. Shown on the page's runs, whose figures were made by
 * hand, on real traces, and on what goes wrong: calls and states without ends, ends without starts, threads, damage,
 * changed files.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/formats/api/load.h"
#include "core/io/source.h"
#include "core/metrics/calls/log.h"
#include "core/trace/mpi_functions.h"
#include "gen.h"
#include "gen_calls.h"
#include "tap.h"

static struct err err;

static void must(enum err_code code)
{
	if (code != ERR_OK)
		bail_out("%s", err.text);
}

struct run {
	struct gen_bytes bytes;
	struct source source;
	struct trace *trace;
	struct call_log *log;
};

static struct run open_run(struct gen_bytes bytes, unsigned threads)
{
	struct run r = {.bytes = bytes};
	struct trace_options o = {.threads = threads};

	must(source_open_memory(&r.source, "run", bytes.bytes, bytes.size, &err));
	must(trace_load_sources(&r.trace, &r.source, 1, &o, NULL, &err));
	must(call_log_new_sources(&r.log, r.trace, &r.source, 1, NULL, &err));
	return r;
}

static void close_run(struct run *r)
{
	call_log_free(r->log);
	trace_free(r->trace);
	source_release(&r->source);
	free(r->bytes.bytes);
}

static struct account account_of(const struct call_log *log, uint32_t list)
{
	struct account a;

	call_log_account(log, NULL, list, &a);
	return a;
}

/* Time with a node topmost, of all processes. */
static double stay_of(const struct call_log *log, uint32_t node, bool hidden)
{
	double sum = 0;

	for (uint32_t s = 0; s < log->stay_count; s++)
		if (log->stays[s].node == node)
			sum += hidden ? log->stays[s].hidden : log->stays[s].useful;
	return sum;
}

/* The node of a path like "A/B/MPI_Send"; NO_EVENT: there is none. */
static uint32_t node_at(const struct call_log *log, const char *path)
{
	uint32_t node = 0;

	while (*path) {
		size_t n = strcspn(path, "/");
		uint32_t child = 1;

		while (child < log->node_count && (log->nodes[child].parent != node || strlen(log->nodes[child].name) != n ||
						   strncmp(log->nodes[child].name, path, n) != 0))
			child++;
		if (child >= log->node_count)
			return NO_EVENT;
		node = child;
		path += n + (path[n] == '/');
	}
	return node;
}

static void is_node(const struct call_log *log, const char *path, uint64_t count, uint64_t unfinished, double useful)
{
	uint32_t n = node_at(log, path);

	if (!ok(n < log->node_count, "there is %s", path))
		return;
	is_u64(log->nodes[n].count, count, "%s: how often", path);
	is_u64(log->nodes[n].unfinished, unfinished, "%s: how often without end", path);
	is_double(stay_of(log, n, false), useful, 1e-12, "%s: its own useful time", path);
}

static void tiny(void)
{
	struct run r = open_run(gen_tiny(NULL, 0), 0);
	struct call_log *log = r.log;
	struct account a = account_of(log, 0), b = account_of(log, 1);

	is_int(log->list_count, 2, "tiny: a list for each process");
	is_double(log->lists[0].start, 0, 0, "from its first record");
	is_double(log->lists[0].stop, 20, 0, "to its last");
	is_double(a.by_kind[ACCOUNT_USEFUL], 14, 1e-12, "process 0 computes");
	is_double(b.by_kind[ACCOUNT_USEFUL], 13, 1e-12, "so does process 1");
	is_double(account_communication(&a), 6, 1e-12, "the rest of process 0 is communication");
	is_double(account_communication(&b), 7, 1e-12, "and of process 1");
	is_double(a.by_kind[ACCOUNT_WAIT], 2, 1e-12, "of which it waits for the receive");
	is_double(a.hidden, 3, 1e-12, "process 0 computes under a pending receive");
	is_double(b.hidden, 0, 0, "process 1 does not");
	is_double(account_overlap(&a, log->lists[0].known), 1 / 3., 1e-12, "its overlap");
	is_double(account_overlap(&b, log->lists[1].known), 0, 0, "without a nonblocking call: none");
	is_node(log, "A", 2, 0, 11);
	is_node(log, "B", 2, 0, 16);
	is_node(log, "A/MPI_Send", 1, 0, 0);
	is_node(log, "MPI_Allreduce", 2, 0, 0);
	is_double(stay_of(log, node_at(log, "B"), true), 3, 1e-12, "what is hidden is B's");
	is_int(log->call_count, 7, "seven calls");
	is_u64(log->unpaired, 0, "nothing is unpaired");
	ok(log->states_seen && log->users_seen, "calls and user states are there");
	close_run(&r);
}

static void twisted(void)
{
	struct run r = open_run(gen_twisted(NULL, 0), 0);
	struct call_log *log = r.log;
	struct account a = account_of(log, 0), b = account_of(log, 1);

	is_double(a.by_kind[ACCOUNT_USEFUL], 12.9, 1e-12, "twisted: process 0 computes");
	is_double(b.by_kind[ACCOUNT_USEFUL], 14.5, 1e-12, "so does process 1");
	is_double(a.by_kind[ACCOUNT_SEND] + b.by_kind[ACCOUNT_SEND], 5.85, 1e-12, "sends, one to the last record, Startall");
	is_double(a.by_kind[ACCOUNT_RECEIVE] + b.by_kind[ACCOUNT_RECEIVE], 3, 1e-12, "receives");
	is_double(a.by_kind[ACCOUNT_WAIT] + b.by_kind[ACCOUNT_WAIT], 2, 1e-12, "waits");
	is_double(b.by_kind[ACCOUNT_TRACER], .25, 1e-12, "the tracer's write");
	is_double(account_time(&a) + account_time(&b), 38.5, 1e-12, "all of it");
	is_double(a.hidden, 1.5, 1e-12, "hidden: up to what can be told");
	is_double(b.hidden, .5, 1e-12, "hidden behind Startall");
	is_node(log, "A", 2, 0, 4);
	is_node(log, "A/A", 1, 0, 1);
	is_node(log, "A/B", 1, 0, 7);
	is_node(log, "B", 1, 1, 4.75);
	is_node(log, "(tracer)", 1, 0, 0);
	ok(node_at(log, "MPI_Send/MPI_Recv") == NO_EVENT && node_at(log, "MPI_Recv") == NO_EVENT,
	   "what begins inside a call is a part of it");
	is_u64(log->unpaired, 2, "a call without end, an end without start");
	close_run(&r);
}

/* --- what must hold of any log; returns how often it does not --- */

static bool near(double a, double b)
{
	return fabs(a - b) <= 1e-9 * (1 + fabs(a) + fabs(b));
}

static uint32_t broken_calls(const struct call_log *log, uint32_t list)
{
	const struct call_list *l = &log->lists[list];
	double past = l->start;
	uint32_t bad = 0;

	for (uint32_t c = l->first; c < l->end; c++) {
		const struct logged_call *call = &log->calls[c];
		uint32_t seen = 0;

		bad += !(call->start >= past && call->end >= call->start && call->end <= l->stop);
		past = call->end;
		bad += call->node == 0 || call->node >= log->node_count || log->nodes[call->node].kind != NODE_MPI;
		bad += call_log_list_of(log, c) != list;
		for (uint32_t ev = call->first_event; ev != NO_EVENT && seen < 5; ev = call_log_next_event(log, c, ev), seen++)
			bad += log->call_of[ev] != c || trace_process_of(log->trace, ev) != l->process;
	}
	return bad;
}

static uint32_t broken_events(const struct call_log *log)
{
	const struct trace *t = log->trace;
	uint32_t bad = 0, in_calls = 0, mapped = 0;

	for (uint32_t ev = 0; ev < t->event_count; ev++) {
		uint32_t c = log->call_of[ev];

		if (c == NO_LOGGED_CALL) {
			bad++;
			continue;
		}
		mapped++;
		bad += c >= log->call_count || log->calls[c].first_event > ev;
	}
	for (uint32_t c = 0; c < log->call_count; c++)
		for (uint32_t ev = log->calls[c].first_event; ev != NO_EVENT; ev = call_log_next_event(log, c, ev))
			in_calls++;
	return bad + (in_calls != mapped);
}

static uint32_t broken_rules(const struct call_log *log)
{
	double useful = 0, hidden = 0, stays = 0, stays_hidden = 0;
	uint32_t bad = log->list_first[0] != 0, calls = 0;

	for (uint32_t l = 0; l < log->list_count; l++) {
		const struct call_list *list = &log->lists[l];
		struct account a = account_of(log, l);

		bad += list->first != calls || l < log->list_first[list->process] || l >= log->list_first[list->process + 1];
		bad += list->account != (l == log->list_first[list->process]);
		calls = list->end;
		bad += !near(account_time(&a), list->stop - list->start);
		bad += a.hidden > a.by_kind[ACCOUNT_USEFUL] * (1 + 1e-12);
		bad += broken_calls(log, l);
		useful += list->account ? a.by_kind[ACCOUNT_USEFUL] : 0;
		hidden += list->account ? a.hidden : 0;
	}
	bad += calls != log->call_count;
	for (uint32_t s = 0; s < log->stay_count; s++) {
		const struct node_stay *stay = &log->stays[s];

		bad += s && (stay[-1].process > stay->process ||
			     (stay[-1].process == stay->process && stay[-1].node >= stay->node));
		bad += log->nodes[stay->node].kind == NODE_MPI || stay->hidden > stay->useful * (1 + 1e-9) + 1e-12;
		stays += stay->useful;
		stays_hidden += stay->hidden;
	}
	for (uint32_t n = 1; n < log->node_count; n++)
		bad += log->nodes[n].parent >= n || log->nodes[n].depth != log->nodes[log->nodes[n].parent].depth + 1 ||
		       log->nodes[log->nodes[n].parent].kind == NODE_MPI;
	return bad + !near(stays, useful) + !near(stays_hidden, hidden) + broken_events(log);
}

/* How much two logs differ; times of process 1 are `late` seconds later in b. */
static uint32_t differ(const struct call_log *a, const struct call_log *b, double late)
{
	uint32_t bad = 0;

	if (a->list_count != b->list_count || a->call_count != b->call_count || a->node_count != b->node_count ||
	    a->stay_count != b->stay_count || a->trace->event_count != b->trace->event_count)
		return 1000;
	for (uint32_t l = 0; l < a->list_count; l++) {
		const struct call_list *x = &a->lists[l], *y = &b->lists[l];
		double shift = x->process == 1 ? late : 0;

		bad += x->process != y->process || x->thread != y->thread || x->first != y->first || x->end != y->end;
		bad += x->start + shift != y->start || x->stop + shift != y->stop || x->account != y->account || x->untraced != y->untraced;
		bad += x->known.posts != y->known.posts || x->known.nonblocking != y->known.nonblocking;
		for (uint32_t c = x->first; c < x->end; c++) {
			bad += a->calls[c].start + shift != b->calls[c].start || a->calls[c].end + shift != b->calls[c].end;
			bad += a->calls[c].node != b->calls[c].node || a->calls[c].first_event != b->calls[c].first_event;
			bad += a->flags[c] != b->flags[c];
		}
	}
	for (uint32_t n = 0; n < a->node_count; n++) {
		const struct call_node *x = &a->nodes[n], *y = &b->nodes[n];

		bad += strcmp(x->name, y->name) != 0 || x->parent != y->parent || x->kind != y->kind || x->time != y->time ||
		       x->traits != y->traits || x->count != y->count || x->unfinished != y->unfinished;
	}
	for (uint32_t s = 0; s < a->stay_count; s++)
		bad += a->stays[s].process != b->stays[s].process || a->stays[s].node != b->stays[s].node ||
		       !near(a->stays[s].useful, b->stays[s].useful) || !near(a->stays[s].hidden, b->stays[s].hidden);
	for (uint32_t ev = 0; ev < a->trace->event_count; ev++)
		bad += a->call_of[ev] != b->call_of[ev];
	return bad + (a->unpaired != b->unpaired) + (a->too_deep != b->too_deep);
}

static void copies(void)
{
	struct clog2_write_options little = gen_clog2_options(40, false, true, 4096);

	for (int i = 0; i < 2; i++) {
		struct gen_bytes (*make)(const struct clog2_write_options *, double) = i ? gen_twisted : gen_tiny;
		struct run a = open_run(make(NULL, 0), 1), b = open_run(make(&little, 0), 1), c = open_run(make(NULL, 0.25), 1);

		is_int(broken_rules(a.log), 0, "rules hold");
		is_int(differ(a.log, b.log, 0), 0, "another byte order, other blocks: the same log");
		is_int(differ(a.log, c.log, 0.25), 0, "another clock: the same but for its times");
		close_run(&a);
		close_run(&b);
		close_run(&c);
	}
}

/* --- what goes wrong in a program or its trace --- */

/* The tracer writes in and around calls and messages. */
static void tracer(void)
{
	static const struct { double start, end; const char *name; } want[] = {
		{1, 2, "(tracer)"}, {2, 4, "MPI_Wait"}, {4, 5, "(tracer)"}, {7, 9, "MPI_Send"},
		{10, 11, "(tracer)"}, {11, 11, "(no call)"}, {11, 12, "(tracer)"},
	};
	struct gen_calls *g = gen_calls_new(2, NULL);
	struct run r;
	uint32_t bad = 0;

	gen_mark(g, 0, 0);
	gen_begin(g, 0, 1, "CLOG_Buffer_write2disk");
	gen_call(g, 0, 2, 4, "MPI_Wait");
	gen_end(g, 0, 5, "CLOG_Buffer_write2disk");
	gen_begin(g, 0, 7, "MPI_Send");
	gen_call(g, 0, 8, 8.5, "CLOG_Buffer_write2disk");
	gen_end(g, 0, 9, "MPI_Send");
	gen_begin(g, 0, 10, "CLOG_Buffer_write2disk");
	gen_message(g, 0, 11, true, 1, 8, 0);
	gen_end(g, 0, 12, "CLOG_Buffer_write2disk");
	gen_mark(g, 0, 15);
	r = open_run(gen_calls_bytes(g), 0);
	is_int(r.log->call_count, 7, "a tracer's write is in pieces around calls");
	for (uint32_t c = 0; c < r.log->call_count && c < 7; c++)
		bad += r.log->calls[c].start != want[c].start || r.log->calls[c].end != want[c].end ||
		       strcmp(r.log->nodes[r.log->calls[c].node].name, want[c].name) != 0;
	is_int(bad, 0, "each with its time");
	is_double(account_of(r.log, 0).by_kind[ACCOUNT_TRACER], 4, 1e-12, "what is outside of calls is the tracer's");
	is_int(r.log->call_of[0], 5, "a message outside of calls is one of its own");
	is_int(broken_rules(r.log), 0, "rules hold");
	close_run(&r);
}

static void overlapping(void)
{
	struct gen_calls *g = gen_calls_new(2, NULL);
	struct run r;

	gen_mark(g, 0, 0);
	gen_end(g, 0, 1, "MPI_Recv");          /* never begun */
	gen_begin(g, 0, 2, "solve");
	gen_begin(g, 0, 3, "MPI_Send");
	gen_begin(g, 0, 4, "MPI_Recv");        /* lost its end, ends with the call around it */
	gen_begin(g, 0, 5, "solve");           /* begins in a call: the call's */
	gen_end(g, 0, 6, "solve");
	gen_end(g, 0, 7, "solve");             /* ends in a call: no longer topmost behind it */
	gen_end(g, 0, 8, "MPI_Send");
	gen_mark(g, 0, 7.5);                   /* the clock steps back */
	gen_begin(g, 0, 10, "solve");
	gen_begin(g, 0, 11, "relax");
	gen_mark(g, 0, 12);
	r = open_run(gen_calls_bytes(g), 0);
	is_u64(r.log->unpaired, 2, "an end without its start, a call without its end");
	is_int(r.log->call_count, 1, "one outermost call");
	is_double(account_of(r.log, 0).by_kind[ACCOUNT_SEND], 5, 1e-12, "to its own end");
	is_node(r.log, "solve", 2, 1, 2);
	is_node(r.log, "solve/relax", 1, 1, 1);
	is_double(stay_of(r.log, 0, false), 4, 1e-12, "the program's own, where no state is open");
	is_double(r.log->lists[0].stop, 12, 0, "to the last record");
	is_int(broken_rules(r.log), 0, "rules hold");
	close_run(&r);
}

static void threads(void)
{
	struct gen_calls *g = gen_calls_new(2, NULL);
	struct run r;

	gen_thread(g, 2);
	gen_mark(g, 0, 0);
	gen_begin(g, 0, 1, "MPI_Recv");
	gen_thread(g, 1);
	gen_begin(g, 0, 0.5, "work");
	gen_begin(g, 0, 2, "MPI_Send");
	gen_message(g, 0, 2, true, 1, 8, 1);
	gen_thread(g, 2);
	gen_message(g, 0, 3, false, 1, 8, 2);
	gen_end(g, 0, 4, "MPI_Recv");
	gen_thread(g, 1);
	gen_end(g, 0, 5, "MPI_Send");
	gen_begin(g, 0, 6, "MPI_Send");
	gen_message(g, 0, 6, true, 1, 8, 1);
	gen_end(g, 0, 7, "MPI_Send");
	gen_end(g, 0, 8, "work");
	r = open_run(gen_calls_bytes(g), 0);
	is_int(r.log->list_count, 2, "a list for each thread that has records");
	is_int(r.log->lists[0].thread, 1, "by their numbers");
	ok(r.log->lists[0].account && !r.log->lists[1].account, "the account is the first one's");
	is_double(account_of(r.log, 0).by_kind[ACCOUNT_USEFUL], 3.5, 1e-12, "its useful time");
	is_node(r.log, "work", 1, 0, 3.5);
	is_node(r.log, "work/MPI_Send", 2, 0, 0);
	is_node(r.log, "MPI_Recv", 0, 0, 0);
	is_int(r.log->call_of[0], 0, "events are of the calls of their threads");
	is_int(r.log->call_of[1], 2, "also in between");
	is_int(r.log->call_of[2], 1, "and afterwards");
	is_int(call_log_next_event(r.log, 0, 0), NO_EVENT, "no other event is of the first call");
	is_int(broken_rules(r.log), 0, "rules hold");
	close_run(&r);
}

/* More than are looked through one after the other, the last ones first: call k of thread n is the one at k + n / 100 s. */
static void many_threads(void)
{
	struct gen_calls *g = gen_calls_new(2, NULL);
	unsigned wrong = 0;
	struct run r;

	for (int k = 0; k < 5; k++)
		for (int n = 0; n < 50; n++) {
			double start = k + n / 100.0;

			gen_thread(g, (n + 25) % 50);
			gen_begin(g, 0, start, "MPI_Send");
			gen_message(g, 0, start, true, 1, 8, n);
			gen_message(g, 0, start, true, 1, 8, n);
			gen_end(g, 0, start + 0.005, "MPI_Send");
		}
	r = open_run(gen_calls_bytes(g), 0);
	is_int(r.trace->processes[0].threads, 50, "all threads are counted");
	is_int(r.log->list_count, 50, "a list for each");
	for (uint32_t i = 0; i < 50 && i < r.log->list_count; i++) {
		const struct call_list *l = &r.log->lists[i];
		uint32_t n = (i + 25) % 50;

		wrong += l->thread != (int32_t)i || l->account != (i == 0) || l->end - l->first != 5;
		for (uint32_t k = 0; k < l->end - l->first; k++) {
			uint32_t event = k * 100 + n * 2;

			wrong += r.log->calls[l->first + k].start != k + n / 100.0 || r.log->calls[l->first + k].first_event != event ||
				 r.log->call_of[event] != l->first + k || r.log->call_of[event + 1] != l->first + k;
		}
	}
	is_int(wrong, 0, "each has its calls, and they their events");
	is_int(broken_rules(r.log), 0, "rules hold");
	close_run(&r);
}

/* Readings at the borders of calls, as our tracer makes them; the clock stands still for a second of the second gap. */
static void cpu(void)
{
	struct gen_calls *g = gen_calls_new(2, NULL);
	struct run r;

	gen_mark(g, 0, 0);
	gen_cpu(g, 0, 0, 10);
	gen_cpu(g, 0, 2, 12);          /* 2 s before the first call */
	gen_call(g, 0, 2, 3, "MPI_Send");
	gen_cpu(g, 0, 3, 12.5);
	gen_call(g, 0, 4, 4.5, "CLOG_Buffer_write2disk");
	gen_cpu(g, 0, 6, 14.5);        /* 2 s of 3 */
	gen_begin(g, 0, 6, "MPI_Allreduce");
	gen_end(g, 0, 7, "MPI_Allreduce");
	gen_cpu(g, 0, 7, 15);
	gen_cpu(g, 0, 9, 16.75);       /* 1.75 s after the last one */
	gen_mark(g, 0, 10);
	gen_mark(g, 1, 0);
	r = open_run(gen_calls_bytes(g), 0);
	is_int(r.trace->compute_source, COMPUTE_FROM_EVENTS, "a trace with readings of the CPU clock");
	is_double(r.log->lists[0].cpu, 5.75, 1e-12, "CPU time outside of calls, also before the first and behind the last");
	ok(isnan(r.log->lists[1].cpu), "of a process without readings it is not known");
	is_int(r.log->call_count, 3, "the tracer's write is an item all the same");
	is_double(account_of(r.log, 0).by_kind[ACCOUNT_USEFUL], 7.5, 1e-12, "and not useful");
	is_int(broken_rules(r.log), 0, "rules hold");
	close_run(&r);
}

static void deep(void)
{
	struct gen_calls *g = gen_calls_new(1, NULL);
	struct run r;
	uint32_t deepest = 0, node = 0;

	for (int i = 0; i < 300; i++)
		gen_begin(g, 0, i, "f");
	gen_begin(g, 0, 300, "MPI_Wait");
	gen_end(g, 0, 301, "MPI_Wait");
	for (int i = 0; i < 300; i++)
		gen_end(g, 0, 302 + i, "f");
	r = open_run(gen_calls_bytes(g), 0);
	for (uint32_t n = 0; n < r.log->node_count; n++)
		if (r.log->nodes[n].kind == NODE_USER && r.log->nodes[n].depth > deepest) {
			deepest = r.log->nodes[n].depth;
			node = n;
		}
	is_int(deepest, 256, "user states count to the 256th");
	is_u64(r.log->too_deep, 44, "the others are counted");
	is_u64(r.log->nodes[node].count, 1, "not as starts of the 256th");
	is_double(stay_of(r.log, node, false), 44 + 1 + 1 + 44, 1e-9, "but their time is its");
	is_int(broken_rules(r.log), 0, "rules hold");
	close_run(&r);
}

static void traits(void)
{
	is_int(mpi_traits("MPI_Send"), MPI_BLOCKING_SEND, "MPI_Send may be a rendezvous");
	is_int(mpi_traits("MPI_Send_c"), MPI_BLOCKING_SEND, "with large counts too");
	is_int(mpi_traits("MPI_Ssend"), MPI_BLOCKING_SEND | MPI_SYNCHRONOUS, "MPI_Ssend is one");
	is_int(mpi_traits("MPI_Bsend"), 0, "MPI_Bsend is none");
	is_int(mpi_traits("MPI_Sendrecv_replace_c"), MPI_BLOCKING_SEND | MPI_POSTS_AND_RECEIVES, "both at once");
	is_int(mpi_traits("MPI_Waitany"), MPI_COMPLETES, "MPI_Waitany completes");
	is_int(mpi_traits("MPI_Test_cancelled"), 0, "MPI_Test_cancelled does not");
	is_int(mpi_traits("MPI_Ialltoallw"), MPI_UNSEEN_END | MPI_NONBLOCKING_COLLECTIVE, "a nonblocking collective");
	is_int(mpi_traits("MPI_Pcontrol"), MPI_PCONTROL, "MPI_Pcontrol");
	is_int(mpi_traits("MPI_Win_fence") & mpi_traits("MPI_Probe") & mpi_traits("MPI_Neighbor_alltoallw_c") & mpi_traits("MPI_File_write_all") &
	       mpi_traits("MPI_Comm_dup"), MPI_NOT_ANALYSED, "may wait for others, which is not analysed");
	is_int(mpi_traits("MPI_Put") & mpi_traits("MPI_File_write_at"), MPI_NOT_ANALYSED, "one-sided operations and files, too");
	is_int(mpi_traits("MPI_Rget"), MPI_NOT_ANALYSED | MPI_UNSEEN_END | MPI_ENDS_NOT_ANALYSED, "what they begin may wait where it completes");
	is_int(mpi_traits("MPI_Iprobe") | mpi_traits("MPI_Comm_rank"), 0, "wait for nobody");
	is_int(mpi_traits("Send") | mpi_traits("MPI_") | mpi_traits("") | mpi_traits("MPI__c"), 0, "other names: nothing");
}

/* What the tracer records has a row: not by mistake it is a function of which nothing is known. */
static void traced_functions(void)
{
	static const char *const traced[] = {
#define MPI_VERSION 4
#define CALL(name, state, colour, format) #name,
#include "preload/calls.def"
	};
	static const char *const known[] = {
#define MPI(name, time, traits, number) #name,
#include "core/trace/mpi_functions.def"
	};
	size_t traced_count = sizeof traced / sizeof *traced, known_count = sizeof known / sizeof *known, without = 0;

	for (size_t i = 0; i < traced_count; i++) {
		size_t k = 0;

		while (k < known_count && strcmp(traced[i], known[k]) != 0)
			k++;
		without += k == known_count;
		if (k == known_count)
			diag("mpi_functions.def has no %s", traced[i]);
	}
	is_int((long long)without, 0, "each function that the tracer wraps has a row in mpi_functions.def");
	is_str(mpi_of_extrae(mpi_extrae_number("Ialltoallw")), "Ialltoallw", "a number of Extrae's is one function's");
	ok(!mpi_of_extrae(0) && !mpi_extrae_number("Isendrecv") && !mpi_of_extrae(UINT64_MAX), "no number, no function");
}

/* --- real traces --- */

struct table_row {
	const char *path;
	double load_balance, communication_efficiency, communication_balance, overlap;
};

static struct call_log *log_of(struct trace **t, const char *const *paths, uint32_t count, unsigned threads)
{
	struct trace_options o = {.threads = threads};
	struct call_log *log;

	if (trace_load(t, paths, count, &o, NULL, &err) != ERR_OK && !*t)
		bail_out("%s", err.text);
	must(call_log_new(&log, *t, NULL, &err));
	return log;
}

static void compare_table(const struct table_row *row)
{
	struct trace *t;
	struct call_log *log = log_of(&t, &row->path, 1, 0);
	double sum = 0, most = 0, sum_c = 0, most_c = 0, first = INFINITY, last = -INFINITY;
	struct account all = {0};
	struct overlap_known known = {0};

	for (uint32_t l = 0; l < log->list_count; l++) {
		struct account a = account_of(log, l);

		if (!log->lists[l].account)
			continue;
		account_add(&all, &a);
		sum += a.by_kind[ACCOUNT_USEFUL];
		most = fmax(most, a.by_kind[ACCOUNT_USEFUL]);
		sum_c += account_communication(&a);
		most_c = fmax(most_c, account_communication(&a));
		first = fmin(first, log->lists[l].start);
		last = fmax(last, log->lists[l].stop);
		known.posts = known.posts || log->lists[l].known.posts;
		known.nonblocking = known.nonblocking || log->lists[l].known.nonblocking;
	}
	is_double(sum / t->process_count / most, row->load_balance, 2e-6, "%s: load balance", row->path);
	is_double(most / (last - first), row->communication_efficiency, 3e-6, "%s: communication efficiency", row->path);
	is_double(sum_c / t->process_count / most_c, row->communication_balance, 2e-6, "%s: communication balance", row->path);
	is_double(account_overlap(&all, known), row->overlap, 2e-6, "%s: overlap", row->path);
	call_log_free(log);
	trace_free(t);
}

static void table(void)
{
	static const struct table_row rows[] = {
		{"sample-traces/cg.S.4.clog2", 0.967335, 0.785175 * 0.251825, 0.979983, 0.00653474},
		{"sample-traces/ep.S.4.clog2", 0.953116, 0.998907 * 0.988396, 0.551555, 0},
		{TEST_TRACES "/sweep3d.50.6.clog2", 0.877177, 0.581417 * 0.590757, 0.940696, 0},
		{"sample-traces/latesender.4.clog2", 0.412642, 0.941838 * 0.998816, 0.647519, 0},
		{"sample-traces/nonblock.4.clog2", 0.97922, 0.985157 * 0.930611, 0.878756, 0.901495},
		{"sample-traces/userstates.3.clog2", 0.657139, 0.997503 * 0.968711, 0.342944, 0},
	};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		FILE *file = fopen(rows[i].path, "r");

		if (!file) {
			skip(4, "%s is not here", rows[i].path);
			continue;
		}
		fclose(file);
		compare_table(&rows[i]);
	}
}

/* Where states are there, what makes an event is a call that can. */
static uint32_t strange_calls(const struct call_log *log)
{
	const struct trace *t = log->trace;
	uint32_t bad = 0;

	for (uint32_t ev = 0; ev < t->event_count; ev++) {
		const struct call_node *n = &log->nodes[log->calls[log->call_of[ev]].node];

		if (EVENT_KIND(t->type[ev]) == EVENT_RECEIVE)
			bad += !(n->traits & (MPI_POSTS_AND_RECEIVES | MPI_COMPLETES));
		else if (EVENT_KIND(t->type[ev]) == EVENT_SEND)
			bad += n->time != ACCOUNT_SEND;
		else
			bad += n->time != ACCOUNT_COLLECTIVE;
	}
	return bad;
}

static void real(const char *const *paths, uint32_t count)
{
	struct trace *t, *again;
	struct call_log *log = log_of(&t, paths, count, 1);
	uint32_t bad = broken_rules(log), strange = log->states_seen ? strange_calls(log) : 0;

	for (unsigned threads = 2; threads <= 3; threads++) {
		struct call_log *other = log_of(&again, paths, count, threads);

		bad += differ(log, other, 0);
		call_log_free(other);
		trace_free(again);
	}
	ok(!bad, "%s: %u calls, rules hold, however many threads read them", paths[0], log->call_count);
	is_int(strange, 0, "%s: events are of calls that make such", paths[0]);
	call_log_free(log);
	trace_free(t);
}

static void real_traces(void)
{
	static const char *const one[] = {
		"sample-traces/cg.S.4.clog2", "sample-traces/lu.S.4.clog2", "sample-traces/comms.6.clog2",
		"sample-traces/coll.6.clog2", "sample-traces/userstates.3.clog2", "sample-traces/nonblock.4.clog2",
		"sample-traces/persist.4.m246.clog2", "sample-traces/sendrecv.4.clog2", "sample-traces/anysrc.5.clog2",
		"sample-traces/pcontrol.4.clog2", "sample-traces/one_rank.1.clog2",
		"sample-traces/little_endian.comms.6.clog2"};
	static const char *const several[] = {"sample-traces/unfinalized.m240.abortme.rank0000.clog2",
					      "sample-traces/unfinalized.m240.abortme.rank0001.clog2",
					      "sample-traces/unfinalized.m240.abortme.rank0002.clog2",
					      "sample-traces/unfinalized.m240.abortme.rank0003.clog2"};

	for (size_t i = 0; i < sizeof one / sizeof *one; i++)
		real(&one[i], 1);
	real(several, 4);
}

/* Traces without files are their events. */
static void from_nothing(void)
{
	uint32_t bad = 0, events = 0;

	for (uint64_t seed = 1; seed <= 300; seed++) {
		struct trace *t = gen_random(seed, (enum gen_kind)(seed % GEN_KINDS));
		struct call_log *log;

		must(call_log_new(&log, t, NULL, &err));
		bad += broken_rules(log) + (log->call_count != t->event_count) + log->states_seen;
		events += t->event_count;
		call_log_free(log);
		trace_free(t);
	}
	ok(!bad && events > 1000, "traces without files: their %u events are calls of no length", events);
}

/* --- what goes wrong --- */

static bool stop(void *arg)
{
	int *left = arg;

	return --*left < 0;
}

static void damage(const char *path, uint64_t state, uint32_t *bad, uint32_t *loaded)
{
	struct gen_bytes b = gen_slurp(path);

	for (int i = 0; i < 300; i++) {
		uint8_t *bytes = malloc(b.size);
		size_t size = i % 4 ? b.size : 1024 + gen_below(&state, (uint32_t)b.size - 1024);
		struct call_log *log;
		struct source s;
		struct trace *t;

		if (!bytes)
			bail_out("no memory");
		memcpy(bytes, b.bytes, b.size);
		for (uint32_t k = gen_below(&state, 30) + 1; k > 0; k--)
			bytes[1024 + gen_below(&state, 20000)] = (uint8_t)gen_below(&state, 256);
		must(source_open_memory(&s, "bytes", bytes, size, &err));
		trace_load_sources(&t, &s, 1, NULL, NULL, &err);
		if (t) {
			++*loaded;
			if (call_log_new_sources(&log, t, &s, 1, NULL, &err) != ERR_OK)
				++*bad;
			else
				*bad += broken_rules(log);
			call_log_free(log);
		}
		trace_free(t);
		source_release(&s);
		free(bytes);
	}
	free(b.bytes);
}

static void damaged(void)
{
	const char *path = "sample-traces/cg.S.4.clog2";
	uint32_t bad = 0, loaded = 0, partial = 0;

	damage("sample-traces/latesender.4.clog2", 5, &bad, &loaded);
	damage("sample-traces/userstates.3.clog2", 6, &bad, &loaded);
	ok(!bad && loaded > 450, "%u damaged traces have logs", loaded);
	for (int n = 0; n < 60; n++) {
		int left = n;
		struct progress progress = {.stopped = stop, .arg = &left};
		struct call_log *log;
		struct trace *t;

		trace_load(&t, &path, 1, NULL, &progress, &err);
		if (t && t->partial) {
			partial++;
			must(call_log_new(&log, t, NULL, &err));
			bad += broken_rules(log);
			call_log_free(log);
		}
		trace_free(t);
	}
	ok(!bad && partial > 0, "so have %u that were not loaded to their end: what was read", partial);
}

static void wrong(void)
{
	const char *path = "sample-traces/cg.S.4.clog2", *other = "sample-traces/lu.S.4.clog2";
	struct progress progress = {.stopped = stop};
	struct gen_bytes b = gen_slurp(path);
	struct call_log *log;
	struct source s;
	struct trace *t;
	uint32_t stops = 0, bad = 0;
	int left;

	must(trace_load(&t, &path, 1, NULL, NULL, &err));
	progress.arg = &left;
	for (int n = 0; n < 100; n++) {
		left = n;
		if (call_log_new(&log, t, &progress, &err) == ERR_OK) {
			call_log_free(log);
			break;
		}
		stops += err.code == ERR_CANCELLED;
		bad += err.code != ERR_CANCELLED || log;
	}
	ok(stops > 1 && !bad, "it can be stopped at %u places", stops);
	bad = 0;
	for (long n = 0; n < 3000; n += 1 + n / 8) {
		enum err_code code;

		mem_fail_after(n);
		code = call_log_new(&log, t, NULL, &err);
		mem_fail_after(-1);
		bad += code != ERR_OK && (code != ERR_MEMORY || log);
		call_log_free(log);
		if (code == ERR_OK)
			break;
	}
	is_int(bad, 0, "without memory it says so");
	must(source_open_file(&s, other, &err));
	is_int(call_log_new_sources(&log, t, &s, 1, NULL, &err), ERR_IO, "files that are not those loaded are refused");
	ok(strstr(err.text, "load them again") && !log, "with a sentence: %s", err.text);
	source_release(&s);
	/* The same program once more: the same records, at other times. */
	for (size_t i = b.size / 2; i < b.size / 2 + 4096; i += 8)
		b.bytes[i + 7] ^= 1;
	must(source_open_memory(&s, "bytes", b.bytes, b.size, &err));
	is_int(call_log_new_sources(&log, t, &s, 1, NULL, &err), ERR_IO, "also if only times are others");
	source_release(&s);
	free(b.bytes);
	trace_free(t);
}

int main(void)
{
	tiny();
	twisted();
	copies();
	tracer();
	overlapping();
	threads();
	many_threads();
	cpu();
	deep();
	traits();
	traced_functions();
	table();
	real_traces();
	from_nothing();
	damaged();
	wrong();
	return done_testing();
}
