/* A run's metrics must be what docs/reference/metrics.md says, on its own examples, on real traces, and as identities
 * on every trace: factors that multiply, accounts that add up. What a trace does not support must be absent, with a
 * note that says why: a 0 in its place would be taken for a measurement.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "gen.h"
#include "gen_calls.h"
#include "metric_run.h"
#include "core/base/mem.h"
#include "tap.h"

#define NEAR 1e-7

static void tiny(void)
{
	struct metric_run r = metric_run_bytes(gen_tiny(NULL, 0));
	const struct run_metrics *m = r.metrics;
	const struct account *a = &m->account;

	ok(m->has_account, "tiny: MPI calls are in the trace");
	is_double(m->runtime, 20, NEAR, "tiny: run time");
	is_double(m->ideal_runtime, 15, NEAR, "tiny: ideal run time");
	is_double(m->time, 40, NEAR, "tiny: time of all processes");
	is_double(m->outside, 0, NEAR, "tiny: none of it outside of their records");
	is_double(m->of_process[0].by_kind[ACCOUNT_USEFUL], 14, NEAR, "tiny: useful of process 0");
	is_double(m->of_process[1].by_kind[ACCOUNT_USEFUL], 13, NEAR, "tiny: useful of process 1");
	is_double(account_communication(&m->of_process[0]), 6, NEAR, "tiny: communication of process 0");
	is_double(account_communication(&m->of_process[1]), 7, NEAR, "tiny: communication of process 1");
	is_double(a->by_reason[WAIT_LATE_SENDER], 2, NEAR, "tiny: waiting for late senders");
	is_double(a->by_reason[WAIT_COLLECTIVE], 1, NEAR, "tiny: waiting in collectives");
	is_double(account_sync(a), 3, NEAR, "tiny: waiting");
	is_double(account_transfer(a), 10, NEAR, "tiny: transfer");
	is_double(a->hidden, 3, NEAR, "tiny: hidden");
	is_double(account_overlap(a, m->known), 3. / 16, NEAR, "tiny: overlap");
	is_double(account_overlap(&m->of_process[0], r.log->lists[0].known), 1. / 3, NEAR, "tiny: overlap of process 0");
	is_double(m->useful_mean, 13.5, NEAR, "tiny: mean useful");
	is_double(m->useful_max, 14, NEAR, "tiny: most useful");
	is_double(m->idle, .325, NEAR, "tiny: idle");
	is_double(m->average_parallelism, 1.35, NEAR, "tiny: average parallelism");
	is_double(m->factors.load_balance, .9642857, NEAR, "tiny: load balance");
	is_double(m->factors.communication_balance, .9285714, NEAR, "tiny: communication balance");
	is_double(m->factors.communication_efficiency, .7, NEAR, "tiny: communication efficiency");
	is_double(m->factors.parallel_efficiency, .675, NEAR, "tiny: parallel efficiency");
	is_double(m->factors.serialisation_efficiency, .9333333, NEAR, "tiny: serialisation efficiency");
	is_double(m->factors.transfer_efficiency, .75, NEAR, "tiny: transfer efficiency");
	is_u64(m->messages, 2, "tiny: messages");
	is_u64(m->bytes, 16, "tiny: bytes");
	is_u64(m->collectives, 2, "tiny: collectives");
	is_u64(m->unrelated, 0, "tiny: all are related");
	is_int(m->processes, 2, "tiny: processes");
	is_int(m->threads, 2, "tiny: threads");
	ok(isnan(m->cpu), "tiny: no readings of the CPU clock");
	is_u64(m->notes[METRIC_NOTE_NO_USER_STATES] + m->notes[METRIC_NOTE_NO_MPI_STATES] + m->notes[METRIC_NOTE_UNPAIRED], 0,
	       "tiny: nothing to note");
	metric_run_close(&r);
}

static void twisted(void)
{
	struct metric_run r = metric_run_bytes(gen_twisted(NULL, 0));
	const struct run_metrics *m = r.metrics;

	is_double(m->runtime, 20, NEAR, "twisted: run time");
	is_double(m->time, 38.5, NEAR, "twisted: time");
	is_double(m->outside, 1.5, NEAR, "twisted: before first and behind last records");
	is_double(m->account.by_kind[ACCOUNT_USEFUL], 12.9 + 14.5, NEAR, "twisted: useful");
	is_double(m->account.by_kind[ACCOUNT_SEND], 5.85, NEAR, "twisted: send");
	is_double(m->account.by_kind[ACCOUNT_RECEIVE], 3, NEAR, "twisted: receive");
	is_double(m->account.by_kind[ACCOUNT_WAIT], 2, NEAR, "twisted: wait");
	is_double(m->account.by_kind[ACCOUNT_TRACER], .25, NEAR, "twisted: tracer");
	is_double(m->account.hidden, 2, NEAR, "twisted: hidden");
	is_double(account_sync(&m->account), 0, NEAR, "twisted: nobody waits");
	is_double(m->ideal_runtime, 15.75, NEAR, "twisted: ideal run time");
	is_double(m->factors.serialisation_efficiency, 14.75 / 15.75, NEAR, "twisted: serialisation efficiency");
	is_double(m->factors.tracer_efficiency, 14.5 / 14.75, NEAR, "twisted: tracer efficiency");
	is_u64(m->notes[METRIC_NOTE_UNPAIRED], r.log->unpaired, "twisted: calls without an end are noted");
	ok(r.log->unpaired > 0, "twisted: there are some");
	metric_run_close(&r);
}

/* Useful 9 and 7 on n1, 2 on n2. */
static void nodes(void)
{
	static const double useful[] = {9, 7, 2};
	static const char *const hosts[] = {"n1", "n1", "n2"};
	struct gen_calls *g = gen_calls_new(3, NULL);
	struct metric_run r;

	for (int32_t p = 0; p < 3; p++) {
		gen_mark(g, p, 0);
		gen_call(g, p, useful[p], 10, "MPI_Barrier");
	}
	r = metric_run_bytes(gen_calls_bytes(g));
	for (uint32_t p = 0; p < 3; p++)
		r.trace->processes[p].host = hosts[p];
	metric_run_again(&r, NULL);
	is_int(r.metrics->nodes, 2, "two hosts");
	is_double(r.metrics->factors.load_balance, .6666667, NEAR, "load balance");
	is_double(r.metrics->load_balance_nodes, .75, NEAR, "load balance of the hosts");
	is_double(r.metrics->load_balance_inside, .8888889, NEAR, "load balance inside of them");
	r.trace->processes[1].host = NULL;
	metric_run_again(&r, NULL);
	ok(!r.metrics->nodes && isnan(r.metrics->load_balance_nodes) && isnan(r.metrics->load_balance_inside),
	   "with the host of one unknown nothing is known of balance between hosts");
	metric_run_close(&r);
}

