/* The workbench's parts, without a terminal: the canvas clips whatever is drawn and lets no control character through;
 * keys are named and found by scope, and remapped without clashes; a prompt edits a line; undo keeps a gesture
 * together; a list shows, sorts, filters and finds rows of which it only knows numbers; numbers read well;
 * the counts of blocks add up; windows are marked by column, regular ones before extra ones.
 */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "core/formats/api/load.h"
#include "tap.h"
#include "tui/screen/canvas.h"
#include "tui/screen/glyphs.h"
#include "tui/screen/keys.h"
#include "tui/widgets/list.h"
#include "tui/jobs/jobs.h"
#include "tui/panes/panes.h"
#include "tui/widgets/widgets.h"
#include "tui/screen/theme.h"
#include "tui/model/undo.h"
#include "tui/model/phase_shares.h"
#include "tui/widgets/units.h"

/* Role letter, then its attributes. */
#define MONO ". d l tb hu kb b Bbu sr vb g o ib wb er mu pb S R Cb c W M xb y n P 0 1 2 3 4 5 6 7 8 9 A D "

static const char *dump(const struct canvas *c)
{
	static char text[4096];
	struct out o;

	out_init(&o);
	canvas_dump_text(c, &o);
	snprintf(text, sizeof text, "%s", o.text ? o.text : "");
	out_release(&o);
	return text;
}

static void test_canvas(void)
{
	struct canvas c;
	struct pane p, part;

	canvas_init(&c, false);
	canvas_resize(&c, 8, 3);
	p = canvas_pane(&c);
	pane_text(p, -2, 0, ROLE_DEFAULT, 0, "abcdefghijkl");
	pane_text(p, 0, 9, ROLE_DEFAULT, 0, "below");
	pane_text(p, 3, -1, ROLE_DEFAULT, 0, "above");
	pane_put(p, 100, 1, 'x', ROLE_DEFAULT, 0);
	is_str(dump(&c), "cdefghij\n\n\n", "what lies outside is cut");

	canvas_clear(&c);
	part = pane_part(p, 2, 1, 3, 9);
	is_int(part.w * 100 + part.h, 302, "a part is cut to its pane");
	pane_fill(part, '#', ROLE_DIM, 0);
	pane_text(part, 1, 0, ROLE_DEFAULT, 0, "wxyz");
	is_str(dump(&c), "\n  #wx\n  ###\n", "and text to the part");
	part = pane_part(p, 7, 2, -5, -5);
	pane_fill(part, '!', ROLE_DIM, 0);
	is_str(dump(&c), "\n  #wx\n  ###\n", "a part of negative size holds nothing");

	canvas_clear(&c);
	is_int(pane_text_in(p, 0, 0, 4, ROLE_DEFAULT, 0, "abcdef"), 4, "a cut text takes its room");
	is_str(dump(&c), "abc…\n\n\n", "and says that it is cut");

	canvas_clear(&c);
	pane_text_in(p, 0, 0, 8, ROLE_DEFAULT, 0, "ab\ncde");
	is_str(dump(&c), "ab · cde\n\n\n", "two lines stand in one");
	canvas_clear(&c);
	is_int(text_width("ab\ncdef"), 9, "which is wider");
	is_int(pane_text_in(p, 0, 0, 8, ROLE_DEFAULT, 0, "ab\ncdef"), 2, "without room for both there is the first");
	is_str(dump(&c), "ab\n\n\n", "as it is");
	canvas_clear(&c);
	pane_text_in(p, 0, 0, 4, ROLE_DEFAULT, 0, "abcdef\ngh");
	is_str(dump(&c), "abc…\n\n\n", "or cut");

	canvas_clear(&c);
	pane_text(p, 0, 0, ROLE_DEFAULT, 0, "a\033m\177\302\233\342\200\256b");
	is_str(dump(&c), "a\357\277\275m\357\277\275\357\277\275\357\277\275b\n\n\n",
	       "escape, DEL, C1 and bidi marks are replaced, whoever draws them");

	canvas_clear(&c);
	pane_text(p, 0, 0, ROLE_DEFAULT, 0, "作者e\314\201x");
	is_str(dump(&c), "作者e\314\201x\n\n\n", "wide characters take two cells, marks none");
	is_int(text_width("作者e\314\201x"), 6, "and text_width says so");
	pane_put(p, 1, 0, '|', ROLE_DEFAULT, 0);
	is_str(dump(&c), " |者e\314\201x\n\n\n", "half of a wide character does not stay behind");
	canvas_clear(&c);
	pane_text(p, 7, 0, ROLE_DEFAULT, 0, "作");
	is_str(dump(&c), "\n\n\n", "half of one is not drawn at the edge");
	canvas_release(&c);

	canvas_init(&c, true);
	canvas_resize(&c, 8, 1);
	pane_text(canvas_pane(&c), 0, 0, ROLE_DEFAULT, 0, "5 µs · │é");
	is_str(dump(&c), "5 us . |\n", "an ASCII canvas folds what it knows");
	canvas_clear(&c);
	pane_text(canvas_pane(&c), 0, 0, ROLE_DEFAULT, 0, "5 ± 1 ±");
	is_str(dump(&c), "5 +-1 +\n", "plus-minus takes the blank after it");
	pane_put(canvas_pane(&c), 0, 0, 0xE9, ROLE_DEFAULT, 0);
	is_int((int)c.cells[0].ch, '?', "and the rest becomes '?'");
	canvas_resize(&c, 0, 0);
	pane_text(canvas_pane(&c), 0, 0, ROLE_DEFAULT, 0, "x");
	is_str(dump(&c), "", "a canvas of no size takes anything");
	canvas_release(&c);
}

