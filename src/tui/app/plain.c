#include "app_int.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/base/clock.h"
#include "core/base/number.h"
#include "core/base/text.h"
#include "tui/widgets/units.h"

#define PATIENCE_MS 2000 /* of work, before it says how far it is */
#define SHOWN_ROWS 20    /* of a list, without a number */

/* What was told last: what is the same now is not told again. */
enum told { TOLD_TITLE, TOLD_CHANGED, TOLD_KNOB, TOLD_FIGURES, TOLD_ROW, TOLD_STATUS, TOLD_QUESTION, TOLDS };

struct plain {
	struct app *app;
	bool ascii;
	struct out told[TOLDS];
	struct settings settings;
	enum setting_id knob;
	bool turning; /* the thresholds have the keys */
	char begun[PROMPT_TEXT]; /* of the answer to what is asked: what stands before the line that is typed */
};

static void plain_print_changes(const struct plain *p, const char *before, const char *text)
{
	for (size_t n; *text; text += n + (text[n] == '\n'), before = "") {
		char line[ERR_TEXT];
		struct out o;

		n = strcspn(text, "\n");
		snprintf(line, sizeof line, "%.*s", (int)n, text);
		out_init(&o);
		spoken_text(&o, line, p->ascii);
		printf("%s%s\n", before, o.text ? o.text : "");
		out_release(&o);
	}
}

static const char *file_name(const struct app *a)
{
	return path_name(a->work.path_count ? a->work.paths[0] : a->study.path ? a->study.path : "models");
}

static void title(const struct plain *p, struct out *o)
{
	const struct app *a = p->app;
	char safe[256], key[16];

	out_printf(o, "view %s", view_info(a->work.here)->title);
	if (a->work.here < VIEW_TABS)
		out_printf(o, " (%s)", keymap_first(&a->shell.keymap, view_info(a->work.here)->action, key));
	out_str(o, " of ");
	spoken_text(o, text_safe(safe, sizeof safe, file_name(a), SIZE_MAX, TEXT_UTF8), p->ascii);
	if (a->shell.panel.focus)
		out_str(o, ", keys change the settings");
}

/* All settings that are not those it began with. */
static void changed(const struct plain *p, struct out *o)
{
	char text[200];

	if (!p->app->work.path_count)
		return;
	app_changed_title(p->app, (int)sizeof text, text, sizeof text);
	spoken_text(o, text, p->ascii);
}

static bool has_knobs(const struct app *a)
{
	return a->work.path_count && !workspace_front(&a->work)->ops->knobs;
}

/* Which knob is selected, and settings that are others now. */
static void plain_print_knob(const struct plain *p, struct out *o)
{
	const struct settings *now = &p->app->work.model.settings;
	enum setting_id selected = p->app->shell.panel.selected;
	char from[UNIT_TEXT], to[UNIT_TEXT];
	bool changed = false;

	if (!has_knobs(p->app))
		return;
	for (enum setting_id id = 0; id < SETTING_COUNT; id++) {
		unit_setting(&p->settings, id, from, sizeof from);
		unit_setting(now, id, to, sizeof to);
		if (!strcmp(from, to))
			continue;
		out_printf(o, "%s%s %s, was %s", changed ? "; " : "", setting_info(id)->key, to, from);
		changed = true;
	}
	unit_setting(now, selected, to, sizeof to);
	if (!changed && (selected != p->knob || (p->app->shell.panel.focus && !p->turning)))
		out_printf(o, "setting %s %s%s", setting_info(selected)->key, to, settings_matters(now, selected) ? "" : ", without effect now");
}

static void add_share(struct out *o, const char *name, double now, double before, bool both)
{
	char text[UNIT_TEXT];

	if (isnan(now))
		return;
	out_printf(o, ", %s %s", name, unit_percent(text, now));
	if (both && !isnan(before) && fabs(now - before) >= 0.0005)
		out_printf(o, " (was %s)", unit_percent(text, before));
}

static void figures(const struct plain *p, struct out *o)
{
	const struct panel *f = &p->app->shell.panel;
	const struct summary *n = &f->now, *b = &f->before;
	char text[UNIT_TEXT];

	if (!has_knobs(p->app) || !n->valid)
		return;
	out_printf(o, "%s phase%s", unit_count(text, n->phases), n->phases == 1 ? "" : "s");
	if (b->valid && b->phases != n->phases)
		out_printf(o, " (was %s)", unit_count(text, b->phases));
	out_printf(o, ", %s relevant", unit_count(text, n->relevant));
	if (b->valid && b->relevant != n->relevant)
		out_printf(o, " (was %s)", unit_count(text, b->relevant));
	add_share(o, "coverage", n->coverage, b->coverage, b->valid);
	if (!isnan(n->coverage) && *n->share_of)
		out_printf(o, " %s", n->share_of);
}

