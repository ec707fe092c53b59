#include "run_list.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/mem.h"
#include "core/base/text.h"
#include "core/formats/api/open.h"
#include "core/formats/runs.h"
#include "core/io/source.h"

void runs_init(struct runs *r)
{
	*r = (struct runs){.reference = NO_RUN};
}

static void release_run(struct run *run)
{
	for (uint32_t i = 0; run->paths && i < run->path_count; i++)
		mem_free(run->paths[i]);
	mem_free(run->paths);
	call_mix_release(&run->calls);
}

void runs_release(struct runs *r)
{
	for (uint32_t i = 0; i < r->count; i++)
		release_run(&r->list[i]);
	mem_free(r->list);
	mem_free(r->order);
	mem_free(r->figures);
	runs_init(r);
}

const char *run_name(const struct run *run)
{
	return path_name(run->paths[0]);
}

uint32_t runs_by_id(const struct runs *r, uint32_t id)
{
	for (uint32_t i = 0; i < r->count; i++)
		if (r->list[i].id == id)
			return i;
	return UINT32_MAX;
}

uint32_t runs_by_path(const struct runs *r, const char *path)
{
	for (uint32_t i = 0; i < r->count; i++)
		for (uint32_t k = 0; k < r->list[i].path_count; k++)
			if (!strcmp(r->list[i].paths[k], path))
				return i;
	return UINT32_MAX;
}

/* --- adding --- */

/* Runs by the order of their first files; returns how many there are. */
static uint32_t number_as_given(uint32_t *run, uint32_t count)
{
	uint32_t runs = 0;

	/* From `count` on are the new numbers. */
	for (uint32_t i = 0; i < count; i++) {
		uint32_t old = run[i];

		if (old >= count)
			continue;
		for (uint32_t k = i; k < count; k++)
			if (run[k] == old)
				run[k] = count + runs;
		runs++;
	}
	for (uint32_t i = 0; i < count; i++)
		run[i] -= count;
	return runs;
}

/* Which of the files are of one run. One that cannot be opened is a run by itself, and says so when it is read. */
static enum err_code sort_into_runs(const char *const *paths, uint32_t count, uint32_t *run, uint32_t *runs, struct err *e)
{
	struct source *sources = mem_zero(count, sizeof *sources);
	uint32_t *of = mem_alloc(count, sizeof *of), *place = mem_alloc(count, sizeof *place), opened = 0, found = 0;
	struct err ignored;
	enum err_code code = sources && of && place ? ERR_OK : err_memory(e, "the runs");

	for (uint32_t i = 0; !code && i < count; i++) {
		place[i] = UINT32_MAX;
		if (!trace_file_open(&sources[opened], paths[i], &ignored))
			place[i] = opened++;
	}
	/* What cannot be read is each a run, too. */
	if (!code && opened && runs_of_sources(sources, opened, of, &found, &ignored))
		for (found = 0; found < opened; found++)
			of[found] = found;
	for (uint32_t i = 0; !code && i < count; i++)
		run[i] = place[i] == UINT32_MAX ? found++ : of[place[i]];
	if (!code)
		*runs = number_as_given(run, count);
	while (opened > 0)
		source_release(&sources[--opened]);
	mem_free(sources);
	mem_free(of);
	mem_free(place);
	return code;
}

/* The files of one of the runs that they are sorted into. */
static enum err_code runs_add_sorted(struct runs *r, const char *const *paths, const uint32_t *of, uint32_t count, uint32_t which, struct err *e)
{
	struct run *list = mem_resize(r->list, (size_t)r->count + 1, sizeof *list), run = {.id = ++r->last_id};

	if (list)
		r->list = list;
	run.paths = mem_zero(count, sizeof *run.paths);
	if (!list || !run.paths) {
		mem_free(run.paths);
		return err_memory(e, "the runs");
	}
	for (uint32_t i = 0; i < count; i++) {
		if (of[i] != which)
			continue;
		run.paths[run.path_count] = mem_strdup(paths[i]);
		if (!run.paths[run.path_count++]) {
			release_run(&run);
			return err_memory(e, "the runs");
		}
	}
	r->list[r->count++] = run;
	return ERR_OK;
}

/* A run of the same first file: it is to be read again if it could not be. */
static enum err_code again(struct runs *r, uint32_t index, struct err *e)
{
	struct run *run = &r->list[index];
	char safe[200];

	if (run->state != RUN_FAILED && run->state != RUN_STOPPED)
		return err_set(e, ERR_USAGE, "%s is already in Runs", text_safe(safe, sizeof safe, run->paths[0], SIZE_MAX, TEXT_UTF8));
	run->state = RUN_WAITING;
	run->say[0] = 0;
	return ERR_OK;
}

enum err_code runs_add(struct runs *r, const char *const *paths, uint32_t count, struct err *e)
{
	uint32_t *of = mem_alloc(count, sizeof *of), runs = 0;
	enum err_code code = of ? sort_into_runs(paths, count, of, &runs, e) : err_memory(e, "the runs");

