#include "packed.h"

#include <stdlib.h>

#include "tap.h"
#ifdef WITH_ZLIB
#include <zlib.h>
#endif
#ifdef WITH_LZMA
#include <lzma.h>
#endif
#ifdef WITH_ZSTD
#include <zstd.h>
#endif

const enum packing packed_kinds[] = {
#ifdef WITH_ZLIB
	PACKING_GZIP,
#endif
#ifdef WITH_LZMA
	PACKING_XZ,
#endif
#ifdef WITH_ZSTD
	PACKING_ZSTD,
#endif
	PACKING_NONE
};
const unsigned packed_kind_count = sizeof packed_kinds / sizeof *packed_kinds - 1;

#ifdef WITH_ZLIB
static bool gzip(const void *bytes, size_t size, int level, uint8_t *out, size_t room, size_t *packed)
{
	z_stream z = {0};
	bool whole;

	z.next_in = (Bytef *)(uintptr_t)bytes;
	z.avail_in = (unsigned)size;
	z.next_out = out;
	z.avail_out = (unsigned)room;
	whole = deflateInit2(&z, level, Z_DEFLATED, 16 + MAX_WBITS, 8, Z_DEFAULT_STRATEGY) == Z_OK && deflate(&z, Z_FINISH) == Z_STREAM_END;
	*packed = z.total_out;
	deflateEnd(&z);
	return whole;
}
#endif

uint8_t *packed_bytes(enum packing packing, const void *bytes, size_t size, int level, size_t *packed)
{
	size_t room = size + size / 4 + 4096;
	uint8_t *out = malloc(room);
	bool done = false;

	*packed = 0;
	if (!out)
		bail_out("no memory");
	switch (packing) {
#ifdef WITH_ZLIB
	case PACKING_GZIP:
		done = gzip(bytes, size, level, out, room, packed);
		break;
#endif
#ifdef WITH_LZMA
	case PACKING_XZ:
		done = lzma_easy_buffer_encode((uint32_t)level, LZMA_CHECK_CRC32, NULL, bytes, size, out, packed, room) == LZMA_OK;
		break;
#endif
#ifdef WITH_ZSTD
	case PACKING_ZSTD: {
		ZSTD_CCtx *c = ZSTD_createCCtx();

		ZSTD_CCtx_setParameter(c, ZSTD_c_compressionLevel, level);
		ZSTD_CCtx_setParameter(c, ZSTD_c_checksumFlag, 1);
		*packed = ZSTD_compress2(c, out, room, bytes, size);
		done = !ZSTD_isError(*packed);
		ZSTD_freeCCtx(c);
		break;
	}
#endif
	default:
		(void)bytes, (void)level;
	}
	if (!done)
		bail_out("compressing with %s failed", packing_name(packing));
	return out;
}
