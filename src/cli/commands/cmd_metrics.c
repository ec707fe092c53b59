/* pas2p metrics: how efficient a run is, how it scales, and what holds it back. */
#include <math.h>
#include <string.h>

#include "cli/complain.h"
#include "cli/fail_if.h"
#include "cli/listing.h"
#include "core/base/mem.h"
#include "core/base/number.h"
#include "core/base/text.h"
#include "core/formats/runs.h"
#include "core/lists/list_metrics_phase.h"
#include "core/lists/list_metrics_process.h"
#include "core/study/metrics_write.h"
#include "metrics_table.h"

#define BAR 0.8

/* ---- what is asked for ---- */

struct asked {
	enum metrics_by by;
	struct replay_rules rules;
	struct fail_if fail;
	struct what_if change;
	struct diagnosis_settings diagnosis;
};

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

static enum err_code read_asked(const struct options *o, struct asked *a, struct err *e)
{
	enum err_code code;

	*a = (struct asked){
		.by = o->by, .rules = {.rooted_all = o->rooted == ROOTED_ALL},
		.diagnosis = {.kind = o->scaling, .serial = o->serial > 0 ? o->serial : (double)NAN, .bar = o->bar > 0 ? o->bar : BAR},
	};
	code = read_rendezvous(o, &a->rules.rendezvous, e);
	for (uint32_t i = 0; !code && i < o->fail_if.count; i++)
		code = fail_if_parse(&a->fail, o->fail_if.text[i], e);
	for (uint32_t i = 0; !code && i < o->what_if.count; i++) {
		code = what_if_parse(&a->change, o->what_if.text[i], e);
		if (code)
			err_prefix(e, "--what-if");
	}
	return code;
}

enum err_code metrics_check(const struct options *o, struct err *e)
{
	struct asked a;
	enum err_code code = read_asked(o, &a, e);

	if (!code && o->by != METRICS_BY_PROGRAM && o->before)
		code = err_set(e, ERR_USAGE, "--before is answered by program: leave out --by %s", metrics_by_name(o->by));
	if (!code && o->by != METRICS_BY_PROGRAM && o->what_if.count)
		code = err_set(e, ERR_USAGE, "--what-if is answered by program: leave out --by %s", metrics_by_name(o->by));
	for (uint32_t i = 0; !code && i < a.fail.count; i++)
		if (a.fail.list[i].metric == FAIL_CHANGE && !o->before)
			code = err_set(e, ERR_USAGE, "--fail-if: runtime_change takes --before FILE");
	return code;
}

/* ---- runs ---- */

struct loaded {
	struct metrics_run run;
	struct trace *trace;       /* NULL once shed */
	struct analysis *analysis;
};

struct series {
	struct asked asked;
	struct loaded *loaded;     /* in the order of the files */
	uint32_t count;
	uint32_t *run_of;          /* per file */
	struct loaded before;
	const struct metrics_run **run; /* in order */
	struct diagnosed *diagnosed;
	struct metrics_report report;
	struct diagnosis diagnosis;
	struct metrics_changed changed;
};

static void shed(struct loaded *l)
{
	metrics_run_shed(&l->run);
	analysis_unref(l->analysis);
	trace_free(l->trace);
	l->analysis = NULL;
	l->trace = NULL;
}

static enum err_code load(struct batch *b, struct series *s, struct loaded *l, const char *const *files, uint32_t count, unsigned wants,
			  struct err *e)
{
	struct call_log *log;
	enum err_code code = batch_load(b, files, count, wants, &log, e);

	if (!code)
		code = metrics_run_init(&l->run, files[0], log, &s->asked.rules, b->job, e);
	if (code)
		return code;
	l->trace = b->trace;
	l->analysis = b->analysis;
	b->trace = NULL;
	b->analysis = NULL;
	return ERR_OK;
}

/* Does a come before b as the run that the diagnosis is about, or as what speedups are against? Both may be; the first given
 * stays. */
static bool looked_at_first(const struct scaling_run *a, const struct scaling_run *b)
{
	return a->processes != b->processes ? a->processes > b->processes : a->runtime < b->runtime;
}

static bool reference_first(const struct scaling_run *a, const struct scaling_run *b)
{
	return a->processes != b->processes ? a->processes < b->processes : a->runtime < b->runtime;
}

/* By program only two runs are looked into; what others hold beyond their figures is in the way. */
static void keep_two(struct series *s, uint32_t count)
{
	uint32_t looked = 0, reference = 0;

	for (uint32_t i = 1; i < count; i++) {
		const struct scaling_run *f = &s->loaded[i].run.figures;

		looked = looked_at_first(f, &s->loaded[looked].run.figures) ? i : looked;
		reference = reference_first(f, &s->loaded[reference].run.figures) ? i : reference;
	}
	for (uint32_t i = 0; i < count; i++)
		if (i != looked && i != reference && s->loaded[i].trace)
			shed(&s->loaded[i]);
}

