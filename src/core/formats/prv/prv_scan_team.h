/* A scan by a team (prv_scan.h): what each rank has found in its stripe of the lines becomes what all have. Meetings,
 * in this order. */
#ifndef PAS2P_PRV_SCAN_TEAM_H
#define PAS2P_PRV_SCAN_TEAM_H

#include "prv_scan.h"

struct source;

/* Before stripes are cut. ERR_IO: the ranks do not have one file before them, for it is being changed. */
enum err_code prv_scan_same(const struct prv_header *header, const struct source *source, struct maker *maker, struct err *e);

/* All of the scan but its threads becomes that of all lines; scan->before is known. */
enum err_code prv_scan_gather(struct prv_scan *scan, struct maker *maker, uint32_t processes, struct err *e);

/* `found` by each rank in its stripe goes to the notes of all, in the order of the lines. */
enum err_code prv_scan_notes(struct notes *notes, const struct notes *found, struct maker *maker, struct err *e);

#endif
