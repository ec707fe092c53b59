#include "sink.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/text.h"

#define ENOUGH 65536 /* bytes gathered before they are written */

static enum err_code fail(struct sink *s, const char *what, int number, struct err *e)
{
	char safe[256];

	text_safe(safe, sizeof safe, s->target ? s->target : "standard output", SIZE_MAX, TEXT_UTF8);
	err_set(&s->err, ERR_IO, "%s: cannot %s: %s", safe, what, strerror(number));
	if (e)
		*e = s->err;
	return ERR_IO;
}

static enum err_code no_memory(struct sink *s, struct err *e)
{
	err_memory(&s->err, "the output");
	if (e)
		*e = s->err;
	return ERR_MEMORY;
}

/* A new file beside the target with the mode that a plain new file would have, or the old file's. */
static enum err_code open_beside(struct sink *s, const struct stat *old, struct err *e)
{
	size_t n = strlen(s->target) + sizeof ".XXXXXX";
	mode_t mask;

	s->temporary = malloc(n);
	if (!s->temporary)
		return no_memory(s, e);
	snprintf(s->temporary, n, "%s.XXXXXX", s->target);
	s->fd = mkostemp(s->temporary, O_CLOEXEC);
	if (s->fd < 0) {
		free(s->temporary);
		s->temporary = NULL;
		return fail(s, "create a file beside it", errno, e);
	}
	mask = umask(0);
	umask(mask);
	/* A mode that cannot be set costs nothing but the mode. */
	(void)!fchmod(s->fd, old ? old->st_mode & 07777 : 0666 & ~mask);
	return ERR_OK;
}

enum err_code sink_open(struct sink *s, const char *path, struct err *e)
{
	struct stat st;
	bool there;

	*s = (struct sink){.fd = STDOUT_FILENO};
	out_init(&s->out);
	if (!path)
		return ERR_OK;
	s->fd = -1;
	there = stat(path, &st) == 0;
	/* Through symbolic links, so that the link stays and its target is replaced. */
	s->target = there ? realpath(path, NULL) : strdup(path);
	if (!s->target)
		return there ? fail(s, "resolve the name", errno, e) : no_memory(s, e);
	if (there && S_ISDIR(st.st_mode))
		return fail(s, "write", EISDIR, e);
	if (!there || S_ISREG(st.st_mode))
		return open_beside(s, there ? &st : NULL, e);
	s->fd = open(s->target, O_WRONLY | O_CLOEXEC);
	return s->fd < 0 ? fail(s, "open", errno, e) : ERR_OK;
}

static enum err_code write_all(struct sink *s, struct err *e)
{
	const char *p = s->out.text;
	size_t left = s->out.len;

	while (left) {
		ssize_t n = write(s->fd, p, left);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0) {
			s->pipe_closed = errno == EPIPE;
			return fail(s, "write", errno, e);
		}
		p += n;
		left -= (size_t)n;
	}
	s->out.len = 0;
	return ERR_OK;
}

static enum err_code stuck(const struct sink *s, struct err *e)
{
	if (e)
		*e = s->err;
	return s->err.code;
}

enum err_code sink_drain(struct sink *s, struct err *e)
{
	if (s->err.code)
		return stuck(s, e);
	if (s->out.failed)
		return no_memory(s, e);
	return s->out.len < ENOUGH ? ERR_OK : write_all(s, e);
}

enum err_code sink_finish(struct sink *s, struct err *e)
{
	int fd = s->fd;

	if (s->err.code)
		return stuck(s, e);
	if (s->out.failed)
		return no_memory(s, e);
	if (write_all(s, e))
		return s->err.code;
	if (s->temporary && fsync(fd) < 0)
		return fail(s, "write", errno, e);
	if (s->target) {
		s->fd = -1;
		if (close(fd) < 0)
			return fail(s, "write", errno, e);
	}
	if (s->temporary) {
		if (rename(s->temporary, s->target) < 0)
			return fail(s, "put the new file in place", errno, e);
		free(s->temporary);
		s->temporary = NULL;
	}
	return ERR_OK;
}

void sink_release(struct sink *s)
{
	if (s->target && s->fd >= 0)
		close(s->fd);
	if (s->temporary)
		unlink(s->temporary);
	free(s->temporary);
	free(s->target);
	out_release(&s->out);
	s->fd = -1;
	s->target = s->temporary = NULL;
}
