/* pas2p bbps: the basic blocks with their labels, and what tells one from another. */
#include "cli/listing.h"
#include "core/lists/list_bbps.h"

#define FEW 8 /* processes whose types a row shows, where it does not show all */

struct listed {
	struct bbps_list list;
	struct listing listing;
	bool leaders;         /* only blocks that lead a label */
};

static enum err_code bbp_row(void *arg, uint64_t i, struct cell *c, bool *keep, struct err *e)
{
	const struct listed *l = arg;

	*keep = !l->leaders || l->list.analysis->bbps->label[i + 1] == i + 1;
	if (!*keep)
		return ERR_OK;
	listing_cells(&l->listing, &l->list, (uint32_t)i, c);
	return l->list.texts->types.failed ? err_memory(e, "a row") : ERR_OK;
}

enum err_code cmd_bbps(struct batch *b, struct err *e)
{
	struct bbps_texts texts;
	struct listed l = {
		.list = {
			.analysis = b->analysis,
			/* All types of all blocks of a wide trace would be gigabytes; of the leaders they are what is asked for. */
			.types_of = b->options->leaders && b->options->format != FORMAT_TABLE ? UINT32_MAX : FEW,
			.texts = &texts,
		},
		.leaders = b->options->leaders,
	};
	struct rows rows = {l.listing.columns, 0, b->analysis->bbps->count, bbp_row, &l};
	enum err_code code;

	bbps_texts_init(&texts);
	listing_pick(&l.listing, &bbps_columns, BBPS_BATCH);
	/* In a table both ticks stand under one title. */
	listing_title(&l.listing, &bbps_columns.column[BBP_TICK_FIRST], "ticks");
	listing_title(&l.listing, &bbps_columns.column[BBP_TICK_LAST], "");
	rows.column_count = (size_t)l.listing.pick.count;
	code = listing_write(b, &rows, e);
	bbps_texts_release(&texts);
	return code;
}
