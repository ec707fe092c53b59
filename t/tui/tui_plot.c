/* Plots: what a curve, bars, steps, points, an area, a heat map and a sparkline look like in cells, as committed
 * pictures (t/tui/plots; UPDATE_GOLDEN=1 draws them again), in UTF-8 and ASCII, from 1 x 1 up; that ticks are round,
 * inside of the axis and apart, whatever the range; that the legend tells the data's own value at the cursor; that what
 * is not known is a gap and never a value; and that the picture as SVG has the same.
 *
 * Views show figures by these alone, so a fault here would be a wrong figure everywhere.
 */
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/method/analysis/analysis.h"
#include "core/io/out.h"
#include "tap.h"
#include "tui/screen/glyphs.h"
#include "tui/widgets/plot.h"
#include "tui/widgets/plot_heat.h"
#include "tui/widgets/bars.h"

#define N (double)NAN

/* --- golden pictures --- */

static char *read_all(const char *path)
{
	FILE *f = fopen(path, "r");
	static char text[65536];
	size_t n = f ? fread(text, 1, sizeof text - 1, f) : 0;

	text[n] = 0;
	if (f)
		fclose(f);
	return text;
}

static void is_golden(const char *got, const char *name)
{
	char path[128];

	snprintf(path, sizeof path, "t/tui/plots/%s.txt", name);
	if (getenv("UPDATE_GOLDEN")) {
		FILE *f = fopen(path, "w");

		if (!f)
			bail_out("cannot write %s", path);
		fputs(got, f);
		fclose(f);
	}
	is_str(got, read_all(path), "picture %s", name);
}

static void add_canvas(struct out *o, const struct canvas *c, const char *name)
{
	out_printf(o, "== %s, %d x %d%s\n", name, c->w, c->h, c->ascii ? ", ASCII" : "");
	canvas_dump_text(c, o);
	out_str(o, "-- roles\n");
	canvas_dump_roles(c, o);
}

/* At three sizes, the middle one also in ASCII. */
static void is_picture(const struct plot *plot, const char *name)
{
	static const struct {
		int w, h;
		bool ascii;
	} sizes[] = {{10, 4, false}, {40, 10, false}, {40, 10, true}, {80, 20, false}};
	struct out o;

	out_init(&o);
	for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
		struct canvas c;

		canvas_init(&c, sizes[i].ascii);
		canvas_resize(&c, sizes[i].w, sizes[i].h);
		plot_draw(plot, canvas_pane(&c));
		add_canvas(&o, &c, name);
		canvas_release(&c);
	}
	is_golden(o.text ? o.text : "", name);
	out_release(&o);
}

static const char *drawn(const struct plot *plot, int w, int h, bool ascii)
{
	static char text[65536];
	struct canvas c;
	struct out o;

	canvas_init(&c, ascii);
	canvas_resize(&c, w, h);
	plot_draw(plot, canvas_pane(&c));
	out_init(&o);
	canvas_dump_text(&c, &o);
	snprintf(text, sizeof text, "%s", o.text ? o.text : "");
	out_release(&o);
	canvas_release(&c);
	return text;
}

static struct plot plot_of(const char *title, const struct plot_series *s, int n)
{
	struct plot p = PLOT_INIT;

	p.title = title;
	p.series = s;
	p.series_count = n;
	return p;
}

static const double procs[] = {1, 2, 4, 8, 16, 32, 64};
static const double times[] = {64, 33, 17.5, 9.6, 5.8, 4.4, 4.1};
static const double fast[] = {64, 32, 16, 8, 4, 2, 1};
static const double low[] = {60, 31, 16, 8.5, 4.9, 3.4, 2.8}, high[] = {68, 35, 19, 10.7, 6.7, 5.4, 5.6};

