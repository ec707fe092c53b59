#include "lists.h"

#include <inttypes.h>
#include <stdio.h>

static uint32_t block(const struct bbps_list *l, uint32_t row)
{
	return l->leaders ? l->leaders[row] : row + 1;
}

static uint32_t label(const struct bbps_list *l, uint32_t row)
{
	return l->analysis->bbps->label[block(l, row)];
}

static void count_events(const struct logical *l, uint32_t tick, struct bbp_end *end)
{
	const struct trace *t = l->trace;

	for (uint32_t k = l->tick_first[tick]; k < l->tick_first[tick + 1]; k++) {
		uint32_t event = l->order_of[k];

		switch (EVENT_KIND(t->type[event])) {
		case EVENT_SEND:
			end->sends++;
			break;
		case EVENT_RECEIVE:
			end->receives++;
			break;
		default:
			end->collectives++;
			break;
		}
		if (trace_size(t, event) != SIZE_UNKNOWN)
			end->bytes += trace_size(t, event);
	}
}

static void count_end(const struct bbps_list *l, uint32_t tick, struct bbp_end *end)
{
	size_t n = 0;

	*end = (struct bbp_end){0};
	if (l->facts) {
		const uint64_t *of = bbp_facts_tick(l->facts, tick);

		*end = (struct bbp_end){(uint32_t)of[BBP_FACT_SENDS], (uint32_t)of[BBP_FACT_RECEIVES], (uint32_t)of[BBP_FACT_COLLECTIVES],
					of[BBP_FACT_BYTES], ""};
	} else {
		count_events(l->analysis->logical, tick, end);
	}
	if (end->sends)
		n += (size_t)snprintf(end->text, sizeof end->text, "%" PRIu32 "s", end->sends);
	if (end->receives)
		n += (size_t)snprintf(end->text + n, sizeof end->text - n, "%s%" PRIu32 "r", n ? " " : "",
				      end->receives);
	if (end->collectives)
		snprintf(end->text + n, sizeof end->text - n, "%s%" PRIu32 "c", n ? " " : "", end->collectives);
}

/* Processes with an event at one tick or both. */
static uint32_t active(const struct bbps_list *list, uint32_t row)
{
	const struct logical *l = list->analysis->logical;
	uint32_t i = block(list, row);

	return list->facts ? bbp_facts_active(list->facts, i) : bbp_active(l, i);
}

static double compute(const struct bbps_list *l, uint32_t row)
{
	uint32_t i = block(l, row);

	return l->facts ? l->facts->compute[i - l->facts->begin] :
			  bbp_compute(l->analysis->logical, i, (enum compute_of)l->analysis->settings.compute_of);
}

/* Both ends of a row's block, counted once for all columns. */
static const struct bbps_texts *block_ends_of(const struct bbps_list *l, uint32_t row)
{
	uint32_t i = block(l, row);

	if (l->texts->block != i) {
		count_end(l, i - 1, &l->texts->entry);
		count_end(l, i, &l->texts->exit);
		l->texts->block = i;
	}
	return l->texts;
}

static void add_types(struct bbps_texts *to, const struct trace *t, event_type entry, event_type exit)
{
	char a[64], b[64];

	out_printf(&to->types, "%s>%s", trace_type_name(t, entry, a, sizeof a), trace_type_name(t, exit, b, sizeof b));
	out_printf(&to->shown, "%s/%s", trace_type_text(t, entry, a, sizeof a), trace_type_text(t, exit, b, sizeof b));
}

static void add_to_both(struct bbps_texts *to, const char *text)
{
	out_str(&to->types, text);
	out_str(&to->shown, text);
}

static struct cell types(const struct bbps_list *l, uint32_t row)
{
	const struct logical *logical = l->analysis->logical;
	const struct trace *t = logical->trace;
	struct bbps_texts *to = l->texts;

	to->types.len = to->shown.len = 0;
	for (uint32_t p = 0; p < t->process_count && p < l->types_of; p++) {
		struct bbp_cell c;

		if (l->facts) {
			const event_type *of = bbp_facts_types(l->facts, block(l, row), p);

			c = (struct bbp_cell){.entry_type = of[0], .exit_type = of[1]};
		} else {
			bbp_cell(logical, block(l, row), p, &c);
		}
		if (p)
			add_to_both(to, " ");
		add_types(to, t, c.entry_type, c.exit_type);
	}
	if (t->process_count > l->types_of)
		add_to_both(to, " ...");
	return cell_text_shown(to->types.text, to->shown.text);
}

#define LIST bbps
#define LIST_NAME "bbps"
#define LIST_OF struct bbps_list
#define LIST_DEF "core/lists/bbps.def"
#include "core/table/list.inc"

void bbps_texts_init(struct bbps_texts *t)
{
	t->block = 0;
	out_init(&t->types);
	out_init(&t->shown);
}

void bbps_texts_release(struct bbps_texts *t)
{
	out_release(&t->types);
	out_release(&t->shown);
}

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

static struct cell process_compute(const struct bbp_processes_list *l, uint32_t process)
{
	const struct bbp_cell *c = processes_list_cell(l, process);

	return c->entry_type == EVENT_NONE ? cell_empty() : cell_figure(c->compute);
}

#define LIST bbp_processes
#define LIST_NAME "bbp_processes"
#define LIST_OF struct bbp_processes_list
#define LIST_DEF "core/lists/bbp_processes.def"
#include "core/table/list.inc"
