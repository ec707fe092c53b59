/* The workbench in a real terminal: a pseudo-terminal on one side, libvterm's screen on the other.
 *
 * What the script layer cannot see is shown here: the escapes that reach the terminal, colours, keys as bytes, sizes
 * told by SIGWINCH, Ctrl-Z and fg, and above all that the terminal is left as it was found, whatever ends the
 * program. A small job-control shell between the test and the program makes stopping and continuing real. Nothing
 * sleeps: the test waits until the screen holds a text, for at most some seconds.
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
#include "pty_run.h"

static const struct pty_setting usual = {"xterm-256color", NULL, "C.UTF-8", {NULL}};

static void test_start_and_quit(struct pty_run *r)
{
	int status;

	pty_start(r, &usual);
	ok(pty_wait_for(r, "6 phases"), "the first screen is there");
	ok(r->alternate, "it is the alternate screen");
	pty_type(r, "3");
	ok(pty_wait_for(r, "covered  "), "a key changes the view");
	pty_type(r, "\033OB\033OB"); /* cursor down twice */
	ok(pty_wait_for(r, "phase 1 · 1 ×"), "cursor keys arrive as keys");
	pty_type(r, "\t");
	ok(pty_wait_for(r, "Tab back"), "the panel takes the keys");
	pty_type(r, "\033");
	ok(pty_wait_for(r, "Tab to change"), "a lone Esc is a key");
	pty_type(r, "Q");
	status = pty_next_status(r);
	ok(WIFEXITED(status) && WEXITSTATUS(status) == 0, "Q leaves with status 0");
	pty_is_restored(r, "Q");
	pty_finish(r);
}

/* Without a trace there are those of the folder to choose from. */
static void test_choosing(struct pty_run *r)
{
	static const struct pty_setting alone = {"xterm-256color", NULL, "C.UTF-8", {"--color", "auto"}};
	int status;

	pty_start(r, &alone);
	ok(pty_wait_for(r, "sample-traces/"), "without a trace, the folder is shown");
	pty_type(r, "/sample-traces\r");
	ok(pty_wait_for(r, "▸folder  sample-traces"), "a folder in it is found");
	pty_type(r, "\r");
	ok(pty_wait_for(r, "cg.S.4.clog2"), "Enter shows the traces in it");
	pty_type(r, "/cg.S\r\r");
	ok(pty_wait_for(r, "6 phases"), "and opens one");
	pty_type(r, "\x0f"); /* Ctrl-O */
	ok(pty_wait_for(r, "parent folder"), "Ctrl-O shows them again");
	pty_type(r, "/lu.S\r\r");
	ok(pty_wait_for(r, "lu.S.4.clog2  2 of 2"), "another is opened beside it");
	pty_type(r, "\x0e"); /* Ctrl-N */
	ok(pty_wait_for(r, "cg.S.4.clog2  1 of 2") && pty_wait_for(r, "6 phases"), "and Ctrl-N goes back to the first");
	pty_type(r, "Q");
	status = pty_next_status(r);
	ok(WIFEXITED(status) && WEXITSTATUS(status) == 0, "Q leaves with status 0");
	pty_is_restored(r, "choosing");
	pty_finish(r);
}

static void test_signals(struct pty_run *r)
{
	static const struct {
		int sig, status;
		const char *name;
	} ends[] = {{SIGHUP, 129, "SIGHUP"}, {SIGTERM, 143, "SIGTERM"}, {SIGQUIT, 131, "SIGQUIT"}, {SIGINT, 130, "SIGINT"}};

	for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
		int status;

		pty_start(r, &usual);
		ok(pty_wait_for(r, "6 phases"), "%s: it runs", ends[i].name);
		kill(pty_job_of(r), ends[i].sig);
		status = pty_next_status(r);
		ok(WIFEXITED(status) && WEXITSTATUS(status) == ends[i].status, "%s ends it in order, with status %d",
		   ends[i].name, ends[i].status);
		pty_is_restored(r, ends[i].name);
		pty_finish(r);
	}
}

