/* The phase space, inside: what phases_search() works on (phases.h says what it is for).
 *
 * Send ticks (those with sends or collectives) are numbered 0 .. count-1; tick[k] is the tick of the logical
 * trace. class.of[k] interns its content (processes, types, sizes of sends and collectives).
 *
 * Repeats: for send tick k, repeat[repeat_first[k] .. repeat_first[k+1]) are the distinct send ticks, ascending, at
 * which some process last had the type that it has at k. In a window without repeats that starts at s, the type of k
 * occurs again iff the last of them is >= s, and the first of them that is >= s is where it occurred first.
 *
 * With a team (trace_team()) the search is rank 0's: it alone has repeats, cells, and gathered; the others have count
 * and tick.
 */
#ifndef PAS2P_PHASE_SPACE_H
#define PAS2P_PHASE_SPACE_H

#include "phases.h"
#include "core/logical/tick_cells.h"

struct phase_space {
	const struct logical *l;
	uint32_t count;
	uint32_t *tick;
	struct tick_classes class;
	uint32_t *cells;         /* per class: events in it */
	bool size_unknown;       /* that of one of them is */
	struct tick_cells gathered; /* per class, with a team */
	uint64_t *repeat_first;  /* count + 1 */
	uint32_t *repeat;
};

/* The cells of a class of send ticks: of any tick that is of it. */
static inline struct cell_walk phase_cells(const struct phase_space *p, uint32_t class)
{
	return p->gathered.first ? cells_gathered(&p->gathered, class) : cells_of_tick(p->l, p->class.example[class], true);
}

/* The counts of two ticks. */
struct phase_counts cells_compare(struct cell_walk *a, struct cell_walk *b, double volume);

/* Repeats of a team's ranks, each of its own processes, become those of all, on rank 0; the others' are freed. Holds
 * meetings (team.h). */
enum err_code phase_space_join_repeats(struct phase_space *p, const struct job *job, struct err *e);
/* Sorts and thins out; returns how many are left. */
uint32_t phase_space_distinct(uint32_t *list, uint32_t n);

#endif
