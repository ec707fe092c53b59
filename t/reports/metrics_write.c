/* The document of metrics is what other programs read: its figures are those of the runs, to the last digit; what
 * scaling says of a series comes through (the page's strong and weak examples); what is not known is null; and memory
 * that runs out anywhere on the way, from the trace to the text, is an error and leaves nothing behind.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/base/mem.h"
#include "core/formats/api/load.h"
#include "core/reports/metrics_report.h"
#include "tap.h"

/* What stands behind a key for the n-th time, up to the comma. */
static const char *value(const struct out *o, const char *key, int n, char buf[64])
{
	char quoted[64];
	const char *at = o->text;

	snprintf(quoted, sizeof quoted, "\"%s\": ", key);
	for (int i = 0; at && i <= n; i++) {
		at = strstr(at, quoted);
		at = at ? at + strlen(quoted) : NULL;
	}
	if (!at)
		return "none";
	snprintf(buf, 64, "%.*s", (int)strcspn(at, ",\n}"), at);
	return buf;
}

static void series(const double *runtime, const uint32_t *processes, const double *useful, uint32_t count, enum scaling_kind kind,
		   struct out *o)
{
	struct run_metrics m[3] = {{.processes = 0}};
	struct metrics_run run[3];
	const struct metrics_run *runs[3];
	struct scaling_run figures[3];
	struct metrics_report r = {.scaling = kind, .serial = (double)NAN, .rules = {.rendezvous = REPLAY_NEVER}, .run = runs, .count = count};
	struct err e = {0};

	for (uint32_t i = 0; i < count; i++) {
		m[i] = (struct run_metrics){.processes = processes[i], .runtime = runtime[i], .has_account = true};
		figures[i] = (struct scaling_run){.processes = processes[i], .runtime = runtime[i], .useful = useful[i], .parallel_efficiency = 1};
	}
	r.reference = scaling_fill(figures, count, kind, (double)NAN);
	for (uint32_t i = 0; i < count; i++) {
		run[i] = (struct metrics_run){.file = "run", .metrics = &m[i], .figures = figures[i]};
		runs[i] = &run[i];
	}
	out_init(o);
	if (metrics_write(&r, o, true, &e))
		bail_out("%s", e.text);
}

static void scaling(void)
{
	static const double strong[] = {100, 52, 28}, weak[] = {100, 125}, same[] = {100, 100, 100}, grown[] = {200, 800};
	static const uint32_t few[] = {1, 2, 4}, many[] = {2, 8};
	struct out o;
	char buf[64];
	double v;

	series(strong, few, same, 3, SCALING_STRONG, &o);
	is_str(value(&o, "scaling", 0, buf), "\"strong\"", "a strong series");
	is_str(value(&o, "reference", 0, buf), "0", "against its first run");
	is_str(value(&o, "speedup", 0, buf), "1", "which has a speedup of 1");
	is_str(value(&o, "serial_fraction", 0, buf), "null", "and no serial fraction");
	sscanf(value(&o, "speedup", 1, buf), "%lf", &v);
	is_double(v, 1.9230769, 1e-6, "speedup on 2");
	sscanf(value(&o, "efficiency", 2, buf), "%lf", &v);
	is_double(v, .8928571, 1e-6, "efficiency on 4");
	sscanf(value(&o, "serial_fraction", 2, buf), "%lf", &v);
	is_double(v, .04, 1e-9, "serial fraction on 4");
	is_str(value(&o, "rendezvous", 0, buf), "null", "no rendezvous is null");
	out_release(&o);
	series(weak, many, grown, 2, SCALING_WEAK, &o);
	sscanf(value(&o, "speedup", 1, buf), "%lf", &v);
	is_double(v, 3.2, 1e-9, "weak: speedup");
	sscanf(value(&o, "efficiency", 1, buf), "%lf", &v);
	is_double(v, .8, 1e-9, "weak: efficiency");
	sscanf(value(&o, "serial_fraction", 1, buf), "%lf", &v);
	is_double(v, .2666667, 1e-6, "weak: serial fraction");
	sscanf(value(&o, "computation_scaling", 1, buf), "%lf", &v);
	is_double(v, 1, 1e-9, "weak: computation scaling");
	out_release(&o);
}

