/* pas2p bbps: the basic blocks with their labels, and what tells one from another. */
#include <inttypes.h>
#include <stdio.h>

#include "cli/listing.h"

#define FEW 8 /* processes whose types a row shows, where it does not show all */

static const struct column columns[] = {
	{"bbp", "BBP", ROWS_RIGHT, 0},
	{"label", "label", ROWS_RIGHT, 0},
	{"weight", "weight", ROWS_RIGHT, 0},
	{"tick_first", "ticks", ROWS_RIGHT, 0},
	{"tick_last", "", ROWS_RIGHT, 0},
	{"active", "active", ROWS_RIGHT, 0},
	{"entry", "entry", ROWS_LEFT, 0},
	{"exit", "exit", ROWS_LEFT, 0},
	{"bytes", "bytes", ROWS_RIGHT, 0},
	{"compute", "compute [s]", ROWS_RIGHT, 9},
	{"types", "types, entry>exit of each process", ROWS_LEFT, 0},
};
enum { BBP, LABEL, WEIGHT, TICK_FIRST, TICK_LAST, ACTIVE, ENTRY, EXIT, BYTES, COMPUTE, TYPES, COLUMNS };

/* One end of a block: how many of each kind of event its tick holds. */
struct end {
	uint32_t sends, receives, collectives;
	uint64_t bytes;
	char text[48];
};

struct listed {
	const struct logical *logical;
	const struct bbps *bbps;
	enum compute_of compute_of;
	bool leaders;         /* only blocks that lead a label */
	uint32_t shown;       /* processes whose types a row shows */
	struct end entry, exit;
	struct out types;
};

static void count_end(const struct logical *l, uint32_t tick, struct end *x)
{
	const struct trace *t = l->trace;
	size_t n = 0;

	*x = (struct end){0};
	for (uint32_t k = l->tick_first[tick]; k < l->tick_first[tick + 1]; k++) {
		uint32_t event = l->order_of[k];

		switch (EVENT_KIND(t->type[event])) {
		case EVENT_SEND:
			x->sends++;
			break;
		case EVENT_RECEIVE:
			x->receives++;
			break;
		default:
			x->collectives++;
			break;
		}
		if (t->size[event] != SIZE_UNKNOWN)
			x->bytes += t->size[event];
	}
	if (x->sends)
		n += (size_t)snprintf(x->text, sizeof x->text, "%" PRIu32 "s", x->sends);
	if (x->receives)
		n += (size_t)snprintf(x->text + n, sizeof x->text - n, "%s%" PRIu32 "r", n ? " " : "", x->receives);
	if (x->collectives)
		snprintf(x->text + n, sizeof x->text - n, "%s%" PRIu32 "c", n ? " " : "", x->collectives);
}

/* Processes with an event at one tick or both; a tick's events are in the order of their processes. */
static uint32_t count_active(const struct logical *l, uint32_t tick)
{
	uint32_t a = l->tick_first[tick], a_end = l->tick_first[tick + 1], b = a_end, b_end = l->tick_first[tick + 2];
	uint32_t n = 0;

	while (a < a_end || b < b_end) {
		uint32_t p = a < a_end ? trace_process_of(l->trace, l->order_of[a]) : NO_PROCESS;
		uint32_t q = b < b_end ? trace_process_of(l->trace, l->order_of[b]) : NO_PROCESS;

		a += p <= q;
		b += q <= p;
		n++;
	}
	return n;
}

static void add_type(struct out *o, const struct trace *t, event_type type)
{
	char buf[64];

	out_str(o, type == EVENT_NONE ? "0" : trace_type_name(t, type, buf, sizeof buf));
}

static void list_types(struct listed *l, uint32_t i)
{
	const struct trace *t = l->logical->trace;

	l->types.len = 0;
	for (uint32_t p = 0; p < t->process_count && p < l->shown; p++) {
		struct bbp_cell c;

		bbp_cell(l->logical, i, p, &c);
		if (p)
			out_str(&l->types, " ");
		add_type(&l->types, t, c.entry_type);
		out_str(&l->types, ">");
		add_type(&l->types, t, c.exit_type);
	}
	if (t->process_count > l->shown)
		out_str(&l->types, " ...");
}

static enum err_code bbp_row(void *arg, uint64_t at, struct cell *c, bool *keep, struct err *e)
{
	struct listed *l = arg;
	uint32_t i = (uint32_t)at + 1;
	const struct bbps *b = l->bbps;

	*keep = !l->leaders || b->label[i] == i;
	if (!*keep)
		return ERR_OK;
	count_end(l->logical, i - 1, &l->entry);
	count_end(l->logical, i, &l->exit);
	list_types(l, i);
	if (l->types.failed)
		return err_memory(e, "a row");
	c[BBP] = cell_whole(i);
	c[LABEL] = cell_whole(b->label[i]);
	c[WEIGHT] = cell_whole(b->weight[b->label[i]]);
	c[TICK_FIRST] = cell_whole(i - 1);
	c[TICK_LAST] = cell_whole(i);
	c[ACTIVE] = cell_whole(count_active(l->logical, i - 1));
	c[ENTRY] = cell_text(l->entry.text);
	c[EXIT] = cell_text(l->exit.text);
	c[BYTES] = cell_whole(l->entry.bytes + l->exit.bytes);
	c[COMPUTE] = cell_real(bbp_compute(l->logical, i, l->compute_of));
	c[TYPES] = cell_text(l->types.text);
	return ERR_OK;
}

enum err_code cmd_bbps(struct batch *b, struct err *e)
{
	enum compute_of of = (enum compute_of)b->settings->compute_of;
	struct listed l = {
		.logical = b->analysis->logical,
		.bbps = b->analysis->bbps,
		/* There is no one time where each process's is compared: the largest tells most. */
		.compute_of = of == COMPUTE_EACH ? COMPUTE_MAX : of,
		.leaders = b->options->leaders,
		/* All types of all blocks of a wide trace would be gigabytes; of the leaders they are what is asked for. */
		.shown = b->options->leaders && b->options->format != FORMAT_TABLE ? UINT32_MAX : FEW,
	};
	struct rows rows = {columns, COLUMNS, l.bbps->count, bbp_row, &l};
	enum err_code err;

	out_init(&l.types);
	err = listing_write(b, &rows, e);
	out_release(&l.types);
	return err;
}