static void test_ctrl_c(struct pty_run *r)
{
	int status = -1;

	pty_start(r, &usual);
	ok(pty_wait_for(r, "6 phases"), "it runs");
	pty_type(r, "1?");
	ok(pty_wait_for(r, "fewer ticks, or less time"), "it is idle");
	/* The first may stop the last bit of work. Two that came together might be one signal. */
	for (int i = 0; i < 3 && status < 0; i++) {
		pty_type(r, "\003");
		status = pty_status_within(r, PATIENCE * 1000 / 3);
	}
	ok(WIFEXITED(status) && WEXITSTATUS(status) == 130, "Ctrl-C leaves with status 130");
	pty_is_restored(r, "Ctrl-C");
	pty_finish(r);

	/* The key held down: what comes while the program leaves changes nothing. */
	status = -1;
	pty_start(r, &usual);
	ok(pty_wait_for(r, "6 phases"), "it runs");
	for (int i = 0; i < PATIENCE * 1000 && status < 0; i++) {
		pty_type(r, "\003");
		status = pty_status_within(r, 1);
	}
	ok(WIFEXITED(status) && WEXITSTATUS(status) == 130, "Ctrl-C held down leaves with status 130");
	pty_finish(r);
}

static void test_crashes(struct pty_run *r)
{
#if SANITIZED
	(void)r;
	skip(1, "the sanitizer has crashes to itself");
#else
	static const struct {
		int sig;
		const char *name;
	} crashes[] = {{SIGSEGV, "SIGSEGV"}, {SIGABRT, "SIGABRT"}, {SIGBUS, "SIGBUS"}, {SIGFPE, "SIGFPE"}};

	for (size_t i = 0; i < sizeof crashes / sizeof *crashes; i++) {
		int status;

		pty_start(r, &usual);
		ok(pty_wait_for(r, "6 phases"), "%s: it runs", crashes[i].name);
		kill(pty_job_of(r), crashes[i].sig);
		status = pty_next_status(r);
		ok(WIFSIGNALED(status) && WTERMSIG(status) == crashes[i].sig, "%s kills it as it should", crashes[i].name);
		pty_is_restored(r, crashes[i].name);
		pty_finish(r);
	}
#endif
}

static void test_suspend(struct pty_run *r)
{
	int status;

	pty_start(r, &usual);
	ok(pty_wait_for(r, "6 phases"), "it runs");
	pty_type(r, "\032"); /* Ctrl-Z */
	status = pty_next_status(r);
	ok(WIFSTOPPED(status), "Ctrl-Z stops it");
	pty_is_restored(r, "Ctrl-Z");
	pty_resize(r, 120, 30);
	ok(write(r->order_pipe, "c", 1) == 1, "it is continued");
	ok(pty_wait_for(r, "Settings"), "it draws again, at the size that the terminal has now");
	ok(r->alternate, "on the alternate screen");
	pty_type(r, "2");
	ok(pty_wait_for(r, "labels for"), "and takes keys");
	pty_type(r, "Q");
	status = pty_next_status(r);
	ok(WIFEXITED(status) && WEXITSTATUS(status) == 0, "Q leaves");
	pty_is_restored(r, "after fg, Q");
	pty_finish(r);
}

static void test_resizes(struct pty_run *r)
{
	static const int sizes[][2] = {{79, 24}, {40, 10}, {39, 9}, {10, 3}, {2, 2}, {1, 1}, {3, 50}, {200, 1}, {200, 60},
				       {1, 1}, {76, 18}, {100, 24}, {80, 24}};
	int status;

	pty_start(r, &usual);
	ok(pty_wait_for(r, "6 phases"), "it runs");
	for (int round = 0; round < 3; round++)
		for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
			pty_resize(r, sizes[i][0], sizes[i][1]);
			pty_type(r, "l3j1");
			pty_drain(r, 10);
		}
	pty_resize(r, 30, 8);
	ok(pty_wait_for(r, "need 40x10"), "too small, it says how much it needs");
	pty_resize(r, 80, 24);
	ok(pty_wait_for(r, "6 phases") && pty_wait_for(r, "tick"), "after a storm of sizes down to 1x1 it is whole again");
	pty_type(r, "Q");
	status = pty_next_status(r);
	ok(WIFEXITED(status) && WEXITSTATUS(status) == 0, "and leaves");
	pty_is_restored(r, "the storm");
	pty_finish(r);
}

static bool has_colour(struct pty_run *r)
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

static bool is_ascii(const struct pty_run *r)
{
	for (size_t i = 0; i < r->raw_len; i++)
		if ((unsigned char)r->raw[i] >= 0x80)
			return false;
	return true;
}

static void test_looks(struct pty_run *r)
{
	static const struct {
		const char *what;
		struct pty_setting s;
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
		pty_start(r, &looks[i].s);
		ok(pty_wait_for(r, "6 phases"), "%s: it runs", looks[i].what);
		ok(has_colour(r) == looks[i].colour, "%s: %s", looks[i].what, looks[i].colour ? "colours" : "no colours");
		ok(is_ascii(r) == looks[i].ascii, "%s: %s", looks[i].what, looks[i].ascii ? "ASCII only" : "more than ASCII");
		ok(!memmem(r->raw, r->raw_len, "\033]4;", 4), "%s: the palette is left alone", looks[i].what);
		pty_type(r, "Q");
		pty_next_status(r);
		pty_is_restored(r, looks[i].what);
		pty_finish(r);
	}
}

