/* The list of units whose clocks were measured: a row is a unit (docs/clocks.md 5). */
#ifndef PAS2P_LIST_CLOCKS_UNIT_H
#define PAS2P_LIST_CLOCKS_UNIT_H

#include "core/table/columns.h"
#include "core/clocks/clock_measured.h"

/* Documents have what the kernel says and what was verified in mappings of their own. */
enum { CLOCKS_UNIT_OWN = 1, CLOCKS_UNIT_NTP = 2, CLOCKS_UNIT_VERIFIED = 4 };
#define CLOCKS_UNIT_ALL (CLOCKS_UNIT_OWN | CLOCKS_UNIT_NTP | CLOCKS_UNIT_VERIFIED)

enum clocks_unit_column {
#define COLUMN(id, ...) CLOCKS_UNIT_##id,
#include "list_clocks_unit.def"
	CLOCKS_UNIT_COLUMNS
};

extern const struct list_table clocks_units_columns; /* of a struct clock_measured */

#endif
