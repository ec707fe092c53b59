/* Doctor: what works on this machine, what is missing, and how to fix it; below the list the full text of the selected
 * row. */
#include <stdio.h>
#include <string.h>

#include "core/base/text.h"
#include "tui/jobs/derived.h"
#include "tui/jobs/jobs.h"
#include "tui/panes/panes.h"
#include "tui/widgets/paragraph.h"
#include "tui/widgets/units.h"
#include "view.h"

enum { D_STATE, D_CHECK, D_TEXT, D_COLUMNS };

#define HEAD 2 /* rows above the list */
#define MORE "…"

static const struct column_look usual_columns[D_COLUMNS] = {
	[D_STATE] = {"state", "state", .width = 7},
	[D_CHECK] = {"check", "check", .width = 10},
	[D_TEXT] = {"text", "finding", .width = 20},
};

struct doctor_view {
	struct view view;
	struct derived findings;          /* looking takes a moment, and what it sees changes seldom: it is done once, and when it is asked for */
	struct column_look columns[D_COLUMNS]; /* the last as wide as there is room for */
	struct row_source source;
	uint64_t serial;                  /* of the findings in the list */
	int rows;                         /* of the list, with its titles */
	int below;                        /* of what is said of the selected row, with an empty one before it; 0: there is no room */
};

/* --- looking --- */

struct findings {
	struct made made;
	const char *program;
	struct doctor_found found;
};

static void findings_begin(void *made, const void *from)
{
	((struct findings *)made)->program = ((const struct model *)from)->program;
}

static enum err_code findings_make(void *made, const struct progress *progress, struct err *e)
{
	struct findings *f = made;

	return f->program ? doctor_run(f->program, &f->found, progress, e) : err_set(e, ERR_USAGE, "cannot run pas2p doctor from here");
}

static void findings_release(void *made)
{
	doctor_found_release(&((struct findings *)made)->found);
}

static const struct derived_kind findings_kind = {"this installation", sizeof(struct findings), NULL, findings_begin, NULL, findings_make, findings_release};

static const struct doctor_found *found_of(const struct view *v)
{
	static const struct doctor_found nothing = {.count = 0};
	const struct findings *f = ((const struct doctor_view *)v)->findings.now;

	return f ? &f->found : &nothing;
}

/* --- the list --- */

static const struct doctor_row *doctor_row_at(const void *view, uint32_t row)
{
	return &found_of(view)->rows[row];
}

static const char *state_of(const struct doctor_row *r)
{
	return r->state == DOCTOR_OK ? "ok" : r->state == DOCTOR_NOTE ? "note" : "missing";
}

/* Too long for a field: there it is cut, and the status line, which is read out, has all of it. */
static bool is_long(const struct doctor_row *r)
{
	return strlen(r->text) >= sizeof ((struct field *)NULL)->text;
}

static void field(const void *ctx, uint32_t row, int column, struct field *f)
{
	const struct doctor_row *r = doctor_row_at(ctx, row);

	if (column == D_STATE) {
		snprintf(f->text, sizeof f->text, "%s", state_of(r));
		f->role = r->state == DOCTOR_OK ? ROLE_BETTER : r->needed ? ROLE_ERROR : r->state == DOCTOR_NOTE ? ROLE_DIM : ROLE_WARN;
	} else if (column == D_CHECK) {
		snprintf(f->text, sizeof f->text, "%s", r->check);
	} else {
		text_safe(f->text, is_long(r) ? sizeof f->text - strlen(MORE) : sizeof f->text, r->text, SIZE_MAX, TEXT_UTF8);
		strcat(f->text, is_long(r) ? MORE : "");
	}
}

/* The larger, the sooner one has to do with it. */
static int weight(const struct doctor_row *r)
{
	return (int)r->state + r->needed;
}

static double key(const void *ctx, uint32_t row, int column)
{
	return column == D_STATE ? -weight(doctor_row_at(ctx, row)) : (double)row;
}

/* Search and filter see all of it. */
static void line_of(const void *ctx, uint32_t row, char *line, size_t size)
{
	const struct doctor_row *r = doctor_row_at(ctx, row);

	snprintf(line, size, "%s  %s  %s  %s", state_of(r), r->check, r->text, r->mend);
}

static void open_doctor(struct view *v)
{
	struct doctor_view *s = (struct doctor_view *)v;

	memcpy(s->columns, usual_columns, sizeof s->columns);
	s->source = (struct row_source){s->columns, D_COLUMNS, field, key, NULL};
	v->list.line = line_of;
}

