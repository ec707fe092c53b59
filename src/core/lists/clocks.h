/* What the lists of clocks share: what they are of, and which columns there are (docs/explain/clocks-bounds.md, "Output
 * keys"). What is not known or has no bound is empty, never 0. */
#ifndef PAS2P_LIST_CLOCKS_H
#define PAS2P_LIST_CLOCKS_H

#include "core/clocks/measured/measured.h"
#include "core/clocks/report.h"
#include "core/table/columns.h"

/* For a process: who it is; its offset at start and end; its rate; its shifts, as one text; what it sent and received.
 * Documents have lists in place of CLOCKS_ENDS and CLOCKS_SHIFTS. All others are CLOCKS_COUNT, except for what is for
 * people alone. */
enum { CLOCKS_NAME = 1, CLOCKS_ENDS = 2, CLOCKS_RATE = 4, CLOCKS_SHIFTS = 8, CLOCKS_COUNT = 16, CLOCKS_TABLE = 32 };
#define CLOCKS_ALL (CLOCKS_NAME | CLOCKS_ENDS | CLOCKS_RATE | CLOCKS_SHIFTS | CLOCKS_COUNT)

struct clocks_list {
	const struct clock_report *report;
	struct out *shifts; /* where their text is made; not for other lists, nor without CLOCKS_SHIFTS */
};

/* ---- a row is a process, row i that of rank i ---- */

enum clocks_process_column {
#define COLUMN(id, ...) CLOCKS_PROCESS_##id,
#include "clocks_process.def"
	CLOCKS_PROCESS_COLUMNS
};

/* ---- a sender and a receiver ---- */

enum clocks_pair_column {
#define COLUMN(id, ...) CLOCKS_PAIR_##id,
#include "clocks_pair.def"
	CLOCKS_PAIR_COLUMNS
};

/* ---- an equal part of the run, in order ---- */

enum clocks_time_column {
#define COLUMN(id, ...) CLOCKS_TIME_##id,
#include "clocks_time.def"
	CLOCKS_TIME_COLUMNS
};

/* ---- a unit whose clock was measured (docs/internals/clock-rules.md, "Rules of measuring clocks"), of a struct
 * clock_measured ---- */

/* Documents have what the kernel says and what was verified in mappings of their own. */
enum { CLOCKS_UNIT_OWN = 1, CLOCKS_UNIT_NTP = 2, CLOCKS_UNIT_VERIFIED = 4, CLOCKS_UNIT_TABLE = 8 };
#define CLOCKS_UNIT_ALL (CLOCKS_UNIT_OWN | CLOCKS_UNIT_NTP | CLOCKS_UNIT_VERIFIED)

enum clocks_unit_column {
#define COLUMN(id, ...) CLOCKS_UNIT_##id,
#include "clocks_unit.def"
	CLOCKS_UNIT_COLUMNS
};

/* ---- a clock of a unit, of a struct clock_unit ---- */

enum { CLOCKS_LOCAL_FILE = 1, CLOCKS_LOCAL_TABLE = 2 };

enum clocks_local_column {
#define COLUMN(id, ...) CLOCKS_LOCAL_##id,
#include "clocks_local.def"
	CLOCKS_LOCAL_COLUMNS
};

extern const struct list_table clocks_processes_columns, clocks_pairs_columns, clocks_times_columns, clocks_units_columns,
	clocks_locals_columns;

#endif
