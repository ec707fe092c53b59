#include "out_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include "descriptor.h"
#include "out.h"
#include "core/base/text.h"

#define LINKS 40 /* as many as the kernel follows */

#define PLANTED (-1) /* beside errno */

static enum err_code out_file_fail(struct out_file *f, int error, struct err *e)
{
	char text[DESCRIPTOR_TEXT];

	out_file_abort(f);
	return err_set(e, ERR_IO, "cannot write %s: %s", f->path,
		       error == PLANTED ? "another user's link is there" : descriptor_reason(error, text));
}

/* The directory part of a path with its slash, as a length. */
static size_t directory_length(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? (size_t)(slash - path) + 1 : 0;
}

/* The directory itself, to be opened. */
static void directory_of(const char *path, char dir[PATH_MAX])
{
	size_t n = directory_length(path);

	memcpy(dir, path, n);
	strcpy(dir + n, n ? "" : ".");
}

/* A link that another user left where everyone may leave some, as in /tmp, is not what its name was given for. Kernels
 * can be set to see to that (fs.protected_symlinks), but not all are. */
static bool is_planted(const char *path)
{
	char folder[PATH_MAX];
	struct stat link, in;

	if (strlen(path) >= sizeof folder || lstat(path, &link) < 0 || !S_ISLNK(link.st_mode) || link.st_uid == geteuid())
		return false;
	directory_of(path, folder);
	return stat(folder, &in) == 0 && (in.st_mode & S_ISVTX) && (in.st_mode & S_IWOTH) && link.st_uid != in.st_uid;
}

/* Follow symbolic links of f->target, also to what does not exist yet. *kernel is set if one of them lies under
 * /proc: an open file by number, which can be opened but not replaced. */
static int out_file_follow(struct out_file *f, bool *kernel)
{
	char link[PATH_MAX];

	*kernel = false;
	for (int i = 0; i < LINKS; i++) {
		size_t dir = directory_length(f->target);
		ssize_t n = readlink(f->target, link, sizeof link - 1);

		if (n < 0)
			return errno == EINVAL || errno == ENOENT ? 0 : errno;
		if (is_planted(f->target))
			return PLANTED;
		link[n] = '\0';
		if (!strncmp(f->target, "/proc/", 6))
			*kernel = true;
		if (link[0] == '/')
			dir = 0;
		if (dir + (size_t)n >= sizeof f->target)
			return ENAMETOOLONG;
		memcpy(f->target + dir, link, (size_t)n + 1);
	}
	return ELOOP;
}

int out_file_beside(const struct out_file *f, const char *before, const char *behind, char name[PATH_MAX])
{
	size_t dir = directory_length(f->target);
	const char *base = f->target + dir;
	uint64_t random[2];
	int n;

	if (getrandom(random, sizeof random, 0) != (ssize_t)sizeof random)
		return errno ? errno : EIO;
	n = snprintf(name, PATH_MAX, "%.*s%s%.150s.%016llx%016llx%s", (int)dir, f->target, before, base, (unsigned long long)random[0],
		     (unsigned long long)random[1], behind);
	return n < PATH_MAX ? 0 : ENAMETOOLONG;
}

static int open_straight(struct out_file *f, const char *path)
{
	f->straight = true;
	/* Appending suits what stdout was redirected to, and means nothing to pipes and devices. */
	f->fd = open(path, O_WRONLY | O_APPEND | O_NOCTTY | O_CLOEXEC);
	return f->fd < 0 ? errno : 0;
}

/* make(f, fd, mode), which makes a file of the name f->temporary, with one that is not taken. The name is empty if none
 * was made. */
static int with_temporary_name(struct out_file *f, int (*make)(struct out_file *f, int fd, mode_t mode), int fd, mode_t mode)
{
	int error = EEXIST;

	for (int i = 0; error == EEXIST && i < 100; i++) {
		error = out_file_beside(f, ".", ".tmp", f->temporary);
		if (!error)
			error = make(f, fd, mode);
	}
	if (error)
		f->temporary[0] = '\0';
	return error;
}

static int create(struct out_file *f, int fd, mode_t mode)
{
	(void)fd;
	f->fd = open(f->temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode);
	return f->fd < 0 ? errno : 0;
}

/* An open file without a name gets one. */
static int name_it(int fd, const char *path)
{
	char shown[32];

	snprintf(shown, sizeof shown, "/proc/self/fd/%d", fd);
	return linkat(AT_FDCWD, shown, AT_FDCWD, path, AT_SYMLINK_FOLLOW) < 0 ? errno : 0;
}

static int name_temporary(struct out_file *f, int fd, mode_t mode)
{
	(void)mode;
	return name_it(fd, f->temporary);
}

/* A file that has no name until the commit: nothing is left of it, however the program ends. False: it cannot be had
 * here, or not be given a name, which is tried with another one, before anyone relies on it. */
