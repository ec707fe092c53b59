/* Exporting a list: its columns and rows, in its order and through its filter. Long lists are written a slice at a time
 * between keys, in the order that the list had when the export began. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "core/base/mem.h"
#include "core/base/text.h"
#include "core/table/shown.h"
#include "core/trace/times.h"
#include "app_int.h"
#include "tui/jobs/jobs.h"
#include "tui/model/describe.h"
#include "tui/widgets/units.h"

#define SLICE_MS 8

struct exporting {
	struct export_file *file;        /* owned */
	struct view *view;
	struct view_table table;
	uint32_t *order;                 /* owned; NULL: the table's own */
	const struct row_source *list;   /* what the view's list was of */
	uint64_t serial;                 /* of the analysis and of the list's rows that they are */
	uint32_t generation;
	char clocks[TIMES_SENTENCE];     /* the last column: "corrected: linear + clc"; "": times are as recorded, and there is none */
	char path[256];                  /* made safe */
	int columns;                     /* of the table */
	struct column_look look[LIST_COLUMNS + 1];
	char text[LIST_COLUMNS][VALUE_TEXT]; /* of the row at hand */
};

static enum err_code export_row(void *arg, uint64_t place, struct cell *cells, bool *keep, struct err *e)
{
	struct exporting *x = arg;
	const struct view_table *t = &x->table;
	uint32_t row = x->order ? x->order[place] : (uint32_t)place;
	int c = 0;

	(void)keep;
	(void)e;
	for (; c < x->columns; c++) {
		struct field f = {.text = ""};

		if (t->shown && !t->value) {
			cells[c] = shown_column(t->shown, c)->value(t->shown->list, row);
		} else if (!t->value || !t->value(x->view, row, c, &cells[c], x->text[c])) {
			t->source->field(x->view, row, c, &f);
			memcpy(x->text[c], f.text, sizeof f.text);
			cells[c] = cell_text(f.text[0] ? x->text[c] : NULL);
		}
	}
	if (x->clocks[0])
		cells[c] = cell_text(x->clocks);
	return ERR_OK;
}

void app_export_end(struct app *a)
{
	if (!a->work.exporting)
		return;
	export_end(a->work.exporting->file);
	mem_free(a->work.exporting->order);
	mem_free(a->work.exporting);
	a->work.exporting = NULL;
}

double app_export_part(const struct app *a)
{
	return export_part(a->work.exporting->file);
}

/* Those of the view's list; NULL: it is none. */
static const struct row_source *exporting_rows_of(const struct view *v)
{
	return v->ops->rows ? v->ops->rows(v) : NULL;
}

/* Another analysis, or other rows in the list: what was asked for is no more. */
static bool exporting_is_gone(const struct app *a)
{
	const struct exporting *x = a->work.exporting;
	struct view *v = x->view;

	return x->serial != a->work.model.serial || exporting_rows_of(v) != x->list || view_list(v)->generation != x->generation;
}

static enum err_code exporting_go_on(struct app *a, struct err *e)
{
	struct exporting *x = a->work.exporting;
	char n[UNIT_TEXT];
	bool done = false;
	enum err_code code = export_step(x->file, SLICE_MS, &done, e);

	if (done && !code)
		app_say(a, ROLE_BETTER, "Wrote %s row%s%s%s to %s.", unit_count(n, x->table.rows), x->table.rows == 1 ? "" : "s",
			x->table.name ? " of " : "", x->table.name ? x->table.name : "", x->path);
	if (done || code)
		app_export_end(a);
	return code;
}

bool app_export_work(struct app *a)
{
	struct err e;

	if (!a->work.exporting)
		return false;
	if (exporting_is_gone(a)) {
		app_say(a, ROLE_WARN, "The rows changed: nothing was written to %s.", a->work.exporting->path);
		app_export_end(a);
	} else if (exporting_go_on(a, &e)) {
		app_say(a, ROLE_ERROR, "%s", e.text);
	}
	return true;
}

