/* The metrics against the naive ones, which were written from the definition alone: on random runs with every oddity,
 * and on the sample traces, each call's times, waiting and place in the ideal run, and each figure of each row, must be
 * the same.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/method/figures/figures.h"
#include "core/formats/api/load.h"
#include "core/io/source.h"
#include "core/metrics/rows/metrics_rows.h"
#include "core/metrics/calls/phase_spans.h"
#include "gen_script.h"
#include "naive_metrics.h"
#include "tap.h"

static struct err err;

static void must(enum err_code code)
{
	if (code != ERR_OK)
		bail_out("%s", err.text);
}

/* Both, of one file's bytes. */
struct pair {
	struct naive_metrics *naive;
	struct source source;
	struct trace *trace;
	struct call_log *log;
	struct run_metrics *run;
};

enum question {
	CALLS, WAITS, HIDDEN, TIMES, RUN, HOSTS, IDEAL, PROCESSES, STATES, PHASES, QUESTIONS
};
static const char *const asked[QUESTIONS] = {
	"calls begin and end as they do", "they wait as long and for the same reason", "the same gaps are hidden",
	"the ideal run enters and leaves each call at the same times", "the run's figures", "its hosts", "how long it takes, ideally",
	"its rows by process", "its rows by state", "its rows by phase"};

static uint32_t wrong[QUESTIONS], seen[QUESTIONS], stepped;

static void check(enum question q, bool right, const char *run, const char *what, double got, double want)
{
	seen[q]++;
	if (right)
		return;
	if (wrong[q]++ < 4)
		diag("%s: %s is %.12g, naively %.12g", run, what, got, want);
}

static bool same(double a, double b)
{
	return (isnan(a) && isnan(b)) || fabs(a - b) <= 1e-9 * fmax(1, fmax(fabs(a), fabs(b)));
}

static void number(enum question q, const char *run, const char *what, double got, double want)
{
	check(q, same(got, want), run, what, got, want);
}

static struct pair open_pair(struct gen_bytes b, const struct replay_rules *rules)
{
	struct naive_choices choices = {.rendezvous = rules->rendezvous == REPLAY_NEVER ? -1 : (int64_t)rules->rendezvous,
					.rooted_all = rules->rooted_all};
	struct pair p = {.naive = naive_metrics_new(b.bytes, b.size, &choices)};

	must(source_open_memory(&p.source, "run", b.bytes, b.size, &err));
	must(trace_load_sources(&p.trace, &p.source, 1, NULL, NULL, &err));
	must(call_log_new_sources(&p.log, p.trace, &p.source, 1, NULL, &err));
	must(run_metrics_new(&p.run, p.log, rules, NULL, &err));
	return p;
}

static void close_pair(struct pair *p)
{
	run_metrics_free(p->run);
	call_log_free(p->log);
	trace_free(p->trace);
	source_release(&p->source);
	naive_metrics_free(p->naive);
}

/* --- calls --- */

static void list(const struct pair *p, const struct call_list *l, const char *run)
{
	const struct naive_list *n = NULL;
	uint32_t k = 0;

	for (uint32_t i = 0; i < p->naive->lists; i++)
		if (p->naive->list[i].process == l->process && p->naive->list[i].thread == l->thread)
			n = &p->naive->list[i];
	check(CALLS, n, run, "a thread with records", l->thread, -1);
	if (!n)
		return;
	number(CALLS, run, "start of a list", l->start, n->start);
	number(CALLS, run, "end of a list", l->stop, n->end);
	for (uint32_t c = l->first; c < l->end; c++) {
		const struct logged_call *call = &p->log->calls[c];
		const struct naive_call *want;

		if (p->log->nodes[call->node].time == ACCOUNT_TRACER)
			continue;
		if (k++ == n->calls) {
			check(CALLS, false, run, "a call that there is naively none of", call->start, NAN);
			return;
		}
		want = &n->call[k - 1];
		number(CALLS, run, "start of a call", call->start, want->start);
		number(CALLS, run, "end of a call", call->end, want->end);
		number(WAITS, run, "waiting", p->run->waits->sync[c], want->sync);
		if (p->run->waits->sync[c] > 0)
			number(WAITS, run, "reason", p->run->waits->reason[c], (double)want->reason);
		number(TIMES, run, "E", replay_entry(p->run->ideal, l, c), want->entry);
		number(TIMES, run, "X", p->run->ideal->exit[c], want->exit);
		if (l->account)
			check(HIDDEN, want->hidden == (p->log->flags[c] & CALL_HIDDEN_BEFORE), run, "a gap hidden",
			      p->log->flags[c] & CALL_HIDDEN_BEFORE, want->hidden);
	}
	number(CALLS, run, "calls of a list", k, n->calls);
}

