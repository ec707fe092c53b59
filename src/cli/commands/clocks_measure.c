/* pas2p clocks --measure: a probe in each process of a job measures the clocks; the conclusions are drawn here. */
#include "cli/batch.h"
#include "cli/command.h"
#include "cli/complain.h"
#include "cli/interrupt.h"
#include "cli/cli.h"
#include "cli/listing.h"
#include "cli/progress_meter.h"
#include "commands_int.h"
#include "core/base/mem.h"
#include "core/base/number.h"
#include "core/clocks/measured/measured.h"
#include "core/lists/clocks.h"
#include "core/reports/reports.h"

#define SECONDS_USUAL 10.0
#define SECONDS_MOST 600.0
#define EXCHANGES_USUAL 100
#define PATIENCE 300.0       /* s that a job may take besides what it measures */

static enum err_code clocks_measure_launch(struct launch_answer *a, struct clock_measured *measured, struct err *e)
{
	const struct options *o = a->options;
	double usual = o->seconds > 0 ? o->seconds : SECONDS_USUAL;
	char seconds[NUMBER_TEXT], exchanges[NUMBER_TEXT], rate_error[NUMBER_TEXT], *text = NULL;
	const char *own[] = {o->clock ? o->clock : "monotonic", o->schedule ? o->schedule : "auto", seconds, exchanges, rate_error, NULL};
	const struct launch_question q = {"probe", "clocks", own, "pas2p-probe ", 1.5 * usual,
				       2 * (o->rate_error > 0 ? SECONDS_MOST : usual) + PATIENCE};
	size_t size;
	enum err_code code;

	number_format(usual, seconds);
	number_whole(o->exchanges ? o->exchanges : EXCHANGES_USUAL, exchanges);
	number_format(o->rate_error, rate_error);
	code = launch_answer_ask(a, &q, &text, &size, e);
	if (!code) {
		code = clock_answer_read(measured, text, size, e);
		a->failed = code == ERR_FORMAT;
	}
	mem_free(text);
	return code ? code : clock_measured_solve(measured, a->progress, e);
}

/* ---- output ---- */

static enum err_code measured_write_all(struct batch *b, const struct clock_measured *m, struct err *e)
{
	enum format format = b->options->format;

	if (format == FORMAT_TABLE)
		return clocks_measured_table(&b->sink.out, m, b->progress, e);
	if (format != FORMAT_CSV)
		return clocks_measured_write(m, &b->sink.out, format == FORMAT_JSON, e);
	return listing_write_list(b, &clocks_units_columns, CLOCKS_UNIT_ALL, m, m->unit_count, e);
}

static enum exit_code clocks_measure_run(const struct options *o)
{
	struct progress_meter meter;
	struct batch b = {.options = o, .progress = &meter.progress, .meter = &meter};
	struct launch_answer answer;
	struct clock_measured measured = {0};
	struct err e = {0};
	enum err_code code;

	interrupt_catch();
	progress_meter_init(&meter, !o->quiet);
	launch_answer_init(&answer, o, &meter.progress);
	code = sink_open(&b.sink, o->output, &e);
	if (!code)
		code = clocks_measure_launch(&answer, &measured, &e);
	launch_answer_close(&answer, code);
	if (!code && o->rate_error > 0 && !o->quiet)
		complain("measured for %.1f s to reach --rate-error", measured.seconds);
	if (!code)
		code = measured_write_all(&b, &measured, &e);
	if (!code && !measured.verified)
		b.finding = EXIT_FINDING;
	if (!code)
		code = sink_finish(&b.sink, &e);
	progress_meter_clear(&meter);
	sink_release(&b.sink);
	clock_measured_release(&measured);
	return launch_answer_end(&answer, &b.sink, b.finding, code, &e);
}

/* What says how to measure has no place elsewhere, nor what is asked of traces here. False: *e says what is wrong. */
static bool measure_options_fit(const struct options *o, struct err *e)
{
	static const struct {
		enum option option;
		bool measuring;
	} only[] = {
		{OPTION_seconds, true}, {OPTION_clock, true}, {OPTION_exchanges, true}, {OPTION_schedule, true}, {OPTION_rate_error, true},
		{OPTION_mpi, true}, {OPTION_clocks_by, false}, {OPTION_reference, false}, {OPTION_latency, false}, {OPTION_resolution, false},
		{OPTION_clock_windows, false}, {OPTION_bins, false}, {OPTION_correct, false}, {OPTION_clock_method, false},
		{OPTION_amortise, false}, {OPTION_threads, false},
	};
	const char *wrong = !o->measure ? (o->words ? "a launch command needs --measure" : NULL)
			  : o->file_count ? "--measure takes no file: give the launcher after --"
			  : !o->words || !o->words[0] ? "--measure needs a launch command, such as: pas2p clocks --measure -- mpirun -np 2" : NULL;

	if (wrong)
		return err_set(e, ERR_USAGE, "%s", wrong) == ERR_OK;
	for (size_t i = 0; i < sizeof only / sizeof *only; i++)
		if (o->named[only[i].option] && only[i].measuring != o->measure)
			return err_set(e, ERR_USAGE, o->measure ? "--%s cannot be combined with --measure" : "--%s needs --measure",
				       option_info(only[i].option).name) == ERR_OK;
	if (o->measure && o->seconds > 0 && o->rate_error > 0)
		return err_set(e, ERR_USAGE, "--rate-error cannot be combined with --seconds: it determines the time itself") == ERR_OK;
	return true;
}

enum exit_code cmd_clocks_start(const struct options *o)
{
	struct err e;

	if (!measure_options_fit(o, &e))
		return misused(o, e.text);
	return o->measure ? clocks_measure_run(o) : batch_run(o);
}
