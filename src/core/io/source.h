/* A source: bytes by offset, from a file or from memory, as they are or decompressed (unpack.h).
 *
 * Everything that parses takes a source, so that tests and fuzzers feed bytes without files. A file is
 * read with pread, never mapped: a trace that is truncated or rewritten while we read it gives a short
 * read and a sentence, not SIGBUS. Safe to read from several threads at once.
 *
 * Parsers call source_size(), never file_size: the size of a decompressed source is not known until its end has been
 * reached, and until then source_size() is SOURCE_SIZE_UNKNOWN, larger than any offset. So parsers read from the
 * beginning until source_read() returns less than they asked for. Several threads may read a source when they are not
 * far apart. Going back by more than some MiB decompresses it again, except for its first SOURCE_HEAD bytes, which are
 * kept.
 */
#ifndef PAS2P_SOURCE_H
#define PAS2P_SOURCE_H

#include <stddef.h>
#include <stdint.h>

#include "core/base/err.h"

#define SOURCE_SIZE_UNKNOWN UINT64_MAX
#define SOURCE_HEAD ((size_t)1 << 20)

struct unpack;

struct source {
	char *name;            /* path or label, as given; owned */
	uint64_t file_size;    /* bytes of the file as it is given, when opened */
	uint64_t hole;         /* bytes of the hole in which a sparse file ends: nothing was ever written there; 0 if decompressed */
	int fd;                /* -1: memory */
	const uint8_t *memory; /* not owned */
	int64_t mtime_ns;      /* when opened; 0 for memory */
	uint64_t inode;
	struct unpack *unpack; /* the decompressor, owned; NULL: its bytes are those of the file */
};

/* Refuses, with ERR_IO and a sentence that says what it is, anything but a readable regular file:
 * directories, pipes, sockets, devices, 0-byte files. */
enum err_code source_open_file(struct source *source, const char *path, struct err *e);
enum err_code source_open_memory(struct source *source, const char *name, const void *bytes, size_t size,
				 struct err *e);
void source_release(struct source *source);

void source_release_files(struct source *sources, uint32_t count); /* and the array; NULL is fine with 0 */

/* Read up to len bytes at offset into buf; *got is less than len only at the end of the source (also
 * where the file has become shorter since it was opened). */
enum err_code source_read(const struct source *source, uint64_t offset, void *buf, size_t len, size_t *got,
			  struct err *e);

/* Bytes that there are to read, or SOURCE_SIZE_UNKNOWN. */
uint64_t source_size(const struct source *source);

/* Of the file's file_size bytes, about how many it took to read up to the offset: for progress. */
uint64_t source_taken(const struct source *source, uint64_t offset);

/* The size after all, for what must know it before it reads: reads to the end where it is not known. ERR_CANCELLED. */
struct progress;
enum err_code source_find_size(const struct source *source, uint64_t *size, const struct progress *progress, struct err *e);

/* Nothing will be read for a while: gives back what memory it can. */
void source_rest(const struct source *source);

/* ERR_IO if the file has been changed or replaced since it was opened ("still being written"). */
enum err_code source_unchanged(const struct source *source, struct err *e);

/* SHA-256 of the file's bytes, as it is given, as 64 lower-case hex digits and a NUL. */
enum err_code source_sha256(const struct source *source, char hex[65], const struct progress *progress, struct err *e);

/* Which file it is, briefly: how many bytes it has as it is given, and a digest of some of them, from its beginning to
 * its end. For who has another copy of it elsewhere. */
#define SOURCE_SAMPLE 64
enum err_code source_sample(const struct source *source, char text[SOURCE_SAMPLE], struct err *e);

#endif
