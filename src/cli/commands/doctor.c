/* pas2p doctor: what works on this machine, what is missing, and how to fix it. */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "cli/command.h"
#include "cli/complain.h"
#include "cli/interrupt.h"
#include "cli/plural.h"
#include "cli/progress_meter.h"
#include "cli/cli.h"
#include "cli/sink.h"
#include "cli/version.h"
#include "core/table/rows.h"
#include "core/io/shell_words.h"
#include "core/io/wrap.h"
#include "doctor/doctor.h"
#include "tui/screen/screen.h"

#define NAMED 9   /* the column at which the check is named, */
#define TOLD 21   /* and at which its finding begins */

enum { CHECK_COLUMN, STATE_COLUMN, NEEDED_COLUMN, TEXT_COLUMN, MEND_COLUMN };

static const struct column_look columns[] = {
	[CHECK_COLUMN] = {"check", "check", .align = LOOK_LEFT},
	[STATE_COLUMN] = {"state", "state", .align = LOOK_LEFT},
	[NEEDED_COLUMN] = {"needed", "needed", .align = LOOK_LEFT},
	[TEXT_COLUMN] = {"text", "text", .align = LOOK_LEFT},
	[MEND_COLUMN] = {"mend", "mend", .align = LOOK_LEFT},
};

/* The one that is typed at: output that goes to a file or a pipe, such as for a report of a fault, is no reason not to
 * look at it. */
static void look_at_terminal(struct doctor_machine *m)
{
	const char *name = getenv("TERM");
	struct winsize size;

	m->terminal.there = isatty(STDIN_FILENO);
	if (m->terminal.there && name && *name)
		m->terminal.known = term_known(name, &m->terminal.colours);
	if (m->terminal.there && ioctl(STDIN_FILENO, TIOCGWINSZ, &size) == 0) {
		m->terminal.columns = size.ws_col;
		m->terminal.rows = size.ws_row;
	}
}

/* What builds the program again, from here: there is a Makefile beside it, or beside the folder that it was built in.
 * NULL: there is none. */
static const char *build_command(struct out *to)
{
	static const char *const places[] = {"Makefile", "../Makefile"};
	char program[PATH_MAX], path[PATH_MAX], folder[PATH_MAX], here[PATH_MAX];
	ssize_t n = readlink("/proc/self/exe", program, sizeof program - 1);
	char *slash;

	program[n > 0 ? n : 0] = '\0';
	slash = strrchr(program, '/');
	if (slash)
		*slash = '\0';
	for (size_t i = 0; slash && i < sizeof places / sizeof *places; i++)
		if (snprintf(path, sizeof path, "%s/%s", program, places[i]) < (int)sizeof path && access(path, R_OK) == 0) {
			path[strlen(path) - strlen("Makefile")] = '\0';
			out_str(to, "make");
			if (realpath(path, folder) && (!getcwd(here, sizeof here) || strcmp(folder, here) != 0)) {
				out_str(to, " -C ");
				shell_word(to, folder);
			}
			return to->failed ? NULL : to->text;
		}
	return NULL;
}

static enum err_code finding_row(void *arg, uint64_t i, struct cell *cells, bool *keep, struct err *e)
{
	const struct doctor *d = arg;
	const struct finding *f = &d->findings[i];

	(void)keep;
	(void)e;
	cells[CHECK_COLUMN] = cell_text(f->check);
	cells[STATE_COLUMN] = cell_text(standing_name(f->standing));
	cells[NEEDED_COLUMN] = cell_bool(f->needed);
	cells[TEXT_COLUMN] = cell_text(f->text);
	cells[MEND_COLUMN] = cell_text(f->mend[0] ? f->mend : NULL);
	return ERR_OK;
}

static enum err_code doctor_to_sink(void *arg, const char *bytes, size_t n, struct err *e)
{
	return sink_write(arg, bytes, n, e);
}

