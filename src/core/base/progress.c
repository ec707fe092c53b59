#include "progress.h"

const char *progress_stage_name(enum progress_stage stage)
{
	static const char *const names[PROGRESS_STAGES] = {
		[PROGRESS_SCAN] = "scanning",             [PROGRESS_READ] = "reading",            [PROGRESS_RELATE] = "matching messages",
		[PROGRESS_ORDER] = "ordering events",     [PROGRESS_TICKS] = "making ticks",      [PROGRESS_BBPS] = "comparing blocks",
		[PROGRESS_PHASES] = "finding phases",     [PROGRESS_FOLD] = "folding loops",      [PROGRESS_MEASURE] = "measuring phases",
		[PROGRESS_TUNE] = "trying thresholds",    [PROGRESS_PLAN] = "choosing windows",   [PROGRESS_RUNS] = "loading runs",
		[PROGRESS_MATCH] = "matching phases",     [PROGRESS_DIFF] = "comparing runs",     [PROGRESS_FIT] = "fitting models",
		[PROGRESS_METRICS] = "analysing calls",   [PROGRESS_CLOCKS] = "comparing clocks", [PROGRESS_BENCH] = "measuring",
		[PROGRESS_WRITE] = "writing the output",  [PROGRESS_GLANCE] = "checking files",
		[PROGRESS_PATTERNS] = "finding patterns",
	};

	return (unsigned)stage < PROGRESS_STAGES ? names[stage] : "working";
}

enum err_code progress_step(const struct progress *j, enum progress_stage stage, uint64_t done, uint64_t total, struct err *e)
{
	progress_report(j, stage, done, total);
	return progress_stopped(j) ? err_set(e, ERR_CANCELLED, "stopped while %s", progress_stage_name(stage)) : ERR_OK;
}
