#include "commands_int.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/base/text.h"
#include "core/io/wrap.h"

#define LABEL 24  /* columns of a row's name */
#define TOP 3     /* of the critical path */

/* ---- text ---- */

static void right(struct out *o, const char *text, size_t width)
{
	size_t columns = wrap_columns(text, strlen(text));

	out_printf(o, "%*s%s", columns < width ? (int)(width - columns) : 0, "", text);
}

static const char *safe_file(const struct metrics_run *r, char safe[256])
{
	return text_safe(safe, 256, r->file, SIZE_MAX, TEXT_UTF8);
}

/* ---- figures ---- */

#define CELL 48

/* A line of the table: a column of the list of runs. */
struct table_line {
	const char *label;
	int column;          /* of the list of runs; SECTION: an empty line */
	bool factor;         /* may be poor */
	bool several;        /* only where runs are compared */
	bool share;          /* of the account: its share of total time stands for it */
};

#define SECTION (-1)

/* Behind each value, of the same width. */
#define POOR "  poor"
#define NOT_POOR "      "

static const struct table_line figures[] = {
	{"processes", METRICS_RUN_PROCESSES, false, false, false},
	{"run time", METRICS_RUN_RUNTIME, false, false, false},
	{"  on an ideal network", METRICS_RUN_IDEAL_RUNTIME, false, false, false},
	{"average parallelism", METRICS_RUN_AVERAGE_PARALLELISM, false, false, false},
	{"speedup", METRICS_RUN_SPEEDUP, false, true, false},
	{"efficiency", METRICS_RUN_EFFICIENCY, true, true, false},
	{"serial fraction", METRICS_RUN_SERIAL_FRACTION, false, true, false},
	{"", SECTION, false, false, false},
	{"global efficiency", METRICS_RUN_GLOBAL_EFFICIENCY, true, true, false},
	{"computation scaling", METRICS_RUN_COMPUTATION_SCALING, true, true, false},
	{"parallel efficiency", METRICS_RUN_PARALLEL_EFFICIENCY, true, false, false},
	{"  load balance", METRICS_RUN_LOAD_BALANCE, true, false, false},
	{"    between nodes", METRICS_RUN_LOAD_BALANCE_NODES, true, false, false},
	{"    inside nodes", METRICS_RUN_LOAD_BALANCE_INSIDE, true, false, false},
	{"  communication", METRICS_RUN_COMMUNICATION_EFFICIENCY, true, false, false},
	{"    serialisation", METRICS_RUN_SERIALISATION_EFFICIENCY, true, false, false},
	{"    transfer", METRICS_RUN_TRANSFER_EFFICIENCY, true, false, false},
	{"      tracer", METRICS_RUN_TRACER_EFFICIENCY, true, false, false},
	{"communication balance", METRICS_RUN_COMMUNICATION_BALANCE, true, false, false},
	{"overlap", METRICS_RUN_OVERLAP, false, false, false},
};

static const struct table_line account[] = {
	{"total time", METRICS_RUN_TOTAL, false, false, true},
	{"  computation", METRICS_RUN_USEFUL, false, false, true},
	{"  communication", METRICS_RUN_COMMUNICATION, false, false, true},
	{"    send", METRICS_RUN_SEND, false, false, true},
	{"    receive", METRICS_RUN_RECEIVE, false, false, true},
	{"    wait", METRICS_RUN_WAIT, false, false, true},
	{"    collective", METRICS_RUN_COLLECTIVE, false, false, true},
	{"  other MPI", METRICS_RUN_OTHER_MPI, false, false, true},
	{"  tracing off", METRICS_RUN_UNTRACED, false, false, true},
	{"  tracer", METRICS_RUN_TRACER, false, false, true},
	{"  not recorded", METRICS_RUN_OUTSIDE, false, false, true},
	{"", SECTION, false, false, false},
	{"waiting", METRICS_RUN_SYNC, false, false, true},
	{"  late sender", METRICS_RUN_LATE_SENDER, false, false, true},
	{"  late receiver", METRICS_RUN_LATE_RECEIVER, false, false, true},
	{"  wait in collective", METRICS_RUN_COLLECTIVE_WAIT, false, false, true},
	{"not analysed", METRICS_RUN_NOT_ANALYSED, false, false, true},
	{"transfer", METRICS_RUN_TRANSFER, false, false, true},
	{"overlapped computation", METRICS_RUN_HIDDEN, false, false, true},
};

