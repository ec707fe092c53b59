/* Terminals that can do less, and lines that are slow. Nothing may be sent that the terminal does not know, or its
 * screen is garbage; what means something must be told apart with eight colours and with none; a key may not cost more
 * bytes than a slow line carries in a moment; and whatever sizes a terminal has in a row, it is whole in the end.
 */
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "tap.h"
#include "tui/screen/theme.h"

/* --- roles --- */

static bool same_style(struct style a, struct style b)
{
	return a.fg == b.fg && a.bg == b.bg && a.attr == b.attr;
}

static void are_apart(enum palette palette, const char *what, const enum role *roles, int n)
{
	bool apart = true;

	for (int i = 0; i < n; i++)
		for (int k = 0; k < i; k++)
			if (same_style(theme_style(palette, roles[i], 0), theme_style(palette, roles[k], 0))) {
				diag("roles %d and %d look the same", (int)roles[i], (int)roles[k]);
				apart = false;
			}
	ok(apart, "%s", what);
}

static void test_roles(void)
{
	static const enum role kinds[] = {ROLE_SEND, ROLE_RECEIVE, ROLE_COLLECTIVE, ROLE_COMPUTE, ROLE_WAIT, ROLE_DEFAULT};
	static const enum role stressed[] = {ROLE_DEFAULT, ROLE_SELECTED, ROLE_TITLE, ROLE_TAB_HERE};
	static const enum role said[] = {ROLE_DEFAULT, ROLE_WARN, ROLE_ERROR};
	static const enum role worth[] = {ROLE_DEFAULT, ROLE_BETTER, ROLE_WORSE};
	static const unsigned attrs[] = {ATTR_BOLD, ATTR_REVERSE, ATTR_UNDERLINE, ATTR_CURSOR, ATTR_MATCH};
	static const char *const names[] = {[PALETTE_MONO] = "no colours", [PALETTE_8] = "8 colours", [PALETTE_16] = "16 colours", [PALETTE_256] = "256 colours"};
	enum role phases[PHASE_ROLES];
	char what[64];

	for (int i = 0; i < PHASE_ROLES; i++)
		phases[i] = (enum role)(ROLE_PHASE_0 + i);
	for (int p = PALETTE_MONO; p <= PALETTE_256; p++) {
		bool seen = true;

		snprintf(what, sizeof what, "%s: what is selected, titles, the tab that is shown", names[p]);
		are_apart((enum palette)p, what, stressed, 4);
		snprintf(what, sizeof what, "%s: warnings and errors", names[p]);
		are_apart((enum palette)p, what, said, 3);
		for (size_t i = 0; i < sizeof attrs / sizeof *attrs; i++)
			seen = seen && !same_style(theme_style((enum palette)p, ROLE_DEFAULT, attrs[i]), theme_style((enum palette)p, ROLE_DEFAULT, 0)) &&
			       !same_style(theme_style((enum palette)p, ROLE_SELECTED, ATTR_CURSOR), theme_style((enum palette)p, ROLE_SELECTED, 0));
		ok(seen, "%s: cursor and matches are seen, on a selected row too", names[p]);
		if (p == PALETTE_MONO)
			continue; /* there they are letters and signs */
		snprintf(what, sizeof what, "%s: kinds of calls", names[p]);
		are_apart((enum palette)p, what, kinds, 6);
		snprintf(what, sizeof what, "%s: better and worse", names[p]);
		are_apart((enum palette)p, what, worth, 3);
		snprintf(what, sizeof what, "%s: phases", names[p]);
		are_apart((enum palette)p, what, phases, PHASE_ROLES);
	}
}

#if !__has_include(<vterm.h>)
int main(void)
{
	test_roles();
	skip(1, "libvterm is not installed");
	return done_testing();
}
#else
#include "pty_run.h"

/* --- what is sent --- */

struct sent {
	int most;      /* colour; -1: none */
	bool bright;   /* by the codes of 16 colours */
	bool strings;  /* OSC, DCS and the like */
	bool modes;    /* private ones: mouse, paste */
};

/* CSI sequences as they are, parameters in a row. */
static struct sent look_at(const char *s, size_t n)
{
	struct sent sent = {.most = -1};

