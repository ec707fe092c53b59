/* The naive metrics must be right by themselves, for the real ones are compared with them: they give the examples of
 * the metrics' definition, the figures of the shared traces, and what must hold of every run. Random runs are the same
 * for the same seed, whatever the byte order and blocks of their files.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "gen_script.h"
#include "naive_metrics.h"
#include "tap.h"

#define NEAR 1e-9

static struct naive_metrics *of(struct gen_bytes b, const struct naive_choices *choices)
{
	struct naive_metrics *m = naive_metrics_new(b.bytes, b.size, choices);

	free(b.bytes);
	return m;
}

static bool same(double a, double b, double share)
{
	return (isnan(a) && isnan(b)) || fabs(a - b) <= share * fmax(1, fmax(fabs(a), fabs(b)));
}

/* --- the examples --- */

static void tiny(void)
{
	struct naive_metrics *m = of(gen_script_tiny(&(struct gen_script_options){0}), NULL);
	const struct naive_factors *f = &m->program.factors;
	const struct naive_account *p0 = &m->process[0].account, *p1 = &m->process[1].account;
	const struct naive_node *a = naive_metrics_node(m, "A"), *b = naive_metrics_node(m, "B");

	is_double(m->runtime, 20, NEAR, "Tiny: runtime");
	is_double(m->ideal_runtime, 15, NEAR, "ideal runtime");
	ok(p0->kind[NAIVE_USEFUL] == 14 && p1->kind[NAIVE_USEFUL] == 13, "useful time");
	ok(p0->communication == 6 && p1->communication == 7, "communication");
	ok(p0->sync == 0 && p1->sync == 3 && p1->by_reason[NAIVE_LATE_SENDER] == 2 &&
	   p1->by_reason[NAIVE_COLLECTIVE_WAIT] == 1, "waiting, and why");
	ok(p0->transfer == 6 && p1->transfer == 4, "transfer");
	ok(p0->hidden == 3 && p1->hidden == 0, "hidden");
	is_double(m->program.all.overlap, 3.0 / 16, NEAR, "overlap");
	is_double(p0->overlap, 1.0 / 3, NEAR, "of the process that has it");
	ok(same(m->process[0].idle, .3, NEAR) && same(m->process[1].idle, .35, NEAR), "idle");
	is_double(f->load_balance, .9642857, 1e-7, "load balance");
	is_double(f->communication_balance, .9285714, 1e-7, "communication balance");
	is_double(f->communication_efficiency, .7, NEAR, "communication efficiency");
	is_double(f->parallel_efficiency, .675, NEAR, "parallel efficiency");
	is_double(f->serialisation_efficiency, .9333333, 1e-7, "serialisation efficiency");
	is_double(f->transfer_efficiency, .75, NEAR, "transfer efficiency");
	is_double(m->average_parallelism, 1.35, NEAR, "average parallelism");
	if (!ok(a && b, "both user states are routines"))
		return;
	ok(a->row.all.time == 15 && same(a->row.factors.load_balance, .6111111, 1e-7) &&
	   same(a->row.factors.communication_efficiency, .9, NEAR) && a->row.factors.serialisation_efficiency == 1 &&
	   same(a->row.factors.transfer_efficiency, .9, NEAR) && a->row.ideal_time_max == 9, "state A");
	ok(b->row.all.time == 20 && same(b->row.factors.load_balance, .7272727, 1e-7) &&
	   same(b->row.factors.communication_efficiency, .9166667, 1e-7) && b->row.ideal_time_max == 11, "state B");
	naive_metrics_free(m);
}

static double exclusive(const struct naive_metrics *m, const char *path)
{
	const struct naive_node *n = naive_metrics_node(m, path);

	return n ? n->exclusive : -1;
}

