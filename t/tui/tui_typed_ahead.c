/* What a fast typist sends: a key that asks for text, the text, and Enter, before anything is seen of it. In every view
 * the text goes into the prompt, or into one that says that nothing can come of it; never is it run as keys. So no
 * setting is changed, no other view is shown, and nothing is left by it.
 */
#include <stdio.h>
#include <string.h>

#include "app_case.h"
#include "tap.h"
#include "tui/app/app_int.h"

static const char *const lu[] = {"sample-traces/lu.S.4.clog2"}, *const short_run[] = {"sample-traces/one_rank.1.clog2"},
			 *const models[] = {"sample-models/matmul.yaml", "sample-models/celeron-16.yaml"};

static void begin(struct app *a, struct tui_options *o, const char *const *paths)
{
	struct err e;

	*o = (struct tui_options){.paths = paths, .count = paths != NULL};
	settings_init(&o->settings);
	if (!paths) {
		o->models = models;
		o->model_count = 2;
	}
	if (app_init(a, o, &e))
		bail_out("%s", e.text);
	app_resize(a, 80, 24);
	app_settle(a);
}

/* Each key would do something if it were one: other views, settings, knobs, marks, leaving. */
#define TEXT "o]]y8dc1Q/" /* no file of that name can be written */

static const uint32_t asking[] = {'/', '&', '=', '#', 'E', 'X', 'p', ':'};

/* What a key that asks, and text behind it, come to in the view that is shown. */
static bool keeps_text(struct app *a, uint32_t key)
{
	struct settings before = a->work.model.settings;
	enum view_id here = a->work.here;
	bool good, asked;

	app_key(a, key);
	app_draw(a);
	asked = a->shell.prompt.kind != PROMPT_NONE;
	type(a, TEXT);
	good = asked && strstr(a->shell.prompt.text, TEXT);
	app_key(a, KEYCODE_ENTER);
	app_key(a, KEYCODE_ESC); /* what was refused may be corrected */
	app_settle(a);
	return good && !a->shell.prompt.kind && !a->shell.quit && settings_equal(&before, &a->work.model.settings) &&
	       (a->work.here == here || a->work.here == a->work.tab || a->work.here == a->work.home);
}

static void test_every_view(const char *const *paths, const char *what)
{
	static struct app a;
	struct tui_options o;
	char name[16];

	begin(&a, &o, paths);
	for (int v = 0; v < VIEWS; v++)
		for (int panel = 0; panel < 2; panel++) {
			int lost = 0;

			for (size_t i = 0; i < sizeof asking / sizeof *asking; i++) {
				app_show(&a, (enum view_id)v);
				app_draw(&a);
				if (panel)
					app_key(&a, KEYCODE_TAB);
				if (!keeps_text(&a, asking[i])) {
					diag("%s in %s", keycode_name(asking[i], name), view_info((enum view_id)v)->title);
					lost++;
				}
			}
			is_int(lost, 0, "%s, %s%s: no text is run as keys", what, view_info((enum view_id)v)->title, panel ? ", its panel" : "");
		}
	app_release(&a);
}

/* What comes of a key is said where it is pressed, and again where it is tried. */
static void test_refusals(void)
{
	static const struct {
		const char *keys, *says;
	} ones[] = {
		{"1E", "This view has no rows to export"},
		{"1&", "this view has no rows to filter"},
		{"0/", "this view cannot be searched"},
		{"9=", "There is no setting to change here"},
	};
	static struct app a;
	struct tui_options o;

	begin(&a, &o, lu);
	for (size_t i = 0; i < sizeof ones / sizeof *ones; i++) {
		type(&a, ones[i].keys);
		ok(a.shell.prompt.kind && strstr(screen(&a), ones[i].says), "%s: the prompt says %s", ones[i].keys, ones[i].says);
		type(&a, "x\r");
		ok(!a.shell.prompt.kind && strstr(screen(&a), ones[i].says), "and so does Enter in it");
	}
	type(&a, "9[");
	ok(a.work.model.settings.volume < 0.0501 && a.work.model.settings.volume > 0.0499, "a knob that is not seen is not turned");
	type(&a, "3");
	app_key(&a, KEYCODE_TAB);
	type(&a, "&");
	ok(a.shell.prompt.kind == PROMPT_FILTER && !a.shell.prompt.error[0], "while the panel has the keys, the view's rows can be filtered");
	app_release(&a);

	begin(&a, &o, NULL);
	type(&a, "^w");
	ok(a.shell.prompt.kind == PROMPT_COMMAND && strstr(screen(&a), "no trace is open"), "clocks without a trace");
	type(&a, "\r");
	ok(!a.shell.prompt.kind && strstr(screen(&a), "no trace is open"), "and Enter says so again");
	app_release(&a);

	begin(&a, &o, short_run);
	type(&a, "#");
	ok(a.shell.prompt.kind == PROMPT_ITERATION && strstr(screen(&a), "no main loop"), "a run without iterations");
	app_release(&a);
}

/* An analysis that ends between a key and the next drawing, though it finds the same phases, does not take the key back. */
static void test_other_analysis(void)
{
	static struct app a;
	struct tui_options o;
	struct list *l;
	uint32_t before, row;

	begin(&a, &o, lu);
	type(&a, "3");
	app_settle(&a);
	l = view_list(workspace_front(&a.work));
	before = list_row(l);
	app_key(&a, KEYCODE_DOWN);
	app_key(&a, KEYCODE_DOWN);
	row = list_row(l);
	a.work.model.serial++;
	app_draw(&a);
	ok(row != before, "keys move the cursor in the phases");
	is_int(list_row(l), row, "and it stays there when another analysis is shown");
	app_release(&a);
}

/* ESC and a key in one packet are both, except where Alt with that key is bound. */
static void test_alt(void)
{
	static const struct input_event quick = {.kind = INPUT_KEY, .key = KEYCODE_ALT | '3', .escaped = true};
	static const struct input_event modified = {.kind = INPUT_KEY, .key = KEYCODE_ALT | '3'};
	static struct app a;
	struct tui_options o;
	struct err e;

	begin(&a, &o, lu);
	type(&a, "1:set volume 9");
	app_input(&a, &quick);
	ok(!a.shell.prompt.kind && a.work.here == VIEW_PHASES, "in a prompt: it is left, and the key is the view's");
	type(&a, "1");
	app_input(&a, &modified);
	ok(a.work.here == VIEW_GRID && strstr(a.work.model.message, "A-3 does nothing here"), "a terminal that says Alt means Alt");
	if (keymap_set(&a.shell.keymap, "models", "A-3", &e))
		bail_out("%s", e.text);
	app_input(&a, &quick);
	ok(a.work.here == VIEW_MODELS, "where Alt with the key is bound, it is that");
	type(&a, ":x");
	app_input(&a, &quick);
	ok(!a.shell.prompt.kind && a.work.here == VIEW_PHASES, "but not in a prompt");
	type(&a, "m");
	app_input(&a, &quick);
	ok(a.work.here == VIEW_PHASES && !a.shell.pending, "nor where a letter is awaited");
	app_release(&a);
}

int main(void)
{
	test_every_view(lu, "a trace");
	test_every_view(short_run, "a short run");
	test_every_view(NULL, "models alone");
	test_refusals();
	test_other_analysis();
	test_alt();
	return done_testing();
}
