/* From a row to where it cost most: a call in the timeline, an occurrence of a phase in the grid. */
#include <stdio.h>

#include "core/base/mem.h"
#include "metrics_view.h"
#include "tui/model/describe.h"
#include "tui/model/wait_roots.h"

/* What one call costs a factor: the computing before it counts where that is the matter. */
static double cost_of(const struct spent *run, uint32_t list, uint32_t call, enum metrics_factor f)
{
	const struct call_log *log = run->log;
	double took = log->calls[call].end - log->calls[call].start, sync = run->metrics->waits->sync[call];

	switch (f) {
	case FACTOR_BALANCE:
	case FACTOR_NODES:
	case FACTOR_INSIDE: return call_log_gap(log, &log->lists[list], call);
	case FACTOR_SERIALISATION: return sync;
	case FACTOR_TRANSFER: return took - sync;
	default: return took;
	}
}

static bool is_under(const struct call_log *log, uint32_t node, uint32_t above)
{
	while (node && node != above)
		node = log->nodes[node].parent;
	return node == above;
}

struct costly {
	uint32_t list, call;
	double cost; /* below 0: none was found */
	uint64_t calls;
};

static void consider(struct costly *x, uint32_t list, uint32_t call, double cost)
{
	x->calls++;
	if (cost > x->cost)
		*x = (struct costly){list, call, cost, x->calls};
}

/* Those of a list that the row has. */
static void look_through(const struct metrics_view *s, uint32_t row, uint32_t list, struct costly *x)
{
	const struct call_log *log = s->run->log;
	const struct call_list *l = &log->lists[list];
	enum metrics_factor f = metrics_selected(s);
	const struct metrics_cause *cause = s->by == GUILTY_BY_CAUSE ? &s->causes.row[row] : NULL;

	for (uint32_t c = l->first; c < l->end; c++) {
		uint32_t node = log->calls[c].node;

		if (s->by == GUILTY_BY_STATE && !is_under(log, node, s->run->states.row[row].node))
			continue;
		if (!cause) {
			consider(x, list, c, cost_of(s->run, list, c, f));
			continue;
		}
		if ((cause->in_calls ? node : log->nodes[node].parent) != cause->cause->node)
			continue;
		if (s->phases->spans->spans[phase_span_at(s->phases->spans, l->process, log->calls[c].start)].phase == cause->cause->phase)
			consider(x, list, c, cost_of(s->run, list, c, cause->in_calls ? FACTOR_TRANSFER : FACTOR_BALANCE));
	}
}

static unsigned to_call(struct metrics_view *s, uint32_t row)
{
	const struct call_log *log = s->run->log;
	struct model *m = s->view.model;
	struct costly x = {.cost = -1};
	char a[UNIT_TEXT], n[UNIT_TEXT];
	struct place at;

	for (uint32_t l = 0; l < log->list_count; l++) {
		uint32_t process = log->lists[l].process;

		if (!log->lists[l].account || (s->by == GUILTY_BY_PROCESS && process != s->run->processes.row[row].process) ||
		    (s->by == GUILTY_BY_CAUSE && process != s->causes.row[row].cause->process))
			continue;
		look_through(s, row, l, &x);
	}
	if (x.cost < 0) {
		snprintf(m->message, sizeof m->message, "No call belongs to this row.");
		return REACT_DONE;
	}
	at = wait_place_of(m, x.list, x.call);
	model_goto(m, at.process, at.tick);
	snprintf(m->message, sizeof m->message, "The costliest of %s: %s%s, %s.", unit_count(n, x.calls), s->by == GUILTY_BY_CAUSE &&
		 !s->causes.row[row].in_calls ? "computing before " : "", log->nodes[log->calls[x.call].node].name, unit_time(a, x.cost));
	return REACT_JUMPED | react_show(VIEW_TIMELINE);
}

/* The occurrence in which a phase cost most over all processes; the first where none did. */
static uint32_t costliest_occurrence(const struct metrics_view *s, uint32_t phase, double *cost)
{
	const struct phase_spans *spans = s->phases->spans;
	const struct phases *p = spans->phases;
	const struct call_log *log = s->run->log;
	double *sums = mem_zero(p->occurrence_count, sizeof *sums);
	uint32_t best = p->by_phase[p->phase_first[phase - 1]];

	*cost = 0;
	for (uint32_t l = 0; sums && l < log->list_count; l++) {
		const struct call_list *list = &log->lists[l];
		uint32_t at = spans->first[list->process], end = spans->first[list->process + 1];

		for (uint32_t c = list->first; list->account && at < end && c < list->end; c++) {
			while (at + 1 < end && spans->spans[at + 1].from <= log->calls[c].start)
				at++;
			if (spans->spans[at].phase == phase)
				sums[spans->spans[at].occurrence] += cost_of(s->run, l, c, metrics_selected(s));
		}
	}
	for (uint32_t i = p->phase_first[phase - 1]; sums && i < p->phase_first[phase]; i++)
		if (sums[p->by_phase[i]] > *cost) {
			best = p->by_phase[i];
			*cost = sums[best];
		}
	mem_free(sums);
	return best;
}

static unsigned to_phase(struct metrics_view *s, uint32_t row)
{
	struct model *m = s->view.model;
	uint32_t phase = s->phases->rows.row[row].phase, best, number, of;
	const struct phases *p = s->phases->spans->phases;
	char a[UNIT_TEXT];
	double cost;

	if (!spending_is_current(m)) {
		snprintf(m->message, sizeof m->message, "The phases are being measured again.");
		return REACT_DONE;
	}
	if (phase == SPAN_BEFORE || phase == SPAN_AFTER) {
		model_goto(m, m->cursor.process, phase == SPAN_BEFORE ? 0 : UINT32_MAX);
		return REACT_JUMPED | react_show(VIEW_GRID);
	}
	best = costliest_occurrence(s, phase, &cost);
	number = occurrence_number(p, best, &of);
	model_goto(m, m->cursor.process, p->occurrences[best].first);
	snprintf(m->message, sizeof m->message, "The costliest occurrence of phase %u: number %u of %u, %s.", (unsigned)phase, (unsigned)number,
		 (unsigned)of, unit_time(a, cost));
	return REACT_JUMPED | react_show(VIEW_GRID);
}

unsigned metrics_go(struct metrics_view *s, uint32_t row)
{
	if (!s->run->metrics->has_account) {
		snprintf(s->view.model->message, sizeof s->view.model->message, "The trace has no calls to go to.");
		return REACT_DONE;
	}
	return s->by == GUILTY_BY_PHASE ? to_phase(s, row) : to_call(s, row);
}
