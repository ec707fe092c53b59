/* The list of models: the program, functions, fits. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/base/text.h"
#include "models_int.h"
#include "tui/widgets/units.h"

enum { COLUMN_NAME, COLUMN_KIND, COLUMN_LOO, COLUMN_WORST, COLUMN_FILE, LIST_COLUMNS_HERE };

static const struct column_look columns[] = {
	[COLUMN_NAME] = {"name", "model", .width = 14},
	[COLUMN_KIND] = {"kind", "kind", .width = 8, .priority = 3},
	[COLUMN_LOO] = {"loo", "CV err.", LOOK_RIGHT, .width = 7, .priority = 1},
	[COLUMN_WORST] = {"worst", "largest", LOOK_RIGHT, .width = 7, .priority = 2},
	[COLUMN_FILE] = {"file", "file", .width = 20, .priority = 4},
};

static const char *kind_name(enum models_kind kind)
{
	static const char *const names[] = {"program", "function", "message", "fit"};

	return names[kind];
}

static const struct models_fit *fit_of(const struct models *m, const struct models_row *r)
{
	return r->kind == MODELS_FIT && m->fit[r->index].has_fit ? &m->fit[r->index] : NULL;
}

static const char *file_of(const struct models *m, const struct models_row *r)
{
	const char *path = r->kind == MODELS_FIT ? m->fit[r->index].file->path : r->kind == MODELS_MESSAGES ?
		m->program->machine_path : m->program->path;

	return path ? path_name(path) : "";
}

static double models_row_number(const struct models *m, const struct models_row *r, int column)
{
	const struct models_fit *f = fit_of(m, r);

	return !f ? (double)NAN : column == COLUMN_LOO ? f->fit.error : f->fit.max_error;
}

static void field(const void *ctx, uint32_t row, int column, struct field *f)
{
	const struct models *m = models_of(ctx);
	const struct models_row *r = &m->row[row];
	double v = models_row_number(m, r, column);

	*f = (struct field){.role = ROLE_DEFAULT};
	switch (column) {
	case COLUMN_NAME: text_safe(f->text, sizeof f->text, models_row_name(m, r), SIZE_MAX, TEXT_UTF8); break;
	case COLUMN_KIND:
		snprintf(f->text, sizeof f->text, "%s", kind_name(r->kind));
		f->role = ROLE_DIM;
		break;
	case COLUMN_FILE:
		text_safe(f->text, sizeof f->text, file_of(m, r), SIZE_MAX, TEXT_UTF8);
		f->role = ROLE_DIM;
		break;
	default:
		if (r->kind == MODELS_FIT && m->fit[r->index].state == MODELS_FAILED && column == COLUMN_LOO)
			snprintf(f->text, sizeof f->text, "failed");
		else if (r->kind == MODELS_FIT)
			unit_figure_percent(f->text, v);
		f->role = v > FIT_POOR ? ROLE_WARN : ROLE_DEFAULT;
	}
}

static double key(const void *ctx, uint32_t row, int column)
{
	const struct models *m = models_of(ctx);

	return column == COLUMN_LOO || column == COLUMN_WORST ? models_row_number(m, &m->row[row], column) : (double)row;
}

const struct row_source *models_list_source(void)
{
	static const struct row_source source = {columns, LIST_COLUMNS_HERE, field, key, NULL};

	return &source;
}

bool models_list_value(const struct view *v, uint32_t row, int column, struct cell *c, char text[VALUE_TEXT])
{
	const struct models *m = models_of((const struct models_view *)v);

	if (column != COLUMN_LOO && column != COLUMN_WORST)
		return false;
	(void)text;
	*c = cell_figure(models_row_number(m, &m->row[row], column));
	return true;
}

void models_list_update(struct models_view *s)
{
	struct models *m = s->view.model->models;
	uint32_t row;

	if (s->rows_serial != m->rows_serial) {
		list_refresh(&s->view.list, models_list_source(), s, m->rows, m->selected_row);
		s->rows_serial = m->rows_serial;
		list_select(&s->view.list, m->selected_row);
	}
	row = list_row(&s->view.list);
	if (row < m->rows)
		m->selected_row = row;
	list_fit(&s->view.list, s->list.h - 1);
}

void models_list_draw(const struct models_view *s, struct pane p)
{
	list_draw(&s->view.list, models_list_source(), s, p);
}
