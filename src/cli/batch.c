#include "batch.h"

#include <inttypes.h>
#include <langinfo.h>
#include <stdio.h>
#include <string.h>

#include "core/base/query.h"
#include "core/base/mem.h"
#include "core/clocks/correct/correct.h"
#include "core/formats/api/load.h"
#include "core/formats/runs.h"
#include "core/records/records.h"
#include "core/metrics/calls/log.h"
#include "core/team/team.h"
#include "core/team/team_pack.h"
#include "complain.h"
#include "interrupt.h"
#include "plural.h"
#include "cli.h"
#include "progress_meter.h"

static const struct {
	batch_print *print;
	batch_check *check;
	unsigned wants;      /* enum analysis_want; 0: no analysis */
	enum batch_notes notes;
	bool loads;          /* what the operands are, before it prints */
	bool clocks;         /* with times as that setting says */
	bool works;          /* before it prints */
} rows[COMMAND_COUNT] = {
#define WORKBENCH_OPENS {cmd_overview, no_check, 0, NOTES_HINTED, false, true, false} /* if there is no terminal */
#define ON_TRACE(print, check, wants, notes) {print, check, wants, notes, true, false, false}
#define ON_TRACE_LONG(print, check, wants, notes) {print, check, wants, notes, true, false, true}
#define ON_TRACE_AS_SET(print, check, wants, notes) {print, check, wants, notes, true, true, false}
#define ON_RUNS(print, check) {print, check, 0, NOTES_HINTED, false, true, false}
#define ON_RUNS_OR(print, check, start) ON_RUNS(print, check)
#define OWN(function) {NULL, NULL, 0, NOTES_HINTED, false, false, false}
#define COMMAND(id, name, operands, group, options, runs, help, brief) runs,
#include "commands.def"
};

enum err_code no_check(const struct options *o, struct err *e)
{
	(void)o;
	(void)e;
	return ERR_OK;
}

/* Is what was asked for possible at all, before anything is read? */
static enum err_code batch_check_asked(struct batch *b, struct err *e)
{
	const struct options *o = b->options;
	enum err_code code = prepare_files(o, e);

	if (!code && o->match) {
		code = query_new(&b->query, o->match, 0, NULL, e);
		if (code == ERR_USAGE)
			err_prefix(e, "--match");
	}
	if (!code)
		code = rows[o->command].check(o, e);
	return code;
}

/* What loading has left in b->trace, with its damage, analysed as far as is wanted. */
static enum err_code take_loaded(struct batch *b, enum err_code code, unsigned wants, struct err *e)
{
	if (code == ERR_DAMAGED && b->trace) {
		if (!b->damage.code)
			b->damage = *e;
		code = ERR_OK;
	}
	b->loaded |= b->trace != NULL;
	/* A trace whose compute times or figures matter to nobody is not analysed. */
	if (!code && wants)
		code = analysis_new(&b->analysis, b->trace, b->settings, NULL, wants, b->progress, e);
	if (b->trace)
		notes_count(&b->notes, &b->trace->notes);
	if (b->analysis)
		notes_count(&b->notes, &b->analysis->logical->notes);
	return code;
}

/* The times that the setting `clocks` says; the caller's. */
static enum err_code load_times(struct batch *b, const char *const *files, uint32_t count, struct trace_options *to, struct err *e)
{
	struct trace_times *times;
	enum err_code code;

	if (!rows[b->options->command].clocks || b->settings->clocks != CLOCKS_CORRECTED)
		return ERR_OK;
	code = clock_new_times_load(&times, files, count, to, b->progress, e);
	to->times = times;
	return code;
}

enum err_code batch_load(struct batch *b, const char *const *files, uint32_t count, unsigned wants, struct call_log **log,
			 struct err *e)
{
	struct trace_options to = {.threads = b->options->threads, .counter = b->settings->compute_counter, .team = b->options->team,
				   .beside = b->beside};
	enum err_code code = load_times(b, files, count, &to, e);

	if (log)
		*log = NULL;
	if (code)
		return code;
	if (log)
		code = call_log_load(log, &b->trace, files, count, &to, b->progress, e);
	else
		code = trace_load(&b->trace, files, count, &to, b->progress, e);
	trace_times_unref(to.times);
	code = take_loaded(b, code, wants, e);
	if (code && log) {
		call_log_free(*log);
		*log = NULL;
	}
	return code;
}

enum err_code batch_load_records(struct batch *b, unsigned wants, struct record_log **log, struct err *e)
{
	const struct options *o = b->options;
	struct trace_options to = {.threads = o->threads, .counter = b->settings->compute_counter};
	enum err_code code = load_times(b, o->files, o->file_count, &to, e);

	*log = NULL;
	if (code)
		return code;
	code = take_loaded(b, record_log_load(log, &b->trace, o->files, o->file_count, &to, 0, b->progress, e), wants, e);
	trace_times_unref(to.times);
	if (code) {
		record_log_free(*log);
		*log = NULL;
	}
	return code;
}

enum err_code batch_load_clocks(struct batch *b, struct call_log **log, struct err *e)
{
	struct trace_options to = {.threads = b->options->threads, .team = b->options->team};
	enum err_code code = call_log_load_clocks(log, &b->trace, b->options->files, b->options->file_count, &to, b->progress, e);

	return take_loaded(b, code, 0, e);
}

