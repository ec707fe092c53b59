/* Decompressed bytes by offset: what is behind a source that was opened as a compressed one.
 *
 *     source_open_file(&source, path, &e);
 *     source_unpack(&source, packing, &e);      from here on it reads as what is inside
 *
 * A thread decompresses ahead of who reads, into a ring of blocks; several threads may take from it. The first
 * SOURCE_HEAD bytes stay for good. A block that the ring has no more is made again from the file's beginning on, which
 * takes as long as the first time: who reads does so forwards, and threads not more than UNPACK_NEAR bytes apart.
 * Nothing is written to the disk. Memory: the decompressor's, DECODER_MOST at most, and 8 MiB for head and ring,
 * or what there is to decompress if that is less.
 */
#ifndef PAS2P_UNPACK_H
#define PAS2P_UNPACK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "source.h"
#include "core/base/err.h"
#include "packing.h"

/* ---- unpack_stream ---- */

/* A compressed file's bytes from its beginning to its end, decompressed: all members as one stream. */

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

/* ---- decoder ---- */

/* Decompressors: gzip, xz and zstd behind one interface, each there if its library was when this was built.
 *
 * A compressed file is members end to end: gzip members, xz streams, zstd frames. decoder_begin() begins one,
 * decoder_run() takes its bytes and gives what they decompress to, until it says that the member is at its end. Not for
 * several threads at once.
 */

#define DECODER_MOST (UINT64_C(256) << 20)         /* bytes of memory that a decompressor may want */

enum decoder_step {
	DECODER_MORE,    /* it goes on: give it more bytes, or more room */
	DECODER_MEMBER,  /* the member is at its end, and what it decompresses to was given */
	DECODER_BAD,     /* the bytes are no such member's, or their checksum is wrong; what was before that was given */
	DECODER_HUGE,    /* it would need more than DECODER_MOST */
	DECODER_MEMORY   /* an allocation failed */
};

struct decoder;

/* ERR_FORMAT, naming the package, if this was built without it; ERR_MEMORY. */
enum err_code decoder_new(struct decoder **decoder, enum packing packing, struct err *e);
void decoder_free(struct decoder *decoder); /* NULL is fine */

/* May bytes be the beginning of another member? As many are needed as PACKING_MAGIC says. */
bool decoder_member(const struct decoder *decoder, const uint8_t *bytes, size_t n);
bool decoder_begin(struct decoder *decoder); /* false: no memory */
/* Moves *in and *out on. With no bytes left it gives what it still has. */
enum decoder_step decoder_run(struct decoder *decoder, const uint8_t **in, size_t *in_left, uint8_t **out, size_t *out_left);

/* ---- unpack ---- */

#define UNPACK_NEAR ((uint64_t)4 << 20)

/* For a source that was opened as it is. What is wrong inside is found when it is read. ERR_FORMAT: not in this
 * build. */
enum err_code source_unpack(struct source *source, enum packing packing, struct err *e);

/* How it is compressed; PACKING_NONE. */
enum packing source_packing(const struct source *source);

/* How its end was, once it has been reached, and up to which byte of the file it was good. */
enum unpack_end source_end(const struct source *source, uint64_t *at);

/* How often it has been decompressed, wholly or in part. */
uint64_t source_unpacked(const struct source *source);

/* For source.c: what the functions of like names there do. */
void unpack_free(struct unpack *u);
enum err_code unpack_read(struct unpack *u, uint64_t offset, void *buf, size_t len, size_t *got, struct err *e);
uint64_t unpack_size(struct unpack *u);
uint64_t unpack_taken(struct unpack *u, uint64_t offset);
void unpack_rest(struct unpack *u);

#endif
