/* A storm of sizes: whoever drags a window's edge, or has tmux split it, sends hundreds of them while work goes on. In
 * every view, at any size from 1x1 on, keys and news meet a screen that is no longer the one they were meant for.
 * Nothing may break, and afterwards the screen is what it would be without the storm. Seeds are fixed: what happens can
 * be repeated, but for how far the work was.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "app_case.h"
#include "tap.h"
#include "tui/app/app_int.h"

#define SIZES 500
#define MOST_W 400
#define MOST_H 120

static const char *const lu[] = {"sample-traces/lu.S.4.clog2"}, *const many[] = {"sample-traces/cg.S.4.clog2", "sample-traces/lu.S.4.clog2"};

static uint32_t next(uint32_t *seed)
{
	*seed = *seed * 1664525u + 1013904223u;
	return *seed >> 8;
}

static void begin(struct app *a, struct tui_options *o, const char *const *files, uint32_t count)
{
	struct err e;

	*o = (struct tui_options){.paths = files, .count = count};
	settings_init(&o->settings);
	if (app_init(a, o, &e))
		bail_out("%s", e.text);
}

/* Small ones and large ones alike: a half of them is near the least. */
static void blow(struct app *a, uint32_t *seed)
{
	bool small = next(seed) % 2;
	int w = 1 + (int)(next(seed) % (small ? 90 : MOST_W)), h = 1 + (int)(next(seed) % (small ? 30 : MOST_H));

	app_resize(a, w, h);
	app_draw(a);
}

static bool whole(const struct app *a)
{
	const struct canvas *c = &a->shell.canvas;

	for (int i = 0; i < c->w * c->h; i++)
		if (!c->cells[i].ch && i % c->w == 0)
			return false; /* the right half of a wide one, without a left */
	return c->cells != NULL;
}

/* Keys that show views, move, zoom, turn knobs, ask; none that writes or leaves. */
static const char storm_keys[] = "0123456789jkhlGgHL[]{}()?tvVsSb!@$^YU\t\rq+-_*ZxXfFwK\033J|:v\033/a\r&\033=5\r";

static void storm(const char *const *files, uint32_t count, uint32_t seed, const char *what)
{
	struct tui_options o;
	struct app a;
	bool good = true;

	begin(&a, &o, files, count);
	for (int i = 0; i < SIZES && !a.shell.quit; i++) {
		char key = storm_keys[next(&seed) % (sizeof storm_keys - 1)];

		if (!a.work.model.trace && (key == 'q' || key == '\033'))
			key = 'j'; /* stopped before anything was read, it would leave */
		blow(&a, &seed);
		good = good && whole(&a);
		app_key(&a, (uint32_t)(unsigned char)key);
		if (next(&seed) % 3 == 0)
			app_news(&a);
		if (next(&seed) % 4 == 0)
			app_work(&a);
		app_draw(&a);
	}
	ok(good && !a.shell.quit, "%s: %d sizes and keys in a row, while it loads and computes", what, SIZES);
	if (a.shell.quit)
		diag("it left with status %d: %s", a.shell.status, a.shell.last_words);
	app_resize(&a, MOST_W, MOST_H);
	app_settle(&a);
	app_draw(&a);
	ok(whole(&a), "%s: and then all of it is done", what);
	app_release(&a);
}

/* What every view shows does not depend on the sizes that it has had. */
static void test_same_after(enum view_id id)
{
	struct tui_options o;
	struct app a[2];
	uint32_t seed = 17 + (uint32_t)id;
	struct out text[2];
	bool same;

	for (int i = 0; i < 2; i++) {
		begin(&a[i], &o, lu, 1);
		app_resize(&a[i], 120, 40);
		app_settle(&a[i]);
		app_show(&a[i], id);
		app_settle(&a[i]);
		for (int n = 0; i && n < 60; n++)
			blow(&a[i], &seed);
		app_resize(&a[i], 120, 40);
		app_settle(&a[i]);
		app_draw(&a[i]);
		out_init(&text[i]);
		canvas_dump_text(&a[i].shell.canvas, &text[i]);
		canvas_dump_roles(&a[i].shell.canvas, &text[i]);
		app_release(&a[i]);
	}
	same = text[0].len == text[1].len && !memcmp(text[0].text, text[1].text, text[0].len);
	ok(same, "%s: after a storm of sizes it is what it was", view_info(id)->name);
	for (int i = 0; !same && i < 2; i++)
		diag("%s", text[i].text);
	out_release(&text[0]);
	out_release(&text[1]);
}

/* Keys at random spell commands too, also ones that write: in a folder that goes away. */
static void test_storms(void)
{
	char what[64], home[4096], samples[4096], folder[] = "/tmp/pas2p-storm.XXXXXX", remove[64];

	if (!getcwd(home, sizeof home) || !realpath("sample-traces", samples) || !mkdtemp(folder) || chdir(folder) ||
	    symlink(samples, "sample-traces"))
		bail_out("cannot make a folder");
	snprintf(remove, sizeof remove, "rm -r '%s'", folder);
	for (uint32_t seed = 1; seed <= 4; seed++) {
		snprintf(what, sizeof what, "seed %u", (unsigned)seed);
		storm(seed % 2 ? lu : many, seed % 2 ? 1 : 2, seed * 7919, what);
	}
	if (chdir(home) || system(remove))
		diag("%s stays", folder);
}

int main(void)
{
	test_storms();
	for (int v = 0; v < VIEWS; v++)
		test_same_after((enum view_id)v);
	return done_testing();
}
