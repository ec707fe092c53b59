#include "query.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

#include "mem.h"
#include "text.h"

#define STEPS 200000     /* of matching one text: about 10 ms */
#define DEPTH 20000
#define HEAP_KIB 16384
#define LONGEST 4096     /* pattern, bytes */

struct query {
	pcre2_general_context *general;
	pcre2_match_context *limits;
	pcre2_code *code;
	pcre2_match_data *found;
	char shown[128]; /* the pattern, safe to print */
};

static void *pattern_alloc(PCRE2_SIZE n, void *arg)
{
	(void)arg;
	return mem_alloc(n, 1);
}

static void give_back(void *p, void *arg)
{
	(void)arg;
	mem_free(p);
}

void query_free(struct query *query)
{
	if (!query)
		return;
	pcre2_match_data_free(query->found);
	pcre2_code_free(query->code);
	pcre2_match_context_free(query->limits);
	pcre2_general_context_free(query->general);
	mem_free(query);
}

/* Compile with the limits that keep compiling itself cheap. *at is a byte offset on failure. */
static pcre2_code *compile(struct query *query, const char *pattern, uint32_t options, int *error, PCRE2_SIZE *at)
{
	pcre2_compile_context *context = pcre2_compile_context_create(query->general);
	pcre2_code *code;

	*error = PCRE2_ERROR_NOMEMORY;
	*at = 0;
	if (!context)
		return NULL;
	pcre2_set_max_pattern_length(context, LONGEST);
	code = pcre2_compile((PCRE2_SPTR)pattern, PCRE2_ZERO_TERMINATED,
			     options | PCRE2_UTF | PCRE2_UCP | PCRE2_MATCH_INVALID_UTF | PCRE2_NEVER_BACKSLASH_C, error,
			     at, context);
	pcre2_compile_context_free(context);
	return code;
}

static enum query_result match(struct query *query, const pcre2_code *code, const char *text, size_t n)
{
	int rc = pcre2_match(code, (PCRE2_SPTR)text, n, 0, 0, query->found, query->limits);

	return rc >= 0 ? QUERY_YES : rc == PCRE2_ERROR_NOMATCH ? QUERY_NO : QUERY_GAVE_UP;
}

/* Whether a pattern has a capital letter that stands for itself: one outside of escapes and group names. */
static bool has_capital(struct query *query, const char *pattern)
{
	static const char capital[] =
		"(?s)(?:\\\\[pPoxgkN]\\{[^}]*+\\}|\\\\[pP].|\\\\c.|\\\\."
		"|\\(\\?P?<\\w++>|\\(\\*\\w++|\\[:\\^?\\w++:\\])(*SKIP)(*FAIL)|\\p{Lu}";
	PCRE2_SIZE at;
	int error;
	pcre2_code *code = compile(query, capital, 0, &error, &at);
	bool found = code && match(query, code, pattern, strlen(pattern)) == QUERY_YES;

	pcre2_code_free(code);
	return found;
}

static size_t characters(const char *text, size_t bytes)
{
	size_t n = 0;

	for (size_t i = 0; i < bytes && text[i]; i++)
		n += ((unsigned char)text[i] & 0xc0) != 0x80;
	return n;
}

static enum err_code pattern_refuse(const struct query *query, const char *pattern, int error, PCRE2_SIZE at, size_t *column,
			    struct err *e)
{
	char reason[160];

	if (error == PCRE2_ERROR_NOMEMORY || error == PCRE2_ERROR_HEAP_FAILED)
		return err_memory(e, "the pattern");
	if (pcre2_get_error_message(error, (PCRE2_UCHAR *)reason, sizeof reason) < 0)
		strcpy(reason, "not a regular expression");
	*column = characters(pattern, at) + 1;
	return err_set(e, ERR_USAGE, "bad pattern '%s': column %zu: %s", query->shown, *column, reason);
}

enum err_code query_new(struct query **out, const char *pattern, unsigned flags, size_t *column, struct err *e)
{
	struct query *query = mem_zero(1, sizeof *query);
	enum err_code code;
	uint32_t options;
	size_t ignored;
	PCRE2_SIZE at;
	int error;

	*out = NULL;
	if (!query)
		return err_memory(e, "the pattern");
	text_safe(query->shown, sizeof query->shown, pattern, SIZE_MAX, TEXT_UTF8);
	query->general = pcre2_general_context_create(pattern_alloc, give_back, NULL);
	query->limits = query->general ? pcre2_match_context_create(query->general) : NULL;
	query->found = query->general ? pcre2_match_data_create(1, query->general) : NULL;
	if (!query->limits || !query->found) {
		query_free(query);
		return err_memory(e, "the pattern");
	}
	pcre2_set_match_limit(query->limits, STEPS);
	pcre2_set_depth_limit(query->limits, DEPTH);
	pcre2_set_heap_limit(query->limits, HEAP_KIB);
	options = 0;
	if (flags & QUERY_IGNORE_CASE || (flags & QUERY_SMART_CASE && !has_capital(query, pattern)))
		options = PCRE2_CASELESS;
	query->code = compile(query, pattern, options, &error, &at);
	if (!query->code) {
		code = pattern_refuse(query, pattern, error, at, column ? column : &ignored, e);
		query_free(query);
		return code;
	}
	if (flags & QUERY_GROUPS) {
		pcre2_match_data_free(query->found);
		query->found = pcre2_match_data_create_from_pattern(query->code, query->general);
		if (!query->found) {
			query_free(query);
			return err_memory(e, "the pattern");
		}
	}
	*out = query;
	return ERR_OK;
}

enum query_result query_match(struct query *query, const char *text, size_t n, size_t *from, size_t *to)
{
	enum query_result result = match(query, query->code, text, n);

	if (result == QUERY_YES) {
		const PCRE2_SIZE *span = pcre2_get_ovector_pointer(query->found);

		if (from)
			*from = span[0];
		if (to)
			*to = span[1] < span[0] ? span[0] : span[1]; /* \K can put the start behind the end */
	}
	return result;
}

uint32_t query_groups(const struct query *query)
{
	uint32_t n = 0;

	pcre2_pattern_info(query->code, PCRE2_INFO_NAMECOUNT, &n);
	return n;
}

const char *query_group(const struct query *query, uint32_t i, size_t *from, size_t *to)
{
	const PCRE2_SIZE *span = pcre2_get_ovector_pointer(query->found);
	uint32_t size = 0;
	PCRE2_SPTR names = NULL, row;
	size_t number;

	/* A row of PCRE2's table of names: the group's number in two bytes, then the name. */
	pcre2_pattern_info(query->code, PCRE2_INFO_NAMEENTRYSIZE, &size);
	pcre2_pattern_info(query->code, PCRE2_INFO_NAMETABLE, &names);
	row = names + (size_t)i * size;
	number = (size_t)row[0] << 8 | row[1];
	*from = *to = SIZE_MAX;
	if (number < pcre2_get_ovector_count(query->found) && span[2 * number] != PCRE2_UNSET && span[2 * number] <= span[2 * number + 1]) {
		*from = span[2 * number];
		*to = span[2 * number + 1];
	}
	return (const char *)row + 2;
}

enum err_code query_gave_up(const struct query *query, struct err *e)
{
	return err_set(e, ERR_LIMIT, "the pattern '%s' takes too many steps: make it simpler", query->shown);
}
