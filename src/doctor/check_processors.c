/* Processors: which may be used, and how much of their time. A job of more ranks than that waits for itself, and what
 * is measured in it is not the program. */
#include <inttypes.h>
#include <stdio.h>

#include "doctor_int.h"
#include "runner/host.h"

static unsigned cpus_count_bits(const struct nest_cpus *cpus)
{
	unsigned n = 0;

	for (unsigned i = 0; i < NEST_CPUS; i++)
		n += cpus->bits[i / 64] >> (i % 64) & 1;
	return n;
}

void check_processors(struct doctor *d)
{
	const struct nest_cpus none = {.given = false};
	struct nest_cpus allowed = {.given = false};
	struct cgroup_limits l;
	struct host host;
	struct err e;
	unsigned n;

	host_look(&host, &none);
	n = cpus_parse(&allowed, host.allowed, &e) ? 0 : cpus_count_bits(&allowed);
	if (host.cpus < n) /* without /proc and /sys the C library guesses */
		host.cpus = n;
	cgroup_look(d, &l);
	if (!n) {
		doctor_find(d, STANDING_NOTE, "which processors may be used cannot be told");
	} else if (l.cpus > 0 && l.cpus < n) {
		doctor_find(d, STANDING_NOTE, "%u of %" PRIu32 " (%s), but no more than the time of %.2f: a program that needs more is stopped "
			    "at times, and what is measured of it is longer than it need be", n, host.cpus, host.allowed, l.cpus);
		doctor_mend(d, "ask for whole processors, such as: sbatch --cpus-per-task=1 --exclusive");
	} else if (n == 1) {
		doctor_find(d, STANDING_NOTE, "1 of %" PRIu32 " (%s): the ranks of a job take turns, and their times say little", host.cpus,
			    host.allowed);
		doctor_mend(d, "ask for more, such as: sbatch --ntasks=4");
	} else {
		doctor_find(d, STANDING_OK, "%u of %" PRIu32 " (%s)", n, host.cpus, host.allowed);
	}
}
