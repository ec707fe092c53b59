/* Numbers for people (core/base/unit.h), and those that only the workbench shows: messages' sizes, settings' values.
 * Each writes into buf and returns it. */
#ifndef PAS2P_TUI_UNITS_H
#define PAS2P_TUI_UNITS_H

#include <stddef.h>
#include <stdint.h>

#include "core/base/unit.h"
#include "core/settings/settings.h"

const char *unit_size(char buf[UNIT_TEXT], uint64_t size);      /* as unit_bytes(); "?" for SIZE_UNKNOWN */
const char *unit_size_short(char buf[UNIT_TEXT], uint64_t size); /* in at most four columns, for cells: "8", "64k" */

/* A setting's value: "5.0 %", "100 ms", a choice's name. */
void unit_setting(const struct settings *s, enum setting_id id, char *buf, size_t size);

/* Sentences of the core are ASCII: "µs" for "us" and "±" for "+-", which an ASCII screen folds back. Room for SIGNS_MOST
 * more bytes is enough; what has no room stays. */
#define SIGNS_MOST 64
void unit_signs(char *text, size_t size);

#endif
