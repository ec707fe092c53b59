#include "runner.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/base/clock.h"
#include "core/base/text.h"
#include "core/method/windows/windows.h"
#include "runner_int.h"

#define PHASES_NAMED 8

static const char *result_copy_text(struct arena *a, const char *s)
{
	return arena_strndup(a, s, strlen(s));
}

static const char **copy_command(struct arena *a, const char *const *command)
{
	size_t n = 0;
	const char **list;

	while (command[n])
		n++;
	list = arena_alloc(a, (n + 1) * sizeof *list);
	for (size_t i = 0; list && i < n; i++) {
		size_t size = strlen(command[i]) * 3 + 1; /* as long as it gets when made safe */
		char *word = arena_alloc(a, size);

		if (!word)
			return NULL;
		list[i] = text_safe(word, size, command[i], SIZE_MAX, TEXT_UTF8);
	}
	return list;
}

static bool begin_phase(struct result *r, struct result_phase *p, const struct table_phase *from)
{
	*p = (struct result_phase){.id = from->id, .weight = from->weight, .ticks = from->ticks, .samples = 1 + from->sample_count, .traced = table_between_sends(from)};
	p->se = NAN;
	p->sends = arena_alloc(&r->arena, r->processes * sizeof *p->sends);
	p->ranks = arena_alloc(&r->arena, r->processes * sizeof *p->ranks);
	p->runs = arena_alloc(&r->arena, r->runs * sizeof *p->runs);
	for (uint32_t i = 0; p->sends && i < r->processes; i++)
		p->sends[i] = from->points.exit[i] - from->points.entry[i];
	p->name = from->name ? result_copy_text(&r->arena, from->name) : NULL;
	p->kinds = from->kinds ? result_copy_text(&r->arena, from->kinds) : NULL;
	return p->sends && p->ranks && p->runs && (p->name || !from->name) && (p->kinds || !from->kinds);
}

/* The phases that windows measure, which are not all that are relevant. */
static bool begin_measured(struct result *r, const struct table *t)
{
	const struct table_windows *w = t->windows;
	bool whole = true;

	for (uint32_t i = 0; whole && i < w->phase_count; i++) {
		const struct table_phase *from = NULL;

		for (uint32_t k = 0; !from && k < t->phase_count; k++)
			from = t->phases[k].id == w->phases[i].id ? &t->phases[k] : NULL;
		whole = from && begin_phase(r, &r->phases[r->phase_count++], from);
	}
	return whole;
}

/* What the run lasts in the trace, from the first occurrence's begin to the last one's end: the durations tile it. With
 * the slowest process's times they do not, and the AET is the nearest that the table tells. */
static double traced_run(const struct table *t)
{
	double sum = 0;

	for (uint32_t i = 0; i < t->phase_count; i++)
		sum += t->phases[i].weight * t->phases[i].time;
	return t->settings.phase_time == PHASE_TIME_MEAN ? sum : t->aet;
}

static uint32_t *phases_of_occurrences(struct result *r, const struct table_windows *w, uint32_t count)
{
	uint32_t *phase = arena_alloc(&r->arena, ((size_t)count + 1) * sizeof *phase), n = 0;

	for (uint32_t i = 0; phase && i < w->count; i++)
		for (uint32_t k = 0; k < w->list[i].step_count; k++) {
			const struct table_step *step = &w->list[i].steps[k];
			uint32_t index = 0;

			while (index < r->phase_count && r->phases[index].id != w->patterns[step->pattern - 1].phase)
				index++;
			for (uint32_t times = 0; times < step->times; times++)
				phase[n++] = index;
		}
	return phase;
}

static bool begin_windows(struct result *r, const struct table *t)
{
	const struct table_windows *w = t->windows;
	bool *extra = arena_alloc(&r->arena, (w->count + (size_t)1) * sizeof *extra), whole = true;
	uint32_t *first = arena_alloc(&r->arena, (w->count + (size_t)1) * sizeof *first);
	uint32_t *weight = arena_alloc(&r->arena, (r->phase_count + (size_t)1) * sizeof *weight);
	double regular = 0, run = traced_run(t);

	r->coverage = isnan(w->coverage) ? 0 : w->coverage;
	r->windows = arena_alloc(&r->arena, (w->count + (size_t)1) * sizeof *r->windows);
	r->input = arena_alloc(&r->arena, sizeof *r->input);
	if (!extra || !first || !weight || !r->windows || !r->input)
		return false;
	for (uint32_t i = 0; i < w->count && whole; i++) {
		const struct table_window *from = &w->list[i];
		struct result_window *x = &r->windows[r->window_count++];

		*x = (struct result_window){.extra = from->extra, .first = from->first, .last = from->last,
					    .traced = from->seconds};
		x->runs = arena_alloc(&r->arena, r->runs * sizeof *x->runs);
		extra[i] = from->extra;
		first[i + 1] = first[i] + from->last - from->first + 1;
		regular += from->extra ? 0 : from->seconds;
		whole = x->runs != NULL;
	}
	for (uint32_t i = 0; i < r->phase_count; i++)
		weight[i] = r->phases[i].weight;
	*r->input = (struct estimate_input){
		.windows = w->count, .extra = extra, .first = first, .phase = phases_of_occurrences(r, w, first[w->count]),
		.parts = r->settings.phase_time == PHASE_TIME_SLOWEST ? r->processes : 1, .phases = r->phase_count,
		.weight = weight, .coverage = r->coverage,
		.share = run > 0 ? fmin(regular / run, 1) : 0,
	};
	r->times = mem_zero((size_t)r->runs * first[w->count] * r->input->parts, sizeof *r->times);
	return whole && r->input->phase && r->times;
}

