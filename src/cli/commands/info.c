/* pas2p info: the content of a trace. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cli/listing.h"
#include "cli/batch.h"
#include "cli/plural.h"
#include "commands_int.h"
#include "core/lists/lists.h"
#include "core/metrics/rows/tracing_cost.h"
#include "core/metrics/maps/traffic.h"
#include "core/base/text.h"
#include "core/base/unit.h"
#include "core/io/tree_out.h"
#include "core/trace/trace.h"
#include "core/trace/calls.h"
#include "core/trace/remote.h"
#include "core/trace/times.h"

#define LABEL "%-21s"
#define LABEL_WIDTH 21

static void table_head(struct out *o, const struct trace *t)
{
	char run[UNIT_TEXT], buf[256], format[64], compute[160], clocks[TIMES_SENTENCE], cost[TRACING_TEXT], n[4][UNIT_TEXT];
	struct crowded_nodes crowded = crowded_nodes(t);
	struct tracing_cost tracing = tracing_cost_run(t);
	bool now = t->times && t->times->figures.steps; /* else, if at all, before it was written */

	for (uint32_t i = 0; i < t->file_count; i++) {
		const struct trace_file *f = &t->files[i];

		text_safe(buf, sizeof buf, f->path, SIZE_MAX, TEXT_UTF8);
		out_printf(o, LABEL "%s\n", "File", buf);
		out_printf(o, LABEL "%s", "", f->format);
		if (f->block_size)
			out_printf(o, ", %s-endian", f->big_endian ? "big" : "little");
		out_printf(o, ", %s; %s byte%s%s%s, %s record%s", f->finalized ? "finalized" : "local", unit_count(n[0], f->bytes),
			   plural(f->bytes), f->packing ? " of " : "", f->packing ? f->packing : "", unit_count(n[1], f->records), plural(f->records));
		if (f->block_size)
			out_printf(o, ", %s block%s of %s bytes", unit_count(n[0], f->blocks), plural(f->blocks), unit_count(n[1], f->block_size));
		out_str(o, "\n");
	}
	out_printf(o, LABEL "%s\n", "Format", trace_format_name(t, format, sizeof format));
	out_printf(o, LABEL "%" PRIu32, "Processes", t->process_count);
	if (t->world_count > 1)
		out_printf(o, " in %" PRIu32 " worlds", t->world_count);
	if (crowded.crowded)
		out_printf(o, "\n" LABEL "%s", "Nodes", crowded_nodes_text(&crowded, buf));
	out_printf(o, "\n" LABEL "%s\n", "Records", unit_count(n[0], t->record_count));
	out_printf(o, LABEL "%s: %s send%s, %s receive%s, %s collective%s\n", "Events", unit_count(n[0], trace_all_events(t)),
		   unit_count(n[1], t->send_count), plural(t->send_count), unit_count(n[2], t->receive_count), plural(t->receive_count),
		   unit_count(n[3], t->collective_count), plural(t->collective_count));
	out_printf(o, LABEL "%s send%s, %s receive%s\n", "Unmatched", unit_count(n[0], t->lost_sends), plural(t->lost_sends),
		   unit_count(n[1], t->lost_receives), plural(t->lost_receives));
	if (trace_has_time(t))
		out_printf(o, LABEL "%s, from %.6f s to %.6f s\n", "Run time", unit_time(run, trace_aet(t)), t->start, t->end);
	else
		out_printf(o, LABEL "-, no process has a record\n", "Run time");
	out_printf(o, LABEL "%s\n", "Compute time source", trace_compute_name(t, compute, sizeof compute));
	if (tracing.known)
		out_printf(o, LABEL "%s\n", "Tracing overhead", tracing_cost_text(t, &tracing, cost));
	if (t->clocks && !now)
		out_printf(o, LABEL "corrected: %s\n", "Clocks", trace_clocks_name(t->clocks));
	if (t->times)
		out_printf(o, LABEL "%s\n", t->clocks && !now ? "" : "Clocks", times_sentence(&t->times->figures, clocks));
}

