/* The bounds of a program's time as expressions: T_0, its time where nobody waits for a resource, and for each resource T_r,
 * how long it is needed divided by how many there are (docs/models.md 8, "As expressions").
 *
 *     code = bounds_make(&bounds, &in, &e);
 *     ... bounds.items[0].text: "sum_double + mpy_int + n*sum_double" ...
 *     bounds_release(&bounds);
 *
 * Expressions are in the language of models: of the model's parameters, the functions of model and machine, and the names
 * of operations. What depends on values (branches by rank, which message comes last where that cannot be said) is as it is
 * at the point. The values are evaluate()'s.
 */
#ifndef PAS2P_BOUNDS_H
#define PAS2P_BOUNDS_H

#include "evaluate.h"
#include "expression.h"

struct bound {
	const char *name;              /* T_0, T_disk, T_cpu0 */
	bool is_node;                  /* of a node's processors */
	const struct expression *x;
	const char *text;
	struct interval value;
	uint32_t nodes;                /* of a node: how many have the same, from this one on; else 1 */
};

struct bounds_name { /* of an operation that stands in expressions */
	const char *name;
	struct interval value;
};

struct bounds {
	struct arena arena;
	struct bound *items;           /* T_0, then the resources' that are needed */
	uint32_t count;
	const char *text;              /* "max(T_0, T_disk)" */
	struct interval value;         /* of T: the greatest of all */
	struct bounds_name *names;
	uint32_t name_count;
	bool partial;                  /* T_0 lacks paths that are not the longest at this point */
	struct outcome outcome;
};

/* Errors as evaluate()'s; ERR_LIMIT also where the expressions would be too long, ERR_FORMAT where there are none. */
enum err_code bounds_make(struct bounds *t, const struct evaluate_input *in, struct err *e);
void bounds_release(struct bounds *t);

#endif
