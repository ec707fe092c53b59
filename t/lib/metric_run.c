#include "metric_run.h"

#include <stdlib.h>

#include "core/formats/api/load.h"
#include "tap.h"

static struct err err;

static void must(enum err_code code)
{
	if (code && code != ERR_DAMAGED)
		bail_out("%s", err.text);
}

void metric_run_again(struct metric_run *r, const struct replay_rules *rules)
{
	const struct replay_rules defaults = {.rendezvous = REPLAY_NEVER};

	run_metrics_free(r->metrics);
	must(run_metrics_new(&r->metrics, r->log, rules ? rules : &defaults, NULL, &err));
}

struct metric_run metric_run_bytes(struct gen_bytes bytes)
{
	struct metric_run r = {.bytes = bytes};
	struct trace_options o = {.threads = 1};

	must(source_open_memory(&r.source, "run", bytes.bytes, bytes.size, &err));
	must(trace_load_sources(&r.trace, &r.source, 1, &o, NULL, &err));
	must(call_log_new_sources(&r.log, r.trace, &r.source, 1, NULL, &err));
	metric_run_again(&r, NULL);
	return r;
}

struct metric_run metric_run_files(const char *const *paths, uint32_t count)
{
	struct metric_run r = {.bytes = {NULL, 0}};
	struct trace_options o = {.threads = 1};

	must(trace_load(&r.trace, paths, count, &o, NULL, &err));
	must(call_log_new(&r.log, r.trace, NULL, &err));
	metric_run_again(&r, NULL);
	return r;
}

void metric_run_phases(struct metric_run *r)
{
	struct settings settings;
	struct analysis *a;

	settings_init(&settings);
	must(analysis_new(&a, r->trace, &settings, NULL, ANALYSIS_PHASES, NULL, &err));
	r->analysis = a;
	must(phase_spans_new(&r->spans, r->log, a->clockwork, a->phases, NULL, &err));
}

void metric_run_close(struct metric_run *r)
{
	phase_spans_free(r->spans);
	analysis_unref(r->analysis);
	run_metrics_free(r->metrics);
	call_log_free(r->log);
	trace_free(r->trace);
	if (r->bytes.bytes)
		source_release(&r->source);
	free(r->bytes.bytes);
}
