/* Expressions: what a text means, in numbers and in intervals; where an error is, and what was expected there. Every
 * number of a model goes through them, so a wrong precedence or an interval that leaves something out is a wrong
 * prediction that nobody sees.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/models/language/formula.h"
#include "tap.h"

static struct arena arena;
static struct err e;

static const struct expression *parsed(const char *text)
{
	const struct expression *x;
	struct place at = {.file = "a.yaml", .line = 3, .column = 5};

	e = (struct err){0};
	return expression_parse(&arena, text, at, &x, &e) ? NULL : x;
}

static void is_value(const char *text, double lo, double hi)
{
	const struct expression *x = parsed(text);
	struct interval v = {NAN, NAN};

	if (x && !expression_constant(x, &v, &e) && fabs(v.lo - lo) <= 1e-12 * fabs(lo) && fabs(v.hi - hi) <= 1e-12 * fabs(hi))
		ok(true, "%s = [%.17g, %.17g]", text, lo, hi);
	else
		ok(false, "%s = [%.17g, %.17g], not [%.17g, %.17g] %s", text, lo, hi, v.lo, v.hi, e.text);
}

static void are_vectors(void)
{
	is_value("-2^2 + 10", 6, 6);
	is_value("2^3^2", 512, 512);
	is_value("[2,3]*4 - [-1,2]", 6, 13);
	is_value("[-1,2]^2", 0, 4);
	is_value("[2,3] > [-1,2]", 0, 1);
	is_value("1ms + 2us + 3ns", 0.001002003, 0.001002003);
}

static void is_precedence(void)
{
	is_value("1 + 2*3", 7, 7);
	is_value("(1 + 2)*3", 9, 9);
	is_value("10 - 4 - 3", 3, 3);
	is_value("12/3/2", 2, 2);
	is_value("-2^2", -4, -4);
	is_value("2^-1", 0.5, 0.5);
	is_value("2^-2^2", 0.0625, 0.0625);
	is_value("2*-3", -6, -6);
	is_value("--3", 3, 3);
	is_value("-3 - -3", 0, 0);
	is_value("not 1 == 2", 1, 1);
	is_value("not 1 and 0", 0, 0);
	is_value("1 or 0 and 0", 1, 1);
	is_value("1 + 1 < 3 and 2 >= 2", 1, 1);
	is_value("(1 < 2) == (3 < 4)", 1, 1);
	is_value("1 != 1", 0, 0);
	is_value("3s", 3, 3);
	is_value("1.5e3us", 1.5e-3, 1.5e-3);
	is_value(".5", 0.5, 0.5);
	is_value(" \t1\n+\r1 ", 2, 2);
	is_value("1e+2", 100, 100);
}

static void are_functions(void)
{
	is_value("min(3, 1, 2)", 1, 1);
	is_value("max(3, 1, 2, 7, 5)", 7, 7);
	is_value("max(1, 2, 3, 4)", 4, 4);
	is_value("min(4)", 4, 4);
	is_value("abs(-3) + abs(3)", 6, 6);
	is_value("sqrt(16)", 4, 4);
	is_value("log(exp(2))", 2, 2);
	is_value("log2(8)", 3, 3);
	is_value("floor(-1.5) + ceil(1.5)", 0, 0);
	is_value("round(2.5)", 3, 3);
	is_value("round(-2.5)", -2, -2);
	is_value("sum(i, 1, 100, i^2)", 338350, 338350);
	is_value("sum(i, 3, 2, i)", 0, 0);
	is_value("sum(i, 0.5, 3, i)", 4.5, 4.5);
	is_value("max(i, 1, 5, i*(4 - i))", 4, 4);
	is_value("min(i, 1, 5, i*(4 - i))", -5, -5);
	is_value("sum(i, 1, 3, sum(j, 1, i, i*j))", 25, 25);
	is_value("sum(i, 1, 3, sum(i, 1, 2, i))", 9, 9);
	is_value("max(i, 1, 3, [0, 1]*i)", 0, 3);
	is_value("share(0)", 1, 1);
	is_value("part(7, 0)", 7, 7);
}

static void are_intervals(void)
{
	is_value("[1, 2]", 1, 2);
	is_value("[[1, 2], [3, 4]]", 1, 4);
	is_value("[2, 2]", 2, 2);
	is_value("-[1, 2]", -2, -1);
	is_value("[1, 2] + [10, 20]", 11, 22);
	is_value("[1, 2] - [1, 2]", -1, 1);
	is_value("[-2, 3]*[-5, 7]", -15, 21);
	is_value("[1, 2]/[4, 8]", 0.125, 0.5);
	is_value("[-1, 2]/[-4, -2]", -1, 0.5);
	is_value("[-2, 3]^3", -8, 27);
	is_value("[-3, -2]^2", 4, 9);
	is_value("[-3, -2]^-2", 1.0 / 9, 0.25);
	is_value("[-1, 2]^0", 1, 1);
	is_value("[2, 3]^[-1, 2]", 1.0 / 3, 9);
	is_value("[0.5, 2]^[1, 3]", 0.125, 8);
	is_value("abs([-3, 2])", 0, 3);
	is_value("abs([-3, -2])", 2, 3);
	is_value("sqrt([4, 9])", 2, 3);
	is_value("floor([1.5, 2.5])", 1, 2);
	is_value("min([1, 5], [2, 3])", 1, 3);
	is_value("max([1, 5], [2, 3])", 2, 5);
	is_value("[1, 2] < [3, 4]", 1, 1);
	is_value("[1, 2] < [2, 4]", 0, 1);
	is_value("[1, 2] <= [2, 4]", 1, 1);
	is_value("[3, 4] < [1, 3]", 0, 0);
	is_value("[3, 4] <= [1, 3]", 0, 1);
	is_value("[1, 2] == [1, 2]", 0, 1);
	is_value("[1, 2] == [3, 4]", 0, 0);
	is_value("[1, 2] != [3, 4]", 1, 1);
	is_value("not ([2, 3] > [-1, 2])", 0, 1);
	is_value("([2, 3] > [-1, 2]) and 0", 0, 0);
	is_value("([2, 3] > [-1, 2]) or 1", 1, 1);
	is_value("sum(i, 1, [2, 3], i)", 3, 6);
	is_value("sum(i, [1, 2], 3, 0 - i)", -6, -5);
	is_value("max(i, 1, [2, 3], i)", 2, 3);
	is_value("min(i, [1, 2], 3, i)", 1, 2);
	is_value("max(i, 3, [1, 4], i)", 3, 4);
	is_value("sum(i, 5, [1, 4], i)", 0, 0);
}

/* ---- mistakes ---- */

