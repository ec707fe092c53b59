#include "term.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <termios.h>
#include <unistd.h>
#include <wchar.h>

/* Last, for its names are common ones. */
#define NCURSES_WIDECHAR 1
#include <curses.h>

#include "../core/mem.h"
#include "../core/text.h"
#include "keys.h"
#include "theme.h"

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define SANITIZED 1
#endif
#endif
#ifndef SANITIZED
#define SANITIZED 0
#endif

#define CTRL_Z 26

struct terminal {
	SCREEN *screen;
	enum palette palette;
	struct canvas shown;     /* what the screen has */
	sigset_t waiting;        /* the mask while waiting: only then do signals come */
	sigset_t before;         /* of the thread when it came here */
	struct sigaction old_actions[5];
	int saved_stderr, kept_stderr; /* -1: stderr is not a terminal and was left alone */
	bool gone, mouse;
};

/* Signals that end us in order. */
static const int ending[] = {SIGHUP, SIGTERM, SIGINT, SIGQUIT, SIGPIPE};
#define ENDING ((int)(sizeof ending / sizeof *ending))

/* Crashes. */
static const int crashing[] = {SIGSEGV, SIGABRT, SIGBUS, SIGFPE, SIGILL};
#define CRASHING ((int)(sizeof crashing / sizeof *crashing))

/* What signal handlers may touch; there is one terminal in a process. */
static volatile sig_atomic_t ended_by, interrupted;
static struct termios saved_modes;
static volatile sig_atomic_t modes_saved;
static char restore_bytes[512];
static size_t restore_len;
static int saved_stderr_fd = -1, kept_stderr_fd = -1;

/* Ctrl-C comes from the kernel; a SIGINT that somebody sent means what the other signals mean. */
static void on_end(int sig, siginfo_t *from, void *context)
{
	(void)context;
	if (sig == SIGINT && from->si_code > 0)
		interrupted = 1;
	else
		ended_by = sig;
}

/* Only async-signal-safe calls in here. */
static void on_crash(int sig)
{
	char buf[512];
	ssize_t n;

	if (modes_saved) {
		tcsetattr(STDIN_FILENO, TCSANOW, &saved_modes);
		n = write(STDOUT_FILENO, restore_bytes, restore_len);
		(void)n;
	}
	if (kept_stderr_fd >= 0 && lseek(kept_stderr_fd, 0, SEEK_SET) == 0)
		while ((n = read(kept_stderr_fd, buf, sizeof buf)) > 0)
			if (write(saved_stderr_fd, buf, (size_t)n) < 0)
				break;
	signal(sig, SIG_DFL);
	raise(sig);
}

static void set_crash_handlers(bool on)
{
	struct sigaction sa = {.sa_handler = on ? on_crash : SIG_DFL};

	if (SANITIZED)
		return;
	sigemptyset(&sa.sa_mask);
	sa.sa_flags = (int)SA_RESETHAND | SA_NODEFER;
	for (int i = 0; i < CRASHING; i++)
		sigaction(crashing[i], &sa, NULL);
}

/* A terminal capability without its padding, for the crash handler. */
static void add_restore(const char *name)
{
	const char *s = tigetstr(name);

	if (!s || s == (const char *)-1)
		return;
	while (*s && restore_len < sizeof restore_bytes) {
		if (s[0] == '$' && s[1] == '<' && strchr(s, '>'))
			s = strchr(s, '>') + 1;
		else
			restore_bytes[restore_len++] = *s++;
	}
}

static void keep_stderr(struct terminal *t)
{
	t->saved_stderr = t->kept_stderr = -1;
	if (SANITIZED || !isatty(STDERR_FILENO))
		return;
	t->kept_stderr = memfd_create("stderr", MFD_CLOEXEC);
	t->saved_stderr = dup(STDERR_FILENO);
	if (t->kept_stderr >= 0 && t->saved_stderr >= 0) {
		dup2(t->kept_stderr, STDERR_FILENO);
		saved_stderr_fd = t->saved_stderr;
		kept_stderr_fd = t->kept_stderr;
	}
}

