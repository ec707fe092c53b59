/* Phases by their share of the run, the largest first, of equal ones the lower id: the order of their colours, and of
 * lists for people. */
#ifndef PAS2P_PHASE_RANKS_H
#define PAS2P_PHASE_RANKS_H

#include "figures.h"

/* order[i]: the id of the i-th; f->count of them. */
enum err_code phase_ranks(uint32_t *order, const struct figures *f, struct err *e);

#endif
