#include "gen.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/trace/trace.h"

#define MOST_PROCESSES 256
#define UNSAID (UINT32_MAX - 1)

struct made {
	uint32_t process, place; /* place: within its process */
	event_type type;
	const char *op;          /* of a collective */
	uint64_t size;
	uint32_t comm, match;
	int32_t tag;
	double time, compute;
};

struct gen {
	uint32_t processes;
	struct made *list;
	size_t n, cap;
	uint32_t count[MOST_PROCESSES];
	gen_event last[MOST_PROCESSES];
	double clock[MOST_PROCESSES];
};

static void *must(void *p)
{
	if (!p) {
		fprintf(stderr, "no memory for a generated trace\n");
		exit(255);
	}
	return p;
}

struct gen *gen_new(uint32_t processes)
{
	struct gen *g = must(mem_zero(1, sizeof *g));

	if (processes > MOST_PROCESSES) {
		fprintf(stderr, "gen_new: at most %d processes\n", MOST_PROCESSES);
		exit(255);
	}
	g->processes = processes;
	for (uint32_t p = 0; p < processes; p++)
		g->last[p] = GEN_NONE;
	return g;
}

static gen_event append(struct gen *g, uint32_t process, event_type type, uint64_t size)
{
	g->list = must(mem_grow(g->list, g->n, &g->cap, sizeof *g->list));
	g->list[g->n] = (struct made){.process = process, .place = g->count[process]++, .type = type, .size = size,
				      .match = UNSAID, .time = g->clock[process]};
	g->last[process] = (gen_event)g->n;
	return (gen_event)g->n++;
}

gen_event gen_send(struct gen *g, uint32_t from, uint32_t to, uint64_t size)
{
	return append(g, from, EVENT_SEND | (to + 1), size);
}

gen_event gen_receive(struct gen *g, uint32_t at, uint32_t from, uint64_t size)
{
	return append(g, at, EVENT_RECEIVE | (from + 1), size);
}

gen_event gen_collective(struct gen *g, uint32_t process, const char *op, uint32_t comm, uint64_t size)
{
	gen_event e = append(g, process, EVENT_COLLECTIVE, size);

	g->list[e].op = op;
	g->list[e].comm = comm;
	g->list[e].match = e;
	return e;
}

void gen_with(struct gen *g, gen_event e, uint32_t comm, int32_t tag)
{
	g->list[e].comm = comm;
	g->list[e].tag = tag;
}

void gen_relate(struct gen *g, gen_event a, gen_event b)
{
	if (b == GEN_NONE) {
		g->list[a].match = NO_EVENT;
	} else if (g->list[a].op) {
		g->list[b].match = g->list[a].match;
		g->list[a].match = b;
	} else {
		g->list[a].match = b;
		g->list[b].match = a;
	}
}

void gen_spend(struct gen *g, uint32_t process, double seconds)
{
	if (g->last[process] != GEN_NONE)
		g->list[g->last[process]].compute += seconds;
	g->clock[process] += seconds;
}

void gen_clock(struct gen *g, uint32_t process, double time)
{
	g->clock[process] = time;
}

double gen_now(const struct gen *g, uint32_t process)
{
	return g->clock[process];
}

static void relate_fifo(struct gen *g)
{
	for (uint32_t i = 0; i < g->n; i++) {
		struct made *a = &g->list[i];

		if (a->match != UNSAID || EVENT_KIND(a->type) != EVENT_SEND)
			continue;
		a->match = NO_EVENT;
		for (uint32_t j = 0; j < g->n; j++) {
			struct made *b = &g->list[j];

			if (b->match == UNSAID && EVENT_KIND(b->type) == EVENT_RECEIVE &&
			    b->process + 1 == EVENT_INDEX(a->type) && a->process + 1 == EVENT_INDEX(b->type) &&
			    a->comm == b->comm && a->tag == b->tag) {
				a->match = j;
				b->match = i;
				break;
			}
		}
	}
	for (uint32_t i = 0; i < g->n; i++)
		if (g->list[i].match == UNSAID)
			g->list[i].match = NO_EVENT;
}

static event_type intern(struct trace *t, const char *op, uint32_t comm)
{
	for (uint32_t i = 0; i < t->coll_count; i++)
		if (t->colls[i].comm == comm && !strcmp(t->colls[i].op, op))
			return EVENT_COLLECTIVE | i;
	t->colls = must(mem_resize(t->colls, t->coll_count + 1, sizeof *t->colls));
	t->colls[t->coll_count].op = must(arena_strndup(&t->arena, op, strlen(op)));
	t->colls[t->coll_count].comm = comm;
	return EVENT_COLLECTIVE | t->coll_count++;
}

