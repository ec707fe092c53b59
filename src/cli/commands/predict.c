/* pas2p predict: a model's times at the points asked for (docs/internals/model-rules.md, "Predictions in files"). */
#include <stdio.h>
#include <string.h>

#include "cli/command.h"
#include "cli/given.h"
#include "cli/complain.h"
#include "cli/cli.h"
#include "cli/interrupt.h"
#include "cli/progress_meter.h"
#include "cli/sink.h"
#include "core/base/text.h"
#include "commands_int.h"
#include "core/models/graph/graph.h"
#include "core/models/machine/machine.h"
#include "core/models/fit/measurements_csv.h"
#include "core/models/graph/model_read.h"

struct predict_inputs {
	struct program_model model;
	struct machine machine, base;
	struct prediction prediction;
};

static enum err_code predict_to_sink(void *arg, const char *bytes, size_t n, struct err *e)
{
	return sink_write(arg, bytes, n, e);
}

static enum err_code write_bounds(const struct options *o, const struct evaluate_input *in, struct sink *s, struct err *e)
{
	const struct rows_sink rows = {predict_to_sink, s};
	struct bounds t;
	enum err_code code = bounds_make(&t, in, e);

	if (!code && (o->format == FORMAT_JSON || o->format == FORMAT_YAML))
		code = bounds_write_tree(&t, in, o->format == FORMAT_JSON, &s->out, e);
	else if (!code && o->format == FORMAT_CSV)
		code = bounds_write_csv(&t, &rows, e);
	else if (!code)
		bounds_write_text(&t, &s->out);
	bounds_release(&t);
	return code;
}

static enum err_code prediction_write_all(const struct options *o, const struct prediction *p, struct sink *s, struct err *e)
{
	const struct rows_sink rows = {predict_to_sink, s};
	enum err_code code;

	if (o->graph || o->expression) {
		const struct evaluate_input in = {
			.model = p->model, .machine = p->machine, .base = p->base, .values = p->rows[0].values, .contention = p->contention,
			.progress = p->progress,
		};

		code = o->expression ? write_bounds(o, &in, s, e) :
		       graph_out(o, &in, p->model->name ? p->model->name : p->model->file, s, e);
	} else if (o->format == FORMAT_JSON || o->format == FORMAT_YAML) {
		code = prediction_write_tree(p, o->format == FORMAT_JSON, &s->out, e);
	} else {
		code = prediction_write_rows(p, o->format == FORMAT_CSV ? ROWS_CSV : ROWS_TABLE, &rows, e);
		if (!code && o->format == FORMAT_TABLE) {
			prediction_write_inside(p, &s->out);
			prediction_write_notes(p, "note: ", &s->out);
		}
	}
	return code ? code : sink_drain(s, e);
}

static enum exit_code prediction_print(const struct options *o, const struct prediction *p)
{
	struct sink s;
	struct err e = {0};
	enum err_code code = sink_open(&s, o->output, &e);

	if (!code)
		code = prediction_write_all(o, p, &s, &e);
	return sink_end(&s, code, &e);
}

static enum err_code prediction_read_inputs(const struct options *o, struct predict_inputs *a, struct err *e)
{
	enum err_code code = model_read(&a->model, o->files[0], e);

	if (!code && o->block)
		code = model_run_block(&a->model, o->block, e);
	if (!code && !a->model.program)
		code = err_set(e, ERR_FORMAT, "%s: it has no program, so there is nothing to predict", a->model.file);
	if (!code && o->machine) {
		code = machine_read(&a->machine, o->machine, e);
		a->prediction.machine = &a->machine;
	}
	if (!code && o->base) {
		code = machine_read(&a->base, o->base, e);
		a->prediction.base = &a->base;
	}
	return code;
}

static enum err_code take_measured(const struct options *o, struct predict_inputs *a, struct err *e)
{
	char safe[PATH_MAX];
	struct measurements m;
	struct source source;
	enum err_code code = source_open_file(&source, o->measured, e);