	for (size_t i = 0; i + 1 < n; i++) {
		int numbers[32] = {0}, count = 0;

		if (s[i] != '\033')
			continue;
		sent.strings = sent.strings || strchr("]P_^X", s[i + 1]) != NULL;
		if (s[i + 1] != '[')
			continue;
		for (i += 2; i < n && ((s[i] >= '0' && s[i] <= '9') || s[i] == ';' || s[i] == '?'); i++) {
			if (s[i] == ';' && count < 31)
				numbers[++count] = 0;
			else if (s[i] != '?' && s[i] != ';')
				numbers[count] = numbers[count] * 10 + s[i] - '0';
		}
		if (s[i] == 'h' || s[i] == 'l')
			sent.modes = sent.modes || numbers[0] == 1000 || numbers[0] == 1006 || numbers[0] == 2004;
		for (int k = 0; s[i] == 'm' && k <= count; k++) {
			int color = -1;

			if ((numbers[k] == 38 || numbers[k] == 48) && k + 2 <= count)
				color = numbers[k + 2];
			else if (numbers[k] % 10 < 8 && (numbers[k] / 10 == 3 || numbers[k] / 10 == 4))
				color = numbers[k] % 10;
			sent.bright = sent.bright || (numbers[k] >= 90 && numbers[k] <= 107);
			if (numbers[k] == 38 || numbers[k] == 48)
				k += 2;
			sent.most = color > sent.most ? color : sent.most;
		}
	}
	return sent;
}

static void leave(struct pty_run *r, const char *what)
{
	int status;

	pty_type(r, "Q");
	status = pty_next_status(r);
	ok(WIFEXITED(status) && WEXITSTATUS(status) == 0, "%s: it leaves", what);
	pty_is_restored(r, what);
	pty_finish(r);
}

static void test_terminals(struct pty_run *r)
{
	static const struct {
		const char *term;
		int colors;
		bool modes; /* it has a mouse, or marks of pastes */
	} terms[] = {
		{"xterm-256color", 256, true}, {"xterm", 8, true}, {"screen", 8, true}, {"screen-256color", 256, true}, {"tmux", 8, true},
		{"tmux-256color", 256, true}, {"linux", 8, true}, {"vt100", 0, false}, {"vt220", 0, false},
	};

	for (size_t i = 0; i < sizeof terms / sizeof *terms; i++) {
		struct pty_setting s = {terms[i].term, NULL, "C.UTF-8", {NULL}};
		struct sent sent;

		pty_start(r, &s);
		if (!ok(pty_wait_for(r, "6 phases"), "%s: it runs", terms[i].term)) {
			pty_finish(r);
			continue;
		}
		pty_type(r, "3");
		ok(pty_wait_for(r, "covered  "), "%s: a list with a plot", terms[i].term);
		pty_type(r, "j1");
		ok(pty_wait_for(r, "tick"), "%s: the grid", terms[i].term);
		pty_type(r, "4");
		ok(pty_wait_for(r, "window "), "%s: the timeline", terms[i].term);
		pty_type(r, "Y");
		ok(pty_wait_for(r, "relevant phases cover"), "%s: what was tuned", terms[i].term);
		pty_type(r, ":se");
		ok(pty_wait_for(r, "Tab completes"), "%s: the palette", terms[i].term);
		pty_type(r, "\033");
		ok(pty_wait_gone(r, "Tab completes"), "%s: is closed", terms[i].term);
		sent = look_at(r->raw, r->raw_len);
		ok(terms[i].colors ? sent.most >= 0 && sent.most < terms[i].colors : sent.most < 0, "%s: colours that it has (%d of %d)", terms[i].term,
		   sent.most, terms[i].colors);
		ok(!sent.bright || terms[i].colors >= 16, "%s: none by codes that it does not know", terms[i].term);
		ok(!sent.strings, "%s: no string that it might show", terms[i].term);
		ok(sent.modes == terms[i].modes, "%s: modes are set only where it has them", terms[i].term);
		leave(r, terms[i].term);
	}
}

/* --- lines without a screen --- */

