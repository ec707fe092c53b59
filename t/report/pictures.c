/* Pictures for pages: the same struct plot as in cells, drawn as vectors. Ticks are those of the axis, at their place;
 * a value is where the axis says; what is not known is a gap, never a value; what lies beyond is an arrow; a million
 * values are no megabyte; names are no markup; and each picture is well-formed whatever is drawn, from one pixel up.
 *
 * A report is read by people who cannot ask the program again: a picture that lies, or breaks the page, would stay.
 */
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tap.h"
#include "tui/widgets/svg.h"
#include "xml_check.h"

#define N (double)NAN
#define ELEMENTS "svg g path rect circle text"
#define ATTRIBUTES "xmlns class viewBox width height role aria-label transform x y cx cy r d text-anchor preserveAspectRatio"

static char wrong[XML_WRONG];

static char *drawn(const struct plot *p, int w, int h)
{
	struct out o;

	out_init(&o);
	plot_svg(p, "a <picture> & \"more\"", w, h, &o);
	return o.text;
}

static struct plot plot_of(const struct plot_series *s, int count)
{
	struct plot p = PLOT_INIT;

	p.series = s;
	p.series_count = count;
	return p;
}

/* The number behind a key, such as "M", from a text. */
static double number_after(const char *text, const char *key)
{
	const char *p = strstr(text, key);

	return p ? strtod(p + strlen(key), NULL) : N;
}

static void check_curve(void)
{
	static const double y[] = {0, 10, 5, N, 10};
	static const struct plot_series s = {.name = "time", .kind = PLOT_CURVE, .role = ROLE_SEND, .count = 5, .y = y};
	struct plot p = plot_of(&s, 1);
	struct plot_axis x, ya;
	struct plot_tick ticks[PLOT_TICKS];
	char *text, *path;
	double h;
	int n;

	text = drawn(&p, 400, 200);
	ok(xml_check(text, ELEMENTS, ATTRIBUTES, wrong), "a curve is well-formed (%s)", wrong);
	plot_axes(&p, &x, &ya);
	n = plot_axis_ticks(&ya, 8, LABELS_UP, ticks);
	for (int i = 0; i < n; i++) {
		char label[64];

		snprintf(label, sizeof label, ">%s</text>", ticks[i].text);
		ok(strstr(text, label) != NULL, "the tick %s is written", ticks[i].text);
	}
	ok(strstr(text, ">time</text>") != NULL, "the series is in the legend");
	path = strstr(text, "<path class=\"s r-SEND\" d=\"M");
	if (ok(path != NULL, "there is a path of the series' role")) {
		char *end = strchr(path, '>');

		*end = 0;
		is_int((int)text_count(path, "M"), 2, "the unknown value parts it");
		is_int((int)text_count(path, "L"), 2, "and the known ones are joined");
		h = number_after(text, "height=\"") - 22 - (17 + 4);
		is_double(number_after(path, "d=\"M0.0 "), h, 0.11, "0 is at the foot");
		is_double(number_after(strchr(path, 'L'), " "), 0, 0.11, "10 at the top, as the axis ends there");
		is_double(number_after(strchr(strchr(path, 'L') + 1, 'L'), " "), h / 2, 0.11, "5 in the middle");
	}
	free(text);
}

static void check_beyond(void)
{
	static const double y[] = {1, 50, 2, -50, 0};
	static const struct plot_series s = {.kind = PLOT_CURVE, .role = ROLE_SEND, .count = 5, .y = y};
	struct plot p = plot_of(&s, 1);
	char *text;

	p.y = (struct plot_axis){.from = 0, .to = 10};
	text = drawn(&p, 400, 200);
	is_int((int)text_count(text, "<path class=\"f r-SEND\""), 2, "an arrow for each value beyond");
	free(text);
	p.y = (struct plot_axis){.from = 1, .to = 100, .scale = SCALE_LOG};
	text = drawn(&p, 400, 200);
	ok(strstr(text, ">2 not above 0</text>") != NULL, "how many values a log axis has no place for is said");
	ok(strstr(text, ">log y</text>") != NULL, "as is the scale");
	free(text);
}

