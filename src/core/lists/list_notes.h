/* The list of notes on a trace and on its logical order: a row is a note with its place, or those of a kind whose
 * places were not kept. Which, and in what order, is for whoever has the items.
 */
#ifndef PAS2P_LIST_NOTES_H
#define PAS2P_LIST_NOTES_H

#include "core/table/columns.h"
#include "core/trace/trace.h"

enum { NOTES_ALL = 1 };

enum note_column {
#define COLUMN(id, ...) NOTE_COLUMN_##id,
#include "list_notes.def"
	NOTE_COLUMNS
};

struct note_item {
	enum note_kind kind;
	const struct note *note;   /* NULL: so many of its kind were only counted */
	uint64_t count;
};

#define NOTES_MORE 64 /* bytes for "17 more whose places were not kept" */

struct notes_list {
	const struct trace *trace; /* as loaded: has the files */
	const struct note_item *items;
	char *more;                /* NOTES_MORE bytes, for a row's text */
};

/* The process that a note names, -1: none; the number of its event in that process, from 1, 0: none. */
int64_t note_item_rank(const struct note_item *item);
uint32_t note_item_event(const struct note_item *item);

extern const struct list_table notes_columns;

#endif
