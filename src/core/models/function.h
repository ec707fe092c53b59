/* Functions of models and machines: a name, arguments, and an expression over them, or several by the first argument's
 * size (docs/models.md 6 and 7).
 *
 *     T_inic(n): 2.12e-7*n^2 - 1.27e-6*n - 0.00043
 *     send(b): {65536: 0.0879182us*b - 82.0523us, inf: 0.0849931us*b + 2065.49us}     up to 65536 inclusive the first
 *
 * A function knows its arguments and the parameters, nothing else. Which functions there are is one list of a document;
 * formula.h binds the lists of model and machine together.
 */
#ifndef PAS2P_FUNCTION_H
#define PAS2P_FUNCTION_H

#include "expression.h"

struct function_piece {
	double most; /* holds to there, inclusive; the last one's is INFINITY */
	const struct expression *value;
};

struct function {
	const char *name;
	const char *const *arguments;
	uint32_t argument_count;
	uint32_t piece_count; /* at least 1; by the first argument if there is more than one */
	const struct function_piece *pieces; /* ascending */
	struct place at;
};

struct expression_functions {
	struct function *items;
	uint32_t count;
};

#endif
