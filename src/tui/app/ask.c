#include "app_int.h"

#include <stdio.h>


/* What is asked already can be edited. */
static void ask_what_if(struct app *a)
{
	char text[sizeof a->work.model.projected.text + 16];

	snprintf(text, sizeof text, "what-if %s", a->work.model.projected.text);
	prompt_open(&a->shell.prompt, PROMPT_COMMAND, ":", text);
}

/* Commands say themselves, when they are run, why they cannot; but where it is known before, it is said before. */
static const struct asking {
	enum action action;
	enum prompt_kind kind;       /* all but commands: of this action alone */
	const char *label, *text;    /* what the prompt begins with */
	void (*open)(struct app *a); /* in their place, where that depends */
	enum err_code (*check)(const struct app *a, struct err *e); /* whether something can come of it; NULL: it can */
} askings[] = {
	{ACTION_COMMAND, PROMPT_COMMAND, ":", "", NULL, NULL},
	{ACTION_SEARCH, PROMPT_SEARCH, "/", "", NULL, app_can_search},
	{ACTION_FILTER, PROMPT_FILTER, "& show only: ", "", NULL, app_can_filter},
	{ACTION_KNOB_TYPE, PROMPT_VALUE, NULL, NULL, app_ask_value, app_can_turn},
	{ACTION_ITERATION, PROMPT_ITERATION, NULL, NULL, app_ask_iteration, app_can_iterate},
	{ACTION_EXPORT_ROWS, PROMPT_COMMAND, ":", "export ", NULL, app_can_export},
	{ACTION_SCREEN, PROMPT_COMMAND, ":", "screen ", NULL, NULL},
	{ACTION_PRESET, PROMPT_COMMAND, ":", "preset ", NULL, NULL},
	{ACTION_WHAT_IF, PROMPT_COMMAND, NULL, NULL, ask_what_if, NULL},
	{ACTION_WRITE_CORRECTED, PROMPT_COMMAND, NULL, NULL, app_ask_corrected, app_can_correct},
};
#define ASKINGS (sizeof askings / sizeof *askings)

bool app_ask(struct app *a, enum action action)
{
	struct prompt *p = &a->shell.prompt;
	struct err e = {0};

	for (size_t i = 0; i < ASKINGS; i++) {
		const struct asking *x = &askings[i];

		if (x->action != action)
			continue;
		if (x->open)
			x->open(a);
		else
			prompt_open(p, x->kind, x->label, x->text);
		if (x->check && x->check(a, &e))
			snprintf(p->error, sizeof p->error, "%.150s", e.text);
		return true;
	}
	return false;
}

bool app_ask_by_key(struct app *a, uint32_t key)
{
	return app_ask(a, keymap_only(&a->shell.keymap, key));
}

bool app_ask_refused(struct app *a)
{
	struct prompt *p = &a->shell.prompt;
	struct err e = {0};

	for (size_t i = 0; p->kind != PROMPT_COMMAND && i < ASKINGS; i++)
		if (askings[i].kind == p->kind && askings[i].check && askings[i].check(a, &e)) {
			prompt_close(p);
			app_say(a, ROLE_WARN, "%s", e.text);
			return true;
		}
	return false;
}