static void gaps(void)
{
	struct gen_calls *g = gen_calls_new(2, NULL);
	struct metric_run r;
	const struct run_metrics *m;
	struct process_rows rows;
	struct state_rows states;
	struct err e;

	gen_mark(g, 0, 0);
	gen_message(g, 0, 2, true, 1, 8, 0);
	gen_mark(g, 0, 8);
	gen_message(g, 1, 3, false, 0, 8, 0);
	gen_mark(g, 1, 10);
	r = metric_run_bytes(gen_calls_bytes(g));
	m = r.metrics;
	ok(!m->has_account, "messages alone: no account");
	is_double(m->runtime, 10, NEAR, "messages alone: run time");
	is_double(m->time, 15, NEAR, "messages alone: time");
	is_double(m->outside, 5, NEAR, "messages alone: outside");
	is_u64(m->messages, 1, "messages alone: messages");
	is_u64(m->notes[METRIC_NOTE_NO_MPI_STATES], 1, "messages alone: a note says what is missing");
	is_u64(m->notes[METRIC_NOTE_NO_USER_STATES], 0, "messages alone: and nothing of user states");
	ok(isnan(m->account.by_kind[ACCOUNT_USEFUL]) && isnan(account_sync(&m->account)) && isnan(m->account.hidden) &&
	   isnan(m->useful_mean) && isnan(m->useful_max) && isnan(m->idle) && isnan(m->average_parallelism) &&
	   isnan(m->ideal_runtime) && isnan(m->factors.load_balance) && isnan(m->factors.communication_balance) &&
	   isnan(m->of_process[1].by_kind[ACCOUNT_SEND]) && isnan(account_overlap(&m->account, m->known)),
	   "messages alone: nothing is known of what time went into");
	if (process_rows_init(&rows, m, NULL, &e) || state_rows_init(&states, m, NULL, &e))
		bail_out("%s", e.text);
	is_double(rows.row[1].outside, 3, NEAR, "messages alone: a process's row has its time outside");
	ok(isnan(rows.row[1].busy) && isnan(rows.row[1].ideal_end) && isnan(rows.row[1].account.by_kind[0]) && rows.row[1].receives == 1,
	   "messages alone: it has counts, and no account");
	is_double(states.row[0].part.time, 15, NEAR, "messages alone: a state's row has its time");
	ok(isnan(states.row[0].part.ideal_time_max) && isnan(states.row[0].part.factors.load_balance) &&
	   isnan(states.row[0].part.critical) && isnan(states.row[0].own_imbalance) && isnan(states.row[0].part.imbalance) &&
	   states.row[0].part.heaviest == NO_PROCESS, "messages alone: and nothing that it does not know");
	process_rows_release(&rows);
	state_rows_release(&states);
	metric_run_close(&r);
}

