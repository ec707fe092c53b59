#include "app_int.h"

#include <stdio.h>
#include <string.h>

#include "core/base/number.h"
#include "tui/model/iterations.h"
#include "tui/widgets/units.h"

#define HINT_W 60 /* of a screen on which the prompt says what an empty line does */

enum err_code app_can_iterate(const struct app *a, struct err *e)
{
	return iteration_count(&a->work.model) ? ERR_OK : err_set(e, ERR_USAGE, "%s", iteration_gap(&a->work.model));
}

/* A jump, and what there is to say of the place. */
static void iteration_go_to(struct app *a, uint32_t i)
{
	const struct model *m = &a->work.model;
	char name[160], first[UNIT_TEXT], last[UNIT_TEXT];
	uint32_t from, to;

	iteration_ticks(m, i, &from, &to);
	app_jump(a, m->cursor.process, from);
	app_show_place(a);
	iteration_describe(m, i, name, sizeof name);
	app_say(a, ROLE_DEFAULT, "I%s · ticks %s – %s%s", name + 1, unit_count(first, from), unit_count(last, to - 1),
		iteration_stands_out(m, i) ? " · outlier" : "");
}

void app_ask_iteration(struct app *a)
{
	const struct model *m = &a->work.model;
	bool hint = a->shell.canvas.w >= HINT_W && iteration_next_outlier(m, UINT32_MAX) != UINT32_MAX;
	char label[64] = "iteration: ";

	if (iteration_count(m))
		snprintf(label, sizeof label, "iteration (1-%u%s): ", (unsigned)iteration_count(m), hint ? "; Enter: the next outlier" : "");
	prompt_open(&a->shell.prompt, PROMPT_ITERATION, label, "");
}

/* The iteration that the cursor is in, or the last one before it; UINT32_MAX: none. */
static uint32_t latest(const struct model *m)
{
	return iteration_behind(m, m->cursor.tick) - 1;
}

enum err_code app_iteration(struct app *a, const char *text, struct err *e)
{
	const struct model *m = &a->work.model;
	uint32_t n = iteration_count(m), outlier;
	uint64_t number;
	size_t digits;

	text += strspn(text, " ");
	if (!n)
		return err_set(e, ERR_USAGE, "%s", iteration_gap(m));
	if (*text) {
		digits = strcspn(text, " ");
		if (!number_parse_whole(text, digits, &number) || text[digits + strspn(text + digits, " ")])
			return err_set(e, ERR_USAGE, "expected an iteration from 1 to %u", (unsigned)n);
		if (number < 1 || number > n)
			return err_set(e, ERR_USAGE, "expected an iteration from 1 to %u", (unsigned)n);
		iteration_go_to(a, (uint32_t)number - 1);
		return ERR_OK;
	}
	outlier = iteration_next_outlier(m, latest(m));
	if (outlier == UINT32_MAX)
		return err_set(e, ERR_USAGE, "none of the %u iterations is an outlier", (unsigned)n);
	iteration_go_to(a, outlier);
	return ERR_OK;
}

/* Back goes to where this one begins, first. */
void app_next_iteration(struct app *a, int direction)
{
	const struct model *m = &a->work.model;
	uint32_t to, from = 0, end;
	struct err e;

	if (app_can_iterate(a, &e)) {
		app_say(a, ROLE_DIM, "%s", e.text);
		return;
	}
	to = iteration_behind(m, m->cursor.tick);
	if (direction < 0 && to--) {
		iteration_ticks(m, to, &from, &end);
		to -= from == m->cursor.tick;
	}
	if (to < iteration_count(m))
		iteration_go_to(a, to);
	else
		app_say(a, ROLE_DIM, direction > 0 ? "No iteration begins after this place." : "No iteration begins before this place.");
}
