#include "run_metrics.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "meetings.h"

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
	a->hidden = NAN;
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
}

static void take_times(struct run_metrics *m)
{
	const struct call_log *log = m->log;
	double end = 0;

	for (uint32_t l = 0; l < log->list_count; l++) {
		const struct call_list *list = &log->lists[l];

		if (!l || list->start < m->t0)
			m->t0 = list->start;
		if (!l || list->stop > end)
			end = list->stop;
	}
	m->runtime = log->list_count ? end - m->t0 : NAN;
	m->time = m->outside = log->list_count ? 0 : NAN;
	for (uint32_t l = 0; l < log->list_count; l++) {
		const struct call_list *list = &log->lists[l];

		if (!list->account)
			continue;
		m->time += list->stop - list->start;
		m->outside += m->runtime - (list->stop - list->start);
		m->known.posts |= list->known.posts;
		m->known.nonblocking |= list->known.nonblocking;
	}
}

static void count_events(struct run_metrics *m)
{
	const struct trace *t = m->log->trace;

	m->messages = t->send_count;
	m->collectives = t->collective_count;
	m->unrelated = t->lost_sends + t->lost_receives;
	for (uint32_t e = 0; e < t->event_count; e++)
		if (EVENT_KIND(t->type[e]) == EVENT_SEND && t->size[e] != SIZE_UNKNOWN)
			m->bytes += t->size[e];
}