/* From a trace to its document; `o` holds it on ERR_OK. */
static enum err_code whole(const struct trace *t, const struct analysis *a, struct analysis *laid, enum metrics_by by, struct out *o,
			   struct err *e)
{
	static const unsigned rows[] = {METRICS_CRITICAL, METRICS_PROCESSES | METRICS_CRITICAL, METRICS_STATES, METRICS_PHASES,
					METRICS_PHASES | METRICS_PATTERNS, METRICS_CAUSES};
	static struct metrics_run run;
	const struct metrics_run *runs[] = {&run};
	struct metrics_report r = {.by = by, .serial = (double)NAN, .rules = {.rendezvous = REPLAY_NEVER}, .run = runs, .count = 1,
				   .reference = NO_RUN};
	struct call_log *log;
	enum err_code code = call_log_new(&log, t, NULL, e);

	if (code)
		return code;
	metrics_run_init(&run, "trace", log);
	if (laid) {
		code = metrics_run_lay(&run, laid, NULL, e);
		analysis_shed(laid);
	}
	if (!code)
		code = metrics_run_make(&run, &r.rules, NULL, e);
	if (!code)
		code = metrics_run_rows(&run, rows[by], a, NULL, e);
	if (!code)
		code = metrics_write(&r, o, true, e);
	metrics_run_release(&run);
	return code;
}

static void no_memory(enum metrics_by by, const struct trace *t, const struct analysis *a)
{
	struct err e = {0};
	struct out o, again;
	long n = 0;
	enum err_code code;

	out_init(&again);
	if (whole(t, a, NULL, by, &again, &e))
		bail_out("%s", e.text);
	for (;; n++) {
		long live = mem_live();

		e.code = ERR_OK;
		out_init(&o);
		mem_fail_after(n);
		code = whole(t, a, NULL, by, &o, &e);
		mem_fail_after(-1);
		if (!code && o.len == again.len && !memcmp(o.text, again.text, o.len)) {
			out_release(&o);
			break;
		}
		out_release(&o);
		if (code != ERR_MEMORY || !e.text[0] || mem_live() != live) {
			ok(false, "by %s: allocation %ld: code %d '%s', %ld kept", metrics_by_name(by), n, code, e.text, mem_live() - live);
			out_release(&again);
			return;
		}
	}
	ok(n > 10, "by %s: every allocation may fail (%ld)", metrics_by_name(by), n);
	out_release(&again);
}

/* Phases laid over time beforehand, as the command does it, with what the analysis then has no more. */
static void laid(enum metrics_by by, const struct trace *t, const struct analysis *a)
{
	struct analysis *once;
	struct err e = {0};
	struct out o, same;

	out_init(&o);
	out_init(&same);
	if (analysis_new(&once, t, &a->settings, NULL, ANALYSIS_PHASES | ANALYSIS_PATTERNS, NULL, &e) || whole(t, a, NULL, by, &same, &e) ||
	    whole(t, once, once, by, &o, &e))
		bail_out("%s", e.text);
	ok(!once->logical && !once->clockwork && once->phases && once->figures, "of an analysis that was shed phases and figures stay");
	ok(o.len > 100 && o.len == same.len && !memcmp(o.text, same.text, o.len), "by %s: they are all that rows need", metrics_by_name(by));
	analysis_unref(once);
	out_release(&o);
	out_release(&same);
}

/* As of a trace that is too large. */
static void unnamed(const struct trace *t, const struct analysis *a)
{
	struct analysis *phases;
	struct err e = {0};
	struct out o;

	out_init(&o);
	if (analysis_new(&phases, t, &a->settings, NULL, ANALYSIS_PHASES, NULL, &e))
		bail_out("%s", e.text);
	is_int(whole(t, phases, NULL, METRICS_BY_PATTERN, &o, &e), ERR_LIMIT, "by pattern, without patterns: an error");
	ok(strstr(e.text, "the trace is too large to find its patterns"), "that says so: %s", e.text);
	analysis_unref(phases);
	out_release(&o);
}

int main(void)
{
	static const char *const paths[] = {"sample-traces/userstates.3.clog2"};
	struct trace_options o = {.threads = 1};
	struct settings settings;
	struct trace *t;
	struct analysis *a;
	struct err e = {0};

	scaling();
	settings_init(&settings);
	if (trace_load(&t, paths, 1, &o, NULL, &e) || analysis_new(&a, t, &settings, NULL, ANALYSIS_PHASES | ANALYSIS_PATTERNS, NULL, &e))
		bail_out("%s", e.text);
	for (int by = METRICS_BY_PROGRAM; by <= METRICS_BY_CAUSE; by++)
		no_memory((enum metrics_by)by, t, a);
	for (int by = METRICS_BY_PROGRAM; by <= METRICS_BY_CAUSE; by++)
		laid((enum metrics_by)by, t, a);
	unnamed(t, a);
	analysis_unref(a);
	trace_free(t);
	return done_testing();
}
