/* CLOG2 bytes of the exchange in which the machine decides what arrives first (docs/explain/method.md, "Order of
 * receives").
 *
 *     struct gen_bytes b = gen_exchange(&(struct gen_exchange){.processes = 16, .iterations = 20, .seed = 1});
 *
 * In each iteration every process sends to all others, by their ranks, and computes after each send; then it receives from
 * all, in an order that the seed decides for each process and iteration. So runs of different seeds are one program on
 * machines that deliver in different orders. Times are multiples of 2^-14 s, so that equal ones are equal in the last bit.
 */
#ifndef PAS2P_GEN_EXCHANGE_H
#define PAS2P_GEN_EXCHANGE_H

#include "gen_clog2.h"

struct gen_exchange {
	int32_t processes;    /* up to 64 */
	uint32_t iterations;
	uint64_t seed;
	bool computes_last;   /* also after the last receive of an iteration, whichever that is; otherwise no compute time follows a receive */
};

struct gen_bytes gen_exchange(const struct gen_exchange *x);

#endif
