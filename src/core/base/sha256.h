/* SHA-256, incremental: init, add any number of pieces, finish. Computed by libnettle, which uses what the processor
 * has for it. */
#ifndef PAS2P_SHA256_H
#define PAS2P_SHA256_H

#include <stddef.h>
#include <stdint.h>

struct sha256 {
	uint64_t state[20]; /* the library's, not looked into */
};

void sha256_start(struct sha256 *h);
void sha256_add(struct sha256 *h, const void *bytes, size_t n);
void sha256_finish(struct sha256 *h, uint8_t digest[32]);
void sha256_hex(const uint8_t digest[32], char hex[65]); /* lower case, NUL-terminated */

#endif
