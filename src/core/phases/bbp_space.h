/* The space of the basic blocks, inside: what bbps_new() works on (bbp.h says what it is for).
 *
 * With a team (trace_team()) rank 0 labels: it alone has size_values and gathered. All have the rest.
 */
#ifndef PAS2P_BBP_SPACE_H
#define PAS2P_BBP_SPACE_H

#include "bbp.h"
#include "core/logical/tick_cells.h"

struct bbp_space {
	const struct logical *l;
	struct tick_classes types;  /* by type */
	struct tick_classes sizes;  /* by type and size */
	struct tick_cells gathered; /* of the examples of `sizes`, with a team */
	double *largest, *sum;      /* per tick: compute times that follow its events */
	uint32_t *size_values;      /* the sizes that there are, ascending */
	uint32_t size_count;
};

/* The cells of a class by type and size. */
static inline struct cell_walk bbp_cells(const struct bbp_space *b, uint32_t class)
{
	return b->gathered.first ? cells_gathered(&b->gathered, class) : cells_of_tick(b->l, b->sizes.example[class], false);
}

/* The compute times of all events, tick by tick, by process: what `compute-of: each` compares, where they are on several ranks. Empty (first NULL)
 * where they are in the trace. */
struct bbp_each {
	uint64_t *first;  /* tick_count + 1 */
	double *compute;
};

/* With a team, rank 0 gathers them, at 8 bytes an event; else it stays empty. Meets (team.h). */
enum err_code bbp_each_gather(struct bbp_each *each, const struct logical *l, const struct job *job, struct err *e);
void bbp_each_release(struct bbp_each *each);

#endif
