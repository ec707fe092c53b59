/* SHA-256 (FIPS 180-4), incremental: init, add any number of pieces, finish. */
#ifndef PAS2P_SHA256_H
#define PAS2P_SHA256_H

#include <stddef.h>
#include <stdint.h>

struct sha256 {
	uint32_t state[8];
	uint64_t bytes;
	uint8_t pending[64];
};

void sha256_init(struct sha256 *h);
void sha256_add(struct sha256 *h, const void *bytes, size_t n);
void sha256_finish(struct sha256 *h, uint8_t digest[32]);
void sha256_hex(const uint8_t digest[32], char hex[65]); /* lower case, NUL-terminated */

#endif