static void test_no_terminal(struct pty_run *r)
{
	static const struct {
		const char *what, *says;
		struct pty_setting s;
	} terms[] = {
		{"TERM unset", "TERM is not set", {NULL, NULL, "C.UTF-8", {NULL}}},
		{"TERM unknown", "no-such-terminal", {"no-such-terminal", NULL, "C.UTF-8", {NULL}}},
		{"TERM empty", "TERM is not set", {"", NULL, "C.UTF-8", {NULL}}},
	};
	char command[1024];
	int status;

	for (size_t i = 0; i < sizeof terms / sizeof *terms; i++) {
		pty_start(r, &terms[i].s);
		status = pty_next_status(r);
		ok(WIFEXITED(status) && WEXITSTATUS(status) == 5, "%s: exit status 5", terms[i].what);
		ok(pty_holds(r, terms[i].says), "%s: it says so", terms[i].what);
		ok(!r->alternate, "%s: nothing was drawn", terms[i].what);
		pty_finish(r);
	}
	snprintf(command, sizeof command, "'%s' --no-config " TRACE " </dev/null >/dev/null 2>&1", getenv("PAS2P"));
	status = system(command);
	ok(WIFEXITED(status) && WEXITSTATUS(status) == 0, "stdin from /dev/null: the overview instead");
	snprintf(command, sizeof command, "'%s' --no-config --tutorial </dev/null 2>&1 | grep -q 'needs a terminal'", getenv("PAS2P"));
	ok(system(command) == 0, "of the tutorial a sentence");
	snprintf(command, sizeof command, "'%s' --no-config --tutorial </dev/null >/dev/null 2>&1", getenv("PAS2P"));
	status = system(command);
	ok(WIFEXITED(status) && WEXITSTATUS(status) == 5, "and exit status 5");
}

/* An editor's shell, say: text can be shown, nothing can be placed. */
static void test_dumb(struct pty_run *r)
{
	static const struct pty_setting dumb = {"dumb", NULL, "C.UTF-8", {NULL}};
	int status;

	pty_start(r, &dumb);
	status = pty_next_status(r);
	ok(WIFEXITED(status) && WEXITSTATUS(status) == 0, "TERM=dumb: exit status 0");
	ok(pty_holds(r, "6 phases, 3 relevant, which cover 98.2 %"), "TERM=dumb: the overview");
	ok(!r->alternate && !memchr(r->raw, '\033', r->raw_len), "TERM=dumb: no escape sequence");
	pty_finish(r);
}

static void test_names(struct pty_run *r)
{
	char directory[] = "/tmp/pas2p-tui.XXXXXX", path[256], command[512];
	struct pty_setting s = usual;
	int status;

	if (!mkdtemp(directory))
		bail_out("no temporary directory");
	snprintf(path, sizeof path, "%s/a\033]0;evil\007\033[2Jb\342\200\256c.clog2", directory);
	snprintf(command, sizeof command, "cp " TRACE " \"%s\"", path);
	if (system(command))
		bail_out("cannot copy a trace");
	s.args[0] = path;
	pty_start(r, &s);
	ok(pty_wait_for(r, "6 phases"), "a trace with escapes in its name is opened");
	ok(pty_wait_for(r, "]0;evil"), "its name is shown, made harmless");
	ok(!memmem(r->raw, r->raw_len, "\033]0;evil", 8), "the escape did not reach the terminal");
	ok(!memmem(r->raw, r->raw_len, "\342\200\256", 3), "nor did the mark that turns text round");
	pty_type(r, "Q");
	status = pty_next_status(r);
	ok(WIFEXITED(status) && WEXITSTATUS(status) == 0, "it leaves");
	pty_finish(r);
	unlink(path);
	rmdir(directory);
}

/* What is done between keys is seen when it is done, with no key in between. */
static void test_slices(struct pty_run *r)
{
	pty_start(r, &usual);
	ok(pty_wait_for(r, "6 phases"), "it runs");
	pty_resize(r, 130, 30);
	pty_type(r, "3\r");
	ok(pty_wait_for(r, "slowest") && pty_wait_for(r, "occurrences"), "the occurrences of a phase");
	ok(pty_wait_gone(r, "       …"), "get the times of their slowest process, which take longer, by themselves");
	pty_type(r, "1/nothing like it\r");
	ok(pty_wait_for(r, "No event matches"), "and a search says what it came to");
	pty_type(r, "Q");
	pty_next_status(r);
	pty_is_restored(r, "slices");
	pty_finish(r);
}