static void release_stderr(struct terminal *t)
{
	char buf[4096];
	ssize_t n;

	if (t->saved_stderr < 0 || t->kept_stderr < 0)
		return;
	fflush(stderr);
	dup2(t->saved_stderr, STDERR_FILENO);
	saved_stderr_fd = kept_stderr_fd = -1;
	lseek(t->kept_stderr, 0, SEEK_SET);
	while ((n = read(t->kept_stderr, buf, sizeof buf)) > 0)
		if (write(STDERR_FILENO, buf, (size_t)n) < 0)
			break;
	close(t->kept_stderr);
	close(t->saved_stderr);
}

static enum palette choose_palette(const struct tui_options *o)
{
	const char *no = getenv("NO_COLOR");
	int colors = 0;

	if (o->color == TUI_COLOR_NEVER || (o->color == TUI_COLOR_AUTO && no && *no) || !has_colors())
		return PALETTE_MONO;
	start_color();
	if (use_default_colors() == OK)
		colors = COLORS;
	if (COLOR_PAIRS <= ROLE_COUNT)
		colors = 0;
	return (enum palette)theme_palette(o->theme, colors);
}

/* Curses ignores SIGTSTP while it draws, and so would lose some. As a key, Ctrl-Z waits its turn. */
static void suspend_by_key(void)
{
	struct termios modes;

	if (tcgetattr(STDIN_FILENO, &modes) < 0)
		return;
	modes.c_cc[VSUSP] = _POSIX_VDISABLE;
	tcsetattr(STDIN_FILENO, TCSANOW, &modes);
	def_prog_mode();
}

static void set_up(struct terminal *t, const struct tui_options *o)
{
	if (!getenv("ESCDELAY"))
		set_escdelay(25);
	cbreak();
	noecho();
	nonl();
	keypad(stdscr, TRUE);
	nodelay(stdscr, TRUE);
	leaveok(stdscr, FALSE);
	curs_set(0);
	t->palette = choose_palette(o);
	if (t->palette != PALETTE_MONO) {
		for (int r = 0; r < ROLE_COUNT; r++) {
			struct style s = theme_style(t->palette, (enum role)r, 0);

			init_pair((short)(r + 1), s.fg, s.bg);
		}
	}
	suspend_by_key();
	restore_len = 0;
	add_restore("sgr0");
	add_restore("cnorm");
	add_restore("rmkx");
	add_restore("rmcup");
}

/* Signals come only while we wait, so no handler runs in the middle of curses, and none is missed. */
static void take_signals(struct terminal *t)
{
	struct sigaction sa = {.sa_sigaction = on_end, .sa_flags = SA_SIGINFO};
	sigset_t blocked;

	sigemptyset(&sa.sa_mask);
	ended_by = interrupted = 0;
	for (int i = 0; i < ENDING; i++)
		sigaction(ending[i], &sa, &t->old_actions[i]);
	sigemptyset(&blocked);
	for (int i = 0; i < ENDING; i++)
		sigaddset(&blocked, ending[i]);
	sigaddset(&blocked, SIGWINCH);
	sigaddset(&blocked, SIGTSTP);
	pthread_sigmask(SIG_BLOCK, &blocked, &t->before);
	t->waiting = t->before;
	for (int i = 0; i < ENDING; i++)
		sigdelset(&t->waiting, ending[i]);
	sigdelset(&t->waiting, SIGWINCH);
	sigdelset(&t->waiting, SIGTSTP);
}

enum err_code term_open(struct terminal **out, const struct tui_options *o, struct err *e)
{
	const char *name = getenv("TERM");
	struct terminal *t;
	char safe[64];

	*out = NULL;
	if (!isatty(STDIN_FILENO) || !isatty(STDOUT_FILENO) || tcgetattr(STDIN_FILENO, &saved_modes) < 0)
		return err_set(e, ERR_USAGE, "the workbench needs a terminal, and this is none");
	if (!name || !*name)
		return err_set(e, ERR_USAGE, "TERM is not set, so the terminal's kind is not known");
	t = mem_zero(1, sizeof *t);
	if (!t)
		return err_memory(e, "the terminal");
	t->screen = newterm(NULL, stdout, stdin);
	if (!t->screen) {
		mem_free(t);
		return err_set(e, ERR_USAGE, "TERM is '%s', a terminal that cannot be used or is not known here",
			       text_safe(safe, sizeof safe, name, SIZE_MAX, TEXT_UTF8));
	}
	modes_saved = 1;
	canvas_init(&t->shown, false);
	take_signals(t);
	set_up(t, o);
	set_crash_handlers(true);
	keep_stderr(t);
	*out = t;
	return ERR_OK;
}

