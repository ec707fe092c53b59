/* Published measurements whose fits are known to the last printed digit: messages between two computers, a matrix
 * product's two parts. Whoever fits the same numbers with pas2p must find what was printed, and the laws that made
 * points must come back from them.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/models/fit/write.h"
#include "tap.h"

static const char *const bytes_only[] = {"bytes"}, *const n_only[] = {"n"};

/* Bytes; of send and receive: measured and model in microseconds, error in per cent (without its sign). */
static const struct {
	double bytes;
	struct { double measured, model, error; } send, receive;
} table1[] = {
	{6824, {540.280, 517.901, 4.1420}, {589.330, 591.111, 0.3022}},
	{13652, {1130.440, 1118.207, 1.0821}, {1173.100, 1172.856, 0.0208}},
	{21844, {1830.230, 1838.433, 0.4482}, {1873.660, 1870.815, 0.1519}},
	{43688, {3686.130, 3758.918, 1.9746}, {3733.970, 3731.924, 0.0548}},
	{65536, {5726.130, 5679.755, 0.8099}, {5593.890, 5593.373, 0.0092}},
	{131072, {13198.730, 13205.706, 0.0528}, {13246.380, 13286.891, 0.3058}},
	{218452, {20629.029, 20632.403, 0.0164}, {20704.529, 20713.911, 0.0453}},
	{349524, {31766.000, 31772.618, 0.0208}, {31851.359, 31854.612, 0.0102}},
	{524288, {46636.770, 46626.352, 0.0223}, {46744.352, 46708.992, 0.0756}},
	{1048576, {91211.102, 91187.215, 0.0262}, {91303.109, 91271.795, 0.0343}},
	{1747624, {150591.703, 150601.471, 0.0065}, {150686.453, 150688.638, 0.0014}},
	{3495252, {299122.563, 299137.793, 0.0051}, {299219.250, 299231.425, 0.0041}},
	{5592404, {477389.344, 477381.242, 0.0017}, {477482.906, 477482.634, 0.0001}},
};

#define MESSAGES (sizeof table1 / sizeof *table1)

/* n = 100, 200 ... 500: measured, model, error in per cent with the sign of measured - model. */
static const double sizes[] = {100, 200, 300, 400, 500};
static const double t_inic[] = {.001558, .007773, .018397, .032864, .052005}, inic_model[] = {.001565, .0078, .018277, .032997, .051958},
		    inic_error[] = {-0.42, -0.34, 0.65, -0.40, 0.09};
static const double t_mult[] = {.275609, 2.662435, 9.220848, 23.04117, 45.12641}, mult_model[] = {.305428, 2.543162, 9.399772, 22.92192, 45.15628},
		    mult_error[] = {-10.82, 4.48, -1.94, 0.52, -0.07};

static struct fit fitted(const char *const *name, uint32_t parameters, const double *at, const double *value, uint32_t count, struct fit_options o)
{
	const struct fit_points points = {name, parameters, count, at, value};
	struct fit f;
	struct err e;

	if (fit_make(&f, &points, &o, NULL, &e))
		bail_out("%s", e.text);
	return f;
}

static double at(const struct fit *f, double x)
{
	struct fit_value v;

	fit_at(f, &x, &v);
	return v.value;
}

/* Equal in as many digits as were printed: off by half of the last one at most. */
static void printed(double got, double want, int digits, const char *what)
{
	double unit = pow(10, floor(log10(fabs(want))) - digits + 1);

	ok(fabs(got - want) <= 0.501 * unit, "%s: %.*g", what, digits, want);
	if (fabs(got - want) > 0.501 * unit)
		diag("got %.12g", got);
}

/* ---- messages ---- */

static void columns_of(bool receive, double *x, double *y)
{
	for (size_t i = 0; i < MESSAGES; i++) {
		x[i] = table1[i].bytes;
		y[i] = (receive ? table1[i].receive.measured : table1[i].send.measured) * 1e-6;
	}
}

