/* What `pas2p clocks` says of a trace that is on several ranks of a team of threads, or of a whole one: a case's work
 * (team_drive.h), whose argument is a struct clock_asked.
 */
#ifndef PAS2P_CLOCK_TEAM_H
#define PAS2P_CLOCK_TEAM_H

#include "core/clocks/report.h"
#include "team_drive.h"

struct clock_asked {
	const char *const *paths;
	uint32_t count;
	struct clock_report_options options;
	unsigned threads;         /* of each rank; 0: one */
};

/* All that can be asked for, with medians and bins. */
struct clock_asked clock_asked_of(const char *const *paths, uint32_t count);

/* The report with all of it, as JSON, of rank 0 alone; what loading said, of all. */
enum err_code clock_team_report(void *arg, const struct team *team, const struct progress *progress, struct out *said, struct err *e);

#endif