static void test_mouse(struct pty_run *r)
{
	int status;

	pty_start(r, &usual);
	ok(pty_wait_for(r, "6 phases"), "it runs");
	ok(!memmem(r->raw, r->raw_len, "1000h", 5), "the mouse is left to the terminal");
	pty_type(r, "O");
	ok(pty_wait_for(r, "Mouse on"), "until a key asks for it");
	ok(memmem(r->raw, r->raw_len, "1000h", 5), "which tells the terminal");
	pty_type(r, "\033[<0;28;2M\033[<0;28;2m"); /* the fourth tab */
	ok(pty_wait_for(r, "covered  "), "a click on a tab shows the view");
	pty_type(r, "Q");
	status = pty_next_status(r);
	ok(WIFEXITED(status) && WEXITSTATUS(status) == 0, "it leaves");
	ok(memmem(r->raw, r->raw_len, "1000l", 5), "and takes the mouse back from the terminal");
	pty_is_restored(r, "the mouse");
	pty_finish(r);
}

/* Sequences that mean nothing change nothing. */
static void test_sequences(struct pty_run *r)
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
		{"Alt-Up", "\033[1;3A", "A-Up does nothing here"},
	};
	int status;

	pty_start(r, &usual);
	ok(pty_wait_for(r, "6 phases"), "it runs");
	for (size_t i = 0; i < sizeof ones / sizeof *ones; i++) {
		pty_type(r, ones[i].bytes);
		ok(pty_wait_for(r, ones[i].says), "%s is told to do nothing", ones[i].what);
		ok(pty_holds(r, "volume 5.0 %") && pty_holds(r, "pas2p · phase"), "and does nothing");
	}
	pty_type(r, "\033[200~]]oQ\r\033[201~");
	ok(pty_wait_for(r, "Pasted text ignored"), "pasted text is no keys");
	ok(pty_holds(r, "volume 5.0 %") && pty_holds(r, "pas2p · phase"), "and does nothing");
	pty_type(r, ":\033[200~set volume\n3%\n\033[201~");
	ok(pty_wait_for(r, ":set volume 3%"), "in a prompt it is typed");
	ok(pty_holds(r, "volume 5.0 %"), "but not sent");
	pty_type(r, "\r");
	ok(pty_wait_for(r, "volume 3.0 %"), "before Enter is");
	pty_type(r, "\033[200~never ending ]]]");
	ok(pty_wait_for(r, "Pasted text ignored"), "a paste without an end");
	pty_type(r, "\003");
	/* The signal and the key race. */
	for (time_t end = time(NULL) + PATIENCE; time(NULL) < end && !pty_holds(r, "covered  "); pty_drain(r, 50))
		pty_type(r, "3");
	ok(pty_wait_for(r, "covered  "), "is ended by Ctrl-C");
	pty_type(r, "Q");
	status = pty_next_status(r);
	ok(WIFEXITED(status) && WEXITSTATUS(status) == 0, "it leaves");
	ok(memmem(r->raw, r->raw_len, "?2004h", 6) && memmem(r->raw, r->raw_len, "?2004l", 6), "pastes were marked, and are no more");
	pty_is_restored(r, "sequences");
	pty_finish(r);
}

