/* Fits: points as a function of their parameters, by one law for all that is fitted (docs/explain/fits.md, "Least
 * squares", "Lines in pieces" and "Sums of terms").
 *
 *     struct fit_points points = measured_set_points(&set);
 *     fit_make(&fit, &points, &(struct fit_options){.kind = FIT_AUTO}, progress, &e);
 *     fit_at(&fit, (double[]){1024}, &v);                    value and interval anywhere
 *     fit_release(&fit);
 *
 * A fit is terms (a form) or, for messages, pieces. With it are kept all forms that the points do not speak against:
 * the interval of a value is the hull of theirs, so it knows the doubt about the form besides the noise.
 *
 * Errors are fractions, (model - measured) / measured. Its texts are the points' and end with them; all else is its
 * own.
 */
#ifndef PAS2P_CORE_MODELS_FIT_FIT_H
#define PAS2P_CORE_MODELS_FIT_FIT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base/err.h"
#include "core/base/progress.h"
#include "measurements.h"
#include "core/io/out.h"
#include "core/table/rows.h"
#include "core/metrics/calls/log.h"

/* ---- pieces ---- */

/* Pieces: points of one parameter as lines, one after the other, that need not meet (docs/explain/fits.md, "Lines in
 * pieces").
 *
 * Where one line ends and the next begins is chosen by dynamic programming over all ways to cut the points; how many
 * there are by the least criterion: m ln(RSS/m) + (5k - 3) ln m. Either may be given instead. More than 4096 points are
 * joined, neighbour by neighbour, while cuts are looked for; lines are always fitted to the points themselves.
 */

#define PIECES_MOST 64      /* that may be asked for */
#define PIECES_CHOSEN 8     /* that are chosen at most */
#define PIECES_LEAST 3      /* points of a piece */

struct pieces_cut {
	uint32_t count;
	uint32_t end[PIECES_MOST + 1];      /* per piece: number of the point after its last one */
	uint32_t criteria;                  /* how many are known */
	struct {
		uint32_t pieces;
		double bic;
	} criterion[PIECES_MOST + 1];
};

/* x ascending; root[i]: the square root of point i's weight. pieces 0: as many as the criterion wants.
 * ERR_USAGE: there are not three points for each of the pieces that are asked for. */
enum err_code pieces_cut(struct pieces_cut *cut, const double *x, const double *y, const double *root, uint32_t points, uint32_t pieces,
			 const struct progress *progress, struct err *e);
/* At given places instead, ascending: a point at a place is left of it. unit: what x and places were divided by, for
 * the sentence. ERR_USAGE: no point lies between two of them. */
enum err_code pieces_cut_at(struct pieces_cut *cut, const double *x, const double *y, const double *root, uint32_t points,
			    const double *at, uint32_t count, double unit, struct err *e);

struct piece_line {
	double a, b;             /* a + b x */
	double half_a, half_b;   /* of their 95 % intervals; NAN: as many points as coefficients */
	double rss, lost;        /* weighted squares: of the residuals; of residuals over 1 - leverage, infinite if a leverage is 1 */
};

/* The line through points [0, points): a constant if there is one alone. */
struct piece_line pieces_line(const double *x, const double *y, const double *root, uint32_t points);

/* ---- form ---- */

/* Forms: what a fit may look like (docs/explain/fits.md, "Sums of terms").
 *
 * A form is a sum of terms c h; each h is 1 or a product over one or two parameters of x^i log2(x)^j, where i is a
 * fraction. So terms are exact: "x^(2/3)" is two thirds, and no rounding decides which of two forms is the simpler.
 */

#define FORM_TERMS 4     /* of a candidate at most */
#define FORM_DEGREE 12   /* of a polynomial that is asked for */
#define FORM_COLUMNS (FORM_DEGREE + 1)  /* its terms */

/* x^(top / bottom) log2(x)^logs */
struct form_power {
	int8_t top;
	uint8_t bottom, logs;
};

/* 1, a power of one parameter, or the product of two of different parameters. */
struct form_term {
	uint8_t factors;
	struct {
		uint8_t parameter;
		struct form_power power;
	} factor[2];
};

/* The value at x, of which it reads the parameters that it has. NAN or infinite: it is not defined there. */
double form_term_at(const struct form_term *t, const double *x);
double form_power_at(struct form_power p, double x);

bool form_term_same(const struct form_term *a, const struct form_term *b);

/* The short list of powers, of which sums of two and products are made. */
#define FORM_FEW 13
int form_power_few(struct form_power p);            /* its place in the list; -1: it is not in it */
struct form_power form_few(int place);

/* The simplicity of a form: it decides between forms that fit about equally well, in this order. */
struct form_weight {
	uint8_t terms, parameters, unusual; /* unusual: powers that are not of the short list */
	uint32_t size;                      /* sum of |i| + j/2 of all factors, in twelfths */
};
struct form_weight form_weight_of(const struct form_term *terms, uint32_t count);
int form_weight_compare(const struct form_weight *a, const struct form_weight *b); /* negative: a is the simpler */

