/* The notes of all ranks of a team: each finds those of its own processes, and all come to keep the same. */
#ifndef PAS2P_NOTES_TEAM_H
#define PAS2P_NOTES_TEAM_H

#include "core/team/team.h"
#include "notes.h"

struct team_pack;
struct team_take;

/* Of what is told with other things (team_pack.h). notes_take() adds to a list that is empty; false: no memory, or they
 * are not there. */
void notes_put(struct team_pack *pack, const struct notes *found);
bool notes_take(struct team_take *take, struct notes *part);

/* A meeting. found: a rank's own, as many lists on each; parts[i * team_size() + r] becomes rank r's list i, in their
 * order for notes_merge(), to be released by the caller, also after an error. */
enum err_code notes_gather(const struct team *team, const struct notes *found, size_t lists, struct notes *parts, struct err *e);

#endif
