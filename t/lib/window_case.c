#include "window_case.h"

#include <stdlib.h>

#include "gen.h"
#include "tap.h"

static void need(bool good, const char *what)
{
	if (!good)
		bail_out("no %s for a run of windows", what);
}

static void make_trace(struct window_case *c, uint32_t n, const double *duration, uint32_t processes)
{
	struct gen *g = gen_new(processes);

	for (uint32_t p = 0; p < processes; p++) {
		double now = 0;

		for (uint32_t i = 0; i < n; i++) {
			gen_clock(g, p, now);
			gen_relate(g, gen_send(g, p, p, 8), GEN_NONE);
			now += duration[(size_t)i * processes + p];
		}
		gen_clock(g, p, now);
		if (n)
			gen_relate(g, gen_receive(g, p, p, 8), GEN_NONE);
	}
	c->trace = gen_trace(g);
}

static void make_phases(struct window_case *c, uint32_t n, const uint32_t *phase)
{
	struct phases *p = &c->phases;
	const struct logical *l = c->logical;
	uint32_t *at;

	p->similarity = SIMILARITY_PHASE;
	p->occurrence_count = n;
	p->occurrences = calloc(n + 1, sizeof *p->occurrences);
	p->by_phase = calloc(n + 1, sizeof *p->by_phase);
	for (uint32_t i = 0; i < n; i++)
		p->count = phase[i] > p->count ? phase[i] : p->count;
	p->list = calloc(p->count + 1, sizeof *p->list);
	p->phase_first = calloc(p->count + 2, sizeof *p->phase_first);
	at = calloc(p->count + 2, sizeof *at);
	need(p->occurrences && p->by_phase && p->list && p->phase_first && at, "room");
	for (uint32_t i = 0; i < n; i++) {
		p->occurrences[i].phase = phase[i];
		p->occurrences[i].first = i ? l->tick[l->sends[l->send_first[0] + i]] : 0;
		if (i)
			p->occurrences[i - 1].last = p->occurrences[i].first - 1;
		p->list[phase[i] - 1].weight++;
	}
	if (n)
		p->occurrences[n - 1].last = l->tick_count - 1;
	for (uint32_t id = 1; id <= p->count; id++) {
		p->list[id - 1].id = id;
		p->list[id - 1].ticks = 1;
		p->phase_first[id] = at[id] = p->phase_first[id - 1] + p->list[id - 1].weight;
	}
	for (uint32_t i = 0; i < n; i++)
		p->by_phase[at[phase[i] - 1]++] = i;
	free(at);
}

void window_case_init(struct window_case *c, uint32_t n, const uint32_t *phase, const double *duration, uint32_t processes,
		      const struct settings *s)
{
	struct err e = {0};

	*c = (struct window_case){0};
	make_trace(c, n, duration, processes);
	need(!logical_new(&c->logical, c->trace, ORDER_PAS2P, COLLECTIVES_EVENTS, NULL, &e), "order");
	need(!clockwork_new(&c->clockwork, c->logical, SIMILARITY_PHASE, NULL, &e), "clockwork");
	make_phases(c, n, phase);
	need(!figures_new(&c->figures, c->clockwork, &c->phases, s, NULL, &e), "figures");
}

void window_case_release(struct window_case *c)
{
	figures_free(c->figures);
	clockwork_free(c->clockwork);
	logical_unref(c->logical);
	trace_free(c->trace);
	free(c->phases.occurrences);
	free(c->phases.by_phase);
	free(c->phases.list);
	free(c->phases.phase_first);
}
