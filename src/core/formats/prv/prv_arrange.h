/* Putting the records of a thread in order, and saying what they mean: calls with what lies in them, collectives with
 * their attributes.
 *
 * Within a thread records come by time, those of one instant as in the file; messages lie in calls: a send in the last
 * outermost call that began at or before it, a receive in the first one that ends at or after it (else the last that
 * began before it), if that call contains the instant, ends included. Within a call the collective comes first, then
 * messages by (time, sends before receives, for receives LOGICAL_RECV, line).
 */
#ifndef PAS2P_PRV_ARRANGE_H
#define PAS2P_PRV_ARRANGE_H

#include "prv_comms.h"
#include "prv_kinds.h"
#include "prv_scan.h"

struct prv_arranged {
	const struct prv_header *header;
	const struct prv_kinds *kinds;
	const struct prv_comms *comms;
	struct prv_scan *scan;
	uint64_t *most;        /* per process: its events */
	struct map *colls;     /* (operation's kind, communicator): 1, then the maker's number + 1 */
	uint64_t unknown_comms; /* collectives on communicators that no line describes */
	uint64_t unknown_comm;  /* the lowest of those */
};

/* All threads of the scan: what they have as `raw` becomes `told`. With a team, which has a meeting here, `most` and
 * `colls` are of all processes. Release it also after an error. */
enum err_code prv_arrange(struct prv_arranged *all, struct maker *maker, struct err *e);
void prv_arranged_release(struct prv_arranged *all);

#endif
