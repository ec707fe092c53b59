#include "metrics_report.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "core/base/mem.h"
#include "core/base/order.h"
#include "core/base/unit.h"
#include "core/metrics/replay/project.h"
#include "core/trace/remote.h"
#include "reports.h"

const char *metrics_by_name(enum metrics_by by)
{
	static const char *const names[] = {"program", "process", "state", "phase", "pattern", "cause"};

	return names[by];
}

const char *scaling_kind_name(enum scaling_kind k)
{
	return k == SCALING_WEAK ? "weak" : "strong";
}

struct metrics_run_figures metrics_report_run(const struct metrics_report *r, uint32_t i)
{
	const struct metrics_run *run = r->run[i];
	const struct scaling_run *f = &run->figures;

	return (struct metrics_run_figures){
		.file = run->file, .metrics = run->metrics, .compute = run->compute, .speedup = f->speedup,
		.efficiency = f->efficiency, .serial_fraction = f->serial_fraction, .computation_scaling = f->computation_scaling,
		.global_efficiency = f->global_efficiency,
	};
}

void metrics_list_init(struct metrics_list *l, enum metrics_by by, const struct metrics_run *run, char *path)
{
	*l = (struct metrics_list){
		.processes = {.metrics = run->metrics, .rows = &run->processes, .critical = run->critical, .gain = run->gain},
		.states = {run->metrics, &run->states, path},
		.phases = {run->metrics, &run->phases},
		.patterns = {run->metrics, &run->patterns},
	};
	switch (by) {
	case METRICS_BY_PROCESS:
		l->table = &metrics_processes_columns;
		l->list = &l->processes;
		l->count = run->processes.count;
		break;
	case METRICS_BY_STATE:
		l->table = &metrics_states_columns;
		l->list = &l->states;
		l->count = run->states.count;
		break;
	case METRICS_BY_PHASE:
		l->table = &metrics_phases_columns;
		l->list = &l->phases;
		l->count = run->phases.count;
		break;
	case METRICS_BY_PATTERN:
		l->table = &metrics_patterns_columns;
		l->list = &l->patterns;
		l->count = run->patterns.count;
		break;
	default:
		l->table = &metrics_causes_columns;
		l->list = &run->cause_list;
		l->count = run->cause_list.count;
	}
}

void metrics_changed_make(struct metrics_changed *c, const struct metrics_run *run, const struct what_if *w,
			  const struct projection *p, const struct projection *unchanged)
{
	uint32_t processes = run->metrics->processes;

	*c = (struct metrics_changed){.run = run, .runtime = p ? p->runtime : (double)NAN,
				      .unchanged = unchanged ? unchanged->runtime : (double)NAN};
	what_if_text(w, c->text, sizeof c->text);
	c->factors = projection_factors(p, processes);
	c->unchanged_factors = projection_factors(unchanged, processes);
	c->runtime_change = c->unchanged > 0 ? c->runtime / c->unchanged - 1 : (double)NAN;
}

bool metrics_not_analysed_text(const struct run_metrics *m, char *text, size_t size)
{
	char share[UNIT_TEXT], named[NOT_ANALYSED_TEXT];

	if (!(run_metrics_not_analysed(m) > 0))
		return false;
	snprintf(text, size, "not analysed   %s of the total time, in calls that may include waiting (%s): %s", unit_percent(share, run_metrics_not_analysed(m)),
		 not_analysed_text(&m->not_analysed, m->total, named),
		 account_sync(&m->account) > 0 ? "waiting and transfer efficiency are lower bounds, serialisation efficiency is an upper bound"
					       : "waiting is unknown; transfer efficiency is a lower bound, serialisation efficiency an upper bound");
	return true;
}

uint64_t metrics_note_count(const struct metrics_report *r, const struct metrics_run *run, enum metric_note n)
{
	if (n == METRIC_NOTE_OTHER_PROGRAM)
		return run->other_program;
	return n == METRIC_NOTE_NO_USER_STATES && r->by != METRICS_BY_STATE ? 0 : run->metrics->notes[n];
}

void metrics_run_init(struct metrics_run *r, const char *file, struct call_log *log)
{
	const struct trace_times *times = log->trace->times;

	*r = (struct metrics_run){.file = file, .compute = log->trace->compute_source, .own_times = times, .log = log};
	if (times)
		r->times = times->figures;
}

