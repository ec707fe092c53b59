/* The tutorial: each of its acts is seen when it is done, by whatever keys its actions have, and not before; it can be
 * left and gone on with. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "app_case.h"
#include "tap.h"
#include "tui/app/app_int.h"

#define TABLE "/tmp/pas2p-tutorial.yaml"

static const char *const paths[] = {"sample-traces/lu.S.4.clog2"};

static void start(struct app *a, struct tui_options *o, const char *view)
{
	struct err e;

	*o = (struct tui_options){.paths = paths, .count = 1, .tutorial = true, .view = view};
	settings_init(&o->settings);
	if (app_init(a, o, &e))
		bail_out("%s", e.text);
	app_resize(a, 80, 24);
	app_settle(a);
}

static void press(struct app *a, enum action action)
{
	app_key(a, a->shell.keymap.keys[action][0]);
	app_settle(a);
}

static void command(struct app *a, const char *line)
{
	struct err e;

	if (command_run(a, line, &e))
		bail_out("%s", e.text);
	app_settle(a);
}

/* What does no act, and leads to where it can be done; then what does it, after so many times at most. */
static const struct {
	enum action wrong[4], right;
	int times;
} acts[] = {
	{{ACTION_ENTER, ACTION_OVERVIEW}, ACTION_DOWN, 1},
	{{ACTION_UP, ACTION_TIMELINE, ACTION_ENTER, ACTION_OVERVIEW}, ACTION_ENTER, 1},
	{{ACTION_GRID, ACTION_DOWN}, ACTION_PHASES, 1},
	{{ACTION_GRID, ACTION_FOLD, ACTION_PHASES, ACTION_DETAIL_DOWN}, ACTION_FOLD, 1},
	{{ACTION_GRID, ACTION_RIGHT, ACTION_PHASES, ACTION_FIRST}, ACTION_GOTO, 1},
	{{ACTION_MEASURE, ACTION_CONTENT}, ACTION_RIGHT, 1},
	{{ACTION_ZOOM_IN, ACTION_BBPS, ACTION_GRID}, ACTION_TIMELINE, 1},
	{{ACTION_GRID, ACTION_ZOOM_IN, ACTION_ZOOM_OUT, ACTION_TIMELINE}, ACTION_ZOOM_IN, 1},
	{{ACTION_NONE}, ACTION_NEXT_EVENT, 60},
	{{ACTION_MESSAGES, ACTION_MEASURE}, ACTION_WAITED_FOR, 1},
	{{ACTION_KNOB_DOWN_COARSE, ACTION_UNDO}, ACTION_KNOB_NEXT, 2},
	{{ACTION_MEASURE, ACTION_ZOOM_IN}, ACTION_KNOB_DOWN_COARSE, 1},
	{{ACTION_REDO, ACTION_MEASURE}, ACTION_UNDO, 1},
	{{ACTION_PLAN, ACTION_ENTER, ACTION_PHASES, ACTION_ENTER}, ACTION_TUNE, 1},
	{{ACTION_BACK, ACTION_BACK, ACTION_TUNE, ACTION_DOWN}, ACTION_ENTER, 1},
	{{ACTION_COMPARE, ACTION_PARTNER_NEXT, ACTION_PHASES, ACTION_FIRST}, ACTION_WHY, 1},
	{{ACTION_GOTO, ACTION_MERGE, ACTION_PHASES, ACTION_WHY}, ACTION_MERGE, 1},
	{{ACTION_REDO, ACTION_MEASURE}, ACTION_UNDO, 1},
	{{ACTION_MARKS, ACTION_BACK}, ACTION_EXPORT, 1},
	{{ACTION_ENTER}, ACTION_ENTER, 1},
};
#define ACTS ((int)(sizeof acts / sizeof *acts))

static void write_table(struct app *a)
{
	unlink(TABLE);
	app_key(a, KEYCODE_ESC); /* the prompt of the wrong Enter: nothing is written */
	app_settle(a);
	is_u64((uint64_t)a->tutorial.step, TUTORIAL_EXPORT, "a name that was not given is no file");
	press(a, ACTION_ENTER);
	while (a->shell.prompt.len)
		app_key(a, KEYCODE_BACKSPACE);
	type(a, TABLE);
	app_key(a, KEYCODE_ENTER);
	app_settle(a);
	ok(access(TABLE, R_OK) == 0, "the table is written");
	unlink(TABLE);
}

static void play(struct app *a, const char *keys)
{
	int number = 0, bad = 0, idle = 0;

	for (int step = 0; step < TUTORIAL_STEPS; step++)
		for (int act = 0; act < tutorial_acts(step); act++, number++) {
			is_u64((uint64_t)tutorial_act_number(step, act), (uint64_t)number, "%s: act %d of step %d", keys, act + 1, step + 1);
			for (int i = 0; i < 4 && acts[number].wrong[i]; i++) {
				press(a, acts[number].wrong[i]);
				if (a->tutorial.step == step && a->tutorial.act == act)
					continue;
				diag("step %d, act %d: %s moved it on", step + 1, act + 1, action_info(acts[number].wrong[i])->name);
				diag("%s", screen(a));
				bad++;
			}
			if (number == ACTS - 1) {
				write_table(a);
				continue;
			}
			for (int i = 0; i < acts[number].times && a->tutorial.step == step && a->tutorial.act == act; i++)
				press(a, acts[number].right);
			if (a->tutorial.step == step && a->tutorial.act == act) {
				diag("step %d, act %d: %s did not do it", step + 1, act + 1, action_info(acts[number].right)->name);
				diag("%s", screen(a));
				idle++;
			}
		}
	is_u64((uint64_t)number, ACTS, "%s: all acts", keys);
	is_u64((uint64_t)bad, 0, "%s: other keys do not move it on", keys);
	is_u64((uint64_t)idle, 0, "%s: the keys that it names do", keys);
	is_u64((uint64_t)a->tutorial.step, TUTORIAL_STEPS, "%s: it is over", keys);
	ok(strstr(screen(a), "All steps are done"), "%s: and says so", keys);
}

