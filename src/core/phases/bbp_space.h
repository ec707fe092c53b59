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
	double *largest;            /* per tick: compute time that follows its events, at most; never below 0. NAN: one is not known */
	uint64_t *size_values;      /* the sizes that there are, ascending */
	uint32_t size_count;
};

/* The cells of a class by type and size. */
static inline struct cell_walk bbp_cells(const struct bbp_space *b, uint32_t class)
{
	return b->gathered.first ? cells_gathered(&b->gathered, class) : cells_of_tick(b->l, b->sizes.example[class], false);
}

/* The compute times that follow a tick's events, of one's own: the largest, never below 0; the sum, of a whole
 * trace. NAN: one is not known. */
double bbp_largest(const struct logical *l, uint32_t tick);
double bbp_sum(const struct logical *l, uint32_t tick);
/* The largest of the ticks [begin, end) over all ranks of a team. Meets (team.h). */
enum err_code bbp_reduce_largest(double *largest, const struct logical *l, uint32_t begin, uint32_t end, struct err *e);

/* The compute times that blocks are compared by, as `compute-of` says. */
struct bbp_times {
	const double *tick;      /* per tick: the largest, or the sum */
	double *sum;             /* owned; NULL: not asked for */
	/* With a team, for `each`: rank 0 has the compute times of all events, at 8 bytes each, by tick and process. first
	 * NULL: they are in the trace. */
	uint64_t *first;         /* tick_count + 1 */
	double *compute;
};

/* Meets (team.h). */
enum err_code bbp_times_init(struct bbp_times *times, const struct bbp_space *space, const struct settings *settings, const struct job *job,
			     struct err *e);
void bbp_times_release(struct bbp_times *times);

#endif
