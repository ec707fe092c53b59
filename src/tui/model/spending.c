#include "model.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/mem.h"
#include "core/io/out.h"
#include "core/metrics/waits/waited_pairs.h"
#include "tui/jobs/session.h"
#include "tui/widgets/units.h"

/* --- the run --- */

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

static enum err_code add_functions(struct spent *s, const struct progress *progress, struct err *e)
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
		if (progress_stopped(progress))
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

static bool run_can(const void *from)
{
	return ((const struct model *)from)->trace != NULL;
}

static void run_begin(void *made, const void *from)
{
	struct spent *s = made;

	s->trace = ((const struct model *)from)->trace;
	s->session = ((const struct model *)from)->session;
}

static bool run_is_of(const void *made, const void *from)
{
	return ((const struct spent *)made)->trace == ((const struct model *)from)->trace;
}

static enum err_code run_make(void *made, const struct progress *progress, struct err *e)
{
	static const struct replay_rules rules = {.rendezvous = REPLAY_NEVER};
	struct spent *s = made;
	enum err_code code = session_log(s->session, s->trace, &s->log, progress, e);

	if (!code)
		code = run_metrics_new(&s->metrics, s->log, &rules, progress, e);
	if (!code)
		code = process_rows_init(&s->processes, s->metrics, progress, e);
	if (!code)
		code = state_rows_init(&s->states, s->metrics, progress, e);
	if (!code)
		code = comm_heaviest(&s->heaviest, s->trace, progress, e);
	if (!code && s->metrics->has_account)
		code = waited_pairs_new(&s->pairs, s->metrics->waits, progress, e);
	if (!code && s->metrics->has_account)
		code = find_critical(s, e);
	if (!code && s->metrics->has_account)
		code = add_functions(s, progress, e);
	if (!code)
		code = call_sums_new(&s->sums, s->log, s->metrics->waits, progress, e);
	return code;
}

static void run_release(void *made)
{
	struct spent *s = made;

	process_rows_release(&s->processes);
	state_rows_release(&s->states);
	waited_pairs_free(s->pairs);
	call_sums_free(s->sums);
	mem_free(s->critical);
	mem_free(s->functions);
	run_metrics_free(s->metrics);
}

static const struct derived_kind run_kind = {"metrics", sizeof(struct spent), run_can, run_begin, run_is_of, run_make, run_release};

/* --- its phases --- */

static bool phases_can(const void *from)
{
	const struct model *m = from;

	return spent_run(m) && m->analysis && m->analysis->phases;
}

static void phases_begin(void *made, const void *from)
{
	const struct model *m = from;
	struct spent_phases *s = made;

	s->run = made_ref(spent_run(m));
	s->analysis = analysis_ref(m->analysis);
}

static bool phases_is_of(const void *made, const void *from)
{
	const struct spent_phases *s = made;
	const struct model *m = from;

	return s->run == spent_run(m) && analysis_same_phases(s->analysis, m->analysis);
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
	s->diagnosis = o.failed ? NULL : mem_alloc(o.len + SIGNS_MOST + 1, 1);
	if (s->diagnosis) {
		snprintf(s->diagnosis, o.len + 1, "%s", o.text ? o.text : "");
		unit_signs(s->diagnosis, o.len + SIGNS_MOST + 1);
	}
	out_release(&o);
	return s->diagnosis ? ERR_OK : err_memory(e, "the diagnosis");
}

static enum err_code phases_make(void *made, const struct progress *progress, struct err *e)
{
	struct spent_phases *s = made;
	const struct analysis *a = s->analysis;
	enum err_code code = phase_spans_new(&s->spans, s->run->log, a->clockwork, a->phases, progress, e);

	if (!code)
		code = phase_rows_init(&s->rows, s->run->metrics, s->spans, a->figures, progress, e);
	if (!code && s->run->metrics->has_account)
		code = causes_new(&s->causes, s->run->metrics->waits, s->spans, progress, e);
	return code ? code : diagnose(s, e);
}

static void phases_release(void *made)
{
	struct spent_phases *s = made;

	phase_rows_release(&s->rows);
	causes_free(s->causes);
	phase_spans_free(s->spans);
	mem_free(s->diagnosis);
	analysis_unref(s->analysis);
	made_unref(s->run);
}

static const struct derived_kind phases_kind = {
	"the metrics of phases", sizeof(struct spent_phases), phases_can, phases_begin, phases_is_of, phases_make, phases_release,
};

/* --- for views --- */

void spending_update(struct model *m)
{
	derived_update(&m->spending.run, &run_kind, m->background, m);
	derived_update(&m->spending.phases, &phases_kind, m->background, m);
}

struct spent *spent_run(const struct model *m)
{
	return derived_current(&m->spending.run, m);
}

struct spent_phases *spent_phases(const struct model *m)
{
	return m->spending.phases.now;
}

struct spent_phases *spent_phases_current(const struct model *m)
{
	return derived_current(&m->spending.phases, m);
}

bool spending_busy(const struct model *m)
{
	return derived_busy(&m->spending.run) || derived_busy(&m->spending.phases);
}

void spending_cancel(struct model *m)
{
	derived_cancel(&m->spending.run);
	derived_cancel(&m->spending.phases);
}

void spending_again(struct model *m)
{
	if (!spent_run(m))
		derived_again(&m->spending.run);
	derived_again(&m->spending.phases);
}

const char *spending_failure(const struct model *m)
{
	return m->spending.run.failure[0] ? m->spending.run.failure : m->spending.phases.failure;
}

uint64_t spending_serial(const struct model *m)
{
	return m->spending.run.serial + m->spending.phases.serial;
}

void spending_forget(struct spending *s)
{
	derived_forget(&s->phases);
	derived_forget(&s->run);
}

double spending_waited(const struct model *m, uint32_t phase)
{
	const struct spent_phases *s = spent_phases_current(m);
	const struct phase_rows *rows = s ? &s->rows : NULL;

	/* before, 1, 2, ..., after */
	if (!rows || !s->run->metrics->has_account || phase >= rows->count || rows->row[phase].phase != phase)
		return NAN;
	return account_sync(&rows->row[phase].part.account);
}
