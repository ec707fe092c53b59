/* A phase as a program says what its occurrence did: counted the long way round from the trace, every send, receive
 * and collective is in the model as often as the processes made it, less what is told as left out; every process is
 * in one branch; the document reads back, cannot deadlock, and takes what its own head says
 * (docs/explain/models-language.md, "Phases as models"). Patterns of known shape come out as one would write them.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/base/mem.h"
#include "core/formats/api/load.h"
#include "core/models/graph/evaluate.h"
#include "core/models/graph/model_read.h"
#include "core/compare/graph/graph.h"
#include "core/trace/relate/relate.h"
#include "tap.h"

static struct err err;

static void must(enum err_code code)
{
	if (code && code != ERR_DAMAGED)
		bail_out("%s", err.text);
}

/* --- the long way round --- */

static double processes_now;

/* A rank by an expression that the writer uses: a number, rank + d, rank - d, s - rank; `x` is the rank. */
static double value(const struct expression *x, double rank)
{
	switch (x->kind) {
	case EXPRESSION_NUMBER: return x->value;
	case EXPRESSION_NAME: return strcmp(x->name, "p") ? rank : processes_now;
	case EXPRESSION_NEGATE: return -value(x->first, rank);
	case EXPRESSION_ADD: return value(x->first, rank) + value(x->first->next, rank);
	case EXPRESSION_SUB: return value(x->first, rank) - value(x->first->next, rank);
	case EXPRESSION_MUL: return value(x->first, rank) * value(x->first->next, rank);
	case EXPRESSION_DIV: return value(x->first, rank) / value(x->first->next, rank);
	case EXPRESSION_CALL: return floor(value(x->first, rank));
	case EXPRESSION_OR: return value(x->first, rank) > 0 || value(x->first->next, rank) > 0;
	case EXPRESSION_AND: return value(x->first, rank) > 0 && value(x->first->next, rank) > 0;
	case EXPRESSION_EQUAL: return fabs(value(x->first, rank) - value(x->first->next, rank)) < 0.5;
	case EXPRESSION_LESS: return value(x->first, rank) < value(x->first->next, rank);
	case EXPRESSION_LESS_EQUAL: return value(x->first, rank) <= value(x->first->next, rank);
	case EXPRESSION_GREATER_EQUAL: return value(x->first, rank) >= value(x->first->next, rank);
	default: bail_out("an expression of a kind that is not written: %d", x->kind);
	}
}

struct counts {
	double peers; /* whom: a number that few mistakes leave alone */
	double sends, receives, collectives, compute, apart; /* apart: messages that stand for collectives */
};

static void count(const struct model_node *n, uint32_t rank, double times, struct counts *c)
{
	for (; n; n = n->next) {
		bool apart = n->tag && value(n->tag, 0) < 0;

		switch (n->kind) {
		case NODE_SEND:
		case NODE_RECV:
			if (!apart)
				c->peers += times * (value(n->peer, rank) + 1) * (rank + 1) * (n->kind == NODE_SEND ? 3 : 1);
			*(apart ? &c->apart : n->kind == NODE_SEND ? &c->sends : &c->receives) += times;
			break;
		case NODE_COMPUTE: c->compute += times * value(n->value, rank); break;
		case NODE_LOOP: count(n->body, rank, times * value(n->value, rank), c); break;
		case NODE_IF: count(n->body, rank, value(n->value, rank) > 0 ? times : 0, c); break;
		default: c->collectives += times;
		}
	}
}

/* Of one process: what it did from its first send or collective in the occurrence on, until its next one. */
static void naive(const struct analysis *a, uint32_t occurrence, uint32_t q, struct counts *c, double *left_receives)
{
	const struct trace *t = a->logical->trace;
	const struct logical *l = a->logical;
	const struct occurrence *o = &a->phases->occurrences[occurrence];
	bool last = occurrence + 1 == a->phases->occurrence_count, begun = false;

	for (uint32_t ev = t->first[q]; ev < t->first[q + 1]; ev++) {
		bool receive = EVENT_KIND(t->type[ev]) == EVENT_RECEIVE;

		if (!receive) {
			if (l->tick[ev] >= o->first && (last || l->tick[ev] < o[1].first))
				begun = true;
			else
				begun = false;
		}
		if (!begun)
			continue;
		if (EVENT_KIND(t->type[ev]) == EVENT_SEND) {
			c->sends++;
			c->peers += 3.0 * EVENT_INDEX(t->type[ev]) * (q + 1);
		} else if (!receive) {
			c->collectives++;
		} else {
			uint32_t m = t->match[ev];

			if (m == NO_EVENT || l->tick[m] < o->first || (!last && l->tick[m] >= o[1].first)) {
				(*left_receives)++;
			} else {
				c->receives++;
				c->peers += (trace_process_of(t, m) + 1.0) * (q + 1);
			}
		}
	}
}

