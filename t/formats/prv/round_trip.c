/* A run that was written for Paraver and is read again must be the same run, except for what that format has no place
 * for: communicators of messages, and messages without partner. */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "same_run.h"
#include "tap.h"


static const char *const names[] = {
	"anysrc.5", "cg.S.4", "coll.6", "coll.6.m246", "ep.S.4", "ft.S.4", "is.S.4", "latesender.4", "lu.S.4",
	"nonblock.4", "one_rank.1", "pcontrol.4", "persist.4.m246", "sendrecv.4", "syncclk.4", "thesis-cg.4", "thesis-smg.4",
	"thesis-windows.4", "userstates.3",
};

static void round_trip(const char *folder, const char *name, const char *const *paths, uint32_t count, double moved, bool back)
{
	const struct same_limits limits = {.partners = true, .moved = moved};
	struct same_run from, prv, clog2;
	char path[PATH_MAX];

	same_run_load(&from, paths, count);
	same_run_convert(&from, "prv", folder, name, path, &prv);
	same_run_is(&prv, &from, &limits, name);
	/* Lines say what belongs together; CLOG2 leaves that to the communicators, which are gone. */
	if (back) {
		same_run_convert(&prv, "clog2", folder, "back", path, &clog2);
		same_run_is(&clog2, &prv, &(struct same_limits){.comms = true}, name);
		same_run_release(&clog2);
	}
	same_run_release(&prv);
	same_run_release(&from);
}

static void round_trip_odd(const char *folder)
{
	const struct same_limits limits = {.partners = true, .moved = 2};
	struct same_run from, made;
	char path[PATH_MAX];

	same_run_odd(&from);
	same_run_convert(&from, "prv", folder, "odd", path, &made);
	same_run_is(&made, &from, &limits, "an odd run");
	is_int(made.trace->compute_source, COMPUTE_FROM_EVENTS, "an odd run: compute times come from the CPU clock");
	is_int(made.trace->processes[1].threads, 2, "an odd run: threads");
	is_double(made.trace->end - made.trace->start, 10.5, 1e-8, "an odd run: how long it took");
	same_run_release(&made);
	same_run_release(&from);
}

/* Those of the sample traces that are there in both formats. */
static void sample(const char *name)
{
	const struct same_limits limits = {.partners = true};
	struct same_run from, made;
	char clog2[100], path[100], what[100];

	snprintf(clog2, sizeof clog2, "sample-traces/%s.clog2", name);
	snprintf(path, sizeof path, "sample-traces/%s.prv", name);
	snprintf(what, sizeof what, "the sample %s", name);
	same_run_load(&from, (const char *const[]){clog2}, 1);
	same_run_load(&made, (const char *const[]){path}, 1);
	same_run_is(&made, &from, &limits, what);
	same_run_release(&made);
	same_run_release(&from);
}

int main(void)
{
	char folder[] = "/tmp/pas2p-round-trip.XXXXXX", path[PATH_MAX], command[PATH_MAX];
	char parts[4][PATH_MAX];
	const char *list[4];

	if (!mkdtemp(folder))
		bail_out("no temporary folder");
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		snprintf(path, sizeof path, "sample-traces/%s.clog2", names[i]);
		round_trip(folder, names[i], (const char *const[]){path}, 1, 0, true);
	}
	round_trip(folder, "comms.6", (const char *const[]){"sample-traces/comms.6.clog2"}, 1, 0, false);
	for (int i = 0; i < 4; i++) {
		snprintf(parts[i], sizeof parts[i], "sample-traces/unfinalized.m240.abortme.rank%04d.clog2", i);
		list[i] = parts[i];
	}
	round_trip(folder, "unfinalized", list, 4, 1, true);
	round_trip_odd(folder);
	sample("nonblock.4");
	sample("thesis-cg.4");
	snprintf(command, sizeof command, "rm -rf %s", folder);
	if (system(command) != 0)
		diag("%s is left", folder);
	return done_testing();
}

