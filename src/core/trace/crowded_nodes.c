#include "trace.h"

#include <inttypes.h>
#include <stdio.h>

struct crowded_nodes crowded_nodes(const struct trace *t)
{
	struct crowded_nodes c = {0};

	for (uint32_t p = 0; p < t->process_count; p++) {
		const struct process_node *n = &t->processes[p].node;

		if (!n->processors || !n->first)
			continue;
		c.nodes++;
		if (n->processes <= n->processors)
			continue;
		c.crowded++;
		if (c.processors && (uint64_t)n->processes * c.processors <= (uint64_t)c.processes * n->processors)
			continue;
		c.processes = n->processes;
		c.processors = n->processors;
	}
	return c;
}

char *crowded_nodes_text(const struct crowded_nodes *c, char *text)
{
	*text = 0;
	if (!c->crowded)
		return text;
	snprintf(text, CROWDED_TEXT, "%" PRIu32 " processes shared %" PRIu32 " processor%s", c->processes, c->processors,
		 c->processors == 1 ? "" : "s");
	if (c->crowded > 1)
		snprintf(text, CROWDED_TEXT, "%" PRIu32 " processes shared %" PRIu32 " processor%s on one of %" PRIu32 " nodes with too few processors",
			 c->processes, c->processors, c->processors == 1 ? "" : "s", c->crowded);
	return text;
}
