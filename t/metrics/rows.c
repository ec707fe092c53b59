/* Rows by process, state and phase say where the figures of a run come from, so they must be the run's, cut up:
 * accounts that add up, exclusive times that add up, a critical path that adds up, on the page's examples, on made runs
 * and on every real trace. More traces may be given as arguments.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gen.h"
#include "gen_calls.h"
#include "metric_run.h"
#include "core/base/mem.h"
#include "tap.h"

#define NEAR 1e-7

static struct err err;

static void must(enum err_code code)
{
	if (code)
		bail_out("%s", err.text);
}

static const struct state_row *find(const struct state_rows *rows, const struct call_log *log, const char *path)
{
	char text[256];

	for (uint32_t i = 0; i < rows->count; i++)
		if (!strcmp(call_node_path(log, rows->row[i].node, text, sizeof text), path))
			return &rows->row[i];
	bail_out("there is no row %s", path);
}

static void tiny_states(void)
{
	struct metric_run r = metric_run_bytes(gen_tiny(NULL, 0));
	static const char *const order[] = {"(program)", "B", "B/MPI_Wait", "B/MPI_Irecv", "B/MPI_Send", "A", "A/MPI_Recv", "A/MPI_Send",
					    "MPI_Allreduce"};
	struct state_rows s;
	const struct state_row *row;
	char text[256];
	bool same;

	must(state_rows_init(&s, r.metrics, NULL, &err));
	same = s.count == sizeof order / sizeof *order;
	for (uint32_t i = 0; same && i < s.count; i++)
		same = !strcmp(call_node_path(r.log, s.row[i].node, text, sizeof text), order[i]);
	ok(same, "tiny: depth first, siblings by time, then by name");
	row = find(&s, r.log, "A");
	is_double(row->part.time, 15, NEAR, "tiny, A: time");
	is_double(row->part.share, .375, NEAR, "tiny, A: share");
	is_double(row->part.time_max, 10, NEAR, "tiny, A: largest time of a process");
	is_double(row->part.factors.load_balance, .6111111, NEAR, "tiny, A: load balance");
	is_double(row->part.factors.communication_efficiency, .9, NEAR, "tiny, A: communication efficiency");
	is_double(row->part.factors.serialisation_efficiency, 1, NEAR, "tiny, A: serialisation efficiency");
	is_double(row->part.factors.transfer_efficiency, .9, NEAR, "tiny, A: transfer efficiency");
	is_double(row->part.ideal_time_max, 9, NEAR, "tiny, A: largest ideal time of a process");
	is_double(row->exclusive, 11, NEAR, "tiny, A: exclusive");
	is_double(row->part.critical, 4, NEAR, "tiny, A: of the critical path");
	is_double(row->part.imbalance, 7, NEAR, "tiny, A: imbalance");
	is_double(row->own_imbalance, 7, NEAR, "tiny, A: its own");
	is_int(row->part.heaviest, 0, "tiny, A: heaviest");
	is_double(account_sync(&row->own), 2, NEAR, "tiny, A: its own waiting");
	is_double(account_transfer(&row->own), 2, NEAR, "tiny, A: its own transfer");
	row = find(&s, r.log, "B");
	is_double(row->part.time, 20, NEAR, "tiny, B: time");
	is_double(row->part.factors.load_balance, .7272727, NEAR, "tiny, B: load balance");
	is_double(row->part.factors.communication_efficiency, .9166667, NEAR, "tiny, B: communication efficiency");
	is_double(row->part.ideal_time_max, 11, NEAR, "tiny, B: largest ideal time of a process");
	is_double(row->part.account.hidden, 3, NEAR, "tiny, B: hidden");
	is_int(row->part.heaviest, 1, "tiny, B: heaviest");
	is_double(row->part.critical, 11, NEAR, "tiny, B: of the critical path");
	row = find(&s, r.log, "(program)");
	is_double(row->part.factors.load_balance, r.metrics->factors.load_balance, NEAR, "tiny, (program): the run's load balance");
	is_double(row->part.ideal_time_max, 15, NEAR, "tiny, (program): ideal time");
	is_double(account_transfer(&row->own), 4, NEAR, "tiny, (program): its own transfer");
	state_rows_release(&s);
	metric_run_close(&r);
}

/* What a routine computes is its own also where another one makes the call that follows. */
static void inner_states(void)
{
	struct gen_calls *g = gen_calls_new(1, NULL);
	struct metric_run r;
	struct state_rows s;

	gen_begin(g, 0, 0, "solve");
	gen_begin(g, 0, 1, "compute");
	gen_end(g, 0, 4, "compute");
	gen_call(g, 0, 5, 6, "MPI_Barrier");
	gen_begin(g, 0, 7, "compute");
	gen_end(g, 0, 9, "compute");
	gen_end(g, 0, 10, "solve");
	gen_mark(g, 0, 12);
	r = metric_run_bytes(gen_calls_bytes(g));
	must(state_rows_init(&s, r.metrics, NULL, &err));
	is_double(find(&s, r.log, "solve/compute")->part.critical, 5, NEAR, "critical path of a routine that makes no call");
	is_double(find(&s, r.log, "solve")->part.critical, 9, NEAR, "that of the one around it");
	is_double(find(&s, r.log, "(program)")->part.critical, 11, NEAR, "that of all: the ideal run");
	state_rows_release(&s);
	metric_run_close(&r);
}

