#include "reports.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/base/unit.h"

static void take_times(struct overview *o)
{
	const struct trace *t = o->of.trace;
	const struct run_metrics *m = o->of.metrics;

	o->aet = trace_has_time(t) ? trace_aet(t) : (double)NAN;
	o->runtime = m ? m->runtime : o->aet;
}

/* A process without records is all other: what it did is not known. */
static void take_account(struct overview *o)
{
	const struct run_metrics *m = o->of.metrics;
	double whole = m ? m->total : (double)NAN;
	struct overview_account *a = &o->account;

	*a = (struct overview_account){NAN, NAN, NAN, NAN, NAN};
	o->factors = (struct factors){NAN, NAN, NAN, NAN, NAN, NAN, NAN};
	o->waited = o->imbalance = NAN;
	if (!m)
		return;
	if (!m->has_account)
		o->without = "the trace has no MPI calls, only messages";
	if (isnan(m->runtime) || !m->processes)
		o->without = "the trace has no records";
	else if (!(m->runtime > 0))
		o->without = "all records have the same time";
	if (o->without)
		return;
	o->has_account = true;
	o->factors = m->factors;
	o->waited = account_sync(&m->account);
	o->imbalance = (m->useful_max - m->useful_mean) / m->runtime;
	a->compute = m->account.by_kind[ACCOUNT_USEFUL] / whole;
	a->waiting = o->waited / whole;
	a->not_analysed = m->account.not_analysed / whole;
	a->moving = account_moving(&m->account) / whole;
	a->other = fmax(0, 1 - a->compute - a->waiting - a->moving - a->not_analysed);
}

static void take_phases(struct overview *o)
{
	const struct analysis *a = o->of.analysis;
	const struct figures *f = a && a->phases ? a->figures : NULL;

	o->coverage = o->pete = o->in_phases = NAN;
	if (!f)
		return;
	o->phases = a->phases->count;
	o->relevant = f->relevant;
	o->coverage = f->coverage;
	o->pete = f->pete;
	if (f->aet > 0)
		o->in_phases = 0;
	for (uint32_t i = 0; f->aet > 0 && i < f->count; i++)
		o->in_phases += f->phase[i].share;
}

static void take_waits(struct overview *o)
{
	const struct waited_pairs *p = o->has_account ? o->of.pairs : NULL;
	const struct causes *c = o->has_account ? o->of.causes : NULL;

	o->longest = p ? waited_pairs_longest(p) : NULL;
	for (unsigned r = 0; o->longest && r < WAIT_REASONS; r++)
		if (o->longest->by_reason[r] > o->longest->by_reason[o->longest_reason])
			o->longest_reason = (enum wait_reason)r;
	o->cause.process = NO_PROCESS;
	if (c)
		causes_culprits(c, &o->cause, 1);
}

static void take_slowest(struct overview *o)
{
	const struct process_rows *rows = o->has_account ? o->of.processes : NULL;
	double most = 0;

	o->slowest = NO_PROCESS;
	o->slowest_by = NAN;
	if (!rows || rows->count < 2)
		return;
	for (uint32_t i = 0; i < rows->count; i++)
		if (rows->row[i].account.by_kind[ACCOUNT_USEFUL] > most) {
			most = rows->row[i].account.by_kind[ACCOUNT_USEFUL];
			o->slowest = rows->row[i].process;
		}
	if (o->slowest != NO_PROCESS)
		o->slowest_by = most / o->of.metrics->useful_mean - 1;
	if (o->slowest != NO_PROCESS)
		o->slowest_use = run_metrics_outside(o->of.metrics, o->slowest);
}

static void take_heaviest(struct overview *o)
{
	const struct comm_pair *p = o->of.heaviest;
	bool any = p && p->sent.messages;

	o->heavy_from = any ? p->from : NO_PROCESS;
	o->heavy_to = any ? p->to : NO_PROCESS;
	o->heavy_bytes = any ? p->sent.bytes : 0;
}

static void take_iterations(struct overview *o)
{
	const struct main_loop *m = o->of.structure ? &o->of.structure->main : NULL;

	if (!m || !m->iterations)
		return;
	o->iterations = m->iterations;
	o->outliers = m->outlier_count;
}