/* --- rows --- */

static void account(enum question q, const char *run, const struct account *got, const struct naive_account *want)
{
	static const struct { enum account_kind core; enum naive_kind naive; const char *name; } kinds[] = {
		{ACCOUNT_USEFUL, NAIVE_USEFUL, "useful"}, {ACCOUNT_SEND, NAIVE_SEND, "send"},
		{ACCOUNT_RECEIVE, NAIVE_RECEIVE, "receive"}, {ACCOUNT_WAIT, NAIVE_WAIT, "wait"}, {ACCOUNT_COLLECTIVE, NAIVE_COLLECTIVE, "collective"},
		{ACCOUNT_OTHER_MPI, NAIVE_OTHER_MPI, "other_mpi"}, {ACCOUNT_UNTRACED, NAIVE_UNTRACED, "untraced"},
		{ACCOUNT_TRACER, NAIVE_TRACER, "tracer"}};

	for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
		number(q, run, kinds[k].name, got->by_kind[kinds[k].core], want->kind[kinds[k].naive]);
	number(q, run, "late_sender", got->by_reason[WAIT_LATE_SENDER], want->by_reason[NAIVE_LATE_SENDER]);
	number(q, run, "late_receiver", got->by_reason[WAIT_LATE_RECEIVER], want->by_reason[NAIVE_LATE_RECEIVER]);
	number(q, run, "collective_wait", got->by_reason[WAIT_COLLECTIVE], want->by_reason[NAIVE_COLLECTIVE_WAIT]);
	number(q, run, "hidden", got->hidden, want->hidden);
}

static void factors(enum question q, const char *run, const struct factors *got, const struct naive_factors *want)
{
	number(q, run, "load_balance", got->load_balance, want->load_balance);
	number(q, run, "communication_balance", got->communication_balance, want->communication_balance);
	number(q, run, "communication_efficiency", got->communication_efficiency, want->communication_efficiency);
	number(q, run, "parallel_efficiency", got->parallel_efficiency, want->parallel_efficiency);
	number(q, run, "serialisation_efficiency", got->serialisation_efficiency, want->serialisation_efficiency);
	number(q, run, "transfer_efficiency", got->transfer_efficiency, want->transfer_efficiency);
	number(q, run, "tracer_efficiency", got->tracer_efficiency, want->tracer_efficiency);
}

static void part(enum question q, const char *run, const struct part_row *got, const struct naive_row *want)
{
	account(q, run, &got->account, &want->all);
	factors(q, run, &got->factors, &want->factors);
	number(q, run, "time", got->time, want->all.time);
	number(q, run, "share", got->share, want->share);
	number(q, run, "time_max", got->time_max, want->time_max);
	number(q, run, "ideal_time_max", got->ideal_time_max, want->ideal_time_max);
	number(q, run, "imbalance", got->imbalance, want->imbalance);
	if (want->all.kind[NAIVE_USEFUL] > 0)
		number(q, run, "heaviest", got->heaviest, want->heaviest);
}

static void program(const struct pair *p, const char *run)
{
	const struct run_metrics *m = p->run;
	const struct naive_metrics *n = p->naive;

	account(RUN, run, &m->account, &n->program.all);
	factors(RUN, run, &m->factors, &n->program.factors);
	number(RUN, run, "runtime", m->runtime, n->runtime);
	number(IDEAL, run, "ideal_runtime", m->ideal_runtime, n->ideal_runtime);
	number(IDEAL, run, "dependences dropped", (double)m->ideal->broken, (double)n->broken);
	number(RUN, run, "overlap", account_overlap(&m->account, m->known), n->program.all.overlap);
	number(RUN, run, "time", m->time, n->program.all.time);
	number(RUN, run, "outside", m->outside, n->outside);
	number(RUN, run, "useful_mean", m->useful_mean, n->useful_mean);
	number(RUN, run, "useful_max", m->useful_max, n->useful_max);
	number(RUN, run, "idle", m->idle, n->idle);
	number(RUN, run, "average_parallelism", m->average_parallelism, n->average_parallelism);
	number(HOSTS, run, "nodes", m->nodes, n->nodes);
	number(HOSTS, run, "load_balance_nodes", m->load_balance_nodes, n->load_balance_nodes);
	number(HOSTS, run, "load_balance_inside", m->load_balance_inside, n->load_balance_inside);
	number(RUN, run, "threads", m->threads, n->lists);
	number(RUN, run, "messages", (double)m->messages, (double)n->messages);
	number(RUN, run, "bytes", (double)m->bytes, (double)n->bytes);
	number(RUN, run, "collectives", (double)m->collectives, (double)n->collectives);
	number(RUN, run, "unrelated", (double)m->unrelated, (double)n->unrelated);
	number(CALLS, run, "unpaired", (double)p->log->unpaired, (double)n->unpaired);
}

