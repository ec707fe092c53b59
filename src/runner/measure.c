#include "measure.h"

#include <stdio.h>
#include <string.h>

#include "core/base/clock.h"
#include "cost.h"

/* End the job; that none of it may be left is part of what a run promises. */
static enum err_code end_job(const struct driver_ops *d, struct station *s, bool gently, enum err_code code,
			     struct err *e)
{
	unsigned left = d->kill(s, gently);

	if (left && !code)
		return err_set(e, ERR_IO, "%u process%s of the job could not be ended", left, left == 1 ? "" : "es");
	if (left)
		mission_say(s->mission, "%u process%s of the job could not be ended", left, left == 1 ? "" : "es");
	return code;
}

/* What the ranks say of their MPI and machines, once a job has run. */
static enum err_code note_host(const struct station *s, struct host *h, struct err *e)
{
	const uint32_t ranks = s->mission->plan->ranks;
	char (*names)[64] = mem_zero(ranks, sizeof *names);
	enum err_code code = names ? ERR_OK : err_memory(e, "the names of the ranks' machines");

	h->nodes = 0;
	for (uint32_t r = 0; r < ranks && !code; r++) {
		struct board_view v;
		uint32_t known = 0;

		code = board_read(&s->board, r, &v, e);
		if (code)
			break;
		if (!r)
			snprintf(h->mpi, sizeof h->mpi, "%s", v.library);
		while (known < h->nodes && strcmp(names[known], v.host) != 0)
			known++;
		if (known == h->nodes)
			memcpy(names[h->nodes++], v.host, sizeof v.host);
	}
	mem_free(names);
	return code;
}

static enum err_code take_phase(const struct station *s, struct result *r, uint32_t phase, uint32_t run, struct err *e)
{
	const struct plan *p = s->mission->plan;

	for (uint32_t i = 0; i < p->span_count; i++) {
		for (uint32_t rank = 0; p->spans[i].phase == phase && rank < r->processes; rank++) {
			double t;

			if (board_time(&s->board, rank, i, &t, e))
				return err_prefix(e, "phase %u", r->phases[phase].id);
			*result_time(r, phase, run, rank) += t / plan_spans_of(p, phase);
		}
	}
	return ERR_OK;
}

static void say_phase(const struct mission *m, struct result *r, uint32_t phase, uint32_t run)
{
	double sum = 0;

	for (uint32_t rank = 0; rank < r->processes; rank++)
		sum += *result_time(r, phase, run, rank);
	mission_say(m, "run %u of %u: phase %u took %.6f s, the table says %.6f s", run + 1, r->runs,
		    r->phases[phase].id,
		    sum / r->processes, r->phases[phase].traced);
}

enum err_code measure_replay(const struct driver_ops *d, const struct mission *m, struct result *r, struct err *e)
{
	double began = clock_seconds();
	enum err_code code = ERR_OK;

	for (uint32_t run = 0; run < r->runs && !code; run++) {
		struct station s;

		code = d->launch(&s, m, CONTROL_REPLAY, e);
		if (code)
			break;
		code = station_watch(&s, STATION_MEASURED, m->plan->span_count, e);
		for (uint32_t i = 0; i < r->phase_count && !code; i++) {
			code = take_phase(&s, r, i, run, e);
			if (!code)
				say_phase(m, r, i, run);
		}
		if (!code)
			code = note_host(&s, &r->host, e);
		code = end_job(d, &s, true, code, e);
	}
	r->elapsed = clock_seconds() - began;
	return code;
}

enum err_code measure_restored(const struct driver_ops *d, const struct mission *m, const struct signature *sig,
			       struct result *r, struct err *e)
{
	double began = clock_seconds();
	struct cost cost = {0};
	enum err_code code = ERR_OK;

	for (uint32_t run = 0; run < r->runs && !code; run++) {
		for (uint32_t i = 0; i < r->phase_count && !code; i++) {
			struct station s;
			char folder[PATH_MAX];

			code = signature_cut_folder(sig, m->plan->cut_of[i], folder, e);
			if (!code)
				code = d->restore(&s, m, i, folder, e);
			if (code)
				break;
			code = station_watch(&s, STATION_MEASURED, plan_spans_of(m->plan, i), e);
			if (!code)
				code = cost_measured(&s, i, e);
			if (!code)
				code = take_phase(&s, r, i, run, e);
			if (!code)
				code = note_host(&s, &r->host, e);
			code = end_job(d, &s, false, code, e);
			if (code)
				break;
			station_note(&s, MOMENT_GONE);
			cost_add(&cost, &s);
			say_phase(m, r, i, run);
		}
	}
	cost_say(&cost, m);
	r->elapsed = clock_seconds() - began;
	return code;
}

static enum err_code longest_span(const struct station *s, double *aet, struct err *e)
{
	*aet = 0;
	for (uint32_t r = 0; r < s->mission->plan->ranks; r++) {
		struct board_view v;

		if (board_read(&s->board, r, &v, e))
			return e->code;
		if (v.state != CONTROL_FINALIZED)
			return err_set(e, ERR_IO, "rank %u ended without MPI_Finalize: the program's time is not "
				       "known", r);
		if (v.ended - v.begun > *aet)
			*aet = v.ended - v.begun;
	}
	return ERR_OK;
}

enum err_code measure_whole(const struct driver_ops *d, const struct mission *m, struct result *r, struct err *e)
{
	struct station s;
	double aet = 0;
	enum err_code code = d->launch(&s, m, CONTROL_PLAIN, e);

	if (code)
		return code;
	code = station_watch(&s, STATION_ENDED, 0, e);
	if (!code)
		code = longest_span(&s, &aet, e);
	code = end_job(d, &s, true, code, e);
	if (code)
		return err_prefix(e, "the run of the whole program");
	result_set_aet(r, aet, "run");
	return ERR_OK;
}

static enum err_code take_cut(const struct driver_ops *d, struct station *s, struct signature *sig, uint32_t cut,
			      struct err *e)
{
	const struct mission *m = s->mission;
	char folder[PATH_MAX];
	enum err_code code = station_watch(s, STATION_STOPPED, cut, e);
	double began = clock_seconds();

	if (!code)
		code = signature_make_cut(sig, cut, folder, e);
	if (!code && !cut)
		code = signature_note_job(sig, s, e);
	if (!code)
		code = d->dump(s, folder, e);
	if (code)
		return err_prefix(e, "the checkpoint of phase %u", m->plan->cuts[cut]->id);
	mission_say(m, "checkpoint %u of %u (phase %u) taken in %.1f s", cut + 1, m->plan->cut_count,
		    m->plan->cuts[cut]->id,
		    clock_seconds() - began);
	return board_release_cut(&s->board, cut + 1, e);
}

enum err_code measure_sign(const struct driver_ops *d, const struct mission *m, struct signature *sig, bool stop,
			   struct err *e)
{
	struct station s;
	enum err_code code = d->launch(&s, m, CONTROL_SIGN, e);

	if (code)
		return code;
	for (uint32_t cut = 0; cut < m->plan->cut_count && !code; cut++)
		code = take_cut(d, &s, sig, cut, e);
	if (!code && !stop) {
		mission_say(m, "all checkpoints are taken; the program runs on to its end");
		code = station_watch(&s, STATION_ENDED, 0, e);
		if (code)
			err_prefix(e, "after the last checkpoint");
	}
	return end_job(d, &s, !code && !stop, code, e);
}
