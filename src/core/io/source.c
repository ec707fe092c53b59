#include "source.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/base/progress.h"
#include "core/base/mem.h"
#include "regular.h"
#include "core/base/sha256.h"
#include "core/base/text.h"
#include "unpack.h"

#define NAME_SHOWN 200 /* leaves room for the rest of the sentence */

static const char *source_name_shown(const char *name, char buf[NAME_SHOWN])
{
	return text_safe(buf, NAME_SHOWN, name, SIZE_MAX, TEXT_UTF8);
}

static int64_t mtime_of(const struct stat *st)
{
	return (int64_t)st->st_mtim.tv_sec * 1000000000 + st->st_mtim.tv_nsec;
}

/* Not to be read, for it can be terabytes. */
static uint64_t hole_at_end(int fd, const struct stat *st)
{
	off_t end = st->st_size, data = 0, hole = 0;

	if (st->st_blocks >= end / 512)
		return 0;
	while (hole < end && (data = lseek(fd, hole, SEEK_DATA)) >= 0) {
		hole = lseek(fd, data, SEEK_HOLE);
		if (hole <= data)
			return 0;
	}
	return data < 0 && errno == ENXIO ? (uint64_t)(end - hole) : 0;
}

enum err_code source_open_file(struct source *source, const char *path, struct err *e)
{
	char name[NAME_SHOWN];
	struct stat st;
	enum err_code code;
	int fd;

	*source = (struct source){.fd = -1};
	code = regular_open(&fd, &st, path, e);
	if (code)
		return code;
	if (!st.st_size)
		code = err_set(e, ERR_IO, "%s is empty (0 bytes)", source_name_shown(path, name));
	source->name = code ? NULL : mem_strdup(path);
	if (!code && !source->name)
		code = err_memory(e, "a file name");
	if (code) {
		close(fd);
		return code;
	}
	source->fd = fd;
	source->file_size = (uint64_t)st.st_size;
	source->hole = hole_at_end(fd, &st);
	source->mtime_ns = mtime_of(&st);
	source->inode = st.st_ino;
	return ERR_OK;
}

enum err_code source_open_memory(struct source *source, const char *name, const void *bytes, size_t size, struct err *e)
{
	*source = (struct source){.fd = -1, .memory = bytes, .file_size = size};
	source->name = mem_strdup(name);
	return source->name ? ERR_OK : err_memory(e, "a source's name");
}

void source_release(struct source *source)
{
	unpack_free(source->unpack);
	if (source->fd >= 0)
		close(source->fd);
	mem_free(source->name);
	*source = (struct source){.fd = -1};
}

void source_release_files(struct source *sources, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++)
		source_release(&sources[i]);
	mem_free(sources);
}

/* Of the file as it is given. */
static enum err_code read_plain(const struct source *source, uint64_t offset, void *buf, size_t len, size_t *got, struct err *e)
{
	char name[NAME_SHOWN], why[80];

	*got = 0;
	if (offset >= source->file_size)
		return ERR_OK;
	if (len > source->file_size - offset)
		len = (size_t)(source->file_size - offset);
	if (source->fd < 0) {
		memcpy(buf, source->memory + offset, len);
		*got = len;
		return ERR_OK;
	}
	while (*got < len) {
		ssize_t n = pread(source->fd, (char *)buf + *got, len - *got, (off_t)(offset + *got));

		if (n > 0) {
			*got += (size_t)n;
		} else if (!n) {
			break;
		} else if (errno != EINTR) {
			return err_set(e, ERR_IO, "cannot read %s at byte %llu: %s", source_name_shown(source->name, name),
				       (unsigned long long)(offset + *got), strerror_r(errno, why, sizeof why));
		}
	}
	return ERR_OK;
}

enum err_code source_read(const struct source *source, uint64_t offset, void *buf, size_t len, size_t *got, struct err *e)
{
	if (source->unpack)
		return unpack_read(source->unpack, offset, buf, len, got, e);
	return read_plain(source, offset, buf, len, got, e);
}

uint64_t source_size(const struct source *source)
{
	return source->unpack ? unpack_size(source->unpack) : source->file_size;
}

uint64_t source_taken(const struct source *source, uint64_t offset)
{
	if (source->unpack)
		return unpack_taken(source->unpack, offset);
	return offset < source->file_size ? offset : source->file_size;
}