static void test_curves(void)
{
	struct plot_series scaling[] = {
		{.name = "measured", .kind = PLOT_CURVE, .role = ROLE_SEND, .count = 7, .x = procs, .y = times, .low = low,
		 .high = high},
		{.name = "ideal", .kind = PLOT_CURVE, .role = ROLE_DIM, .count = 7, .x = procs, .y = fast},
	};
	struct plot p = plot_of("time over processes", scaling, 2);
	double wave[100], x[100];
	struct plot_series s = {.kind = PLOT_CURVE, .role = ROLE_SEND, .count = 100, .x = x, .y = wave};

	p.x.unit = PLOT_COUNT;
	p.y.unit = PLOT_SECONDS;
	p.x.scale = p.y.scale = SCALE_LOG;
	p.cursor = 8;
	is_picture(&p, "curve-log");
	p.cursor = N;
	p.x.scale = p.y.scale = SCALE_LINEAR;
	is_picture(&p, "curve-linear");
	scaling[1].dashed = scaling[0].silent = true;
	p.cursor = 8;
	is_picture(&p, "dashed");
	scaling[1].dashed = scaling[0].silent = false;
	p.cursor = N;

	for (int i = 0; i < 100; i++) {
		x[i] = i * 0.1;
		wave[i] = 1e-5 * sin(x[i]);
	}
	for (int i = 40; i < 50; i++)
		wave[i] = N;
	p = plot_of("residual", &s, 1);
	p.x.unit = p.y.unit = PLOT_SECONDS;
	is_picture(&p, "curve-gap");
	s.kind = PLOT_STEPS;
	s.count = 7;
	s.x = procs;
	s.y = times;
	p.x.scale = SCALE_ROOT;
	p.mark = 100;
	is_picture(&p, "steps-root");
}

static void test_points(void)
{
	static const double cost[] = {0.02, 0.05, 0.3, 1.2, 3.5}, error[] = {0.31, 0.12, 0.043, 0.021, 0.019};
	static const double from[] = {0.2, 0.1, N, 0.015, 0.012}, to[] = {0.4, 0.15, N, 0.03, 0.025};
	static const double one[] = {0.04};
	struct plot_series s[] = {
		{.name = "error", .kind = PLOT_POINTS, .role = ROLE_WAIT, .count = 5, .x = cost, .y = error, .low = from,
		 .high = to},
		{.name = "chosen", .kind = PLOT_POINTS, .role = ROLE_KEY, .count = 1, .x = cost + 2, .y = one},
	};
	struct plot p = plot_of("error over cost", s, 2);

	p.x.unit = PLOT_SECONDS;
	p.y.unit = PLOT_SHARE;
	p.x.scale = SCALE_LOG;
	p.cursor = 1;
	is_picture(&p, "points");
	p.series = &s[1];
	p.series_count = 1;
	is_picture(&p, "points-single");
}

static void test_bars(void)
{
	static const double counts[] = {207, 13, 13, 32, 0, N, 57, 86}, ups[] = {3, -2, 5, -4, 1.5, N, -1, 2};
	struct plot_series s = {.kind = PLOT_BARS, .role = ROLE_SEND, .count = 8, .y = counts};
	struct plot p = plot_of("messages", &s, 1);

	p.x.from = 1;
	p.x.to = 256;
	p.x.scale = SCALE_LOG;
	p.x.unit = PLOT_BYTES;
	p.y.unit = PLOT_COUNT;
	p.cursor = 100;
	is_picture(&p, "bars");
	s.y = ups;
	p = plot_of("change", &s, 1);
	p.x.from = 0;
	p.x.to = 8;
	is_picture(&p, "bars-negative");
	s = (struct plot_series){.kind = PLOT_AREA, .role = ROLE_COMPUTE, .count = 7, .x = procs, .y = times};
	p = plot_of("area", &s, 1);
	p.x.scale = SCALE_LOG;
	is_picture(&p, "area");
}