static void twisted_states(void)
{
	struct metric_run r = metric_run_bytes(gen_twisted(NULL, 0));
	struct state_rows s;

	must(state_rows_init(&s, r.metrics, NULL, &err));
	is_double(find(&s, r.log, "A")->exclusive, 4, NEAR, "twisted, A: exclusive");
	is_u64(r.log->nodes[find(&s, r.log, "A")->node].count, 2, "twisted, A: count");
	is_double(find(&s, r.log, "A/A")->exclusive, 1, NEAR, "twisted, A/A: exclusive");
	is_double(find(&s, r.log, "A/B")->exclusive, 7, NEAR, "twisted, A/B: exclusive");
	is_double(find(&s, r.log, "B")->exclusive, 4.75, NEAR, "twisted, B: exclusive");
	is_u64(r.log->nodes[find(&s, r.log, "B")->node].unfinished, 1, "twisted, B: unfinished");
	state_rows_release(&s);
	metric_run_close(&r);
}

static void processes(void)
{
	struct metric_run r = metric_run_bytes(gen_tiny(NULL, 0));
	struct process_rows p;

	must(process_rows_init(&p, r.metrics, NULL, &err));
	is_int(p.count, 2, "a row for each process");
	is_double(p.row[0].idle, .3, NEAR, "process 0: idle");
	is_double(p.row[1].idle, .35, NEAR, "process 1: idle");
	is_double(p.row[0].busy, .7, NEAR, "process 0: busy");
	is_double(p.row[0].ideal_end, 15, NEAR, "process 0: its end in the ideal run");
	is_u64(p.row[0].sends + p.row[0].receives + p.row[0].collectives, 3, "process 0: its events");
	is_u64(p.row[1].bytes_sent, 8, "process 1: bytes sent");
	process_rows_release(&p);
	metric_run_close(&r);
}

/* A process that has no records has no figures: it may have done anything. */
static void missing(void)
{
	struct gen_calls *g = gen_calls_new(3, NULL);
	struct metric_run r;
	struct process_rows p;

	gen_call(g, 0, 0, 1, "MPI_Barrier");
	gen_call(g, 2, 0, 1, "MPI_Barrier");
	r = metric_run_bytes(gen_calls_bytes(g));
	must(process_rows_init(&p, r.metrics, NULL, &err));
	is_int(p.count, 3, "one of three has no records: three rows");
	ok(isnan(p.row[1].time) && isnan(p.row[1].busy) && isnan(p.row[1].account.by_kind[0]),
	   "and nothing in its own");
	is_double(p.row[1].outside, 1, NEAR, "but that the whole run lies outside its records");
	is_double(r.metrics->time + r.metrics->outside, r.metrics->total, NEAR, "so that parts add up to run time x processes");
	is_double(p.row[2].time, 1, NEAR, "the others have theirs");
	is_double(r.metrics->time, 2, NEAR, "which is all that there is");
	process_rows_release(&p);
	metric_run_close(&r);
}

