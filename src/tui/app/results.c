/* Background results about the trace: results of `pas2p run`, whether they are of this trace, and what a signature would
 * measure. */
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/base/mem.h"
#include "core/base/text.h"
#include "app_int.h"

struct result_reading {
	struct task task;
	char path[PROMPT_TEXT * 2];
	struct result result;
	bool whole;
};

struct hashing {
	struct task task;
	const struct trace *trace;
	char sha256[65];
};

static enum err_code read_result(struct task *t, const struct progress *progress, struct err *e)
{
	struct result_reading *r = (struct result_reading *)t;
	char safe[256];
	enum err_code code;
	struct stat st;
	(void)progress;

	/* Leaving would wait for a pipe's writer. */
	if (stat(r->path, &st) == 0 && !S_ISREG(st.st_mode))
		return err_set(e, ERR_FORMAT, "%s is not a file",
			       text_safe(safe, sizeof safe, r->path, SIZE_MAX, TEXT_UTF8));
	code = result_read_file(&r->result, r->path, e);
	r->whole = !code;
	return code;
}

static void free_reading(struct task *t)
{
	struct result_reading *r = (struct result_reading *)t;

	if (r->whole)
		result_release(&r->result);
	mem_free(r);
}

static enum err_code hash_trace(struct task *t, const struct progress *progress, struct err *e)
{
	struct hashing *h = (struct hashing *)t;

	return trace_digest(h->trace, h->sha256, progress, e);
}

static void free_hashing(struct task *t)
{
	mem_free(t);
}

static void app_results_say(struct app *a)
{
	const struct results *r = &a->work.model.results;
	char label[RESULT_LABEL];

	if (!r->shown) {
		app_say(a, ROLE_DEFAULT, "No result is shown.");
		return;
	}
	results_label(&r->list[r->shown - 1], label);
	app_say(a, ROLE_DEFAULT, "Result %u of %u: %s", (unsigned)r->shown, (unsigned)r->count, label);
}

static void app_results_check(struct app *a)
{
	struct results *r = &a->work.model.results;
	struct err e = {0};

	if (a->work.model.recorded && results_check(r, a->work.model.recorded, &e))
		app_say(a, ROLE_ERROR, "result not shown: %s", e.text);
	results_match(r, a->work.model.analysis);
}

static void ask_hash(struct app *a)
{
	struct hashing *h;

	if (!a->work.model.recorded || !a->work.model.results.count || a->work.model.results.sha256[0] || a->work.hashing)
		return;
	h = mem_zero(1, sizeof *h);
	if (!h) {
		app_say(a, ROLE_ERROR, "not enough memory to read the trace");
		return;
	}
	h->task = (struct task){hash_trace, free_hashing};
	h->trace = a->work.model.recorded;
	a->work.hashing = true;
	background_ask(a->work.model.background, a->work.model.slots.hash, &h->task);
}

enum err_code app_results_open(struct app *a, struct err *e)
{
	enum err_code code = ERR_OK;

	for (uint32_t i = 0; i < a->work.options->result_count && !code; i++) {
		struct result result;

		code = result_read_file(&result, a->work.options->results[i], e);
		if (!code)
			code = results_add(&a->work.model.results, &result, NULL, e);
	}
	a->work.model.results.shown = a->work.model.results.count > 0;
	return code;
}

