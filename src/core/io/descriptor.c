#include "descriptor.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "core/base/text.h"

/* A size limit or a closed pipe shall be an error of ours, not a signal that ends the program: both signals are
 * held off this thread while it writes, and taken away if the write raised them. */
struct quiet {
	sigset_t before, held;
};

static void quiet_begin(struct quiet *quiet)
{
	sigset_t set, pending;

	sigemptyset(&set);
	sigaddset(&set, SIGXFSZ);
	sigaddset(&set, SIGPIPE);
	sigpending(&pending);
	sigemptyset(&quiet->held);
	if (!sigismember(&pending, SIGXFSZ))
		sigaddset(&quiet->held, SIGXFSZ);
	if (!sigismember(&pending, SIGPIPE))
		sigaddset(&quiet->held, SIGPIPE);
	pthread_sigmask(SIG_BLOCK, &set, &quiet->before);
}

static void quiet_end(struct quiet *quiet)
{
	struct timespec now = {0, 0};

	while (sigtimedwait(&quiet->held, NULL, &now) > 0)
		;
	pthread_sigmask(SIG_SETMASK, &quiet->before, NULL);
}

int descriptor_write(int fd, const void *bytes, size_t n, int64_t at)
{
	const char *from = bytes;
	struct quiet quiet;
	int error = 0;

	quiet_begin(&quiet);
	while (n && !error) {
		ssize_t done = at < 0 ? write(fd, from, n) : pwrite(fd, from, n, at);

		if (done > 0) {
			from += done;
			at += at < 0 ? 0 : done;
			n -= (size_t)done;
		} else if (done == 0) {
			error = ENOSPC;
		} else if (errno != EINTR) {
			error = errno;
		}
	}
	quiet_end(&quiet);
	return error;
}

int descriptor_read(int fd, void *bytes, size_t n, int64_t at)
{
	char *to = bytes;

	while (n) {
		ssize_t done = at < 0 ? read(fd, to, n) : pread(fd, to, n, at);

		if (done < 0 && errno == EINTR)
			continue;
		if (done <= 0)
			return done < 0 ? errno : EIO;
		to += done;
		at += at < 0 ? 0 : done;
		n -= (size_t)done;
	}
	return 0;
}

const char *descriptor_reason(int error, char text[DESCRIPTOR_TEXT])
{
	switch (error) {
	case ENOSPC: return "the disk is full";
	case EDQUOT: return "the disk quota is exhausted";
	case EFBIG: return "the file would exceed the size limit";
	case EACCES:
	case EPERM: return "permission denied";
	case EROFS: return "the file system is read-only";
	case ENOENT: return "no such directory";
	case ENOTDIR: return "a part of the path is not a directory";
	case EISDIR: return "it is a directory";
	case ENAMETOOLONG: return "the name is too long";
	case ELOOP: return "too many symbolic links";
	case EPIPE: return "the reader closed the pipe";
	default: return strerror_r(error, text, DESCRIPTOR_TEXT);
	}
}

static const char *scratch_folder(void)
{
	const char *folder = getenv("TMPDIR");

	return folder && folder[0] ? folder : "/tmp";
}

enum err_code descriptor_scratch_failed(int error, struct err *e)
{
	char text[DESCRIPTOR_TEXT], folder[200];

	return err_set(e, ERR_IO, "cannot keep a temporary file in %s: %s\nhint: TMPDIR sets another folder",
		       text_safe(folder, sizeof folder, scratch_folder(), SIZE_MAX, TEXT_UTF8), descriptor_reason(error, text));
}

int descriptor_scratch(struct err *e)
{
	char name[PATH_MAX];
	int fd = open(scratch_folder(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);

	if (fd >= 0)
		return fd;
	/* Not every file system has files without names. */
	if (snprintf(name, sizeof name, "%s/pas2p-XXXXXX", scratch_folder()) < (int)sizeof name) {
		fd = mkostemp(name, O_CLOEXEC);
		if (fd >= 0)
			unlink(name);
	} else {
		errno = ENAMETOOLONG;
	}
	if (fd < 0)
		descriptor_scratch_failed(errno, e);
	return fd;
}
