#include "progress.h"

const char *progress_stage_name(enum progress_stage stage)
{
	static const char *const names[PROGRESS_STAGES] = {
		[PROGRESS_SCAN] = "scanning",     [PROGRESS_READ] = "reading",       [PROGRESS_RELATE] = "relating messages",
		[PROGRESS_ORDER] = "ordering",    [PROGRESS_TICKS] = "making ticks", [PROGRESS_BBPS] = "comparing blocks",
		[PROGRESS_PHASES] = "finding phases", [PROGRESS_FOLD] = "folding loops", [PROGRESS_MEASURE] = "measuring phases",
		[PROGRESS_TUNE] = "trying thresholds", [PROGRESS_PLAN] = "planning",     [PROGRESS_RUNS] = "loading runs",   [PROGRESS_MATCH] = "matching phases", [PROGRESS_DIFF] = "comparing runs",
		[PROGRESS_FIT] = "fitting",       [PROGRESS_METRICS] = "going through calls", [PROGRESS_CLOCKS] = "comparing clocks",
		[PROGRESS_BENCH] = "measuring",   [PROGRESS_WRITE] = "writing", [PROGRESS_GLANCE] = "looking at files",
	};

	return (unsigned)stage < PROGRESS_STAGES ? names[stage] : "working";
}

enum err_code progress_step(const struct progress *j, enum progress_stage stage, uint64_t done, uint64_t total, struct err *e)
{
	progress_report(j, stage, done, total);
	return progress_stopped(j) ? err_set(e, ERR_CANCELLED, "stopped while %s", progress_stage_name(stage)) : ERR_OK;
}
