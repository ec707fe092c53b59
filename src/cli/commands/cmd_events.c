/* pas2p events: the events with logical time and tick. */
#include "cli/listing.h"

static const struct column columns[] = {
	{"rank", "rank", ROWS_RIGHT, 0},
	{"number", "number", ROWS_RIGHT, 0},
	{"kind", "kind", ROWS_LEFT, 0},
	{"type", "type", ROWS_LEFT, 0},
	{"peer", "peer", ROWS_RIGHT, 0},
	{"size", "size", ROWS_RIGHT, 0},
	{"comm", "comm", ROWS_RIGHT, 0},
	{"tag", "tag", ROWS_RIGHT, 0},
	{"time", "time [s]", ROWS_RIGHT, 9},
	{"compute", "compute [s]", ROWS_RIGHT, 9},
	{"lt", "LT", ROWS_RIGHT, 0},
	{"tick", "tick", ROWS_RIGHT, 0},
	{"sends", "sends", ROWS_RIGHT, 0},
	{"match_rank", "match rank", ROWS_RIGHT, 0},
	{"match_number", "match number", ROWS_RIGHT, 0},
};
enum { RANK, NUMBER, KIND, TYPE, PEER, SIZE, COMM, TAG, TIME, COMPUTE, LT, TICK, SENDS, MATCH_RANK, MATCH_NUMBER, COLUMNS };

struct listed {
	const struct batch *batch;
	const struct trace *trace;     /* the events that were ordered: without collectives, where they are ignored */
	const struct logical *logical;
	uint32_t rank;                 /* of the row before: rows come in order, or from the start again */
	uint32_t sends;                /* made by that rank so far */
	char type[64];
};

static void message(const struct listed *l, uint32_t event, struct cell *c)
{
	const struct trace *t = l->trace;
	uint32_t index = EVENT_INDEX(t->type[event]), match = t->match[event];

	c[TAG] = cell_int(trace_tag(t, event));
	if (index)
		c[PEER] = cell_whole(index - 1);
	if (match != NO_EVENT) {
		uint32_t rank = trace_process_of(t, match);

		c[MATCH_RANK] = cell_whole(rank);
		c[MATCH_NUMBER] = cell_whole(trace_number_of(t, rank, match));
	}
}

static enum err_code event_row(void *arg, uint64_t i, struct cell *c, bool *keep, struct err *e)
{
	struct listed *l = arg;
	const struct trace *t = l->trace;
	const struct trace *named = l->batch->trace; /* has the communicators */
	uint32_t event = (uint32_t)i;
	event_type type = t->type[event];

	(void)keep;
	(void)e;
	if (i == 0)
		l->rank = l->sends = 0;
	while (event >= t->first[l->rank + 1]) {
		l->rank++;
		l->sends = 0;
	}
	c[RANK] = cell_whole(l->rank);
	c[NUMBER] = cell_whole(trace_number_of(t, l->rank, event));
	c[KIND] = cell_text(trace_kind_name(type));
	c[TYPE] = cell_text(trace_type_name(t, type, l->type, sizeof l->type));
	if (t->size[event] != SIZE_UNKNOWN)
		c[SIZE] = cell_whole(t->size[event]);
	if (trace_comm(t, event) < named->comm_count)
		c[COMM] = cell_int(named->comms[trace_comm(t, event)].number);
	c[TIME] = cell_real(t->time[event]);
	c[COMPUTE] = cell_real(t->compute[event]);
	c[LT] = cell_whole(logical_lt(l->logical, event));
	c[TICK] = cell_whole(l->logical->tick[event]);
	if (EVENT_KIND(type) != EVENT_COLLECTIVE)
		message(l, event, c);
	if (EVENT_KIND(type) != EVENT_RECEIVE)
		c[SENDS] = cell_whole(++l->sends);
	return ERR_OK;
}

enum err_code cmd_events(struct batch *b, struct err *e)
{
	const struct logical *logical = b->analysis->logical;
	struct listed l = {.batch = b, .trace = logical->trace, .logical = logical};
	struct rows rows = {columns, COLUMNS, logical->trace->event_count, event_row, &l};

	return listing_write(b, &rows, e);
}
