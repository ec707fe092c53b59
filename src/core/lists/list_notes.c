#include "lists.h"

#include <inttypes.h>
#include <stdio.h>

static const struct note_item *note_item_at(const struct notes_list *l, uint32_t row)
{
	return &l->items[row];
}

int64_t note_item_rank(const struct note_item *item)
{
	return item->note ? item->note->process : -1;
}

uint32_t note_item_event(const struct note_item *item)
{
	return item->note ? (uint32_t)(item->note->event + 1) : 0;
}

static const char *note_file_name(const struct notes_list *l, uint32_t row)
{
	const struct note *n = note_item_at(l, row)->note;

	return n && n->file >= 0 && (uint32_t)n->file < l->trace->file_count ? l->trace->files[n->file].path : NULL;
}

static struct cell from_0(int64_t v)
{
	return v >= 0 ? cell_int(v) : cell_empty();
}

static struct cell event(const struct notes_list *l, uint32_t row)
{
	uint32_t number = note_item_event(note_item_at(l, row));

	return number ? cell_whole(number) : cell_empty();
}

static struct cell found(const struct notes_list *l, uint32_t row)
{
	if (note_item_at(l, row)->note)
		return cell_text(note_item_at(l, row)->note->text);
	snprintf(l->more, NOTES_MORE, "%" PRIu64 " more whose places were not kept", note_item_at(l, row)->count);
	return cell_text(l->more);
}

#define LIST notes
#define LIST_NAME "notes"
#define LIST_OF struct notes_list
#define LIST_DEF "core/lists/list_notes.def"
#include "core/table/list.inc"
