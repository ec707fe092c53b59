/* pas2p fit: measurements as functions of their parameters. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/command.h"
#include "cli/complain.h"
#include "cli/interrupt.h"
#include "cli/progress_meter.h"
#include "cli/sink.h"
#include "core/base/mem.h"
#include "core/base/number.h"
#include "core/base/order.h"
#include "core/base/text.h"
#include "core/models/fit/fit.h"
#include "core/models/fit/write.h"
#include "core/formats/api/load.h"
#include "core/formats/api/open.h"
#include "core/formats/runs.h"
#include "core/metrics/calls/log.h"
#include "core/models/fit/measurements_csv.h"

/* What the options say, read. */
struct fit_asked {
	struct fit_options fit;
	double breaks[PIECES_MOST];
	double *at;              /* [place][parameter]; owned */
};

struct fitting {
	const struct options *options;
	struct fit_asked asked;
	struct source *sources;
	struct measurements measurements;
	struct measured_sets sets;
	struct fit_report report;
	struct trace_measures traces; /* that the measurements are of, if they are */
	struct out files;        /* their names in one text */
	bool have_measurements;
};

/* ---- options ---- */

static enum err_code read_breaks(struct fit_asked *a, const char *text, struct err *e)
{
	const char *from = text;

	while (from) {
		const char *end = strchr(from, ',');
		size_t n = end ? (size_t)(end - from) : strlen(from);

		if (a->fit.break_count == PIECES_MOST || !number_parse(from, n, &a->breaks[a->fit.break_count]))
			return option_wrong_value(e, "break", text, "numbers, separated by commas, such as 1024,65536");
		a->fit.break_count++;
		from = end ? end + 1 : NULL;
	}
	SORT(a->breaks, a->fit.break_count, order_double);
	a->fit.breaks = a->breaks;
	return ERR_OK;
}

static enum fit_kind kind_of(const char *word)
{
	enum fit_kind k = FIT_DEFAULT;

	while (word && strcmp(fit_kind_name(k), word) != 0)
		k++;
	return k;
}

static bool is_name(const char *text)
{
	struct out out;
	bool same;

	out_init(&out);
	fit_name(text, "", &out);
	same = !out.failed && out.len && !strcmp(out.text, text);
	out_release(&out);
	return same;
}

/* What can be read before the measurements are. */
static enum err_code read_options(struct fit_asked *a, const struct options *o, struct err *e)
{
	a->fit = (struct fit_options){.kind = kind_of(o->form), .weights = o->weights, .segments = o->segments, .degree = o->degree};
	if (o->function_name && !is_name(o->function_name))
		return option_wrong_value(e, "name", o->function_name, "a name of letters, digits and _ that is not a "
					  "word of the model language");
	return o->breaks ? read_breaks(a, o->breaks, e) : ERR_OK;
}

/* One NAME=VALUE of a place. */
static enum err_code read_value(double *at, const struct measurements *m, const char *text, size_t n, const char *whole, struct err *e)
{
	const char *equals = memchr(text, '=', n);
	char name[256];

	if (!equals)
		return option_wrong_value(e, "at", whole, "NAME=VALUE, such as n=1000, separated by commas");
	text_safe(name, sizeof name, text, (size_t)(equals - text), TEXT_UTF8);
	for (uint32_t k = 0; k < m->parameters; k++) {
		if (strcmp(m->parameter[k], name) != 0)
			continue;
		if (!isnan(at[k]))
			return option_wrong_value(e, "at", whole, "each parameter once");
		if (!number_parse(equals + 1, n - (size_t)(equals + 1 - text), &at[k]))
			return option_wrong_value(e, "at", whole, "numbers as values");
		return ERR_OK;
	}
	return err_set(e, ERR_USAGE, "--at: the measurements have no parameter '%s'", name);
}

static enum err_code read_places(struct fit_asked *a, const struct options *o, const struct measurements *m, struct err *e)
{
	enum err_code code = ERR_OK;

	a->at = mem_alloc((size_t)o->at.count * (m->parameters ? m->parameters : 1), sizeof *a->at);
	if (!a->at)
		return err_memory(e, "the points of --at");
	for (uint32_t i = 0; !code && i < o->at.count; i++) {
		double *at = a->at + (size_t)i * m->parameters;

		for (uint32_t k = 0; k < m->parameters; k++)
			at[k] = NAN;
		for (const char *from = o->at.text[i], *end; !code && from; from = end ? end + 1 : NULL) {
			end = strchr(from, ',');
			code = read_value(at, m, from, end ? (size_t)(end - from) : strlen(from), o->at.text[i], e);
		}
	}
	return code;
}

/* ---- fitting ---- */

/* One run's rows. What is readable of a damaged one counts, which is told. */
static enum err_code read_run(struct fitting *f, const char *const *files, uint32_t count, const struct progress *progress, struct err *e)
{
	const struct trace_options to = {.threads = f->options->threads};
	struct call_log *log = NULL;
	struct trace *trace = NULL;
	enum err_code code = call_log_load(&log, &trace, files, count, &to, progress, e);

	if (code == ERR_DAMAGED && log) {
		out_printf(&f->traces.notes, "%s\n", e->text);
		code = ERR_OK;
	}
	if (!code)
		code = trace_measures_add(&f->traces, log, progress, e);
	call_log_free(log);
	trace_free(trace);
	return code;
}