static void by_process(const struct pair *p, const char *run)
{
	struct process_rows rows;

	must(process_rows_init(&rows, p->run, NULL, &err));
	number(PROCESSES, run, "rows", rows.count, p->naive->processes);
	for (uint32_t i = 0; i < rows.count; i++) {
		const struct process_row *got = &rows.row[i];
		const struct naive_process *want = &p->naive->process[got->process];

		account(PROCESSES, run, &got->account, &want->account);
		number(PROCESSES, run, "overlap", account_overlap(&got->account, got->known), want->account.overlap);
		number(PROCESSES, run, "time", got->time, want->account.time);
		number(PROCESSES, run, "outside", got->outside, want->outside);
		number(PROCESSES, run, "idle", got->idle, want->idle);
		number(PROCESSES, run, "busy", got->busy, 1 - want->idle);
		number(PROCESSES, run, "ideal_end", got->ideal_end, want->ideal_end);
		number(PROCESSES, run, "sends", (double)got->sends, (double)want->sends);
		number(PROCESSES, run, "receives", (double)got->receives, (double)want->receives);
		number(PROCESSES, run, "collectives", (double)got->collectives, (double)want->collectives);
		number(PROCESSES, run, "bytes_sent", (double)got->bytes_sent, (double)want->bytes_sent);
		check(PROCESSES, strcmp(got->host, want->host) == 0, run, "host", 0, 0);
	}
	process_rows_release(&rows);
}

/* What a row's messages are, event by event, each counted to all nodes above it. */
static void bytes_of(const struct pair *p, uint32_t node, uint64_t *sent, uint64_t *received)
{
	const struct call_log *log = p->log;
	const struct trace *t = log->trace;

	*sent = *received = 0;
	for (uint32_t e = 0; e < t->event_count; e++) {
		uint32_t c = log->call_of[e], n, l = 0;

		if (c == NO_LOGGED_CALL || trace_size(t, e) == SIZE_UNKNOWN)
			continue;
		while (c >= log->lists[l].end)
			l++;
		for (n = log->calls[c].node; n && n != node; )
			n = log->nodes[n].parent;
		if (n != node || !log->lists[l].account)
			continue;
		*sent += EVENT_KIND(t->type[e]) == EVENT_SEND ? trace_size(t, e) : 0;
		*received += EVENT_KIND(t->type[e]) == EVENT_RECEIVE ? trace_size(t, e) : 0;
	}
}

static void by_state(const struct pair *p, const char *run)
{
	struct state_rows rows;

	must(state_rows_init(&rows, p->run, NULL, &err));
	for (uint32_t i = 0; i < rows.count; i++) {
		const struct state_row *got = &rows.row[i];
		const struct call_node *node = &p->log->nodes[got->node];
		const struct naive_node *want;
		uint64_t sent, received;
		char path[2000];

		want = naive_metrics_node(p->naive, call_node_path(p->log, got->node, path, sizeof path));
		check(STATES, want, run, path, 1, 0);
		if (!want)
			continue;
		number(STATES, run, "exclusive", got->exclusive, want->exclusive);
		number(STATES, run, "depth", node->depth, want->depth);
		number(STATES, run, "count", (double)node->count, (double)want->count);
		number(STATES, run, "unfinished", (double)node->unfinished, (double)want->unfinished);
		part(STATES, run, &got->part, &want->row);
		bytes_of(p, got->node, &sent, &received);
		number(STATES, run, "bytes_sent", (double)got->sent.bytes, (double)sent);
		number(STATES, run, "bytes_received", (double)got->received.bytes, (double)received);
	}
	for (uint32_t i = 0; i < p->naive->node_count; i++) {
		char path[2000];
		bool there = false;

		naive_metrics_path(p->naive, i, path, sizeof path);
		for (uint32_t k = 0; k < rows.count && !there; k++) {
			char other[2000];

			there = strcmp(path, call_node_path(p->log, rows.row[k].node, other, sizeof other)) == 0;
		}
		check(STATES, there, run, path, 0, 1);
	}
	state_rows_release(&rows);
}

