/* pas2p metrics: how efficient a run is, how it scales, and what holds it back. */
#include <stdio.h>
#include <string.h>

#include "cli/complain.h"
#include "cli/cli.h"
#include "cli/listing.h"
#include "core/base/mem.h"
#include "core/base/text.h"
#include "core/lists/metrics.h"
#include "core/reports/metrics_report.h"
#include "core/team/team.h"
#include "commands_int.h"

/* ---- what is asked for ---- */

static enum err_code metrics_read_options(const struct options *o, struct series_asked *a, struct fail_if *fail, struct err *e)
{
	enum err_code code = series_asked_read(o, a, e);

	*fail = (struct fail_if){0};
	for (uint32_t i = 0; !code && i < o->fail_if.count; i++)
		code = fail_if_parse(fail, o->fail_if.text[i], e);
	return code;
}

enum err_code metrics_check(const struct options *o, struct err *e)
{
	struct series_asked a;
	struct fail_if fail;
	enum err_code code = metrics_read_options(o, &a, &fail, e);

	if (!code && o->by != METRICS_BY_PROGRAM && (o->before || o->what_if.count)) {
		err_set(e, ERR_USAGE, "%s cannot be combined with --by", o->before ? "--before" : "--what-if");
		return err_hint(e, "omit --by");
	}
	for (uint32_t i = 0; !code && i < fail.count; i++)
		if (fail.list[i].metric == FAIL_CHANGE && !o->before) {
			err_set(e, ERR_USAGE, "--fail-if: 'runtime_change' needs an earlier run");
			return err_hint(e, "add --before FILE");
		}
	return code;
}

/* ---- csv ---- */

/* Rows of all runs, one run after the other. */
struct csv {
	const struct metrics_report *report;
	struct shown_table shown;
	struct column_look columns[LIST_COLUMNS + 2];
	char path[METRICS_PATH_SIZE];
};

static void csv_list(struct csv *x, uint32_t run, struct metrics_list *l)
{
	metrics_list_init(l, x->report->by, x->report->run[run], x->path);
	if (x->report->by == METRICS_BY_PROGRAM)
		l->count = 1;
}

static enum err_code metrics_csv_row(void *arg, uint64_t i, struct cell *cells, bool *keep, struct err *e)
{
	struct csv *x = arg;
	struct metrics_list l;
	uint32_t run = 0;

	(void)keep;
	(void)e;
	for (csv_list(x, 0, &l); i >= l.count; csv_list(x, ++run, &l))
		i -= l.count;
	if (x->report->by == METRICS_BY_PROGRAM) {
		const struct metrics_run_figures figures = metrics_report_run(x->report, run);
		const struct metrics_runs_list list = {&figures, 1};

		x->shown.list = &list;
		shown_cells(&x->shown, 0, cells);
		return ERR_OK;
	}
	cells[0] = cell_text(x->report->run[run]->file);
	cells[1] = cell_whole(x->report->run[run]->metrics->processes);
	x->shown.list = l.list;
	shown_cells(&x->shown, (uint32_t)i, cells + 2);
	return ERR_OK;
}

static enum err_code as_csv(struct batch *b, const struct metrics_report *r, struct err *e)
{
	struct csv x = {.report = r};
	struct rows rows = {.columns = x.columns, .row = metrics_csv_row, .arg = &x};
	struct metrics_list l;
	size_t own = r->by == METRICS_BY_PROGRAM ? 0 : 2;

	csv_list(&x, 0, &l);
	shown_pick(&x.shown, own ? l.table : &metrics_runs_columns, METRICS_ALL | METRICS_PATH | METRICS_GAIN, true);
	x.columns[0] = (struct column_look){"file", "file", .align = LOOK_LEFT};
	x.columns[1] = (struct column_look){"processes", "processes", .align = LOOK_RIGHT};
	memcpy(x.columns + own, x.shown.look, (size_t)x.shown.count * sizeof *x.columns);
	rows.column_count = own + (size_t)x.shown.count;
	for (uint32_t i = 0; i < r->count; i++) {
		csv_list(&x, i, &l);
		rows.row_count += l.count;
	}
	return listing_write(b, &rows, e);
}

/* Rows do not show that their times are not those in the file, or that they are of several programs. */
static void metrics_print_warning(const struct batch *b, const struct metrics_report *r)
{
	char safe[256], text[TIMES_SENTENCE];

	for (uint32_t i = 0; !b->options->quiet && i < r->count; i++)
		if (r->run[i]->other_program)
			complain("%s: %s", text_safe(safe, sizeof safe, r->run[i]->file, SIZE_MAX, TEXT_UTF8),
				 metric_note_meaning(METRIC_NOTE_OTHER_PROGRAM));
	for (uint32_t i = 0; !b->options->quiet && i < r->count; i++)
		if (r->run[i]->own_times)
			complain("%s: clocks: %s", text_safe(safe, sizeof safe, r->run[i]->file, SIZE_MAX, TEXT_UTF8),
				 times_sentence(&r->run[i]->times, text));
}

/* ---- all of it ---- */

static enum err_code metrics_print_report(struct batch *b, const struct series *s, struct err *e)
{
	const struct metrics_report *r = &s->report;
	struct out *o = &b->sink.out;

	if (b->options->format == FORMAT_CSV) {
		metrics_print_warning(b, r);
		return as_csv(b, r, e);
	}
	if (b->options->format != FORMAT_TABLE)
		return metrics_write(r, o, b->options->format == FORMAT_JSON, e);
	if (r->by != METRICS_BY_PROGRAM)
		return metrics_rows_table(o, r, sink_width(&b->sink), b->progress, e);
	metrics_table(o, r, &s->asked.diagnosis);
	return ERR_OK;
}

/* Each condition that holds, or that nothing is known of. */
static void conditions_ask(struct batch *b, const struct series *s, const struct fail_if *fail)
{
	for (uint32_t i = 0; i < fail->count; i++) {
		char said[FAIL_SAID];

		if (fail_if_ask(&fail->list[i], &s->report, said) == FAIL_NO)
			continue;
		complain("%s", said);
		b->finding = EXIT_FINDING;
	}
}

enum err_code cmd_metrics(struct batch *b, struct err *e)
{
	struct series *s = mem_zero(1, sizeof *s);
	struct series_asked asked;
	struct fail_if fail;
	enum err_code code = s ? metrics_read_options(b->options, &asked, &fail, e) : err_memory(e, "the runs");

	code = team_agree(b->options->team, code, e);
	if (!code)
		code = series_make(b, s, &asked, b->options->files, b->options->file_count, e);
	batch_prints(b);
	if (!code && !team_rank(b->options->team)) {
		code = metrics_print_report(b, s, e);
		if (!code)
			conditions_ask(b, s, &fail);
	}
	if (s)
		series_release(s);
	mem_free(s);
	return code;
}
