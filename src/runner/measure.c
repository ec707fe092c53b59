#include "measure.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "core/base/clock.h"
#include "runner_int.h"

#define POLL 0.05 /* s between two looks at whether to stop */

/* End the job; that none of it may be left is part of what a run promises. */
static enum err_code end_job(const struct driver_ops *d, struct station *s, bool gently, enum err_code code,
			     struct err *e)
{
	unsigned left = d->kill(s, gently);

	if (left && !code)
		return err_set(e, ERR_IO, "cannot end %u process%s of the job", left, left == 1 ? "" : "es");
	if (left)
		mission_say(s->mission, "cannot end %u process%s of the job", left, left == 1 ? "" : "es");
	return code;
}

/* What the ranks say of their MPI and machines, once a job has run. */
static enum err_code note_host(const struct station *s, struct host *h, struct err *e)
{
	const uint32_t ranks = s->mission->plan->ranks;
	char (*names)[64] = mem_zero(ranks, sizeof *names);
	enum err_code code = names ? ERR_OK : err_memory(e, "the names of the ranks' nodes");

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

/* What the spans of a part took on a rank. */
static enum err_code take_rank(const struct station *s, struct result *r, uint32_t part, uint32_t run, uint32_t rank,
			       uint64_t *stamps, double *seconds, struct err *e)
{
	const struct launch_plan *p = s->mission->plan;
	const struct plan_part *x = &p->parts[part];
	const uint32_t *counts = p->counts + (size_t)rank * p->boundary_count;
	uint32_t n = x->span_to - x->span_from;

	if (board_stamps(&s->board, rank, x->from, x->to, stamps, e))
		return e->code;
	for (uint32_t i = 0; i < n; i++) {
		const struct span *span = &p->spans[x->span_from + i];
		uint64_t start = stamps[span->start - x->from], end = stamps[span->end - x->from];

		seconds[i] = 0;
		if (counts[span->start] == counts[span->end])
			continue; /* nothing of it happens here */
		if (!start || end < start)
			return err_set(e, ERR_DAMAGED, "rank %u did not measure occurrence %u of %u", rank, i + 1, n);
		seconds[i] = (double)(end - start) * 1e-9;
	}
	if (p->windows)
		result_window(r, part, run, rank, seconds);
	for (uint32_t i = 0; !p->windows && i < n; i++)
		*result_time(r, part, run, rank) += seconds[i] / n;
	return ERR_OK;
}

static enum err_code take_part(const struct station *s, struct result *r, uint32_t part, uint32_t run, struct err *e)
{
	const struct launch_plan *p = s->mission->plan;
	const struct plan_part *x = &p->parts[part];
	uint64_t *stamps = mem_alloc(x->to - x->from + (size_t)1, sizeof *stamps);
	double *seconds = mem_alloc(x->span_to - x->span_from + (size_t)1, sizeof *seconds);
	enum err_code code = stamps && seconds ? ERR_OK : err_memory(e, "the measured times");
	char name[PLAN_NAME];

	for (uint32_t rank = 0; rank < r->processes && !code; rank++) {
		code = take_rank(s, r, part, run, rank, stamps, seconds, e);
		if (code)
			err_prefix(e, "%s", plan_name(p, x, name));
	}
	mem_free(stamps);
	mem_free(seconds);
	return code;
}

static void say_part(const struct mission *m, struct result *r, uint32_t part, uint32_t run)
{
	double sum = 0;

	if (r->by_windows) {
		mission_say(m, "run %u of %u: window %u of %u took %.6f s (%.6f s in the "
			    "trace)", run + 1, r->runs, part + 1,
			    r->window_count, r->windows[part].runs[run], r->windows[part].traced);
		return;
	}
	for (uint32_t rank = 0; rank < r->processes; rank++)
		sum += *result_time(r, part, run, rank);
	mission_say(m, "run %u of %u: phase %u took %.6f s (%.6f s in the trace)", run + 1, r->runs,
		    r->phases[part].id, sum / r->processes, r->phases[part].traced);
}

/* A sentence for now, and for who reads the result later. */
static enum err_code doubt(const struct mission *m, struct result *r, const char *text, struct err *e)
{
	mission_say(m, "%s", text);
	return !r->by_windows || result_note(r, "%s", text) ? ERR_OK : err_memory(e, "the result");
}

/* Where what is measured lasts to the end of the traced run, a rank that goes on is not of that run. */
static enum err_code check_end(const struct station *s, struct result *r, uint32_t part, struct err *e)
{
	const struct launch_plan *p = s->mission->plan;
	uint32_t last = p->boundary_count - 1;
	uint64_t calls = 0;
	char text[256];

