#include "app_int.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "core/method/analysis/tune.h"
#include "core/base/number.h"
#include "core/base/text.h"
#include "tui/model/phase_shares.h"
#include "tui/widgets/units.h"

#define RESTORE_MOST 86400 /* s */

enum err_code app_plan(struct app *a, const char *budget, const char *restore, struct err *e)
{
	struct plan_budget b = model_budget(&a->work.model);
	size_t n = budget ? strlen(budget) : 0;
	bool percent = n && budget[n - 1] == '%';
	char safe[64];

	if (budget && (!number_parse_shifted(budget, n - percent, percent ? -2 : 0, &b.share) || !(b.share > 0 && b.share <= 1)))
		return err_set(e, ERR_USAGE, "budget '%s': expected a share above 0, such as 5%% or 0.05, up to 100%%",
			       text_safe(safe, sizeof safe, budget, SIZE_MAX, TEXT_UTF8));
	if (restore && (!number_parse(restore, strlen(restore), &b.restore) || !(b.restore > 0 && b.restore <= RESTORE_MOST)))
		return err_set(e, ERR_USAGE, "restore time '%s': expected seconds above 0, up to %d",
			       text_safe(safe, sizeof safe, restore, SIZE_MAX, TEXT_UTF8), RESTORE_MOST);
	a->work.model.budget = b;
	app_show(a, VIEW_PLAN);
	return ERR_OK;
}

void app_plan_taken(struct app *a)
{
	const struct settings s = a->work.model.planned;
	char n[UNIT_TEXT], each[UNIT_TEXT], undo[16], next[16];

	undo_end_gesture(&a->history.undo);
	if (settings_equal(&s, &a->work.model.settings)) {
		app_say(a, ROLE_DIM, "The settings are already those of this plan.");
		return;
	}
	app_settings(a, &s, -1);
	app_say(a, ROLE_DEFAULT, "Using %s windows of %s; %s undoes this, %s goes to the next window.", unit_count(n, s.windows),
		unit_time(each, s.window_seconds), keymap_first(&a->shell.keymap, ACTION_UNDO, undo),
		keymap_first(&a->shell.keymap, ACTION_NEXT_WINDOW, next));
}

void app_tune_taken(struct app *a)
{
	const struct settings s = a->work.model.planned;
	char said[192] = "", value[SETTING_NAME_SIZE], undo[16];
	size_t n = 0;

	undo_end_gesture(&a->history.undo);
	if (settings_equal(&s, &a->work.model.settings)) {
		app_say(a, ROLE_DIM, "The settings are already those of this row.");
		return;
	}
	/* The thresholds, and of the choices those that are others now. */
	for (size_t i = 0; i < TUNE_TURNS; i++) {
		enum setting_id id = tune_turns[i];

		if (!settings_matters(&s, id) || (setting_info(id)->kind == SETTING_CHOICE && settings_same(&s, &a->work.model.settings, id)))
			continue;
		unit_setting(&s, id, value, sizeof value);
		n += (size_t)snprintf(said + n, sizeof said - n, "%s%s %s", n ? ", " : "", setting_info(id)->key, value);
	}
	said[0] = (char)toupper((unsigned char)said[0]);
	app_settings(a, &s, -1);
	app_say(a, ROLE_DEFAULT, "Using %s; %s undoes this.", said, keymap_first(&a->shell.keymap, ACTION_UNDO, undo));
}

void app_next_window(struct app *a)
{
	struct model *m = &a->work.model;
	const struct windows *w = model_windows(m);
	char key[16], name[WINDOW_NAME], first[UNIT_TEXT], last[UNIT_TEXT], seconds[UNIT_TEXT];
	uint32_t i, from, to;
	bool wraps;

	if (!w) {
		app_say(a, ROLE_DIM, m->settings.windows ? "There are no windows." :
			"No windows are set; %s plans some.", keymap_first(&a->shell.keymap, ACTION_PLAN, key));
		return;
	}
	i = window_behind(m, m->cursor.tick);
	wraps = i == w->count;
	i = wraps ? 0 : i;
	window_ticks(m, &w->list[i], &from, &to);
	app_jump(a, m->cursor.process, from);
	app_show_place(a);
	window_name(w, i, name);
	app_say(a, ROLE_DEFAULT, "%c%s · occurrences %s – %s · %s%s", name[0] - 'a' + 'A', name + 1,
		unit_count(first, w->list[i].first + 1), unit_count(last, w->list[i].end), unit_time(seconds, w->list[i].seconds),
		wraps ? " · continued from the start" : "");
}