static const struct {
	const char *text, *sentence;
} mistakes[] = {
	{"", "column 5: expected a value, found the end of the expression"},
	{"1 +", "column 8: expected a value, found the end of the expression"},
	{"1 + * 2", "column 9: expected a value, found '*'"},
	{"(1 + 2", "column 11: expected an operator or ')', found the end of the expression"},
	{"1 + 2)", "column 10: expected an operator, found ')'"},
	{"2 n", "column 7: expected an operator, found 'n'"},
	{"2n", "column 5: '2n' is not a number: expected an operator or a unit (s, ms, us, ns) after the digits"},
	{"3 mss", "column 7: expected an operator, found 'mss'"},
	{"3mss", "column 5: '3mss' is not a number: expected an operator or a unit (s, ms, us, ns) after the digits"},
	{"1..2", "column 5: '1..2' is not a number, or too large"},
	{"1e999", "column 5: '1e999' is not a number, or too large"},
	{"1 < 2 < 3", "column 11: expected 'and' between comparisons, found '<'"},
	{"1 = 2", "column 7: expected an operator, found '='"},
	{"1 & 2", "column 7: expected an operator, found '&'"},
	{"1 \xc3\xa4", "column 7: expected an operator, found '\xc3\xa4'"},
	{"\x1b[1m", "column 5: expected a value, found '\xef\xbf\xbd'"},
	{"[1, 2", "column 10: expected ']', found the end of the expression"},
	{"[1]", "column 7: expected ',' between the ends of the interval, found ']'"},
	{"[1, 2, 3]", "column 10: expected ']', found ','"},
	{"[3, 2]", "column 5: interval from 3 to 2: expected the lower end first"},
	{"and", "column 5: expected a value, found 'and'"},
	{"inf", "column 5: expected a value, found 'inf'"},
	{"1 + not 2", "column 9: expected a value, found 'not'"},
	{"sqrt", "column 9: expected '(' after the name of a function, found the end of the expression"},
	{"sqrt 2", "column 10: expected '(' after the name of a function, found '2'"},
	{"sqrt()", "column 5: sqrt takes one value, found 0"},
	{"sqrt(1, 2)", "column 5: sqrt takes one value, found 2"},
	{"min()", "column 5: min takes at least one value, found 0"},
	{"max(1 2)", "column 11: expected ',' or ')', found '2'"},
	{"max(1,)", "column 11: expected a value, found ')'"},
	{"rank(1)", "column 9: expected an operator after rank, which is not a function, found '('"},
	{"sum(i, 1, 2)", "column 5: expected sum(i, from, to, expression)"},
	{"sum(1, 1, 2, 3)", "column 5: expected sum(i, from, to, expression)"},
	{"sum((i), 1, 2, 3)", "column 5: expected sum(i, from, to, expression)"},
	{"sum(rank, 1, 2, 3)", "column 9: 'rank' is a word of the language, so it cannot be the name of an index"},
	{"f(1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17)", "column 5: f has 17 values: the limit for a function is 16"},
	{"n", "column 5: 'n' is unknown here: expected a number"},
	{"f(1)", "column 5: unknown function 'f': expected one of the built-in functions"},
	{"rank", "column 5: 'rank' is not available here"},
	{"1/0", "column 6: division by 0"},
	{"1/[-1, 1]", "column 6: division by [-1, 1], which includes 0"},
	{"1/(2 - 2)", "column 6: division by 0"},
	{"min(1, 1/0)", "column 13: division by 0"},
	{"(0 - 2)^0.5", "column 12: -2 ^ 0.5 is undefined: a base below 0 needs a whole exponent"},
	{"[-1, 2]^[1, 2]", "column 12: [-1, 2] ^ [1, 2] is undefined: a base below 0 needs a whole exponent"},
	{"0^-1", "column 6: 0 ^ -1 is undefined: division by 0"},
	{"sqrt(0 - 1)", "column 5: sqrt of -1 is undefined"},
	{"log(0)", "column 5: log of 0 is undefined"},
	{"log2([-1, 1])", "column 5: log2 of [-1, 1] is undefined"},
	{"exp(1000)", "column 5: the result is too large"},
	{"1e300*1e300", "column 10: the result is too large"},
	{"max(i, 2, 1, i)", "column 5: max of nothing: from 2 to 1"},
	{"sum(i, [0, 0.5], 3, i)", "column 5: the index begins at [0, 0.5]: expected whole numbers as limits"},
	{"share(1)", "column 5: share(1): expected a rank, from 0 to 0"},
	{"share(0.5)", "column 5: share(0.5): expected a rank, from 0 to 0"},
	{"part(7, 1)", "column 5: part(n, 1): expected a rank, from 0 to 0"},
	{"part(2.5, 0)", "column 5: part(2.5, r): expected a whole number of tasks, from 0 to 2^53"},
	{"part(-1, 0)", "column 5: part(-1, r): expected a whole number of tasks, from 0 to 2^53"},
	{"sum(i, 1, 1e12, 1)", "column 5: the evaluation takes too many steps: shorten loops and sums"},
};