static void fill_comms(struct trace *t, uint32_t count)
{
	t->comm_count = count;
	t->comms = must(mem_zero(count, sizeof *t->comms));
	t->comm_members = must(mem_alloc(t->process_count, sizeof *t->comm_members));
	for (uint32_t p = 0; p < t->process_count; p++)
		t->comm_members[p] = p;
	for (uint32_t c = 0; c < count; c++)
		t->comms[c] = (struct comm_info){(int32_t)c, t->process_count, 0, c ? "intra" : "world", 0};
	for (uint32_t e = 0; e < t->event_count; e++)
		t->comms[trace_comm(t, e)].events++;
}

static void fill_spans(struct trace *t)
{
	bool any = false;

	for (uint32_t p = 0; p < t->process_count; p++) {
		struct process *w = &t->processes[p];

		for (uint32_t e = t->first[p]; e < t->first[p + 1]; e++) {
			if (e == t->first[p] || t->time[e] < w->start)
				w->start = t->time[e];
			if (e == t->first[p] || t->time[e] > w->end)
				w->end = t->time[e];
			w->records++;
		}
		w->work_end = w->end;
		if (!w->records)
			continue;
		t->record_count += w->records;
		if (!any || w->start < t->start)
			t->start = w->start;
		if (!any || w->end > t->end)
			t->end = w->end;
		any = true;
	}
}

/* Time that is spent after the last event ends the process's work, later than its last event if clocks say so; without it
 * nothing is known of what the last event is followed by. */
static void end_work(struct trace *t, const struct gen *g)
{
	for (uint32_t p = 0; p < t->process_count; p++) {
		if (t->first[p + 1] == t->first[p])
			continue;
		if (t->compute[t->first[p + 1] - 1] > 0)
			t->processes[p].work_end = fmax(t->processes[p].end, g->clock[p]);
		else
			t->compute[t->first[p + 1] - 1] = (double)NAN;
		if (t->processes[p].work_end > t->processes[p].end)
			t->processes[p].end = t->processes[p].work_end;
		if (t->processes[p].end > t->end)
			t->end = t->processes[p].end;
	}
}

/* The sizes that the codes are of become the trace's. */
static void settle(struct trace *t, struct size_table *sizes)
{
	uint64_t incredible;
	struct err e;

	if (trace_settle_sizes(t, sizes, &incredible, &e) != ERR_OK || incredible) {
		fprintf(stderr, "the sizes cannot be kept\n");
		exit(255);
	}
	size_table_release(sizes);
}

void gen_enlarge(struct trace *t, uint64_t factor)
{
	struct size_table sizes;

	size_table_init(&sizes);
	for (uint32_t i = 0; i < t->event_count; i++)
		if (t->size_code[i] < SIZE_CODE_LARGE)
			t->size_code[i] = size_code(&sizes, t->size_code[i] * factor);
	settle(t, &sizes);
}

struct trace *gen_trace(struct gen *g)
{
	struct size_table sizes;
	struct trace *t;
	struct err e;
	uint32_t comms = 1;

	relate_fifo(g);
	size_table_init(&sizes);
	if (trace_new(&t, g->processes, g->count, &e) != ERR_OK) {
		fprintf(stderr, "%s\n", e.text);
		exit(255);
	}
	for (uint32_t i = 0; i < g->n; i++) {
		const struct made *m = &g->list[i];
		uint32_t at = t->first[m->process] + m->place;

		t->time[at] = m->time;
		t->compute[at] = m->compute;
		t->type[at] = m->op ? intern(t, m->op, m->comm) : m->type;
		t->size_code[at] = size_code(&sizes, m->size);
		trace_set_envelope(t, at, m->comm, m->tag);
		if (m->match != NO_EVENT) {
			const struct made *other = &g->list[m->match];

			t->match[at] = t->first[other->process] + other->place;
		}
		if (m->comm >= comms)
			comms = m->comm + 1;
		t->send_count += EVENT_KIND(m->type) == EVENT_SEND;
		t->receive_count += EVENT_KIND(m->type) == EVENT_RECEIVE;
		t->collective_count += EVENT_KIND(m->type) == EVENT_COLLECTIVE;
		t->lost_sends += EVENT_KIND(m->type) == EVENT_SEND && m->match == NO_EVENT;
		t->lost_receives += EVENT_KIND(m->type) == EVENT_RECEIVE && m->match == NO_EVENT;
	}
	settle(t, &sizes);
	fill_comms(t, comms);
	fill_spans(t);
	end_work(t, g);
	t->world_count = 1;
	mem_free(g->list);
	mem_free(g);
	return t;
}

void gen_row(struct gen *g, uint32_t process, const char *row)
{
	for (char *end; *row; row = end) {
		long k = strtol(row, &end, 10);

		if (end == row)
			break;
		if (k > 0)
			gen_send(g, process, (uint32_t)k - 1, 8);
		else
			gen_receive(g, process, (uint32_t)-k - 1, 8);
	}
}