static void test_roles(void)
{
	struct out o;
	struct canvas c;
	char letters[256] = "";

	canvas_init(&c, false);
	canvas_resize(&c, ROLE_COUNT, 1);
	for (int r = 0; r < ROLE_COUNT; r++)
		pane_put(canvas_pane(&c), r, 0, 'x', (enum role)r, 0);
	out_init(&o);
	canvas_dump_roles(&c, &o);
	for (int r = 0; r < ROLE_COUNT; r++)
		if (strchr(letters, o.text[r]))
			ok(0, "role %d has a letter of its own, not %c", r, o.text[r]);
		else
			letters[strlen(letters)] = o.text[r];
	is_int((int)strlen(letters), ROLE_COUNT, "every role has a letter of its own");
	out_release(&o);
	canvas_release(&c);
	is_int(theme_palette("default", 256), PALETTE_256, "256 colours are used");
	is_int(theme_palette(NULL, 8), PALETTE_8, "so are eight");
	is_int(theme_palette("default", 0), PALETTE_MONO, "and none");
	is_int(theme_palette("mono", 256), PALETTE_MONO, "mono is mono everywhere");
	is_int(theme_palette("none such", 8), -1, "an unknown theme is refused");
	for (int r = 0; r < ROLE_COUNT; r++) {
		struct style s = theme_style(PALETTE_MONO, (enum role)r, 0);

		if (s.fg != -1 || s.bg != -1)
			ok(0, "role %d has a colour in mono", r);
	}
	/* Without colours, attributes alone say what is what: bold, underlined, reversed, or nothing. */
	out_init(&o);
	for (int r = 0; r < ROLE_COUNT; r++) {
		unsigned attr = theme_style(PALETTE_MONO, (enum role)r, 0).attr;

		out_printf(&o, "%c%s%s%s ", letters[r], attr & ATTR_BOLD ? "b" : "", attr & ATTR_UNDERLINE ? "u" : "",
			   attr & ATTR_REVERSE ? "r" : "");
	}
	is_str(o.text, MONO, "the mono theme");
	out_release(&o);
	ok(theme_style(PALETTE_MONO, ROLE_DEFAULT, ATTR_CURSOR).attr & ATTR_REVERSE, "the cursor is seen without colours");
	ok(!(theme_style(PALETTE_MONO, ROLE_SELECTED, ATTR_CURSOR).attr & ATTR_REVERSE), "and on what is reversed already");
}

static bool comes_back(uint32_t k, char name[16])
{
	keycode_name(k, name);
	return key_parse(name, strlen(name)) == k;
}

/* By one of its keys at least; those that it does not have there are those of something that is there alone. */
static bool is_reached(const struct keymap *m, enum action a, unsigned scope)
{
	bool reached = false;

	for (int i = 0; i < ACTION_KEYS && m->keys[a][i]; i++) {
		enum action found = keymap_find(m, m->keys[a][i], scope);

		if (found != a && action_info(found)->scope != scope)
			return false;
		reached |= found == a;
	}
	return reached;
}

