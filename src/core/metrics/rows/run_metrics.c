#include "rows.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/order.h"
#include "core/trace/remote.h"
#include "core/metrics/waits/waits.h"
#include "core/metrics/waits/instances.h"

#define SHARED_BELOW 0.95 /* of useful time that passed on the CPU clock */
#define ROUNDING 1e-9     /* relative: what sums of times in another order may differ by */

static const char *const kinds[] = {
#define METRIC_NOTE(id, kind, meaning) kind,
#include "metric_notes.def"
};

static const char *const meanings[] = {
#define METRIC_NOTE(id, kind, meaning) meaning,
#include "metric_notes.def"
};

const char *metric_note_kind(enum metric_note n)
{
	return kinds[n];
}

const char *metric_note_meaning(enum metric_note n)
{
	return meanings[n];
}

static void account_unknown(struct account *a)
{
	for (int k = 0; k < ACCOUNT_KINDS; k++)
		a->by_kind[k] = NAN;
	for (int r = 0; r < WAIT_REASONS; r++)
		a->by_reason[r] = NAN;
	a->hidden = a->not_analysed = a->not_analysed_transfer = NAN;
}

/* All that there is of a trace without calls, and what the rest starts from. */
static void all_unknown(struct run_metrics *m)
{
	m->ideal_runtime = m->useful_mean = m->useful_max = m->cpu = m->idle = m->average_parallelism = NAN;
	m->load_balance_nodes = m->load_balance_inside = NAN;
	m->factors = factors_of(&(struct factors_from){.processes = m->processes}, NAN, NAN);
	account_unknown(&m->account);
	for (uint32_t p = 0; p < m->processes; p++)
		account_unknown(&m->of_process[p]);
	for (uint32_t p = 0; p < m->processes; p++)
		m->cpu_of_process[p] = NAN;
}

/* --- what all ranks know of each process --- */

struct process_facts {
	struct account account;  /* if there are accounts at all */
	struct overlap_known known;
	bool recorded;           /* it has records; otherwise there is nothing of it */
	double start, stop, cpu, untraced;
};

static void fill_facts(struct process_facts *f, const struct run_metrics *m, uint32_t process)
{
	uint32_t l = m->log->list_first[process];
	const struct call_list *list = &m->log->lists[l];

	if (l == m->log->list_first[process + 1])
		return;
	*f = (struct process_facts){.known = list->known, .recorded = true, .start = list->start, .stop = list->stop,
				    .cpu = list->cpu, .untraced = list->untraced};
	if (m->waits)
		waits_account(m->waits, l, &f->account);
}

static enum err_code take_facts(struct process_facts **out, const struct run_metrics *m, struct err *e)
{
	const struct trace *t = m->log->trace;
	struct process_facts *facts = mem_zero(m->processes, sizeof *facts);
	enum err_code code = team_agree(trace_team(t), facts ? ERR_OK : err_memory(e, "the time breakdown of the ranks"), e);
	uint32_t begin, end;

	*out = facts;
	if (code)
		return code;
	trace_local(t, &begin, &end);
	for (uint32_t p = begin; p < end; p++)
		fill_facts(&facts[p], m, p);
	return trace_share(t, facts, sizeof *facts, e);
}

static void take_times(struct run_metrics *m, const struct process_facts *facts)
{
	m->time = m->outside = m->threads ? 0 : (double)NAN;
	for (uint32_t p = 0; p < m->processes; p++) {
		const struct process_facts *f = &facts[p];

		m->outside += m->runtime - (f->stop - f->start); /* of a process without records both are 0 */
		if (!f->recorded)
			continue;
		m->time += f->stop - f->start;
		m->known.posts |= f->known.posts;
		m->known.nonblocking |= f->known.nonblocking;
	}
}

static enum err_code count_events(struct run_metrics *m, struct err *e)
{
	const struct trace *t = m->log->trace;
	uint64_t sums[] = {0, m->log->list_count, 0};
	enum err_code code;

	m->messages = t->send_count;
	m->collectives = t->collective_count;
	m->unrelated = t->lost_sends + t->lost_receives;
	for (uint32_t ev = 0; ev < t->event_count; ev++)
		if (EVENT_KIND(t->type[ev]) == EVENT_SEND) {
			uint64_t size = trace_size(t, ev);

			sums[0] += size == SIZE_UNKNOWN ? 0 : size;
			sums[2] += size == SIZE_UNKNOWN;
		}
	code = team_reduce(trace_team(t), sums, 3, TEAM_SUM, e);
	m->bytes = sums[0];
	m->threads = (uint32_t)sums[1];
	m->unknown_sizes = sums[2];
	return code;
}

