/* The overview is believed without a second look, so each of its figures must be what the parts say, found here the
 * long way round: whom processes waited for by asking call by call, the heaviest pair by going through all events. What
 * a trace does not support is absent, in every way in which a part can be missing; what to do next follows from the
 * figures. No page is wider than asked for.
 */
#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/mem.h"
#include "core/formats/api/load.h"
#include "core/io/wrap.h"
#include "core/reports/reports.h"
#include "gen_calls.h"
#include "tap.h"

static struct err err;

static void must(enum err_code code)
{
	if (code && code != ERR_DAMAGED)
		bail_out("%s", err.text);
}

struct made {
	struct trace *trace;
	struct analysis *analysis;
	struct overview_run run;
};

static void make_of(struct made *m, const char *path, const struct settings *settings)
{
	struct trace_options o = {.threads = 1};
	struct settings defaults;

	settings_init(&defaults);
	must(trace_load(&m->trace, &path, 1, &o, NULL, &err));
	must(analysis_new(&m->analysis, m->trace, settings ? settings : &defaults, NULL, ANALYSIS_PHASES | ANALYSIS_PATTERNS, NULL, &err));
	must(overview_run_init(&m->run, m->trace, m->analysis, NULL, NULL, &err));
}

static void drop(struct made *m)
{
	overview_run_release(&m->run);
	analysis_unref(m->analysis);
	trace_free(m->trace);
}

/* --- against the parts --- */

static bool near(double a, double b)
{
	return fabs(a - b) <= 1e-9 * fmax(1, fmax(fabs(a), fabs(b)));
}

/* Seconds by process, other and reason, asked call by call. */
static bool same_pairs(const struct overview *o)
{
	const struct run_metrics *m = o->of.metrics;
	const struct call_log *log = m->log;
	uint32_t n = log->trace->process_count, found = 0;
	double *sum = calloc((size_t)n * n * WAIT_REASONS, sizeof *sum), most = 0, all = 0;
	bool same = true;

	for (uint32_t c = 0; c < log->call_count; c++) {
		const struct call_list *l = &log->lists[call_log_list_of(log, c)];
		uint32_t other = waits_for(m->waits, c);

		if (l->account && other != NO_LOGGED_CALL)
			sum[((size_t)l->process * n + log->lists[call_log_list_of(log, other)].process) * WAIT_REASONS + m->waits->reason[c]] +=
				m->waits->sync[c];
	}
	for (uint32_t p = 0; p < n; p++)
		for (uint32_t q = 0; q < n; q++) {
			const double *by_reason = &sum[((size_t)p * n + q) * WAIT_REASONS];
			double seconds = by_reason[0] + by_reason[1] + by_reason[2];
			const struct waited_pair *pair = &o->of.pairs->pair[found];

			if (!(seconds > 0))
				continue;
			same = same && found < o->of.pairs->count && pair->process == p && pair->other == q && near(pair->seconds, seconds);
			for (int r = 0; same && r < WAIT_REASONS; r++)
				same = near(pair->by_reason[r], by_reason[r]);
			if (seconds > most * (1 + 1e-12))
				most = seconds;
			all += seconds;
			found++;
		}
	same = same && found == o->of.pairs->count && near(all, o->of.pairs->seconds);
	same = same && (found ? o->longest && near(o->longest->seconds, most) : !o->longest);
	for (int r = 0; same && o->longest && r < WAIT_REASONS; r++)
		same = o->longest->by_reason[r] <= o->longest->by_reason[o->longest_reason];
	free(sum);
	return same;
}

