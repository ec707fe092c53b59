/* What the documents of models and of machines have in common: expressions in YAML, names with arguments, functions.
 *
 * A value is a scalar with an expression, or a list of two, which is an interval as it is within expressions. All that
 * is made lies in the arena; the YAML tree may go. Every mistake is ERR_FORMAT with file, line, and column if there is
 * one.
 */
#ifndef PAS2P_CORE_MODELS_LANGUAGE_MODEL_DOCUMENT_H
#define PAS2P_CORE_MODELS_LANGUAGE_MODEL_DOCUMENT_H

#include "core/io/yaml_in.h"
#include "language.h"

#define MODEL_FILE_MOST (4u << 20) /* bytes of a file */

struct model_document {
	struct arena *arena;
	const struct yaml_in *yaml;
	const char *file; /* safe, in the arena */
	struct err *e;
};

struct place document_place(const struct model_document *d, const struct yaml_node *n);
struct place document_key_place(const struct model_document *d, const struct yaml_node *n);

enum err_code document_fail(const struct model_document *d, const struct yaml_node *n, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
enum err_code document_fail_key(const struct model_document *d, const struct yaml_node *n, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

/* "... expected WHAT, found a list": what stands there, a scalar by its text. */
enum err_code document_expected(const struct model_document *d, const struct yaml_node *n, const char *what);

/* Whether it is a mapping whose keys are all among those, which end with NULL: "unknown key 'x' in WHAT; keys are to,
 * bytes, tag". */
enum err_code document_keys(const struct model_document *d, const struct yaml_node *map, const char *what,
			    const char *const *keys);

enum err_code document_expression(const struct model_document *d, const struct yaml_node *n,
				  const struct expression **x);
/* Whether a node may be an expression: a scalar, or two scalars in a list. */
bool document_is_expression(const struct yaml_node *n);
/* One without names, and its value. */
enum err_code document_constant(const struct model_document *d, const struct yaml_node *n, struct interval *value);

/* A copy of a text that is fit to be shown. */
enum err_code document_text(const struct model_document *d, const struct yaml_node *n, const char **text);
/* A word that may be a name (of a parameter, an index, a resource: what), copied; text is of n or n's key. */
enum err_code document_name(const struct model_document *d, const struct place *at, const char *text,
			    const char *what, const char **name);

/* The key of a function or block: NAME(ARGUMENT, ...). */
struct model_signature {
	const char *name;
	const char **arguments;
	uint32_t count;
};

enum err_code document_signature(const struct model_document *d, const struct yaml_node *n, const char *what,
				 struct model_signature *s);

/* The mapping under `functions`, in its order. */
enum err_code document_functions(const struct model_document *d, const struct yaml_node *map,
				 struct expression_functions *functions);

#endif
