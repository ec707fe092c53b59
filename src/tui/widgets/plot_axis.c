#include "widgets.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "tui/screen/canvas.h"

#define CELLS 4096 /* of an axis on which ticks are set */

void plot_axis_settle(struct plot_axis *a)
{
	double widen;

	if (!isfinite(a->from) && !isfinite(a->to)) {
		a->from = 0;
		a->to = 1;
	} else if (!isfinite(a->from)) {
		a->from = a->to;
	} else if (!isfinite(a->to)) {
		a->to = a->from;
	}
	if (a->from > a->to) {
		double from = a->from;

		a->from = a->to;
		a->to = from;
	}
	if (a->scale == SCALE_LOG && a->from <= 0) {
		if (a->to <= 0)
			a->to = 1;
		a->from = a->to / 1000;
	}
	/* Closer than this, no two ticks could be told apart. */
	widen = fmax(fabs(a->from), fabs(a->to)) * 1e-10;
	if (a->to - a->from > widen && a->to - a->from > 1e-300)
		return;
	if (a->scale == SCALE_LOG) {
		a->from = fmax(a->from / 2, 1e-300);
		a->to = a->from * 4;
	} else {
		widen = a->from != 0 && fabs(a->from) > 1e-290 ? fabs(a->from) / 2 : 0.5;
		a->from -= widen;
		a->to += widen;
	}
}

/* The round number of the series 1, 2, 5, 10 ... (bytes: 1, 2, 4 ...) that is not below v. */
static double round_up(double v, enum plot_unit unit)
{
	static const double of_ten[] = {1, 2, 5, 10};
	double ten;

	if (unit == PLOT_BYTES)
		return exp2(ceil(log2(v) - 1e-9));
	ten = pow(10, floor(log10(v)));
	for (int i = 0; i < 3; i++)
		if (of_ten[i] * ten >= v * (1 - 1e-9))
			return of_ten[i] * ten;
	return 10 * ten;
}

/* The next finer one. */
static double finer(double step, enum plot_unit unit)
{
	double ten = pow(10, floor(log10(step) + 1e-9)), lead = step / ten;

	if (unit == PLOT_BYTES)
		return step / 2;
	return lead > 3.5 ? 2 * ten : lead > 1.5 ? ten : 0.5 * ten;
}

static double magnitude(const struct plot_axis *a)
{
	return fmax(fabs(a->from), fabs(a->to));
}

void plot_axis_round(struct plot_axis *a)
{
	double step;

	if (a->scale == SCALE_ROOT || a->scale == SCALE_ROOT_BACK)
		return;
	if (a->scale == SCALE_LOG) {
		double from = round_up(a->from, a->unit);

		a->from = from > a->from * (1 + 1e-9) ? finer(from, a->unit) : from;
		a->to = round_up(a->to, a->unit);
		return;
	}
	step = round_up(a->to / 6 - a->from / 6, a->unit);
	if (!isfinite(step) || magnitude(a) > 1e300)
		return;
	a->from = floor(a->from / step + 1e-9) * step;
	a->to = ceil(a->to / step - 1e-9) * step;
}

static double signed_root(double v)
{
	return v < 0 ? -sqrt(-v) : sqrt(v);
}

double plot_axis_place(const struct plot_axis *a, double v)
{
	double span = a->to / 2 - a->from / 2; /* halves: the ends of all numbers lie further apart than any number */

	if (isnan(v) || (a->scale == SCALE_LOG && v <= 0))
		return (double)NAN;
	if (isinf(v))
		return v;
	switch (a->scale) {
	case SCALE_LOG: return (log(v) - log(a->from)) / (log(a->to) - log(a->from));
	case SCALE_ROOT: return signed_root((v / 2 - a->from / 2) / span);
	case SCALE_ROOT_BACK: return 1 - signed_root((a->to / 2 - v / 2) / span);
	default: return (v / 2 - a->from / 2) / span;
	}
}

