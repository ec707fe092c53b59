/* Settings as a mapping of a YAML or JSON document: choices as they are named, and those of one group ("thresholds.volume")
 * together in a mapping of its name. */
#ifndef PAS2P_SETTINGS_TREE_H
#define PAS2P_SETTINGS_TREE_H

#include <stdbool.h>

#include "settings.h"
#include "core/io/tree_out.h"
#include "core/io/yaml_in.h"

void settings_write_tree(struct tree_out *t, const char *key, const struct settings *s);

/* What the mapping holds of them; the rest stays. False: one is none of ours, and all stay. */
bool settings_read_tree(const struct yaml_node *map, struct settings *s);

#endif
