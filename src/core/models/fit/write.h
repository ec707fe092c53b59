/* Fits as files have them (docs/internals/model-rules.md, "Predictions in files"): one shape wherever a fitted model
 * stands, and functions that models include. */
#ifndef PAS2P_CORE_MODELS_FIT_WRITE_H
#define PAS2P_CORE_MODELS_FIT_WRITE_H

#include "core/io/out.h"
#include "core/io/tree_out.h"
#include "fit.h"

/* "1.9e-08*n*log2(n) + 3*p^(-1)", "{65536: 2e-06 + 1e-09*bytes, inf: ...}" in the language of models, with digits that
 * read back to the same numbers. Parameters are named as functions' arguments are (fit_name()). */
void fit_expression(const struct fit *f, struct out *out);

/* What a term's coefficient is multiplied with: "n*log2(n)"; nothing for a constant. */
void fit_term_expression(const struct fit *f, const struct fit_term *t, struct out *out);

/* A parameter or group as a name in the language: letters, digits and _, not beginning with a digit; "" becomes
 * `otherwise`. */
void fit_name(const char *name, const char *otherwise, struct out *out);

/* Into the mapping that is open: parameters, points, expression, terms or segments and criteria, loo, error. */
void fit_tree(const struct fit *f, struct tree_out *t);

/* Functions for models: `pas2p_functions: 1` and one function a fit, which is named by `names`. */
enum err_code fit_functions(struct out *out, const struct fit *const *fits, const char *const *names, uint32_t count, struct err *e);

#endif
