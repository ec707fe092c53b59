/* What a file is that was given where another kind is expected, for the sentence that refuses it. */
#ifndef PAS2P_GIVEN_H
#define PAS2P_GIVEN_H

#include <stdint.h>

/* "a trace", "a phase table", ...; NULL: none of what pas2p knows, or it cannot be read. Only its beginning is looked
 * at. */
const char *given_kind(const char *path);

/* The number of processes of the run in a trace file; 0: the file does not say, or is no trace. */
uint32_t given_processes(const char *path);

#endif