static void close_doctor(struct view *v)
{
	derived_release(&((struct doctor_view *)v)->findings);
}

/* All of a row, as the lines that it takes in the pane; returns how many. */
static int draw_row(const struct doctor_row *r, struct pane p)
{
	int y = paragraph_draw(p, 0, 0, ROLE_DEFAULT, r->text);

	if (!r->mend[0])
		return y;
	if (y < p.h)
		pane_text(p, 0, y, ROLE_KEY, 0, "fix:");
	return y + paragraph_draw(pane_part(p, 5, y < p.h ? y : p.h, p.w - 5, y < p.h ? p.h - y : 0), 0, 0, ROLE_VALUE, r->mend);
}

/* The first of those that weigh most. */
static uint32_t worst(const struct doctor_view *s)
{
	const struct doctor_found *found = found_of(&s->view);
	uint32_t at = 0;

	for (uint32_t i = 1; i < found->count; i++)
		if (weight(&found->rows[i]) > weight(&found->rows[at]))
			at = i;
	return at;
}

static void doctor_lay_out(struct doctor_view *s, int w, int h)
{
	const struct doctor_found *found = found_of(&s->view);
	struct pane nothing = {NULL, 0, 0, w - 2, 0};
	int most = 0, text = w - 1;

	for (int c = 0; c < D_TEXT; c++)
		text -= usual_columns[c].width + 2;
	s->columns[D_TEXT].width = text > usual_columns[D_TEXT].width ? text : usual_columns[D_TEXT].width;
	for (uint32_t i = 0; i < found->count; i++) {
		int rows = draw_row(&found->rows[i], nothing);

		most = rows > most ? rows : most;
	}
	s->below = most + 1 < h - HEAD - 1 - most ? most + 1 : (h - HEAD - 1) / 2;
	s->rows = h - HEAD - s->below;
	if (s->rows > (int)found->count + 1)
		s->rows = (int)found->count + 1;
}

static void update_doctor(struct view *v, int w, int h)
{
	struct doctor_view *s = (struct doctor_view *)v;

	derived_update(&s->findings, &findings_kind, v->model->background, v->model);
	if (s->serial != s->findings.serial) {
		s->serial = s->findings.serial;
		list_refresh(&v->list, &s->source, s, found_of(v)->count, UINT32_MAX);
		list_select(&v->list, worst(s));
	}
	doctor_lay_out(s, w, h);
	list_fit(&v->list, s->rows - 1);
}

/* As `pas2p doctor` ends. */
static void verdict(const struct view *v, char *text, size_t size)
{
	const struct doctor_found *found = found_of(v);
	uint32_t needed = 0, missing = 0;

	for (uint32_t i = 0; i < found->count; i++) {
		needed += found->rows[i].state == DOCTOR_MISSING && found->rows[i].needed;
		missing += found->rows[i].state == DOCTOR_MISSING && !found->rows[i].needed;
	}
	if (needed)
		snprintf(text, size, "%u requirement%s missing.", needed, needed == 1 ? " is" : "s are");
	else if (missing)
		snprintf(text, size, "All requirements are met; %u optional part%s missing.", missing, missing == 1 ? " is" : "s are");
	else
		snprintf(text, size, "All requirements are met.");
}

static struct pane list_pane_doctor(const struct view *v, struct pane p)
{
	const struct doctor_view *s = (const struct doctor_view *)v;

	return pane_part(p, 0, HEAD, p.w, s->rows);
}

static void draw_doctor(const struct view *v, struct pane p)
{
	const struct doctor_view *s = (const struct doctor_view *)v;
	static const struct waiting looking = {PROGRESS_MEASURE, "Checking this machine…", "checks"};
	uint32_t row = list_row(&v->list);
	char text[200];
	int x;

	if (!found_of(v)->count) {
		waiting_draw(&looking, v->model, &s->findings, s->findings.failure, p);
		return;
	}
	x = 1 + pane_text(p, 1, 0, ROLE_TITLE, 0, "this machine  ");
	verdict(v, text, sizeof text);
	text_drop_facts(text, p.w - 1 - x);
	pane_text_in(p, x, 0, p.w - 1 - x, ROLE_DIM, 0, text);
	list_draw(&v->list, &s->source, s, list_pane_doctor(v, p));
	if (s->below > 1 && row < found_of(v)->count)
		draw_row(doctor_row_at(v, row), pane_part(p, 1, HEAD + s->rows + 1, p.w - 2, s->below - 1));
}

