#include "rows.h"

#include <stdio.h>

#include "core/base/unit.h"

#define BUSY 0.5 /* of its time outside of MPI: what has a processor for less does not compute most of it */

enum outside_use outside_use(const struct process_node *node, double useful, double cpu)
{
	if (!node->processors || !(useful > 0) || !(cpu >= 0))
		return OUTSIDE_UNKNOWN;
	if (cpu >= BUSY * useful)
		return OUTSIDE_COMPUTING;
	if (!(node->waited >= 0))
		return OUTSIDE_UNKNOWN;
	return node->waited < (useful - cpu) / 2 ? OUTSIDE_IDLE : OUTSIDE_SHARED;
}

const char *outside_use_name(enum outside_use use)
{
	static const char *const names[] = {
		[OUTSIDE_UNKNOWN] = NULL, [OUTSIDE_COMPUTING] = "computing", [OUTSIDE_IDLE] = "idle", [OUTSIDE_SHARED] = "shared",
	};

	return names[use];
}

char *outside_use_text(enum outside_use use, double useful, double cpu, char *text)
{
	char a[UNIT_TEXT], b[UNIT_TEXT];

	*text = 0;
	if (use == OUTSIDE_IDLE || use == OUTSIDE_SHARED)
		snprintf(text, OUTSIDE_TEXT, "%s: %s of processor time in %s", use == OUTSIDE_IDLE ? "was idle outside MPI" : "shared its processor",
			 unit_time_ascii(a, cpu), unit_time_ascii(b, useful));
	return text;
}
