/* pas2p events: the events with logical time and tick. Those of a trace that the ranks of a team share go to rank 0
 * rank by rank, in slices. */
#include "cli/cli.h"
#include "cli/listing.h"
#include "core/base/mem.h"
#include "core/base/search.h"
#include "core/trace/remote.h"

static const struct column_look columns[] = {
	{"rank", "rank", .align = LOOK_RIGHT},
	{"number", "event", .align = LOOK_RIGHT},
	{"kind", "kind", .align = LOOK_LEFT},
	{"type", "type", .align = LOOK_LEFT},
	{"peer", "peer", .align = LOOK_RIGHT},
	{"size", "size", .align = LOOK_RIGHT},
	{"comm", "comm", LOOK_RIGHT, .priority = 3},
	{"tag", "tag", LOOK_RIGHT, .priority = 3},
	{"time", "time [s]", LOOK_RIGHT, .decimals = 9},
	{"compute", "compute [s]", LOOK_RIGHT, .decimals = 9, .priority = 2},
	{"lt", "logical time", LOOK_RIGHT, .priority = 1},
	{"tick", "tick", .align = LOOK_RIGHT},
	{"sends", "sends", LOOK_RIGHT, .priority = 4},
	{"match_rank", "match rank", LOOK_RIGHT, .priority = 5},
	{"match_number", "match event", LOOK_RIGHT, .priority = 5},
};
enum { RANK, NUMBER, KIND, TYPE, PEER, SIZE, COMM, TAG, TIME, COMPUTE, LT, TICK, SENDS, MATCH_RANK, MATCH_NUMBER, COLUMNS };

struct listed_events {
	const struct batch *batch;
	const struct trace *trace;     /* the events that were ordered: without collectives, where they are ignored */
	const struct logical *logical;
	uint32_t rank;                 /* of the row before: rows come in order, or from the start again */
	uint32_t sends;                /* made by that rank so far */
	char type[64], shown[64];
	/* Where ranks share the trace: */
	const struct team *team;
	uint32_t *first;               /* per process: its first event, as its rank numbers them */
	uint64_t *before;              /* per rank, size + 1: events of those before */
	struct slice {
		uint64_t first, end;   /* rows, as all number them */
		uint32_t rank;
	} *slices;
	struct out bytes;              /* of one's own slice */
	struct team_bytes *from;       /* on rank 0: the slice at hand, which is of `sender` */
	uint32_t sender;
	size_t at;                     /* bytes of it that are done with */
};

#define A_SLICE 16384 /* events */

/* The other end of a message that has it on another rank. */
static void remote_end(const struct listed_events *l, const struct remote_message *m, struct cell *c)
{
	const uint32_t *owner_first = l->trace->remote->owner_first + m->rank;
	uint32_t low = SEARCH_LAST(i, owner_first[0], owner_first[1], l->first[i] <= m->other); /* its process: the last that does not begin behind it */

	c[MATCH_RANK] = cell_whole(low);
	c[MATCH_NUMBER] = cell_whole(m->other - l->first[low] + 1);
}

static void event_message_cell(const struct listed_events *l, uint32_t event, struct cell *c)
{
	const struct trace *t = l->trace;
	uint32_t index = EVENT_INDEX(t->type[event]), match = t->match[event];

	c[TAG] = cell_int(trace_tag(t, event));
	if (index)
		c[PEER] = cell_whole(index - 1);
	if (match == NO_EVENT)
		return;
	if (t->remote && is_remote(match)) {
		remote_end(l, remote_message(t, match), c);
	} else {
		uint32_t rank = trace_process_of(t, match);

		c[MATCH_RANK] = cell_whole(rank);
		c[MATCH_NUMBER] = cell_whole(trace_number_of(t, rank, match));
	}
}

static enum err_code event_row(void *arg, uint64_t i, struct cell *c, bool *keep, struct err *e)
{
	struct listed_events *l = arg;
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
	c[TYPE] = cell_text_shown(trace_type_name(t, type, l->type, sizeof l->type), trace_type_text(t, type, l->shown, sizeof l->shown));
	if (trace_size(t, event) != SIZE_UNKNOWN)
		c[SIZE] = cell_whole(trace_size(t, event));
	if (trace_comm(t, event) < named->comm_count)
		c[COMM] = cell_int(named->comms[trace_comm(t, event)].number);
	c[TIME] = cell_real(t->time[event]);
	/* An empty cell is one that does not apply: every event has a compute time. */
	c[COMPUTE] = isnan(t->compute[event]) && l->batch->options->format == FORMAT_TABLE ? cell_text("-") : cell_figure(t->compute[event]);
	c[LT] = cell_whole(logical_lt(l->logical, event));
	c[TICK] = cell_whole(l->logical->tick[event]);
	if (EVENT_KIND(type) != EVENT_COLLECTIVE)
		event_message_cell(l, event, c);
	if (EVENT_KIND(type) != EVENT_RECEIVE)
		c[SENDS] = cell_whole(++l->sends);
	return ERR_OK;
}