/* As in a panel: the axis in one row, the y axis hidden, the mark beneath or beyond. */
static void test_small(void)
{
	static const double phases[] = {16, 12, 9, 9, 9, 6, 6, 5, 5, 5, 5, 5, 5, 5, 5, 4, 4, 4, N, N, 3, 3, 2, 2, 2, 2};
	struct plot_series s = {.kind = PLOT_BARS, .role = ROLE_HEADER, .count = 26, .y = phases};
	struct plot p = plot_of(NULL, &s, 1);

	p.x = (struct plot_axis){.from = 0, .to = 0.2, .scale = SCALE_ROOT, .unit = PLOT_SHARE};
	p.y.hidden = true;
	p.mark = 0.05;
	is_picture(&p, "small-root");
	p.x = (struct plot_axis){.from = 0.5, .to = 1, .scale = SCALE_ROOT_BACK, .unit = PLOT_SHARE};
	p.mark = 0.3;
	is_picture(&p, "small-root-back");
}

/* --- what is odd --- */

static void test_odd(void)
{
	static const double same[] = {5, 5, 5}, none[] = {N, N, N}, wild[] = {1, INFINITY, 3, -INFINITY, 2};
	static const double zeros[] = {0, -1, 10, 100, N}, huge[] = {-DBL_MAX, 0, DBL_MAX}, tiny[] = {1e-308, 2e-308, 4e-308};
	static const double close[] = {1e9, 1e9 + 1e-3, 1e9 + 2e-3};
	struct plot_series s = {.kind = PLOT_CURVE, .role = ROLE_SEND, .count = 3, .y = same};
	struct plot p = plot_of("constant", &s, 1);
	const double *const values[] = {same, none, wild, zeros, huge, tiny, close, NULL};
	int drawn_all = 0;

	is_picture(&p, "constant");
	s.count = 5;
	s.y = wild;
	p.title = "infinite";
	is_picture(&p, "infinite");
	s.y = zeros;
	p.title = "log";
	p.y.scale = SCALE_LOG;
	is_picture(&p, "log-without-place");
	ok(strstr(drawn(&p, 40, 10, false), "2 not above 0") != NULL, "a log axis says how many values it has no place for");
	s.count = 3;
	p.y.scale = SCALE_LINEAR;
	s.y = none;
	p.title = "unknown";
	is_picture(&p, "unknown");
	s.y = huge;
	p.title = "huge";
	is_picture(&p, "huge");
	s.y = close;
	p.title = "close";
	is_picture(&p, "close");

	/* Whatever the values, the kind, the scale and the size. */
	for (int v = 0; values[v]; v++)
		for (int kind = PLOT_CURVE; kind <= PLOT_BARS; kind++)
			for (int scale = SCALE_LINEAR; scale <= SCALE_ROOT_BACK; scale++)
				for (int size = 0; size < 14 * 14; size++) {
					static const int sizes[] = {0, 1, 2, 3, 4, 5, 6, 7, 10, 11, 12, 13, 30, 200};

					s.kind = (enum plot_kind)kind;
					s.y = values[v];
					s.low = s.high = size % 3 ? NULL : values[v];
					s.x = size % 2 ? NULL : values[v];
					s.count = 3;
					p.x.scale = p.y.scale = (enum plot_scale)scale;
					p.y.hidden = size % 5 == 0;
					p.cursor = p.mark = size % 7 - 2;
					drawn(&p, sizes[size % 14], sizes[size / 14], v % 2);
					drawn_all++;
				}
	is_int(drawn_all, 7 * 5 * 4 * 14 * 14, "any values are drawn at any size");
	s = (struct plot_series){.kind = PLOT_CURVE, .role = ROLE_SEND};
	p = plot_of(NULL, &s, 1);
	ok(strlen(drawn(&p, 40, 10, false)) > 40, "no value at all gives axes");
	p.series_count = 0;
	ok(strlen(drawn(&p, 40, 10, false)) > 40, "no series, too");
}

/* --- ticks --- */