static bool same_heaviest(const struct overview *o)
{
	const struct trace *t = o->of.trace;
	uint32_t n = t->process_count;
	uint64_t *bytes = calloc((size_t)n * n, sizeof *bytes), most = 0;
	bool any = false, same;

	for (uint32_t p = 0; p < n; p++)
		for (uint32_t e = t->first[p]; e < t->first[p + 1]; e++) {
			uint32_t to = EVENT_INDEX(t->type[e]);

			if (EVENT_KIND(t->type[e]) != EVENT_SEND || !to || to > n)
				continue;
			any = true;
			bytes[(size_t)p * n + to - 1] += trace_size(t, e) == SIZE_UNKNOWN ? 0 : trace_size(t, e);
		}
	for (size_t i = 0; i < (size_t)n * n; i++)
		most = bytes[i] > most ? bytes[i] : most;
	same = any ? o->heavy_from < n && o->heavy_to < n && bytes[(size_t)o->heavy_from * n + o->heavy_to] == most && o->heavy_bytes == most :
		o->heavy_from == NO_PROCESS && o->heavy_to == NO_PROCESS && !o->heavy_bytes;
	free(bytes);
	return same;
}

static bool same_figures(const struct overview *o)
{
	const struct overview_account *a = &o->account;
	const struct run_metrics *m = o->of.metrics;
	double most = 0, cause = 0, caused;

	if (!o->has_account)
		return o->without && isnan(a->compute) && isnan(a->waiting) && isnan(a->moving) && isnan(a->other) &&
		       isnan(o->factors.parallel_efficiency) && !o->longest && o->cause.process == NO_PROCESS && o->slowest == NO_PROCESS;
	for (uint32_t p = 0; p < m->processes; p++)
		most = fmax(most, m->of_process[p].by_kind[ACCOUNT_USEFUL]);
	/* By process and what it did, in all phases together. */
	for (uint32_t i = 0; i < o->of.causes->count; i++) {
		const struct cause *one = &o->of.causes->list[i];

		caused = 0;
		for (uint32_t k = 0; k < o->of.causes->count; k++)
			if (o->of.causes->list[k].process == one->process && o->of.causes->list[k].node == one->node)
				caused += o->of.causes->list[k].useful + o->of.causes->list[k].in_calls;
		cause = fmax(cause, caused);
		if (one->process == o->cause.process && one->node == o->cause.node && !near(caused, culprit_seconds(&o->cause)))
			return false;
	}
	return near(a->compute + a->waiting + a->moving + a->not_analysed + a->other, 1) && near(a->compute, m->factors.parallel_efficiency) &&
	       near(a->waiting * m->runtime * m->processes, account_sync(&m->account)) &&
	       near(a->moving * m->runtime * m->processes, account_transfer(&m->account) - m->account.not_analysed_transfer) &&
	       near(a->not_analysed * m->runtime * m->processes, m->account.not_analysed) && a->not_analysed >= 0 && a->other >= 0 &&
	       (m->processes < 2 || !(most > 0) || (o->slowest < m->processes && m->of_process[o->slowest].by_kind[ACCOUNT_USEFUL] == most &&
						    near((1 + o->slowest_by) * m->useful_mean, most))) &&
	       (o->cause.process != NO_PROCESS ? near(culprit_seconds(&o->cause), cause) : !(cause > 0));
}

static bool same_iterations(const struct overview *o)
{
	const struct main_loop *m = &o->of.structure->main;
	double values[50], most = 0;
	uint32_t n;

	if (!m->iterations)
		return !o->iterations && !overview_iteration_times(o, values, 50);
	for (uint32_t i = 0; i < m->iterations; i++)
		most = fmax(most, m->seconds[i]);
	n = overview_iteration_times(o, values, 50);
	for (uint32_t i = 0; i < n; i++)
		if (values[i] > most)
			return false;
	return n == (m->iterations < 50 ? m->iterations : 50) && o->iterations == m->iterations;
}

