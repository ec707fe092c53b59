#include "unpack.h"

#include <string.h>

#include "core/base/mem.h"

#ifdef WITH_ZLIB
#define ZLIB_CONST
#include <zlib.h>
#endif
#ifdef WITH_LZMA
#include <lzma.h>
#endif
#ifdef WITH_ZSTD
#include <zstd.h>
#include <zstd_errors.h>
#endif

struct decoder {
	enum packing packing;
	bool begun;          /* the library's state is there */
#ifdef WITH_ZLIB
	z_stream gzip;
#endif
#ifdef WITH_LZMA
	lzma_stream xz;
#endif
#ifdef WITH_ZSTD
	ZSTD_DCtx *zstd;
#endif
};

/* ---- zlib ---- */

#ifdef WITH_ZLIB
static void *gzip_alloc(void *opaque, unsigned count, unsigned size)
{
	(void)opaque;
	return mem_alloc(count, size);
}

static void gzip_free(void *opaque, void *p)
{
	(void)opaque;
	mem_free(p);
}

static bool gzip_begin(struct decoder *d)
{
	if (d->begun)
		return inflateReset(&d->gzip) == Z_OK;
	d->gzip = (z_stream){.zalloc = gzip_alloc, .zfree = gzip_free};
	return inflateInit2(&d->gzip, 16 + MAX_WBITS) == Z_OK;
}

static enum decoder_step gzip_run(struct decoder *d, const uint8_t **in, size_t *in_left, uint8_t **out, size_t *out_left)
{
	z_stream *z = &d->gzip;
	int said;

	z->next_in = *in;
	z->avail_in = (unsigned)*in_left;
	z->next_out = *out;
	z->avail_out = (unsigned)*out_left;
	said = inflate(z, Z_NO_FLUSH);
	*in = z->next_in;
	*in_left = z->avail_in;
	*out = z->next_out;
	*out_left = z->avail_out;
	if (said == Z_STREAM_END)
		return DECODER_MEMBER;
	if (said == Z_MEM_ERROR)
		return DECODER_MEMORY;
	return said == Z_OK || said == Z_BUF_ERROR ? DECODER_MORE : DECODER_BAD;
}
#endif

/* ---- liblzma ---- */

#ifdef WITH_LZMA
static void *xz_alloc(void *opaque, size_t count, size_t size)
{
	(void)opaque;
	return mem_alloc(count, size);
}

static void xz_free(void *opaque, void *p)
{
	(void)opaque;
	mem_free(p);
}

static const lzma_allocator xz_allocator = {xz_alloc, xz_free, NULL};

static bool xz_begin(struct decoder *d)
{
	if (!d->begun)
		d->xz = (lzma_stream){.allocator = &xz_allocator};
	return lzma_stream_decoder(&d->xz, DECODER_MOST, 0) == LZMA_OK;
}

static enum decoder_step xz_run(struct decoder *d, const uint8_t **in, size_t *in_left, uint8_t **out, size_t *out_left)
{
	lzma_stream *x = &d->xz;
	lzma_ret said;

	x->next_in = *in;
	x->avail_in = *in_left;
	x->next_out = *out;
	x->avail_out = *out_left;
	said = lzma_code(x, LZMA_RUN);
	*in = x->next_in;
	*in_left = x->avail_in;
	*out = x->next_out;
	*out_left = x->avail_out;
	switch (said) {
	case LZMA_STREAM_END:
		return DECODER_MEMBER;
	case LZMA_OK:
	case LZMA_BUF_ERROR:
		return DECODER_MORE;
	case LZMA_MEMLIMIT_ERROR:
		return DECODER_HUGE;
	case LZMA_MEM_ERROR:
		return DECODER_MEMORY;
	default:
		return DECODER_BAD;
	}
}
#endif

/* ---- libzstd ---- */

#ifdef WITH_ZSTD
#define ZSTD_WINDOW_LOG 27 /* with one of 2^28 it would need more than DECODER_MOST */