static bool is_round(double v, enum plot_unit unit)
{
	double lead;

	v = fabs(v);
	if (unit == PLOT_BYTES)
		return fabs(exp2(round(log2(v))) / v - 1) < 1e-9;
	lead = v / pow(10, floor(log10(v) + 1e-9));
	return fabs(lead - 1) < 1e-6 || fabs(lead - 2) < 1e-6 || fabs(lead - 5) < 1e-6;
}

static bool is_multiple(double v, double step)
{
	double k = v / step;

	return fabs(k - round(k)) < 1e-4;
}

/* On linear axes ticks are as far apart as a round number, and multiples of it; on log axes round, or so. */
static bool are_round(const struct plot_axis *a, const struct plot_tick *t, int n)
{
	double step = n > 1 ? t[1].value - t[0].value : 0;
	bool good = true, even = n > 2, single = true;

	for (int i = 2; i < n; i++)
		even = even && fabs((t[i].value - t[i - 1].value) / step - 1) < 1e-3;
	for (int i = 0; i < n; i++)
		single = single && is_round(t[i].value, a->unit);
	if (a->scale == SCALE_LOG && single)
		return true;
	if (a->scale == SCALE_LINEAR && n > 2 && !even)
		return false;
	if (a->scale == SCALE_LINEAR || a->scale == SCALE_LOG) {
		if (n < 2)
			return true;
		for (int i = 0; i < n; i++)
			good = good && is_multiple(t[i].value, step);
		return good && is_round(step, a->unit);
	}
	/* Root: few digits say each. */
	step = a->unit == PLOT_BYTES ? exp2(floor(log2(a->to - a->from)) - 14) : pow(10, floor(log10(a->to - a->from)) - 4);
	for (int i = 0; i < n; i++)
		good = good && is_multiple(t[i].value, step);
	return good;
}

static bool are_apart(const struct plot_tick *t, int n, int cells, enum plot_labels labels)
{
	for (int i = 0; i < n; i++) {
		int end = t[i].label + (labels == LABELS_UP ? 1 : text_width(t[i].text));

		if (t[i].cell < 0 || t[i].cell >= cells || t[i].label < 0 || (labels != LABELS_UP && end > cells))
			return false;
		if (i + 1 < n && (t[i + 1].cell <= t[i].cell || t[i + 1].label <= end - (labels == LABELS_UP) ||
				  !strcmp(t[i].text, t[i + 1].text)))
			return false;
	}
	return true;
}

static double uniform(uint64_t *seed)
{
	*seed = *seed * 6364136223846793005u + 1442695040888963407u;
	return (double)(*seed >> 11) / 9007199254740992.0;
}

static void test_ticks(void)
{
	uint64_t seed = 20;
	int bad_round = 0, bad_inside = 0, bad_apart = 0, few = 0, total = 0;

	for (int i = 0; i < 40000; i++) {
		struct plot_tick t[PLOT_TICKS];
		struct plot_axis a = {.scale = (enum plot_scale)(i % 4), .unit = (enum plot_unit)(i / 4 % 5)};
		double size = pow(10, uniform(&seed) * 40 - 20), off = uniform(&seed) < 0.5 ? 0 : (uniform(&seed) - 0.5) * size * 100;
		enum plot_labels labels = (enum plot_labels)(i / 20 % 3);
		int cells = 1 + (int)(uniform(&seed) * 150), n;

		a.from = off;
		a.to = off + size * uniform(&seed);
		if (a.scale == SCALE_LOG) {
			a.from = size;
			a.to = size * pow(10, uniform(&seed) * 12);
		}
		plot_axis_settle(&a);
		n = plot_axis_ticks(&a, cells, labels, t);
		bad_round += !are_round(&a, t, n);
		bad_apart += !are_apart(t, n, cells, labels);
		for (int k = 0; k < n; k++)
			bad_inside += !(t[k].value >= a.from && t[k].value <= a.to);
		if ((bad_round || bad_apart || bad_inside) && total >= 0) {
			total = -1;
			diag("scale %d unit %d labels %d cells %d: %.17g to %.17g", (int)a.scale, (int)a.unit, (int)labels, cells,
			     a.from, a.to);
			for (int k = 0; k < n; k++)
				diag("  %d %d %.17g '%s'", t[k].cell, t[k].label, t[k].value, t[k].text);
		}
		if (off == 0 && a.scale == SCALE_LINEAR && cells >= 60 && a.unit != PLOT_COUNT && n < 2 && !few++)
			diag("labels %d unit %d cells %d: 0 to %.17g: %s", (int)labels, (int)a.unit, cells, a.to, n ? t[0].text : "");
	}
	is_int(bad_round, 0, "ticks are round");
	is_int(bad_inside, 0, "ticks are inside of the axis");
	is_int(bad_apart, 0, "ticks are apart, and so are their labels, and no two say the same");
	is_int(few, 0, "an axis with room has two or more");
}