/* A line is too long, or holds what it should not. Commands may be longer: they work as they are printed. */
static bool bad_page(const struct overview *o, int columns, enum text_flags flags)
{
	struct out out;
	bool bad = false;

	out_init(&out);
	must(overview_text(o, columns, flags, &out, &err));
	for (char *line = strtok(out.text, "\n"); line; line = strtok(NULL, "\n")) {
		bad |= strncmp(line, "  pas2p ", 8) != 0 && wrap_columns(line, strlen(line)) > (size_t)columns;
		bad |= strstr(line, " nan") || strstr(line, " inf") || line[strlen(line) - 1] == ' ';
		for (const char *c = line; flags == TEXT_ASCII && *c; c++)
			bad |= (unsigned char)*c >= 0x80;
		if (bad)
			diag("%s", line);
	}
	out_release(&out);
	return bad;
}

static void a_sample(const char *path, const char *name)
{
	static const int widths[] = {60, 61, 79, 80, 81, 120, 200};
	struct made m;
	const struct overview *o = &m.run.overview;
	bool bad = false;

	make_of(&m, path, NULL);
	ok(same_figures(o), "%s: its account, slowest process and cause", name);
	ok(!o->has_account || same_pairs(o), "%s: who waited for whom", name);
	ok(same_heaviest(o), "%s: its heaviest pair", name);
	ok(same_iterations(o), "%s: its iterations", name);
	ok(o->phases == m.analysis->phases->count && o->relevant == m.analysis->figures->relevant &&
	   (!o->relevant || o->in_phases + 1e-9 >= o->coverage), "%s: its prediction", name);
	for (size_t i = 0; i < sizeof widths / sizeof *widths; i++)
		bad |= bad_page(o, widths[i], TEXT_UTF8) || bad_page(o, widths[i], TEXT_ASCII);
	ok(!bad, "%s: pages of any width", name);
	drop(&m);
}

static void samples(const char *directory)
{
	DIR *d = opendir(directory);
	char path[512];

	if (!d)
		return;
	for (struct dirent *f = readdir(d); f; f = readdir(d)) {
		if (!strstr(f->d_name, ".clog2"))
			continue;
		snprintf(path, sizeof path, "%s/%.255s", directory, f->d_name);
		a_sample(path, f->d_name);
	}
	closedir(d);
}

/* --- what is not known --- */

static bool all_silent(const struct overview *o)
{
	char text[OVERVIEW_TEXT];

	return !*overview_efficiency_text(o, text) && !*overview_lost_text(o, text) && !*overview_cause_text(o, text) &&
	       !*overview_slowest_text(o, text) && !*overview_heaviest_text(o, text) && !*overview_signature_text(o, text) &&
	       !*overview_prediction_text(o, text) && !*overview_iteration_text(o, text);
}

static void missing_parts(void)
{
	struct made m;
	struct overview_parts none = {0}, parts;
	struct overview o;
	char text[OVERVIEW_TEXT];

	make_of(&m, "sample-traces/lu.S.4.clog2", NULL);
	none.trace = m.trace;
	overview_init(&o, &none);
	ok(all_silent(&o) && !o.has_account && !o.without && !o.next_count, "of a trace alone nothing is said yet");
	is_str(overview_title_text(&o, text), "lu.S.4.clog2   4 processes, 15.6 ms, 9 128 events", "but what it is");
	ok(!bad_page(&o, 80, TEXT_UTF8), "on a page");

	/* Each part alone: it says its own, and misses none of the others. */
	for (int part = 0; part < 10; part++) {
		const struct overview_parts *all = &m.run.overview.of;

		parts = none;
		parts.analysis = part == 0 || part == 9 ? all->analysis : NULL;
		parts.structure = part == 1 ? all->structure : NULL;
		parts.metrics = part == 2 || part == 5 || part == 9 ? all->metrics : NULL;
		parts.processes = part == 3 ? all->processes : NULL;
		parts.states = part == 4 ? all->states : NULL;
		parts.pairs = part == 5 || part == 6 ? all->pairs : NULL;
		parts.causes = part == 6 ? all->causes : NULL;
		parts.heaviest = part == 7 ? all->heaviest : NULL;
		parts.plan = part == 8 ? all->plan : NULL;
		overview_init(&o, &parts);
		ok(!bad_page(&o, 80, TEXT_UTF8) && !bad_page(&o, 80, TEXT_ASCII), "part %d without the others", part);
		ok(!o.longest == (part != 5), "part %d: the longest wait takes the pairs and the metrics", part);
	}
	parts = m.run.overview.of;
	parts.plan = NULL;
	overview_init(&o, &parts);
	is_str(overview_signature_text(&o, text), "", "a signature that nobody has planned is not spoken of");
	is_int(o.next[o.next_count - 2], OVERVIEW_NEXT_PLAN, "but what to do about that");
	drop(&m);
}

