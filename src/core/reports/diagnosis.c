#include "reports.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define SAME_WITHIN 0.01     /* of the run time: what is neither better nor worse */
#define CONSTANT_WITHIN 0.1  /* of the larger serial fraction */

const char *verdict_name(enum verdict v)
{
	static const char *const names[] = {
		[VERDICT_OK] = "ok", [VERDICT_POOR] = "poor", [VERDICT_UNKNOWN] = "unknown", [VERDICT_BETTER] = "better",
		[VERDICT_SAME] = "same", [VERDICT_WORSE] = "worse", [VERDICT_NOT_DONE] = "not-done",
	};

	return names[v];
}

const char *trend_name(enum trend t)
{
	static const char *const names[] = {
		[TREND_NONE] = NULL, [TREND_CONSTANT] = "constant", [TREND_RISING] = "rising", [TREND_FALLING] = "falling",
	};

	return names[t];
}

static enum verdict judge(double value, double bar)
{
	return isnan(value) ? VERDICT_UNKNOWN : value >= bar ? VERDICT_OK : VERDICT_POOR;
}

/* --- the series --- */

struct diagnosed_series {
	const struct diagnosed *runs;
	uint32_t count, reference, run;
	const struct diagnosis_settings *settings;
};

/* What comes first of two with the same processes: the shorter; a run without a time behind all. */
static bool is_shorter(const struct diagnosed *a, const struct diagnosed *b)
{
	return a->figures.runtime < b->figures.runtime || (!isnan(a->figures.runtime) && isnan(b->figures.runtime));
}

uint32_t diagnosis_run(const struct diagnosed *runs, uint32_t count)
{
	uint32_t best = 0;

	for (uint32_t i = 1; i < count; i++)
		if (runs[i].figures.processes > runs[best].figures.processes ||
		    (runs[i].figures.processes == runs[best].figures.processes && is_shorter(&runs[i], &runs[best])))
			best = i;
	return best;
}

/* The best run of the next larger process count than that of run `i`; of the least count with i NO_RUN. Runs without a
 * time are left out. NO_RUN: there is none. */
static uint32_t best_of_next(const struct diagnosed_series *s, uint32_t i)
{
	uint32_t best = NO_RUN;

	for (uint32_t k = 0; k < s->count; k++) {
		const struct scaling_run *run = &s->runs[k].figures;

		if (!(run->runtime > 0) || (i != NO_RUN && run->processes <= s->runs[i].figures.processes))
			continue;
		if (best == NO_RUN || run->processes < s->runs[best].figures.processes ||
		    (run->processes == s->runs[best].figures.processes && is_shorter(&s->runs[k], &s->runs[best])))
			best = k;
	}
	return best;
}

static bool has_serial(const struct diagnosed_series *s)
{
	return s->settings->serial > 0;
}

/* How many different numbers of processes there are. */
static uint32_t count_points(const struct diagnosed_series *s)
{
	uint32_t points = 0;

	for (uint32_t i = best_of_next(s, NO_RUN); i != NO_RUN; i = best_of_next(s, i))
		points++;
	return points;
}

/* The time of one process that no run of the series measured. */
static bool serial_is_a_point(const struct diagnosed_series *s)
{
	uint32_t first = best_of_next(s, NO_RUN);

	return has_serial(s) && (first == NO_RUN || s->runs[first].figures.processes > 1);
}

/* --- 1: where do we stand? --- */

static bool slows_down(const struct diagnosed_series *s)
{
	double before = serial_is_a_point(s) ? s->settings->serial : INFINITY;
	bool slower = false;

	for (uint32_t i = best_of_next(s, NO_RUN); i != NO_RUN; i = best_of_next(s, i)) {
		slower |= s->runs[i].figures.runtime >= before;
		before = s->runs[i].figures.runtime;
	}
	return slower;
}

/* In a strong series each of twice the processes has half of the work. */
static bool looks_weak(const struct diagnosed_series *s)
{
	const struct scaling_run *run = &s->runs[s->run].figures, *reference;

	if (s->reference == NO_RUN)
		return false;
	reference = &s->runs[s->reference].figures;
	return run->processes > reference->processes &&
	       run->useful / run->processes >
		       reference->useful / reference->processes * (0.5 + 0.5 * reference->processes / run->processes);
}

