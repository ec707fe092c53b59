/* The hierarchy of factors: each is the product of those below it. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "metrics_int.h"
#include "tui/widgets/bars.h"

static const struct {
	const char *key, *name;
	int depth;
} factors[METRICS_FACTORS] = {
	[FACTOR_PARALLEL] = {"parallel_efficiency", "parallel efficiency", 0},
	[FACTOR_BALANCE] = {"load_balance", "load balance", 1},
	[FACTOR_NODES] = {"load_balance_nodes", "between nodes", 2},
	[FACTOR_INSIDE] = {"load_balance_inside", "inside nodes", 2},
	[FACTOR_COMMUNICATION] = {"communication_efficiency", "communication eff.", 1},
	[FACTOR_SERIALISATION] = {"serialisation_efficiency", "serialisation eff.", 2},
	[FACTOR_TRANSFER] = {"transfer_efficiency", "transfer eff.", 2},
	[FACTOR_TRACER] = {"tracer_efficiency", "tracer eff.", 3},
};

const char *metrics_factor_name(enum metrics_factor f)
{
	return factors[f].name;
}

double metrics_factor_value(const struct run_metrics *m, enum metrics_factor f)
{
	switch (f) {
	case FACTOR_PARALLEL: return m->factors.parallel_efficiency;
	case FACTOR_BALANCE: return m->factors.load_balance;
	case FACTOR_NODES: return m->load_balance_nodes;
	case FACTOR_INSIDE: return m->load_balance_inside;
	case FACTOR_COMMUNICATION: return m->factors.communication_efficiency;
	case FACTOR_SERIALISATION: return m->factors.serialisation_efficiency;
	case FACTOR_TRANSFER: return m->factors.transfer_efficiency;
	default: return m->factors.tracer_efficiency;
	}
}

enum metrics_factor metrics_selected(const struct metrics_view *s)
{
	uint32_t row = list_row(&s->view.list);

	return row < s->factor_count ? (enum metrics_factor)s->factors[row] : FACTOR_PARALLEL;
}

const char *metrics_time_text(const struct metrics_view *s, double seconds, char buf[UNIT_TEXT])
{
	double all = s->run->metrics->total;

	return s->shares ? unit_figure_percent(buf, all > 0 ? seconds / all : (double)NAN) : unit_figure_time(buf, seconds);
}

#define NAME_W 22 /* "    serialisation eff." */

enum { T_FACTOR, T_VALUE, T_BAR };

static void tree_field(const void *ctx, uint32_t row, int column, struct field *f)
{
	const struct metrics_view *s = ctx;
	enum metrics_factor factor = (enum metrics_factor)s->factors[row];
	double value = metrics_factor_value(s->run->metrics, factor);

	switch (column) {
	case T_FACTOR:
		snprintf(f->text, sizeof f->text, "%*s%s", 2 * factors[factor].depth, "", factors[factor].name);
		break;
	case T_VALUE:
		unit_figure_percent(f->text, value);
		f->role = isnan(value) ? ROLE_DIM : value >= FACTOR_BAR ? ROLE_BETTER : ROLE_WORSE;
		f->attr = value < FACTOR_BAR ? ATTR_BOLD : 0;
		break;
	default:
		f->picture = true;
	}
}

/* A machine of one node has no balance between nodes. */
void metrics_tree_make(struct metrics_view *s)
{
	const struct run_metrics *m = s->run->metrics;
	uint32_t keep = s->factor_count ? list_row(&s->view.list) : 0;

	s->factor_count = 0;
	for (int f = 0; f < METRICS_FACTORS; f++) {
		bool of_nodes = f == FACTOR_NODES || f == FACTOR_INSIDE;

		if ((of_nodes && m->nodes < 2) || (f == FACTOR_TRACER && !(m->account.by_kind[ACCOUNT_TRACER] > 0)))
			continue;
		s->factors[s->factor_count++] = (uint8_t)f;
	}
	s->tree = (struct row_source){s->tree_columns, METRICS_TREE_COLUMNS, tree_field, NULL, NULL};
	list_refresh(&s->view.list, &s->tree, s, s->factor_count, keep < s->factor_count ? keep : UINT32_MAX);
}

void metrics_tree_lay_out(struct metrics_view *s)
{
	int bar = s->tree_w - 1 - NAME_W - 8 - 2 * 2;

	s->tree_columns[T_FACTOR] = (struct column_look){"factor", "factor", .width = NAME_W};
	s->tree_columns[T_VALUE] = (struct column_look){"value", "value", LOOK_RIGHT, .width = 8};
	s->tree_columns[T_BAR] = (struct column_look){"bar", "", .width = bar > 1 ? bar : 1};
	list_fit(&s->view.list, s->tree_h - 1);
}

void metrics_tree_draw(const struct metrics_view *s, struct pane p)
{
	const struct list *l = &s->view.list;
	int x = 1 + NAME_W + 2 + 8 + 2, w = s->tree_columns[T_BAR].width;

	list_draw(l, &s->tree, s, p);
	for (int y = 1; y < p.h && l->top + (uint32_t)y - 1 < l->shown; y++) {
		double value = metrics_factor_value(s->run->metrics, (enum metrics_factor)s->factors[list_row_at(l, l->top + (uint32_t)y - 1)]);

		bar_draw_eighths(pane_part(p, x, y, w, 1), 0, 0, w, value, value >= FACTOR_BAR ? ROLE_BETTER : ROLE_WORSE);
	}
}

/* --- as a table, to export --- */

static const struct column_look written[] = {
	{"factor", "factor", .align = LOOK_LEFT}, {"value", "value", .align = LOOK_RIGHT},
};
static const struct row_source written_rows = {written, sizeof written / sizeof *written, NULL, NULL, NULL};

static bool written_factor(const struct view *v, uint32_t row, int column, struct cell *c, char text[VALUE_TEXT])
{
	const struct metrics_view *s = (const struct metrics_view *)v;
	enum metrics_factor f = (enum metrics_factor)s->factors[row];

	(void)text;
	*c = column == 1 ? cell_figure(metrics_factor_value(s->run->metrics, f)) : cell_text(factors[f].key);
	return true;
}

bool metrics_tree_table(struct metrics_view *s, struct view_table *t)
{
	*t = (struct view_table){"the factors", &written_rows, written_factor, s->factor_count, NULL, .shown = NULL};
	return true;
}