	if (part != PLAN_EVERY_PART && p->parts[part].to <= last)
		return ERR_OK;
	for (uint32_t rank = 0; rank < p->ranks; rank++)
		calls += p->counts[(size_t)rank * p->boundary_count + last];
	for (uint32_t rank = 0; calls == p->calls && rank < p->ranks; rank++) {
		uint32_t count = p->counts[(size_t)rank * p->boundary_count + last];
		struct board_view v;

		if (board_read(&s->board, rank, &v, e))
			return e->code;
		if (v.count <= count)
			continue;
		snprintf(text, sizeof text, "rank %u makes more sends and collectives than the %u of the table: "
			 PLAN_OTHER_RUN, rank, count);
		return doubt(s->mission, r, text, e);
	}
	return ERR_OK;
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
		code = station_watch(&s, STATION_MEASURED, PLAN_EVERY_PART, e);
		for (uint32_t i = 0; i < m->plan->part_count && !code; i++) {
			code = take_part(&s, r, i, run, e);
			if (!code)
				say_part(m, r, i, run);
		}
		if (!code)
			code = check_end(&s, r, PLAN_EVERY_PART, e);
		if (!code)
			code = note_host(&s, &r->host, e);
		code = end_job(d, &s, true, code, e);
	}
	r->elapsed = clock_seconds() - began;
	return code;
}

/* A machine's speed changes over seconds: windows that lie apart see more of it. */
static enum err_code pause_before(const struct mission *m, struct err *e)
{
	double until = clock_seconds() + m->pause;

	for (double left = m->pause; left > 0; left = until - clock_seconds()) {
		const struct timespec step = {0, (long)(fmin(left, POLL) * 1e9)};

		if (progress_stopped(m->progress))
			return err_set(e, ERR_CANCELLED, "stopped between two checkpoints");
		nanosleep(&step, NULL);
	}
	return ERR_OK;
}

enum err_code measure_restored(const struct driver_ops *d, const struct mission *m, const struct signature *sig,
			       struct result *r, struct err *e)
{
	double began = clock_seconds();
	struct cost cost = {0};
	enum err_code code = ERR_OK;

	r->restored = true;
	for (uint32_t run = 0; run < r->runs && !code; run++) {
		for (uint32_t i = 0; i < m->plan->part_count && !code; i++) {
			struct station s;
			char folder[PATH_MAX];

			code = run || i ? pause_before(m, e) : ERR_OK;
			if (!code)
				code = signature_cut_folder(sig, m->plan->parts[i].cut, folder, e);
			if (!code)
				code = d->restore(&s, m, i, folder, e);
			if (code)
				break;
			code = station_watch(&s, STATION_MEASURED, i, e);
			if (!code)
				code = cost_measured(&s, i, e);
			if (!code)
				code = take_part(&s, r, i, run, e);
			if (!code)
				code = check_end(&s, r, i, e);
			if (!code)
				code = note_host(&s, &r->host, e);
			code = end_job(d, &s, false, code, e);
			if (code)
				break;
			station_note(&s, MOMENT_GONE);
			cost_add(&cost, &s);
			say_part(m, r, i, run);
		}
	}
	cost_say(&cost, m);
	r->restore = cost_mean(&cost);
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
			return err_set(e, ERR_IO, "rank %u ended without MPI_Finalize, so the run time is unknown", r);
		if (v.ended - v.begun > *aet)
			*aet = v.ended - v.begun;
	}
	return ERR_OK;
}

/* A run that came to its end: has it made the calls of the trace, and, rank by rank, those of the run that was
 * signed? */