static void test_keys(void)
{
	struct keymap m;
	struct err e;
	char name[16], names[64];

	keymap_init(&m);
	for (uint32_t k = 1; k < 127; k++)
		if (k != 27 && k != 28 && k != 29 && k != 30 && k != 31 && !comes_back(k, name))
			ok(0, "key %u comes back from its name %s", (unsigned)k, name);
	for (uint32_t k = KEYCODE_FIRST + 1; k < KEYCODE_LAST; k++)
		if (!comes_back(k, name))
			ok(0, "key %u comes back from its name %s", (unsigned)k, name);
	is_int(key_parse("Nonsense", 8), 0, "a name that is none");
	/* Of two actions with one key in one scope only one could ever be reached. A view may take a key of what is
	 * everywhere for something of its own, if that has another one. */
	for (int a = ACTION_NONE + 1; a < ACTION_COUNT; a++)
		for (unsigned bit = 1; bit < IN_ALL; bit *= 2)
			if (m.keys[a][0] && (action_info((enum action)a)->scope & bit) && !is_reached(&m, (enum action)a, bit))
				ok(0, "%s is reached by %s in scope %u", action_info((enum action)a)->name,
				   keymap_names(&m, (enum action)a, names, sizeof names), bit);
	ok(1, "every action is reached by its default keys where it is");
	is_int(action_find("zoom_in"), ACTION_ZOOM_IN, "actions are found with _ for -");
	is_int(action_find("zoom"), ACTION_NONE, "but not by a part of the name");
	is_int(keymap_set(&m, "zoom-in", "F5 C-z", &e), ERR_OK, "an action takes other keys");
	is_str(keymap_names(&m, ACTION_ZOOM_IN, names, sizeof names), "F5, C-z", "and has just these");
	is_int(keymap_find(&m, '+', IN_GRID), ACTION_NONE, "the old one is free");
	is_int(keymap_set(&m, "zoom-out", "F5", &e), ERR_OK, "a key moves");
	is_int(keymap_find(&m, KEYCODE_F5, IN_GRID), ACTION_ZOOM_OUT, "to the action that asked last");
	is_str(keymap_names(&m, ACTION_ZOOM_IN, names, sizeof names), "C-z", "and leaves the other");
	is_int(keymap_set(&m, "zoom-in", "none", &e), ERR_OK, "an action can do without");
	is_str(keymap_names(&m, ACTION_ZOOM_IN, names, sizeof names), "", "keys");
	is_int(keymap_set(&m, "fly", "x", &e), ERR_USAGE, "no such action");
	is_int(keymap_set(&m, "zoom-in", "Hyper-x", &e), ERR_USAGE, "no such key");
	is_int(keymap_set(&m, "zoom-in", "a b c d e f g", &e), ERR_USAGE, "too many keys");
}

static void type(struct prompt *p, const char *text)
{
	for (; *text; text++)
		prompt_key(p, (unsigned char)*text);
}

/* What is wrong is said in full, rather than what could be typed. */
static void test_prompt_mistake(void)
{
	static struct prompt p;
	struct canvas c;

	prompt_init(&p);
	prompt_open(&p, PROMPT_ITERATION, "iteration (1-378; Enter: the next outlier): ", "");
	type(&p, "500");
	canvas_init(&c, false);
	canvas_resize(&c, 80, 1);
	prompt_draw(&p, canvas_pane(&c));
	ok(strstr(dump(&c), "iteration (1-378; Enter: the next outlier): 500"), "a prompt says what can be typed");
	snprintf(p.error, sizeof p.error, "expected an iteration from 1 to 378");
	prompt_draw(&p, canvas_pane(&c));
	ok(strstr(dump(&c), "iteration: 500") && strstr(dump(&c), "expected an iteration from 1 to 378"), "until a mistake needs the room");
	canvas_resize(&c, 120, 1);
	prompt_draw(&p, canvas_pane(&c));
	ok(strstr(dump(&c), "(1-378; Enter: the next outlier): 500") && strstr(dump(&c), "expected an iteration from 1 to 378"), "where there is room both are");
	canvas_release(&c);
	prompt_release(&p);
}