static void paths(void)
{
	struct gen_calls *g = gen_calls_new(1, NULL);
	struct metric_run r;
	struct state_rows s;
	char text[64], full[4000];
	unsigned bad = 0;

	for (int i = 0; i < 40; i++)
		gen_begin(g, 0, i, i % 2 ? "even-longer-name" : "routine");
	gen_call(g, 0, 40, 41, "MPI_Barrier");
	for (int i = 40; i-- > 0;)
		gen_end(g, 0, 81 - i, i % 2 ? "even-longer-name" : "routine");
	r = metric_run_bytes(gen_calls_bytes(g));
	must(state_rows_init(&s, r.metrics, NULL, &err));
	is_int(s.count, 42, "forty states in each other");
	call_node_path(r.log, s.row[41].node, full, sizeof full);
	for (size_t size = 1; size < sizeof text; size++) {
		call_node_path(r.log, s.row[41].node, text, size);
		bad += strlen(text) >= size;
		if (size > 20)
			bad += strncmp(text, "...", 3) || strcmp(text + 3, full + strlen(full) - strlen(text + 3));
	}
	is_int(bad, 0, "a path that does not fit keeps its end, and dots say that its front is missing");
	state_rows_release(&s);
	metric_run_close(&r);
}

/* --- what must hold of every trace --- */

static double off(double a, double b)
{
	double size = fmax(fabs(a), fabs(b));

	if (isnan(a) || isnan(b))
		return isnan(a) && isnan(b) ? 0 : INFINITY;
	return size < 1 ? fabs(a - b) : fabs(a - b) / size;
}

/* The largest difference of two accounts. */
static double accounts_off(const struct account *a, const struct account *b)
{
	double most = fabs(a->hidden - b->hidden);

	for (int k = 0; k < ACCOUNT_KINDS; k++)
		most = fmax(most, off(a->by_kind[k], b->by_kind[k]));
	for (int k = 0; k < WAIT_REASONS; k++)
		most = fmax(most, off(a->by_reason[k], b->by_reason[k]));
	return most;
}

static unsigned bad_factors(const struct factors *x)
{
	return (off(x->parallel_efficiency, x->load_balance * x->communication_efficiency) > NEAR) +
	       (off(x->communication_efficiency, x->serialisation_efficiency * x->transfer_efficiency) > NEAR) +
	       (x->load_balance > 1 + NEAR) + (x->serialisation_efficiency > 1 + NEAR) + (x->tracer_efficiency > 1 + NEAR);
}

static void check_run(const struct metric_run *r, const char *name)
{
	const struct run_metrics *m = r->metrics;
	unsigned bad = 0;

	for (uint32_t p = 0; p < m->processes; p++) {
		const struct call_list *l = &r->log->lists[r->log->list_first[p]];

		if (r->log->list_first[p] < r->log->list_first[p + 1])
			bad += off(account_time(&m->of_process[p]), l->stop - l->start) > NEAR;
	}
	is_int(bad, 0, "%s: kinds add up to the time of each process", name);
	ok(off(1 - m->idle, m->factors.parallel_efficiency) < NEAR, "%s: 1 - idle is parallel efficiency", name);
	ok(off(m->average_parallelism, m->processes * m->factors.parallel_efficiency) < NEAR,
	   "%s: average parallelism is that of all processes", name);
	is_int(bad_factors(&m->factors), 0, "%s: factors multiply, and none of them is above 1", name);
	ok(off(m->factors.load_balance, m->load_balance_nodes * m->load_balance_inside) < NEAR || !m->nodes,
	   "%s: load balance is that of hosts x that inside", name);
	ok(off(account_sync(&m->account) + account_transfer(&m->account), account_communication(&m->account)) < NEAR &&
	   account_transfer(&m->account) > -NEAR, "%s: waiting and transfer are communication", name);
	ok(off(m->runtime, trace_aet(r->trace)) < NEAR || r->trace->notes.count[NOTE_TIME_BACKWARD],
	   "%s: the run time is the trace's", name);
	ok(m->ideal_runtime <= m->runtime * (1 + NEAR) || m->notes[METRIC_NOTE_EARLY_RECEIVES],
	   "%s: the ideal run is not slower, or clocks disagree", name);
}

