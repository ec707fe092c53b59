#include "model_document.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "core/base/text.h"
#include "formula.h"

struct place document_place(const struct model_document *d, const struct yaml_node *n)
{
	return (struct place){.file = d->file, .line = n->line, .column = n->column};
}

struct place document_key_place(const struct model_document *d, const struct yaml_node *n)
{
	return (struct place){.file = d->file, .line = n->key_line, .column = n->key_column};
}

enum err_code document_fail(const struct model_document *d, const struct yaml_node *n, const char *fmt, ...)
{
	char what[ERR_TEXT];
	va_list args;

	va_start(args, fmt);
	vsnprintf(what, sizeof what, fmt, args);
	va_end(args);
	return err_set(d->e, ERR_FORMAT, "%s: line %u: %s", d->file, n->line, what);
}

enum err_code document_fail_key(const struct model_document *d, const struct yaml_node *n, const char *fmt, ...)
{
	char what[ERR_TEXT];
	va_list args;

	va_start(args, fmt);
	vsnprintf(what, sizeof what, fmt, args);
	va_end(args);
	return err_set(d->e, ERR_FORMAT, "%s: line %u: %s", d->file, n->key_line, what);
}

enum err_code document_expected(const struct model_document *d, const struct yaml_node *n, const char *what)
{
	char safe[64];

	if (n->kind != YAML_SCALAR)
		return document_fail(d, n, "expected %s, found %s", what, yaml_kind_name(n));
	if (yaml_is_null(n))
		return document_fail(d, n, "expected %s, found nothing", what);
	return document_fail(d, n, "expected %s, found '%s'", what,
			     text_safe(safe, sizeof safe, n->text, SIZE_MAX, TEXT_UTF8));
}

static bool stands_in(const char *const *keys, const char *key)
{
	for (; *keys; keys++)
		if (!strcmp(*keys, key))
			return true;
	return false;
}

enum err_code document_keys(const struct model_document *d, const struct yaml_node *map, const char *what,
			    const char *const *keys)
{
	char list[256] = "", safe[64], expected[ERR_TEXT];
	size_t len = 0;

	for (size_t i = 0; keys[i] && len < sizeof list; i++)
		len += (size_t)snprintf(list + len, sizeof list - len, "%s%s", i ? ", " : "", keys[i]);
	if (map->kind != YAML_MAP) {
		snprintf(expected, sizeof expected, "%s, as a mapping of %s", what, list);
		return document_expected(d, map, expected);
	}
	for (const struct yaml_node *n = map->first; n; n = n->next)
		if (!stands_in(keys, n->key))
			return document_fail_key(d, n, "unknown key '%s' in %s: expected one of %s",
						 text_safe(safe, sizeof safe, n->key, SIZE_MAX, TEXT_UTF8), what, list);
	return ERR_OK;
}

bool document_is_expression(const struct yaml_node *n)
{
	return n->kind == YAML_SCALAR ||
	       (n->kind == YAML_LIST && n->count == 2 && n->first->kind == YAML_SCALAR && n->first->next->kind == YAML_SCALAR);
}

enum err_code document_expression(const struct model_document *d, const struct yaml_node *n,
				  const struct expression **x)
{
	const struct expression *a = NULL, *b = NULL;
	enum err_code code;

	if (!document_is_expression(n) || (n->kind == YAML_SCALAR && yaml_is_null(n)))
		return document_expected(d, n, "an expression");
	if (n->kind == YAML_SCALAR)
		return expression_parse(d->arena, n->text, document_place(d, n), x, d->e);
	code = document_expression(d, n->first, &a);
	if (!code)
		code = document_expression(d, n->first->next, &b);
	if (code)
		return code;
	*x = expression_interval(d->arena, a, b);
	return *x ? ERR_OK : err_memory(d->e, "an expression");
}

enum err_code document_constant(const struct model_document *d, const struct yaml_node *n, struct interval *value)
{
	const struct expression *x;
	enum err_code code = document_expression(d, n, &x);