	if (code)
		return code;
	code = measurements_read(&m, &source, 1, NULL, a->prediction.progress, e);
	source_release(&source);
	if (code)
		return code;
	code = predict_measured(&a->prediction, &m, text_safe(safe, sizeof safe, o->measured, SIZE_MAX, TEXT_UTF8), e);
	measurements_release(&m);
	return code;
}

static enum exit_code no_model(const struct options *o, const char *kind)
{
	enum exit_code status = complain_kind("predict", o->files[0], kind, "a model");

	if (strcmp(kind, "a machine") == 0)
		complain_hint("give the machine with --machine, and the model as the file");
	return status;
}

/* Is one of the files behind an option something else? */
static bool no_machine(const char *option, const char *file, enum exit_code *status)
{
	const char *kind = file ? given_kind(file) : NULL;

	if (!kind || model_file_kind(file) == MODEL_FILE_MACHINE)
		return false;
	*status = complain_kind(option, file, kind, "a machine");
	return true;
}

enum exit_code cmd_predict(const struct options *o)
{
	struct predict_inputs a = {.prediction = {.contention = o->contention}};
	struct progress_meter meter;
	struct err e = {0};
	const char *kind;
	enum err_code code;
	enum exit_code status;

	if (o->file_count != 1)
		return misused(o, o->file_count ? "predict: expected one model, found "
			       "several" : "predict: no model given");
	kind = given_kind(o->files[0]);
	if (kind && model_file_kind(o->files[0]) != MODEL_FILE_MODEL)
		return no_model(o, kind);
	if (no_machine("--machine", o->machine, &status) || no_machine("--base", o->base, &status))
		return status;
	if (o->base && !o->machine)
		return misused(o, "--base needs --machine: pas2p converts the times of the base machine to the target "
			       "machine");
	if (o->graph && (graph_out_check(o, &e) || o->format == FORMAT_YAML))
		return misused(o, o->format == FORMAT_YAML ? "--graph writes yaml, but a model is written in yaml "
			       "already" : e.text);
	if (o->expression && (o->graph || o->base || o->measured))
		return misused(o, o->graph ? "--expression and --graph cannot be used together" : o->base ?
			       "--expression shows the model's own times: leave out --base" :
			       "--expression is for one point, but --measured has many");
	interrupt_catch();
	progress_meter_init(&meter, !o->quiet);
	program_model_init(&a.model);
	machine_init(&a.machine);
	machine_init(&a.base);
	a.prediction.model = &a.model;
	a.prediction.keep_processes = o->format == FORMAT_JSON || o->format == FORMAT_YAML;
	a.prediction.progress = &meter.progress;
	code = prediction_read_inputs(o, &a, &e);
	if (!code)
		code = own_inputs_refuse_more(o, a.model.files, a.model.file_count, &e);
	if (!code && o->measured)
		code = take_measured(o, &a, &e);
	for (uint32_t i = 0; !code && i < o->define.count; i++)
		code = predict_sweep(&a.prediction, o->define.text[i], &e);
	if (!code)
		code = predict_rows(&a.prediction, &e);
	if (!code && o->graph && a.prediction.row_count != 1)
		code = err_set(&e, ERR_USAGE, "--graph is for one point: give one value with each -D");
	if (!code && o->expression && a.prediction.row_count != 1)
		code = err_set(&e, ERR_USAGE, "--expression is for one point: give one value with each -D");
	progress_meter_clear(&meter);
	if (code == ERR_USAGE) {
		status = misused(o, e.text);
	} else if (code) {
		complain("%s", e.text);
		status = exit_of_err(code);
	} else {
		status = prediction_print(o, &a.prediction);
	}
	prediction_release(&a.prediction);
	machine_release(&a.base);
	machine_release(&a.machine);
	program_model_release(&a.model);
	return status;
}