static bool same_counts(const struct phase_graph *g, const struct analysis *a)
{
	uint32_t at = a->phases->by_phase[a->phases->phase_first[g->block.id - 1] + g->block.place - 1];
	struct counts all = {0}, model = {0};
	double left_receives = 0;

	processes_now = g->block.steps.process_count;
	for (uint32_t q = 0; q < g->block.steps.process_count; q++) {
		naive(a, at, q, &all, &left_receives);
		count(g->model.blocks[0].body, q, 1, &model);
	}
	if (g->block.steps.left_unknown || g->block.steps.apart || g->block.steps.left_alone) {
		diag("phase %u: some are said otherwise", g->block.id);
		return model.sends <= all.sends && model.collectives <= all.collectives && fabs(model.receives - all.receives) < 0.5;
	}
	return fabs(model.sends - all.sends) < 0.5 && fabs(model.receives - all.receives) < 0.5 &&
	       fabs(model.collectives - all.collectives) < 0.5 && fabs(all.peers - model.peers) < 0.5 &&
	       fabs(left_receives - (double)g->block.steps.left_receives) < 0.5;
}

/* Every process with steps is in one class, and by its condition in one branch. */
static bool in_one_branch(const struct phase_graph *g)
{
	const struct model_block *b = &g->model.blocks[0];

	for (uint32_t q = 0; q < g->block.steps.process_count; q++) {
		uint32_t branches = 0, classes = 0;
		bool steps = g->block.steps.first[q + 1] > g->block.steps.first[q];

		for (const struct model_node *n = b->body; n; n = n->next)
			branches += n->kind == NODE_IF && value(n->value, q) > 0;
		for (uint32_t i = 0; i < g->block.classes.count; i++)
			for (uint32_t k = 0; k < g->block.classes.items[i].count; k++)
				classes += g->block.classes.items[i].member[k] == q;
		if (classes != steps || (branches != steps && b->body && b->body->kind == NODE_IF))
			return false;
	}
	return true;
}

/* Read again and evaluated: what its head says. */
static bool reads_back(const struct phase_graph *g)
{
	struct program_model m;
	struct outcome out = {.process_count = 0};
	struct evaluate_input in = {.model = &m};
	struct interval p = {g->block.steps.process_count, g->block.steps.process_count};
	bool same = false;

	program_model_init(&m);
	in.values = &p;
	if (model_parse(&m, "graph", g->text.text, g->text.len, &err) || evaluate(&out, &in, &err))
		diag("%s", err.text);
	else
		same = fabs(out.time.hi - g->block.end) <= 1e-15 && out.process_count == g->block.steps.process_count && m.parameter_count == 1;
	outcome_release(&out);
	program_model_release(&m);
	return same;
}

static void check_trace(const char *path)
{
	struct trace_options o = {.threads = 1};
	struct settings s;
	struct trace *t;
	struct analysis *a;
	uint32_t counted = 0, branched = 0, read = 0;

	settings_init(&s);
	must(trace_load(&t, &path, 1, &o, NULL, &err));
	must(analysis_new(&a, t, &s, NULL, ANALYSIS_PHASES, NULL, &err));
	for (uint32_t id = 1; id <= a->phases->count; id++) {
		struct phase_graph g;

		if (phase_graph_init(&g, a, id, path, NULL, &err)) {
			diag("%s phase %u: %s", path, id, err.text);
		} else {
			counted += same_counts(&g, a);
			branched += in_one_branch(&g);
			read += reads_back(&g);
		}
		phase_graph_release(&g);
	}
	is_int(counted, a->phases->count, "%s: what a phase did is in its graph", path);
	is_int(branched, a->phases->count, "%s: each process has one branch", path);
	is_int(read, a->phases->count, "%s: reads back, and takes what it says", path);
	analysis_unref(a);
	trace_free(t);
}

/* --- patterns of known shape --- */

struct exchange_pattern {
	struct trace *t;
	uint32_t *next; /* per process */
	double *clock;
};

static void put(struct exchange_pattern *p, uint32_t q, event_type type, uint32_t bytes)
{
	uint32_t ev = p->t->first[q] + p->next[q]++;

	p->t->type[ev] = type;
	p->t->size_code[ev] = bytes;
	p->t->time[ev] = p->clock[q];
	p->t->compute[ev] = 1e-6;
	p->clock[q] += 2e-6;
	must(trace_set_envelope(p->t, ev, 0, 0) ? ERR_OK : ERR_FORMAT);
}

