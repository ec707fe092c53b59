/* Does a trace say what processes did between its messages? Without any MPI call in it nothing is known of their
 * time: it is not recorded, which is not computing. */
#ifndef PAS2P_CORE_TRACE_CALLS_H
#define PAS2P_CORE_TRACE_CALLS_H

#include "trace.h"

static inline bool trace_has_calls(const struct trace *t)
{
	for (uint32_t i = 0; i < t->state_count; i++)
		if (t->states[i].mpi && !t->states[i].solo)
			return true;
	return false;
}

#endif