static void are_mistakes(void)
{
	for (size_t i = 0; i < sizeof mistakes / sizeof *mistakes; i++) {
		const struct expression *x = parsed(mistakes[i].text);
		char sentence[ERR_TEXT];
		struct interval v;

		if (x && !expression_constant(x, &v, &e))
			snprintf(e.text, sizeof e.text, "no error");
		snprintf(sentence, sizeof sentence, "a.yaml: line 3, %s", mistakes[i].sentence);
		is_str(e.text, sentence, "mistake %zu has its sentence", i + 1);
	}
}

static void is_bounded(void)
{
	static char text[200000];
	struct place at = {.file = "a.yaml", .line = 3};
	const struct expression *x;
	size_t n = 0;

	memset(text, '(', EXPRESSION_DEPTH);
	snprintf(text + EXPRESSION_DEPTH, 2, "1");
	memset(text + EXPRESSION_DEPTH + 1, ')', EXPRESSION_DEPTH);
	text[2 * EXPRESSION_DEPTH + 1] = '\0';
	ok(parsed(text), "%d levels are read %s", EXPRESSION_DEPTH, e.text);
	memmove(text + 1, text, strlen(text) + 1);
	ok(!parsed(text) && e.code == ERR_LIMIT, "one more is too deep");
	is_str(e.text, "a.yaml: line 3, column 70: the expression is nested more than 64 levels deep", "and says so");
	memset(text, '-', 100000);
	text[60000] = '\0';
	ok(!parsed(text) && e.code == ERR_LIMIT, "so are many signs");
	for (n = 0; n < 3000; n += 2)
		memcpy(text + n, "1+", 3);
	memcpy(text + n, "1", 2);
	ok(!parsed(text) && strstr(e.text, "more than 1024 operators in a row"), "and a long row of operators: %s", e.text);
	memset(text, '1', sizeof text - 1);
	ok(!parsed(text) && e.code == ERR_LIMIT, "a text may not be longer than some limit: %s", e.text);
	ok(expression_parse(&arena, "1 +", at, &x, &e) &&
	   !strcmp(e.text, "a.yaml: line 3: expected a value, found the end of the expression"),
	   "where the column is not known it is not said");
}

