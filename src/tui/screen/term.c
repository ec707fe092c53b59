#include "screen.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>
#include <wchar.h>

/* Last, for its names are common ones. */
#define NCURSES_WIDECHAR 1
#include <curses.h>

#include "core/base/clock.h"
#include "core/base/mem.h"
#include "core/base/text.h"
#include "screen_int.h"
#include "keys.h"
#include "theme.h"

#define CTRL_Z 26

struct terminal {
	SCREEN *screen;
	enum palette palette;
	struct canvas shown;     /* what the screen has */
	sigset_t waiting;        /* the mask while waiting: only then do signals come */
	sigset_t before;         /* of the thread when it came here */
	struct sigaction old_actions[5], old_stop;
	bool gone, mouse, can_mouse, can_paste;
	bool repaint;            /* the screen is not what was shown */
	struct input input;
	unsigned char bytes[512]; /* read, not taken yet */
	size_t at, have;
};

/* Signals that end us in order. */
static const int ending[] = {SIGHUP, SIGTERM, SIGINT, SIGQUIT, SIGPIPE};
#define ENDING ((int)(sizeof ending / sizeof *ending))

/* What signal handlers may touch; there is one terminal in a process. */
static volatile sig_atomic_t ended_by, interrupted, stop_asked;

/* Ctrl-C comes from the kernel; a SIGINT that somebody sent means what the other signals mean. */
static void on_end(int sig, siginfo_t *from, void *context)
{
	(void)context;
	if (sig == SIGINT && from->si_code > 0)
		interrupted = 1;
	else
		ended_by = sig;
}

static void on_stop(int sig)
{
	(void)sig;
	stop_asked = 1;
}

static bool has_capability(const char *name)
{
	const char *s = tigetstr(name);

	return s && s != (const char *)-1;
}

/* A terminal capability without its padding, for the crash handler. */
static void add_restore_capability(const char *name)
{
	const char *s = has_capability(name) ? tigetstr(name) : "";
	char bytes[256];
	size_t n = 0;

	while (*s) {
		if (s[0] == '$' && s[1] == '<' && strchr(s, '>'))
			s = strchr(s, '>') + 1;
		else if (n < sizeof bytes)
			bytes[n++] = *s++;
		else
			return; /* half of it would be another */
	}
	crash_add(bytes, n);
}

/* What curses does not know of: past its buffer, which is empty whenever it has drawn. */
static void term_write_bytes(const char *bytes)
{
	for (size_t n = strlen(bytes); n;) {
		ssize_t done = write(STDOUT_FILENO, bytes, n);

		if (done <= 0)
			return; /* a terminal that is gone says so where it is read */
		bytes += done;
		n -= (size_t)done;
	}
}

#define PASTE_ON "\033[?2004h"
#define PASTE_OFF "\033[?2004l"
#define MOUSE_ON "\033[?1000h\033[?1006h"
#define MOUSE_OFF "\033[?1006l\033[?1000l"

/* Pastes between marks, and clicks. A crash must not leave them behind. */
static void tell_modes(const struct terminal *t, bool on)
{
	if (t->can_paste)
		term_write_bytes(on ? PASTE_ON : PASTE_OFF);
	if (t->mouse && t->can_mouse)
		term_write_bytes(on ? MOUSE_ON : MOUSE_OFF);
	if (on && t->can_paste)
		crash_add(PASTE_OFF, sizeof PASTE_OFF - 1);
	if (on && t->mouse && t->can_mouse)
		crash_add(MOUSE_OFF, sizeof MOUSE_OFF - 1);
}

static enum palette choose_palette(enum term_color color, const char *theme)
{
	const char *no = getenv("NO_COLOR");
	int colors = 0;

	if (color == TERM_COLOR_NEVER || (color == TERM_COLOR_AUTO && no && *no) || !has_colors())
		return PALETTE_MONO;
	start_color();
	if (use_default_colors() == OK)
		colors = COLORS;
	if (COLOR_PAIRS <= ROLE_COUNT)
		colors = 0;
	return (enum palette)theme_palette(theme, colors);
}