static void table_warnings(struct out *o, const struct trace *t)
{
	struct note_counts n = {0};
	char title[NOTE_TITLE], levels[NOTE_COUNTS_TEXT];

	notes_count(&n, &t->notes);
	out_printf(o, LABEL "%s%s\n", "Issues", note_levels_text(&n, levels), n.warnings + n.violations + n.damage ? "; pas2p check lists them" : "");
	for (int k = 0; k < NOTE_KIND_COUNT; k++)
		if (t->notes.count[k])
			out_printf(o, LABEL "%s (%" PRIu64 "): %s\n", "", note_title((enum note_kind)k, title), t->notes.count[k],
				   note_meaning((enum note_kind)k));
}

struct process_table {
	const struct trace *trace;
	char share[TIME_KINDS + 1][UNIT_TEXT];
};

static struct cell share_cell(char text[UNIT_TEXT], double part, double whole)
{
	if (!(whole > 0))
		return cell_text("-");
	snprintf(text, UNIT_TEXT, "%.2f %%", 100 * part / whole);
	return cell_text(text);
}

static enum err_code process_row(void *arg, uint64_t i, struct cell *cells, bool *keep, struct err *e)
{
	struct process_table *table = arg;
	const struct trace *t = table->trace;
	const struct process *x = &t->processes[i];
	double run = trace_has_time(t) ? trace_aet(t) : 0;

	(void)keep;
	(void)e;
	*cells++ = cell_whole(i);
	*cells++ = cell_whole(x->records);
	*cells++ = x->records ? cell_real(x->end - x->start) : cell_text("-");
	for (int k = 0; k < TIME_KINDS; k++)
		*cells++ = share_cell(table->share[k], x->by_kind[k], x->records && trace_has_calls(t) ? run : 0);
	*cells = share_cell(table->share[TIME_KINDS], process_outside(t, (uint32_t)i), run);
	return ERR_OK;
}

static enum err_code table_processes(struct batch *b, struct out *o, const struct trace *t, struct err *e)
{
	struct process_table table = {.trace = t};
	struct column_look columns[TIME_KINDS + 4] = {{"rank", "rank", .align = LOOK_RIGHT}, {"records", "records", LOOK_RIGHT, .priority = 3}, {"span", "recorded [s]", LOOK_RIGHT, .decimals = 6}};
	size_t count = 3;
	struct rows rows = {.columns = columns, .row_count = t->process_count, .row = process_row, .arg = &table};
	const struct rows_sink sink = rows_to_out(o);
	enum err_code code;

	/* If there is little room, calls that are rare go first. */
	for (int k = 0; k < TIME_KINDS; k++)
		columns[count++] = (struct column_look){time_kind_name((enum time_kind)k), time_kind_name((enum time_kind)k), LOOK_RIGHT,
							.priority = k == TIME_OTHER_MPI ? 1 : k == TIME_TRACER ? 2 : 0};
	columns[count++] = (struct column_look){"outside", "not recorded", .align = LOOK_RIGHT};
	rows.column_count = count;
	out_str(o, "\n");
	code = rows_write(&rows, ROWS_TABLE, TEXT_UTF8, sink_width(&b->sink), &sink, b->progress, e);
	if (!code && t->process_count)
		out_str(o, "percentages are of the run time\nnot recorded: before the first and after the last record\n");
	return code;
}

static void table_comms(struct out *o, const struct trace *t)
{
	if (!t->comm_count)
		return;
	out_printf(o, "\n%12s %-8s %10s %10s\n", "communicator", "kind", "processes", "events");
	for (uint32_t i = 0; i < t->comm_count; i++)
		out_printf(o, "%12" PRId32 " %-8s %10" PRIu32 " %10" PRIu32 "\n", t->comms[i].number, t->comms[i].kind,
			   t->comms[i].size, t->comms[i].events);
}

static void table_counters(struct out *o, const struct trace *t)
{
	if (t->counter_count)
		out_printf(o, "\n%12s %-16s %s\n", "readings", "unit", "counter");
	for (uint32_t i = 0; i < t->counter_count; i++)
		out_printf(o, "%12" PRIu64 " %-16s %s\n", t->counters[i].readings, *t->counters[i].unit ? t->counters[i].unit : "-",
			   t->counters[i].name);
}