void term_close(struct terminal *t)
{
	if (!t)
		return;
	set_crash_handlers(false);
	if (!t->gone) {
		term_take_mouse(t, false);
		curs_set(1);
		/* A terminal that was enlarged meanwhile (tmux) would show our lines where it has none of its own to restore. */
		erase();
		refresh();
		endwin();
	}
	modes_saved = 0;
	delscreen(t->screen);
	release_stderr(t);
	for (int i = 0; i < ENDING; i++)
		sigaction(ending[i], &t->old_actions[i], NULL);
	pthread_sigmask(SIG_SETMASK, &t->before, NULL);
	canvas_release(&t->shown);
	mem_free(t);
}

void term_size(const struct terminal *t, int *w, int *h)
{
	(void)t;
	*w = COLS;
	*h = LINES;
}

unsigned term_wait(struct terminal *t, int fd, bool block)
{
	struct pollfd fds[2] = {{.fd = STDIN_FILENO, .events = POLLIN}, {.fd = fd, .events = POLLIN}};
	unsigned events = 0;
	static const struct timespec at_once;
	int n = ppoll(fds, 2, block ? NULL : &at_once, &t->waiting);

	if (ended_by)
		return TERM_SIGNAL;
	if (interrupted) {
		interrupted = 0;
		events |= TERM_INTERRUPT;
	}
	if (n < 0)
		return events | TERM_KEY; /* interrupted: curses has the resize as a key */
	if (fds[0].revents & POLLIN)
		events |= TERM_KEY;
	else if (fds[0].revents & (POLLHUP | POLLERR | POLLNVAL))
		t->gone = true;
	if (fds[1].revents)
		events |= TERM_WAKE;
	return t->gone ? TERM_GONE : events;
}

int term_signal(const struct terminal *t)
{
	(void)t;
	return ended_by;
}

static uint32_t special_key(wint_t c)
{
	switch (c) {
	case KEY_MOUSE: return KEYCODE_MOUSE;
	case KEY_UP: return KEYCODE_UP;
	case KEY_DOWN: return KEYCODE_DOWN;
	case KEY_LEFT: return KEYCODE_LEFT;
	case KEY_RIGHT: return KEYCODE_RIGHT;
	case KEY_SR: return KEYCODE_SHIFT_UP;
	case KEY_SF: return KEYCODE_SHIFT_DOWN;
	case KEY_SLEFT: return KEYCODE_SHIFT_LEFT;
	case KEY_SRIGHT: return KEYCODE_SHIFT_RIGHT;
	case KEY_HOME:
	case KEY_FIND: return KEYCODE_HOME;
	case KEY_END:
	case KEY_SELECT: return KEYCODE_END;
	case KEY_PPAGE: return KEYCODE_PAGE_UP;
	case KEY_NPAGE: return KEYCODE_PAGE_DOWN;
	case KEY_IC: return KEYCODE_INSERT;
	case KEY_DC: return KEYCODE_DELETE;
	case KEY_BTAB: return KEYCODE_BACK_TAB;
	case KEY_BACKSPACE: return KEYCODE_BACKSPACE;
	case KEY_ENTER: return KEYCODE_ENTER;
	default: return c >= KEY_F(1) && c <= KEY_F(12) ? KEYCODE_F1 + (uint32_t)(c - KEY_F(1)) : 0;
	}
}

/* Curses' own handler leaves the screen, stops us, and paints it again when we are continued. */
static void suspend(struct terminal *t)
{
	struct winsize size;
	sigset_t old;

	pthread_sigmask(SIG_SETMASK, &t->waiting, &old);
	kill(getpid(), SIGTSTP);
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_row && size.ws_col)
		resizeterm(size.ws_row, size.ws_col);
}

