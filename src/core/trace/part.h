/* Sharing a trace's processes out among threads, by their events: each part is a range of processes, and of events. */
#ifndef PAS2P_CORE_TRACE_PART_H
#define PAS2P_CORE_TRACE_PART_H

#include "trace.h"

/* The processes of one of `parts` parts that have about as many events each: from *first up to, not including, *end. */
void trace_part(const struct trace *t, unsigned part, unsigned parts, uint32_t *first, uint32_t *end);

#endif
