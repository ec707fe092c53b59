#include "replay.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "core/base/number.h"
#include "core/base/text.h"

#define EXPECTED "expected network, an MPI function, rank, ranks, phase or balance"
#define WORD_SHOWN 48

static const char *blanks(const char *at)
{
	while (*at == ' ' || (*at >= '\t' && *at <= '\r'))
		at++;
	return at;
}

/* The word that is not understood, safe to show: up to a blank or comma. */
static const char *change_word_shown(const char *at, char text[WORD_SHOWN])
{
	size_t n = strcspn(at, " \t\r\n,");

	return n ? text_safe(text, WORD_SHOWN, at, n, TEXT_UTF8) : "";
}

static enum err_code change_refuse(struct err *e, const char *at, const char *expected)
{
	char word[WORD_SHOWN];

	if (!*at)
		return err_set(e, ERR_USAGE, "incomplete change: %s", expected);
	if (*at == ',')
		return err_set(e, ERR_USAGE, "unexpected ',': %s", expected);
	return err_set(e, ERR_USAGE, "cannot read '%s': %s", change_word_shown(at, word), expected);
}

static bool is_word(const char *at, size_t n, const char *word)
{
	return n == strlen(word) && !strncasecmp(at, word, n);
}

static enum err_code read_whole(const char **at, uint32_t *v, const char *expected, struct err *e)
{
	size_t n = strspn(*at, "0123456789");
	uint64_t whole;

	if (!n)
		return change_refuse(e, *at, expected);
	if (!number_parse_whole(*at, n, &whole) || whole >= UINT32_MAX)
		return change_refuse(e, *at, "the number is too large");
	*v = (uint32_t)whole;
	*at = blanks(*at + n);
	return ERR_OK;
}

/* "17" or "0-3". */
static enum err_code read_ranks(const char **at, struct what *what, struct err *e)
{
	const char *begin = *at;
	enum err_code code = read_whole(at, &what->first, "expected a rank, as in rank 17 x 0.9", e);

	what->last = what->first;
	if (code || **at != '-')
		return code;
	*at = blanks(*at + 1);
	code = read_whole(at, &what->last, "expected the last rank, as in ranks 0-3 x 0.9", e);
	if (!code && what->last < what->first)
		return change_refuse(e, begin, "the last rank is below the first");
	return code;
}

/* "x 0.5", "*0.5", "=0". */
static enum err_code read_factor(const char **at, struct what *what, struct err *e)
{
	bool sets = **at == '=', times = **at == 'x' || **at == 'X' || **at == '*';
	size_t n;

	if (!sets && !times)
		return change_refuse(e, *at, "expected x and a factor, as in x 0.5, or =0");
	*at = blanks(*at + 1);
	n = strcspn(*at, " \t\r\n\v\f,");
	if (!n || !number_parse(*at, n, &what->factor))
		return change_refuse(e, *at, "expected a number, as in x 0.5");
	if (!(what->factor >= 0 && what->factor <= WHAT_FACTOR_MOST))
		return change_refuse(e, *at, "expected a factor from 0 to 1000000");
	if (sets && what->factor > 0)
		return change_refuse(e, *at, "expected 0 after =; write other factors as x 0.5");
	what->factor = what->factor > 0 ? what->factor : 0; /* no -0 */
	*at = blanks(*at + n);
	return ERR_OK;
}

/* A name that begins as MPI's do: "MPI_Allreduce", "Allreduce". */
static bool read_function(const char *at, size_t n, struct what *what)
{
	bool prefixed = n > 4 && !strncasecmp(at, "MPI_", 4);

	if ((!prefixed && !isupper((unsigned char)*at)) || n + 5 > sizeof what->function)
		return false;
	if (prefixed) {
		at += 4;
		n -= 4;
	}
	snprintf(what->function, sizeof what->function, "MPI_%.*s", (int)n, at);
	what->kind = WHAT_FUNCTION;
	return true;
}

static enum err_code read_change(const char **text, struct what *what, struct err *e)
{
	const char *at = *text, *begin = at;
	enum err_code code = ERR_OK;
	size_t n = 0;

	*what = (struct what){.factor = 1};
	while (isalnum((unsigned char)at[n]) || at[n] == '_')
		n++;
	if (!n || isdigit((unsigned char)*at))
		return change_refuse(e, at, EXPECTED);
	*text = blanks(at + n);
	if (is_word(at, n, "balance")) {
		what->kind = WHAT_BALANCE;
		return ERR_OK;
	}
	if (is_word(at, n, "network")) {
		what->kind = WHAT_NETWORK;
	} else if (is_word(at, n, "rank") || is_word(at, n, "ranks")) {
		what->kind = WHAT_RANKS;
		code = read_ranks(text, what, e);
	} else if (is_word(at, n, "phase")) {
		what->kind = WHAT_PHASE;
		code = read_whole(text, &what->first, "expected the number of a phase, as in phase 4 x 0.5", e);
		what->last = what->first;
	} else if (!read_function(at, n, what)) {
		return change_refuse(e, begin, EXPECTED);
	}
	return code ? code : read_factor(text, what, e);
}

enum err_code what_if_parse(struct what_if *w, const char *text, struct err *e)
{
	struct what_if more = *w;
	const char *at = blanks(text);

	for (;;) {
		enum err_code code;

		if (more.count == WHAT_MOST)
			return err_set(e, ERR_USAGE, "too many changes: expected at most %d", WHAT_MOST);
		code = read_change(&at, &more.list[more.count], e);
		if (code)
			return code;
		more.count++;
		if (!*at) {
			*w = more;
			return ERR_OK;
		}
		if (*at != ',')
			return change_refuse(e, at, "expected a comma or the end");
		at = blanks(at + 1);
	}
}

static void subject(const struct what *what, char *text, size_t size)
{
	switch (what->kind) {
	case WHAT_NETWORK:
		snprintf(text, size, "network");
		return;
	case WHAT_FUNCTION:
		snprintf(text, size, "%s", what->function);
		return;
	case WHAT_RANKS:
		if (what->first == what->last)
			snprintf(text, size, "rank %u", what->first);
		else
			snprintf(text, size, "ranks %u-%u", what->first, what->last);
		return;
	case WHAT_PHASE:
		snprintf(text, size, "phase %u", what->first);
		return;
	default:
		snprintf(text, size, "balance");
	}
}

void what_if_text(const struct what_if *w, char *text, size_t size)
{
	size_t used = 0;

	if (size)
		*text = '\0';
	for (uint32_t i = 0; i < w->count && used < size; i++) {
		const struct what *what = &w->list[i];
		char name[WHAT_NAME], number[NUMBER_TEXT];
		bool network = what->kind == WHAT_NETWORK || what->kind == WHAT_FUNCTION;
		int n;

		subject(what, name, sizeof name);
		number_format(what->factor, number);
		if (what->kind == WHAT_BALANCE)
			number[0] = '\0';
		n = snprintf(text + used, size - used, "%s%s%s%s", i ? ", " : "", name,
			     what->kind == WHAT_BALANCE ? "" : network && what->factor <= 0 ? "=" : " x ", number);
		if (n < 0)
			return;
		used += (size_t)n;
	}
}
