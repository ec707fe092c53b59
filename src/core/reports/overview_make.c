#include "reports.h"

static enum err_code make_metrics(struct overview_run *r, const struct trace *t, const struct analysis *a, struct metrics_run *metrics,
				  const struct job *job, struct err *e)
{
	static const struct replay_rules rules = {.rendezvous = REPLAY_NEVER};
	enum err_code code = ERR_OK;

	if (!metrics) {
		struct call_log *log;

		code = call_log_new(&log, t, job, e);
		if (!code) {
			metrics_run_init(&r->own, t->file_count ? t->files[0].path : "", log);
			code = metrics_run_make(&r->own, &rules, job, e);
		}
		metrics = &r->own;
	}
	r->metrics = metrics;
	return code ? code : metrics_run_rows(metrics, OVERVIEW_ROWS & ~metrics->rows, a, job, e);
}

static enum err_code make_parts(struct overview_run *r, const struct trace *t, const struct analysis *a, struct metrics_run *metrics,
				const struct job *job, struct err *e)
{
	static const struct plan_budget budget = {PLAN_BUDGET, PLAN_RESTORE};
	enum err_code code = structure_new(&r->structure, a->clockwork, a->phases, a->figures, &a->settings, STRUCTURE_SHORTEST, job, e);

	if (!code && !a->windows)
		code = plan_new(&r->plan, a->clockwork, a->phases, a->figures, &a->settings, &budget, job, e);
	if (!code)
		code = analysis_measure(&r->measure, a, job, e);
	if (!code)
		code = comm_heaviest(&r->heaviest, t, job, e);
	if (!code)
		code = make_metrics(r, t, a, metrics, job, e);
	if (!code && r->metrics->metrics->has_account)
		code = waited_pairs_new(&r->pairs, r->metrics->metrics->waits, job, e);
	return code;
}

enum err_code overview_run_init(struct overview_run *r, const struct trace *t, const struct analysis *a, struct metrics_run *metrics,
				const struct job *job, struct err *e)
{
	enum err_code code;

	*r = (struct overview_run){0};
	code = make_parts(r, t, a, metrics, job, e);
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