/* ---- text ---- */

static void is_text(const char *text, const char *want)
{
	const struct expression *x = parsed(text);

	is_str(x ? expression_text(&arena, x) : e.text, want, "%s as text", text);
}

static void are_texts(void)
{
	is_text("1+2*3", "1 + 2*3");
	is_text("((1+2))*3", "(1 + 2)*3");
	is_text("1-(2-3)", "1 - (2 - 3)");
	is_text("(1-2)-3", "1 - 2 - 3");
	is_text("2^(3^2)", "2^3^2");
	is_text("(2^3)^2", "(2^3)^2");
	is_text("(-2)^2", "(-2)^2");
	is_text("-2^2", "-2^2");
	is_text("2^(-1)", "2^-1");
	is_text("-(a+b)", "-(a + b)");
	is_text("not(a and b)or c", "not (a and b) or c");
	is_text("(a<b)==(c<d)", "(a < b) == (c < d)");
	is_text("[1,2]", "[1, 2]");
	is_text("max((n),1,2,3)", "max((n), 1, 2, 3)");
	is_text("max(n,1,2,n*3)", "max(n, 1, 2, n*3)");
	is_text("T(n,p)+3us", "T(n, p) + 3.0e-06");
	is_text("a/(b*c)", "a/(b*c)");
	is_text("a*(b/c)", "a*(b/c)");
	is_text("a*b/c", "a*b/c");
	is_text("a - -b", "a - -b");
}

/* ---- names ---- */

static void are_queries(void)
{
	const struct function_piece twice[] = {{INFINITY, parsed("3ns*k")}}, root[] = {{INFINITY, parsed("sqrt(k)")}};
	const char *argument[] = {"k"};
	struct function items[] = {{.name = "twice", .arguments = argument, .argument_count = 1, .piece_count = 1,
				    .pieces = twice},
				   {.name = "root", .arguments = argument, .argument_count = 1, .piece_count = 1, .pieces = root}};
	const struct expression_functions list = {items, 2}, *lists[] = {&list};
	static const struct {
		const char *text;
		bool polynomial;
	} cases[] = {
		{"1", true}, {"i", true}, {"3*i^2 - i/2 + n", true}, {"(i + 1)*(i - 1)", true}, {"-i", true}, {"i^2.5", false},
		{"i^n", false}, {"2^i", false}, {"1/i", false}, {"sqrt(i)", false}, {"max(i, 3)", false}, {"sum(j, 1, i, j^2)", true},
		{"sum(j, 1, i, 1/j)", false}, {"sum(j, 1, 9, i/j)", true}, {"sum(i, 1, 9, 1/i)", true}, {"twice(i)^2", true},
		{"root(i)", false}, {"root(n)*i", true}, {"i > 3", false}, {"[i, 2*i]", false}, {"other(i)", false},
	};
	struct library l;

	if (library_init(&l, NULL, 0, lists, 1, &e))
		bail_out("%s", e.text);
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
		is_int(library_polynomial(&l, parsed(cases[i].text), "i"), cases[i].polynomial, "whether %s is a polynomial in i",
		       cases[i].text);
	library_release(&l);
	ok(expression_names(parsed("f(1, n)^2"), "n") && !expression_names(parsed("f(1, n)^2"), "f"),
	   "a name is found, a function is none");
	ok(!expression_names(parsed("sum(i, 1, 9, i)"), "i") && expression_names(parsed("sum(i, 1, i, i)"), "i"),
	   "an index hides a name");
	ok(expression_names_rank(parsed("1 - rank")) && !expression_names_rank(parsed("n")), "rank is found");
	ok(expression_is_reserved("log2") && !expression_is_reserved("send"), "words of the language are known");
}