/* What the measured phases hold, where the table says it. */
static bool begin_content(struct result *r, const struct table *t)
{
	uint32_t *ids = mem_alloc(r->phase_count, sizeof *ids);
	enum err_code code = ERR_OK;

	for (uint32_t i = 0; ids && i < r->phase_count; i++)
		ids[i] = r->phases[i].id;
	if (ids && t->content)
		code = run_phases_pick(&r->content, t->content, ids, r->phase_count, NULL);
	mem_free(ids);
	return ids && !code;
}

enum err_code result_begin(struct result *r, const struct table *t, const char *mechanism, uint32_t runs,
			   const char *const *command, struct err *e)
{
	char now[CLOCK_UTC_TEXT];
	bool whole = true;

	*r = (struct result){.processes = t->processes, .runs = runs, .traced_aet = t->aet, .coverage = table_measured_coverage(t),
			     .expected_error = t->expected_error,
			     .has_settings = true, .settings = t->settings, .by_windows = t->windows != NULL, .se = NAN,
			     .half = NAN, .low = NAN, .high = NAN, .settling = NAN};
	arena_init(&r->arena);
	r->phases = arena_alloc(&r->arena, t->phase_count * sizeof *r->phases);
	if (r->phases && r->by_windows) {
		whole = begin_measured(r, t) && begin_windows(r, t);
	} else {
		for (uint32_t i = 0; r->phases && whole && i < t->phase_count; i++)
			if (t->phases[i].relevant)
				whole = begin_phase(r, &r->phases[r->phase_count++], &t->phases[i]);
		r->times = mem_zero((size_t)r->phase_count * runs * r->processes, sizeof *r->times);
	}
	whole = whole && r->phases && begin_content(r, t);
	r->application = result_copy_text(&r->arena, t->application);
	r->sha256 = result_copy_text(&r->arena, t->sha256);
	r->mechanism = result_copy_text(&r->arena, mechanism);
	r->mechanism_version = r->label = r->aet_from = "";
	r->command = copy_command(&r->arena, command);
	r->started = result_copy_text(&r->arena, clock_utc(now));
	if (!whole || !r->phases || !r->times || !r->application || !r->sha256 || !r->mechanism || !r->command ||
	    !r->started) {
		result_release(r);
		return err_memory(e, "the result");
	}
	return ERR_OK;
}

void result_window(struct result *r, uint32_t window, uint32_t run, uint32_t rank, const double *seconds)
{
	const struct estimate_input *in = r->input;
	uint32_t from = in->first[window], to = in->first[window + 1];
	double *times = r->times + (size_t)run * in->first[in->windows] * in->parts;

	for (uint32_t i = from; i < to; i++) {
		times[(size_t)i * in->parts + (in->parts > 1 ? rank : 0)] += seconds[i - from] / (in->parts > 1 ? 1 : r->processes);
		r->windows[window].runs[run] += seconds[i - from] / r->processes;
	}
}

double *result_time(struct result *r, uint32_t phase, uint32_t run, uint32_t rank)
{
	return &r->times[((size_t)phase * r->runs + run) * r->processes + rank];
}

/* Mean and spread of what the runs gave. */
static void phase_sum_up(struct result_phase *p, uint32_t runs)
{
	double squares = 0;

	p->time = 0;
	for (uint32_t run = 0; run < runs; run++) {
		p->time += p->runs[run] / runs;
		p->min = run ? fmin(p->min, p->runs[run]) : p->runs[run];
		p->max = fmax(p->max, p->runs[run]);
	}
	for (uint32_t run = 0; run < runs; run++)
		squares += (p->runs[run] - p->time) * (p->runs[run] - p->time);
	p->deviation = runs > 1 ? sqrt(squares / (runs - 1)) : 0;
}

static void finish_phase(struct result *r, uint32_t i)
{
	struct result_phase *p = &r->phases[i];

	for (uint32_t run = 0; run < r->runs; run++) {
		double sum = 0, most = 0;

		for (uint32_t rank = 0; rank < r->processes; rank++) {
			double t = *result_time(r, i, run, rank);

			sum += t;
			most = fmax(most, t);
			p->ranks[rank] += t / r->runs;
		}
		p->runs[run] = r->settings.phase_time == PHASE_TIME_SLOWEST ? most : sum / r->processes;
	}
	phase_sum_up(p, r->runs);
}

/* Each run by itself: what it says of the phases and of the whole. */
static enum err_code estimate_runs(struct result *r, double *pet_scaled, struct err *e)
{
	struct estimate_input in = *r->input;
	size_t cells = (size_t)in.first[in.windows] * in.parts;

