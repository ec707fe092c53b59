/* The page of expressions: for the program T_0, the T_r and T, then each node with its share of T and its content; for
 * a function or fit the value of each part at the sliders' values. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/io/out.h"
#include "core/models/fit/write.h"
#include "models_int.h"
#include "tui/widgets/paragraph.h"
#include "tui/widgets/bars.h"
#include "tui/widgets/units.h"

#define SHARE_W 8
#define BAR_W 12

/* One line of the tree: what, how much, and of what is summed up its share. */
static void expression_draw_line(const struct models_view *s, struct pane p, int line, uint32_t depth, const char *text,
		      const char *value, double share)
{
	int y = line - s->top, right = p.w - 1, bar = p.w >= 60 ? BAR_W : 0;
	char percent[UNIT_TEXT];

	if (y < 0 || y >= p.h)
		return;
	if (!isnan(share)) {
		pane_text_right(p, right, y, share > 0.5 ? ROLE_VALUE : ROLE_DEFAULT, 0, unit_percent(percent, share));
		if (bar && share > 0)
			bar_draw_eighths(p, right - SHARE_W - bar, y, bar, fmin(share, 1), ROLE_SLIDER);
	}
	if (!*value && isnan(share)) { /* a heading has all of the line */
		pane_text_in(p, 1 + 2 * (int)(depth > 20 ? 20 : depth), y, p.w - 2, ROLE_TITLE, 0, text);
		return;
	}
	right -= SHARE_W + (bar ? bar + 1 : 0);
	pane_text_right(p, right, y, ROLE_DEFAULT, 0, value);
	right -= 11;
	pane_text_in(p, 1 + 2 * (int)(depth > 20 ? 20 : depth), y, right - 1 - 2 * (int)(depth > 20 ? 20 : depth),
		     ROLE_DEFAULT, 0, text);
}

/* --- the program --- */

/* T_0, a T_r for each resource, and T, broken where the page ends; returns the lines that they take. */
static int bound_lines(const struct models_view *s, struct pane p)
{
	const struct models *m = models_of(s);
	const struct bounds *b = &m->graphed->bounds;
	char value[3 * UNIT_TEXT], name[80];
	struct out o;
	int lines, top = s->top < 0 ? 0 : s->top;

	out_init(&o);
	for (uint32_t i = 0; i < b->count; i++) {
		snprintf(name, sizeof name, b->items[i].nodes > 1 ? "%.60s (%u nodes)" : "%.60s", b->items[i].name, (unsigned)b->items[i].nodes);
		out_printf(&o, "%s = %s = %s\n", name, b->items[i].text, models_time_text(value, b->items[i].value));
	}
	if (b->count)
		out_printf(&o, "T = %s = %s\n", b->text, models_time_text(value, b->value));
	else if (m->graphed->bounds_say[0])
		out_printf(&o, "%s\n", m->graphed->bounds_say);
	if (!o.text || o.failed) {
		out_release(&o);
		return 0;
	}
	p = pane_part(p, 1, 0, p.w - 2, p.h);
	lines = paragraph_draw(p, top, 2, b->count ? ROLE_DEFAULT : ROLE_DIM, o.text);
	out_release(&o);
	return lines + 1;
}

#define INNER_NODES 2000 /* in parts without messages, at most */

/* "loop x n", "par i = 1 ... n", "use disk", "if q", "task(steps)", and of work what it takes. */
static void node_label(struct arena *arena, const struct model_node *n, struct out *o)
{
	const char *kind = model_node_info(n->kind)->name;

	if (n->name)
		out_printf(o, "%s: ", n->name);
	if (n->kind == NODE_OPS) {
		for (uint32_t i = 0; i < n->operation_count; i++) {
			const char *count = expression_text(arena, n->operations[i].count);

			out_printf(o, "%s%s x %s", i ? ", " : "", n->operations[i].name, count ? count : "");
		}
	} else if (n->kind == NODE_CALL) {
		out_printf(o, "%s(", n->word);
		for (uint32_t i = 0; i < n->argument_count; i++) {
			const char *argument = expression_text(arena, n->arguments[i]);

			out_printf(o, "%s%s", i ? ", " : "", argument ? argument : "");
		}
		out_str(o, ")");
	} else if (n->kind == NODE_USE) {
		out_printf(o, "%s %s", kind, n->word);
	} else if (n->word) {
		const char *first = expression_text(arena, n->first), *last = expression_text(arena, n->last);

		out_printf(o, "%s %s = %s ... %s", kind, n->word, first ? first : "", last ? last : "");
	} else {
		const char *value = n->value ? expression_text(arena, n->value) : NULL;

		out_printf(o, "%s%s%s", kind, value ? n->kind == NODE_LOOP || n->kind == NODE_PAR ? " x " : " " : "", value ? value : "");
	}
}