/* --- the examples --- */

struct trace *gen_cg(uint32_t iterations)
{
	static const char *const rows[] = {"2 -2  2 -2  1 -1  2 -2", "1 -1  1 -1  3 -3  1 -1", "4 -4  4 -4  2 -2  4 -4",
					   "3 -3  3 -3  4 -4  3 -3"};
	struct gen *g = gen_new(4);

	for (uint32_t i = 0; i < iterations; i++) {
		for (uint32_t p = 0; p < 4; p++) {
			size_t before = g->n;

			gen_row(g, p, rows[p]);
			for (uint32_t b = 0; before + b < g->n; b++) {
				g->list[before + b].time = g->clock[p];
				g->list[before + b].compute = 1u << b;
				g->clock[p] += 1u << b;
			}
		}
	}
	return gen_trace(g);
}

struct trace *gen_smg(uint32_t iterations)
{
	static const char *const rows[] = {"2 3 4 -2 -3 -4", "1 3 4 -1 -3 -4", "1 2 4 -1 -2 -4", "1 2 3 -1 -2 -3"};
	struct gen *g = gen_new(4);

	for (uint32_t i = 0; i < iterations; i++)
		for (uint32_t p = 0; p < 4; p++)
			gen_row(g, p, rows[p]);
	return gen_trace(g);
}

/* Only sends are drawn in the figures. P1's come a tick after the others', as its first event is to
 * receive; the receives of all others come last. */
struct trace *gen_windows(void)
{
	struct gen *g = gen_new(4);

	gen_row(g, 1, "1");
	gen_row(g, 2, "1");
	gen_row(g, 3, "1");
	gen_row(g, 0, "-2 -3 -4  2 3 4 2 3 4 2 3 4 3");
	gen_row(g, 1, "-1 -1 -1");
	gen_row(g, 2, "-1 -1 -1 -1");
	gen_row(g, 3, "-1 -1 -1");
	return gen_trace(g);
}

static void hand_on(struct gen *g, uint32_t from, uint32_t to, double step)
{
	gen_send(g, from, to, 8);
	gen_spend(g, from, step / 4);
}

/* A message cannot be received before it was sent: what is left of the wait is no compute time. */
static void take(struct gen *g, uint32_t at, uint32_t from, double step)
{
	if (gen_now(g, at) < gen_now(g, from))
		gen_clock(g, at, gen_now(g, from));
	gen_receive(g, at, from, 8);
	gen_spend(g, at, step);
}

struct trace *gen_wavefront(uint32_t width, uint32_t height, uint32_t sweeps, double step)
{
	struct gen *g = gen_new(width * height);

	for (uint32_t i = 0; i < sweeps; i++) {
		for (uint32_t n = 0; n < width * height; n++) {
			bool back = i % 2 == 1;
			uint32_t k = back ? width * height - 1 - n : n, x = n % width, y = n / width;

			if (x > 0)
				take(g, k, back ? k + 1 : k - 1, step);
			if (y > 0)
				take(g, k, back ? k + width : k - width, step);
			if (x + 1 < width)
				hand_on(g, k, back ? k - 1 : k + 1, step);
			if (y + 1 < height)
				hand_on(g, k, back ? k - width : k + width, step);
		}
	}
	return gen_trace(g);
}

struct trace *gen_fan(uint32_t workers, uint32_t rounds, uint64_t seed)
{
	struct gen *g = gen_new(workers + 1);
	gen_event sent[MOST_PROCESSES * 2];

	for (uint32_t r = 0; r < rounds; r++) {
		for (uint32_t i = 0; i < workers * 2; i++) {
			sent[i] = gen_send(g, i / 2 + 1, 0, 8 + i % 2);
			gen_with(g, sent[i], i % 3 == 0, (int32_t)(i % 5) - 2);
			gen_spend(g, i / 2 + 1, 0.001 * gen_below(&seed, 3));
		}
		for (uint32_t left = workers * 2; left; left--) {
			uint32_t i = gen_below(&seed, left);
			const struct made m = g->list[sent[i]];
			gen_event e = gen_receive(g, 0, m.process, m.size);

			gen_with(g, e, m.comm, m.tag);
			gen_relate(g, sent[i], e);
			gen_spend(g, 0, 0.0001);
			sent[i] = sent[left - 1];
		}
		for (uint32_t p = 0, ring = GEN_NONE; p <= workers; p++) {
			gen_event e = gen_collective(g, p, "Bcast", 0, 8);

			if (p)
				gen_relate(g, ring, e);
			ring = e;
		}
	}
	return gen_trace(g);
}
