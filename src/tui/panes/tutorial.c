#include "panes.h"

#include <stdio.h>
#include <string.h>

#include "tui/screen/glyphs.h"
#include "tui/widgets/paragraph.h"

struct tutorial_step_text {
	const char *title, *text;
};

struct act {
	int step;
	enum view_id view;
	enum action action, other;
	const char *what;
};

static const struct tutorial_step_text steps[] = {
#define STEP(id, title, text) {title, text},
#include "tui/screen/tutorial.def"
};

/* A step's own place among the acts says whose those behind it are. */
static const struct act acts[] = {
#define STEP(id, title, text) {.step = TUTORIAL_##id, .what = NULL},
#define ACT(id, view, action, other, what) {-1, VIEW_##view, ACTION_##action, ACTION_##other, what},
#include "tui/screen/tutorial.def"
};
#define ACTS ((int)(sizeof acts / sizeof *acts))

static const struct {
	const char *title;
	enum action action;
} views[] = {
#define TAB(id, name, title, brief, keys, help) {title, ACTION_##id},
#define OVERLAY(id, name, title, action) {title, ACTION_##action},
#include "tui/screen/views.def"
};

static const char over[] = "Now you know how to find what a program repeats and where its time goes. "
			   ":tutorial closes this; :tutorial 1 starts again.";

/* Where the acts of a step begin. */
static int first_act(int step)
{
	int i = 0;

	while (i < ACTS && (acts[i].what || acts[i].step != step))
		i++;
	return i + 1;
}

int tutorial_acts(int step)
{
	int first = first_act(step), n = 0;

	while (first + n < ACTS && acts[first + n].what)
		n++;
	return n;
}

int tutorial_act_number(int step, int act)
{
	return first_act(step) - 1 - step + act;
}

void tutorial_next(struct tutorial *t)
{
	if (t->step >= TUTORIAL_STEPS)
		return;
	t->begun = false;
	if (++t->act < tutorial_acts(t->step))
		return;
	t->act = 0;
	t->step++;
}

static const char *text_of(const struct tutorial *t)
{
	return t->step < TUTORIAL_STEPS ? steps[t->step].text : over;
}

#define MARGIN 1

int tutorial_rows(const struct tutorial *t, int w, int h)
{
	struct pane lines = {.w = w - 2 * MARGIN};

	if (!t->shown)
		return 0;
	if (h < 18)
		return h < 14 ? 1 : 2;
	return 1 + paragraph_draw(lines, 0, 0, ROLE_DEFAULT, text_of(t)) + (t->step < TUTORIAL_STEPS);
}

/* "2 of 10 · What it does repeatedly", on a rule with a mark for each step. */
static void tutorial_draw_title(const struct tutorial *t, struct pane p)
{
	int x = 2 + MARGIN, right = p.w - MARGIN - 1 - TUTORIAL_STEPS;

	pane_hline(p, 0, 0, p.w, GLYPH_HLINE, ROLE_RULE);
	if (t->step < TUTORIAL_STEPS)
		x += pane_textf(p, x, 0, ROLE_KEY, 0, " step %d of %d · ", t->step + 1, (int)TUTORIAL_STEPS);
	else
		x += pane_text(p, x, 0, ROLE_KEY, 0, " ");
	x += pane_text_in(p, x, 0, right - x - 2, ROLE_TITLE, 0, t->step < TUTORIAL_STEPS ? steps[t->step].title : "All steps are done");
	pane_text(p, x, 0, ROLE_KEY, 0, " ");
	pane_put(p, right - 1, 0, ' ', ROLE_DEFAULT, 0);
	for (int i = 0; i < TUTORIAL_STEPS; i++)
		pane_put(p, right + i, 0, i < t->step ? GLYPH_CHECK : i == t->step ? GLYPH_POINTER : GLYPH_RING,
			 i < t->step ? ROLE_BETTER : i == t->step ? ROLE_KEY : ROLE_DIM, 0);
	pane_put(p, right + TUTORIAL_STEPS, 0, ' ', ROLE_DEFAULT, 0);
}

/* An action's keys as the user has them; "Esc" and its like say more than a sign would. */
static void keys_of(const struct keymap *keys, const struct act *a, char *text, size_t size)
{
	char one[16], two[16];

	keymap_first(keys, a->action, one);
	keymap_first(keys, a->other, two);
	snprintf(text, size, "%s%s%s", one[0] ? one : action_info(a->action)->name, a->other != ACTION_NONE && two[0] ? " " : "",
		 a->other != ACTION_NONE ? two : "");
}

/* A view can be shown from anywhere, and so can the knobs be turned; moving means something else in each view. */
static bool anywhere(enum action action)
{
	return action_info(action)->scope == IN_ALL && strcmp(action_info(action)->group, "Move") != 0;
}

/* What was done has a mark; what is next says where it is to be done, if that is elsewhere. */
static void draw_acts(const struct tutorial *t, const struct keymap *keys, enum view_id here, struct pane p, int x)
{
	static const char leave[] = ":tutorial closes";
	int first = first_act(t->step), n = t->step < TUTORIAL_STEPS ? tutorial_acts(t->step) : 0, room = p.w - MARGIN - (int)sizeof leave;

	for (int i = 0; i < n; i++) {
		const struct act *a = &acts[first + i];
		bool done = i < t->act, next = i == t->act;
		char text[64], key[16];

		pane_put(p, x, 0, done ? GLYPH_CHECK : next ? GLYPH_POINTER : GLYPH_RING, done ? ROLE_BETTER : next ? ROLE_KEY : ROLE_DIM, 0);
		x += 2;
		if (next && a->view != here && !anywhere(a->action))
			x += pane_textf(p, x, 0, ROLE_WARN, 0, "first %s (%s), then ", keymap_first(keys, views[a->view].action, key),
					views[a->view].title);
		keys_of(keys, a, text, sizeof text);
		x += pane_text(p, x, 0, done ? ROLE_DIM : ROLE_KEY, 0, text) + 1;
		x += pane_text(p, x, 0, done || !next ? ROLE_DIM : ROLE_DEFAULT, 0, a->what) + 3;
	}
	if (x <= room)
		pane_text_right(p, p.w - MARGIN, 0, ROLE_DIM, 0, leave);
}

void tutorial_draw(const struct tutorial *t, const struct keymap *keys, enum view_id here, struct pane p)
{
	if (p.h == 1) {
		int x = MARGIN + pane_textf(p, MARGIN, 0, ROLE_KEY, 0, "%d/%d ", t->step < TUTORIAL_STEPS ? t->step + 1 : (int)TUTORIAL_STEPS,
					    (int)TUTORIAL_STEPS);

		draw_acts(t, keys, here, p, x);
		return;
	}
	tutorial_draw_title(t, p);
	if (p.h > 2)
		paragraph_draw(pane_part(p, MARGIN, 1, p.w - 2 * MARGIN, p.h - 1 - (t->step < TUTORIAL_STEPS)), 0, 0, ROLE_DEFAULT, text_of(t));
	if (t->step < TUTORIAL_STEPS)
		draw_acts(t, keys, here, pane_part(p, 0, p.h - 1, p.w, 1), MARGIN);
}