static char directory[] = "/tmp/pas2p-overview.XXXXXX";

static void make_made(struct made *m, struct gen_bytes bytes)
{
	char path[64];
	FILE *f;

	snprintf(path, sizeof path, "%s/run.clog2", directory);
	f = fopen(path, "wb");
	if (!f || fwrite(bytes.bytes, 1, bytes.size, f) != bytes.size || fclose(f))
		bail_out("cannot write %s", path);
	free(bytes.bytes);
	make_of(m, path, NULL);
	unlink(path);
}

static struct gen_bytes alone(double length)
{
	struct gen_calls *g = gen_calls_new(2, NULL);

	for (int p = 0; p < 2; p++) {
		gen_mark(g, p, 0);
		gen_call(g, p, length / 4, length / 2, "MPI_Wtime");
		gen_mark(g, p, length);
	}
	return gen_calls_bytes(g);
}

static void absent(void)
{
	struct settings s;
	struct made m;
	const struct overview *o = &m.run.overview;
	char text[OVERVIEW_TEXT];

	make_made(&m, alone(8));
	ok(o->has_account && o->heavy_from == NO_PROCESS && !*overview_heaviest_text(o, text), "no messages: no heaviest partner");
	is_str(overview_lost_text(o, text), "no rank waited", "no messages: no rank waited");
	is_str(overview_prediction_text(o, text), "none: the trace has no sends and no collectives", "no phases: it says why");
	ok(isnan(o->coverage) && !o->iterations && !*overview_iteration_text(o, text), "no phases: no coverage, no iterations");
	is_str(overview_slowest_text(o, text), "all ranks compute equally long", "equal processes: none is the slowest");
	ok(!bad_page(o, 80, TEXT_UTF8), "no phases: a page");
	drop(&m);

	make_made(&m, alone(0));
	ok(!o->has_account && o->without && strstr(o->without, "same time"), "no time: it says why there is no account");
	ok(isnan(o->account.compute) && isnan(o->imbalance) && o->slowest == NO_PROCESS, "no time: no figures");
	ok(!bad_page(o, 80, TEXT_UTF8), "no time: a page");
	drop(&m);

	make_of(&m, "sample-traces/one_rank.1.clog2", NULL);
	ok(o->slowest == NO_PROCESS && isnan(o->slowest_by) && !*overview_slowest_text(o, text), "one process: none is the slowest");
	drop(&m);

	make_of(&m, "sample-traces/thesis-cg.4.clog2", NULL);
	ok(!o->has_account && isnan(o->waited) && !m.run.pairs, "no MPI states: no account");
	is_str(o->without, "the trace has no MPI calls, only messages", "no MPI states: it says why");
	ok(!*overview_efficiency_text(o, text) && !*overview_lost_text(o, text) && o->heavy_from != NO_PROCESS,
	   "no MPI states: no efficiency, but partners");
	drop(&m);

	settings_init(&s);
	s.relevance = 1;
	make_of(&m, "sample-traces/lu.S.4.clog2", &s);
	is_str(overview_prediction_text(o, text), "16 phases, none relevant", "nothing relevant: it says so");
	ok(isnan(o->expected) && !o->signature && *o->no_signature, "nothing relevant: no prediction, no signature");
	ok(!bad_page(o, 80, TEXT_UTF8), "nothing relevant: a page");
	drop(&m);

	settings_init(&s);
	s.windows = 5;
	s.window_seconds = 0.001;
	s.warmup_seconds = 0;
	make_of(&m, "sample-traces/lu.S.4.clog2", &s);
	ok(!m.run.plan && o->signature && o->windows == m.analysis->windows->count, "with windows of the settings nothing is planned");
	is_double(o->cost_share, windows_cost(m.analysis->windows, PLAN_RESTORE, 0) / m.analysis->figures->aet, 1e-12, "they are what it costs");
	is_double(o->expected, m.analysis->windows->estimate.half / m.analysis->windows->estimate.pet_scaled, 1e-12, "and what is expected");
	drop(&m);
}

