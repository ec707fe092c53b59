/* A program on several numbers of processes, of the example of docs/reference/metrics.md, "Scaling runs": 4 s of it are
 * serial, 96 s are shared, so it takes 100, 52 and 28 s on 1, 2 and 4 processes, in ten rounds of computing and
 * MPI_Allreduce. Process 0 has the serial part.
 *
 *     struct gen_bytes b = gen_series(4, NULL);
 *     gen_series_file(path, 4);                 the same as a file
 */
#ifndef PAS2P_GEN_SERIES_H
#define PAS2P_GEN_SERIES_H

#include "gen_clog2.h"

struct gen_bytes gen_series(int32_t processes, const struct clog2_write_options *o);
void gen_series_file(const char *path, int32_t processes);
/* The problem grows with the processes: all compute 90 s, in 100 s on 2 and 125 s on 8. */
void gen_weak_file(const char *path, int32_t processes);
void gen_file(const char *path, struct gen_bytes b); /* frees them; bails out if it cannot be written */

#endif