/* The bounds of a bin of sizes. */
static uint64_t bin_from(uint32_t k)
{
	return k ? UINT64_C(1) << (k - 1) : 0;
}

static uint64_t bin_to(uint32_t k)
{
	return k ? (UINT64_C(1) << k) - 1 : 0;
}

static void table_sizes(struct out *o, const struct size_histogram *h)
{
	uint64_t all = h->unknown;
	int digits;

	for (uint32_t k = 0; k < SIZE_BINS; k++)
		all += h->bin[k].messages;
	if (!all)
		return;
	digits = snprintf(NULL, 0, "%10" PRIu64, h->first <= h->last ? bin_to(h->last) : 0);
	out_printf(o, "\n%*s %10s %8s %16s\n", 2 * digits + 3, "message size [bytes]", "sends", "share", "bytes");
	for (uint32_t k = h->first; k < SIZE_BINS && k <= h->last; k++)
		out_printf(o, "%*" PRIu64 " - %*" PRIu64 " %10" PRIu64 " %6.2f %% %16" PRIu64 "\n", digits, bin_from(k), digits,
			   bin_to(k), h->bin[k].messages, 100.0 * (double)h->bin[k].messages / (double)all,
			   h->bin[k].bytes);
	if (h->unknown)
		out_printf(o, "%*s %10" PRIu64 " %6.2f %%\n", 2 * digits + 3, "unknown", h->unknown,
			   100.0 * (double)h->unknown / (double)all);
}

struct state_table {
	const struct states_list *list;
	double all; /* s that shares are of */
	char share[UNIT_TEXT];
};

static enum err_code state_row(void *arg, uint64_t i, struct cell *cells, bool *keep, struct err *e)
{
	struct state_table *table = arg;
	const struct state_total *s = &table->list->trace->states[table->list->state[i]];

	(void)keep;
	(void)e;
	cells[0] = cell_text(s->name);
	cells[1] = cell_text(s->solo ? "event" : s->mpi ? "MPI" : "user");
	cells[2] = cell_whole(s->count);
	if (s->solo)
		return ERR_OK;
	cells[3] = cell_real(s->inclusive);
	cells[4] = cell_real(s->exclusive);
	cells[5] = share_cell(table->share, s->exclusive, table->all);
	return ERR_OK;
}

static enum err_code table_states(struct batch *b, struct out *o, const struct states_list *l, struct err *e)
{
	static const struct column_look columns[] = {
		{"state", "function", .align = LOOK_LEFT}, {"kind", "kind", .priority = 3}, {"count", "count", LOOK_RIGHT, .priority = 1},
		{"inclusive", "inclusive [s]", LOOK_RIGHT, .decimals = 6, .priority = 2},
		{"exclusive", "exclusive [s]", LOOK_RIGHT, .decimals = 6}, {"share", "share", .align = LOOK_RIGHT},
	};
	struct state_table table = {.list = l, .all = trace_total_time(l->trace)};
	const struct rows rows = {columns, sizeof columns / sizeof *columns, l->count, state_row, &table};
	const struct rows_sink sink = rows_to_out(o);
	enum err_code code;

	if (!l->trace->state_count)
		return ERR_OK;
	out_str(o, "\n");
	code = rows_write(&rows, ROWS_TABLE, TEXT_UTF8, sink_width(&b->sink), &sink, b->progress, e);
	out_printf(o, "percentages are of the total time (run time x %" PRIu32 " process%s)\n", l->trace->process_count,
		   l->trace->process_count == 1 ? "" : "es");
	return code;
}

/* A key and its value. */
static void info_put_text(struct tree_out *d, const char *key, const char *text)
{
	char safe[1024];

	tree_put_text(d, key, text_safe(safe, sizeof safe, text, SIZE_MAX, TEXT_UTF8));
}

