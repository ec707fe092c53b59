#include "settings.h"

static const struct {
	const char *name, *help, *values[SETTING_COUNT];
} rows[] = {
#define VALUE(setting, value) [SETTING_##setting] = (value),
#define PRESET(id, name, help, values) {name, help, {values}},
#include "presets.def"
#undef VALUE
#undef PRESET
};

bool preset_built_in(size_t i, struct preset *to, const char **help)
{
	if (i >= sizeof rows / sizeof *rows)
		return false;
	*to = (struct preset){.name = rows[i].name};
	*help = rows[i].help;
	settings_init(&to->settings);
	for (enum setting_id id = 0; id < SETTING_COUNT; id++)
		to->given[id] = rows[i].values[id] && !settings_set(&to->settings, id, rows[i].values[id], NULL);
	return true;
}

void preset_apply(const struct preset *p, struct settings *settings)
{
	for (enum setting_id id = 0; id < SETTING_COUNT; id++)
		if (p->given[id])
			settings_copy(settings, &p->settings, id);
}
