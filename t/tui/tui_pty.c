/* The workbench in a real terminal: a pseudo-terminal on one side, libvterm's screen on the other.
 *
 * What the script layer cannot see is shown here: the escapes that reach the terminal, colours, keys as bytes, sizes
 * told by SIGWINCH, Ctrl-Z and fg, and above all that the terminal is left as it was found, whatever ends the
 * program. A small job-control shell between the test and the program makes stopping and continuing real. Nothing sleeps: the test waits
 * until the screen holds a text, for at most some seconds.
 */
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

#include "tap.h"

#if !__has_include(<vterm.h>)
int main(void)
{
	plan(1);
	skip(1, "libvterm is not installed");
	return done_testing();
}
#else
#include <vterm.h>

#define TRACE "sample-traces/cg.S.4.clog2"
#define PATIENCE 30 /* seconds, for a machine that does much else */

struct run {
	int master;
	pid_t shell;        /* the session's leader; its child is the program */
	int status_pipe;    /* what the shell tells: 's' stopped, then the wait status at the end */
	int order_pipe;     /* what it is told: 'c' continue */
	VTerm *vt;
	VTermScreen *screen;
	int w, h;
	bool alternate, cursor; /* as the terminal has been told */
	struct termios before;
	char raw[1 << 20];  /* all bytes that the program wrote */
	size_t raw_len;
};

struct setting {
	const char *term, *no_color, *locale;
	const char *args[4];
};

static int on_property(VTermProp prop, VTermValue *val, void *user)
{
	struct run *r = user;

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

static pid_t program(const struct setting *s)
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
	setenv("LSAN_OPTIONS", "suppressions=t/lib/lsan.supp", 1);
	setenv("TSAN_OPTIONS", "report_signal_unsafe=0", 1); /* curses draws in its handler of SIGTSTP */
	unsetenv("ESCDELAY");
	unsetenv("LINES");
	unsetenv("COLUMNS");
	execv(path, argv);
	_exit(99);
}

