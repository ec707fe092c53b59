/* The diagnosis is what a person acts on: each verdict, warning and place must follow from the figures by
 * docs/reference/metrics.md, "Diagnosis", and where the figures do not say something the diagnosis must not either. Its
 * sentences are what is read, so they are compared as a whole.
 */
#include "core/reports/reports.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gen_calls.h"
#include "metric_run.h"
#include "tap.h"

#define NEAR 1e-7
#define MOST 6

static struct err err;

static void must(enum err_code code)
{
	if (code)
		bail_out("%s", err.text);
}

/* A series of runs of which only the figures are given. */
struct made {
	struct run_metrics metrics[MOST];
	struct diagnosed runs[MOST];
	struct diagnosis_settings settings;
	uint32_t count, reference;
	struct diagnosis d;
};

static struct made *series(enum scaling_kind kind)
{
	struct made *m = calloc(1, sizeof *m);

	if (!m)
		bail_out("no memory");
	m->settings = (struct diagnosis_settings){.kind = kind, .serial = NAN, .bar = .8};
	return m;
}

static struct factors factors(double balance, double serialisation, double transfer)
{
	double communication = serialisation * transfer;

	return (struct factors){.load_balance = balance, .communication_balance = 1, .communication_efficiency = communication,
				.parallel_efficiency = balance * communication, .serialisation_efficiency = serialisation,
				.transfer_efficiency = transfer, .tracer_efficiency = 1};
}

static struct run_metrics *add(struct made *m, uint32_t processes, double runtime, double useful)
{
	struct run_metrics *x = &m->metrics[m->count];

	*x = (struct run_metrics){.processes = processes, .runtime = runtime, .has_account = true, .useful_max = useful / processes};
	x->factors = factors(1, useful / (processes * runtime), 1);
	x->account.by_kind[ACCOUNT_USEFUL] = useful;
	m->runs[m->count].metrics = x;
	m->runs[m->count].file = "run.clog2";
	m->runs[m->count++].figures = (struct scaling_run){.processes = processes, .runtime = runtime, .useful = useful,
							   .parallel_efficiency = x->factors.parallel_efficiency};
	return x;
}

/* Of single processes nothing is given. */
static const struct diagnosis *diagnose(struct made *m)
{
	struct scaling_run figures[MOST];

	for (uint32_t i = 0; i < m->count; i++) {
		figures[i] = m->runs[i].figures;
		m->metrics[i].of_process = calloc(m->metrics[i].processes, sizeof *m->metrics[i].of_process);
	}
	m->reference = scaling_fill(figures, m->count, m->settings.kind, m->settings.serial);
	for (uint32_t i = 0; i < m->count; i++)
		m->runs[i].figures = figures[i];
	diagnosis_make(&m->d, m->runs, m->count, m->reference, &m->settings);
	for (uint32_t i = 0; i < m->count; i++)
		free(m->metrics[i].of_process);
	return &m->d;
}

static void strong(void)
{
	struct made *m = series(SCALING_STRONG);
	const struct diagnosis *d;

	add(m, 1, 100, 90);
	add(m, 2, 52, 90);
	add(m, 4, 28, 90);
	d = diagnose(m);
	is_str(d->stand.metric, "efficiency", "strong: several process counts are judged by efficiency");
	is_double(d->stand.value, .8928571, NEAR, "strong: efficiency");
	is_int(d->stand.verdict, VERDICT_OK, "strong: above the bar");
	is_int(d->stand.processes, 4, "strong: of the run with most processes");
	is_int(d->stand.warnings, 0, "strong: nothing to warn of");
	is_double(d->far.serial_fraction, .04, NEAR, "strong: serial fraction");
	is_str(trend_name(d->far.trend), "constant", "strong: trend");
	is_double(d->far.limit, 25, 1e-6, "strong: limit");
	is_int(d->far.reference, 1, "strong: speedups count from one process");
	is_int(d->far.projections, 3, "strong: projected to 2, 4, 8 times the processes");
	is_int(d->far.projection[0].processes, 8, "strong: to 8");
	is_double(d->far.projection[0].speedup, 1 / (.04 + .96 / 8), NEAR, "strong: speedup there by Amdahl");
	is_double(d->far.projection[0].efficiency, .78125, NEAR, "strong: efficiency there");
	is_int(d->far.verdict, VERDICT_POOR, "strong: which is below the bar");
	is_double(d->far.projection[2].speedup, 1 / (.04 + .96 / 32), NEAR, "strong: and on 32");
	free(m);
}

