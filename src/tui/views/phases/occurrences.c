/* The occurrences of one phase, one by one: when each was, how long it took, and how long its slowest process. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/base/mem.h"
#include "phases_int.h"
#include "tui/model/describe.h"
#include "tui/widgets/bars.h"
#include "tui/widgets/units.h"

enum { O_NUMBER, O_TICKS, O_AT, O_TIME, O_SLOWEST, O_BAR, O_COLUMNS };

static const struct column_look inner_columns[O_COLUMNS] = {
	[O_NUMBER] = {"occurrence", "occurrence", LOOK_RIGHT, .width = 10},
	[O_TICKS] = {"ticks", "ticks", LOOK_RIGHT, .width = 21},
	[O_TIME] = {"time", "time", LOOK_RIGHT, .width = 8},
	[O_SLOWEST] = {"slowest", "slowest rank", LOOK_RIGHT, .width = 12, .priority = 2},
	[O_AT] = {"at", "at", LOOK_RIGHT, .width = 12, .priority = 1},
	[O_BAR] = {"bar", "", .width = 20, .priority = 3},
};

uint32_t occurrence_of(const struct phases_view *s, uint32_t row)
{
	const struct phases *p = phases_found(s);

	return p->by_phase[p->phase_first[s->inside - 1] + row];
}

static double inner_key(const void *ctx, uint32_t row, int column)
{
	const struct phases_view *s = ctx;
	const struct analysis *a = s->view.model->analysis;
	uint32_t o = occurrence_of(s, row);

	switch (column) {
	case O_TIME:
	case O_BAR: return occurrence_time(a->clockwork, a->phases, o);
	case O_SLOWEST:
		if (!s->slowest)
			return occurrence_slowest(a->clockwork, a->phases, o);
		if (s->slowest[row] < 0)
			s->slowest[row] = occurrence_slowest(a->clockwork, a->phases, o);
		return s->slowest[row];
	case O_AT: return moment_of_tick(a->logical, a->phases->occurrences[o].first).seconds;
	default: return row;
	}
}

static void inner_field(const void *ctx, uint32_t row, int column, struct field *f)
{
	const struct phases_view *s = ctx;
	const struct occurrence *o = &phases_found(s)->occurrences[occurrence_of(s, row)];
	char a[UNIT_TEXT], b[UNIT_TEXT];

	switch (column) {
	case O_NUMBER:
		unit_count(f->text, row + 1);
		break;
	case O_TICKS:
		snprintf(f->text, sizeof f->text, "%s – %s", unit_count(a, o->first), unit_count(b, o->last));
		break;
	case O_AT:
		unit_moment(f->text, inner_key(ctx, row, O_AT));
		break;
	case O_BAR:
		bar_text(inner_key(ctx, row, O_TIME) / s->inner_max, inner_columns[O_BAR].width, f->text, sizeof f->text);
		f->picture = true;
		f->role = phase_look(s->view.model, s->inside).role;
		break;
	case O_SLOWEST:
		if (s->slowest && s->slowest[row] < 0) {
			strcpy(f->text, "…");
			break;
		}
		/* fall through */
	default:
		unit_time(f->text, inner_key(ctx, row, column));
	}
}

const struct row_source occurrence_rows = {inner_columns, O_COLUMNS, inner_field, inner_key, NULL};

void occurrences_enter(struct phases_view *s, uint32_t id)
{
	const struct phases *p = phases_found(s);
	uint32_t n = p->phase_first[id] - p->phase_first[id - 1];

	s->inside = id;
	s->inner_max = s->view.model->analysis->figures->phase[id - 1].time_max;
	mem_free(s->slowest);
	s->slowest = mem_alloc(n, sizeof *s->slowest);
	for (uint32_t i = 0; s->slowest && i < n; i++)
		s->slowest[i] = -1;
	list_refresh(&s->inner, &occurrence_rows, s, n, UINT32_MAX);
}

void occurrences_draw(const struct phases_view *s, struct pane p)
{
	enum role role = phase_look(s->view.model, s->inside).role;
	int x = 1 + pane_textf(p, 1, 0, role, ATTR_BOLD, "phase %u", (unsigned)s->inside);
	const struct phase_name *called = phase_name_of(s->view.model->analysis, s->inside);
	char n[UNIT_TEXT];

	pane_textf(p, x, 0, ROLE_DIM, 0, "%s%s · %s occurrence%s", called ? " · " : "", called ? called->name : "", unit_count(n, s->inner.total),
		   s->inner.total == 1 ? "" : "s");
	list_draw(&s->inner, &occurrence_rows, s, pane_part(p, 0, 1, p.w, p.h - 1));
}

