/* Sums over processes that come to the same to the last bit whoever has the processes (docs/scale.md 1): each group of
 * processes (MAKE_GROUPS) is summed up by itself, process after process, and then the groups in their order. Internal
 * to the rows.
 *
 *     group_sums_init(&g, t, rows, sizeof(struct my_sum), join);      rows of a sum each, all zero
 *     group_sums_begin(&g, process);                                  each process that adds something, in their order
 *     struct my_sum *here = group_sums_at(&g, row);                   of its group: add what it has
 *     group_sums_finish(&g, &e);                                      a meeting; then group_sums_of(&g, row) is the sum
 *     group_sums_release(&g);
 *
 * Where ranks share the trace each sums up its own processes, and rank 0 alone has the sums; on the others they stay
 * zero. A rank then keeps a row's sum for each of its groups that have a share of it; they go to rank 0 in slices of
 * rows.
 */
#ifndef PAS2P_GROUP_SUMS_H
#define PAS2P_GROUP_SUMS_H

#include "core/team/team_pack.h"
#include "core/trace/trace.h"

struct group_sums {
	const struct trace *t;
	uint32_t rows, group;    /* group: at hand */
	size_t size;             /* of a sum: any struct that may be copied, and is zero at first */
	void (*join)(void *to, const void *from); /* a group's sum goes to the whole's */
	uint8_t *sum, *here;     /* per row: of all, of the group at hand */
	uint8_t *is_touched;     /* the group at hand has a share of the row */
	uint32_t *touched, touched_count;
	struct team_pack groups; /* where ranks share the trace: row and sum of each group, in their order */
};

/* False: no memory; release it all the same. */
bool group_sums_init(struct group_sums *g, const struct trace *t, uint32_t rows, size_t size, void (*join)(void *to, const void *from));
void group_sums_release(struct group_sums *g);

void group_sums_begin(struct group_sums *g, uint32_t process);

/* ERR_MEMORY; agreed. */
enum err_code group_sums_finish(struct group_sums *g, struct err *e);

static inline void *group_sums_at(struct group_sums *g, uint32_t row)
{
	if (!g->is_touched[row]) {
		g->is_touched[row] = 1;
		g->touched[g->touched_count++] = row;
	}
	return g->here + row * g->size;
}

static inline void *group_sums_of(const struct group_sums *g, uint32_t row)
{
	return g->sum + row * g->size;
}

#endif
