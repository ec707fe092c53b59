/* Open: recently opened traces and those of a folder; Enter opens a trace or enters a folder. */
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "core/base/mem.h"
#include "core/base/text.h"
#include "core/formats/api/format.h"
#include "tui/jobs/background.h"
#include "tui/model/model.h"
#include "tui/model/run_list.h"
#include "tui/widgets/paragraph.h"
#include "tui/widgets/units.h"
#include "view.h"

enum { O_FROM, O_NAME, O_FORMAT, O_RANKS, O_FILES, O_SIZE, O_CHANGED, O_FOLDER, O_COLUMNS };

#define NAME_LEAST 20
#define HEAD 2 /* rows above the list */

static const struct column_look usual_columns[O_COLUMNS] = {
	[O_FROM] = {"from", "from", .width = 6, .priority = 4},
	[O_NAME] = {"trace", "trace", .width = NAME_LEAST},
	[O_FORMAT] = {"format", "format", .width = 8, .priority = 2},
	[O_RANKS] = {"ranks", "ranks", LOOK_RIGHT, .width = 6},
	[O_FILES] = {"files", "files", LOOK_RIGHT, .width = 5, .priority = 5},
	[O_SIZE] = {"size", "size", LOOK_RIGHT, .width = 9},
	[O_CHANGED] = {"changed", "changed", .width = 16, .priority = 1},
	[O_FOLDER] = {"folder", "folder", .width = 24, .priority = 6},
};

/* What a row's trace is to the workbench. */
enum shown_run { RUN_CLOSED, RUN_OPEN, RUN_SHOWN };

struct open_view {
	struct view view;
	struct column_look columns[O_COLUMNS]; /* as wide as there is room for */
	struct row_source source;
	uint64_t serial;                  /* of the picker, when the list was made */
	bool made;
	bool entered;                     /* another folder: the cursor goes to where it begins, or to the one that was left */
	uint64_t runs_serial;             /* of the open traces, when the rows were compared with them */
	enum shown_run *are;              /* of so many rows; owned */
	uint32_t are_count;
};

static const struct picker *picker_of(const struct view *v)
{
	return v->model->picker;
}

static const struct found_run *run_at(const void *view, uint32_t row)
{
	return picker_row(picker_of(view), row);
}

static enum shown_run is_open(const void *view, uint32_t row)
{
	const struct open_view *s = view;

	return row < s->are_count ? s->are[row] : RUN_CLOSED;
}

static bool is_recent(const void *view, uint32_t row)
{
	return row < picker_of(view)->recent->count;
}

static void show_time(char *text, size_t size, int64_t seconds)
{
	time_t t = (time_t)seconds;
	struct tm at;

	if (!localtime_r(&t, &at) || !strftime(text, size, "%Y-%m-%d %H:%M", &at))
		*text = 0;
}

/* The path without its last part. */
static void show_folder(char *text, size_t size, const char *path)
{
	const char *slash = strrchr(path, '/');

	text_safe(text, size, path, slash && slash > path ? (size_t)(slash - path) : 1, TEXT_UTF8);
}

static void field(const void *ctx, uint32_t row, int column, struct field *f)
{
	const struct found_run *run = run_at(ctx, row);
	char unit[UNIT_TEXT];

	if (column == O_FROM && is_open(ctx, row))
		f->role = ROLE_KEY;
	else if (run->gone || column == O_FROM || column == O_FOLDER)
		f->role = ROLE_DIM;
	else if (run->folder && column == O_NAME)
		f->role = ROLE_KEY;
	switch (column) {
	case O_FROM:
		snprintf(f->text, sizeof f->text, "%s", is_open(ctx, row) == RUN_SHOWN ? "shown" : is_open(ctx, row) ? "open"
			: is_recent(ctx, row) ? "recent" : run->folder ? "folder" : "here");
		break;
	case O_NAME:
		text_safe(f->text, sizeof f->text - 1, run->name, SIZE_MAX, TEXT_UTF8);
		if (run->folder)
			strcat(f->text, "/");
		break;
	case O_FORMAT:
		snprintf(f->text, sizeof f->text, "%s", run->folder ? "" : run->gone ? "gone" : run->format ? run->format : "damaged?");
		if (!run->folder && !run->gone && !run->format)
			f->role = ROLE_WARN;
		break;
	case O_RANKS:
		if (run->processes)
			unit_count(f->text, run->processes);
		break;
	case O_FILES:
		if (run->path_count > 1)
			unit_count(f->text, run->path_count);
		break;
	case O_SIZE:
		if (!run->folder && !run->gone)
			snprintf(f->text, sizeof f->text, "%s", unit_bytes(unit, run->size));
		break;
	case O_CHANGED:
		if (!run->gone)
			show_time(f->text, sizeof f->text, run->changed);
		break;
	default:
		if (is_recent(ctx, row))
			show_folder(f->text, sizeof f->text, run->paths[0]);
	}
}