static void print_verdict(struct out *o, const struct doctor *d, size_t width)
{
	size_t missing = 0, needs = doctor_needs(d);
	char text[160];

	for (size_t i = 0; i < d->count; i++)
		missing += d->findings[i].standing == STANDING_MISSING;
	missing -= needs;
	out_str(o, "\n");
	if (needs)
		snprintf(text, sizeof text, "%zu requirement%s %s missing.", needs, plural(needs), needs == 1 ? "is" : "are");
	else if (missing)
		snprintf(text, sizeof text, "All requirements are met; %zu optional part%s %s missing.", missing, plural(missing),
			 missing == 1 ? "is" : "are");
	else
		snprintf(text, sizeof text, "All requirements are met.");
	wrap_text(o, text, 0, width);
}

/* For people: a sentence, broken into lines, and what mends it, which is not, since it is to be copied. */
static void print_table(struct out *o, const struct doctor *d, size_t width)
{
	const char *before = "";

	for (size_t i = 0; i < d->count; i++) {
		const struct finding *f = &d->findings[i];
		char line[TOLD + DOCTOR_TEXT];

		snprintf(line, sizeof line, "%-*s%-*s%s", NAMED, standing_name(f->standing), TOLD - NAMED,
			 strcmp(before, f->check) ? f->check : "", f->text);
		wrap_text(o, line, TOLD, width);
		if (f->mend[0])
			out_printf(o, "%*s%-*s%s\n", NAMED, "", TOLD - NAMED, "fix:", f->mend);
		before = f->check;
	}
	print_verdict(o, d, width);
}

static enum err_code doctor_print_findings(const struct options *o, const struct doctor *d, struct sink *s, const struct progress *progress, struct err *e)
{
	const struct rows rows = {.columns = columns, .column_count = sizeof columns / sizeof *columns, .row_count = d->count,
				  .row = finding_row, .arg = (void *)(uintptr_t)d};
	const struct rows_sink to = {doctor_to_sink, s};

	if (o->format == FORMAT_TABLE) {
		print_table(&s->out, d, sink_columns(s));
		return sink_drain(s, e);
	}
	return rows_write(&rows, o->format == FORMAT_CSV ? ROWS_CSV : o->format == FORMAT_JSON ? ROWS_JSON : ROWS_YAML, TEXT_UTF8, 0, &to, progress, e);
}

enum exit_code cmd_doctor(const struct options *o)
{
	struct doctor_machine machine = {.version = version_text(), .root = ""};
	struct progress_meter meter;
	struct sink sink = {0};
	struct doctor d;
	struct out program, make;
	struct err e = {0};
	char found[PATH_MAX], sample[PATH_MAX];
	enum exit_code status;
	enum err_code code;

	if (o->file_count)
		return misused(o, "doctor takes no file\nhint: pas2p check TRACE checks a trace");
	interrupt_catch();
	progress_meter_init(&meter, false);
	look_at_terminal(&machine);
	if (!sample_trace(found, sizeof found, &e))
		machine.sample = realpath(found, sample) ? sample : found;
	out_init(&make);
	machine.make = build_command(&make);
	out_init(&program);
	shell_word(&program, o->program);
	machine.program = program.failed ? "pas2p" : program.text;
	doctor_init(&d, &machine, &meter.progress);
	code = sink_open(&sink, o->output, &e);
	status = code ? exit_of_write(code) : EXIT_OK;
	if (!code) {
		code = doctor_look(&d, &e);
		status = exit_of_err(code);
	}
	if (!code) {
		code = doctor_print_findings(o, &d, &sink, &meter.progress, &e);
		if (!code)
			code = sink_finish(&sink, &e);
		status = code ? exit_of_write(code) : doctor_needs(&d) ? EXIT_FINDING : EXIT_OK;
	}
	sink_release(&sink);
	doctor_release(&d);
	out_release(&program);
	out_release(&make);
	if (sink.pipe_closed)
		interrupt_end_by_pipe();
	if (code && code != ERR_CANCELLED)
		complain("%s", e.text);
	return status;
}