enum err_code source_find_size(const struct source *source, uint64_t *size, const struct progress *progress, struct err *e)
{
	enum { STEP = 1 << 20 };
	char name[NAME_SHOWN];

	for (uint64_t at = 0; (*size = source_size(source)) == SOURCE_SIZE_UNKNOWN; at += STEP) {
		uint8_t byte;
		size_t got;
		enum err_code code = source_read(source, at, &byte, 1, &got, e);

		if (!code && progress_stopped(progress))
			code = err_set(e, ERR_CANCELLED, "stopped while decompressing %s", source_name_shown(source->name, name));
		if (code)
			return code;
		progress_report(progress, PROGRESS_SCAN, source_taken(source, at), source->file_size);
	}
	return ERR_OK;
}

void source_rest(const struct source *source)
{
	if (source->unpack)
		unpack_rest(source->unpack);
}

enum err_code source_unchanged(const struct source *source, struct err *e)
{
	char name[NAME_SHOWN], why[80];
	struct stat st;

	if (source->fd < 0)
		return ERR_OK;
	if (fstat(source->fd, &st))
		return err_set(e, ERR_IO, "cannot look at %s again: %s", source_name_shown(source->name, name),
			       strerror_r(errno, why, sizeof why));
	if ((uint64_t)st.st_size != source->file_size)
		return err_set(e, ERR_IO,
			       "%s has %s since pas2p opened it (%llu bytes then, %llu now): is it still being written?",
			       source_name_shown(source->name, name), (uint64_t)st.st_size < source->file_size ? "shrunk" : "grown",
			       (unsigned long long)source->file_size, (unsigned long long)st.st_size);
	if (mtime_of(&st) != source->mtime_ns)
		return err_set(e, ERR_IO, "%s has been written to since pas2p opened it: is it still being written?",
			       source_name_shown(source->name, name));
	if (stat(source->name, &st))
		return err_set(e, ERR_IO, "%s has been removed since pas2p opened it", source_name_shown(source->name, name));
	if (st.st_ino != source->inode)
		return err_set(e, ERR_IO, "%s has been replaced by another file since pas2p opened it",
			       source_name_shown(source->name, name));
	return ERR_OK;
}

enum err_code source_sha256(const struct source *source, char hex[65], const struct progress *progress, struct err *e)
{
	enum { PIECE = 1 << 18 };
	enum err_code code = ERR_OK;
	struct sha256 h;
	uint8_t digest[32], *buf = mem_alloc(PIECE, 1);
	uint64_t at = 0;

	if (!buf)
		return err_memory(e, "hashing a file");
	sha256_start(&h);
	while (!code && at < source->file_size) {
		char name[NAME_SHOWN];
		size_t got;

		code = read_plain(source, at, buf, PIECE, &got, e);
		if (!code && !got)
			code = err_set(e, ERR_IO, "%s became shorter while pas2p read it", source_name_shown(source->name, name));
		if (code)
			break;
		sha256_add(&h, buf, got);
		at += got;
		if (progress_stopped(progress))
			code = err_set(e, ERR_CANCELLED, "stopped while hashing");
		progress_report(progress, PROGRESS_READ, at, source->file_size);
	}
	mem_free(buf);
	if (code)
		return code;
	sha256_finish(&h, digest);
	sha256_hex(digest, hex);
	return ERR_OK;
}

enum err_code source_sample(const struct source *source, char text[SOURCE_SAMPLE], struct err *e)
{
	enum { PIECE = 4096, PIECES = 16 };
	uint64_t last = source->file_size > PIECE ? source->file_size - PIECE : 0;
	uint8_t buf[PIECE], digest[32];
	enum err_code code = ERR_OK;
	struct sha256 h;
	char hex[65];

	sha256_start(&h);
	for (unsigned i = 0; !code && i < PIECES; i++) {
		size_t got;

		code = read_plain(source, last / (PIECES - 1) * i + (i == PIECES - 1 ? last % (PIECES - 1) : 0), buf, PIECE, &got, e);
		if (!code)
			sha256_add(&h, buf, got);
	}
	if (code)
		return code;
	sha256_finish(&h, digest);
	sha256_hex(digest, hex);
	snprintf(text, SOURCE_SAMPLE, "%llu bytes (digest of samples %.16s)", (unsigned long long)source->file_size, hex);
	return ERR_OK;
}