static enum err_code check_calls(const struct station *s, struct result *r, struct err *e)
{
	const struct mission *m = s->mission;
	uint64_t calls = 0;
	char text[320];

	for (uint32_t rank = 0; rank < m->plan->ranks; rank++) {
		struct board_view v;

		if (board_read(&s->board, rank, &v, e))
			return e->code;
		calls += v.count;
		if (!m->calls || v.count == m->calls[rank])
			continue;
		snprintf(text, sizeof text, "rank %u made %llu sends and collectives, but %llu when the signature was "
			 "made: its calls depend on message timing, so windows may have measured other work", rank, (unsigned long long)v.count, (unsigned long long)m->calls[rank]);
		return doubt(m, r, text, e);
	}
	if (calls == m->plan->calls)
		return ERR_OK;
	snprintf(text, sizeof text, "the program made %llu sends and collectives, but the trace has "
		 "%llu: " PLAN_OTHER_RUN,
		 (unsigned long long)calls, (unsigned long long)m->plan->calls);
	return doubt(m, r, text, e);
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
	if (!code)
		code = check_calls(&s, r, e);
	code = end_job(d, &s, true, code, e);
	if (code)
		return err_prefix(e, "the complete run");
	result_set_aet(r, aet, "run");
	return ERR_OK;
}

static enum err_code take_cut(const struct driver_ops *d, struct station *s, struct signature *sig, uint32_t cut,
			      struct err *e)
{
	const struct mission *m = s->mission;
	char folder[PATH_MAX], name[PLAN_NAME];
	enum err_code code = station_watch(s, STATION_STOPPED, cut, e);
	double began = clock_seconds();

	if (!code)
		code = signature_make_cut(sig, cut, folder, e);
	if (!code && !cut)
		code = signature_note_job(sig, s, e);
	if (!code)
		code = d->dump(s, folder, e);
	if (code)
		return err_prefix(e, "the checkpoint of %s", plan_name(m->plan, m->plan->cuts[cut], name));
	mission_say(m, "checkpoint %u of %u (%s %u) taken in %.1f s", cut + 1, m->plan->cut_count,
		    m->plan->windows ? "window" : "phase", m->plan->cuts[cut]->number, clock_seconds() - began);
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
		mission_say(m, "all checkpoints are taken; the program runs to its end");
		code = station_watch(&s, STATION_ENDED, 0, e);
		if (code)
			err_prefix(e, "after the last checkpoint");
		else
			code = signature_note_calls(sig, &s, e);
	}
	return end_job(d, &s, !code && !stop, code, e);
}

#define MUCH 1.1
#define WINDOWS_LEAST 5

/* What occurrences [from, to) took over what their phases take; NAN if these take nothing. */
static double quotient(const struct estimate_input *in, const struct estimate *x, uint32_t from, uint32_t to)
{
	double took = 0, expected = 0;

	for (uint32_t i = from; i < to; i++) {
		double sum = 0;

		if (in->phase[i] >= in->phases || !x->phase[in->phase[i]].measured)
			continue;
		for (uint32_t part = 0; part < in->parts; part++)
			sum += in->seconds[(size_t)i * in->parts + part];
		took += sum / in->parts;
		expected += x->phase[in->phase[i]].time;
	}
	return expected > 0 ? took / expected : NAN;
}

struct settling settling_look(const struct estimate_input *in, const struct estimate *x)
{
	struct settling s = {.ratio = NAN};
	double first = 0, second = 0;

	for (uint32_t w = 0; w < in->windows; w++) {
		uint32_t from = in->first[w], to = in->first[w + 1], middle = from + (to - from) / 2;
		double a, b;

		if (in->extra[w])
			continue;
		a = quotient(in, x, from, middle);
		b = quotient(in, x, middle, to);
		if (isnan(a) || isnan(b))
			continue;
		first += a;
		second += b;
		s.windows++;
		s.slower += a > b;
	}
	if (s.windows && second > 0)
		s.ratio = first / second;
	s.late = s.windows >= WINDOWS_LEAST && s.ratio > MUCH && s.slower + 1 >= s.windows;
	return s;
}
