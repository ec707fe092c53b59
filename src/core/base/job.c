#include "job.h"

const char *job_stage_name(enum job_stage stage)
{
	static const char *const names[JOB_STAGES] = {
		[JOB_SCAN] = "scanning",     [JOB_READ] = "reading",       [JOB_RELATE] = "relating messages",
		[JOB_ORDER] = "ordering",    [JOB_TICKS] = "making ticks", [JOB_BBPS] = "comparing blocks",
		[JOB_PHASES] = "finding phases", [JOB_FOLD] = "folding loops", [JOB_MEASURE] = "measuring phases",
		[JOB_TUNE] = "trying thresholds", [JOB_PLAN] = "planning",     [JOB_RUNS] = "loading runs",   [JOB_MATCH] = "matching phases", [JOB_DIFF] = "comparing runs",
		[JOB_FIT] = "fitting",       [JOB_METRICS] = "going through calls", [JOB_CLOCKS] = "comparing clocks",
		[JOB_BENCH] = "measuring",   [JOB_WRITE] = "writing", [JOB_GLANCE] = "looking at files",
	};

	return (unsigned)stage < JOB_STAGES ? names[stage] : "working";
}