static unsigned rows_by(enum metrics_by by)
{
	switch (by) {
	case METRICS_BY_PROCESS: return METRICS_PROCESSES | METRICS_CRITICAL;
	case METRICS_BY_STATE: return METRICS_STATES;
	case METRICS_BY_PHASE: return METRICS_PHASES;
	case METRICS_BY_CAUSE: return METRICS_CAUSES;
	default: return 0;
	}
}

static enum err_code load_run(struct batch *b, struct series *s, uint32_t run, const char **files, struct err *e)
{
	enum metrics_by by = s->asked.by;
	struct loaded *l = &s->loaded[run];
	uint32_t count = 0;
	enum err_code code;

	for (uint32_t i = 0; i < b->options->file_count; i++)
		if (s->run_of[i] == run)
			files[count++] = b->options->files[i];
	code = load(b, s, l, files, count, by == METRICS_BY_PHASE || by == METRICS_BY_CAUSE ? ANALYSIS_PHASES : 0, e);
	if (!code && by != METRICS_BY_PROGRAM)
		code = metrics_run_rows(&l->run, rows_by(by), l->analysis, b->job, e);
	return code;
}

static enum err_code load_all(struct batch *b, struct series *s, struct err *e)
{
	const struct options *o = b->options;
	const char **files = mem_alloc(o->file_count, sizeof *files);
	enum err_code code;

	s->run_of = mem_zero(o->file_count, sizeof *s->run_of);
	if (!files || !s->run_of)
		code = err_memory(e, "the files");
	else
		code = runs_of_files(o->files, o->file_count, s->run_of, &s->count, e);
	if (!code) {
		s->loaded = mem_zero(s->count, sizeof *s->loaded);
		s->run = mem_zero(s->count, sizeof *s->run);
		s->diagnosed = mem_zero(s->count, sizeof *s->diagnosed);
		if (!s->loaded || !s->run || !s->diagnosed)
			code = err_memory(e, "the runs");
	}
	for (uint32_t i = 0; !code && i < s->count; i++) {
		code = load_run(b, s, i, files, e);
		if (!code && s->asked.by == METRICS_BY_PROGRAM)
			keep_two(s, i + 1);
	}
	if (!code && o->before) {
		code = load(b, s, &s->before, &o->before, 1, 0, e);
		if (!code)
			shed(&s->before);
	}
	mem_free(files);
	return code;
}

/* ---- what they say together ---- */

/* In order, with what they are against the reference. */
static enum err_code compare(struct series *s, struct err *e)
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
	}
	mem_free(processes);
	mem_free(order);
	mem_free(figures);
	return room ? ERR_OK : err_memory(e, "the runs");
}

static struct loaded *loaded_of(struct series *s, const struct metrics_run *run)
{
	for (uint32_t i = 0; i < s->count; i++)
		if (&s->loaded[i].run == run)
			return &s->loaded[i];
	return NULL;
}

/* What the diagnosis asks of the run that it is about, and of the one before all. */
static enum err_code look_into(struct batch *b, struct series *s, struct err *e)
{
	struct loaded *looked, *reference = NULL;
	enum err_code code;

	for (uint32_t i = 0; i < s->count; i++)
		s->diagnosed[i] = (struct diagnosed){.metrics = s->run[i]->metrics, .figures = s->run[i]->figures, .file = s->run[i]->file};
	s->report.looked = diagnosis_run(s->diagnosed, s->count);
	looked = loaded_of(s, s->run[s->report.looked]);
	if (s->report.reference != NO_RUN)
		reference = loaded_of(s, s->run[s->report.reference]);
	code = analysis_new(&looked->analysis, looked->trace, b->settings, NULL, ANALYSIS_PHASES, b->job, e);
	if (!code)
		code = metrics_run_rows(&looked->run, METRICS_STATES | METRICS_PHASES | METRICS_CRITICAL, looked->analysis, b->job, e);
	if (!code && reference && reference != looked && reference->trace)
		code = metrics_run_rows(&reference->run, METRICS_STATES, NULL, b->job, e);
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

	if (code)
		return code;
	if (b->options->before) {
		d->before = s->before.run.metrics;
		d->before_file = b->options->before;
		s->report.before = &s->before.run;
	}
	diagnosis_make(&s->diagnosis, s->diagnosed, s->count, s->report.reference, d);
	s->report.diagnosis = &s->diagnosis;
	return ERR_OK;
}

/* A changed run, of the one that the diagnosis is about. */
static enum err_code change(struct batch *b, struct series *s, struct err *e)
{
	const struct metrics_run *run = s->run[s->report.looked];
	struct projection *p = NULL;
	enum err_code code = ERR_OK;

	if (run->metrics->has_account)
		code = project_new(&p, run->metrics->waits, run->spans, &s->asked.change, b->job, e);
	if (code == ERR_USAGE)
		return err_prefix(e, "--what-if");
	if (code)
		return code;
	metrics_changed_make(&s->changed, run, &s->asked.change, p);
	project_free(p);
	s->report.changed = &s->changed;
	return ERR_OK;
}

static enum err_code make(struct batch *b, struct series *s, struct err *e)
{
	struct metrics_report *r = &s->report;
	enum err_code code = load_all(b, s, e);

