/* The pages of the commands: what help, man page and reference say of each besides its row in commands.def and its
 * options. A page is a file in pages/, made of these rows:
 *
 *     ABOUT("...")                        a sentence or two, for --help
 *     GROUP("Choose the output", ids)     options by O(id) and settings by S(id), in --help and the page
 *     MORE("Details", ids)                the same, in the page alone
 *     SETTINGS(ids)                       those that users of the command change most
 *     COMMON(ids)                         settings that --help names among the common options
 *     EXAMPLE("comment", "arguments")     works as printed in the project's own folder, unless it launches a job: a test runs it
 *     SEE("plan, help settings (why)")    commands and topics
 *     TEXT("...")                         a paragraph of the description
 *     OUTPUT("...")                       a paragraph about what is printed
 *     KEY("a, b", "...")                  columns or keys that no list has
 *     COLUMNS("title", table, picks)      columns of a list (core/table/columns.h)
 *     LIST("title", what)                 a list of enum page_list
 *     FINDING("...")                      when the exit status is 1
 *
 * Literal words of sentences stand in `backticks`. Every option that goes with a command is in one of its groups or
 * among the common options.
 */
#ifndef PAS2P_CLI_PAGES_H
#define PAS2P_CLI_PAGES_H

#include "core/table/columns.h"
#include "options.h"

enum page_row_kind {
	PAGE_END, PAGE_ABOUT, PAGE_GROUP, PAGE_MORE, PAGE_SETTINGS, PAGE_COMMON, PAGE_EXAMPLE, PAGE_SEE, PAGE_TEXT, PAGE_OUTPUT, PAGE_KEY,
	PAGE_COLUMNS, PAGE_LIST, PAGE_FINDING
};

enum page_list { PAGE_NOTES, PAGE_METRIC_NOTES, PAGE_CHECKS };

struct page_row {
	enum page_row_kind kind;
	const char *text, *more; /* in the order of the macros' texts */
	const unsigned *options; /* numbers of option_info() */
	unsigned count;
	const struct list_table *columns;
	unsigned in;             /* of PAGE_LIST: enum page_list */
};

/* Up to PAGE_END. */
const struct page_row *page_rows(enum command c);
/* The first row of a kind; NULL: there is none. */
const struct page_row *page_first(enum command c, enum page_row_kind kind);

/* Options that many commands have and help names in one line, in its order. */
extern const unsigned page_common[];
extern const unsigned page_common_count;

#endif
