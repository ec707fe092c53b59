#include "cli.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "core/base/condition.h"
#include "core/base/number.h"
#include "core/base/text.h"
#include "complain.h"

#define CHANGE "runtime_change"
#define LETTERS "abcdefghijklmnopqrstuvwxyz_"

static bool is_number(const struct column *c)
{
	return c->kind != COLUMN_TEXT;
}

static const char *metric_name(const struct fail_condition *c)
{
	return c->metric == FAIL_CHANGE ? CHANGE : metrics_runs_columns.column[c->metric].name;
}

/* ---- reading ---- */

static size_t blanks(const char *text)
{
	return strspn(text, " \t");
}

static enum err_code no_metric(const char *name, size_t n, struct err *e)
{
	const char *best = NULL;
	char given[80];

	text_safe(given, sizeof given, name, n, TEXT_UTF8);
	for (int i = 0; i < metrics_runs_columns.count; i++)
		if (is_number(&metrics_runs_columns.column[i]))
			best = suggest_better(given, best, metrics_runs_columns.column[i].name);
	best = suggest_better(given, best, CHANGE);
	if (!n)
		return err_set(e, ERR_USAGE, "--fail-if: the metric is missing: expected METRIC OP NUMBER, such as 'parallel_efficiency < 80%%'");
	err_set(e, ERR_USAGE, "--fail-if: unknown metric '%s'", given);
	return err_hint(e, "%s%s%spas2p help metrics lists the metrics", best ? "did you mean " : "", best ? best : "", best ? "? " : "");
}

static enum err_code read_metric(const char **at, int *metric, struct err *e)
{
	const char *name = *at;
	size_t n = strspn(name, LETTERS);

	*at += n;
	*metric = FAIL_CHANGE;
	if (n == strlen(CHANGE) && !memcmp(name, CHANGE, n))
		return ERR_OK;
	for (int i = 0; i < metrics_runs_columns.count; i++) {
		const struct column *c = &metrics_runs_columns.column[i];

		if (is_number(c) && strlen(c->name) == n && !memcmp(c->name, name, n)) {
			*metric = i;
			return ERR_OK;
		}
	}
	return no_metric(name, n, e);
}

static enum err_code read_bound(const char **at, struct fail_condition *c, struct err *e)
{
	size_t n = condition_op_read(*at, &c->op);
	char shown[48];

	if (!n)
		return err_set(e, ERR_USAGE, "--fail-if: expected " CONDITION_OPS ", found '%s'", text_safe(shown, sizeof shown, *at, SIZE_MAX, TEXT_UTF8));
	*at += n + blanks(*at + n);
	n = condition_number_read(*at, &c->number, &c->unit);
	if (!n)
		return err_set(e, ERR_USAGE, "--fail-if: expected a number with an optional unit, found '%s'",
			       text_safe(shown, sizeof shown, *at, SIZE_MAX, TEXT_UTF8));
	*at += n;
	return ERR_OK;
}

static bool is_share(int metric)
{
	return metric == FAIL_CHANGE || metrics_runs_columns.column[metric].kind == COLUMN_SHARE;
}

/* What a metric can be. */
static void metric_range(int metric, double *least, double *most)
{
	*least = metric == FAIL_CHANGE                                               ? -1
	       : metric == METRICS_RUN_SERIAL_FRACTION                               ? -(double)INFINITY
	       : metric == METRICS_RUN_PROCESSES || metric == METRICS_RUN_THREADS ? 1
										     : 0;
	switch (metric) {
	case FAIL_CHANGE:
	case METRICS_RUN_EFFICIENCY: /* against a reference */
	case METRICS_RUN_SERIAL_FRACTION:
	case METRICS_RUN_COMPUTATION_SCALING:
	case METRICS_RUN_GLOBAL_EFFICIENCY:
	case METRICS_RUN_TRANSFER_EFFICIENCY: /* where clocks disagree */
		*most = (double)INFINITY;
		break;
	default:
		*most = is_share(metric) ? 1 : (double)INFINITY;
	}
}

