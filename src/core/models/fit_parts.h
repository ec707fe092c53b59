/* What the parts of a fit share: points that are ready to be fitted (fit.c), and the choice of a form (fit_forms.c). */
#ifndef PAS2P_FIT_PARTS_H
#define PAS2P_FIT_PARTS_H

#include "fit.h"

#define FIT_LEAST_ERROR 1e-9   /* errors are rounding below it */
#define FIT_EXACT 1e-6         /* a form with no larger error meets every point */

/* In ascending order of the parameters, so that nothing depends on the order in which they came. Values are divided by
 * a power of two near the largest, which changes no digit of them. */
struct fit_work {
	uint32_t parameters, points;
	double *at;              /* [point][parameter] */
	double *value;           /* scaled */
	double *root;            /* square roots of the weights, of scaled values */
	double *weighted;        /* root x value */
	double scale;            /* what values were divided by */
	double squares;          /* sum of the squares of `weighted` */
	bool positive, equal;    /* all values are above 0; all are the same */
	uint8_t varies[FIT_PARAMETERS];  /* parameters that vary */
	uint32_t varying;
	const struct job *job;
};

/* The simplest of the forms that fit well, and all that may be as true. FORM_ALL, FORM_POWER or FORM_POLY. */
enum err_code fit_forms(struct fit *f, const struct fit_work *w, enum form_family family, struct err *e);
/* That polynomial. ERR_USAGE: there are too few points. */
enum err_code fit_polynomial(struct fit *f, const struct fit_work *w, uint32_t degree, struct err *e);

#endif
