/* Sums: accounts, factors, and the rows by process, state and phase. Every moment of every process is looked at for
 * every row. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/method/figures/figures.h"
#include "naive_metrics_parts.h"
#include "tap.h"

double naive_part(double a, double b)
{
	return b > 0 ? a / b : NAN;
}

static double overlap(double a0, double a1, double b0, double b1)
{
	return fmax(0, fmin(a1, b1) - fmax(a0, b0));
}

/* What of a moment lies between two times goes into the account. */
static void add(struct naive_account *a, const struct naive_list *l, const struct naive_moment *at, double from, double to)
{
	double d = overlap(at->from, at->to, from, to);

	a->kind[at->kind] += d;
	if (at->kind == NAIVE_USEFUL && at->call < l->calls && l->call[at->call].hidden)
		a->hidden += d;
	if (at->in_call) {
		const struct naive_call *c = &l->call[at->call];

		/* The waiting is the first sync seconds of the call. */
		a->by_reason[c->reason] += overlap(fmax(at->from, from), fmin(at->to, to), c->start, c->start + c->sync);
	}
}

static void close_account(struct naive_account *a, int known)
{
	a->time = a->sync = 0;
	for (int k = 0; k < NAIVE_KINDS; k++)
		a->time += a->kind[k];
	for (int r = 0; r < NAIVE_REASONS; r++)
		a->sync += a->by_reason[r];
	a->communication = a->kind[NAIVE_SEND] + a->kind[NAIVE_RECEIVE] + a->kind[NAIVE_WAIT] + a->kind[NAIVE_COLLECTIVE];
	a->transfer = a->communication - a->sync;
	a->overlap = known == 0 ? NAN : naive_part(known == 1 ? 0 : a->hidden, a->hidden + a->communication);
}

static void sum_up(struct naive_account *all, const struct naive_account *a)
{
	for (int k = 0; k < NAIVE_KINDS; k++)
		all->kind[k] += a->kind[k];
	for (int r = 0; r < NAIVE_REASONS; r++)
		all->by_reason[r] += a->by_reason[r];
	all->hidden += a->hidden;
	all->replay += a->replay;
}

/* From the accounts of all processes; `longest` and `ideal` are T and T_ideal, or below 0: those of the row. */
static void close_row(const struct naive_metrics *m, struct naive_row *row, double longest, double ideal)
{
	double n = m->processes, u = 0, u_max = 0, c = 0, c_max = 0, l_max = 0;
	struct naive_factors *f = &row->factors;

	row->all = (struct naive_account){.time = 0};
	for (uint32_t p = 0; p < m->processes; p++) {
		struct naive_account *a = &row->of[p];
		double local;

		close_account(a, naive_overlap_known(m, p));
		sum_up(&row->all, a);
		local = a->kind[NAIVE_USEFUL] + a->kind[NAIVE_TRACER];
		if (a->kind[NAIVE_USEFUL] > u_max)
			row->heaviest = p;
		u += a->kind[NAIVE_USEFUL];
		c += a->communication;
		u_max = fmax(u_max, a->kind[NAIVE_USEFUL]);
		c_max = fmax(c_max, a->communication);
		l_max = fmax(l_max, local);
		row->time_max = fmax(row->time_max, a->time);
		row->ideal_time_max = fmax(row->ideal_time_max, local + a->replay);
	}
	close_account(&row->all, naive_overlap_known(m, NAIVE_NONE));
	row->imbalance = n * u_max - u;
	longest = longest < 0 ? row->time_max : longest;
	ideal = ideal < 0 ? row->ideal_time_max : ideal;
	f->communication_balance = naive_part(c / n, c_max);
	f->load_balance = naive_part(u / n, u_max);
	f->communication_efficiency = u_max > 0 ? naive_part(u_max, longest) : NAN;
	f->parallel_efficiency = u_max > 0 ? naive_part(u / n, longest) : NAN;
	f->serialisation_efficiency = u_max > 0 ? naive_part(l_max, ideal) : NAN;
	f->transfer_efficiency = u_max > 0 ? naive_part(f->communication_efficiency, f->serialisation_efficiency) : NAN;
	f->tracer_efficiency = naive_part(u_max, l_max);
	if (!(u_max > 0))
		f->tracer_efficiency = NAN;
}

static struct naive_account *accounts(const struct naive_metrics *m)
{
	struct naive_account *of = calloc(m->processes + 1, sizeof *of);

