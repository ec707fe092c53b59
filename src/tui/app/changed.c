#include "app_int.h"

#include <stdio.h>
#include <string.h>

#include "core/base/text.h"
#include "tui/widgets/units.h"

#define MORE_W 11 /* " + 10 more" and a blank */

uint32_t changed_settings(const struct settings *s, const struct settings *usual, int room, char *text, size_t size)
{
	uint32_t count = 0, shown = 0;
	size_t len = 0;

	*text = 0;
	for (enum setting_id id = 0; id < SETTING_COUNT; id++)
		count += !settings_same(s, usual, id);
	for (enum setting_id id = 0; id < SETTING_COUNT; id++) {
		char value[UNIT_TEXT], one[2 * UNIT_TEXT];

		if (settings_same(s, usual, id))
			continue;
		unit_setting(s, id, value, sizeof value);
		snprintf(one, sizeof one, "%s%s %s", shown ? ", " : "", setting_info(id)->key, value);
		if (text_width(text) + text_width(one) + (shown + 1 < count ? MORE_W : 0) > room || len + strlen(one) + MORE_W >= size)
			break;
		len += (size_t)snprintf(text + len, size - len, "%s", one);
		shown++;
	}
	if (shown && shown < count)
		snprintf(text + len, size - len, " + %u more", (unsigned)(count - shown));
	return count;
}

/* Those of the open trace that lead to other figures, all else as usual. */
static struct settings effective(const struct app *a)
{
	const struct settings *usual = &a->work.options->settings;
	struct settings s = a->work.model.settings;

	for (enum setting_id id = 0; id < SETTING_COUNT; id++)
		if (id == SETTING_clocks || !settings_matters(&a->work.model.settings, id))
			settings_copy(&s, usual, id);
	return s;
}

void app_changed_title(const struct app *a, int room, char *text, size_t size)
{
	static const char before[] = "changed: ";
	struct settings s = effective(a);
	char list[160];
	uint32_t count = changed_settings(&s, &a->work.options->settings, room - (int)sizeof before + 1, list, sizeof list);

	*text = 0;
	if (*list)
		snprintf(text, size, "%s%s", before, list);
	else if (count)
		snprintf(text, size, "%u changed", (unsigned)count);
}

bool app_changed_options(const struct app *a, char *text, size_t size)
{
	const struct settings *now = &a->work.model.settings, *usual = &a->work.options->settings;
	size_t len = 0;

	*text = 0;
	for (enum setting_id id = 0; id < SETTING_COUNT; id++) {
		char value[UNIT_TEXT + SETTING_NAME_SIZE], quoted[2 * sizeof value];

		if (settings_same(now, usual, id))
			continue;
		settings_get(now, id, value, sizeof value);
		if (!words_quote(value, quoted, sizeof quoted))
			return false;
		len += (size_t)snprintf(text + len, size - len, " --%s %s", setting_info(id)->key, quoted);
		if (len >= size)
			return false;
	}
	return true;
}
