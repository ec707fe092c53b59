#include "language.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "core/base/number.h"
#include "core/base/text.h"
#include "language_int.h"

#define MOST_LEVELS 1024 /* of a tree: a row of operators goes down one level each, and trees are walked by recursion */

enum token {
	TOKEN_END,
	TOKEN_NUMBER,
	TOKEN_NAME,   /* words of the language as well */
	TOKEN_SIGN    /* an operator, a parenthesis, a comma: one or two characters */
};

struct parser {
	struct arena *arena;
	const char *text;
	struct place origin;
	struct err *e;
	unsigned nesting;

	enum token token; /* the one that is looked at */
	size_t from, to;
	double value;     /* of a number */
};

enum { LEVEL_OR = 1, LEVEL_AND, LEVEL_NOT, LEVEL_COMPARE, LEVEL_ADD, LEVEL_MUL, LEVEL_NEGATE, LEVEL_POW };

static const struct {
	const char *text;
	uint8_t kind, level;
} operators[] = {
	{"or", EXPRESSION_OR, LEVEL_OR},
	{"and", EXPRESSION_AND, LEVEL_AND},
	{"<", EXPRESSION_LESS, LEVEL_COMPARE},
	{"<=", EXPRESSION_LESS_EQUAL, LEVEL_COMPARE},
	{">", EXPRESSION_GREATER, LEVEL_COMPARE},
	{">=", EXPRESSION_GREATER_EQUAL, LEVEL_COMPARE},
	{"==", EXPRESSION_EQUAL, LEVEL_COMPARE},
	{"!=", EXPRESSION_NOT_EQUAL, LEVEL_COMPARE},
	{"+", EXPRESSION_ADD, LEVEL_ADD},
	{"-", EXPRESSION_SUB, LEVEL_ADD},
	{"*", EXPRESSION_MUL, LEVEL_MUL},
	{"/", EXPRESSION_DIV, LEVEL_MUL},
	{"^", EXPRESSION_POW, LEVEL_POW},
};

#define OPERATORS (sizeof operators / sizeof *operators)

static enum err_code parse(struct parser *p, int level, struct expression **x);

enum err_code place_err(const struct place *at, enum err_code code, struct err *e, const char *fmt, ...)
{
	char what[ERR_TEXT], column[32] = "";
	va_list args;

	va_start(args, fmt);
	vsnprintf(what, sizeof what, fmt, args);
	va_end(args);
	if (at->column)
		snprintf(column, sizeof column, ", column %u", at->column);
	return err_set(e, code, "%s: line %u%s: %s", at->file, at->line, column, what);
}

static struct place parser_place_of(const struct parser *p, size_t offset)
{
	struct place at = p->origin;