static void check_processes(const struct metric_run *r, const char *name)
{
	struct account sum = {.hidden = 0};
	double time = 0, outside = 0, latest = 0;
	uint64_t events = 0, bytes = 0;
	struct process_rows p;

	must(process_rows_init(&p, r->metrics, NULL, &err));
	for (uint32_t i = 0; i < p.count; i++) {
		if (isnan(p.row[i].time))
			continue;
		account_add(&sum, &p.row[i].account);
		time += p.row[i].time;
		outside += p.row[i].outside;
		events += p.row[i].sends + p.row[i].receives + p.row[i].collectives;
		bytes += p.row[i].bytes_sent;
		latest = fmax(latest, p.row[i].ideal_end);
	}
	ok(accounts_off(&sum, &r->metrics->account) < NEAR && off(time, r->metrics->time) < NEAR &&
	   off(outside, r->metrics->outside) < NEAR && bytes == r->metrics->bytes && events == r->trace->event_count,
	   "%s: processes add up to the run", name);
	ok(latest <= r->metrics->ideal_runtime * (1 + NEAR), "%s: none ends behind the ideal run", name);
	process_rows_release(&p);
}

static void check_states(const struct metric_run *r, const char *name)
{
	double exclusive = 0;
	struct account own = {.hidden = 0};
	unsigned bad = 0, order = 0;
	struct state_rows s;

	must(state_rows_init(&s, r->metrics, NULL, &err));
	for (uint32_t i = 0; i < s.count; i++) {
		const struct call_node *node = &r->log->nodes[s.row[i].node];
		const struct part_row *part = &s.row[i].part;

		exclusive += s.row[i].exclusive;
		if (node->kind != NODE_MPI)
			account_add(&own, &s.row[i].own);
		bad += bad_factors(&part->factors) + (part->time > s.row[0].part.time * (1 + NEAR)) +
		       (part->critical > s.row[0].part.critical * (1 + NEAR) + NEAR) + (part->time_max > r->metrics->runtime * (1 + NEAR));
		for (uint32_t k = i + 1; k < s.count && r->log->nodes[s.row[k].node].depth >= node->depth; k++)
			if (r->log->nodes[s.row[k].node].depth == node->depth) {
				order += s.row[k].part.time > part->time || r->log->nodes[s.row[k].node].parent != node->parent;
				break;
			}
	}
	ok(off(exclusive, r->metrics->time) < NEAR, "%s: exclusive times add up to the run's", name);
	ok(accounts_off(&own, &r->metrics->account) < NEAR, "%s: what routines spent themselves adds up, too", name);
	ok(accounts_off(&s.row[0].part.account, &r->metrics->account) < NEAR, "%s: the program's row is the run", name);
	is_int(bad, 0, "%s: states' factors multiply, and none has more than the program", name);
	is_int(order, 0, "%s: siblings stand together, the longest first", name);
	ok(off(s.row[0].part.critical, r->metrics->ideal_runtime) < NEAR,
	   "%s: the program has all of the critical path", name);
	state_rows_release(&s);
}

static void check_phases(struct metric_run *r, const char *name)
{
	struct account sum = {.hidden = 0};
	double time = 0, critical = 0;
	unsigned bad = 0;
	struct phase_rows rows;

	metric_run_phases(r);
	must(phase_rows_init(&rows, r->metrics, r->spans, r->analysis->figures, NULL, &err));
	for (uint32_t i = 0; i < rows.count; i++) {
		account_add(&sum, &rows.row[i].part.account);
		time += rows.row[i].part.time;
		critical += rows.row[i].part.critical;
		bad += bad_factors(&rows.row[i].part.factors);
		bad += rows.row[i].phase != (i + 1 < rows.count ? i : SPAN_AFTER);
	}
	is_int(rows.count, r->analysis->phases->count + 2, "%s: a row for each phase, before and after", name);
	ok(accounts_off(&sum, &r->metrics->account) < NEAR && off(time, r->metrics->time) < NEAR, "%s: phases add up to the run", name);
	ok(off(critical, r->metrics->ideal_runtime) < NEAR, "%s: as does their share of the critical path",
	   name);
	is_int(bad, 0, "%s: phases' factors multiply", name);
	phase_rows_release(&rows);
}

