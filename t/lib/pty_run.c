#if __has_include(<vterm.h>)
#include "pty_run.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pty.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>
#include <utmp.h>

#include "core/base/clock.h"
#include "tap.h"

static int on_property(VTermProp prop, VTermValue *val, void *user)
{
	struct pty_run *r = user;

	if (prop == VTERM_PROP_ALTSCREEN)
		r->alternate = val->boolean;
	if (prop == VTERM_PROP_CURSORVISIBLE)
		r->cursor = val->boolean;
	return 1;
}

static const VTermScreenCallbacks callbacks = {.settermprop = on_property};

static void set_env(const char *name, const char *value)
{
	if (value)
		setenv(name, value, 1);
	else
		unsetenv(name);
}

static pid_t program(const struct pty_setting *s)
{
	const char *path = getenv("PAS2P");
	char *argv[8] = {(char *)(uintptr_t)path, (char *)(uintptr_t)"--no-config"};
	pid_t pid = fork();

	if (pid)
		return pid;
	for (int i = 0; i < 4; i++)
		argv[2 + i] = (char *)(uintptr_t)s->args[i];
	if (!s->args[0])
		argv[2] = (char *)(uintptr_t)TRACE;
	setpgid(0, 0);
	tcsetpgrp(0, getpid());
	signal(SIGTTOU, SIG_DFL);
	set_env("TERM", s->term);
	set_env("NO_COLOR", s->no_color);
	set_env("LC_ALL", s->locale);
	setenv("LSAN_OPTIONS", "suppressions=t/lib/lsan.supp", 0);
	setenv("TSAN_OPTIONS", "report_signal_unsafe=0", 0); /* curses draws in its handler of SIGTSTP */
	unsetenv("ESCDELAY");
	unsetenv("LINES");
	unsetenv("COLUMNS");
	execv(path, argv);
	_exit(99);
}

/* Written behind a job's output before its status is told, so that the reader knows when it has all of it. Terminals do not show it. */
#define END_OF_OUTPUT "\033]777;end of output\007"

static bool write_whole(int fd, const void *bytes, size_t n)
{
	return write(fd, bytes, n) == (ssize_t)n;
}

/* A shell's part: one foreground job, stopped and continued, its end reported. */
static void shell(const struct pty_setting *s, int status_fd, int order_fd)
{
	pid_t job;
	int status;

	signal(SIGTTOU, SIG_IGN);
	signal(SIGHUP, SIG_IGN);
	job = program(s);
	signal(SIGINT, SIG_IGN); /* a Ctrl-C that comes when the job has just ended */
	setpgid(job, job);
	tcsetpgrp(0, job);
	while (waitpid(job, &status, WUNTRACED) == job) {
		char order;

		tcsetpgrp(0, getpid());
		/* If the terminal is gone, nobody reads it. */
		write_whole(1, END_OF_OUTPUT, sizeof END_OF_OUTPUT - 1);
		if (!write_whole(status_fd, &status, sizeof status) || !WIFSTOPPED(status))
			break;
		if (read(order_fd, &order, 1) != 1)
			kill(job, SIGKILL);
		tcsetpgrp(0, job);
		kill(-job, SIGCONT);
	}
	/* Stay, so that the terminal does not hang up before the test has looked at it. */
	while (read(order_fd, &status, 1) == 1)
		;
	_exit(0);
}

void pty_start(struct pty_run *r, const struct pty_setting *s)
{
	struct winsize size = {.ws_row = 24, .ws_col = 80};
	int status[2], order[2], slave;

	memset(r, 0, sizeof *r);
	r->w = 80;
	r->h = 24;
	r->cursor = true;
	r->vt = vterm_new(24, 80);
	vterm_set_utf8(r->vt, 1);
	r->screen = vterm_obtain_screen(r->vt);
	vterm_screen_enable_altscreen(r->screen, 1);
	vterm_screen_set_callbacks(r->screen, &callbacks, r);
	vterm_screen_reset(r->screen, 1);
	if (pipe(status) || pipe(order) || openpty(&r->master, &slave, NULL, NULL, &size))
		bail_out("no pseudo-terminal: %s", strerror(errno));
	tcgetattr(slave, &r->before);
	r->shell = fork();
	if (!r->shell) {
		close(r->master);
		close(status[0]);
		close(order[1]);
		login_tty(slave);
		shell(s, status[1], order[0]);
	}
	close(slave);
	close(status[1]);
	close(order[0]);
	r->status_pipe = status[0];
	r->order_pipe = order[1];
	fcntl(r->master, F_SETFL, O_NONBLOCK);
}

