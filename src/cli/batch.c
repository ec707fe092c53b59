#include "batch.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "core/formats/load.h"
#include "core/base/text.h"
#include "interrupt.h"

static const struct {
	batch_print *print;
	unsigned want;      /* enum analysis_want; 0: no analysis */
	bool shows_notes;   /* a hint at warnings would say what the output says */
} commands[COMMAND_COUNT] = {
	[COMMAND_INFO] = {cmd_info, 0, true},
	[COMMAND_EVENTS] = {cmd_events, ANALYSIS_ORDER, false},
	[COMMAND_BBPS] = {cmd_bbps, ANALYSIS_BBPS, false},
	[COMMAND_PHASES] = {cmd_phases, ANALYSIS_PHASES, false},
	[COMMAND_CHECK] = {cmd_check, ANALYSIS_ORDER, true},
};

void complain(const char *fmt, ...)
{
	va_list ap;

	fputs("pas2p: ", stderr);
	va_start(ap, fmt);
	vfprintf(stderr, fmt, ap);
	va_end(ap);
	fputc('\n', stderr);
}

/* Writing a result over the trace that it is of cannot be meant. */
static enum err_code refuse_own_trace(const struct options *o, struct err *e)
{
	struct stat out, in;
	char safe[256];

	if (!o->output || stat(o->output, &out) != 0 || !S_ISREG(out.st_mode))
		return ERR_OK;
	for (uint32_t i = 0; i < o->file_count; i++)
		if (stat(o->files[i], &in) == 0 && in.st_dev == out.st_dev && in.st_ino == out.st_ino)
			return err_set(e, ERR_USAGE, "%s is the trace itself: choose another file for --output",
				       text_safe(safe, sizeof safe, o->output, SIZE_MAX, TEXT_UTF8));
	return ERR_OK;
}

enum err_code batch_check(const struct options *o, struct err *e)
{
	struct query *q = NULL;
	enum err_code err = ERR_OK;

	if (o->match) {
		err = query_new(&q, o->match, 0, NULL, e);
		query_free(q);
		if (err)
			return err == ERR_USAGE ? err_prefix(e, "--match") : err;
	}
	if (o->command == COMMAND_INFO && o->format == FORMAT_CSV)
		return err_set(e, ERR_USAGE, "info has no rows for csv: use --format table, json or yaml");
	if (o->command == COMMAND_PHASES && o->match && (o->format == FORMAT_JSON || o->format == FORMAT_YAML))
		return err_set(e, ERR_USAGE, "--match picks rows of table and csv; a phase table is always written "
			       "whole");
	if (o->command != COMMAND_WORKBENCH)
		err = refuse_own_trace(o, e);
	return err;
}

static enum err_code load(struct batch *b, struct err *e)
{
	struct trace_options to = {.threads = b->options->threads};
	enum err_code err = trace_load(&b->trace, b->options->files, b->options->file_count, &to, b->job, e);

	if (err == ERR_DAMAGED && b->trace) {
		b->damage = *e;
		return ERR_OK;
	}
	return err;
}

static enum err_code analyse(struct batch *b, struct err *e)
{
	unsigned want = commands[b->options->command].want;

	/* A trace whose compute times or figures matter to nobody is not analysed. */
	if (!want)
		return ERR_OK;
	return analysis_new(&b->analysis, b->trace, b->settings, NULL, want, b->job, e);
}

/* What is worth saying beside the result. */
static void hint(const struct batch *b)
{
	uint64_t warnings = notes_total(&b->trace->notes, NOTE_WARNING);
	char safe[256];

	if (b->damage.code)
		complain("%s", b->damage.text);
	if (b->options->quiet || commands[b->options->command].shows_notes || !(warnings || b->damage.code))
		return;
	if (b->analysis)
		warnings += notes_total(&b->analysis->logical->notes, NOTE_WARNING);
	text_safe(safe, sizeof safe, b->options->files[0], SIZE_MAX, TEXT_UTF8);
	if (warnings)
		complain("%llu warning%s%s: pas2p check %s%s lists them", (unsigned long long)warnings,
			 warnings == 1 ? "" : "s", b->damage.code ? " and damage" : "", safe,
			 b->options->file_count > 1 ? " ..." : "");
	else
		complain("pas2p check %s%s lists the damage", safe, b->options->file_count > 1 ? " ..." : "");
}

static enum exit_code ended(struct batch *b, enum err_code err, const struct err *e)
{
	if (b->sink.pipe_closed)
		interrupt_end_by_pipe();
	if (err == ERR_CANCELLED) {
		complain("interrupted");
		interrupt_pass_on();
		return EXIT_INTERRUPTED;
	}
	if (err) {
		complain("%s", e->text);
		/* Damage that left nothing to show is no partial result. */
		if (err == ERR_DAMAGED && !b->trace)
			return EXIT_CANNOT_READ;
		return b->sink.err.code ? exit_of_write(err) : exit_of_err(err);
	}
	hint(b);
	return b->damage.code ? EXIT_DAMAGED : b->finding;
}

enum exit_code batch_run(const struct options *o, const struct settings *s)
{
	struct batch b = {.options = o, .settings = s, .finding = EXIT_OK};
	struct progress progress;
	struct err e = {0};
	enum err_code err;
	enum exit_code code;

	interrupt_catch();
	progress_init(&progress, !o->quiet);
	b.job = &progress.job;
	/* Before the long part, so that a wrong name is not found out after it. */
	err = sink_open(&b.sink, o->output, &e);
	if (!err && o->match)
		err = query_new(&b.query, o->match, 0, NULL, &e);
	if (!err)
		err = load(&b, &e);
	if (!err)
		err = analyse(&b, &e);
	/* On one terminal the line would stand among the rows. */
	progress_clear(&progress);
	progress.wanted = progress.wanted && o->output;
	if (!err)
		err = commands[o->command].print(&b, &e);
	if (!err && interrupt_seen())
		err = err_set(&e, ERR_CANCELLED, "interrupted");
	if (!err)
		err = sink_finish(&b.sink, &e);
	progress_clear(&progress);
	sink_release(&b.sink);
	code = ended(&b, err, &e);
	query_free(b.query);
	analysis_unref(b.analysis);
	trace_free(b.trace);
	return code;
}
