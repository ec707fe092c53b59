/* Virtual lists: a cursor and a window over any number of rows, of which only the visible ones are ever
 * turned into text. Sorting, filtering and searching come with it for every view that has rows.
 *
 * A row source says what the columns are and gives the fields of a row; rows are numbered from 0 by the source,
 * and the list keeps in which order and which of them are shown.
 *
 * Sorting, filtering and searching many rows is done in slices, so that no key waits: what begins one does a first
 * slice, which is all of it for some thousand rows; list_work() goes on with it between keys. Until it is done the
 * list shows the order of before (the source's, if the rows are others now).
 */
#ifndef PAS2P_TUI_LIST_H
#define PAS2P_TUI_LIST_H

#include <stdbool.h>
#include <stdint.h>

#include "core/base/query.h"
#include "core/table/columns.h"
#include "widgets.h"
#include "tui/screen/canvas.h"
#include "tui/screen/keys.h"

struct field {
	char text[128];
	enum role role;
	unsigned attr;
	bool picture;      /* drawn with blocks: not reversed under the cursor, where it would show its opposite */
};

struct row_source {
	const struct column_look *columns; /* name, title, align, width, priority */
	int column_count;
	void (*field)(const void *ctx, uint32_t row, int column, struct field *f);
	double (*key)(const void *ctx, uint32_t row, int column); /* to sort by; NULL: not sortable */
	const char *(*help)(const struct row_source *s, int column); /* what it is, "" if that is not known; NULL: of none */
};

struct list_task;

enum list_found { LIST_FOUND, LIST_NOT_FOUND, LIST_SEARCHING, LIST_GAVE_UP };

struct list {
	uint32_t total;     /* rows of the source */
	uint32_t *order;    /* place -> row; NULL: all, in the source's order; owned */
	uint32_t shown;     /* places */
	uint32_t top, cur;  /* places */
	int height;         /* rows that fit, as last drawn for */
	int sort_column;    /* -1: the source's order */
	bool descending;
	struct row_filter *filter; /* owned; NULL: none */
	struct query *search; /* owned; NULL: none */
	uint32_t generation; /* counts list_refresh(): which rows of the source these are */
	struct list_task *task; /* what is being arranged or searched; owned; NULL: nothing */
	enum list_found found; /* what the latest search came to */
	struct err failure; /* a pattern took too many steps, and was dropped: the sentence, for whoever clears the code */
	struct {
		bool wanted, back, from_here;
	} then;             /* a search, once the rows are arranged */
	/* A row as what search and filter see, where it is not the fields; set by the list's owner. */
	void (*line)(const void *ctx, uint32_t row, char *line, size_t size);
};

void list_init(struct list *l);
void list_release(struct list *l);

/* The source has other rows now: order them again, keep the cursor on the row `keep` if it is there. */
void list_refresh(struct list *l, const struct row_source *s, const void *ctx, uint32_t total, uint32_t keep);
void list_sort(struct list *l, const struct row_source *s, const void *ctx, int column, bool descending);

/* Show only rows that match (widgets.h), or search for them by an expression; a NULL or empty pattern ends it.
 * ERR_USAGE: a bad one. A pattern that cannot be matched in bounded steps is dropped at the first row that shows it:
 * all rows are shown, or LIST_GAVE_UP. Then ERR_LIMIT, or `failure`, says so. */
enum err_code list_filter(struct list *l, const struct row_source *s, const void *ctx, const char *pattern,
			  struct err *e);
enum err_code list_search(struct list *l, const char *pattern, struct err *e);
/* Move to the next row that matches the search (back: before). */
enum list_found list_find(struct list *l, const struct row_source *s, const void *ctx, bool back, bool from_here);

/* Go on for some milliseconds (0: to the end) with what was begun; true: there is more to do. The source and its
 * context must still be those that it was begun with. */
bool list_work(struct list *l, unsigned ms);
void list_give_up(struct list *l);          /* the search's pattern takes too many steps: drop it */
double list_progress(const struct list *l); /* of what is being done, 0 to 1 */
void list_stop(struct list *l);             /* leave it: unsorted, unfiltered or not found */

uint32_t list_row_at(const struct list *l, uint32_t place);
uint32_t list_row(const struct list *l); /* the source's row under the cursor; UINT32_MAX: no rows */
bool list_act(struct list *l, enum action a); /* moving; false: not a move */
void list_fit(struct list *l, int height); /* the window follows the cursor */
void list_select(struct list *l, uint32_t row);
void list_draw(const struct list *l, const struct row_source *s, const void *ctx, struct pane p);

/* The column at x of a pane so wide; -1: none. And the one that is shown in it after a column (-1: the first). */
int list_column_at(const struct row_source *s, int width, int x);
int list_column_after(const struct row_source *s, int width, int column);

/* Whether a row is one that is searched for; *tired: the pattern took too many steps of one, so none is looked at. */
bool list_is_match(const struct list *l, const struct row_source *s, const void *ctx, uint32_t row, bool *tired);

/* A row as one line, fields separated by two blanks: what search sees. */
void list_line(const struct list *l, const struct row_source *s, const void *ctx, uint32_t row, char *line, size_t size);

#endif
