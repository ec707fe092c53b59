#include "files.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "out_file.h"
#include "core/base/text.h"
#include "walk.h"

enum err_code files_join(char to[PATH_MAX], const char *folder, const char *name, struct err *e)
{
	if (snprintf(to, PATH_MAX, "%s/%s", folder, name) >= PATH_MAX)
		return err_set(e, ERR_LIMIT, "the path of a folder is too long");
	return ERR_OK;
}

int files_open_folder(int in, const char *name)
{
	return openat(in, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
}

/* Where others may rename what is not theirs, the name may have become that of something else before it is opened. */
static bool is_fresh(int fd)
{
	struct stat st;

	return fd >= 0 && fstat(fd, &st) == 0 && st.st_uid == geteuid() && !(st.st_mode & 022) && st.st_nlink <= 2;
}

enum err_code files_make(char *name, int *fd, struct err *e)
{
	enum err_code code = ERR_OK;

	*fd = -1;
	if (!mkdtemp(name)) {
		code = walk_failed(name, "make", e);
	} else if (!is_fresh(*fd = files_open_folder(AT_FDCWD, name))) {
		char safe[256];

		code = err_set(e, ERR_IO, "%s belongs to another user, although pas2p just made it: was it replaced?",
			       text_safe(safe, sizeof safe, name, SIZE_MAX, TEXT_UTF8));
		if (*fd >= 0)
			close(*fd);
	}
	if (!code)
		return ERR_OK;
	*fd = -1;
	name[0] = '\0';
	return code;
}

enum err_code files_write(int in, const char *name, const char *shown, const char *bytes, size_t size, struct err *e)
{
	struct out_file f = {.straight = true};
	enum err_code code;

	text_safe(f.path, sizeof f.path, shown, SIZE_MAX, TEXT_UTF8);
	f.fd = openat(in, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
	if (f.fd < 0)
		return walk_failed(shown, "write", e);
	code = out_file_write(&f, bytes, size, e);
	if (!code)
		(void)fsync(f.fd);
	return code ? code : out_file_commit(&f, e);
}

struct removal {
	bool anyones;
	dev_t device;
};

/* Is the name still that of the folder? rmdir() alone would take any empty one. */
static enum err_code remove_folder(int in, const char *name, const struct stat *st, struct err *e)
{
	struct stat now;

	if (fstatat(in, name, &now, AT_SYMLINK_NOFOLLOW) != 0)
		return errno == ENOENT ? ERR_OK : walk_failed(name, "look at", e);
	if (now.st_dev != st->st_dev || now.st_ino != st->st_ino) {
		errno = ESTALE;
		return walk_failed(name, "remove", e);
	}
	if (unlinkat(in, name, AT_REMOVEDIR) != 0 && errno != ENOENT)
		return walk_failed(name, "remove", e);
	return ERR_OK;
}

static enum err_code remove_one(void *arg, const struct walk_entry *entry, struct err *e)
{
	const struct removal *r = arg;

	if (entry->left)
		return remove_folder(entry->folder, entry->name, entry->st, e);
	errno = entry->st->st_dev != r->device ? EXDEV : EPERM;
	if (entry->st->st_dev != r->device || (!r->anyones && entry->st->st_uid != geteuid()))
		return walk_failed(entry->name, "remove", e);
	if (!S_ISDIR(entry->st->st_mode) && unlinkat(entry->folder, entry->name, 0) != 0 && errno != ENOENT)
		return walk_failed(entry->name, "remove", e);
	return ERR_OK;
}

enum err_code files_remove(int in, const char *name, int fd, struct err *e)
{
	char path[PATH_MAX], *slash;
	struct stat st, named;
	struct removal r;
	enum err_code code;
	int above = -1;

	if (snprintf(path, sizeof path, "%s", name) >= (int)sizeof path)
		return err_set(e, ERR_LIMIT, "the path of a folder is too long");
	slash = strrchr(path, '/');
	if (slash) {
		*slash = '\0';
		above = openat(in, slash == path ? "/" : path, O_PATH | O_DIRECTORY | O_CLOEXEC);
		if (above < 0)
			return walk_failed(name, "remove", e);
		in = above;
		name += slash - path + 1;
	}
	if (fstat(fd, &st) != 0 || fstatat(in, name, &named, AT_SYMLINK_NOFOLLOW) != 0) {
		code = walk_failed(name, "remove", e);
	} else if (st.st_dev != named.st_dev || st.st_ino != named.st_ino) {
		errno = ESTALE;
		code = walk_failed(name, "remove", e);
	} else {
		r = (struct removal){(st.st_mode & 077) == 0, st.st_dev};
		code = walk_folder(fd, remove_one, &r, e);
		if (!code)
			code = remove_folder(in, name, &st, e);
	}
	if (above >= 0)
		close(above);
	return code;
}

static enum err_code add_one(void *arg, const struct walk_entry *entry, struct err *e)
{
	uint64_t *sum = arg;

	(void)e;
	if (S_ISREG(entry->st->st_mode))
		*sum += (uint64_t)entry->st->st_blocks * 512;
	return ERR_OK;
}

enum err_code files_size(const char *folder, uint64_t *bytes, struct err *e)
{
	int fd = files_open_folder(AT_FDCWD, folder);
	enum err_code code;

	*bytes = 0;
	if (fd < 0)
		return walk_failed(folder, "look through", e);
	code = walk_folder(fd, add_one, bytes, e);
	close(fd);
	return code;
}
