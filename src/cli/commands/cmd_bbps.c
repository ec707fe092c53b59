/* pas2p bbps: the basic blocks with their labels, and what tells one from another. */
#include "commands_int.h"
#include "cli/listing.h"
#include "cli/shared_rows.h"
#include "core/lists/lists.h"
#include "core/trace/far.h"

#define FEW 8 /* processes whose types a row shows, where it does not show all */

struct listed_blocks {
	struct bbps_list list;
	struct shown_table shown;
	bool leaders;         /* only blocks that lead a label */
};

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
	rows.column_count = (size_t)l.shown.count;
	code = team_size(trace_team(b->trace)) > 1 ? list_shared(b, &l, &rows, e) : listing_write(b, &rows, e);
	bbps_texts_release(&texts);
	return code;
}
