/* What a list that is to wait no more must know of collectives whose members are not listed: who of them has been
 * entered, and who has not (docs/scale.md 3). Its rank asks all others. Internal to the replay over a team.
 */
#ifndef PAS2P_CORE_METRICS_REPLAY_QUESTIONS_H
#define PAS2P_CORE_METRICS_REPLAY_QUESTIONS_H

#include "replay_int.h"

/* The instances here that others may ask for. */
struct replay_numbered {
	uint64_t number;       /* the same on all ranks */
	uint32_t own;          /* of the replay's meetings */
};

struct replay_numbers {
	struct replay_numbered *list; /* by number; NULL: nobody has asked yet */
	uint32_t count;
};

/* Rank `asking` asks for its list, which takes what came and drops what did not. Holds meetings; returns the team's
 * code. */
enum err_code replay_questions_ask(struct replaying *g, const struct trace_far *of, struct replay_numbers *n, uint32_t asking, uint32_t list,
				   struct err *e);
void replay_numbers_release(struct replay_numbers *n);

#endif
