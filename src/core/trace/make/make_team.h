/* Making a trace by a team: the owners of collectives that span ranks, and the exchanges between ranks while records
 * are read. trace_make.h is the maker.
 */
#ifndef PAS2P_CORE_TRACE_MAKE_MAKE_TEAM_H
#define PAS2P_CORE_TRACE_MAKE_MAKE_TEAM_H

#include "core/trace/remote.h"
#include "trace_make.h"

/* ---- instance_owners ---- */

/* The owners of collectives that span ranks of a team (core/trace/remote.h), for finding the largest value that their
 * members bring.
 *
 * When all members of a rank have arrived at an instance, the rank sends the largest of their values to the owner
 * (instance_owners_arrive()). When all ranks have done so, the largest value of all is sent back to each of them, by
 * the number that the rank has for the instance: instance_owners_next() until there are no more. These functions take
 * no collective step and send nothing: the caller does. Memory: 24 bytes for each rank that has arrived while others
 * have not.
 */

struct instance_owners;

struct remote_arrival {
	uint64_t value;
	uint32_t rank, instance; /* instance: as that rank numbers it */
};

/* NULL: no memory. */
struct instance_owners *instance_owners_new(const struct trace *t);
void instance_owners_free(struct instance_owners *h); /* NULL is fine */

/* number: of an instance that this rank owns. True: all ranks have arrived. Without memory, instance_owners_failed() is
 * true from then on. */
bool instance_owners_arrive(struct instance_owners *h, uint32_t number, struct remote_arrival come);
bool instance_owners_failed(const struct instance_owners *h);

/* A rank that has arrived has another value now. */
void instance_owners_change(struct instance_owners *h, uint32_t number, uint32_t rank, uint64_t value);

/* For an instance where all ranks have arrived: the largest value and its rank, the lowest of several; and one rank
 * after the other, which is forgotten by that. False: no rank is left. */
struct remote_arrival instance_owners_largest(const struct instance_owners *h, uint32_t number);
bool instance_owners_next(struct instance_owners *h, uint32_t number, struct remote_arrival *come);

/* ---- team ---- */

/* A maker with a team: which processes are local to a rank, and what ranks exchange about theirs. Only the maker calls
 * these functions; each is a collective step, and there is a team.
 */

/* Makes trace->remote and the owners of processes, unless make_owners() did, after everything that readers define
 * before the events. ERR_IO: the definitions differ between ranks, since the files are being changed. */
enum err_code make_team_owners(struct maker *maker, const uint64_t *most, struct err *e);

/* That error, for a reader that has found it out itself. */
enum err_code make_team_differs(struct err *e);

/* Combine what the shares of all ranks gathered: processes, totals (MAKE_GROUPS times maker->kind_count), counts, and
 * the notes, which are added to the trace's. */
enum err_code make_team_gather(struct maker *maker, struct make_total *totals, const struct notes *found, struct err *e);

/* Files that were changed: the notes of the lowest rank that found any. */
enum err_code make_team_changed(struct maker *maker, const struct notes *found, struct err *e);

/* Check that all ranks have the same definitions, including what each rank found in the files by itself. ERR_IO: they
 * have not. */
enum err_code make_team_same(struct maker *maker, struct err *e);

#endif
