#include "gen_log.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/trace/mpi_functions.h"

#define MOST 4096
#define MOST_NODES 256

struct made_call {
	uint32_t list, node;
	double start, end;
};

struct gen_log {
	struct gen *gen;
	uint32_t processes;
	struct { uint32_t process; int32_t thread; double start, stop; } lists[256];
	uint32_t list_count;
	struct made_call calls[MOST];
	uint32_t call_count;
	struct { uint32_t process, place, call; } events[MOST];
	uint32_t event_count, made[64];
	struct call_node nodes[MOST_NODES];
	uint32_t node_count, state;
};

static void check(bool held)
{
	if (held)
		return;
	fprintf(stderr, "gen_log: no memory, or too much for a generated log\n");
	exit(255);
}

struct gen_log *gen_log_new(uint32_t processes)
{
	struct gen_log *g = calloc(1, sizeof *g);

	check(g && processes <= 64);
	g->gen = gen_new(processes);
	g->processes = processes;
	g->nodes[g->node_count++] = (struct call_node){.name = "(program)", .kind = NODE_PROGRAM, .count = processes};
	return g;
}

void gen_log_list(struct gen_log *g, uint32_t process, int32_t thread, double start, double stop)
{
	check(g->list_count < 256);
	g->lists[g->list_count].process = process;
	g->lists[g->list_count].thread = thread;
	g->lists[g->list_count].start = start;
	g->lists[g->list_count++].stop = stop;
}

static uint32_t node(struct gen_log *g, uint32_t parent, const char *name, enum node_kind kind)
{
	for (uint32_t n = 1; n < g->node_count; n++)
		if (g->nodes[n].parent == parent && g->nodes[n].kind == kind && !strcmp(g->nodes[n].name, name))
			return n;
	check(g->node_count < MOST_NODES);
	g->nodes[g->node_count] = (struct call_node){.parent = parent, .depth = g->nodes[parent].depth + 1, .name = name, .kind = kind};
	return g->node_count++;
}

void gen_log_state(struct gen_log *g, const char *name)
{
	g->state = name ? node(g, 0, name, NODE_USER) : 0;
}

static enum account_kind kind_of(const char *name, unsigned traits)
{
	if (!strcmp(name, "(tracer)"))
		return ACCOUNT_TRACER;
	if (traits & (MPI_WAITS_FOR_ALL | MPI_ROOTED | MPI_NONBLOCKING_COLLECTIVE))
		return ACCOUNT_COLLECTIVE;
	if (traits & MPI_BLOCKING_SEND || !strcmp(name, "MPI_Isend"))
		return ACCOUNT_SEND;
	if (traits & (MPI_POSTS_AND_RECEIVES | MPI_POSTS_RECEIVE) || !strcmp(name, "(no call)"))
		return ACCOUNT_RECEIVE;
	return traits & MPI_COMPLETES ? ACCOUNT_WAIT : ACCOUNT_OTHER_MPI;
}

uint32_t gen_log_call(struct gen_log *g, const char *name, double start, double end)
{
	struct made_call *c = &g->calls[g->call_count];
	struct call_node *n;

	check(g->call_count < MOST && g->list_count);
	*c = (struct made_call){g->list_count - 1, node(g, g->state, name, NODE_MPI), start, end};
	n = &g->nodes[c->node];
	n->traits = mpi_traits(name);
	n->time = kind_of(name, n->traits);
	n->count++;
	return g->call_count++;
}

static gen_event event_of(struct gen_log *g, uint32_t call, gen_event e)
{
	uint32_t process = g->lists[g->calls[call].list].process;

	check(e < MOST && e == g->event_count);
	g->events[e].process = process;
	g->events[e].place = g->made[process]++;
	g->events[e].call = call;
	return (gen_event)g->event_count++;
}

static uint32_t at(struct gen_log *g, uint32_t call, double time)
{
	uint32_t process = g->lists[g->calls[call].list].process;

	gen_clock(g->gen, process, time);
	return process;
}