/* A shell's part: one foreground job, stopped and continued, its end reported. */
static void shell(const struct setting *s, int status_fd, int order_fd)
{
	pid_t job;
	int status;

	signal(SIGTTOU, SIG_IGN);
	signal(SIGHUP, SIG_IGN);
	job = program(s);
	setpgid(job, job);
	tcsetpgrp(0, job);
	while (waitpid(job, &status, WUNTRACED) == job) {
		char order;

		tcsetpgrp(0, getpid());
		if (write(status_fd, &status, sizeof status) != sizeof status || !WIFSTOPPED(status))
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

static void start(struct run *r, const struct setting *s)
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
static bool drain(struct run *r, int ms)
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

static void row_text(struct run *r, int row, char *buf, size_t size)
{
	VTermRect rect = {row, row + 1, 0, r->w};
	size_t n = vterm_screen_get_text(r->screen, buf, size - 1, rect);

	buf[n < size ? n : size - 1] = 0;
}

static bool holds(struct run *r, const char *text)
{
	char row[4096];

	for (int y = 0; y < r->h; y++) {
		row_text(r, y, row, sizeof row);
		if (strstr(row, text))
			return true;
	}
	return false;
}

static bool wait_for(struct run *r, const char *text)
{
	time_t end = time(NULL) + PATIENCE;
	char row[4096];

	while (time(NULL) < end) {
		if (holds(r, text))
			return true;
		drain(r, 100);
	}
	diag("no '%s' on this screen:", text);
	for (int y = 0; y < r->h; y++) {
		row_text(r, y, row, sizeof row);
		diag("|%s", row);
	}
	return false;
}

static bool wait_gone(struct run *r, const char *text)
{
	time_t end = time(NULL) + PATIENCE;

	while (holds(r, text) && time(NULL) < end)
		drain(r, 100);
	return !holds(r, text);
}

static void type(struct run *r, const char *keys)
{
	if (write(r->master, keys, strlen(keys)) < 0)
		diag("cannot type: %s", strerror(errno));
}

static void resize(struct run *r, int w, int h)
{
	struct winsize size = {.ws_row = (unsigned short)h, .ws_col = (unsigned short)w};

	while (drain(r, 0))
		;
	r->w = w;
	r->h = h;
	vterm_set_size(r->vt, h, w);
	ioctl(r->master, TIOCSWINSZ, &size);
}

/* The next thing that the shell has to tell: stopped or ended; -1: nothing in time. */
static int next_status(struct run *r)
{
	time_t end = time(NULL) + PATIENCE;
	int status;

	while (time(NULL) < end) {
		struct pollfd p = {.fd = r->status_pipe, .events = POLLIN};

		drain(r, 0);
		if (poll(&p, 1, 50) > 0) {
			if (read(r->status_pipe, &status, sizeof status) != sizeof status)
				return -1;
			while (drain(r, 20))
				;
			return status;
		}
	}
	return -1;
}

static pid_t job_of(struct run *r)
{
	return tcgetpgrp(r->master);
}

static void finish(struct run *r)
{
	close(r->order_pipe);
	close(r->status_pipe);
	close(r->master);
	kill(r->shell, SIGKILL);
	waitpid(r->shell, NULL, 0);
	vterm_free(r->vt);
}

static void is_restored(struct run *r, const char *after)
{
	struct termios now;

	tcgetattr(r->master, &now);
	ok(now.c_lflag == r->before.c_lflag && now.c_iflag == r->before.c_iflag && now.c_oflag == r->before.c_oflag,
	   "%s: the terminal's modes are those of before", after);
	ok(!r->alternate, "%s: the screen of before is back", after);
	ok(r->cursor, "%s: the cursor is seen", after);
}

static const struct setting usual = {"xterm-256color", NULL, "C.UTF-8", {NULL}};

static void test_start_and_quit(struct run *r)
{
	int status;

	start(r, &usual);
	ok(wait_for(r, "6 phases"), "the first screen is there");
	ok(r->alternate, "it is the alternate screen");
	type(r, "3");
	ok(wait_for(r, "time over the run"), "a key changes the view");
	type(r, "\033OB\033OB"); /* cursor down twice */
	ok(wait_for(r, "phase 1 · 1 ×"), "cursor keys arrive as keys");
	type(r, "\t");
	ok(wait_for(r, "Tab back"), "the panel takes the keys");
	type(r, "\033");
	ok(wait_for(r, "Tab to turn"), "a lone Esc is a key");
	type(r, "Q");
	status = next_status(r);
	ok(WIFEXITED(status) && WEXITSTATUS(status) == 0, "Q leaves with status 0");
	is_restored(r, "Q");
	finish(r);
}

/* Without a trace there are those of the folder to choose from. */
static void test_choosing(struct run *r)
{
	static const struct setting alone = {"xterm-256color", NULL, "C.UTF-8", {"--color", "auto"}};
	int status;

	start(r, &alone);
	ok(wait_for(r, "sample-traces/"), "without a trace, the folder is shown");
	type(r, "/sample-traces\r");
	ok(wait_for(r, "▸folder  sample-traces"), "a folder in it is found");
	type(r, "\r");
	ok(wait_for(r, "cg.S.4.clog2"), "Enter shows the traces in it");
	type(r, "/cg.S\r\r");
	ok(wait_for(r, "6 phases"), "and opens one");
	type(r, "\x0f"); /* Ctrl-O */
	ok(wait_for(r, "folder above"), "Ctrl-O shows them again");
	type(r, "/lu.S\r\r");
	ok(wait_for(r, "lu.S.4.clog2  2 of 2"), "another is opened beside it");
	type(r, "\x0e"); /* Ctrl-N */
	ok(wait_for(r, "cg.S.4.clog2  1 of 2") && wait_for(r, "6 phases"), "and Ctrl-N goes back to the first");
	type(r, "Q");
	status = next_status(r);
	ok(WIFEXITED(status) && WEXITSTATUS(status) == 0, "Q leaves with status 0");
	is_restored(r, "choosing");
	finish(r);
}

static void test_signals(struct run *r)
{
	static const struct {
		int sig, status;
		const char *name;
	} ends[] = {{SIGHUP, 129, "SIGHUP"}, {SIGTERM, 143, "SIGTERM"}, {SIGQUIT, 131, "SIGQUIT"}, {SIGINT, 130, "SIGINT"}};

	for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
		int status;

		start(r, &usual);
		ok(wait_for(r, "6 phases"), "%s: it runs", ends[i].name);
		kill(job_of(r), ends[i].sig);
		status = next_status(r);
		ok(WIFEXITED(status) && WEXITSTATUS(status) == ends[i].status, "%s ends it in order, with status %d",
		   ends[i].name, ends[i].status);
		is_restored(r, ends[i].name);
		finish(r);
	}
}

static void test_ctrl_c(struct run *r)
{
	int status;

	start(r, &usual);
	ok(wait_for(r, "6 phases"), "it runs");
	type(r, "1?");
	ok(wait_for(r, "fewer ticks, or less time"), "it is idle");
	type(r, "\003\003"); /* the first may stop the last bit of work */
	status = next_status(r);
	ok(WIFEXITED(status) && WEXITSTATUS(status) == 130, "Ctrl-C leaves with status 130");
	is_restored(r, "Ctrl-C");
	finish(r);
}

static void test_crashes(struct run *r)
{
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
	(void)r;
	skip(1, "the sanitizer has crashes to itself");
#else
	static const struct {
		int sig;
		const char *name;
	} crashes[] = {{SIGSEGV, "SIGSEGV"}, {SIGABRT, "SIGABRT"}, {SIGBUS, "SIGBUS"}, {SIGFPE, "SIGFPE"}};

	for (size_t i = 0; i < sizeof crashes / sizeof *crashes; i++) {
		int status;

		start(r, &usual);
		ok(wait_for(r, "6 phases"), "%s: it runs", crashes[i].name);
		kill(job_of(r), crashes[i].sig);
		status = next_status(r);
		ok(WIFSIGNALED(status) && WTERMSIG(status) == crashes[i].sig, "%s kills it as it should", crashes[i].name);
		is_restored(r, crashes[i].name);
		finish(r);
	}
#endif
}

static void test_suspend(struct run *r)
{
	int status;

	start(r, &usual);
	ok(wait_for(r, "6 phases"), "it runs");
	type(r, "\032"); /* Ctrl-Z */
	status = next_status(r);
	ok(WIFSTOPPED(status), "Ctrl-Z stops it");
	is_restored(r, "Ctrl-Z");
	resize(r, 120, 30);
	ok(write(r->order_pipe, "c", 1) == 1, "it is continued");
	ok(wait_for(r, "Thresholds"), "it draws again, at the size that the terminal has now");
	ok(r->alternate, "on the alternate screen");
	type(r, "2");
	ok(wait_for(r, "labels for"), "and takes keys");
	type(r, "Q");
	status = next_status(r);
	ok(WIFEXITED(status) && WEXITSTATUS(status) == 0, "Q leaves");
	is_restored(r, "after fg, Q");
	finish(r);
}

static void test_resizes(struct run *r)
{
	static const int sizes[][2] = {{79, 24}, {40, 10}, {39, 9}, {10, 3}, {2, 2}, {1, 1}, {3, 50}, {200, 1}, {200, 60},
				       {1, 1}, {76, 18}, {100, 24}, {80, 24}};
	int status;

	start(r, &usual);
	ok(wait_for(r, "6 phases"), "it runs");
	for (int round = 0; round < 3; round++)
		for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
			resize(r, sizes[i][0], sizes[i][1]);
			type(r, "l3j1");
			drain(r, 10);
		}
	resize(r, 30, 8);
	ok(wait_for(r, "need 40x10"), "too small, it says how much it needs");
	resize(r, 80, 24);
	ok(wait_for(r, "6 phases") && wait_for(r, "tick"), "after a storm of sizes down to 1x1 it is whole again");
	type(r, "Q");
	status = next_status(r);
	ok(WIFEXITED(status) && WEXITSTATUS(status) == 0, "and leaves");
	is_restored(r, "the storm");
	finish(r);
}

