/* Expressions against a second implementation, which is written from the page alone: it evaluates while it reads the
 * text, in intervals, by plain recursion, and knows neither trees nor instructions. Random texts have the same value in
 * both, or none in both. Besides: intervals hold what every point in them gives, and the canonical text of an
 * expression means the same.
 */
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/models/language/formula.h"
#include "tap.h"

#define TEXTS 40000
#define NAMES 3

static uint64_t state = 88172645463325252u;

static uint32_t below(uint32_t n)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return (uint32_t)(state >> 33) % n;
}

/* ---- random texts ---- */

static char text[1 << 16];
static size_t len;

static void put(const char *s)
{
	len += (size_t)snprintf(text + len, sizeof text - len, "%s", s);
}

static void write_any(int depth, int indices, bool literal_intervals);

static void write_list(int count, int depth, int indices, bool literal)
{
	for (int i = 0; i < count; i++) {
		put(i ? ", " : "");
		write_any(depth - 1, indices, literal);
	}
}

static void write_leaf(int indices, bool literal)
{
	static const char *const leaves[] = {"0", "1", "2", "3", "0.5", "7", "10", "250ms", "2us", "1.5e1", "n", "n", "k",
					     "k", "rank", "p"};
	static const char *const index[] = {"i", "j"};
	uint32_t which = below(sizeof leaves / sizeof *leaves + (indices ? 4 : 0) + (literal ? 2 : 0));

	if (which < sizeof leaves / sizeof *leaves)
		put(leaves[which]);
	else if (indices && which < sizeof leaves / sizeof *leaves + 4)
		put(index[below((uint32_t)indices)]);
	else
		put(below(2) ? "[1, 2]" : "[-1, 3]");
}

static void write_any(int depth, int indices, bool literal)
{
	static const char *const infix[] = {" + ", "-", "*", "/", "^", " < ", "<=", " > ", ">=", " == ", "!=", " and ",
					    " or ", "+", " * ", "^2 - ", "+1-"};
	static const char *const functions[] = {"abs", "sqrt", "log", "log2", "exp", "floor", "ceil", "round", "share",
						"pieces"};
	uint32_t form = depth ? below(12) : 0;

	if (form == 8 && !below(8)) {
		put("part(");
		write_list(2, below(3) ? 1 : depth, indices, literal);
		put(")");
		return;
	}

	if (form < 2) {
		write_leaf(indices, literal);
	} else if (form < 6) {
		write_any(depth - 1, indices, literal);
		put(infix[below(sizeof infix / sizeof *infix)]);
		write_any(depth - 1, indices, literal);
	} else if (form == 6) {
		put("(");
		write_any(depth - 1, indices, literal);
		put(")");
	} else if (form == 7) {
		put(below(3) ? "-" : "not ");
		write_any(depth - 1, indices, literal);
	} else if (form == 8) {
		put(functions[below(sizeof functions / sizeof *functions)]);
		put("(");
		write_any(depth - 1, indices, literal);
		put(")");
	} else if (form == 9) {
		put(below(2) ? "min(" : "max(");
		write_list(1 + (int)below(3), depth, indices, literal);
		put(")");
	} else if (form == 10 && indices < 2) {
		static const char *const over[] = {"sum(", "min(", "max("};

		put(over[below(3)]);
		put(indices ? "j, " : "i, ");
		write_list(2, below(2) ? 1 : depth, indices, literal);
		put(", ");
		write_any(depth - 1, indices + 1, literal);
		put(")");
	} else {
		put("(");
		write_any(depth - 1, indices, literal);
		put(") * (");
		write_any(depth - 1, indices, literal);
		put(")");
	}
}

/* ---- the second implementation ---- */

struct range {
	double lo, hi;
};

struct naive {
	const char *at;
	bool bad;        /* no value */
	bool wrong;      /* no expression */
	uint32_t budget;
	struct range n, k, i, j;
};

static struct range level(struct naive *v, int level_of);

static struct range nothing(struct naive *v)
{
	v->bad = true;
	return (struct range){1, 1};
}

static struct range checked(struct naive *v, double a, double b)
{
	return isfinite(a) && isfinite(b) ? (struct range){a, b} : nothing(v);
}

static double least4(const double c[4])
{
	return fmin(fmin(c[0], c[1]), fmin(c[2], c[3]));
}

