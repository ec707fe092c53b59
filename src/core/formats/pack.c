#include "pack.h"

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
	enum pack pack;
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

struct input {
	const uint8_t *bytes;
	size_t n;
	bool last;
};

/* One step of a library: from the input into the room. */
struct step {
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

static struct step step_gzip(struct packer *p, struct input *in)
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
	return (struct step){ROOM - p->gzip.avail_out, said != Z_OK && said != Z_STREAM_END && said != Z_BUF_ERROR,
			     in->last ? said == Z_STREAM_END : !in->n && p->gzip.avail_out};
}
#endif

#ifdef WITH_LZMA
static bool begin_xz(struct packer *p)
{
	p->xz = (lzma_stream)LZMA_STREAM_INIT;
	return lzma_easy_encoder(&p->xz, 6, LZMA_CHECK_CRC64) == LZMA_OK;
}

static struct step step_xz(struct packer *p, struct input *in)
{
	lzma_ret said;

	p->xz.next_in = in->bytes;
	p->xz.avail_in = in->n;
	p->xz.next_out = p->room;
	p->xz.avail_out = ROOM;
	said = lzma_code(&p->xz, in->last ? LZMA_FINISH : LZMA_RUN);
	in->bytes = p->xz.next_in;
	in->n = p->xz.avail_in;
	return (struct step){ROOM - p->xz.avail_out, said != LZMA_OK && said != LZMA_STREAM_END && said != LZMA_BUF_ERROR,
			     in->last ? said == LZMA_STREAM_END : !in->n && p->xz.avail_out};
}
#endif

#ifdef WITH_ZSTD
static bool begin_zstd(struct packer *p)
{
	p->zstd = ZSTD_createCCtx();
	return p->zstd && !ZSTD_isError(ZSTD_CCtx_setParameter(p->zstd, ZSTD_c_checksumFlag, 1));
}

static struct step step_zstd(struct packer *p, struct input *in)
{
	ZSTD_inBuffer from = {in->bytes, in->n, 0};
	ZSTD_outBuffer to = {p->room, ROOM, 0};
	size_t left = ZSTD_compressStream2(p->zstd, &to, &from, in->last ? ZSTD_e_end : ZSTD_e_continue);

	in->bytes += from.pos;
	in->n -= from.pos;
	return (struct step){to.pos, ZSTD_isError(left) != 0, in->last ? !left : !in->n && to.pos < ROOM};
}
#endif

/* ---- the table ---- */

static const struct {
	const char *name, *ending;
	bool (*begin)(struct packer *p);
	struct step (*step)(struct packer *p, struct input *in);
} packs[PACK_KINDS] = {
	[PACK_NONE] = {"", "", NULL, NULL},
#ifdef WITH_ZLIB
	[PACK_GZIP] = {"gzip", ".gz", begin_gzip, step_gzip},
#else
	[PACK_GZIP] = {"gzip", ".gz", NULL, NULL},
#endif
#ifdef WITH_LZMA
	[PACK_XZ] = {"xz", ".xz", begin_xz, step_xz},
#else
	[PACK_XZ] = {"xz", ".xz", NULL, NULL},
#endif
#ifdef WITH_ZSTD
	[PACK_ZSTD] = {"Zstandard", ".zst", begin_zstd, step_zstd},
#else
	[PACK_ZSTD] = {"Zstandard", ".zst", NULL, NULL},
#endif
};

enum pack pack_of_name(const char *name)
{
	size_t n = strlen(name);

	for (int pack = PACK_NONE + 1; pack < PACK_KINDS; pack++) {
		size_t length = strlen(packs[pack].ending);

		if (n > length && !strcmp(name + n - length, packs[pack].ending))
			return (enum pack)pack;
	}
	return PACK_NONE;
}

const char *pack_ending(enum pack pack)
{
	return packs[pack].ending;
}

const char *pack_name(enum pack pack)
{
	return packs[pack].name;
}

bool pack_is_built(enum pack pack)
{
	return packs[pack].begin;
}

enum err_code packer_new(struct packer **out, enum pack pack, struct err *e)
{
	struct packer *p;

	*out = NULL;
	if (!packs[pack].begin)
		return err_set(e, ERR_USAGE, "this build of pas2p cannot compress with %s", packs[pack].name);
	p = mem_zero(1, sizeof *p);
	if (!p)
		return err_memory(e, "compressing");
	p->pack = pack;
	if (!packs[pack].begin(p)) {
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
	if (p->pack == PACK_GZIP)
		deflateEnd(&p->gzip);
#endif
#ifdef WITH_LZMA
	if (p->pack == PACK_XZ)
		lzma_end(&p->xz);
#endif
#ifdef WITH_ZSTD
	if (p->pack == PACK_ZSTD)
		ZSTD_freeCCtx(p->zstd);
#endif
	mem_free(p);
}

enum err_code packer_run(struct packer *p, const uint8_t *bytes, size_t n, bool last,
			 bool (*sink)(void *arg, const uint8_t *bytes, size_t n), void *arg, struct err *e)
{
	struct input in = {bytes, n, last};
	struct step step = {.over = !n && !last};

	while (!step.over) {
		step = packs[p->pack].step(p, &in);
		if (step.failed)
			return err_set(e, ERR_MEMORY, "compressing with %s failed: out of memory", packs[p->pack].name);
		if (step.made && !sink(arg, p->room, step.made))
			return err_set(e, ERR_IO, "what is compressed cannot be written");
	}
	return ERR_OK;
}
