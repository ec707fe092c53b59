#include "units.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/trace/trace.h"

const char *unit_size(char buf[UNIT_TEXT], uint64_t size)
{
	return size == SIZE_UNKNOWN ? strcpy(buf, "?") : unit_bytes(buf, size);
}

const char *unit_size_short(char buf[UNIT_TEXT], uint64_t size)
{
	static const char units[] = {0, 'k', 'M', 'G', 'T', 'P', 'E'};
	double v = (double)size;
	unsigned u = 0;

	if (size == SIZE_UNKNOWN)
		return strcpy(buf, "?");
	for (; v >= 999.5; u++)
		v /= 1024;
	snprintf(buf, UNIT_TEXT, u && v < 9.95 ? "%.1f%c" : "%.0f%c", v, units[u]);
	return buf;
}

void unit_setting(const struct settings *s, enum setting_id id, char *buf, size_t size)
{
	double v = settings_number(s, id);

	if (setting_info(id)->kind == SETTING_FRACTION) {
		double percent = v * 100;
		int decimals = fabs(percent * 10 - round(percent * 10)) < 1e-6 ? 1 : 3;

		snprintf(buf, size, "%.*f %%", decimals, percent);
	} else if (setting_info(id)->kind == SETTING_SECONDS) {
		unit_time(buf, v);
	} else {
		settings_get(s, id, buf, size);
	}
}

void unit_signs(char *text, size_t size)
{
	size_t n = strlen(text);

	for (char *at = text; (at = strstr(at, " +- ")); at += 4)
		memcpy(at + 1, "\302\261", 2);
	for (char *at = text; n + 1 < size && (at = strstr(at, " us"));) {
		at++;
		if (at[2] && !strchr(" ,;:)\n", at[2]))
			continue;
		memmove(at + 2, at + 1, strlen(at + 1) + 1);
		memcpy(at, "\302\265", 2);
		n++;
	}
}
