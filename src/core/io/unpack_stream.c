#include "unpack.h"

#include <string.h>

#include "core/base/mem.h"
#include "core/base/text.h"
#include "source.h"

#define PIECE ((size_t)64 << 10)

struct unpack_stream {
	const struct source *file;
	enum packing packing;
	struct decoder *decoder;
	bool within;           /* a member */
	bool exhausted;        /* the file has no more bytes */
	uint64_t next;         /* byte of the file to read */
	size_t at, len;        /* of the bytes that were read and not taken yet */
	unsigned padding;      /* zeros since the last xz stream */
	enum unpack_end end;
	uint8_t in[PIECE];
};

enum err_code unpack_stream_new(struct unpack_stream **stream, const struct source *file, enum packing packing, struct err *e)
{
	struct unpack_stream *s = mem_zero(1, sizeof *s);
	enum err_code code = s ? decoder_new(&s->decoder, packing, e) : err_memory(e, "decompressing a file");

	*stream = s;
	if (code) {
		unpack_stream_free(s);
		*stream = NULL;
		return code;
	}
	s->file = file;
	s->packing = packing;
	return ERR_OK;
}

void unpack_stream_free(struct unpack_stream *stream)
{
	if (!stream)
		return;
	decoder_free(stream->decoder);
	mem_free(stream);
}

/* At least `want` bytes, if the file has as many. */
static enum err_code unpack_stream_fill(struct unpack_stream *s, size_t want, struct err *e)
{
	enum err_code code = ERR_OK;

	if (s->len - s->at >= want)
		return ERR_OK;
	memmove(s->in, s->in + s->at, s->len - s->at);
	s->len -= s->at;
	s->at = 0;
	while (!code && !s->exhausted && s->len < want) {
		size_t got;

		code = source_read(s->file, s->next, s->in + s->len, PIECE - s->len, &got, e);
		s->exhausted = !got;
		s->next += got;
		s->len += got;
	}
	return code;
}

/* Between members. xz lets zeros stand behind a stream, four by four. */
static enum err_code begin_member(struct unpack_stream *s, struct err *e)
{
	enum err_code code = unpack_stream_fill(s, PACKING_MAGIC, e);

	while (!code && s->packing == PACKING_XZ && s->at < s->len && !s->in[s->at]) {
		s->at++;
		s->padding++;
		code = unpack_stream_fill(s, PACKING_MAGIC, e);
	}
	if (code)
		return code;
	if (s->at == s->len) {
		s->end = s->padding % 4 || s->file->hole ? UNPACK_TAIL : UNPACK_WHOLE;
	} else if (s->padding % 4 || !decoder_member(s->decoder, s->in + s->at, s->len - s->at)) {
		s->end = UNPACK_TAIL;
	} else {
		if (!decoder_begin(s->decoder))
			return err_memory(e, "decompressing a file");
		s->within = true;
		s->padding = 0;
	}
	return ERR_OK;
}

static enum err_code unpack_stream_run(struct unpack_stream *s, uint8_t **out, size_t *left, struct err *e)
{
	enum err_code code = unpack_stream_fill(s, 1, e);
	const uint8_t *in = s->in + s->at;
	size_t in_left = s->len - s->at, before = in_left + *left;
	char name[200];

	if (code)
		return code;
	switch (decoder_run(s->decoder, &in, &in_left, out, left)) {
	case DECODER_MORE:
		if (in_left + *left == before)
			s->end = s->exhausted ? UNPACK_CUT : UNPACK_BAD;
		break;
	case DECODER_MEMBER:
		s->within = false;
		break;
	case DECODER_BAD:
		s->end = UNPACK_BAD;
		break;
	case DECODER_HUGE:
		return err_set(e, ERR_LIMIT, "%s needs more than %u MiB of memory to be decompressed\nhint: decompress "
			       "it first",
			       text_safe(name, sizeof name, s->file->name, SIZE_MAX, TEXT_UTF8), (unsigned)(DECODER_MOST >> 20));
	case DECODER_MEMORY:
		return err_memory(e, "decompressing a file");
	}
	s->at = s->len - in_left;
	return ERR_OK;
}

enum err_code unpack_stream_read(struct unpack_stream *stream, uint8_t *buf, size_t len, size_t *got, struct err *e)
{
	size_t left = len;
	enum err_code code = ERR_OK;

	while (!code && left && stream->end == UNPACK_OPEN) {
		if (stream->within)
			code = unpack_stream_run(stream, &buf, &left, e);
		else
			code = begin_member(stream, e);
	}
	*got = len - left;
	return code;
}

enum unpack_end unpack_stream_end(const struct unpack_stream *stream, uint64_t *at)
{
	*at = stream->next - (stream->len - stream->at);
	return stream->end;
}