/* Messages without calls: only times are there to add up. */
static void check_gaps(struct metric_run *r, const char *name)
{
	double exclusive = 0, time = 0;
	struct state_rows s;
	struct phase_rows p;

	metric_run_phases(r);
	must(state_rows_init(&s, r->metrics, NULL, &err));
	must(phase_rows_init(&p, r->metrics, r->spans, r->analysis->figures, NULL, &err));
	for (uint32_t i = 0; i < s.count; i++)
		exclusive += s.row[i].exclusive;
	for (uint32_t i = 0; i < p.count; i++)
		time += p.row[i].part.time;
	ok(off(exclusive, r->metrics->time) < NEAR && off(time, r->metrics->time) < NEAR, "%s: rows' times add up to the run's", name);
	ok(isnan(r->metrics->idle) && isnan(p.row[1].part.factors.load_balance) && isnan(p.row[1].part.critical) &&
	   isnan(p.row[1].part.account.hidden) && r->metrics->notes[METRIC_NOTE_NO_MPI_STATES], "%s: and nothing else is known", name);
	phase_rows_release(&p);
	state_rows_release(&s);
}

static void check_all(struct metric_run *r, const char *name)
{
	if (!r->metrics->has_account) {
		check_gaps(r, name);
		return;
	}
	if (!r->log->list_count) {
		ok(isnan(r->metrics->runtime), "%s: no records, no time", name);
		return;
	}
	check_run(r, name);
	check_processes(r, name);
	check_states(r, name);
	check_phases(r, name);
}

static void check_file(const char *path)
{
	struct metric_run r = metric_run_files(&path, 1);

	check_all(&r, path);
	metric_run_close(&r);
}

static void samples(void)
{
	static const char *const names[] = {
		"anysrc.5", "cg.S.4", "coll.6", "coll.6.m246", "comms.6", "ep.S.4", "ft.S.4", "is.S.4", "latesender.4",
		"little_endian.comms.6", "lu.S.4", "nonblock.4", "one_rank.1", "pcontrol.4", "persist.4.m246", "sendrecv.4", "syncclk.4",
		"thesis-cg.4", "thesis-smg.4", "thesis-windows.4", "userstates.3",
	};
	static const char *const local[] = {
		"sample-traces/unfinalized.m240.abortme.rank0000.clog2", "sample-traces/unfinalized.m240.abortme.rank0001.clog2",
		"sample-traces/unfinalized.m240.abortme.rank0002.clog2", "sample-traces/unfinalized.m240.abortme.rank0003.clog2",
	};
	struct metric_run r;
	char path[100];

	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		snprintf(path, sizeof path, "sample-traces/%s.clog2", names[i]);
		check_file(path);
	}
	r = metric_run_files(local, 4);
	check_all(&r, "local files");
	is_u64(r.metrics->notes[METRIC_NOTE_UNFINALIZED], 4, "files that were not finalized are noted");
	metric_run_close(&r);
}

/* Runs that nobody would write: states that overlap, calls without partners, messages outside of calls. */
static struct gen_bytes random_run(uint64_t seed)
{
	static const char *const names[] = {"MPI_Send", "MPI_Recv", "MPI_Irecv", "MPI_Wait", "MPI_Barrier", "MPI_Isend", "MPI_Ssend",
					    "MPI_Bcast", "MPI_Startall", "MPI_Comm_dup", "CLOG_Buffer_write2disk"};
	static const char *const states[] = {"a", "b", "c"};
	int32_t n = 1 + (int32_t)gen_below(&seed, 4);
	struct gen_calls *g = gen_calls_new(n, NULL);

