/* Exporting what a list shows: its columns and rows, in its order and through its filter. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "../core/text.h"
#include "app.h"
#include "export_rows.h"
#include "units.h"

struct exported {
	const struct view *view;
	const struct list *list;
	const struct row_source *source;
	bool all;
};

static void value(const void *ctx, uint32_t place, int column, struct value *v)
{
	const struct exported *x = ctx;
	uint32_t row = x->list->order && !x->all ? x->list->order[place] : place;
	struct field f = {.text = ""};

	if (x->view->ops->value && x->view->ops->value(x->view, row, column, v))
		return;
	x->source->field(x->view, row, column, &f);
	memcpy(v->text, f.text, sizeof v->text);
}

enum err_code app_export(struct app *a, const char *arguments, struct err *e)
{
	struct view *v = a->views[a->here];
	struct exported x = {.view = v, .list = view_list(v), .source = v->ops->rows ? v->ops->rows(v) : NULL};
	struct export file = {.value = value, .ctx = &x};
	char path[PROMPT_TEXT], full[PROMPT_TEXT * 2], safe[256], n[UNIT_TEXT];
	bool force = false;
	enum err_code code;

	snprintf(path, sizeof path, "%s", arguments);
	for (char *blank; (blank = strrchr(path, ' ')) && (!strcmp(blank, " --all") || !strcmp(blank, " --force") || !blank[1]); *blank = 0) {
		x.all = x.all || !strcmp(blank, " --all");
		force = force || !strcmp(blank, " --force");
	}
	if (!x.source)
		return err_set(e, ERR_USAGE, "this view has no rows to export; the lists have, and :screen saves what is seen");
	app_full_path(path, full, sizeof full);
	text_safe(safe, sizeof safe, full, SIZE_MAX, TEXT_UTF8);
	if (!force && access(full, F_OK) == 0)
		return err_set(e, ERR_USAGE, "%s exists; with --force it is replaced", safe);
	list_work(view_list(v), 0);
	for (int c = 0; c < x.source->column_count && file.columns < EXPORT_COLUMNS; c++) {
		file.name[file.columns] = x.source->columns[c].name;
		file.title[file.columns] = x.source->columns[c].title;
		file.right[file.columns++] = x.source->columns[c].right;
	}
	file.rows = x.all ? x.list->total : x.list->shown;
	code = export_write(&file, full, e);
	if (!code)
		app_say(a, ROLE_BETTER, "Wrote %s rows to %s.", unit_count(n, file.rows), safe);
	return code;
}
