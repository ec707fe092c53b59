#include "unit.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

int unit_digits(uint64_t n)
{
	int digits = 1;

	for (; n >= 10; n /= 10)
		digits++;
	return digits;
}

const char *unit_count(char buf[UNIT_TEXT], uint64_t n)
{
	char digits[24];
	int len = snprintf(digits, sizeof digits, "%llu", (unsigned long long)n);
	int at = 0;

	for (int i = 0; i < len; i++) {
		if (i && (len - i) % 3 == 0)
			buf[at++] = ' ';
		buf[at++] = digits[i];
	}
	buf[at] = 0;
	return buf;
}

/* Three significant digits, or `more` of them. */
static const char *scaled(char buf[UNIT_TEXT], double v, int more, const char *unit)
{
	double a = fabs(v);
	int decimals = (a < 9.995 ? 2 : a < 99.95 ? 1 : 0) + more;

	snprintf(buf, UNIT_TEXT, "%.*f %s", decimals, v, unit);
	return buf;
}

const char *unit_time(char buf[UNIT_TEXT], double s)
{
	double a = fabs(s);

	if (!isfinite(s))
		return strcpy(buf, "?");
	if (a == 0)
		return strcpy(buf, "0 s");
	if (a < 999.5e-9)
		return scaled(buf, s * 1e9, 0, "ns");
	if (a < 999.5e-6)
		return scaled(buf, s * 1e6, 0, "µs");
	if (a < 999.5e-3)
		return scaled(buf, s * 1e3, 0, "ms");
	if (a < 1e9)
		return scaled(buf, s, 1, "s");
	snprintf(buf, UNIT_TEXT, "%.3g s", s);
	return buf;
}

const char *unit_time_ascii(char buf[UNIT_TEXT], double s)
{
	char text[UNIT_TEXT];
	const char *micro;

	snprintf(buf, UNIT_TEXT, "%s", unit_figure_time(text, s));
	micro = strstr(text, "\xc2\xb5");
	if (micro)
		snprintf(buf, UNIT_TEXT, "%.*su%s", (int)(micro - text), text, micro + 2);
	return buf;
}

const char *unit_within(char buf[UNIT_WITHIN_TEXT], double s, double within)
{
	static const struct {
		const char *name;
		double second;
	} units[] = {{"ns", 1e-9}, {"µs", 1e-6}, {"ms", 1e-3}, {"s", 1}};
	char time[UNIT_TEXT];
	const char *unit, *point;

	unit_figure_time(time, s);
	unit = strrchr(time, ' ');
	point = strchr(time, '.');
	snprintf(buf, UNIT_WITHIN_TEXT, "%s", time);
	for (size_t i = 0; unit && isfinite(within) && i < sizeof units / sizeof *units; i++)
		if (!strcmp(unit + 1, units[i].name))
			snprintf(buf, UNIT_WITHIN_TEXT, "%s ± %.*f %s", time, point ? (int)(unit - point) - 1 : 0, within / units[i].second, units[i].name);
	return buf;
}

const char *unit_measured(char buf[UNIT_TEXT], double s, enum unit_least least)
{
	double a = fabs(s);

	if (a > 0 && a < 1e-3 && least == UNIT_MICROSECONDS)
		snprintf(buf, UNIT_TEXT, "%.3f us", s * 1e6);
	else if (a > 0 && a < 1)
		snprintf(buf, UNIT_TEXT, "%.4f ms", s * 1e3);
	else
		snprintf(buf, UNIT_TEXT, a < 1e15 ? "%.4f s" : "%.6g s", s);
	return buf;
}

const char *unit_moment(char buf[UNIT_TEXT], double s)
{
	if (!isfinite(s) || fabs(s) >= 1e12)
		snprintf(buf, UNIT_TEXT, "%.6g s", s);
	else
		snprintf(buf, UNIT_TEXT, "%.6f s", s);
	return buf;
}

