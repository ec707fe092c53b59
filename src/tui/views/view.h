/* Views: what fills the middle of the screen. One row of views.def for each, one table of operations, and one file (or
 * folder) that has it as view_NAME.
 *
 * The application calls, on the drawing thread only and in this order:
 *     open     once, before anything else
 *     update   when the analysis, the size or the view's own state has changed: computes what draw needs
 *     draw     paints; computes nothing, changes nothing
 *     act      on a key's action; changes state and says through reaction bits what has to follow
 *     close    once
 * and restore, save, look and set_look at any time between open and close.
 * Members may be NULL where a view has nothing to do.
 */
#ifndef PAS2P_TUI_VIEW_H
#define PAS2P_TUI_VIEW_H

#include <stdint.h>

#include "tui/screen/canvas.h"
#include "tui/jobs/jobs.h"
#include "tui/screen/keys.h"
#include "tui/widgets/list.h"
#include "tui/model/model.h"
#include "tui/model/undo.h"
#include "core/table/shown.h"
#include "core/io/fields.h"

enum reaction {
	REACT_IGNORED = 0,
	REACT_DONE = 1,     /* state changed: update and draw */
	REACT_JUMPED = 2,   /* the cursor leapt: the place before is worth coming back to */
	REACT_CLOSE = 4,    /* back to the view before */
	REACT_ACCEPT = 8,   /* the view's own main step (the table preview: ask where to write; the metrics: ask what should be different) */
	REACT_SHOW = 16     /* a view's number stands from here on: react_show() */
};

/* Show that view. */
static inline unsigned react_show(enum view_id id)
{
	return REACT_DONE | REACT_SHOW * ((unsigned)id + 1);
}

/* A key worth showing at the foot of the screen: what it does here, in a word or two. With `other`, both keys. */
struct hint {
	enum action action, other;
	const char *what;
};

#define ASIDE_LEAST 9

struct view;
struct fields;
struct fields_map;
struct tree_out;

#define VALUE_TEXT 128

/* Rows to export, as a view has them. */
struct view_table {
	const char *name;                /* what they are of, for people; NULL: the view */
	const struct row_source *source; /* NULL: those of `shown` */
	bool (*value)(const struct view *v, uint32_t row, int column, struct cell *c, char text[VALUE_TEXT]);
	uint32_t rows;
	const uint32_t *order;           /* so many rows of the source; NULL: the first */
	const struct shown_table *shown; /* columns of a list, and its values unless `value` has them; NULL: it is none */
};

struct view_ops {
	/* What of the analysis it shows, beyond phases: enum analysis_want. NULL: nothing. */
	unsigned (*want)(const struct view *v);
	size_t size;               /* of the struct that begins with a struct view */
	const struct hint *hints;  /* the keys that matter, ends with ACTION_NONE */
	void (*open)(struct view *v);
	void (*close)(struct view *v);
	void (*show)(struct view *v); /* it comes to the front; optional */
	/* Rows with which it has something to show before there is an analysis: then it is drawn, above how far that is. 0:
	 * nothing. */
	int early;
	bool knobs; /* it has knobs of its own: the keys that turn, measure and undo are its, and the thresholds' panel and line are not there */
	bool alone; /* of other files than the open trace's: it is shown without one, and the thresholds, which are its runs' too, stand below it */
	void (*update)(struct view *v, int w, int h);
	void (*draw)(const struct view *v, struct pane p);
	unsigned (*act)(struct view *v, enum action a);
	void (*status)(const struct view *v, char *text, size_t size, int room); /* room: columns that there are */
	/* A view that is a list: its rows, for drawing, sorting, search and export. NULL: it is none. */
	const struct row_source *(*rows)(const struct view *v);
	/* A field as a value, in SI units, where its text is made for eyes (it is empty before, and has room for a text); false: the
	 * text is the value. NULL: always. */
	bool (*value)(const struct view *v, uint32_t row, int column, struct cell *c, char text[VALUE_TEXT]);
	/* For a view of several tables: the table under the cursor, to export, with all rows or only the shown ones. False:
	 * there is none. NULL: the list is exported. A view that is not a list may have one. */
	bool (*table)(struct view *v, bool all, struct view_table *t);
	/* Where in the view's pane the list is; NULL: all of it. */
	struct pane (*list_pane)(const struct view *v, struct pane p);
	/* A click at a place of the pane: the cursor goes there. True: there it was already, so that the place is opened.
	 * NULL: the view is a list. */
	bool (*click)(struct view *v, int x, int y);
	/* The list that these rows are in; NULL: the view's own. */
	struct list *(*list)(struct view *v);
	/* What it tells of what is looked at beside itself, below the thresholds while those do not have the keys: so many
	 * rows it would take in all, and fewer if there are fewer, ASIDE_LEAST at least. Both or none. */
	int (*aside_rows)(const struct view *v);
	void (*draw_aside)(const struct view *v, struct pane p);
	/* Begin the search of a view that is not a list, for the text that list_search() got; list.found has the result,
	 * and work() continues the search. NULL: there is nothing to search. */
	void (*find)(struct view *v, bool back, bool from_here);
	/* Between keys, after update: go on for some milliseconds with what takes longer. Reaction bits, REACT_DONE at
	 * least; REACT_IGNORED: there was nothing to do. */
	unsigned (*work)(struct view *v, unsigned ms);
	double (*progress)(const struct view *v); /* of the search, 0 to 1 */
	/* What is remembered of it between visits of a trace: a mapping, begun with view_remember(), if there is anything;
	 * front: it is the tab that is shown. And what was, on opening: after a mistake in it the view stays as it is, and
	 * what is too much for the trace or the screen it brings back to what is possible. */
	void (*save)(const struct view *v, bool front, struct tree_out *t);
	void (*restore)(struct view *v, struct fields *f, const struct fields_map *map);
	/* How it looks, as far as undo takes that back, into what is zero; and to look so (again). Both or none. */
	void (*look)(const struct view *v, struct view_look *look);
	void (*set_look)(struct view *v, const struct view_look *look);
};