/* For a share that has no bound, more than this is a percentage without its sign. */
#define MOST_SHARE 10

static enum err_code check_unit(const struct fail_condition *c, struct err *e)
{
	static const char *const units[] = {"", "a percentage", "a unit of time", "a unit of size"};
	bool share = is_share(c->metric), seconds = !share && metrics_runs_columns.column[c->metric].kind == COLUMN_SECONDS;
	const bool fits[] = {true, share, seconds, !share && !seconds};

	if (fits[c->unit])
		return ERR_OK;
	return err_set(e, ERR_USAGE, "--fail-if: %s does not fit '%s': expected a number%s", units[c->unit], metric_name(c),
		       share ? " or a percentage" : seconds ? " of seconds" : "");
}

/* percent: what a person may have meant by the number; NULL: that is not known. */
static enum err_code refuse_bound(struct err *e, const char *percent, const char *fmt, ...) __attribute__((format(printf, 3, 4)));
static enum err_code refuse_bound(struct err *e, const char *percent, const char *fmt, ...)
{
	char text[ERR_TEXT];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof text, fmt, ap);
	va_end(ap);
	err_set(e, ERR_USAGE, "%s", text);
	if (percent)
		err_hint(e, "did you mean %s%%?", percent);
	return ERR_USAGE;
}

/* A condition that is the same for all runs guards nothing. */
static enum err_code check_bound(const struct fail_condition *c, struct err *e)
{
	double least, most, v = c->number;
	bool never = false, always = false;
	char number[NUMBER_TEXT], low[NUMBER_TEXT], high[NUMBER_TEXT + 8];

	metric_range(c->metric, &least, &most);
	number_format(v, number);
	if (c->unit == CONDITION_PLAIN && v >= MOST_SHARE && is_share(c->metric) && isinf(most))
		return refuse_bound(e, number, "--fail-if: '%s' is a share, of which 1 is 100 %%: found %s", metric_name(c), number);
	switch (c->op) {
	case CONDITION_LESS: never = v <= least, always = v > most; break;
	case CONDITION_LESS_OR_EQUAL: never = v < least, always = v >= most; break;
	case CONDITION_MORE: never = v >= most, always = v < least; break;
	case CONDITION_MORE_OR_EQUAL: never = v > most, always = v <= least; break;
	case CONDITION_EQUAL: never = v < least || v > most; break;
	case CONDITION_OTHER: always = v < least || v > most; break;
	}
	if (!never && !always)
		return ERR_OK;
	number_format(least, low);
	if (isfinite(most))
		snprintf(high, sizeof high, " to %.0f", most);
	else
		snprintf(high, sizeof high, " up");
	return refuse_bound(e, c->unit == CONDITION_PLAIN && most == 1 && v > 1 && v <= 100 ? number : NULL,
			    "--fail-if: '%s %s %s' is %s true: values are from %s%s", metric_name(c), condition_op_text(c->op), number,
			    never ? "never" : "always", low, high);
}

/* A comma, "or", or the end. */
static bool read_between(const char **at, bool *more)
{
	*at += blanks(*at);
	*more = **at != 0;
	if (**at == ',')
		++*at;
	else if (!strncmp(*at, "or", 2) && blanks(*at + 2))
		*at += 2;
	else
		return !*more;
	*at += blanks(*at);
	return true;
}

enum err_code fail_if_parse(struct fail_if *f, const char *text, struct err *e)
{
	const char *at = text + blanks(text);
	uint32_t before = f->count;
	enum err_code code = ERR_OK;
	bool more = true;

	while (more) {
		struct fail_condition c = {.metric = 0};
		char shown[48];

		code = read_metric(&at, &c.metric, e);
		at += blanks(at);
		if (!code)
			code = read_bound(&at, &c, e);
		if (!code && !read_between(&at, &more))
			code = err_set(e, ERR_USAGE, "--fail-if: expected 'or', a comma or the end, found '%s'",
				       text_safe(shown, sizeof shown, at, SIZE_MAX, TEXT_UTF8));
		if (!code && f->count == FAIL_CONDITIONS)
			code = err_set(e, ERR_USAGE, "--fail-if: too many conditions: expected at most %d", FAIL_CONDITIONS);
		if (code)
			return code;
		f->list[f->count++] = c;
	}
	for (uint32_t i = before; !code && i < f->count; i++)
		if (!(code = check_unit(&f->list[i], e)))
			code = check_bound(&f->list[i], e);
	return code;
}