enum form_family { FORM_ALL, FORM_POWER, FORM_POLY };

/* All candidates of a family, one after the other, in an order that decides what nothing else does. */
struct form_walk {
	enum form_family family;
	const uint8_t *parameter;  /* those that take part */
	uint32_t parameters;
	uint32_t stage, a, b, i, j, k; /* where it is: parameters, powers, which sum of them */
};

struct form {
	uint32_t count;
	struct form_term term[FORM_TERMS];
};

void form_walk_init(struct form_walk *w, enum form_family family, const uint8_t *parameter, uint32_t parameters);
bool form_walk_next(struct form_walk *w, struct form *f); /* false: there is none left */

/* 1, x, ... x^degree. */
void form_polynomial(uint8_t parameter, uint32_t degree, struct form_term terms[FORM_COLUMNS]);

/* ---- fit ---- */

#define FIT_PARAMETERS 8  /* that vary at most */

/* Points, each once whatever its repetitions, in any order; of finite numbers. */
struct fit_points {
	const char *const *parameter;  /* names */
	uint32_t parameters, count;
	const double *at;              /* [point][parameter] */
	const double *value;           /* [point] */
};
struct fit_points measured_set_points(const struct measured_set *s);

enum fit_kind {
	FIT_DEFAULT,  /* pieces where `bytes` is the only parameter, otherwise all forms */
	FIT_PIECES,
	FIT_POWER,    /* products of powers and logarithms, and sums of them */
	FIT_POLY,     /* the constant, and whole polynomials of degree 1 to 3 */
	FIT_AUTO      /* both: a form */
};
enum fit_weights { FIT_RELATIVE, FIT_EQUAL };

struct fit_options {
	enum fit_kind kind;
	enum fit_weights weights;
	uint32_t segments;       /* as many pieces; 0: as many as their criterion wants */
	const double *breaks;    /* where pieces end, ascending; NULL: where their criterion wants */
	uint32_t break_count;
	uint32_t degree;         /* that polynomial, without a choice; 0: chosen */
};

struct fit_term {
	struct form_term form;
	double coefficient, half_width; /* NAN: as many points as coefficients */
};

struct fit_piece {
	double from, to;         /* holds behind `from`, up to and with `to`; the first from `from` on */
	uint32_t points;
	uint32_t coefficients;   /* 2; 1: a constant, b is 0 */
	double a, b;             /* a + b x */
	double half_a, half_b;   /* NAN: as many points as coefficients */
};

/* A form that may be as true as the chosen one: terms [first, first + count) of `maybe`. */
struct fit_form {
	uint32_t first, count;
	double error;
};
struct fit_maybe {
	struct form_term form;
	double coefficient;
};

struct fit {
	const char *const *parameter;    /* the points' */
	uint32_t parameters, points;
	enum fit_kind kind;              /* what was fitted: never FIT_DEFAULT */
	enum fit_weights weights;        /* FIT_EQUAL also where a value is not above 0 */
	bool weights_fell_back;          /* and that is not what was asked for */
	bool positive;                   /* all values are above 0 */
	double *low, *high;              /* per parameter: the points' range */
	double error;                    /* to be expected at a point that was not measured (E, "loo"); NAN: the points do not say */
	double mean_error, max_error;    /* of abs((model - measured) / measured); NAN: all that was measured is 0 */

	struct fit_term *term;           /* of a form, the largest first */
	uint32_t terms;
	struct fit_form *form;           /* the admissible ones, the chosen one among them, in the order of the page */
	uint32_t forms;
	struct fit_maybe *maybe;

	struct fit_piece *piece;         /* of pieces */
	uint32_t pieces;
	uint32_t along;                  /* the parameter that they are of */
	struct pieces_cut *cut;          /* with the criteria */
};

/* ERR_USAGE: the options ask for what the points do not allow. */
enum err_code fit_make(struct fit *f, const struct fit_points *points, const struct fit_options *o, const struct progress *progress, struct err *e);
void fit_release(struct fit *f);

struct fit_value {
	double value;          /* NAN: not defined there */
	double low, high;      /* NAN: how sure it is is not known */
	double extrapolation;  /* the largest factor by which a parameter leaves the points' range: 1 inside, infinite where no factor leads there */
};
void fit_at(const struct fit *f, const double *x, struct fit_value *v);
/* (model - measured) / measured; NAN: measured is 0, or the model not defined. */
double fit_off(double model, double measured);

/* What a person should be told. */
#define FIT_FAR 4          /* extrapolation beyond which a value is little more than a guess */
#define FIT_POOR 0.1       /* error beyond which a fit is poor */
static inline bool fit_is_poor(const struct fit *f)
{
	return f->error > FIT_POOR;
}

/* ---- repetitions ---- */

/* Repetitions of one measurement: which of them count, their mean, and how sure it is (docs/explain/fits.md,
 * "Measurements"; docs/internals/model-rules.md, "Measuring messages"). */

#define REPETITIONS_MOST 200 /* that are made */

