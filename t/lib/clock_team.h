/* What `pas2p clocks` says of a trace that is on several ranks of a team of threads, or of a whole one.
 *
 *     clock_team_report(&found, &asked, team);      on each rank; NULL: of the whole trace
 *     clock_team_same(&asked, 3, "a trace");        an ok(): three ranks say what one process says
 *     clock_found_release(&found);
 */
#ifndef PAS2P_CLOCK_TEAM_H
#define PAS2P_CLOCK_TEAM_H

#include "core/clocks/clock_report.h"

struct clock_asked {
	const char *const *paths;
	uint32_t count;
	struct clock_report_options options;
	unsigned threads;         /* of each rank; 0: one */
	const struct job *job;
};

struct clock_found {
	enum err_code loaded, code; /* of loading; of the report */
	char text[ERR_TEXT];        /* the last one's sentence */
	char *document;             /* all of it, as JSON, of rank 0 alone; NULL: there is none */
};

/* All that can be asked for, with medians and bins. */
struct clock_asked clock_asked_of(const char *const *paths, uint32_t count);

void clock_team_report(struct clock_found *found, const struct clock_asked *asked, const struct team *team);
void clock_found_release(struct clock_found *found);

bool clock_team_is_same(const struct clock_asked *asked, uint32_t ranks); /* says what differs */
void clock_team_same(const struct clock_asked *asked, uint32_t ranks, const char *what);

#endif