	for (uint32_t which = 0; !code && which < runs; which++) {
		uint32_t first = 0, there;

		while (of[first] != which)
			first++;
		there = runs_by_path(r, paths[first]);
		code = there == UINT32_MAX ? runs_add_sorted(r, paths, of, count, which, e) : again(r, there, e);
	}
	mem_free(of);
	runs_settle(r);
	return code;
}

enum err_code runs_remove(struct runs *r, uint32_t index, struct err *e)
{
	char safe[200];

	if (index == r->open)
		return err_set(e, ERR_USAGE, "%s is the open trace; open another run before you remove it",
			       text_safe(safe, sizeof safe, r->list[index].paths[0], SIZE_MAX, TEXT_UTF8));
	runs_drop(r, index);
	return ERR_OK;
}

void runs_drop(struct runs *r, uint32_t index)
{
	release_run(&r->list[index]);
	r->count--;
	memmove(r->list + index, r->list + index + 1, (r->count - index) * sizeof *r->list);
	r->open -= r->open > index;
	runs_settle(r);
}

/* --- together --- */

static double useful_of(const struct run_metrics *m)
{
	return m->has_account ? m->account.by_kind[ACCOUNT_USEFUL] : (double)NAN;
}

/* Those with figures in the order of scaling, and the others behind them. */
static bool put_in_order(struct runs *r)
{
	uint32_t *given = mem_alloc(r->count, sizeof *given), *processes = mem_alloc(r->count, sizeof *processes), n = 0, behind;

	if (!given || !processes) {
		mem_free(given);
		mem_free(processes);
		return false;
	}
	for (uint32_t i = 0; i < r->count; i++) {
		if (r->list[i].state != RUN_KNOWN)
			continue;
		given[n] = i;
		processes[n++] = r->list[i].metrics.processes;
	}
	scaling_order(processes, n, r->order);
	for (uint32_t i = 0; i < n; i++)
		r->order[i] = given[r->order[i]];
	behind = n;
	for (uint32_t i = 0; i < r->count; i++)
		if (r->list[i].state != RUN_KNOWN)
			r->order[behind++] = i;
	r->known = n;
	mem_free(given);
	mem_free(processes);
	return true;
}

static bool runs_compare_known(struct runs *r)
{
	const struct diagnosis_settings settings = {.kind = r->kind, .serial = (double)NAN, .bar = FACTOR_BAR};
	struct diagnosed *runs = mem_zero(r->known, sizeof *runs);
	struct run_metrics *metrics = mem_alloc(r->known, sizeof *metrics);

	if (!runs || !metrics) {
		mem_free(runs);
		mem_free(metrics);
		return false;
	}
	for (uint32_t i = 0; i < r->known; i++) {
		const struct run_metrics *m = &r->list[r->order[i]].metrics;

		r->figures[i] = (struct scaling_run){.processes = m->processes, .runtime = m->runtime, .useful = useful_of(m),
						     .parallel_efficiency = m->factors.parallel_efficiency};
		r->counts += !i || m->processes != r->figures[i - 1].processes;
	}
	r->reference = scaling_fill(r->figures, r->known, r->kind, (double)NAN);
	for (uint32_t i = 0; i < r->known; i++)
		r->list[r->order[i]].other_program = r->reference != NO_RUN && call_mix_differs(&r->list[r->order[i]].calls,
												  &r->list[r->order[r->reference]].calls);
	for (uint32_t i = 0; i < r->known; i++) {
		/* Where it is lost takes more than is kept: without factors nothing is asked of that. */
		metrics[i] = r->list[r->order[i]].metrics;
		metrics[i].factors = (struct factors){NAN, NAN, NAN, NAN, NAN, NAN, NAN};
		runs[i] = (struct diagnosed){.metrics = &metrics[i], .figures = r->figures[i]};
		runs[i].figures.computation_scaling = NAN;
	}
	diagnosis_make(&r->diagnosis, runs, r->known, r->reference, &settings);
	mem_free(runs);
	mem_free(metrics);
	return true;
}

void runs_settle(struct runs *r)
{
	uint32_t *order = mem_resize(r->order, (size_t)r->count + 1, sizeof *order);
	struct scaling_run *figures = mem_resize(r->figures, (size_t)r->count + 1, sizeof *figures);

	if (order)
		r->order = order;
	if (figures)
		r->figures = figures;
	r->serial++;
	r->shown = r->known = r->counts = 0;
	r->reference = NO_RUN;
	if (!order || !figures || !put_in_order(r))
		return;
	r->shown = r->count;
	if (r->known && !runs_compare_known(r))
		r->shown = r->known = 0;
	for (uint32_t i = 0; i < r->shown; i++)
		if (r->list[r->order[i]].id == r->selected_id)
			r->selected = i;
	runs_select(r, r->selected);
}

/* --- selected --- */

struct run *runs_selected(const struct runs *r)
{
	return r->selected < r->shown ? &r->list[r->order[r->selected]] : NULL;
}

void runs_select(struct runs *r, uint32_t place)
{
	const struct run *run;

	r->selected = place < r->shown ? place : r->shown ? r->shown - 1 : 0;
	run = runs_selected(r);
	if (run)
		r->selected_id = run->id;
}
