/* The summary's sections as tables, to export: every process and every pair of processes, even if several are drawn as
 * one, and numbers as numbers. Processes are ranks from 0, as in all exports. */
#include <math.h>
#include <string.h>

#include "core/base/mem.h"
#include "core/lists/lists.h"
#include "core/metrics/rows/tracing_cost.h"
#include "summary_int.h"

static const struct summary_view *self(const struct view *v)
{
	return (const struct summary_view *)v;
}

/* --- run --- */

enum { R_FORMAT, R_PROCESSES, R_RECORDS, R_EVENTS, R_SENDS, R_RECEIVES, R_COLLECTIVES, R_LOST_SENDS, R_LOST_RECEIVES, R_START,
       R_END, R_AET, R_COMPUTE, R_TRACING_LOW, R_TRACING_HIGH, RUN_ROWS };

static const struct {
	const char *name;
	uint8_t fact; /* the row of the page that says it */
} properties[RUN_ROWS] = {
	{"format", 0}, {"processes", 0}, {"records", 0}, {"events", 1}, {"sends", 1}, {"receives", 1}, {"collectives", 1},
	{"lost_sends", 1}, {"lost_receives", 1}, {"start", 2}, {"end", 2}, {"aet", 2}, {"compute", 3},
	{"tracing_low", 4}, {"tracing_high", 4},
};

static const struct column_look run_columns[] = {{"property", "property", .align = LOOK_LEFT}, {"value", "value", .align = LOOK_RIGHT}};

static bool run_value(const struct view *v, uint32_t row, int column, struct cell *c, char text[VALUE_TEXT])
{
	const struct trace *t = v->model->trace;

	if (!column) {
		*c = cell_text(properties[row].name);
		return true;
	}
	switch (row) {
	case R_FORMAT: *c = cell_text(trace_format_name(t, text, VALUE_TEXT)); break;
	case R_PROCESSES: *c = cell_whole(t->process_count); break;
	case R_RECORDS: *c = cell_whole(t->record_count); break;
	case R_EVENTS: *c = cell_whole(t->event_count); break;
	case R_SENDS: *c = cell_whole(t->send_count); break;
	case R_RECEIVES: *c = cell_whole(t->receive_count); break;
	case R_COLLECTIVES: *c = cell_whole(t->collective_count); break;
	case R_LOST_SENDS: *c = cell_whole(t->lost_sends); break;
	case R_LOST_RECEIVES: *c = cell_whole(t->lost_receives); break;
	case R_START: *c = cell_figure(trace_has_time(t) ? t->start : (double)NAN); break;
	case R_END: *c = cell_figure(trace_has_time(t) ? t->end : (double)NAN); break;
	case R_AET: *c = cell_figure(trace_has_time(t) ? trace_aet(t) : (double)NAN); break;
	case R_TRACING_LOW: *c = cell_figure(tracing_cost_run(t).time[0]); break;
	case R_TRACING_HIGH: *c = cell_figure(tracing_cost_run(t).time[1]); break;
	default: *c = cell_text(trace_compute_name(t, text, VALUE_TEXT));
	}
	return true;
}

/* --- warnings, in the columns of `pas2p check` --- */

static uint32_t first_note(const struct summary_view *s)
{
	uint32_t i = 0;

	while (i < s->row_count && summary_section_of((enum summary_line)s->rows[i].kind) != SECTION_NOTES)
		i++;
	return i;
}

/* How many of a kind were counted without being kept. */
static uint64_t not_kept(const struct model *m, enum note_kind kind)
{
	uint64_t n = summary_note_count(m, kind);
	const struct note *x;

	for (uint32_t i = 0; (x = summary_note(m, i)) != NULL; i++)
		n -= x->kind == kind;
	return n;
}

/* A heading stands for those of its kind that have no row of their own. */
static bool note_value(const struct view *v, uint32_t row, int column, struct cell *c, char text[VALUE_TEXT])
{
	const struct model *m = v->model;
	const struct summary_row *r = &self(v)->rows[first_note(self(v)) + row];
	const struct note *n = r->kind == LINE_NOTE ? summary_note(m, r->index) : NULL;
	enum note_kind kind = n ? n->kind : (enum note_kind)r->index;
	struct note_item item = {kind, n, n ? 1 : not_kept(m, kind)};
	const struct notes_list l = {m->trace, &item, text};

	*c = shown_column(&self(v)->written, column)->value(&l, 0);
	return true;
}