/* A resize is told by the size itself, whatever key stands for it. */
uint32_t term_key(struct terminal *t)
{
	wint_t c;

	for (;;) {
		int got;

		errno = 0;
		got = wget_wch(stdscr, &c);
		if (got == ERR) {
			struct pollfd in = {.fd = STDIN_FILENO, .events = POLLIN};

			/* Readable, yet nothing was read: the end of input. */
			if (errno == EIO || (errno != EINTR && poll(&in, 1, 0) > 0 && in.revents))
				t->gone = t->gone || errno == EIO || (in.revents & (POLLHUP | POLLERR));
			return 0;
		}
		if (got == KEY_CODE_YES) {
			uint32_t key = special_key(c);

			if (key)
				return key;
		} else if (c == CTRL_Z) {
			suspend(t);
		} else if (c == 8) {
			return KEYCODE_BACKSPACE;
		} else if (c == '\n') {
			return KEYCODE_ENTER;
		} else if (c) {
			return (uint32_t)c;
		}
	}
}

void term_take_mouse(struct terminal *t, bool on)
{
	static const char off[] = "\033[?1000l\033[?1006l";

	if (t->mouse == on)
		return;
	t->mouse = on;
	mouseinterval(0);
	mousemask(on ? BUTTON1_PRESSED | BUTTON4_PRESSED | BUTTON5_PRESSED : 0, NULL);
	/* A crash must not leave clicks behind as text. */
	if (on && !memmem(restore_bytes, restore_len, off, sizeof off - 1) && restore_len + sizeof off <= sizeof restore_bytes) {
		memcpy(restore_bytes + restore_len, off, sizeof off - 1);
		restore_len += sizeof off - 1;
	}
}

bool term_mouse(struct terminal *t, int *x, int *y, int *wheel)
{
	MEVENT m;
	(void)t;

	if (getmouse(&m) != OK)
		return false;
	*x = m.x;
	*y = m.y;
	*wheel = m.bstate & BUTTON4_PRESSED ? -1 : m.bstate & BUTTON5_PRESSED ? 1 : 0;
	return *wheel || m.bstate & BUTTON1_PRESSED;
}

static attr_t curses_attr(unsigned attr)
{
	return (attr & ATTR_BOLD ? A_BOLD : 0) | (attr & ATTR_DIM ? A_DIM : 0) | (attr & ATTR_REVERSE ? A_REVERSE : 0) |
	       (attr & ATTR_UNDERLINE ? A_UNDERLINE : 0);
}

static void show_row(struct terminal *t, const struct canvas *c, int y)
{
	const struct cell *row = &c->cells[(size_t)y * (size_t)c->w];

	for (int x = 0; x < c->w; x++) {
		struct style s = theme_style(t->palette, (enum role)row[x].role, row[x].attr);
		short pair = t->palette == PALETTE_MONO ? 0 : (short)(row[x].role + 1);
		wchar_t text[3] = {(wchar_t)row[x].ch, (wchar_t)row[x].combining, 0};
		cchar_t cell;

		if (!row[x].ch)
			continue; /* the right half of a wide one */
		/* Where the C library sees another width than we do, its own screen would shift. */
		if (row[x].ch >= 0x80 && wcwidth((wchar_t)row[x].ch) != char_width(row[x].ch)) {
			text[0] = L'?';
			text[1] = 0;
			if (char_width(row[x].ch) == 2) {
				setcchar(&cell, L" ", curses_attr(s.attr), pair, NULL);
				mvadd_wch(y, x + 1, &cell);
			}
		}
		if (setcchar(&cell, text, curses_attr(s.attr), pair, NULL) == OK)
			mvadd_wch(y, x, &cell);
	}
}

void term_show(struct terminal *t, const struct canvas *c, bool all)
{
	size_t row = (size_t)c->w * sizeof *c->cells;
	sigset_t pending;

	if (!c->cells || !c->w || !c->h)
		return;
	if (all || t->shown.w != c->w || t->shown.h != c->h) {
		if (!canvas_resize(&t->shown, c->w, c->h))
			return;
		all = true;
		erase();
		clearok(stdscr, TRUE);
	}
	for (int y = 0; y < c->h; y++) {
		struct cell *mine = &t->shown.cells[(size_t)y * (size_t)c->w];
		const struct cell *theirs = &c->cells[(size_t)y * (size_t)c->w];

		if (!all && !memcmp(mine, theirs, row))
			continue;
		show_row(t, c, y);
		memcpy(mine, theirs, row);
	}
	move(c->h - 1, c->w - 1);
	if (sigpending(&pending) == 0 && sigismember(&pending, SIGTSTP))
		suspend(t); /* refresh() would lose it */
	refresh();
}