static void twisted(void)
{
	struct naive_metrics *m = of(gen_script_twisted(&(struct gen_script_options){0}), NULL);
	const struct naive_account *all = &m->program.all;
	const struct naive_node *a = naive_metrics_node(m, "A"), *b = naive_metrics_node(m, "B");

	is_double(m->runtime, 20, NEAR, "Twisted: runtime");
	is_double(all->time, 38.5, NEAR, "time");
	is_double(m->outside, 1.5, NEAR, "outside");
	is_double(m->process[0].account.kind[NAIVE_USEFUL], 12.9, NEAR, "useful time of the first process");
	is_double(m->process[1].account.kind[NAIVE_USEFUL], 14.5, NEAR, "and of the second");
	is_double(all->kind[NAIVE_SEND], 5.85, NEAR, "send");
	is_double(all->kind[NAIVE_RECEIVE], 3, NEAR, "receive");
	is_double(all->kind[NAIVE_WAIT], 2, NEAR, "wait");
	is_double(all->kind[NAIVE_TRACER], .25, NEAR, "tracer");
	is_double(m->process[0].account.hidden, 1.5, NEAR, "hidden in the first");
	is_double(m->process[1].account.hidden, .5, NEAR, "and in the second");
	is_double(all->sync, 0, NEAR, "nobody waits");
	is_double(m->ideal_runtime, 15.75, NEAR, "ideal runtime");
	is_double(m->program.factors.serialisation_efficiency, 14.75 / 15.75, NEAR, "serialisation efficiency");
	is_double(m->program.factors.tracer_efficiency, 14.5 / 14.75, NEAR, "tracer efficiency");
	is_double(exclusive(m, "A"), 4, NEAR, "exclusive time of A");
	is_double(exclusive(m, "A/A"), 1, NEAR, "of A in A");
	is_double(exclusive(m, "A/B"), 7, NEAR, "of B in A");
	is_double(exclusive(m, "B"), 4.75, NEAR, "of B");
	ok(a && b && a->count == 2 && b->unfinished == 1, "counts");
	is_u64(m->unpaired, 2, "a call without an end and an end without a start are counted");
	naive_metrics_free(m);
}

static void hosts(void)
{
	static const char *const names[] = {"n1", "n1", "n2"};
	struct gen_script *g = gen_script_new(3, &(struct gen_script_options){.hosts = names});
	static const double useful[] = {9, 7, 2};
	struct naive_metrics *m;

	for (int32_t p = 0; p < 3; p++) {
		script_solo(g, p, 0);
		script_during(g, p, useful[p], 10, "MPI_Barrier");
	}
	m = of(gen_script_bytes(g), NULL);
	is_double(m->program.factors.load_balance, .6666667, 1e-7, "Nodes: load balance");
	is_double(m->load_balance_nodes, .75, NEAR, "between nodes");
	is_double(m->load_balance_inside, .8888889, 1e-7, "inside of them");
	is_int(m->nodes, 2, "of which there are two");
	naive_metrics_free(m);
}

/* --- what must hold of every run --- */

static uint32_t add_up(const struct naive_metrics *m)
{
	double exclusive_time = 0;
	uint32_t bad = 0;

	for (uint32_t p = 0; p < m->processes; p++) {
		const struct naive_account *a = &m->process[p].account;

		bad += !same(a->time, m->process[p].end - m->process[p].start, 1e-12);
		bad += !same(a->sync + a->transfer, a->communication, 1e-12) || a->sync < 0 || a->transfer < -1e-9;
	}
	for (uint32_t i = 0; i < m->node_count; i++)
		exclusive_time += m->node[i].exclusive;
	bad += !same(exclusive_time, m->program.all.time, 1e-9);
	bad += !same(m->node[0].row.all.time, m->program.all.time, 1e-9);
	return bad;
}

static uint32_t phases_tile(const struct naive_metrics *m)
{
	const struct naive_account *all = &m->program.all;
	double kind[NAIVE_KINDS] = {0}, sync = 0, hidden = 0, replay = 0, want = 0;
	uint32_t bad = 0;

	for (uint32_t i = 0; i < m->phase_count; i++) {
		for (int k = 0; k < NAIVE_KINDS; k++)
			kind[k] += m->phase[i].row.all.kind[k];
		sync += m->phase[i].row.all.sync;
		hidden += m->phase[i].row.all.hidden;
		replay += m->phase[i].row.all.replay;
	}
	for (int k = 0; k < NAIVE_KINDS; k++)
		bad += !same(kind[k], all->kind[k], 1e-9);
	for (uint32_t p = 0; p < m->processes; p++)
		want += m->node[0].row.of[p].replay;
	return bad + !same(sync, all->sync, 1e-9) + !same(hidden, all->hidden, 1e-9) + !same(replay, want, 1e-9);
}

