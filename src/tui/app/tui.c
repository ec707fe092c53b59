#include "tui.h"

#include <langinfo.h>
#include <stdio.h>
#include <string.h>

#include "exit.h"
#include "core/settings/config.h"
#include "core/base/clock.h"
#include "core/base/text.h"
#include "app_int.h"
#include "tui/screen/screen.h"
#include "tui/screen/theme.h"
#include "tui/views/view.h"

#define HOLD_MS 12 /* less than a frame */

/* What a key asks for is often there within a blink. Then one picture goes to the terminal, not the same one dimmed
 * first: on a slow line that would be seen, and waited for. Where work has taken longer the last time, the key is shown
 * at once. */
struct pace {
	int64_t key;   /* when the latest came, ns */
	bool open;     /* what it asked for is not all there */
	bool patient;  /* the last time that was there soon enough */
};

static int held_ms(const struct pace *p)
{
	return (int)((clock_ns() - p->key) / 1000000);
}

static void tui_read_keys(struct app *a, struct terminal *t, struct pace *p)
{
	struct input_event ev;

	p->key = clock_ns();
	p->open = true;
	while (!a->shell.quit && term_input(t, &ev))
		app_input(a, &ev);
	term_take_mouse(t, a->shell.mouse);
}

static void tui_fit_size(struct app *a, const struct terminal *t)
{
	int w, h;

	term_size(t, &w, &h);
	if (w != a->shell.canvas.w || h != a->shell.canvas.h)
		app_resize(a, w, h);
}

/* Draw, again while that is worth waiting for; returns what else came meanwhile. */
static unsigned tui_draw_frame(struct app *a, struct terminal *t, struct pace *p)
{
	unsigned events = 0;

	app_draw(a);
	while (p->open && p->patient && !events && app_blinks(a) && held_ms(p) < HOLD_MS) {
		events = term_wait(t, session_fd(a->work.session), HOLD_MS - held_ms(p));
		if (events & TERM_WAKE)
			app_news(a);
		events &= ~(unsigned)TERM_WAKE;
		tui_fit_size(a, t);
		app_draw(a);
	}
	if (p->open && !app_blinks(a)) {
		p->open = false;
		p->patient = held_ms(p) < HOLD_MS;
	} else if (held_ms(p) >= HOLD_MS) {
		p->patient = p->patient && !p->open;
	}
	return events;
}

static void tui_run_loop(struct app *a, struct terminal *t)
{
	struct pace pace = {.patient = true};

	tui_fit_size(a, t);
	app_news(a);
	term_take_mouse(t, a->shell.mouse);
	while (!a->shell.quit) {
		unsigned events = tui_draw_frame(a, t, &pace);

		term_show(t, &a->shell.canvas, a->shell.redraw_all);
		a->shell.redraw_all = false;
		events |= term_wait(t, session_fd(a->work.session), app_work(a) || events ? 0 : -1);
		if (events & TERM_INTERRUPT)
			app_interrupt(a);
		if (events & TERM_KEY)
			tui_read_keys(a, t, &pace);
		if (events & (TERM_WAKE | TERM_INTERRUPT))
			app_news(a);
		if (events & (TERM_SIGNAL | TERM_GONE)) {
			a->shell.quit = true;
			a->shell.status = events & TERM_SIGNAL ? 128 + term_signal(t) : EXIT_NO_TERMINAL;
		}
		tui_fit_size(a, t);
	}
}

static int tui_fail(int status, const char *words)
{
	const char *before = "pas2p: ";
	char safe[600];

	/* A hint is a line of its own. */
	for (size_t n; *words; words += n + (words[n] == '\n'), before = "") {
		n = strcspn(words, "\n");
		fprintf(stderr, "%s%s\n", before, text_safe(safe, sizeof safe, words, n, TEXT_UTF8));
	}
	return status;
}

