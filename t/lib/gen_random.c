/* Random traces and settings: small, deterministic, and mean. */
#include <stdlib.h>

#include "gen.h"

/* splitmix64: a public-domain generator of a few lines, good for any seed. */
static uint64_t next(uint64_t *state)
{
	uint64_t z = *state += 0x9e3779b97f4a7c15u;

	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
	z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
	return z ^ (z >> 31);
}

uint32_t gen_below(uint64_t *state, uint32_t n)
{
	return (uint32_t)((next(state) >> 32) * n >> 32);
}

static bool chance(uint64_t *state, uint32_t percent)
{
	return gen_below(state, 100) < percent;
}

#define MOST 6
#define FLYING 400

struct world {
	struct gen *g;
	uint64_t state;
	uint32_t processes;
	uint64_t sizes[4];
	struct message { gen_event send; uint32_t from, to; uint64_t size; } flying[FLYING];
	uint32_t flying_count;
};

/* Few sizes, some within 5 % of each other, so that similarity has something to decide. */
static uint64_t any_size(struct world *w)
{
	return w->sizes[gen_below(&w->state, 4)];
}

static void compute(struct world *w, uint32_t p)
{
	static const double some[] = {0, 0.001, 0.001, 0.00102, 0.002, 0.01, 0.05};

	gen_spend(w->g, p, some[gen_below(&w->state, 7)]);
}

static void send(struct world *w, uint32_t from, uint32_t to, uint64_t size)
{
	struct message m = {gen_send(w->g, from, to, size), from, to, size};

	gen_with(w->g, m.send, gen_below(&w->state, 8) ? 0 : 1, (int32_t)gen_below(&w->state, 3) - 1);
	compute(w, from);
	if (w->flying_count < FLYING)
		w->flying[w->flying_count++] = m;
}

/* Receive message i, whichever it is: as MPI_ANY_SOURCE and MPI_ANY_TAG would let it be. */
static void receive(struct world *w, uint32_t i)
{
	struct message m = w->flying[i];
	gen_event r = gen_receive(w->g, m.to, m.from, m.size);

	gen_with(w->g, r, 0, (int32_t)gen_below(&w->state, 3) - 1);
	gen_relate(w->g, m.send, r);
	compute(w, m.to);
	w->flying[i] = w->flying[--w->flying_count];
}

static const char *any_op(struct world *w)
{
	static const char *const ops[] = {"Barrier", "Allreduce", "Bcast"};

	return ops[gen_below(&w->state, 3)];
}

/* A collective over a set of processes; whom the ring leaves out has an instance of its own. */
static void collective(struct world *w, uint32_t set, uint32_t left_out)
{
	const char *op = any_op(w);
	uint32_t comm = set == (1u << w->processes) - 1 ? 0 : 2;
	uint64_t size = any_size(w);
	gen_event ring = GEN_NONE;

	for (uint32_t p = 0; p < w->processes; p++) {
		gen_event e;

		if (!(set & 1u << p))
			continue;
		e = gen_collective(w->g, p, left_out & 1u << p ? any_op(w) : op, comm, size);
		compute(w, p);
		if (left_out & 1u << p)
			continue;
		if (ring != GEN_NONE)
			gen_relate(w->g, ring, e);
		ring = e;
	}
}

static uint32_t any_set(struct world *w)
{
	uint32_t all = (1u << w->processes) - 1, set = gen_below(&w->state, all + 1);

	return set && chance(&w->state, 40) ? set : all;
}

static void causal(struct world *w, uint32_t events)
{
	for (uint32_t i = 0; i < events; i++) {
		uint32_t what = gen_below(&w->state, 100);

		if (what < 45)
			send(w, gen_below(&w->state, w->processes), gen_below(&w->state, w->processes), any_size(w));
		else if (what < 92 && w->flying_count)
			receive(w, gen_below(&w->state, w->flying_count));
		else if (what >= 92)
			collective(w, any_set(w), 0);
	}
	while (w->flying_count)
		receive(w, gen_below(&w->state, w->flying_count));
}

