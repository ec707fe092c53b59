/* A query: a Perl-compatible regular expression that a person typed, to search and filter by.
 *
 *     query_new(&q, "r[23]|Allreduce", QUERY_SMART_CASE, &column, &e);
 *     query_match(q, text, strlen(text), &from, &to);
 *     query_free(q);
 *
 * No pattern can hang the program: matching one text is bounded in steps and memory, and a pattern that needs more
 * gives up, which the caller should tell the person. One query belongs to one thread at a time.
 */
#ifndef PAS2P_QUERY_H
#define PAS2P_QUERY_H

#include <stddef.h>
#include <stdint.h>

#include "err.h"

enum query_flags {
	QUERY_SMART_CASE = 1,  /* ignore case unless the pattern has a capital letter in it (not one of an escape) */
	QUERY_IGNORE_CASE = 2,
	QUERY_GROUPS = 4       /* query_group() is going to be asked */
};

enum query_result { QUERY_NO, QUERY_YES, QUERY_GAVE_UP };

struct query;

/* ERR_USAGE with what is wrong and where: "bad pattern 'a(b': column 4: missing closing parenthesis". *column (may be
 * NULL) is that place in characters from 1, to put a mark under it. */
enum err_code query_new(struct query **out, const char *pattern, unsigned flags, size_t *column, struct err *e);
void query_free(struct query *query); /* NULL is fine */

/* The first match in text, which need not be valid UTF-8; from and to (may be NULL) are byte offsets of a match. */
enum query_result query_match(struct query *query, const char *text, size_t n, size_t *from, size_t *to);

/* For a query made with QUERY_GROUPS: its named groups, (?<name>...), in the order of their names, and where in the
 * text the last match found number i; from is SIZE_MAX where that match has nothing for it. The name is the query's. */
uint32_t query_groups(const struct query *query);
const char *query_group(const struct query *query, uint32_t i, size_t *from, size_t *to);

/* The sentence for QUERY_GAVE_UP, with ERR_LIMIT. */
enum err_code query_gave_up(const struct query *query, struct err *e);

#endif
