/* What a file is that was given where another kind is expected, for the sentence that refuses it. */
#ifndef PAS2P_GIVEN_H
#define PAS2P_GIVEN_H

#include <stdint.h>

/* "a trace", "a phase table", ...; NULL: none of what pas2p knows, or it cannot be read. Only its beginning is looked
 * at. */
const char *given_kind(const char *path);

/* For a trace's file: the processes of the run that it is of. 0: it does not say, or is none. */
uint32_t given_processes(const char *path);

#endif