/* A body of a few actions, repeated; sometimes with another size, another order of arrival, or an extra
 * message, so that occurrences are similar but not always equal. */
static void loop(struct world *w)
{
	struct { uint32_t what, from, to; uint64_t size; } body[12];
	uint32_t length = 1 + gen_below(&w->state, 12), rounds = 2 + gen_below(&w->state, 9);
	uint32_t noise = gen_below(&w->state, 3) * 4;

	for (uint32_t i = 0; i < length; i++) {
		body[i].what = gen_below(&w->state, 100);
		body[i].from = gen_below(&w->state, w->processes);
		body[i].to = gen_below(&w->state, w->processes);
		body[i].size = any_size(w);
	}
	causal(w, gen_below(&w->state, 6));
	for (uint32_t r = 0; r < rounds; r++) {
		for (uint32_t i = 0; i < length; i++) {
			uint64_t size = chance(&w->state, noise) ? any_size(w) : body[i].size;

			if (chance(&w->state, noise))
				causal(w, 2);
			if (body[i].what < 85)
				send(w, body[i].from, body[i].to, size);
			else
				collective(w, (1u << w->processes) - 1, 0);
			while (w->flying_count && chance(&w->state, 60))
				receive(w, gen_below(&w->state, w->flying_count));
		}
		while (w->flying_count)
			receive(w, noise ? gen_below(&w->state, w->flying_count) : w->flying_count - 1);
	}
}

/* Anything in any order: related receives before their sends, cycles over several processes, lost
 * partners, unknown sizes and partners, torn collectives, clocks that stand still or step back. */
static void wild(struct world *w, uint32_t events)
{
	uint32_t silent = chance(&w->state, 25) ? gen_below(&w->state, w->processes) : NO_PROCESS;

	for (uint32_t i = 0; i < events; i++) {
		uint32_t p = gen_below(&w->state, w->processes), q = gen_below(&w->state, w->processes);
		uint32_t what = gen_below(&w->state, 100);
		gen_event a = GEN_NONE;

		if (p == silent || q == silent)
			continue;
		if (what < 32) {
			send(w, p, q, chance(&w->state, 5) ? SIZE_UNKNOWN : any_size(w));
		} else if (what < 60 && w->flying_count) {
			receive(w, gen_below(&w->state, w->flying_count));
		} else if (what < 74) { /* a receive before its send */
			a = gen_receive(w->g, q, p, any_size(w));
			compute(w, q);
			gen_relate(w->g, gen_send(w->g, p, q, any_size(w)), a);
			compute(w, p);
		} else if (what < 80) {
			a = gen_receive(w->g, p, chance(&w->state, 20) ? NO_PROCESS : q, any_size(w));
			gen_relate(w->g, a, GEN_NONE);
			compute(w, p);
		} else if (what < 84) {
			a = gen_send(w->g, p, q, any_size(w));
			gen_relate(w->g, a, GEN_NONE);
			compute(w, p);
		} else if (what < 92) {
			uint32_t set = any_set(w);

			if (silent != NO_PROCESS)
				set &= ~(1u << silent);
			collective(w, set, chance(&w->state, 30) ? gen_below(&w->state, 1u << w->processes) : 0);
		} else if (what < 96) { /* two collectives that two processes enter in opposite order: a cycle */
			gen_event x, y;

			if (p == q)
				continue;
			x = gen_collective(w->g, p, "Barrier", 0, 0);
			y = gen_collective(w->g, p, "Bcast", 0, 8);
			gen_relate(w->g, y, gen_collective(w->g, q, "Bcast", 0, 8));
			gen_relate(w->g, x, gen_collective(w->g, q, "Barrier", 0, 0));
		} else {
			gen_clock(w->g, p, gen_now(w->g, p) - 0.01);
		}
	}
	for (uint32_t i = 0; i < w->flying_count; i++)
		if (chance(&w->state, 50))
			gen_relate(w->g, w->flying[i].send, GEN_NONE);
}

struct trace *gen_random(uint64_t seed, enum gen_kind kind)
{
	struct world w = {.state = seed * GEN_KINDS + kind};

