#include "regular.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

#include "core/base/mem.h"
#include "core/base/text.h"

#define NAME_SHOWN 200 /* leaves room for the rest of the sentence */

static const char *regular_name_shown(const char *path, char buf[NAME_SHOWN])
{
	return text_safe(buf, NAME_SHOWN, path, SIZE_MAX, TEXT_UTF8);
}

static enum err_code regular_failed(const char *what, const char *path, int error, struct err *e)
{
	char name[NAME_SHOWN], why[80];

	return err_set(e, ERR_IO, "cannot %s %s: %s", what, regular_name_shown(path, name), strerror_r(error, why, sizeof why));
}

static enum err_code regular_check(const char *path, const struct stat *st, struct err *e)
{
	char name[NAME_SHOWN];
	const char *what;

	switch (st->st_mode & S_IFMT) {
	case S_IFREG: return ERR_OK;
	case S_IFDIR: what = "a directory: expected a file"; break;
	case S_IFIFO: what = "a pipe: save it to a file first"; break;
	case S_IFSOCK: what = "a socket, not a regular file"; break;
	case S_IFLNK: what = "a link, not a regular file"; break;
	default: what = "a device, not a regular file";
	}
	return err_set(e, ERR_IO, "%s is %s", regular_name_shown(path, name), what);
}

/* The file `name` in a folder; sentences call it `path`. */
static enum err_code open_in(int *fd, struct stat *st, int folder, const char *name, bool follow, const char *path,
			     struct err *e)
{
	enum err_code code;

	*fd = -1;
	if (!*name)
		return err_set(e, ERR_IO, "cannot open a file without a name");
	if (fstatat(folder, name, st, follow ? 0 : AT_SYMLINK_NOFOLLOW) != 0)
		return regular_failed("open", path, errno, e);
	code = regular_check(path, st, e);
	if (code)
		return code;
	*fd = openat(folder, name, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK | (follow ? 0 : O_NOFOLLOW));
	if (*fd < 0)
		return regular_failed("open", path, errno, e);
	/* Again: the path may name another file by now. */
	code = fstat(*fd, st) == 0 ? regular_check(path, st, e) : regular_failed("open", path, errno, e);
	if (code) {
		close(*fd);
		*fd = -1;
	}
	return code;
}

enum err_code regular_open(int *fd, struct stat *st, const char *path, struct err *e)
{
	return open_in(fd, st, AT_FDCWD, path, true, path, e);
}

static enum err_code too_long(const char *path, size_t most, struct err *e)
{
	char name[NAME_SHOWN];

	return err_set(e, ERR_LIMIT, "%s has more than %zu bytes, the limit for a file of this "
		       "kind", regular_name_shown(path, name),
		       most);
}

static enum err_code regular_read_all(int fd, const char *path, size_t most, size_t cap, char **bytes, size_t *size, struct err *e)
{
	char name[NAME_SHOWN];
	size_t n = 0;

	for (;;) {
		ssize_t got;

		if (!*bytes || n + 1 == cap) {
			char *moved = mem_resize(*bytes, *bytes ? cap *= 2 : cap, 1);

			if (!moved)
				return err_memory(e, regular_name_shown(path, name));
			*bytes = moved;
		}
		got = read(fd, *bytes + n, cap - 1 - n);
		if (!got)
			break;
		if (got < 0 && errno != EINTR)
			return regular_failed("read", path, errno, e);
		n += got > 0 ? (size_t)got : 0;
		if (n > most)
			return too_long(path, most, e);
	}
	(*bytes)[n] = '\0';
	*size = n;
	return ERR_OK;
}

static enum err_code read_in(int folder, const char *name, bool follow, const char *path, size_t most, char **bytes,
			     size_t *size, struct err *e)
{
	struct stat st;
	enum err_code code;
	int fd;

	*bytes = NULL;
	*size = 0;
	code = open_in(&fd, &st, folder, name, follow, path, e);
	if (code)
		return code;
	if ((uint64_t)st.st_size > most)
		code = too_long(path, most, e);
	else
		code = regular_read_all(fd, path, most, (size_t)st.st_size + 2, bytes, size, e);
	close(fd);
	if (code) {
		mem_free(*bytes);
		*bytes = NULL;
	}
	return code;
}

enum err_code regular_read(const char *path, size_t most, char **bytes, size_t *size, struct err *e)
{
	return read_in(AT_FDCWD, path, true, path, most, bytes, size, e);
}

enum err_code regular_read_in(int folder, const char *name, const char *path, size_t most, char **bytes, size_t *size,
			      struct err *e)
{
	return read_in(folder, name, false, path, most, bytes, size, e);
}

bool regular_begins(const char *path, const char *text)
{
	char head[32];
	size_t n = strlen(text);
	struct stat st;
	int fd = n <= sizeof head ? open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK) : -1;
	bool begins = fd >= 0 && fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && pread(fd, head, n, 0) == (ssize_t)n &&
		      memcmp(head, text, n) == 0;

	if (fd >= 0)
		close(fd);
	return begins;
}
