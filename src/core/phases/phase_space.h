/* The phase space, inside: what phases_search() works on (phases.h says what it is for).
 *
 * Send ticks (those with sends or collectives) are numbered 0 .. count-1; tick[k] is the tick of the logical
 * trace. class.of[k] interns its content (processes, types, sizes of sends and collectives).
 *
 * Repeats: for send tick k, repeat[repeat_first[k] .. repeat_first[k+1]) are the distinct send ticks, ascending, at
 * which some process last had the type that it has at k. In a window without repeats that starts at s, the type of k
 * occurs again iff the last of them is >= s, and the first of them that is >= s is where it occurred first.
 */
#ifndef PAS2P_PHASE_SPACE_H
#define PAS2P_PHASE_SPACE_H

#include "phases.h"
#include "core/logical/tick_classes.h"

struct phase_space {
	const struct logical *l;
	uint32_t count;
	uint32_t *tick;
	struct tick_classes class;
	uint32_t *cells;         /* per class: events in it */
	uint64_t *repeat_first;  /* count + 1 */
	uint32_t *repeat;
};

#endif