static void plain_print_row(const struct plain *p, struct out *o)
{
	const struct app *a = p->app;
	struct view *v = workspace_front(&a->work);
	const struct row_source *rows = workspace_rows(&a->work);
	const struct list *l = view_list(v);
	int y;

	if (rows && rows->column_count && l->shown) {
		char n[UNIT_TEXT], of[UNIT_TEXT];

		out_printf(o, "row %s of %s: ", unit_count(n, (uint64_t)l->cur + 1), unit_count(of, l->shown));
		spoken_row(o, rows, v, list_row(l), p->ascii);
		return;
	}
	y = spoken_selected(a->shell.view_pane);
	if (y < 0)
		return;
	spoken_line(o, a->shell.view_pane, y, p->ascii);
	/* A bar alone says little: what it is of stands below it. */
	if (o->text && !strpbrk(o->text, "0123456789") && y + 1 < a->shell.view_pane.h) {
		out_str(o, ": ");
		spoken_line(o, a->shell.view_pane, y + 1, p->ascii);
	}
}

static void status(const struct plain *p, struct out *o)
{
	const struct app *a = p->app;
	struct view *v = workspace_front(&a->work);
	const struct list *l = view_list(v);
	char text[512] = "";

	if (l->filter && workspace_rows(&a->work)) {
		char n[UNIT_TEXT], of[UNIT_TEXT];

		out_printf(o, "filter: %s of %s rows; ", unit_count(n, l->shown), unit_count(of, l->total));
	}
	if (v->ops->status && (a->work.model.analysis || v->ops->knobs || v->ops->alone))
		v->ops->status(v, text, sizeof text, (int)sizeof text);
	spoken_text(o, text, p->ascii);
}

static void question(const struct plain *p, struct out *o)
{
	const struct prompt *q = &p->app->shell.prompt;

	if (!q->kind)
		return;
	out_str(o, "asks: ");
	spoken_text(o, q->label, p->ascii);
	if (p->begun[0])
		out_printf(o, " %s", p->begun);
	if (q->error[0])
		out_str(o, " (Esc cancels)");
	else if (q->len && strcmp(q->text, p->begun) != 0)
		out_printf(o, " (an empty line sends: %s)", q->text);
}

/* A question whose answer has begun, as "export " has, is gone on with; what is only proposed is replaced. A command's
 * has a mistake only from its beginning, any other what was answered. */
static void see_question(struct plain *p)
{
	const struct prompt *q = &p->app->shell.prompt;

	if (!q->kind || !q->error[0] || q->kind == PROMPT_COMMAND)
		snprintf(p->begun, sizeof p->begun, "%s", q->kind && q->len && !q->fresh && q->text[q->len - 1] == ' ' ? q->text : "");
}

/* again: all of it, changed or not. */
static void print_state(struct plain *p, bool again)
{
	static void (*const tellers[TOLDS])(const struct plain *p, struct out *o) = {title, changed, plain_print_knob, figures, plain_print_row, status, question};
	struct app *a = p->app;
	bool anything = false;

	see_question(p);
	if (a->shell.prompt.kind && a->shell.prompt.error[0]) {
		plain_print_changes(p, "error: ", a->shell.prompt.error);
		anything = true;
	}
	for (int i = 0; i < TOLDS; i++) {
		struct out o;
		bool same;

		out_init(&o);
		tellers[i](p, &o);
		same = i != TOLD_KNOB && i != TOLD_QUESTION && o.len == p->told[i].len &&
			(!o.len || !memcmp(o.text, p->told[i].text, o.len));
		if (o.len && (again || (!same && i != TOLD_CHANGED))) { /* each change was told when it was made */
			puts(o.text);
			anything = true;
		}
		out_release(&p->told[i]);
		p->told[i] = o;
	}
	if (a->work.model.message[0]) {
		plain_print_changes(p, a->shell.message_role == ROLE_ERROR ? "error: " : "", a->work.model.message);
		anything = true;
	}
	if (!anything)
		puts("no change");
	p->settings = a->work.model.settings;
	p->knob = a->shell.panel.selected;
	p->turning = a->shell.panel.focus;
	fflush(stdout);
}

/* What is being made, if anything is, and how far that is. */
static bool plain_is_busy(const struct app *a, struct background_state *state)
{
	const struct session_news *n = &a->work.news;

	if (!a->work.session || a->shell.quit)
		return false;
	*state = (struct background_state){true, n->stage, n->done, n->total};
	return n->loading || a->work.model.busy || background_busy(a->work.model.background, state);
}