void app_results_news(struct app *a)
{
	struct results *results = &a->work.model.results;
	struct err e = {0};
	struct task *t = background_take(a->work.model.background, a->work.model.slots.result, &e);

	if (t) {
		struct result_reading *reading = (struct result_reading *)t;

		reading->whole = false; /* it is taken over */
		if (results_add(results, &reading->result, a->work.model.recorded, &e))
			app_say(a, ROLE_ERROR, "result not shown: %s", e.text);
		else
			app_results_say(a);
		free_reading(t);
		results_match(results, a->work.model.analysis);
	} else if (e.code) {
		app_say(a, ROLE_ERROR, "%s", e.text);
	}
	if (results->count && a->work.model.recorded && !a->work.hashing && !results->sha256[0])
		app_results_check(a); /* what is of another number of processes needs no hash */
	ask_hash(a);
	t = background_take(a->work.model.background, a->work.model.slots.hash, &e);
	if (t) {
		memcpy(results->sha256, ((struct hashing *)t)->sha256, sizeof results->sha256);
		free_hashing(t);
		app_results_check(a);
	} else if (e.code && a->work.hashing) {
		app_say(a, ROLE_ERROR, "results are not shown: %s", e.text);
		results_clear(results);
		results_match(results, a->work.model.analysis);
	}
	a->work.hashing = a->work.hashing && !results->sha256[0] && !e.code;
}

enum err_code app_result(struct app *a, const char *path, struct err *e)
{
	struct result_reading *r = mem_zero(1, sizeof *r);

	if (!r)
		return err_memory(e, "the result");
	r->task = (struct task){read_result, free_reading};
	app_full_path(path, r->path, sizeof r->path);
	background_ask(a->work.model.background, a->work.model.slots.result, &r->task);
	return ERR_OK;
}

void app_result_next(struct app *a)
{
	struct results *r = &a->work.model.results;

	if (!r->count) {
		prompt_open(&a->shell.prompt, PROMPT_COMMAND, ":", access("result.yaml", R_OK) ? "result " : "result result.yaml");
		return;
	}
	results_next(r);
	results_match(r, a->work.model.analysis);
	app_results_say(a);
}

void app_result_settings(struct app *a)
{
	const struct result *r = results_shown(&a->work.model.results);
	struct settings s;

	if (!r || !r->has_settings) {
		app_say(a, ROLE_WARN, r ? "This result does not contain its settings." : "No result is shown.");
		return;
	}
	s = r->settings;
	undo_end_gesture(&a->history.undo);
	if (settings_equal(&s, &a->work.model.settings))
		app_say(a, ROLE_DIM, "The settings are already those of the result.");
	else
		app_say(a, ROLE_DEFAULT, "Using the settings of the result; u undoes this.");
	app_settings(a, &s, -1);
}

/* What a signature would measure of the analysis that is shown: it takes a look at every occurrence, so no knob waits
 * for it. Until it is there the panel says so. */

struct measure_task {
	struct task task;
	const struct analysis *analysis; /* a reference */
	uint64_t serial;
	struct table_measure measure;
};

static enum err_code measure_task_run(struct task *t, const struct progress *progress, struct err *e)
{
	struct measure_task *m = (struct measure_task *)t;

	return analysis_measure(&m->measure, m->analysis, progress, e);
}

static void free_measuring(struct task *t)
{
	analysis_unref(((struct measure_task *)t)->analysis);
	mem_free(t);
}

void app_measure_ask(struct app *a)
{
	struct measure_task *m;

	a->work.model.measure = (struct table_measure){0};
	if (a->work.model.analysis->windows) /* they are what is measured, and told with the rest */
		return;
	m = mem_zero(1, sizeof *m);
	a->shell.panel.now.measuring = m != NULL;
	if (!m)
		return;
	m->task = (struct task){measure_task_run, free_measuring};
	m->analysis = analysis_ref(a->work.model.analysis);
	m->serial = a->work.model.serial;
	background_ask(a->work.model.background, a->work.model.slots.measure, &m->task);
}

void app_measure_news(struct app *a)
{
	struct err e;
	struct measure_task *m = (struct measure_task *)background_take(a->work.model.background, a->work.model.slots.measure, &e);

	if (!m) {
		a->shell.panel.now.measuring = a->shell.panel.now.measuring && !e.code;
		return;
	}
	if (m->serial == a->work.model.serial) {
		a->work.model.measure = m->measure;
		a->shell.panel.now.measuring = false;
		a->shell.panel.now.measured = m->measure.occurrences;
		a->shell.panel.now.off = m->measure.off;
	}
	free_measuring(&m->task);
}
