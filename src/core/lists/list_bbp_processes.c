#include "lists.h"

/* Looked up once for all columns of a row. */
static const struct bbp_cell *processes_list_cell(const struct bbp_processes_list *l, uint32_t process)
{
	struct bbp_process_texts *t = l->texts;

	if (t->block != l->block || t->process != process) {
		if (l->facts)
			bbp_process_facts_cell(l->facts, l->block, process, &t->cell);
		else
			bbp_cell(l->analysis->logical, l->block, process, &t->cell);
		t->block = l->block;
		t->process = process;
	}
	return &t->cell;
}

static struct cell processes_list_type(const struct bbp_processes_list *l, uint32_t process, enum bbp_side side)
{
	const struct bbp_cell *c = processes_list_cell(l, process);
	const struct trace *t = l->analysis->logical->trace;
	event_type type = side == BBP_ENTRY_SIDE ? c->entry_type : c->exit_type;
	struct bbp_process_texts *to = l->texts;

	return cell_text_shown(trace_type_name(t, type, to->type[side], sizeof to->type[side]),
			       trace_type_text(t, type, to->shown[side], sizeof to->shown[side]));
}

static struct cell processes_list_size(const struct bbp_processes_list *l, uint32_t process, enum bbp_side side)
{
	const struct bbp_cell *c = processes_list_cell(l, process);
	event_type type = side == BBP_ENTRY_SIDE ? c->entry_type : c->exit_type;
	uint64_t size = side == BBP_ENTRY_SIDE ? c->entry_size : c->exit_size;

	return type == EVENT_NONE || size == SIZE_UNKNOWN ? cell_empty() : cell_whole(size);
}

static struct cell compute(const struct bbp_processes_list *l, uint32_t process)
{
	const struct bbp_cell *c = processes_list_cell(l, process);

	return c->entry_type == EVENT_NONE ? cell_empty() : cell_figure(c->compute);
}

#define LIST bbp_processes
#define LIST_NAME "bbp_processes"
#define LIST_OF struct bbp_processes_list
#define LIST_DEF "core/lists/list_bbp_processes.def"
#include "core/table/list.inc"