	if (!code)
		code = compare(s, e);
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

static void release(struct series *s)
{
	for (uint32_t i = 0; s->loaded && i < s->count; i++) {
		shed(&s->loaded[i]);
		metrics_run_release(&s->loaded[i].run);
	}
	shed(&s->before);
	mem_free(s->loaded);
	mem_free(s->run_of);
	mem_free(s->run);
	mem_free(s->diagnosed);
	mem_free(s);
}

/* ---- csv ---- */

/* Rows of all runs, one run behind the other. */
struct csv {
	const struct metrics_report *report;
	struct listing listing;
	struct column columns[LIST_COLUMNS + 2];
	char path[METRICS_PATH_SIZE];
};

static uint32_t csv_rows_of(const struct metrics_report *r, const struct metrics_run *run)
{
	switch (r->by) {
	case METRICS_BY_PROGRAM: return 1;
	case METRICS_BY_PROCESS: return run->processes.count;
	case METRICS_BY_STATE: return run->states.count;
	case METRICS_BY_PHASE: return run->phases.count;
	default: return run->cause_list.count;
	}
}

static void csv_cells(struct csv *x, const struct metrics_run *run, uint32_t row, struct cell *cells)
{
	const struct metrics_processes_list processes = {run->metrics, &run->processes, run->critical};
	const struct metrics_states_list states = {run->metrics, &run->states, x->path};
	const struct metrics_phases_list phases = {run->metrics, &run->phases};
	const void *list = x->report->by == METRICS_BY_PROCESS ? (const void *)&processes
			 : x->report->by == METRICS_BY_STATE ? (const void *)&states
			 : x->report->by == METRICS_BY_PHASE ? (const void *)&phases : &run->cause_list;

	cells[0] = cell_text(run->file);
	cells[1] = cell_whole(run->metrics->processes);
	listing_cells(&x->listing, list, row, cells + 2);
}

static enum err_code csv_row(void *arg, uint64_t i, struct cell *cells, bool *keep, struct err *e)
{
	struct csv *x = arg;
	uint32_t run = 0;

	(void)keep;
	(void)e;
	for (; i >= csv_rows_of(x->report, x->report->run[run]); run++)
		i -= csv_rows_of(x->report, x->report->run[run]);
	if (x->report->by == METRICS_BY_PROGRAM) {
		const struct metrics_run_figures figures = metrics_report_run(x->report, run);
		const struct metrics_runs_list list = {&figures, 1};

		listing_cells(&x->listing, &list, 0, cells);
	} else {
		csv_cells(x, x->report->run[run], (uint32_t)i, cells);
	}
	return ERR_OK;
}

static enum err_code as_csv(struct batch *b, const struct metrics_report *r, struct err *e)
{
	static const struct list_table *const tables[] = {&metrics_runs_columns, &metrics_processes_columns, &metrics_states_columns,
							  &metrics_phases_columns, &metrics_causes_columns};
	struct csv x = {.report = r};
	struct rows rows = {.columns = x.columns, .row = csv_row, .arg = &x};
	size_t own = r->by == METRICS_BY_PROGRAM ? 0 : 2;

	listing_pick(&x.listing, tables[r->by], METRICS_ALL | METRICS_PATH);
	x.columns[0] = (struct column){"file", "file", ROWS_LEFT, 0};
	x.columns[1] = (struct column){"processes", "processes", ROWS_RIGHT, 0};
	memcpy(x.columns + own, x.listing.columns, (size_t)x.listing.pick.count * sizeof *x.columns);
	rows.column_count = own + (size_t)x.listing.pick.count;
	for (uint32_t i = 0; i < r->count; i++)
		rows.row_count += csv_rows_of(r, r->run[i]);
	return listing_write(b, &rows, e);
}

/* ---- all of it ---- */

static enum err_code print(struct batch *b, const struct series *s, struct err *e)
{
	const struct metrics_report *r = &s->report;
	struct out *o = &b->sink.out;

	if (b->options->format == FORMAT_CSV)
		return as_csv(b, r, e);
	if (b->options->format != FORMAT_TABLE)
		return metrics_write(r, o, b->options->format == FORMAT_JSON, e);
	if (r->by != METRICS_BY_PROGRAM)
		return metrics_rows_table(o, r, b->job, e);
	metrics_table(o, r, &s->asked.diagnosis);
	return ERR_OK;
}

/* Each condition that holds, or that nothing is known of. */
static void ask(struct batch *b, const struct series *s)
{
	for (uint32_t i = 0; i < s->asked.fail.count; i++) {
		char said[FAIL_SAID];

		if (fail_if_ask(&s->asked.fail.list[i], &s->report, said) == FAIL_NO)
			continue;
		complain("%s", said);
		b->finding = EXIT_FINDING;
	}
}

enum err_code cmd_metrics(struct batch *b, struct err *e)
{
	struct series *s = mem_zero(1, sizeof *s);
	enum err_code code = s ? read_asked(b->options, &s->asked, e) : err_memory(e, "the runs");

	if (!s)
		return code;
	if (!code)
		code = make(b, s, e);
	batch_prints(b);
	if (!code)
		code = print(b, s, e);
	if (!code)
		ask(b, s);
	release(s);
	return code;
}
