#include "runs_work.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/method/analysis/analysis.h"
#include "core/base/mem.h"
#include "core/formats/api/load.h"
#include "core/io/out.h"
#include "core/metrics/rows/metrics_rows.h"
#include "core/metrics/calls/phase_spans.h"
#include "model.h"
#include "tui/jobs/session.h"
#include "run_list.h"
#include "tui/jobs/background.h"
#include "tui/widgets/units.h"

static const struct replay_rules rules = {false, REPLAY_NEVER};

/* --- a trace and what is made of it --- */

struct read_run {
	struct trace *trace;  /* owned; NULL: it is the open one */
	struct call_log *own; /* its log; NULL: that is the open one's */
	const struct call_log *log;
	bool lent;            /* the metrics are those of what the open run spent */
	struct run_metrics *metrics;
};

static void release_read(struct read_run *r)
{
	if (!r->lent)
		run_metrics_free(r->metrics);
	call_log_free(r->own);
	trace_free(r->trace);
	*r = (struct read_run){0};
}

/* log: with its calls; NULL: without. */
static enum err_code load_run(struct trace **out, struct call_log **log, char *const *paths, uint32_t count, unsigned threads, char say[ERR_TEXT],
			      const struct progress *progress, struct err *e)
{
	const struct trace_options options = {.threads = threads};
	const char *const *files = (const char *const *)paths;
	enum err_code code = log ? call_log_load(log, out, files, count, &options, progress, e) : trace_load(out, files, count, &options, progress, e);

	say[0] = 0;
	if (code == ERR_DAMAGED && *out) {
		memcpy(say, e->text, ERR_TEXT);
		code = ERR_OK;
	}
	return code;
}

/* open: the open trace, if the run is that; spent: what that spent, if it is there; say: what is wrong with the trace,
 * though it can be used. */
static enum err_code read_run(struct read_run *r, struct session *session, const struct trace *open, const struct spent *spent, char *const *paths,
			      uint32_t count, unsigned threads, char say[ERR_TEXT], const struct progress *progress, struct err *e)
{
	enum err_code code = ERR_OK;

	*r = (struct read_run){0};
	say[0] = 0;
	if (spent) {
		*r = (struct read_run){.log = spent->log, .lent = true, .metrics = spent->metrics};
		return ERR_OK;
	}
	if (open) {
		code = session_log(session, open, &r->log, progress, e);
	} else {
		code = load_run(&r->trace, &r->own, paths, count, threads, say, progress, e);
		r->log = r->own;
	}
	if (!code)
		code = run_metrics_new(&r->metrics, r->log, &rules, progress, e);
	if (code)
		release_read(r);
	return code;
}

static void free_paths(char **paths, uint32_t count)
{
	for (uint32_t i = 0; paths && i < count; i++)
		mem_free(paths[i]);
	mem_free(paths);
}

/* NULL: no memory. */
static char **copy_paths(const struct run *run)
{
	char **paths = mem_zero(run->path_count, sizeof *paths);

	for (uint32_t i = 0; paths && i < run->path_count; i++) {
		paths[i] = mem_strdup(run->paths[i]);
		if (!paths[i]) {
			free_paths(paths, run->path_count);
			return NULL;
		}
	}
	return paths;
}

/* --- all of its trace --- */

bool run_files_init(struct run_files *f, const struct run *run, unsigned threads)
{
	*f = (struct run_files){copy_paths(run), run->path_count, threads};
	return f->paths != NULL;
}

enum err_code run_files_load(struct trace **out, const struct run_files *f, char say[ERR_TEXT], const struct progress *progress, struct err *e)
{
	return load_run(out, NULL, f->paths, f->count, f->threads, say, progress, e);
}

void run_files_release(struct run_files *f)
{
	free_paths(f->paths, f->count);
	*f = (struct run_files){0};
}

/* --- the figures of one --- */

struct run_reading {
	struct task task;
	uint32_t id;
	struct session *session;
	const struct trace *open;
	struct spent *spent;  /* a reference, or NULL */
	char **paths;
	uint32_t count;
	unsigned threads;
	struct run_metrics metrics;
	struct call_mix calls;
	enum compute_source compute;
	char say[ERR_TEXT];
};

static enum err_code read_figures(struct task *t, const struct progress *progress, struct err *e)
{
	struct run_reading *x = (struct run_reading *)t;
	struct read_run r;
	enum err_code code = read_run(&r, x->session, x->open, x->spent, x->paths, x->count, x->threads, x->say, progress, e);

	if (code)
		return code;
	code = call_mix_init(&x->calls, r.log->trace, e);
	x->metrics = *r.metrics;
	x->compute = r.log->trace->compute_source;
	x->metrics.log = NULL;
	x->metrics.waits = NULL;
	x->metrics.ideal = NULL;
	x->metrics.critical = NULL;
	x->metrics.critical_count = 0;
	x->metrics.of_process = NULL;
	x->metrics.cpu_of_process = NULL;
	release_read(&r);
	return code;
}