struct list *view_list(struct view *v);

struct view {
	enum view_id id;
	const struct view_ops *ops;
	bool beside;              /* there is room for what it tells beside it; before each update */
	const struct hint *hints; /* those of ops, unless the view is inside something */
	struct model *model;
	struct list list; /* of views with rows */
};

struct view *view_new(enum view_id id, struct model *m); /* NULL: no memory */
void view_free(struct view *v);

/* Begin the mapping of what is remembered of the view: tree_end() ends it. */
void view_remember(const struct view *v, struct tree_out *t);
/* As the operation does it; not known if there is none. */
struct view_look view_look(const struct view *v);

/* What views.def says of a view. */
struct view_info {
	const char *name, *title, *brief; /* the name is that of the state file too */
	unsigned scope;           /* where its actions are: enum key_scope */
	enum action action;       /* that shows it */
	const struct view_ops *ops;
};

const struct view_info *view_info(enum view_id id);

/* ---- listed ---- */

/* Lists of core/lists in the workbench: names, values, units and sort keys come from the list's table; these
 * declarations add which columns are drawn, their width, and which of them are dropped first if room is short. Files
 * get a selection of the same table.
 */

/* The columns that a view draws. */
struct drawn_list {
	const struct list_table *table;
	struct column_look look[LIST_COLUMNS];
	struct row_source source; /* its columns are those above: the struct must not move */
};
void drawn_list_init(struct drawn_list *d, const struct list_table *t, const struct column_look *drawn, int count,
		     void (*field)(const void *ctx, uint32_t row, int column, struct field *f),
		     double (*key)(const void *ctx, uint32_t row, int column));
int drawn_place(const struct drawn_list *d, int id); /* which column it is; -1: not drawn */

/* A value as people read it: seconds and shares with their unit, numbers with blanks. Columns of the list only. */
void drawn_field(const struct drawn_list *d, const void *list, uint32_t row, int column, struct field *f);
double drawn_key(const struct drawn_list *d, const void *list, uint32_t row, int column);

/* All that a file gets: columns of a pick, and the rows that the view's list shows, or all. w stays with the view. */
void table_of_list(struct view_table *t, struct shown_table *w, const char *name, const struct list *l, bool all);

/* ---- a table and a plot ---- */

/* The plot beside the table where both have room, otherwise below it. Below `title` rows; a width or height of 0: there
 * is no room for it. */
struct table_and_plot {
	int title, list_w, list_h, plot_w, plot_h;
};

/* What they need at least, and how wide the table is with the plot beside it. */
struct table_and_plot_room {
	int list_least, plot_least, list_beside;
};

/* rows: of the table with its head; no plot is made of a head alone. */
void table_and_plot_lay_out(struct table_and_plot *l, const struct table_and_plot_room *room, int rows, int w, int h);
struct pane table_pane(const struct table_and_plot *l, struct pane p);
struct pane plot_pane(const struct table_and_plot *l, struct pane p); /* of no height: there is none */

/* ---- remembered ---- */

/* What views have in common of what is remembered of them between visits of a trace (src/tui/app/state.c). */

/* How many processes a row stands for: a power of two. */
uint32_t remembered_spread(struct fields *f, const struct fields_map *map);

#endif