	if (at.column)
		at.column += (uint32_t)offset;
	return at;
}

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static bool is_letter(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

bool expression_is_name(const char *text, size_t n)
{
	if (!n || !is_letter(text[0]))
		return false;
	for (size_t i = 1; i < n; i++)
		if (!is_letter(text[i]) && !is_digit(text[i]))
			return false;
	return true;
}

bool expression_is_reserved(const char *name)
{
	return word_of(name) != WORD_NONE;
}

static enum err_code expected(struct parser *p, const char *what)
{
	struct place at = parser_place_of(p, p->from);
	char safe[48];

	if (p->token == TOKEN_END)
		return place_err(&at, ERR_FORMAT, p->e, "expected %s, found the end of the expression", what);
	text_safe(safe, sizeof safe, p->text + p->from, p->to - p->from, TEXT_UTF8);
	return place_err(&at, ERR_FORMAT, p->e, "expected %s, found '%s'", what, safe);
}

/* The number at `from`, with the unit that it ends in. */
static enum err_code scan_number(struct parser *p)
{
	static const struct {
		const char *text;
		int shift;
	} units[] = {{"", 0}, {"s", 0}, {"ms", -3}, {"us", -6}, {"ns", -9}};
	const char *s = p->text;
	size_t i = p->from, digits, word;
	struct place at = parser_place_of(p, p->from);
	char safe[48];

	while (is_digit(s[i]) || s[i] == '.')
		i++;
	if (s[i] == 'e' || s[i] == 'E') {
		size_t j = i + 1 + (s[i + 1] == '-' || s[i + 1] == '+');

		if (is_digit(s[j]))
			for (i = j; is_digit(s[i]); i++)
				;
	}
	digits = i - p->from;
	for (word = i; is_letter(s[i]) || is_digit(s[i]); i++)
		;
	p->to = i;
	text_safe(safe, sizeof safe, s + p->from, i - p->from, TEXT_UTF8);
	for (size_t u = 0; u < sizeof units / sizeof *units; u++) {
		if (strlen(units[u].text) != i - word || memcmp(units[u].text, s + word, i - word) != 0)
			continue;
		if (!number_parse_shifted(s + p->from, digits, units[u].shift, &p->value))
			return place_err(&at, ERR_FORMAT, p->e, "'%s' is not a number, or too large", safe);
		p->token = TOKEN_NUMBER;
		return ERR_OK;
	}
	return place_err(&at, ERR_FORMAT, p->e,
			 "'%s' is not a number: expected an operator or a unit (s, ms, us, ns) after the digits", safe);
}

/* Looks at the token behind the one that was looked at. */
static enum err_code advance(struct parser *p)
{
	const char *s = p->text;
	uint32_t c;

	p->from = p->to;
	while (s[p->from] == ' ' || s[p->from] == '\t' || s[p->from] == '\n' || s[p->from] == '\r')
		p->from++;
	p->to = p->from;
	if (!s[p->from]) {
		p->token = TOKEN_END;
		return ERR_OK;
	}
	if (is_digit(s[p->from]) || s[p->from] == '.')
		return scan_number(p);
	if (is_letter(s[p->from])) {
		while (is_letter(s[p->to]) || is_digit(s[p->to]))
			p->to++;
		p->token = TOKEN_NAME;
		return ERR_OK;
	}
	p->token = TOKEN_SIGN;
	p->to += strchr("<>=!", s[p->from]) && s[p->from + 1] == '=' ? 2 : text_decode(s + p->from, strlen(s + p->from), &c);
	return ERR_OK;
}

static bool at_word(const struct parser *p, const char *text)
{
	size_t n = strlen(text);

	return (p->token == TOKEN_SIGN || p->token == TOKEN_NAME) && p->to - p->from == n &&
	       !memcmp(p->text + p->from, text, n);
}

static enum err_code parser_take_sign(struct parser *p, const char *sign, const char *what)
{
	return at_word(p, sign) ? advance(p) : expected(p, what);
}

static enum err_code too_deep(struct parser *p, size_t offset)
{
	struct place at = parser_place_of(p, offset);

	return place_err(&at, ERR_LIMIT, p->e, "the expression is nested more than %d levels deep", EXPRESSION_DEPTH);
}

/* One level further in: what stands in parentheses or behind a prefix. */
static enum err_code parse_inner(struct parser *p, int level, struct expression **x)
{
	enum err_code code;

	if (p->nesting == EXPRESSION_DEPTH)
		return too_deep(p, p->from);
	p->nesting++;
	code = parse(p, level, x);
	p->nesting--;
	return code;
}

static enum err_code expression_make(struct parser *p, enum expression_kind kind, size_t offset, struct expression **x)
{
	struct expression *n = arena_alloc(p->arena, sizeof *n);

	if (!n)
		return err_memory(p->e, "an expression");
	n->kind = (uint8_t)kind;
	n->at = parser_place_of(p, offset);
	n->depth = 1;
	*x = n;
	return ERR_OK;
}

/* Puts a part after the last one, which is given (NULL: it is the first). */
static void put_part(struct expression *x, struct expression *last, struct expression *part)
{
	if (last)
		last->next = part;
	else
		x->first = part;
	x->count++;
	if (x->depth <= part->depth)
		x->depth = (uint16_t)(part->depth + 1);
}

static enum err_code binary(struct parser *p, enum expression_kind kind, size_t offset, struct expression *a,
			    struct expression *b, struct expression **x)
{
	struct place at = parser_place_of(p, offset);
	enum err_code code;

	if (a->depth >= MOST_LEVELS || b->depth >= MOST_LEVELS)
		return place_err(&at, ERR_LIMIT, p->e, "more than %d operators in a row; use functions for parts", MOST_LEVELS);
	code = expression_make(p, kind, offset, x);
	if (code)
		return code;
	put_part(*x, NULL, a);
	put_part(*x, a, b);
	return ERR_OK;
}

/* What stands in brackets: from one value to another. */
static enum err_code parse_interval(struct parser *p, struct expression **x)
{
	size_t offset = p->from;
	struct expression *a = NULL, *b = NULL;
	enum err_code code = advance(p);

	if (!code)
		code = parse_inner(p, LEVEL_OR, &a);
	if (!code)
		code = parser_take_sign(p, ",", "',' between the ends of the interval");
	if (!code)
		code = parse_inner(p, LEVEL_OR, &b);
	if (!code)
		code = parser_take_sign(p, "]", "']'");
	return code ? code : binary(p, EXPRESSION_INTERVAL, offset, a, b, x);
}

/* A call of sum, max or min with four values, the first a bare name, goes over an index. */
static enum err_code as_over(struct parser *p, struct expression *x, bool bare)
{
	enum word w = word_of(x->name);
	const struct expression *index = x->first;

	if ((w != WORD_SUM && w != WORD_MIN && w != WORD_MAX) || x->count != 4 || !bare)
		return w == WORD_SUM ? place_err(&x->at, ERR_FORMAT, p->e, "expected sum(i, from, to, expression)") : ERR_OK;
	if (expression_is_reserved(index->name))
		return place_err(&index->at, ERR_FORMAT, p->e, "'%s' is a word of the language, so it cannot be the "
				 "name of an index",
				 index->name);
	x->kind = EXPRESSION_OVER;
	x->index = index->name;
	x->first = index->next;
	x->count = 3;
	return ERR_OK;
}

static enum err_code check_count(struct parser *p, const struct expression *x)
{
	uint32_t least, most;
	enum word w = word_of(x->name);

	if (w == WORD_NONE)
		return x->count <= EXPRESSION_ARGUMENTS ? ERR_OK :
		       place_err(&x->at, ERR_LIMIT, p->e, "%s has %u values: the limit for a function is "
				 "%d", x->name, x->count,
				 EXPRESSION_ARGUMENTS);
	if (!word_is_function(w, &least, &most) || (x->count >= least && x->count <= most))
		return ERR_OK;
	return place_err(&x->at, ERR_FORMAT, p->e, "%s takes %s, found %u", x->name,
			 most == 1 ? "one value" : most == 2 ? "two values" : "at least one value", x->count);
}

static enum err_code parse_arguments(struct parser *p, struct expression *x)
{
	struct expression *last = NULL;
	bool bare = false;
	enum err_code code = advance(p);

	while (!code && !at_word(p, ")")) {
		struct expression *part;
		bool name = p->token == TOKEN_NAME;

		if (last) {
			code = parser_take_sign(p, ",", "',' or ')'");
			if (code)
				return code;
		}
		code = parse_inner(p, LEVEL_OR, &part);
		if (code)
			return code;
		if (part->depth >= MOST_LEVELS)
			return too_deep(p, p->from);
		if (!last)
			bare = name && part->kind == EXPRESSION_NAME;
		put_part(x, last, part);
		last = part;
	}
	if (!code)
		code = parser_take_sign(p, ")", "')'");
	if (!code)
		code = as_over(p, x, bare);
	if (!code && x->kind == EXPRESSION_CALL)
		code = check_count(p, x);
	return code;
}

static enum err_code parse_name(struct parser *p, struct expression **x)
{
	size_t offset = p->from;
	uint32_t least, most;
	struct expression *n;
	enum err_code code;
	enum word w;

	code = expression_make(p, EXPRESSION_NAME, offset, &n);
	if (code)
		return code;
	n->name = arena_strndup(p->arena, p->text + p->from, p->to - p->from);
	if (!n->name)
		return err_memory(p->e, "an expression");
	w = word_of(n->name);
	if (w == WORD_AND || w == WORD_OR || w == WORD_NOT || w == WORD_INF)
		return expected(p, "a value");
	code = advance(p);
	*x = n;
	if (code)
		return code;
	if (!at_word(p, "("))
		return w == WORD_SUM || word_is_function(w, &least, &most) ?
		       expected(p, "'(' after the name of a function") : ERR_OK;
	if (w == WORD_RANK)
		return expected(p, "an operator after rank, which is not a function");
	n->kind = EXPRESSION_CALL;
	return parse_arguments(p, n);
}

static enum err_code parse_value(struct parser *p, struct expression **x)
{
	enum err_code code;

	if (p->token == TOKEN_NUMBER) {
		code = expression_make(p, EXPRESSION_NUMBER, p->from, x);
		if (code)
			return code;
		(*x)->value = p->value;
		return advance(p);
	}
	if (p->token == TOKEN_NAME)
		return parse_name(p, x);
	if (at_word(p, "["))
		return parse_interval(p, x);
	if (!at_word(p, "("))
		return expected(p, "a value");
	code = advance(p);
	if (!code)
		code = parse_inner(p, LEVEL_OR, x);
	return code ? code : parser_take_sign(p, ")", "an operator or ')'");
}

static enum err_code parse_prefix(struct parser *p, int level, struct expression **x)
{
	bool negate = at_word(p, "-");
	size_t offset = p->from;
	struct expression *of;
	enum err_code code;

	if (!negate && !(at_word(p, "not") && level <= LEVEL_NOT))
		return parse_value(p, x);
	code = advance(p);
	if (!code)
		code = parse_inner(p, negate ? LEVEL_NEGATE : LEVEL_NOT, &of);
	if (code)
		return code;
	if (of->depth >= MOST_LEVELS)
		return too_deep(p, offset);
	code = expression_make(p, negate ? EXPRESSION_NEGATE : EXPRESSION_NOT, offset, x);
	if (!code)
		put_part(*x, NULL, of);
	return code;
}

static bool at_operator(const struct parser *p, size_t *which)
{
	for (size_t i = 0; i < OPERATORS; i++)
		if (at_word(p, operators[i].text)) {
			*which = i;
			return true;
		}
	return false;
}

/* An expression of operators of this level and those that bind more. */
static enum err_code parse(struct parser *p, int level, struct expression **x)
{
	enum err_code code;
	size_t which;

	code = parse_prefix(p, level, x);
	while (!code && at_operator(p, &which) && operators[which].level >= level) {
		enum expression_kind kind = operators[which].kind;
		int own = operators[which].level;
		size_t offset = p->from;
		struct expression *right;

		code = advance(p);
		/* ^ goes from right to left, and takes a minus in its exponent. */
		if (!code)
			code = own == LEVEL_POW ? parse_inner(p, LEVEL_NEGATE, &right) : parse(p, own + 1, &right);
		if (!code)
			code = binary(p, kind, offset, *x, right, x);
		if (!code && own == LEVEL_COMPARE && at_operator(p, &which) && operators[which].level == LEVEL_COMPARE)
			return expected(p, "'and' between comparisons");
	}
	return code;
}

enum err_code expression_parse(struct arena *arena, const char *text, struct place at, const struct expression **x,
			       struct err *e)
{
	struct parser p = {.arena = arena, .text = text, .origin = at, .e = e};
	struct expression *made = NULL;
	enum err_code code;

	*x = NULL;
	if (strlen(text) > EXPRESSION_TEXT)
		return place_err(&at, ERR_LIMIT, e, "the expression is longer than %d characters; use functions for parts",
				 EXPRESSION_TEXT);
	code = advance(&p);
	if (!code)
		code = parse(&p, LEVEL_OR, &made);
	if (!code && p.token != TOKEN_END)
		code = expected(&p, "an operator");
	*x = code ? NULL : made;
	return code;
}

const struct expression *expression_number(struct arena *arena, double value, struct place at)
{
	struct expression *x = arena_alloc(arena, sizeof *x);

	if (x)
		*x = (struct expression){.kind = EXPRESSION_NUMBER, .depth = 1, .at = at, .value = value};
	return x;
}

const struct expression *expression_interval(struct arena *arena, const struct expression *a,
					     const struct expression *b)
{
	struct expression *x = arena_alloc(arena, sizeof *x), *first = arena_alloc(arena, sizeof *first);

	if (!x || !first)
		return NULL;
	*first = *a;
	first->next = b;
	*x = (struct expression){.kind = EXPRESSION_INTERVAL, .count = 2, .at = a->at, .first = first};
	x->depth = (uint16_t)((a->depth > b->depth ? a->depth : b->depth) + 1);
	return x;
}

bool expression_names(const struct expression *x, const char *name)
{
	const struct expression *part = x->first;

	if (x->kind == EXPRESSION_NAME)
		return !strcmp(x->name, name);
	if (x->kind == EXPRESSION_OVER && !strcmp(x->index, name)) /* inside it is the index */
		return expression_names(part, name) || expression_names(part->next, name);
	for (; part; part = part->next)
		if (expression_names(part, name))
			return true;
	return false;
}