static bool has_colour(struct run *r)
{
	for (int y = 0; y < r->h; y++)
		for (int x = 0; x < r->w; x++) {
			VTermPos pos = {y, x};
			VTermScreenCell cell;

			if (vterm_screen_get_cell(r->screen, pos, &cell) &&
			    !(VTERM_COLOR_IS_DEFAULT_FG(&cell.fg) && VTERM_COLOR_IS_DEFAULT_BG(&cell.bg)))
				return true;
		}
	return false;
}

static bool is_ascii(const struct run *r)
{
	for (size_t i = 0; i < r->raw_len; i++)
		if ((unsigned char)r->raw[i] >= 0x80)
			return false;
	return true;
}

static void test_looks(struct run *r)
{
	static const struct {
		const char *what;
		struct setting s;
		bool colour, ascii;
	} looks[] = {
		{"256 colours", {"xterm-256color", NULL, "C.UTF-8", {NULL}}, true, false},
		{"8 colours", {"xterm", NULL, "C.UTF-8", {NULL}}, true, false},
		{"the Linux console", {"linux", NULL, "C.UTF-8", {NULL}}, true, false},
		{"NO_COLOR", {"xterm-256color", "1", "C.UTF-8", {NULL}}, false, false},
		{"NO_COLOR but --color always", {"xterm-256color", "1", "C.UTF-8", {"--color", "always", TRACE}}, true, false},
		{"--theme mono", {"xterm-256color", NULL, "C.UTF-8", {"--theme", "mono", TRACE}}, false, false},
		{"a VT100", {"vt100", NULL, "C.UTF-8", {NULL}}, false, false},
		{"LC_ALL=C", {"xterm-256color", NULL, "C", {NULL}}, true, true},
		{"--ascii", {"xterm-256color", NULL, "C.UTF-8", {"--ascii", TRACE}}, true, true},
	};

	for (size_t i = 0; i < sizeof looks / sizeof *looks; i++) {
		start(r, &looks[i].s);
		ok(wait_for(r, "6 phases"), "%s: it runs", looks[i].what);
		ok(has_colour(r) == looks[i].colour, "%s: %s", looks[i].what, looks[i].colour ? "colours" : "no colours");
		ok(is_ascii(r) == looks[i].ascii, "%s: %s", looks[i].what, looks[i].ascii ? "ASCII only" : "more than ASCII");
		ok(!memmem(r->raw, r->raw_len, "\033]4;", 4), "%s: the palette is left alone", looks[i].what);
		type(r, "Q");
		next_status(r);
		is_restored(r, looks[i].what);
		finish(r);
	}
}