static void node_label_text(const struct model_node *n, char *text, size_t size)
{
	struct arena arena;
	struct out o;

	arena_init(&arena);
	out_init(&o);
	node_label(&arena, n, &o);
	snprintf(text, size, "%s", o.text && !o.failed ? o.text : "");
	out_release(&o);
	arena_release(&arena);
}

static void draw_inner_nodes(const struct models_view *s, struct pane p, const struct model_node *chain, uint32_t depth, int *line, int *left);

/* What a part without messages has in it: the graph shows it as one. */
static void draw_node_body(const struct models_view *s, struct pane p, const struct model_node *n, uint32_t depth, int *line, int *left)
{
	const struct program_model *m = &models_of(s)->graphed->point.program->model;
	uint32_t block = n->kind == NODE_CALL ? model_block(m, n->word) : UINT32_MAX;

	draw_inner_nodes(s, p, block == UINT32_MAX ? n->body : m->blocks[block].body, depth, line, left);
	if (n->otherwise && *left > 0) {
		expression_draw_line(s, p, (*line)++, depth - 1, "else", " ", (double)NAN);
		(*left)--;
		draw_inner_nodes(s, p, n->otherwise, depth, line, left);
	}
}

static void draw_inner_nodes(const struct models_view *s, struct pane p, const struct model_node *chain, uint32_t depth, int *line, int *left)
{
	for (const struct model_node *n = chain; n && *left > 0; n = n->next) {
		char text[200];

		(*left)--;
		if (*line >= s->top && *line < s->top + p.h) {
			node_label_text(n, text, sizeof text);
			expression_draw_line(s, p, *line, depth, text, " ", (double)NAN);
		}
		(*line)++;
		draw_node_body(s, p, n, depth + 1, line, left);
	}
}

static int program_tree(const struct models_view *s, struct pane p)
{
	const struct models *m = models_of(s);
	const struct graph *g = m->graphed ? &m->graphed->graph : NULL;
	char text[160], value[UNIT_TEXT], total[UNIT_TEXT];
	double whole;
	int line = 0, left = INNER_NODES;

	if (!g || !g->column_count) {
		models_say(p, m->say[0] ? ROLE_WARN : ROLE_DIM, m->say[0] ? m->say : "…");
		return 0;
	}
	whole = g->outcome.time.hi;
	line = bound_lines(s, p);
	for (uint32_t c = 0; c < g->column_count; c++) {
		const struct graph_column *column = &g->column[c];

		if (column->count == 1)
			snprintf(text, sizeof text, "%s: %s of T = %s", unit_rank((char[UNIT_TEXT]){""}, column->first), unit_figure_time(value, column->end.hi),
				 unit_figure_time(total, whole));
		else
			snprintf(text, sizeof text, "%u processes like %s: %s of T = %s", (unsigned)column->count, unit_rank((char[UNIT_TEXT]){""}, column->first),
				 unit_figure_time(value, column->end.hi), unit_figure_time(total, whole));
		expression_draw_line(s, p, line++, 0, text, "", (double)NAN);
		for (uint32_t i = column->node; i < column->node + column->nodes; i++) {
			const struct graph_node *n = &g->node[i];

			if (n->shape == GRAPH_WORK && n->node->body)
				node_label_text(n->node, text, sizeof text);
			else
				graph_label(n, text, sizeof text);
			expression_draw_line(s, p, line++, n->depth + 1, text, unit_figure_time(value, n->time.hi), whole > 0 ? n->time.hi / whole :
				  (double)NAN);
			if (n->shape == GRAPH_WORK)
				draw_node_body(s, p, n->node, n->depth + 2, &line, &left);
		}
	}
	if (left <= 0) {
		snprintf(text, sizeof text, "Only the first %d inner nodes are shown.", INNER_NODES);
		expression_draw_line(s, p, line++, 0, text, "", (double)NAN);
	}
	return line;
}

/* --- functions and fits --- */

static const char *interval_number_text(char buf[UNIT_TEXT], struct interval v)
{
	snprintf(buf, UNIT_TEXT, interval_is_point(v) ? "%.5g" : "%.3g … %.3g", v.lo, v.hi);
	return buf;
}