/* The CPU clock of a process that had to share its processor goes slower than the wall's. */
static void shared_processors(void)
{
	struct metric_run r = metric_run_bytes(gen_tiny(NULL, 0));

	r.log->lists[0].cpu = 14 * .96;
	r.log->lists[1].cpu = 13 * .94;
	metric_run_again(&r, NULL);
	is_double(r.metrics->cpu, 14 * .96 + 13 * .94, NEAR, "CPU time of all processes");
	is_u64(r.metrics->notes[METRIC_NOTE_SHARED_PROCESSORS], 1, "one of them had less than 95 %% of a processor");
	r.log->lists[0].cpu = NAN;
	metric_run_again(&r, NULL);
	ok(isnan(r.metrics->cpu), "with that of one unknown the sum is");
	is_u64(r.metrics->notes[METRIC_NOTE_SHARED_PROCESSORS], 1, "of it nothing is noted");
	metric_run_close(&r);
}

/* Other threads of a process take part in waits; its account is that of its first one. */
static void threads(void)
{
	struct gen_calls *g = gen_calls_new(1, NULL);
	struct metric_run r;
	struct process_rows rows;
	struct err e;

	gen_mark(g, 0, 0);
	gen_call(g, 0, 2, 4, "MPI_Barrier");
	gen_thread(g, 1);
	gen_mark(g, 0, 1);
	gen_mark(g, 0, 12);
	gen_thread(g, 0);
	gen_mark(g, 0, 10);
	r = metric_run_bytes(gen_calls_bytes(g));
	if (process_rows_init(&rows, r.metrics, NULL, &e))
		bail_out("%s", e.text);
	is_int(r.metrics->threads, 2, "two threads");
	is_u64(r.metrics->notes[METRIC_NOTE_THREADS], 1, "the second one is noted");
	is_double(r.metrics->runtime, 12, NEAR, "the run lasts as long as any thread");
	is_double(rows.row[0].time, 10, NEAR, "the process has the time of its first thread");
	is_double(rows.row[0].outside, 2, NEAR, "the rest is outside of it");
	is_int(rows.row[0].thread, 0, "whose number is told");
	process_rows_release(&rows);
	metric_run_close(&r);
}

