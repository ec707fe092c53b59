#include "metrics_report.h"

#include <math.h>
#include <stdio.h>

#include "core/base/unit.h"

const char *metrics_by_name(enum metrics_by by)
{
	static const char *const names[] = {"program", "process", "state", "phase", "cause"};

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
	};
	l->table = by == METRICS_BY_PROCESS ? &metrics_processes_columns : by == METRICS_BY_STATE ? &metrics_states_columns
		 : by == METRICS_BY_PHASE ? &metrics_phases_columns : &metrics_causes_columns;
	l->list = by == METRICS_BY_PROCESS ? (const void *)&l->processes : by == METRICS_BY_STATE ? (const void *)&l->states
		: by == METRICS_BY_PHASE ? (const void *)&l->phases : &run->cause_list;
	l->count = by == METRICS_BY_PROCESS ? run->processes.count : by == METRICS_BY_STATE ? run->states.count
		 : by == METRICS_BY_PHASE ? run->phases.count : run->cause_list.count;
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
	snprintf(text, size, "not analysed   calls that take %s of the total time (%s). They may have waited for others: %s",
		 unit_percent(share, run_metrics_not_analysed(m)), not_analysed_text(&m->not_analysed, m->total, named),
		 account_sync(&m->account) > 0 ? "waiting is at least, serialisation at most and transfer efficiency at least what is shown"
					       : "waiting is not known; serialisation is at most and transfer efficiency at least what is shown");
	return true;
}

uint64_t metrics_note_count(const struct metrics_report *r, const struct metrics_run *run, enum metric_note n)
{
	if (n == METRIC_NOTE_OTHER_PROGRAM)
		return run->other_program;
	return n == METRIC_NOTE_NO_USER_STATES && r->by != METRICS_BY_STATE ? 0 : run->metrics->notes[n];
}