/* CPU time is known of all of the processes or of none. */
static void take_accounts(struct run_metrics *m, const struct process_facts *facts)
{
	struct factors_from from = {.processes = m->processes};

	m->account = (struct account){0};
	m->cpu = 0;
	for (uint32_t p = 0; p < m->processes; p++) {
		const struct account *a = &facts[p].account;
		double useful;

		if (!facts[p].recorded)
			continue;
		m->of_process[p] = *a;
		m->cpu_of_process[p] = facts[p].cpu;
		account_add(&m->account, a);
		useful = a->by_kind[ACCOUNT_USEFUL];
		factors_add(&from, p, useful, a->by_kind[ACCOUNT_TRACER], account_communication(a));
		m->cpu += facts[p].cpu;
		m->notes[METRIC_NOTE_SHARED_PROCESSORS] += useful > 0 && facts[p].cpu / useful < SHARED_BELOW && run_metrics_outside(m, p) != OUTSIDE_IDLE;
	}
	m->useful_max = from.useful_max;
	m->useful_mean = from.useful_sum / m->processes;
	m->ideal_runtime = m->ideal->runtime;
	m->factors = factors_of(&from, m->runtime, m->ideal_runtime);
	if (m->runtime > 0) {
		m->idle = 1 - m->useful_mean / m->runtime;
		m->average_parallelism = from.useful_sum / m->runtime;
	}
}

/* --- the critical path --- */

static enum err_code take_critical(struct run_metrics *m, const struct progress *progress, struct err *e)
{
	struct critical_path *path;
	enum err_code code = critical_new(&path, m->ideal, progress, e);

	if (code)
		return code;
	m->critical = mem_alloc(path->count, sizeof *m->critical);
	for (uint32_t i = 0; m->critical && i < path->count; i++)
		m->critical[i] = (struct critical_step){path->pieces[i].list, path->pieces[i].call, path->pieces[i].place, path->pieces[i].what};
	m->critical_count = path->count;
	critical_free(path);
	return team_agree(trace_team(m->log->trace), m->critical ? ERR_OK : err_memory(e, "the critical path"), e);
}

struct critical_piece run_metrics_critical(const struct run_metrics *m, uint32_t i)
{
	const struct critical_step *step = &m->critical[i];
	const struct call_list *list = &m->log->lists[step->list];
	double reached = replay_reached(m->ideal, list, step->call), entry = replay_entry(m->ideal, list, step->call);
	struct critical_piece piece = {step->list, step->call, step->what, reached, entry, step->place};

	if (step->what == CRITICAL_LATE_START) {
		piece.from = 0;
		piece.to = reached;
	} else if (step->what == CRITICAL_TRACER) {
		piece.from = entry;
		piece.to = m->ideal->exit[step->call];
	}
	return piece;
}

/* --- what is computing, and what is not --- */

enum outside_use run_metrics_outside(const struct run_metrics *m, uint32_t process)
{
	return outside_use(&m->log->trace->processes[process].node, m->of_process[process].by_kind[ACCOUNT_USEFUL], m->cpu_of_process[process]);
}

char *run_metrics_outside_text(const struct run_metrics *m, uint32_t process, char *text)
{
	return outside_use_text(run_metrics_outside(m, process), m->of_process[process].by_kind[ACCOUNT_USEFUL], m->cpu_of_process[process], text);
}

/* --- nodes --- */

struct host_of {
	const char *host;
	uint32_t process;
};

ORDER_BY(by_host, struct host_of, TEXT(host) UP(process))

/* How well the hosts are balanced, and the processes of each: only where the host of each of them is known. */
static enum err_code take_nodes(struct run_metrics *m, struct err *e)
{
	const struct trace *t = m->log->trace;
	struct host_of *order = mem_alloc(m->processes, sizeof *order);
	double busiest = 0;

	if (!order)
		return err_memory(e, "the nodes");
	for (uint32_t p = 0; p < m->processes; p++) {
		order[p] = (struct host_of){t->processes[p].host, p};
		if (!order[p].host) {
			mem_free(order);
			return ERR_OK;
		}
	}
	SORT(order, m->processes, by_host);
	for (uint32_t i = 0, next; i < m->processes; i = next) {
		double useful = 0;

		for (next = i; next < m->processes && !strcmp(order[next].host, order[i].host); next++) {
			double u = m->of_process[order[next].process].by_kind[ACCOUNT_USEFUL];

			useful += u > 0 ? u : 0;
		}
		useful /= next - i;
		if (useful > busiest)
			busiest = useful;
		m->nodes++;
	}
	mem_free(order);
	if (m->has_account && busiest > 0) {
		m->load_balance_nodes = m->useful_mean / busiest;
		m->load_balance_inside = busiest / m->useful_max;
	}
	return ERR_OK;
}

/* --- notes --- */