static enum err_code read_traces(struct fitting *f, const struct progress *progress, struct err *e)
{
	const struct options *o = f->options;
	uint32_t *run = mem_alloc(o->file_count, sizeof *run), runs = 0;
	const char **files = mem_alloc(o->file_count, sizeof *files);
	enum err_code code = run && files ? runs_of_sources(f->sources, o->file_count, run, &runs, e) : err_memory(e, "the traces");

	if (!code)
		code = trace_measures_init(&f->traces, e);
	for (uint32_t r = 0; !code && r < runs; r++) {
		uint32_t count = 0;

		for (uint32_t i = 0; i < o->file_count; i++)
			if (run[i] == r)
				files[count++] = o->files[i];
		code = read_run(f, files, count, progress, e);
	}
	if (!code)
		code = trace_measures_take(&f->traces, &f->measurements, e);
	mem_free(run);
	mem_free(files);
	return code;
}

static enum err_code read_measurements(struct fitting *f, const struct progress *progress, struct err *e)
{
	const struct options *o = f->options;
	enum err_code code = trace_files_open(&f->sources, o->files, o->file_count, e);
	bool traces = false;
	char safe[1024];

	if (!code)
		code = trace_known(&traces, f->sources, o->file_count, e);
	if (!code && traces && o->measured_column)
		code = err_set(e, ERR_USAGE, "--y names a column of CSV files, but the files are traces");
	if (!code && traces)
		code = read_traces(f, progress, e);
	else if (!code)
		code = measurements_read(&f->measurements, f->sources, o->file_count, o->measured_column, progress, e);
	f->have_measurements = !code;
	if (!code)
		code = measurements_sets(&f->measurements, o->value, &f->sets, e);
	for (uint32_t i = 0; i < o->file_count; i++) {
		out_str(&f->files, i ? ", " : "");
		out_str(&f->files, text_safe(safe, sizeof safe, o->files[i], SIZE_MAX, TEXT_UTF8));
	}
	if (!code && f->files.failed)
		code = err_memory(e, "the fits");
	return code;
}

static enum err_code fitting_make(struct fitting *f, const struct progress *progress, struct err *e)
{
	const struct options *o = f->options;
	enum err_code code = read_options(&f->asked, o, e);

	if (!code)
		code = read_measurements(f, progress, e);
	if (!code)
		code = read_places(&f->asked, o, &f->measurements, e);
	if (!code && o->function_name && f->sets.count > 1)
		code = err_set(e, ERR_USAGE, "--name: expected one group of measurements, found %u", f->sets.count);
	if (!code)
		code = fit_report_make(&f->report, f->files.text, &f->measurements, &f->sets, &f->asked.fit, f->asked.at, o->at.count, progress, e);
	return code;
}

static void fitting_release(struct fitting *f)
{
	fit_report_release(&f->report);
	measured_sets_release(&f->sets);
	if (f->have_measurements)
		measurements_release(&f->measurements);
	trace_measures_release(&f->traces);
	source_release_files(f->sources, f->sources ? f->options->file_count : 0);
	out_release(&f->files);
	mem_free(f->asked.at);
}

/* ---- printing ---- */

static enum err_code fit_to_sink(void *arg, const char *bytes, size_t n, struct err *e)
{
	return sink_write(arg, bytes, n, e);
}

static void fit_model_complain(void *arg, const char *sentence)
{
	const struct fit_model *m = arg;

	complain("%s%s%s", m->set->name, *m->set->name ? ": " : "", sentence);
}

/* What traces had to leave out, line by line. */
static void tell_left_out(const struct out *notes)
{
	for (const char *line = notes->text, *end; notes->len && (end = strchr(line, '\n')); line = end + 1)
		complain("%.*s", (int)(end - line), line);
}

static enum exit_code fitting_print(const struct fitting *f, const struct progress *progress)
{
	const struct options *o = f->options;
	struct sink s;
	struct err e = {0};
	enum err_code code = sink_open(&s, o->output, &e);
	const struct rows_sink rows = {fit_to_sink, &s};

	/* A table has them in it. */
	for (uint32_t i = 0; !o->quiet && o->format != FORMAT_TABLE && i < f->report.models; i++)
		fit_report_notes(&f->report, &f->report.model[i], fit_model_complain, &f->report.model[i]);
	if (!code && o->format == FORMAT_JSON)
		code = fit_report_json(&f->report, &s.out, &e);
	else if (!code && o->format == FORMAT_YAML)
		code = fit_report_functions(&f->report, o->function_name, &s.out, &e);
	else if (!code && o->format == FORMAT_CSV)
		code = fit_report_csv(&f->report, &rows, progress, &e);
	else if (!code)
		code = fit_report_print(&f->report, &s.out, &e);
	if (o->format == FORMAT_TABLE)
		sink_fit(&s, 0, 2);
	return sink_end(&s, code, &e);
}

enum exit_code cmd_fit(const struct options *o)
{
	struct fitting f = {.options = o};
	struct progress_meter meter;
	struct err e = {0};
	enum exit_code status;
	enum err_code code;

	if (!o->file_count)
		return misused(o, "fit: no measurements and no traces given");
	interrupt_catch();
	progress_meter_init(&meter, !o->quiet);
	out_init(&f.files);
	code = fitting_make(&f, &meter.progress, &e);
	progress_meter_clear(&meter);
	if (!o->quiet)
		tell_left_out(&f.traces.notes);
	if (code) {
		complain("%s", e.text);
		status = exit_of_err(code);
	} else {
		status = fitting_print(&f, &meter.progress);
	}
	fitting_release(&f);
	return status;
}
