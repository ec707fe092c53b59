#include "cli.h"

#include "core/io/shell_words.h"

void command_option(struct out *o, const char *name, const char *value)
{
	out_printf(o, " --%s ", name);
	shell_word(o, value);
}

void setting_options(struct out *o, const struct settings *s, const struct settings *usual)
{
	char value[SETTING_NAME_SIZE];

	for (enum setting_id id = 0; id < SETTING_COUNT; id++) {
		if (settings_same(s, usual, id))
			continue;
		settings_get(s, id, value, sizeof value);
		command_option(o, setting_info(id)->key, value);
	}
}