static void line_is(const struct fit *f, uint32_t k, double a, int a_digits, double b, int b_digits, const char *what)
{
	char name[80];

	snprintf(name, sizeof name, "%s, segment %u, a", what, k + 1);
	printed(f->piece[k].a * 1e6, a, a_digits, name);
	snprintf(name, sizeof name, "%s, segment %u, b", what, k + 1);
	printed(f->piece[k].b * 1e6, b, b_digits, name);
}

static void messages_as_published(void)
{
	const struct fit_options two = {.kind = FIT_PIECES, .weights = FIT_EQUAL, .segments = 2};
	double x[MESSAGES], y[MESSAGES], worst = 0;
	struct fit f;

	columns_of(false, x, y);
	f = fitted(bytes_only, 1, x, y, MESSAGES, two);
	line_is(&f, 0, -82.0523, 6, 0.0879182, 6, "send");
	line_is(&f, 1, 2065.494, 7, 0.08499313, 7, "send");
	is_double(f.piece[0].to, 65536, 0, "the break is at 65536");
	printed(f.piece[0].half_a * 1e6, 128.171, 6, "half width of a");
	printed(f.piece[0].half_b * 1e6, 0.00344682, 6, "half width of b");
	for (size_t i = 0; i < MESSAGES; i++) {
		double model = at(&f, table1[i].bytes) * 1e6;

		worst = fmax(worst, fabs(fabs(model - table1[i].send.measured) / table1[i].send.measured * 100 - table1[i].send.error));
		ok(fabs(model - table1[i].send.model) < 0.01 + 1e-6 * model, "send of %.0f bytes: %.3f us", table1[i].bytes, table1[i].send.model);
	}
	ok(worst < 0.0002, "the errors of send are the printed ones within 0.0002 points (%.5f)", worst);
	fit_release(&f);

	columns_of(true, x, y);
	f = fitted(bytes_only, 1, x, y, MESSAGES, two);
	line_is(&f, 0, 9.70620, 6, 0.08522554, 7, "receive");
	line_is(&f, 1, 2146.185, 7, 0.08499676, 7, "receive");
	worst = 0;
	for (size_t i = 0; i < MESSAGES; i++)
		worst = fmax(worst, fabs(fabs(at(&f, x[i]) - y[i]) / y[i] * 100 - table1[i].receive.error));
	ok(worst < 0.031, "those of receive within 0.03 (%.4f): a coefficient is printed short", worst);
	fit_release(&f);

	f = fitted(bytes_only, 1, x, y, MESSAGES, (struct fit_options){.kind = FIT_PIECES, .weights = FIT_EQUAL});
	is_int(f.pieces, 3, "without weights the criterion cuts receive into three");
	is_double(f.piece[1].to, 524288, 0, "also at 524288");
	fit_release(&f);
}

static void messages_by_default(void)
{
	static const double bic[2][3] = {{-75.69, -114.10, -101.28}, {-74.99, -170.47, -164.39}};
	double x[MESSAGES], y[MESSAGES];

	for (int receive = 0; receive < 2; receive++) {
		struct fit f;

		columns_of(receive, x, y);
		f = fitted(bytes_only, 1, x, y, MESSAGES, (struct fit_options){0});
		is_int(f.kind, FIT_PIECES, "where bytes are the only parameter, pieces are fitted");
		is_int(f.pieces, 2, "in two");
		is_double(f.piece[0].to, 65536, 0, "that part at 65536");
		for (int k = 0; k < 3; k++)
			is_double(f.cut->criterion[k].bic, bic[receive][k], 0.00501, "the criterion of %d", k + 1);
		if (receive) {
			line_is(&f, 0, 7.380540, 7, 0.08532951, 7, "receive");
			line_is(&f, 1, 2110.6356, 8, 0.08504758, 7, "receive");
		} else {
			line_is(&f, 0, -52.19057, 7, 0.08665508, 7, "send");
			line_is(&f, 1, 2058.3976, 8, 0.08500325, 7, "send");
		}
		fit_release(&f);
	}
}