static void stand(struct diagnosis *d, const struct diagnosed_series *s)
{
	const struct scaling_run *run = &s->runs[s->run].figures;
	uint32_t points = count_points(s);
	bool efficiency = points > 1 || has_serial(s);

	d->stand.metric = efficiency ? "efficiency" : "parallel_efficiency";
	d->stand.value = efficiency ? run->efficiency : run->parallel_efficiency;
	d->stand.speedup = run->speedup;
	d->stand.processes = run->processes;
	d->stand.verdict = judge(d->stand.value, s->settings->bar);
	if (points + serial_is_a_point(s) < 3)
		d->stand.warnings |= WARN_FEW_POINTS;
	if (s->settings->kind == SCALING_STRONG && slows_down(s))
		d->stand.warnings |= WARN_SLOWS_DOWN;
	if (s->settings->kind == SCALING_STRONG && looks_weak(s))
		d->stand.warnings |= WARN_LOOKS_WEAK;
}

/* --- 2: how far can it go? --- */

/* Do two runs' nodes have the same names up to the root? */
static bool same_path(const struct call_log *a, uint32_t m, const struct call_log *b, uint32_t n)
{
	while (a->nodes[m].depth == b->nodes[n].depth && a->nodes[m].kind == b->nodes[n].kind &&
	       !strcmp(a->nodes[m].name, b->nodes[n].name)) {
		if (!m || !n)
			return m == n;
		m = a->nodes[m].parent;
		n = b->nodes[n].parent;
	}
	return false;
}

static enum trend trend_of(double first, double last)
{
	double larger = fmax(fabs(first), fabs(last));

	if (fabs(last - first) <= CONSTANT_WITHIN * larger)
		return TREND_CONSTANT;
	return last > first ? TREND_RISING : TREND_FALLING;
}

static void project(struct diagnosis *d, const struct diagnosed_series *s, uint32_t processes)
{
	double f = d->far.serial_fraction > 0 ? d->far.serial_fraction : 0;

	for (uint32_t times = 2; times <= 8; times *= 2) {
		struct projected_speedup *p = &d->far.projection[d->far.projections++];
		double k = (double)times * processes / d->far.reference;

		p->processes = times * processes;
		p->speedup = s->settings->kind == SCALING_WEAK ? k - f * (k - 1) : 1 / (f + (1 - f) / k);
		p->efficiency = p->speedup / k;
	}
}

enum grown_kind { GROWN_COMPUTE, GROWN_WAITING, GROWN_TRANSFER, GROWN_OTHER, GROWN_KINDS };

static double grown_time(const struct account *a, enum grown_kind kind)
{
	switch (kind) {
	case GROWN_COMPUTE: return a->by_kind[ACCOUNT_USEFUL];
	case GROWN_WAITING: return account_sync(a);
	case GROWN_TRANSFER: return account_transfer(a);
	default: return a->by_kind[ACCOUNT_OTHER_MPI] + a->by_kind[ACCOUNT_TRACER];
	}
}

/* What a path spent in the reference; 0 where it has none. */
static double grown_in_reference(const struct diagnosed *reference, const struct call_log *log, uint32_t node, enum grown_kind kind)
{
	for (uint32_t i = 0; i < reference->states->count; i++)
		if (same_path(log, node, reference->metrics->log, reference->states->row[i].node))
			return grown_time(&reference->states->row[i].own, kind);
	return 0;
}

static void find_grown(struct diagnosis *d, const struct diagnosed *run, const struct diagnosed *reference, enum grown_kind kind)
{
	const struct call_log *log = run->metrics->log;
	uint32_t most = NO_PROCESS;
	double grew = 0;

	if (!run->states || !reference->states || !log || !reference->metrics->log)
		return;
	for (uint32_t i = 0; i < run->states->count; i++) {
		const struct state_row *row = &run->states->row[i];
		double now = grown_time(&row->own, kind) / run->figures.processes;

		if ((log->nodes[row->node].kind == NODE_MPI) != (kind != GROWN_COMPUTE) || !(now > grew))
			continue;
		now -= grown_in_reference(reference, log, row->node, kind) / reference->figures.processes;
		if (now > grew) {
			grew = now;
			most = row->node;
		}
	}
	if (most != NO_PROCESS && most)
		call_node_path(log, most, d->far.grown_in, sizeof d->far.grown_in);
}

