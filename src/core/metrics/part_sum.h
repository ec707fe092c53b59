/* What rows by state and by phase are summed up from, process by process. Internal to the rows.
 *
 * For each process, each row that it has a share of is told once by part_sum_add(), in the order of processes;
 * part_sum_row() makes the row of it. Rows that a process has no share of need not be told: it counts as 0. Groups of
 * processes are summed up apart (group_sums.h) and then joined.
 *
 * The critical path goes from process to process: what of it lies in each row is summed up exactly (critical_sums).
 */
#ifndef PAS2P_PART_SUM_H
#define PAS2P_PART_SUM_H

#include "core/base/exact_sum.h"
#include "metrics_rows.h"

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
 * end are meetings, and seconds[] is of the whole path on all of them. ERR_MEMORY; agreed. */
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
