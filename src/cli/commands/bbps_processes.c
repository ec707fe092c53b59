#include "commands_int.h"

#include "cli/listing.h"
#include "cli/shared_rows.h"
#include "core/base/mem.h"
#include "core/lists/lists.h"
#include "core/trace/far.h"

/* A row is place * processes + process, a place that of a block. */
struct listed_processes {
	struct bbp_processes_list list;
	struct bbp_process_texts texts;
	struct bbp_process_facts facts;
	struct shown_table shown;
	uint32_t *blocks;     /* by place; NULL: all of them */
	uint32_t count;       /* blocks */
	uint32_t processes;
};

static enum err_code process_row(void *arg, uint64_t i, struct cell *c, bool *keep, struct err *e)
{
	struct listed_processes *l = arg;
	uint32_t place = (uint32_t)(i / l->processes);

	(void)keep;
	(void)e;
	l->list.block = l->blocks ? l->blocks[place] : place + 1;
	shown_cells(&l->shown, (uint32_t)(i % l->processes), c);
	return ERR_OK;
}

static uint64_t slice_end(void *arg, uint64_t slice)
{
	const struct listed_processes *l = arg;
	uint64_t end = (slice + 1) * l->facts.most;

	return (end < l->count ? end : l->count) * l->processes;
}

static enum err_code processes_meet_slice(void *arg, uint64_t slice, struct err *e)
{
	struct listed_processes *l = arg;
	uint64_t begin = slice * l->facts.most, end = begin + l->facts.most;

	return bbp_process_facts_gather(&l->facts, (uint32_t)begin, (uint32_t)(end < l->count ? end : l->count), e);
}

static enum err_code list_shared(struct batch *b, struct listed_processes *l, const struct rows *rows, struct err *e)
{
	struct shared_slices slices = {.end = slice_end, .meet = processes_meet_slice, .arg = l};
	enum err_code code = bbp_process_facts_init(&l->facts, b->analysis, l->blocks, e);

	if (code)
		return code;
	l->list.facts = &l->facts;
	slices.count = ((uint64_t)l->count + l->facts.most - 1) / l->facts.most;
	code = shared_rows_write(b, trace_team(b->trace), rows, &slices, e);
	bbp_process_facts_release(&l->facts);
	return code;
}

static enum err_code find_leaders(struct listed_processes *l, const struct bbps *blocks, struct err *e)
{
	uint32_t n = 0;

	l->count = blocks->label_count;
	l->blocks = mem_alloc(l->count, sizeof *l->blocks);
	if (!l->blocks)
		return err_memory(e, "the labels of basic blocks");
	for (uint32_t i = 1; i <= blocks->count && n < l->count; i++)
		if (blocks->label[i] == i)
			l->blocks[n++] = i;
	return ERR_OK;
}

enum err_code bbps_processes_list(struct batch *b, struct err *e)
{
	const struct team *team = trace_team(b->trace);
	struct listed_processes l = {
		.list = {.analysis = b->analysis},
		.count = b->analysis->bbps->count,
		.processes = b->analysis->logical->trace->process_count,
		.shown = {.people = b->options->format == FORMAT_TABLE, .list = &l.list},
	};
	struct rows rows = {l.shown.look, 0, 0, process_row, &l};
	enum err_code code = b->options->leaders ? find_leaders(&l, b->analysis->bbps, e) : ERR_OK;

	code = team_agree(team, code, e);
	if (!code) {
		l.list.texts = &l.texts;
		shown_pick(&l.shown, &bbp_processes_columns, BBP_PROCESSES_ALL, true);
		rows.column_count = (size_t)l.shown.count;
		rows.row_count = (uint64_t)l.count * l.processes;
		code = team_size(team) > 1 ? list_shared(b, &l, &rows, e) : listing_write(b, &rows, e);
	}
	mem_free(l.blocks);
	return code;
}
