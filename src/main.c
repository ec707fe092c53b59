/* pas2p: picks the face that the command line asks for. The only place that decides how the program ends. */
#include <limits.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/batch.h"
#include "cli/interrupt.h"
#include "exit.h"
#include "cli/command.h"
#include "cli/complain.h"
#include "cli/cli.h"
#include "cli/options.h"
#include "cli/version.h"
#include "core/settings/config.h"
#include "core/base/text.h"
#include "core/team/team.h"
#include "core/models/graph/model_read.h"
#include "mpi/mpi_team.h"
#include "runner/runner.h"
#include "tui/app/tui.h"

static enum exit_code main_failed(const struct options *o, const struct err *e)
{
	if (e->code == ERR_USAGE)
		return misused(o, e->text);
	complain("%s", e->text);
	return exit_of_err(e->code);
}

/* "pas2p phase x.clog2" asks for the workbench on two files, the first of which is not there. */
static enum err_code check_misspelt(const struct options *o, struct err *e)
{
	const char *best;
	char safe[80];
	struct stat st;

	if (stat(o->files[0], &st) == 0)
		return ERR_OK;
	best = command_suggest(o->files[0]);
	if (!best)
		return ERR_OK;
	text_safe(safe, sizeof safe, o->files[0], SIZE_MAX, TEXT_UTF8);
	return err_set(e, ERR_USAGE, "%s is neither a command nor a file; did you mean '%s'?", safe, best);
}

static enum exit_code open_workbench(const struct options *o, const struct operands *f, const struct settings *s, const bool *given,
				     const struct config *config)
{
	static const enum term_color colors[] = {
		[COLOR_AUTO] = TERM_COLOR_AUTO, [COLOR_ALWAYS] = TERM_COLOR_ALWAYS, [COLOR_NEVER] = TERM_COLOR_NEVER,
	};
	struct tui_options t = {
		.paths = f->traces, .count = f->trace_count, .beside = f->second, .results = f->results, .result_count = f->result_count,
		.models = f->models, .model_count = f->model_count, .machine = o->machine, .measured = o->measured,
		.folder = f->folder, .study = f->study, .given = given,
		.vary = o->define.text, .vary_count = o->define.count,
		.settings = *s, .config = config, .config_file = o->config, .program = "/proc/self/exe", .application = o->application,
		.color = colors[o->color], .theme = o->theme, .ascii = o->ascii, .script = o->script, .plain = o->plain,
		.columns = (int)o->size.columns, .rows = (int)o->size.rows, .state = !o->no_config && !o->tutorial && !o->plain,
		.threads = o->threads, .tutorial = o->tutorial,
	};

	return (enum exit_code)tui_run(&t);
}

/* In a pipe, in a batch job, in an editor's shell: what the workbench shows first, as text. */
static enum exit_code print_overview(const struct options *o, const struct operands *f, const struct config *config)
{
	const char *ascii = config_value(config, "ui.ascii");
	struct options plain = *o;

	plain.files = f->traces;
	plain.file_count = f->trace_count;
	plain.ascii |= ascii && strcmp(ascii, "true") == 0;
	if (f->result_count)
		complain_command(o, "note: the overview does not show results; use: ", "compare", f->results, f->result_count);
	return batch_run(&plain);
}

/* TERM=dumb is said by who has a terminal on which only text can be shown; without TERM something is set up wrongly. */
static bool can_draw(void)
{
	const char *term = getenv("TERM");

	return isatty(STDIN_FILENO) && isatty(STDOUT_FILENO) && !(term && strcmp(term, "dumb") == 0);
}

/* For a model or a study alone there is no overview: what is asked of it is a prediction. */
static enum exit_code no_terminal(const struct options *o, const struct operands *f)
{
	complain_command(o, "the workbench needs a terminal; without one, use: ",
			 f->study ? "study" : model_file_kind(f->models[0]) == MODEL_FILE_MEASUREMENTS ? "fit" : "predict",
			 f->study ? &f->study : f->models, 1);
	return EXIT_NO_TERMINAL;
}