/* Labels "cell:text", the way they come. */
static const char *ticks_text(struct plot_axis a, int cells, enum plot_labels labels)
{
	static char text[1024];
	struct plot_tick t[PLOT_TICKS];
	int n = plot_axis_ticks(&a, cells, labels, t);
	size_t len = 0;

	text[0] = 0;
	for (int i = 0; i < n; i++)
		len += (size_t)snprintf(text + len, sizeof text - len, "%s%d:%s", i ? " " : "", t[i].cell, t[i].text);
	return text;
}

static void test_labels(void)
{
	struct plot_axis a = {.from = 0, .to = 0.0052, .unit = PLOT_SECONDS};

	is_str(ticks_text(a, 40, LABELS_UNDER), "0:0 7:1 15:2 23:3 30:4 38:5 ms", "one unit for all, at the last");
	a = (struct plot_axis){.from = 1e-6, .to = 1, .scale = SCALE_LOG, .unit = PLOT_SECONDS};
	is_str(ticks_text(a, 61, LABELS_UNDER), "0:1 µs 10:10 µs 20:100 µs 30:1 ms 40:10 ms 50:100 ms 60:1 s",
	       "decades have theirs");
	a = (struct plot_axis){.from = 0, .to = 0.2, .scale = SCALE_ROOT, .unit = PLOT_SHARE};
	is_str(ticks_text(a, 33, LABELS_BESIDE), "0:0 7:1 10:2 16:5 23:10 32:20 %",
	       "small values have more room on a root axis");
	a = (struct plot_axis){.from = 0.5, .to = 1, .scale = SCALE_ROOT_BACK, .unit = PLOT_SHARE};
	is_str(ticks_text(a, 33, LABELS_BESIDE), "0:50 7:70 12:80 18:90 22:95 32:100 %", "or those near the upper end");
	a = (struct plot_axis){.from = 0, .to = 4096, .unit = PLOT_BYTES};
	is_str(ticks_text(a, 9, LABELS_UP), "0:0 2:1 4:2 6:3 8:4 KiB", "bytes go by powers of two");
	a = (struct plot_axis){.from = 0, .to = 47128, .unit = PLOT_COUNT};
	is_str(ticks_text(a, 40, LABELS_UNDER), "0:0 8:10k 17:20k 25:30k 33:40k", "counts are whole");
	a.to = 3;
	is_str(ticks_text(a, 40, LABELS_UNDER), "0:0 13:1 26:2 39:3", "even few of them");
}

/* The strip under the knobs puts its points where the analysis says that they are. */
static void test_sensitivity(void)
{
	static const enum setting_id knobs[] = {SETTING_volume, SETTING_compute, SETTING_relevance, SETTING_events};
	double most = 0;

	for (int k = 0; k < 4; k++) {
		struct plot_axis a = {.from = sensitivity_value(knobs[k], 0, 33), .to = sensitivity_value(knobs[k], 32, 33)};

		a.scale = knobs[k] == SETTING_events ? SCALE_ROOT_BACK : SCALE_ROOT;
		for (uint32_t i = 0; i <= 32; i++)
			most = fmax(most, fabs(plot_axis_place(&a, sensitivity_value(knobs[k], i, 33)) - i / 32.0));
	}
	is_double(most, 0, 1e-4, "root axes are those of the sensitivity strip");
}

