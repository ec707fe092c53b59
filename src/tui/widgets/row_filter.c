#include "widgets.h"

#include <ctype.h>
#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "core/base/condition.h"
#include "core/base/mem.h"
#include "core/base/number.h"
#include "core/base/text.h"
#include "list.h"

#define CONDITIONS 16
#define VALUE_TEXT 96

struct condition {
	const char *name;          /* of the column */
	int column;                /* below 0: the rows that are shown now have no such */
	enum condition_op op;
	bool number, alternative;  /* alternative: it begins what stands behind a | */
	double value;
	char word[VALUE_TEXT];
};

struct row_filter {
	struct query *query;       /* NULL: conditions */
	const struct column_look *columns; /* whose numbers the conditions have */
	struct condition conditions[CONDITIONS];
	int count;
	char *text;                /* owned */
};

/* ---- reading ---- */

static const char *filter_skip_blanks(const char *at)
{
	while (*at == ' ' || *at == '\t')
		at++;
	return at;
}

static size_t name_length(const char *at)
{
	size_t n = 0;

	while (isalnum((unsigned char)at[n]) || at[n] == '_' || at[n] == '-' || (at[n] == ' ' && isalnum((unsigned char)at[n + 1])))
		n++;
	return n;
}

/* By the whole name or title, otherwise by the beginning of one alone; -1: none, -2: several. */
static int find_column(const struct row_source *s, const char *name, size_t n)
{
	int found = -1;

	for (int i = 0; i < s->column_count; i++) {
		const char *const names[] = {s->columns[i].name, s->columns[i].title};

		for (int k = 0; k < 2; k++)
			if (names[k] && strlen(names[k]) == n && !strncasecmp(names[k], name, n))
				return i;
	}
	for (int i = 0; i < s->column_count; i++)
		if (!strncasecmp(s->columns[i].name, name, n))
			found = found == -1 ? i : -2;
	return found;
}

static enum err_code no_column(const struct row_source *s, const char *name, size_t n, bool several, struct err *e)
{
	char given[64], names[300] = "";
	size_t at = 0;

	for (int i = 0; i < s->column_count && at < sizeof names; i++)
		if (s->columns[i].name[0])
			at += (size_t)snprintf(names + at, sizeof names - at, "%s%s", at ? ", " : "", s->columns[i].name);
	text_safe(given, sizeof given, name, n, TEXT_UTF8);
	return err_set(e, ERR_USAGE, several ? "'%s' fits several columns; the columns are: %s" : "unknown column '%s'; the columns are: %s", given,
		       names);
}

/* One condition; *at behind it. */
static enum err_code read_condition(struct condition *c, const char **at, const struct row_source *s, struct err *e)
{
	const char *name = filter_skip_blanks(*at), *op, *value;
	size_t n = name_length(name), op_length, length;
	enum condition_unit unit;
	char shown[48];

	op = filter_skip_blanks(name + n);
	op_length = condition_op_read(op, &c->op);
	if (!n || !op_length)
		return err_set(e, ERR_USAGE, "expected a condition such as share > 1%%, found '%s'",
			       text_safe(shown, sizeof shown, name, SIZE_MAX, TEXT_UTF8));
	c->column = find_column(s, name, n);
	if (c->column < 0)
		return no_column(s, name, n, c->column == -2, e);
	c->name = s->columns[c->column].name;
	value = filter_skip_blanks(op + op_length);
	length = strcspn(value, "&|");
	*at = value + length;
	while (length && value[length - 1] == ' ')
		length--;
	if (!length || length >= sizeof c->word)
		return err_set(e, ERR_USAGE, "%s: expected a value after %.*s", c->name, (int)op_length, op);
	memcpy(c->word, value, length);
	c->word[length] = 0;
	if (rank_word_check(c->word, e))
		return e->code;
	c->number = s->key && condition_number_read(value, &c->value, &unit) == length;
	if (!c->number && c->op != CONDITION_EQUAL && c->op != CONDITION_OTHER)
		return err_set(e, ERR_USAGE, "%s %.*s: expected a number such as 10, 2%%, 5ms or 64K, found '%s'", c->name, (int)op_length, op,
			       text_safe(shown, sizeof shown, c->word, SIZE_MAX, TEXT_UTF8));
	return ERR_OK;
}

static enum err_code read_conditions(struct row_filter *f, const char *text, const struct row_source *s, struct err *e)
{
	const char *at = text;
	bool alternative = false;

