/* CLOG2 bytes of random runs whose processes have clocks of their own, and of whatever makes comparing these hard:
 * clocks that are synchronised in between or step, clocks that the tracer measured, channels of which a message is lost
 * or has two sizes, collectives that hold nobody, that one member does not call, or calls otherwise, on communicators
 * that overlap.
 *
 *     struct gen_bytes b = gen_clocks(17);          the same seed gives the same run; free(b.bytes)
 */
#ifndef PAS2P_GEN_CLOCKS_H
#define PAS2P_GEN_CLOCKS_H

#include "gen_clog2.h"

struct gen_bytes gen_clocks(uint64_t seed);

#endif