static void test_plain(struct pty_run *r)
{
	static const struct pty_setting dumb = {"dumb", NULL, "C.UTF-8", {"--plain", TRACE}}, none = {NULL, NULL, "C", {"--plain", TRACE}};
	int status;

	pty_start(r, &dumb);
	ok(pty_wait_for(r, "view Overview (0) of cg.S.4.clog2"), "--plain on a dumb terminal: it begins");
	pty_type(r, "3\n");
	ok(pty_wait_for(r, "row 1 of 6: phase 2"), "a line is answered");
	pty_type(r, "j\n");
	ok(pty_wait_for(r, "row 2 of 6: phase 3"), "and the next");
	ok(!memchr(r->raw, '\033', r->raw_len), "without an escape sequence");
	pty_type(r, "\004");
	status = pty_next_status(r);
	ok(WIFEXITED(status) && WEXITSTATUS(status) == 0, "the end of the input leaves");
	pty_finish(r);
	pty_start(r, &none);
	ok(pty_wait_for(r, "view Overview (0) of cg.S.4.clog2"), "without TERM, too");
	pty_type(r, "Q\n");
	status = pty_next_status(r);
	ok(WIFEXITED(status) && WEXITSTATUS(status) == 0, "Q leaves");
	pty_finish(r);
}

/* --- slow lines --- */

static const struct pty_setting tmux = {"tmux-256color", NULL, "C.UTF-8", {NULL}};

static void costs(struct pty_run *r, const char *keys, const char *says, size_t most, const char *what)
{
	size_t before;

	while (pty_drain(r, 100))
		;
	before = r->raw_len;
	pty_type(r, keys);
	ok(pty_wait_for(r, says), "%s: it is seen", what);
	ok(r->raw_len - before <= most, "%s: in %zu bytes, of at most %zu", what, r->raw_len - before, most);
}

static void test_bytes(struct pty_run *r)
{
	pty_start(r, &tmux);
	ok(pty_wait_for(r, "6 phases"), "it runs");
	pty_resize(r, 120, 40);
	pty_type(r, "1");
	ok(pty_wait_for(r, "Settings") && pty_wait_for(r, "tick 0"), "the grid at 120x40");
	costs(r, "l", "tick 1 ", 512, "the grid's cursor");
	costs(r, "]", "5.5 %", 2048, "a knob, beside the grid");
	costs(r, "3", "covered  ", 12000, "another view");
	costs(r, "j", "phase 3 ·", 4096, "a list's cursor, with all that is known of the phase");
	costs(r, "]", "6.0 %", 2048, "a knob, beside the list");
	costs(r, "2", "labels for", 12000, "the blocks");
	/* Of what the terminal itself says nothing is a key: not that it has the focus, nor what it was asked by who was
	 * there before. */
	costs(r, "\033[I\033[O", "sent ESC[O", 512, "the focus comes and goes");
	ok(pty_holds(r, "6.0 %") && pty_holds(r, "label  "), "and changes nothing");
	leave(r, "slow lines");
}

/* --- storms --- */

static void test_storm(struct pty_run *r)
{
	uint32_t seed = 2027;

	pty_start(r, &tmux);
	ok(pty_wait_for(r, "6 phases"), "it runs");
	for (int i = 0; i < 150; i++) {
		static const char *const keys[] = {"1", "2", "3", "4", "5", "6", "7", "0", "Y", "j", "l", "]", "[", "t", "?"};
		int w, h;

		seed = seed * 1664525u + 1013904223u;
		w = 1 + (int)((seed >> 8) % (i % 2 ? 400 : 80));
		h = 1 + (int)((seed >> 18) % (i % 2 ? 120 : 24));
		pty_resize(r, w, h);
		pty_type(r, keys[(seed >> 12) % (sizeof keys / sizeof *keys)]);
		pty_drain(r, 2);
	}
	pty_resize(r, 80, 24);
	pty_type(r, "1");
	ok(pty_wait_for(r, "tick"), "after 150 sizes it is whole");
	leave(r, "the storm");
}

int main(void)
{
	static struct pty_run r;

	signal(SIGPIPE, SIG_IGN);
	if (!getenv("PAS2P"))
		setenv("PAS2P", "build/pas2p", 1);
	test_roles();
	test_terminals(&r);
	test_plain(&r);
	test_bytes(&r);
	test_storm(&r);
	return done_testing();
}
#endif