static double key(const void *ctx, uint32_t row, int column)
{
	const struct found_run *run = run_at(ctx, row);

	switch (column) {
	case O_RANKS: return run->processes;
	case O_FILES: return run->path_count;
	case O_SIZE: return run->folder ? 0 : (double)run->size;
	case O_CHANGED: return (double)run->changed;
	default: return row; /* by name, as they are found */
	}
}

static void open_open(struct view *v)
{
	struct open_view *s = (struct open_view *)v;

	memcpy(s->columns, usual_columns, sizeof s->columns);
	s->source = (struct row_source){s->columns, O_COLUMNS, field, key, NULL};
}

static void close_open(struct view *v)
{
	mem_free(((struct open_view *)v)->are);
}

static void show_open(struct view *v)
{
	picker_ask(v->model);
}

/* Names take what the other columns leave. */
static void set_widths(struct open_view *s, int w)
{
	const struct picker *p = picker_of(&s->view);
	int longest = NAME_LEAST, rest = 0;

	for (uint32_t i = 0; i < picker_rows(p) && longest < w; i++) {
		int n = (int)strlen(picker_row(p, i)->name) + picker_row(p, i)->folder;

		longest = n > longest ? n : longest;
	}
	for (int c = 0; c < O_COLUMNS; c++)
		if (c != O_NAME && (c != O_FOLDER || w >= 110) && (c != O_FILES || w >= 90) && (c != O_FROM || w >= 70))
			rest += usual_columns[c].width + 2;
	rest = w - 3 - rest;
	s->columns[O_NAME].width = rest < NAME_LEAST ? NAME_LEAST : rest < longest ? rest : longest;
	s->columns[O_FOLDER].width = usual_columns[O_FOLDER].width + (rest > longest ? rest - longest : 0);
}

static uint32_t row_of_path(const struct picker *p, const char *path)
{
	for (uint32_t i = 0; path && i < p->here->count; i++) {
		const char *slash = strrchr(path, '/');

		if (slash && !strcmp(p->here->list[i].name, slash + 1))
			return p->recent->count + i;
	}
	return UINT32_MAX;
}

static bool is_of(const struct found_run *row, const struct stat *st)
{
	return !row->folder && row->inode == st->st_ino && row->device == st->st_dev;
}

/* Which rows are open traces, by whatever name. */
static void find_open(struct open_view *s)
{
	const struct picker *p = picker_of(&s->view);
	const struct runs *runs = s->view.model->runs;
	uint32_t rows = picker_rows(p);
	struct stat st;

	mem_free(s->are);
	s->are = mem_zero((size_t)rows + 1, sizeof *s->are);
	s->are_count = s->are ? rows : 0;
	s->runs_serial = runs->serial;
	for (uint32_t i = 0; s->are && i < runs->count; i++) {
		const struct run *run = &runs->list[i];

		if (run->state == RUN_FAILED || run->state == RUN_STOPPED || stat(run->paths[0], &st))
			continue;
		for (uint32_t row = 0; row < rows; row++)
			if (is_of(picker_row(p, row), &st))
				s->are[row] = i == runs->open && s->view.model->recorded ? RUN_SHOWN : RUN_OPEN;
	}
}

static void update_open(struct view *v, int w, int h)
{
	struct open_view *s = (struct open_view *)v;
	const struct picker *p = picker_of(v);

	if (!s->made || s->serial != p->serial || s->runs_serial != v->model->runs->serial)
		find_open(s);
	if (!s->made || s->serial != p->serial) {
		uint32_t rows = picker_rows(p), keep = s->made ? list_row(&v->list) : 0, first = p->recent->count;

		if (s->entered && p->known) {
			uint32_t left = row_of_path(p, p->came_from);

			keep = left != UINT32_MAX ? left : first < rows ? first : 0;
			s->entered = false;
		}
		s->made = true;
		s->serial = p->serial;
		list_refresh(&v->list, &s->source, s, rows, keep < rows ? keep : 0);
	}
	set_widths(s, w);
	list_fit(&v->list, h - 1 - HEAD);
}

static void draw_head(const struct view *v, struct pane p)
{
	const struct picker *picker = picker_of(v);
	struct background_state state = derived_state(&picker->look);
	const char *folder = picker->full ? picker->full : picker->folder ? picker->folder : ".";
	char safe[512], n[UNIT_TEXT], text[160] = "";
	uint32_t traces = picker->here->count - picker->here->folders;
	int x = 1;

	if (state.busy && state.total)
		snprintf(text, sizeof text, "reading %s files", unit_count(n, state.total));
	else if (!picker->known)
		snprintf(text, sizeof text, "reading");
	else
		snprintf(text, sizeof text, "%s trace%s", unit_count(n, traces), traces == 1 ? "" : "s");
	x += pane_text_in(p, x, 0, p.w - text_width(text) - 5, ROLE_TITLE, 0, text_safe(safe, sizeof safe, folder, SIZE_MAX, TEXT_UTF8));
	pane_text(p, x + 2, 0, ROLE_DIM, 0, text);
}