/* Why there is no signature, and what would have one. */
static void signature_gap(const struct plan *p, char text[PLAN_TEXT])
{
	char cost[UNIT_OF_TEXT], share[UNIT_TEXT];

	if (isnan(p->aet) || p->aet <= 0) {
		snprintf(text, PLAN_TEXT, "none: the run has no time");
		return;
	}
	if (!p->count) {
		snprintf(text, PLAN_TEXT, "none: the run is too short, or no phase is relevant");
		return;
	}
	unit_multiple_of(cost, p->least / p->aet, 1, "the run time");
	if (p->least >= p->aet / 2)
		snprintf(text, PLAN_TEXT, "not worthwhile: costs %s (%.3g s); signatures pay off for runs of minutes", cost, p->least);
	else
		snprintf(text, PLAN_TEXT, "over the budget of %s: the cheapest costs %s (%.3g s)", unit_share(share, p->budget.share, 0), cost, p->least);
}

static void take_signature(struct overview *o)
{
	const struct analysis *a = o->of.analysis;
	const struct plan *p = o->of.plan;
	const struct windows *w = a ? a->windows : NULL;

	o->cost_share = NAN;
	o->expected = o->of.measure && o->of.measure->occurrences ? o->of.measure->off : (double)NAN;
	if (w) {
		o->signature = w->count > 0;
		o->windows = w->count;
		o->cost_share = windows_cost(w, p ? p->budget.restore : PLAN_RESTORE, a->settings.warmup_seconds) / a->figures->aet;
		o->expected = w->estimate.half / w->estimate.pet_scaled;
		if (!o->signature)
			strcpy(o->no_signature, "no window has a relevant phase");
	} else if (p && p->choice >= 0) {
		const struct plan_candidate *c = &p->candidate[p->choice];

		o->signature = true;
		o->windows = c->checkpoints;
		o->cost_share = c->cost_share;
		o->expected = c->half;
	} else if (p) {
		signature_gap(p, o->no_signature);
	}
}

static void take_notes(struct overview *o)
{
	const struct trace *t = o->of.trace;
	const struct analysis *a = o->of.analysis;

	notes_count(&o->notes, &t->notes);
	if (a && a->logical)
		notes_count(&o->notes, &a->logical->notes);
}

/* --- what to do next --- */

#define LOSSES 3
#define LOSSES_SHOWN 2 /* the rest of the steps say what else there is to do */

static void add_step(struct overview *o, enum overview_step s)
{
	if (o->next_count < OVERVIEW_STEPS)
		o->next[o->next_count++] = s;
}

/* The largest losses of the account, of equal ones the first. */
static void add_losses(struct overview *o)
{
	const struct run_metrics *m = o->of.metrics;
	double other = m->account.by_kind[ACCOUNT_OTHER_MPI] / m->total;
	/* The last two are shown by the same list. */
	struct { double lost; enum overview_step step; } losses[LOSSES] = {
		{o->account.waiting, OVERVIEW_NEXT_WAITS}, {o->imbalance, OVERVIEW_NEXT_BALANCE},
		{fmax(o->account.moving, other), other > o->account.moving ? OVERVIEW_NEXT_OTHER : OVERVIEW_NEXT_TRANSFER},
	};

	for (int shown = 0; shown < LOSSES_SHOWN; shown++) {
		int most = -1;

		for (int i = 0; i < LOSSES; i++)
			if (losses[i].lost >= OVERVIEW_LOSS && (most < 0 || losses[i].lost > losses[most].lost))
				most = i;
		if (most < 0)
			return;
		add_step(o, losses[most].step);
		losses[most].lost = NAN;
	}
}

/* Too little is relevant, and there is more that could be. */
static bool can_cover_more(const struct overview *o)
{
	return o->coverage < COVERAGE_BAR && o->in_phases - o->coverage >= (1 - COVERAGE_BAR) / 4;
}

