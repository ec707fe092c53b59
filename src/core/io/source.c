#include "source.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/base/job.h"
#include "core/base/mem.h"
#include "regular.h"
#include "core/base/sha256.h"
#include "core/base/text.h"

#define NAME_SHOWN 200 /* leaves room for the rest of the sentence */

static const char *shown(const char *name, char buf[NAME_SHOWN])
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

enum err_code source_open_file(struct source *s, const char *path, struct err *e)
{
	char name[NAME_SHOWN];
	struct stat st;
	enum err_code code;
	int fd;

	*s = (struct source){.fd = -1};
	code = regular_open(&fd, &st, path, e);
	if (code)
		return code;
	if (!st.st_size)
		code = err_set(e, ERR_IO, "%s is empty (0 bytes)", shown(path, name));
	s->name = code ? NULL : mem_strdup(path);
	if (!code && !s->name)
		code = err_memory(e, "a file name");
	if (code) {
		close(fd);
		return code;
	}
	s->fd = fd;
	s->size = (uint64_t)st.st_size;
	s->hole = hole_at_end(fd, &st);
	s->mtime_ns = mtime_of(&st);
	s->inode = st.st_ino;
	return ERR_OK;
}

enum err_code source_open_memory(struct source *s, const char *name, const void *bytes, size_t size, struct err *e)
{
	*s = (struct source){.fd = -1, .memory = bytes, .size = size};
	s->name = mem_strdup(name);
	return s->name ? ERR_OK : err_memory(e, "a source's name");
}

void source_release(struct source *s)
{
	if (s->fd >= 0)
		close(s->fd);
	mem_free(s->name);
	*s = (struct source){.fd = -1};
}

enum err_code source_read(const struct source *s, uint64_t offset, void *buf, size_t len, size_t *got, struct err *e)
{
	char name[NAME_SHOWN], why[80];

	*got = 0;
	if (offset >= s->size)
		return ERR_OK;
	if (len > s->size - offset)
		len = (size_t)(s->size - offset);
	if (s->fd < 0) {
		memcpy(buf, s->memory + offset, len);
		*got = len;
		return ERR_OK;
	}
	while (*got < len) {
		ssize_t n = pread(s->fd, (char *)buf + *got, len - *got, (off_t)(offset + *got));

		if (n > 0) {
			*got += (size_t)n;
		} else if (!n) {
			break;
		} else if (errno != EINTR) {
			return err_set(e, ERR_IO, "cannot read %s at byte %llu: %s", shown(s->name, name),
				       (unsigned long long)(offset + *got), strerror_r(errno, why, sizeof why));
		}
	}
	return ERR_OK;
}

enum err_code source_unchanged(const struct source *s, struct err *e)
{
	char name[NAME_SHOWN], why[80];
	struct stat st;

	if (s->fd < 0)
		return ERR_OK;
	if (fstat(s->fd, &st))
		return err_set(e, ERR_IO, "cannot look at %s again: %s", shown(s->name, name),
			       strerror_r(errno, why, sizeof why));
	if ((uint64_t)st.st_size != s->size)
		return err_set(e, ERR_IO, "%s has %s since it was opened (%llu bytes then, %llu now): still being written?",
			       shown(s->name, name), (uint64_t)st.st_size < s->size ? "shrunk" : "grown",
			       (unsigned long long)s->size, (unsigned long long)st.st_size);
	if (mtime_of(&st) != s->mtime_ns)
		return err_set(e, ERR_IO, "%s has been written to since it was opened: still being written?",
			       shown(s->name, name));
	if (stat(s->name, &st))
		return err_set(e, ERR_IO, "%s has been removed since it was opened", shown(s->name, name));
	if (st.st_ino != s->inode)
		return err_set(e, ERR_IO, "%s has been replaced by another file since it was opened", shown(s->name, name));
	return ERR_OK;
}

enum err_code source_sha256(const struct source *s, char hex[65], const struct job *job, struct err *e)
{
	enum { PIECE = 1 << 18 };
	enum err_code code = ERR_OK;
	struct sha256 h;
	uint8_t digest[32], *buf = mem_alloc(PIECE, 1);
	uint64_t at = 0;

	if (!buf)
		return err_memory(e, "hashing a file");
	sha256_start(&h);
	while (!code && at < s->size) {
		char name[NAME_SHOWN];
		size_t got;

		code = source_read(s, at, buf, PIECE, &got, e);
		if (!code && !got)
			code = err_set(e, ERR_IO, "%s became shorter while it was read", shown(s->name, name));
		if (code)
			break;
		sha256_add(&h, buf, got);
		at += got;
		if (job_stopped(job))
			code = err_set(e, ERR_CANCELLED, "hashing was stopped");
		job_progress(job, JOB_READ, at, s->size);
	}
	mem_free(buf);
	if (code)
		return code;
	sha256_finish(&h, digest);
	sha256_hex(digest, hex);
	return ERR_OK;
}