struct repetitions_mean {
	uint32_t kept;      /* the others stand out: of at least five, what is further from the median than 7.413 median differences and 5 % of it */
	double mean;        /* of those that are kept; NAN: there are none */
	double half_width;  /* of the mean's 95 % interval; NAN: fewer than two are kept */
};

struct repetitions_mean repetitions_mean(const double *value, uint32_t count);

/* ---- report ---- */

/* Measurements, their fit, and its predictions for other points: the report of `pas2p fit` in all formats
 * (docs/internals/model-rules.md, "Predictions in files").
 *
 *     measurements_sets(&m, VALUE_MEAN, &sets, &e);
 *     fit_report_make(&r, "t.csv", &m, &sets, &(struct fit_options){0}, at, 1, progress, &e);
 *     fit_report_json(&r, &out, &e); ...
 */

struct fit_model {
	const struct measured_set *set;
	struct fit fit;
	struct fit_value *prediction;  /* one for each place that was asked for */
	double *at;                    /* [prediction][the fit's parameters] */
};

struct fit_report {
	const char *file;                  /* fit to be shown */
	const struct measurements *measurements;
	struct fit_model *model;           /* of each set */
	uint32_t models;
	const double *asked;               /* [place][parameter of the measurements]; NAN: nothing is said of it */
	uint32_t places;
};

/* The report's arguments must outlive it. ERR_USAGE: the options or the places ask for what the points do not allow. */
enum err_code fit_report_make(struct fit_report *r, const char *file, const struct measurements *m, const struct measured_sets *sets,
			      const struct fit_options *o, const double *asked, uint32_t places, const struct progress *progress, struct err *e);
void fit_report_release(struct fit_report *r);

/* Models, what is off at their points, and predictions, as text. */
enum err_code fit_report_print(const struct fit_report *r, struct out *out, struct err *e);
enum err_code fit_report_json(const struct fit_report *r, struct out *out, struct err *e);
/* A row per point: measured and model; where places were asked for a row a prediction instead. */
enum err_code fit_report_csv(const struct fit_report *r, const struct rows_sink *sink, const struct progress *progress, struct err *e);
/* Functions that models include. name: of the only one; NULL: the groups'. ERR_USAGE: a name was given, and there are
 * several. */
enum err_code fit_report_functions(const struct fit_report *r, const char *name, struct out *out, struct err *e);

/* What a person should know of a model besides, a sentence each. */
#define FIT_NOTE 512
typedef void fit_note(void *arg, const char *sentence);
void fit_report_notes(const struct fit_report *r, const struct fit_model *model, fit_note *note, void *arg);

const char *fit_kind_name(enum fit_kind k);        /* "pieces" */
const char *fit_weights_name(enum fit_weights w);  /* "relative" */

/* ---- trace_measures ---- */

/* Measurements out of traces: what messages and collectives took in runs that were recorded, as rows of op, where,
 * bytes, p and seconds (docs/internals/model-rules.md, "Measuring messages").
 *
 *     trace_measures_init(&r, &e);
 *     trace_measures_add(&r, log, progress, &e);  for each run
 *     trace_measures_take(&r, &m, &e);            m is initialised by it: groups "send intra", parameters bytes and p
 *     r.notes                                     a sentence a line: what was left out, and why
 *     trace_measures_release(&r);
 *
 * Rows, in the order of pingpong_ops.def:
 *     send, isend   the state of the call, which makes this one send
 *     recv          from the send's stamp to the receive's, of a call that makes this one receive and in which the receiver was before the send
 *     copy          the length of a call that makes this one receive and began after the message took what `recv` fits in this run
 *     collectives   the time from the last member's entry to a member's leaving, the mean of all members; a row per instance
 *
 * where: "intra" on one host, "inter" on several; the group has no such word where a trace does not know hosts. p: 2,
 * or the communicator's size. What compares clocks of several hosts is left out of a run whose clocks' error is not
 * known, or above a tenth of the median.
 *
 * Memory: a point (an op at some bytes and p) keeps at most 4096 rows, spread evenly over all that there are.
 */

#define TRACE_ROWS_ENOUGH 30 /* of a group: fewer are told, and not taken */
#define TRACE_CLOCKS_SHARE 0.1 /* of the median: clocks may be off so much */

struct trace_point;

struct trace_points {
	struct trace_point *list;
	uint32_t count;
	size_t cap;
	struct map *by_key;
};

struct trace_measures {
	struct trace_points points;
	struct out notes;
};

enum err_code trace_measures_init(struct trace_measures *r, struct err *e);
/* ERR_MEMORY, ERR_CANCELLED, ERR_LIMIT. The log is needed no longer. */
enum err_code trace_measures_add(struct trace_measures *r, const struct call_log *log, const struct progress *progress, struct err *e);
/* ERR_FORMAT: there is no group with rows enough. */
enum err_code trace_measures_take(struct trace_measures *r, struct measurements *m, struct err *e);
void trace_measures_release(struct trace_measures *r);

#endif