/* CPU time is known of all of the processes or of none. */
static void take_accounts(struct run_metrics *m)
{
	const struct call_log *log = m->log;
	struct factors_from from = {.processes = m->processes};

	m->account = (struct account){0};
	m->cpu = 0;
	for (uint32_t p = 0; p < m->processes; p++) {
		struct account *a = &m->of_process[p];
		uint32_t l = log->list_first[p];
		double useful;

		if (l == log->list_first[p + 1])
			continue;
		*a = (struct account){0};
		waits_account(m->waits, l, a);
		account_add(&m->account, a);
		useful = a->by_kind[ACCOUNT_USEFUL];
		factors_add(&from, p, useful, a->by_kind[ACCOUNT_TRACER], account_communication(a));
		m->cpu += log->lists[l].cpu;
		m->notes[METRIC_NOTE_SHARED_PROCESSORS] += useful > 0 && log->lists[l].cpu / useful < SHARED_BELOW;
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

static enum err_code take_critical(struct run_metrics *m, const struct job *job, struct err *e)
{
	struct critical_path *path;
	enum err_code code = critical_new(&path, m->ideal, job, e);

	if (code)
		return code;
	m->critical = mem_alloc(path->count, sizeof *m->critical);
	for (uint32_t i = 0; m->critical && i < path->count; i++)
		m->critical[i] = (struct critical_step){path->pieces[i].list, path->pieces[i].call, path->pieces[i].what};
	m->critical_count = path->count;
	critical_free(path);
	return m->critical ? ERR_OK : err_memory(e, "the critical path");
}

struct critical_piece run_metrics_critical(const struct run_metrics *m, uint32_t i)
{
	const struct critical_step *step = &m->critical[i];
	const struct call_list *list = &m->log->lists[step->list];
	double reached = replay_reached(m->ideal, list, step->call), entry = replay_entry(m->ideal, list, step->call);
	struct critical_piece piece = {step->list, step->call, step->what, reached, entry};

	if (step->what == CRITICAL_LATE_START) {
		piece.from = 0;
		piece.to = reached;
	} else if (step->what == CRITICAL_TRACER) {
		piece.from = entry;
		piece.to = m->ideal->exit[step->call];
	}
	return piece;
}

/* --- nodes --- */

struct host_of {
	const char *host;
	uint32_t process;
};

static int by_host(const void *a, const void *b)
{
	const struct host_of *x = a, *y = b;
	int order = strcmp(x->host, y->host);

	return order ? order : x->process < y->process ? -1 : x->process > y->process;
}

/* How well the hosts are balanced, and the processes of each: only where the host of each of them is known. */
static enum err_code take_nodes(struct run_metrics *m, struct err *e)
{
	const struct trace *t = m->log->trace;
	struct host_of *order = mem_alloc(m->processes, sizeof *order);
	double busiest = 0;

	if (!order)
		return err_memory(e, "the hosts");
	for (uint32_t p = 0; p < m->processes; p++) {
		order[p] = (struct host_of){t->processes[p].host, p};
		if (!order[p].host) {
			mem_free(order);
			return ERR_OK;
		}
	}
	qsort(order, m->processes, sizeof *order, by_host);
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

static uint64_t early_receives(const struct trace *t)
{
	uint64_t early = 0;

	for (uint32_t e = 0; e < t->event_count; e++)
		early += EVENT_KIND(t->type[e]) == EVENT_RECEIVE && t->match[e] != NO_EVENT && t->time[e] < t->time[t->match[e]];
	return early;
}

static void take_notes(struct run_metrics *m)
{
	const struct call_log *log = m->log;
	const struct trace *t = log->trace;
	uint64_t *notes = m->notes, accounts = 0;

	for (uint32_t l = 0; l < log->list_count; l++)
		accounts += log->lists[l].account;
	notes[METRIC_NOTE_NO_MPI_STATES] = !m->has_account;
	notes[METRIC_NOTE_UNPAIRED] = log->unpaired;
	notes[METRIC_NOTE_THREADS] = log->list_count - accounts;
	notes[METRIC_NOTE_UNTRACED] = (uint64_t)ceil(log->untraced * 1e3);
	for (uint32_t i = 0; i < t->file_count; i++)
		notes[METRIC_NOTE_UNFINALIZED] += !t->files[i].finalized;
	notes[METRIC_NOTE_NO_USER_STATES] = m->has_account && !log->users_seen;
	notes[METRIC_NOTE_DEEP_STATES] = log->too_deep;
	if (!m->has_account)
		return;
	notes[METRIC_NOTE_BROKEN_REPLAY] = m->ideal->broken;
	if (m->ideal_runtime > m->runtime * (1 + ROUNDING))
		notes[METRIC_NOTE_EARLY_RECEIVES] = early_receives(t);
	notes[METRIC_NOTE_TRANSFER_ABOVE_ONE] = m->factors.transfer_efficiency > 1 + ROUNDING;
}

static enum err_code take_waits_and_replay(struct run_metrics *m, const struct replay_rules *rules, const struct job *job,
					   struct err *e)
{
	struct meetings meetings;
	enum err_code code = meetings_init(&meetings, m->log, job, e);

	if (!code)
		code = waits_new_among(&m->waits, m->log, &meetings, job, e);
	if (!code)
		code = replay_new_among(&m->ideal, m->log, m->waits, &meetings, rules, NULL, job, e);
	meetings_release(&meetings);
	return code;
}

enum err_code run_metrics_new(struct run_metrics **out, const struct call_log *log, const struct replay_rules *rules,
			      const struct job *job, struct err *e)
{
	struct run_metrics *m = mem_zero(1, sizeof *m);
	enum err_code code = ERR_OK;

	*out = NULL;
	if (m)
		m->of_process = mem_zero(log->trace->process_count, sizeof *m->of_process);
	if (!m || !m->of_process) {
		run_metrics_free(m);
		return err_memory(e, "the metrics");
	}
	m->log = log;
	m->has_account = log->states_seen;
	m->processes = log->trace->process_count;
	m->threads = log->list_count;
	all_unknown(m);
	take_times(m);
	count_events(m);
	if (m->has_account)
		code = take_waits_and_replay(m, rules, job, e);
	if (!code && m->has_account)
		code = take_critical(m, job, e);
	if (!code && m->has_account)
		take_accounts(m);
	if (!code)
		code = take_nodes(m, e);
	if (code) {
		run_metrics_free(m);
		return code;
	}
	take_notes(m);
	mem_trim();
	*out = m;
	return ERR_OK;
}

void run_metrics_free(struct run_metrics *m)
{
	if (!m)
		return;
	waits_free(m->waits);
	replay_free(m->ideal);
	mem_free(m->critical);
	mem_free(m->of_process);
	mem_free(m);
}