/* --- a trace that ranks share --- */

static uint64_t slice_end(void *arg, uint64_t slice)
{
	const struct listed_events *l = arg;

	return l->slices[slice].end;
}

/* The rank that has the slice tells its cells. */
static enum err_code tell_slice(void *arg, uint64_t slice, struct err *e)
{
	struct listed_events *l = arg;
	const struct slice *s = &l->slices[slice];
	enum err_code code = ERR_OK;
	bool keep = true;

	l->bytes.len = 0;
	for (uint64_t i = s->first; s->rank == l->team->rank && !code && i < s->end; i++) {
		struct cell c[COLUMNS] = {{0}};

		code = event_row(l, i - l->before[s->rank], c, &keep, e);
		cell_bytes_add(&l->bytes, c, COLUMNS);
	}
	if (l->bytes.failed)
		code = err_memory(e, "the rows");
	if (!code && progress_stopped(l->batch->progress))
		code = err_set(e, ERR_CANCELLED, "stopped while writing");
	team_bytes_free(l->from, l->team->size);
	if (code)
		return team_agree(l->team, code, e);
	l->sender = s->rank;
	l->at = 0;
	return team_gather(l->team, l->bytes.text, l->bytes.len, l->from, e);
}

static enum err_code told_row(void *arg, uint64_t i, struct cell *c, bool *keep, struct err *e)
{
	struct listed_events *l = arg;

	(void)i;
	(void)keep;
	(void)e;
	l->at += cell_bytes_take((const char *)l->from[l->sender].bytes + l->at, c, COLUMNS);
	return ERR_OK;
}

/* How each process's events are numbered on its rank. */
static enum err_code number_firsts(struct listed_events *l, struct err *e)
{
	const struct trace *t = l->trace;
	uint32_t processes = t->process_count, n = 0;
	enum err_code code;

	for (uint32_t p = 0; p < processes; p++)
		l->first[p] = t->first[p + 1] - t->first[p];
	code = team_reduce_u32(l->team, l->first, processes, TEAM_SUM, e);
	for (uint32_t r = 0; !code && r < l->team->size; r++) {
		l->before[r + 1] = l->before[r];
		n = 0;
		for (uint32_t p = t->remote->owner_first[r]; p < t->remote->owner_first[r + 1]; p++) {
			uint32_t count = l->first[p];

			l->first[p] = n;
			n += count;
			l->before[r + 1] += count;
		}
	}
	return code;
}

static uint64_t slices_of(const struct listed_events *l, struct slice *list)
{
	uint64_t n = 0;

	for (uint32_t r = 0; r < l->team->size; r++)
		for (uint64_t at = l->before[r]; at < l->before[r + 1]; at += A_SLICE, n++)
			if (list)
				list[n] = (struct slice){at, l->before[r + 1] - at < A_SLICE ? l->before[r + 1] : at + A_SLICE, r};
	return n;
}

static enum err_code list_shared(struct batch *b, struct listed_events *l, struct err *e)
{
	struct shared_slices slices = {.end = slice_end, .meet = tell_slice, .arg = l};
	struct rows rows = {columns, COLUMNS, 0, told_row, l};
	uint32_t size = l->team->size;
	enum err_code code = ERR_OK;

	out_init(&l->bytes);
	l->first = mem_alloc(l->trace->process_count, sizeof *l->first);
	l->before = mem_zero((size_t)size + 1, sizeof *l->before);
	l->from = mem_zero(size, sizeof *l->from);
	if (!l->first || !l->before || !l->from)
		code = err_memory(e, "the rows");
	code = team_agree(l->team, code, e);
	if (!code)
		code = number_firsts(l, e);
	if (!code) {
		rows.row_count = l->before[size];
		slices.count = slices_of(l, NULL);
		l->slices = mem_alloc(slices.count, sizeof *l->slices);
		code = team_agree(l->team, l->slices ? ERR_OK : err_memory(e, "the rows"), e);
	}
	if (!code) {
		slices_of(l, l->slices);
		code = shared_rows_write(b, l->team, &rows, &slices, e);
	}
	if (l->from)
		team_bytes_free(l->from, size);
	mem_free(l->from);
	mem_free(l->first);
	mem_free(l->before);
	mem_free(l->slices);
	out_release(&l->bytes);
	return code;
}

enum err_code cmd_events(struct batch *b, struct err *e)
{
	const struct logical *logical = b->analysis->logical;
	struct listed_events l = {.batch = b, .trace = logical->trace, .logical = logical, .team = trace_team(logical->trace)};
	struct rows rows = {columns, COLUMNS, logical->trace->event_count, event_row, &l};

	return team_size(l.team) > 1 ? list_shared(b, &l, e) : listing_write(b, &rows, e);
}