static void weak(void)
{
	struct made *m = series(SCALING_WEAK);
	const struct diagnosis *d;

	add(m, 2, 100, 180);
	add(m, 8, 125, 720);
	d = diagnose(m);
	is_double(d->stand.value, .8, NEAR, "weak: efficiency");
	is_double(d->far.serial_fraction, .2666667, NEAR, "weak: serial fraction");
	ok(d->far.trend == TREND_NONE && !trend_name(d->far.trend), "weak: two counts make no trend");
	ok(isnan(d->far.limit), "weak: no limit");
	is_double(d->far.projection[0].speedup, 8 - .8 / 3 * 7, 1e-6, "weak: speedup on 16 by Gustafson");
	is_int(d->far.reference, 2, "weak: counted from two processes");
	ok(d->stand.warnings == WARN_FEW_POINTS, "weak: two counts are few, and nothing else is odd");
	free(m);
}

static void trends(void)
{
	static const struct { double last; const char *trend; } want[] = {
		{100 * (.05 + .95 / 8), "constant"}, {100 * (.08 + .92 / 8), "rising"}, {100 * (.02 + .98 / 8), "falling"},
		{100 * (.054 + .946 / 8), "constant"},
	};

	for (size_t i = 0; i < sizeof want / sizeof *want; i++) {
		struct made *m = series(SCALING_STRONG);

		add(m, 1, 100, 90);
		add(m, 2, 100 * (.05 + .95 / 2), 90);
		add(m, 8, want[i].last, 90);
		is_str(trend_name(diagnose(m)->far.trend), want[i].trend, "a serial fraction of .05 and then %.3f is %s",
		       m->d.far.serial_fraction, want[i].trend);
		free(m);
	}
}

static void superlinear(void)
{
	struct made *m = series(SCALING_STRONG);
	const struct diagnosis *d;

	add(m, 1, 100, 90);
	add(m, 4, 20, 70);
	d = diagnose(m);
	ok(d->far.serial_fraction < 0 && isnan(d->far.limit), "superlinear: no limit");
	is_double(d->far.projection[1].speedup, 16, NEAR, "superlinear: projected as if nothing were serial");
	is_int(d->far.verdict, VERDICT_OK, "superlinear: it can go further");
	free(m);
}

static void warnings(void)
{
	struct made *m = series(SCALING_STRONG);

	add(m, 1, 100, 90);
	ok(diagnose(m)->stand.warnings == WARN_FEW_POINTS, "one run is few");
	add(m, 2, 60, 95);
	add(m, 2, 61, 95);
	ok(diagnose(m)->stand.warnings == WARN_FEW_POINTS, "two of as many processes are one count");
	add(m, 4, 60, 100);
	ok(diagnose(m)->stand.warnings == WARN_SLOWS_DOWN, "as slow with twice the processes slows down");
	m->count = 3;
	add(m, 4, 40, 100);
	ok(!diagnose(m)->stand.warnings, "a little faster does not");
	m->count = 3;
	add(m, 4, 59, 90 * 4 * .63);
	ok(diagnose(m)->stand.warnings == WARN_LOOKS_WEAK, "computing per process that hardly shrinks looks weak");
	m->count = 3;
	add(m, 4, 59, 90 * 4 * .62);
	ok(!diagnose(m)->stand.warnings, "computing per process that shrinks by more does not");
	m->settings.kind = SCALING_WEAK;
	m->count = 3;
	add(m, 4, 200, 90 * 4);
	ok(!diagnose(m)->stand.warnings, "in a weak series neither is odd");
	free(m);
	m = series(SCALING_STRONG);
	add(m, 2, 60, 95);
	add(m, 4, 40, 100);
	m->settings.serial = 100;
	ok(!diagnose(m)->stand.warnings, "a serial time counts as a run of one process");
	m->settings.serial = 50;
	ok(diagnose(m)->stand.warnings == WARN_SLOWS_DOWN, "which all may be slower than");
	free(m);
}

