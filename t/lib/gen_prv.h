/* Random Paraver traces as text: threads with calls that nest, touch and take no time, functions, writes of the tracer,
 * collectives on several communicators, messages at any instant. The same seed is the same run, however awkwardly it is
 * said.
 */
#ifndef PAS2P_GEN_PRV_H
#define PAS2P_GEN_PRV_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* say 0: one record a line, in order of time. Else lines come in another order for each number, records of an instant
 * share lines or do not, nodes and processors are others, and lines may end with CRLF. For free(). */
char *gen_prv(uint64_t seed, unsigned say);

#endif
