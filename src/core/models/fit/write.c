#include "write.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

#include "core/base/mem.h"

/* ---- names ---- */

/* Words that mean something else in expressions. */
static const char *const taken[] = {
	"abs", "and", "ceil", "exp", "floor", "inf", "log", "log2", "max", "min", "not", "or", "rank", "round", "share", "sqrt", "sum",
};

static bool is_taken(const char *name)
{
	for (size_t i = 0; i < sizeof taken / sizeof *taken; i++)
		if (!strcmp(taken[i], name))
			return true;
	return false;
}

void fit_name(const char *name, const char *otherwise, struct out *out)
{
	size_t from = out->len;

	if (*name >= '0' && *name <= '9')
		out_str(out, "_");
	for (const char *p = name; *p; p++) {
		unsigned char c = (unsigned char)*p;

		/* What follows in a character of several bytes is part of one that is replaced already. */
		if (c < 0x80)
			out_add(out, isalnum(c) ? p : "_", 1);
		else if (c >= 0xc0)
			out_str(out, "_");
	}
	if (out->len == from)
		out_str(out, otherwise);
	if (!out->failed && is_taken(out->text + from))
		out_str(out, "_");
}

/* The name of a list's item `i` as fit_name() makes it; where an earlier one has the same, its number is added. */
static void name_apart(const char *const *names, uint32_t i, const char *otherwise, struct out *out)
{
	struct out own, other;
	uint32_t same = 0;

	out_init(&own);
	out_init(&other);
	fit_name(names[i], otherwise, &own);
	for (uint32_t k = 0; k < i; k++) {
		other.len = 0;
		fit_name(names[k], otherwise, &other);
		same += !own.failed && !other.failed && own.len == other.len && !memcmp(own.text, other.text, own.len);
	}
	if (own.failed || other.failed)
		out->failed = true;
	else
		out_add(out, own.text, own.len);
	if (same)
		out_printf(out, "_%u", same + 1);
	out_release(&own);
	out_release(&other);
}

static void parameter_name(const struct fit *f, uint32_t k, struct out *out)
{
	name_apart(f->parameter, k, "x", out);
}

/* ---- expressions ---- */

/* A sum's next term: its sign, and how much of it there is. */
static void put_sign(struct out *out, bool first, double v)
{
	out_str(out, first ? (v < 0 ? "-" : "") : v < 0 ? " - " : " + ");
}

static void put_power(const struct fit *f, uint8_t parameter, struct form_power p, struct out *out)
{
	if (p.top) {
		parameter_name(f, parameter, out);
		if (p.bottom > 1)
			out_printf(out, "^(%d/%u)", p.top, p.bottom);
		else if (p.top < 0)
			out_printf(out, "^(%d)", p.top);
		else if (p.top > 1)
			out_printf(out, "^%d", p.top);
	}
	if (p.logs) {
		out_str(out, p.top ? "*log2(" : "log2(");
		parameter_name(f, parameter, out);
		out_str(out, ")");
		if (p.logs > 1)
			out_printf(out, "^%u", p.logs);
	}
}

void fit_term_expression(const struct fit *f, const struct fit_term *t, struct out *out)
{
	for (unsigned i = 0; i < t->form.factors; i++) {
		out_str(out, i ? "*" : "");
		put_power(f, t->form.factor[i].parameter, t->form.factor[i].power, out);
	}
}

static void put_terms(const struct fit *f, struct out *out)
{
	for (uint32_t k = 0; k < f->terms; k++) {
		const struct fit_term *t = &f->term[k];

		put_sign(out, !k, t->coefficient);
		out_double(out, fabs(t->coefficient));
		out_str(out, t->form.factors ? "*" : "");
		fit_term_expression(f, t, out);
	}
}

static void put_line(const struct fit *f, const struct fit_piece *p, struct out *out)
{
	if (p->coefficients > 1) {
		out_double(out, p->b);
		out_str(out, "*");
		parameter_name(f, f->along, out);
		put_sign(out, false, p->a);
		out_double(out, fabs(p->a));
	} else {
		out_double(out, p->a);
	}
}

/* Up to where a piece holds, as the language says it. */
static void put_end(const struct fit *f, uint32_t k, struct out *out)
{
	if (k + 1 == f->pieces)
		out_str(out, "inf");
	else
		out_double(out, f->piece[k].to);
}

void fit_expression(const struct fit *f, struct out *out)
{
	if (f->pieces == 1)
		put_line(f, &f->piece[0], out);
	else if (!f->pieces)
		put_terms(f, out);
	for (uint32_t k = 0; f->pieces > 1 && k < f->pieces; k++) {
		out_str(out, k ? ", " : "{");
		put_end(f, k, out);
		out_str(out, ": ");
		put_line(f, &f->piece[k], out);
		out_str(out, k + 1 == f->pieces ? "}" : "");
	}
}

