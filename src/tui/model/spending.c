#include "spending.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/mem.h"
#include "core/io/out.h"
#include "core/metrics/waited_pairs.h"
#include "model.h"
#include "tui/jobs/background.h"

/* --- the run --- */

struct spent *spent_ref(struct spent *s)
{
	atomic_fetch_add(&s->references, 1);
	return s;
}

void spent_unref(struct spent *s)
{
	if (!s || atomic_fetch_sub(&s->references, 1) > 1)
		return;
	process_rows_release(&s->processes);
	state_rows_release(&s->states);
	waited_pairs_free(s->pairs);
	call_sums_free(s->sums);
	mem_free(s->critical);
	mem_free(s->functions);
	run_metrics_free(s->metrics);
	call_log_free(s->log);
	mem_free(s);
}

/* Node -> place among the functions, which are nodes of one name and kind of time. */
static enum err_code find_functions(struct spent *s, uint32_t **place, struct err *e)
{
	const struct call_log *log = s->log;

	*place = mem_alloc(log->node_count, sizeof **place);
	s->functions = mem_zero(log->node_count, sizeof *s->functions);
	if (!*place || !s->functions)
		return err_memory(e, "the MPI functions");
	for (uint32_t n = 0; n < log->node_count; n++) {
		const struct call_node *node = &log->nodes[n];
		uint32_t f = 0;

		if (node->kind != NODE_MPI)
			continue;
		while (f < s->function_count && (s->functions[f].kind != node->time || strcmp(s->functions[f].name, node->name) != 0))
			f++;
		if (f == s->function_count)
			s->functions[s->function_count++] = (struct spent_function){.name = node->name, .kind = node->time};
		(*place)[n] = f;
	}
	return ERR_OK;
}

static int by_transfer(const void *a, const void *b)
{
	const struct spent_function *x = a, *y = b;
	double s = x->time - x->sync, t = y->time - y->sync;

	return s > t ? -1 : s < t ? 1 : strcmp(x->name, y->name);
}

static enum err_code add_functions(struct spent *s, const struct job *job, struct err *e)
{
	const struct call_log *log = s->log;
	const struct trace *t = log->trace;
	uint32_t *place = NULL;
	enum err_code code = find_functions(s, &place, e);

	for (uint32_t l = 0; !code && l < log->list_count; l++) {
		for (uint32_t c = log->lists[l].first; log->lists[l].account && c < log->lists[l].end; c++) {
			struct spent_function *f = &s->functions[place[log->calls[c].node]];

			f->calls++;
			f->time += log->calls[c].end - log->calls[c].start;
			f->sync += s->metrics->waits->sync[c];
			f->not_analysed += not_analysed_in_call(log, c, s->metrics->waits->sync[c]);
		}
		if (job_stopped(job))
			code = err_set(e, ERR_CANCELLED, "stopped");
	}
	for (uint32_t ev = 0; !code && ev < t->event_count; ev++)
		if (EVENT_KIND(t->type[ev]) == EVENT_SEND && log->call_of[ev] != NO_LOGGED_CALL && trace_size(t, ev) != SIZE_UNKNOWN)
			s->functions[place[log->calls[log->call_of[ev]].node]].bytes += trace_size(t, ev);
	if (!code)
		qsort(s->functions, s->function_count, sizeof *s->functions, by_transfer);
	mem_free(place);
	return code;
}

static enum err_code find_critical(struct spent *s, struct err *e)
{
	s->critical = mem_zero(s->metrics->processes, sizeof *s->critical);
	for (uint32_t i = 0; s->critical && i < s->metrics->critical_count; i++) {
		struct critical_piece piece = run_metrics_critical(s->metrics, i);

		s->critical[s->log->lists[piece.list].process] += piece.to - piece.from;
	}
	return s->critical ? ERR_OK : err_memory(e, "the critical path");
}

struct spending_task {
	struct task task;
	const struct trace *trace;
	struct spent *spent;
};

static enum err_code spend(struct task *task, const struct job *job, struct err *e)
{
	static const struct replay_rules rules = {.rendezvous = REPLAY_NEVER};
	struct spending_task *x = (struct spending_task *)task;
	struct spent *s = mem_zero(1, sizeof *s);
	enum err_code code;

