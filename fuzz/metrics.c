#include "metrics.h"

#include <math.h>
#include <string.h>

#include "core/metrics/waits/waits.h"
#include "core/metrics/replay/replay.h"
#include "core/metrics/rows/metrics_rows.h"
#include "core/metrics/calls/phase_spans.h"
#include "core/metrics/replay/project.h"
#include "fuzz.h"

static bool near(double a, double b)
{
	return fabs(a - b) <= 1e-6 * fmax(1, fmax(fabs(a), fabs(b)));
}

static void check_log(const struct call_log *log)
{
	for (uint32_t i = 0; i < log->list_count; i++) {
		const struct call_list *l = &log->lists[i];
		struct account a;
		double at = l->start;

		for (uint32_t c = l->first; c < l->end; c++) {
			must(log->calls[c].start >= at && log->calls[c].end >= log->calls[c].start, "calls are in order");
			at = log->calls[c].end;
		}
		must(at <= l->stop, "calls end by the list's end");
		call_log_account(log, NULL, i, &a);
		must(near(account_time(&a), l->stop - l->start), "kinds add up");
	}
	for (uint32_t i = 0; i < log->completed_count; i++)
		must(log->completed[i].call < log->call_count && log->call_of[log->completed[i].event] != NO_LOGGED_CALL &&
		     (!i || log->completed[i].call >= log->completed[i - 1].call), "completions are in order, of what was begun");
}

static void check_waits(const struct waits *w, const struct phase_spans *spans)
{
	const struct call_log *log = w->log;
	struct causes *causes;
	struct err e = {0};
	double charged = 0, sync = 0;

	for (uint32_t c = 0; c < log->call_count; c++) {
		must(w->sync[c] >= 0 && w->sync[c] <= log->calls[c].end - log->calls[c].start, "a wait is a part of its call");
		must(!(w->sync[c] > 0) || c % 16 || waits_for(w, c) != NO_LOGGED_CALL, "who waits does so for somebody");
		sync += log->lists[call_log_list_of(log, c)].account ? w->sync[c] : 0;
	}
	must(causes_new(&causes, w, spans, NULL, &e) == ERR_OK, e.text);
	for (uint32_t i = 0; i < causes->count; i++)
		charged += causes->list[i].useful + causes->list[i].in_calls;
	must(near(charged + causes->unresolved, sync), "causes add up to waiting");
	causes_free(causes);
}

static void check_rows(const struct run_metrics *m, const struct analysis *a, const struct phase_spans *spans)
{
	struct process_rows processes;
	struct state_rows states;
	struct phase_rows phases;
	struct account sum = {0};
	struct err e = {0};

	must(process_rows_init(&processes, m, NULL, &e) == ERR_OK, e.text);
	must(state_rows_init(&states, m, NULL, &e) == ERR_OK, e.text);
	must(phase_rows_init(&phases, m, spans, a->figures, NULL, &e) == ERR_OK, e.text);
	for (uint32_t i = 0; i < phases.count; i++)
		account_add(&sum, &phases.row[i].part.account);
	must(near(account_time(&sum), account_time(&m->account)) && near(account_sync(&sum), account_sync(&m->account)),
	     "phases tile the run");
	phase_rows_release(&phases);
	state_rows_release(&states);
	process_rows_release(&processes);
}

void check_metrics(const struct trace *t, const struct source *sources, uint32_t count, unsigned which)
{
	static const struct replay_rules rules[] = {{false, REPLAY_NEVER}, {true, REPLAY_NEVER}, {false, 100}, {true, 0}};
	struct settings settings;
	struct phase_spans *spans;
	struct critical_path *path;
	struct projection *would;
	struct run_metrics *m;
	struct call_log *log;
	struct what_if what = {0};
	struct analysis *a;
	struct err e = {0};
	enum err_code code = call_log_new_sources(&log, t, sources, count, NULL, &e);

	if (code) {
		must_be_sentence((int)code, &e);
		return;
	}
	settings_init(&settings);
	check_log(log);
	must(run_metrics_new(&m, log, &rules[which % 4], NULL, &e) == ERR_OK, e.text);
	must(analysis_new(&a, t, &settings, NULL, ANALYSIS_PHASES, NULL, &e) == ERR_OK, e.text);
	must(phase_spans_new(&spans, log, a->clockwork, a->phases, NULL, &e) == ERR_OK, e.text);
	if (m->has_account) {
		check_waits(m->waits, spans);
		check_rows(m, a, spans);
		must(critical_new(&path, m->ideal, NULL, &e) == ERR_OK, e.text);
		critical_free(path);
		must(project_new(&would, m->waits, spans, &what, NULL, &e) == ERR_OK, e.text);
		project_free(would);
	}
	phase_spans_free(spans);
	analysis_unref(a);
	run_metrics_free(m);
	call_log_free(log);
}
