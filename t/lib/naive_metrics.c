#include "naive_metrics.h"

#include <math.h>
#include <stdlib.h>

#include "core/formats/api/load.h"
#include "core/io/source.h"
#include "naive_metrics_parts.h"
#include "tap.h"

static void load(struct naive_metrics *m, const void *bytes, size_t size)
{
	struct source source;
	struct err e;

	if (source_open_memory(&source, "a trace", bytes, size, &e) || trace_load_sources(&m->trace, &source, 1, NULL, NULL, &e))
		bail_out("%s", e.text);
	source_release(&source);
	m->processes = m->trace->process_count;
	m->process = calloc(m->processes + 1, sizeof *m->process);
	m->where = calloc(m->trace->event_count + 1, sizeof *m->where);
	if (!m->process || !m->where)
		bail_out("no memory for the naive metrics");
	for (uint32_t p = 0; p < m->processes; p++)
		m->process[p].list = NAIVE_NONE;
}

struct naive_metrics *naive_metrics_new(const void *bytes, size_t size, const struct naive_choices *choices)
{
	static const struct naive_choices usual = {.rendezvous = -1};
	struct naive_metrics *m = calloc(1, sizeof *m);

	if (!m)
		bail_out("no memory for the naive metrics");
	settings_init(&m->settings);
	load(m, bytes, size);
	m->t0 = INFINITY;
	m->last = -INFINITY;
	naive_read(m, bytes, size);
	m->runtime = m->last - m->t0;
	naive_waits(m);
	naive_hidden(m);
	naive_replay(m, choices ? choices : &usual);
	naive_rows(m);
	return m;
}

void naive_metrics_free(struct naive_metrics *m)
{
	if (!m)
		return;
	for (uint32_t i = 0; i < m->lists; i++) {
		for (uint32_t k = 0; k < m->list[i].calls; k++) {
			free(m->list[i].call[k].event);
			free(m->list[i].call[k].done);
			free(m->list[i].call[k].need);
		}
		free(m->list[i].call);
		free(m->list[i].moment);
	}
	for (uint32_t i = 0; i < m->node_count; i++)
		free(m->node[i].row.of);
	for (uint32_t i = 0; i < m->phase_count; i++)
		free(m->phase[i].row.of);
	free(m->program.of);
	free(m->list);
	free(m->node);
	free(m->phase);
	free(m->where);
	free(m->process);
	free(m->states);
	trace_free(m->trace);
	free(m);
}