gen_event gen_log_send(struct gen_log *g, uint32_t call, uint32_t to, uint64_t size)
{
	return event_of(g, call, gen_send(g->gen, at(g, call, g->calls[call].start), to, size));
}

gen_event gen_log_receive(struct gen_log *g, uint32_t call, uint32_t from, uint64_t size)
{
	return event_of(g, call, gen_receive(g->gen, at(g, call, g->calls[call].end), from, size));
}

gen_event gen_log_collective(struct gen_log *g, uint32_t call, const char *op)
{
	return event_of(g, call, gen_collective(g->gen, at(g, call, g->calls[call].start), op, 0, 8));
}

void gen_log_relate(struct gen_log *g, gen_event a, gen_event b)
{
	gen_relate(g->gen, a, b);
}

static void *room(size_t n, size_t size)
{
	void *p = mem_zero(n, size);

	check(p != NULL);
	return p;
}

struct call_log *gen_log_made(struct gen_log *g)
{
	struct call_log *log = room(1, sizeof *log);
	struct trace *t = gen_trace(g->gen);
	uint32_t *number = room(g->call_count, sizeof *number);

	arena_init(&log->arena);
	log->trace = t;
	for (uint32_t i = 0; i < g->list_count; i++) { /* its first and last records */
		t->start = i ? fmin(t->start, g->lists[i].start) : g->lists[i].start;
		t->end = i ? fmax(t->end, g->lists[i].stop) : g->lists[i].stop;
	}
	log->lists = room(g->list_count, sizeof *log->lists);
	log->list_first = room(g->processes + 1, sizeof *log->list_first);
	log->calls = room(g->call_count, sizeof *log->calls);
	log->flags = room(g->call_count, 1);
	log->call_of = room(t->event_count, sizeof *log->call_of);
	log->nodes = room(g->node_count, sizeof *log->nodes);
	memcpy(log->nodes, g->nodes, g->node_count * sizeof *log->nodes);
	log->node_count = g->node_count;
	log->states_seen = true;
	for (uint32_t p = 0; p < g->processes; p++) {
		uint32_t last = UINT32_MAX;

		log->list_first[p] = log->list_count;
		for (;;) { /* the list of the next higher thread */
			uint32_t next = UINT32_MAX;
			struct call_list *l = &log->lists[log->list_count];

			for (uint32_t i = 0; i < g->list_count; i++)
				if (g->lists[i].process == p && (last == UINT32_MAX || g->lists[i].thread > g->lists[last].thread) &&
				    (next == UINT32_MAX || g->lists[i].thread < g->lists[next].thread))
					next = i;
			if (next == UINT32_MAX)
				break;
			*l = (struct call_list){.process = p, .thread = g->lists[next].thread, .first = log->call_count,
						.start = g->lists[next].start, .stop = g->lists[next].stop,
						.account = log->list_count == log->list_first[p]};
			for (uint32_t c = 0; c < g->call_count; c++) {
				if (g->calls[c].list != next)
					continue;
				number[c] = log->call_count;
				log->calls[log->call_count++] = (struct logged_call){g->calls[c].start, g->calls[c].end, g->calls[c].node, NO_EVENT};
			}
			l->end = log->call_count;
			log->list_count++;
			last = next;
		}
		log->list_first[p + 1] = log->list_count;
	}
	for (uint32_t e = 0; e < g->event_count; e++) {
		uint32_t event = t->first[g->events[e].process] + g->events[e].place, call = number[g->events[e].call];

		log->call_of[event] = call;
		if (event < log->calls[call].first_event)
			log->calls[call].first_event = event;
	}
	mem_free(number);
	free(g);
	return log;
}

void gen_log_free(struct call_log *log)
{
	struct trace *t = (struct trace *)(uintptr_t)log->trace;

	call_log_free(log);
	trace_free(t);
}

/* --- at random --- */

struct acting {
	uint64_t state;
	bool even;
	uint32_t lists;
	double now[16];
	struct { const char *name; double start, end; int kind; uint32_t with; } acts[16][80]; /* kind: what its event is */
	uint32_t count[16];
};

