/* Compressed bytes for tests: what gzip, xz and zstd make of some, as one member. */
#ifndef PAS2P_TEST_PACKED_H
#define PAS2P_TEST_PACKED_H

#include "core/io/unpack.h"

/* Packings whose library this build has, and can be tested. */
extern const enum packing packed_kinds[];
extern const unsigned packed_kind_count;

/* To free(); *size of them. level: 1 fast to 9. */
uint8_t *packed_bytes(enum packing packing, const void *bytes, size_t size, int level, size_t *packed);

#endif
