/* Settings as a mapping of a YAML or JSON document: choices as they are named, and those of one group
 * ("thresholds.volume") together in a mapping of its name. All that reads or writes them so does it here.
 */
#ifndef PAS2P_SETTINGS_TREE_H
#define PAS2P_SETTINGS_TREE_H

#include <stdbool.h>

#include "settings.h"
#include "core/io/fields.h"
#include "core/io/tree_out.h"

/* All of them that tables have, but those whose opener is as usual: what a result is of. */
void settings_write_tree(struct tree_out *t, const char *key, const struct settings *settings);
/* All, or, unless NULL, those that differ from one or the other of two sets: what a person keeps. */
void settings_write_changed(struct tree_out *t, const char *key, const struct settings *settings,
			    const struct settings *unless, const struct settings *and_unless);

/* As settings_write_tree() writes them: each a number in its range or one of its choices. `whole`: one that is missing
 * is an error; otherwise it stays as it is. After an error all do. */
void settings_read_tree(struct fields *f, const struct fields_map *map, bool whole, struct settings *settings);

/* As a person writes them, "5%" for 0.05: some of them, and nothing else, in the mapping `map` called `name`; given[id]
 * is set (NULL: nowhere) for those that are there. */
void settings_read_given(struct fields *f, const struct yaml_node *map, const char *name, struct settings *into,
			 bool *given);

#endif