	if (!of)
		bail_out("no memory for the naive metrics");
	return of;
}

static const struct naive_list *list_of(const struct naive_metrics *m, uint32_t process)
{
	return m->process[process].list == NAIVE_NONE ? NULL : &m->list[m->process[process].list];
}

/* --- the program and its processes --- */

static void program(struct naive_metrics *m)
{
	struct naive_row *row = &m->program;

	row->of = accounts(m);
	for (uint32_t p = 0; p < m->processes; p++) {
		const struct naive_list *l = list_of(m, p);

		for (uint32_t i = 0; l && i < l->moments; i++)
			add(&row->of[p], l, &l->moment[i], -INFINITY, INFINITY);
	}
	close_row(m, row, m->runtime, m->ideal_runtime);
	row->share = naive_part(row->all.time, m->runtime * m->processes);
	for (uint32_t p = 0; p < m->processes; p++) {
		struct naive_process *q = &m->process[p];
		const struct naive_list *l = list_of(m, p);

		q->account = row->of[p];
		q->start = l ? l->start : 0;
		q->end = l ? l->end : 0;
		q->outside = m->runtime - q->account.time;
		q->idle = 1 - naive_part(q->account.kind[NAIVE_USEFUL], m->runtime);
		q->ideal_end = l ? l->ideal_end : NAN;
		m->outside += q->outside;
		m->useful_mean += q->account.kind[NAIVE_USEFUL] / m->processes;
		m->useful_max = fmax(m->useful_max, q->account.kind[NAIVE_USEFUL]);
	}
	m->idle = 1 - naive_part(m->useful_mean, m->runtime);
	m->average_parallelism = naive_part(m->useful_mean * m->processes, m->runtime);
}

static void count_events(struct naive_metrics *m)
{
	const struct trace *t = m->trace;

	for (uint32_t e = 0; e < t->event_count; e++) {
		struct naive_process *p = &m->process[trace_process_of(t, e)];

		if (EVENT_KIND(t->type[e]) == EVENT_COLLECTIVE) {
			p->collectives++;
			m->collectives++;
			continue;
		}
		m->unrelated += t->match[e] == NO_EVENT;
		if (EVENT_KIND(t->type[e]) == EVENT_RECEIVE) {
			p->receives++;
			continue;
		}
		p->sends++;
		m->messages++;
		if (trace_size(t, e) != SIZE_UNKNOWN) {
			p->bytes_sent += trace_size(t, e);
			m->bytes += trace_size(t, e);
		}
	}
}

static void hosts(struct naive_metrics *m)
{
	double busiest = 0;

	m->load_balance_nodes = m->load_balance_inside = NAN;
	for (uint32_t p = 0; p < m->processes; p++)
		if (!m->process[p].host[0]) {
			m->nodes = 0;
			return;
		}
		else {
			double sum = 0;
			uint32_t of = 0;
			bool first = true;

			for (uint32_t q = 0; q < m->processes; q++)
				if (strcmp(m->process[p].host, m->process[q].host) == 0) {
					first = first && q >= p;
					sum += m->process[q].account.kind[NAIVE_USEFUL];
					of++;
				}
			m->nodes += first;
			busiest = fmax(busiest, sum / of);
		}
	m->load_balance_nodes = naive_part(m->useful_mean, busiest);
	m->load_balance_inside = naive_part(busiest, m->useful_max);
}

/* --- the call tree --- */

static bool below(const struct naive_metrics *m, uint32_t node, uint32_t above)
{
	while (node != above && node != NAIVE_NONE)
		node = m->node[node].parent;
	return node == above;
}

static void tree(struct naive_metrics *m)
{
	for (uint32_t i = 0; i < m->node_count; i++) {
		struct naive_node *node = &m->node[i];

		node->row.of = accounts(m);
		for (uint32_t p = 0; p < m->processes; p++) {
			const struct naive_list *l = list_of(m, p);

			for (uint32_t k = 0; l && k < l->moments; k++) {
				if (l->moment[k].node == i)
					node->exclusive += l->moment[k].to - l->moment[k].from;
				if (below(m, l->moment[k].node, i))
					add(&node->row.of[p], l, &l->moment[k], -INFINITY, INFINITY);
			}
			for (uint32_t k = 0; l && k < l->calls; k++)
				if (below(m, l->call[k].node, i))
					node->row.of[p].replay += l->call[k].exit - l->call[k].entry;
		}
		close_row(m, &node->row, -1, -1);
		node->row.share = naive_part(node->row.all.time, m->runtime * m->processes);
	}
}