static int run_in_terminal(const struct tui_options *o)
{
	struct terminal *t = NULL;
	struct app a;
	struct err e = {0};
	int status;

	if (term_open(&t, o->color, o->theme, &e)) {
		if (o->folder)
			err_hint(&e, "without a terminal, try: pas2p info FILE");
		else
			err_hint(&e, "without a terminal, try: pas2p %s %.300s", o->count ? "phases" : "predict",
				 o->count ? o->paths[0] : o->study ? o->study : o->models[0]);
		return tui_fail(e.code == ERR_USAGE ? EXIT_NO_TERMINAL : (int)exit_of_err(e.code), e.text);
	}
	if (app_init(&a, o, &e)) {
		term_close(t);
		return tui_fail((int)exit_of_err(e.code), e.text);
	}
	a.shell.canvas.letters |= term_is_mono(t);
	tui_run_loop(&a, t);
	term_close(t);
	status = a.shell.status;
	if (a.shell.last_words[0])
		tui_fail(status, a.shell.last_words);
	app_release(&a);
	return status;
}

/* On a screen in memory. */
static int run_without_terminal(const struct tui_options *o)
{
	int w = o->plain ? 120 : 80, h = o->plain ? 40 : 24;
	struct app a;
	struct err e = {0};
	int status;

	if (app_init(&a, o, &e))
		return tui_fail((int)exit_of_err(e.code), e.text);
	app_resize(&a, o->columns > 0 ? o->columns : w, o->rows > 0 ? o->rows : h);
	status = o->script ? script_run(&a, o->script) : plain_run(&a, o->ascii || strcmp(nl_langinfo(CODESET), "UTF-8") != 0);
	if (a.shell.last_words[0])
		tui_fail(status, a.shell.last_words);
	app_release(&a);
	return status;
}

static int no_such_theme(const char *name)
{
	char words[256], safe[64];
	size_t n = (size_t)snprintf(words, sizeof words, "unknown theme '%s': expected ",
				    text_safe(safe, sizeof safe, name, SIZE_MAX, TEXT_UTF8));

	for (const struct theme *t = theme_list(); t->name && n < sizeof words; t++)
		n += (size_t)snprintf(words + n, sizeof words - n, "%s%s", t == theme_list() ? "" : t[1].name ? ", " : " or ", t->name);
	return tui_fail(EXIT_USAGE, words);
}

static bool is_tab(const char *name)
{
	for (int v = 0; v < VIEW_TABS; v++)
		if (!strcmp(view_info((enum view_id)v)->name, name))
			return true;
	return false;
}

static int no_such_view(const char *name)
{
	char words[256], safe[64];
	size_t n = (size_t)snprintf(words, sizeof words, "ui.view: unknown view '%s': expected ",
				    text_safe(safe, sizeof safe, name, SIZE_MAX, TEXT_UTF8));

	for (int v = 0; v < VIEW_TABS && n < sizeof words; v++)
		n += (size_t)snprintf(words + n, sizeof words - n, "%s%s", !v ? "" : v < VIEW_LAST_TAB ? ", " : " or ",
				      view_info((enum view_id)v)->name);
	return tui_fail(EXIT_USAGE, words);
}

int tui_run(const struct tui_options *options)
{
	struct tui_options o = *options;
	const char *ascii = config_value(o.config, "ui.ascii"), *mouse = config_value(o.config, "ui.mouse");

	if (!o.theme)
		o.theme = config_value(o.config, "theme");
	if (!o.view)
		o.view = config_value(o.config, "ui.view");
	o.mouse = o.mouse || (mouse && !strcmp(mouse, "true"));
	o.ascii = o.ascii || (ascii && !strcmp(ascii, "true"));
	if (o.theme && theme_palette(o.theme, 0) < 0)
		return no_such_theme(o.theme);
	if (o.view && !is_tab(o.view))
		return no_such_view(o.view);
	if (o.script || o.plain)
		return run_without_terminal(&o);
	o.ascii = o.ascii || strcmp(nl_langinfo(CODESET), "UTF-8") != 0;
	return run_in_terminal(&o);
}