/* The run time is the mean of the processes' times, so what grew in that is what made the run longer. */
static void slower(struct diagnosis *d, const struct diagnosed_series *s, uint32_t last)
{
	static const char *const names[] = {"computation", "waiting", "transfer", "other MPI"};
	const struct diagnosed *run = &s->runs[last], *reference = s->reference == NO_RUN ? NULL : &s->runs[s->reference];
	int most = GROWN_KINDS;
	double grew = 0;

	d->far.slower = true;
	d->far.times_longer = s->settings->kind == SCALING_WEAK ? run->figures.processes / (d->far.reference * run->figures.speedup)
								 : 1 / run->figures.speedup;
	d->far.processes = run->figures.processes;
	if (!reference || !run->metrics->has_account || !reference->metrics->has_account)
		return;
	for (int k = 0; k < GROWN_KINDS; k++) {
		double from = grown_time(&reference->metrics->account, (enum grown_kind)k) / reference->figures.processes;
		double to = grown_time(&run->metrics->account, (enum grown_kind)k) / run->figures.processes;

		if (!(to - from > grew))
			continue;
		grew = to - from;
		most = k;
		d->far.grown = names[k];
		d->far.grown_from = from;
		d->far.grown_to = to;
	}
	if (most != GROWN_KINDS)
		find_grown(d, run, reference, (enum grown_kind)most);
}

static void diagnose_limit(struct diagnosis *d, const struct diagnosed_series *s)
{
	double first = NAN, last = NAN;
	uint32_t known = 0, processes = 0, at = 0;

	d->far.serial_fraction = d->far.limit = NAN;
	d->far.verdict = VERDICT_UNKNOWN;
	d->far.runs = s->count;
	d->far.reference = has_serial(s) ? 1 : s->reference != NO_RUN ? s->runs[s->reference].figures.processes : 0;
	for (uint32_t i = best_of_next(s, NO_RUN); i != NO_RUN; i = best_of_next(s, i)) {
		double f = s->runs[i].figures.serial_fraction;

		if (isnan(f))
			continue;
		if (!known++)
			first = f;
		last = f;
		at = i;
		processes = s->runs[i].figures.processes;
	}
	if (!known || processes > UINT32_MAX / 8)
		return;
	d->far.serial_fraction = last;
	if (known > 1)
		d->far.trend = trend_of(first, last);
	if (s->settings->kind == SCALING_STRONG && last > 0)
		d->far.limit = 1 / last;
	project(d, s, processes);
	if (scaling_is_slower(&s->runs[at].figures))
		slower(d, s, at);
	d->far.verdict = judge(d->far.projection[0].efficiency, s->settings->bar);
}

/* --- 3: where? --- */

enum lost_kind { LOST_BALANCE, LOST_SERIALISATION, LOST_TRANSFER, LOST_SCALING, LOST_KINDS };

static const char *const lost_names[] = {"load_balance", "serialisation_efficiency", "transfer_efficiency", "computation_scaling"};

/* The useful time that the reference would have with as much work. */
static double expected_useful(const struct diagnosed_series *s)
{
	const struct scaling_run *run = &s->runs[s->run].figures, *reference;

	if (s->reference == NO_RUN)
		return NAN;
	reference = &s->runs[s->reference].figures;
	return reference->useful * (s->settings->kind == SCALING_WEAK ? (double)run->processes / reference->processes : 1);
}

/* What a process has most of, where this is lost. */
static double held_by(const struct account *a, enum lost_kind kind)
{
	return kind == LOST_SERIALISATION ? account_sync(a) : kind == LOST_TRANSFER ? account_transfer(a) :
	       a->by_kind[ACCOUNT_USEFUL];
}

static uint32_t guilty_process(const struct run_metrics *m, enum lost_kind kind)
{
	uint32_t guilty = NO_PROCESS;
	double most = 0;

	for (uint32_t p = 0; p < m->processes; p++)
		if (held_by(&m->of_process[p], kind) > most) {
			most = held_by(&m->of_process[p], kind);
			guilty = p;
		}
	return guilty;
}

