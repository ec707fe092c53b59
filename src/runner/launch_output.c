#include "runner.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define LOOK_MS 100 /* the child may have ended while others still hold its stderr */

bool launch_output_open(struct launch_output *w)
{
	*w = (struct launch_output){.ends = {-1, -1}};
	return pipe2(w->ends, O_CLOEXEC) == 0;
}

void launch_output_child(struct launch_output *w)
{
	if (w->ends[1] >= 0)
		dup2(w->ends[1], STDERR_FILENO);
}

static void pipe_shut(int *fd)
{
	if (*fd >= 0)
		close(*fd);
	*fd = -1;
}

/* False: there is no more to come. */
static bool pass_on(struct launch_output *w)
{
	char bytes[4096];
	ssize_t n = read(w->ends[0], bytes, sizeof bytes);
	size_t room = sizeof w->first - 1 - w->count, kept;

	if (n <= 0)
		return n < 0 && errno == EINTR;
	kept = (size_t)n < room ? (size_t)n : room;
	memcpy(w->first + w->count, bytes, kept);
	w->count += kept;
	for (ssize_t done = 0, k; done < n; done += k) {
		k = write(STDERR_FILENO, bytes + done, (size_t)(n - done));
		if (k < 0 && errno == EINTR)
			k = 0;
		if (k < 0)
			break;
	}
	return true;
}

/* Is there something to be read within that time? */
static bool is_said(const struct launch_output *w, int ms)
{
	struct pollfd p = {.fd = w->ends[0], .events = POLLIN};

	return poll(&p, 1, ms) > 0;
}

int launch_output_wait(struct launch_output *w, pid_t pid, bool (*interrupted)(void))
{
	bool passed = false;
	pid_t ended = 0;
	int status = 0;

	pipe_shut(&w->ends[1]);
	while (ended != pid) {
		/* Ctrl-C reaches the launcher by itself; a signal to us alone does not. */
		if (interrupted() && !passed) {
			kill(pid, SIGTERM);
			passed = true;
		}
		if (w->ends[0] >= 0 && is_said(w, LOOK_MS)) {
			if (!pass_on(w))
				pipe_shut(&w->ends[0]);
			continue;
		}
		ended = waitpid(pid, &status, w->ends[0] >= 0 ? WNOHANG : 0);
		if (ended < 0 && errno != EINTR)
			break;
	}
	while (w->ends[0] >= 0 && is_said(w, 0) && pass_on(w))
		;
	pipe_shut(&w->ends[0]);
	return status;
}