static uint32_t factors_multiply(const struct naive_metrics *m)
{
	const struct naive_factors *f = &m->program.factors;
	uint32_t bad = 0;

	bad += !isnan(f->parallel_efficiency) && !same(1 - m->idle, f->parallel_efficiency, 1e-9);
	bad += !same(f->load_balance * f->communication_efficiency, f->parallel_efficiency, 1e-9);
	bad += !same(f->serialisation_efficiency * f->transfer_efficiency, f->communication_efficiency, 1e-9);
	bad += f->serialisation_efficiency > 1 + 1e-12;
	bad += !isnan(m->load_balance_nodes) &&
	       !same(m->load_balance_nodes * m->load_balance_inside, f->load_balance, 1e-9);
	return bad;
}

static uint32_t broken_rules(const struct naive_metrics *m)
{
	return add_up(m) + phases_tile(m) + factors_multiply(m) + naive_metrics_unsolved(m);
}

/* --- the shared traces --- */

static void shared(void)
{
	static const struct {
		const char *path;
		double ideal, balance, serialisation, transfer, communication_balance, sync, overlap;
	} table[] = {
		{"sample-traces/cg.S.4.clog2", 0.00961673, 0.967335, 0.785175, 0.251825, 0.979983, 0.0716518, 0.00653474},
		{"sample-traces/ep.S.4.clog2", 0.0838009, 0.953116, 0.998907, 0.988396, 0.551555, 0.0121972, 0},
		{"sample-traces/latesender.4.clog2", 0.453449, 0.412642, 0.941838, 0.998816, 0.647519, 1.10773, 0},
		{"sample-traces/nonblock.4.clog2", 0.0443932, 0.97922, 0.985157, 0.930611, 0.878756, 0.00639004, 0.901495},
		{"sample-traces/userstates.3.clog2", 0.0141674, 0.657139, 0.997503, 0.968711, 0.342944, 0.00724012, 0},
	};

	for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
		struct naive_metrics *m = of(gen_slurp(table[i].path), NULL);
		const struct naive_factors *f = &m->program.factors;
		uint32_t bad = broken_rules(m);

		is_double(m->ideal_runtime, table[i].ideal, 1e-5 * table[i].ideal, "%s: ideal runtime", table[i].path);
		is_double(f->load_balance, table[i].balance, 1e-5, "load balance");
		is_double(f->serialisation_efficiency, table[i].serialisation, 1e-5, "serialisation efficiency");
		is_double(f->transfer_efficiency, table[i].transfer, 1e-5, "transfer efficiency");
		is_double(f->communication_balance, table[i].communication_balance, 1e-5, "communication balance");
		is_double(m->program.all.sync, table[i].sync, 1e-5 * table[i].sync, "sync");
		is_double(m->program.all.overlap, table[i].overlap, 1e-5, "overlap");
		is_int(bad, 0, "and what holds of every run");
		if (strstr(table[i].path, "latesender")) {
			is_double(m->program.all.by_reason[NAIVE_LATE_SENDER], .401785, 1e-6, "late senders");
			is_double(m->program.all.by_reason[NAIVE_LATE_RECEIVER], .201517, 1e-6, "late receivers");
		}
		naive_metrics_free(m);
	}
}

/* --- random runs --- */

