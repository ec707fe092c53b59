/* Filters of rows, as a person types them: a regular expression that a row's line must match, or conditions on its
 * columns.
 *
 *     47|238                  lines in which that is found (core/base/query.h)
 *     share > 1%              a column by its name or title, <, <=, >, >=, = or !=, and a value
 *     size>64K & to=r3        both; | is either, and & binds closer
 *
 * Operators and numbers are those of core/base/condition.h, the same as in --fail-if. Other values are words, which
 * are compared with what the row shows, whatever their case. A name may be cut where it stays the only one. A row that
 * has no value for a column holds for none of its conditions but !=.
 */
#ifndef PAS2P_TUI_ROW_FILTER_H
#define PAS2P_TUI_ROW_FILTER_H

#include <stdint.h>

#include "core/base/err.h"
#include "core/base/query.h"

struct row_source;
struct row_filter;

/* ERR_USAGE: no such column, no value, or a bad expression: which, and where. */
enum err_code row_filter_new(struct row_filter **out, const char *text, const struct row_source *s, struct err *e);
void row_filter_free(struct row_filter *f); /* NULL is fine */
const char *row_filter_text(const struct row_filter *f); /* as it was typed */

/* line: the row as a regular expression sees it; made only where there is one. */
enum query_result row_filter_match(struct row_filter *f, const struct row_source *s, const void *ctx, uint32_t row,
				   void (*make_line)(void *arg, uint32_t row, char *line, size_t size), void *arg);
/* The sentence for QUERY_GAVE_UP. */
enum err_code row_filter_gave_up(const struct row_filter *f, struct err *e);

#endif
