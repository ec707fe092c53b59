#include "result_make.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/base/clock.h"
#include "core/base/text.h"

static const char *copy(struct arena *a, const char *s)
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
	*p = (struct result_phase){.id = from->id, .weight = from->weight, .ticks = from->ticks, .samples = 1 + from->sample_count, .traced = from->time};
	p->sends = arena_alloc(&r->arena, r->processes * sizeof *p->sends);
	p->ranks = arena_alloc(&r->arena, r->processes * sizeof *p->ranks);
	p->runs = arena_alloc(&r->arena, r->runs * sizeof *p->runs);
	for (uint32_t i = 0; p->sends && i < r->processes; i++)
		p->sends[i] = from->exit[i] - from->entry[i];
	return p->sends && p->ranks && p->runs;
}

enum err_code result_begin(struct result *r, const struct table *t, const char *mechanism, uint32_t runs,
			   const char *const *command, struct err *e)
{
	char now[CLOCK_UTC_TEXT];
	bool whole = true;

	*r = (struct result){.processes = t->processes, .runs = runs, .traced_aet = t->aet, .coverage = t->coverage,
			     .has_settings = true, .settings = t->settings};
	arena_init(&r->arena);
	r->phases = arena_alloc(&r->arena, t->phase_count * sizeof *r->phases);
	for (uint32_t i = 0; r->phases && whole && i < t->phase_count; i++)
		if (t->phases[i].relevant)
			whole = begin_phase(r, &r->phases[r->phase_count++], &t->phases[i]);
	r->times = mem_zero((size_t)r->phase_count * runs * r->processes, sizeof *r->times);
	r->application = copy(&r->arena, t->application);
	r->sha256 = copy(&r->arena, t->sha256);
	r->mechanism = copy(&r->arena, mechanism);
	r->mechanism_version = r->label = r->aet_from = "";
	r->command = copy_command(&r->arena, command);
	r->started = copy(&r->arena, clock_utc(now));
	if (!whole || !r->phases || !r->times || !r->application || !r->sha256 || !r->mechanism || !r->command ||
	    !r->started) {
		result_release(r);
		return err_memory(e, "the result");
	}
	return ERR_OK;
}

double *result_time(struct result *r, uint32_t phase, uint32_t run, uint32_t rank)
{
	return &r->times[((size_t)phase * r->runs + run) * r->processes + rank];
}

static void finish_phase(struct result *r, uint32_t i)
{
	struct result_phase *p = &r->phases[i];
	double squares = 0;

	p->time = 0;
	for (uint32_t run = 0; run < r->runs; run++) {
		double sum = 0, most = 0;

		for (uint32_t rank = 0; rank < r->processes; rank++) {
			double t = *result_time(r, i, run, rank);

			sum += t;
			most = fmax(most, t);
			p->ranks[rank] += t / r->runs;
		}
		p->runs[run] = r->settings.phase_time == PHASE_TIME_SLOWEST ? most : sum / r->processes;
		p->time += p->runs[run] / r->runs;
		p->min = run ? fmin(p->min, p->runs[run]) : p->runs[run];
		p->max = fmax(p->max, p->runs[run]);
	}
	for (uint32_t run = 0; run < r->runs; run++)
		squares += (p->runs[run] - p->time) * (p->runs[run] - p->time);
	p->deviation = r->runs > 1 ? sqrt(squares / (r->runs - 1)) : 0;
}

void result_finish(struct result *r)
{
	r->set = r->pet = r->measured = 0;
	for (uint32_t i = 0; i < r->phase_count; i++) {
		finish_phase(r, i);
		r->set += r->phases[i].time;
		r->measured += r->phases[i].time * r->phases[i].samples;
		r->pet += r->phases[i].time * r->phases[i].weight;
	}
	r->pet_scaled = r->coverage > 0 ? r->pet / r->coverage : r->pet;
}