static enum err_code take_notes(struct run_metrics *m, const struct process_facts *facts, struct err *e)
{
	const struct call_log *log = m->log;
	const struct trace *t = log->trace;
	uint64_t *notes = m->notes, accounts = 0;
	double untraced = 0;

	for (uint32_t p = 0; p < m->processes; p++) {
		accounts += facts[p].recorded;
		untraced += facts[p].untraced;
	}
	notes[METRIC_NOTE_NO_MPI_STATES] = !m->has_account;
	notes[METRIC_NOTE_UNPAIRED] = log->unpaired;
	notes[METRIC_NOTE_THREADS] = m->threads - accounts;
	notes[METRIC_NOTE_UNTRACED] = (uint64_t)ceil(untraced * 1e3);
	for (uint32_t i = 0; i < t->file_count; i++)
		notes[METRIC_NOTE_UNFINALIZED] += !t->files[i].finalized;
	notes[METRIC_NOTE_NO_USER_STATES] = m->has_account && !log->users_seen;
	notes[METRIC_NOTE_DEEP_STATES] = log->too_deep;
	if (!m->has_account)
		return ERR_OK;
	notes[METRIC_NOTE_NOT_ANALYSED] = m->not_analysed.calls;
	notes[METRIC_NOTE_BROKEN_REPLAY] = m->ideal->broken;
	notes[METRIC_NOTE_TRANSFER_ABOVE_ONE] = m->factors.transfer_efficiency > 1 + ROUNDING;
	if (!(m->ideal_runtime > m->runtime * (1 + ROUNDING)))
		return ERR_OK;
	return early_receives(t, &notes[METRIC_NOTE_EARLY_RECEIVES], e);
}

static enum err_code take_waits_and_replay(struct run_metrics *m, const struct replay_rules *rules, const struct progress *progress,
					   struct err *e)
{
	struct instances instances;
	enum err_code code = instances_init(&instances, m->log, progress, e);

	if (!code)
		code = waits_new_among(&m->waits, m->log, &instances, progress, e);
	code = team_agree(trace_team(m->log->trace), code, e);
	if (!code)
		code = replay_new_among(&m->ideal, m->log, m->waits, &instances, rules, NULL, progress, e);
	instances_release(&instances);
	return code;
}

/* Each of these is a collective step where ranks share the trace. */
static enum err_code metrics_take_all(struct run_metrics *m, const struct replay_rules *rules, const struct progress *progress, struct err *e)
{
	struct process_facts *facts = NULL;
	enum err_code code = count_events(m, e);

	if (!code && m->has_account)
		code = take_waits_and_replay(m, rules, progress, e);
	if (!code && m->has_account)
		code = not_analysed_find(&m->not_analysed, m->waits, m->runtime, e);
	if (!code && m->has_account)
		code = take_critical(m, progress, e);
	if (!code)
		code = take_facts(&facts, m, e);
	if (!code)
		take_times(m, facts);
	if (!code && m->has_account)
		take_accounts(m, facts);
	if (!code)
		code = team_agree(trace_team(m->log->trace), take_nodes(m, e), e);
	if (!code)
		code = take_notes(m, facts, e);
	mem_free(facts);
	return code;
}

enum err_code run_metrics_new(struct run_metrics **out, const struct call_log *log, const struct replay_rules *rules,
			      const struct progress *progress, struct err *e)
{
	struct run_metrics *m = mem_zero(1, sizeof *m);
	enum err_code code;

	*out = NULL;
	if (m) {
		m->of_process = mem_zero(log->trace->process_count, sizeof *m->of_process);
		m->cpu_of_process = mem_zero(log->trace->process_count, sizeof *m->cpu_of_process);
	}
	code = team_agree(trace_team(log->trace), m && m->of_process && m->cpu_of_process ? ERR_OK : err_memory(e, "the metrics"), e);
	if (code) {
		run_metrics_free(m);
		return code;
	}
	m->log = log;
	m->has_account = log->states_seen;
	m->processes = log->trace->process_count;
	m->runtime = trace_has_time(log->trace) ? trace_aet(log->trace) : (double)NAN;
	m->total = trace_total_time(log->trace);
	all_unknown(m);
	code = metrics_take_all(m, rules, progress, e);
	if (code) {
		run_metrics_free(m);
		return code;
	}
	mem_trim();
	*out = m;
	return ERR_OK;
}

double run_metrics_not_analysed(const struct run_metrics *m)
{
	double whole = m->total;

	return m->has_account && whole > 0 ? m->account.not_analysed / whole : (double)NAN;
}

void run_metrics_free(struct run_metrics *m)
{
	if (!m)
		return;
	waits_free(m->waits);
	replay_free(m->ideal);
	mem_free(m->critical);
	mem_free(m->of_process);
	mem_free(m->cpu_of_process);
	mem_free(m);
}