/* --- the cursor --- */

static void test_cursor(void)
{
	static const double x[] = {1, 2, 4, 8}, y[] = {10, 0.25, N, 3e-3};
	struct plot_series s = {.name = "t", .kind = PLOT_CURVE, .role = ROLE_SEND, .count = 4, .x = x, .y = y};
	struct plot p = plot_of(NULL, &s, 1);
	struct plot_axis ax, ay;

	p.y.unit = PLOT_SECONDS;
	plot_axes(&p, &ax, &ay);
	is_int(plot_nearest(&s, &ax, 1.4), 0, "the nearest value to the left");
	is_int(plot_nearest(&s, &ax, 1.6), 1, "and to the right");
	is_int(plot_nearest(&s, &ax, -50), 0, "before the first it is the first");
	is_u64(plot_nearest(&s, &ax, N), UINT32_MAX, "nowhere there is none");
	p.cursor = 2;
	ok(strstr(drawn(&p, 40, 10, false), "t 250 ms") != NULL, "the legend has the value at the cursor");
	p.cursor = 8;
	ok(strstr(drawn(&p, 40, 10, false), "t 3.00 ms") != NULL, "of each place");
	p.cursor = 4;
	ok(strstr(drawn(&p, 40, 10, false), "t -") != NULL, "and says that one is not known");
	s = (struct plot_series){.name = "n", .kind = PLOT_BARS, .role = ROLE_SEND, .count = 4, .y = x};
	p = plot_of(NULL, &s, 1);
	p.x.from = 0;
	p.x.to = 4;
	plot_axes(&p, &ax, &ay);
	is_int(plot_nearest(&s, &ax, 2.999), 2, "a bar is what the cursor falls into");
	is_int(plot_nearest(&s, &ax, 4), 3, "the last one at its upper end, too");
}

/* --- one row, heat --- */

static void test_sparkline(void)
{
	static const double v[] = {0, 1, 4, N, 8, INFINITY}, none[] = {N, N}, negative[] = {-1, -2};
	char text[64];

	sparkline_text(v, 6, text, sizeof text);
	is_str(text, "▁▁▄ ██", "from 0 to the largest; not known is blank, and what is known is seen");
	sparkline_text(none, 2, text, sizeof text);
	is_str(text, "  ", "nothing known");
	sparkline_text(negative, 2, text, sizeof text);
	is_str(text, "▁▁", "nothing above 0");
	sparkline_text(v, 6, text, 8);
	is_str(text, "▁▁", "cut between characters");
	is_int(bar_columns(0.5, 10), 5, "half a bar");
	is_int(bar_columns(1e-9, 10), 1, "a little is seen");
	is_int(bar_columns(0, 10) + bar_columns(N, 10) + bar_columns(-1, 10) + bar_columns(1, -3), 0, "nothing is not");
	is_int(bar_columns(INFINITY, 10), 10, "more than all is all");
	bar_text(0.3, 10, text, sizeof text);
	is_str(text, "▅▅▅", "as text");
}

static const char *row_of(const struct canvas *c)
{
	static char text[256];
	struct out o;

	out_init(&o);
	canvas_dump_text(c, &o);
	snprintf(text, sizeof text, "%s", o.text ? o.text : "");
	out_release(&o);
	return text;
}

