/* The tables of rows for people: of each kind the columns that fit a line, in units that are the same down a column. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/base/mem.h"
#include "core/base/number.h"
#include "core/base/text.h"
#include "core/io/rows.h"
#include "core/io/wrap.h"
#include "core/lists/list_metrics_phase.h"
#include "metrics_table.h"

#define CELLS 12
#define CAUSE_SHARE 0.01 /* of the waiting: causes of less are left out ... */
#define CAUSES_SHOWN 10  /* ... but for so many */
#define CELL (METRICS_PATH_SIZE + 64)

/* One run's rows; each cell is made as text when its row is asked for. */
struct shown {
	const struct metrics_report *report;
	const struct metrics_run *run;
	double unit, gain_unit;   /* s: of all times of the table, and of gains */
	char title[CELLS][32];
	struct column columns[CELLS];
	unsigned char yields[CELLS]; /* which go first where the table is wider than `width` (rows.h) */
	size_t width;
	size_t count;
	char *text[CELLS];        /* CELL bytes each */
	size_t at;                /* the cell that is filled next */
};

static const char *const nothing = "-";

/* ---- cells ---- */

static void put(struct shown *s, const char *text)
{
	snprintf(s->text[s->at++], CELL, "%s", text);
}

static void put_seconds(struct shown *s, double v)
{
	char text[NUMBER_TEXT + 320];

	if (isnan(v))
		put(s, nothing);
	else if (number_fixed(v / s->unit, 3, text, sizeof text))
		put(s, text);
}

static void put_share(struct shown *s, double v, bool factor)
{
	char text[UNIT_TEXT], marked[UNIT_TEXT + 4];

	if (isnan(v) || isinf(v)) {
		put(s, factor ? "-  " : nothing);
		return;
	}
	snprintf(marked, sizeof marked, "%s%s", unit_share(text, v, 1), !factor ? "" : v < s->report->bar ? " <" : "  ");
	put(s, marked);
}

static void put_count(struct shown *s, uint64_t n)
{
	char text[UNIT_TEXT];

	put(s, unit_count(text, n));
}

static void put_bytes(struct shown *s, const struct message_sum *m)
{
	char text[UNIT_TEXT];

	put(s, message_sum_known(m) ? unit_bytes(text, m->bytes) : "-");
}

static void put_process(struct shown *s, uint32_t process)
{
	char text[NUMBER_TEXT];

	number_whole(process, text);
	put(s, process == NO_PROCESS ? nothing : text);
}

static void put_phase(struct shown *s, uint32_t phase)
{
	struct cell c = metrics_phase_cell(phase);
	char text[NUMBER_TEXT];

	if (c.kind == CELL_TEXT) {
		put(s, c.text);
		return;
	}
	number_whole(c.whole, text);
	put(s, text);
}

/* ---- columns ---- */

static const char *unit_name(double unit)
{
	return unit >= 1 ? "s" : unit >= 1e-3 ? "ms" : "us";
}

/* Of times whose largest is v: so small that short ones still show. */
static double unit_for(double v)
{
	return v >= 10 ? 1 : v >= 10e-3 ? 1e-3 : 1e-6;
}

static void column(struct shown *s, const char *title, enum rows_align align)
{
	snprintf(s->title[s->count], sizeof s->title[0], "%s", title);
	s->columns[s->count] = (struct column){s->title[s->count], s->title[s->count], align, 0};
	s->yields[s->count] = 0;
	s->count++;
}

/* Of the column before. */
static void yields(struct shown *s, unsigned char n)
{
	s->yields[s->count - 1] = n;
}

static void column_seconds(struct shown *s, const char *title)
{
	char text[32];

	snprintf(text, sizeof text, "%s [%s]", title, unit_name(s->unit));
	column(s, text, ROWS_RIGHT);
}

/* ---- kinds of rows ---- */

static double of_run(const struct shown *s, double v)
{
	return s->run->metrics->runtime > 0 ? v / s->run->metrics->runtime : (double)NAN;
}

static double of_path(const struct shown *s, double v)
{
	return s->run->metrics->ideal_runtime > 0 ? v / s->run->metrics->ideal_runtime : (double)NAN;
}

static void gain_columns(struct shown *s)
{
	char text[32];

	column(s, "of ideal", ROWS_RIGHT);
	yields(s, 2);
	snprintf(text, sizeof text, "gain_10 [%s]", unit_name(s->gain_unit));
	column(s, text, ROWS_RIGHT);
}