/* ---- asking ---- */

/* NAN: not known. */
static double condition_value_of(const struct fail_condition *c, const struct metrics_report *r, uint32_t run)
{
	const struct metrics_run_figures figures = metrics_report_run(r, run);
	const struct metrics_runs_list list = {&figures, 1};
	struct cell cell;

	if (c->metric == FAIL_CHANGE)
		return r->diagnosis ? r->diagnosis->helped.runtime_change : (double)NAN;
	cell = metrics_runs_columns.column[c->metric].value(&list, 0);
	return cell.kind == CELL_WHOLE ? (double)cell.whole : cell.kind == CELL_REAL ? cell.real : (double)NAN;
}

/* Few digits, unless they would look like the other number. */
static const char *shown_number(double v, double other, char buf[NUMBER_TEXT])
{
	double rounded;

	snprintf(buf, NUMBER_TEXT, "%.6g", v);
	if (!number_parse(buf, strlen(buf), &rounded) || (rounded == other && v != other))
		number_format(v, buf);
	return buf;
}

/* Those that compare a run with another one. */
static bool needs_several(int metric)
{
	return metric == METRICS_RUN_SPEEDUP || metric == METRICS_RUN_EFFICIENCY || metric == METRICS_RUN_SERIAL_FRACTION ||
	       metric == METRICS_RUN_COMPUTATION_SCALING || metric == METRICS_RUN_GLOBAL_EFFICIENCY;
}

enum fail_answer fail_if_ask(const struct fail_condition *c, const struct metrics_report *r, char said[FAIL_SAID])
{
	uint32_t asked = c->metric == FAIL_CHANGE ? 1 : r->count, unknown = NO_RUN, known = 0;
	char number[NUMBER_TEXT], value[NUMBER_TEXT], file[200];

	said[0] = 0;
	number_format(c->number, number);
	for (uint32_t i = 0; i < asked; i++) {
		double v = condition_value_of(c, r, i);

		if (isnan(v)) {
			unknown = unknown == NO_RUN ? i : unknown;
			continue;
		}
		known++;
		if (!condition_holds(v, c->op, c->number))
			continue;
		if (c->metric == FAIL_CHANGE)
			snprintf(said, FAIL_SAID, "--fail-if: '" CHANGE " %s %s' is true: %s", condition_op_text(c->op), number,
				 shown_number(v, c->number, value));
		else
			snprintf(said, FAIL_SAID, "--fail-if: '%s %s %s' is true: %s in %s", metric_name(c), condition_op_text(c->op), number,
				 shown_number(v, c->number, value), text_safe(file, sizeof file, r->run[i]->file, SIZE_MAX, TEXT_UTF8));
		return FAIL_HOLDS;
	}
	if (unknown == NO_RUN || (c->metric == METRICS_RUN_SERIAL_FRACTION && known))
		return FAIL_NO;
	if (c->metric == FAIL_CHANGE)
		snprintf(said, FAIL_SAID, "--fail-if: '" CHANGE "' is undefined: no run has as many processes as the run of --before");
	else if (needs_several(c->metric) && r->count == 1)
		snprintf(said, FAIL_SAID, "--fail-if: '%s' is undefined for a single run\nhint: %sgive traces of several runs", metric_name(c),
			 c->metric == METRICS_RUN_EFFICIENCY || c->metric == METRICS_RUN_GLOBAL_EFFICIENCY ? "use parallel_efficiency, or " : "");
	else
		snprintf(said, FAIL_SAID, "--fail-if: '%s' is undefined: %s lacks the data", metric_name(c),
			 text_safe(file, sizeof file, r->run[unknown]->file, SIZE_MAX, TEXT_UTF8));
	return FAIL_UNKNOWN;
}