static uint32_t note_rows(const struct summary_view *s)
{
	uint32_t first = first_note(s), n = 0;

	while (first + n < s->row_count && summary_section_of((enum summary_line)s->rows[first + n].kind) == SECTION_NOTES)
		n++;
	return n;
}

/* --- times, messages, sizes, collectives, calls --- */

static const struct column_look pair_columns[] = {
	{"from", "from", .align = LOOK_RIGHT}, {"to", "to", .align = LOOK_RIGHT}, {"messages", "messages", .align = LOOK_RIGHT},
	{"bytes", "bytes", .align = LOOK_RIGHT},
};

static bool pair_value(const struct view *v, uint32_t row, int column, struct cell *c, char text[VALUE_TEXT])
{
	const struct comm_pair *p = &self(v)->counts->pairs[row];

	(void)text;
	*c = cell_whole(column == 0 ? p->from : column == 1 ? p->to : column == 2 ? p->sent.messages : p->sent.bytes);
	return true;
}

static const struct column_look waited_columns[] = {
	{"process", "rank", .align = LOOK_RIGHT}, {"waited_for", "waited for", .align = LOOK_RIGHT}, {"waiting", "waiting [s]", .align = LOOK_RIGHT},
};
static const struct row_source waited_source = {waited_columns, sizeof waited_columns / sizeof *waited_columns, NULL, NULL, NULL};

static bool waited_value(const struct view *v, uint32_t row, int column, struct cell *c, char text[VALUE_TEXT])
{
	const struct waited_pair *p = &self(v)->waited->pairs->pair[row];

	(void)text;
	*c = column == 2 ? cell_figure(p->seconds) : cell_whole(column ? p->other : p->process);
	return true;
}

static const struct column_look size_columns[] = {
	{"from", "from", .align = LOOK_RIGHT}, {"to", "to", .align = LOOK_RIGHT}, {"sends", "sends", .align = LOOK_RIGHT}, {"bytes", "bytes", .align = LOOK_RIGHT},
};

static uint32_t histogram_bin_count(const struct size_histogram *h)
{
	return h->first <= h->last ? h->last - h->first + 1 : 0;
}

/* What lies behind the bins is the sends of unknown size. */
static bool size_value(const struct view *v, uint32_t row, int column, struct cell *c, char text[VALUE_TEXT])
{
	const struct size_histogram *h = &self(v)->counts->sizes;
	uint32_t bin = h->first + row;
	bool known = row < histogram_bin_count(h);

	(void)text;
	if (column == 2)
		*c = cell_whole(known ? h->bin[bin].messages : h->unknown);
	else if (known)
		*c = cell_whole(column == 0 ? bin ? 1ull << (bin - 1) : 0 : column == 1 ? (1ull << bin) - 1 : h->bin[bin].bytes);
	return true;
}

static const struct column_look coll_columns[] = {
	{"operation", "operation", .align = LOOK_LEFT}, {"comm", "comm", .align = LOOK_RIGHT}, {"calls", "calls", .align = LOOK_RIGHT},
	{"events", "events", .align = LOOK_RIGHT}, {"bytes", "bytes", .align = LOOK_RIGHT},
};

static bool coll_value(const struct view *v, uint32_t row, int column, struct cell *c, char text[VALUE_TEXT])
{
	const struct trace *t = v->model->trace;
	const struct coll_stats *stats = &self(v)->counts->colls[row];

	(void)text;
	switch (column) {
	case 0: *c = cell_text(t->colls[stats->coll].op); break;
	case 1: *c = cell_real(t->comms[t->colls[stats->coll].comm].number); break; /* may be negative */
	case 2: *c = cell_whole(stats->instances); break;
	case 3: *c = cell_whole(stats->events); break;
	default: *c = cell_whole(stats->bytes);
	}
	return true;
}

/* --- all of them --- */

#define TABLE(name, columns, value) {name, {columns, sizeof columns / sizeof *columns, NULL, NULL, NULL}, value, NULL, 0}
#define LISTED(name, list, in, value) {name, {NULL, 0, NULL, NULL, NULL}, value, list, in}

