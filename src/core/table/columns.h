/* Columns: what each list of pas2p has, once for the command line, the workbench and the man page.
 *
 * A list is a table of columns (core/lists/NAME.def) and a struct that its values come from (struct NAME_list). Rows are
 * numbered from 0, and every column gives the value of any row: empty where the data does not support one. So a name is
 * the same number to the last digit wherever it is printed, written or drawn. A face picks which columns it has; how
 * wide they are, what goes first where room is short and what is drawn as a picture is the workbench's own.
 *
 * A row of such a table, which is all that a new column takes:
 *
 *     COLUMN(ID, "name", "title", "unit", KIND, in, "what it is", value)
 *
 * ID for the enum; the name as in files and in `:sort`; its title for people; the unit ("s", or "" for none); one of
 * enum column_kind; the pick or picks it is part of, the list's own bits, and YIELDS(n) if it gives way in a table
 * that is wider than the terminal: those of the largest n, up to 9, first, and those without it last; what it is, for
 * the man page ("" where the one before speaks of both); an expression for its struct cell, in which `l` is the list
 * and `row` the row's number.
 */
#ifndef PAS2P_COLUMNS_H
#define PAS2P_COLUMNS_H

#include <stddef.h>
#include <stdint.h>

#include "cell.h"

struct tree_out;

enum column_kind {
	COLUMN_WHOLE,
	COLUMN_SECONDS,
	COLUMN_SHARE,   /* of 1 */
	COLUMN_REAL,
	COLUMN_TEXT,
	COLUMN_LONG_TEXT, /* words, of which a table that is too wide shows the first */
	COLUMN_BOOL,
	COLUMN_WHOLES   /* numbers in one text, or their range */
};

struct column {
	const char *name, *title, *unit;
	enum column_kind kind;
	unsigned in;
	const char *help;
	struct cell (*value)(const void *list, uint32_t row); /* a text stays until the next row is asked for */
	const char *base;    /* what a share is of; */
	const char *formula; /* how the figure is computed, in words; */
	const char *command; /* the batch command that prints it; NULL each: the list does not say */
};

/* How one face shows a column, of a list's table or of its own. */
enum look_align { LOOK_LEFT, LOOK_RIGHT, LOOK_WORDS }; /* LOOK_WORDS: at the left, and cut or broken at a blank if there is no room */

enum look_as {
	AS_IT_IS,         /* numbers bare, with so many decimals */
	AS_COUNT,         /* "47 128" */
	AS_BYTES,         /* "1.5 KiB" */
	AS_TIME, AS_GAIN, /* in a unit that is the same down the column, which the title names (struct shown_units) */
	AS_WITHIN,        /* in that of AS_TIME, which the title does not name again */
	AS_MICRO, AS_NANO, /* of a unit that the title names, with so many decimals */
	AS_SHARE,         /* "12.3 %" */
	AS_FACTOR,        /* a share, and whether it is poor */
	AS_MULTIPLE,      /* a share that may be more than its whole: "552 %", "160 times" */
	AS_MOMENT         /* "1.234100 s" */
};

#define ROWS_SHORTEST (-1)

struct column_look {
	const char *name;   /* in csv, json, yaml and commands: a plain word */
	const char *title;  /* over the column; NULL: both are the list's */
	enum look_align align;
	int decimals;       /* of real numbers; ROWS_SHORTEST: as many as they need, as in files */
	int width;          /* on a screen */
	int priority;       /* 0: shown as long as may be; the largest goes first where room is short, those of one number together */
	int id;             /* of the list's enum; behind all: the face's own */
	enum look_as as;
	int least;          /* of LOOK_WORDS: columns of the screen that a text keeps which is cut; 0: a few words' */
};

#define YIELDS(n) ((unsigned)(n) << 28)

static inline unsigned char column_yields(const struct column *c)
{
	return (unsigned char)(c->in >> 28);
}

struct list_table {
	const char *name;
	const struct column *column; /* by the list's enum */
	int count;
};

#define LIST_COLUMNS 64 /* of a list at most */

/* Columns of one table, in its order; a second pick goes behind the first. Start from {0}. */
struct list_pick {
	const struct column *column[LIST_COLUMNS];
	int count;
};
void list_pick(struct list_pick *p, const struct list_table *t, unsigned in);

/* The picked columns of a row, each under its name, in a mapping of a document. */
void list_tree(struct tree_out *t, const struct list_table *table, unsigned in, const void *list, uint32_t row);

/* Numbers stand at the right of their column. */
static inline bool column_is_right(const struct column *c)
{
	return c->kind != COLUMN_TEXT && c->kind != COLUMN_LONG_TEXT && c->kind != COLUMN_BOOL;
}

/* "time [s]": for wherever the values stand without their unit. */
#define COLUMN_TITLE 48
const char *column_title(const struct column *c, char title[COLUMN_TITLE]);

/* What rows are sorted by: the value as a number, an empty cell before all; 0 for texts. */
double column_key(const struct column *c, const void *list, uint32_t row);

#endif
