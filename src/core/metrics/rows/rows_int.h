/* Declarations that only the files of src/core/metrics/rows use. Each part begins with its own description. */
#ifndef PAS2P_CORE_METRICS_ROWS_ROWS_INT_H
#define PAS2P_CORE_METRICS_ROWS_ROWS_INT_H

#include "core/team/team_pack.h"
#include "core/trace/trace.h"
#include "core/base/exact_sum.h"
#include "metrics_rows.h"

/* ---- group_sums ---- */

/* Sums over processes that come to the same to the last bit whoever has the processes (docs/internals/scale.md 1): each
 * group of processes (MAKE_GROUPS) is summed up by itself, process after process, and then the groups in their order.
 * Internal to the rows.
 *
 *     group_sums_init(&g, t, rows, sizeof(struct my_sum), join);      rows of a sum each, all zero
 *     group_sums_begin(&g, process);                                  each process that adds something, in their order
 *     struct my_sum *here = group_sums_at(&g, row);                   of its group: add what it has
 *     group_sums_finish(&g, &e);                                      a collective step; then group_sums_of(&g, row) is the sum
 *     group_sums_release(&g);
 *
 * Where ranks share the trace each sums up its local processes, and rank 0 alone has the sums; on the others they stay
 * zero. A rank then keeps a row's sum for each of its groups that have a share of it; they go to rank 0 in slices of
 * rows.
 */

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

/* ---- part_sum ---- */

/* What rows by state and by phase are summed up from, process by process. Internal to the rows.
 *
 * For each process, each row that it has a share of is told once by part_sum_add(), in the order of processes;
 * part_sum_row() makes the row of it. Rows that a process has no share of need not be told: it counts as 0. Groups of
 * processes are summed up apart (group_sums) and then joined.
 *
 * The critical path goes from process to process: what of it lies in each row is summed up exactly (critical_sums).
 */

/* Of one process, in one row. */
struct part {
	struct account account;
	double waiting;          /* of the ideal run: X - E of the calls that begin here */
};

struct part_sum {
	struct account account;
	struct factors_from from;
	double time_max, ideal_max;
};

void part_sum_add(struct part_sum *sum, uint32_t process, const struct part *part);
void part_sum_join(struct part_sum *to, const struct part_sum *more);
/* critical: s of the critical path in it. */
void part_sum_row(struct part_row *row, const struct part_sum *sum, double critical, const struct run_metrics *m);

/* Seconds of the critical path by row. `most` numbers at most go to a row here; where ranks share the trace begin and
 * end are collective steps, and seconds[] is of the whole path on all of them. ERR_MEMORY; agreed. */
struct critical_sums {
	struct exact_unit unit;
	struct exact_sum *sum;   /* per row */
	double *seconds;         /* per row */
	uint32_t rows;
};
enum err_code critical_sums_init(struct critical_sums *c, const struct run_metrics *m, uint32_t rows, uint64_t most, struct err *e);
enum err_code critical_sums_finish(struct critical_sums *c, const struct run_metrics *m, struct err *e);
void critical_sums_release(struct critical_sums *c);

static inline void critical_sums_add(struct critical_sums *c, uint32_t row, double seconds)
{
	exact_add(&c->unit, &c->sum[row], seconds);
}

/* What a call of an account list adds in the ideal run: X - E, and nothing where it is the tracer's, which is time of
 * its own. */
static inline double part_call_waiting(const struct run_metrics *m, const struct call_list *list, uint32_t call)
{
	const struct call_log *log = m->log;

	if (!m->ideal || log->nodes[log->calls[call].node].time == ACCOUNT_TRACER)
		return 0;
	return m->ideal->exit[call] - replay_entry(m->ideal, list, call);
}

#endif
