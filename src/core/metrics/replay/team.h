/* The replay of a rank's own lists, and the other ranks' (docs/scale.md 3). Internal to the replay.
 *
 * Each rank replays its own lists as if there were no others (replay.c). What they wait for of other ranks are moments,
 * by number: the entry of the call at the other end of a message; of a collective's root; the latest entry of all
 * members of a collective; or, where not all count for everyone, of its members up to one. They are told as they come
 * to be known (core/team/team.h), and who waits for them goes on: whatever runs first, all come to the same values, and
 * stand still with the same calls pending.
 *
 * Of those the one that began first, then of the lowest rank, leaves out what holds it up, as in a whole log
 * (replaying_break_out()): what of a collective has not come is asked for then.
 */
#ifndef PAS2P_CORE_METRICS_REPLAY_TEAM_H
#define PAS2P_CORE_METRICS_REPLAY_TEAM_H

#include "replay_int.h"

struct replay_team;

/* Moments, by number. */
static inline uint32_t told_of_message(uint32_t match)
{
	return match - FAR_EVENT;
}
static inline uint32_t told_of_all(const struct trace_far *far, uint32_t instance) /* its latest member */
{
	return far->message_count + instance;
}
static inline uint32_t told_of_root(const struct trace_far *far, uint32_t instance)
{
	return far->message_count + far->instance_count + instance;
}
static inline uint32_t told_up_to(const struct trace_far *far, uint32_t member) /* of call_far.members: the latest of its meeting up to it */
{
	return far->message_count + 2 * far->instance_count + member;
}

/* g is complete but for its team, which this makes: g->log is a part. A meeting; returns the team's code, with
 * everything to be freed after an error, too. */
enum err_code replay_team_start(struct replaying *g, struct err *e);
void replay_team_free(struct replay_team *t); /* NULL is fine */

/* For whom a call waits at the collective `part`, which is that instance of its rank. */
struct replay_meets {
	struct call_at root;  /* that alone; its call NO_LOGGED_CALL: not so */
	uint32_t count;       /* else so many of the meeting's members, in their order; UINT32_MAX: all, which are not listed */
};
struct replay_meets replay_team_meets(const struct call_log *log, const struct replay_rules *rules, bool measured, uint32_t call,
				      struct call_part part, uint32_t instance);

/* What a call depends on at its next part, if that is a message or a collective that spans ranks: p->moment, or a call
 * here; p->partner, p->place and p->moment are set. False: it is not. */
bool replay_team_find(const struct replaying *g, struct position *p);

/* A call here was entered. The last of the members here of an instance was: `latest` of them at that time. */
void replay_team_entered(struct replaying *g, uint32_t call, double entry);
void replay_team_arrived(struct replaying *g, uint32_t instance, double latest);

/* Nothing here can go on: meet the other ranks until something can; *over: all is done, everywhere. Returns the team's
 * code. */
enum err_code replay_team_wait(struct replaying *g, bool *over, struct err *e);

/* Of a list that is to wait no more: it takes what has come of its moment, and drops what has not. */
void replay_team_break_out(struct replaying *g, struct position *p);

#endif