/* More processes that make it slower are no serial fraction above 1: what grew is said instead. */
static void slower(void)
{
	struct made *m = series(SCALING_STRONG);
	const struct diagnosis *d;
	struct run_metrics *x;
	struct out out;

	x = add(m, 8, 10, 40);
	x->account.by_kind[ACCOUNT_SEND] = 32;
	x = add(m, 16, 50, 48);
	x->account.by_kind[ACCOUNT_SEND] = 736;
	x->account.by_reason[WAIT_LATE_RECEIVER] = 16;
	d = diagnose(m);
	ok(d->far.slower && d->far.serial_fraction > 1 && d->far.limit < 1, "slower on more processes: the figures are there");
	out_init(&out);
	diagnosis_text(d, &m->settings, "run.clog2", &out);
	ok(strstr(out.text, "Scalability           poor: slower on more processes, 5.00 times as long on 16 processes as on 8 processes; transfer grows "
			    "from 4.00 s to 45.0 s per rank\n"), "what grew is said");
	ok(!strstr(out.text, "serial fraction") && !strstr(out.text, "speedup at most"), "no fraction above 100 %%, and no limit below 1");
	diag("%s", out.text);
	out_release(&out);
	free(m);
	m = series(SCALING_WEAK);
	add(m, 2, 10, 10);
	add(m, 4, 25, 20);
	d = diagnose(m);
	is_double(d->far.slower ? d->far.times_longer : 0, 2.5, NEAR, "weak: how much longer");
	free(m);
}

static void unknown(void)
{
	struct made *m = series(SCALING_STRONG);
	struct run_metrics *x = add(m, 4, 10, NAN);
	const struct diagnosis *d;
	struct out out;

	x->factors = (struct factors){NAN, NAN, NAN, NAN, NAN, NAN, NAN};
	m->runs[0].figures.parallel_efficiency = NAN;
	d = diagnose(m);
	is_str(d->stand.metric, "parallel_efficiency", "a single run is judged by parallel efficiency");
	ok(d->stand.verdict == VERDICT_UNKNOWN && isnan(d->stand.value), "which is not known without MPI calls");
	ok(d->far.verdict == VERDICT_UNKNOWN && !d->far.projections && isnan(d->far.serial_fraction) && !d->far.reference,
	   "nor is how far it goes");
	ok(d->where.verdict == VERDICT_UNKNOWN && !d->where.factor && isnan(d->where.lost) && d->where.process == NO_PROCESS,
	   "nor where it is lost");
	ok(d->helped.verdict == VERDICT_NOT_DONE && isnan(d->helped.runtime_change) && !d->helped.before, "and nothing was changed");
	is_str(verdict_name(d->helped.verdict), "not-done", "verdicts have names");
	out_init(&out);
	diagnosis_text(d, &m->settings, "odd name.clog2", &out);
	is_str(out.text,
	       "Efficiency            unknown: the trace does not separate computation from communication\n"
	       "Scalability           unknown: only one run. Trace the program on 2 or more rank counts and pass all traces\n"
	       "Main loss             unknown: the trace does not separate computation from communication\n"
	       "Effect of the change  change the program, trace it again, then run: pas2p metrics --before 'odd name.clog2' NEW\n",
	       "the sentences say what is missing and what to do");
	out_release(&out);
	free(m);
}

static void before(void)
{
	static const struct { double runtime; enum verdict verdict; } want[] = {
		{40, VERDICT_WORSE}, {29, VERDICT_WORSE}, {28.2, VERDICT_SAME}, {28, VERDICT_SAME}, {27.8, VERDICT_SAME}, {27, VERDICT_BETTER},
	};
	struct made *m = series(SCALING_STRONG);
	struct run_metrics old = {.processes = 4, .runtime = 28, .factors = factors(.7, .9, .9), .known = {.posts = true}};
	const struct diagnosis *d;

	old.account = (struct account){.by_kind = {70, 20}, .hidden = 20};
	m->settings.before = &old;
	m->settings.before_file = "old.clog2";
	add(m, 8, 20, 90);
	for (size_t i = 0; i < sizeof want / sizeof *want; i++) {
		m->count = 1;
		add(m, 4, want[i].runtime + 3, 90);
		add(m, 4, want[i].runtime, 90);
		is_int(diagnose(m)->helped.verdict, want[i].verdict, "28 s, then %g s: %s", want[i].runtime, verdict_name(want[i].verdict));
	}
	m->metrics[2].factors = factors(.8, .95, .85);
	m->metrics[2].account = (struct account){.by_kind = {70, 20}, .hidden = 60};
	m->metrics[2].known.posts = true;
	d = diagnose(m);
	is_double(d->helped.runtime_change, 27. / 28 - 1, NEAR, "how much");
	is_double(d->helped.load_balance, .1, NEAR, "load balance rose");
	is_double(d->helped.transfer_efficiency, -.05, NEAR, "transfer efficiency fell");
	is_double(d->helped.overlap, .25, NEAR, "overlap rose");
	is_str(d->helped.before, "old.clog2", "against what");
	old.processes = 16;
	d = diagnose(m);
	ok(d->helped.verdict == VERDICT_UNKNOWN && isnan(d->helped.runtime_change) && isnan(d->helped.load_balance),
	   "no run has as many processes: not known");
	free(m);
}

