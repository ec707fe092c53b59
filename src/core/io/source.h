/* A source: bytes by offset, from a file or from memory.
 *
 * Everything that parses takes a source, so that tests and fuzzers feed bytes without files. A file is
 * read with pread, never mapped: a trace that is truncated or rewritten while we read it gives a short
 * read and a sentence, not SIGBUS. Safe to read from several threads at once.
 */
#ifndef PAS2P_SOURCE_H
#define PAS2P_SOURCE_H

#include <stddef.h>
#include <stdint.h>

#include "core/base/err.h"

struct source {
	char *name;            /* path or label, as given; owned */
	uint64_t size;         /* bytes when opened */
	uint64_t hole;         /* bytes of the hole in which a sparse file ends: nothing was ever written there */
	int fd;                /* -1: memory */
	const uint8_t *memory; /* not owned */
	int64_t mtime_ns;      /* when opened; 0 for memory */
	uint64_t inode;
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

/* ERR_IO if the file has been changed or replaced since it was opened ("still being written"). */
enum err_code source_unchanged(const struct source *source, struct err *e);

/* SHA-256 of all bytes as 64 lower-case hex digits and a NUL. */
struct job;
enum err_code source_sha256(const struct source *source, char hex[65], const struct job *job, struct err *e);

#endif
