#include "cli.h"

#include <math.h>
#include <string.h>

#include "core/base/mem.h"
#include "core/base/number.h"
#include "core/base/text.h"
#include "core/formats/runs.h"
#include "core/team/team.h"

/* ---- what is asked for ---- */

static enum err_code read_rendezvous(const struct options *o, uint64_t *bytes, struct err *e)
{
	char safe[80];

	*bytes = REPLAY_NEVER;
	if (!o->rendezvous || strcmp(o->rendezvous, "never") == 0)
		return ERR_OK;
	if (number_parse_whole(o->rendezvous, strlen(o->rendezvous), bytes) && *bytes != REPLAY_NEVER)
		return ERR_OK;
	return err_set(e, ERR_USAGE, "--rendezvous is '%s': expected a number of bytes, or never",
		       text_safe(safe, sizeof safe, o->rendezvous, SIZE_MAX, TEXT_UTF8));
}

enum err_code series_asked_read(const struct options *o, struct series_asked *a, struct err *e)
{
	enum err_code code;

	*a = (struct series_asked){
		.by = o->by, .rules = {.rooted_all = o->rooted == ROOTED_ALL},
		.diagnosis = {.kind = o->scaling, .serial = o->serial > 0 ? o->serial : (double)NAN, .bar = o->bar > 0 ? o->bar : FACTOR_BAR},
	};
	code = read_rendezvous(o, &a->rules.rendezvous, e);
	for (uint32_t i = 0; !code && i < o->what_if.count; i++) {
		code = what_if_parse(&a->change, o->what_if.text[i], e);
		if (code)
			err_prefix(e, "--what-if");
	}
	return code;
}

/* ---- runs ---- */

static void series_shed_run(struct series_run *l)
{
	metrics_run_shed(&l->run);
	analysis_unref(l->analysis);
	trace_free(l->trace);
	l->analysis = NULL;
	l->trace = NULL;
}

/* Phases before figures, and of the analysis only what rows need: that takes less memory than the other way round. */
static enum err_code series_lay_run(struct batch *b, const struct series *s, struct series_run *l, struct err *e)
{
	enum err_code code = ERR_OK;

	if (!l->analysis)
		code = analysis_new(&l->analysis, l->trace, b->settings, NULL, ANALYSIS_PHASES | (s->asked.whole_analysis ? ANALYSIS_PATTERNS : 0),
				    b->progress, e);
	if (!code)
		code = metrics_run_lay(&l->run, l->analysis, b->progress, e);
	if (!code && !s->asked.whole_analysis)
		analysis_shed(l->analysis);
	return code;
}

static enum err_code series_load_run(struct batch *b, struct series *s, struct series_run *l, const char *const *files, uint32_t count, unsigned wants,
			  bool phases, struct err *e)
{
	struct call_log *log;
	enum err_code code = batch_load(b, files, count, wants, &log, e);

	if (code)
		return code;
	l->trace = b->trace;
	l->analysis = b->analysis;
	b->trace = NULL;
	b->analysis = NULL;
	metrics_run_init(&l->run, files[0], log);
	if (phases)
		code = series_lay_run(b, s, l, e);
	return code ? code : metrics_run_make(&l->run, &s->asked.rules, b->progress, e);
}

/* Does a come before b as the run that the diagnosis is about? Both may be; the first given stays. */
static bool looked_at_first(const struct scaling_run *a, const struct scaling_run *b)
{
	return a->processes != b->processes ? a->processes > b->processes : a->runtime < b->runtime;
}

/* By program few runs are looked into: that, and the reference, which may be any of those with the fewest processes
 * until the last one is read. What others hold beyond their figures is in the way. */
static void keep_few(struct series *s, uint32_t count)
{
	uint32_t looked = 0, fewest = UINT32_MAX;

	for (uint32_t i = 0; i < count; i++) {
		const struct scaling_run *f = &s->loaded[i].run.figures;

		looked = looked_at_first(f, &s->loaded[looked].run.figures) ? i : looked;
		fewest = f->processes < fewest ? f->processes : fewest;
	}
	for (uint32_t i = 0; i < count; i++)
		if (i != looked && s->loaded[i].run.figures.processes != fewest && s->loaded[i].trace)
			series_shed_run(&s->loaded[i]);
}

