/* What the ranks of a traced job leave before there is any record, so that `pas2p trace` can say how far they came.
 *
 * A process of the job that loads the library makes an empty file of the name that MARK_LOADED_ENVIRONMENT has, if
 * there is none yet: one for all of them. As it calls MPI_Init, it adds a byte to that. Once it has returned from
 * MPI_Init its local file is there (buffer.h), of at most MARK_BYTES bytes until the first records are written. */
#ifndef PAS2P_JOB_MARKS_H
#define PAS2P_JOB_MARKS_H

#define MARK_LOADED_ENVIRONMENT "PAS2P_LOADED"
#define MARK_BYTES 1024

#endif
