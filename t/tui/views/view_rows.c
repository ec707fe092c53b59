/* A view is a row of views.def and a file that has its operations: whatever else knows of views takes it from there. So
 * the rows must agree with each other and with the keys, and what a view tells of itself must be what it takes back:
 * the state file would otherwise lose a little with each visit, and undo would lead elsewhere than back.
 */
#include <stdio.h>
#include <string.h>

#include "core/io/out.h"
#include "core/io/tree_out.h"
#include "core/io/fields.h"
#include "tap.h"
#include "tui/app/app_int.h"

static const char *const paths[] = {"sample-traces/lu.S.4.clog2"};

static const struct view_ops *ops_of(int id)
{
	return view_info((enum view_id)id)->ops;
}

static void test_rows(void)
{
	/* What else the state file holds, beside a mapping for each view. */
	static const char *const taken[] = {"analysis", "view", "cursor", "marks", "history"};
	struct keymap keys;
	char digit = 0;

	keymap_init(&keys);
	for (int id = 0; id < VIEWS; id++) {
		const struct view_info *view = view_info((enum view_id)id);
		char key[16];

		for (int other = 0; other < id; other++) {
			const struct view_info *o = view_info((enum view_id)other);

			ok(strcmp(view->name, o->name) && strcmp(view->title, o->title), "%s is not called as %s", view->name, o->name);
			ok(view->ops != o->ops && view->action != o->action && !(view->scope & o->scope), "nor are they one");
		}
		ok(view->name[0] && view->title[0], "%s has name and title", view->name);
		ok(keymap_first(&keys, view->action, key)[0], "%s has a key: %s", view->name, key);
		is_int(action_info(view->action)->scope, IN_ALL, "and can be shown from everywhere");
		if (id < VIEW_TABS)
			is_int(action_find(view->name), view->action, "the tab %s is shown by the action of its name", view->name);
		/* Tabs are shown by digits, in their order. */
		if (id < VIEW_TABS)
			ok(key[0] > digit && key[0] <= '9' && !key[1], "%s is tab %c", view->name, key[0]);
		digit = key[0];
		for (size_t i = 0; i < sizeof taken / sizeof *taken; i++)
			ok(!view->ops->save || strcmp(view->name, taken[i]), "what is saved of %s is not mistaken for %s", view->name, taken[i]);
		is_int(!view->ops->save, !view->ops->restore, "%s takes back what it saves", view->name);
		is_int(!view->ops->look, !view->ops->set_look, "and how it looks");
		ok(view->ops->size >= sizeof(struct view) && view->ops->draw, "it is a view, and draws");
	}
}

/* What the state file holds of a view that is in front. */
static const char *saved(const struct view *v, char text[512])
{
	struct tree_out t;
	struct out o;
	struct err e;

	out_init(&o);
	tree_out_init(&t, &o, false);
	tree_map(&t, false);
	v->ops->save(v, true, &t);
	tree_end(&t);
	if (tree_out_finish(&t, &e))
		bail_out("%s", e.text);
	snprintf(text, 512, "%.*s", (int)o.len, o.text);
	out_release(&o);
	return text;
}

static void restore(struct view *v, const char *text)
{
	struct fields_map map;
	struct fields f;
	struct yaml_in y;
	struct err e;

	if (yaml_in_init(&y, "the state", text, strlen(text), &e))
		bail_out("%s", e.text);
	fields_init(&f, &y, NULL, ERR_FORMAT, &e);
	map = fields_root(&f);
	map = fields_enter(&f, &map, view_info(v->id)->name);
	v->ops->restore(v, &f, &map);
	yaml_in_release(&y);
}

static bool same_look(const struct view_look *a, const struct view_look *b)
{
	return a->known == b->known && !look_differs(a, b) && !look_differs(b, a) && !(a->from < b->from) && !(a->from > b->from);
}