/* ---- the fitted model ---- */

static void put_term(const struct fit *f, const struct fit_term *t, struct tree_out *to)
{
	tree_map(to, true);
	tree_put_real(to, "coefficient", t->coefficient);
	tree_put_real(to, "half_width", t->half_width);
	tree_put_list(to, "powers", true);
	for (uint32_t k = 0; k < f->parameters; k++) {
		struct form_power p = {0, 1, 0};

		for (unsigned i = 0; i < t->form.factors; i++)
			if (t->form.factor[i].parameter == k)
				p = t->form.factor[i].power;
		tree_list(to, true);
		tree_real(to, (double)p.top / p.bottom);
		tree_whole(to, p.logs);
		tree_end(to);
	}
	tree_end(to);
	tree_end(to);
}

static void put_segment(const struct fit_piece *p, struct tree_out *to)
{
	const double coefficient[] = {p->a, p->b}, half[] = {p->half_a, p->half_b};

	tree_map(to, true);
	tree_put_real(to, "from", p->from);
	tree_put_real(to, "to", p->to);
	tree_put_whole(to, "points", p->points);
	tree_put_reals(to, "coefficients", coefficient, 2);
	tree_put_reals(to, "half_widths", half, 2);
	tree_end(to);
}

void fit_tree(const struct fit *f, struct tree_out *t)
{
	struct out text;

	out_init(&text);
	fit_expression(f, &text);
	tree_put_list(t, "parameters", true);
	for (uint32_t k = 0; k < f->parameters; k++)
		tree_text(t, f->parameter[k]);
	tree_end(t);
	tree_put_whole(t, "points", f->points);
	tree_put_text(t, "expression", text.failed ? "" : text.text);
	t->failed |= text.failed;
	out_release(&text);
	tree_put_list(t, f->pieces ? "segments" : "terms", false);
	for (uint32_t k = 0; k < f->terms; k++)
		put_term(f, &f->term[k], t);
	for (uint32_t k = 0; k < f->pieces; k++)
		put_segment(&f->piece[k], t);
	tree_end(t);
	if (f->pieces) {
		tree_put_list(t, "criteria", false);
		for (uint32_t k = 0; k < f->cut->criteria; k++) {
			tree_map(t, true);
			tree_put_whole(t, "segments", f->cut->criterion[k].pieces);
			tree_put_real(t, "bic", f->cut->criterion[k].bic);
			tree_end(t);
		}
		tree_end(t);
	}
	tree_put_real(t, "loo", f->error);
	tree_put_map(t, "error", true);
	tree_put_real(t, "mean", f->mean_error);
	tree_put_real(t, "max", f->max_error);
	tree_end(t);
}

/* ---- functions ---- */

static void put_function(const struct fit *f, const char *const *names, uint32_t i, struct tree_out *t)
{
	struct out key, value;

	out_init(&key);
	out_init(&value);
	name_apart(names, i, "t", &key);
	out_str(&key, "(");
	for (uint32_t k = 0; k < f->parameters; k++) {
		out_str(&key, k ? ", " : "");
		parameter_name(f, k, &key);
	}
	out_str(&key, ")");
	if (f->pieces > 1) {
		tree_put_map(t, key.failed ? "" : key.text, false);
		for (uint32_t k = 0; k < f->pieces; k++) {
			struct out end;

			out_init(&end);
			put_end(f, k, &end);
			value.len = 0;
			put_line(f, &f->piece[k], &value);
			tree_put_text(t, end.failed ? "" : end.text, value.failed ? "" : value.text);
			t->failed |= end.failed;
			out_release(&end);
		}
		tree_end(t);
	} else {
		fit_expression(f, &value);
		tree_put_text(t, key.failed ? "" : key.text, value.failed ? "" : value.text);
	}
	t->failed |= key.failed || value.failed;
	out_release(&key);
	out_release(&value);
}

enum err_code fit_functions(struct out *out, const struct fit *const *fits, const char *const *names, uint32_t count, struct err *e)
{
	struct tree_out t;

	tree_out_init(&t, out, false);
	tree_map(&t, false);
	tree_put_whole(&t, "pas2p_functions", 1);
	tree_put_map(&t, "functions", false);
	for (uint32_t i = 0; i < count; i++)
		put_function(fits[i], names, i, &t);
	tree_end(&t);
	tree_end(&t);
	return tree_out_finish(&t, e);
}
