#include "metrics_report.h"

#include <math.h>

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

/* Nothing says what the ideal run of the changed one would be, so serialisation and transfer stay unknown. */
void metrics_changed_make(struct metrics_changed *c, const struct metrics_run *run, const struct what_if *w,
			  const struct projection *p)
{
	struct factors_from from = {.processes = run->metrics->processes};

	*c = (struct metrics_changed){.run = run, .runtime = p ? p->runtime : (double)NAN};
	what_if_text(w, c->text, sizeof c->text);
	for (uint32_t i = 0; p && i < run->metrics->processes; i++)
		factors_add(&from, i, p->useful[i], 0, p->communication[i]);
	c->factors = factors_of(&from, c->runtime, (double)NAN);
	c->factors.serialisation_efficiency = c->factors.transfer_efficiency = c->factors.tracer_efficiency = (double)NAN;
	c->runtime_change = run->metrics->runtime > 0 ? c->runtime / run->metrics->runtime - 1 : (double)NAN;
}

uint64_t metrics_note_count(const struct metrics_report *r, const struct metrics_run *run, enum metric_note n)
{
	return n == METRIC_NOTE_NO_USER_STATES && r->by != METRICS_BY_STATE ? 0 : run->metrics->notes[n];
}