/* Keep the most of what was lost, at most DIAGNOSIS_TOP of it; ties by name as text. */
static void offer(struct lost_at *top, uint32_t *count, const char *where, double lost)
{
	uint32_t at = *count;

	if (!(lost > 0))
		return;
	while (at > 0 && (lost > top[at - 1].lost || (lost == top[at - 1].lost && strcmp(where, top[at - 1].where) < 0)))
		at--;
	if (at == DIAGNOSIS_TOP)
		return;
	if (*count < DIAGNOSIS_TOP)
		++*count;
	memmove(&top[at + 1], &top[at], (*count - 1 - at) * sizeof *top);
	snprintf(top[at].where, sizeof top[at].where, "%s", where);
	top[at].lost = lost;
}

/* What this routine computed itself in the reference: 0 where it has none. */
static double useful_in_reference(const struct diagnosed *reference, const struct call_log *log, uint32_t node)
{
	for (uint32_t i = 0; i < reference->states->count; i++)
		if (same_path(log, node, reference->metrics->log, reference->states->row[i].node))
			return reference->states->row[i].own.by_kind[ACCOUNT_USEFUL];
	return 0;
}

static double lost_in_routine(const struct diagnosed_series *s, const struct state_row *row, enum lost_kind kind)
{
	const struct diagnosed *run = &s->runs[s->run], *reference;
	double times = 1;

	if (kind != LOST_SCALING)
		return kind == LOST_BALANCE ? row->own_imbalance : held_by(&row->own, kind);
	reference = &s->runs[s->reference];
	if (!reference->states)
		return NAN;
	if (s->settings->kind == SCALING_WEAK)
		times = (double)run->figures.processes / reference->figures.processes;
	return row->own.by_kind[ACCOUNT_USEFUL] - times * useful_in_reference(reference, run->metrics->log, row->node);
}

/* Could this routine be among the most? Cheaper than to ask for its path and for the reference. */
static bool may_be_listed(const struct diagnosis *d, double most)
{
	uint32_t n = d->where.routine_count;

	return most > 0 && (n < DIAGNOSIS_TOP || most >= d->where.routines[n - 1].lost);
}

static void find_routines(struct diagnosis *d, const struct diagnosed_series *s, enum lost_kind kind)
{
	const struct diagnosed *run = &s->runs[s->run];
	const struct call_log *log = run->metrics->log;
	bool functions = run->states && !log->users_seen;

	if (!run->states || (functions && kind != LOST_SERIALISATION && kind != LOST_TRANSFER))
		return;
	for (uint32_t i = 0; i < run->states->count; i++) {
		const struct state_row *row = &run->states->row[i];
		char path[DIAGNOSIS_WHERE];

		if ((log->nodes[row->node].kind == NODE_MPI) != functions ||
		    !may_be_listed(d, kind == LOST_BALANCE ? row->own_imbalance : held_by(&row->own, kind)))
			continue;
		call_node_path(log, row->node, path, sizeof path);
		offer(d->where.routines, &d->where.routine_count, path, lost_in_routine(s, row, kind));
	}
}

static void find_phases(struct diagnosis *d, const struct diagnosed_series *s, enum lost_kind kind)
{
	const struct diagnosed *run = &s->runs[s->run];

	if (!run->phases || kind == LOST_SCALING)
		return;
	for (uint32_t i = 0; i < run->phases->count; i++) {
		const struct phase_row *row = &run->phases->row[i];
		char name[16];

		if (row->phase == SPAN_BEFORE || row->phase == SPAN_AFTER)
			snprintf(name, sizeof name, "%s", row->phase == SPAN_BEFORE ? "before" : "after");
		else
			snprintf(name, sizeof name, "%u", row->phase);
		offer(d->where.phases, &d->where.phase_count, name,
		      kind == LOST_BALANCE ? row->part.imbalance : held_by(&row->part.account, kind));
	}
}

static double lost_in_all(const struct diagnosed_series *s, enum lost_kind kind)
{
	const struct run_metrics *m = s->runs[s->run].metrics;
	double lost;

	switch (kind) {
	case LOST_BALANCE:
		return m->processes * m->useful_max - m->account.by_kind[ACCOUNT_USEFUL];
	case LOST_SCALING:
		lost = m->account.by_kind[ACCOUNT_USEFUL] - expected_useful(s);
		return lost > 0 ? lost : 0;
	default:
		return held_by(&m->account, kind);
	}
}