/* From a little above 0 to `most`. */
static double some(struct acting *a, uint32_t most)
{
	return a->even ? gen_below(&a->state, most + 1) : (1 + gen_below(&a->state, 1u << 20)) / (double)(1u << 20) * most;
}

static double later(double x, double y)
{
	return x > y ? x : y;
}

static void act(struct acting *a, uint32_t l, const char *name, double end, int kind, uint32_t with)
{
	uint32_t i = a->count[l]++;

	a->acts[l][i].name = name;
	a->acts[l][i].start = a->now[l];
	a->acts[l][i].end = end;
	a->acts[l][i].kind = kind;
	a->acts[l][i].with = with;
	a->now[l] = end;
}

enum { NOTHING, SENDS, RECEIVES, MEETS };

static void exchange(struct acting *a, uint32_t from, uint32_t to)
{
	static const char *const sends[] = {"MPI_Send", "MPI_Ssend", "MPI_Isend", "MPI_Rsend", "(no call)"};
	uint32_t which = gen_below(&a->state, 5), waits = gen_below(&a->state, 3) == 0;
	double sent, came;

	if (waits)
		act(a, to, "MPI_Irecv", a->now[to] + some(a, 1), NOTHING, 0);
	a->now[from] += some(a, 4);
	a->now[to] += some(a, 4);
	sent = a->now[from];
	came = a->now[to];
	/* A synchronous send, and some others, are served once the receive has come. */
	if (which == 4)
		act(a, from, sends[which], sent, SENDS, to);
	else if (which != 2 && !waits && (which == 1 || gen_below(&a->state, 2)))
		act(a, from, sends[which], later(sent, came) + some(a, 2), SENDS, to);
	else
		act(a, from, sends[which], sent + some(a, 2), SENDS, to);
	act(a, to, waits ? "MPI_Wait" : "MPI_Recv", later(sent, came) + some(a, 2), RECEIVES, from);
}

static void meet(struct acting *a)
{
	static const char *const all[] = {"MPI_Allreduce", "MPI_Barrier", "MPI_Bcast", "MPI_Reduce"};
	uint32_t which = gen_below(&a->state, 4), root = gen_below(&a->state, a->lists);
	double last = 0, begun;

	for (uint32_t l = 0; l < a->lists; l++) {
		a->now[l] += some(a, 4);
		last = later(last, a->now[l]);
	}
	begun = a->now[root];
	for (uint32_t l = 0; l < a->lists; l++) {
		double until = which < 2 ? last : which == 2 ? later(a->now[l], begun) : l == root ? last : a->now[l];

		act(a, l, all[which], until + some(a, 2), MEETS, which);
	}
}

/* Lists of the run are all threads 0 except for the last process's second one. */
struct call_log *gen_log_run(uint64_t seed, bool even)
{
	struct acting a = {.state = seed, .even = even};
	uint32_t processes = 2 + gen_below(&a.state, 5), steps = 5 + gen_below(&a.state, 20), met = 0;
	struct gen_log *g = gen_log_new(processes);
	gen_event ring[80] = {0};

