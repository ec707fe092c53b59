/* Making a trace by a team: the homes of collectives that span ranks, and what ranks tell each other while records
 * are read. trace_make.h is the maker.
 */
#ifndef PAS2P_CORE_TRACE_MAKE_MAKE_TEAM_H
#define PAS2P_CORE_TRACE_MAKE_MAKE_TEAM_H

#include "core/trace/remote.h"
#include "trace_make.h"

/* ---- instance_owners ---- */

/* The homes of collectives that span ranks of a team (core/trace/remote.h), for who looks for the largest value that their
 * members bring.
 *
 * A rank whose members have all come to an instance tells its home the largest of their values (instance_owners_arrive()). When
 * all ranks have, the largest of all goes back to each of them, by the number that it has for the instance:
 * instance_owners_next() until there is no more. It holds no meeting, and sends nothing: that is the caller's. 24 bytes for
 * each rank that has come and others have not.
 */

struct instance_owners;

struct remote_arrival {
	uint64_t value;
	uint32_t rank, instance; /* instance: as that rank numbers it */
};

/* NULL: no memory. */
struct instance_owners *instance_owners_new(const struct trace *t);
void instance_owners_free(struct instance_owners *h); /* NULL is fine */

/* number: of an instance whose home is here. True: all ranks have come. Where there is no memory, instance_owners_failed()
 * from then on. */
bool instance_owners_arrive(struct instance_owners *h, uint32_t number, struct remote_arrival come);
bool instance_owners_failed(const struct instance_owners *h);

/* A rank that had come has another value now. */
void instance_owners_change(struct instance_owners *h, uint32_t number, uint32_t rank, uint64_t value);

/* Of an instance to which all have come: who brought the largest value, of several the lowest rank; and all that have
 * come, who are forgotten by that. False: nobody is left. */
struct remote_arrival instance_owners_largest(const struct instance_owners *h, uint32_t number);
bool instance_owners_next(struct instance_owners *h, uint32_t number, struct remote_arrival *come);

/* ---- team ---- */

/* A maker with a team: which processes are a rank's own, and what ranks tell each other of theirs. The maker's own;
 * each is a meeting, and there is a team.
 */

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