static void doc_files(struct tree_out *d, const struct trace *t)
{
	tree_put_list(d, "files", false);
	for (uint32_t i = 0; i < t->file_count; i++) {
		const struct trace_file *f = &t->files[i];

		tree_map(d, false);
		info_put_text(d, "path", f->path);
		info_put_text(d, "version", f->format);
		if (f->block_size)
			info_put_text(d, "byte_order", f->big_endian ? "big" : "little");
		tree_put_bool(d, "finalized", f->finalized);
		if (f->packing)
			info_put_text(d, "compressed", f->packing);
		tree_put_whole(d, "bytes", f->bytes);
		if (f->block_size) {
			tree_put_whole(d, "block_size", f->block_size);
			tree_put_whole(d, "blocks", f->blocks);
		}
		tree_put_whole(d, "records", f->records);
		tree_end(d);
	}
	tree_end(d);
}

/* null where nothing defines it. */
static void put_if(struct tree_out *d, const char *key, bool defined, double v)
{
	tree_put_real(d, key, defined ? v : (double)NAN);
}

static void doc_processes(struct tree_out *d, const struct trace *t)
{
	const struct processes_list l = {t};

	tree_put_list(d, "process_list", false);
	for (uint32_t p = 0; p < t->process_count; p++) {
		tree_map(d, false);
		list_tree(d, &processes_columns, PROCESSES_INFO, &l, p);
		tree_put_map(d, "time", false);
		list_tree(d, &processes_columns, PROCESSES_TIME, &l, p);
		tree_end(d);
		tree_end(d);
	}
	tree_end(d);
}

/* What is known of the nodes' processors. */
static void doc_nodes(struct tree_out *d, const struct trace *t)
{
	struct crowded_nodes c = crowded_nodes(t);

	if (!c.nodes)
		return;
	tree_put_map(d, "nodes", false);
	tree_put_whole(d, "known", c.nodes);
	tree_put_whole(d, "crowded", c.crowded);
	put_if(d, "processes", c.crowded, c.processes);
	put_if(d, "processors", c.crowded, c.processors);
	tree_end(d);
}

/* What tracing cost; intervals are lists of two. */
static void doc_tracing(struct tree_out *d, const struct trace *t)
{
	const double each[2] = {t->record_cost_low, t->record_cost_high};
	struct tracing_cost c = tracing_cost_run(t);

	if (!c.known)
		return;
	tree_put_map(d, "tracing", false);
	tree_put_whole(d, "records", c.records);
	tree_put_reals(d, "record_cost", each, 2);
	tree_put_real(d, "tracer", c.written);
	tree_put_reals(d, "time", c.time, 2);
	tree_put_reals(d, "share", c.share, 2);
	tree_end(d);
}

static void doc_comms(struct tree_out *d, const struct trace *t)
{
	tree_put_list(d, "communicators", false);
	for (uint32_t i = 0; i < t->comm_count; i++) {
		tree_map(d, false);
		tree_put_real(d, "comm", t->comms[i].number);
		info_put_text(d, "kind", t->comms[i].kind);
		tree_put_whole(d, "processes", t->comms[i].size);
		tree_put_whole(d, "events", t->comms[i].events);
		tree_end(d);
	}
	tree_end(d);
}

static void doc_sizes(struct tree_out *d, const struct size_histogram *h)
{
	tree_put_list(d, "message_sizes", false);
	for (uint32_t k = 0; k < SIZE_BINS; k++) {
		if (!h->bin[k].messages)
			continue;
		tree_map(d, false);
		tree_put_whole(d, "from", bin_from(k));
		tree_put_whole(d, "to", bin_to(k));
		tree_put_whole(d, "sends", h->bin[k].messages);
		tree_put_whole(d, "bytes", h->bin[k].bytes);
		tree_end(d);
	}
	tree_end(d);
	tree_put_whole(d, "unknown_sizes", h->unknown);
}

static void doc_states(struct tree_out *d, const struct states_list *l)
{
	tree_put_list(d, "states", false);
	for (uint32_t i = 0; i < l->count; i++) {
		tree_map(d, false);
		list_tree(d, &states_columns, STATES_ALL, l, i);
		tree_end(d);
	}
	tree_end(d);
}

static void doc_counters(struct tree_out *d, const struct trace *t)
{
	if (!t->counter_count)
		return;
	tree_put_list(d, "counters", false);
	for (uint32_t i = 0; i < t->counter_count; i++) {
		tree_map(d, false);
		info_put_text(d, "name", t->counters[i].name);
		info_put_text(d, "unit", t->counters[i].unit);
		tree_put_whole(d, "readings", t->counters[i].readings);
		tree_end(d);
	}
	tree_end(d);
}

