/* Units: which processes share a clock (docs/clocks.md 5). */
#ifndef PAS2P_PROBE_UNITS_H
#define PAS2P_PROBE_UNITS_H

/* For each process of the world the lowest rank whose clock it shares, itself perhaps. Collective. `leader` has room
 * for all. */
void units_find(int *leader, int rank, int size);

#endif