static const struct table_line counts[] = {
	{"messages", METRICS_RUN_MESSAGES, false, false, false},
	{"bytes", METRICS_RUN_BYTES, false, false, false},
	{"  of unknown size", METRICS_RUN_UNKNOWN_SIZES, false, false, false},
	{"collectives", METRICS_RUN_COLLECTIVES, false, false, false},
	{"unmatched", METRICS_RUN_UNRELATED, false, false, false},
};

static struct cell value(const struct metrics_report *r, uint32_t run, int column)
{
	const struct metrics_run_figures f = metrics_report_run(r, run);
	const struct metrics_runs_list list = {&f, 1};

	/* cppcheck-suppress returnDanglingLifetime -- a cell is a value; its text, if it has one, is the run's */
	return metrics_runs_columns.column[column].value(&list, 0);
}

static double real_of(struct cell c)
{
	return c.kind == CELL_REAL ? c.real : c.kind == CELL_WHOLE ? (double)c.whole : (double)NAN;
}

/* What the line shows: what is not analysed has one of its own, and parts add up. */
static struct cell line_cell_shown(const struct metrics_report *r, uint32_t run, const struct table_line *line)
{
	struct cell c = value(r, run, line->column);

	if (line->column == METRICS_RUN_TRANSFER && c.kind == CELL_REAL)
		c.real -= real_of(value(r, run, METRICS_RUN_NOT_ANALYSED_TRANSFER));
	return c;
}

static void line_cell_text(char buf[CELL], const struct metrics_report *r, const struct table_line *line, uint32_t run)
{
	const struct column *c = &metrics_runs_columns.column[line->column];
	struct cell cell = line_cell_shown(r, run, line);
	char text[UNIT_TEXT];

	/* Slower than the reference: of a fraction there can be no talk. */
	if (line->column == METRICS_RUN_SERIAL_FRACTION && scaling_is_slower(&r->run[run]->figures))
		cell = cell_empty();
	if (cell.kind == CELL_EMPTY)
		snprintf(buf, CELL, "-");
	else if (c->kind == COLUMN_SHARE)
		snprintf(buf, CELL, "%s", unit_share(text, cell.real, 1));
	else if (c->kind == COLUMN_SECONDS)
		snprintf(buf, CELL, "%s", unit_figure_time(text, cell.real));
	else if (line->column == METRICS_RUN_BYTES)
		snprintf(buf, CELL, "%s", unit_bytes(text, cell.whole));
	else if (c->kind == COLUMN_WHOLE)
		snprintf(buf, CELL, "%s", unit_count(text, cell.whole));
	else
		snprintf(buf, CELL, "%.2f", cell.real);
}

static bool is_poor(const struct metrics_report *r, const struct table_line *line, uint32_t run)
{
	return line->factor && real_of(value(r, run, line->column)) < r->bar;
}

/* A part of total time. */
static void line_share_text(char buf[CELL], const struct metrics_report *r, const struct table_line *line, uint32_t run)
{
	double v = real_of(line_cell_shown(r, run, line)), all = real_of(value(r, run, METRICS_RUN_TOTAL));
	char text[UNIT_TEXT];

	snprintf(buf, CELL, "%s", v / all >= 0 ? unit_share(text, v / all, 1) : "-");
}

/* Lines of nothing but what was not measured are noise. */
static bool says_something(const struct metrics_report *r, const struct table_line *line)
{
	/* One host is no balance between hosts. */
	bool of_nodes = line->column == METRICS_RUN_LOAD_BALANCE_NODES || line->column == METRICS_RUN_LOAD_BALANCE_INSIDE;
	bool of_unknown = line->column == METRICS_RUN_UNKNOWN_SIZES;

	for (uint32_t i = 0; i < r->count; i++) {
		struct cell c = value(r, i, line->column);

		if ((of_nodes && r->run[i]->metrics->nodes < 2) || (of_unknown && !r->run[i]->metrics->unknown_sizes))
			continue;
		if (c.kind != CELL_EMPTY && (!line->share || real_of(c) != 0))
			return true;
	}
	return line->share ? line->column == METRICS_RUN_TOTAL || line->column == METRICS_RUN_USEFUL : !line->several && !of_nodes && !of_unknown;
}

static size_t widest(const struct metrics_report *r, const struct table_line *lines, size_t n)
{
	size_t width = 8;
	char buf[CELL];

	for (size_t i = 0; i < n; i++)
		for (uint32_t run = 0; lines[i].column != SECTION && run < r->count; run++) {
			size_t w;

			line_cell_text(buf, r, &lines[i], run);
			w = wrap_columns(buf, strlen(buf));
			width = w + 1 > width ? w + 1 : width;
		}
	return width;
}