static void test_no_terminal(struct run *r)
{
	static const struct {
		const char *what, *says;
		struct setting s;
	} terms[] = {
		{"TERM unset", "TERM is not set", {NULL, NULL, "C.UTF-8", {NULL}}},
		{"TERM unknown", "no-such-terminal", {"no-such-terminal", NULL, "C.UTF-8", {NULL}}},
		{"TERM empty", "TERM is not set", {"", NULL, "C.UTF-8", {NULL}}},
	};
	char command[1024];
	int status;

	for (size_t i = 0; i < sizeof terms / sizeof *terms; i++) {
		start(r, &terms[i].s);
		status = next_status(r);
		ok(WIFEXITED(status) && WEXITSTATUS(status) == 5, "%s: exit status 5", terms[i].what);
		ok(holds(r, terms[i].says), "%s: it says so", terms[i].what);
		ok(!r->alternate, "%s: nothing was drawn", terms[i].what);
		finish(r);
	}
	snprintf(command, sizeof command, "'%s' --no-config " TRACE " </dev/null >/dev/null 2>&1", getenv("PAS2P"));
	status = system(command);
	ok(WIFEXITED(status) && WEXITSTATUS(status) == 0, "stdin from /dev/null: the overview instead");
	snprintf(command, sizeof command, "'%s' --no-config --tutorial </dev/null 2>&1 | grep -q 'no terminal for it'", getenv("PAS2P"));
	ok(system(command) == 0, "of the tutorial a sentence");
	snprintf(command, sizeof command, "'%s' --no-config --tutorial </dev/null >/dev/null 2>&1", getenv("PAS2P"));
	status = system(command);
	ok(WIFEXITED(status) && WEXITSTATUS(status) == 5, "and exit status 5");
}

/* An editor's shell, say: text can be shown, nothing can be placed. */
static void test_dumb(struct run *r)
{
	static const struct setting dumb = {"dumb", NULL, "C.UTF-8", {NULL}};
	int status;

	start(r, &dumb);
	status = next_status(r);
	ok(WIFEXITED(status) && WEXITSTATUS(status) == 0, "TERM=dumb: exit status 0");
	ok(holds(r, "6 phases, 3 carry 98.2 %"), "TERM=dumb: the overview");
	ok(!r->alternate && !memchr(r->raw, '\033', r->raw_len), "TERM=dumb: no escape sequence");
	finish(r);
}

