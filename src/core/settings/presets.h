/* Presets: parts of the settings that have a name. presets.def has those of pas2p; config files add others (config.h). */
#ifndef PAS2P_PRESETS_H
#define PAS2P_PRESETS_H

#include <stdbool.h>
#include <stddef.h>

#include "settings.h"

/* Only the settings with `given` set mean anything. */
struct preset {
	const char *name;
	bool given[SETTING_COUNT];
	struct settings settings;
};

/* Number i of presets.def, with the text that says what it is; false: there are no more. */
bool preset_built_in(size_t i, struct preset *to, const char **help);

void preset_apply(const struct preset *p, struct settings *settings);

#endif
