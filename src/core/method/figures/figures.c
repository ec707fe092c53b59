#include "figures.h"

#include <math.h>
#include <stdlib.h>

#include "core/base/mem.h"
#include "core/base/order.h"
#include "core/trace/remote.h"
#include "durations.h"

/* Of local processes: the largest of the sums over occurrences. sum: of each process, 0 before and after. */
static enum err_code largest_sums(double *largest, double *sum, struct durations *d, const struct phases *p, const struct progress *progress,
				  struct err *e)
{
	uint32_t begin, end;

	trace_local(d->c->l->trace, &begin, &end);
	for (uint32_t id = 0; id < p->count; id++) {
		largest[id] = -INFINITY;
		for (uint32_t k = p->phase_first[id]; k < p->phase_first[id + 1]; k++) {
			durations_look(d, p->by_phase[k]);
			for (uint32_t i = 0; i < d->active_count; i++)
				sum[d->active[i]] += durations_of(d, d->active[i]);
			if ((k & 1023) == 0 && progress_stopped(progress))
				return err_set(e, ERR_CANCELLED, "stopped while measuring phases");
		}
		for (uint32_t q = begin; q < end; q++) {
			largest[id] = fmax(largest[id], sum[q]);
			sum[q] = 0;
		}
		progress_report(progress, PROGRESS_MEASURE, id, p->count);
	}
	return ERR_OK;
}

/* `phase_time: slowest`: the largest over processes of the mean over occurrences. */
static enum err_code slowest_times(struct figures *f, const struct clockwork *c, const struct phases *p, enum duration_kind kind,
				   const struct progress *progress, struct err *e)
{
	uint32_t processes = c->l->trace->process_count;
	const struct team *team = trace_team(c->l->trace);
	struct durations d = {0};
	double *sum = mem_zero(processes, sizeof *sum), *largest = mem_alloc(p->count, sizeof *largest);
	enum err_code code = sum && largest ? durations_init(&d, c, p, kind, e) : err_memory(e, "the durations of occurrences");

	if (!code)
		code = largest_sums(largest, sum, &d, p, progress, e);
	code = code ? team_agree(team, code, e) : team_reduce_double(team, largest, p->count, TEAM_MAX, e);
	for (uint32_t id = 0; !code && id < p->count; id++)
		*(kind == DURATION_OF_PHASES ? &f->phase[id].time : &f->phase[id].between_sends) =
			processes ? largest[id] / p->list[id].weight : 0;
	durations_release(&d);
	mem_free(sum);
	mem_free(largest);
	return code;
}

/* Windows are measured by what they span: their times are the same. */
static enum err_code slowest_durations(struct figures *f, const struct clockwork *c, const struct phases *p, const struct progress *progress, struct err *e)
{
	enum err_code code = slowest_times(f, c, p, DURATION_OF_PHASES, progress, e);

	if (!code && p->similarity == SIMILARITY_BBP)
		return slowest_times(f, c, p, DURATION_BETWEEN_SENDS, progress, e);
	for (uint32_t id = 0; !code && id < p->count; id++)
		f->phase[id].between_sends = f->phase[id].time;
	return code;
}

static void mean_times(struct figures *f, const struct clockwork *c, const struct phases *p)
{
	for (uint32_t id = 0; id < p->count; id++)
		f->phase[id] = (struct phase_figures){.time_min = INFINITY, .time_max = -INFINITY};
	for (uint32_t i = 0; i < p->occurrence_count; i++) {
		struct phase_figures *of_phase = &f->phase[p->occurrences[i].phase - 1];
		double d = occurrence_time(c, p, i);

		of_phase->time += d;
		of_phase->between_sends += occurrence_between_sends(c, p, i);
		of_phase->time_min = fmin(of_phase->time_min, d);
		of_phase->time_max = fmax(of_phase->time_max, d);
	}
	for (uint32_t id = 0; id < p->count; id++) {
		f->phase[id].time /= p->list[id].weight;
		f->phase[id].between_sends /= p->list[id].weight;
	}
}

/* From phase times to relevance and the prediction. */
static void predict(struct figures *f, const struct phases *p, const struct settings *settings)
{
	double measured = 0;

	for (uint32_t id = 0; id < p->count; id++) {
		struct phase_figures *of_phase = &f->phase[id];
		double whole = p->list[id].weight * of_phase->time;

		of_phase->share = f->aet > 0 ? whole / f->aet : (double)NAN;
		of_phase->relevant = f->aet > 0 && whole >= settings->relevance * f->aet;
		if (of_phase->relevant) {
			f->relevant++;
			f->set += of_phase->time;
			f->pet += whole;
			measured += p->list[id].weight * of_phase->between_sends;
		}
	}
	f->coverage = f->count && f->aet > 0 ? f->pet / f->aet : (double)NAN;
	f->measured_coverage = f->count && f->aet > 0 ? measured / f->aet : (double)NAN;
	if (!f->relevant)
		f->set = f->pet = (double)NAN;
	f->pet_scaled = f->coverage > 0 ? f->pet / f->coverage : (double)NAN;
	f->pete = fabs(f->pet - f->aet) / f->aet;
}

const char *figures_gap(double aet, uint32_t phases)
{
	if (isnan(aet))
		return "no process has a record";
	if (!phases)
		return "the trace has no phases";
	if (aet <= 0)
		return "the run time is 0";
	return "no phase is relevant";
}

enum err_code figures_new(struct figures **out, const struct clockwork *c, const struct phases *p,
			  const struct settings *settings, const struct progress *progress, struct err *e)
{
	struct figures *f = mem_zero(1, sizeof *f);
	enum err_code code = ERR_OK;

	*out = NULL;
	if (f)
		f->phase = mem_zero(p->count, sizeof *f->phase);
	if (!f || !f->phase)
		code = err_memory(e, "the figures of phases");
	code = team_agree(trace_team(c->l->trace), code, e);
	if (code) {
		figures_free(f);
		return code;
	}
	f->count = p->count;
	f->aet = trace_has_time(c->l->trace) ? trace_aet(c->l->trace) : (double)NAN;
	mean_times(f, c, p);
	if (settings->phase_time == PHASE_TIME_SLOWEST)
		code = slowest_durations(f, c, p, progress, e);
	if (code) {
		figures_free(f);
		return code;
	}
	predict(f, p, settings);
	*out = f;
	return ERR_OK;
}

void figures_free(struct figures *f)
{
	if (!f)
		return;
	mem_free(f->phase);
	mem_free(f);
}

struct shared_id {
	double share;
	uint32_t id;
};

ORDER_BY(by_share, struct shared_id, DOWN(share) UP(id))

enum err_code phase_ranks(uint32_t *order, const struct figures *f, struct err *e)
{
	struct shared_id *list = mem_alloc(f->count, sizeof *list);

	if (!list)
		return err_memory(e, "the phases");
	for (uint32_t i = 0; i < f->count; i++)
		list[i] = (struct shared_id){isnan(f->phase[i].share) ? 0 : f->phase[i].share, i + 1};
	SORT(list, f->count, by_share);
	for (uint32_t i = 0; i < f->count; i++)
		order[i] = list[i].id;
	mem_free(list);
	return ERR_OK;
}