static unsigned rows_by(enum metrics_by by)
{
	switch (by) {
	case METRICS_BY_PROCESS: return METRICS_PROCESSES | METRICS_CRITICAL | METRICS_GAINS;
	case METRICS_BY_STATE: return METRICS_STATES | METRICS_GAINS;
	case METRICS_BY_PHASE: return METRICS_PHASES | METRICS_GAINS;
	case METRICS_BY_PATTERN: return METRICS_PHASES | METRICS_PATTERNS;
	case METRICS_BY_CAUSE: return METRICS_CAUSES;
	default: return 0;
	}
}

static enum err_code load_run(struct batch *b, struct series *s, uint32_t run, const char **files, struct err *e)
{
	enum metrics_by by = s->asked.by;
	struct series_run *l = &s->loaded[run];
	uint32_t count = 0;
	unsigned wants;
	enum err_code code;

	for (uint32_t i = 0; i < s->file_count; i++)
		if (s->run_of[i] == run)
			files[count++] = s->files[i];
	wants = by == METRICS_BY_PATTERN ? ANALYSIS_PHASES | ANALYSIS_PATTERNS : by == METRICS_BY_PHASE || by == METRICS_BY_CAUSE ? ANALYSIS_PHASES : 0;
	/* A run alone is the one that the diagnosis is about. */
	code = series_load_run(b, s, l, files, count, wants, wants || (by == METRICS_BY_PROGRAM && s->count == 1), e);
	if (!code && by != METRICS_BY_PROGRAM)
		code = metrics_run_rows(&l->run, rows_by(by), l->analysis, b->progress, e);
	return code;
}

static enum err_code load_all(struct batch *b, struct series *s, struct err *e)
{
	const struct options *o = b->options;
	const char **files = mem_alloc(s->file_count, sizeof *files);
	enum err_code code;

	s->run_of = mem_zero(s->file_count, sizeof *s->run_of);
	if (!files || !s->run_of)
		code = err_memory(e, "the files");
	else
		code = runs_of_files(s->files, s->file_count, s->run_of, &s->count, e);
	if (!code) {
		s->loaded = mem_zero(s->count, sizeof *s->loaded);
		s->run = mem_zero(s->count, sizeof *s->run);
		s->diagnosed = mem_zero(s->count, sizeof *s->diagnosed);
		if (!s->loaded || !s->run || !s->diagnosed)
			code = err_memory(e, "the runs");
	}
	code = team_agree(o->team, code, e);
	for (uint32_t i = 0; !code && i < s->count; i++) {
		code = load_run(b, s, i, files, e);
		if (!code && s->asked.by == METRICS_BY_PROGRAM)
			keep_few(s, i + 1);
	}
	if (!code && o->before) {
		code = series_load_run(b, s, &s->before, &o->before, 1, 0, false, e);
		if (!code)
			series_shed_run(&s->before);
	}
	mem_free(files);
	return code;
}

/* ---- what they say together ---- */

/* In order, with what they are against the reference. */
static enum err_code series_compare_runs(struct series *s, struct err *e)
{
	uint32_t *processes = mem_alloc(s->count, sizeof *processes), *order = mem_alloc(s->count, sizeof *order);
	struct scaling_run *figures = mem_alloc(s->count, sizeof *figures);
	bool room = processes && order && figures;

	for (uint32_t i = 0; room && i < s->count; i++)
		processes[i] = s->loaded[i].run.figures.processes;
	if (room) {
		scaling_order(processes, s->count, order);
		for (uint32_t i = 0; i < s->count; i++)
			figures[i] = s->loaded[order[i]].run.figures;
		s->report.reference = scaling_fill(figures, s->count, s->asked.diagnosis.kind, s->asked.diagnosis.serial);
		for (uint32_t i = 0; i < s->count; i++) {
			s->loaded[order[i]].run.figures = figures[i];
			s->run[i] = &s->loaded[order[i]].run;
		}
		for (uint32_t i = 0, r = s->report.reference; r != NO_RUN && i < s->count; i++)
			s->loaded[i].run.other_program = call_mix_differs(&s->loaded[i].run.calls, &s->run[r]->calls);
	}
	mem_free(processes);
	mem_free(order);
	mem_free(figures);
	return room ? ERR_OK : err_memory(e, "the runs");
}

struct series_run *series_run_of(struct series *s, const struct metrics_run *run)
{
	for (uint32_t i = 0; i < s->count; i++)
		if (&s->loaded[i].run == run)
			return &s->loaded[i];
	return NULL;
}