static unsigned act_doctor(struct view *v, enum action a)
{
	struct derived *d = &((struct doctor_view *)v)->findings;
	bool busy = derived_busy(d);

	if (list_act(&v->list, a))
		return REACT_DONE;
	if (a == ACTION_BACK && busy) {
		derived_cancel(d);
		return REACT_DONE;
	}
	if (a == ACTION_BACK || a == ACTION_DOCTOR)
		return REACT_CLOSE;
	if (a != ACTION_ENTER)
		return REACT_IGNORED;
	if (!busy)
		derived_again(d);
	return REACT_DONE;
}

static void status_doctor(const struct view *v, char *text, size_t size, int room)
{
	const struct derived *d = &((const struct doctor_view *)v)->findings;
	bool found = found_of(v)->count > 0;
	uint32_t row = list_row(&v->list);
	const struct doctor_row *r = row < found_of(v)->count ? doctor_row_at(v, row) : NULL;
	/* Where it is read out, there is room for all of the text, and nothing below the list. */
	bool below = ((const struct doctor_view *)v)->below > 1 && room < (int)size;

	text[0] = 0;
	if (found && d->failure[0])
		snprintf(text, size, "%s", d->failure);
	else if (found && derived_busy(d))
		snprintf(text, size, "Checking again…");
	else if (r)
		snprintf(text, size, "%s%s%s%s", !r->mend[0] ? r->state == DOCTOR_OK ? "works" : "no command fixes this" : below ? state_of(r) : "fix: ",
			 below ? "" : r->mend, is_long(r) ? " · " : "", is_long(r) ? r->text : "");
}

static const struct row_source *rows_doctor(const struct view *v)
{
	return found_of(v)->count ? &((const struct doctor_view *)v)->source : NULL;
}

/* In files the columns of `pas2p doctor --format csv`. */
enum { X_CHECK, X_STATE, X_NEEDED, X_TEXT, X_MEND, X_COLUMNS };

static const struct column_look export_columns[X_COLUMNS] = {
	[X_CHECK] = {"check", "check", .align = LOOK_LEFT},
	[X_STATE] = {"state", "state", .align = LOOK_LEFT},
	[X_NEEDED] = {"needed", "needed", .align = LOOK_LEFT},
	[X_TEXT] = {"text", "text", .align = LOOK_LEFT},
	[X_MEND] = {"mend", "mend", .align = LOOK_LEFT},
};
static const struct row_source export_source = {export_columns, X_COLUMNS, NULL, NULL, NULL};

static bool value_doctor(const struct view *v, uint32_t row, int column, struct cell *c, char text[VALUE_TEXT])
{
	const struct doctor_row *r = doctor_row_at(v, row);

	(void)text;
	*c = column == X_NEEDED ? cell_bool(r->needed) : cell_text(column == X_CHECK ? r->check : column == X_STATE ? state_of(r)
		: column == X_TEXT ? r->text : r->mend[0] ? r->mend : NULL);
	return true;
}

static bool table_doctor(struct view *v, bool all, struct view_table *t)
{
	const struct list *l = &v->list;

	*t = (struct view_table){"this installation", &export_source, value_doctor, all ? l->total : l->shown, all ? NULL : l->order, .shown = NULL};
	return found_of(v)->count > 0;
}

static const struct hint hints[] = {
	{ACTION_ENTER, ACTION_NONE, "check again"},
	{ACTION_EXPORT_ROWS, ACTION_NONE, "rows to a file"},
	{ACTION_SORT, ACTION_SORT_REVERSE, "sort"},
	{ACTION_SEARCH, ACTION_NONE, "search"},
	{ACTION_BACK, ACTION_NONE, "back"},
	{ACTION_NONE, ACTION_NONE, NULL},
};

const struct view_ops view_doctor = {
	.size = sizeof(struct doctor_view),
	.hints = hints,
	.knobs = true,
	.alone = true,
	.open = open_doctor,
	.close = close_doctor,
	.update = update_doctor,
	.draw = draw_doctor,
	.act = act_doctor,
	.status = status_doctor,
	.rows = rows_doctor,
	.table = table_doctor,
	.list_pane = list_pane_doctor,
};
