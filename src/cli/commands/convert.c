/* pas2p convert: a trace in another format, and the parts that this format cannot hold. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli/batch.h"
#include "cli/complain.h"
#include "cli/plural.h"
#include "commands_int.h"
#include "core/base/mem.h"
#include "core/base/number.h"
#include "core/base/text.h"
#include "core/base/unit.h"
#include "core/formats/convert.h"
#include "core/io/tree_out.h"
#include "core/metrics/calls/phase_spans.h"

#define RATE 1e9
#define RATE_MOST 1e18

/* What the options ask for. */
struct convert_asked {
	const struct format_writer *writer;
	double rate, from, to;
	uint32_t first_rank, last_rank;
};

/* ---- options ---- */

static bool read_window(const char *text, double *from, double *to)
{
	const char *colon = strchr(text, ':');

	if (!colon || (colon != text && !number_parse(text, (size_t)(colon - text), from)))
		return false;
	if (colon[1] && !number_parse(colon + 1, strlen(colon + 1), to))
		return false;
	return *from >= 0 && *to > *from;
}

static bool read_ranks(const char *text, uint32_t *first, uint32_t *last)
{
	const char *dash = strchr(text, '-');
	size_t n = dash ? (size_t)(dash - text) : strlen(text);
	uint64_t a, b;

	if (!number_parse_whole(text, n, &a) || a > UINT32_MAX)
		return false;
	b = a;
	if (dash && (!number_parse_whole(dash + 1, strlen(dash + 1), &b) || b > UINT32_MAX))
		return false;
	*first = (uint32_t)a;
	*last = (uint32_t)b;
	return a <= b;
}

static enum err_code refuse_for(const struct format_writer *writer, const char *option, struct err *e)
{
	return err_set(e, ERR_USAGE, "--%s has no effect with --to %s", option, writer->to);
}

/* Settings change what phases there are; that matters only to who writes them. Which events there are matters to
 * all. */
static enum err_code check_settings(const struct options *o, const struct format_writer *writer, struct err *e)
{
	for (int id = 0; id < SETTING_COUNT; id++)
		if (o->setting[id] && id != SETTING_collectives && id != SETTING_clocks && !(writer->takes & CONVERT_TAKES_PHASES))
			return refuse_for(writer, setting_info((enum setting_id)id)->key, e);
	return ERR_OK;
}

static enum err_code convert_read_options(const struct options *o, struct convert_asked *a, struct err *e)
{
	*a = (struct convert_asked){.rate = RATE, .to = INFINITY, .last_rank = UINT32_MAX};
	if (convert_choose(&a->writer, o->to, o->convert_output, e))
		return e->code;
	if (!a->writer)
		return err_set(e, ERR_USAGE, "--to is missing, and the name of the output does not end in .clog2, .otf2, .prv or .json");
	if (!o->convert_output)
		return err_set(e, ERR_USAGE, "--output is missing: expected the name of the file to write");
	if (o->rate && !(a->writer->takes & CONVERT_TAKES_RATE))
		return refuse_for(a->writer, "rate", e);
	if ((o->convert_window || o->convert_ranks) && !(a->writer->takes & CONVERT_TAKES_WINDOW))
		return refuse_for(a->writer, o->convert_window ? "window" : "ranks", e);
	if (o->rate && !(number_parse(o->rate, strlen(o->rate), &a->rate) && a->rate > 0 && a->rate <= RATE_MOST))
		return option_wrong_value(e, "rate", o->rate, "floating-point operations per second, above 0 and at most 1e18");
	if (o->convert_window && !read_window(o->convert_window, &a->from, &a->to))
		return option_wrong_value(e, "window", o->convert_window, "two times in seconds, such as 0.5:2");
	if (o->convert_ranks && !read_ranks(o->convert_ranks, &a->first_rank, &a->last_rank))
		return option_wrong_value(e, "ranks", o->convert_ranks, "a rank such as 2, or a range such as 0-3");
	return check_settings(o, a->writer, e);
}

static bool to_stdout(const struct options *o)
{
	return !strcmp(o->convert_output, "-");
}

enum err_code convert_check(const struct options *o, struct err *e)
{
	struct convert_asked a;
	enum err_code code = convert_read_options(o, &a, e);

	if (!code && to_stdout(o) && isatty(STDOUT_FILENO))
		return err_set(e, ERR_USAGE, "refusing to write a trace to the terminal\nhint: give -o FILE");
	return code;
}

/* ---- the report ---- */