static void free_reading(struct task *t)
{
	struct run_reading *x = (struct run_reading *)t;

	call_mix_release(&x->calls);
	free_paths(x->paths, x->count);
	made_unref(x->spent);
	mem_free(x);
}

static struct run *reading_now(const struct runs *r)
{
	for (uint32_t i = 0; i < r->count; i++)
		if (r->list[i].state == RUN_READING)
			return &r->list[i];
	return NULL;
}

/* What the open run spent, if a view has asked for it before: it is not made twice. */
static struct spent *spent_by(const struct model *m, const struct trace *open)
{
	return open == m->trace ? made_ref(spent_run(m)) : NULL;
}

static void run_reading_begin(struct model *m, struct run *run)
{
	struct run_reading *x = mem_zero(1, sizeof *x);

	if (x)
		x->paths = copy_paths(run);
	if (!x || !x->paths) {
		mem_free(x);
		run->state = RUN_FAILED;
		snprintf(run->say, sizeof run->say, "not enough memory to read it");
		return;
	}
	x->task = (struct task){read_figures, free_reading};
	x->id = run->id;
	x->session = m->session;
	x->open = run == &m->runs->list[m->runs->open] ? m->recorded : NULL;
	x->spent = spent_by(m, x->open);
	x->count = run->path_count;
	x->threads = m->runs->threads;
	run->state = RUN_READING;
	background_ask(m->background, m->slots.run, &x->task);
}

/* A run may have been taken out meanwhile. */
static struct run *run_reading_take(struct model *m)
{
	struct runs *r = m->runs;
	struct err e;
	struct run_reading *x = (struct run_reading *)background_take(m->background, m->slots.run, &e);
	struct run *run = reading_now(r);

	if (x) {
		if (run && run->id == x->id) {
			run->state = RUN_KNOWN;
			run->metrics = x->metrics;
			call_mix_release(&run->calls);
			run->calls = x->calls;
			x->calls = (struct call_mix){0};
			run->compute = x->compute;
			memcpy(run->say, x->say, sizeof run->say);
		} else {
			run = NULL;
		}
		free_reading(&x->task);
	} else if (run && e.code) {
		run->state = e.code == ERR_CANCELLED ? RUN_STOPPED : RUN_FAILED;
		snprintf(run->say, sizeof run->say, "%s", e.code == ERR_CANCELLED ? "reading stopped" : e.text);
	} else {
		return NULL;
	}
	runs_settle(r);
	return run && run->say[0] && run->state != RUN_STOPPED ? run : NULL;
}

static void begin_next(struct model *m)
{
	struct runs *r = m->runs;

	if (!m->trace || !m->analysis || reading_now(r))
		return;
	for (uint32_t i = 0; i < r->count; i++) {
		/* A single run is of interest to who looks for it. */
		if (r->list[i].state != RUN_WAITING || (r->count == 1 && !r->wanted))
			continue;
		run_reading_begin(m, &r->list[i]);
		r->serial++;
		if (r->list[i].state == RUN_READING)
			return;
	}
}

const struct run *runs_work(struct model *m)
{
	const struct run *says;

	if (!m->background)
		return NULL;
	says = run_reading_take(m);
	begin_next(m);
	return says;
}

bool runs_stop(struct model *m)
{
	struct runs *r = m->runs;
	bool any = reading_now(r) != NULL;

	for (uint32_t i = 0; i < r->count; i++) {
		struct run *run = &r->list[i];

		if (run->state != RUN_WAITING || !any)
			continue;
		run->state = RUN_STOPPED;
		snprintf(run->say, sizeof run->say, "reading stopped");
	}
	if (any) {
		background_cancel(m->background, m->slots.run);
		runs_settle(r);
	}
	return any;
}

void runs_work_end(struct runs *r)
{
	struct run *run = reading_now(r);

	if (run)
		run->state = RUN_WAITING;
	runs_settle(r);
}

double runs_progress(const struct model *m, bool *known)
{
	struct background_state state = background_state(m->background, m->slots.run);

	*known = state.busy && state.total && (state.stage == PROGRESS_SCAN || state.stage == PROGRESS_READ);
	return *known ? (double)state.done / (double)state.total : 0;
}

/* --- the diagnosis --- */

static enum err_code find_phases(struct phase_rows *rows, struct phase_spans **spans, const struct runs_diagnosis *x, const struct read_run *r,
				 const struct progress *progress, struct err *e)
{
	struct analysis *a = NULL;
	enum err_code code = analysis_new(&a, r->log->trace, &x->settings, NULL, ANALYSIS_PHASES, progress, e);

	if (!code)
		code = phase_spans_new(spans, r->log, a->clockwork, a->phases, progress, e);
	if (!code)
		code = phase_rows_init(rows, r->metrics, *spans, a->figures, progress, e);
	analysis_unref(a);
	return code;
}

