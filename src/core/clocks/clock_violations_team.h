/* The violations that the ranks of a team have counted, each of messages that its processes received and of its
 * members' ends of collectives, as one, on rank 0 (docs/scale.md 3). Internal to clock_violations. 48 bytes a pair that
 * has messages travel, 24 a process and a bin. */
#ifndef PAS2P_CLOCK_VIOLATIONS_TEAM_H
#define PAS2P_CLOCK_VIOLATIONS_TEAM_H

#include "clock_violations.h"

/* v: this rank's; rank 0's becomes that of all. A meeting. code, e: what was come to here. */
enum err_code clock_violations_gather(struct clock_violations *v, const struct trace *t, enum err_code code, struct err *e);

#endif
