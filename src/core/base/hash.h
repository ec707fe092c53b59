/* Hashing of numbers and texts: hash_mix(hash_mix(0, a), b) depends on a, b and their order. For tables in memory
 * only: values may differ from version to version. */
#ifndef PAS2P_HASH_H
#define PAS2P_HASH_H

#include <stdint.h>

static inline uint64_t hash_mix(uint64_t h, uint64_t x)
{
	h = (h ^ x) * 0x9e3779b97f4a7c15u;
	return h ^ (h >> 29);
}

static inline uint64_t hash_text(uint64_t h, const char *text)
{
	for (; *text; text++)
		h = hash_mix(h, (unsigned char)*text);
	return h;
}

#endif