/* As a key, Ctrl-Z waits its turn. */
static void suspend_by_key(void)
{
	struct termios modes;

	if (tcgetattr(STDIN_FILENO, &modes) < 0)
		return;
	modes.c_cc[VSUSP] = _POSIX_VDISABLE;
	tcsetattr(STDIN_FILENO, TCSANOW, &modes);
	def_prog_mode();
}

/* Terminals that have a mouse understand the marks of pastes too, and the rest ignores them or is never pasted into. */
static void learn_keys(struct terminal *t)
{
	static const struct {
		const char *capability;
		uint32_t key;
	} keys[] = {
		{"kcuu1", KEYCODE_UP}, {"kcud1", KEYCODE_DOWN}, {"kcub1", KEYCODE_LEFT}, {"kcuf1", KEYCODE_RIGHT},
		{"kri", KEYCODE_SHIFT_UP}, {"kind", KEYCODE_SHIFT_DOWN}, {"kLFT", KEYCODE_SHIFT_LEFT}, {"kRIT", KEYCODE_SHIFT_RIGHT},
		{"khome", KEYCODE_HOME}, {"kfnd", KEYCODE_HOME}, {"kend", KEYCODE_END}, {"kslt", KEYCODE_END},
		{"kpp", KEYCODE_PAGE_UP}, {"knp", KEYCODE_PAGE_DOWN}, {"kich1", KEYCODE_INSERT}, {"kdch1", KEYCODE_DELETE},
		{"kcbt", KEYCODE_BACK_TAB}, {"kbs", KEYCODE_BACKSPACE}, {"kent", KEYCODE_ENTER},
		{"kf1", KEYCODE_F1}, {"kf2", KEYCODE_F2}, {"kf3", KEYCODE_F3}, {"kf4", KEYCODE_F4}, {"kf5", KEYCODE_F5},
		{"kf6", KEYCODE_F6}, {"kf7", KEYCODE_F7}, {"kf8", KEYCODE_F8}, {"kf9", KEYCODE_F9}, {"kf10", KEYCODE_F10},
		{"kf11", KEYCODE_F11}, {"kf12", KEYCODE_F12},
	};
	const char *delay = getenv("ESCDELAY");

	input_init(&t->input);
	for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
		if (has_capability(keys[i].capability))
			input_known(&t->input, tigetstr(keys[i].capability), keys[i].key);
	if (delay && atoi(delay) > 0 && atoi(delay) <= 10000)
		t->input.esc_ms = atoi(delay);
	t->can_mouse = has_capability("kmous");
	t->can_paste = t->can_mouse || has_capability("BE");
}

static void set_up(struct terminal *t, enum term_color color, const char *theme)
{
	cbreak();
	noecho();
	nonl();
	keypad(stdscr, TRUE);
	leaveok(stdscr, FALSE);
	curs_set(0);
	t->palette = choose_palette(color, theme);
	if (t->palette != PALETTE_MONO) {
		for (int r = 0; r < ROLE_COUNT; r++) {
			struct style s = theme_style(t->palette, (enum role)r, 0);

			init_pair((short)(r + 1), s.fg, s.bg);
		}
	}
	suspend_by_key();
	crash_clear();
	add_restore_capability("sgr0");
	add_restore_capability("cnorm");
	add_restore_capability("rmkx");
	add_restore_capability("rmcup");
	learn_keys(t);
	tell_modes(t, true);
}