static void check_bars(void)
{
	static const double y[] = {3, N, 0, -1};
	static const struct plot_series s = {.kind = PLOT_BARS, .role = ROLE_COMPUTE, .count = 4, .y = y};
	struct plot p = plot_of(&s, 1);
	char *text = drawn(&p, 400, 200), *path = strstr(text, "<path class=\"f r-COMPUTE\"");

	if (ok(path != NULL, "bars are one path")) {
		*strchr(path, '>') = 0;
		is_int((int)text_count(path, "V"), 3, "a bar for each known value, 0 too");
		is_int((int)text_count(path, "h1.5v1.5"), 1, "a dot for the unknown one");
	}
	free(text);
}

static void check_points(void)
{
	static const double y[] = {3, N, 4}, low[] = {2, N, N}, high[] = {4, N, N};
	struct plot_series s = {.name = "p", .kind = PLOT_POINTS, .role = ROLE_WARN, .count = 3, .y = y, .low = low, .high = high};
	struct plot p = plot_of(&s, 1);
	char *text = drawn(&p, 400, 200);

	is_int((int)text_count(text, "<circle"), 3, "a mark for each known value, and one in the legend");
	is_int((int)text_count(text, "<path class=\"s r-WARN\""), 1, "a line for the interval that is known");
	free(text);
	s.kind = PLOT_CURVE;
	text = drawn(&p, 400, 200);
	is_int((int)text_count(text, "class=\"band"), 0, "no band of one value");
	free(text);
}

/* Many values are few points; and their spikes are seen. */
static void check_many(void)
{
	enum { MANY = 1000000 };
	double *y = calloc(MANY, sizeof *y);
	struct plot_series s = {.name = "many", .kind = PLOT_CURVE, .role = ROLE_SEND, .count = MANY, .y = y};
	struct plot p = plot_of(&s, 1);
	static const enum plot_kind kinds[] = {PLOT_CURVE, PLOT_STEPS, PLOT_AREA, PLOT_BARS};

	y[777777] = 5;
	for (int k = 0; k < 4; k++) {
		char *text;

		s.kind = kinds[k];
		text = drawn(&p, 700, 200);
		ok(strlen(text) < 60000, "kind %d: a million values take %zu bytes", k, strlen(text));
		ok(strstr(text, " 0.0L") || strstr(text, "V0.0"), "kind %d: the one that is not 0 goes to the top", k);
		ok(xml_check(text, ELEMENTS, ATTRIBUTES, wrong), "kind %d: well-formed (%s)", k, wrong);
		free(text);
	}
	free(y);
}

/* Anything, of any size. */
static void check_wild(void)
{
	static const double odd[] = {N, INFINITY, -INFINITY, 1e300, -1e300, DBL_MIN, 0, 1, N, N, 5};
	static const char hostile[] = "</svg><script>alert(1)</script>\" onload=\"x ]]> \x1b[31m \xe2\x80\xae &amp; `|` \xff";
	int bad = 0;

	for (int kind = PLOT_CURVE; kind <= PLOT_BARS; kind++)
		for (int scale = SCALE_LINEAR; scale <= SCALE_ROOT_BACK; scale++)
			for (int w = 1; w < 900; w += 173)
				for (int h = 1; h < 300; h += 97) {
					struct plot_series s[2] = {
						{.name = hostile, .kind = (enum plot_kind)kind, .role = ROLE_SEND, .count = 11, .y = odd,
						 .low = odd, .high = odd, .dashed = true},
						{.kind = (enum plot_kind)kind, .role = ROLE_DEFAULT, .count = 0, .y = odd},
					};
					struct plot p = plot_of(s, 2);
					char *text;

					p.title = hostile;
					p.x.scale = p.y.scale = (enum plot_scale)scale;
					p.cursor = 7;
					p.mark = 4;
					text = drawn(&p, w, h);
					if (!xml_check(text, ELEMENTS, ATTRIBUTES, wrong) || strstr(text, "nan") || strstr(text, "inf")) {
						diag("kind %d scale %d %d x %d: %s", kind, scale, w, h, wrong);
						bad++;
					}
					free(text);
				}
	is_int(bad, 0, "whatever the values, the size and the names, a picture is well-formed and has no number that is none");
}

/* ---- heat ---- */