static void test_prompt(void)
{
	static struct prompt p;

	prompt_init(&p);
	prompt_open(&p, PROMPT_COMMAND, ":", "");
	type(&p, "hello wold");
	prompt_key(&p, KEYCODE_LEFT);
	prompt_key(&p, KEYCODE_LEFT);
	type(&p, "r");
	is_str(p.text, "hello world", "a character goes where the cursor is");
	prompt_key(&p, 'w' - 96);
	is_str(p.text, "hello ld", "C-w takes the word before");
	prompt_key(&p, 'k' - 96);
	prompt_key(&p, 'a' - 96);
	prompt_key(&p, KEYCODE_DELETE);
	is_str(p.text, "ello ", "C-k the rest, Delete the one under it");
	prompt_key(&p, 'e' - 96);
	prompt_key(&p, 0xB5);
	prompt_key(&p, 0x4F5C);
	prompt_key(&p, 27 + 1); /* a control character */
	prompt_key(&p, 0x202E);
	is_str(p.text, "ello µ作", "other letters go in, controls and bidi marks do not");
	prompt_key(&p, KEYCODE_BACKSPACE);
	prompt_key(&p, KEYCODE_BACKSPACE);
	is_str(p.text, "ello ", "Backspace takes whole characters");
	is_int(prompt_key(&p, KEYCODE_ENTER), PROMPT_ACCEPTED, "Enter accepts");
	prompt_open(&p, PROMPT_COMMAND, ":", "");
	type(&p, "second");
	prompt_key(&p, KEYCODE_ENTER);
	prompt_open(&p, PROMPT_COMMAND, ":", "");
	prompt_key(&p, KEYCODE_UP);
	is_str(p.text, "second", "Up recalls the last line");
	prompt_key(&p, KEYCODE_UP);
	prompt_key(&p, KEYCODE_UP);
	is_str(p.text, "ello ", "and the first, and stays there");
	prompt_key(&p, KEYCODE_DOWN);
	prompt_key(&p, KEYCODE_DOWN);
	is_str(p.text, "", "Down comes back to the empty line");
	is_int(prompt_key(&p, KEYCODE_BACKSPACE), PROMPT_CANCELLED, "Backspace on nothing leaves");
	prompt_open(&p, PROMPT_SEARCH, "/", "");
	prompt_key(&p, KEYCODE_UP);
	is_str(p.text, "", "each kind has a history of its own");
	is_int(prompt_key(&p, KEYCODE_ESC), PROMPT_CANCELLED, "Esc leaves");
	for (int i = 0; i < PROMPT_TEXT * 2; i++)
		prompt_key(&p, 'x');
	ok(p.len < PROMPT_TEXT, "a line has an end");
	prompt_release(&p);
}

static bool back(struct undo *u, struct settings *s)
{
	const struct undo_step *step = undo_back(u);

	if (step)
		*s = step->settings;
	return step;
}

static bool forward(struct undo *u, struct settings *s)
{
	const struct undo_step *step = undo_forward(u);

	if (step)
		*s = step->settings;
	return step;
}

static void test_undo(void)
{
	static struct undo u;
	struct settings s, t;
	struct view_look before = {.known = true, .shape = {0, 1}}, now = before;
	struct look look = {.views[VIEW_GRID] = before};

	settings_init(&s);
	undo_init(&u, &s, &look);
	ok(!back(&u, &t), "at first there is nothing to undo");
	for (int i = 0; i < 5; i++) {
		panel_turn(&s, SETTING_volume, 1, false);
		is_int(undo_record(&u, &s, SETTING_volume), i == 0, "turn %d %s", i, i ? "goes on" : "begins a change");
	}
	panel_turn(&s, SETTING_events, -1, true);
	ok(undo_record(&u, &s, SETTING_events), "another knob is another change");
	undo_end_gesture(&u);
	panel_turn(&s, SETTING_events, -1, true);
	ok(undo_record(&u, &s, SETTING_events), "so is the same one after something else");
	ok(back(&u, &t), "undo");
	is_double(t.events, 0.75, 1e-12, "the second turn of events");
	ok(back(&u, &t) && back(&u, &t), "undo, undo");
	is_double(t.volume, 0.05, 1e-12, "all five turns of volume at once");
	ok(!back(&u, &t), "nothing is left");
	ok(forward(&u, &t), "redo");
	is_double(t.volume, 0.075, 1e-12, "all five again");
	panel_turn(&t, SETTING_compute, 1, false);
	undo_record(&u, &t, -1);
	ok(!forward(&u, &s), "a new change ends what could be redone");
	now.from = 7;
	ok(!undo_record_view(&u, VIEW_GRID, &before, &now, UNDO_ZOOM), "scrolling is no change");
	before.from = 3;
	now.shape[0] = 8;
	ok(undo_record_view(&u, VIEW_GRID, &before, &now, UNDO_ZOOM), "zooming is one");
	before = now;
	now.shape[0] = 16;
	ok(!undo_record_view(&u, VIEW_GRID, &before, &now, UNDO_ZOOM), "and goes on");
	ok(back(&u, &s) && settings_equal(&s, &t), "undone, with no setting changed");
	look = u.list[u.at].look;
	ok(look.views[VIEW_GRID].shape[0] < 1 && look.views[VIEW_GRID].from > 2, "at once, to where it was scrolled to then");
	ok(forward(&u, &s) && u.list[u.at].look.views[VIEW_GRID].shape[0] > 15, "and made again");
	before.known = false;
	ok(!undo_record_view(&u, VIEW_GRID, &before, &now, -1), "what has not been seen is nothing to go back to");
	for (int i = 0; i < 3 * UNDO_DEPTH; i++)
		undo_record(&u, &t, -1);
	ok(u.n <= UNDO_DEPTH && u.at < u.n, "the oldest are forgotten");
}