static void report_table(struct batch *b, const struct convert_run *run, const struct format_writer *writer)
{
	static const char *const kinds[3] = {"send", "receive", "collective"};
	struct out *o = &b->sink.out;
	uint32_t files = convert_output_files(run->output);
	uint64_t bytes = convert_output_bytes(run->output);
	char safe[256], format[64], size[UNIT_TEXT];
	bool lost = false;

	for (uint32_t i = 0; i < b->trace->file_count; i++)
		out_printf(o, "%-14s %s\n", i ? "" : "Input", text_safe(safe, sizeof safe, b->trace->files[i].path, SIZE_MAX, TEXT_UTF8));
	out_printf(o, "               %s, %" PRIu32 " process%s\n", trace_format_name(b->trace, format, sizeof format),
		   b->trace->process_count, b->trace->process_count == 1 ? "" : "es");
	out_printf(o, "Output         %s\n", to_stdout(b->options) ? "standard output"
		: text_safe(safe, sizeof safe, b->options->convert_output, SIZE_MAX, TEXT_UTF8));
	out_printf(o, "               %s", writer->what);
	if (!to_stdout(b->options))
		out_printf(o, "; %" PRIu32 " file%s, %s", files, plural(files), unit_bytes(size, bytes));
	out_str(o, "\n");
	out_str(o, "Events        ");
	for (int k = 0; k < 3; k++)
		out_printf(o, "%s %" PRIu64 " %s%s", k ? "," : "", run->events[k], kinds[k], plural(run->events[k]));
	out_str(o, "\n");
	for (uint32_t i = 0; i < run->loss_count; i++) {
		out_printf(o, "%-14s %" PRIu64 " %s\n", lost ? "" : "Not converted", run->losses[i].count, run->losses[i].what);
		lost = true;
	}
	if (!lost)
		out_str(o, "Not converted  nothing\n");
}

static enum err_code report_json(struct batch *b, const struct convert_run *run, const struct format_writer *writer, struct err *e)
{
	char safe[256], format[64];
	struct tree_out d;

	tree_out_init(&d, &b->sink.out, true);
	tree_map(&d, false);
	tree_put_map(&d, "input", false);
	tree_put_text(&d, "format", trace_format_name(b->trace, format, sizeof format));
	tree_put_list(&d, "files", false);
	for (uint32_t i = 0; i < b->trace->file_count; i++)
		tree_text(&d, text_safe(safe, sizeof safe, b->trace->files[i].path, SIZE_MAX, TEXT_UTF8));
	tree_end(&d);
	tree_put_whole(&d, "processes", b->trace->process_count);
	tree_end(&d);
	tree_put_map(&d, "output", false);
	tree_put_text(&d, "format", writer->to);
	tree_put_text(&d, "path", text_safe(safe, sizeof safe, b->options->convert_output, SIZE_MAX, TEXT_UTF8));
	tree_put_whole(&d, "files", convert_output_files(run->output));
	tree_put_whole(&d, "bytes", convert_output_bytes(run->output));
	tree_end(&d);
	tree_put_map(&d, "events", false);
	tree_put_whole(&d, "send", run->events[0]);
	tree_put_whole(&d, "receive", run->events[1]);
	tree_put_whole(&d, "collective", run->events[2]);
	tree_end(&d);
	tree_put_list(&d, "lost", false);
	for (uint32_t i = 0; i < run->loss_count; i++) {
		tree_map(&d, true);
		tree_put_text(&d, "what", run->losses[i].what);
		tree_put_whole(&d, "count", run->losses[i].count);
		tree_end(&d);
	}
	tree_end(&d);
	tree_end(&d);
	return tree_out_finish(&d, e);
}

/* ---- the command ---- */

static enum err_code starts_late(double from, double run_time, struct err *e)
{
	char start[UNIT_TEXT], end[UNIT_TEXT];

	return err_set(e, ERR_USAGE, "--window: %s is after the end of the run (%s)", unit_time_ascii(start, from), unit_time_ascii(end, run_time));
}

static enum err_code convert(struct batch *b, const struct convert_asked *a, struct convert_run *run, struct err *e)
{
	struct convert_analysis phases = {.lt = NULL};
	struct record_log *log;
	uint32_t *lamport = NULL;
	bool analyses = a->writer->takes & CONVERT_TAKES_PHASES;
	enum err_code code = batch_load_records(b, analyses ? ANALYSIS_PHASES : 0, &log, e);

	if (code)
		return code;
	if (trace_has_time(b->trace) && a->from > trace_aet(b->trace)) {
		record_log_free(log);
		return starts_late(a->from, trace_aet(b->trace), e);
	}
	if (b->settings->collectives == COLLECTIVES_IGNORE)
		record_log_ignore_collectives(log);
	if (analyses)
		code = convert_analysis_init(&phases, b->trace, b->analysis, b->progress, e);
	if (!code && a->writer->takes & CONVERT_TAKES_LAMPORT)
		code = convert_lamport(&lamport, b->trace, b->settings->collectives, b->progress, e);
	if (!code) {
		run->trace = b->trace;
		run->lamport = lamport;
		run->log = log;
		run->phases = analyses ? &phases.out : NULL;
		code = convert_write(run, a->writer, e);
		if (code)
			b->sink.err = *e; /* ends as what cannot be written */
	}
	convert_analysis_release(&phases);
	mem_free(lamport);
	record_log_free(log);
	return code;
}

