/* The limits of the control groups that this process is in, of version 1 or 2: the least from its own group up to the
 * root. */
#ifndef PAS2P_CGROUP_H
#define PAS2P_CGROUP_H

#include <stdint.h>

#include "doctor.h"

struct cgroup_limits {
	int version;      /* 2, 1 (also where memory is of 1 and the rest of 2), 0: there are none */
	uint64_t memory;  /* bytes; 0: no limit */
	double cpus;      /* processors whose time may be used; 0: no limit */
};

/* By the machine's /proc/self/cgroup and /sys/fs/cgroup. */
void cgroup_look(const struct doctor *d, struct cgroup_limits *l);

#endif