static int function_tree(const struct models_view *s, const struct models_row *row, struct pane p)
{
	const struct models *m = models_of(s);
	const struct models_curve *c = models_curve(m, row);
	const struct function *f = models_function(m, row);
	char text[200], value[UNIT_TEXT];
	int line = 0;
	double whole;

	if (!c) {
		models_say(p, ROLE_DIM, "…");
		return 0;
	}
	whole = interval_middle(c->value);
	if (f->argument_count)
		snprintf(text, sizeof text, "%.60s at %.40s = %.7g", f->name, f->arguments[0], interval_middle(c->at));
	else
		snprintf(text, sizeof text, "%.60s", f->name);
	expression_draw_line(s, p, line++, 0, text, isnan(c->value.lo) ? "-" : interval_number_text(value, c->value), (double)NAN);
	for (uint32_t i = 0; i < c->parts; i++) {
		const struct models_part *part = &c->part[i];
		double share = part->known && part->additive && whole > 0 ? interval_middle(part->value) / whole : (double)NAN;

		expression_draw_line(s, p, line++, part->depth + 1, part->text, part->known ? interval_number_text(value, part->value) : "", share);
	}
	if (c->parts_left) {
		snprintf(text, sizeof text, "and %u more parts", (unsigned)c->parts_left);
		expression_draw_line(s, p, line++, 1, text, "", (double)NAN);
	}
	if (c->say[0])
		expression_draw_line(s, p, line++, 0, c->say, "", (double)NAN);
	return line;
}

static void piece_lines(const struct models_view *s, struct pane p, const struct fit *f, double at, int *line)
{
	uint32_t i = 0;
	char text[120], value[UNIT_TEXT];
	double whole;

	while (i + 1 < f->pieces && at > f->piece[i].to)
		i++;
	whole = f->piece[i].a + f->piece[i].b * at;
	snprintf(text, sizeof text, "segment %u of %u", (unsigned)i + 1, (unsigned)f->pieces);
	expression_draw_line(s, p, (*line)++, 1, text, "", (double)NAN);
	expression_draw_line(s, p, (*line)++, 2, "a", unit_figure_time(value, f->piece[i].a), whole > 0 ? f->piece[i].a / whole :
		  (double)NAN);
	snprintf(text, sizeof text, "%.6g*%.60s", f->piece[i].b, f->parameters ? f->parameter[f->along] : "x");
	expression_draw_line(s, p, (*line)++, 2, text, unit_figure_time(value, f->piece[i].b * at), whole > 0 ?
		  f->piece[i].b * at / whole : (double)NAN);
}

static void term_lines(const struct models_view *s, struct pane p, const struct fit *f, const double *x, double whole,
		       int *line)
{
	for (uint32_t i = 0; i < f->terms; i++) {
		double v = f->term[i].coefficient * form_term_at(&f->term[i].form, x);
		char value[UNIT_TEXT];
		struct out o;

		out_init(&o);
		out_printf(&o, "%.6g", f->term[i].coefficient);
		if (f->term[i].form.factors)
			out_str(&o, "*");
		fit_term_expression(f, &f->term[i], &o);
		expression_draw_line(s, p, (*line)++, 1, o.failed || !o.text ? "" : o.text, unit_figure_time(value, v), whole > 0 ? v / whole :
			  (double)NAN);
		out_release(&o);
	}
}

static int fit_lines(const struct models_view *s, struct pane p)
{
	const struct fit_look *c = &s->fit;
	const struct models *m = models_of(s);
	double x[FIT_PARAMETERS + 1] = {0};
	const struct measured_set *set;
	char text[240], value[UNIT_TEXT];
	size_t n;
	int line = 0;

	if (!c->of) {
		models_say(p, ROLE_DIM, "…");
		return 0;
	}
	set = &c->of->file->sets.set[c->of->set];
	models_place(m, c->of, x);
	n = (size_t)snprintf(text, sizeof text, "%.60s", models_row_name(m, models_selected(m)));
	for (uint32_t k = 0; k < set->parameters && n < sizeof text; k++)
		n += (size_t)snprintf(text + n, sizeof text - n, "%s%.24s = %.7g", k ? ", " : " at ", set->parameter[k], x[k]);
	expression_draw_line(s, p, line++, 0, text, unit_figure_time(value, c->at.value), (double)NAN);
	if (c->of->fit.kind == FIT_PIECES)
		piece_lines(s, p, &c->of->fit, set->parameters ? x[c->of->fit.along] : 0, &line);
	else
		term_lines(s, p, &c->of->fit, x, c->at.value, &line);
	return line;
}

int models_expression_draw(const struct models_view *s, struct pane p)
{
	const struct models_row *row = models_selected(models_of(s));

	return row->kind == MODELS_PROGRAM ? program_tree(s, p) : row->kind == MODELS_FIT ? fit_lines(s, p) :
		function_tree(s, row, p);
}