static void warn_empty(const struct options *o, const struct trace *t)
{
	char safe[80], end[UNIT_TEXT], text[120] = "the trace has no records";

	if (trace_has_time(t))
		snprintf(text, sizeof text, "the run ends at %s", unit_time_ascii(end, trace_aet(t)));
	complain("warning: --window %s selects no events: %s",
		 text_safe(safe, sizeof safe, o->convert_window, SIZE_MAX, TEXT_UTF8), text);
}

enum err_code cmd_convert(struct batch *b, struct err *e)
{
	const struct options *o = b->options;
	struct convert_run run = {.progress = b->progress};
	struct convert_asked a;
	enum err_code code = convert_read_options(o, &a, e);

	if (code)
		return code;
	code = convert_output_new(&run.output, o->convert_output, a.writer, o->force, b->progress, e);
	if (code) {
		b->sink.err = *e;
		return code;
	}
	code = convert_output_refuse(run.output, o->files, o->file_count, e);
	if (code) {
		convert_output_free(run.output);
		return code;
	}
	run.rate = a.rate;
	run.from = a.from;
	run.to = a.to;
	run.first_rank = a.first_rank;
	run.last_rank = a.last_rank;
	code = convert(b, &a, &run, e);
	batch_prints(b);
	if (!code && o->convert_report == CONVERT_JSON)
		code = report_json(b, &run, a.writer, e);
	else if (!code)
		report_table(b, &run, a.writer);
	if (to_stdout(o)) {
		if (!o->quiet)
			fwrite(b->sink.out.text, 1, b->sink.out.len, stderr);
		b->sink.out.len = 0;
	}
	if (!code && o->convert_window && !(run.events[0] + run.events[1] + run.events[2]))
		warn_empty(o, b->trace);
	convert_output_free(run.output);
	return code;
}

/* Of each event; those that the analysis leaves out have no logical time. tick: NULL, or likewise. */
static void take_times(uint32_t *lt, uint32_t *tick, const struct trace *t, const struct logical *l)
{
	bool all = l->trace == t;

	for (uint32_t p = 0; p < t->process_count; p++) {
		uint32_t of = l->trace->first[p];

		for (uint32_t event = t->first[p]; event < t->first[p + 1]; event++) {
			bool left_out = !all && EVENT_KIND(t->type[event]) == EVENT_COLLECTIVE;

			lt[event] = left_out ? UINT32_MAX : logical_lt(l, of);
			if (tick)
				tick[event] = left_out ? UINT32_MAX : l->tick[of];
			of += !left_out;
		}
	}
}

static void take_spans(struct convert_analysis *x, const struct phase_spans *s, uint32_t processes)
{
	for (uint32_t p = 0; p <= processes; p++)
		x->first[p] = s->first[p];
	for (uint32_t i = 0; i < s->first[processes]; i++)
		x->spans[i] = (struct convert_span){s->spans[i].from, s->spans[i].phase};
}

enum err_code convert_analysis_init(struct convert_analysis *x, const struct trace *t, const struct analysis *a, const struct progress *progress,
				    struct err *e)
{
	struct phase_spans *spans;
	enum err_code code;

	*x = (struct convert_analysis){.lt = NULL};
	code = phase_spans_new(&spans, NULL, a->clockwork, a->phases, progress, e);
	if (code)
		return code;
	x->lt = mem_alloc(t->event_count, sizeof *x->lt);
	x->tick = mem_alloc(t->event_count, sizeof *x->tick);
	x->first = mem_alloc((size_t)t->process_count + 1, sizeof *x->first);
	x->phases = mem_alloc(a->phases->count, sizeof *x->phases);
	x->spans = mem_alloc(spans->first[t->process_count], sizeof *x->spans);
	if (x->lt && x->tick && x->first && x->phases && x->spans) {
		take_times(x->lt, x->tick, t, a->logical);
		take_spans(x, spans, t->process_count);
		for (uint32_t i = 0; i < a->phases->count; i++)
			x->phases[i] = (struct convert_phase){a->phases->list[i].weight, a->figures->phase[i].relevant};
		x->out = (struct convert_phases){x->lt, x->tick, x->phases, x->spans, x->first};
	} else {
		code = err_memory(e, "the phases");
	}
	phase_spans_free(spans);
	return code;
}

enum err_code convert_lamport(uint32_t **out, const struct trace *t, enum collectives collectives, const struct progress *progress, struct err *e)
{
	struct logical *l;
	enum err_code code = logical_new(&l, t, ORDER_LAMPORT, collectives, progress, e);

	*out = NULL;
	if (code)
		return code;
	*out = mem_alloc(t->event_count, sizeof **out);
	if (*out)
		take_times(*out, NULL, t, l);
	else
		code = err_memory(e, "logical times");
	logical_unref(l);
	return code;
}

void convert_analysis_release(struct convert_analysis *x)
{
	mem_free(x->lt);
	mem_free(x->tick);
	mem_free(x->first);
	mem_free(x->phases);
	mem_free(x->spans);
}