static void put_gain(struct shown *s, double v)
{
	double unit = s->unit;

	s->unit = s->gain_unit;
	put_seconds(s, v);
	s->unit = unit;
}

static bool some_not_analysed(const struct shown *s)
{
	return s->run->metrics->account.not_analysed > 0;
}

static void process_columns(struct shown *s)
{
	column(s, "process", ROWS_RIGHT);
	column(s, "host", ROWS_LEFT);
	yields(s, 3);
	column_seconds(s, "useful");
	column(s, "busy", ROWS_RIGHT);
	column(s, "sync", ROWS_RIGHT);
	column(s, "transfer", ROWS_RIGHT);
	if (some_not_analysed(s))
		column(s, "not an.", ROWS_RIGHT);
	column(s, "other", ROWS_RIGHT);
	column(s, "outside", ROWS_RIGHT);
	column(s, "overlap", ROWS_RIGHT);
	yields(s, 4);
	gain_columns(s);
}

/* busy, sync, transfer, not analysed, other and outside are shares of the run time, and add up to it. */
static void process_cells(struct shown *s, uint32_t i)
{
	const struct process_row *row = &s->run->processes.row[i];
	const struct account *a = &row->account;
	bool known = s->run->metrics->has_account;
	double nan = (double)NAN;

	put_process(s, row->process);
	put(s, *row->host ? row->host : nothing);
	put_seconds(s, known ? a->by_kind[ACCOUNT_USEFUL] : nan);
	put_share(s, row->busy, false);
	put_share(s, known ? of_run(s, account_sync(a)) : nan, false);
	put_share(s, known ? of_run(s, account_moving(a)) : nan, false);
	if (some_not_analysed(s))
		put_share(s, of_run(s, a->not_analysed), false);
	put_share(s, known ? of_run(s, account_other_mpi(a) + a->by_kind[ACCOUNT_UNTRACED] + a->by_kind[ACCOUNT_TRACER]) : nan, false);
	put_share(s, of_run(s, row->outside), false);
	put_share(s, known ? account_overlap(a, row->known) : nan, false);
	put_share(s, s->run->critical ? of_path(s, s->run->critical[row->process]) : nan, false);
	put_gain(s, s->run->gain ? s->run->gain[row->process] : nan);
}

static void part_columns(struct shown *s)
{
	column_seconds(s, "time");
	column(s, "share", ROWS_RIGHT);
	column(s, "sync", ROWS_RIGHT);
	column(s, "balance  ", ROWS_RIGHT);
	column(s, "effic.  ", ROWS_RIGHT);
	gain_columns(s);
}

static void part_cells(struct shown *s, const struct part_row *p)
{
	bool known = s->run->metrics->has_account;

	put_seconds(s, p->time);
	put_share(s, p->share, false);
	put_share(s, known && s->run->metrics->total > 0 ? account_sync(&p->account) / s->run->metrics->total : (double)NAN, false);
	put_share(s, p->factors.load_balance, true);
	put_share(s, p->factors.parallel_efficiency, true);
	put_share(s, of_path(s, p->critical), false);
	put_gain(s, p->gain_10);
}

static void state_columns(struct shown *s)
{
	column(s, "routine", ROWS_LEFT);
	column(s, "count", ROWS_RIGHT);
	yields(s, 1);
	if (s->run->metrics->bytes) {
		column(s, "sent", ROWS_RIGHT);
		yields(s, 3);
		column(s, "received", ROWS_RIGHT);
		yields(s, 3);
	}
	part_columns(s);
}

static void state_cells(struct shown *s, uint32_t i)
{
	const struct state_row *row = &s->run->states.row[i];
	const struct call_node *node = &s->run->log->nodes[row->node];
	char name[1024];

	snprintf(name, sizeof name, "%*s%s", (int)(node->depth < 256 ? node->depth : 256), "", node->name);
	put(s, name);
	put_count(s, node->count);
	if (s->run->metrics->bytes) {
		put_bytes(s, &row->sent);
		put_bytes(s, &row->received);
	}
	part_cells(s, &row->part);
}

static void phase_columns(struct shown *s)
{
	column(s, "phase", ROWS_RIGHT);
	column(s, "weight", ROWS_RIGHT);
	part_columns(s);
	column(s, "rank", ROWS_RIGHT);
	yields(s, 1);
}

