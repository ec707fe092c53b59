#include "clock_correct.h"

#include <math.h>
#include <string.h>

#include "clock_controlled.h"
#include "clock_linear.h"
#include "core/base/mem.h"
#include "core/formats/clog2/clog2_retime.h"
#include "core/formats/load.h"
#include "core/io/source.h"
#include "core/trace/trace_times.h"

struct correcting {
	const struct clock_points *points;
	const struct clock_bounds *bounds;
	const struct clock_correct_options *o;
	struct clock_correct_figures *figures;
	struct clock_records records;
	struct clock_knots knots;
	double *given, *time;  /* of all records: before and after the second step */
	size_t count;
};

static void keep(struct correcting *x)
{
	memcpy(x->given, x->records.time, x->count * sizeof *x->given);
}

/* Does each clock's line go into the times? */
static enum err_code take_linear(struct correcting *x, struct err *e)
{
	struct clock_correct_figures *f = x->figures;
	enum err_code code;

	f->violations_after_linear = f->violations;
	if (x->o->method == CLOCK_CLC) {
		keep(x);
		return ERR_OK;
	}
	clock_linear(x->given, &x->records, x->points->times, x->bounds);
	code = clock_knots_violations(&x->knots, x->given, &f->violations_after_linear, e);
	if (code)
		return code;
	if (x->o->method == CLOCK_AUTO && f->violations_after_linear >= f->violations) {
		f->violations_after_linear = f->violations;
		keep(x);
	} else {
		f->steps |= TRACE_CLOCKS_LINEAR;
	}
	return ERR_OK;
}

static enum err_code take_controlled(struct correcting *x, const struct job *job, struct err *e)
{
	struct clock_correct_figures *f = x->figures;
	struct controlled_figures found;
	enum err_code code = clock_controlled(x->time, x->given, &x->knots, x->o->amortise, &found, job, e);

	f->steps |= TRACE_CLOCKS_CLC;
	f->abrupt = found.abrupt;
	f->abrupt_worst = found.abrupt_worst;
	f->broken = found.broken;
	return code;
}

static void count_moved(struct correcting *x)
{
	for (size_t i = 0; i < x->count; i++) {
		double by = fabs(x->time[i] - x->records.time[i]);

		x->figures->moved += by > 0;
		x->figures->largest = fmax(x->figures->largest, by);
	}
}

static enum err_code correct(struct correcting *x, const struct job *job, struct err *e)
{
	enum err_code code = clock_knots_violations(&x->knots, x->records.time, &x->figures->violations, e);

	if (code)
		return code;
	keep(x);
	if (x->figures->violations)
		code = take_linear(x, e);
	if (!code && x->figures->violations_after_linear && x->o->method != CLOCK_LINEAR)
		code = take_controlled(x, job, e);
	else if (!code)
		memcpy(x->time, x->given, x->count * sizeof *x->time);
	if (!code)
		count_moved(x);
	return code ? code : clock_knots_violations(&x->knots, x->time, &x->figures->left, e);
}

enum err_code clock_correction_new(struct clock_correction **out, const struct clock_points *points, const struct clock_bounds *b,
				   const struct clock_correct_options *o, const struct job *job, struct err *e)
{
	struct clock_correction *c = mem_zero(1, sizeof *c);
	struct correcting x = {.points = points, .bounds = b, .o = o};
	enum err_code code = c ? ERR_OK : err_memory(e, "the corrected times");

	*out = NULL;
	if (!code && !(o->amortise >= 0 && o->amortise < 1))
		code = err_set(e, ERR_USAGE, "a part of %g is not from 0 to below 1", o->amortise);
	if (!code)
		code = clock_records_read(&x.records, points->times->trace, job, e);
	if (!code)
		code = clock_knots_init(&x.knots, points, &x.records, e);
	if (!code) {
		x.figures = &c->figures;
		x.count = x.records.first[x.records.trace->process_count];
		x.given = mem_alloc(x.count, sizeof *x.given);
		x.time = mem_alloc(x.count, sizeof *x.time);
		code = x.given && x.time ? correct(&x, job, e) : err_memory(e, "the corrected times");
	}
	if (!code) {
		c->first = x.records.first;
		c->time = x.time;
		x.records.first = NULL;
		x.time = NULL;
		*out = c;
	} else {
		clock_correction_free(c);
	}
	clock_knots_release(&x.knots);
	clock_records_release(&x.records);
	mem_free(x.given);
	mem_free(x.time);
	return code;
}

void clock_correction_free(struct clock_correction *c)
{
	if (!c)
		return;
	mem_free(c->first);
	mem_free(c->time);
	mem_free(c);
}

enum err_code clock_correct_file(const char *path, struct clock_correct_figures *figures, const struct clock_points *points,
				 const struct clock_bounds *b, const struct clock_correct_options *o, bool *unwritten,
				 const struct job *job, struct err *e)
{
	const struct trace *t = points->times->trace;
	struct clock_correction *c = NULL;
	struct source *sources;
	enum err_code code = clock_correction_new(&c, points, b, o, job, e);

	*unwritten = false;
	if (!code)
		code = trace_open_files(&sources, t, e);
	if (!code) {
		struct clog2_new_times times = {.process_count = t->process_count, .first = c->first, .time = c->time,
						.steps = c->figures.steps | (t->times ? t->times->figures.steps : 0)};

		code = clog2_retime(path, sources, t->file_count, &times, unwritten, job, e);
		source_release_files(sources, t->file_count);
	}
	if (!code)
		*figures = c->figures;
	clock_correction_free(c);
	return code;
}
