/* A maker with a team: which processes are a rank's own, and what ranks tell each other of theirs. The maker's own;
 * each is a meeting, and there is a team.
 */
#ifndef PAS2P_TRACE_MAKE_TEAM_H
#define PAS2P_TRACE_MAKE_TEAM_H

#include "trace_make.h"

/* trace->far, and who owns what, unless make_owners() has said that; after all that is told before the events. ERR_IO:
 * readers do not tell all ranks the same, since the files are being changed. */
enum err_code make_team_owners(struct maker *maker, const uint64_t *most, struct err *e);

/* That error, for a reader that has found it out itself. */
enum err_code make_team_differs(struct err *e);

/* What was gathered of the rank's own shares becomes that of all: processes, totals (MAKE_GROUPS times
 * maker->kind_count), counts, and the notes, which go to the trace's. */
enum err_code make_team_gather(struct maker *maker, struct make_total *totals, const struct notes *found, struct err *e);

/* Files that were changed: what the lowest rank found that found any. */
enum err_code make_team_changed(struct maker *maker, const struct notes *found, struct err *e);

/* All ranks come to the same: what each knows by itself of the files, too. ERR_IO: they do not. */
enum err_code make_team_same(struct maker *maker, struct err *e);

#endif