static void test_knobs(void)
{
	struct settings s, t;
	char value[64];

	settings_init(&s);
	t = s;
	for (int i = 0; i < 10; i++)
		panel_turn(&s, SETTING_volume, 1, false);
	for (int i = 0; i < 10; i++)
		panel_turn(&s, SETTING_volume, -1, false);
	ok(settings_equal(&s, &t), "ten fine steps up and ten down are exactly none");
	panel_turn(&s, SETTING_events, 1000, true);
	is_double(s.events, 1, 0, "a knob ends at its range");
	panel_turn(&s, SETTING_events, -1000, true);
	is_double(s.events, 0, 0, "at both ends");
	panel_turn(&s, SETTING_compute_of, 1, false);
	panel_turn(&s, SETTING_compute_of, 1, false);
	panel_turn(&s, SETTING_compute_of, 1, false);
	is_int(s.compute_of, t.compute_of, "a choice goes round");
	for (int i = 0; i < SETTING_COUNT; i++) /* those of tables: what else there is concerns no phase; names are typed */
		if (setting_info((enum setting_id)i)->in_tables && setting_info((enum setting_id)i)->kind != SETTING_NAME &&
		    panel_setting(panel_place((enum setting_id)i)) != (enum setting_id)i)
			ok(0, "setting %s is in the panel", setting_info((enum setting_id)i)->key);
	s.volume = 0.0125;
	unit_setting(&s, SETTING_volume, value, sizeof value);
	is_str(value, "1.250 %", "a value that needs digits gets them");
}

/* Rows 0..n-1: the number, and its square modulo 7. */
static uint32_t fields; /* made into text */

static void field(const void *ctx, uint32_t row, int column, struct field *f)
{
	fields++;
	(void)ctx;
	snprintf(f->text, sizeof f->text, "%u", (unsigned)(column ? row * row % 7 : row));
}

static unsigned key_takes; /* us */

static double key(const void *ctx, uint32_t row, int column)
{
	(void)ctx;
	if (key_takes)
		usleep(key_takes);
	return column ? row * row % 7 : row;
}

static const struct column_look columns[] = {{"number", "n", LOOK_RIGHT, .width = 5}, {"square", "s", LOOK_RIGHT, .width = 5, .priority = 1}};
static const struct row_source rows = {columns, 2, field, key, NULL};

/* A search to its end: on a busy machine the first slice may not come so far. */
static enum list_found search(struct list *l, bool from_here)
{
	enum list_found found = list_find(l, &rows, NULL, false, from_here);

	if (found != LIST_SEARCHING)
		return found;
	list_work(l, 0);
	return l->found;
}

