#include "app_int.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "core/base/mem.h"
#include "core/base/text.h"
#include "core/clocks/report.h"
#include "core/formats/convert.h"
#include "core/formats/api/format.h"
#include "core/trace/times.h"
#include "tui/widgets/units.h"

/* --- the head of the screen --- */

void app_corrected_title(const struct app *a, int room, char *text, size_t size)
{
	static const struct times_figures nothing = {.steps = 0};
	const struct model *m = &a->work.model;
	char sentence[TIMES_SENTENCE], *largest;
	static const char what[] = ", largest shift ";

	text[0] = 0;
	if (!m->analysis || m->analysis->settings.clocks == CLOCKS_FILE)
		return;
	times_sentence(m->trace->times ? &m->trace->times->figures : &nothing, sentence);
	unit_signs(sentence, sizeof sentence);
	largest = strstr(sentence, what);
	if (text_width(sentence) > room && largest)
		memmove(largest + 2, largest + sizeof what - 1, strlen(largest + sizeof what - 1) + 1);
	if (text_width(sentence) > room)
		sentence[strcspn(sentence, ",")] = 0;
	if (text_width(sentence) > room)
		sentence[strcspn(sentence, ":")] = 0;
	if (text_width(sentence) <= room)
		snprintf(text, size, "%s", sentence);
}

bool app_correcting(const struct app *a)
{
	const struct model *m = &a->work.model;

	return m->recorded && m->settings.clocks == CLOCKS_CORRECTED && (!m->analysis || m->analysis->settings.clocks == CLOCKS_FILE);
}

/* --- writing --- */

struct corrected_writing {
	struct task task;
	struct session *session;
	const struct trace *trace;
	char path[PROMPT_TEXT * 2];
	struct clock_correct_figures figures;
};

static enum err_code write_corrected(struct task *task, const struct progress *progress, struct err *e)
{
	static const struct clock_report_options plain = {
		.reference = REFERENCE_ANY, .resolution = RESOLUTION_AUTO, .windows = CLOCK_WINDOWS, .bins = 1,
	};
	static const struct clock_correct_options usual = {CLOCK_AUTO, CLOCK_AMORTISE};
	struct corrected_writing *x = (struct corrected_writing *)task;
	struct clock_report *r = NULL;
	bool unwritten;
	const struct call_log *log;
	enum err_code code = session_log(x->session, x->trace, &log, progress, e);

	if (!code)
		code = clock_report_new(&r, log, &plain, progress, e);
	if (!code)
		code = clock_report_correct(r, x->path, &usual, &unwritten, progress, e);
	if (!code)
		x->figures = r->correction;
	clock_report_free(r);
	return code;
}

static void free_writing(struct task *t)
{
	mem_free(t);
}

enum err_code app_can_correct(const struct app *a, struct err *e)
{
	return a->work.path_count ? ERR_OK : err_set(e, ERR_USAGE, "no trace is open");
}

void app_ask_corrected(struct app *a)
{
	const char *path = a->work.path_count ? a->work.paths[0] : "trace", *file = strrchr(path, '/');
	char line[PROMPT_TEXT], name[PROMPT_TEXT], quoted[PROMPT_TEXT];

	file = file ? file + 1 : path;
	snprintf(name, sizeof name, "%.*s.corrected.clog2", (int)format_stem(file, strlen(file)), file);
	if (!words_quote(name, quoted, sizeof quoted) || snprintf(line, sizeof line, "write-corrected %s", quoted) >= (int)sizeof line)
		snprintf(line, sizeof line, "write-corrected ");
	prompt_open(&a->shell.prompt, PROMPT_COMMAND, ":", line);
}

enum err_code app_write_corrected(struct app *a, const char *path, bool force, struct err *e)
{
	struct model *m = &a->work.model;
	char full[PROMPT_TEXT * 2], safe[256];
	struct corrected_writing *x;

	app_full_path(path, full, sizeof full);
	text_safe(safe, sizeof safe, full, SIZE_MAX, TEXT_UTF8);
	if (app_can_correct(a, e))
		return ERR_USAGE;
	if (!m->recorded)
		return err_set(e, ERR_USAGE, "the trace is still being loaded");
	if (m->recorded->partial)
		return err_set(e, ERR_USAGE, "the trace was loaded only in part; open it again");
	if (app_corrected_busy(a))
		return err_set(e, ERR_USAGE, "a corrected trace is still being written; Esc stops it");
	if (convert_plain_clog2(full, e) || app_refuse_inputs(a, full, e))
		return e->code;
	if (!force && access(full, F_OK) == 0)
		return err_set(e, ERR_USAGE, "%s exists; --force replaces it", safe);
	x = mem_zero(1, sizeof *x);
	if (!x)
		return err_memory(e, "writing the trace");
	x->task = (struct task){write_corrected, free_writing};
	x->session = m->session;
	x->trace = m->recorded;
	memcpy(x->path, full, sizeof x->path);
	background_ask(m->background, m->slots.correct, &x->task);
	return ERR_OK;
}

void app_corrected_news(struct app *a)
{
	struct err e;
	struct corrected_writing *x = (struct corrected_writing *)background_take(a->work.model.background, a->work.model.slots.correct, &e);
	char safe[256], moved[UNIT_TEXT], largest[UNIT_TEXT];

	if (!x) {
		if (e.code == ERR_CANCELLED)
			app_say(a, ROLE_WARN, "Stopped: nothing was written.");
		else if (e.code)
			app_say(a, ROLE_ERROR, "%s", e.text);
		return;
	}
	text_safe(safe, sizeof safe, x->path, SIZE_MAX, TEXT_UTF8);
	if (!x->figures.steps)
		app_say(a, ROLE_BETTER, "Nothing to correct: wrote the trace unchanged to %s.", safe);
	else
		app_say(a, x->figures.left ? ROLE_WARN : ROLE_BETTER, "Wrote the corrected trace to %s: moved %s record%s, by %s at most.", safe,
			unit_count(moved, x->figures.moved), x->figures.moved == 1 ? "" : "s", unit_time(largest, x->figures.largest));
	free_writing(&x->task);
}

bool app_corrected_busy(const struct app *a)
{
	return a->work.model.background && background_state(a->work.model.background, a->work.model.slots.correct).busy;
}

bool app_corrected_stop(struct app *a)
{
	bool busy = app_corrected_busy(a);

	if (busy)
		background_cancel(a->work.model.background, a->work.model.slots.correct);
	return busy;
}

double app_corrected_part(const struct app *a)
{
	struct background_state s = background_state(a->work.model.background, a->work.model.slots.correct);

	return s.total ? (double)s.done / (double)s.total : 0;
}
