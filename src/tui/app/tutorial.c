#include "app_int.h"

#include <string.h>

#include "core/base/number.h"
#include "tui/model/describe.h"

/* What has happened. */
struct tutorial_seen {
	enum action action;
	enum view_id from;
	struct trace_place was; /* the cursor before it */
};

static bool moved(const struct app *a, const struct tutorial_seen *s)
{
	const struct trace_place *now = &a->work.model.cursor;

	return now->process != s->was.process || now->tick != s->was.tick;
}

static bool turned(const struct app *a)
{
	return !settings_equal(&a->work.model.settings, &a->tutorial.settings);
}

static bool done_line(const struct app *a, const struct tutorial_seen *s)
{
	(void)a;
	return s->from == VIEW_OVERVIEW && (s->action == ACTION_DOWN || s->action == ACTION_UP);
}

static bool done_inside(const struct app *a, const struct tutorial_seen *s)
{
	return s->from == VIEW_OVERVIEW && s->action == ACTION_ENTER && a->work.here != VIEW_OVERVIEW;
}

static bool done_phases(const struct app *a, const struct tutorial_seen *s)
{
	(void)s;
	return a->work.here == VIEW_PHASES;
}

static bool done_unfold(const struct app *a, const struct tutorial_seen *s)
{
	return a->work.here == VIEW_PHASES && s->action == ACTION_FOLD;
}

static bool done_occurrence(const struct app *a, const struct tutorial_seen *s)
{
	return s->from == VIEW_PHASES && (s->action == ACTION_GOTO || s->action == ACTION_ENTER) && a->work.here == VIEW_GRID;
}

static bool done_move(const struct app *a, const struct tutorial_seen *s)
{
	return s->from == VIEW_GRID && a->work.here == VIEW_GRID && s->action != ACTION_NONE && moved(a, s);
}

static bool done_timeline(const struct app *a, const struct tutorial_seen *s)
{
	(void)s;
	return a->work.here == VIEW_TIMELINE;
}

static bool done_zoom(const struct app *a, const struct tutorial_seen *s)
{
	return a->work.here == VIEW_TIMELINE && (s->action == ACTION_ZOOM_IN || s->action == ACTION_ZOOM_OUT);
}

static bool done_wait(const struct app *a, const struct tutorial_seen *s)
{
	const struct model *m = &a->work.model;
	uint32_t event = model_event(m);
	char text[256] = "";

	(void)s;
	if (event != NO_EVENT && (a->work.here == VIEW_TIMELINE || a->work.here == VIEW_GRID))
		wait_describe(m, wait_call_of(m, event), false, text, sizeof text);
	return text[0] != 0;
}

static bool done_blame(const struct app *a, const struct tutorial_seen *s)
{
	return s->action == ACTION_WAITED_FOR && moved(a, s);
}

static bool done_select(const struct app *a, const struct tutorial_seen *s)
{
	(void)s;
	return a->shell.panel.selected == SETTING_events;
}

/* The figures have followed, too. */
static bool done_turn(const struct app *a, const struct tutorial_seen *s)
{
	(void)s;
	return turned(a) && a->work.model.analysis && settings_equal(&a->work.model.analysis->settings, &a->work.model.settings);
}

static bool done_undo(const struct app *a, const struct tutorial_seen *s)
{
	return s->action == ACTION_UNDO && turned(a);
}

static bool done_tune(const struct app *a, const struct tutorial_seen *s)
{
	(void)s;
	return a->work.here == VIEW_TUNE;
}

static bool done_take(const struct app *a, const struct tutorial_seen *s)
{
	return s->from == VIEW_TUNE && s->action == ACTION_ENTER && a->work.here != VIEW_TUNE;
}

static bool done_why(const struct app *a, const struct tutorial_seen *s)
{
	return (s->from == VIEW_PHASES || s->from == VIEW_BBPS) && s->action == ACTION_WHY && a->work.here == VIEW_COMPARE;
}

static bool done_merge(const struct app *a, const struct tutorial_seen *s)
{
	return s->from == VIEW_COMPARE && s->action == ACTION_MERGE && turned(a);
}

static bool done_preview(const struct app *a, const struct tutorial_seen *s)
{
	(void)s;
	return a->work.here == VIEW_TABLE;
}

static bool done_written(const struct app *a, const struct tutorial_seen *s)
{
	(void)s;
	return a->work.tables_written != a->tutorial.written;
}

static bool (*const done[])(const struct app *a, const struct tutorial_seen *s) = {
#define ACT(id, view, action, other, what) done_##id,
#include "tui/screen/tutorial.def"
};

/* What acts compare with: as they begin. */
static void tutorial_begin_step(struct app *a)
{
	struct tutorial *t = &a->tutorial;

	t->begun = true;
	t->settings = a->work.model.settings;
	t->written = a->work.tables_written;
}

void app_tutorial_see(struct app *a, enum action action, enum view_id from, struct trace_place was)
{
	struct tutorial *t = &a->tutorial;
	struct tutorial_seen s = {action, from, was};

	if (!t->shown || t->step >= TUTORIAL_STEPS)
		return;
	if (!t->begun)
		tutorial_begin_step(a);
	/* What happened does one act only; what follows from the state as it is by now may do more. */
	while (t->step < TUTORIAL_STEPS && done[tutorial_act_number(t->step, t->act)](a, &s)) {
		tutorial_next(t);
		tutorial_begin_step(a);
		s.action = ACTION_NONE;
	}
}

void app_tutorial_end(struct app *a)
{
	a->tutorial.shown = false;
	if (a->tutorial.step < TUTORIAL_STEPS)
		app_say(a, ROLE_DEFAULT, "Tutorial closed; :tutorial continues with step %d.", a->tutorial.step + 1);
	else
		app_say(a, ROLE_DEFAULT, "Tutorial closed.");
}

enum err_code app_tutorial(struct app *a, const char *step, struct err *e)
{
	struct tutorial *t = &a->tutorial;
	uint64_t n;

	if (step && (!number_parse_whole(step, strlen(step), &n) || n < 1 || n > TUTORIAL_STEPS))
		return err_set(e, ERR_USAGE, "expected a step from 1 to %d", (int)TUTORIAL_STEPS);
	if (!a->work.path_count)
		return err_set(e, ERR_USAGE, "the tutorial needs an open trace");
	if (!step && t->shown) {
		app_tutorial_end(a);
		return ERR_OK;
	}
	if (step)
		*t = (struct tutorial){.step = (int)n - 1};
	t->shown = true;
	t->begun = false;
	if (t->step == 0 && !t->act)
		app_show(a, VIEW_OVERVIEW);
	return ERR_OK;
}