static double most4(const double c[4])
{
	return fmax(fmax(c[0], c[1]), fmax(c[2], c[3]));
}

static struct range corners(struct naive *v, char op, struct range a, struct range b)
{
	const double x[4] = {a.lo, a.lo, a.hi, a.hi}, y[4] = {b.lo, b.hi, b.lo, b.hi};
	double c[4], lo;

	if (op == '/' && b.lo <= 0 && 0 <= b.hi)
		return nothing(v);
	if (op == '^' && a.lo < 0 && (b.lo != b.hi || b.lo != rint(b.lo)))
		return nothing(v);
	if (op == '^' && b.lo < 0 && a.lo <= 0 && 0 <= a.hi)
		return nothing(v);
	for (int i = 0; i < 4; i++)
		c[i] = op == '*' ? x[i] * y[i] : op == '/' ? x[i] / y[i] : pow(x[i], y[i]);
	lo = least4(c);
	if (op == '^' && a.lo < 0 && a.hi > 0 && b.lo > 0 && fabs(remainder(b.lo, 2)) < 0.5)
		lo = 0;
	return checked(v, lo, most4(c));
}

static void blanks(struct naive *v)
{
	while (*v->at == ' ')
		v->at++;
}

static bool eats(struct naive *v, const char *sign)
{
	size_t n = strlen(sign);

	blanks(v);
	if (strncmp(v->at, sign, n) != 0 || (isalnum((unsigned char)sign[n - 1]) && isalnum((unsigned char)v->at[n])))
		return false;
	v->at += n;
	return true;
}

static void must_eat(struct naive *v, const char *sign)
{
	if (!eats(v, sign))
		v->wrong = true;
}

static struct range call(struct naive *v, const char *name)
{
	struct range x = level(v, 1);

	must_eat(v, ")");
	if (!strcmp(name, "abs"))
		return x.lo <= 0 && 0 <= x.hi ? (struct range){0, fmax(-x.lo, x.hi)} :
		       (struct range){fmin(fabs(x.lo), fabs(x.hi)), fmax(fabs(x.lo), fabs(x.hi))};
	if (!strcmp(name, "sqrt"))
		return checked(v, sqrt(x.lo), sqrt(x.hi));
	if (!strcmp(name, "log"))
		return checked(v, log(x.lo), log(x.hi));
	if (!strcmp(name, "log2"))
		return checked(v, log2(x.lo), log2(x.hi));
	if (!strcmp(name, "exp"))
		return checked(v, exp(x.lo), exp(x.hi));
	if (!strcmp(name, "floor"))
		return (struct range){floor(x.lo), floor(x.hi)};
	if (!strcmp(name, "ceil"))
		return (struct range){ceil(x.lo), ceil(x.hi)};
	if (!strcmp(name, "round"))
		return (struct range){floor(x.lo + 0.5), floor(x.hi + 0.5)};
	if (!strcmp(name, "share")) { /* of four with speeds 1, 2, 3, 4 */
		double a = ceil(x.lo), b = floor(x.hi);

		return x.lo < 0 || x.hi > 3 || a > b ? nothing(v) : (struct range){(a + 1) / 10, (b + 1) / 10};
	}
	/* pieces: up to 2 x + 1, up to 5 2 x, above x^2/4 - 1 */
	if (x.lo > 5)
		return checked(v, x.lo * x.lo / 4 - 1, x.hi * x.hi / 4 - 1);
	if (x.lo > 2)
		return checked(v, 2 * x.lo, x.hi <= 5 ? 2 * x.hi : fmax(10, x.hi * x.hi / 4 - 1)).lo <= 0 ? nothing(v) :
		       (struct range){x.hi <= 5 ? 2 * x.lo : fmin(2 * x.lo, 5.25), x.hi <= 5 ? 2 * x.hi :
				      fmax(10, x.hi * x.hi / 4 - 1)};
	if (x.hi <= 2)
		return (struct range){x.lo + 1, x.hi + 1};
	if (x.hi <= 5)
		return (struct range){fmin(x.lo + 1, 4), 2 * x.hi};
	return checked(v, fmin(x.lo + 1, 4), fmax(10, x.hi * x.hi / 4 - 1));
}

/* part(n, r), of four with speeds 1, 2, 3, 4: tasks by turns to the largest remainder, in tenths. */
static struct range parted(struct naive *v)
{
	struct range n = level(v, 1), r, all = {INFINITY, -INFINITY};
	long long part[4], rest[4], left;

