/* Settings as options of a command that is printed. */
#ifndef PAS2P_SETTING_OPTIONS_H
#define PAS2P_SETTING_OPTIONS_H

#include "core/io/out.h"
#include "core/settings/settings.h"

/* " --name value" of a text that is quoted where a shell needs that. */
void command_option(struct out *o, const char *name, const char *value);

/* Those that are not as `usual` has them, each as an option. */
void setting_options(struct out *o, const struct settings *s, const struct settings *usual);

#endif