	return code ? code : expression_constant(x, value, d->e);
}

enum err_code document_text(const struct model_document *d, const struct yaml_node *n, const char **text)
{
	char safe[256];

	if (n->kind != YAML_SCALAR || yaml_is_null(n))
		return document_expected(d, n, "a text");
	text_safe(safe, sizeof safe, n->text, SIZE_MAX, TEXT_UTF8);
	*text = arena_strndup(d->arena, safe, strlen(safe));
	return *text ? ERR_OK : err_memory(d->e, "a text");
}

static enum err_code check_name(const struct model_document *d, const struct place *at, const char *text, size_t n,
				const char *what,
				const char **name)
{
	char safe[64];

	if (!expression_is_name(text, n))
		return place_err(at, ERR_FORMAT, d->e,
				 "'%s' cannot be the name of %s: expected letters, digits and _, without a digit first",
				 text_safe(safe, sizeof safe, text, n, TEXT_UTF8), what);
	*name = arena_strndup(d->arena, text, n);
	if (!*name)
		return err_memory(d->e, "a name");
	if (expression_is_reserved(*name))
		return place_err(at, ERR_FORMAT, d->e, "'%s' cannot be the name of %s: it is a word of the language",
				 text_safe(safe, sizeof safe, text, n, TEXT_UTF8), what);
	return ERR_OK;
}

enum err_code document_name(const struct model_document *d, const struct place *at, const char *text,
			    const char *what, const char **name)
{
	return check_name(d, at, text, strlen(text), what, name);
}

static size_t without_blanks(const char **text, const char *end)
{
	while (*text < end && **text == ' ')
		++*text;
	while (end > *text && end[-1] == ' ')
		end--;
	return (size_t)(end - *text);
}

static enum err_code add_argument(const struct model_document *d, const struct place *at, const char *text,
				  const char *end, struct model_signature *s)
{
	size_t n = without_blanks(&text, end);
	enum err_code code;

	if (s->count == EXPRESSION_ARGUMENTS)
		return place_err(at, ERR_LIMIT, d->e, "%s has more than %d arguments", s->name, EXPRESSION_ARGUMENTS);
	code = check_name(d, at, text, n, "an argument", &s->arguments[s->count]);
	if (code)
		return code;
	for (uint32_t i = 0; i < s->count; i++)
		if (!strcmp(s->arguments[i], s->arguments[s->count]))
			return place_err(at, ERR_FORMAT, d->e, "%s has the argument '%s' "
					 "twice", s->name, s->arguments[i]);
	s->count++;
	return ERR_OK;
}

enum err_code document_signature(const struct model_document *d, const struct yaml_node *n, const char *what,
				 struct model_signature *s)
{
	struct place at = document_key_place(d, n);
	const char *name = n->key, *open = strchr(name, '('), *end = name + strlen(name), *argument;
	char safe[64];
	enum err_code code;

	while (end > name && end[-1] == ' ')
		end--;
	if (!open || end == name || end[-1] != ')')
		return place_err(&at, ERR_FORMAT, d->e, "expected the name and arguments of %s, such as f(n), found "
				 "'%s'", what,
				 text_safe(safe, sizeof safe, name, SIZE_MAX, TEXT_UTF8));
	*s = (struct model_signature){.count = 0};
	code = check_name(d, &at, name, without_blanks(&name, open), what, &s->name);
	if (code)
		return code;
	s->arguments = arena_alloc(d->arena, EXPRESSION_ARGUMENTS * sizeof *s->arguments);
	if (!s->arguments)
		return err_memory(d->e, "arguments");
	argument = open + 1;
	end--;
	if (!without_blanks(&argument, end))
		return ERR_OK;
	for (const char *comma; !code && (comma = memchr(argument, ',', (size_t)(end - argument))); argument = comma + 1)
		code = add_argument(d, &at, argument, comma, s);
	return code ? code : add_argument(d, &at, argument, end, s);
}

