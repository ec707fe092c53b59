/* Conditions of --fail-if: what of a run's metrics makes `pas2p metrics` end with EXIT_FINDING, for continuous
 * integration.
 *
 *     parallel_efficiency < 0.8
 *     load_balance < 75% or runtime_change > 2%
 *
 * METRIC OP NUMBER, where METRIC is a number's key of a run (docs/metrics.md 2 and 6), or runtime_change; OP one of <
 * <= > >= = !=; NUMBER as core/base/condition.h has it: plain, a percentage of a share, a time with its unit. Several are joined by "or" or commas: any of them is enough.
 *
 * A condition is asked of every run. Where the metric is not known of one, nothing can be said, which is a finding,
 * too: a broken trace must not pass. Only the serial fraction is by its nature not known of the reference: one run that
 * has it is enough.
 */
#ifndef PAS2P_FAIL_IF_H
#define PAS2P_FAIL_IF_H

#include "core/base/condition.h"
#include "core/base/err.h"
#include "core/io/out.h"
#include "core/study/metrics_report.h"

#define FAIL_CHANGE (-1)     /* runtime_change, of the diagnosis */

struct fail_condition {
	int metric;          /* enum metrics_run_column, or FAIL_CHANGE */
	enum condition_op op;
	double number;
	enum condition_unit unit; /* with which it was written */
};

#define FAIL_CONDITIONS 64

struct fail_if {
	struct fail_condition list[FAIL_CONDITIONS];
	uint32_t count;
	bool unknown;        /* a text was refused for the name of its metric */
};

/* Add what a text says. ERR_USAGE: what in it was not understood, or can only be true, or only be false. */
enum err_code fail_if_parse(struct fail_if *f, const char *text, struct err *e);
/* The names of all metrics, as lines of so many columns. */
void fail_if_metrics(struct out *to, size_t width);

enum fail_answer { FAIL_NO, FAIL_HOLDS, FAIL_UNKNOWN };

#define FAIL_SAID 512
/* Does the condition hold, and of which run? `said` is the sentence, empty on FAIL_NO. */
enum fail_answer fail_if_ask(const struct fail_condition *c, const struct metrics_report *r, char said[FAIL_SAID]);

#endif
