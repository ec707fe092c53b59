#include "api.h"

#include <string.h>
#ifdef WITH_ZLIB
#include <zlib.h>
#endif
#ifdef WITH_LZMA
#include <lzma.h>
#endif
#ifdef WITH_ZSTD
#include <zstd.h>
#endif

#include "core/base/mem.h"

#define ROOM ((size_t)65536)

struct packer {
	enum packing packing;
#ifdef WITH_ZLIB
	z_stream gzip;
#endif
#ifdef WITH_LZMA
	lzma_stream xz;
#endif
#ifdef WITH_ZSTD
	ZSTD_CCtx *zstd;
#endif
	uint8_t room[ROOM];
};

struct pack_input {
	const uint8_t *bytes;
	size_t n;
	bool last;
};

/* One step of a library: from the input into the room. */
struct pack_step {
	size_t made;
	bool failed, over; /* it has no more to say of this input */
};

/* ---- the libraries ---- */

#ifdef WITH_ZLIB
static bool begin_gzip(struct packer *p)
{
	/* 16: a header of gzip's, which has no time and no name then. */
	return deflateInit2(&p->gzip, Z_DEFAULT_COMPRESSION, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY) == Z_OK;
}

static struct pack_step step_gzip(struct packer *p, struct pack_input *in)
{
	uInt take = in->n < 1u << 30 ? (uInt)in->n : 1u << 30;
	bool last = in->last && take == in->n;
	int said;

	p->gzip.next_in = (Bytef *)(uintptr_t)in->bytes;
	p->gzip.avail_in = take;
	p->gzip.next_out = p->room;
	p->gzip.avail_out = ROOM;
	said = deflate(&p->gzip, last ? Z_FINISH : Z_NO_FLUSH);
	take -= p->gzip.avail_in;
	in->bytes += take;
	in->n -= take;
	return (struct pack_step){ROOM - p->gzip.avail_out, said != Z_OK && said != Z_STREAM_END && said != Z_BUF_ERROR,
			     in->last ? said == Z_STREAM_END : !in->n && p->gzip.avail_out};
}
#endif

#ifdef WITH_LZMA
static bool begin_xz(struct packer *p)
{
	p->xz = (lzma_stream)LZMA_STREAM_INIT;
	return lzma_easy_encoder(&p->xz, 6, LZMA_CHECK_CRC64) == LZMA_OK;
}

static struct pack_step step_xz(struct packer *p, struct pack_input *in)
{
	lzma_ret said;

	p->xz.next_in = in->bytes;
	p->xz.avail_in = in->n;
	p->xz.next_out = p->room;
	p->xz.avail_out = ROOM;
	said = lzma_code(&p->xz, in->last ? LZMA_FINISH : LZMA_RUN);
	in->bytes = p->xz.next_in;
	in->n = p->xz.avail_in;
	return (struct pack_step){ROOM - p->xz.avail_out, said != LZMA_OK && said != LZMA_STREAM_END && said != LZMA_BUF_ERROR,
			     in->last ? said == LZMA_STREAM_END : !in->n && p->xz.avail_out};
}
#endif

#ifdef WITH_ZSTD
static bool begin_zstd(struct packer *p)
{
	p->zstd = ZSTD_createCCtx();
	return p->zstd && !ZSTD_isError(ZSTD_CCtx_setParameter(p->zstd, ZSTD_c_checksumFlag, 1));
}

static struct pack_step step_zstd(struct packer *p, struct pack_input *in)
{
	ZSTD_inBuffer from = {in->bytes, in->n, 0};
	ZSTD_outBuffer to = {p->room, ROOM, 0};
	size_t left = ZSTD_compressStream2(p->zstd, &to, &from, in->last ? ZSTD_e_end : ZSTD_e_continue);

	in->bytes += from.pos;
	in->n -= from.pos;
	return (struct pack_step){to.pos, ZSTD_isError(left) != 0, in->last ? !left : !in->n && to.pos < ROOM};
}
#endif

/* ---- the table ---- */

static const struct {
	bool (*begin)(struct packer *p);
	struct pack_step (*step)(struct packer *p, struct pack_input *in);
} packers[PACKINGS] = {
	[PACKING_NONE] = {NULL, NULL},
#ifdef WITH_ZLIB
	[PACKING_GZIP] = {begin_gzip, step_gzip},
#endif
#ifdef WITH_LZMA
	[PACKING_XZ] = {begin_xz, step_xz},
#endif
#ifdef WITH_ZSTD
	[PACKING_ZSTD] = {begin_zstd, step_zstd},
#endif
};

enum err_code packer_new(struct packer **out, enum packing packing, struct err *e)
{
	struct packer *p;

	*out = NULL;
	if (!packers[packing].begin)
		return err_set(e, ERR_USAGE, "this build of pas2p cannot compress with %s", packing_name(packing));
	p = mem_zero(1, sizeof *p);
	if (!p)
		return err_memory(e, "compressing");
	p->packing = packing;
	if (!packers[packing].begin(p)) {
		packer_free(p);
		return err_memory(e, "compressing");
	}
	*out = p;
	return ERR_OK;
}

void packer_free(struct packer *p)
{
	if (!p)
		return;
#ifdef WITH_ZLIB
	if (p->packing == PACKING_GZIP)
		deflateEnd(&p->gzip);
#endif
#ifdef WITH_LZMA
	if (p->packing == PACKING_XZ)
		lzma_end(&p->xz);
#endif
#ifdef WITH_ZSTD
	if (p->packing == PACKING_ZSTD)
		ZSTD_freeCCtx(p->zstd);
#endif
	mem_free(p);
}

enum err_code packer_run(struct packer *p, const uint8_t *bytes, size_t n, bool last,
			 bool (*sink)(void *arg, const uint8_t *bytes, size_t n), void *arg, struct err *e)
{
	struct pack_input in = {bytes, n, last};
	struct pack_step step = {.over = !n && !last};

	while (!step.over) {
		step = packers[p->packing].step(p, &in);
		if (step.failed)
			return err_set(e, ERR_MEMORY, "cannot compress with %s: not enough "
				       "memory", packing_name(p->packing));
		if (step.made && !sink(arg, p->room, step.made))
			return err_set(e, ERR_IO, "cannot write the compressed data");
	}
	return ERR_OK;
}