/* --- what to do next --- */

/* A run of made figures. */
struct fake {
	struct trace trace;
	struct run_metrics metrics;
	struct phases phases;
	struct figures figures;
	struct phase_figures of_phase[2];
	struct analysis analysis;
	struct plan plan;
	struct plan_candidate candidate;
	struct trace_file file;
	struct process process[4];
};

static void fake_init(struct fake *f, double waiting, double imbalance, double moving, double coverage)
{
	*f = (struct fake){.trace = {.process_count = 4, .end = 10}};
	f->trace.processes = f->process;
	f->process[0].records = 1;
	f->file.path = "a b.clog2";
	f->trace.files = &f->file;
	f->trace.file_count = 1;
	notes_init(&f->trace.notes);
	f->metrics = (struct run_metrics){.has_account = true, .processes = 4, .runtime = 10, .total = 40};
	f->metrics.account.by_kind[ACCOUNT_RECEIVE] = (waiting + moving) * 40;
	f->metrics.account.by_reason[WAIT_LATE_SENDER] = waiting * 40;
	f->metrics.useful_mean = 1;
	f->metrics.useful_max = 1 + imbalance * 10;
	f->phases = (struct phases){.count = 2};
	f->of_phase[0] = (struct phase_figures){.share = coverage, .relevant = true};
	f->of_phase[1] = (struct phase_figures){.share = 0.95 - coverage};
	f->figures = (struct figures){.phase = f->of_phase, .count = 2, .relevant = 1, .aet = 10, .coverage = coverage, .pet = 10 * coverage};
	settings_init(&f->analysis.settings);
	f->analysis.phases = &f->phases;
	f->analysis.figures = &f->figures;
	f->plan = (struct plan){.aet = 10, .budget = {0.02, 0.4}, .candidate = &f->candidate, .count = 1, .choice = -1, .least = 9};
	f->candidate = (struct plan_candidate){.windows = 5, .checkpoints = 6, .cost_share = 0.015, .half = 0.03};
}

static void next_is(struct fake *f, const char *steps, const char *what)
{
	struct overview_parts parts = {.trace = &f->trace, .metrics = &f->metrics, .analysis = &f->analysis, .plan = &f->plan};
	static const char letters[] = "-CWBTOKPLS";
	char got[OVERVIEW_STEPS + 1] = "";
	struct overview o;

	overview_init(&o, &parts);
	for (uint32_t i = 0; i < o.next_count; i++)
		got[i] = letters[o.next[i]];
	is_str(got, steps, "next, where %s", what);
	notes_release(&f->trace.notes);
}

static void command_is(struct fake *f, enum overview_step s, const char *command)
{
	struct overview_parts parts = {.trace = &f->trace, .metrics = &f->metrics, .analysis = &f->analysis, .plan = &f->plan};
	struct overview o;
	struct out out;

	out_init(&out);
	overview_init(&o, &parts);
	overview_step_command(&o, s, TEXT_UTF8, &out);
	is_str(out.text, command, "a command: %s", overview_step_text(s));
	out_release(&out);
	notes_release(&f->trace.notes);
}