int plot_axis_cell(double place, int n, int sub)
{
	if (!(place > 0))
		return 0;
	return place >= 1 ? n - 1 : (int)(place * (n * sub - 1) + 0.5) / sub;
}

/* --- labels --- */

static const char *prefixed(char buf[UNIT_TEXT], double v, const char *unit)
{
	static const char prefixes[] = "\0kMGT";
	int p = 0;

	for (; fabs(v) >= 999.5 && p < 4; p++)
		v /= 1000;
	if (fabs(v) >= 999.5)
		snprintf(buf, UNIT_TEXT, "%g%s", v * 1e12, unit);
	else if (prefixes[p])
		snprintf(buf, UNIT_TEXT, "%g%c%s", v, prefixes[p], unit);
	else
		snprintf(buf, UNIT_TEXT, "%g%s", v, unit);
	return buf;
}

/* What the numbers of an axis are multiplied by, and the unit that they then have. */
static double in_unit(const struct plot_axis *a, double size, const char **unit)
{
	static const char *const seconds[] = {" s", " ms", " µs", " ns"};
	static const char *const bytes[] = {" B", " KiB", " MiB", " GiB", " TiB", " PiB", " EiB"};
	int i = 0;

	*unit = "";
	if (a->unit == PLOT_SHARE) {
		*unit = " %";
		return 100;
	}
	if (a->unit == PLOT_SECONDS) {
		while (i < 3 && size * pow(1000, i) < 0.9995 && size > 0)
			i++;
		*unit = seconds[i];
		return pow(1000, i);
	}
	if (a->unit == PLOT_BYTES) {
		while (i < 6 && size / pow(1024, i) >= 1024)
			i++;
		*unit = bytes[i];
		return pow(1024, -i);
	}
	return 1;
}

/* For an axis whose ticks are `step` apart (0: each for itself). */
static void label(const struct plot_axis *a, double v, double step, bool with_unit, char buf[UNIT_TEXT])
{
	const char *unit;
	double factor = in_unit(a, step > 0 ? magnitude(a) : fabs(v), &unit), size = magnitude(a) * factor;
	int decimals;

	v *= factor;
	step *= factor;
	if (!step) {
		if (a->unit == PLOT_SECONDS || a->unit == PLOT_BYTES || a->unit == PLOT_SHARE)
			snprintf(buf, UNIT_TEXT, "%.6g%s", v, a->unit == PLOT_SHARE && !with_unit ? "" : unit);
		else
			prefixed(buf, v, "");
		return;
	}
	if (fabs(v) < step / 1000)
		v = 0; /* and not -0 or 1e-17 */
	decimals = step >= 1 ? 0 : (int)ceil(-log10(step) - 1e-9);
	/* A power of two below 1 has more digits than a power of ten. */
	if (a->unit == PLOT_BYTES)
		while (decimals < 9 && fabs(step * pow(10, decimals) - round(step * pow(10, decimals))) > 1e-9)
			decimals++;
	if (!unit[0] && size >= 1e4 && size < 1e15 && fmod(step, 500) == 0)
		prefixed(buf, v, "");
	else if (size >= 1e9 || decimals > 6)
		snprintf(buf, UNIT_TEXT, "%.*g%s", (int)fmin(15, 2 + fmax(0, log10(size / step))), v, with_unit ? unit : "");
	else
		snprintf(buf, UNIT_TEXT, "%.*f%s", decimals, v, with_unit ? unit : "");
}

/* --- ticks --- */

/* Ticks as they are set, and the cells that their labels take, with what must stay free around. */
struct setting_out {
	const struct plot_axis *axis;
	int cells;
	enum plot_labels labels;
	struct plot_tick *ticks;
	int count;
	bool taken[CELLS];
};

