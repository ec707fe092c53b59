/* The config files: $XDG_CONFIG_HOME/pas2p/config.yaml, otherwise ~/.config/pas2p/config.yaml, which a person writes;
 * saved.yaml beside it, which the workbench writes; and --config FILE. The later wins.
 *
 *     config_init(&c);
 *     config_load_default(&c, &e);                 the first two; a missing file is fine
 *     config_load_file(&c, "mine.yaml", &e);       a missing file is an error; what it says wins
 *     settings = c.settings;                       then the command line's options, which win again
 *     config_release(&c);
 *
 * Sections: `analysis` (settings under the phase table's keys and nesting), `presets` (name: the same keys, any part
 * of them), `preset` (the name of one, whose settings hold from there on), `memory` and `scratch`, as the options
 * say, and `keys`, `theme` and `ui`, which only the workbench understands: those are handed on as a list of paths and
 * values with their lines. config/pas2p.yaml has all of it, with comments.
 *
 * A file with an error in it is refused as a whole: ERR_USAGE with file and line, and the config is as before.
 */
#ifndef PAS2P_CONFIG_H
#define PAS2P_CONFIG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base/err.h"
#include "core/base/mem.h"
#include "settings.h"

/* One scalar of keys, theme or ui: "keys.grid.zoom-in" is "+". A list gives an entry per item, in order, an empty
 * list or an empty value one entry with value NULL. Of two entries with one path in different files the later
 * file's count (see `file`); within one file they are the items of a list. */
struct config_entry {
	const char *path, *value;
	const char *file; /* safe to print; the same pointer for all entries of one loaded file */
	uint32_t line;
};

struct config {
	struct arena arena;
	struct settings settings;
	struct preset *presets;
	size_t preset_count, preset_cap;
	struct config_entry *entries;
	size_t entry_count, entry_cap;
};

void config_init(struct config *c);
void config_release(struct config *c);
enum err_code config_load_default(struct config *c, struct err *e);
enum err_code config_load_file(struct config *c, const char *path, struct err *e);
enum err_code config_load_text(struct config *c, const char *name, const char *text, size_t size, struct err *e);

/* Where config.yaml and saved.yaml are, whether or not they exist; false if neither variable says (or the path is too
 * long). */
bool config_default_path(char *buf, size_t size);
bool config_saved_path(char *buf, size_t size);

/* The same of a file that the workbench remembers something in: in $XDG_STATE_HOME/pas2p, otherwise
 * ~/.local/state/pas2p. */
bool config_state_path(const char *file, char *buf, size_t size);

/* The last value that is given for a path of `entries`; NULL: none. A config that is NULL has none. */
const char *config_value(const struct config *c, const char *path);

/* The names of all presets: number i of the config's, then those of presets.def that the config has no preset for.
 * NULL: there are no more. Here and below a config that is NULL has none of its own. */
const char *config_preset_name(const struct config *c, size_t i);
/* The preset of that name. ERR_USAGE names those that there are. */
enum err_code config_preset(const struct config *c, const char *name, struct preset *to, struct err *e);

#endif