static void steps(void)
{
	struct fake f;

	fake_init(&f, 0, 0, 0, .9);
	next_is(&f, "P", "all is well and a signature costs nearly as much as the run: the phases");
	fake_init(&f, .3, .2, .1, .9);
	next_is(&f, "WBP", "waiting is the biggest loss: who made others wait, then who is slow");
	fake_init(&f, .2, .3, .1, .9);
	next_is(&f, "BWP", "imbalance is");
	fake_init(&f, .15, 0, .4, .9);
	next_is(&f, "TWP", "moving data is");
	fake_init(&f, .15, 0, .12, .9);
	f.metrics.account.by_kind[ACCOUNT_OTHER_MPI] = .3 * 40;
	next_is(&f, "OWP", "calls that do not communicate take more");
	command_is(&f, OVERVIEW_NEXT_OTHER, "pas2p metrics --by callpath 'a b.clog2'");
	fake_init(&f, .09, .09, .09, .9);
	next_is(&f, "P", "nothing loses a tenth");
	fake_init(&f, 0, 0, 0, .6);
	next_is(&f, "KP", "too little is relevant: thresholds");
	fake_init(&f, 0, 0, 0, .6);
	f.of_phase[1].share = .02;
	next_is(&f, "P", "the rest is outside of phases, so that no threshold helps");
	fake_init(&f, 0, 0, 0, .9);
	f.plan.choice = 0;
	next_is(&f, "SP", "a signature is affordable");
	fake_init(&f, 0, 0, 0, .9);
	f.plan.least = .3;
	next_is(&f, "LP", "one is, but for a larger budget");
	fake_init(&f, .3, .3, .3, .6);
	notes_add(&f.trace.notes, NOTE_LOST_SEND, NOTE_NOWHERE, "x");
	next_is(&f, "CWBK", "there is more than fits: warnings, two losses, thresholds");
	fake_init(&f, 0, 0, 0, .9);
	notes_add(&f.trace.notes, NOTE_RECEIVE_EARLY, NOTE_NOWHERE, "x");
	next_is(&f, "P", "there are only remarks");
	fake_init(&f, .5, .5, .5, .9);
	f.metrics.has_account = false;
	next_is(&f, "P", "there is no account");

	fake_init(&f, 0, 0, 0, .6);
	command_is(&f, OVERVIEW_NEXT_WAITS, "pas2p metrics --by cause 'a b.clog2'");
	fake_init(&f, 0, 0, 0, .6);
	f.analysis.settings.volume = .25;
	f.of_phase[1].share = .3;
	f.analysis.settings.relevance = .5;
	command_is(&f, OVERVIEW_NEXT_COVERAGE, "pas2p phases --volume 0.25 --relevance 0.25 'a b.clog2'");
	fake_init(&f, 0, 0, 0, .6);
	f.of_phase[1].share = 1e-9;
	f.figures.coverage = f.of_phase[0].share = .3;
	f.of_phase[0].share = 0;
	command_is(&f, OVERVIEW_NEXT_COVERAGE, "pas2p phases --events 0.65 'a b.clog2'");
	fake_init(&f, 0, 0, 0, .9);
	f.plan.choice = 0;
	command_is(&f, OVERVIEW_NEXT_SIGN, "pas2p phases --budget 2% --format yaml --output table.yaml 'a b.clog2'");
	fake_init(&f, 0, 0, 0, .9);
	f.file.path = "-x";
	command_is(&f, OVERVIEW_NEXT_CHECK, "pas2p check ./-x");
}

/* --- the reading --- */

/* The page from the reading on to the time by pattern; "": it has none. free() it. */
static char *page_reading(const struct overview *o, int columns)
{
	struct out out;
	char *from, *to, *text;

	out_init(&out);
	must(overview_text(o, columns, TEXT_UTF8, &out, &err));
	from = strstr(out.text, "\nreading ");
	to = from ? strstr(from, "\n\n") : NULL;
	text = to ? strndup(from + 1, (size_t)(to - from)) : strdup("");
	if (!text)
		bail_out("no memory");
	out_release(&out);
	return text;
}