	if (!s)
		return err_memory(e, "the metrics");
	x->spent = s;
	atomic_store(&s->references, 1);
	code = call_log_new(&s->log, x->trace, job, e);
	if (!code)
		code = run_metrics_new(&s->metrics, s->log, &rules, job, e);
	if (!code)
		code = process_rows_init(&s->processes, s->metrics, job, e);
	if (!code)
		code = state_rows_init(&s->states, s->metrics, job, e);
	if (!code)
		code = comm_heaviest(&s->heaviest, x->trace, job, e);
	if (!code && s->metrics->has_account)
		code = waited_pairs_new(&s->pairs, s->metrics->waits, job, e);
	if (!code && s->metrics->has_account)
		code = find_critical(s, e);
	if (!code && s->metrics->has_account)
		code = add_functions(s, job, e);
	if (!code)
		code = call_sums_new(&s->sums, s->log, s->metrics->waits, job, e);
	return code;
}

static void free_spending(struct task *t)
{
	spent_unref(((struct spending_task *)t)->spent);
	mem_free(t);
}

/* --- its phases --- */

struct spent_phases *spent_phases_ref(struct spent_phases *s)
{
	atomic_fetch_add(&s->references, 1);
	return s;
}

void spent_phases_unref(struct spent_phases *s)
{
	if (!s || atomic_fetch_sub(&s->references, 1) > 1)
		return;
	phase_rows_release(&s->rows);
	causes_free(s->causes);
	phase_spans_free(s->spans);
	mem_free(s->diagnosis);
	analysis_unref(s->analysis);
	spent_unref(s->run);
	mem_free(s);
}

static enum err_code diagnose(struct spent_phases *s, struct err *e)
{
	static const struct diagnosis_settings settings = {.serial = NAN, .bar = FACTOR_BAR};
	const struct run_metrics *m = s->run->metrics;
	const char *file = m->log->trace->file_count ? m->log->trace->files[0].path : "";
	struct diagnosed run = {
		.metrics = m,
		.figures = {.processes = m->processes, .runtime = m->runtime,
			    .useful = m->has_account ? m->account.by_kind[ACCOUNT_USEFUL] : (double)NAN,
			    .parallel_efficiency = m->factors.parallel_efficiency},
		.states = &s->run->states,
		.phases = &s->rows,
		.file = file,
	};
	uint32_t reference = scaling_fill(&run.figures, 1, SCALING_STRONG, NAN);
	struct diagnosis d;
	struct out o;

	diagnosis_make(&d, &run, 1, reference, &settings);
	out_init(&o);
	diagnosis_text(&d, &settings, file, &o);
	if (!o.failed)
		s->diagnosis = mem_strdup(o.text ? o.text : "");
	out_release(&o);
	return s->diagnosis ? ERR_OK : err_memory(e, "the diagnosis");
}

struct phases_task {
	struct task task;
	struct spent_phases *phases;
};

static enum err_code spend_phases(struct task *task, const struct job *job, struct err *e)
{
	struct spent_phases *s = ((struct phases_task *)task)->phases;
	const struct analysis *a = s->analysis;
	enum err_code code = phase_spans_new(&s->spans, s->run->log, a->clockwork, a->phases, job, e);

	if (!code)
		code = phase_rows_init(&s->rows, s->run->metrics, s->spans, a->figures, job, e);
	if (!code && s->run->metrics->has_account)
		code = causes_new(&s->causes, s->run->metrics->waits, s->spans, job, e);
	return code ? code : diagnose(s, e);
}

static void free_phases(struct task *t)
{
	spent_phases_unref(((struct phases_task *)t)->phases);
	mem_free(t);
}

/* --- for views --- */

/* What phase rows are made of. */
static bool same_phases(const struct analysis *a, const struct analysis *b)
{
	return a->phases == b->phases && a->figures == b->figures && a->clockwork == b->clockwork;
}

static void fail(struct spending *s, const struct err *e)
{
	snprintf(s->failure, sizeof s->failure, "%s", e->code == ERR_CANCELLED ? "Stopped." : e->text);
}