static void phase_cells(struct shown *s, uint32_t i)
{
	const struct phase_row *row = &s->run->phases.row[i];

	put_phase(s, row->phase);
	if (row->phase == SPAN_BEFORE || row->phase == SPAN_AFTER)
		put(s, nothing);
	else
		put_count(s, row->weight);
	part_cells(s, &row->part);
	put_process(s, row->part.heaviest);
}

static void cause_columns(struct shown *s)
{
	column(s, "process", ROWS_RIGHT);
	column(s, "what", ROWS_LEFT);
	column(s, "phase", ROWS_RIGHT);
	column_seconds(s, "waiting");
	column(s, "share", ROWS_RIGHT);
	column(s, "of waiting", ROWS_RIGHT);
	column(s, "routine", ROWS_LEFT);
}

static void cause_cells(struct shown *s, uint32_t i)
{
	const struct metrics_cause *row = &s->run->cause_list.row[i];
	char path[METRICS_PATH_SIZE];

	put_process(s, row->cause->process);
	put(s, row->in_calls ? "call" : "useful");
	put_phase(s, row->cause->phase);
	put_seconds(s, row->waiting);
	put_share(s, row->waiting / s->run->metrics->total, false);
	put_share(s, row->waiting / s->run->causes->sync, false);
	put(s, call_node_path(s->run->log, row->cause->node, path, sizeof path));
}

static const struct {
	void (*columns)(struct shown *s);
	void (*cells)(struct shown *s, uint32_t i);
} kinds[] = {
	[METRICS_BY_PROCESS] = {process_columns, process_cells},
	[METRICS_BY_STATE] = {state_columns, state_cells},
	[METRICS_BY_PHASE] = {phase_columns, phase_cells},
	[METRICS_BY_CAUSE] = {cause_columns, cause_cells},
};

static uint32_t row_count(const struct shown *s)
{
	switch (s->report->by) {
	case METRICS_BY_PROCESS: return s->run->processes.count;
	case METRICS_BY_STATE: return s->run->states.count;
	case METRICS_BY_PHASE: return s->run->phases.count;
	default: return s->run->cause_list.count;
	}
}

/* Causes are many and come largest first: all but the small ones. */
static uint32_t shown_rows(const struct shown *s)
{
	const struct metrics_causes_list *l = &s->run->cause_list;
	uint32_t n = row_count(s);

	if (s->report->by == METRICS_BY_CAUSE)
		while (n > CAUSES_SHOWN && l->row[n - 1].waiting < CAUSE_SHARE * s->run->causes->sync)
			n--;
	return n;
}

static double largest_time(const struct shown *s)
{
	double most = 0;

	for (uint32_t i = 0; i < row_count(s); i++) {
		double v = s->report->by == METRICS_BY_PROCESS ? s->run->processes.row[i].account.by_kind[ACCOUNT_USEFUL]
			 : s->report->by == METRICS_BY_STATE ? s->run->states.row[i].part.time
			 : s->report->by == METRICS_BY_PHASE ? s->run->phases.row[i].part.time
							     : s->run->cause_list.row[i].waiting;

		most = v > most ? v : most;
	}
	return most;
}

static double largest_gain(const struct shown *s)
{
	double most = 0;

	for (uint32_t i = 0; i < row_count(s); i++) {
		double v = s->report->by == METRICS_BY_PROCESS ? s->run->gain ? s->run->gain[i] : 0
			 : s->report->by == METRICS_BY_STATE ? s->run->states.row[i].part.gain_10
			 : s->report->by == METRICS_BY_PHASE ? s->run->phases.row[i].part.gain_10 : 0;

		most = v > most ? v : most;
	}
	return most;
}

/* ---- the table ---- */

static enum err_code shown_row(void *arg, uint64_t i, struct cell *cells, bool *keep, struct err *e)
{
	struct shown *s = arg;

	(void)keep;
	(void)e;
	s->at = 0;
	kinds[s->report->by].cells(s, (uint32_t)i);
	for (size_t c = 0; c < s->at; c++)
		cells[c] = cell_text(s->text[c]);
	return ERR_OK;
}

