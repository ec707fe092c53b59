/* Traces made from nothing, of any size: what a regular program would log, through the block structure that MPE
 * writes. Deterministic: the same pattern, ranks and records give the same bytes. */
#ifndef PAS2P_BENCH_GENERATE_H
#define PAS2P_BENCH_GENERATE_H

#include <stdint.h>

#include "core/base/err.h"

enum traffic {
	TRAFFIC_HALO,       /* 2-D grid, Irecv/Isend with four neighbours, Waitall, an Allreduce every tenth step */
	TRAFFIC_WAVEFRONT,  /* 2-D pipelined sweeps from corner to corner, blocking Recv and Send */
	TRAFFIC_COLLECTIVE, /* Bcast, Alltoall, Allreduce, and a ring shift */
	TRAFFICS
};

/* How the processes' clocks run. */
enum clock_kind {
	CLOCKS_ONE,         /* all have the same */
	CLOCKS_LINES,       /* offsets of milliseconds, rates of some ppm */
	CLOCKS_WANDER       /* and within 10 ms each to another offset: more often than any number of windows follows */
};

/* How a run differs from the one that is not changed. */
enum difference {
	DIFFER_NOT,
	DIFFER_SCATTERED,   /* every 97th step one message more from rank 0 to the last, every 61st other sizes */
	DIFFER_EVERYWHERE   /* neighbours in the other order, so that no event is where it was; of TRAFFIC_HALO */
};

const char *traffic_name(enum traffic p);

/* At least `records` records (the program's last step is finished), file order as if merged by time where clocks are
 * one. */
enum err_code generate_trace(const char *path, enum traffic p, enum clock_kind clocks, uint32_t ranks, uint64_t records, struct err *e);
/* One clock, and changes to the pattern. */
enum err_code generate_other(const char *path, enum traffic p, enum difference d, uint32_t ranks, uint64_t records, struct err *e);

#endif