/* What the diagnosis asks of the run that it is about, and of the one before all. */
static enum err_code look_into(struct batch *b, struct series *s, struct err *e)
{
	struct series_run *looked, *reference = NULL;
	enum err_code code;

	for (uint32_t i = 0; i < s->count; i++)
		s->diagnosed[i] = (struct diagnosed){.metrics = s->run[i]->metrics, .figures = s->run[i]->figures, .file = s->run[i]->file};
	s->report.looked = diagnosis_run(s->diagnosed, s->count);
	looked = series_run_of(s, s->run[s->report.looked]);
	if (s->report.reference != NO_RUN)
		reference = series_run_of(s, s->run[s->report.reference]);
	code = looked->run.spans ? ERR_OK : series_lay_run(b, s, looked, e);
	if (!code)
		code = metrics_run_rows(&looked->run, METRICS_STATES | METRICS_PHASES | METRICS_CRITICAL, looked->analysis, b->progress, e);
	if (!code && reference && reference != looked && reference->trace)
		code = metrics_run_rows(&reference->run, METRICS_STATES, reference->analysis, b->progress, e);
	for (uint32_t i = 0; !code && i < s->count; i++) {
		const struct metrics_run *run = s->run[i];

		s->diagnosed[i].states = run->rows & METRICS_STATES ? &run->states : NULL;
		s->diagnosed[i].phases = run->rows & METRICS_PHASES ? &run->phases : NULL;
	}
	return code;
}

static enum err_code diagnose(struct batch *b, struct series *s, struct err *e)
{
	struct diagnosis_settings *d = &s->asked.diagnosis;
	enum err_code code = look_into(b, s, e);

	if (code || team_rank(b->options->team))
		return code;
	d->program = b->options->program;
	if (b->options->before) {
		d->before = s->before.run.metrics;
		d->before_file = b->options->before;
		s->report.before = &s->before.run;
		s->before.run.other_program = call_mix_differs(&s->before.run.calls, &s->run[s->report.looked]->calls);
	}
	diagnosis_make(&s->diagnosis, s->diagnosed, s->count, s->report.reference, d);
	s->report.diagnosis = &s->diagnosis;
	return ERR_OK;
}

/* A changed run, of the one that the diagnosis is about. */
static enum err_code change(struct batch *b, struct series *s, struct err *e)
{
	const struct metrics_run *run = s->run[s->report.looked];
	static const struct what_if nothing = {.count = 0};
	struct projection *p = NULL, *unchanged = NULL;
	enum err_code code = ERR_OK;

	if (run->metrics->has_account)
		code = project_new(&p, run->metrics->waits, run->spans, &s->asked.change, b->progress, e);
	if (code == ERR_USAGE)
		return err_prefix(e, "--what-if");
	if (!code && p)
		code = project_new(&unchanged, run->metrics->waits, run->spans, &nothing, b->progress, e);
	if (!code)
		metrics_changed_make(&s->changed, run, &s->asked.change, p, unchanged);
	project_free(p);
	project_free(unchanged);
	if (code)
		return code;
	s->report.changed = &s->changed;
	return ERR_OK;
}

enum err_code series_make(struct batch *b, struct series *s, const struct series_asked *asked, const char *const *files, uint32_t file_count,
			  struct err *e)
{
	struct metrics_report *r = &s->report;
	enum err_code code;

	s->asked = *asked;
	s->files = files;
	s->file_count = file_count;
	code = load_all(b, s, e);
	if (!code)
		code = team_agree(b->options->team, series_compare_runs(s, e), e);
	if (code)
		return code;
	r->by = s->asked.by;
	r->scaling = s->asked.diagnosis.kind;
	r->serial = s->asked.diagnosis.serial;
	r->rules = s->asked.rules;
	r->bar = s->asked.diagnosis.bar;
	r->run = s->run;
	r->count = s->count;
	if (r->by == METRICS_BY_PROGRAM)
		code = diagnose(b, s, e);
	if (!code && s->asked.change.count)
		code = change(b, s, e);
	return code;
}

void series_release(struct series *s)
{
	for (uint32_t i = 0; s->loaded && i < s->count; i++) {
		series_shed_run(&s->loaded[i]);
		metrics_run_release(&s->loaded[i].run);
	}
	series_shed_run(&s->before);
	metrics_run_release(&s->before.run);
	mem_free(s->loaded);
	mem_free(s->run_of);
	mem_free(s->run);
	mem_free(s->diagnosed);
	*s = (struct series){0};
}