/* An empty list: why it is empty, and what would fill it. */
static void draw_empty(const struct view *v, struct pane p)
{
	const struct picker *picker = picker_of(v);
	char text[256];
	size_t n;

	if (picker->look.failure[0]) {
		pane_text_in(p, 1, p.h > 2, p.w - 2, ROLE_WARN, 0, picker->look.failure);
		return;
	}
	if (!picker->known)
		return;
	n = (size_t)snprintf(text, sizeof text, "Formats:");
	for (int i = 0; formats[i] && n < sizeof text; i++)
		n += (size_t)snprintf(text + n, sizeof text - n, "%s %s (*%s)", i ? "," : "", formats[i]->name, formats[i]->ending);
	snprintf(text + n, n < sizeof text ? sizeof text - n : 0, ".");
	nothing_draw(p, "No traces in this folder.", text);
}

static struct pane list_pane_open(const struct view *v, struct pane p)
{
	(void)v;
	return pane_part(p, 0, HEAD, p.w, p.h > HEAD ? p.h - HEAD : 0);
}

static void draw_open(const struct view *v, struct pane p)
{
	const struct open_view *s = (const struct open_view *)v;
	struct pane list = list_pane_open(v, p);
	const struct picker *picker = picker_of(v);
	uint32_t rows = v->list.total;

	draw_head(v, p);
	if (rows)
		list_draw(&v->list, &s->source, v, list);
	if (picker->here->count == picker->here->folders && (int)rows + 2 < list.h)
		draw_empty(v, pane_part(list, 0, rows ? (int)rows + 1 : 0, list.w, list.h));
}

static unsigned act_open(struct view *v, enum action a)
{
	struct open_view *s = (struct open_view *)v;
	struct picker *p = v->model->picker;
	uint32_t row = list_row(&v->list);
	const struct found_run *run = v->list.shown && row < picker_rows(p) ? picker_row(p, row) : NULL;
	struct err e;

	if (a == ACTION_FOLDER_UP || a == ACTION_LEFT) {
		if (!picker_go_up(p))
			return REACT_DONE;
		s->entered = true;
		picker_ask(v->model);
		return REACT_DONE;
	}
	if (a == ACTION_RIGHT || a == ACTION_ENTER) {
		if (!run || (a == ACTION_RIGHT && !run->folder))
			return REACT_DONE;
		if (!run->folder)
			return REACT_ACCEPT;
		if (picker_go(p, run->paths[0], &e)) {
			snprintf(v->model->message, sizeof v->model->message, "%s", e.text);
			return REACT_DONE;
		}
		s->entered = true;
		picker_ask(v->model);
		return REACT_DONE;
	}
	if (list_act(&v->list, a))
		return REACT_DONE;
	return a == ACTION_OPEN && (v->model->recorded || !p->alone) ? REACT_CLOSE : REACT_IGNORED;
}

static void status_open(const struct view *v, char *text, size_t size, int room)
{
	const struct picker *p = picker_of(v);
	uint32_t row = list_row(&v->list);
	const struct found_run *run = v->list.shown && row < picker_rows(p) ? picker_row(p, row) : NULL;
	char safe[300];
	int n;
	(void)room;

	if (!run)
		return;
	text_safe(safe, sizeof safe, run->paths[0], SIZE_MAX, TEXT_UTF8);
	n = snprintf(text, size, "%s", safe);
	if (run->path_count > 1 && n > 0 && (size_t)n < size)
		n += snprintf(text + n, size - (size_t)n, " · and %u more files", (unsigned)run->path_count - 1);
	if (is_open(v, row) && n > 0 && (size_t)n < size)
		snprintf(text + n, size - (size_t)n, is_open(v, row) == RUN_SHOWN ? " · the trace shown" : " · open");
}

static const struct row_source *rows_open(const struct view *v)
{
	return &((const struct open_view *)v)->source;
}

static bool value_open(const struct view *v, uint32_t row, int column, struct cell *c, char text[VALUE_TEXT])
{
	const struct found_run *run = run_at(v, row);

	(void)text;
	if (column != O_RANKS && column != O_FILES && column != O_SIZE)
		return false;
	if (run->folder || (column == O_RANKS && !run->processes) || (column == O_SIZE && run->gone))
		return true; /* an empty cell */
	*c = cell_whole((uint64_t)key(v, row, column));
	return true;
}

static const struct hint hints[] = {
	{ACTION_ENTER, ACTION_NONE, "open"},
	{ACTION_FOLDER_UP, ACTION_NONE, "parent folder"},
	{ACTION_FILTER, ACTION_NONE, "filter"},
	{ACTION_SEARCH, ACTION_NONE, "search"},
	{ACTION_SORT, ACTION_NONE, "sort"},
	{ACTION_BACK, ACTION_NONE, "back"},
	{ACTION_NONE, ACTION_NONE, NULL},
};

const struct view_ops view_open = {
	.size = sizeof(struct open_view),
	.hints = hints,
	.knobs = true,
	.alone = true,
	.open = open_open,
	.close = close_open,
	.show = show_open,
	.update = update_open,
	.draw = draw_open,
	.act = act_open,
	.status = status_open,
	.rows = rows_open,
	.value = value_open,
	.list_pane = list_pane_open,
};