/* Take what the program wrote, waiting up to ms for some. False: nothing came. */
bool pty_drain(struct pty_run *r, int ms)
{
	struct pollfd p = {.fd = r->master, .events = POLLIN};
	char buf[8192];
	ssize_t n;

	if (poll(&p, 1, ms) <= 0)
		return false;
	n = read(r->master, buf, sizeof buf);
	if (n <= 0)
		return false;
	vterm_input_write(r->vt, buf, (size_t)n);
	if (r->raw_len + (size_t)n < sizeof r->raw) {
		memcpy(r->raw + r->raw_len, buf, (size_t)n);
		r->raw_len += (size_t)n;
	}
	/* What the terminal answers, such as cursor reports. */
	while ((n = (ssize_t)vterm_output_read(r->vt, buf, sizeof buf)) > 0)
		if (write(r->master, buf, (size_t)n) < 0)
			break;
	return true;
}

void pty_row_text(struct pty_run *r, int row, char *buf, size_t size)
{
	VTermRect rect = {row, row + 1, 0, r->w};
	size_t n = vterm_screen_get_text(r->screen, buf, size - 1, rect);

	buf[n < size ? n : size - 1] = 0;
}

bool pty_holds(struct pty_run *r, const char *text)
{
	char row[4096];

	for (int y = 0; y < r->h; y++) {
		pty_row_text(r, y, row, sizeof row);
		if (strstr(row, text))
			return true;
	}
	return false;
}

bool pty_wait_for(struct pty_run *r, const char *text)
{
	time_t end = time(NULL) + PATIENCE;
	char row[4096];

	while (time(NULL) < end) {
		if (pty_holds(r, text))
			return true;
		pty_drain(r, 100);
	}
	diag("no '%s' on this screen:", text);
	for (int y = 0; y < r->h; y++) {
		pty_row_text(r, y, row, sizeof row);
		diag("|%s", row);
	}
	return false;
}

bool pty_wait_gone(struct pty_run *r, const char *text)
{
	time_t end = time(NULL) + PATIENCE;

	while (pty_holds(r, text) && time(NULL) < end)
		pty_drain(r, 100);
	return !pty_holds(r, text);
}

void pty_type(struct pty_run *r, const char *keys)
{
	if (write(r->master, keys, strlen(keys)) < 0)
		diag("cannot type: %s", strerror(errno));
}

void pty_resize(struct pty_run *r, int w, int h)
{
	struct winsize size = {.ws_row = (unsigned short)h, .ws_col = (unsigned short)w};

	while (pty_drain(r, 0))
		;
	r->w = w;
	r->h = h;
	vterm_set_size(r->vt, h, w);
	ioctl(r->master, TIOCSWINSZ, &size);
}

/* Read up to the shell's mark, and take that out: no test sees it. */
static void take_rest(struct pty_run *r, time_t end)
{
	size_t n = sizeof END_OF_OUTPUT - 1;

	while (isatty(r->master) && time(NULL) < end) {
		char *mark = memmem(r->raw, r->raw_len, END_OF_OUTPUT, n);

		if (mark) {
			r->raw_len -= n;
			memmove(mark, mark + n, r->raw_len - (size_t)(mark - r->raw));
			return;
		}
		pty_drain(r, 50);
	}
}

/* The next thing that the shell has to tell: stopped or ended; -1: nothing in so many milliseconds. */
int pty_status_within(struct pty_run *r, int ms)
{
	int64_t end = clock_ns() / 1000000 + ms;
	int status;

	while (clock_ns() / 1000000 < end) {
		struct pollfd p = {.fd = r->status_pipe, .events = POLLIN};

		pty_drain(r, 0);
		if (poll(&p, 1, ms < 50 ? ms : 50) > 0) {
			if (read(r->status_pipe, &status, sizeof status) != sizeof status)
				return -1;
			take_rest(r, time(NULL) + PATIENCE);
			return status;
		}
	}
	return -1;
}

int pty_next_status(struct pty_run *r)
{
	return pty_status_within(r, PATIENCE * 1000);
}

pid_t pty_job_of(struct pty_run *r)
{
	return tcgetpgrp(r->master);
}

void pty_finish(struct pty_run *r)
{
	close(r->order_pipe);
	close(r->status_pipe);
	close(r->master);
	kill(r->shell, SIGKILL);
	waitpid(r->shell, NULL, 0);
	vterm_free(r->vt);
}

void pty_is_restored(struct pty_run *r, const char *after)
{
	struct termios now;

	tcgetattr(r->master, &now);
	ok(now.c_lflag == r->before.c_lflag && now.c_iflag == r->before.c_iflag && now.c_oflag == r->before.c_oflag,
	   "%s: the terminal's modes are those of before", after);
	ok(!r->alternate, "%s: the screen of before is back", after);
	ok(r->cursor, "%s: the cursor is seen", after);
}
#else
typedef int pty_run_is_empty;
#endif