static void doc_warnings(struct tree_out *d, const struct trace *t)
{
	tree_put_list(d, "notes", false);
	for (int k = 0; k < NOTE_KIND_COUNT; k++) {
		if (!t->notes.count[k])
			continue;
		tree_map(d, false);
		info_put_text(d, "kind", note_name((enum note_kind)k));
		info_put_text(d, "level", note_level_name(note_level((enum note_kind)k)));
		tree_put_whole(d, "count", t->notes.count[k]);
		info_put_text(d, "meaning", note_meaning((enum note_kind)k));
		tree_end(d);
	}
	tree_end(d);
}

static enum err_code as_document(struct out *o, enum format format, const struct trace *t, const struct states_list *states,
				 const struct size_histogram *sizes, struct err *e)
{
	char name[64];
	struct tree_out d;

	tree_out_init(&d, o, format == FORMAT_JSON);
	tree_map(&d, false);
	doc_files(&d, t);
	info_put_text(&d, "format", trace_format_name(t, name, sizeof name));
	tree_put_whole(&d, "processes", t->process_count);
	tree_put_whole(&d, "worlds", t->world_count);
	tree_put_whole(&d, "records", t->record_count);
	tree_put_map(&d, "events", false);
	tree_put_whole(&d, "send", t->send_count);
	tree_put_whole(&d, "receive", t->receive_count);
	tree_put_whole(&d, "collective", t->collective_count);
	tree_end(&d);
	tree_put_map(&d, "lost", false);
	tree_put_whole(&d, "send", t->lost_sends);
	tree_put_whole(&d, "receive", t->lost_receives);
	tree_end(&d);
	put_if(&d, "start", trace_has_time(t), t->start);
	put_if(&d, "end", trace_has_time(t), t->end);
	put_if(&d, "aet", trace_has_time(t), trace_aet(t));
	tree_put_real(&d, "total_time", trace_total_time(t));
	info_put_text(&d, "compute", compute_source_name(t->compute_source));
	if (t->compute_source == COMPUTE_FROM_COUNTER)
		info_put_text(&d, "compute_counter", t->counters[t->compute_counter].name);
	if (t->clocks)
		info_put_text(&d, "clocks_corrected", trace_clocks_name(t->clocks));
	if (t->times)
		times_write(&d, &t->times->figures);
	tree_put_bool(&d, "damaged", t->damaged);
	doc_warnings(&d, t);
	doc_comms(&d, t);
	doc_sizes(&d, sizes);
	doc_processes(&d, t);
	doc_nodes(&d, t);
	doc_tracing(&d, t);
	doc_states(&d, states);
	doc_counters(&d, t);
	tree_end(&d);
	return tree_out_finish(&d, e);
}

enum err_code info_check(const struct options *o, struct err *e)
{
	if (o->format == FORMAT_CSV && !o->job)
		return err_set(e, ERR_USAGE, "info has no csv output: use --format table, json or yaml");
	return info_job_check(o, e);
}

enum err_code cmd_info(struct batch *b, struct err *e)
{
	struct out *o = &b->sink.out;
	size_t from = o->len;
	struct states_list states;
	struct size_histogram sizes;
	enum err_code code;

	if (b->options->job)
		return info_job(b, e);
	code = states_list_init(&states, b->trace, e);
	if (code)
		return code;
	code = size_histogram(&sizes, b->trace, b->progress, e);
	if (!code && b->options->format == FORMAT_TABLE) {
		table_head(o, b->trace);
		table_warnings(o, b->trace);
		sink_fit(&b->sink, from, LABEL_WIDTH);
		code = table_processes(b, o, b->trace, e);
		if (code)
			goto end;
		table_comms(o, b->trace);
		table_sizes(o, &sizes);
		code = table_states(b, o, &states, e);
		table_counters(o, b->trace);
	} else if (!code) {
		code = as_document(o, b->options->format, b->trace, &states, &sizes, e);
	}
end:
	states_list_release(&states);
	return code;
}
