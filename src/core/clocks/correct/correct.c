#include "correct.h"

#include <math.h>
#include <string.h>

#include "correct_int.h"
#include "core/base/mem.h"
#include "core/formats/clog2/clog2.h"
#include "core/formats/convert.h"
#include "core/formats/api/load.h"
#include "core/io/source.h"
#include "core/trace/times.h"

struct correcting {
	const struct clock_points *points;
	const struct clock_bounds *bounds;
	const struct clock_correct_options *o;
	struct clock_correct_figures *figures;
	struct clock_records records;
	struct clock_knots knots;
	double *given, *time;  /* of all records: before and after the second step */
};

static void correcting_swap_times(struct correcting *x)
{
	double *given = x->given;

	x->given = x->time;
	x->time = given;
}

/* Does each clock's line go into the times? */
static enum err_code take_linear(struct correcting *x, struct err *e)
{
	struct clock_correct_figures *f = x->figures;
	enum err_code code;

	f->violations_after_linear = f->violations;
	if (x->o->method == CLOCK_CLC)
		return ERR_OK;
	clock_linear(x->time, &x->records, x->points->times, x->bounds);
	code = clock_knots_violations(&x->knots, x->time, &f->violations_after_linear, e);
	if (code)
		return code;
	if (x->o->method == CLOCK_AUTO && f->violations_after_linear >= f->violations) {
		f->violations_after_linear = f->violations;
	} else {
		f->steps |= TRACE_CLOCKS_LINEAR;
		correcting_swap_times(x);
	}
	return ERR_OK;
}

static enum err_code take_controlled(struct correcting *x, const struct progress *progress, struct err *e)
{
	struct clock_correct_figures *f = x->figures;
	struct controlled_figures found;
	enum err_code code = clock_controlled(x->time, x->given, &x->knots, x->o->amortise, &found, progress, e);

	f->steps |= TRACE_CLOCKS_CLC;
	f->abrupt = found.abrupt;
	f->abrupt_worst = found.abrupt_worst;
	f->broken = found.broken;
	return code;
}

static void count_moved(struct correcting *x)
{
	const struct clock_records *r = &x->records;

	for (uint32_t p = 0; p < r->process_count; p++)
		for (size_t i = r->first[p]; i < r->first[p + 1]; i++) {
			double by = fabs(x->time[i] - clock_records_time(r, p, i - r->first[p]));

			x->figures->moved += by > 0;
			x->figures->largest = by > x->figures->largest ? by : x->figures->largest;
		}
}

static enum err_code correct(struct correcting *x, const struct progress *progress, struct err *e)
{
	enum err_code code;

	clock_records_copy(x->given, &x->records);
	code = clock_knots_violations(&x->knots, x->given, &x->figures->violations, e);
	if (code)
		return code;
	if (x->figures->violations)
		code = take_linear(x, e);
	x->figures->left = x->figures->violations_after_linear;
	if (!code && x->figures->violations_after_linear && x->o->method != CLOCK_LINEAR) {
		code = take_controlled(x, progress, e);
		if (!code)
			code = clock_knots_violations(&x->knots, x->time, &x->figures->left, e);
	} else if (!code) {
		correcting_swap_times(x);
	}
	if (!code)
		count_moved(x);
	return code;
}

/* *spare: room that is not needed any more, 8 bytes per record, the caller's to free. */
static enum err_code correction_make(struct clock_correction **out, double **spare, const struct clock_points *points, const struct clock_bounds *b,
			  const struct clock_correct_options *o, const struct progress *progress, struct err *e)
{
	struct clock_correction *c = mem_zero(1, sizeof *c);
	struct correcting x = {.points = points, .bounds = b, .o = o};
	enum err_code code = c ? ERR_OK : err_memory(e, "the corrected times");

	*out = NULL;
	if (!code && !(o->amortise >= 0 && o->amortise < 1))
		code = err_set(e, ERR_USAGE, "--amortise is %g: expected a value from 0 to below 1", o->amortise);
	if (!code)
		code = clock_records_read(&x.records, points->times->trace, progress, e);
	if (!code)
		code = clock_knots_init(&x.knots, points, &x.records, e);
	if (!code) {
		uint32_t n = x.records.process_count;

		clock_records_forget_events(&x.records);
		x.figures = &c->figures;
		x.given = mem_alloc(x.records.first[n], sizeof *x.given);
		x.time = mem_alloc(x.records.first[n], sizeof *x.time);
		c->first = mem_alloc((size_t)n + 1, sizeof *c->first);
		if (c->first)
			memcpy(c->first, x.records.first, ((size_t)n + 1) * sizeof *c->first);
		code = x.given && x.time && c->first ? correct(&x, progress, e) : err_memory(e, "the corrected times");
	}
	if (!code) {
		c->time = x.time;
		x.time = NULL;
		*out = c;
	} else {
		clock_correction_free(c);
	}
	clock_knots_release(&x.knots);
	clock_records_release(&x.records);
	mem_free(x.time);
	*spare = x.given;
	return code;
}