static void test_names(struct run *r)
{
	char directory[] = "/tmp/pas2p-tui.XXXXXX", path[256], command[512];
	struct setting s = usual;
	int status;

	if (!mkdtemp(directory))
		bail_out("no temporary directory");
	snprintf(path, sizeof path, "%s/a\033]0;evil\007\033[2Jb\342\200\256c.clog2", directory);
	snprintf(command, sizeof command, "cp " TRACE " \"%s\"", path);
	if (system(command))
		bail_out("cannot copy a trace");
	s.args[0] = path;
	start(r, &s);
	ok(wait_for(r, "6 phases"), "a trace with escapes in its name is opened");
	ok(wait_for(r, "]0;evil"), "its name is shown, made harmless");
	ok(!memmem(r->raw, r->raw_len, "\033]0;evil", 8), "the escape did not reach the terminal");
	ok(!memmem(r->raw, r->raw_len, "\342\200\256", 3), "nor did the mark that turns text round");
	type(r, "Q");
	status = next_status(r);
	ok(WIFEXITED(status) && WEXITSTATUS(status) == 0, "it leaves");
	finish(r);
	unlink(path);
	rmdir(directory);
}

/* What is done between keys is seen when it is done, with no key in between. */
static void test_slices(struct run *r)
{
	start(r, &usual);
	ok(wait_for(r, "6 phases"), "it runs");
	resize(r, 130, 30);
	type(r, "3\r");
	ok(wait_for(r, "slowest") && wait_for(r, "occurrences"), "the occurrences of a phase");
	ok(wait_gone(r, "       …"), "get the times of their slowest process, which take longer, by themselves");
	type(r, "1/nothing like it\r");
	ok(wait_for(r, "Nothing matches."), "and a search says what it came to");
	type(r, "Q");
	next_status(r);
	is_restored(r, "slices");
	finish(r);
}

static void test_mouse(struct run *r)
{
	int status;

	start(r, &usual);
	ok(wait_for(r, "6 phases"), "it runs");
	ok(!memmem(r->raw, r->raw_len, "1000h", 5), "the mouse is left to the terminal");
	type(r, "O");
	ok(wait_for(r, "Mouse on"), "until a key asks for it");
	ok(memmem(r->raw, r->raw_len, "1000h", 5), "which tells the terminal");
	type(r, "\033[<0;28;2M\033[<0;28;2m"); /* the fourth tab */
	ok(wait_for(r, "time over the run"), "a click on a tab shows the view");
	type(r, "Q");
	status = next_status(r);
	ok(WIFEXITED(status) && WEXITSTATUS(status) == 0, "it leaves");
	ok(memmem(r->raw, r->raw_len, "1000l", 5), "and takes the mouse back from the terminal");
	is_restored(r, "the mouse");
	finish(r);
}

/* Sequences that mean nothing change nothing. */
static void test_sequences(struct run *r)
{
	static const struct {
		const char *what, *bytes, *says;
	} ones[] = {
		{"F13", "\033[25~", "sent ESC[25~"},
		{"Menu", "\033[29~", "sent ESC[29~"},
		{"keypad 5", "\033[E", "sent ESC[E"},
		{"Ctrl-Enter", "\033[27;5;13~", "sent ESC[27;5;13~"},
		{"a late answer", "\033[?62;1;4c", "sent ESC[?62;1;4c"},
		{"Ctrl-Left", "\033[1;5D", "sent ESC[1;5D"},
		{"the colour of the background", "\033]11;rgb:0000/0000/cccc\007", "sent ESC]11;rgb"},
		{"the terminal's name", "\033P>|name(1)\033\\", "sent ESCP>|name(1)"},
		{"Alt-o", "\033o", "A-o does nothing here"},
		{"Alt-]", "\033]", "A-] does nothing here"},
		{"Alt-Up", "\033[1;3A", "A-Up does nothing here"},
	};
	int status;

	start(r, &usual);
	ok(wait_for(r, "6 phases"), "it runs");
	for (size_t i = 0; i < sizeof ones / sizeof *ones; i++) {
		type(r, ones[i].bytes);
		ok(wait_for(r, ones[i].says), "%s is told to do nothing", ones[i].what);
		ok(holds(r, "volume 5.0 %") && holds(r, "pas2p · phase"), "and does nothing");
	}
	type(r, "\033[200~]]oQ\r\033[201~");
	ok(wait_for(r, "Pasted text was left out"), "pasted text is no keys");
	ok(holds(r, "volume 5.0 %") && holds(r, "pas2p · phase"), "and does nothing");
	type(r, ":\033[200~set volume\n3%\n\033[201~");
	ok(wait_for(r, ":set volume 3%"), "in a prompt it is typed");
	ok(holds(r, "volume 5.0 %"), "but not sent");
	type(r, "\r");
	ok(wait_for(r, "volume 3.0 %"), "before Enter is");
	type(r, "\033[200~never ending ]]]");
	ok(wait_for(r, "Pasted text was left out"), "a paste without an end");
	type(r, "\003");
	/* The signal and the key race. */
	for (time_t end = time(NULL) + PATIENCE; time(NULL) < end && !holds(r, "time over the run"); drain(r, 50))
		type(r, "3");
	ok(wait_for(r, "time over the run"), "is ended by Ctrl-C");
	type(r, "Q");
	status = next_status(r);
	ok(WIFEXITED(status) && WEXITSTATUS(status) == 0, "it leaves");
	ok(memmem(r->raw, r->raw_len, "?2004h", 6) && memmem(r->raw, r->raw_len, "?2004l", 6), "pastes were marked, and are no more");
	is_restored(r, "sequences");
	finish(r);
}