/* Blanks at a line's end are nobody's. */
static void end_line(struct out *o)
{
	while (o->len && o->text[o->len - 1] == ' ')
		o->text[--o->len] = 0;
	out_str(o, "\n");
}

/* Who has most computation: what to look at where the load is not balanced. */
static void put_largest(struct out *o, const struct run_metrics *m)
{
	uint32_t largest = 0;
	char rank[UNIT_TEXT];

	for (uint32_t p = 1; p < m->processes; p++)
		if (m->of_process[p].by_kind[ACCOUNT_USEFUL] > m->of_process[largest].by_kind[ACCOUNT_USEFUL])
			largest = p;
	out_printf(o, "   %s computes most", unit_rank(rank, largest));
}

static void lines_of(struct out *o, const struct metrics_report *r, const struct table_line *lines, size_t n, uint32_t from, uint32_t to,
		     size_t width)
{
	bool single = r->count == 1, section = false;
	char buf[CELL];

	for (size_t i = 0; i < n; i++) {
		section |= lines[i].column == SECTION;
		if (lines[i].column == SECTION || !says_something(r, &lines[i]))
			continue;
		if (section)
			out_str(o, "\n");
		section = false;
		out_printf(o, "%-*s", LABEL, lines[i].label);
		for (uint32_t run = from; run < to; run++) {
			if (!lines[i].share || single || lines[i].column == METRICS_RUN_TOTAL) {
				line_cell_text(buf, r, &lines[i], run);
				right(o, buf, width);
			}
			if (lines[i].share && (single || lines[i].column != METRICS_RUN_TOTAL)) {
				line_share_text(buf, r, &lines[i], run);
				right(o, buf, single ? 11 : width);
			}
			out_str(o, is_poor(r, &lines[i], run) ? POOR : NOT_POOR);
		}
		if (single && lines[i].column == METRICS_RUN_LOAD_BALANCE && is_poor(r, &lines[i], 0))
			put_largest(o, r->run[0]->metrics);
		end_line(o);
	}
}

static size_t larger_size(size_t a, size_t b)
{
	return a > b ? a : b;
}

static void heading(struct out *o, const struct metrics_report *r, uint32_t from, uint32_t to, size_t width)
{
	char buf[CELL];

	if (r->count == 1)
		return;
	out_printf(o, "%-*s", LABEL, "run");
	for (uint32_t run = from; run < to; run++) {
		snprintf(buf, sizeof buf, "%" PRIu32, run + 1);
		right(o, buf, width);
		out_str(o, NOT_POOR);
	}
	end_line(o);
}

#define LINES(table) table, sizeof table / sizeof *table

void metrics_table_clocks(struct out *o, const struct metrics_run *run, int indent)
{
	char text[TIMES_SENTENCE];

	if (run->own_times)
		out_printf(o, "%*sclocks: %s\n", indent, "", times_sentence(&run->times, text));
}

static void runs_print_names(struct out *o, const struct metrics_report *r)
{
	char safe[256], time[UNIT_TEXT], equals[SCALING_TEXT];

	if (r->count == 1) {
		out_printf(o, "%s\n", safe_file(r->run[0], safe));
		metrics_table_clocks(o, r->run[0], 0);
		out_str(o, "\n");
		return;
	}
	for (uint32_t i = 0; i < r->count; i++) {
		out_printf(o, "run %-3" PRIu32 " %s%s\n", i + 1, safe_file(r->run[i], safe),
			   i == r->reference && isnan(r->serial) ? " (reference)" : "");
		metrics_table_clocks(o, r->run[i], 8);
	}
	if (!isnan(r->serial))
		out_printf(o, "reference: sequential program, %s\n", unit_figure_time(time, r->serial));
	for (uint32_t i = 0; i < r->count; i++)
		if (r->run[i]->figures.equals > 1 && (!i || r->run[i]->figures.processes != r->run[i - 1]->figures.processes))
			out_printf(o, "%s\n", scaling_equals_text(&r->run[i]->figures, equals));
	out_printf(o, "scaling: %s\n\n", r->run[0]->figures.processes == r->run[r->count - 1]->figures.processes ?
		   "none, all runs have the same number of processes" : r->scaling == SCALING_WEAK ? "weak, the problem grows with the processes"
		   : "strong, the same problem on more processes");
}

