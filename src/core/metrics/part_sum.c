#include "part_sum.h"

#include <math.h>

void part_sum_add(struct part_sum *sum, uint32_t process, const struct part *part)
{
	const struct account *a = &part->account;
	double useful = a->by_kind[ACCOUNT_USEFUL], tracer = a->by_kind[ACCOUNT_TRACER], time = account_time(a);
	double ideal = useful + tracer + part->waiting;

	account_add(&sum->account, a);
	factors_add(&sum->from, process, useful, tracer, account_communication(a));
	if (time > sum->time_max)
		sum->time_max = time;
	if (ideal > sum->ideal_max)
		sum->ideal_max = ideal;
}

/* In a trace without MPI calls only times are known. */
void part_sum_row(struct part_row *row, const struct part_sum *sum, const struct run_metrics *m)
{
	struct factors_from from = sum->from;

	from.processes = m->processes;
	row->time = account_time(&sum->account);
	row->share = m->time > 0 ? row->time / m->time : NAN;
	row->time_max = sum->time_max;
	row->heaviest = NO_PROCESS;
	if (!m->has_account) {
		row->account = m->account;
		row->factors = m->factors;
		row->ideal_time_max = row->imbalance = row->critical = NAN;
		return;
	}
	row->account = sum->account;
	row->factors = factors_of(&from, sum->time_max, sum->ideal_max);
	row->ideal_time_max = sum->ideal_max;
	row->imbalance = m->processes * from.useful_max - from.useful_sum;
	row->critical = sum->critical;
	if (from.useful_max > 0)
		row->heaviest = from.heaviest;
}