/* ---- the matrix product ---- */

static void coefficients_are(const struct fit *f, const double *want, const int *digits, uint32_t count, const char *what)
{
	char name[80];

	is_int(f->terms, count, "%s has %u terms", what, count);
	for (uint32_t k = 0; k < count && k < f->terms; k++) {
		snprintf(name, sizeof name, "%s, term %u", what, k + 1);
		printed(f->term[k].coefficient, want[k], digits[k], name);
	}
}

static void models_are(const struct fit *f, const double *measured, const double *model, const double *error, const char *what)
{
	for (int i = 0; i < 5; i++) {
		double v = at(f, sizes[i]);

		/* They were printed from coefficients of some seven digits. */
		ok(fabs(v - model[i]) <= 0.6e-6 + 1.3e-6 * model[i], "%s of %.0f: %g s", what, sizes[i], model[i]);
		ok(fabs((measured[i] - v) / measured[i] * 100 - error[i]) < 0.0101, "its error: %.2f %%", error[i]);
	}
}

static void polynomials(void)
{
	static const double inic[] = {2.121071e-7, -1.279286e-6, -4.2860e-4}, mult[] = {3.411109e-7, 2.627687e-5, -9.383502e-3, 0.6398984};
	static const int digits[] = {7, 7, 5}, mult_digits[] = {7, 7, 7, 7};
	const struct fit_options poly = {.kind = FIT_POLY, .weights = FIT_EQUAL};
	struct fit f = fitted(n_only, 1, sizes, t_inic, 5, poly);

	coefficients_are(&f, inic, digits, 3, "T_inic");
	models_are(&f, t_inic, inic_model, inic_error, "T_inic");
	fit_release(&f);
	f = fitted(n_only, 1, sizes, t_mult, 5, poly);
	coefficients_are(&f, mult, mult_digits, 4, "T_mult");
	models_are(&f, t_mult, mult_model, mult_error, "T_mult");
	fit_release(&f);
	f = fitted(n_only, 1, sizes, t_mult, 5, (struct fit_options){.weights = FIT_EQUAL, .degree = 3});
	coefficients_are(&f, mult, mult_digits, 4, "the polynomial of degree 3");
	is_int(f.kind, FIT_POLY, "a degree asks for a polynomial");
	fit_release(&f);
}

/* Both parts and their sum: the published formula of the whole program. */
static void sum_of_parts(void)
{
	static const double n[] = {100, 200, 250, 300, 400, 450, 500};
	static const double measured[] = {.316625, 2.785438, 5.326959, 9.47386, 23.52449, 32.80233, 45.87755};
	static const double model[] = {.307599, 2.551355, 5.279105, 9.418468, 22.95536, 32.86457, 45.20871};
	static const double error[] = {-2.85, -8.40, -0.90, -0.58, -2.42, 0.19, -1.46};
	const struct fit_options poly = {.kind = FIT_POLY, .weights = FIT_EQUAL};
	struct fit inic = fitted(n_only, 1, sizes, t_inic, 5, poly), mult = fitted(n_only, 1, sizes, t_mult, 5, poly);

	for (int i = 0; i < 7; i++) {
		double formula = 3.41e-7 * pow(n[i], 3) + 2.65e-5 * n[i] * n[i] - 9.39e-3 * n[i] + 0.64, rest = model[i] - at(&inic, n[i]) - at(&mult, n[i]);

		ok(fabs(formula - model[i]) < 0.0145, "the printed formula at %.0f: %.6f s", n[i], model[i]);
		ok(fabs((model[i] - measured[i]) / measured[i] * 100 - error[i]) < 0.0101, "its error: %.2f %%", error[i]);
		ok(rest > 0.0003 && rest < 0.0007, "what is in it besides the parts takes no message's time (%.4f s)", rest);
	}
	fit_release(&inic);
	fit_release(&mult);
}