static enum err_code say_diagnosis(struct runs_diagnosis *x, struct err *e)
{
	const struct diagnosis_settings settings = {.kind = x->kind, .serial = (double)NAN, .bar = FACTOR_BAR};
	struct diagnosis d;
	struct out o;

	diagnosis_make(&d, x->runs, x->count, x->reference, &settings);
	out_init(&o);
	diagnosis_text(&d, &settings, x->paths[0][0], &o);
	x->text = o.failed ? NULL : mem_alloc(o.len + SIGNS_MOST + 1, 1);
	if (x->text) {
		snprintf(x->text, o.len + 1, "%s", o.text ? o.text : "");
		unit_signs(x->text, o.len + SIGNS_MOST + 1);
	}
	out_release(&o);
	return x->text ? ERR_OK : err_memory(e, "the diagnosis");
}

static enum err_code diagnosis_derive(void *made, const struct progress *progress, struct err *e)
{
	struct runs_diagnosis *x = made;
	uint32_t place[2] = {x->looked, x->reference};
	struct read_run read[2] = {{0}, {0}};
	struct state_rows states[2] = {{0}, {0}};
	struct phase_rows phases = {0};
	struct phase_spans *spans = NULL;
	char say[ERR_TEXT];
	enum err_code code = x->complete ? ERR_OK : err_memory(e, "the diagnosis");

	if (code)
		return code;
	for (int i = 0; i < 2 && x->paths[i] && !code; i++) {
		code = read_run(&read[i], x->session, x->open[i], x->spent[i], x->paths[i], x->path_count[i], x->threads, say, progress, e);
		if (!code)
			code = state_rows_init(&states[i], read[i].metrics, progress, e);
		x->runs[place[i]].metrics = read[i].metrics;
		x->runs[place[i]].states = &states[i];
	}
	if (!code)
		code = find_phases(&phases, &spans, x, &read[0], progress, e);
	x->runs[x->looked].phases = &phases;
	if (!code)
		code = say_diagnosis(x, e);
	phase_rows_release(&phases);
	phase_spans_free(spans);
	for (int i = 0; i < 2; i++) {
		state_rows_release(&states[i]);
		release_read(&read[i]);
	}
	return code;
}

static void diagnosis_release(void *made)
{
	struct runs_diagnosis *x = made;

	for (int i = 0; i < 2; i++) {
		free_paths(x->paths[i], x->path_count[i]);
		made_unref(x->spent[i]);
	}
	mem_free(x->runs);
	mem_free(x->metrics);
	mem_free(x->text);
}

static bool copy_files(struct runs_diagnosis *x, int i, const struct model *m, uint32_t place)
{
	const struct run *run = &m->runs->list[m->runs->order[place]];

	x->open[i] = m->runs->order[place] == m->runs->open ? m->recorded : NULL;
	x->spent[i] = spent_by(m, x->open[i]);
	x->paths[i] = copy_paths(run);
	x->path_count[i] = run->path_count;
	return x->paths[i] != NULL;
}

static bool diagnosis_can(const void *from)
{
	return ((const struct model *)from)->runs->known;
}

static void diagnosis_begin(void *made, const void *from)
{
	const struct model *m = from;
	const struct runs *r = m->runs;
	struct runs_diagnosis *x = made;

	x->session = m->session;
	x->serial = r->serial;
	x->runs = mem_zero(r->known, sizeof *x->runs);
	x->metrics = mem_alloc(r->known, sizeof *x->metrics);
	if (!x->runs || !x->metrics)
		return;
	for (uint32_t i = 0; i < r->known; i++) {
		x->metrics[i] = r->list[r->order[i]].metrics;
		x->runs[i] = (struct diagnosed){.metrics = &x->metrics[i], .figures = r->figures[i]};
	}
	x->count = r->known;
	x->reference = r->reference;
	x->kind = r->kind;
	x->threads = r->threads;
	x->settings = m->settings;
	x->looked = diagnosis_run(x->runs, x->count);
	x->complete = copy_files(x, 0, m, x->looked) &&
		      (x->reference == NO_RUN || x->reference == x->looked || copy_files(x, 1, m, x->reference));
}

/* Until all runs are read, one of some of them will do. */
static bool diagnosis_is_of(const void *made, const void *from)
{
	const struct runs *r = ((const struct model *)from)->runs;

	return ((const struct runs_diagnosis *)made)->serial == r->serial || r->known < r->count;
}

static const struct derived_kind diagnosis_kind = {
	"the diagnosis", sizeof(struct runs_diagnosis), diagnosis_can, diagnosis_begin, diagnosis_is_of, diagnosis_derive, diagnosis_release,
};

bool runs_diagnose(struct derived *d, const struct model *m)
{
	return derived_update(d, &diagnosis_kind, m->background, m);
}
