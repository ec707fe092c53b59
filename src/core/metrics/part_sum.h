/* What rows by state and by phase are summed up from, process by process. Internal to the rows.
 *
 * For each process, each row that it has a share of is told once by part_sum_add(), in the order of processes; part_sum_row() makes the
 * row of it. Rows that a process has no share of need not be told: it counts as 0.
 */
#ifndef PAS2P_PART_SUM_H
#define PAS2P_PART_SUM_H

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
	double critical;
};

void part_sum_add(struct part_sum *sum, uint32_t process, const struct part *part);
void part_sum_row(struct part_row *row, const struct part_sum *sum, const struct run_metrics *m);

/* What a call of an account list adds in the ideal run: X - E, and nothing where it is the tracer's, which is time of its own. */
static inline double part_call_waiting(const struct run_metrics *m, const struct call_list *list, uint32_t call)
{
	const struct call_log *log = m->log;

	if (!m->ideal || log->nodes[log->calls[call].node].time == ACCOUNT_TRACER)
		return 0;
	return m->ideal->exit[call] - replay_entry(m->ideal, list, call);
}

#endif
