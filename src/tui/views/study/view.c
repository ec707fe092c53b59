/* The study: families of phases over many runs, and the predicted time of a run that was not made. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/base/text.h"
#include "study_int.h"
#include "tui/jobs/background.h"
#include "tui/screen/glyphs.h"
#include "tui/widgets/paragraph.h"
#include "tui/widgets/units.h"

#define LIST_W 35
#define LIST_MOST_W 46
#define WARNINGS 3 /* rows at most */

static struct study_view *self(struct view *v)
{
	return (struct study_view *)v;
}

static void close_study(struct view *v)
{
	study_plot_release(self(v));
	study_prediction_release(&self(v)->prediction);
}

static const struct hint hints[] = {
	{ACTION_STUDY_OF, ACTION_NONE, "plot"},
	{ACTION_STUDY_AXIS, ACTION_NONE, "axis"},
	{ACTION_STUDY_LESS, ACTION_STUDY_MORE, "change"},
	{ACTION_STUDY_LOG, ACTION_NONE, "log"},
	{ACTION_LEFT, ACTION_RIGHT, "run"},
	{ACTION_ENTER, ACTION_NONE, "open run"},
	{ACTION_NONE, ACTION_NONE, NULL},
};

/* --- what is seen --- */

static void predict(struct study_view *s)
{
	struct err e;

	study_prediction_release(&s->prediction);
	s->predicted = !open_study_predict(study_of(s), (double)NAN, &s->prediction, &e);
	snprintf(s->say, sizeof s->say, "%s", s->predicted ? "" : e.text);
}

/* Why the study is not of the settings of now, and what the prediction warns of; returns how many lines that is. */
static int draw_warnings(const struct study_view *s, struct pane p)
{
	int lines = paragraph_draw(p, 0, 2, ROLE_ERROR, study_of(s)->derived.failure);

	for (uint32_t i = 0; s->predicted && i < s->prediction.warning_count; i++)
		lines += paragraph_draw(pane_part(p, 0, lines, p.w, p.h - lines), 0, 2, ROLE_WARN, s->prediction.warnings[i]);
	return lines;
}

static void study_lay_out(struct study_view *s, int w, int h)
{
	int left = w >= 80 ? LIST_W + (w - 80) / 4 : w / 2, room = h - STUDY_TITLE, foot;

	left = left > LIST_MOST_W ? LIST_MOST_W : left;
	foot = 1 + draw_warnings(s, (struct pane){.w = w - left - 3});
	if (foot > 1 + WARNINGS)
		foot = 1 + WARNINGS;
	if (foot > room / 3)
		foot = room / 3;
	s->list = (struct pane){.x = 0, .y = STUDY_TITLE, .w = left, .h = room};
	s->plot = (struct pane){.x = left + 1, .y = STUDY_TITLE, .w = w - left - 1, .h = room - foot};
	s->foot = (struct pane){.x = left + 2, .y = h - foot, .w = w - left - 3, .h = foot};
}

static void update_study(struct view *v, int w, int h)
{
	struct study_view *s = self(v);
	const struct open_study *o;

	open_study_work(v->model);
	o = study_of(s);
	study_list_update(s);
	if (o->made && s->serial != o->serial) {
		predict(s);
		study_plot_update(s);
		s->serial = o->serial;
	}
	study_lay_out(s, w, h);
	list_fit(&v->list, s->list.h - 1);
}

/* --- drawing --- */

static struct pane study_pane_part(struct pane p, const struct pane *of)
{
	return pane_part(p, of->x, of->y, of->w, of->h);
}

/* How far making it is; returns where that begins. */
static int draw_progress(const struct study_view *s, struct pane p)
{
	struct background_state state = derived_state(&study_of(s)->derived);
	char text[80];

	if (!state.busy)
		return p.w - 1;
	if (state.total)
		snprintf(text, sizeof text, "%s %d %% · Esc stops", progress_stage_name(state.stage), (int)(state.done * 100 / state.total));
	else
		snprintf(text, sizeof text, "fitting · Esc stops");
	return p.w - 1 - pane_text_right(p, p.w - 1, 0, ROLE_WARN, 0, text) - 2;
}

