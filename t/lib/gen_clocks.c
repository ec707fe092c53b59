#include "gen_clocks.h"

#include <math.h>

#include "gen.h"
#include "gen_script.h"

#define MOST 11
#define COMMS 3
#define TAGS 2
#define ROUNDS 250
#define FINE 1000   /* records from which on a clock that is coarse shows that */
#define US 1e-6

struct run {
	struct gen_script *g;
	uint64_t state;
	int32_t processes;
	double now;                 /* the true time */
	double offset[MOST], rate[MOST], step[MOST];
	int stepped[MOST];          /* from that round on: told where `told` says so */
	bool told[MOST];
	int32_t coarse;             /* stamps in whole microseconds; -1: none does */
	struct { int32_t count, member[MOST]; } comm[COMMS];
	int32_t number[COMMS];
	int sent[MOST][MOST][TAGS]; /* messages so far */
	int round;
	bool loose, measured;       /* collectives other than barriers hold nobody; clocks are measured */
};

static double part(struct run *r)
{
	return gen_below(&r->state, 1000000) / 1e6;
}

static double stamp(const struct run *r, int32_t p, double t)
{
	double s = t + r->offset[p] + r->rate[p] * t + (r->round >= r->stepped[p] ? r->step[p] : 0);

	return p == r->coarse ? floor(s / US) * US : s;
}

static void begin(struct run *r, uint64_t seed)
{
	static const char *const hosts[MOST] = {"one", "two", "two", "three", "one", "two", "three", "one", "one", "three", "two"};
	const struct gen_script_options o = {.hosts = seed % 2 ? hosts : NULL, .block_size = 65536};

	r->processes = 3 + (int32_t)gen_below(&r->state, MOST - 2);
	r->g = gen_script_new(r->processes, &o);
	r->loose = seed % 4 == 1;
	r->measured = seed % 5 == 2;
	r->coarse = seed % 6 == 3 ? (int32_t)gen_below(&r->state, (uint32_t)r->processes) : -1;
	r->now = 1;
	for (int32_t p = 0; p < r->processes; p++) {
		r->offset[p] = p ? (part(r) - 0.5) * (seed % 3 ? 1e-4 : 1) : 0;
		r->rate[p] = p ? (part(r) - 0.5) * 1e-4 : 0;
		r->stepped[p] = p && !gen_below(&r->state, 3) ? (int)gen_below(&r->state, ROUNDS) : ROUNDS;
		r->step[p] = part(r) * 1e-2;
		r->told[p] = gen_below(&r->state, 3) != 0;
		for (int32_t c = 0; c < COMMS; c++)
			if (c == 0 || (c == 1 ? p % 2 == 0 : p > 0))
				r->comm[c].member[r->comm[c].count++] = p;
	}
	for (int32_t i = 0; i < r->comm[2].count / 2; i++) { /* from the last to the first */
		int32_t *a = &r->comm[2].member[i], *b = &r->comm[2].member[r->comm[2].count - 1 - i], swapped = *a;

		*a = *b;
		*b = swapped;
	}
	for (int32_t c = 1; c < COMMS; c++)
		r->number[c] = script_communicator(r->g, r->comm[c].member, r->comm[c].count);
	for (int32_t p = 0; p < r->processes; p++)
		if (r->told[p])
			script_shifted(r->g, p, stamp(r, p, 0.5), 0);
	for (int i = 0; r->coarse >= 0 && i < FINE; i++)
		script_solo(r->g, r->coarse, stamp(r, r->coarse, 0.5 + i * 1e-5));
}

/* What is wrong with a channel: up to 4 nothing; 5 one message is not sent and another not received, and only sizes
 * show it; 6 one is not sent, 7 not received. */
static int fault_of(int32_t from, int32_t to, int32_t tag)
{
	return (int)((uint32_t)(from * 37 + to * 11 + tag * 5) % 8);
}

/* Each talks to few others, so that channels have several messages. */
static void message(struct run *r)
{
	int32_t from = (int32_t)gen_below(&r->state, (uint32_t)r->processes), tag = (int32_t)gen_below(&r->state, TAGS);
	int32_t to = (from + r->processes + (int32_t)gen_below(&r->state, 4) - 2) % r->processes;
	int fault = fault_of(from, to, tag), number = r->sent[from][to][tag]++;
	double came = r->now + (3 + 40 * part(r)) * US;

	if (!((fault == 6 || fault == 5) && number == 1))
		script_sent(r->g, from, stamp(r, from, r->now), to, tag, 8);
	if (!((fault == 7 && number == 1) || (fault == 5 && number == 3)))
		script_received(r->g, to, stamp(r, to, came), from, tag, fault == 5 && number == 2 ? 16 : 8);
	r->now = came;
}

static void collective(struct run *r)
{
	uint32_t c = gen_below(&r->state, COMMS), odd = gen_below(&r->state, 60);
	bool barrier = r->round % 4 != 3;
	double last = 0, begun[MOST];

	script_on(r->g, r->number[c]);
	for (int32_t i = 0; i < r->comm[c].count; i++) {
		begun[i] = r->now + 50 * part(r) * US;
		last = begun[i] > last ? begun[i] : last;
	}
	for (int32_t i = 0; i < r->comm[c].count; i++) {
		int32_t p = r->comm[c].member[i];
		double ended = (r->loose && !barrier ? begun[i] : last) + (1 + 20 * part(r)) * US;
		const char *op = barrier ? "MPI_Barrier" : "MPI_Allreduce";

		if (i == 0 && odd == 0)
			op = "MPI_Alltoall"; /* another one than all others */
		if (!(i == 0 && odd == 1 && r->round > ROUNDS / 2))
			script_during(r->g, p, stamp(r, p, begun[i]), stamp(r, p, ended), op);
	}
	script_on(r->g, 0);
	r->now = last + 25 * US;
}

static void synchronise(struct run *r)
{
	for (int32_t p = 1; p < r->processes; p++) {
		double truth = r->now - stamp(r, p, r->now);

		if (r->round == r->stepped[p] && r->told[p])
			script_shifted(r->g, p, stamp(r, p, r->now), -r->step[p]);
		if (r->measured && !gen_below(&r->state, 30))
			script_clock(r->g, p, stamp(r, p, r->now), truth - 2 * part(r) * US, truth + 2 * part(r) * US);
	}
}

struct gen_bytes gen_clocks(uint64_t seed)
{
	struct run r = {.state = seed * 7919};

	begin(&r, seed);
	for (r.round = 0; r.round < ROUNDS; r.round++) {
		r.now += part(&r) * (seed % 3 ? 1e-3 : 0.1);
		synchronise(&r);
		if (r.round % 6 == 5)
			collective(&r);
		else
			message(&r);
	}
	return gen_script_bytes(r.g);
}