static void readings(void)
{
	struct made m;
	struct overview_parts parts;
	struct overview o;
	char *text;

	make_of(&m, "sample-traces/cg.S.4.clog2", NULL);
	text = page_reading(&m.run.overview, 80);
	is_str(text,
	       "reading               broadcast; pair exchange ^1 8 B; 25 x [\n"
	       "                      pair exchange ^1 4 KB; transpose 2x2;\n"
	       "                      2 x pair exchange ^1 8 B ]; pair exchange ^1 4 KB;\n"
	       "                      transpose 2x2; pair exchange ^1 8 B;\n"
	       "                      pair exchange ^1 16 B; barrier; 15 x [\n"
	       "                      pair exchange ^1 8 B; 25 x [ pair exchange ^1 4 KB; ...\n"
	       "time by pattern       73 % pair exchanges, 18 % transposes, 8 % broadcast\n", "a reading in six lines, behind which it is cut");
	free(text);
	text = page_reading(&m.run.overview, 200);
	ok(strstr(text, "16 B ]; reduce\ntime by pattern"), "a wide page has all of it");
	free(text);
	parts = m.run.overview.of;
	parts.analysis = NULL;
	overview_init(&o, &parts);
	text = page_reading(&o, 80);
	is_str(text, "", "without an analysis there is no reading");
	free(text);
	drop(&m);

	make_of(&m, "sample-traces/lu.S.4.clog2", NULL);
	text = page_reading(&m.run.overview, 80);
	ok(strstr(text, "]; shift -y of 2x2; allreduce\n"
			"time by pattern       51 % sweeps, 40 % halo exchanges, 2 % allreduce,\n"
			"                      2 % broadcast\n"), "a reading that just fits; shares are not broken");
	free(text);
	drop(&m);
}

/* --- sentences --- */

static void sentences(void)
{
	struct waited_pair pair = {2, 0, 1.9, {1.5, .3, .1}};
	struct overview o = {.longest = &pair, .waited = 4.4};
	char text[OVERVIEW_TEXT];

	is_str(overview_lost_text(&o, text), "rank 2 for late sends of rank 0, 1.900 s", "a late sender");
	o.longest_reason = WAIT_COLLECTIVE;
	is_str(overview_lost_text(&o, text), "rank 2 for rank 0 in collectives, 1.900 s", "a late member");
	o.slowest = 3;
	o.slowest_by = .09;
	is_str(overview_slowest_text(&o, text), "rank 3, 9.0 % above the mean computation time", "the slowest");
	o.signature = true;
	o.windows = 8;
	o.cost_share = .021;
	o.expected = .024;
	is_str(overview_signature_text(&o, text), "8 windows, 2.1 % of the run time, expected error 2.4 %", "a signature");
	o.expected = NAN;
	is_str(overview_signature_text(&o, text), "8 windows, 2.1 % of the run time, expected error unknown", "without an interval");
}

static void iteration_sentence(void)
{
	double seconds[49], values[7];
	uint32_t outliers[] = {4, 15};
	struct structure s = {.main = {.iterations = 49, .share = 0.8, .mean = 270e-6, .deviation = 40e-6, .seconds = seconds, .outliers = outliers,
				       .outlier_count = 2}};
	struct process process = {.records = 1};
	struct trace t = {.process_count = 1, .processes = &process};
	struct overview_parts parts = {.trace = &t, .structure = &s};
	struct overview o;
	char text[OVERVIEW_TEXT];

	for (int i = 0; i < 49; i++)
		seconds[i] = 250e-6;
	seconds[15] = 710e-6;
	overview_init(&o, &parts);
	is_str(overview_iteration_text(&o, text), "49 iterations of 270 µs; 5 and 16 are outliers", "iterations");
	s.main.share = 0.1;
	is_str(overview_iteration_text(&o, text), "49 iterations of 270 µs, 10.0 % of the run time; 5 and 16 are outliers", "a small part of the run");
	s.main.outlier_count = 0;
	is_str(overview_iteration_text(&o, text), "49 iterations of 270 µs, 10.0 % of the run time; no outliers", "without outliers");
	is_int(overview_iteration_times(&o, values, 7), 7, "seven columns for 49 of them");
	ok(values[2] == 710e-6 && values[1] == 250e-6 && values[3] == 250e-6, "the longest one is seen in its column");
}

