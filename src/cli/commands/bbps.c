/* pas2p blocks: the basic blocks with their labels, and the values that distinguish them. */
#include "commands_int.h"

#include "cli/listing.h"
#include "core/base/mem.h"
#include "core/lists/lists.h"
#include "core/trace/remote.h"

#define FEW 8 /* processes whose types a row shows, where it does not show all */

struct listed_blocks {
	struct bbps_list list;
	struct shown_table shown;
	bool leaders;         /* only blocks that lead a label */
};

/* Not all values are at hand at once where ranks share the trace: the unit cannot depend on them. */
static void in_microseconds(struct shown_table *s, int id)
{
	int at = shown_place(s, id);

	if (s->people && at >= 0) {
		s->look[at].as = AS_MICRO;
		s->look[at].decimals = 3;
		s->look[at].title = "compute [µs]";
	}
}

static enum err_code bbp_row(void *arg, uint64_t i, struct cell *c, bool *keep, struct err *e)
{
	struct listed_blocks *l = arg;

	*keep = !l->leaders || l->list.analysis->bbps->label[i + 1] == i + 1;
	if (!*keep)
		return ERR_OK;
	shown_cells(&l->shown, (uint32_t)i, c);
	return l->list.texts->types.failed || l->list.texts->shown.failed ? err_memory(e, "a row") : ERR_OK;
}

/* --- of a trace that ranks share --- */

struct shared_bbps {
	struct bbp_facts facts;
	uint32_t count;       /* blocks */
};

static uint64_t slice_end(void *arg, uint64_t slice)
{
	const struct shared_bbps *s = arg;
	uint64_t end = (slice + 1) * s->facts.most;

	return end < s->count ? end : s->count;
}

static enum err_code blocks_meet_slice(void *arg, uint64_t slice, struct err *e)
{
	struct shared_bbps *s = arg;

	/* Row i is block i + 1. */
	return bbp_facts_gather(&s->facts, (uint32_t)(slice * s->facts.most) + 1, (uint32_t)slice_end(s, slice) + 1, e);
}

static enum err_code list_shared(struct batch *b, struct listed_blocks *l, const struct rows *rows, struct err *e)
{
	struct shared_bbps s = {.count = b->analysis->bbps->count};
	struct shared_slices slices = {.end = slice_end, .meet = blocks_meet_slice, .arg = &s};
	enum err_code code = bbp_facts_init(&s.facts, b->analysis, l->list.types_of, l->leaders, e);

	if (code)
		return code;
	l->list.facts = &s.facts;
	slices.count = ((uint64_t)s.count + s.facts.most - 1) / s.facts.most;
	code = shared_rows_write(b, trace_team(b->trace), rows, &slices, e);
	bbp_facts_release(&s.facts);
	return code;
}

enum err_code cmd_bbps(struct batch *b, struct err *e)
{
	struct bbps_texts texts;
	struct listed_blocks l = {
		.list = {
			.analysis = b->analysis,
			/* All types of all blocks of a wide trace would be gigabytes; of the leaders they are what is asked for. */
			.types_of = b->options->leaders && b->options->format != FORMAT_TABLE ? UINT32_MAX : FEW,
			.texts = &texts,
		},
		.leaders = b->options->leaders,
		.shown = {.people = b->options->format == FORMAT_TABLE, .list = &l.list},
	};
	struct rows rows = {l.shown.look, 0, b->analysis->bbps->count, bbp_row, &l};
	enum err_code code;

	if (b->options->processes)
		return bbps_processes_list(b, e);
	bbps_texts_init(&texts);
	shown_pick(&l.shown, &bbps_columns, BBPS_BATCH, true);
	/* In a table both ticks stand under one title. */
	shown_title(&l.shown, BBP_TICK_FIRST, "ticks");
	shown_title(&l.shown, BBP_TICK_LAST, "");
	in_microseconds(&l.shown, BBP_COMPUTE);
	rows.column_count = (size_t)l.shown.count;
	code = team_size(trace_team(b->trace)) > 1 ? list_shared(b, &l, &rows, e) : listing_write(b, &rows, e);
	bbps_texts_release(&texts);
	return code;
}

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

static uint64_t processes_slice_end(void *arg, uint64_t slice)
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

static enum err_code processes_list_shared(struct batch *b, struct listed_processes *l, const struct rows *rows, struct err *e)
{
	struct shared_slices slices = {.end = processes_slice_end, .meet = processes_meet_slice, .arg = l};
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
		in_microseconds(&l.shown, BBP_PROCESS_COMPUTE);
		rows.column_count = (size_t)l.shown.count;
		rows.row_count = (uint64_t)l.count * l.processes;
		code = team_size(team) > 1 ? processes_list_shared(b, &l, &rows, e) : listing_write(b, &rows, e);
	}
	mem_free(l.blocks);
	return code;
}
