/* CRIU, by the runner's own trial (criu_probe()): a process with a connection is dumped, ended and restored. */
#include <unistd.h>

#include "doctor_int.h"
#include "core/base/clock.h"
#include "core/base/text.h"
#include "runner/runner.h"

#define TRIAL_S 30 /* it takes some tenths of a second */

struct trial {
	const struct job *outer;
	double until;
};

static bool trial_stopped(void *arg)
{
	const struct trial *t = arg;

	return job_stopped(t->outer) || clock_seconds() > t->until;
}

static void try_out(struct doctor *d, const char *version)
{
	struct trial trial = {d->job, clock_seconds() + TRIAL_S};
	struct job job = {.stopped = trial_stopped, .arg = &trial};
	struct err e = {0};
	enum err_code code = criu_probe(&job, &e);

	if (!code) {
		doctor_find(d, STANDING_OK, "CRIU %s has dumped and restored a process: sign makes checkpoints", version);
		return;
	}
	doctor_find(d, STANDING_MISSING, "CRIU %s does not work here, so runs are replayed: %s", version,
		    code == ERR_CANCELLED ? "it did not end in time" : e.text);
	doctor_mend(d, "%s sign --mechanism replay TABLE -o SIGNATURE -- LAUNCHER ARGS...", d->machine->program);
}

void check_criu(struct doctor *d)
{
	char path[PATH_MAX], version[64];
	struct err e = {0};

	if (criu_find(path, &e) || criu_version(version, sizeof version, &e)) {
		doctor_find(d, STANDING_MISSING, "there are no checkpoints here, and runs are replayed: %s", e.text);
		if (d->machine->make)
			doctor_mend(d, "%s criu", d->machine->make);
		else
			doctor_mend(d, "make criu, where pas2p was built");
	} else if (geteuid() != 0) {
		doctor_find(d, STANDING_NOTE, "CRIU %s is there, but checkpoints need root: for other users runs are replayed", version);
		doctor_mend(d, "%s%s doctor", doctor_as_root(d), d->machine->program);
	} else {
		try_out(d, version);
	}
}