/* The cells from..to of a tick and its label; false: they do not fit on the axis. */
static bool tick_lay_out(const struct setting_out *s, struct plot_tick *t, int *from, int *to)
{
	int w = text_width(t->text);

	t->cell = plot_axis_cell(plot_axis_place(s->axis, t->value), s->cells, s->labels == LABELS_UP ? 4 : 2);
	t->label = *from = *to = t->cell;
	if (s->labels == LABELS_UNDER) {
		/* Kept inside at the ends, where the tick stays over some of it. */
		t->label = t->cell - w / 2;
		t->label = t->label + w > s->cells ? s->cells - w : t->label;
		t->label = t->label < 0 ? 0 : t->label;
		*from = t->label;
		*to = t->label + w - 1;
	} else if (s->labels == LABELS_BESIDE) {
		bool last = t->cell + w >= s->cells;

		*from = last ? t->cell - w : t->cell;
		*to = last ? t->cell : t->cell + w;
		t->label = last ? *from : t->cell + 1;
	}
	return *from >= 0 && *to < s->cells;
}

static bool set_tick(struct setting_out *s, double value, double step, bool with_unit)
{
	struct plot_tick t = {.value = value};
	int from, to, gap = s->labels == LABELS_UNDER ? 2 : 1;

	label(s->axis, value, step, with_unit, t.text);
	if (s->count == PLOT_TICKS || !tick_lay_out(s, &t, &from, &to))
		return false;
	for (int i = from - gap; i <= to + gap; i++)
		if (i >= 0 && i < s->cells && s->taken[i])
			return false;
	for (int i = 0; i < s->count; i++)
		if (!strcmp(s->ticks[i].text, t.text))
			return false;
	for (int i = from; i <= to; i++)
		s->taken[i] = true;
	s->ticks[s->count++] = t;
	return true;
}

/* The multiples of a step in the range: the first and the last as its multiples; false: none, or too many. */
static bool multiples(const struct plot_axis *a, double step, double *first, double *last)
{
	*first = ceil(a->from / step - 1e-7);
	*last = floor(a->to / step + 1e-7);
	return *first <= *last && *last - *first < PLOT_TICKS;
}

/* All multiples of a step, or false. */
static bool set_step(struct setting_out *s, double step)
{
	double first, last;

	s->count = 0;
	memset(s->taken, 0, (size_t)s->cells * sizeof *s->taken);
	if (!multiples(s->axis, step, &first, &last))
		return false;
	for (double k = last; k >= first; k--) {
		double v = fmin(fmax(k * step, s->axis->from), s->axis->to);

		if (!set_tick(s, v, step, k == last))
			return false;
	}
	return true;
}

/* Every nth power of the base (10; bytes: 2); n 0: also twice and five times each. */
static bool set_powers(struct setting_out *s, int n)
{
	const struct plot_axis *a = s->axis;
	double base = a->unit == PLOT_BYTES ? 2 : 10, every = n ? n : 1;
	double from = floor(log(a->from) / log(base) / every - 1e-9), to = ceil(log(a->to) / log(base) / every + 1e-9);
	bool first = true;

	s->count = 0;
	memset(s->taken, 0, (size_t)s->cells * sizeof *s->taken);
	for (double k = to; k >= from; k--)
		for (int lead = n ? 1 : 5; lead; lead = lead == 5 ? 2 : lead - 1) {
			double v = lead * pow(base, k * every);

			if (v < a->from * (1 - 1e-9) || v > a->to * (1 + 1e-9))
				continue;
			if (!set_tick(s, v, 0, first))
				return false;
			first = false;
		}
	return true;
}

/* The ticks that came out of a good try are kept. */
static void axis_keep_ticks(const struct setting_out *s, struct plot_tick *best, int *count)
{
	memcpy(best, s->ticks, (size_t)s->count * sizeof *best);
	*count = s->count;
}

static double coarsest(const struct plot_axis *a)
{
	return round_up(fmax(a->to / 2 - a->from / 2, 1e-300), a->unit) * 2;
}