/* `rounds` times: each process sends to the next one if there is one, and receives from the one before. */
static void chain(struct exchange_pattern *p, uint32_t processes, uint32_t rounds)
{
	uint32_t *events = mem_alloc(processes, sizeof *events);

	for (uint32_t q = 0; q < processes; q++)
		events[q] = rounds * ((q + 1 < processes) + (q > 0));
	must(trace_new(&p->t, processes, events, &err));
	p->next = mem_zero(processes, sizeof *p->next);
	p->clock = mem_zero(processes, sizeof *p->clock);
	for (uint32_t r = 0; r < rounds; r++)
		for (uint32_t q = 0; q < processes; q++) {
			if (q + 1 < processes)
				put(p, q, EVENT_SEND | (q + 2), r % 7 ? 100 : 10);
			if (q > 0)
				put(p, q, EVENT_RECEIVE | q, r % 7 ? 100 : 10);
		}
	/* The k-th receive of a process is of the k-th send of the one before it. */
	for (uint32_t q = 1; q < processes; q++)
		for (uint32_t r = 0; r < rounds; r++) {
			uint32_t send = p->t->first[q - 1] + r * (1 + (q > 1)), recv = p->t->first[q] + r * (1 + (q + 1 < processes)) +
					(q + 1 < processes);

			p->t->match[send] = recv;
			p->t->match[recv] = send;
		}
	for (uint32_t ev = 0; ev < p->t->event_count; ev++)
		p->t->end = p->t->time[ev] > p->t->end ? p->t->time[ev] : p->t->end;
	mem_free(events);
}

/* Each process sends to the 1st, 2nd ... after it around a ring, and receives from those before it. */
static void shifts(struct exchange_pattern *p, uint32_t processes)
{
	uint32_t *events = mem_alloc(processes, sizeof *events);

	for (uint32_t q = 0; q < processes; q++)
		events[q] = 2 * (processes - 1);
	must(trace_new(&p->t, processes, events, &err));
	p->next = mem_zero(processes, sizeof *p->next);
	p->clock = mem_zero(processes, sizeof *p->clock);
	for (uint32_t d = 1; d < processes; d++)
		for (uint32_t q = 0; q < processes; q++) {
			uint32_t to = (q + d) % processes;

			put(p, q, EVENT_SEND | (to + 1), 64);
			put(p, q, EVENT_RECEIVE | ((q + processes - d) % processes + 1), 64);
			p->t->match[p->t->first[q] + 2 * d - 2] = p->t->first[to] + 2 * d - 1;
			p->t->match[p->t->first[to] + 2 * d - 1] = p->t->first[q] + 2 * d - 2;
		}
	for (uint32_t ev = 0; ev < p->t->event_count; ev++)
		p->t->end = p->t->time[ev] > p->t->end ? p->t->time[ev] : p->t->end;
	mem_free(events);
}

static void drop(struct exchange_pattern *p)
{
	trace_free(p->t);
	mem_free(p->next);
	mem_free(p->clock);
}

/* rounds 0: shifts. */
static void check_pattern(uint32_t processes, uint32_t rounds)
{
	struct settings s;
	struct analysis *a;
	struct exchange_pattern p;
	uint32_t ok_count = 0;
	size_t most = 0;

	settings_init(&s);
	if (rounds)
		chain(&p, processes, rounds);
	else
		shifts(&p, processes);
	must(analysis_new(&a, p.t, &s, NULL, ANALYSIS_PHASES, NULL, &err));
	for (uint32_t id = 1; id <= a->phases->count; id++) {
		struct phase_graph g;

		must(phase_graph_init(&g, a, id, NULL, NULL, &err));
		ok_count += same_counts(&g, a) && in_one_branch(&g) && reads_back(&g) && g.block.classes.count <= (rounds ? 8 : 1);
		most = g.text.len > most ? g.text.len : most;
		phase_graph_release(&g);
	}
	is_int(ok_count, a->phases->count, "%s of %u processes: few classes, all that it did",
	       rounds ? "a chain" : "shifts", processes);
	ok(most < (rounds ? 4000 : 1000 + processes * 160), "and little to read: %zu bytes", most);
	analysis_unref(a);
	drop(&p);
}

int main(void)
{
	static const char *const traces[] = {
		"cg.S.4", "lu.S.4", "ft.S.4", "is.S.4", "ep.S.4", "coll.6", "comms.6", "sendrecv.4", "nonblock.4", "anysrc.5",
		"latesender.4", "one_rank.1", "pcontrol.4", "persist.4.m246", "userstates.3", "thesis-cg.4", "thesis-smg.4",
	};
	char path[128];

	for (size_t i = 0; i < sizeof traces / sizeof *traces; i++) {
		snprintf(path, sizeof path, "sample-traces/%s.clog2", traces[i]);
		check_trace(path);
	}
	check_pattern(2, 3);
	check_pattern(8, 21);
	check_pattern(1024, 40);
	check_pattern(2, 0);
	check_pattern(7, 0);
	check_pattern(256, 0);
	return done_testing();
}