const char *unit_bytes(char buf[UNIT_TEXT], uint64_t bytes)
{
	static const char *const units[] = {"B", "KiB", "MiB", "GiB", "TiB", "PiB"};
	double v = (double)bytes;
	unsigned u = 0;

	for (; v >= 1024 && u + 1 < sizeof units / sizeof *units; u++)
		v /= 1024;
	if (v == floor(v) && v < 1e5)
		snprintf(buf, UNIT_TEXT, "%.0f %s", v, units[u]);
	else
		snprintf(buf, UNIT_TEXT, "%.*f %s", v < 10 ? 2 : v < 100 ? 1 : 0, v, units[u]);
	return buf;
}

const char *unit_share(char buf[UNIT_TEXT], double fraction, int decimals)
{
	if (!isfinite(fraction))
		return strcpy(buf, "-");
	snprintf(buf, UNIT_TEXT, fabs(fraction) < 1e15 ? "%.*f %%" : "%.*g %%", decimals, fraction * 100);
	return buf;
}

static const char *rank_range(char buf[UNIT_TEXT], const char *one, const char *several, uint32_t first, uint32_t last)
{
	if (first == last)
		snprintf(buf, UNIT_TEXT, "%s%" PRIu32, one, first);
	else
		snprintf(buf, UNIT_TEXT, "%s%" PRIu32 "–%" PRIu32, several, first, last);
	return buf;
}

const char *unit_rank(char buf[UNIT_TEXT], uint32_t rank)
{
	return rank_range(buf, "rank ", "", rank, rank);
}

const char *unit_ranks(char buf[UNIT_TEXT], uint32_t first, uint32_t last)
{
	return rank_range(buf, "rank ", "ranks ", first, last);
}

const char *unit_rank_short(char buf[UNIT_TEXT], uint32_t rank)
{
	return rank_range(buf, "r", "", rank, rank);
}

const char *unit_ranks_short(char buf[UNIT_TEXT], uint32_t first, uint32_t last)
{
	return rank_range(buf, "r", "r", first, last);
}

const char *unit_multiple(char buf[UNIT_TEXT], double fraction, int decimals)
{
	char times[UNIT_TEXT];

	if (!(fabs(fraction) >= 9.995))
		return unit_share(buf, fraction, fabs(fraction) > 1 ? 0 : decimals);
	if (fabs(fraction) >= 1e15)
		snprintf(buf, UNIT_TEXT, "%.3g times", fraction);
	else
		snprintf(buf, UNIT_TEXT, "%s%s times", fraction < 0 ? "-" : "", unit_count(times, (uint64_t)llround(fabs(fraction))));
	return buf;
}

const char *unit_multiple_of(char buf[UNIT_OF_TEXT], double fraction, int decimals, const char *whole)
{
	char share[UNIT_TEXT];

	snprintf(buf, UNIT_OF_TEXT, fabs(fraction) >= 9.995 ? "%s %s" : "%s of %s", unit_multiple(share, fraction, decimals), whole);
	return buf;
}

const char *unit_percent(char buf[UNIT_TEXT], double fraction)
{
	if (!isfinite(fraction) || fabs(fraction) >= 1e6)
		return strcpy(buf, "?");
	return unit_share(buf, fraction, 1);
}

const char *unit_figure_time(char buf[UNIT_TEXT], double s)
{
	return isnan(s) ? strcpy(buf, "-") : unit_time(buf, s);
}

const char *unit_figure_percent(char buf[UNIT_TEXT], double fraction)
{
	return isnan(fraction) ? strcpy(buf, "-") : unit_percent(buf, fraction);
}

const char *unit_time_short(char buf[UNIT_TEXT], double s)
{
	static const char *const units[] = {"n", "µ", "m", "s"};
	double v = s * 1e9;
	unsigned u = 0;

	if (!isfinite(s) || s >= 1e6)
		return strcpy(buf, isnan(s) ? "-" : "?");
	if (s <= 0)
		return strcpy(buf, "0");
	for (; v >= 999.5 && u < 3; u++)
		v /= 1000;
	snprintf(buf, UNIT_TEXT, v < 9.95 ? "%.1f%s" : "%.0f%s", v, units[u]);
	return buf;
}