enum err_code metrics_run_make(struct metrics_run *r, const struct replay_rules *rules, const struct progress *progress, struct err *e)
{
	enum err_code code = run_metrics_new(&r->whole, r->log, rules, progress, e);

	code = team_agree(trace_team(r->log->trace), code ? code : call_mix_init(&r->calls, r->log->trace, e), e);
	if (code) {
		metrics_run_release(r);
		return code;
	}
	r->metrics = r->whole;
	r->figures = (struct scaling_run){
		.processes = r->metrics->processes, .runtime = r->metrics->runtime,
		.useful = r->metrics->has_account ? r->metrics->account.by_kind[ACCOUNT_USEFUL] : (double)NAN,
		.parallel_efficiency = r->metrics->factors.parallel_efficiency,
	};
	return ERR_OK;
}

/* What of the critical path lies on each process. */
static enum err_code critical(struct metrics_run *r, struct err *e)
{
	const struct team *team = trace_team(r->log->trace);
	enum err_code code;

	r->critical = mem_zero(r->metrics->processes, sizeof *r->critical);
	for (uint32_t i = 0; r->critical && i < r->metrics->critical_count; i++) {
		struct critical_piece piece = run_metrics_critical(r->metrics, i);

		r->critical[r->log->lists[piece.list].process] += piece.to - piece.from;
	}
	code = team_agree(team, r->critical ? ERR_OK : err_memory(e, "the critical path"), e);
	/* Of other ranks' processes there is nothing here. */
	return code ? code : team_reduce_double(team, r->critical, r->metrics->processes, TEAM_MAX, e);
}

/* ---- what the run wins ---- */

#define FASTER 0.9

struct row_candidate {
	double critical;
	uint32_t row;
};

ORDER_BY(compare_candidates, struct row_candidate, DOWN(critical) UP(row))

/* The rows of one kind: those of rank 0. */
static uint32_t row_count(const struct metrics_run *r, enum project_kind kind)
{
	return kind == PROJECT_PROCESS ? r->processes.count : kind == PROJECT_NODE ? r->states.count : r->phases.count;
}

static struct row_candidate candidate(const struct metrics_run *r, enum project_kind kind, uint32_t row)
{
	return (struct row_candidate){kind == PROJECT_PROCESS ? r->critical[row] : kind == PROJECT_NODE ? r->states.row[row].part.critical
												    : r->phases.row[row].part.critical, row};
}

static struct project_part row_part_of(const struct metrics_run *r, enum project_kind kind, uint32_t row)
{
	return (struct project_part){kind, kind == PROJECT_PROCESS ? r->processes.row[row].process
				   : kind == PROJECT_NODE ? r->states.row[row].node : r->phases.row[row].phase};
}

static double *gain_of(struct metrics_run *r, enum project_kind kind, uint32_t row)
{
	return kind == PROJECT_PROCESS ? &r->gain[row] : kind == PROJECT_NODE ? &r->states.row[row].part.gain_10
									       : &r->phases.row[row].part.gain_10;
}

static enum err_code rows_choose(const struct metrics_run *r, enum project_kind kind, struct row_candidate **list, struct project_part *parts,
			    uint32_t *count, struct err *e)
{
	uint32_t rows = row_count(r, kind);

	*count = 0;
	*list = mem_alloc(rows, sizeof **list);
	if (!*list)
		return err_memory(e, "the gains of the run");
	for (uint32_t i = 0; i < rows; i++)
		(*list)[i] = candidate(r, kind, i);
	SORT(*list, rows, compare_candidates);
	for (uint32_t i = 0; i < rows && i < METRICS_GAINED; i++)
		parts[(*count)++] = row_part_of(r, kind, (*list)[i].row);
	return ERR_OK;
}

/* Rank 0 has the rows and tells the others which ones; all replay. */
static enum err_code gains(struct metrics_run *r, enum project_kind kind, const struct progress *progress, struct err *e)
{
	const struct team *team = trace_team(r->log->trace);
	struct { struct project_part part[METRICS_GAINED]; uint32_t count; } asked = {.count = 0};
	double won[METRICS_GAINED] = {0};
	struct row_candidate *list = NULL;
	enum err_code code = team_agree(team, rows_choose(r, kind, &list, asked.part, &asked.count, e), e);