static void test_list(void)
{
	struct list l;
	struct err e;

	list_init(&l);
	list_refresh(&l, &rows, NULL, 0, UINT32_MAX);
	is_u64(list_row(&l), UINT32_MAX, "an empty list has no row");
	ok(list_act(&l, ACTION_DOWN) && list_act(&l, ACTION_LAST) && list_act(&l, ACTION_PAGE_UP), "but can be moved in");
	list_refresh(&l, &rows, NULL, 100, UINT32_MAX);
	list_fit(&l, 10);
	list_act(&l, ACTION_PAGE_DOWN);
	list_act(&l, ACTION_DOWN);
	is_u64(list_row(&l), 11, "a page and a row down");
	is_u64(l.top, 2, "the window follows by as little as needed");
	list_sort(&l, &rows, NULL, 1, true);
	is_u64(list_row(&l), 11, "sorting keeps the row");
	list_act(&l, ACTION_FIRST);
	is_u64(list_row(&l), 2, "4 is the largest square modulo 7: 2 is the first to have it");
	is_int(list_filter(&l, &rows, NULL, "^\\d5  4$", &e), ERR_OK, "a filter");
	is_u64(l.shown, 2, "leaves the rows that match");
	is_u64(list_row(&l), 65, "in the order of before");
	is_int(list_filter(&l, &rows, NULL, "(", &e), ERR_USAGE, "a broken one is refused");
	is_u64(l.shown, 2, "and changes nothing");
	list_act(&l, ACTION_LAST);
	is_int(list_filter(&l, &rows, NULL, "", &e), ERR_OK, "an empty one");
	is_u64(l.shown, 100, "shows all again");
	is_u64(list_row(&l), 75, "and keeps the row");
	list_sort(&l, &rows, NULL, 0, false);
	list_search(&l, "^9\\d  0", &e);
	list_act(&l, ACTION_FIRST);
	is_int(search(&l, true), LIST_FOUND, "a search finds");
	is_u64(list_row(&l), 91, "the first");
	is_int(search(&l, false), LIST_FOUND, "and");
	is_u64(list_row(&l), 98, "the next");
	is_int(search(&l, false), LIST_FOUND, "and goes round");
	is_u64(list_row(&l), 91, "to the first");
	list_find(&l, &rows, NULL, true, false);
	is_u64(list_row(&l), 98, "backwards too");
	list_search(&l, "nothing", &e);
	is_int(search(&l, false), LIST_NOT_FOUND, "what is not there is not found");
	is_u64(list_row(&l), 98, "and the cursor stays");
	list_release(&l);
}

static void picture_field(const void *ctx, uint32_t row, int column, struct field *f)
{
	field(ctx, row, column, f);
	if (column)
		snprintf(f->text, sizeof f->text, "█▄▁");
	f->picture = column;
}

/* The row under the cursor is reversed, but not its pictures, which would show their opposite; and no number is cut. */
static void test_list_drawing(void)
{
	static const struct column_look two[] = {{"number", "n", LOOK_RIGHT, .width = 3}, {"line", "line", .width = 4}};
	static const struct row_source source = {two, 2, picture_field, NULL, NULL};
	struct canvas c;
	struct out o;
	struct list l;

	list_init(&l);
	list_refresh(&l, &source, NULL, 20000, UINT32_MAX);
	list_select(&l, 12345);
	list_fit(&l, 1);
	canvas_init(&c, false);
	canvas_resize(&c, 12, 2);
	list_draw(&l, &source, NULL, canvas_pane(&c));
	is_str(dump(&c), "   n  line\n12345 █▄▁\n", "a wide number takes room from the gaps");
	out_init(&o);
	canvas_dump_roles(&c, &o);
	ok(o.text && strstr(o.text, "-- stressed\n\nrrrrrr....rr\n"), "all of the row but the picture is reversed");
	out_release(&o);
	canvas_release(&c);
	list_release(&l);
}

/* No row says anything about a pattern that one of them cannot be matched with in bounded steps. */
static void test_tired(void)
{
	static const char tiring[] = "^((((((((((((\\d| )+)+)+)+)+)+)+)+)+)+)+)+(?<=x)";
	uint32_t before;
	struct list l;
	struct err e;

	list_init(&l);
	list_refresh(&l, &rows, NULL, 100000, UINT32_MAX);
	list_fit(&l, 10);
	list_sort(&l, &rows, NULL, 0, true);
	list_work(&l, 0);
	before = fields;
	if (list_filter(&l, &rows, NULL, tiring, &e) == ERR_OK) {
		list_work(&l, 0); /* a slow machine takes more than a slice */
		e = l.failure;
	}
	is_int(e.code, ERR_LIMIT, "a filter that a row tires");
	ok(strstr(e.text, "takes too many steps"), "says so: %s", e.text);
	ok(fields - before < 100, "at the first such row (%u fields were looked at)", (unsigned)(fields - before));
	ok(!l.filter && l.shown == 100000, "and all rows are shown");
	is_u64(list_row_at(&l, 0), 99999, "in their order");
	is_int(list_search(&l, tiring, &e), ERR_OK, "as a search");
	before = fields;
	is_int(search(&l, true), LIST_GAVE_UP, "it gives up");
	ok(fields - before < 100, "at once");
	is_int(l.failure.code, ERR_LIMIT, "which is no 'not found'");
	is_int(search(&l, false), LIST_NOT_FOUND, "what was given up is not searched for again");
	l.failure.code = ERR_OK;
	/* A search while rows are being filtered. */
	list_search(&l, "^777  ", &e);
	is_int(list_filter(&l, &rows, NULL, "7", &e), ERR_OK, "a filter");
	if (l.task)
		is_int(list_find(&l, &rows, NULL, false, true), LIST_SEARCHING, "a search waits for it");
	else
		list_find(&l, &rows, NULL, false, true);
	list_work(&l, 0);
	list_work(&l, 0);
	is_u64(list_row(&l), 777, "and finds");
	is_int(l.found, LIST_FOUND, "what is there");
	list_release(&l);
}