static bool any_poor(const struct metrics_report *r)
{
	for (size_t i = 0; i < sizeof figures / sizeof *figures; i++)
		for (uint32_t run = 0; figures[i].factor && run < r->count; run++)
			if (says_something(r, &figures[i]) && is_poor(r, &figures[i], run))
				return true;
	return false;
}

/* ---- the critical path ---- */

struct contributor {
	char name[METRICS_PATH_SIZE];
	double seconds;
};

static void keep_largest(struct contributor top[TOP], const char *name, double seconds)
{
	int at = TOP;

	while (at > 0 && seconds > top[at - 1].seconds)
		at--;
	if (at == TOP)
		return;
	memmove(&top[at + 1], &top[at], (size_t)(TOP - 1 - at) * sizeof *top);
	snprintf(top[at].name, sizeof top[at].name, "%s", name);
	top[at].seconds = seconds;
}

static void contributors_print_largest(struct out *line, const struct contributor top[TOP], double all)
{
	char share[UNIT_TEXT];

	for (int i = 0; i < TOP && top[i].seconds > 0.005 * all; i++)
		out_printf(line, "%s%s %s", i ? ", " : "", top[i].name, unit_share(share, top[i].seconds / all, 0));
}

static void critical_processes(struct out *line, const struct metrics_run *run)
{
	struct contributor top[TOP] = {{.seconds = 0}};
	char name[UNIT_TEXT];

	for (uint32_t p = 0; p < run->metrics->processes; p++)
		keep_largest(top, unit_rank(name, p), run->critical[p]);
	out_str(line, "critical path  on an ideal network: ");
	contributors_print_largest(line, top, run->metrics->ideal_runtime);
}

/* A function's own: without the part of the functions that it calls. */
static void critical_functions(struct out *line, const struct metrics_run *run)
{
	const struct call_node *nodes = run->log->nodes;
	struct contributor top[TOP] = {{.seconds = 0}};
	char path[METRICS_PATH_SIZE];

	for (uint32_t i = 0; i < run->states.count; i++) {
		const struct state_row *row = &run->states.row[i];
		double own = row->part.critical;

		if (nodes[row->node].kind == NODE_MPI)
			continue;
		for (uint32_t j = i + 1; j < run->states.count && nodes[run->states.row[j].node].depth > nodes[row->node].depth; j++)
			if (nodes[run->states.row[j].node].parent == row->node && nodes[run->states.row[j].node].kind == NODE_USER)
				own -= run->states.row[j].part.critical;
		keep_largest(top, call_node_path(run->log, row->node, path, sizeof path), own);
	}
	out_str(line, ". Functions: ");
	contributors_print_largest(line, top, run->metrics->ideal_runtime);
}

static void critical_path(struct out *o, const struct metrics_report *r)
{
	for (uint32_t i = 0; i < r->count; i++) {
		const struct metrics_run *run = r->run[i];
		struct out line;

		if (!run->critical || !(run->metrics->ideal_runtime > 0))
			continue;
		out_init(&line);
		critical_processes(&line, run);
		if (run->rows & METRICS_STATES && run->log->users_seen)
			critical_functions(&line, run);
		o->failed |= line.failed;
		out_str(o, "\n");
		wrap_text(o, line.text ? line.text : "", 15, METRICS_WIDTH);
		out_release(&line);
	}
}

/* ---- what is not analysed ---- */

static void not_analysed(struct out *o, const struct metrics_report *r)
{
	char line[2 * NOT_ANALYSED_TEXT];

	for (uint32_t i = 0; i < r->count; i++)
		if (metrics_not_analysed_text(r->run[i]->metrics, line, sizeof line)) {
			out_str(o, "\n");
			wrap_text(o, line, 15, METRICS_WIDTH);
		}
}

/* ---- what if ---- */

static void changed_line(struct out *o, const char *label, const char *was, const char *is)
{
	out_printf(o, "  %-*s", LABEL - 2, label);
	right(o, was, 11);
	right(o, is, 11);
	out_str(o, "\n");
}

