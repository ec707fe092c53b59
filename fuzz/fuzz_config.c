/* The config file: any text is either understood or refused with a sentence, and then changes nothing. */
#include <string.h>

#include "core/settings/config.h"
#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	struct config c;
	struct settings before;
	struct err e = {0};
	enum err_code code;

	config_init(&c);
	before = c.settings;
	code = config_load_text(&c, "fuzz.yaml", (const char *)bytes, size, &e);
	if (code) {
		must_be_sentence((int)code, &e);
		must(settings_equal(&before, &c.settings), "a refused file changes no setting");
		must(!c.preset_count && !c.entry_count, "a refused file leaves nothing");
	}
	for (size_t i = 0; i < c.entry_count; i++) {
		must(c.entries[i].path && *c.entries[i].path, "an entry has a path");
		must(!c.entries[i].value || strlen(c.entries[i].value) <= size, "a value is text");
	}
	for (size_t i = 0; i < c.preset_count; i++) {
		struct settings s = before;
		struct preset p;

		preset_apply(&c.presets[i], &s);
		must(!config_preset(&c, c.presets[i].name, &p, NULL), "a preset is found by its name");
	}
	for (int id = 0; id < SETTING_COUNT; id++) {
		const struct setting_info *x = setting_info((enum setting_id)id);
		struct settings again = c.settings;
		double v = settings_number(&c.settings, x->id);
		char text[64];

		must(v >= x->min && v <= x->max, "a setting is in its range");
		settings_get(&c.settings, x->id, text, sizeof text);
		must(settings_set(&again, x->id, text, NULL) == ERR_OK && settings_equal(&again, &c.settings),
		     "a setting's text reads back");
	}
	config_release(&c);
	return 0;
}
