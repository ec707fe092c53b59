/* The page of expressions: of the program each node's share of T, of a function or fit what each
 * part comes to where the sliders are. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/io/out.h"
#include "core/models/fit_write.h"
#include "models_view.h"
#include "tui/widgets/sparkline.h"
#include "tui/widgets/units.h"

#define SHARE_W 8
#define BAR_W 12

/* One line of the tree: what, how much, and of what is summed up its share. */
static void draw_line(const struct models_view *s, struct pane p, int line, uint32_t depth, const char *text,
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

static int program_tree(const struct models_view *s, struct pane p)
{
	const struct models *m = models_of(s);
	const struct graph *g = &m->graph;
	char text[160], value[UNIT_TEXT], total[UNIT_TEXT];
	double whole = g->outcome.time.hi;
	int line = 0;

	if (!m->graph_program || !g->column_count) {
		models_say(p, m->say[0] ? ROLE_WARN : ROLE_DIM, m->say[0] ? m->say : "…");
		return 0;
	}
	for (uint32_t c = 0; c < g->column_count; c++) {
		const struct graph_column *column = &g->column[c];

		if (column->count == 1)
			snprintf(text, sizeof text, "%s: %s of T = %s", unit_rank((char[UNIT_TEXT]){""}, column->first), unit_figure_time(value, column->end.hi),
				 unit_figure_time(total, whole));
		else
			snprintf(text, sizeof text, "%u processes like %s: %s of T = %s", (unsigned)column->count, unit_rank((char[UNIT_TEXT]){""}, column->first),
				 unit_figure_time(value, column->end.hi), unit_figure_time(total, whole));
		draw_line(s, p, line++, 0, text, "", (double)NAN);
		for (uint32_t i = column->node; i < column->node + column->nodes; i++) {
			const struct graph_node *n = &g->node[i];

			graph_label(n, text, sizeof text);
			draw_line(s, p, line++, n->depth + 1, text, unit_figure_time(value, n->time.hi), whole > 0 ? n->time.hi / whole :
				  (double)NAN);
		}
	}
	return line;
}

/* --- functions and fits --- */

static const char *number(char buf[UNIT_TEXT], struct interval v)
{
	snprintf(buf, UNIT_TEXT, interval_is_point(v) ? "%.5g" : "%.3g … %.3g", v.lo, v.hi);
	return buf;
}

static int function_tree(const struct models_view *s, const struct models_row *row, struct pane p)
{
	const struct models *m = models_of(s);
	const struct models_curve *c = &m->curve;
	const struct function *f = models_function(m, row);
	char text[200], value[UNIT_TEXT];
	int line = 0;
	double whole = interval_middle(c->value);

	if (!c->of || c->row.kind != row->kind || c->row.index != row->index) {
		models_say(p, ROLE_DIM, "…");
		return 0;
	}
	if (f->argument_count)
		snprintf(text, sizeof text, "%.60s at %.40s = %.7g", f->name, f->arguments[0], interval_middle(c->at));
	else
		snprintf(text, sizeof text, "%.60s", f->name);
	draw_line(s, p, line++, 0, text, isnan(c->value.lo) ? "-" : number(value, c->value), (double)NAN);
	for (uint32_t i = 0; i < c->parts; i++) {
		const struct models_part *part = &c->part[i];
		double share = part->known && part->additive && whole > 0 ? interval_middle(part->value) / whole : (double)NAN;

		draw_line(s, p, line++, part->depth + 1, part->text, part->known ? number(value, part->value) : "", share);
	}
	if (c->parts_left) {
		snprintf(text, sizeof text, "and %u more parts", (unsigned)c->parts_left);
		draw_line(s, p, line++, 1, text, "", (double)NAN);
	}
	if (c->say[0])
		draw_line(s, p, line++, 0, c->say, "", (double)NAN);
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
	draw_line(s, p, (*line)++, 1, text, "", (double)NAN);
	draw_line(s, p, (*line)++, 2, "a", unit_figure_time(value, f->piece[i].a), whole > 0 ? f->piece[i].a / whole :
		  (double)NAN);
	snprintf(text, sizeof text, "%.6g*%.60s", f->piece[i].b, f->parameters ? f->parameter[f->along] : "x");
	draw_line(s, p, (*line)++, 2, text, unit_figure_time(value, f->piece[i].b * at), whole > 0 ?
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
		draw_line(s, p, (*line)++, 1, o.failed || !o.text ? "" : o.text, unit_figure_time(value, v), whole > 0 ? v / whole :
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
	draw_line(s, p, line++, 0, text, unit_figure_time(value, c->at.value), (double)NAN);
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