	for (;;) {
		struct condition *c = &f->conditions[f->count];
		enum err_code code;

		if (f->count == CONDITIONS)
			return err_set(e, ERR_USAGE, "at most %d conditions", CONDITIONS);
		c->alternative = alternative;
		code = read_condition(c, &at, s, e);
		if (code)
			return code;
		f->count++;
		if (!*at)
			return ERR_OK;
		alternative = *at == '|';
		at++;
	}
}

/* Conditions begin with a name and an operator. A name that is no column's may be part of an expression, but < and >
 * hardly are. */
static bool is_condition(const char *text, const struct row_source *s)
{
	const char *name = filter_skip_blanks(text), *op;
	size_t n = name_length(name);
	enum condition_op any;

	op = filter_skip_blanks(name + n);
	return n && condition_op_read(op, &any) && (*op == '<' || *op == '>' || find_column(s, name, n) >= 0);
}

enum err_code row_filter_new(struct row_filter **out, const char *text, const struct row_source *s, struct err *e)
{
	struct row_filter *f = mem_zero(1, sizeof *f);
	enum err_code code;

	*out = NULL;
	if (f)
		f->text = mem_strdup(text);
	if (!f || !f->text) {
		row_filter_free(f);
		return err_memory(e, "the filter");
	}
	f->columns = s->columns;
	if (is_condition(text, s))
		code = read_conditions(f, text, s, e);
	else if (!(code = rank_word_check(text, e)))
		code = query_new(&f->query, text, QUERY_SMART_CASE, NULL, e);
	if (code)
		row_filter_free(f);
	else
		*out = f;
	return code;
}

void row_filter_free(struct row_filter *f)
{
	if (!f)
		return;
	query_free(f->query);
	mem_free(f->text);
	mem_free(f);
}

const char *row_filter_text(const struct row_filter *f)
{
	return f->text;
}

/* ---- matching ---- */

/* What a row shows, without the blanks that line it up. */
static bool shows(const struct row_source *s, const void *ctx, uint32_t row, const struct condition *c)
{
	struct field field = {.role = ROLE_DEFAULT};
	char *text = field.text;
	size_t n;

	s->field(ctx, row, c->column, &field);
	text += strspn(text, " ");
	n = strlen(text);
	while (n && text[n - 1] == ' ')
		text[--n] = 0;
	return !strcasecmp(text, c->word);
}

/* A view may go on with rows that have other columns. */
static void find_again(struct row_filter *f, const struct row_source *s)
{
	for (int i = 0; i < f->count; i++) {
		f->conditions[i].column = -1;
		for (int k = 0; k < s->column_count; k++)
			if (!strcmp(s->columns[k].name, f->conditions[i].name))
				f->conditions[i].column = k;
	}
	f->columns = s->columns;
}

static bool row_holds(const struct row_source *s, const void *ctx, uint32_t row, const struct condition *c)
{
	bool holds;

	if (c->column < 0)
		return c->op == CONDITION_OTHER;
	if (!c->number)
		return shows(s, ctx, row, c) == (c->op == CONDITION_EQUAL);
	holds = condition_holds(s->key(ctx, row, c->column), c->op, c->value);
	return c->op == CONDITION_EQUAL ? holds || shows(s, ctx, row, c) : c->op == CONDITION_OTHER ? holds && !shows(s, ctx, row, c) : holds;
}

enum query_result row_filter_match(struct row_filter *f, const struct row_source *s, const void *ctx, uint32_t row,
				   void (*make_line)(void *arg, uint32_t row, char *line, size_t size), void *arg)
{
	char line[1024];
	bool all = true;

	if (f->query) {
		make_line(arg, row, line, sizeof line);
		return query_match(f->query, line, strlen(line), NULL, NULL);
	}
	if (f->columns != s->columns)
		find_again(f, s);
	for (int i = 0; i < f->count; i++) {
		if (f->conditions[i].alternative) {
			if (all)
				return QUERY_YES;
			all = true;
		}
		all = all && row_holds(s, ctx, row, &f->conditions[i]);
	}
	return all ? QUERY_YES : QUERY_NO;
}

enum err_code row_filter_gave_up(const struct row_filter *f, struct err *e)
{
	return query_gave_up(f->query, e);
}

enum err_code rank_word_check(const char *text, struct err *e)
{
	const char *digits = text + (*text == '^') + 1;
	size_t n;
	uint64_t number;

	if (toupper((unsigned char)text[*text == '^']) != 'P')
		return ERR_OK;
	digits += strspn(digits, " ");
	n = strspn(digits, "0123456789");
	if (isalnum((unsigned char)digits[n]) || digits[n] == '_' || !number_parse_whole(digits, n, &number) || !number)
		return ERR_OK;
	return err_set(e, ERR_USAGE, "P%" PRIu64 " is rank %" PRIu64 ": ranks count from 0", number, number - 1);
}