static void ask_run(struct model *m)
{
	struct spending_task *x = mem_zero(1, sizeof *x);

	m->spending.asked_of = m->trace;
	m->spending.failure[0] = 0;
	if (!x) {
		snprintf(m->spending.failure, sizeof m->spending.failure, "Not enough memory for metrics.");
		return;
	}
	x->task = (struct task){spend, free_spending};
	x->trace = m->trace;
	background_ask(m->background, BACKGROUND_METRICS, &x->task);
}

static void ask_phases(struct model *m)
{
	struct phases_task *x = mem_zero(1, sizeof *x);
	struct spent_phases *s = mem_zero(1, sizeof *s);

	analysis_unref(m->spending.asked_for);
	m->spending.asked_for = analysis_ref(m->analysis);
	m->spending.failure[0] = 0;
	if (!x || !s) {
		mem_free(x);
		mem_free(s);
		snprintf(m->spending.failure, sizeof m->spending.failure, "Not enough memory for the metrics of phases.");
		return;
	}
	atomic_store(&s->references, 1);
	s->run = spent_ref(m->spending.run);
	s->analysis = analysis_ref(m->analysis);
	x->task = (struct task){spend_phases, free_phases};
	x->phases = s;
	background_ask(m->background, BACKGROUND_METRICS_PHASES, &x->task);
}

static void take(struct model *m)
{
	struct spending *s = &m->spending;
	struct err e;
	struct spending_task *run = (struct spending_task *)background_take(m->background, BACKGROUND_METRICS, &e);
	struct phases_task *phases;

	if (run) {
		spent_unref(s->run);
		s->run = run->spent;
		run->spent = NULL;
		s->serial++;
		free_spending(&run->task);
	} else if (e.code) {
		fail(s, &e);
	}
	phases = (struct phases_task *)background_take(m->background, BACKGROUND_METRICS_PHASES, &e);
	if (phases) {
		if (phases->phases->run == s->run) {
			spent_phases_unref(s->phases);
			s->phases = phases->phases;
			phases->phases = NULL;
			s->serial++;
		}
		free_phases(&phases->task);
	} else if (e.code) {
		fail(s, &e);
	}
}

void spending_update(struct model *m)
{
	struct spending *s = &m->spending;

	if (!m->trace || !m->background)
		return;
	if (s->asked_of != m->trace) /* before what may have come of another is taken */
		ask_run(m);
	take(m);
	if (spending_has(m, m->trace) && m->analysis && m->analysis->phases && (!s->asked_for || !same_phases(s->asked_for, m->analysis)))
		ask_phases(m);
}

bool spending_has(const struct model *m, const struct trace *t)
{
	return m->spending.run && m->spending.run->log->trace == t;
}

bool spending_busy(const struct model *m)
{
	return m->background && (background_state(m->background, BACKGROUND_METRICS).busy ||
				 background_state(m->background, BACKGROUND_METRICS_PHASES).busy);
}

void spending_cancel(struct model *m)
{
	background_cancel(m->background, BACKGROUND_METRICS);
	background_cancel(m->background, BACKGROUND_METRICS_PHASES);
}

void spending_again(struct model *m)
{
	struct spending *s = &m->spending;

	s->failure[0] = 0;
	if (!spending_has(m, m->trace))
		s->asked_of = NULL;
	analysis_unref(s->asked_for);
	s->asked_for = NULL;
}

bool spending_is_current(const struct model *m)
{
	return m->spending.phases && m->analysis && m->analysis->phases && same_phases(m->spending.phases->analysis, m->analysis);
}

void spending_forget(struct spending *s)
{
	spent_phases_unref(s->phases);
	spent_unref(s->run);
	analysis_unref(s->asked_for);
	s->phases = NULL;
	s->run = NULL;
	s->asked_for = NULL;
	s->failure[0] = 0;
	s->serial++;
}

void spending_release(struct spending *s)
{
	spent_phases_unref(s->phases);
	spent_unref(s->run);
	analysis_unref(s->asked_for);
	*s = (struct spending){.run = NULL};
}

double spending_waited(const struct model *m, uint32_t phase)
{
	const struct phase_rows *rows = spending_is_current(m) ? &m->spending.phases->rows : NULL;

	/* before, 1, 2, ..., after */
	if (!rows || !m->spending.run->metrics->has_account || phase >= rows->count || rows->row[phase].phase != phase)
		return NAN;
	return account_sync(&rows->row[phase].part.account);
}