/* The list's rows, if the view does not know better. */
static enum err_code find_table(struct view *v, bool all, struct view_table *t, struct err *e)
{
	const struct list *l = view_list(v);

	*t = (struct view_table){NULL, exporting_rows_of(v), v->ops->value, all ? l->total : l->shown, all ? NULL : l->order, .shown = NULL};
	if (v->ops->table && !v->ops->table(v, all, t))
		return err_set(e, ERR_USAGE, "there are no rows to export");
	return ERR_OK;
}

static enum err_code exporting_begin(struct app *a, const char *path, bool all, struct err *e)
{
	struct view *v = workspace_front(&a->work);
	struct exporting *x = mem_zero(1, sizeof *x);
	struct rows rows = {.row = export_row, .arg = x};
	enum err_code code;

	if (!x)
		return err_memory(e, "the rows");
	a->work.exporting = x;
	code = find_table(v, all, &x->table, e);
	if (code)
		return code;
	x->view = v;
	x->list = exporting_rows_of(v);
	x->serial = a->work.model.serial;
	x->generation = view_list(v)->generation;
	text_safe(x->path, sizeof x->path, path, SIZE_MAX, TEXT_UTF8);
	if (x->table.order) {
		x->order = mem_alloc(x->table.rows, sizeof *x->order);
		if (!x->order)
			return err_memory(e, "the rows");
		if (x->table.rows)
			memcpy(x->order, x->table.order, x->table.rows * sizeof *x->order);
	}
	x->columns = x->table.shown ? x->table.shown->count : x->table.source->column_count;
	for (int c = 0; c < x->columns; c++) {
		x->look[c] = x->table.shown ? x->table.shown->look[c] : x->table.source->columns[c];
		x->look[c].decimals = ROWS_SHORTEST;
	}
	/* The clocks are told by what was recorded. */
	if (times_are_corrected(&a->work.model) && v->id != VIEW_CLOCKS)
		times_sentence(&a->work.model.trace->times->figures, x->clocks);
	x->clocks[strcspn(x->clocks, ",")] = 0;
	x->look[x->columns] = (struct column_look){"clocks", "clocks", .align = LOOK_LEFT};
	rows.columns = x->look;
	rows.column_count = (size_t)x->columns + (x->clocks[0] != 0);
	rows.row_count = x->table.rows;
	return export_begin(&x->file, &rows, path, e);
}

enum err_code app_can_export(const struct app *a, struct err *e)
{
	struct view *v = workspace_front(&a->work);

	if (!exporting_rows_of(v) && !(v->ops->table && !v->ops->rows))
		return err_set(e, ERR_USAGE, "This view has no rows to export; :screen saves the screen.");
	return ERR_OK;
}

enum err_code app_export(struct app *a, const char *path, bool all, bool force, struct err *e)
{
	struct view *v = workspace_front(&a->work);
	char full[PROMPT_TEXT * 2], safe[256];
	enum err_code code = app_can_export(a, e);

	if (code)
		return code;
	app_full_path(path, full, sizeof full);
	text_safe(safe, sizeof safe, full, SIZE_MAX, TEXT_UTF8);
	if (a->work.exporting)
		return err_set(e, ERR_USAGE, "%s is still being written; Esc stops that", a->work.exporting->path);
	if (app_refuse_inputs(a, full, e))
		return e->code;
	if (!force && access(full, F_OK) == 0)
		return err_set(e, ERR_USAGE, "%s exists; --force replaces it", safe);
	if (view_list(v)->task && !all && !a->work.options->script)
		return err_set(e, ERR_USAGE, "the list is still being sorted or searched; try again later");
	if (a->work.options->script)
		list_work(view_list(v), 0);
	code = exporting_begin(a, full, all, e);
	/* What is short is written at once. A script learns from the command itself whether it is. */
	do
		code = code ? code : exporting_go_on(a, e);
	while (!code && a->work.exporting && a->work.options->script);
	if (code)
		app_export_end(a);
	return code;
}
