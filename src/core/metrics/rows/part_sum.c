#include "rows_int.h"

#include <math.h>

#include "core/trace/remote.h"

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

void part_sum_join(struct part_sum *to, const struct part_sum *more)
{
	account_add(&to->account, &more->account);
	factors_join(&to->from, &more->from);
	if (more->time_max > to->time_max)
		to->time_max = more->time_max;
	if (more->ideal_max > to->ideal_max)
		to->ideal_max = more->ideal_max;
}

/* In a trace without MPI calls only times are known. */
void part_sum_row(struct part_row *row, const struct part_sum *sum, double critical, const struct run_metrics *m)
{
	struct factors_from from = sum->from;

	from.processes = m->processes;
	row->time = account_time(&sum->account);
	row->share = m->total > 0 ? row->time / m->total : NAN;
	row->time_max = sum->time_max;
	row->heaviest = NO_PROCESS;
	row->gain_10 = NAN;
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
	row->critical = critical;
	if (from.useful_max > 0)
		row->heaviest = from.heaviest;
}

/* ---- the critical path ---- */

enum err_code critical_sums_init(struct critical_sums *c, const struct run_metrics *m, uint32_t rows, uint64_t most, struct err *e)
{
	const struct team *team = trace_team(m->log->trace);
	enum err_code code;

	*c = (struct critical_sums){.rows = rows};
	c->sum = mem_zero(rows, sizeof *c->sum);
	c->seconds = mem_zero(rows, sizeof *c->seconds);
	code = team_agree(team, c->sum && c->seconds ? ERR_OK : err_memory(e, "the critical path"), e);
	if (!code)
		code = team_reduce(team, &most, 1, TEAM_SUM, e);
	c->unit = exact_unit(m->has_account ? m->ideal_runtime : 0, most < UINT32_MAX ? (uint32_t)most : UINT32_MAX);
	return code;
}

enum err_code critical_sums_finish(struct critical_sums *c, const struct run_metrics *m, struct err *e)
{
	const struct team *team = trace_team(m->log->trace);
	uint64_t *totals = mem_alloc(c->rows, 2 * sizeof *totals);
	enum err_code code = totals ? ERR_OK : err_memory(e, "the critical path");

	for (uint32_t i = 0; !code && i < c->rows; i++)
		exact_store(&c->sum[i], totals + 2 * (size_t)i);
	code = code ? team_agree(team, code, e) : team_reduce(team, totals, 2 * (size_t)c->rows, TEAM_SUM_128, e);
	for (uint32_t i = 0; !code && i < c->rows; i++)
		c->seconds[i] = exact_double(&c->unit, totals + 2 * (size_t)i);
	mem_free(totals);
	return code;
}

void critical_sums_release(struct critical_sums *c)
{
	mem_free(c->sum);
	mem_free(c->seconds);
	*c = (struct critical_sums){0};
}
