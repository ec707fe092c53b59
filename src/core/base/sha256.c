#include "sha256.h"

#include <nettle/sha2.h>

_Static_assert(sizeof(struct sha256_ctx) <= sizeof(struct sha256), "the state of the library");

static struct sha256_ctx *context(struct sha256 *h)
{
	/* cppcheck-suppress ctuuninitvar -- only its address is taken: nettle_sha256_init() fills it */
	return (struct sha256_ctx *)(void *)h->state;
}

void sha256_start(struct sha256 *h)
{
	nettle_sha256_init(context(h));
}

void sha256_add(struct sha256 *h, const void *bytes, size_t n)
{
	nettle_sha256_update(context(h), n, bytes);
}

void sha256_finish(struct sha256 *h, uint8_t digest[32])
{
	nettle_sha256_digest(context(h), 32, digest);
}

void sha256_hex(const uint8_t digest[32], char hex[65])
{
	static const char digits[] = "0123456789abcdef";

	for (unsigned i = 0; i < 32; i++) {
		hex[2 * i] = digits[digest[i] >> 4];
		hex[2 * i + 1] = digits[digest[i] & 15];
	}
	hex[64] = '\0';
}
