/* A report of fits as text (fit.h): the fit, how well it matches the points, and the requested values. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/base/mem.h"
#include "core/base/unit.h"
#include "core/io/wrap.h"
#include "fit.h"
#include "write.h"

#define CELL 32
#define WIDTH 80
#define COLUMNS_MOST (FIT_PARAMETERS + 6)

/* A table whose cells are made ready one row after the other. */
struct printing {
	const struct fit_report *r;
	const struct fit_model *m;
	char text[COLUMNS_MOST][CELL];
	struct out term;         /* of a table of terms: what the coefficient is of */
};

typedef uint32_t fill_row(struct printing *p, uint64_t row);

struct printed_table {
	struct printing *p;
	fill_row *fill;          /* how many cells it has made */
	struct out *out;
};

static void print_number(char to[CELL], double v, int digits)
{
	if (isnan(v))
		strcpy(to, "-");
	else
		snprintf(to, CELL, "%.*g", digits, v);
}

static void percent(char to[CELL], double v)
{
	char buf[UNIT_TEXT];

	snprintf(to, CELL, "%s", isnan(v) ? "-" : unit_share(buf, v, 2));
}

static enum err_code next_row(void *arg, uint64_t i, struct cell *cells, bool *keep, struct err *e)
{
	struct printed_table *t = arg;
	uint32_t n = t->fill(t->p, i);

	(void)keep;
	for (uint32_t k = 0; k < n; k++)
		cells[k] = cell_text(t->p->text[k]);
	return t->p->term.failed ? err_memory(e, "the table") : ERR_OK;
}

static enum err_code print_add_bytes(void *arg, const char *bytes, size_t n, struct err *e)
{
	struct out *out = arg;

	out_add(out, bytes, n);
	return out->failed ? err_memory(e, "the output") : ERR_OK;
}

/* The parameters' names and then others over a table. */
static enum err_code table(struct printing *p, bool with_parameters, const char *const *titles, fill_row *fill, uint64_t rows_wanted,
			   struct out *out, struct err *e)
{
	struct column_look column[COLUMNS_MOST];
	struct printed_table t = {p, fill, out};
	const struct rows_sink sink = {print_add_bytes, out};
	struct rows rows = {.columns = column, .row_count = rows_wanted, .row = next_row, .arg = &t};

	for (uint32_t k = 0; with_parameters && k < p->m->set->parameters; k++)
		column[rows.column_count++] = (struct column_look){"", p->m->set->parameter[k], .align = LOOK_RIGHT};
	for (uint32_t k = 0; titles[k]; k++)
		column[rows.column_count++] = (struct column_look){"", titles[k], .align = LOOK_RIGHT};
	out_str(out, "\n");
	return rows_write(&rows, ROWS_TABLE, TEXT_UTF8, 0, &sink, NULL, e);
}

/* ---- the tables ---- */

static uint32_t term_row(struct printing *p, uint64_t row)
{
	const struct fit_term *t = &p->m->fit.term[row];

	print_number(p->text[0], t->coefficient, 7);
	print_number(p->text[1], t->half_width, 4);
	p->term.len = 0;
	fit_term_expression(&p->m->fit, t, &p->term);
	snprintf(p->text[2], CELL, "%s", p->term.len ? p->term.text : "1");
	return 3;
}

static uint32_t segment_row(struct printing *p, uint64_t row)
{
	const struct fit_piece *s = &p->m->fit.piece[row];

	print_number(p->text[0], s->from, 9);
	print_number(p->text[1], s->to, 9);
	snprintf(p->text[2], CELL, "%u", s->points);
	print_number(p->text[3], s->a, 7);
	print_number(p->text[4], s->half_a, 4);
	print_number(p->text[5], s->b, 7);
	print_number(p->text[6], s->half_b, 4);
	return 7;
}

static uint32_t place_cells(struct printing *p, const double *at)
{
	uint32_t n = p->m->set->parameters;

	for (uint32_t k = 0; k < n; k++)
		print_number(p->text[k], at[k], 9);
	return n;
}