/* Signals come only while we wait, so no handler runs in the middle of curses, and none is missed. */
static void take_signals(struct terminal *t)
{
	struct sigaction sa = {.sa_sigaction = on_end, .sa_flags = SA_SIGINFO}, stop = {.sa_handler = on_stop};
	sigset_t blocked;

	sigemptyset(&sa.sa_mask);
	sigemptyset(&stop.sa_mask);
	ended_by = interrupted = stop_asked = 0;
	for (int i = 0; i < ENDING; i++)
		sigaction(ending[i], &sa, &t->old_actions[i]);
	sigaction(SIGTSTP, &stop, &t->old_stop);
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

enum err_code term_open(struct terminal **out, enum term_color color, const char *theme, struct err *e)
{
	const char *name = getenv("TERM");
	struct terminal *t;
	char safe[64];

	*out = NULL;
	if (!isatty(STDIN_FILENO) || !isatty(STDOUT_FILENO) || !crash_save_modes())
		return err_set(e, ERR_USAGE, "the workbench needs a terminal");
	if (!name || !*name)
		return err_set(e, ERR_USAGE, "TERM is not set; expected the type of the terminal, such as xterm-256color");
	t = mem_zero(1, sizeof *t);
	if (!t)
		return err_memory(e, "the terminal");
	t->screen = newterm(NULL, stdout, stdin);
	if (!t->screen) {
		mem_free(t);
		return err_set(e, ERR_USAGE, "TERM is '%s': this terminal type is unknown or unusable here",
			       text_safe(safe, sizeof safe, name, SIZE_MAX, TEXT_UTF8));
	}
	/* Nothing has been written yet. */
	if (!has_capability("cup")) {
		delscreen(t->screen);
		mem_free(t);
		return err_set(e, ERR_USAGE, "TERM is '%s': this terminal cannot move its cursor",
			       text_safe(safe, sizeof safe, name, SIZE_MAX, TEXT_UTF8));
	}
	canvas_init(&t->shown, false);
	take_signals(t);
	set_up(t, color, theme);
	crash_watch(true);
	crash_keep_stderr();
	*out = t;
	return ERR_OK;
}

void term_close(struct terminal *t)
{
	if (!t)
		return;
	crash_watch(false);
	if (!t->gone) {
		tell_modes(t, false);
		curs_set(1);
		/* A terminal that was enlarged meanwhile (tmux) would show our lines where it has none of its own to
		 * restore. */
		erase();
		refresh();
		endwin();
	}
	crash_forget_modes();
	delscreen(t->screen);
	crash_release_stderr();
	for (int i = 0; i < ENDING; i++)
		sigaction(ending[i], &t->old_actions[i], NULL);
	/* The program ends with the status of what ended it. Another Ctrl-C has nothing more to ask for. */
	signal(SIGINT, SIG_IGN);
	sigaction(SIGTSTP, &t->old_stop, NULL);
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

static int64_t now_ms(void)
{
	return clock_ns() / 1000000;
}

static void take_size(void)
{
	struct winsize size;

	if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_row && size.ws_col &&
	    (size.ws_row != LINES || size.ws_col != COLS))
		resizeterm(size.ws_row, size.ws_col);
}

/* Leave the screen, stop as every program does, and come back. */
static void suspend(struct terminal *t)
{
	struct sigaction stop, usual = {.sa_handler = SIG_DFL};
	sigset_t tstp, old;

	stop_asked = 0;
	tell_modes(t, false);
	endwin();
	sigemptyset(&usual.sa_mask);
	sigemptyset(&tstp);
	sigaddset(&tstp, SIGTSTP);
	sigaction(SIGTSTP, &usual, &stop);
	kill(getpid(), SIGTSTP);
	pthread_sigmask(SIG_UNBLOCK, &tstp, &old);
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	sigaction(SIGTSTP, &stop, NULL);
	reset_prog_mode();
	take_size();
	tell_modes(t, true);
	t->repaint = true;
}

unsigned term_wait(struct terminal *t, int fd, int most_ms)
{
	struct pollfd fds[2] = {{.fd = STDIN_FILENO, .events = POLLIN}, {.fd = fd, .events = POLLIN}};
	unsigned events = 0;
	int ms = input_wait(&t->input, now_ms()), n;
	struct timespec wait;

	if (most_ms >= 0 && (ms < 0 || ms > most_ms))
		ms = most_ms;
	wait = (struct timespec){.tv_sec = ms / 1000, .tv_nsec = ms % 1000 * 1000000L};
	n = ppoll(fds, 2, ms < 0 ? NULL : &wait, &t->waiting);
	if (ended_by)
		return TERM_SIGNAL;
	if (interrupted) {
		interrupted = 0;
		events |= t->input.pasting ? 0 : TERM_INTERRUPT; /* it ends a paste without an end */
		input_reset(&t->input);
	}
	if (stop_asked)
		suspend(t);
	if (n < 0) {
		take_size();
		return events;
	}
	if (fds[0].revents & POLLIN || input_wait(&t->input, now_ms()) == 0)
		events |= TERM_KEY;
	else if (fds[0].revents & (POLLHUP | POLLERR | POLLNVAL))
		t->gone = true;
	if (fds[1].revents)
		events |= TERM_WAKE;
	return t->gone ? TERM_GONE : events;
}

bool term_is_mono(const struct terminal *t)
{
	return t->palette == PALETTE_MONO;
}

int term_signal(const struct terminal *t)
{
	(void)t;
	return ended_by;
}

/* More bytes, if there are any: false: none. */
static bool read_bytes(struct terminal *t)
{
	struct pollfd in = {.fd = STDIN_FILENO, .events = POLLIN};
	ssize_t n;

	if (poll(&in, 1, 0) <= 0 || !in.revents)
		return false;
	n = read(STDIN_FILENO, t->bytes, sizeof t->bytes);
	t->at = 0;
	t->have = n > 0 ? (size_t)n : 0;
	if (n == 0 || (n < 0 && errno != EINTR && errno != EAGAIN))
		t->gone = true;
	return n > 0;
}

bool term_input(struct terminal *t, struct input_event *ev)
{
	t->input.mouse = t->mouse;
	for (;;) {
		while (input_next(&t->input, ev)) {
			if (ev->kind != INPUT_KEY || ev->key != CTRL_Z)
				return true;
			suspend(t);
		}
		if (t->at < t->have || read_bytes(t)) {
			input_byte(&t->input, t->bytes[t->at++], now_ms());
		} else {
			input_pause(&t->input, now_ms());
			if (!t->input.event_count)
				return false;
		}
	}
}

void term_take_mouse(struct terminal *t, bool on)
{
	if (t->mouse == on)
		return;
	if (!on && t->can_mouse)
		term_write_bytes(MOUSE_OFF);
	t->mouse = on;
	if (on)
		tell_modes(t, true);
}

static attr_t curses_attr(unsigned attr)
{
	return (attr & ATTR_BOLD ? A_BOLD : 0) | (attr & ATTR_DIM ? A_DIM : 0) | (attr & ATTR_REVERSE ? A_REVERSE : 0) |
	       (attr & ATTR_UNDERLINE ? A_UNDERLINE : 0);
}

static void show_row(struct terminal *t, const struct canvas *c, int y)
{
	const struct screen_cell *row = &c->cells[(size_t)y * (size_t)c->w];

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

static void put_canvas(struct terminal *t, const struct canvas *c, bool all)
{
	size_t row = (size_t)c->w * sizeof *c->cells;

	if (all || t->repaint || t->shown.w != c->w || t->shown.h != c->h) {
		if (!canvas_resize(&t->shown, c->w, c->h))
			return;
		all = true;
		t->repaint = false;
		erase();
		clearok(stdscr, TRUE);
	}
	for (int y = 0; y < c->h; y++) {
		struct screen_cell *mine = &t->shown.cells[(size_t)y * (size_t)c->w];
		const struct screen_cell *theirs = &c->cells[(size_t)y * (size_t)c->w];

		if (!all && !memcmp(mine, theirs, row))
			continue;
		show_row(t, c, y);
		memcpy(mine, theirs, row);
	}
	move(c->h - 1, c->w - 1);
}

void term_show(struct terminal *t, const struct canvas *c, bool all)
{
	sigset_t pending;

	if (!c->cells || !c->w || !c->h)
		return;
	put_canvas(t, c, all);
	/* Curses ignores SIGTSTP while it draws, and so would lose one. */
	if (sigpending(&pending) == 0 && sigismember(&pending, SIGTSTP)) {
		suspend(t);
		put_canvas(t, c, true);
	}
	refresh();
}