/* Clocks that disagree: the receive is long before its send. */
static void early(void)
{
	struct gen_calls *g = gen_calls_new(2, NULL);
	struct metric_run r;

	gen_mark(g, 0, 0);
	gen_begin(g, 0, 9, "MPI_Send");
	gen_message(g, 0, 9, true, 1, 8, 0);
	gen_end(g, 0, 9.5, "MPI_Send");
	gen_mark(g, 1, 0);
	gen_begin(g, 1, 1, "MPI_Recv");
	gen_message(g, 1, 2, false, 0, 8, 0);
	gen_end(g, 1, 2, "MPI_Recv");
	gen_mark(g, 1, 10);
	r = metric_run_bytes(gen_calls_bytes(g));
	is_double(r.metrics->ideal_runtime, 17, NEAR, "a receive before its send: the ideal run is slower than the run");
	ok(r.metrics->factors.transfer_efficiency > 1, "so transfer efficiency is above 1, and shown as it is");
	is_u64(r.metrics->notes[METRIC_NOTE_EARLY_RECEIVES], 1, "a note counts such receives");
	is_u64(r.metrics->notes[METRIC_NOTE_TRANSFER_ABOVE_ONE], 1, "a note says why that can be");
	metric_run_close(&r);
}

static void note_texts(void)
{
	unsigned bad = 0;

	for (int n = 0; n < METRIC_NOTES; n++) {
		bad += !*metric_note_kind((enum metric_note)n) || !*metric_note_meaning((enum metric_note)n);
		for (int k = 0; k < n; k++)
			bad += !strcmp(metric_note_kind((enum metric_note)n), metric_note_kind((enum metric_note)k));
	}
	is_int(bad, 0, "every note has a name of its own and a meaning");
}

static void published(void)
{
	static const struct {
		const char *path;
		double ideal, balance, serialisation, transfer, communication_balance, sync, overlap;
	} want[] = {
		{"sample-traces/cg.S.4.clog2", 0.00961673, 0.967335, 0.785175, 0.251825, 0.979983, 0.0716518, 0.00653474},
		{"sample-traces/ep.S.4.clog2", 0.0838009, 0.953116, 0.998907, 0.988396, 0.551555, 0.0121972, 0},
		{"sample-traces/latesender.4.clog2", 0.453449, 0.412642, 0.941838, 0.998816, 0.647519, 1.10773, 0},
		{"sample-traces/nonblock.4.clog2", 0.0443932, 0.97922, 0.985157, 0.930611, 0.878756, 0.00639004, 0.901495},
		{"sample-traces/userstates.3.clog2", 0.0141674, 0.657139, 0.997503, 0.968711, 0.342944, 0.00724012, 0},
	};

	for (size_t i = 0; i < sizeof want / sizeof *want; i++) {
		struct metric_run r = metric_run_files(&want[i].path, 1);
		const struct run_metrics *m = r.metrics;
		const char *name = strchr(want[i].path, '/') + 1;

		is_double(m->ideal_runtime, want[i].ideal, 1e-5 * want[i].ideal, "%s: ideal run time", name);
		is_double(m->factors.load_balance, want[i].balance, 2e-6, "%s: load balance", name);
		is_double(m->factors.serialisation_efficiency, want[i].serialisation, 2e-6, "%s: serialisation efficiency", name);
		is_double(m->factors.transfer_efficiency, want[i].transfer, 2e-6, "%s: transfer efficiency", name);
		is_double(m->factors.communication_balance, want[i].communication_balance, 2e-6, "%s: communication balance", name);
		is_double(account_sync(&m->account), want[i].sync, 1e-5 * want[i].sync, "%s: waiting", name);
		is_double(account_overlap(&m->account, m->known), want[i].overlap, 2e-6, "%s: overlap", name);
		if (!strcmp(name, "latesender.4.clog2")) {
			is_double(m->account.by_reason[WAIT_LATE_SENDER], .401785, 1e-6, "%s: late senders", name);
			is_double(m->account.by_reason[WAIT_LATE_RECEIVER], .201517, 1e-6, "%s: late receivers", name);
		}
		metric_run_close(&r);
	}
}

int main(void)
{
	tiny();
	twisted();
	nodes();
	gaps();
	shared_processors();
	threads();
	early();
	note_texts();
	published();
	return done_testing();
}