static void by_default(void)
{
	const double thousand = 1000;
	struct fit_value v;
	struct fit f = fitted(n_only, 1, sizes, t_mult, 5, (struct fit_options){0});
	struct out out;

	is_int(f.terms, 1, "T_mult is one term");
	printed(f.term[0].coefficient, 4.163604e-8, 7, "T_mult = c n^3 log2 n");
	out_init(&out);
	fit_term_expression(&f, &f.term[0], &out);
	is_str(out.text, "n^3*log2(n)", "which is what is printed");
	out_release(&out);
	printed(f.error * 100, 3.1, 2, "its loo");
	printed(f.max_error * 100, 4.4, 2, "its worst error");
	fit_at(&f, &thousand, &v);
	printed(v.value, 414.936, 6, "at 1000");
	printed(v.low, 347.063, 6, "at least");
	printed(v.high, 440.580, 6, "at most");
	is_double(v.extrapolation, 2, 0, "which is twice the largest n");
	fit_release(&f);

	f = fitted(n_only, 1, sizes, t_inic, 5, (struct fit_options){0});
	printed(f.term[0].coefficient, 2.407661e-8, 7, "T_inic = c n^2 log2 n");
	printed(f.error * 100, 4.3, 2, "its loo");
	printed(f.max_error * 100, 5.3, 2, "its worst error");
	fit_at(&f, &thousand, &v);
	printed(v.value, 0.239942, 6, "at 1000");
	printed(v.low, 0.195332, 6, "at least");
	printed(v.high, 0.291320, 6, "at most");
	fit_release(&f);
}

/* ---- rules ---- */

static void lines(void)
{
	static const double x[] = {1000, 2000, 3000, 4000}, y[] = {3e-6, 4e-6, 5e-6, 6e-6};
	static const double three[] = {3, 6}, squares[] = {.00063, .00252};
	struct fit f = fitted(bytes_only, 1, x, y, 4, (struct fit_options){0});
	struct out out;

	is_int(f.pieces, 1, "a line is one segment");
	is_double(f.piece[0].a, 2e-6, 1e-15, "of 2 us");
	is_double(f.piece[0].b, 1e-9, 1e-18, "and 1 ns a byte");
	fit_release(&f);
	f = fitted(n_only, 1, three, squares, 2, (struct fit_options){0});
	is_int(f.terms, 1, "two points show one term");
	is_double(f.term[0].coefficient, 7e-5, 1e-15, "7e-5");
	out_init(&out);
	fit_term_expression(&f, &f.term[0], &out);
	is_str(out.text, "n^2", "times n^2");
	out_release(&out);
	fit_release(&f);
}

/* Where cuts cost the same, which they do where nothing but rounding is left, the one whose pieces end first is
 * taken. */
static void ties(void)
{
	double x[10], y[10], worst = 0;
	int early = 0;
	struct fit f;

	for (int slope = 1; slope < 20; slope++) {
		for (int i = 0; i < 10; i++) {
			x[i] = 0.1 * (i + 1);
			y[i] = 0.7 + 0.3 * slope * x[i];
		}
		f = fitted(bytes_only, 1, x, y, 10, (struct fit_options){.segments = 3});
		early += f.piece[0].points == 3 && f.piece[1].points == 3 && f.piece[2].points == 4;
		worst = fmax(worst, fabs(f.cut->criterion[0].bic - f.cut->criterion[1].bic + 5 * log(10)));
		fit_release(&f);
	}
	is_int(early, 19, "lines in three pieces: the first ends are as early as they can be");
	ok(worst < 1e-9, "and a piece more costs 5 ln m");
	f = fitted(bytes_only, 1, x, y, 10, (struct fit_options){0});
	is_int(f.pieces, 1, "so it is one piece");
	fit_release(&f);
}