	for (uint32_t run = 0; run < r->runs; run++) {
		struct estimate x;

		in.seconds = r->times + run * cells;
		if (estimate_init(&x, &in, e))
			return e->code;
		pet_scaled[run] = x.pet_scaled;
		for (uint32_t i = 0; i < r->phase_count; i++)
			r->phases[i].runs[run] = x.phase[i].measured ? x.phase[i].time : 0;
		estimate_release(&x);
	}
	return ERR_OK;
}

/* The durations' means over the runs stand where those of the first run were. */
static void average_runs(struct result *r)
{
	size_t cells = (size_t)r->input->first[r->input->windows] * r->input->parts;

	for (size_t i = 0; i < cells; i++) {
		double sum = 0;

		for (uint32_t run = 0; run < r->runs; run++)
			sum += r->times[run * cells + i];
		r->times[i] = sum / r->runs;
	}
	for (uint32_t w = 0; w < r->window_count; w++)
		for (uint32_t run = 0; run < r->runs; run++)
			r->windows[w].seconds += r->windows[w].runs[run] / r->runs;
}

/* Phases whose occurrences went by within a stamp, by their numbers. */
static bool note_nothings(struct result *r)
{
	uint32_t occurrences = 0, phases = 0;
	char text[PHASES_NAMED * 12 + 8] = "";

	for (uint32_t i = 0; i < r->phase_count; i++) {
		const struct result_phase *p = &r->phases[i];

		if (!p->samples || p->time >= RESULT_STAMP)
			continue;
		occurrences += p->samples;
		if (phases++ < PHASES_NAMED)
			snprintf(text + strlen(text), sizeof text - strlen(text), "%s%u", text[0] ? ", " : "", p->id);
	}
	if (phases > PHASES_NAMED)
		strcat(text, " ...");
	return !phases || result_note(r, "phase%s %s: the %u measured occurrences took less than 0.5 us, the cost of measuring: their times "
				      "are unreliable", phases == 1 ? "" : "s", text, occurrences);
}

static bool note_settling(struct result *r, const struct estimate *x)
{
	struct settling s = settling_look(r->input, x);
	char much[32];

	r->settling = s.ratio;
	if (!s.late || !r->restored)
		return true;
	snprintf(much, sizeof much, "%.0f %%", (s.ratio - 1) * 100);
	return result_note(r, "the warm-up was too short: in %u of %u windows the first half of the occurrences was slower, by %s "
			      "on average; make a table with --warmup-seconds above %g", s.slower,
			   s.windows, much, r->settings.warmup_seconds);
}

static bool note_unseen(struct result *r, const struct estimate *x)
{
	char much[32];

	if (isnan(x->half) || x->unseen <= ESTIMATE_UNSEEN)
		return true;
	snprintf(much, sizeof much, "%.0f %%", 100 * x->unseen);
	return result_note(r, "%s of the prediction comes from phases that only one window measured, so the interval may be too narrow: "
			      "use more or longer windows", much);
}

static enum err_code finish_windows(struct result *r, struct err *e)
{
	double *pet_scaled = mem_zero(r->runs, sizeof *pet_scaled);
	enum err_code code = pet_scaled ? estimate_runs(r, pet_scaled, e) : err_memory(e, "the result");
	struct estimate x = {0};

	if (!code) {
		average_runs(r);
		r->input->seconds = r->times;
		code = estimate_init(&x, r->input, e);
	}
	if (!code && r->runs > 1)
		estimate_over_runs(&x, pet_scaled, r->runs);
	mem_free(pet_scaled);
	if (code)
		return code;
	for (uint32_t i = 0; i < r->phase_count; i++) {
		struct result_phase *p = &r->phases[i];

		phase_sum_up(p, r->runs);
		p->time = x.phase[i].measured ? x.phase[i].time : 0;
		p->se = x.phase[i].se;
		p->samples = x.phase[i].occurrences;
		p->in_windows = x.phase[i].in_windows;
		p->extra = x.phase[i].extra;
		r->set += p->time;
	}
	for (uint32_t w = 0; w < r->window_count; w++)
		r->measured += r->windows[w].seconds;
	r->pet = x.pet;
	r->pet_scaled = x.pet_scaled;
	r->se = x.se;
	r->half = x.half;
	r->low = x.low;
	r->high = x.high;
	r->df = x.df;
	if (!note_settling(r, &x) || !note_nothings(r) || !note_unseen(r, &x))
		code = err_memory(e, "the result");
	estimate_release(&x);
	return code;
}

enum err_code result_finish(struct result *r, struct err *e)
{
	r->set = r->pet = r->measured = 0;
	if (r->by_windows)
		return finish_windows(r, e);
	for (uint32_t i = 0; i < r->phase_count; i++) {
		finish_phase(r, i);
		r->set += r->phases[i].time;
		r->measured += r->phases[i].time * r->phases[i].samples;
		r->pet += r->phases[i].time * r->phases[i].weight;
	}
	r->pet_scaled = r->coverage > 0 ? r->pet / r->coverage : r->pet;
	return ERR_OK;
}
