/* What whatever opens a trace does first: a look at the operands, and the settings that are to hold. */
#ifndef PAS2P_PREPARE_H
#define PAS2P_PREPARE_H

#include "core/settings/config.h"
#include "options.h"

/* ERR_USAGE: there are no files, or one that cannot be. */
enum err_code prepare_files(const struct options *o, struct err *e);

/* Defaults, the user's file, --config, the command line: later wins, and of --preset and settings on the command line the later
 * too. The files are read into *c. given: those that the command line set. */
enum err_code prepare_settings(const struct options *o, struct config *c, struct settings *s, bool given[SETTING_COUNT], struct err *e);

#endif