static double law(int which, double n)
{
	switch (which) {
	case 0: return 12 + 6 * n;
	case 1: return 3 * n;
	case 2: return 0.001 * n * log2(n);
	case 3: return n * n * n + n * n;
	default: return 2 * n - 3;
	}
}

static void planted(void)
{
	static const double doubling[] = {16, 32, 64, 128}, three[] = {5, 10, 20}, there[] = {1548, 768, 2.048, 16842752, 509};
	static const char *const terms[][2] = {{"n", ""}, {"n"}, {"n*log2(n)"}, {"n^3", "n^2"}, {"n", ""}};
	static const double coefficients[][2] = {{6, 12}, {3}, {0.001}, {1, 1}, {2, -3}};
	static const uint32_t count[] = {2, 1, 1, 2, 2};

	for (int i = 0; i < 5; i++) {
		const double *n = i < 4 ? doubling : three, far = 256;
		double y[4];
		struct fit_value v;
		struct fit f;

		for (int k = 0; k < (i < 4 ? 4 : 3); k++)
			y[k] = law(i, n[k]);
		f = fitted(n_only, 1, n, y, i < 4 ? 4 : 3, (struct fit_options){0});
		is_int(f.terms, count[i], "law %d has %u terms", i, count[i]);
		for (uint32_t k = 0; k < count[i] && k < f.terms; k++) {
			struct out out;

			out_init(&out);
			fit_term_expression(&f, &f.term[k], &out);
			is_str(out.text ? out.text : "", terms[i][k], "term %u of law %d", k + 1, i);
			out_release(&out);
			is_double(f.term[k].coefficient, coefficients[i][k], 1e-9 * fabs(coefficients[i][k]), "and its coefficient");
		}
		fit_at(&f, &far, &v);
		is_double(v.value, there[i], 1e-9 * there[i], "at 256");
		ok(v.high - v.low <= 4.1e-9 * there[i] && v.low <= there[i] && there[i] <= v.high, "with an interval of no width");
		fit_release(&f);
	}
}

static void few_points(void)
{
	static const double x[] = {7, 8, 9}, y[] = {5, 5, 5.000000001}, far = 700;
	struct fit f = fitted(n_only, 1, x, y, 1, (struct fit_options){0});
	struct fit_value v;

	ok(f.terms == 1 && f.term[0].coefficient == 5 && !f.term[0].form.factors, "one point is a constant");
	ok(f.error == 0 && isnan(f.term[0].half_width), "with the error 0 and no half width");
	fit_at(&f, &far, &v);
	ok(v.value == 5 && v.low == 5 && v.high == 5 && v.extrapolation == 100, "everywhere");
	fit_release(&f);
	f = fitted(n_only, 1, x, y, 3, (struct fit_options){0});
	ok(f.terms == 1 && !f.term[0].form.factors && f.error == 0, "so are values that are all the same");
	fit_release(&f);
	f = fitted(bytes_only, 1, x, y, 1, (struct fit_options){.kind = FIT_PIECES, .segments = 1});
	ok(f.pieces == 1 && f.piece[0].a == 5 && f.piece[0].coefficients == 1 && isnan(f.error), "a piece of one point is a constant, its error not known");
	fit_at(&f, &far, &v);
	ok(v.value == 5 && isnan(v.low) && isnan(v.high), "nor how sure it is");
	fit_release(&f);
	f = fitted(bytes_only, 1, x, (double[]){1, 2, 4}, 2, (struct fit_options){0});
	ok(f.pieces == 1 && isnan(f.error) && fabs(f.piece[0].b - 1) < 1e-12 && isnan(f.piece[0].half_b), "two points are a line, its error not known");
	fit_release(&f);
}

int main(void)
{
	messages_as_published();
	messages_by_default();
	polynomials();
	sum_of_parts();
	by_default();
	lines();
	ties();
	planted();
	few_points();
	return done_testing();
}