	if (!eats(v, ",")) {
		v->wrong = true;
		return nothing(v);
	}
	r = level(v, 1);
	if (n.lo < 0 || n.hi > 9007199254740992.0 || floor(n.lo) != n.lo || floor(n.hi) != n.hi || r.lo < 0 || r.hi > 3 ||
	    ceil(r.lo) > floor(r.hi))
		return nothing(v);
	left = (long long)n.lo;
	for (int i = 0; i < 4; i++) {
		part[i] = (long long)n.lo * (i + 1) / 10;
		rest[i] = (long long)n.lo * (i + 1) % 10;
		left -= part[i];
	}
	for (; left; left--) {
		int to = 0;

		for (int i = 1; i < 4; i++)
			to = rest[i] > rest[to] ? i : to;
		part[to]++;
		rest[to] = -1;
	}
	for (int i = (int)ceil(r.lo); i <= (int)floor(r.hi); i++) {
		bool one = n.lo >= n.hi;
		double lo = (double)(one ? part[i] : (long long)n.lo * (i + 1) / 10);
		double hi = (double)(one ? part[i] : ((long long)n.hi * (i + 1) + 9) / 10);

		all = (struct range){fmin(all.lo, lo), fmax(all.hi, hi)};
	}
	return all;
}

static struct range several(struct naive *v, bool greatest)
{
	struct range x = level(v, 1);

	while (eats(v, ",")) {
		struct range y = level(v, 1);

		x = greatest ? (struct range){fmax(x.lo, y.lo), fmax(x.hi, y.hi)} : (struct range){fmin(x.lo, y.lo),
												   fmin(x.hi, y.hi)};
	}
	must_eat(v, ")");
	return x;
}

/* Behind "sum(i, ": every run of the body reads its text again. */
static struct range over(struct naive *v, char kind, struct range *index)
{
	struct range outer = *index, from = level(v, 1), to, total = {0, 0}, sure = {0, 0}, maybe = {0, 0}, one;
	bool any_sure = false, any_maybe = false;
	const char *body, *end = NULL;
	struct naive before;

	must_eat(v, ",");
	to = level(v, 1);
	must_eat(v, ",");
	body = v->at;
	before = *v;
	*index = (struct range){1, 1}; /* once for its length alone */
	level(v, 1);
	end = v->at;
	v->bad = before.bad;
	if (from.lo != from.hi && (from.lo != rint(from.lo) || from.hi != rint(from.hi)))
		nothing(v);
	for (double k = 0; !v->bad && from.lo + k <= to.hi; k++) {
		double x = from.lo + k;

		if (v->budget == 0) {
			v->wrong = true;
			break;
		}
		v->budget--;
		*index = (struct range){x, x};
		v->at = body;
		one = level(v, 1);
		if (x >= from.hi && x <= to.lo) {
			total = (struct range){total.lo + one.lo, total.hi + one.hi};
			sure = !any_sure ? one : kind == 'x' ? (struct range){fmax(sure.lo, one.lo), fmax(sure.hi, one.hi)} :
			       (struct range){fmin(sure.lo, one.lo), fmin(sure.hi, one.hi)};
			any_sure = true;
		} else {
			total = (struct range){total.lo + fmin(0, one.lo), total.hi + fmax(0, one.hi)};
			maybe = !any_maybe ? one : (struct range){fmin(maybe.lo, one.lo), fmax(maybe.hi, one.hi)};
			any_maybe = true;
		}
	}
	*index = outer;
	v->at = end;
	must_eat(v, ")");
	if (v->bad)
		return nothing(v);
	if (kind == 's')
		return checked(v, total.lo, total.hi);
	if (!any_sure)
		return any_maybe ? maybe : nothing(v);
	if (!any_maybe)
		return sure;
	return kind == 'x' ? (struct range){sure.lo, fmax(sure.hi, maybe.hi)} : (struct range){fmin(sure.lo, maybe.lo),
											       sure.hi};
}

