#include "analysis.h"

#include <math.h>
#include <string.h>

#include "core/base/mem.h"
#include "core/trace/remote.h"

struct event_counting {
	const struct trace *t;
	uint32_t *first, *owner; /* of each rank the first process; of each process the rank */
	uint64_t ticks;          /* of the busiest process: all events, */
	uint64_t send_ticks;     /* sends and collectives */
	uint64_t collectives;    /* instances of any, */
	uint64_t epochs;         /* of all processes */
};

static bool spans_all(const struct trace *t, uint32_t event)
{
	return t->comms && trace_comm(t, event) < t->comm_count && t->comms[trace_comm(t, event)].size == t->process_count;
}

/* The events of a process. A collective of all processes begins an epoch, whose messages wait for no earlier ones. */
static void count_process(struct team_cost *c, struct event_counting *n, uint32_t p)
{
	const struct trace *t = n->t;
	uint64_t hops = 0, sends = 0;

	for (uint32_t i = t->first[p]; i < t->first[p + 1]; i++) {
		uint32_t kind = EVENT_KIND(t->type[i]);

		sends += kind != EVENT_RECEIVE;
		if (kind == EVENT_COLLECTIVE) {
			bool last = t->match[i] <= i; /* of the ring of its members */

			n->collectives += last;
			n->epochs += last && spans_all(t, i);
			hops = spans_all(t, i) ? 0 : hops + 1;
		} else if (kind == EVENT_RECEIVE && t->match[i] != NO_EVENT && n->owner[trace_process_of(t, t->match[i])] != n->owner[p]) {
			c->remote++;
			hops++;
		}
		c->hops = hops > c->hops ? hops : c->hops;
	}
	n->ticks = t->first[p + 1] - t->first[p] > n->ticks ? t->first[p + 1] - t->first[p] : n->ticks;
	n->send_ticks = sends > n->send_ticks ? sends : n->send_ticks;
}

static void share_out(struct team_cost *c, struct event_counting *n, const uint64_t *events)
{
	const struct trace *t = n->t;

	trace_owners(n->first, c->ranks, t->process_count, events);
	for (uint32_t r = 0; r < c->ranks; r++) {
		uint64_t local = t->first[n->first[r + 1]] - t->first[n->first[r]];

		c->largest = local > c->largest ? local : c->largest;
		for (uint32_t p = n->first[r]; p < n->first[r + 1]; p++)
			n->owner[p] = r;
	}
	for (uint32_t p = 0; p < t->process_count; p++)
		count_process(c, n, p);
}

static void add_reading(struct team_cost *c, const struct trace *t)
{
	double records = (double)t->record_count, ranks = c->ranks, passed_on = records * (1 - 1 / ranks);
	bool striped = c->ranks >= COST_STRIPE_RANKS;
	struct team_cost_of *read = &c->of[COST_READ];

	if (ranks == 1 || !t->file_count || t->files[0].packing) {
		read->seconds = COST_RECORD * records;
	} else if (!strncmp(t->files[0].format, "CLOG", 4)) {
		read->seconds = (COST_SCAN / ranks + (striped ? COST_PASS_ON / ranks : COST_SKIP)) * records;
		read->bytes = striped ? rint(COST_RECORD_BYTES * passed_on) : 0;
	} else {
		read->seconds = COST_RECORD * records / ranks;
		read->bytes = !strcmp(t->files[0].format, "PRV") ? rint(COST_PACKED_BYTES * passed_on) : 0;
	}
}

static void stages_add_up(struct team_cost *c, const struct event_counting *n, const struct team_network *network)
{
	double ranks = c->ranks, shared = c->ranks > 1, rounds = 2 * ceil(log2(ranks)), local = (double)c->largest;
	double ticks = (double)n->ticks, sends = (double)n->send_ticks, remote = (double)c->remote;
	struct team_cost_of *of = c->of;

	add_reading(c, n->t);
	of[COST_RELATE] = (struct team_cost_of){COST_EVENT * local, shared * (COST_MESSAGE_BYTES * remote + COST_COLLECTIVE_BYTES * ranks * (double)n->collectives), COST_EVENT_BYTES * local};
	of[COST_IN_ORDER] = (struct team_cost_of){COST_ORDER * local + shared * rounds * network->latency * (double)c->hops,
						 shared * (12 * remote + ranks * (8 * ticks + COST_EPOCH_BYTES * (double)n->epochs)), COST_TICK_BYTES * ticks};
	of[COST_IN_PHASES] = (struct team_cost_of){COST_PHASES * local + COST_SEARCH * sends + shared * rounds * network->latency * COST_STEPS,
						  shared * ranks * (16 * ticks + 8 * sends), COST_SEARCH_BYTES * sends};
	for (int s = 0; s < COST_ALL; s++) {
		of[s].seconds += of[s].bytes / ranks / network->bytes;
		of[COST_ALL].seconds += of[s].seconds;
		of[COST_ALL].bytes += of[s].bytes;
		of[COST_ALL].memory += of[s].memory;
	}
}

const char *team_cost_stage_name(enum team_cost_stage stage)
{
	static const char *const names[COST_STAGES] = {"read", "relate", "order", "phases", "all"};

	return names[stage];
}

enum err_code team_cost(struct team_cost *c, const struct trace *t, uint32_t ranks, const struct team_network *network, struct err *e)
{
	struct event_counting n = {.t = t};
	uint64_t *events = mem_alloc(t->process_count, sizeof *events);
	enum err_code code = ERR_OK;

	*c = (struct team_cost){.ranks = ranks};
	n.first = mem_alloc((size_t)ranks + 1, sizeof *n.first);
	n.owner = mem_alloc(t->process_count, sizeof *n.owner);
	if (events && n.first && n.owner) {
		for (uint32_t p = 0; p < t->process_count; p++)
			events[p] = t->first[p + 1] - t->first[p];
		share_out(c, &n, events);
		stages_add_up(c, &n, network);
	} else {
		code = err_memory(e, "the cost of a job");
	}
	mem_free(events);
	mem_free(n.first);
	mem_free(n.owner);
	return code;
}