void occurrences_status(const struct phases_view *s, uint32_t row, char *text, size_t size)
{
	const struct occurrence *o = &phases_found(s)->occurrences[occurrence_of(s, row)];
	char a[UNIT_TEXT], b[UNIT_TEXT], c[UNIT_TEXT], at[MOMENT_TEXT];

	snprintf(text, size, "phase %u · occurrence %s of %s · ticks %u – %u · %s · from %s", (unsigned)s->inside, unit_count(a, row + 1),
		 unit_count(b, s->inner.total), (unsigned)o->first, (unsigned)o->last, unit_time(c, inner_key(s, row, O_TIME)),
		 moment_text(moment_of_tick(s->view.model->analysis->logical, o->first), at));
}

double occurrence_figure(const struct phases_view *s, uint32_t row, enum occurrence_figure which)
{
	return inner_key(s, row, which == OCCURRENCE_TIME ? O_TIME : which == OCCURRENCE_SLOWEST ? O_SLOWEST : O_AT);
}

/* The slowest process of the occurrences on the screen. */
bool occurrences_work(struct phases_view *s, unsigned ms)
{
	uint32_t last = s->inner.top + (uint32_t)s->inner.height;
	uint32_t budget = ms * 1000 / (model_processes(s->view.model) + 1) + 1;
	bool did = false;

	for (uint32_t i = s->inner.top; s->slowest && i < last && i < s->inner.shown; i++) {
		uint32_t row = list_row_at(&s->inner, i);

		if (s->slowest[row] >= 0)
			continue;
		did = true;
		if (budget-- == 0)
			break;
		inner_key(s, row, O_SLOWEST);
	}
	return did;
}

/* What the lists of phases and of occurrences write to files: numbers, not glyphs; phases by the table of columns that
 * `pas2p phases` has too. */

enum { Y_OCCURRENCE, Y_FIRST, Y_LAST, Y_TIME, Y_SLOWEST, Y_AT, Y_COLUMNS };

static const struct column_look written_columns[Y_COLUMNS] = {
	[Y_OCCURRENCE] = {"occurrence", "occurrence", .align = LOOK_RIGHT},
	[Y_FIRST] = {"tick_first", "first tick", .align = LOOK_RIGHT},
	[Y_LAST] = {"tick_last", "last tick", .align = LOOK_RIGHT},
	[Y_TIME] = {"time", "time [s]", .align = LOOK_RIGHT},
	[Y_SLOWEST] = {"slowest", "slowest rank [s]", .align = LOOK_RIGHT},
	[Y_AT] = {"at", "at [s]", .align = LOOK_RIGHT},
};
static const struct row_source inner_rows = {written_columns, Y_COLUMNS, NULL, NULL, NULL};

static bool inner_value(const struct view *view, uint32_t row, int column, struct cell *c, char text[VALUE_TEXT])
{
	const struct phases_view *s = (const struct phases_view *)view;
	const struct occurrence *o = &phases_found(s)->occurrences[occurrence_of(s, row)];

	(void)text;
	switch (column) {
	case Y_OCCURRENCE: *c = cell_whole(row + 1); break;
	case Y_FIRST: *c = cell_whole(o->first); break;
	case Y_LAST: *c = cell_whole(o->last); break;
	case Y_TIME: *c = cell_figure(occurrence_figure(s, row, OCCURRENCE_TIME)); break;
	case Y_SLOWEST: *c = cell_figure(occurrence_figure(s, row, OCCURRENCE_SLOWEST)); break;
	default: *c = cell_figure(occurrence_figure(s, row, OCCURRENCE_AT));
	}
	return true;
}

bool phases_table(struct view *v, bool all, struct view_table *t)
{
	struct phases_view *s = (struct phases_view *)v;
	const struct list *l = view_list(v);

	s->written = (struct shown_table){.list = &s->rows};
	shown_pick(&s->written, &phases_columns, PHASES_WORKBENCH | (s->set & PHASE_SET_RESULT ? PHASES_RESULT : 0) |
		   (s->set & PHASE_SET_WINDOWS ? PHASES_WINDOWS : 0) | (s->rows.waiting ? PHASES_WAITING : 0), true);
	table_of_list(t, &s->written, s->inside ? "occurrences" : "phases", l, all);
	if (s->inside) {
		t->shown = NULL;
		t->source = &inner_rows;
		t->value = inner_value;
	}
	return true;
}