static void legend(struct out *o, const struct shown *s)
{
	if (!s->run->metrics->has_account || !row_count(s))
		return;
	out_str(o, "\n");
	wrap_text(o, "of ideal: the share of the ideal run's critical path, on which nothing is transferred. gain_10: what the traced run wins "
		     "if that row's computing (of an MPI function: what it takes beyond waiting) is 10 % less; of the 64 rows with most of "
		     "the path", 0, METRICS_WIDTH);
}

static void left_out(struct out *o, const struct shown *s)
{
	uint32_t all = row_count(s), n = shown_rows(s);
	char text[UNIT_TEXT];
	double waiting = 0;

	for (uint32_t i = n; i < all; i++)
		waiting += s->run->cause_list.row[i].waiting;
	if (n < all)
		out_printf(o, "(%" PRIu32 " of %" PRIu32 " rows, %s of waiting, left out; --format json has them)\n", all - n, all,
			   unit_share(text, waiting / s->run->causes->sync, 1));
}

/* What the table's columns do not say. */
static void below(struct out *o, const struct shown *s)
{
	char a[UNIT_TEXT], b[UNIT_TEXT], line[2 * NOT_ANALYSED_TEXT];
	const struct causes *c = s->run->causes;
	bool unknown = metrics_not_analysed_text(s->run->metrics, line, sizeof line);
	const struct run_metrics *m = s->run->metrics;

	if (m->total > 0 && row_count(s)) {
		if (s->report->by == METRICS_BY_PROCESS)
			out_printf(o, "\nShares are of the run time, %s.\n", unit_time_ascii(a, m->runtime));
		else
			out_printf(o, "\nShares are of total time, run time x processes: %s.\n", unit_time_ascii(a, m->total));
		if (m->outside > 0 && (s->report->by == METRICS_BY_STATE || s->report->by == METRICS_BY_PHASE))
			out_printf(o, "%s of it, %s, are outside the records.\n", unit_share(a, m->outside / m->total, 1), unit_time_ascii(b, m->outside));
	}
	if (s->report->by != METRICS_BY_CAUSE) {
		legend(o, s);
		return;
	}
	if (!c)
		out_str(o, "Nothing is known of waiting: the trace has no MPI calls\n");
	else if (c->sync > 0)
		out_printf(o, "\n%s of waiting in all; of %s of it the cause is not known\n", unit_time_ascii(a, c->sync),
			   unit_time_ascii(b, c->unresolved));
	else if (!unknown)
		out_str(o, "No call waited for another process\n");
	if (unknown)
		wrap_text(o, line, 15, METRICS_WIDTH);
}

static enum err_code one_run(struct out *o, struct shown *s, const struct job *job, struct err *e)
{
	const struct rows_sink sink = rows_to_out(o);
	struct rows rows = {.columns = s->columns, .row = shown_row, .arg = s};
	char safe[256], time[UNIT_TEXT];
	enum err_code code = ERR_OK;

	out_printf(o, "%s: %" PRIu32 " process%s, %s\n", text_safe(safe, sizeof safe, s->run->file, SIZE_MAX, TEXT_UTF8),
		   s->run->metrics->processes, s->run->metrics->processes == 1 ? "" : "es",
		   unit_time_ascii(time, s->run->metrics->runtime));
	metrics_table_clocks(o, s->run, 0);
	out_str(o, "\n");
	s->unit = unit_for(largest_time(s));
	s->gain_unit = unit_for(largest_gain(s));
	s->count = 0;
	kinds[s->report->by].columns(s);
	rows.column_count = s->count;
	rows.row_count = shown_rows(s);
	if (rows.row_count)
		code = rows_write_within(&rows, ROWS_TABLE, TEXT_UTF8, s->width, s->yields, &sink, job, e);
	if (s->report->by == METRICS_BY_CAUSE)
		left_out(o, s);
	below(o, s);
	return code;
}

enum err_code metrics_rows_table(struct out *o, const struct metrics_report *r, size_t width, const struct job *job, struct err *e)
{
	struct shown s = {.report = r, .width = width};
	char *room = mem_alloc(CELLS, CELL);
	enum err_code code = room ? ERR_OK : err_memory(e, "the table");

	for (size_t i = 0; i < CELLS; i++)
		s.text[i] = room + i * CELL;
	for (uint32_t i = 0; !code && i < r->count; i++) {
		s.run = r->run[i];
		if (i)
			out_str(o, "\n");
		code = one_run(o, &s, job, e);
	}
	mem_free(room);
	if (!code)
		metrics_table_notes(o, r);
	return code;
}