static bool zstd_begin(struct decoder *d)
{
	if (d->begun)
		return !ZSTD_isError(ZSTD_DCtx_reset(d->zstd, ZSTD_reset_session_only));
	d->zstd = ZSTD_createDCtx();
	return d->zstd && !ZSTD_isError(ZSTD_DCtx_setParameter(d->zstd, ZSTD_d_windowLogMax, ZSTD_WINDOW_LOG));
}

static enum decoder_step zstd_run(struct decoder *d, const uint8_t **in, size_t *in_left, uint8_t **out, size_t *out_left)
{
	ZSTD_inBuffer from = {*in, *in_left, 0};
	ZSTD_outBuffer to = {*out, *out_left, 0};
	size_t said = ZSTD_decompressStream(d->zstd, &to, &from);

	*in += from.pos;
	*in_left -= from.pos;
	*out += to.pos;
	*out_left -= to.pos;
	if (!said)
		return DECODER_MEMBER;
	if (!ZSTD_isError(said))
		return DECODER_MORE;
	switch (ZSTD_getErrorCode(said)) {
	case ZSTD_error_frameParameter_windowTooLarge:
		return DECODER_HUGE;
	case ZSTD_error_memory_allocation:
		return DECODER_MEMORY;
	default:
		return DECODER_BAD;
	}
}
#endif

/* ---- whichever ---- */

enum err_code decoder_new(struct decoder **decoder, enum packing packing, struct err *e)
{
	*decoder = NULL;
	if (!packing_built(packing))
		return err_set(e, ERR_FORMAT, "this pas2p was built without %s\nhint: install Debian's %s and build "
			       "pas2p again, or decompress the file first",
			       packing_name(packing), packing_package(packing));
	*decoder = mem_zero(1, sizeof **decoder);
	if (!*decoder)
		return err_memory(e, "decompressing a file");
	(*decoder)->packing = packing;
	return ERR_OK;
}

void decoder_free(struct decoder *decoder)
{
	if (!decoder)
		return;
#ifdef WITH_ZLIB
	if (decoder->packing == PACKING_GZIP && decoder->begun)
		inflateEnd(&decoder->gzip);
#endif
#ifdef WITH_LZMA
	if (decoder->packing == PACKING_XZ)
		lzma_end(&decoder->xz);
#endif
#ifdef WITH_ZSTD
	ZSTD_freeDCtx(decoder->zstd);
#endif
	mem_free(decoder);
}

bool decoder_member(const struct decoder *decoder, const uint8_t *bytes, size_t n)
{
	return packing_begins(decoder->packing, bytes, n);
}

bool decoder_begin(struct decoder *decoder)
{
	bool begun = false;

	switch (decoder->packing) {
#ifdef WITH_ZLIB
	case PACKING_GZIP:
		begun = gzip_begin(decoder);
		break;
#endif
#ifdef WITH_LZMA
	case PACKING_XZ:
		begun = xz_begin(decoder);
		break;
#endif
#ifdef WITH_ZSTD
	case PACKING_ZSTD:
		begun = zstd_begin(decoder);
		break;
#endif
	default:
		break;
	}
	decoder->begun |= begun;
	return begun;
}

enum decoder_step decoder_run(struct decoder *decoder, const uint8_t **in, size_t *in_left, uint8_t **out, size_t *out_left)
{
	switch (decoder->packing) {
#ifdef WITH_ZLIB
	case PACKING_GZIP:
		return gzip_run(decoder, in, in_left, out, out_left);
#endif
#ifdef WITH_LZMA
	case PACKING_XZ:
		return xz_run(decoder, in, in_left, out, out_left);
#endif
#ifdef WITH_ZSTD
	case PACKING_ZSTD:
		return zstd_run(decoder, in, in_left, out, out_left);
#endif
	default:
		(void)in, (void)in_left, (void)out, (void)out_left;
		return DECODER_BAD;
	}
}