/* ---- functions, scopes, limits ---- */

static struct function make_function(const char *name, const char *const *arguments, uint32_t count,
				     struct function_piece *pieces, uint32_t n)
{
	return (struct function){.name = name, .arguments = arguments, .argument_count = count, .pieces = pieces,
				 .piece_count = n, .at = {.file = "a.yaml", .line = 1}};
}

/* The value of a text where n is [parameter], k a local, and rank 2 of 4 with the speeds 1, 2, 3/4, 3/4; otherwise the
 * sentence. */
static const char *evaluated(const char *text, struct interval n, struct interval k)
{
	static const char *const parameters[] = {"n", "p"}, *const locals[] = {"k"}, *const x[] = {"x"}, *const two[] = {"x",
															 "y"};
	static const double shares[] = {1 / 4.5, 2 / 4.5, 0.75 / 4.5, 0.75 / 4.5};
	static char buf[ERR_TEXT];
	struct function_piece f[] = {{10, parsed("x")}, {20, parsed("2*x")}, {INFINITY, parsed("100 - x")}};
	struct function_piece g[] = {{INFINITY, parsed("f(x) + y*n")}}, up[] = {{INFINITY, parsed("up(x + 1)")}};
	struct function_piece fac[] = {{1, parsed("1")},
				       {INFINITY, parsed("x*fac(x - 1)")}}, bad[] = {{INFINITY, parsed("nothing")}};
	struct function_piece ranked[] = {{INFINITY, parsed("rank")}}, own[] = {{INFINITY,
										 parsed("7")}}, other[] = {{INFINITY, parsed("8")}};
	struct function_piece fib[] = {{1, parsed("x")}, {INFINITY, parsed("fib(x - 1) + fib(x - 2)")}};
	struct function items[] = {make_function("f", x, 1, f, 3), make_function("g", two, 2, g, 1),
				   make_function("up", x, 1, up, 1), make_function("fac", x, 1, fac, 2), make_function("bad", x, 1, bad, 1),
				   make_function("ranked", NULL, 0, ranked, 1), make_function("both", NULL, 0, own, 1),
				   make_function("fib", x, 1, fib, 2)};
	struct function second[] = {make_function("both", NULL, 0, other, 1), make_function("machines", NULL, 0, other, 1)};
	const struct expression_functions first = {items, 8}, machine = {second, 2}, *lists[] = {&first, &machine};
	const struct interval values[] = {n, {4, 4}};
	const struct scope scope = {.locals = locals, .local_count = 1, .rank = true};
	const struct expression *tree = parsed(text);
	const struct formula *formula;
	struct formula_run v;
	struct library l;
	struct interval r;
	enum err_code code;

	if (!tree || library_init(&l, parameters, 2, lists, 2, &e))
		return e.text;
	code = library_bind(&l, tree, &scope, &formula, &e);
	formula_run_init(&v, &l, NULL, 1000000);
	v.values = (struct formula_values){.parameters = values, .locals = &k, .shares = shares, .processes = 4, .rank = 2};
	if (!code)
		code = formula_value(&v, formula, &r, &e);
	formula_run_release(&v);
	library_release(&l);
	if (code)
		return e.text;
	snprintf(buf, sizeof buf, r.lo == r.hi ? "%.9g" : "%.9g %.9g", r.lo, r.hi);
	return buf;
}

