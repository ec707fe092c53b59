/* The tables of rows for people: of each kind the columns that fit a line, in units that are the same down a column. */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "core/base/text.h"
#include "core/io/wrap.h"
#include "core/table/shown.h"
#include "commands_int.h"

#define CAUSE_SHARE 0.01 /* of the waiting: causes of less are left out ... */
#define PATTERN_NAME_LEAST 24
#define CAUSES_SHOWN 10  /* ... but for so many */

/* One run's rows. */
struct run_rows {
	const struct metrics_report *report;
	const struct metrics_run *run;
	struct metrics_list rows;
	size_t width;
	bool critical_shown; /* by pattern: the table has room for the column */
};

/* Computation, waiting, transfer, not analysed, other and not recorded are shares of the run time, and add up to it. */
static const struct column_look of_process[] = {
	{.id = METRICS_PROCESS_PROCESS},
	{.id = METRICS_PROCESS_HOST, .priority = 2},
	{.id = METRICS_PROCESS_USEFUL, .as = AS_TIME, .priority = 1},
	{.id = METRICS_PROCESS_BUSY, .as = AS_SHARE},
	{.id = METRICS_PROCESS_SYNC_SHARE, .as = AS_SHARE},
	{.id = METRICS_PROCESS_MOVING_SHARE, .as = AS_SHARE},
	{.id = METRICS_PROCESS_NOT_ANALYSED_SHARE, .as = AS_SHARE},
	{.id = METRICS_PROCESS_OTHER_SHARE, .as = AS_SHARE},
	{.id = METRICS_PROCESS_OUTSIDE_SHARE, .as = AS_SHARE},
	{.id = METRICS_PROCESS_OVERLAP, .as = AS_SHARE, .title = "overlap %", .priority = 5},
	{.id = METRICS_PROCESS_CRITICAL_SHARE, .as = AS_SHARE, .priority = 3},
	{.id = METRICS_PROCESS_GAIN_10, .as = AS_GAIN, .priority = 4},
};
#define OF_PART(list) \
	{.id = list##_TIME, .as = AS_TIME}, {.id = list##_SHARE, .as = AS_SHARE}, {.id = list##_SYNC_SHARE, .as = AS_SHARE}, \
	{.id = list##_LOAD_BALANCE, .as = AS_FACTOR}, \
	{.id = list##_PARALLEL_EFFICIENCY, .as = AS_FACTOR, .title = "parallel eff."}, \
	{.id = list##_CRITICAL_SHARE, .as = AS_SHARE, .priority = 3}, {.id = list##_GAIN_10, .as = AS_GAIN, .priority = 2}
static const struct column_look of_state[] = {
	{.id = METRICS_STATE_INDENTED}, {.id = METRICS_STATE_COUNT, .as = AS_COUNT, .priority = 1},
	{.id = METRICS_STATE_BYTES_SENT, .as = AS_BYTES, .title = "sent", .priority = 4},
	{.id = METRICS_STATE_BYTES_RECEIVED, .as = AS_BYTES, .title = "received", .priority = 4}, OF_PART(METRICS_STATE),
};
static const struct column_look of_phase[] = {
	{.id = METRICS_PHASE_PHASE}, {.id = METRICS_PHASE_WEIGHT, .as = AS_COUNT}, OF_PART(METRICS_PHASE),
	{.id = METRICS_PHASE_HEAVIEST, .title = "most computation (rank)", .priority = 4},
};
static const struct column_look of_pattern[] = {
	{.id = METRICS_PATTERN_NAME, .least = PATTERN_NAME_LEAST}, {.id = METRICS_PATTERN_KIND, .priority = 3}, {.id = METRICS_PATTERN_INSTANCES, .as = AS_COUNT, .priority = 1},
	{.id = METRICS_PATTERN_MESSAGES, .as = AS_COUNT, .priority = 4}, {.id = METRICS_PATTERN_BYTES, .as = AS_BYTES, .priority = 2},
	{.id = METRICS_PATTERN_COLLECTIVES, .as = AS_COUNT, .priority = 4}, {.id = METRICS_PATTERN_TIME, .as = AS_TIME}, {.id = METRICS_PATTERN_SHARE, .as = AS_SHARE},
	{.id = METRICS_PATTERN_USEFUL_SHARE, .as = AS_SHARE}, {.id = METRICS_PATTERN_SYNC_SHARE, .as = AS_SHARE},
	{.id = METRICS_PATTERN_CRITICAL_SHARE, .as = AS_SHARE, .priority = 5},
};
static const struct column_look of_cause[] = {
	{.id = METRICS_CAUSE_PROCESS}, {.id = METRICS_CAUSE_WHAT}, {.id = METRICS_CAUSE_PHASE}, {.id = METRICS_CAUSE_WAITING, .as = AS_TIME},
	{.id = METRICS_CAUSE_SHARE, .as = AS_SHARE}, {.id = METRICS_CAUSE_OF_WAITING, .as = AS_SHARE}, {.id = METRICS_CAUSE_ROUTINE},
};

#define LOOKS(of) {of, sizeof of / sizeof *of}
static const struct {
	const struct column_look *look;
	int count;
} kinds[] = {
	[METRICS_BY_PROCESS] = LOOKS(of_process), [METRICS_BY_STATE] = LOOKS(of_state), [METRICS_BY_PHASE] = LOOKS(of_phase),
	[METRICS_BY_PATTERN] = LOOKS(of_pattern), [METRICS_BY_CAUSE] = LOOKS(of_cause),
};

/* Causes are many and come largest first: all but the small ones. */
static uint32_t shown_count(const struct run_rows *s)
{
	uint32_t n = s->rows.count;

	if (s->report->by == METRICS_BY_CAUSE)
		while (n > CAUSES_SHOWN && s->run->cause_list.row[n - 1].waiting < CAUSE_SHARE * s->run->causes->sync)
			n--;
	return n;
}

static enum err_code print_rows(struct out *o, const struct run_rows *s, const struct progress *progress, struct err *e)
{
	const struct rows_sink sink = rows_to_out(o);
	struct shown_table t = {.people = true, .list = s->rows.list, .rows = shown_count(s), .units.bar = s->report->bar};

	shown_looks(&t, s->rows.table, kinds[s->report->by].look, kinds[s->report->by].count);
	if (s->report->by == METRICS_BY_PROCESS && !(s->run->metrics->account.not_analysed > 0))
		shown_drop(&t, METRICS_PROCESS_NOT_ANALYSED_SHARE);
	if (s->report->by == METRICS_BY_STATE && !s->run->metrics->bytes) {
		shown_drop(&t, METRICS_STATE_BYTES_SENT);
		shown_drop(&t, METRICS_STATE_BYTES_RECEIVED);
	}
	return t.rows ? shown_write(&t, ROWS_TABLE, TEXT_UTF8, s->width, &sink, progress, e) : ERR_OK;
}

static void legend(struct out *o, const struct run_rows *s)
{
	if (!s->run->metrics->has_account || !s->rows.count)
		return;
	out_str(o, "\n");
	if (s->report->by == METRICS_BY_PATTERN) {
		wrap_text(o, s->critical_shown ? "The time of each phase is divided by the shares of the patterns in its messages and collectives. "
						 "critical path %: share of the critical path on an ideal network."
					       : "The time of each phase is divided by the shares of the patterns in its messages and collectives.",
			  0, METRICS_WIDTH);
		return;
	}
	wrap_text(o, "critical path %: share of the critical path on an ideal network. Gain of 10 %: time that the traced run saves if the "
		     "computation of the row (of an MPI function: its time without waiting) takes 10 % less. It is computed for the 64 rows "
		     "with the largest shares of the path.", 0, METRICS_WIDTH);
}

static void left_out(struct out *o, const struct run_rows *s)
{
	uint32_t all = s->rows.count, n = shown_count(s);
	char text[UNIT_TEXT];
	double waiting = 0;

	for (uint32_t i = n; i < all; i++)
		waiting += s->run->cause_list.row[i].waiting;
	if (n < all)
		out_printf(o, "other (%" PRIu32 " of %" PRIu32 " rows): %s of the waiting; --format json lists them\n", all - n, all,
			   unit_share(text, waiting / s->run->causes->sync, 1));
}

/* The base of shares, and sums. */
static void below(struct out *o, const struct run_rows *s)
{
	char a[UNIT_TEXT], b[UNIT_TEXT], line[2 * NOT_ANALYSED_TEXT];
	const struct causes *c = s->run->causes;
	bool unknown = metrics_not_analysed_text(s->run->metrics, line, sizeof line);
	const struct run_metrics *m = s->run->metrics;

	if (m->total > 0 && s->rows.count) {
		if (s->report->by == METRICS_BY_PROCESS)
			out_printf(o, "\nShares are of the run time, %s.\n", unit_figure_time(a, m->runtime));
		else
			out_printf(o, "\nShares are of the total time, run time x processes: %s.\n", unit_figure_time(a, m->total));
		if (m->outside > 0 && s->report->by >= METRICS_BY_STATE && s->report->by <= METRICS_BY_PATTERN)
			out_printf(o, "%s of it, %s, is not recorded.\n", unit_share(a, m->outside / m->total, 1), unit_figure_time(b, m->outside));
	}
	if (s->report->by != METRICS_BY_CAUSE) {
		legend(o, s);
		return;
	}
	if (!c)
		out_str(o, "Waiting is unknown: the trace has no MPI calls, only messages.\n");
	else if (c->sync > 0)
		out_printf(o, "\nAll waiting: %s; the cause of %s of it is unknown.\n", unit_figure_time(a, c->sync),
			   unit_figure_time(b, c->unresolved));
	else if (!unknown)
		out_str(o, "No rank waited.\n");
	if (unknown)
		wrap_text(o, line, 15, METRICS_WIDTH);
}

static enum err_code one_run(struct out *o, struct run_rows *s, const struct progress *progress, struct err *e)
{
	char safe[256], time[UNIT_TEXT];
	size_t from;
	enum err_code code;

	out_printf(o, "%s: %" PRIu32 " process%s, %s\n", text_safe(safe, sizeof safe, s->run->file, SIZE_MAX, TEXT_UTF8),
		   s->run->metrics->processes, s->run->metrics->processes == 1 ? "" : "es",
		   unit_figure_time(time, s->run->metrics->runtime));
	metrics_table_clocks(o, s->run, 0);
	out_str(o, "\n");
	from = o->len;
	code = print_rows(o, s, progress, e);
	s->critical_shown = o->len > from && strstr(o->text + from, "critical path %");
	if (s->report->by == METRICS_BY_CAUSE)
		left_out(o, s);
	below(o, s);
	return code;
}

enum err_code metrics_rows_table(struct out *o, const struct metrics_report *r, size_t width, const struct progress *progress, struct err *e)
{
	struct run_rows s = {.report = r, .width = width};
	char path[METRICS_PATH_SIZE];
	enum err_code code = ERR_OK;

	for (uint32_t i = 0; !code && i < r->count; i++) {
		s.run = r->run[i];
		metrics_list_init(&s.rows, r->by, s.run, path);
		if (i)
			out_str(o, "\n");
		code = one_run(o, &s, progress, e);
	}
	if (!code)
		metrics_table_notes(o, r);
	return code;
}
