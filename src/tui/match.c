#define PCRE2_CODE_UNIT_WIDTH 8
#include "match.h"

#include <pcre2.h>
#include <string.h>

#include "../core/mem.h"

struct match {
	pcre2_code *code;
	pcre2_match_data *data;
	char *pattern;
};

static bool has_capital(const char *pattern)
{
	for (; *pattern; pattern++) {
		if (*pattern == '\\' && pattern[1])
			pattern++; /* \S, \W, \B are classes */
		else if (*pattern >= 'A' && *pattern <= 'Z')
			return true;
	}
	return false;
}

enum err_code match_new(struct match **out, const char *pattern, struct err *e)
{
	struct match *m = mem_zero(1, sizeof *m);
	uint32_t flags = PCRE2_UTF | (has_capital(pattern) ? 0 : PCRE2_CASELESS);
	PCRE2_SIZE at = 0;
	int code = 0;

	*out = NULL;
	if (m)
		m->pattern = mem_strdup(pattern);
	if (!m || !m->pattern) {
		match_free(m);
		return err_memory(e, "a pattern");
	}
	m->code = pcre2_compile((PCRE2_SPTR)pattern, PCRE2_ZERO_TERMINATED, flags, &code, &at, NULL);
	if (!m->code) {
		unsigned char why[128];

		match_free(m);
		if (pcre2_get_error_message(code, why, sizeof why) < 0)
			strcpy((char *)why, "not understood");
		return err_set(e, ERR_USAGE, "at character %zu of the pattern: %s", (size_t)at + 1, (char *)why);
	}
	m->data = pcre2_match_data_create_from_pattern(m->code, NULL);
	if (!m->data) {
		match_free(m);
		return err_memory(e, "a pattern");
	}
	*out = m;
	return ERR_OK;
}

void match_free(struct match *m)
{
	if (!m)
		return;
	pcre2_match_data_free(m->data);
	pcre2_code_free(m->code);
	mem_free(m->pattern);
	mem_free(m);
}

bool match_in(const struct match *m, const char *text)
{
	return pcre2_match(m->code, (PCRE2_SPTR)text, PCRE2_ZERO_TERMINATED, 0, 0, m->data, NULL) >= 0;
}

const char *match_pattern(const struct match *m)
{
	return m->pattern;
}
