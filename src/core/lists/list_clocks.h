/* What the lists of clocks share: what they are of, and which columns there are (docs/clocks.md, "Output"). What is not
 * known or has no bound is empty, never 0. */
#ifndef PAS2P_LIST_CLOCKS_H
#define PAS2P_LIST_CLOCKS_H

#include "core/table/columns.h"
#include "core/clocks/clock_report.h"

/* Of a process: who it is; its offset at start and end; its rate; its shifts, as one text; what it sent and received.
 * Documents have lists in place of CLOCKS_ENDS and CLOCKS_SHIFTS. All others are CLOCKS_COUNT. */
enum { CLOCKS_NAME = 1, CLOCKS_ENDS = 2, CLOCKS_RATE = 4, CLOCKS_SHIFTS = 8, CLOCKS_COUNT = 16 };
#define CLOCKS_ALL (CLOCKS_NAME | CLOCKS_ENDS | CLOCKS_RATE | CLOCKS_SHIFTS | CLOCKS_COUNT)

struct clocks_list {
	const struct clock_report *report;
	struct out *shifts; /* where their text is made; not for other lists, nor without CLOCKS_SHIFTS */
};

#endif