/* T at the place with its interval. */
static void draw_answer(const struct study_view *s, struct pane p)
{
	const struct open_study *o = study_of(s);
	const struct study *t = o->made->study;
	const struct study_prediction *q = &s->prediction;
	char text[400] = "", value[4][UNIT_TEXT];
	int x = 1;
	size_t n = 0;

	if (!s->predicted) {
		pane_text_in(p, x, 1, p.w - 2, ROLE_WARN, 0, s->say);
		return;
	}
	for (uint32_t k = 0; k < t->axis_count && n < sizeof text; k++) {
		if (!t->axes[k].varies && k != o->axis)
			continue;
		if (t->axes[k].number)
			n += (size_t)snprintf(text + n, sizeof text - n, "%s%.24s=%.7g", n ? " " : "", t->axes[k].name, o->at[k]);
		else
			n += (size_t)snprintf(text + n, sizeof text - n, "%s%.24s=%.40s", n ? " " : "", t->axes[k].name, q->at[k].text);
	}
	x += pane_text(p, x, 1, ROLE_TITLE, 0, "T(");
	x += pane_text_in(p, x, 1, p.w / 2, ROLE_VALUE, 0, text);
	x += pane_text(p, x, 1, ROLE_TITLE, 0, ") ");
	unit_figure_time(value[0], q->time.value);
	n = (size_t)snprintf(text, sizeof text, "%s [%s, %s]", value[0], unit_figure_time(value[1], q->time.low),
			     unit_figure_time(value[2], q->time.high));
	snprintf(text + n, sizeof text - n, " · whole-run fit %s", unit_figure_time(value[3], q->direct.value));
	text_drop_facts(text, p.w - 1 - x);
	pane_text_in(p, x, 1, p.w - 1 - x, q->apart ? ROLE_WARN : ROLE_DEFAULT, 0, text);
}

static void study_draw_title(const struct study_view *s, struct pane p)
{
	const struct open_study *o = study_of(s);
	const struct study *t = o->made->study;
	uint32_t everywhere = 0;
	int x = 1, right = draw_progress(s, p);
	char text[160];

	for (uint32_t i = 0; i < t->family_count; i++)
		everywhere += t->families[i].everywhere;
	x += pane_text_in(p, x, 0, p.w / 3, ROLE_TITLE, 0, t->name);
	snprintf(text, sizeof text, " · %s%" PRIu32 " run%s · %" PRIu32 " phase famil%s, %" PRIu32 " in all runs",
		 o->derived.failure[0] ? "of the previous settings · " : "", t->runs->count, t->runs->count == 1 ? "" : "s", t->family_count,
		 t->family_count == 1 ? "y" : "ies", everywhere);
	pane_text_in(p, x, 0, right - x, o->derived.failure[0] ? ROLE_WARN : ROLE_DIM, 0, text);
	draw_answer(s, p);
}

static void draw_foot(const struct study_view *s, struct pane p)
{
	study_plot_draw_foot(s, p);
	draw_warnings(s, pane_part(p, 0, 1, p.w, p.h - 1));
}

static void draw_nothing(const struct study_view *s, struct pane p)
{
	const struct open_study *o = study_of(s);

	draw_progress(s, p);
	if (!o->path) {
		nothing_draw(p, "No study is open.", ":study FILE opens one: runs of a program with their parameters.");
		return;
	}
	pane_text_in(p, 1, 1, p.w - 2, o->derived.failure[0] ? ROLE_WARN : ROLE_DIM, 0, o->derived.failure[0] ? o->derived.failure : "Loading the runs…");
}

static void draw_study(const struct view *v, struct pane p)
{
	const struct study_view *s = (const struct study_view *)v;

	if (!study_of(s)->made || s->serial == 0) {
		draw_nothing(s, p);
		return;
	}
	study_draw_title(s, p);
	list_draw(&v->list, study_list_source(), s, study_pane_part(p, &s->list));
	pane_vline(p, s->list.w, STUDY_TITLE, p.h - STUDY_TITLE, GLYPH_VLINE, ROLE_RULE);
	study_plot_draw(s, study_pane_part(p, &s->plot));
	draw_foot(s, study_pane_part(p, &s->foot));
}

/* --- keys --- */

static void select_run(struct open_study *o, int64_t to)
{
	int64_t last = (int64_t)o->made->study->runs->count - 1;

	o->run = (uint32_t)(to < 0 ? 0 : to > last ? last : to);
}