static const struct {
	const char *name;
	struct row_source source;
	bool (*value)(const struct view *v, uint32_t row, int column, struct cell *c, char text[VALUE_TEXT]);
	const struct list_table *list; /* its columns, where `pas2p info` has them too */
	unsigned in;
} tables[SECTIONS] = {
	[SECTION_RUN] = TABLE("run", run_columns, run_value),
	[SECTION_NOTES] = LISTED("issues", &notes_columns, NOTES_ALL, note_value),
	[SECTION_TIME] = LISTED("time breakdown", &processes_columns, PROCESSES_FILE, NULL),
	[SECTION_MATRIX] = TABLE("messages between ranks", pair_columns, pair_value),
	[SECTION_SIZES] = TABLE("message sizes", size_columns, size_value),
	[SECTION_COLLECTIVES] = TABLE("collectives", coll_columns, coll_value),
	[SECTION_STATES] = LISTED("MPI calls and functions", &states_columns, STATES_ALL, NULL),
};

static uint32_t section_row_count(const struct summary_view *s, enum summary_section section)
{
	switch (section) {
	case SECTION_RUN: return summary_facts(s->view.model) == SUMMARY_FACTS ? RUN_ROWS : R_TRACING_LOW;
	case SECTION_NOTES: return note_rows(s);
	case SECTION_TIME: return model_processes(s->view.model);
	case SECTION_MATRIX: return summary_shows_waited(s) ? s->waited->pairs->count : s->counts->pair_count;
	case SECTION_SIZES: return histogram_bin_count(&s->counts->sizes) + (s->counts->sizes.unknown > 0);
	case SECTION_COLLECTIVES: return s->counts->coll_count;
	default: return s->counts->states.count;
	}
}

/* The row of the page, from the section's first, that a table's row is part of. */
static uint32_t page_row(const struct summary_view *s, enum summary_section section, uint32_t row)
{
	uint32_t n = model_processes(s->view.model);

	switch (section) {
	case SECTION_RUN: return properties[row].fact;
	case SECTION_TIME: return matrix_group(row, summary_rows(s->view.model), n);
	case SECTION_MATRIX:
		return matrix_group(summary_shows_waited(s) ? s->waited->pairs->pair[row].process : s->counts->pairs[row].from,
				    s->counts->matrix.rows, n);
	default: return row;
	}
}

/* The numbers of the rows that are to be exported, in s->order. */
static bool export_choose_rows(struct summary_view *s, enum summary_section section, bool all, struct view_table *t)
{
	const struct list *l = &s->view.list;
	uint32_t first = 0, n = 0, *order = mem_resize(s->order, t->rows, sizeof *order);
	uint8_t *shown = mem_zero(s->row_count, 1);

	if (order)
		s->order = order;
	if (!order || !shown) {
		mem_free(shown);
		return false;
	}
	while (first < s->row_count && summary_section_of((enum summary_line)s->rows[first].kind) != section)
		first++;
	for (uint32_t i = 0; i < l->shown; i++)
		shown[list_row_at(l, i)] = 1;
	for (uint32_t row = 0; row < t->rows; row++) {
		const struct summary_row *r = &s->rows[first + page_row(s, section, row)];

		if ((all || shown[r - s->rows]) &&
		    (r->kind != LINE_NOTE_KIND || not_kept(s->view.model, (enum note_kind)r->index)))
			order[n++] = row;
	}
	mem_free(shown);
	t->order = order;
	t->rows = n;
	return true;
}

bool summary_table(struct view *v, bool all, struct view_table *t)
{
	struct summary_view *s = (struct summary_view *)v;
	struct summary_row here = summary_here(s);
	enum summary_section section = summary_section_of((enum summary_line)here.kind);

	if (here.kind == LINE_BLANK)
		return false;
	*t = (struct view_table){.name = tables[section].name, .source = &tables[section].source, .value = tables[section].value,
				 .rows = section_row_count(s, section)};
	if (tables[section].list) {
		s->of_processes.trace = v->model->trace;
		s->written = (struct shown_table){.list = section == SECTION_TIME ? (const void *)&s->of_processes : &s->counts->states};
		shown_pick(&s->written, tables[section].list, tables[section].in, false);
		t->shown = &s->written;
	}
	if (section == SECTION_MATRIX && summary_shows_waited(s)) {
		t->name = "waiting between ranks";
		t->source = &waited_source;
		t->value = waited_value;
	}
	return (section != SECTION_NOTES && (all || s->view.list.shown == s->row_count)) || export_choose_rows(s, section, all, t);
}