/* All figures of two runs, with what is known to differ left out. */
static uint32_t differ(const struct naive_metrics *a, const struct naive_metrics *b)
{
	uint32_t bad = a->processes != b->processes || a->node_count != b->node_count || a->phase_count != b->phase_count;

	if (bad)
		return bad;
	bad += !same(a->runtime, b->runtime, 0) + !same(a->ideal_runtime, b->ideal_runtime, 0);
	bad += a->broken != b->broken || a->unpaired != b->unpaired || a->unrelated != b->unrelated;
	for (uint32_t i = 0; i < a->node_count; i++)
		bad += memcmp(&a->node[i].row.all, &b->node[i].row.all, sizeof a->node[i].row.all) != 0 ||
		       strcmp(a->node[i].name, b->node[i].name) != 0;
	for (uint32_t i = 0; i < a->phase_count; i++)
		bad += memcmp(&a->phase[i].row.all, &b->phase[i].row.all, sizeof a->phase[i].row.all) != 0;
	return bad;
}

static void random_runs(enum gen_script_kind kind, const char *name)
{
	uint32_t rules = 0, copies = 0, faster = 0, shifted = 0;
	uint64_t waits[NAIVE_REASONS] = {0}, hidden = 0, broken = 0, unpaired = 0, unrelated = 0, threads = 0, phases = 0;

	for (uint64_t seed = 1; seed <= CASES(300); seed++) {
		static const double shift[] = {0, 0.5, 0, 0, 0, 0};
		struct naive_metrics *m = of(gen_script_random(seed, kind, &(struct gen_script_options){0}), NULL);
		struct naive_metrics *other = of(gen_script_random(seed, kind, &(struct gen_script_options){
			.little_endian = true, .block_size = 333}), NULL);

		rules += broken_rules(m);
		copies += differ(m, other);
		/* Its own trace satisfies every dependence. */
		faster += m->ideal_runtime > m->runtime + 1e-9;
		naive_metrics_free(other);
		other = of(gen_script_random(seed, kind, &(struct gen_script_options){.shift = shift}), NULL);
		for (uint32_t p = 0; p < m->processes; p++)
			for (int k = 0; k < NAIVE_KINDS; k++)
				shifted += !same(m->process[p].account.kind[k], other->process[p].account.kind[k], 1e-12);
		naive_metrics_free(other);
		for (int r = 0; r < NAIVE_REASONS; r++)
			waits[r] += m->program.all.by_reason[r] > 0;
		hidden += m->program.all.hidden > 0;
		broken += m->broken;
		unpaired += m->unpaired;
		unrelated += m->unrelated;
		threads += m->lists > m->processes;
		phases += m->phase_count - 2;
		naive_metrics_free(m);
	}
	is_int(rules, 0, "%s runs: what holds of every run", name);
	is_int(copies, 0, "a copy in the other byte order and other blocks gives the same figures");
	is_int(shifted, 0, "a constant added to a clock changes no process's account");
	ok(waits[0] > CASES(50) && waits[1] > CASES(50) && waits[2] > CASES(50) && hidden > CASES(50), "there is waiting of all kinds (%u %u %u) and hiding (%u)",
	   (unsigned)waits[0], (unsigned)waits[1], (unsigned)waits[2], (unsigned)hidden);
	ok(phases > CASES(1000), "and there are phases (%u)", (unsigned)phases);
	if (kind == GEN_SCRIPT_TIDY || kind == GEN_SCRIPT_NUMBERED) {
		is_int(faster, 0, "where clocks agree the ideal run is never slower");
		ok(broken == 0 && unpaired == 0, "nothing is broken (%u, %u)", (unsigned)broken, (unsigned)unpaired);
	} else {
		ok(broken > CASES(20) && unpaired > CASES(100) && unrelated > CASES(100) && threads > CASES(20),
		   "%u dependences dropped, %u calls unpaired, %u messages lost, %u with threads", (unsigned)broken,
		   (unsigned)unpaired, (unsigned)unrelated, (unsigned)threads);
	}
}

int main(void)
{
	tiny();
	twisted();
	hosts();
	shared();
	random_runs(GEN_SCRIPT_TIDY, "tidy");
	random_runs(GEN_SCRIPT_MESSY, "messy");
	random_runs(GEN_SCRIPT_NUMBERED, "numbered");
	random_runs(GEN_SCRIPT_NUMBERED_MESSY, "numbered messy");
	return done_testing();
}