static double value(const void *ctx, uint32_t row, uint32_t column)
{
	const double *v = ctx;

	return v[row * 4 + column];
}

static const char *name(const void *ctx, uint32_t row, char *text)
{
	(void)ctx;
	snprintf(text, UNIT_TEXT, "P%u<&\"", (unsigned)row + 1);
	return text;
}

static enum role kind(const void *ctx, uint32_t row, uint32_t column)
{
	(void)ctx;
	return row + column == 2 ? ROLE_NONE : column < 2 ? ROLE_PHASE_0 : ROLE_PHASE_1;
}

static void check_heat(void)
{
	static const double v[] = {0, 1, 1, 8, N, N, 8, 0};
	struct heat_picture p = {
		.heat = {.columns = 4, .most = 8, .unit = PLOT_COUNT, .role = ROLE_WAIT, .value = value, .ctx = v}, .rows = 2,
		.x = {.from = 0, .to = 2, .unit = PLOT_SECONDS}, .name = name,
	};
	struct out o;

	out_init(&o);
	heat_svg(&p, "heat", 400, &o);
	ok(xml_check(o.text, ELEMENTS, ATTRIBUTES, wrong), "a heat map is well-formed (%s)", wrong);
	ok(strstr(o.text, "<path class=\"h1 r-WAIT\" d=\"M1 0h2v1h-2z\"/>") != NULL, "equal cells side by side are one, of the least shade");
	ok(strstr(o.text, "<path class=\"h8 r-WAIT\" d=\"M3 0h1v1h-1zM2 1h1v1h-1z\"/>") != NULL, "the most has the darkest");
	ok(strstr(o.text, "<path class=\"unknown\" d=\"M0 1h2v1h-2z\"/>") != NULL, "what is not known is not nothing");
	ok(strstr(o.text, ">no records</text>") != NULL, "and is in the legend");
	ok(strstr(o.text, ">P1&lt;&amp;&quot;</text>") != NULL, "rows have their names");
	out_release(&o);
	p.kind = kind;
	out_init(&o);
	heat_svg(&p, "heat", 400, &o);
	ok(xml_check(o.text, ELEMENTS, ATTRIBUTES, wrong), "a map of kinds is well-formed (%s)", wrong);
	ok(strstr(o.text, "<path class=\"f r-PHASE_0\" d=\"M0 0h2v1h-2zM0 1h1v1h-1z\"/>") != NULL, "each kind in its colour");
	ok(strstr(o.text, "r-NONE") == NULL, "nothing is not drawn");
	out_release(&o);
}

static void check_bar(void)
{
	static const struct bar_part parts[] = {{ROLE_COMPUTE, 'c', 0.5}, {ROLE_WAIT, 'w', N}, {ROLE_SEND, 'm', 0.01},
						{ROLE_MPI, 'o', 3}};
	struct out o;

	out_init(&o);
	stacked_bar_svg(parts, 4, 1, "a <bar>", 30, &o);
	ok(xml_check(o.text, ELEMENTS, ATTRIBUTES, wrong), "a stacked bar is well-formed (%s)", wrong);
	ok(strstr(o.text, "x=\"0.00%\" width=\"50.00%\"") != NULL, "a part is as wide as its share");
	ok(strstr(o.text, "r-WAIT") == NULL, "what is not known is not drawn");
	ok(strstr(o.text, ">c</text>") && !strstr(o.text, ">m</text>"), "letters where they have room");
	ok(strstr(o.text, "x=\"51.00%\" width=\"49.00%\"") != NULL, "and no part goes beyond the end");
	out_release(&o);
}

static void check_style(void)
{
	struct out o;

	out_init(&o);
	svg_style(&o);
	for (int r = 0; r < ROLE_COUNT; r++) {
		char rule[64];

		snprintf(rule, sizeof rule, ".%s{--c:", svg_role_class((enum role)r));
		if (!strstr(o.text, rule))
			ok(false, "%s has a rule", rule);
	}
	ok(!strpbrk(o.text, "<&"), "rules can stand in a page as they are");
	out_release(&o);
}

int main(void)
{
	check_curve();
	check_beyond();
	check_bars();
	check_points();
	check_many();
	check_wild();
	check_heat();
	check_bar();
	check_style();
	return done_testing();
}
