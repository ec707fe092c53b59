/* The page of segments: what a fit consists of, with the intervals of its coefficients; the pieces of a function;
 * the program's notes. */
#include <math.h>
#include <stdio.h>

#include "core/io/out.h"
#include "core/models/fit/write.h"
#include "models_int.h"
#include "tui/widgets/paragraph.h"
#include "tui/widgets/units.h"

static void coefficient(char *text, size_t size, double v, double half)
{
	snprintf(text, size, isnan(half) ? "%.6g" : "%.6g ± %.2g", v, half);
}

/* A line each if there is room for it; otherwise a and b below the range. */
static void pieces(struct out *o, const struct fit *f, bool narrow)
{
	const char *name = f->parameters ? f->parameter[f->along] : "x";

	if (!narrow)
		out_printf(o, "%-26s %6s  %-25s %s\n", "segment", "points", "a", "b");
	for (uint32_t i = 0; i < f->pieces; i++) {
		const struct fit_piece *p = &f->piece[i];
		char range[64], x[48], y[48];

		if (f->pieces == 1)
			snprintf(range, sizeof range, "all %.20s", name);
		else if (i + 1 == f->pieces)
			snprintf(range, sizeof range, "%.7g < %.20s", p->from, name);
		else
			snprintf(range, sizeof range, "%.7g %s %.12s <= %.7g", p->from, i ? "<" : "<=", name, p->to);
		coefficient(x, sizeof x, p->a, p->half_a);
		coefficient(y, sizeof y, p->b, p->half_b);
		if (narrow)
			out_printf(o, "%s, %u points\n  a = %s\n", range, (unsigned)p->points, x);
		else
			out_printf(o, "%-26s %6u  %s%*s %s\n", range, (unsigned)p->points, x, 25 - text_width(x), "", p->coefficients > 1 ? y : "");
		if (narrow && p->coefficients > 1)
			out_printf(o, "  b = %s\n", y);
	}
	out_printf(o, "\nsegments by criterion (BIC, lowest is best)\n");
	for (uint32_t i = 0; f->cut && i < f->cut->criteria; i++)
		out_printf(o, "%3u  %.2f%s\n", (unsigned)f->cut->criterion[i].pieces, f->cut->criterion[i].bic,
			   f->cut->criterion[i].pieces == f->pieces ? "  <-" : "");
}

static void terms(struct out *o, const struct fit *f)
{
	out_printf(o, "%-14s ±%11s %s\n", "coefficient", "", "term");
	for (uint32_t i = 0; i < f->terms; i++) {
		char half[24];

		snprintf(half, sizeof half, isnan(f->term[i].half_width) ? "-" : "%.2g", f->term[i].half_width);
		out_printf(o, "%-14.7g %-12s ", f->term[i].coefficient, half);
		if (f->term[i].form.factors)
			fit_term_expression(f, &f->term[i], o);
		else
			out_str(o, "1");
		out_str(o, "\n");
	}
	if (f->forms > 1)
		out_printf(o, "\n%u forms fit about equally well; intervals cover all of them\n", (unsigned)f->forms);
}

#define NARROW 84

static void fit_lines(struct out *o, const struct models_fit *m, int w)
{
	const struct fit *f = &m->fit;
	const struct measured_set *set = &m->file->sets.set[m->set];
	char loo[UNIT_TEXT], mean[UNIT_TEXT], worst[UNIT_TEXT];

	if (f->kind != FIT_PIECES) { /* which the table says better */
		fit_expression(f, o);
		out_str(o, "\n\n");
	}
	out_printf(o, "%s of %u points, weights %s, cross-validation error %s, mean error %s, largest %s\n", models_form_name(f->kind),
		   (unsigned)f->points,
		f->weights == FIT_RELATIVE ? "relative" : "none", unit_figure_percent(loo, f->error),
			unit_figure_percent(mean, f->mean_error),
		unit_figure_percent(worst, f->max_error));
	if (set->dropped)
		out_printf(o, "dropped %llu of %llu measurements as outliers\n", (unsigned long long)set->dropped,
			   (unsigned long long)set->measurements);
	if (m->say[0])
		out_printf(o, "%s\n", m->say);
	out_str(o, "\n");
	if (f->kind == FIT_PIECES)
		pieces(o, f, w < NARROW);
	else
		terms(o, f);
}

static void function_lines(struct out *o, const struct function *f)
{
	struct arena arena;

	arena_init(&arena);
	out_printf(o, "%-16s %s\n", f->piece_count > 1 ? "up to" : "range", "value");
	for (uint32_t i = 0; i < f->piece_count; i++) {
		const char *text = expression_text(&arena, f->pieces[i].value);

		if (isinf(f->pieces[i].most))
			out_printf(o, "%-16s ", f->piece_count > 1 ? "beyond" : "everywhere");
		else
			out_printf(o, "%-16.7g ", f->pieces[i].most);
		out_printf(o, "%s\n", text ? text : "");
	}
	arena_release(&arena);
}

static void program_lines(struct out *o, const struct models *m)
{
	const struct models_figures *f = &m->now;
	char text[3 * UNIT_TEXT];

	out_printf(o, "%u process%s\n", (unsigned)f->processes, f->processes == 1 ? "" : "es");
	for (uint32_t i = 0; f->known && i < f->loads; i++)
		out_printf(o, "%-16s %s%s\n", f->load[i].name, models_time_text(text, f->load[i].time),
			   i == f->bottleneck ? "  bottleneck" : "");
	if (f->known && f->notes)
		out_printf(o, "%s%s\n", f->note, f->notes > 1 ? " (pas2p predict lists more)" : "");
	out_str(o, "Fits and functions have segments: select one in the list.\n");
}

int models_segments_draw(const struct models_view *s, struct pane p)
{
	const struct models *m = models_of(s);
	const struct models_row *row = models_selected(m);
	struct out o;
	int lines = 0;

	out_init(&o);
	if (row->kind == MODELS_PROGRAM)
		program_lines(&o, m);
	else if (row->kind != MODELS_FIT)
		function_lines(&o, models_function(m, row));
	else if (m->fit[row->index].has_fit)
		fit_lines(&o, &m->fit[row->index], p.w);
	else
		out_str(&o, m->fit[row->index].say);
	if (!o.failed && o.text)
		lines = paragraph_draw(pane_part(p, 1, 0, p.w - 2, p.h), s->top, 4, ROLE_DEFAULT, o.text);
	out_release(&o);
	return lines;
}