	w.processes = 1 + gen_below(&w.state, MOST);
	if (w.processes == 1 && gen_below(&w.state, 4))
		w.processes = 2;
	w.g = gen_new(w.processes);
	w.sizes[0] = 8;
	w.sizes[1] = 1000;
	w.sizes[2] = 1030 + gen_below(&w.state, 40);
	w.sizes[3] = gen_below(&w.state, 2) ? 0 : 8;
	for (uint32_t p = 0; p < w.processes; p++)
		gen_clock(w.g, p, 0.001 * gen_below(&w.state, 10));
	if (kind == GEN_CAUSAL)
		causal(&w, gen_below(&w.state, 61));
	else if (kind == GEN_LOOP)
		loop(&w);
	else
		wild(&w, gen_below(&w.state, 61));
	return gen_trace(w.g);
}

struct trace *gen_irregular(uint64_t seed)
{
	static const uint64_t odd[] = {0, 1, 2, UINT32_MAX, SIZE_UNKNOWN, SIZE_UNKNOWN, UINT64_C(1) << 40, 1u << 31};
	uint64_t state = seed ^ 0x1223e6a1;
	uint32_t processes = 2 + gen_below(&state, 4), rounds = 200 + gen_below(&state, 200);
	uint64_t sizes[5];
	uint32_t to[5];
	struct gen *g = gen_new(processes);

	for (uint32_t round = 0; round < rounds; round++) {
		for (uint32_t p = 0; p < processes; p++) {
			/* Over six orders of magnitude, or within a few percent of 1000. */
			sizes[p] = gen_below(&state, 3) ? (1u + gen_below(&state, 999)) << gen_below(&state, 10)
							: 950 + gen_below(&state, 100);
			if (gen_below(&state, 8) == 0)
				sizes[p] = odd[gen_below(&state, 8)];
			to[p] = gen_below(&state, 10) ? (p + 1 + gen_below(&state, processes - 1)) % processes : GEN_NONE;
			if (to[p] != GEN_NONE)
				gen_send(g, p, to[p], sizes[p]);
			gen_spend(g, p, 1e-3 * (1 + gen_below(&state, 3)));
		}
		for (uint32_t p = 0; p < processes; p++)
			if (to[p] != GEN_NONE)
				gen_receive(g, to[p], p, sizes[p]);
	}
	return gen_trace(g);
}

void gen_settings(uint64_t seed, struct settings *s)
{
	static const double shares[] = {0, 0.01, 0.05, 0.1, 0.5, 1};
	static const double needed[] = {0, 0.3, 0.5, 0.75, 0.8, 0.9, 1};
	uint64_t state = seed ^ 0x5e771465;

	settings_init(s);
	s->order = (int)gen_below(&state, 2);
	s->similarity = (int)gen_below(&state, 2);
	s->collectives = gen_below(&state, 4) ? COLLECTIVES_EVENTS : COLLECTIVES_IGNORE;
	s->absent = (int)gen_below(&state, 2);
	s->compute_of = (int)gen_below(&state, 3);
	s->phase_time = (int)gen_below(&state, 2);
	s->representative = gen_below(&state, 4) ? REPRESENTATIVE_MEDIAN : (int)gen_below(&state, 3);
	s->volume = shares[gen_below(&state, 6)];
	s->compute = shares[gen_below(&state, 6)];
	s->events = needed[gen_below(&state, 7)];
	s->relevance = shares[gen_below(&state, 5)];
	s->warmup_sends = gen_below(&state, 5);
	s->warmup_seconds = 0.003 * gen_below(&state, 8);
	s->sample_seconds = gen_below(&state, 3) ? 0 : 0.02 * gen_below(&state, 8);
	if (s->sample_seconds > 0)
		return;
	s->windows = gen_below(&state, 2) ? 0 : 1 + gen_below(&state, 6);
	s->window_seconds = 0.02 * gen_below(&state, 8);
	s->window_rare = gen_below(&state, 2) ? 1 : 0.05 * gen_below(&state, 10);
	s->window_span = gen_below(&state, 2) ? 1 : 0.1 * gen_below(&state, 11);
	s->window_align = (int)gen_below(&state, 2);
}