static struct range value(struct naive *v)
{
	static const char *const functions[] = {"abs", "sqrt", "log2", "log", "exp", "floor", "ceil", "round", "share",
						"pieces"};
	static const struct {
		const char *begin;
		char kind;
		bool inner;
	} overs[] = {{"sum(i,", 's', false}, {"sum(j,", 's', true}, {"min(i,", 'n', false}, {"min(j,", 'n', true},
		     {"max(i,", 'x', false}, {"max(j,", 'x', true}};
	struct range a, b;
	double x;
	char *end;

	blanks(v);
	for (size_t i = 0; i < sizeof overs / sizeof *overs; i++) {
		/* An index is what only such a call begins with, but min(i, 2) is one of values: those have fewer commas. */
		const char *p = v->at;
		int depth = 0, commas = 0;

		if (strncmp(p, overs[i].begin, strlen(overs[i].begin)) != 0)
			continue;
		for (; *p && !(*p == ')' && depth == 1); p++) {
			depth += (*p == '(' || *p == '[') - (*p == ')' || *p == ']');
			commas += *p == ',' && depth == 1;
		}
		if (commas != 3)
			continue;
		v->at += strlen(overs[i].begin);
		return over(v, overs[i].kind, overs[i].inner ? &v->j : &v->i);
	}
	for (size_t i = 0; i < sizeof functions / sizeof *functions; i++)
		if (eats(v, functions[i])) {
			must_eat(v, "(");
			return call(v, functions[i]);
		}
	if (eats(v, "min(") || eats(v, "max("))
		return several(v, v->at[-2] == 'x');
	if (eats(v, "part(")) {
		a = parted(v);
		must_eat(v, ")");
		return a;
	}
	if (eats(v, "(")) {
		a = level(v, 1);
		must_eat(v, ")");
		return a;
	}
	if (eats(v, "[")) {
		a = level(v, 1);
		must_eat(v, ",");
		b = level(v, 1);
		must_eat(v, "]");
		return a.lo > b.hi ? nothing(v) : (struct range){a.lo, b.hi};
	}
	if (eats(v, "rank"))
		return (struct range){2, 2};
	if (eats(v, "n"))
		return v->n;
	if (eats(v, "k"))
		return v->k;
	if (eats(v, "p"))
		return (struct range){4, 4};
	if (eats(v, "i"))
		return v->i;
	if (eats(v, "j"))
		return v->j;
	x = strtod(v->at, &end);
	if (end == v->at) {
		v->wrong = true;
		return (struct range){0, 0};
	}
	v->at = end;
	if (eats(v, "ms"))
		x /= 1e3;
	else if (eats(v, "us"))
		x /= 1e6;
	return (struct range){x, x};
}

static struct range compared(const char *op, struct range a, struct range b)
{
	bool yes, no;

	if (!strcmp(op, "<") || !strcmp(op, "<=")) {
		yes = op[1] ? a.hi <= b.lo : a.hi < b.lo;
		no = op[1] ? a.lo > b.hi : a.lo >= b.hi;
	} else {
		yes = a.lo == a.hi && b.lo == b.hi && a.lo == b.lo;
		no = a.hi < b.lo || b.hi < a.lo;
	}
	return yes ? (struct range){1, 1} : no ? (struct range){0, 0} : (struct range){0, 1};
}

/* Levels of binding: 1 or, 2 and, 3 not, 4 comparisons, 5 + -, 6 * /, 7 -, 8 ^. */
static struct range level(struct naive *v, int l)
{
	struct range a, b;

