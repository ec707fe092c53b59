/* What programs of ours in the ranks have in common: waiting without keeping a processor busy, which somebody who
 * measures may need. */
#ifndef PAS2P_PROBE_WAIT_H
#define PAS2P_PROBE_WAIT_H

#include <mpi.h>

void *must(void *p);                /* p, or the job ends for lack of memory */
void meet(MPI_Comm comm);           /* till all are here */
void receive_asleep(void *to, int bytes, int from, int tag, MPI_Comm comm); /* of MPI_BYTE */

#endif