const char *naive_metrics_path(const struct naive_metrics *m, uint32_t node, char *buf, size_t size)
{
	char above[2000];

	if (node == 0 || m->node[node].parent == 0)
		snprintf(buf, size, "%s", m->node[node].name);
	else
		snprintf(buf, size, "%s/%s", naive_metrics_path(m, m->node[node].parent, above, sizeof above),
			 m->node[node].name);
	return buf;
}

const struct naive_node *naive_metrics_node(const struct naive_metrics *m, const char *path)
{
	char buf[2000];

	for (uint32_t i = 0; i < m->node_count; i++)
		if (strcmp(naive_metrics_path(m, i, buf, sizeof buf), path) == 0)
			return &m->node[i];
	return NULL;
}

/* --- phases --- */

/* The time of a process's send or collective number `number` + 1, or of the end of its work. */
static double time_of(const struct naive_metrics *m, uint32_t process, uint32_t number)
{
	const struct trace *t = m->trace;

	for (uint32_t e = t->first[process]; e < t->first[process + 1]; e++)
		if (EVENT_KIND(t->type[e]) != EVENT_RECEIVE && number-- == 0)
			return m->where[e].time;
	return t->processes[process].work_end;
}

/* A stretch of a process's time goes into a row. */
static void clip(const struct naive_metrics *m, struct naive_phase_row *row, uint32_t process, double from, double to)
{
	const struct naive_list *l = list_of(m, process);
	struct naive_account *a = &row->row.of[process];

	for (uint32_t k = 0; l && k < l->moments; k++)
		add(a, l, &l->moment[k], from, to);
	for (uint32_t k = 0; l && k < l->calls; k++)
		if (l->call[k].start >= from && l->call[k].start < to)
			a->replay += l->call[k].exit - l->call[k].entry;
}

static void phase_rows_of(struct naive_metrics *m, const struct logical *logical, const struct phases *phases, uint32_t p)
{
	const struct trace *t = m->trace;
	double from = -INFINITY, to;

	if (t->first[p] == t->first[p + 1] || phases->occurrence_count == 0) {
		clip(m, &m->phase[0], p, -INFINITY, INFINITY);
		return;
	}
	for (uint32_t i = 0; i <= phases->occurrence_count; i++) {
		uint32_t number = i < phases->occurrence_count ? logical_sends_before(logical, p, phases->occurrences[i].first)
							       : UINT32_MAX;

		to = fmax(from, time_of(m, p, number));
		clip(m, &m->phase[i == 0 ? 0 : phases->occurrences[i - 1].phase], p, from, to);
		from = to;
	}
	clip(m, &m->phase[m->phase_count - 1], p, from, INFINITY);
}

static void phases(struct naive_metrics *m)
{
	const struct logical *logical;
	struct phase_space *space;
	struct logical *made;
	struct phases *found;
	struct err e;

	if (logical_new(&made, m->trace, (enum order)m->settings.order, (enum collectives)m->settings.collectives, NULL, &e) ||
	    phase_space_new(&space, made, NULL, &e) || phases_search(&found, space, &m->settings, NULL, &e))
		bail_out("%s", e.text);
	logical = made;
	for (uint32_t i = 0; i < found->count + 2; i++) {
		m->phase = naive_more(m->phase, &m->phase_count, sizeof *m->phase);
		m->phase[i].phase = i <= found->count ? i : NAIVE_NONE;
		m->phase[i].weight = i > 0 && i <= found->count ? found->list[i - 1].weight : 0;
		m->phase[i].row.of = accounts(m);
	}
	for (uint32_t p = 0; p < m->processes; p++)
		phase_rows_of(m, logical, found, p);
	for (uint32_t i = 0; i < m->phase_count; i++) {
		close_row(m, &m->phase[i].row, -1, -1);
		m->phase[i].row.share = naive_part(m->phase[i].row.all.time, m->runtime * m->processes);
	}
	phases_free(found);
	phase_space_free(space);
	logical_unref(logical);
}

void naive_rows(struct naive_metrics *m)
{
	program(m);
	count_events(m);
	hosts(m);
	tree(m);
	phases(m);
}