static void test_steps(void)
{
	static struct app a;
	struct tui_options o;

	start(&a, &o, NULL);
	ok(strstr(screen(&a), "step 1 of 10 · The run on one page"), "it begins with the first step");
	play(&a, "usual keys");
	app_release(&a);
}

static void test_other_keys(void)
{
	static const char *const other[][2] = {
		{"down", "A-d"}, {"enter", "F6"}, {"phases", "A-p"}, {"fold", "A-f"}, {"goto", "F7"}, {"right", "A-r"}, {"timeline", "A-t"},
		{"zoom-in", "F8"}, {"next-event", "A-n"}, {"waited-for", "F9"}, {"knob-next", "A-k"}, {"knob-down-coarse", "F10"},
		{"undo", "A-u"}, {"tune", "F11"}, {"why", "A-w"}, {"merge", "F12"}, {"export", "A-e"},
	};
	static struct app a;
	struct tui_options o;
	struct err e;

	start(&a, &o, "grid");
	is_u64(a.work.here, VIEW_OVERVIEW, "it begins with the overview, whatever view is the first");
	for (size_t i = 0; i < sizeof other / sizeof *other; i++)
		if (keymap_set(&a.shell.keymap, other[i][0], other[i][1], &e))
			bail_out("%s", e.text);
	ok(strstr(screen(&a), "A-d Up select a line   ○ F6 open it"), "it names the keys that the user has");
	play(&a, "other keys");
	app_release(&a);
}

/* Keys that come before there is an analysis, in one go. */
static void test_early_keys(void)
{
	static struct app a;
	struct tui_options o = {.paths = paths, .count = 1, .tutorial = true};
	struct err e;

	settings_init(&o.settings);
	if (app_init(&a, &o, &e))
		bail_out("%s", e.text);
	app_resize(&a, 80, 24);
	app_key(&a, 'j');
	app_key(&a, KEYCODE_ENTER);
	app_key(&a, '3');
	ok(a.tutorial.act == 1 || a.tutorial.step > 0, "a key while it is loading counts");
	app_settle(&a);
	ok(a.work.here == VIEW_PHASES && strstr(screen(&a), "of 10"), "and the tutorial goes on once it is there");
	app_release(&a);
}

/* Left and gone on with; begun anywhere; what is no step. */
static void test_leaving(void)
{
	static struct app a;
	struct tui_options o;
	struct err e = {0};

	start(&a, &o, NULL);
	press(&a, ACTION_DOWN);
	press(&a, ACTION_BACK);
	ok(!a.tutorial.shown && strstr(screen(&a), ":tutorial continues with step 1"), "Esc leaves it, and it says how to go on");
	press(&a, ACTION_PHASES);
	command(&a, "tutorial");
	ok(a.tutorial.shown && a.tutorial.step == 0 && a.tutorial.act == 1 && a.work.here == VIEW_PHASES, "which goes on where it was");
	ok(strstr(screen(&a), "first 0 (Overview), then Enter"), "and leads to the view that is meant");
	command(&a, "tutorial");
	ok(!a.tutorial.shown && !strstr(screen(&a), "step 1 of 10"), "again: it is gone");
	command(&a, "tutorial 9");
	ok(strstr(screen(&a), "step 9 of 10"), "any step can be begun with");
	ok(command_run(&a, "tutorial 11", &e) == ERR_USAGE && strstr(e.text, "1 to 10"), "of those that there are");
	ok(command_run(&a, "tutorial 0", &e) == ERR_USAGE && command_run(&a, "tutorial x", &e) == ERR_USAGE, "and of no others");
	app_release(&a);
}

/* What it takes of the screen, which still shows the view. */
static void test_sizes(void)
{
	static const int sizes[][2] = {{40, 10}, {50, 16}, {80, 24}, {120, 40}, {200, 60}};
	static struct app a;
	struct tui_options o;
	int most = 0;

	start(&a, &o, NULL);
	for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
		app_resize(&a, sizes[i][0], sizes[i][1]);
		for (int step = 0; step <= TUTORIAL_STEPS; step++) {
			a.tutorial.step = step;
			screen(&a);
			if (a.shell.view_pane.h < 4)
				diag("step %d at %dx%d leaves %d rows", step + 1, sizes[i][0], sizes[i][1], a.shell.view_pane.h);
			if (a.shell.view_pane.h < 4)
				most = 100;
			if (sizes[i][0] == 80 && tutorial_rows(&a.tutorial, 80, 24) > most)
				most = tutorial_rows(&a.tutorial, 80, 24);
		}
	}
	is_u64((uint64_t)most, 4, "a rule, two lines and the keys at 80x24, and at every size the view is seen");
	app_release(&a);
}

int main(void)
{
	test_steps();
	test_other_keys();
	test_early_keys();
	test_leaving();
	test_sizes();
	return done_testing();
}
