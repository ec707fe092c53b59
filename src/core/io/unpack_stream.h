/* A compressed file's bytes from its beginning to its end, decompressed: all members as one stream. */
#ifndef PAS2P_UNPACK_STREAM_H
#define PAS2P_UNPACK_STREAM_H

#include "decoder.h"

struct source;
struct unpack_stream;

/* How the stream ended. */
enum unpack_end {
	UNPACK_OPEN,   /* it has not, or not been told yet */
	UNPACK_WHOLE,
	UNPACK_TAIL,   /* bytes that are no member follow the last one */
	UNPACK_CUT,    /* the file ends inside a member */
	UNPACK_BAD     /* a member is damaged */
};

/* The file, as it is given, must outlive it. */
enum err_code unpack_stream_new(struct unpack_stream **stream, const struct source *file, enum packing packing, struct err *e);
void unpack_stream_free(struct unpack_stream *stream); /* NULL is fine */

/* The next len bytes; *got is less only at the end. ERR_LIMIT: it would need too much memory. */
enum err_code unpack_stream_read(struct unpack_stream *stream, uint8_t *buf, size_t len, size_t *got, struct err *e);

/* How it ended, and at which byte of the file what was good did; so far: the bytes that were taken. */
enum unpack_end unpack_stream_end(const struct unpack_stream *stream, uint64_t *at);

#endif