/* Many rows: the same outcome in slices, and a stop in the middle leaves a list that can be used. */
static void test_slices(void)
{
	enum { MANY = 300000 };
	struct list l;
	struct err e;
	bool ordered = true;
	uint32_t moved_to;

	list_init(&l);
	list_refresh(&l, &rows, NULL, MANY, UINT32_MAX);
	list_fit(&l, 10);
	list_act(&l, ACTION_LAST);
	list_sort(&l, &rows, NULL, 1, true);
	while (list_work(&l, 1))
		if (list_progress(&l) < 0 || list_progress(&l) > 1)
			ok(0, "progress %f is a share", list_progress(&l));
	for (uint32_t i = 1; l.order && i < l.shown; i++) {
		double x = key(NULL, l.order[i - 1], 1), y = key(NULL, l.order[i], 1);

		if (x < y || (x == y && l.order[i - 1] > l.order[i]))
			ordered = false;
	}
	ok(l.order && l.shown == MANY && ordered, "300 000 rows are sorted in slices, equal ones by number");
	is_u64(list_row(&l), MANY - 1, "and the cursor stays on its row");
	key_takes = 500;
	list_sort(&l, &rows, NULL, 0, true);
	key_takes = 0;
	ok(l.task != NULL, "the next sort takes more than one slice");
	list_act(&l, ACTION_FIRST);
	moved_to = list_row(&l);
	list_work(&l, 0);
	is_u64(list_row(&l), moved_to, "or on the one that a key moved it to meanwhile");
	key_takes = 5000;
	list_refresh(&l, &rows, NULL, 6, UINT32_MAX);
	key_takes = 0;
	ok(!l.task && list_row_at(&l, 0) == 5, "six rows are sorted at once, however long it takes");
	list_refresh(&l, &rows, NULL, MANY, UINT32_MAX);
	list_sort(&l, &rows, NULL, 1, true);
	list_work(&l, 0);
	is_int(list_filter(&l, &rows, NULL, "^\\d*9  4$", &e), ERR_OK, "a filter");
	list_work(&l, 0);
	ok(l.shown > 1000 && l.shown < MANY / 10, "is finished when one asks for the end");
	list_search(&l, "^299999  ", &e);
	list_act(&l, ACTION_FIRST);
	if (list_find(&l, &rows, NULL, false, true) == LIST_SEARCHING)
		list_work(&l, 0);
	is_int(l.found, key(NULL, 299999, 1) == 4 ? LIST_FOUND : LIST_NOT_FOUND, "a search sees what is shown");
	is_int(list_filter(&l, &rows, NULL, "", &e), ERR_OK, "no filter any more");
	list_stop(&l);
	ok(!list_work(&l, 1), "what is stopped is over");
	ok(list_act(&l, ACTION_DOWN), "and the list goes on");
	list_release(&l);
}

