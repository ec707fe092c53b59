/* The records of a team's stripes go to the ranks of their processes (prv_scan.h). */
#ifndef PAS2P_PRV_SHARE_H
#define PAS2P_PRV_SHARE_H

#include "prv_scan.h"

/* When the maker knows the processes and the scan all but the threads: make_owners(), by what the records take, and
 * then scan->threads are those of the rank's own processes. A meeting; without a team nothing is to be done. */
enum err_code prv_share(struct prv_scan *scan, struct maker *maker, struct err *e);

/* 1 for each process: what a stream's shares are by. mem_free() it; NULL: no memory. */
uint64_t *prv_alike(uint32_t processes);

#endif
