/* A list as one face shows it: which of its columns, as what. The only place where a value of a list becomes text,
 * and the only one that writes it.
 *
 *     struct shown_table s = {.people = true};
 *     shown_looks(&s, &metrics_processes_columns, looks, count);       or shown_pick(): all columns of a pick, as they are
 *     s.list = &list;
 *     s.rows = count;
 *     shown_write(&s, ROWS_TABLE, TEXT_UTF8, width, &sink, progress, &e);
 */
#ifndef PAS2P_SHOWN_H
#define PAS2P_SHOWN_H

#include "rows.h"

/* Of columns whose cells have one unit: 0 is that of AS_TIME, 1 that of AS_GAIN. */
struct shown_units {
	double second[2]; /* s; 0: not found yet */
	int decimals[2];
	double bar;       /* goal of factors: what is below it is poor */
};

#define SHOWN_TEXT 352 /* a number, whatever it is */
#define SHOWN_TEXTS 16 /* columns that are no plain values, at most */

struct shown_table {
	const struct list_table *table;
	const void *list;
	uint64_t rows;
	const struct out *made; /* where texts of its cells are made: once that has failed there is no row; NULL: nowhere */
	bool people;       /* cells say yes and no, and a dash if there is no value */
	struct shown_units units;
	struct column_look look[LIST_COLUMNS]; /* with names, titles and alignment */
	int count;
	char title[LIST_COLUMNS][COLUMN_TITLE];
	char text[SHOWN_TEXTS][SHOWN_TEXT]; /* of the row at hand */
};

/* The columns of a pick, behind those that are there, as they are. units: titles say them. For people times have the
 * unit of the table, which titles name in any case, and shares are percentages. */
void shown_pick(struct shown_table *s, const struct list_table *t, unsigned in, bool units);
/* Those of a face: what a look leaves out is the list's. */
void shown_looks(struct shown_table *s, const struct list_table *t, const struct column_look *look, int count);
void looks_of(struct column_look *to, const struct list_table *t, const struct column_look *look, int count); /* the same, without the rest */
void shown_drop(struct shown_table *s, int id);
void shown_title(struct shown_table *s, int id, const char *title); /* another one */
int shown_place(const struct shown_table *s, int id);               /* which column it is; -1: not shown */

static inline const struct column *shown_column(const struct shown_table *s, int column)
{
	return &s->table->column[s->look[column].id];
}

/* A unit for times whose largest is v, such that short ones still show. */
double shown_unit(double v);
const char *shown_unit_name(double unit);

/* For AS_TIME: the unit of `largest`, and as many digits as a value deserves that is known to within `surest`; not
 * finite: one. */
void shown_units_for(struct shown_units *u, double largest, double surest);

/* A value as a look has it. */
void cell_text_for(char text[SHOWN_TEXT], const struct column_look *k, struct cell x, const struct shown_units *u);

/* As people read it alone: seconds, shares and sizes with their own unit, numbers with blanks. Empty: "" except for a
 * share. */
void cell_text_own(char *text, size_t size, const struct column *c, struct cell x);

/* Row by row; the texts stay until the next one. */
void shown_cells(struct shown_table *s, uint32_t row, struct cell *cells);
struct rows shown_rows(struct shown_table *s); /* s must stay */
enum err_code shown_write(struct shown_table *s, enum rows_format format, enum text_flags flags, size_t width,
			  const struct rows_sink *sink, const struct progress *progress, struct err *e);

#endif
