/* A run with its metrics, for tests: from bytes or files to call log, metrics, phases.
 *
 *     struct metric_run r = metric_run_bytes(gen_tiny(NULL, 0));
 *     ... r.metrics->runtime ...
 *     metric_run_close(&r);
 *
 * Bails out where something fails.
 */
#ifndef PAS2P_METRIC_RUN_H
#define PAS2P_METRIC_RUN_H

#include "core/method/analysis/analysis.h"
#include "core/io/source.h"
#include "core/metrics/rows/metrics_rows.h"
#include "gen_clog2.h"

struct metric_run {
	struct gen_bytes bytes;
	struct source source;
	struct trace *trace;
	struct call_log *log;
	struct run_metrics *metrics;
	const struct analysis *analysis; /* by metric_run_phases() */
	struct phase_spans *spans;
};

struct metric_run metric_run_bytes(struct gen_bytes bytes);
struct metric_run metric_run_files(const char *const *paths, uint32_t count);
/* Its metrics once more, after the trace was changed, or by other rules. */
void metric_run_again(struct metric_run *r, const struct replay_rules *rules);
void metric_run_phases(struct metric_run *r); /* under default settings */
void metric_run_close(struct metric_run *r);

#endif