	if (v->wrong)
		return (struct range){0, 0};
	if (l == 3 && eats(v, "not")) {
		a = level(v, 3);
		return (struct range){1 - a.hi, 1 - a.lo};
	}
	if (l == 7 && eats(v, "-")) {
		a = level(v, 7);
		return (struct range){-a.hi, -a.lo};
	}
	if (l == 8) {
		a = value(v);
		return eats(v, "^") ? corners(v, '^', a, level(v, 7)) : a;
	}
	a = level(v, l + 1);
	for (;;) {
		if (v->wrong)
			return a;
		if (l == 1 && eats(v, "or")) {
			b = level(v, 2);
			a = (struct range){fmax(a.lo, b.lo), fmax(a.hi, b.hi)};
		} else if (l == 2 && eats(v, "and")) {
			b = level(v, 3);
			a = (struct range){fmin(a.lo, b.lo), fmin(a.hi, b.hi)};
		} else if (l == 4) {
			static const char *const ops[] = {"<=", ">=", "==", "!=", "<", ">"};
			int which = 0;

			while (which < 6 && !eats(v, ops[which]))
				which++;
			if (which == 6)
				return a;
			b = level(v, 5);
			a = which == 0 ? compared("<=", a, b) : which == 1 ? compared("<=", b, a) : which < 4 ? compared("==", a, b) :
			    which == 4 ? compared("<", a, b) : compared("<", b, a);
			if (which == 3)
				a = (struct range){1 - a.hi, 1 - a.lo};
			for (int i = 0; i < 6; i++)
				if (eats(v, ops[i]))
					v->wrong = true; /* not chained */
			return a;
		} else if (l == 5 && eats(v, "+")) {
			b = level(v, 6);
			a = checked(v, a.lo + b.lo, a.hi + b.hi);
		} else if (l == 5 && eats(v, "-")) {
			b = level(v, 6);
			a = checked(v, a.lo - b.hi, a.hi - b.lo);
		} else if (l == 6 && eats(v, "*")) {
			a = corners(v, '*', a, level(v, 7));
		} else if (l == 6 && eats(v, "/")) {
			a = corners(v, '/', a, level(v, 7));
		} else {
			return a;
		}
	}
}

/* ---- both ---- */

static struct library library;
static struct arena arena;
static struct formula_run run;
static struct interval parameters[2], local;

static bool near(double a, double b)
{
	return fabs(a - b) <= 1e-9 * fmax(1, fmax(fabs(a), fabs(b)));
}

/* ERR_OK; ERR_USAGE: no expression; otherwise it has no value. */
static enum err_code ours(const char *s, struct interval *r)
{
	static const char *const locals[] = {"k"};
	const struct scope scope = {.locals = locals, .local_count = 1, .rank = true};
	struct place at = {.file = "random", .line = 1, .column = 1};
	const struct expression *x;
	const struct formula *f;
	enum err_code code;

	if (expression_parse(&arena, s, at, &x, NULL))
		return ERR_USAGE;
	code = library_bind(&library, x, &scope, &f, NULL);
	run.steps = 100000;
	return code ? code : formula_value(&run, f, r, NULL);
}

static void begin(void)
{
	static const char *const names[] = {"n", "p"}, *const argument[] = {"x"};
	static const double shares[] = {0.1, 0.2, 0.3, 0.4};
	static struct function_piece pieces[] = {{2, NULL}, {5, NULL}, {INFINITY, NULL}};
	static struct function f = {.name = "pieces", .arguments = argument, .argument_count = 1, .pieces = pieces,
				    .piece_count = 3};
	static const struct expression_functions list = {&f, 1}, *const lists[] = {&list};
	static const char *const values[] = {"x + 1", "2*x", "x^2/4 - 1"};
	struct place at = {.file = "pieces", .line = 1};

	arena_init(&arena);
	for (int i = 0; i < 3; i++)
		expression_parse(&arena, values[i], at, &pieces[i].value, NULL);
	if (library_init(&library, names, 2, lists, 1, NULL))
		bail_out("no memory");
	formula_run_init(&run, &library, NULL, 0);
	run.values = (struct formula_values){.parameters = parameters, .locals = &local, .shares = shares, .processes = 4,
					     .rank = 2};
	parameters[1] = interval_point(4);
}

static void end(void)
{
	formula_run_release(&run);
	library_release(&library);
	arena_release(&arena);
}

static void set_values(bool intervals)
{
	double n = below(9) - 3.0, k = below(40) / 8.0;

	parameters[0] = (struct interval){n, n + (intervals ? below(4) : 0)};
	local = (struct interval){k, k + (intervals && below(2) ? below(10) / 4.0 : 0)};
}

static void write_text(bool literal)
{
	len = 0;
	write_any(1 + (int)below(5), 0, literal);
}

