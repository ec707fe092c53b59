/* The list of a structure's loops: a row is a loop, in the order in which they first stand in its line.
 *
 *     loops_list_init(&l, structure, &e);      which stays as long as the list is used
 *     loops_columns.column[LOOP_SHARE].value(&l, row)
 *     loops_list_release(&l);
 */
#ifndef PAS2P_LIST_LOOPS_H
#define PAS2P_LIST_LOOPS_H

#include "core/table/columns.h"
#include "core/io/out.h"
#include "core/windows/structure.h"

enum { LOOPS_TABLE = 1, LOOPS_FILE = 2 };

enum loop_column {
#define COLUMN(id, ...) LOOP_##id,
#include "list_loops.def"
	LOOP_COLUMNS
};

struct loop_row {
	uint32_t loop;   /* of shown->fold */
	uint32_t depth, first; /* of the place where it first stands, as a structure_word has them */
	double share, mean, deviation; /* NAN: not defined */
};

struct loops_list {
	const struct structure *structure;
	struct loop_row *row; /* owned */
	uint32_t count;
	/* Set by whoever asks for texts. */
	struct out *text;     /* the one of the row at hand, not owned; `failed` in it: no memory */
	size_t width;         /* cut to so many characters, two blanks in front for each loop around; 0: all of it */
};

enum err_code loops_list_init(struct loops_list *l, const struct structure *s, struct err *e);
void loops_list_release(struct loops_list *l);

extern const struct list_table loops_columns;

#endif