/* --- where, on the page's run --- */

static struct diagnosis diagnose_run(struct metric_run *r, struct out *out)
{
	struct diagnosis_settings settings = {.kind = SCALING_STRONG, .serial = NAN, .bar = .8};
	struct state_rows states;
	struct phase_rows phases;
	struct diagnosed run = {.metrics = r->metrics, .states = &states, .phases = &phases, .file = "tiny.clog2"};
	struct diagnosis d;

	metric_run_phases(r);
	must(state_rows_init(&states, r->metrics, NULL, &err));
	must(phase_rows_init(&phases, r->metrics, r->spans, r->analysis->figures, NULL, &err));
	run.figures = (struct scaling_run){.processes = r->metrics->processes, .runtime = r->metrics->runtime,
					   .useful = r->metrics->account.by_kind[ACCOUNT_USEFUL],
					   .parallel_efficiency = r->metrics->factors.parallel_efficiency};
	diagnosis_make(&d, &run, 1, scaling_fill(&run.figures, 1, SCALING_STRONG, NAN), &settings);
	out_init(out);
	diagnosis_text(&d, &settings, run.file, out);
	state_rows_release(&states);
	phase_rows_release(&phases);
	return d;
}

static void tiny(void)
{
	struct metric_run r = metric_run_bytes(gen_tiny(NULL, 0));
	struct out out;
	struct diagnosis d = diagnose_run(&r, &out);
	double phases = 0;

	is_str(d.where.factor, "transfer_efficiency", "tiny: the least factor");
	is_double(d.where.value, .75, NEAR, "tiny: its value");
	is_int(d.where.verdict, VERDICT_POOR, "tiny: below the bar");
	is_double(d.where.lost, 10, NEAR, "tiny: what it costs");
	is_int(d.where.process, 0, "tiny: the process with most of it");
	ok(d.where.routine_count == 3 && !strcmp(d.where.routines[0].where, "(program)") && !strcmp(d.where.routines[1].where, "B") &&
	   !strcmp(d.where.routines[2].where, "A"), "tiny: where, ties by name");
	is_double(d.where.routines[0].lost, 4, NEAR, "tiny: (program)");
	is_double(d.where.routines[1].lost, 4, NEAR, "tiny: B");
	is_double(d.where.routines[2].lost, 2, NEAR, "tiny: A");
	for (uint32_t i = 0; i < d.where.phase_count; i++)
		phases += d.where.phases[i].lost;
	ok(phases > 0 && phases <= 10 + NEAR, "tiny: phases have it, too");
	ok(strstr(out.text, "Efficiency            poor: parallel efficiency 67.5 % on 2 processes; goal 80 %\n"), "tiny: sentence 1");
	ok(strstr(out.text, "Main loss             poor: transfer efficiency 75.0 %; 10.0 s of the total time is transfer, most of it on "
			    "rank 0. Functions: (program) 4.00 s, B 4.00 s, A 2.00 s. Phases: "), "tiny: sentence 3");
	ok(strstr(out.text, "Communication efficiency is poor (70.0 %)\n"), "tiny: and its answer to whether it is communication");
	ok(strstr(out.text, "Effect of the change  change the program, trace it again, then run: pas2p metrics --before tiny.clog2 NEW\n"),
	   "tiny: sentence 4");
	diag("%s", out.text);
	out_release(&out);
	metric_run_close(&r);
}

static void samples(void)
{
	static const struct { const char *path, *factor; } want[] = {
		{"sample-traces/cg.S.4.clog2", "transfer_efficiency"},
		{"sample-traces/latesender.4.clog2", "load_balance"},
		{"sample-traces/userstates.3.clog2", "load_balance"},
	};

	for (size_t i = 0; i < sizeof want / sizeof *want; i++) {
		struct metric_run r = metric_run_files(&want[i].path, 1);
		struct out out;
		struct diagnosis d = diagnose_run(&r, &out);

		is_str(d.where.factor, want[i].factor, "%s: what is least", want[i].path);
		ok(d.where.lost > 0 && d.where.process != NO_PROCESS, "%s: what it costs, and who is behind it", want[i].path);
		ok(r.log->users_seen || strcmp(want[i].factor, "load_balance") || !d.where.routine_count,
		   "%s: MPI functions are not named for load balance", want[i].path);
		diag("%s", out.text);
		out_release(&out);
		metric_run_close(&r);
	}
}