	a.lists = processes;
	for (uint32_t l = 0; l < a.lists; l++)
		a.now[l] = some(&a, 3);
	for (uint32_t l = 0; l < a.lists; l++)
		a.acts[l][79].start = a.now[l];
	for (uint32_t s = 0; s < steps; s++) {
		uint32_t what = gen_below(&a.state, 8), from = gen_below(&a.state, processes), to = gen_below(&a.state, processes);

		if (what == 0)
			meet(&a);
		else if (what == 1)
			act(&a, from, gen_below(&a.state, 2) ? "(tracer)" : "MPI_Comm_dup", a.now[from] + some(&a, 3), NOTHING, 0);
		else if (from != to)
			exchange(&a, from, to);
	}
	for (uint32_t l = 0; l < a.lists; l++) {
		met = 0;
		gen_log_list(g, l, 0, a.acts[l][79].start, a.now[l] + some(&a, 3));
		for (uint32_t i = 0; i < a.count[l]; i++) {
			uint32_t c;

			gen_log_state(g, gen_below(&a.state, 3) ? "solve" : NULL);
			c = gen_log_call(g, a.acts[l][i].name, a.acts[l][i].start, a.acts[l][i].end);
			if (a.acts[l][i].kind == SENDS) {
				gen_log_send(g, c, a.acts[l][i].with, 8);
			} else if (a.acts[l][i].kind == RECEIVES) {
				gen_log_receive(g, c, a.acts[l][i].with, 8);
			} else if (a.acts[l][i].kind == MEETS) {
				gen_event e = gen_log_collective(g, c, a.acts[l][i].name + 4);

				if (l)
					gen_log_relate(g, ring[met], e);
				else
					ring[met] = e;
				met++;
			}
		}
	}
	return gen_log_made(g);
}

struct call_log *gen_log_wild(uint64_t seed)
{
	static const char *const names[] = {"MPI_Send", "MPI_Ssend", "MPI_Isend", "MPI_Recv", "MPI_Sendrecv", "MPI_Waitall", "MPI_Barrier",
					    "MPI_Bcast", "MPI_Comm_dup", "(tracer)", "(no call)", "MPI_Reduce"};
	uint64_t state = seed;
	uint32_t processes = 1 + gen_below(&state, 6), sends = 0, receives = 0, meets = 0;
	struct gen_log *g = gen_log_new(processes);
	gen_event send[400], receive[400], meeting[400];
	uint32_t of[400];

	for (uint32_t p = 0; p < processes; p++) {
		int32_t threads = gen_below(&state, 4) ? 1 : 2;

		if (!gen_below(&state, 12))
			continue; /* without a record */
		for (int32_t thread = 0; thread < threads; thread++) {
			double now = gen_below(&state, 5);
			uint32_t calls = gen_below(&state, 14);

			gen_log_list(g, p, thread, now, 200);
			for (uint32_t i = 0; i < calls; i++) {
				const char *name = names[gen_below(&state, 12)];
				uint32_t c, events = gen_below(&state, 4);
				double start = now + gen_below(&state, 4), end = start + gen_below(&state, 4);

				gen_log_state(g, gen_below(&state, 2) ? "solve" : NULL);
				if (!strcmp(name, "(no call)"))
					end = start;
				c = gen_log_call(g, name, start, end);
				now = end;
				for (uint32_t k = 0; k < events && strcmp(name, "(tracer)"); k++) {
					uint32_t what = gen_below(&state, 3), other = gen_below(&state, processes);

					if (what == 0) {
						send[sends++] = gen_log_send(g, c, other, gen_below(&state, 3) * 100);
					} else if (what == 1) {
						receive[receives++] = gen_log_receive(g, c, other, 8);
					} else {
						meeting[meets] = gen_log_collective(g, c, "Barrier");
						of[meets++] = p;
					}
				}
			}
		}
	}
	/* Any send and any receive, each once; some collectives with others of the other processes. */
	for (uint32_t i = 0, j = 0; i < sends && j < receives; i++) {
		uint32_t k = j + gen_below(&state, receives - j);
		gen_event kept = receive[j];

		receive[j] = receive[k];
		receive[k] = kept;
		if (gen_below(&state, 5)) {
			gen_log_relate(g, send[i], receive[j]);
			j++;
		}
	}
	for (uint32_t i = 0; i < meets; i++) {
		uint64_t in;

		if (of[i] == UINT32_MAX)
			continue;
		in = UINT64_C(1) << of[i];
		for (uint32_t j = i + 1; j < meets; j++)
			if (of[j] != UINT32_MAX && !(in >> of[j] & 1) && gen_below(&state, 2)) {
				in |= UINT64_C(1) << of[j];
				of[j] = UINT32_MAX;
				gen_log_relate(g, meeting[i], meeting[j]);
			}
	}
	return gen_log_made(g);
}
