/* The walk along the critical path, from its end back in time: critical.c goes along the lists that are here,
 * critical_team.c from rank to rank. Internal to the critical path. */
#ifndef PAS2P_CRITICAL_WALK_H
#define PAS2P_CRITICAL_WALK_H

#include "critical.h"

struct critical_walk {
	const struct replay *r;
	struct critical_path *p; /* pieces as they come: the last one first; their `place` counts from the end */
	size_t room;
	uint32_t list, at;       /* here: what lies before this call is next */
	uint32_t passed;         /* pieces so far, on all ranks */
	uint32_t steps;
	bool no_memory;
};

enum critical_stop {
	CRITICAL_AT_START,       /* of the run: the path is complete */
	CRITICAL_AT_WAIT,        /* w->at was left later than entered */
	CRITICAL_CANCELLED,
	CRITICAL_NO_MEMORY
};
enum critical_stop critical_go_back(struct critical_walk *w, const struct job *job);

/* Of the calls here that call c, left later than entered, depends on, the lowest that was entered as late as that.
 * NO_LOGGED_CALL: none. */
uint32_t critical_waited_for(const struct replay *r, uint32_t call);

/* The path of a log that ranks of a team share: w is at nothing yet. Returns the team's code. */
enum err_code critical_walk_team(struct critical_walk *w, const struct job *job, struct err *e);

#endif