/* Whole traces that are not of one run are more often a wrong command than a wrong file. */
static void explain_runs(const struct options *o, struct err *e)
{
	uint32_t *run = mem_alloc(o->file_count, sizeof *run), runs = 0;
	struct err unread;

	if (run && !runs_of_files(o->files, o->file_count, run, &runs, &unread) && runs > 1) {
		err_set(e, ERR_USAGE, "%s: expected one run, found %" PRIu32, command_info(o->command)->name, runs);
		err_hint(e, "pas2p diff A B, or pas2p metrics A B");
	}
	mem_free(run);
}

/* On one terminal the line would stand among the rows. */
void batch_prints(struct batch *b)
{
	progress_meter_clear(b->meter);
	b->meter->wanted = b->meter->wanted && b->options->output;
}

void batch_unload(struct batch *b)
{
	analysis_unref(b->analysis);
	trace_free(b->trace);
	b->analysis = NULL;
	b->trace = NULL;
}

/* Beside the result. */
static void batch_print_hint(const struct batch *b)
{
	char counts[NOTE_COUNTS_TEXT];
	bool counted = *note_counts_text(&b->notes, counts);

	if (b->damage.code)
		complain("%s", b->damage.text);
	if (b->options->quiet || rows[b->options->command].notes == NOTES_SHOWN || !(counted || b->damage.code))
		return;
	if (counted)
		complain("%s", counts);
	hint_command(b->options, "check", b->options->files, b->options->file_count);
}

static enum exit_code ended(struct batch *b, enum err_code code, const struct err *e)
{
	if (b->sink.pipe_closed)
		interrupt_end_by_pipe();
	if (code == ERR_CANCELLED) {
		/* A rank that gave up waiting for others: by Ctrl-C, which rank_run() says, or since the job ends for what
		 * another rank says. */
		if (!team_broken(b->options->team))
			complain("interrupted");
		interrupt_pass_on();
		return EXIT_INTERRUPTED;
	}
	if (code) {
		complain("%s", e->text);
		/* Damage that left nothing to show is no partial result. */
		if (code == ERR_DAMAGED && !b->loaded)
			return EXIT_CANNOT_READ;
		return b->sink.err.code ? exit_of_write(code) : exit_of_err(code);
	}
	batch_print_hint(b);
	return b->damage.code ? EXIT_DAMAGED : b->finding;
}

enum text_flags batch_text_flags(const struct options *o)
{
	return o->ascii || strcmp(nl_langinfo(CODESET), "UTF-8") != 0 ? TEXT_ASCII : TEXT_UTF8;
}

static enum exit_code batch_run_steps(struct batch *b)
{
	const struct option_info format = option_info(OPTION_format); /* other formats than these are no text for people */
	const struct options *o = b->options;
	struct err e = {0};
	enum err_code code;

	interrupt_catch();
	progress_meter_init(b->meter, !o->quiet);
	/* Before the long part, so that a wrong name is not found out after it. */
	code = team_agree(o->team, sink_open(&b->sink, o->correct ? NULL : o->output, &e), &e);
	b->sink.ascii = option_goes_with(&format, o->command) && o->format == FORMAT_TABLE && batch_text_flags(o) == TEXT_ASCII;
	if (!code && rows[o->command].loads) {
		code = batch_load(b, o->files, o->file_count, rows[o->command].wants, NULL, &e);
		if (code == ERR_USAGE && o->file_count > 1)
			explain_runs(o, &e);
		if (!rows[o->command].works)
			batch_prints(b);
	}
	if (!code)
		code = rows[o->command].print(b, &e);
	if (!code && interrupt_seen())
		code = err_set(&e, ERR_CANCELLED, "interrupted");
	code = team_agree(o->team, code, &e); /* no file if any rank could not do its part */
	if (!code)
		code = sink_finish(&b->sink, &e);
	code = team_agree(o->team, code, &e);
	progress_meter_clear(b->meter);
	sink_release(&b->sink);
	return ended(b, code, &e);
}

static enum err_code configure(const struct options *o, struct settings *s, bool *given, struct err *e)
{
	const struct option_info config_file = option_info(OPTION_config);
	struct config config;
	enum err_code code;

	settings_init(s);
	if (!option_goes_with(&config_file, o->command))
		return ERR_OK; /* settings are nothing to it */
	config_init(&config);
	code = prepare_settings(o, &config, s, given, e);
	config_release(&config);
	return code;
}

/* Each rank has its own config file, of its node. */
static enum err_code same_settings(const struct batch *b, enum err_code code, struct err *e)
{
	struct team_pack facts = {0};
	char value[SETTING_NAME_SIZE];

	for (enum setting_id id = 0; !code && id < SETTING_COUNT; id++) {
		settings_get(b->settings, id, value, sizeof value);
		team_fact(&facts, setting_info(id)->key, value);
	}
	return team_alike(b->options->team, &facts, code,
			 "the analysis ranks have different settings: check for different config files on the nodes", e);
}

enum exit_code batch_run(const struct options *o)
{
	struct settings settings;
	bool given[SETTING_COUNT] = {false};
	struct progress_meter meter;
	struct batch b = {.options = o, .settings = &settings, .given = given, .progress = &meter.progress, .meter = &meter};
	struct err e = {0};
	enum err_code code = batch_check_asked(&b, &e);
	bool misuse = code == ERR_USAGE;
	enum exit_code status;

	if (!code)
		code = configure(o, &settings, given, &e);
	code = same_settings(&b, code, &e);
	if (misuse)
		status = misused(o, e.text);
	else
		status = code ? ended(&b, code, &e) : batch_run_steps(&b);
	query_free(b.query);
	batch_unload(&b);
	return status;
}