static bool study_stop(struct open_study *o)
{
	bool busy = derived_busy(&o->derived);

	derived_cancel(&o->derived);
	return busy;
}

static unsigned act_study(struct view *v, enum action a)
{
	struct open_study *o = v->model->study;

	if (a == ACTION_BACK)
		return study_stop(o) ? REACT_DONE : REACT_IGNORED;
	if (!o->made)
		return REACT_IGNORED;
	if (list_act(&v->list, a))
		return REACT_DONE;
	switch (a) {
	case ACTION_LEFT: select_run(o, (int64_t)o->run - 1); return REACT_DONE;
	case ACTION_RIGHT: select_run(o, (int64_t)o->run + 1); return REACT_DONE;
	case ACTION_STUDY_OF:
		o->of = (enum studied_of)((o->of + 1) % STUDIED_OFS);
		o->serial++;
		return REACT_DONE;
	case ACTION_STUDY_AXIS: open_study_next_axis(o); return REACT_DONE;
	case ACTION_STUDY_LOG:
		o->log = !o->log;
		o->serial++;
		return REACT_DONE;
	case ACTION_STUDY_MORE: open_study_step(o, 1); return REACT_DONE;
	case ACTION_STUDY_LESS: open_study_step(o, -1); return REACT_DONE;
	case ACTION_STUDY_FAR_MORE: open_study_step_far(o, 1); return REACT_DONE;
	case ACTION_STUDY_FAR_LESS: open_study_step_far(o, -1); return REACT_DONE;
	case ACTION_ENTER: return REACT_DONE | REACT_ACCEPT;
	default: return REACT_IGNORED;
	}
}

/* What undo takes back: the place, by its number, and since when such numbers hold. */
static void look_study(const struct view *v, struct view_look *look)
{
	struct open_study *o = v->model->study;
	uint32_t place = o ? open_study_place(o) : UINT32_MAX;

	if (place == UINT32_MAX)
		return;
	look->known = true;
	look->shape[0] = place;
	look->shape[1] = o->begun;
}

static void set_look_study(struct view *v, const struct view_look *look)
{
	struct open_study *o = v->model->study;

	if (o->begun == (uint32_t)look->shape[1])
		open_study_go(o, (uint32_t)look->shape[0]);
}

static unsigned work_study(struct view *v, unsigned ms)
{
	return study_plot_work(self(v), ms) ? REACT_DONE : REACT_IGNORED;
}

/* The selected run: its parameters, and what the family is there. */
static void status_study(const struct view *v, char *text, size_t size, int room)
{
	const struct open_study *o = v->model->study;
	const struct study_run *run;
	char time[UNIT_TEXT], key[16];
	size_t n;
	(void)room;

	text[0] = 0;
	if (!o->made)
		return;
	run = &o->made->runs.list[o->run];
	n = (size_t)snprintf(text, size, "%.60s", run->name);
	for (uint32_t i = 0; i < run->parameters.count && n < size; i++) {
		const struct study_parameter *p = &run->parameters.list[i];

		n += (size_t)snprintf(text + n, size - n, " %.24s=%.40s", p->name, p->text);
	}
	if (n < size)
		n += (size_t)snprintf(text + n, size - n, " · %s", unit_figure_time(time, o->made->study->aet[o->run]));
	if (n < size && run->damage.code)
		n += (size_t)snprintf(text + n, size - n, " · %s", run->damage.text);
	else if (n < size && run->reads_trace)
		snprintf(text + n, size - n, " · %s opens this run", keymap_first(v->model->keymap, ACTION_ENTER, key));
	else if (n < size)
		snprintf(text + n, size - n, " · a phase table");
}

static const struct row_source *rows_study(const struct view *v)
{
	return v->model->study->made ? study_list_source() : NULL;
}

static struct pane list_pane(const struct view *v, struct pane p)
{
	return study_pane_part(p, &((const struct study_view *)v)->list);
}

const struct view_ops view_study = {
	.size = sizeof(struct study_view),
	.hints = hints,
	.alone = true,
	.close = close_study,
	.update = update_study,
	.draw = draw_study,
	.act = act_study,
	.work = work_study,
	.status = status_study,
	.rows = rows_study,
	.value = study_list_value,
	.look = look_study,
	.set_look = set_look_study,
	.list_pane = list_pane,
};