/* --- memory --- */

static bool stop(void *arg)
{
	(void)arg;
	return true;
}

static void memory(void)
{
	const struct progress stopping = {.stopped = stop};
	struct made m;
	struct overview_run run;
	struct out out;
	long before, all, n, failed = 0;
	uint32_t bad = 0;

	make_of(&m, "sample-traces/ep.S.4.clog2", NULL);
	before = mem_live();
	mem_fail_after(1000000);
	must(overview_run_init(&run, m.trace, m.analysis, NULL, NULL, &err));
	all = mem_count();
	mem_fail_after(-1);
	overview_run_release(&run);
	for (n = 0; n < all; n++) {
		enum err_code code;

		mem_fail_once(n);
		code = overview_run_init(&run, m.trace, m.analysis, NULL, NULL, &err);
		mem_fail_after(-1);
		/* Some can be done without: a map that cannot grow is full a while longer. */
		if (!code)
			overview_run_release(&run);
		failed += code != ERR_OK;
		bad += (code && code != ERR_MEMORY) || mem_live() != before || (code && !err.text[0]);
	}
	ok(!bad && all > 20 && failed > all / 2, "each of %ld allocations that fails is an error with a sentence, or can be done without", all);
	must(overview_run_init(&run, m.trace, m.analysis, NULL, NULL, &err));
	for (n = 0; n < 10000; n++) {
		enum err_code code;

		before = mem_live();
		out_init(&out);
		mem_fail_once(n);
		code = overview_text(&run.overview, 80, TEXT_UTF8, &out, &err);
		mem_fail_after(-1);
		out_release(&out);
		bad += mem_live() != before || (code && code != ERR_MEMORY);
		if (!code)
			break;
	}
	ok(!bad && n > 3 && n < 10000, "so is each of %ld of the page", n);
	overview_run_release(&run);
	before = mem_live();
	is_int(overview_run_init(&run, m.trace, m.analysis, NULL, &stopping, &err), ERR_CANCELLED, "it can be stopped");
	is_int(mem_live(), before, "and leaves nothing");
	drop(&m);
}

/* What has rows already gets the others. */
static void given_metrics(void)
{
	static const struct replay_rules rules = {.rendezvous = REPLAY_NEVER};
	struct made m;
	struct metrics_run metrics;
	struct overview_run run;
	struct call_log *log;
	char a[OVERVIEW_TEXT], b[OVERVIEW_TEXT];
	long before = mem_live();

	make_of(&m, "sample-traces/lu.S.4.clog2", NULL);
	must(call_log_new(&log, m.trace, NULL, &err));
	metrics_run_init(&metrics, "x", log);
	must(metrics_run_make(&metrics, &rules, NULL, &err));
	must(metrics_run_rows(&metrics, METRICS_STATES | METRICS_PHASES | METRICS_CRITICAL, m.analysis, NULL, &err));
	must(overview_run_init(&run, m.trace, m.analysis, &metrics, NULL, &err));
	is_str(overview_cause_text(&run.overview, a), overview_cause_text(&m.run.overview, b), "metrics that are there are used");
	ok(metrics.rows & METRICS_CRITICAL && metrics.critical, "and keep what they had");
	overview_run_release(&run);
	ok(metrics.metrics->runtime > 0, "and stay");
	metrics_run_release(&metrics);
	drop(&m);
	is_int(mem_live(), before, "nothing is left");
}

int main(void)
{
	if (!mkdtemp(directory))
		bail_out("no temporary directory");
	samples("sample-traces");
	samples(TEST_TRACES);
	missing_parts();
	absent();
	steps();
	readings();
	sentences();
	iteration_sentence();
	memory();
	given_metrics();
	rmdir(directory);
	return done_testing();
}