static void what_if(struct out *o, const struct metrics_report *r)
{
	const struct metrics_changed *c = r->changed;
	const struct factors *was = &c->unchanged_factors, *is = &c->factors;
	char a[UNIT_TEXT], b[UNIT_TEXT], measured[UNIT_TEXT], safe[256], line[256];
	const struct {
		const char *label;
		double was, is;
	} factors[] = {
		{"parallel efficiency", was->parallel_efficiency, is->parallel_efficiency},
		{"load balance", was->load_balance, is->load_balance},
		{"communication", was->communication_efficiency, is->communication_efficiency},
		{"communication balance", was->communication_balance, is->communication_balance},
	};

	out_printf(o, "\nwhat if: %s", text_safe(safe, sizeof safe, c->text, SIZE_MAX, TEXT_UTF8));
	if (r->count > 1)
		out_printf(o, ", in %s", safe_file(c->run, safe));
	out_str(o, "\n");
	changed_line(o, "", "unchanged", "projected");
	changed_line(o, "run time", unit_figure_time(a, c->unchanged), unit_figure_time(b, c->runtime));
	for (size_t i = 0; i < sizeof factors / sizeof *factors; i++)
		changed_line(o, factors[i].label, isnan(factors[i].was) ? "-" : unit_share(a, factors[i].was, 1),
			     isnan(factors[i].is) ? "-" : unit_share(b, factors[i].is, 1));
	if (isnan(c->runtime_change))
		return;
	snprintf(line, sizeof line, "  The run would be %s %s than in the simulation without changes (%s; measured: %s).",
		 unit_share(a, fabs(c->runtime_change), 1), c->runtime_change < 0 ? "shorter" : "longer", unit_figure_time(b, c->unchanged),
		 unit_figure_time(measured, c->run->metrics->runtime));
	wrap_text(o, line, 2, METRICS_WIDTH);
}

/* ---- diagnosis and notes ---- */

/* Its lines are as long as what they say. */
static void diagnosis(struct out *o, const struct metrics_report *r, const struct diagnosis_settings *asked)
{
	struct out text;
	char *line, *end;

	out_init(&text);
	diagnosis_text(r->diagnosis, asked, r->run[r->looked]->file, &text);
	o->failed |= text.failed;
	out_str(o, "\n");
	for (line = text.text; line && *line; line = end ? end + 1 : NULL) {
		end = strchr(line, '\n');
		if (end)
			*end = 0;
		wrap_text(o, line, DIAGNOSIS_INDENT, METRICS_WIDTH);
	}
	out_release(&text);
}

static void notes_of(struct out *o, const struct metrics_report *r, const struct metrics_run *run)
{
	char safe[256], line[1024];

	for (int n = 0; run && n < METRIC_NOTES; n++) {
		uint64_t count = metrics_note_count(r, run, (enum metric_note)n);

		if (!count)
			continue;
		snprintf(line, sizeof line, "note: %s%s%s (%" PRIu64 "): %s", r->count > 1 || run == r->before ? safe_file(run, safe) : "",
			 r->count > 1 || run == r->before ? ": " : "", metric_note_kind((enum metric_note)n), count,
			 metric_note_meaning((enum metric_note)n));
		wrap_text(o, line, 6, METRICS_WIDTH);
	}
}

void metrics_table_notes(struct out *o, const struct metrics_report *r)
{
	size_t at = o->len;
	struct out notes;

	out_init(&notes);
	for (uint32_t i = 0; i < r->count; i++)
		notes_of(&notes, r, r->run[i]);
	notes_of(&notes, r, r->before);
	if (notes.len && at)
		out_str(o, "\n");
	if (notes.len)
		out_add(o, notes.text, notes.len);
	o->failed |= notes.failed;
	out_release(&notes);
}

void metrics_table(struct out *o, const struct metrics_report *r, const struct diagnosis_settings *asked)
{
	size_t width = larger_size(widest(r, LINES(figures)), larger_size(widest(r, LINES(account)), widest(r, LINES(counts))));
	/* As many tables as it takes, of about as many runs each. */
	size_t column = width + strlen(POOR), room = METRICS_WIDTH - LABEL;
	uint32_t most = column < room ? (uint32_t)(room / column) : 1;
	uint32_t tables = (r->count + most - 1) / most, across = (r->count + tables - 1) / tables;

	runs_print_names(o, r);
	for (uint32_t from = 0; from < r->count; from += across) {
		uint32_t to = r->count - from < across ? r->count : from + across;

		if (from)
			out_str(o, "\n");
		heading(o, r, from, to, width);
		lines_of(o, r, LINES(figures), from, to, width);
		out_str(o, "\n");
		lines_of(o, r, LINES(account), from, to, width);
		out_str(o, "\n");
		lines_of(o, r, LINES(counts), from, to, width);
	}
	if (any_poor(r))
		out_printf(o, "\ngoal %.6g %%\n", r->bar * 100);
	critical_path(o, r);
	not_analysed(o, r);
	if (r->changed)
		what_if(o, r);
	if (r->diagnosis)
		diagnosis(o, r, asked);
	metrics_table_notes(o, r);
}
