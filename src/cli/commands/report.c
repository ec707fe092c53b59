/* pas2p report: a run, or several, as one page. */
#include <string.h>
#include <unistd.h>

#include "cli/cli.h"
#include "core/base/mem.h"
#include "core/documents/table.h"
#include "core/io/shell_words.h"
#include "core/reports/reports.h"
#include "report/report.h"

#define MAP_ROWS 32
#define MAP_COLUMNS 160

enum err_code report_check(const struct options *o, struct err *e)
{
	struct series_asked asked;
	enum err_code code = series_asked_read(o, &asked, e);

	if (code || o->page != PAGE_HTML || o->output || !isatty(STDOUT_FILENO))
		return code;
	err_set(e, ERR_USAGE, "report: refusing to write HTML to the terminal");
	return err_hint(e, "add -o report.html, or -f md for text");
}

struct report_work {
	struct operands operands;
	struct series series;
	struct series_run *looked;
	struct overview_run overview;
	struct heat_map *maps[HEAT_MEASURES];
	struct result *results;
	uint32_t result_count;
	struct arena arena;
	struct out command;
};

/* ---- parts ---- */

static enum err_code make_maps(struct batch *b, struct report_work *w, struct err *e)
{
	static const enum heat_measure measures[] = {HEAT_PHASE, HEAT_COMPUTE, HEAT_WAITING};
	const struct metrics_run *run = &w->looked->run;
	const struct heat_from from = {.log = run->log, .waits = run->metrics->waits, .spans = run->spans};
	uint32_t processes = w->looked->trace->process_count;
	enum err_code code = ERR_OK;

	if (!trace_has_time(w->looked->trace) || !(trace_aet(w->looked->trace) > 0))
		return ERR_OK;
	for (size_t i = 0; !code && i < sizeof measures / sizeof *measures; i++)
		code = heat_map_new(&w->maps[measures[i]], measures[i], &from, processes < MAP_ROWS ? processes : MAP_ROWS, MAP_COLUMNS,
				    b->progress, e);
	return code;
}

static enum err_code read_results(struct report_work *w, struct err *e)
{
	enum err_code code = ERR_OK;

	w->results = mem_zero(w->operands.result_count, sizeof *w->results);
	if (!w->results)
		return err_memory(e, "the results");
	for (uint32_t i = 0; !code && i < w->operands.result_count; i++) {
		code = result_read_file(&w->results[i], w->operands.results[i], e);
		w->result_count += !code;
	}
	return code;
}

static enum err_code report_make_work(struct batch *b, struct report_work *w, struct err *e)
{
	struct series_asked asked;
	enum err_code code = operands_init(&w->operands, b->options, false, e);

	if (!code && w->operands.second) {
		code = err_set(e, ERR_USAGE, "report: expected traces of one run, or of scaling runs, found ':'");
		err_hint(e, "leave out the colon; pas2p diff A B compares two runs");
	}
	if (!code)
		code = series_asked_read(b->options, &asked, e);
	asked.whole_analysis = true;
	/* First what is quickly read, so that a wrong file is not found out after the long part. */
	if (!code)
		code = read_results(w, e);
	if (!code)
		code = series_make(b, &w->series, &asked, w->operands.traces, w->operands.trace_count, e);
	if (code)
		return code;
	w->looked = series_run_of(&w->series, w->series.run[w->series.report.looked]);
	code = overview_run_init(&w->overview, w->looked->trace, w->looked->analysis, &w->looked->run, b->progress, e);
	if (!code)
		code = make_maps(b, w, e);
	if (!code)
		code = trace_hash(w->looked->trace, b->progress, e);
	return code;
}

/* ---- the command ---- */

/* What decides nothing, or is said by setting_options(). */
static bool is_said_otherwise(const struct option_info *info, unsigned i)
{
	return info->setting || i == OPTION_output || i == OPTION_config || i == OPTION_no_config || i == OPTION_preset || i == OPTION_threads ||
	       i == OPTION_quiet;
}

static void make_command(struct out *o, const struct batch *b)
{
	const struct options *given = b->options;
	struct settings usual;
	char number[NUMBER_TEXT];
	const char *value;

	settings_init(&usual);
	out_str(o, "pas2p report --no-config");
	if (given->page == PAGE_MD)
		out_str(o, " --format md");
	if (given->scaling == SCALING_WEAK)
		out_str(o, " --scaling weak");
	for (unsigned i = 0; i < option_total(); i++) {
		struct option_info info = option_info(i);

		if (!is_said_otherwise(&info, i) && option_given(given, i, number, &value) && value)
			command_option(o, info.name, value);
	}
	setting_options(o, b->settings, &usual); /* whoever set them: the same where config files are others */
	out_printf(o, " --output report.%s", given->page == PAGE_MD ? "md" : "html");
	for (uint32_t i = 0; i < given->file_count; i++) {
		out_str(o, given->files[i][0] == '-' ? " ./" : " "); /* else it would be an option */
		shell_word(o, given->files[i]);
	}
}

/* ---- all of it ---- */

static enum err_code write_page(struct batch *b, struct report_work *w, struct err *e)
{
	char *application = table_application(&w->arena, w->looked->trace), sha256[65];
	struct report r = {
		.overview = &w->overview.overview, .metrics = &w->series.report, .results = w->results, .result_count = w->result_count,
		.files = w->operands.traces, .file_count = w->operands.trace_count, .application = application, .sha256 = sha256,
		.title = b->options->title ? b->options->title : application,
	};

	make_command(&w->command, b);
	if (!application || w->command.failed)
		return err_memory(e, "the report");
	r.command = w->command.text;
	for (int m = 0; m < HEAT_MEASURES; m++)
		r.maps[m] = w->maps[m];
	table_sha256(w->looked->trace, sha256);
	return report_write(&r, b->options->page == PAGE_MD ? REPORT_MD : REPORT_HTML, &b->sink.out, e);
}

static void report_release_work(struct report_work *w)
{
	out_release(&w->command);
	arena_release(&w->arena);
	for (int m = 0; m < HEAT_MEASURES; m++)
		heat_map_free(w->maps[m]);
	if (w->looked)
		overview_run_release(&w->overview);
	for (uint32_t i = 0; i < w->result_count; i++)
		result_release(&w->results[i]);
	mem_free(w->results);
	series_release(&w->series);
	operands_release(&w->operands);
	mem_free(w);
}

enum err_code cmd_report(struct batch *b, struct err *e)
{
	struct report_work *w = mem_zero(1, sizeof *w);
	enum err_code code;

	if (!w)
		return err_memory(e, "the report");
	arena_init(&w->arena);
	out_init(&w->command);
	code = report_make_work(b, w, e);
	batch_prints(b);
	if (!code)
		code = write_page(b, w, e);
	report_release_work(w);
	return code;
}