static void are_equal(void)
{
	unsigned values = 0, undefined = 0, unread = 0, wrong = 0;

	for (unsigned t = 0; t < TEXTS; t++) {
		struct naive v = {.at = text, .budget = 20000};
		struct interval r = {0, 0};
		struct range want;
		enum err_code code;
		bool good;

		if (t % 500 == 0) {
			end();
			begin();
		}
		write_text(t % 2);
		set_values(t % 4 >= 2);
		v.n = (struct range){parameters[0].lo, parameters[0].hi};
		v.k = (struct range){local.lo, local.hi};
		want = level(&v, 1);
		blanks(&v);
		v.wrong = v.wrong || (*v.at && v.budget);
		if (!v.budget)
			continue;
		code = ours(text, &r);
		if (v.wrong)
			good = code == ERR_USAGE;
		else if (v.bad)
			good = code != ERR_OK && code != ERR_USAGE;
		else
			good = !code && near(r.lo, want.lo) && near(r.hi, want.hi);
		values += !v.wrong && !v.bad;
		undefined += !v.wrong && v.bad;
		unread += v.wrong;
		if (!good && wrong++ < 5)
			diag("%s with n [%g, %g], k [%g, %g]: code %d, [%.17g, %.17g], naive%s%s [%.17g, %.17g]", text, v.n.lo,
			     v.n.hi, v.k.lo,
			     v.k.hi, code, r.lo, r.hi, v.wrong ? " unread" : "", v.bad ? " undefined" : "", want.lo, want.hi);
	}
	is_u64(wrong, 0, "%u values, %u undefined, %u no expressions: the same in both", values, undefined, unread);
	ok(values > TEXTS / 4 && undefined > TEXTS / 50 && unread > TEXTS / 100, "with enough of each");
}

/* A rank may lie between whole numbers, and the indices of a least or greatest be none. */
static bool may_lack_points(void)
{
	static const char *const forms[] = {"share", "part", "min(i,", "min(j,", "max(i,", "max(j,"};

	for (size_t i = 0; i < sizeof forms / sizeof *forms; i++)
		if (strstr(text, forms[i]))
			return true;
	return false;
}

/* An index that begins at an interval begins at a whole number. */
static uint32_t places(void)
{
	return strstr(text, "(i,") || strstr(text, "(j,") ? 1 : 16;
}

static void are_contained(void)
{
	unsigned wrong = 0, compared_points = 0;

	for (unsigned t = 0; t < TEXTS / 4; t++) {
		struct interval r, n, k;

		if (t % 500 == 0) {
			end();
			begin();
		}
		write_text(false);
		set_values(true);
		n = parameters[0];
		k = local;
		if (ours(text, &r))
			continue;
		for (int i = 0; i < 6; i++) {
			struct interval one;
			double slack;

			parameters[0] = interval_point(n.lo + (n.hi - n.lo) * below(places() + 1) / places());
			local = interval_point(k.lo + (k.hi - k.lo) * below(places() + 1) / places());
			if (ours(text, &one)) {
				if (!may_lack_points() && wrong++ < 5)
					diag("%s has a value in intervals, but none at a point", text);
				continue;
			}
			compared_points++;
			slack = 1e-9 * fmax(1, fmax(fabs(r.lo), fabs(r.hi)));
			if (one.lo < r.lo - slack || one.hi > r.hi + slack) {
				if (wrong++ < 5)
					diag("%s at n %g, k %g: [%.17g, %.17g] lies outside [%.17g, %.17g]", text, parameters[0].lo, local.lo,
					     one.lo, one.hi, r.lo, r.hi);
			}
		}
	}
	is_u64(wrong, 0, "intervals hold the values of %u points", compared_points);
	ok(compared_points > TEXTS / 4, "which are enough");
}

static void are_written(void)
{
	unsigned wrong = 0, written = 0;

	for (unsigned t = 0; t < TEXTS / 4; t++) {
		struct place at = {.file = "random", .line = 1, .column = 1};
		const struct expression *x, *again;
		const char *once, *twice = "";
		struct interval a, b;

		if (t % 500 == 0) {
			end();
			begin();
		}
		write_text(true);
		set_values(false);
		if (expression_parse(&arena, text, at, &x, NULL))
			continue;
		once = expression_text(&arena, x);
		if (!expression_parse(&arena, once, at, &again, NULL))
			twice = expression_text(&arena, again);
		written++;
		if (strcmp(once, twice) != 0 || (!ours(text, &a) && (ours(once, &b) || a.lo != b.lo || a.hi != b.hi))) {
			if (wrong++ < 5)
				diag("%s became %s and then %s", text, once, twice);
		}
	}
	is_u64(wrong, 0, "%u canonical texts read back to themselves and mean the same", written);
	ok(written > TEXTS / 8, "which are enough");
}

int main(void)
{
	begin();
	are_equal();
	are_contained();
	are_written();
	end();
	return done_testing();
}
