/* What is told while a trace is loaded: its stages one after the other, each by its own name and from its own
 * beginning, and never backwards. Who waits would else see a full bar while much is still to be done, and take the
 * program for stuck.
 */
#include <stdio.h>

#include "core/formats/api/load.h"
#include "tap.h"

struct told {
	int stage;
	uint64_t done;
	unsigned reports[PROGRESS_STAGES];
	uint64_t first[PROGRESS_STAGES], total[PROGRESS_STAGES];
	bool forward;
};

static void tell(void *arg, enum progress_stage stage, uint64_t done, uint64_t total)
{
	struct told *t = arg;

	if ((int)stage != t->stage)
		t->first[stage] = done;
	t->forward = t->forward && (int)stage >= t->stage && ((int)stage > t->stage || done >= t->done) && done <= total;
	t->stage = (int)stage;
	t->done = done;
	t->reports[stage]++;
	t->total[stage] = total;
}

static void load(unsigned threads)
{
	const char *paths[] = {"sample-traces/lu.S.4.clog2"};
	struct trace_options o = {.threads = threads};
	struct told told = {.stage = -1, .forward = true};
	struct progress progress = {.report = tell, .arg = &told};
	struct trace *t;
	struct err e;

	if (trace_load(&t, paths, 1, &o, &progress, &e))
		bail_out("%s", e.text);
	ok(told.forward, "%u threads: stages in order, each forward", threads);
	ok(told.reports[PROGRESS_READ], "%u threads: reading is told", threads);
	ok(told.reports[PROGRESS_RELATE] > 3, "%u threads: so is matching messages, %u times", threads, told.reports[PROGRESS_RELATE]);
	ok(!told.first[PROGRESS_RELATE] && told.total[PROGRESS_RELATE] == t->event_count, "%u threads: from 0 up to all events", threads);
	trace_free(t);
}

int main(void)
{
	load(1);
	load(4);
	return done_testing();
}
