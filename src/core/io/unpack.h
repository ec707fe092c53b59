/* Decompressed bytes by offset: what is behind a source that was opened as a compressed one.
 *
 *     source_open_file(&source, path, &e);
 *     source_unpack(&source, packing, &e);      from here on it reads as what is inside
 *
 * A thread decompresses ahead of who reads, into a ring of blocks; several threads may take from it. The first
 * SOURCE_HEAD bytes stay for good. A block that the ring has no more is made again from the file's beginning on, which
 * takes as long as the first time: who reads does so forwards, and threads not more than UNPACK_NEAR bytes apart.
 * Nothing is written to the disk. Memory: the decompressor's, 256 MiB at most (decoder.h), and 8 MiB for head and ring,
 * or what there is to decompress if that is less.
 */
#ifndef PAS2P_UNPACK_H
#define PAS2P_UNPACK_H

#include "decoder.h"
#include "source.h"
#include "unpack_stream.h"

#define UNPACK_NEAR ((uint64_t)4 << 20)

/* Of a source that was opened as it is. What is wrong inside is found when it is read. ERR_FORMAT: not in this
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