/* All of the tutorial's steps, on the trace that comes with the program. */
static void test_tutorial(struct run *r)
{
	static const struct {
		const char *keys, *says;
	} acts[] = {
		{"\033OB", "✓ Down Up"}, {"\r", "step 2 of 10"},
		{"3", "step 3 of 10"},
		{"|", "step 4 of 10"},
		{"i", "✓ i show it"}, {"\033OC", "step 5 of 10"},
		{"4", "✓ 4 show"}, {"+", "step 6 of 10"},
		{"bbb", "✓ b w to a wait"}, {"!", "step 7 of 10"},
		{"))", "✓ ) to events"}, {"{", "✓ { turn it down"}, {"u", "step 8 of 10"},
		{"Y", "✓ Y look"}, {"\r", "step 9 of 10"},
		{"3", "time over the run"}, {"w", "✓ w why"}, {"", "D sets"}, {"D", "✓ D merge"}, {"u", "step 10 of 10"},
		{"e", "✓ e preview"}, {"", "pas2p: 1"}, {"\r", "write to: lu.S.4.yaml"},
	};
	struct setting s = usual;
	char directory[] = "/tmp/pas2p-tutorial.XXXXXX", file[64];
	int status;

	if (!mkdtemp(directory))
		bail_out("no temporary directory");
	snprintf(file, sizeof file, "%s/t.yaml", directory);
	s.args[0] = "--tutorial";
	start(r, &s);
	ok(wait_for(r, "step 1 of 10") && wait_for(r, "6 phases"), "the tutorial begins");
	for (size_t i = 0; i < sizeof acts / sizeof *acts; i++) {
		type(r, acts[i].keys);
		ok(wait_for(r, acts[i].says), "act %zu: %s", i + 1, acts[i].says);
		if (strcmp(acts[i].keys, "Y") == 0)
			ok(wait_for(r, "100 of 100 tried"), "thresholds are found");
	}
	type(r, "\025"); /* the proposed name goes */
	type(r, file);
	type(r, "\r");
	ok(wait_for(r, "All steps are done"), "to the last step");
	ok(access(file, R_OK) == 0, "which wrote the table");
	type(r, ":tutorial\r");
	ok(wait_gone(r, "All steps are done"), "and it is left");
	type(r, "Q");
	status = next_status(r);
	ok(WIFEXITED(status) && WEXITSTATUS(status) == 0, "Q leaves with status 0");
	is_restored(r, "the tutorial");
	finish(r);
	unlink(file);
	rmdir(directory);
}

static void test_lost_terminal(struct run *r)
{
	int status = 0;

	start(r, &usual);
	ok(wait_for(r, "6 phases"), "it runs");
	close(r->master);
	r->master = open("/dev/null", O_RDWR);
	status = next_status(r);
	ok(status != -1 && !WIFSTOPPED(status), "a terminal that goes away ends the program");
	finish(r);
}

int main(void)
{
	static struct run r;

	signal(SIGPIPE, SIG_IGN);
	if (!getenv("PAS2P"))
		setenv("PAS2P", "build/pas2p", 1);
	test_start_and_quit(&r);
	test_choosing(&r);
	test_signals(&r);
	test_ctrl_c(&r);
	test_crashes(&r);
	test_suspend(&r);
	test_resizes(&r);
	test_looks(&r);
	test_no_terminal(&r);
	test_dumb(&r);
	test_names(&r);
	test_slices(&r);
	test_mouse(&r);
	test_sequences(&r);
	test_tutorial(&r);
	test_lost_terminal(&r);
	return done_testing();
}
#endif