static enum exit_code no_tutorial(void)
{
	complain("the tutorial needs a terminal, because it runs in the workbench");
	return EXIT_NO_TERMINAL;
}

static enum exit_code with_settings(const struct options *o, const struct settings *s, const bool *given, const struct config *config)
{
	struct operands f;
	struct err e = {0};
	enum exit_code status;
	bool alone = o->script || o->plain; /* without a terminal */
	bool overview = o->named[OPTION_output] || o->named[OPTION_format]; /* is what they ask for */
	bool opens = alone || (can_draw() && !overview);

	if (operands_init(&f, o, true, &e))
		status = main_failed(o, &e);
	else if (f.folder && !opens)
		status = batch_run(o); /* which says what is wrong with it */
	else if (f.second && !opens)
		status = misused(o, "comparing two runs side by side needs a terminal\nhint: pas2p diff A B compares them as text");
	else if (alone && overview)
		status = misused(o, o->output ? "-o needs a command\nhint: pas2p report -o report.html TRACE"
				 : "-f needs a command\nhint: pas2p metrics -f json TRACE");
	else if (opens)
		status = open_workbench(o, &f, s, given, config);
	else if (o->tutorial)
		status = no_tutorial();
	else if (!f.trace_count)
		status = no_terminal(o, &f);
	else
		status = print_overview(o, &f, config);
	operands_release(&f);
	return status;
}

static enum exit_code open_files(const struct options *o)
{
	struct settings settings;
	bool given[SETTING_COUNT];
	struct config config;
	struct err e = {0};
	enum err_code code;
	enum exit_code status;

	/* Without a file there are those that lie here to choose from, for who can. */
	if (o->file_count || !(o->script || o->plain || can_draw()))
		if (prepare_files(o, &e) || check_misspelt(o, &e))
			return main_failed(o, &e);
	config_init(&config);
	code = prepare_settings(o, &config, &settings, given, &e);
	if (code)
		complain("%s", e.text);
	status = code ? exit_of_err(code) : with_settings(o, &settings, given, &config);
	config_release(&config);
	return status;
}

static enum exit_code workbench(const struct options *o)
{
	struct options with = *o;
	char path[PATH_MAX];
	const char *sample = path;
	struct err e = {0};

	if (!o->tutorial || o->file_count)
		return open_files(o);
	if (sample_trace(path, sizeof path, &e))
		return main_failed(o, &e);
	with.files = &sample;
	with.file_count = 1;
	return open_files(&with);
}

static command_run *const runs_of[COMMAND_COUNT] = {
#define WORKBENCH_OPENS workbench
#define ON_TRACE(print, check, wants, notes) batch_run
#define ON_TRACE_LONG(print, check, wants, notes) batch_run
#define ON_TRACE_AS_SET(print, check, wants, notes) batch_run
#define ON_RUNS(print, check) batch_run
#define ON_RUNS_OR(print, check, start) start
#define OWN(function) function
#define COMMAND(id, name, operands, group, options, runs, help, brief) runs,
#include "cli/commands.def"
};

/* Nothing begins that would end with what is read being written over. */
static enum exit_code main_run_command(const struct options *o)
{
	struct err e = {0};

	if (team_agree(o->team, own_inputs_refuse(o, &e), &e))
		return main_failed(o, &e);
	return runs_of[o->command](o);
}

int main(int argc, char **argv)
{
	struct mpi_place place;
	struct options o;
	struct err e = {0};
	int status;

	if (argc == 2 && strcmp(argv[1], CRIU_SUBJECT) == 0)
		return criu_subject();
	setlocale(LC_CTYPE, "");
	if (!rank_begin(&place, &e)) {
		options_parse(&o, argc, argv, NULL);
		return rank_refuse(&place, &o, false, &e);
	}
	if (options_parse(&o, argc, argv, &e))
		return rank_refuse(&place, &o, e.code == ERR_USAGE, &e);
	if (o.help) {
		help_print(stdout, o.command);
		return printed();
	}
	if (o.version) {
		version_print(stdout);
		return printed();
	}
	status = rank_run(&place, main_run_command, &o);
	if (status == EXIT_INTERRUPTED)
		interrupt_pass_on();
	return status;
}
