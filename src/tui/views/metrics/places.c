/* From a row to where it cost most: a call in the timeline, an occurrence of a phase in the grid. */
#include <stdio.h>

#include "core/base/clock.h"
#include "core/base/mem.h"
#include "metrics_int.h"
#include "tui/model/describe.h"

#define FIRST_SLICE_MS 8
#define LOOK_EVERY 4096

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

static void consider(struct metrics_search *x, double cost)
{
	x->calls++;
	if (cost > x->cost) {
		x->cost = cost;
		x->at_list = x->list;
		x->at_call = x->call;
	}
}

/* The call that is to be looked at. */
static void search_look_call(struct metrics_view *s)
{
	struct metrics_search *x = &s->search;
	const struct call_log *log = s->run->log;
	const struct call_list *l = &log->lists[x->list];
	const struct phase_spans *spans = s->phases ? s->phases->spans : NULL;
	const struct metrics_cause *cause = s->by == GUILTY_BY_CAUSE ? &s->causes.row[x->row] : NULL;
	enum metrics_factor f = metrics_selected(s);
	uint32_t node = log->calls[x->call].node;

	if (x->sums) {
		uint32_t end = spans->first[l->process + 1];

		while (x->span + 1 < end && spans->spans[x->span + 1].from <= log->calls[x->call].start)
			x->span++;
		if (x->span < end && spans->spans[x->span].phase == s->phases->rows.row[x->row].phase)
			x->sums[spans->spans[x->span].occurrence] += cost_of(s->run, x->list, x->call, f);
	} else if (!cause) {
		if (s->by != GUILTY_BY_STATE || is_under(log, node, s->run->states.row[x->row].node))
			consider(x, cost_of(s->run, x->list, x->call, f));
	} else if ((cause->in_calls ? node : log->nodes[node].parent) == cause->cause->node &&
		   spans->spans[phase_span_at(spans, l->process, log->calls[x->call].start)].phase == cause->cause->phase) {
		consider(x, cost_of(s->run, x->list, x->call, cause->in_calls ? FACTOR_TRANSFER : FACTOR_BALANCE));
	}
}

/* May the list have calls of the row? */
static bool list_counts(const struct metrics_view *s, uint32_t list)
{
	const struct call_list *l = &s->run->log->lists[list];

	if (s->by == GUILTY_BY_PROCESS)
		return l->account && l->process == s->run->processes.row[s->search.row].process;
	return l->account && (s->by != GUILTY_BY_CAUSE || l->process == s->causes.row[s->search.row].cause->process);
}

static void begin_list(struct metrics_view *s, uint32_t list)
{
	const struct call_log *log = s->run->log;

	s->search.list = list;
	if (list == log->list_count)
		return;
	s->search.call = log->lists[list].first;
	if (s->search.sums)
		s->search.span = s->phases->spans->first[log->lists[list].process];
}

static unsigned to_call(struct metrics_view *s)
{
	const struct metrics_search *x = &s->search;
	const struct call_log *log = s->run->log;
	struct model *m = s->view.model;
	char a[UNIT_TEXT], n[UNIT_TEXT];
	struct trace_place at;
	bool cause = s->by == GUILTY_BY_CAUSE, in_calls = cause && s->causes.row[x->row].in_calls;

	if (x->cost < 0) {
		snprintf(m->message, sizeof m->message, "This row has no calls.");
		return REACT_DONE;
	}
	at = wait_place_of(m, x->at_list, x->at_call);
	model_goto(m, at.process, at.tick);
	snprintf(m->message, sizeof m->message, "The most expensive of %s calls: %s%s, %s%s.", unit_count(n, x->calls),
		 cause && !in_calls ? "computation before " : "", log->nodes[log->calls[x->at_call].node].name, unit_time(a, x->cost),
		 cause && in_calls ? " without its waiting" : "");
	return REACT_JUMPED | react_show(VIEW_TIMELINE);
}

/* The occurrence in which the phase cost most over all processes; the first where none did. */
static unsigned to_occurrence(struct metrics_view *s)
{
	const struct metrics_search *x = &s->search;
	const struct phases *p = s->phases->spans->phases;
	struct model *m = s->view.model;
	uint32_t phase = s->phases->rows.row[x->row].phase, best = p->by_phase[p->phase_first[phase - 1]], number, of;
	double cost = 0;
	char a[UNIT_TEXT];

	for (uint32_t i = p->phase_first[phase - 1]; i < p->phase_first[phase]; i++)
		if (x->sums[p->by_phase[i]] > cost) {
			best = p->by_phase[i];
			cost = x->sums[best];
		}
	number = occurrence_number(p, best, &of);
	model_goto(m, m->cursor.process, p->occurrences[best].first);
	snprintf(m->message, sizeof m->message, "The most expensive occurrence of phase %u: number %u of %u, %s.", (unsigned)phase, (unsigned)number,
		 (unsigned)of, unit_time(a, cost));
	return REACT_JUMPED | react_show(VIEW_GRID);
}

void metrics_stay(struct metrics_view *s)
{
	mem_free(s->search.sums);
	s->search = (struct metrics_search){0};
}

unsigned metrics_go_on(struct metrics_view *s, unsigned ms)
{
	struct metrics_search *x = &s->search;
	const struct call_log *log = s->run->log;
	double until = clock_ms() + ms;
	unsigned reaction;

	if (x->sums && !spent_phases_current(s->view.model)) {
		metrics_stay(s);
		snprintf(s->view.model->message, sizeof s->view.model->message, "Still measuring the phases; try again in a moment.");
		return REACT_DONE;
	}
	for (uint32_t looked = 0; x->list < log->list_count; begin_list(s, x->list + 1))
		for (; list_counts(s, x->list) && x->call < log->lists[x->list].end; x->call++) {
			if (++looked % LOOK_EVERY == 0 && clock_ms() >= until) {
				snprintf(s->view.model->message, sizeof s->view.model->message, "Looking for the most expensive call…");
				return REACT_DONE;
			}
			search_look_call(s);
		}
	reaction = x->sums ? to_occurrence(s) : to_call(s);
	metrics_stay(s);
	return reaction;
}

unsigned metrics_go(struct metrics_view *s, uint32_t row)
{
	struct model *m = s->view.model;

	if (!s->run->metrics->has_account) {
		snprintf(m->message, sizeof m->message, "The trace has no calls.");
		return REACT_DONE;
	}
	metrics_stay(s);
	if (s->by == GUILTY_BY_PHASE) {
		uint32_t phase = s->phases->rows.row[row].phase;

		if (!spent_phases_current(m)) {
			snprintf(m->message, sizeof m->message, "Still measuring the phases; try again in a moment.");
			return REACT_DONE;
		}
		if (phase == SPAN_BEFORE || phase == SPAN_AFTER) {
			model_goto(m, m->cursor.process, phase == SPAN_BEFORE ? 0 : UINT32_MAX);
			return REACT_JUMPED | react_show(VIEW_GRID);
		}
		s->search.sums = mem_zero(s->phases->spans->phases->occurrence_count, sizeof *s->search.sums);
		if (!s->search.sums) {
			snprintf(m->message, sizeof m->message, "Not enough memory for the search.");
			return REACT_DONE;
		}
	}
	s->search.busy = true;
	s->search.row = row;
	s->search.cost = -1;
	begin_list(s, 0);
	return metrics_go_on(s, FIRST_SLICE_MS);
}
