/* Numbers of a state file, read back. A state is a convenience: what is missing, damaged or out of range is 0, which whoever asks takes
 * for "nothing remembered". */
#ifndef PAS2P_TUI_REMEMBERED_H
#define PAS2P_TUI_REMEMBERED_H

#include <stdint.h>

#include "core/io/yaml_in.h"

uint32_t remembered_whole(const struct yaml_node *map, const char *key);
double remembered_real(const struct yaml_node *map, const char *key); /* above 0 */
/* How many processes a row stands for: a power of two. */
uint32_t remembered_spread(const struct yaml_node *map, const char *key);

#endif
