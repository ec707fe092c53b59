/* Patterns are typed by people while they look, so a wrong one is told with its column, capitals decide about case,
 * and no pattern, however hostile, and no text, however broken, may hang or crash the program.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/mem.h"
#include "core/base/query.h"
#include "tap.h"

static void matches(const char *pattern, unsigned flags, const char *text, enum query_result want)
{
	struct query *q;
	struct err e = {0};

	if (!ok(query_new(&q, pattern, flags, NULL, &e) == ERR_OK, "'%s' is a pattern %s", pattern, e.text))
		return;
	is_int(query_match(q, text, strlen(text), NULL, NULL), want, "'%s' in '%.40s'", pattern, text);
	query_free(q);
}

static void smart_case(void)
{
	matches("allreduce", QUERY_SMART_CASE, "CAllreduce", QUERY_YES);
	matches("Allreduce", QUERY_SMART_CASE, "callreduce", QUERY_NO);
	matches("allreduce", 0, "CAllreduce", QUERY_NO);
	matches("ALLREDUCE", QUERY_IGNORE_CASE, "CAllreduce", QUERY_YES);
	matches("\\Aall\\S\\W", QUERY_SMART_CASE, "ALLX ", QUERY_YES);
	matches("\\p{Lu}x", QUERY_SMART_CASE, "AX", QUERY_YES);
	matches("(?<Name>x)", QUERY_SMART_CASE, "X", QUERY_YES);
	matches("\\\\A", QUERY_SMART_CASE, "\\a", QUERY_NO);
	matches("\xc3\xa9t\xc3\xa9", QUERY_SMART_CASE, "\xc3\x89T\xc3\x89", QUERY_YES);
	matches("\xc3\x89t", QUERY_SMART_CASE, "\xc3\xa9t", QUERY_NO);
	matches("", QUERY_SMART_CASE, "anything", QUERY_YES);
}

static void spans(void)
{
	struct query *q;
	size_t from = 99, to = 99;
	static const char broken[] = "a\xff\xfe" "b\xc3";

	is_int(query_new(&q, "b+", 0, NULL, NULL), ERR_OK, "a pattern");
	is_int(query_match(q, "aabbb", 5, &from, &to), QUERY_YES, "found");
	ok(from == 2 && to == 5, "from 2 to 5");
	is_int(query_match(q, "aabbb", 2, &from, &to), QUERY_NO, "not behind the end of the text");
	is_int(query_match(q, broken, sizeof broken - 1, &from, &to), QUERY_YES, "found in text that is no UTF-8");
	ok(from == 3 && to == 4, "where it is");
	query_free(q);
	if (query_new(&q, "(?=ab\\K)", 0, NULL, NULL) == ERR_OK) { /* some versions of the library refuse it */
		from = to = 0;
		query_match(q, "ab", 2, &from, &to);
		query_free(q);
	}
	ok(to >= from, "a match that ends before it starts is none or empty");
	query_free(NULL);
}

static void wrong(const char *pattern, size_t column, const char *sentence)
{
	struct query *q = (struct query *)1;
	struct err e = {0};
	size_t at = 0;

	is_int(query_new(&q, pattern, QUERY_SMART_CASE, &at, &e), ERR_USAGE, "'%.20s' is refused", pattern);
	ok(q == NULL, "and gives nothing");
	is_u64(at, column, "at its column");
	if (!ok(strstr(e.text, sentence) == e.text, "with the sentence: %s", sentence))
		diag("it said: %s", e.text);
}

static void mistakes(void)
{
	char text[6000];

	wrong("a(b", 4, "bad pattern 'a(b': column 4: missing closing parenthesis");
	wrong("*", 1, "bad pattern '*': column 1: quantifier does not follow a repeatable item");
	wrong("\xc3\xa9\xc3\xa9[", 4, "bad pattern '\xc3\xa9\xc3\xa9[': column 4: missing terminating ]");
	wrong("a\xff", 2, "bad pattern 'a\xef\xbf\xbd': column 2: UTF-8 error");
	wrong("\x1b[2J(", 6, "bad pattern '\xef\xbf\xbd[2J(': column 6: missing");
	wrong("\\C", 3, "bad pattern '\\C': column 3: using \\C is disabled");
	memset(text, '(', sizeof text - 1);
	text[sizeof text - 1] = '\0';
	wrong(text, 1, "bad pattern '((((");
	text[2000] = '\0';
	{
		struct query *q;

		is_int(query_new(&q, text, 0, NULL, NULL), ERR_USAGE, "2000 open parentheses are refused");
	}
}

static void hostile(void)
{
	static const char *const patterns[] = {"(a+)+$", "(a|aa)+$", "(a|a)*$", "^(([a-z])+.)+[A-Z]([a-z])+$",
					       "(.*)*(.*)*(.*)*x",
					       "(?:(?:a?){50}){50}$b", "(a?){30}a{30}b", "(?R)?a(?R)?b",
					       "((((a*)*)*)*)*b",
					       "(*LIMIT_MATCH=4000000000)(a+)+$", "^(?:a(?=(.*)))*b\\1"};
	char *text = malloc(100001);
	int finished = 0, gave_up = 0, n = sizeof patterns / sizeof *patterns;

	memset(text, 'a', 100000);
	text[99999] = '!';
	text[100000] = '\0';
	for (int i = 0; i < n; i++) {
		struct query *q;
		struct err e = {0};

		if (query_new(&q, patterns[i], QUERY_SMART_CASE, NULL, &e) != ERR_OK) {
			diag("%s", e.text);
			finished++;
			continue;
		}
		for (size_t length = 10; length <= 100000; length *= 10) {
			enum query_result r = query_match(q, text + 100000 - length, length, NULL, NULL);

			if (r == QUERY_GAVE_UP) {
				gave_up++;
				is_int(query_gave_up(q, &e), ERR_LIMIT, "a pattern that takes too long is given up: %s",
				       e.text);
				break;
			}
		}
		finished++;
		query_free(q);
	}
	is_int(finished, n, "all hostile patterns come to an end");
	ok(gave_up >= 5, "most of them by giving up (%d)", gave_up);
	free(text);
}

static void out_of_memory(void)
{
	struct err e = {0};
	int n, errors = 0;

	for (n = 0; n < 1000; n++) {
		struct query *q;
		enum err_code code;

		mem_fail_after(n);
		code = query_new(&q, "a(b|c)", QUERY_SMART_CASE, NULL, &e);
		mem_fail_after(-1);
		query_free(q);
		if (code == ERR_OK)
			break;
		errors += code == ERR_MEMORY;
	}
	ok(n > 3 && n < 1000, "with enough memory it works");
	is_int(errors, n, "with less there is an error that says so");
}

int main(void)
{
	smart_case();
	spans();
	mistakes();
	hostile();
	out_of_memory();
	return done_testing();
}
