/* How many files may be open at once. Every command copes with few by closing some and opening them again, which takes
 * longer. */
#include <inttypes.h>
#include <stdio.h>
#include <sys/resource.h>

#include "doctor_int.h"

#define USUAL 1024 /* what Linux gives a process; OTF2 archives of some 500 processes fit into it */

void check_files(struct doctor *d)
{
	struct rlimit l;
	uint64_t most;

	if (getrlimit(RLIMIT_NOFILE, &l) != 0) {
		doctor_find(d, STANDING_NOTE, "how many files may be open at once cannot be told");
		return;
	}
	if (l.rlim_cur == RLIM_INFINITY) {
		doctor_find(d, STANDING_OK, "any number may be open at once");
		return;
	}
	if (l.rlim_cur >= USUAL) {
		doctor_find(d, STANDING_OK, "%" PRIu64 " may be open at once", (uint64_t)l.rlim_cur);
		return;
	}
	doctor_find(d, STANDING_NOTE, "%" PRIu64 " may be open at once: OTF2 archives of many processes take longer to read", (uint64_t)l.rlim_cur);
	most = l.rlim_max == RLIM_INFINITY || l.rlim_max > 4096 ? 4096 : (uint64_t)l.rlim_max;
	if (most > l.rlim_cur)
		doctor_mend(d, "ulimit -n %" PRIu64, most);
}
