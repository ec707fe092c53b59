/* The families of the study: the plotted value over the runs, their places, and their share of the runs' time. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "study_int.h"
#include "tui/widgets/bars.h"
#include "tui/widgets/units.h"

enum { LIST_FAMILY, LIST_RUNS, LIST_EVERYWHERE, LIST_STABLE, LIST_SHARE, LIST_ALL };

#define SPARK 8

static const struct column_look columns[LIST_ALL] = {
	[LIST_FAMILY] = {"family", "fam", LOOK_RIGHT, .width = 3},
	[LIST_RUNS] = {"runs", "runs", .width = SPARK, .priority = 1},
	[LIST_EVERYWHERE] = {"everywhere", "everywhere", .width = 10, .priority = 2},
	[LIST_STABLE] = {"stable", "stable", .width = 6, .priority = 3},
	[LIST_SHARE] = {"share", "share", LOOK_RIGHT, .width = 7, .priority = 4},
};

static const struct study_family *family_of(const struct study_view *s, uint32_t row)
{
	return &study_of(s)->made->study->families[row];
}

/* Over the runs in their order; of many runs as many as there is room for. */
static void draw_spark(const struct study_view *s, const struct study_family *f, char *text, size_t size)
{
	const struct studied *d = study_of(s)->made;
	enum studied_of of = study_of(s)->of == STUDIED_T ? STUDIED_TOTAL : study_of(s)->of;
	uint32_t runs = d->study->runs->count, n = runs < SPARK ? runs : SPARK;
	double values[SPARK];

	for (uint32_t i = 0; i < n; i++)
		values[i] = studied_value(d, f, n > 1 ? (uint32_t)((uint64_t)i * (runs - 1) / (n - 1)) : 0, of);
	sparkline_text(values, (int)n, text, size);
}

static void field(const void *ctx, uint32_t row, int column, struct field *x)
{
	const struct study_view *s = ctx;
	const struct study_family *f = family_of(s, row);

	*x = (struct field){.role = f->relevant ? ROLE_DEFAULT : ROLE_DIM};
	switch (column) {
	case LIST_FAMILY: snprintf(x->text, sizeof x->text, "%" PRIu32, f->id); break;
	case LIST_RUNS:
		draw_spark(s, f, x->text, sizeof x->text);
		x->role = ROLE_SLIDER;
		x->picture = true;
		break;
	case LIST_EVERYWHERE:
		if (f->everywhere)
			snprintf(x->text, sizeof x->text, "everywhere");
		else
			snprintf(x->text, sizeof x->text, "in %" PRIu32, f->count);
		x->role = f->everywhere ? x->role : ROLE_WARN;
		break;
	case LIST_STABLE: snprintf(x->text, sizeof x->text, "%s", f->stable ? "stable" : ""); break;
	default: unit_figure_percent(x->text, f->share);
	}
}

static double key(const void *ctx, uint32_t row, int column)
{
	const struct study_family *f = family_of(ctx, row);

	switch (column) {
	case LIST_EVERYWHERE: return f->count;
	case LIST_STABLE: return f->stable;
	case LIST_SHARE: return f->share;
	default: return f->id;
	}
}

const struct row_source *study_list_source(void)
{
	static const struct row_source source = {columns, LIST_ALL, field, key, NULL};

	return &source;
}

bool study_list_value(const struct view *v, uint32_t row, int column, struct cell *c, char text[VALUE_TEXT])
{
	const struct study_family *f = family_of((const struct study_view *)v, row);

	(void)text;
	switch (column) {
	case LIST_FAMILY: *c = cell_whole(f->id); break;
	case LIST_RUNS: *c = cell_whole(f->count); break; /* that have it */
	case LIST_EVERYWHERE: *c = cell_bool(f->everywhere); break;
	case LIST_STABLE: *c = cell_bool(f->stable); break;
	default: *c = cell_figure(f->share); break;
	}
	return true;
}

void study_list_update(struct study_view *s)
{
	struct open_study *o = study_of(s);
	struct list *l = &s->view.list;
	uint32_t row;

	if (!o->made)
		return;
	if (s->rows_serial != o->made_serial) {
		list_refresh(l, study_list_source(), s, o->made->study->family_count, o->family - 1);
		list_select(l, o->family - 1);
		s->rows_serial = o->made_serial;
	}
	row = list_row(l);
	if (row < o->made->study->family_count && row + 1 != o->family) {
		o->family = row + 1;
		o->serial++;
	}
	list_fit(l, s->list.h - 1);
}
