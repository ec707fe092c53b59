/* What ranks of a team have to tell each other while each goes on by itself, and where all of them stand: for work that
 * comes to an end when nothing goes on anywhere (docs/scale.md 3).
 *
 *     team_mail_put()     numbers for another rank, whenever there are some; they stand together, in the order in which they were put
 *     team_mail_meet()    when a rank can do no more by itself: all tell what they have collected, and a state. It is one meeting
 *     team_mail_rest()    what has come and was not taken yet, rank by rank; team_mail_take() goes on behind so many numbers of it
 *
 * At a meeting where no rank had anything to tell, all stand still: nothing will come that could move anybody, whatever
 * runs first. What happens then is the caller's, who sees the states of all.
 */
#ifndef PAS2P_TEAM_MAIL_H
#define PAS2P_TEAM_MAIL_H

#include "team.h"

struct team_mail;

/* state: bytes that every rank tells of itself at each meeting. Holds no meeting. NULL: no memory. */
struct team_mail *team_mail_new(const struct team *team, size_t state);
void team_mail_free(struct team_mail *m); /* NULL is fine */

/* n numbers for a rank that is not this one. It fails silently where there is no memory: then team_mail_failed(), and
 * the next meeting does. */
void team_mail_put(struct team_mail *m, uint32_t rank, const uint32_t *list, size_t n);
bool team_mail_failed(const struct team_mail *m);

/* Nothing was put since the last meeting: if it is so everywhere, the next one will find all standing still. */
bool team_mail_quiet(const struct team_mail *m);

/* What came before and was not taken is lost. *still: no rank had anything to tell. Returns the team's code. */
enum err_code team_mail_meet(struct team_mail *m, const void *state, bool *still, struct err *e);

/* What a rank told of itself at the last meeting; of this one, too. */
const void *team_mail_state(const struct team_mail *m, uint32_t rank);

/* The numbers of the lowest rank that has told some that were not taken: *n of them, *rank's. NULL: there are no
 * more. */
const uint32_t *team_mail_rest(struct team_mail *m, uint32_t *rank, size_t *n);
void team_mail_take(struct team_mail *m, size_t n);

#endif
