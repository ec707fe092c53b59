#include "app_int.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <unistd.h>

#include "core/base/mem.h"

#define CHUNK 4096

/* Readable when Ctrl-C was typed, so that a wait that begins right then ends, too. */
static int interrupts[2] = {-1, -1};

static void on_interrupt(int signal)
{
	int error = errno;
	ssize_t n = write(interrupts[1], "", 1);

	(void)signal;
	(void)n; /* a full pipe says it already */
	errno = error;
}

void plain_input_init(struct plain_input *in)
{
	struct sigaction action = {.sa_handler = on_interrupt, .sa_flags = SA_RESTART};

	*in = (struct plain_input){0};
	sigaction(SIGINT, NULL, &in->before);
	/* Who started it may have chosen that it is not interrupted. */
	if (in->before.sa_handler == SIG_IGN || pipe2(interrupts, O_CLOEXEC | O_NONBLOCK))
		return;
	sigemptyset(&action.sa_mask);
	sigaction(SIGINT, &action, NULL);
}

void plain_input_release(struct plain_input *in)
{
	if (interrupts[0] >= 0) {
		sigaction(SIGINT, &in->before, NULL);
		close(interrupts[0]);
		close(interrupts[1]);
		interrupts[0] = interrupts[1] = -1;
	}
	mem_free(in->text);
	in->text = NULL;
}

bool plain_input_wait(int fd, int milliseconds)
{
	struct pollfd fds[2] = {{.fd = fd, .events = POLLIN}, {.fd = interrupts[0], .events = POLLIN}};
	char bytes[64];
	bool seen = false;

	while (poll(fds, 2, milliseconds) < 0)
		if (errno != EINTR)
			return false;
	while (interrupts[0] >= 0 && read(interrupts[0], bytes, sizeof bytes) > 0)
		seen = true;
	return seen;
}

/* Room for a chunk more, and the end of a string. */
static bool plain_input_room(struct plain_input *in)
{
	char *more;

	if (in->at) {
		memmove(in->text, in->text + in->at, in->len - in->at);
		in->len -= in->at;
		in->at = 0;
	}
	if (in->room - in->len > CHUNK)
		return true;
	more = mem_resize(in->text, in->room * 2 + CHUNK * 2, 1);
	if (!more)
		return false;
	in->text = more;
	in->room = in->room * 2 + CHUNK * 2;
	return true;
}

enum plain_line plain_input_line(struct plain_input *in, char **line)
{
	for (;;) {
		char *end = in->len > in->at ? memchr(in->text + in->at, '\n', in->len - in->at) : NULL;
		ssize_t n;

		if (end || (in->ended && in->len > in->at)) {
			*line = in->text + in->at;
			in->at = end ? (size_t)(end + 1 - in->text) : in->len;
			in->text[end ? (size_t)(end - in->text) : in->len] = 0;
			return PLAIN_LINE;
		}
		if (in->ended)
			return PLAIN_END;
		if (plain_input_wait(STDIN_FILENO, -1))
			return PLAIN_INTERRUPTED;
		if (!plain_input_room(in))
			return PLAIN_END;
		n = read(STDIN_FILENO, in->text + in->len, CHUNK);
		if (n < 0 && errno == EINTR)
			continue;
		in->ended = n <= 0;
		in->len += n > 0 ? (size_t)n : 0;
	}
}