/* Ctrl-C while something is being made stops that, and nothing else; again before the next line, or where nothing is
 * being made, as elsewhere: it takes a question back, or leaves. */
static void interrupt(struct app *a)
{
	struct background_state state;

	putchar('\n');
	if (!a->shell.prompt.kind && !a->shell.interrupted && !a->work.news.loading && !a->work.model.busy && plain_is_busy(a, &state)) {
		background_cancel_all(a->work.model.background);
		a->shell.interrupted = true;
		app_say(a, ROLE_WARN, "Stopped.");
		return;
	}
	if (a->shell.prompt.kind)
		app_say(a, ROLE_DIM, "Prompt cancelled; Q or Ctrl-C quits.");
	app_interrupt(a);
}

/* Until all is done, or Ctrl-C; what takes long says how far it is. What is drawn may ask for more. */
static void plain_settle_work(struct plain *p)
{
	struct app *a = p->app;
	struct background_state state;
	int64_t told = clock_ns();
	unsigned asked;

	app_news(a);
	do {
		while (plain_is_busy(a, &state)) {
			if (plain_input_wait(session_fd(a->work.session), PATIENCE_MS))
				interrupt(a);
			app_news(a);
			if (plain_is_busy(a, &state) && state.total && clock_ns() - told >= PATIENCE_MS * INT64_C(1000000)) {
				printf("%s, %d %%\n", progress_stage_name(state.stage), (int)(state.done * 100 / state.total));
				fflush(stdout);
				told = clock_ns();
			}
		}
		if (a->shell.quit || !a->work.session)
			return;
		asked = background_asked(a->work.model.background);
		app_news(a);
		app_draw(a);
	} while (background_asked(a->work.model.background) != asked || plain_is_busy(a, &state));
	app_settle(a);
}

/* --- words --- */

static void show_rows(const struct plain *p, uint32_t count)
{
	const struct app *a = p->app;
	struct view *v = workspace_front(&a->work);
	const struct list *l = view_list(v);
	char n[UNIT_TEXT];
	uint32_t place = count < UINT32_MAX ? l->cur : 0;

	for (; place < l->shown && count; place++, count--) {
		struct out o;

		out_init(&o);
		spoken_row(&o, workspace_rows(&a->work), v, list_row_at(l, place), p->ascii);
		printf("%s%u: %s\n", place == l->cur ? "selected, " : "", (unsigned)place + 1, o.text ? o.text : "");
		out_release(&o);
	}
	if (place < l->shown)
		printf("%s more; \"show all\" prints all rows\n", unit_count(n, l->shown - place));
}

static void show_pane(const struct plain *p, struct pane pane)
{
	int selected = spoken_selected(pane);

	for (int y = 0; y < pane.h; y++) {
		struct out o;

		out_init(&o);
		spoken_line(&o, pane, y, p->ascii);
		if (o.len)
			printf("%s%s\n", y == selected ? "selected, " : "", o.text);
		out_release(&o);
	}
}

static bool plain_show_rows(struct plain *p, const char *how)
{
	const struct app *a = p->app;
	const struct row_source *rows = workspace_rows(&a->work);
	struct view *v = workspace_front(&a->work);
	uint64_t count = SHOWN_ROWS;

	if (!strcmp(how, "all"))
		count = UINT32_MAX;
	else if (*how && (!number_parse_whole(how, strlen(how), &count) || !count || count >= UINT32_MAX))
		return false;
	if (rows && rows->column_count && view_list(v)->shown)
		show_rows(p, (uint32_t)count);
	else
		show_pane(p, a->shell.view_pane);
	return true;
}

static bool show_keys(struct plain *p, const char *rest)
{
	const struct app *a = p->app;
	char one[128];

	if (*rest)
		return false;
	for (const struct hint *h = workspace_front(&a->work)->hints; h && h->action; h++) {
		printf("%s", keymap_names(&a->shell.keymap, h->action, one, sizeof one));
		if (h->other)
			printf(" and %s", keymap_names(&a->shell.keymap, h->other, one, sizeof one));
		plain_print_changes(p, ": ", h->what);
	}
	for (int v = 0; v < VIEW_TABS; v++)
		printf("%s: view %s\n", keymap_names(&a->shell.keymap, view_info((enum view_id)v)->action, one, sizeof one),
		       view_info((enum view_id)v)->title);
	return true;
}