/* To where a piece holds, by its key. */
static enum err_code read_most(const struct model_document *d, const struct yaml_node *n, double *most)
{
	struct place at = document_key_place(d, n);
	const struct expression *x;
	struct interval value = {0, 0};
	enum err_code code;

	if (!strcmp(n->key, "inf")) {
		*most = INFINITY;
		return ERR_OK;
	}
	code = expression_parse(d->arena, n->key, at, &x, d->e);
	if (!code)
		code = expression_constant(x, &value, d->e);
	if (!code && !interval_is_point(value))
		code = place_err(&at, ERR_FORMAT, d->e, "a piece must end at a number, not at an interval");
	if (!code)
		*most = value.lo;
	return code;
}

static enum err_code read_pieces(const struct model_document *d, const struct yaml_node *map, struct function *f)
{
	struct function_piece *pieces = arena_alloc(d->arena, map->count * sizeof *pieces);
	double before = -INFINITY;
	uint32_t i = 0;
	char safe[64];

	if (!pieces)
		return err_memory(d->e, "the pieces of a function");
	for (const struct yaml_node *n = map->first; n; n = n->next, i++) {
		enum err_code code = read_most(d, n, &pieces[i].most);

		if (code)
			return code;
		if (!(pieces[i].most > before))
			return document_fail_key(d, n, "the pieces of %s must ascend: '%s' is not above the previous "
						 "one", f->name,
						 text_safe(safe, sizeof safe, n->key, SIZE_MAX, TEXT_UTF8));
		before = pieces[i].most;
		code = document_expression(d, n, &pieces[i].value);
		if (code)
			return code;
	}
	if (!i || !isinf(before))
		return document_fail(d, map, "the last piece of %s must be 'inf'", f->name);
	if (!f->argument_count)
		return document_fail(d, map, "%s has pieces, but no argument to choose one", f->name);
	f->pieces = pieces;
	f->piece_count = i;
	return ERR_OK;
}

static enum err_code read_function(const struct model_document *d, const struct yaml_node *n, struct function *f)
{
	struct function_piece *piece;
	struct model_signature s;
	enum err_code code = document_signature(d, n, "a function", &s);

	if (code)
		return code;
	*f = (struct function){.name = s.name, .arguments = s.arguments, .argument_count = s.count,
			       .at = document_key_place(d, n)};
	if (n->kind == YAML_MAP)
		return read_pieces(d, n, f);
	piece = arena_alloc(d->arena, sizeof *piece);
	if (!piece)
		return err_memory(d->e, "a function");
	piece->most = INFINITY;
	f->pieces = piece;
	f->piece_count = 1;
	return document_expression(d, n, &piece->value);
}

static enum err_code not_twice(const struct model_document *d, const struct yaml_node *n, const struct function *f,
			       const struct expression_functions *before)
{
	for (uint32_t i = 0; i < before->count; i++)
		if (!strcmp(before->items[i].name, f->name))
			return document_fail_key(d, n, "the function '%s' is defined twice, first in line %u", f->name,
						 before->items[i].at.line);
	return ERR_OK;
}

enum err_code document_functions(const struct model_document *d, const struct yaml_node *map,
				 struct expression_functions *functions)
{
	enum err_code code = ERR_OK;

	if (map->kind != YAML_MAP)
		return document_expected(d, map, "functions, such as f(n): expression");
	functions->items = arena_alloc(d->arena, (map->count + 1) * sizeof *functions->items);
	functions->count = 0;
	if (!functions->items)
		return err_memory(d->e, "functions");
	for (const struct yaml_node *n = map->first; n && !code; n = n->next) {
		struct function *f = &functions->items[functions->count];

		code = read_function(d, n, f);
		if (!code)
			code = not_twice(d, n, f, functions);
		functions->count++;
	}
	return code;
}