static void by_phase(const struct pair *p, const char *run)
{
	struct clockwork *clockwork;
	struct phase_space *space;
	struct phase_spans *spans;
	struct settings settings;
	struct logical *logical;
	struct figures *figures;
	struct phases *phases;
	struct phase_rows rows;

	settings_init(&settings);
	must(logical_new(&logical, p->trace, ORDER_PAS2P, COLLECTIVES_EVENTS, NULL, &err));
	must(clockwork_new(&clockwork, logical, settings.similarity, NULL, &err));
	must(phase_space_new(&space, logical, NULL, &err));
	must(phases_search(&phases, space, &settings, NULL, &err));
	must(figures_new(&figures, clockwork, phases, &settings, NULL, &err));
	must(phase_spans_new(&spans, p->log, clockwork, phases, NULL, &err));
	must(phase_rows_init(&rows, p->run, spans, figures, NULL, &err));
	number(PHASES, run, "rows", rows.count, p->naive->phase_count);
	for (uint32_t i = 0; i < rows.count && i < p->naive->phase_count; i++) {
		number(PHASES, run, "phase", rows.row[i].phase, p->naive->phase[i].phase);
		number(PHASES, run, "weight", rows.row[i].weight, p->naive->phase[i].weight);
		part(PHASES, run, &rows.row[i].part, &p->naive->phase[i].row);
	}
	phase_rows_release(&rows);
	phase_spans_free(spans);
	figures_free(figures);
	phases_free(phases);
	phase_space_free(space);
	clockwork_free(clockwork);
	logical_unref(logical);
}

static void compare(struct gen_bytes b, const struct replay_rules *rules, const char *run)
{
	struct pair p = open_pair(b, rules);

	for (uint32_t l = 0; l < p.log->list_count; l++)
		list(&p, &p.log->lists[l], run);
	number(CALLS, run, "lists", p.log->list_count, p.naive->lists);
	program(&p, run);
	by_process(&p, run);
	by_state(&p, run);
	by_phase(&p, run);
	stepped += p.naive->back > 0;
	close_pair(&p);
	free(b.bytes);
}

static void answers(const char *of)
{
	for (int q = 0; q < QUESTIONS; q++) {
		is_int(wrong[q], 0, "%s: %s (%u compared)", of, asked[q], seen[q]);
		wrong[q] = seen[q] = 0;
	}
}

static const struct replay_rules rules[] = {{false, REPLAY_NEVER}, {true, REPLAY_NEVER}, {false, 1500}, {true, 0}};

static void random_runs(enum gen_script_kind kind, const char *name, uint64_t seeds)
{
	for (uint64_t seed = 1; seed <= CASES(seeds); seed++) {
		char run[80];

		snprintf(run, sizeof run, "%s run %llu", name, (unsigned long long)seed);
		compare(gen_script_random(seed, kind, &(struct gen_script_options){0}), &rules[seed % 4], run);
	}
	answers(name);
}

static void samples(void)
{
	static const char *const names[] = {"anysrc.5", "cg.S.4", "coll.6", "comms.6", "ep.S.4", "ft.S.4", "is.S.4", "latesender.4",
					    "nonblock.4", "one_rank.1", "pcontrol.4", "persist.4.m246", "sendrecv.4",
					    "syncclk.4", "userstates.3", "coll.6.m246", "little_endian.comms.6"};

	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		char path[100];

		snprintf(path, sizeof path, "sample-traces/%s.clog2", names[i]);
		compare(gen_slurp(path), &rules[i % 2], names[i]);
	}
	answers("samples");
}

int main(void)
{
	compare(gen_script_tiny(&(struct gen_script_options){0}), &rules[0], "Tiny");
	compare(gen_script_twisted(&(struct gen_script_options){0}), &rules[0], "Twisted");
	answers("examples");
	random_runs(GEN_SCRIPT_TIDY, "tidy", 400);
	random_runs(GEN_SCRIPT_MESSY, "messy", 600);
	random_runs(GEN_SCRIPT_NUMBERED, "numbered", 400);
	random_runs(GEN_SCRIPT_NUMBERED_MESSY, "numbered messy", 600);
	ok(stepped > CASES(150), "in %u runs clocks stepped back", stepped);
	samples();
	return done_testing();
}
