/* Fits: points as a function of their parameters, by one law for all that is fitted (docs/models.md 2 to 4).
 *
 *     struct fit_points points = measured_set_points(&set);
 *     fit_make(&fit, &points, &(struct fit_options){.kind = FIT_AUTO}, job, &e);
 *     fit_at(&fit, (double[]){1024}, &v);                    value and interval anywhere
 *     fit_release(&fit);
 *
 * A fit is terms (a form) or, for messages, pieces. With it are kept all forms that the points do not speak against:
 * the interval of a value is the hull of theirs, so it knows the doubt about the form besides the noise.
 *
 * Errors are fractions, (model - measured) / measured. Its texts are the points' and end with them; all else is its
 * own.
 */
#ifndef PAS2P_FIT_H
#define PAS2P_FIT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base/err.h"
#include "core/base/job.h"
#include "form.h"
#include "measurements.h"
#include "pieces.h"

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
	FIT_DEFAULT,  /* pieces where `bytes` is the only parameter, else all forms */
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
enum err_code fit_make(struct fit *f, const struct fit_points *points, const struct fit_options *o, const struct job *job, struct err *e);
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

#endif