static void test_state(const struct view *v)
{
	static const char *const broken[] = {"x", "[1, 2]", "{}", "{zoom: -1, spread: 3, from: x, span: -1}", "{spread: [2]}",
					     "{zoom: 99999999999, spread: 0, span: 1e30}"};
	const char *name = view_info(v->id)->name;
	struct model fresh_model = {0};
	struct view *fresh = view_new(v->id, &fresh_model);
	struct view_look look, back;
	char text[512], again[512], first[512], damaged[128];

	if (!fresh)
		bail_out("no memory");
	saved(fresh, first);
	saved(v, text);
	ok(strstr(text, name) && strcmp(text, first), "something is remembered of %s: %s", name, text);
	for (size_t i = 0; i < sizeof broken / sizeof *broken; i++) {
		snprintf(damaged, sizeof damaged, "%s: %s\n", name, broken[i]);
		restore(fresh, damaged);
		is_str(saved(fresh, again), first, "%s changes nothing", broken[i]);
	}
	restore(fresh, text);
	is_str(saved(fresh, again), text, "what is remembered comes back");
	look = view_look(v);
	back = view_look(fresh);
	ok(!back.known || same_look(&back, &look), "and looks the same");
	view_free(fresh);
}

static void test_views(void)
{
	static const enum action actions[] = {ACTION_ENTER, ACTION_ZOOM_IN, ACTION_ZOOM_IN, ACTION_ZOOM_OUT, ACTION_TRANSPOSE};
	static struct app a;
	struct tui_options o = {.paths = paths, .count = 1, .view = "grid"};
	int saves = 0, looks = 0;
	struct err e;

	settings_init(&o.settings);
	if (app_init(&a, &o, &e))
		bail_out("%s", e.text);
	app_resize(&a, 80, 24);
	app_settle(&a);
	for (int id = 0; id < VIEWS; id++) {
		const char *name = view_info((enum view_id)id)->name;
		struct view *v = a.work.views[id];
		struct view_look before, now, back, other;

		app_show(&a, (enum view_id)id);
		app_settle(&a);
		before = view_look(v);
		if (ops_of(id)->save && !ops_of(id)->look) { /* how deep loops are unfolded */
			app_act(&a, ACTION_FOLD);
			app_settle(&a);
		}
		for (size_t i = 0; ops_of(id)->look && i < sizeof actions / sizeof *actions; i++) {
			app_act(&a, actions[i]);
			app_settle(&a);
		}
		now = view_look(v);
		if (ops_of(id)->save)
			test_state(v);
		saves += ops_of(id)->save != NULL;
		looks += ops_of(id)->look != NULL;
		if (!ops_of(id)->look || id == VIEW_STUDY) { /* no study is open; study_app.c has one */
			ok(!now.known, "%s has no look to undo", name);
			continue;
		}
		ok(before.known && now.known && look_differs(&before, &now), "%s has come to look otherwise", name);
		v->ops->set_look(v, &before);
		back = view_look(v);
		ok(same_look(&back, &before), "%s looks as before", name);
		v->ops->set_look(v, &now);
		back = view_look(v);
		ok(same_look(&back, &now), "and as it did");
		other = now;
		other.shape[1] *= 4; /* what keys cannot reach with four processes */
		v->ops->set_look(v, &other);
		back = view_look(v);
		ok(same_look(&back, &other), "or otherwise in all that it tells");
		v->ops->set_look(v, &now);
		for (int i = 0; i < 9; i++)
			app_undo(&a, false);
		back = view_look(v);
		ok(same_look(&back, &before), "undo leads back to that");
		for (int i = 0; i < 9; i++)
			app_undo(&a, true);
		back = view_look(v);
		ok(same_look(&back, &now), "and redo forth");
		for (int i = 0; i < 9; i++)
			app_undo(&a, false);
	}
	ok(saves >= 2 && looks >= 2, "grid and timeline at least are among them");
	app_release(&a);
}

int main(void)
{
	test_rows();
	test_views();
	return done_testing();
}
