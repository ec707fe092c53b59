/* Checkpoints: CRIU, and who may look into other processes.
 *
 * CRIU is asked by the runner's own trial (criu_probe()): a process with a connection is dumped, ended and restored. */
#include "doctor_int.h"

#include <stdlib.h>
#include <unistd.h>

#include "core/base/clock.h"
#include "core/base/text.h"
#include "runner/runner.h"

#define TRIAL_S 30 /* it takes some tenths of a second */

struct trial {
	const struct progress *outer;
	double until;
};

static bool trial_stopped(void *arg)
{
	const struct trial *t = arg;

	return progress_stopped(t->outer) || clock_seconds() > t->until;
}

static void try_out(struct doctor *d, const char *version)
{
	struct trial trial = {d->progress, clock_seconds() + TRIAL_S};
	struct progress progress = {.stopped = trial_stopped, .arg = &trial};
	struct err e = {0};
	enum err_code code = criu_probe(&progress, &e);

	if (!code) {
		doctor_find(d, STANDING_OK, "CRIU %s dumped and restored a test process: sign can take "
			    "checkpoints", version);
		return;
	}
	doctor_find(d, STANDING_MISSING, "CRIU %s does not work here, so signatures are measured by a rerun: "
		    "%s", version,
		    code == ERR_CANCELLED ? "it did not end in time" : e.text);
	doctor_mend(d, "%s sign --mechanism rerun TABLE -o SIGNATURE -- LAUNCHER ARGS...", d->machine->program);
}

void check_criu(struct doctor *d)
{
	char path[PATH_MAX], version[64];
	struct err e = {0};

	if (criu_find(path, &e) || criu_version(version, sizeof version, &e)) {
		doctor_find(d, STANDING_MISSING, "no checkpoints here, so signatures are measured by a rerun: "
			    "%s", e.text);
		if (d->machine->make)
			doctor_mend(d, "%s criu", d->machine->make);
		else
			doctor_mend(d, "make criu, in the folder where pas2p was built");
	} else if (geteuid() != 0) {
		doctor_find(d, STANDING_NOTE, "CRIU %s is installed, but checkpoints need root: for other users "
			    "signatures are measured by a rerun", version);
		doctor_mend(d, "%s%s doctor", doctor_as_root(d), d->machine->program);
	} else {
		try_out(d, version);
	}
}

/* Who may look into another process: Yama's setting (the kernel's Documentation/admin-guide/LSM/Yama.rst). Without Yama
 * the usual rules hold, which are enough. */

#define FILE_OF_YAMA "/proc/sys/kernel/yama/ptrace_scope"

void check_ptrace(struct doctor *d)
{
	char line[32];
	long scope;

	if (!doctor_line(d, FILE_OF_YAMA, line, sizeof line)) {
		doctor_find(d, STANDING_OK, "not restricted: %s does not exist", FILE_OF_YAMA);
		return;
	}
	scope = strtol(line, NULL, 10);
	if (scope <= 0) {
		doctor_find(d, STANDING_OK, "not restricted: ptrace_scope is 0");
	} else if (scope >= 3) {
		doctor_find(d, STANDING_MISSING, "ptrace_scope is %ld: not even root may trace other processes, so "
			    "checkpoints do not work and MPI copies large messages twice", scope);
		doctor_mend(d, "set kernel.yama.ptrace_scope=0 in /etc/sysctl.d and reboot: it cannot be lowered while "
			    "the system runs");
	} else if (geteuid() == 0) {
		doctor_find(d, STANDING_OK, "ptrace_scope is %ld, which does not restrict root", scope);
	} else {
		doctor_find(d, STANDING_NOTE, "ptrace_scope is %ld: MPI may copy large messages within a node twice, "
			    "which is slower", scope);
		doctor_mend(d, "%ssysctl kernel.yama.ptrace_scope=0", doctor_as_root(d));
	}
}
