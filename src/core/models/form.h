/* Forms: what a fit may look like (docs/models.md 4).
 *
 * A form is a sum of terms c h; each h is 1 or a product over one or two parameters of x^i log2(x)^j, where i is a
 * fraction. So terms are exact: "x^(2/3)" is two thirds, and no rounding decides which of two forms is the simpler.
 */
#ifndef PAS2P_FORM_H
#define PAS2P_FORM_H

#include <stdbool.h>
#include <stdint.h>

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

/* How simple a form is: what decides between those that fit about as well, in this order. */
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

#endif