static void test_progress(void)
{
	static const struct {
		double part;
		int room;
		const char *row;
	} bars[] = {
		{0, 8, " ────────\n"}, {N, 8, " ────────\n"}, {0.001, 8, " ▅───────\n"}, {0.5, 8, " ▅▅▅▅────\n"},
		{1, 8, " ▅▅▅▅▅▅▅▅\n"}, {7, 4, " ▅▅▅▅\n"}, {0.5, 0, "\n"}, {0.5, -3, "\n"}, {1, 99, " ▅▅▅▅▅▅▅▅▅\n"},
	};
	struct canvas c;

	canvas_init(&c, false);
	canvas_resize(&c, 10, 1);
	for (size_t i = 0; i < sizeof bars / sizeof *bars; i++) {
		canvas_clear(&c);
		progress_bar_draw(canvas_pane(&c), 1, 0, bars[i].room, bars[i].part);
		is_str(row_of(&c), bars[i].row, "progress of %g in %d columns", bars[i].part, bars[i].room);
	}
	canvas_release(&c);
}

static double cell_value(const void *ctx, uint32_t row, uint32_t column)
{
	const double *v = ctx;

	return v[row * 5 + column];
}

static void test_heat(void)
{
	static const double v[] = {0, 55, 50, 47, 52, 55, N, 1, 0, 2, 20, 40, 8, 16, 32};
	struct heat h = {.columns = 5, .most = 55, .unit = PLOT_COUNT, .role = ROLE_SEND, .value = cell_value, .ctx = v};
	struct out o;

	out_init(&o);
	for (int i = 0; i < 4; i++) {
		static const int widths[] = {60, 60, 16, 5};
		struct canvas c;

		canvas_init(&c, i == 1);
		canvas_resize(&c, widths[i], 4);
		heat_legend(&h, canvas_pane(&c), 0, 0);
		for (uint32_t r = 0; r < 3; r++)
			heat_row(&h, canvas_pane(&c), 0, (int)r + 1, heat_cell_width(&h, widths[i]), r, r == 1 ? 1 : UINT32_MAX);
		add_canvas(&o, &c, "heat");
		canvas_release(&c);
	}
	is_golden(o.text ? o.text : "", "heat");
	out_release(&o);
}

/* --- SVG --- */

static int count_of(const char *text, const char *what)
{
	int n = 0;

	for (const char *at = text; (at = strstr(at, what)); at++)
		n++;
	return n;
}

static void test_svg(void)
{
	static const double y[] = {1, 3, 2, 5};
	struct plot_series s[] = {
		{.name = "curve", .kind = PLOT_CURVE, .role = ROLE_SEND, .count = 4, .y = y},
		{.name = "bars", .kind = PLOT_BARS, .role = ROLE_COMPUTE, .count = 4, .y = y},
	};
	struct plot p = plot_of("as <SVG>", s, 2);
	struct canvas c;
	struct out o;

	canvas_init(&c, false);
	canvas_resize(&c, 60, 14);
	p.x.from = 0;
	p.x.to = 10;
	plot_draw(&p, canvas_pane(&c));
	out_init(&o);
	canvas_svg(&c, true, "plot", &o);
	ok(o.text && !strncmp(o.text, "<svg ", 5) && strstr(o.text, "</svg>"), "a plot as SVG");
	ok(o.text && strstr(o.text, "&lt;SVG&gt;") && strstr(o.text, ">curve<"), "with title and legend");
	ok(o.text && count_of(o.text, "width=\"2.4\" height=\"2.4\"") > 100, "a curve's dots are shapes");
	ok(o.text && !strstr(o.text, "\342\240") && !strstr(o.text, "\342\241") && !strstr(o.text, "\342\242") &&
		   !strstr(o.text, "\342\243"), "and no letters, which fonts may lack");
	ok(o.text && !strstr(o.text, "\342\226\210") && !strstr(o.text, "\342\224\224"), "neither are blocks and the frame");
	if (getenv("SVG_TO")) {
		FILE *f = fopen(getenv("SVG_TO"), "w");

		if (f) {
			fputs(o.text, f);
			fclose(f);
		}
	}
	out_release(&o);
	canvas_release(&c);
}

int main(void)
{
	test_curves();
	test_points();
	test_bars();
	test_small();
	test_odd();
	test_ticks();
	test_labels();
	test_sensitivity();
	test_cursor();
	test_sparkline();
	test_progress();
	test_heat();
	test_svg();
	return done_testing();
}
