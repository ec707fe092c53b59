/* The corresponding phases of two runs, and the effect of each group on the run time: a list, and beside it bars that
 * each begin where the previous one ended, from the run time on the left to the one on the right. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "compare_int.h"
#include "tui/screen/glyphs.h"
#include "tui/widgets/units.h"

enum { G_A, G_B, G_SIMILARITY, G_WEIGHT_A, G_WEIGHT_B, G_TIME_A, G_TIME_B, G_CHANGE, G_BY_WEIGHT, G_BY_COMPUTE, G_BY_REST, G_RANK, G_COLUMNS };

static const struct column_look columns[] = {
	[G_A] = {"a", "A", .width = 8},
	[G_B] = {"b", "B", .width = 8},
	[G_SIMILARITY] = {"similarity", "S", LOOK_RIGHT, .width = 6, .priority = 5},
	[G_WEIGHT_A] = {"weight_a", "weight A", LOOK_RIGHT, .width = 8, .priority = 2},
	[G_WEIGHT_B] = {"weight_b", "weight B", LOOK_RIGHT, .width = 8, .priority = 2},
	[G_TIME_A] = {"time_a", "time A", LOOK_RIGHT, .width = 8, .priority = 3},
	[G_TIME_B] = {"time_b", "time B", LOOK_RIGHT, .width = 8, .priority = 3},
	[G_CHANGE] = {"change", "change", LOOK_RIGHT, .width = 9},
	[G_BY_WEIGHT] = {"by_weight", "by weight", LOOK_RIGHT, .width = 9, .priority = 4},
	[G_BY_COMPUTE] = {"by_compute", "by compute", LOOK_RIGHT, .width = 10, .priority = 4},
	[G_BY_REST] = {"by_rest", "by rest", LOOK_RIGHT, .width = 9, .priority = 4},
	[G_RANK] = {"rank", "rank", LOOK_RIGHT, .width = 5, .priority = 6},
};

static uint32_t pair_group_count(const struct run_pair *p)
{
	if (!p->phases)
		return 0;
	return p->phases->waterfall ? p->phases->waterfall->count : p->phases->match->count;
}

static const struct waterfall_row *group_waterfall_row(const struct run_pair *p, uint32_t row)
{
	return p->phases->waterfall ? &p->phases->waterfall->rows[row] : NULL;
}

const struct phase_group *pair_group(const struct run_pair *p, uint32_t row)
{
	if (row >= pair_group_count(p))
		return NULL;
	return p->phases->waterfall ? group_waterfall_row(p, row)->group : &p->phases->match->groups[row];
}

static void group_ids_text(const struct phase_side *s, char *text, size_t size)
{
	size_t n = 0;

	text[0] = 0;
	for (uint32_t i = 0; i < s->count && n + 12 < size; i++)
		n += (size_t)snprintf(text + n, size - n, i ? "+%u" : "%u", s->ids[i]);
	if (!s->count)
		snprintf(text, size, "–");
}

/* What stands in the first column of a row that is no group. */
static const char *kind_name(enum waterfall_kind kind)
{
	return kind == WATERFALL_OTHERS ? "others" : kind == WATERFALL_OUTSIDE ? "outside" : "";
}

static double group_number_of(const struct run_pair *p, uint32_t row, int column)
{
	const struct waterfall_row *w = group_waterfall_row(p, row);
	const struct phase_group *g = pair_group(p, row);

	switch (column) {
	case G_A: return g && g->a.count ? g->a.ids[0] : (double)NAN;
	case G_B: return g && g->b.count ? g->b.ids[0] : (double)NAN;
	case G_CHANGE: return w ? w->change : (double)NAN;
	case G_SIMILARITY: return g ? g->similarity : (double)NAN;
	case G_WEIGHT_A: return g && g->a.count ? (double)g->a.weight : (double)NAN;
	case G_WEIGHT_B: return g && g->b.count ? (double)g->b.weight : (double)NAN;
	case G_TIME_A: return g && g->a.count ? g->a.time : (double)NAN;
	case G_TIME_B: return g && g->b.count ? g->b.time : (double)NAN;
	case G_BY_WEIGHT: return w ? w->by_weight : (double)NAN;
	case G_BY_COMPUTE: return w ? w->by_compute : (double)NAN;
	case G_BY_REST: return w ? w->by_rest : (double)NAN;
	default: return w && w->rank != NO_PROCESS ? w->rank : (double)NAN;
	}
}

/* "+1.2 ms": a change says which way it goes. */
static void signed_time(double v, char *text, size_t size)
{
	char buf[UNIT_TEXT];

	snprintf(text, size, "%s%s", v > 0 ? "+" : v < 0 ? "-" : "", unit_time(buf, fabs(v)));
}