static bool open_nameless(struct out_file *f, mode_t mode)
{
	char dir[PATH_MAX];
	struct stat st;
	bool works;
	int other;

	directory_of(f->target, dir);
	other = open(dir, O_WRONLY | O_TMPFILE | O_CLOEXEC, mode);
	if (other < 0)
		return false;
	/* Kernels before 6.0 forget the umask on some file systems. */
	works = fstat(other, &st) == 0 && (st.st_mode & 0777) != 0666 && !with_temporary_name(f, name_temporary, other, 0);
	if (works)
		unlink(f->temporary);
	f->temporary[0] = '\0';
	close(other);
	if (works)
		f->fd = open(dir, O_WRONLY | O_TMPFILE | O_CLOEXEC, mode);
	return works && f->fd >= 0;
}

static int open_temporary(struct out_file *f, const struct stat *old)
{
	mode_t mode = old ? 0600 : 0666;
	int error = open_nameless(f, mode) ? 0 : with_temporary_name(f, create, -1, mode);

	if (error)
		return error;
	if (!old)
		return 0;
	if ((old->st_uid != geteuid() || old->st_gid != getegid()) && fchown(f->fd, old->st_uid, old->st_gid) < 0 &&
	    fchown(f->fd, (uid_t)-1, old->st_gid) < 0)
		return fchmod(f->fd, old->st_mode & 0700) < 0 ? errno : 0; /* not ours to share with another group */
	return fchmod(f->fd, old->st_mode & 0777) < 0 ? errno : 0;
}

enum err_code out_file_begin(struct out_file *f, const char *path, struct err *e)
{
	struct stat st;
	bool kernel, exists;
	int error;

	f->fd = -1;
	f->straight = false;
	f->temporary[0] = f->target[0] = '\0';
	text_safe(f->path, sizeof f->path, path, SIZE_MAX, TEXT_UTF8);
	if (!path[0])
		return err_set(e, ERR_IO, "cannot write a file without a name");
	if (strlen(path) >= sizeof f->target)
		return out_file_fail(f, ENAMETOOLONG, e);
	exists = stat(path, &st) == 0;
	if (!exists && errno != ENOENT)
		return out_file_fail(f, errno, e);
	if (exists && S_ISDIR(st.st_mode))
		return out_file_fail(f, EISDIR, e);
	if (exists && !S_ISREG(st.st_mode)) {
		error = is_planted(path) ? PLANTED : open_straight(f, path);
		return error ? out_file_fail(f, error, e) : ERR_OK;
	}
	strcpy(f->target, path);
	error = out_file_follow(f, &kernel);
	if (error)
		return out_file_fail(f, error, e);
	if (!f->target[directory_length(f->target)])
		return out_file_fail(f, EISDIR, e); /* "name/" */
	if (kernel)
		error = open_straight(f, path);
	else if (exists && faccessat(AT_FDCWD, f->target, W_OK, AT_EACCESS) < 0)
		error = errno; /* renaming over it would work, but it was protected on purpose */
	else
		error = open_temporary(f, exists ? &st : NULL);
	return error ? out_file_fail(f, error, e) : ERR_OK;
}

enum err_code out_file_write(struct out_file *f, const char *bytes, size_t n, struct err *e)
{
	int error = descriptor_write(f->fd, bytes, n, -1);

	return error ? out_file_fail(f, error, e) : ERR_OK;
}

/* The new name survives a crash once its directory is on disk; where that cannot be asked for, so be it. */
static void sync_directory(const char *target)
{
	char dir[PATH_MAX];
	int fd;

	directory_of(target, dir);
	fd = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (fd >= 0) {
		(void)fsync(fd);
		close(fd);
	}
}

/* A file without a name becomes the target, or, if there is one already, gets a name to be renamed by: the system
 * replaces no file otherwise. */
static int give_name(struct out_file *f)
{
	int error = name_it(f->fd, f->target);

	return error == EEXIST ? with_temporary_name(f, name_temporary, f->fd, 0) : error;
}

enum err_code out_file_commit(struct out_file *f, struct err *e)
{
	int fd = f->fd, error = 0;

	if (!f->straight && fsync(fd) < 0 && errno != EINVAL && errno != ENOTSUP)
		return out_file_fail(f, errno, e);
	if (!f->straight && !f->temporary[0])
		error = give_name(f);
	if (error)
		return out_file_fail(f, error, e);
	f->fd = -1;
	if (close(fd) < 0 && errno != EINTR)
		return out_file_fail(f, errno, e);
	if (f->straight)
		return ERR_OK;
	if (f->temporary[0] && rename(f->temporary, f->target) < 0)
		return out_file_fail(f, errno, e);
	f->temporary[0] = '\0';
	sync_directory(f->target);
	return ERR_OK;
}

void out_file_abort(struct out_file *f)
{
	if (f->fd >= 0)
		close(f->fd);
	f->fd = -1;
	if (f->temporary[0])
		unlink(f->temporary);
	f->temporary[0] = '\0';
}

enum err_code out_replace_file(const char *path, const char *bytes, size_t n, struct err *e)
{
	struct out_file f;
	enum err_code code = out_file_begin(&f, path, e);

	if (!code)
		code = out_file_write(&f, bytes, n, e);
	if (!code)
		code = out_file_commit(&f, e);
	return code;
}