/* The finest even step for whose labels there is room. */
static void even_ticks(struct setting_out *s, struct plot_tick *best, int *count)
{
	double step = isfinite(coarsest(s->axis)) ? round_up(coarsest(s->axis), s->axis->unit) : 1e308;

	for (int tries = 0; tries < 40 && step > magnitude(s->axis) * 1e-13; tries++, step = finer(step, s->axis->unit)) {
		if (s->axis->unit == PLOT_COUNT && step < 1)
			break;
		if (set_step(s, step))
			axis_keep_ticks(s, best, count);
		else if (s->count)
			break;
	}
}

static void log_ticks(struct setting_out *s, struct plot_tick *best, int *count)
{
	static const int every[] = {200, 100, 50, 20, 10, 5, 2, 1, 0};
	int last = s->axis->unit == PLOT_BYTES ? 8 : 9;

	for (int i = 0; i < last; i++) {
		if (set_powers(s, every[i]))
			axis_keep_ticks(s, best, count);
		else
			break;
	}
	if (*count < 2 && s->axis->to / s->axis->from < 20)
		even_ticks(s, best, count);
}

/* The coarsest steps first, of each what still has room: the scale is not even, so its ticks need not be. Each step
 * has its ticks near the end of the axis where the scale is widest. */
static void root_ticks(struct setting_out *s, struct plot_tick *best, int *count)
{
	double step = round_up(coarsest(s->axis), s->axis->unit), first, last;
	double wide = s->axis->scale == SCALE_ROOT ? s->axis->from : s->axis->to;

	s->count = 0;
	memset(s->taken, 0, (size_t)s->cells * sizeof *s->taken);
	for (int tries = 0; tries < 12 && step > magnitude(s->axis) * 1e-13; tries++, step = finer(step, s->axis->unit)) {
		if (s->axis->unit == PLOT_COUNT && step < 1)
			break;
		if (!multiples(s->axis, step, &first, &last))
			continue;
		for (double k = last; k >= first; k--) {
			double v = fmin(fmax(k * step, s->axis->from), s->axis->to);

			if (fabs(v - wide) < 3.5 * step && set_tick(s, v, step, plot_axis_place(s->axis, v) > 1 - 1e-9))
				axis_keep_ticks(s, best, count);
		}
	}
}

int plot_axis_ticks(const struct plot_axis *a, int cells, enum plot_labels labels, struct plot_tick ticks[PLOT_TICKS])
{
	struct plot_tick tried[PLOT_TICKS];
	struct setting_out s = {.axis = a, .cells = cells < CELLS ? cells : CELLS, .labels = labels, .ticks = tried};
	int n = 0;

	if (cells < 1)
		return 0;
	if (a->scale == SCALE_LOG)
		log_ticks(&s, ticks, &n);
	else if (a->scale == SCALE_LINEAR)
		even_ticks(&s, ticks, &n);
	else
		root_ticks(&s, ticks, &n);
	for (int i = 1; i < n; i++) /* from the lower end on */
		for (int k = i; k > 0 && ticks[k - 1].value > ticks[k].value; k--) {
			struct plot_tick t = ticks[k];

			ticks[k] = ticks[k - 1];
			ticks[k - 1] = t;
		}
	return n;
}

const char *plot_scale_name(enum plot_scale s)
{
	return s == SCALE_LINEAR ? NULL : s == SCALE_LOG ? "log" : "root";
}

const char *plot_value_text(enum plot_unit unit, double v, char buf[UNIT_TEXT])
{
	if (isnan(v))
		return strcpy(buf, "-");
	if (unit == PLOT_SECONDS)
		return unit_time(buf, v);
	if (unit == PLOT_SHARE)
		return unit_percent(buf, v);
	if (v >= 0 && v < 1e18 && (unit == PLOT_BYTES || (unit == PLOT_COUNT && v == floor(v))))
		return unit == PLOT_BYTES ? unit_bytes(buf, (uint64_t)v) : unit_count(buf, (uint64_t)v);
	snprintf(buf, UNIT_TEXT, "%.4g", v);
	return buf;
}