static bool plain_print_help(struct plain *p, const char *rest)
{
	(void)p;
	if (*rest)
		return false;
	fputs("Type one line and press Enter. A line is one of these:\n"
	      "key names with blanks between them, such as: 3 j j Enter, or: C-r, PgDn, Esc\n"
	      "a command after a colon, such as: :set volume 3%, or :goto rank 3, or :export rows.csv\n"
	      "/ and a text to search, & and a filter for rows, = and a value for the selected setting\n"
	      "an empty line: print the current state again\n"
	      "show: print the view; of a list 20 rows from the selected one; show 50; show all\n"
	      "keys: print the keys of this view. The key ? opens the help; then show prints it\n"
	      "help: print these lines\n"
	      "Q or the end of the input quits. After a question the line is the answer; Esc cancels.\n",
	      stdout);
	return true;
}

static const struct {
	const char *name;
	bool (*say)(struct plain *p, const char *rest);
} words[] = {{"show", plain_show_rows}, {"keys", show_keys}, {"help", plain_print_help}};

/* --- lines --- */

static void plain_type_text(struct app *a, const char *text)
{
	size_t n = strlen(text);
	uint32_t c;

	for (size_t used; (used = text_decode(text, n, &c)) > 0; text += used, n -= used)
		if (c >= ' ' && c != KEYCODE_BACKSPACE)
			app_key(a, c);
}

static void plain_answer_line(struct plain *p, const char *line)
{
	struct app *a = p->app;

	if (!strcmp(line, "Esc")) {
		app_key(a, KEYCODE_ESC);
		return;
	}
	if (*line) {
		app_key(a, KEYCODE_END);
		app_key(a, 'u' - 96); /* what stands there was refused, or is only proposed */
		plain_type_text(a, p->begun);
	}
	plain_type_text(a, line);
	if (a->shell.prompt.kind)
		app_key(a, KEYCODE_ENTER);
}

/* A line that a key begins which asks for text, and the text. */
static bool asks_and_answers(struct plain *p, const char *line)
{
	struct app *a = p->app;

	if (!strchr("/&=#", *line) || !line[1] || line[1] == ' ')
		return false;
	app_key(a, (unsigned char)*line);
	if (a->shell.prompt.kind) {
		p->begun[0] = 0;
		plain_answer_line(p, line + 1);
	}
	return true;
}

static void do_line(struct plain *p, const char *line)
{
	struct app *a = p->app;
	struct err e = {0};
	enum err_code code = ERR_OK;

	a->work.model.message[0] = 0;
	if (*line == ':')
		code = line[1] ? command_run(a, line + 1, &e) : script_press(a, line, &e);
	else if (!asks_and_answers(p, line))
		code = script_press(a, line, &e);
	if (code)
		app_say(a, ROLE_ERROR, "%s", e.text);
}

static void take_line(struct plain *p, char *line)
{
	struct app *a = p->app;
	size_t n = strlen(line);

	while (n && strchr(" \t\r\n", line[n - 1]))
		line[--n] = 0;
	if (a->shell.prompt.kind) {
		a->work.model.message[0] = 0;
		plain_answer_line(p, line);
	} else {
		line += strspn(line, " \t");
		for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
			size_t length = strlen(words[i].name);

			if (!strncmp(line, words[i].name, length) && (!line[length] || line[length] == ' ') &&
			    words[i].say(p, line + length + strspn(line + length, " "))) {
				fflush(stdout);
				return;
			}
		}
		if (!*line) {
			print_state(p, true);
			return;
		}
		do_line(p, line);
	}
	if (a->shell.quit)
		return;
	plain_settle_work(p);
	if (!a->shell.quit)
		print_state(p, false);
}

int plain_run(struct app *a, bool ascii)
{
	struct plain p = {.app = a, .ascii = ascii};
	enum plain_line got = PLAIN_LINE;
	struct plain_input in;
	char *line;

	plain_input_init(&in);
	plain_settle_work(&p);
	p.settings = a->work.model.settings;
	p.knob = a->shell.panel.selected;
	if (!a->shell.quit) {
		print_state(&p, false);
		puts("Type help and Enter to see what you can type.");
		fflush(stdout);
	}
	while (!a->shell.quit && got != PLAIN_END) {
		got = plain_input_line(&in, &line);
		if (got == PLAIN_LINE) {
			a->shell.interrupted = false;
			take_line(&p, line);
		} else if (got == PLAIN_INTERRUPTED) {
			a->work.model.message[0] = 0;
			interrupt(a);
			if (!a->shell.quit)
				print_state(&p, false);
		}
	}
	plain_input_release(&in);
	for (int i = 0; i < TOLDS; i++)
		out_release(&p.told[i]);
	return a->shell.status;
}