	for (int32_t p = 0; p < n; p++) {
		double t = gen_below(&seed, 10) / 8.;

		for (uint32_t i = 5 + gen_below(&seed, 40); i > 0; i--, t += gen_below(&seed, 9) / 8.) {
			const char *name = names[gen_below(&seed, sizeof names / sizeof *names)];

			switch (gen_below(&seed, 8)) {
			case 0:
				gen_begin(g, p, t, states[gen_below(&seed, 3)]);
				break;
			case 1:
				gen_end(g, p, t, states[gen_below(&seed, 3)]);
				break;
			case 2:
				gen_message(g, p, t, gen_below(&seed, 2), (int32_t)gen_below(&seed, (uint32_t)n), 8, 0);
				break;
			default:
				gen_begin(g, p, t, name);
				t += gen_below(&seed, 5) / 8.;
				if (!strcmp(name, "MPI_Send") || !strcmp(name, "MPI_Isend") || !strcmp(name, "MPI_Ssend") ||
				    !strcmp(name, "MPI_Recv") || !strcmp(name, "MPI_Wait"))
					gen_message(g, p, t, strstr(name, "send") || strstr(name, "Send"),
						    (int32_t)gen_below(&seed, (uint32_t)n), 8, 0);
				if (gen_below(&seed, 20))
					gen_end(g, p, t, name);
			}
		}
	}
	return gen_calls_bytes(g);
}

/* --- memory that runs out --- */

static enum err_code make_all(const struct metric_run *r, struct err *e)
{
	const struct replay_rules rules = {.rendezvous = REPLAY_NEVER};
	struct process_rows processes_rows;
	struct state_rows states;
	struct phase_rows phases;
	struct run_metrics *m;
	enum err_code code = run_metrics_new(&m, r->log, &rules, NULL, e);

	if (code)
		return code;
	code = process_rows_init(&processes_rows, m, NULL, e);
	process_rows_release(&processes_rows);
	if (!code) {
		code = state_rows_init(&states, m, NULL, e);
		state_rows_release(&states);
	}
	if (!code) {
		code = phase_rows_init(&phases, m, r->spans, r->analysis->figures, NULL, e);
		phase_rows_release(&phases);
	}
	run_metrics_free(m);
	return code;
}

static void no_memory(void)
{
	struct metric_run r = metric_run_bytes(gen_tiny(NULL, 0));
	unsigned silent = 0, leaks = 0;
	enum err_code code = ERR_MEMORY;
	long n = 0;

	metric_run_phases(&r);
	for (; code && n < 1000; n++) {
		long live = mem_live();

		err.text[0] = 0;
		mem_fail_after(n);
		code = make_all(&r, &err);
		mem_fail_after(-1);
		silent += code && (code != ERR_MEMORY || !err.text[0]);
		leaks += mem_live() != live;
	}
	ok(n > 20 && !code, "each of %ld allocations was made to fail", n - 1);
	is_int(silent, 0, "which is an error with a sentence");
	is_int(leaks, 0, "and leaves nothing behind");
	metric_run_close(&r);
}

static bool stop(void *arg)
{
	(void)arg;
	return true;
}

static void stopped(void)
{
	const struct progress progress = {.stopped = stop};
	struct metric_run r = metric_run_bytes(gen_tiny(NULL, 0));
	struct process_rows p;
	struct state_rows s;
	struct phase_rows ph;

	metric_run_phases(&r);
	ok(process_rows_init(&p, r.metrics, &progress, &err) == ERR_CANCELLED && !p.row && state_rows_init(&s, r.metrics, &progress, &err) == ERR_CANCELLED &&
	   !s.row && phase_rows_init(&ph, r.metrics, r.spans, NULL, &progress, &err) == ERR_CANCELLED && !ph.row, "rows stop when asked to");
	metric_run_close(&r);
}

int main(int argc, char **argv)
{
	tiny_states();
	inner_states();
	twisted_states();
	processes();
	missing();
	paths();
	no_memory();
	stopped();
	samples();
	for (uint64_t seed = 1; seed <= 40; seed++) {
		struct metric_run r = metric_run_bytes(random_run(seed));
		char name[40];

		snprintf(name, sizeof name, "random run %u", (unsigned)seed);
		check_all(&r, name);
		metric_run_close(&r);
	}
	for (int i = 1; i < argc; i++)
		check_file(argv[i]);
	return done_testing();
}