static void find_steps(struct overview *o)
{
	const struct plan *p = o->of.plan;
	/* Half of the run or more, and running all of it is the better prediction. */
	bool affordable = o->signature && o->cost_share <= 0.5;

	if (o->notes.warnings || o->notes.apart || o->notes.damage || o->of.trace->damaged)
		add_step(o, OVERVIEW_NEXT_CHECK);
	if (o->has_account)
		add_losses(o);
	if (can_cover_more(o))
		add_step(o, OVERVIEW_NEXT_COVERAGE);
	else if (affordable)
		add_step(o, OVERVIEW_NEXT_SIGN);
	else if (o->relevant && !o->signature && (!p || p->least < p->aet / 2))
		add_step(o, OVERVIEW_NEXT_PLAN);
	if (o->phases)
		add_step(o, OVERVIEW_NEXT_PHASES);
}

void overview_init(struct overview *o, const struct overview_parts *parts)
{
	*o = (struct overview){.of = *parts};
	take_times(o);
	take_account(o);
	take_phases(o);
	take_waits(o);
	take_slowest(o);
	o->crowded = crowded_nodes(o->of.trace);
	o->tracing = tracing_cost_run(o->of.trace);
	take_heaviest(o);
	take_iterations(o);
	take_signature(o);
	take_notes(o);
	find_steps(o);
}

static enum err_code make_metrics(struct overview_run *r, const struct trace *t, const struct analysis *a, struct metrics_run *metrics,
				  const struct progress *progress, struct err *e)
{
	static const struct replay_rules rules = {.rendezvous = REPLAY_NEVER};
	enum err_code code = ERR_OK;

	if (!metrics) {
		struct call_log *log;

		code = call_log_new(&log, t, progress, e);
		if (!code) {
			metrics_run_init(&r->own, t->file_count ? t->files[0].path : "", log);
			code = metrics_run_make(&r->own, &rules, progress, e);
		}
		metrics = &r->own;
	}
	r->metrics = metrics;
	return code ? code : metrics_run_rows(metrics, OVERVIEW_ROWS & ~metrics->rows, a, progress, e);
}

static enum err_code make_parts(struct overview_run *r, const struct trace *t, const struct analysis *a, struct metrics_run *metrics,
				const struct progress *progress, struct err *e)
{
	static const struct plan_budget budget = {PLAN_BUDGET, PLAN_RESTORE};
	enum err_code code = structure_new(&r->structure, a->clockwork, a->phases, a->figures, a->patterns, &a->settings, STRUCTURE_SHORTEST, progress, e);

	if (!code && !a->windows)
		code = plan_new(&r->plan, a->clockwork, a->phases, a->figures, &a->settings, &budget, progress, e);
	if (!code)
		code = analysis_measure(&r->measure, a, progress, e);
	if (!code)
		code = comm_heaviest(&r->heaviest, t, progress, e);
	if (!code)
		code = make_metrics(r, t, a, metrics, progress, e);
	if (!code && r->metrics->metrics->has_account)
		code = waited_pairs_new(&r->pairs, r->metrics->metrics->waits, progress, e);
	return code;
}

enum err_code overview_run_init(struct overview_run *r, const struct trace *t, const struct analysis *a, struct metrics_run *metrics,
				const struct progress *progress, struct err *e)
{
	enum err_code code;

	*r = (struct overview_run){0};
	code = make_parts(r, t, a, metrics, progress, e);
	if (code) {
		overview_run_release(r);
		return code;
	}
	overview_init(&r->overview, &(struct overview_parts){
		.trace = t, .analysis = a, .structure = r->structure, .metrics = r->metrics->metrics, .processes = &r->metrics->processes,
		.states = &r->metrics->states, .phases = &r->metrics->phases, .pairs = r->pairs, .causes = r->metrics->causes,
		.heaviest = &r->heaviest, .measure = &r->measure, .plan = r->plan,
	});
	return ERR_OK;
}

void overview_run_release(struct overview_run *r)
{
	waited_pairs_free(r->pairs);
	structure_free(r->structure);
	plan_free(r->plan);
	metrics_run_release(&r->own);
	*r = (struct overview_run){0};
}
