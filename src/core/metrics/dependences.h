/* What a call depends on in a replay, event by event (docs/metrics.md 5). Internal to the metrics. */
#ifndef PAS2P_DEPENDENCES_H
#define PAS2P_DEPENDENCES_H

#include "replay.h"

/* The call here that `call` depends on for its message `event` in the ideal run. NO_LOGGED_CALL: none. */
uint32_t ideal_partner(const struct call_log *log, const struct replay_rules *rules, uint32_t call, uint32_t event);

/* Does it depend on the call at the other end of `event`, which is on another rank (call_far_message())? */
bool ideal_waits_far(const struct call_log *log, const struct replay_rules *rules, uint32_t call, uint32_t event);

/* Members of its collective `part` that `call` depends on in the ideal run: those that began by *until. False: none. */
bool ideal_meets(const struct call_log *log, const struct replay_rules *rules, uint32_t call, struct call_part part, double *until);

#endif