	if (!code)
		code = team_broadcast(team, &asked, sizeof asked, e);
	if (!code && asked.count)
		code = project_gains(won, asked.part, asked.count, FASTER, r->metrics->waits, r->spans, progress, e);
	for (uint32_t i = 0; !code && i < asked.count && row_count(r, kind); i++)
		*gain_of(r, kind, list[i].row) = won[i];
	mem_free(list);
	return code;
}

static enum err_code all_gains(struct metrics_run *r, unsigned rows, const struct progress *progress, struct err *e)
{
	enum err_code code = ERR_OK;

	if (rows & METRICS_PROCESSES) {
		r->gain = mem_alloc(r->metrics->processes, sizeof *r->gain);
		for (uint32_t p = 0; r->gain && p < r->metrics->processes; p++)
			r->gain[p] = NAN;
		code = team_agree(trace_team(r->log->trace), r->gain ? ERR_OK : err_memory(e, "the gains of the run"), e);
		if (!code)
			code = gains(r, PROJECT_PROCESS, progress, e);
	}
	if (!code && rows & METRICS_STATES)
		code = gains(r, PROJECT_NODE, progress, e);
	if (!code && rows & METRICS_PHASES)
		code = gains(r, PROJECT_PHASE, progress, e);
	return code;
}

enum err_code metrics_run_lay(struct metrics_run *r, const struct analysis *a, const struct progress *progress, struct err *e)
{
	return team_agree(trace_team(r->log->trace), phase_spans_new(&r->spans, r->log, a->clockwork, a->phases, progress, e), e);
}

enum err_code metrics_run_rows(struct metrics_run *r, unsigned rows, const struct analysis *a, const struct progress *progress, struct err *e)
{
	bool known = r->metrics->has_account;
	enum err_code code = ERR_OK;

	if (rows & METRICS_PROCESSES)
		code = process_rows_init(&r->processes, r->metrics, progress, e);
	if (!code && rows & METRICS_STATES)
		code = state_rows_init(&r->states, r->metrics, progress, e);
	if (!code && rows & (METRICS_PHASES | METRICS_CAUSES) && !r->spans)
		code = metrics_run_lay(r, a, progress, e);
	if (!code && rows & METRICS_PHASES)
		code = phase_rows_init(&r->phases, r->metrics, r->spans, a->figures, progress, e);
	if (!code && rows & METRICS_PATTERNS)
		code = pattern_rows_init(&r->patterns, r->metrics, &r->phases, a->patterns, a->names, e);
	if (!code && rows & METRICS_CAUSES && known)
		code = causes_new(&r->causes, r->metrics->waits, r->spans, progress, e);
	if (!code && r->causes)
		code = metrics_causes_init(&r->cause_list, r->causes, r->log, r->path, e);
	if (!code && rows & METRICS_CRITICAL && known)
		code = critical(r, e);
	if (!code && rows & METRICS_GAINS && known)
		code = all_gains(r, rows, progress, e);
	r->rows = code ? 0 : r->rows | rows;
	return code;
}

static void release_rows(struct metrics_run *r)
{
	process_rows_release(&r->processes);
	state_rows_release(&r->states);
	phase_rows_release(&r->phases);
	pattern_rows_release(&r->patterns);
	metrics_causes_release(&r->cause_list);
	causes_free(r->causes);
	phase_spans_free(r->spans);
	mem_free(r->critical);
	mem_free(r->gain);
	r->causes = NULL;
	r->spans = NULL;
	r->critical = NULL;
	r->gain = NULL;
	r->rows = 0;
}

void metrics_run_shed(struct metrics_run *r)
{
	release_rows(r);
	if (r->whole) {
		r->kept = *r->whole;
		r->kept.log = NULL;
		r->kept.waits = NULL;
		r->kept.ideal = NULL;
		r->kept.critical = NULL;
		r->kept.critical_count = 0;
		r->kept.of_process = NULL;
		r->metrics = &r->kept;
	}
	run_metrics_free(r->whole);
	call_log_free(r->log);
	r->whole = NULL;
	r->log = NULL;
}

void metrics_run_release(struct metrics_run *r)
{
	metrics_run_shed(r);
	call_mix_release(&r->calls);
	*r = (struct metrics_run){0};
}
