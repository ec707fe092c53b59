#include "runner.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "core/base/clock.h"

#define ANSWER_S 10
#define LOOK_MS 20

static size_t drain(int fd, char *text, size_t n, size_t size)
{
	ssize_t got;

	while (n < size - 1 && (got = read(fd, text + n, size - 1 - n)) > 0)
		n += (size_t)got;
	return n;
}

/* Not up to the end of the pipe: what the program has started may hold that open for long. */
static enum err_code listen_to(struct nest *n, const struct nest_child *child, int from, char *text, size_t size,
			       const struct progress *progress, struct err *e)
{
	double began = clock_seconds();
	size_t used = 0;
	bool running = true;
	enum err_code code = ERR_OK;

	while (!code && running && used < size - 1 && clock_seconds() - began < ANSWER_S) {
		if (progress_stopped(progress))
			return err_set(e, ERR_CANCELLED, "interrupted");
		code = nest_wait(n, LOOK_MS, e);
		running = child->running;
		used = drain(from, text, used, size);
	}
	text[used] = '\0';
	return code;
}

enum err_code ask_program(const char *const *argv, const char *const *env, char *text, size_t size, int *status, const struct progress *progress,
			  struct err *e)
{
	struct nest_child child;
	struct nest *n;
	char output[64];
	int ends[2];
	enum err_code code;

	*status = -1;
	text[0] = '\0';
	if (pipe2(ends, O_CLOEXEC | O_NONBLOCK) != 0)
		return err_set(e, ERR_IO, "cannot make a pipe: %s", strerror(errno));
	/* The nest's processes have it too, by its number. */
	snprintf(output, sizeof output, "/proc/self/fd/%d", ends[1]);
	code = nest_open(&n, NEST_PLAIN, e);
	if (!code) {
		struct nest_command c = {.argv = argv, .env = env, .output = output};

		code = nest_start(n, &c, &child, e);
		if (code)
			code = e->code = ERR_USAGE;
		else
			code = listen_to(n, &child, ends[0], text, size, progress, e);
		if (!code && !child.running)
			*status = child.status;
		nest_close(n, false);
	}
	close(ends[0]);
	close(ends[1]);
	return code;
}
