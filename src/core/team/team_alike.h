/* What has to be the same on all ranks, before they come to meetings that take it to be so: which command with which
 * options, settings, files. Each rank compares its own with rank 0's.
 *
 *     team_fact(&facts, "--order", "lamport");   always in one order: names are for the sentence
 *     code = team_alike(team, &facts, code, "...", &e);
 */
#ifndef PAS2P_TEAM_ALIKE_H
#define PAS2P_TEAM_ALIKE_H

#include "team.h"
#include "team_pack.h"

/* NULL: it has no value, which is another one than "". A failure sticks, and is told at the meeting. */
void team_fact(struct team_pack *facts, const char *name, const char *value);

/* A meeting. code, *e: what a rank has come to before it. ERR_USAGE: a rank's facts are others than rank 0's, as the
 * first of them in which they differ says, with `advice` for a person. The facts go. */
enum err_code team_alike(const struct team *t, struct team_pack *facts, enum err_code code, const char *advice, struct err *e);

#endif
