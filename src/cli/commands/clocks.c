/* pas2p clocks: clock offsets and their bounds, clock violations, corrected times. */
#include <string.h>

#include "cli/complain.h"
#include "cli/listing.h"
#include "cli/progress_meter.h"
#include "commands_int.h"
#include "core/base/number.h"
#include "core/formats/convert.h"
#include "core/io/out_file.h"
#include "core/lists/clocks.h"
#include "core/reports/reports.h"
#include "core/team/team.h"

#define BINS 50
#define MOST_SECONDS 86400.0

/* `to` stays where nothing is given. */
static enum err_code read_seconds(double *to, const char *option, const char *value, struct err *e)
{
	if (!value || (number_parse(value, strlen(value), to) && *to >= 0 && *to <= MOST_SECONDS))
		return ERR_OK;
	return option_wrong_value(e, option, value, "seconds from 0 to 86400");
}

static enum err_code clocks_read_options(const struct options *o, struct clock_report_options *a, struct err *e)
{
	const char *reference = o->reference, *windows = o->clock_windows;
	enum err_code code;
	uint64_t whole;

	*a = (struct clock_report_options){
		.reference = REFERENCE_ANY, .resolution = RESOLUTION_AUTO, .windows = CLOCK_WINDOWS, .bins = o->bins ? o->bins : BINS,
		.medians = o->clocks_by == CLOCKS_BY_PAIR || (o->format != FORMAT_TABLE && o->format != FORMAT_CSV), /* a document has all */
	};
	if (reference) {
		if (!number_parse_whole(reference, strlen(reference), &whole) || whole >= REFERENCE_ANY)
			return option_wrong_value(e, "reference", reference, "a rank");
		a->reference = (uint32_t)whole;
	}
	if (windows && strcmp(windows, "auto") != 0) {
		if (!number_parse_whole(windows, strlen(windows), &whole) || whole < 1 || whole > CLOCK_WINDOWS)
			return option_wrong_value(e, "windows", windows, "a whole number from 1 to 64, or auto");
		a->windows = (uint32_t)whole;
	}
	if (!o->correct && (o->clock_method != CLOCK_AUTO || o->amortise > 0))
		return err_set(e, ERR_USAGE, "--%s needs --correct", o->amortise > 0 ? "amortise" : "method");
	if (o->correct && !o->output)
		return err_set(e, ERR_USAGE, "--correct needs -o FILE for the corrected trace");
	if (o->correct && convert_plain_clog2(o->output, e))
		return e->code;
	if (o->amortise >= 1)
		return err_set(e, ERR_USAGE, "--amortise is 100 %%: expected less than 100 %%");
	code = read_seconds(&a->latency, "latency", o->latency, e);
	return code ? code : read_seconds(&a->resolution, "resolution", o->resolution, e);
}

enum err_code clocks_check(const struct options *o, struct err *e)
{
	struct clock_report_options asked;

	return clocks_read_options(o, &asked, e);
}

/* ---- csv ---- */

static enum err_code as_csv(struct batch *b, const struct clock_report *r, struct err *e)
{
	static const struct list_table *const tables[] = {&clocks_processes_columns, &clocks_pairs_columns, &clocks_times_columns};
	enum clocks_by by = b->options->clocks_by;
	struct out shifts;
	const struct clocks_list list = {r, &shifts};
	struct shown_table shown = {.list = &list, .made = &shifts};
	struct rows rows;
	enum err_code code;

	out_init(&shifts);
	shown_pick(&shown, tables[by], CLOCKS_ALL, true);
	shown.rows = by == CLOCKS_BY_PROCESS ? r->trace->process_count
		   : by == CLOCKS_BY_PAIR ? r->violations->pair_count : r->violations->bin_count;
	rows = shown_rows(&shown);
	code = listing_write(b, &rows, e);
	out_release(&shifts);
	return code;
}

/* Rows have no place for it. */
static void clocks_print_warning(const struct batch *b, const struct clock_report *r)
{
	char text[160];

	for (unsigned i = 0; !b->options->quiet && clocks_warning(r, &i, text, sizeof text);)
		complain("%s", text);
	for (unsigned i = 0; !b->options->quiet && clocks_correction(r, &i, text, sizeof text);)
		complain("%s", text);
}

/* ---- correction ---- */

/* Can there be such a file? Before the long part, so that a wrong name is not found out after it. */
static enum err_code try_output(struct batch *b, struct err *e)
{
	struct out_file f;
	enum err_code code = out_file_begin(&f, b->options->output, e);

	if (!code)
		out_file_abort(&f);
	else
		b->sink.err = *e; /* what cannot be written ends as that */
	return code;
}

static enum err_code correct(struct batch *b, struct clock_report *r, struct err *e)
{
	const struct options *o = b->options;
	const struct clock_correct_options how = {o->clock_method, o->amortise > 0 ? o->amortise : CLOCK_AMORTISE};
	bool unwritten;
	enum err_code code = clock_report_correct(r, o->output, &how, &unwritten, b->progress, e);

	if (code && unwritten)
		b->sink.err = *e;
	progress_meter_clear(b->meter);
	b->meter->wanted = false; /* what follows is printed where its line is */
	return code;
}

static bool is_finding(const struct clock_report *r)
{
	return r->corrected ? r->correction.left : clock_report_found(r);
}

enum err_code cmd_clocks(struct batch *b, struct err *e)
{
	enum format format = b->options->format;
	struct clock_report_options asked;
	struct call_log *log = NULL;
	struct clock_report *r = NULL;
	enum err_code code = clocks_read_options(b->options, &asked, e);

	if (!code && b->options->correct)
		code = try_output(b, e);
	if (!code)
		code = batch_load_clocks(b, &log, e);
	if (!code)
		code = clock_report_new(&r, log, &asked, b->progress, e);
	if (!code && b->options->correct)
		code = correct(b, r, e);
	batch_prints(b);
	if (code || team_rank(b->options->team)) { /* rank 0 has it all */
		clock_report_free(r);
		call_log_free(log);
		return code;
	}
	if (format == FORMAT_CSV) {
		clocks_print_warning(b, r);
		code = as_csv(b, r, e);
	} else if (format == FORMAT_TABLE) {
		code = clocks_table(&b->sink, r, b->options->clocks_by, b->progress, e);
	} else {
		code = clocks_write(r, &b->sink.out, format == FORMAT_JSON, e);
	}
	if (is_finding(r))
		b->finding = EXIT_FINDING;
	clock_report_free(r);
	call_log_free(log);
	return code;
}