static void are_evaluated(void)
{
	static const struct interval three = {3, 3}, wide = {8, 12}, local = {5, 5};
	static const struct {
		const char *text, *value;
		const struct interval *n;
	} cases[] = {
		{"n + k + p + rank", "14", &three},
		{"f(10)", "10", &three},
		{"f(10.5)", "21", &three},
		{"f(20) + f(21)", "119", &three},
		{"f(n)", "8 24", &wide},
		{"f([10, 10])", "10", &wide},
		{"f([15, 30])", "30 80", &three},
		{"g(2, 10)", "32", &three},
		{"fac(5)", "120", &three},
		{"fib(15)", "610", &three},
		{"both() + machines()", "15", &three},
		{"sum(k, 1, k, k)", "15", &three},
		{"sum(n, 1, 3, f(n))", "6", &wide},
		{"share(rank)", "0.166666667", &three},
		{"share([0, 3])", "0.166666667 0.444444444", &three},
		{"sum(r, 0, p - 1, share(r))", "1", &three},
		{"part(100, rank)", "17", &three},
		{"part(101, 0) + 1000*part(101, 1) + 1e6*part(101, 2) + 1e9*part(101, 3)", "1.7017045e+10", &three},
		{"sum(r, 0, p - 1, part(1001, r))", "1001", &three},
		{"part(100, [0, 3])", "17 44", &three},
		{"part(n, 1)", "3 6", &wide},
		{"n*0", "0", &wide},
		{"if(1)", "a.yaml: line 3, column 5: unknown function 'if': expected one of f, g, up, fac, bad, ranked, both, fib, "
			  "machines", &three},
		{"m", "a.yaml: line 3, column 5: unknown name 'm': expected one of k, n, p, rank", &three},
		{"f", "a.yaml: line 3, column 5: 'f' is a function: expected '(' and its values after it", &three},
		{"n(2)", "a.yaml: line 3, column 5: 'n' is a parameter, not a function", &three},
		{"f(1, 2)", "a.yaml: line 3, column 5: f takes 1 value, found 2", &three},
		{"g(1)", "a.yaml: line 3, column 5: g takes 2 values, found 1", &three},
		{"up(1)", "a.yaml: line 3, column 5: calls of functions are nested more than 64 deep", &three},
		{"fac(70)", "a.yaml: line 3, column 7: calls of functions are nested more than 64 deep", &three},
		{"bad(1)", "a.yaml: line 3, column 5: unknown name 'nothing': expected one of x, n, p", &three},
		{"ranked()", "a.yaml: line 3, column 5: 'rank' is not available inside a function: pass it as an argument", &three},
		{"fib(60)", "a.yaml: line 3, column 5: the evaluation takes too many steps: shorten loops and sums", &three},
		{"fib([59, 60])", "a.yaml: line 3, column 18: the evaluation takes too many steps: shorten loops and sums",
		 &three},
		{"1/(n - 10)", "a.yaml: line 3, column 6: division by [-2, 2], which includes 0", &wide},
		{"share(4)", "a.yaml: line 3, column 5: share(4): expected a rank, from 0 to 3", &three},
		{"part(1, p)", "a.yaml: line 3, column 5: part(n, 4): expected a rank, from 0 to 3", &three},
		{"part([1, 2.5], 0)", "a.yaml: line 3, column 5: part([1, 2.5], r): expected a whole number of tasks, from 0 to 2^53",
		 &three},
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
		is_str(evaluated(cases[i].text, *cases[i].n, local), cases[i].value, "%s", cases[i].text);
}

static bool always(void *arg)
{
	(void)arg;
	return true;
}

static void is_stopped(void)
{
	const struct progress progress = {.stopped = always};
	const struct formula *f;
	struct formula_run v;
	struct library l;
	struct interval r;

	if (library_init(&l, NULL, 0, NULL, 0, &e) || library_bind(&l, parsed("sum(i, 1, 1e7, i)"), NULL, &f, &e))
		bail_out("%s", e.text);
	formula_run_init(&v, &l, &progress, FORMULA_STEPS);
	is_int(formula_value(&v, f, &r, &e), ERR_CANCELLED, "a long sum stops when it is asked to");
	ok(v.steps > FORMULA_STEPS - 100000, "soon");
	formula_run_release(&v);
	library_release(&l);
}

int main(void)
{
	arena_init(&arena);
	are_vectors();
	is_precedence();
	are_functions();
	are_intervals();
	are_mistakes();
	is_bounded();
	are_texts();
	are_queries();
	are_evaluated();
	is_stopped();
	arena_release(&arena);
	return done_testing();
}