enum err_code clock_correction_new(struct clock_correction **out, const struct clock_points *points, const struct clock_bounds *b,
				   const struct clock_correct_options *o, const struct progress *progress, struct err *e)
{
	double *spare;
	enum err_code code = correction_make(out, &spare, points, b, o, progress, e);

	mem_free(spare);
	return code;
}

enum err_code clock_correction_times(struct trace_times **out, struct clock_correction *c, uint32_t process_count, struct err *e)
{
	struct trace_times *times = mem_zero(1, sizeof *times);

	*out = times;
	if (!times)
		return err_memory(e, "the corrected times");
	atomic_init(&times->references, 1);
	times->process_count = process_count;
	if (!c || !c->figures.steps)
		return ERR_OK;
	times->figures = (struct times_figures){c->figures.steps, c->figures.largest, c->figures.left};
	times->first = c->first;
	times->time = c->time;
	c->first = NULL;
	c->time = NULL;
	return ERR_OK;
}

void clock_correction_free(struct clock_correction *c)
{
	if (!c)
		return;
	mem_free(c->first);
	mem_free(c->time);
	mem_free(c);
}

/* Of the files' own records, which are CLOG2's. */
static enum err_code write_again(const char *path, const struct trace *t, const struct clock_correction *c, double *spare, bool *unwritten,
				 const struct progress *progress, struct err *e)
{
	struct clog2_new_times times = {.process_count = t->process_count, .first = c->first, .time = c->time,
					.steps = c->figures.steps | (t->times ? t->times->figures.steps : 0), .room = spare};
	struct source *sources;
	enum err_code code = trace_open_files(&sources, t, e);

	if (code)
		return code;
	code = clog2_retime(path, sources, t->file_count, &times, unwritten, progress, e);
	source_release_files(sources, t->file_count);
	return code;
}

/* The trace once more, with the new times, which go with it. */
static enum err_code load_again(struct record_log **log, struct trace **again, const struct trace *t, struct clock_correction *c,
				const struct progress *progress, struct err *e)
{
	struct trace_times *times;
	struct trace_options options = {.threads = t->threads};
	struct source *sources;
	enum err_code code = clock_correction_times(&times, c, t->process_count, e);

	*log = NULL;
	*again = NULL;
	if (code)
		return code;
	options.times = times;
	code = trace_open_files(&sources, t, e);
	if (!code) {
		code = record_log_load_sources(log, again, sources, t->file_count, &options, 0, progress, e);
		source_release_files(sources, t->file_count);
	}
	trace_times_unref(times);
	if (code == ERR_DAMAGED && *log)
		return ERR_OK; /* that has been said */
	return code;
}

/* Of any other format. */
static enum err_code convert(const char *path, const struct trace *t, struct clock_correction *c, bool *unwritten, const struct progress *progress,
			     struct err *e)
{
	const struct format_writer *writer = convert_writer("clog2");
	struct convert_run run = {.progress = progress};
	struct record_log *log;
	struct trace *again;
	enum err_code code = load_again(&log, &again, t, c, progress, e);

	if (!code && again->process_count != t->process_count)
		code = err_set(e, ERR_IO, "the trace files have changed since they were loaded: load them again");
	if (!code) {
		*unwritten = true;
		code = convert_output_new(&run.output, path, writer, true, progress, e);
	}
	if (!code) {
		run.trace = again;
		run.log = log;
		code = convert_write(&run, writer, e);
		convert_output_free(run.output);
	}
	record_log_free(log);
	trace_free(again);
	return code;
}

static bool is_clog2(const struct trace *t)
{
	return !strncmp(t->files[0].format, "CLOG", 4);
}

enum err_code clock_correct_file(const char *path, struct clock_correct_figures *figures, const struct clock_points *points,
				 const struct clock_bounds *b, const struct clock_correct_options *o, bool *unwritten,
				 const struct progress *progress, struct err *e)
{
	const struct trace *t = points->times->trace;
	struct clock_correction *c = NULL;
	double *spare;
	enum err_code code = correction_make(&c, &spare, points, b, o, progress, e);

	*unwritten = false;
	if (!code) {
		*figures = c->figures;
		code = is_clog2(t) ? write_again(path, t, c, spare, unwritten, progress, e) : convert(path, t, c, unwritten, progress, e);
	}
	mem_free(spare);
	clock_correction_free(c);
	return code;
}