/* Computing that grew: which routine does it? */
static struct gen_bytes grown(int32_t processes, double a, double b)
{
	struct gen_calls *g = gen_calls_new(processes, NULL);

	for (int32_t p = 0; p < processes; p++) {
		gen_begin(g, p, 0, "a");
		gen_end(g, p, a, "a");
		gen_begin(g, p, a, "b");
		gen_end(g, p, a + b, "b");
		gen_call(g, p, a + b, a + b + .5, "MPI_Barrier");
	}
	return gen_calls_bytes(g);
}

static void scaling(void)
{
	struct metric_run r[2] = {metric_run_bytes(grown(1, 20, 20)), metric_run_bytes(grown(2, 10, 18))};
	struct diagnosis_settings settings = {.kind = SCALING_STRONG, .serial = NAN, .bar = .8};
	struct state_rows states[2];
	struct diagnosed runs[2] = {{0}, {0}};
	struct scaling_run figures[2];
	struct diagnosis d;
	struct out out;
	uint32_t reference;

	for (int i = 0; i < 2; i++) {
		must(state_rows_init(&states[i], r[i].metrics, NULL, &err));
		figures[i] = (struct scaling_run){.processes = r[i].metrics->processes, .runtime = r[i].metrics->runtime,
						  .useful = r[i].metrics->account.by_kind[ACCOUNT_USEFUL],
						  .parallel_efficiency = r[i].metrics->factors.parallel_efficiency};
		runs[i] = (struct diagnosed){.metrics = r[i].metrics, .states = &states[i]};
	}
	reference = scaling_fill(figures, 2, SCALING_STRONG, NAN);
	for (int i = 0; i < 2; i++)
		runs[i].figures = figures[i];
	diagnosis_make(&d, runs, 2, reference, &settings);
	is_str(d.where.factor, "computation_scaling", "more computing in all: computation scaling");
	is_double(d.where.value, 40. / 56, NEAR, "how good it is");
	is_double(d.where.lost, 16, NEAR, "what it costs");
	ok(d.where.routine_count == 1 && !strcmp(d.where.routines[0].where, "b"), "the routine that computes more than in the reference");
	is_double(d.where.routines[0].lost, 16, NEAR, "and how much");
	is_int(d.where.phase_count, 0, "phases of two runs are not compared");
	out_init(&out);
	diagnosis_text(&d, &settings, "a.clog2", &out);
	ok(strstr(out.text, "Main loss             poor: computation scaling 71.4 %; 16.0 s more computation than in the reference, and "
			    "rank 0 computes most. Functions: b 16.0 s. Communication efficiency is good (98.2 %)\n"), "as a sentence");
	diag("%s", out.text);
	out_release(&out);
	runs[0].states = NULL;
	diagnosis_make(&d, runs, 2, reference, &settings);
	is_int(d.where.routine_count, 0, "without the reference's rows no routine is named");
	for (int i = 0; i < 2; i++) {
		state_rows_release(&states[i]);
		metric_run_close(&r[i]);
	}
}

static void ties(void)
{
	struct made *m = series(SCALING_STRONG);
	struct run_metrics *x = add(m, 4, 10, 30);

	x->factors = factors(.7, .7, .7);
	is_str(diagnose(m)->where.factor, "load_balance", "of equal factors the first");
	x->factors = factors(.8, .7, .7);
	is_str(diagnose(m)->where.factor, "serialisation_efficiency", "of the least ones");
	x->factors.serialisation_efficiency = NAN;
	is_str(diagnose(m)->where.factor, "transfer_efficiency", "those that are not known are left out");
	add(m, 4, 9, 30);
	add(m, 4, 9, 30);
	add(m, 2, 8, 30);
	is_int(diagnosis_run(m->runs, m->count), 1, "the run that is looked at: most processes, then shortest, then first");
	free(m);
}

int main(void)
{
	strong();
	weak();
	trends();
	superlinear();
	warnings();
	slower();
	unknown();
	before();
	tiny();
	samples();
	scaling();
	ties();
	return done_testing();
}