/* Esc and what is typed behind it, as one packet: both count, and text goes where it was meant to go. */
static void test_fast_escape(struct pty_run *r)
{
	static const struct {
		const char *what, *bytes, *says, *text;
	} ones[] = {
		{"Esc and a command's colon", "\033:what-if phase 4", ":what-if phase 4", "it is a prompt that has the text"},
		{"Esc in a prompt, and a key", "\0333", "covered  ", "the prompt is left, and the key is one of the view's"},
		{"Esc and a search", "\033/]]oQ", "/]]oQ", "no key of the text is run"},
		{"Esc in a prompt, and another prompt", "\033=7", "volume = 7", "the first is left, the second has the text"},
		{"Esc and X", "\033\033X]]", ":screen ]]", "no string of a terminal's begins so"},
		{"Esc, Esc and a knob", "\033\033]", "volume 5.5 %", "the knob turns"},
		{"its undoing", "\033u", "volume 5.0 %", "is a key as well"},
		{"a mark that is not set", "m\0331", " 1 Logical", "the key behind Esc is no mark's letter"},
	};
	int status;

	pty_start(r, &usual);
	ok(pty_wait_for(r, "6 phases"), "it runs");
	for (size_t i = 0; i < sizeof ones / sizeof *ones; i++) {
		pty_type(r, ones[i].bytes);
		ok(pty_wait_for(r, ones[i].says), "%s: %s", ones[i].what, ones[i].text);
		ok(pty_holds(r, "pas2p · phase"), "and nothing else is changed");
	}
	pty_type(r, "\033");
	ok(pty_wait_for(r, "0 Overview"), "a lone Esc is one");
	/* Where the overview is still being made, Esc stops that first. */
	for (time_t end = time(NULL) + PATIENCE; time(NULL) < end && !pty_holds(r, "Q quits pas2p"); pty_drain(r, 200))
		pty_type(r, "\033");
	ok(pty_wait_for(r, "Q quits pas2p"), "and another");
	pty_type(r, "[C");
	ok(pty_wait_gone(r, "Q quits pas2p") && pty_holds(r, "volume 5.0 %"), "what comes late of a cursor key is no knob");
	pty_type(r, "Q");
	status = pty_next_status(r);
	ok(WIFEXITED(status) && WEXITSTATUS(status) == 0, "it leaves");
	pty_finish(r);
}

/* All of the tutorial's steps, on the trace that comes with the program. */
static void test_tutorial(struct pty_run *r)
{
	static const struct {
		const char *keys, *says;
	} acts[] = {
		{"\033OB", "✓ Down Up"}, {"\r", "step 2 of 10"},
		{"3", "step 3 of 10"},
		{"|", "step 4 of 10"},
		{"i", "✓ i show the phase"}, {"\033OC", "step 5 of 10"},
		{"4", "✓ 4 show"}, {"+", "step 6 of 10"},
		{"bbb", "✓ b w to a wait"}, {"!", "step 7 of 10"},
		{"))", "✓ ) to events"}, {"{", "✓ { lower it"}, {"u", "step 8 of 10"},
		{"Y", "✓ Y search"}, {"\r", "step 9 of 10"},
		{"3", "covered  "}, {"w", "✓ w compare"}, {"", "D sets"}, {"D", "✓ D merge"}, {"u", "step 10 of 10"},
		{"e", "✓ e preview"}, {"", "pas2p: 1"}, {"\r", "write to: lu.S.4.yaml"},
	};
	struct pty_setting s = usual;
	char directory[] = "/tmp/pas2p-tutorial.XXXXXX", file[64];
	int status;

	if (!mkdtemp(directory))
		bail_out("no temporary directory");
	snprintf(file, sizeof file, "%s/t.yaml", directory);
	s.args[0] = "--tutorial";
	pty_start(r, &s);
	ok(pty_wait_for(r, "step 1 of 10") && pty_wait_for(r, "16 phases") && pty_wait_for(r, "= load balance"), "the tutorial begins");
	for (size_t i = 0; i < sizeof acts / sizeof *acts; i++) {
		pty_type(r, acts[i].keys);
		ok(pty_wait_for(r, acts[i].says), "act %zu: %s", i + 1, acts[i].says);
		if (strcmp(acts[i].keys, "Y") == 0)
			ok(pty_wait_for(r, "220 of 220 searches"), "thresholds are found");
	}
	pty_type(r, "\025"); /* the proposed name goes */
	pty_type(r, file);
	pty_type(r, "\r");
	ok(pty_wait_for(r, "All steps are done"), "to the last step");
	ok(access(file, R_OK) == 0, "which wrote the table");
	pty_type(r, ":tutorial\r");
	ok(pty_wait_gone(r, "All steps are done"), "and it is left");
	pty_type(r, "Q");
	status = pty_next_status(r);
	ok(WIFEXITED(status) && WEXITSTATUS(status) == 0, "Q leaves with status 0");
	pty_is_restored(r, "the tutorial");
	pty_finish(r);
	unlink(file);
	rmdir(directory);
}

static void test_lost_terminal(struct pty_run *r)
{
	int status = 0;

	pty_start(r, &usual);
	ok(pty_wait_for(r, "6 phases"), "it runs");
	close(r->master);
	r->master = open("/dev/null", O_RDWR);
	status = pty_next_status(r);
	ok(status != -1 && !WIFSTOPPED(status), "a terminal that goes away ends the program");
	pty_finish(r);
}

int main(void)
{
	static struct pty_run r;

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
	test_fast_escape(&r);
	test_tutorial(&r);
	test_lost_terminal(&r);
	return done_testing();
}
#endif