static void diagnose_loss(struct diagnosis *d, const struct diagnosed_series *s)
{
	const struct diagnosed *run = &s->runs[s->run];
	const struct factors *x = &run->metrics->factors;
	double value[LOST_KINDS] = {x->load_balance, x->serialisation_efficiency, x->transfer_efficiency,
				    run->figures.computation_scaling};
	int least = LOST_KINDS;

	for (int k = LOST_KINDS; k-- > 0;)
		if (!isnan(value[k]) && (least == LOST_KINDS || value[k] <= value[least]))
			least = k;
	d->where.verdict = VERDICT_UNKNOWN;
	d->where.value = d->where.lost = d->where.on_process = NAN;
	d->where.process = NO_PROCESS;
	d->where.communication_efficiency = x->communication_efficiency;
	d->where.not_analysed = run_metrics_not_analysed(run->metrics);
	not_analysed_text(&run->metrics->not_analysed, run->metrics->total, d->where.not_analysed_in);
	d->where.shared = run->metrics->notes[METRIC_NOTE_SHARED_PROCESSORS];
	if (least == LOST_KINDS)
		return;
	d->where.factor = lost_names[least];
	d->where.value = value[least];
	d->where.verdict = judge(value[least], s->settings->bar);
	d->where.lost = lost_in_all(s, (enum lost_kind)least);
	d->where.process = guilty_process(run->metrics, (enum lost_kind)least);
	if (d->where.process != NO_PROCESS)
		d->where.on_process = held_by(&run->metrics->of_process[d->where.process], (enum lost_kind)least);
	if (least == LOST_BALANCE && d->where.process != NO_PROCESS) {
		d->where.outside = run_metrics_outside(run->metrics, d->where.process);
		run_metrics_outside_text(run->metrics, d->where.process, d->where.outside_text);
	}
	find_routines(d, s, (enum lost_kind)least);
	find_phases(d, s, (enum lost_kind)least);
}

/* --- 4: did it help? --- */

static void helped(struct diagnosis *d, const struct diagnosed_series *s)
{
	const struct run_metrics *before = s->settings->before, *now;
	uint32_t best = NO_RUN;

	d->helped.before = s->settings->before_file;
	d->helped.runtime_change = d->helped.parallel_efficiency = d->helped.load_balance = d->helped.communication_efficiency =
		d->helped.serialisation_efficiency = d->helped.transfer_efficiency = d->helped.communication_balance =
			d->helped.overlap = NAN;
	d->helped.verdict = before ? VERDICT_UNKNOWN : VERDICT_NOT_DONE;
	for (uint32_t i = 0; before && i < s->count; i++)
		if (s->runs[i].figures.processes == before->processes &&
		    (best == NO_RUN || is_shorter(&s->runs[i], &s->runs[best])))
			best = i;
	if (best == NO_RUN || !(before->runtime > 0) || isnan(s->runs[best].figures.runtime))
		return;
	now = s->runs[best].metrics;
	d->helped.runtime_change = now->runtime / before->runtime - 1;
	d->helped.verdict = d->helped.runtime_change < -SAME_WITHIN ? VERDICT_BETTER :
			    d->helped.runtime_change > SAME_WITHIN ? VERDICT_WORSE : VERDICT_SAME;
#define CHANGE(name) d->helped.name = now->factors.name - before->factors.name
	CHANGE(parallel_efficiency);
	CHANGE(load_balance);
	CHANGE(communication_efficiency);
	CHANGE(serialisation_efficiency);
	CHANGE(transfer_efficiency);
	CHANGE(communication_balance);
#undef CHANGE
	d->helped.overlap = account_overlap(&now->account, now->known) - account_overlap(&before->account, before->known);
}

void diagnosis_make(struct diagnosis *d, const struct diagnosed *runs, uint32_t count, uint32_t reference,
		    const struct diagnosis_settings *settings)
{
	struct diagnosed_series s = {runs, count, reference, diagnosis_run(runs, count), settings};

	*d = (struct diagnosis){0};
	stand(d, &s);
	diagnose_limit(d, &s);
	diagnose_loss(d, &s);
	helped(d, &s);
}
