/* Formulas: expressions bound to the places of their values, and evaluated (docs/explain/models-language.md, "Model
 * files").
 *
 *     library_init(&l, parameters, n, lists, 2, &e);        the functions of the model, then those of the machine: the first of a name wins
 *     library_bind(&l, expression, &scope, &formula, &e);   names become places; unknown ones are errors, and wrong counts of arguments
 *     formula_run_init(&v, &l, progress, steps);                 one for each thread; no binding while it runs
 *     v.values = ...;
 *     formula_value(&v, formula, &interval, &e);            as often as wanted
 *
 * Binding is lazy: a function that nothing refers to is not looked into, so that it may call what this machine does not
 * have. The library keeps formulas in an arena of its own; expressions, names and lists must outlive it. After an error
 * of binding it can only be released.
 *
 * Evaluation is one pass over a flat array, in doubles as long as every value on the way is a point, otherwise once
 * more in intervals. Its results are finite, or it is an error (division by an interval with 0 in it, a root of
 * something below 0, too large a number). Functions call functions at most FUNCTION_DEPTH deep. Each body of a sum and
 * each call takes one of `steps` (more if it is long): when none is left it is ERR_LIMIT, so that nothing hangs; it
 * asks on the way whether to stop.
 */
#ifndef PAS2P_CORE_MODELS_LANGUAGE_FORMULA_H
#define PAS2P_CORE_MODELS_LANGUAGE_FORMULA_H

#include "core/base/index.h"
#include "core/base/progress.h"
#include "language.h"

#define FUNCTION_DEPTH 64
#define FORMULA_STEPS 100000000u /* 10^8 bodies: what a prediction may take */
#define LIBRARY_NONE UINT32_MAX

struct formula; /* immutable once bound */
struct bound_function;

struct library {
	struct arena arena;
	const char *const *parameters;
	uint32_t parameter_count;
	struct index parameters_by_name, functions_by_name;
	struct bound_function *functions; /* language_int.h */
	uint32_t function_count;
	uint32_t waiting;                 /* for being bound: a chain of functions */
	uint32_t room;                    /* of the largest formula, in values */
};

/* The meaning of names in an expression, in addition to parameters and functions. The innermost name is last and hides
 * earlier ones. */
struct scope {
	const char *const *locals; /* arguments of the block, indices of loops around */
	uint32_t local_count;
	bool rank;                 /* whether there is one */
};

/* The values of the names, in their order. */
struct formula_values {
	const struct interval *parameters;
	const struct interval *locals;
	const double *shares;      /* share(r) by rank; NULL: one process's is 1 / processes */
	uint32_t processes;
	uint32_t rank;
};

struct formula_run {
	struct formula_values values;
	const struct library *library;
	const struct progress *progress;
	uint64_t steps;            /* left */
	struct interval *stack;    /* grown when it is needed */
	double *points;
	uint32_t room;             /* of both */
	uint32_t depth;            /* of functions */
	double *parts;             /* of `parted` tasks, by rank, as part() last had them; NULL: not yet */
	double parted;
};

/* `lists` are looked at in order; the library's parameters are what every expression knows. */
enum err_code library_init(struct library *l, const char *const *parameters, uint32_t parameter_count,
			   const struct expression_functions *const *lists, uint32_t list_count, struct err *e);
void library_release(struct library *l);

/* The number of a function for function_value(), LIBRARY_NONE if there is none of the name. */
uint32_t library_find(const struct library *l, const char *name);
const struct function *library_function(const struct library *l, uint32_t function);
/* Binds a function that is called by number alone, and what it needs. */
enum err_code library_use(struct library *l, uint32_t function, struct err *e);
enum err_code library_bind(struct library *l, const struct expression *x, const struct scope *scope,
			   const struct formula **f, struct err *e);

/* Whether the name occurs in x only under + - *, division by what does not name it, and whole powers >= 0, also
 * through functions of one piece and in the bounds of sums: then the value is a polynomial in it wherever the sums'
 * ends are whole. */
bool library_polynomial(const struct library *l, const struct expression *x, const char *name);

void formula_run_init(struct formula_run *v, const struct library *l, const struct progress *progress, uint64_t steps);
void formula_run_release(struct formula_run *v);

enum err_code formula_value(struct formula_run *v, const struct formula *f, struct interval *value, struct err *e);
/* For a function that was used or is called by some bound formula. n must be its number of arguments. */
enum err_code function_value(struct formula_run *v, uint32_t function, const struct interval *arguments, uint32_t n,
			     struct interval *value, struct err *e);

/* Takes n steps from what is left, for bodies that the caller runs: ERR_LIMIT when there are none, ERR_CANCELLED when
 * the caller says stop. */
enum err_code formula_step(struct formula_run *v, uint64_t n, const struct place *at, struct err *e);

/* The value of an expression without names: numbers of a document that must be known when it is read. */
enum err_code expression_constant(const struct expression *x, struct interval *value, struct err *e);

#endif
