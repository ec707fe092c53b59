/* Lists of what stands in a trace: its notes, its processes, its states. */
#include "lists.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "core/base/mem.h"
#include "core/metrics/rows/tracing_cost.h"
#include "core/trace/calls.h"
#include "core/trace/remote.h"

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

static struct cell note_level_cell(const struct notes_list *l, uint32_t row)
{
	enum note_level level = note_level(note_item_at(l, row)->kind);

	return cell_text_shown(note_level_name(level), note_level_word(level));
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
	snprintf(l->more, NOTES_MORE, "%" PRIu64 " more, places not recorded", note_item_at(l, row)->count);
	return cell_text(l->more);
}

#define LIST notes
#define LIST_NAME "notes"
#define LIST_OF struct notes_list
#define LIST_DEF "core/lists/notes.def"
#include "core/table/list.inc"

static const struct process *process(const struct processes_list *l, uint32_t row)
{
	return &l->trace->processes[row];
}

/* Without records there is no time. */
static struct cell if_any(const struct processes_list *l, uint32_t row, double seconds)
{
	return process(l, row)->records ? cell_real(seconds) : cell_empty();
}

static struct cell spent(const struct processes_list *l, uint32_t row, enum time_kind kind)
{
	/* Without calls nothing is known of what a process did. */
	if (!trace_has_calls(l->trace))
		return cell_empty();
	return if_any(l, row, process(l, row)->by_kind[kind]);
}

#define LIST processes
#define LIST_NAME "processes"
#define LIST_OF struct processes_list
#define LIST_DEF "core/lists/processes.def"
#include "core/table/list.inc"

_Static_assert(PROCESS_TRACER - PROCESS_COMPUTE + 1 == TIME_KINDS, "a column for each kind of time");

static const struct state_total *state(const struct states_list *l, uint32_t row)
{
	return &l->trace->states[l->state[row]];
}

#define LIST states
#define LIST_NAME "states"
#define LIST_OF struct states_list
#define LIST_DEF "core/lists/states.def"
#include "core/table/list.inc"

static int most_time(const void *a, const void *b, void *list)
{
	const struct state_total *states = ((const struct states_list *)list)->trace->states;
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	if (states[x].exclusive != states[y].exclusive)
		return states[x].exclusive < states[y].exclusive ? 1 : -1;
	return x < y ? -1 : x > y;
}

enum err_code states_list_init(struct states_list *l, const struct trace *t, struct err *e)
{
	*l = (struct states_list){.trace = t, .state = mem_alloc(t->state_count, sizeof *l->state)};
	if (!l->state)
		return err_memory(e, "the states");
	for (uint32_t i = 0; i < t->state_count; i++)
		if (t->states[i].count)
			l->state[l->count++] = i;
	qsort_r(l->state, l->count, sizeof *l->state, most_time, l);
	return ERR_OK;
}

void states_list_release(struct states_list *l)
{
	mem_free(l->state);
	*l = (struct states_list){0};
}