static void test_units(void)
{
	char b[UNIT_TEXT], signs[64];

	is_str(unit_count(b, 0), "0", "counts");
	is_str(unit_count(b, 999), "999", "counts");
	is_str(unit_count(b, 1000), "1 000", "counts");
	is_str(unit_count(b, 18446744073709551615u), "18 446 744 073 709 551 615", "the largest");
	is_str(unit_time(b, 0), "0 s", "times");
	is_str(unit_time(b, 172e-9), "172 ns", "times");
	is_str(unit_time(b, 12.12e-6), "12.1 µs", "times");
	is_str(unit_time(b, 0.9996), "1.000 s", "rounding goes over to the next unit");
	is_str(unit_time(b, 999.6e-6), "1.00 ms", "rounding goes over to the next unit");
	is_str(unit_time(b, 2.826), "2.826 s", "times");
	is_str(unit_time(b, -2.5e-3), "-2.50 ms", "a negative one");
	is_str(unit_time(b, 0.0 / 0.0), "?", "no number");
	is_str(unit_time(b, 1e300), "1e+300 s", "an absurd one");
	is_str(unit_bytes(b, 8), "8 B", "bytes");
	is_str(unit_bytes(b, 5600), "5.47 KiB", "bytes");
	is_str(unit_bytes(b, 65536), "64 KiB", "bytes");
	is_str(unit_size(b, SIZE_UNKNOWN), "?", "an unknown size");
	is_str(unit_percent(b, 0.9915), "99.2 %", "percent");
	is_str(unit_size_short(b, 1023), "1.0k", "in four columns");
	is_str(unit_time_short(b, 12.12e-6), "12µ", "in four columns");
	is_str(unit_time_short(b, 0), "0", "in four columns");
	snprintf(signs, sizeof signs, "5 us +- 1 us, 3 users, 2 us");
	unit_signs(signs, sizeof signs);
	is_str(signs, "5 µs ± 1 µs, 3 users, 2 µs", "signs of the core's sentences");
	snprintf(signs, sizeof signs, "5 us, 6 us, 7 us");
	unit_signs(signs, sizeof "5 us, 6 us, 7 us" + 1);
	is_str(signs, "5 µs, 6 us, 7 us", "those that have room");
}

/* Any range of blocks and groups holds as many events as one counts in it, whatever the blocks' sizes. */
static void test_event_counts(void)
{
	const char *path = "sample-traces/lu.S.4.clog2";
	static const uint32_t sizes[][2] = {{8192, 256}, {7, 2}, {1, 1}, {100, 3}};
	struct trace *t = NULL;
	struct logical *l = NULL;
	struct err e = {0};

	if (trace_load(&t, &path, 1, NULL, NULL, &e) || logical_new(&l, t, ORDER_PAS2P, COLLECTIVES_EVENTS, NULL, &e))
		bail_out("%s", e.text);
	for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
		struct event_counts *o = NULL;
		uint64_t n = 0, b0, b1;

		if (event_counts_new(&o, l, sizes[i][0], sizes[i][1], NULL, &e))
			bail_out("%s", e.text);
		ok(o->blocks <= sizes[i][0] && o->groups <= sizes[i][1], "no more blocks than asked for");
		is_u64(event_counts_of(o, 0, UINT32_MAX, 0, UINT32_MAX), t->event_count, "all events are in all blocks");
		b0 = o->blocks / 3;
		b1 = o->blocks / 3 * 2 + 1;
		for (uint32_t x = 0; x < t->event_count; x++)
			n += l->tick[x] / o->block >= b0 && l->tick[x] / o->block < b1 && trace_process_of(t, x) / o->group == 0;
		is_u64(event_counts_of(o, (uint32_t)b0, (uint32_t)b1, 0, 1), n, "and those of a part in it");
		event_counts_free(o);
	}
	logical_unref(l);
	trace_free(t);
}

static void test_window_marks(void)
{
	uint8_t marks[6] = {0};
	const uint8_t want[6] = {MARK_REGULAR, MARK_REGULAR, MARK_EXTRA, MARK_NONE, MARK_REGULAR, MARK_REGULAR};

	window_mark_columns(marks, 6, 1, 2, MARK_EXTRA);
	window_mark_columns(marks, 6, -3, 1, MARK_REGULAR);
	window_mark_columns(marks, 6, 4, 9, MARK_REGULAR);
	window_mark_columns(marks, 6, 5, 5, MARK_EXTRA);
	window_mark_columns(marks, 6, 6, 8, MARK_EXTRA);
	is_mem(marks, want, sizeof marks, "a regular window shows where an extra one shares its column; what is beyond is cut off");
}

int main(void)
{
	test_canvas();
	test_roles();
	test_keys();
	test_prompt();
	test_prompt_mistake();
	test_undo();
	test_knobs();
	test_list();
	test_list_drawing();
	test_tired();
	test_slices();
	test_units();
	test_event_counts();
	test_window_marks();
	return done_testing();
}