static void field(const void *ctx, uint32_t row, int column, struct field *f)
{
	const struct run_pair *p = &((const struct compare_view *)ctx)->view.model->pair;
	const struct phase_group *g = pair_group(p, row);
	double v = group_number_of(p, row, column);
	char buf[UNIT_TEXT];

	f->role = ROLE_DEFAULT;
	if (column <= G_B) {
		if (g)
			group_ids_text(column == G_A ? &g->a : &g->b, f->text, sizeof f->text);
		else
			snprintf(f->text, sizeof f->text, "%s", column == G_A ? kind_name(group_waterfall_row(p, row)->kind) : "");
		f->role = !g ? ROLE_DIM : !g->b.count ? ROLE_ERROR : !g->a.count ? ROLE_BETTER : ROLE_DEFAULT;
		return;
	}
	if (isnan(v))
		return;
	switch (column) {
	case G_SIMILARITY: snprintf(f->text, sizeof f->text, "%.3f", v); break;
	case G_WEIGHT_A:
	case G_WEIGHT_B: snprintf(f->text, sizeof f->text, "%s", unit_count(buf, (uint64_t)v)); break;
	case G_TIME_A:
	case G_TIME_B: snprintf(f->text, sizeof f->text, "%s", unit_time(buf, v)); break;
	case G_RANK: unit_rank_short(f->text, v); break;
	default:
		signed_time(v, f->text, sizeof f->text);
		f->role = v > 0 ? ROLE_WORSE : v < 0 ? ROLE_BETTER : ROLE_DIM;
	}
}

static double key(const void *ctx, uint32_t row, int column)
{
	return group_number_of(&((const struct compare_view *)ctx)->view.model->pair, row, column);
}

static const struct row_source source = {columns, G_COLUMNS, field, key, NULL};

void pair_groups_refresh(struct compare_view *s)
{
	list_refresh(&s->beside.groups, &source, s, pair_group_count(&s->view.model->pair), list_row(&s->beside.groups));
}

const struct row_source *pair_rows(const struct compare_view *s)
{
	const struct run_pair *p = &s->view.model->pair;

	return p->phases && !run_pair_failure(p)[0] && s->beside.serial == p->serial ? &source : NULL;
}

bool pair_value(const struct compare_view *s, uint32_t row, int column, struct cell *c)
{
	const struct run_pair *p = &s->view.model->pair;
	double v = group_number_of(p, row, column);

	if (column <= G_B)
		return false;
	*c = !isnan(v) && (column == G_WEIGHT_A || column == G_WEIGHT_B || column == G_RANK) ? cell_whole((uint64_t)v) : cell_figure(v);
	return true;
}

/* --- the bars --- */

struct axis {
	double from, to;
	int room;
};

static int column_of(const struct axis *a, double v)
{
	return a->to > a->from ? (int)((v - a->from) / (a->to - a->from) * (a->room - 1) + 0.5) : 0;
}

/* Where the run time is before the row. */
static double before(const struct run_pair *p, uint32_t row)
{
	double at = p->phases->side[0]->aet;

	for (uint32_t i = 0; i < row; i++)
		at += p->phases->waterfall->rows[i].change;
	return at;
}

static struct axis axis_of(const struct run_pair *p, int room)
{
	double at = p->phases->side[0]->aet;
	struct axis a = {at, at, room};

	for (uint32_t i = 0; i < p->phases->waterfall->count; i++) {
		at += p->phases->waterfall->rows[i].change;
		a.from = at < a.from ? at : a.from;
		a.to = at > a.to ? at : a.to;
	}
	return a;
}

static void draw_bar(const struct run_pair *p, struct pane at, int y, const struct axis *axis, uint32_t row)
{
	double change = p->phases->waterfall->rows[row].change, from = before(p, row);
	int a = column_of(axis, from), b = column_of(axis, from + change), x = a < b ? a : b, n = a < b ? b - a : a - b;

	if (change == 0)
		pane_put(at, a, y, GLYPH_VLINE, ROLE_RULE, 0);
	else
		pane_hline(at, x, y, n ? n : 1, change > 0 ? '+' : '-', change > 0 ? ROLE_WORSE : ROLE_BETTER);
}

static void draw_bars(const struct compare_view *s, struct pane p)
{
	const struct run_pair *pair = &s->view.model->pair;
	const struct list *l = &s->beside.groups;
	struct axis axis;
	char a[UNIT_TEXT], b[UNIT_TEXT], change[UNIT_TEXT + 2];

	if (!pair->phases || !pair->phases->waterfall) {
		if (pair->phases)
			pane_text_in(p, 1, 0, p.w - 1, ROLE_DIM, 0, "no waterfall: the run time is unknown");
		return;
	}
	axis = axis_of(pair, p.w - 2);
	signed_time(pair->phases->waterfall->change, change, sizeof change);
	pane_textf(p, 1, 0, ROLE_HEADER, 0, "%s %s = %s", unit_time(a, pair->phases->side[0]->aet), change, unit_time(b, pair->phases->side[1]->aet));
	for (int row = 0; row < s->beside.list_rows && l->top + (uint32_t)row < l->shown; row++)
		draw_bar(pair, pane_part(p, 1, 0, p.w - 1, p.h), 1 + row, &axis, list_row_at(l, l->top + (uint32_t)row));
}

void pair_groups_draw(const struct compare_view *s, struct pane p)
{
	struct pane list = pair_list_pane(s, p);

	if (!pair_rows(s))
		return;
	list_draw(&s->beside.groups, &source, s, list);
	if (s->beside.bars)
		draw_bars(s, pane_part(p, list.w, p.h - s->beside.line_rows - list.h, p.w - list.w, list.h));
}