static uint32_t residual_row(struct printing *p, uint64_t row)
{
	const struct measured_set *s = p->m->set;
	uint32_t n = place_cells(p, s->at + row * s->parameters);
	double measured = s->value[row];
	struct fit_value v;

	fit_at(&p->m->fit, s->at + row * s->parameters, &v);
	print_number(p->text[n], measured, 7);
	print_number(p->text[n + 1], v.value, 7);
	percent(p->text[n + 2], fit_off(v.value, measured));
	return n + 3;
}

static uint32_t prediction_row(struct printing *p, uint64_t row)
{
	const struct fit_value *v = &p->m->prediction[row];
	uint32_t n = place_cells(p, p->m->at + row * p->m->set->parameters);

	print_number(p->text[n], v->value, 6);
	print_number(p->text[n + 1], v->low, 6);
	print_number(p->text[n + 2], v->high, 6);
	print_number(p->text[n + 3], isinf(v->extrapolation) ? (double)NAN : v->extrapolation, 3);
	return n + 4;
}

/* ---- a model ---- */

static void print_note(void *arg, const char *sentence)
{
	struct out *out = arg;

	out_str(out, "note: ");
	wrap_text(out, sentence, 6, WIDTH - 6);
}

static void print_head(const struct fit_model *m, struct out *out)
{
	const struct fit *f = &m->fit;
	char loo[CELL], mean[CELL], max[CELL];

	percent(loo, f->error);
	percent(mean, f->mean_error);
	percent(max, f->max_error);
	out_printf(out, "%s%s%u point%s of %" PRIu64 " measurement%s, form %s, weights %s\n", m->set->name, *m->set->name ? ": " : "", m->set->points,
		   m->set->points == 1 ? "" : "s", m->set->measurements, m->set->measurements == 1 ? "" : "s", fit_kind_name(f->kind),
		   fit_weights_name(f->weights));
	out_printf(out, "error at the points: mean %s, largest %s; cross-validation error: %s\n", mean, max, loo);
}

static enum err_code print_model(struct printing *p, struct out *out, struct err *e)
{
	static const char *const of_terms[] = {"coefficient", "+-", "of", NULL};
	static const char *const of_segments[] = {"from", "to", "points", "a", "+-", "b", "+-", NULL};
	static const char *const of_points[] = {"measured", "model", "error", NULL};
	static const char *const of_places[] = {"value", "low", "high", "extrapolation", NULL};
	const struct fit_model *m = p->m;
	enum err_code code;

	print_head(m, out);
	fit_report_notes(p->r, m, print_note, out);
	if (m->fit.pieces)
		code = table(p, false, of_segments, segment_row, m->fit.pieces, out, e);
	else
		code = table(p, false, of_terms, term_row, m->fit.terms, out, e);
	if (!code && m->fit.pieces) {
		out_str(out, "criterion:");
		for (uint32_t k = 0; k < m->fit.cut->criteria; k++)
			out_printf(out, "%s %u segment%s %.2f", k ? "," : "", m->fit.cut->criterion[k].pieces,
				   m->fit.cut->criterion[k].pieces == 1 ? "" : "s", m->fit.cut->criterion[k].bic);
		out_str(out, "\n");
	}
	if (!code)
		code = table(p, true, of_points, residual_row, m->set->points, out, e);
	if (!code && p->r->places)
		code = table(p, true, of_places, prediction_row, p->r->places, out, e);
	return code;
}

enum err_code fit_report_print(const struct fit_report *r, struct out *out, struct err *e)
{
	struct printing p = {.r = r};
	enum err_code code = ERR_OK;

	out_init(&p.term);
	for (uint32_t i = 0; !code && i < r->models; i++) {
		p.m = &r->model[i];
		out_str(out, i ? "\n" : "");
		code = print_model(&p, out, e);
	}
	out_release(&p.term);
	if (!code && out->failed)
		code = err_memory(e, "the output");
	return code;
}
